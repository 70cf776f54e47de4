"""Training texts: finding or downloading The Verdict, reading files and folders, and finding the texts of a run again.
No torch.

A text may be larger than memory: it is read in blocks, and never held as a whole.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from gptstudio import files, paths, settings
from gptstudio.data import encodings
from gptstudio.data.encodings import EncodingPass, NotText, Progress, errors_as_messages, unwatched
from gptstudio.data.encodings import TextError as TextError
from gptstudio.errors import UserError, os_errors, shown
from gptstudio.i18n import joined, message

SUFFIXES = (".txt", ".md")
MOST_NAMED = 5
"""Maximum number of left-out files listed by name; the rest are counted."""
HEAD = 2**12
"""Number of bytes read to recognise a file that is not text."""

LeftOut = tuple[Path, str]
"""Left-out file of a folder, and the reason in a word or two."""
Note = Callable[[str], object]
"""Called with a sentence about left-out files."""


def every_text(folder: Path) -> list[Path]:
    """Return all .txt and .md files of a folder, sorted by name, including those that :func:`usable` leaves out.

    Raises:
        OSError: the folder cannot be read.
    """
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())


def usable(folder: Path) -> tuple[list[Path], list[LeftOut]]:
    """Return the usable .txt and .md files of a folder, sorted by name, and the left-out ones: hidden files, including
    those that macOS creates on other systems' disks (``._name``), empty files, and files that are not text.

    Raises:
        OSError: the folder cannot be read.
    """
    every = [(path, _why_not(path)) for path in every_text(folder)]
    return [path for path, why in every if not why], [(path, why) for path, why in every if why]


def texts_in(folder: Path, note: Note) -> list[Path]:
    """Return the usable texts of a folder; ``note`` is called with a message about left-out files.

    Raises:
        TextError: there are no texts, or the folder cannot be read.
    """
    with errors_as_messages(folder):
        found, left_out = usable(folder)
    if not found:
        raise no_texts(folder, left_out)
    if left_out:
        note(left_out_words(folder, left_out))
    return found


def no_texts(folder: Path, left_out: Sequence[LeftOut]) -> TextError:
    """Return the error for a folder without texts."""
    words = message(
        "The folder {folder} contains no .txt or .md files. "
        "Choose a text file, or a folder that contains some.", folder=folder)
    return TextError(joined(" ", words, left_out_words(folder, left_out)) if left_out else words)


def left_out_words(folder: Path, left_out: Sequence[LeftOut]) -> str:
    """Return the message about the left-out files of a folder."""
    names = [message("{file} ({why})", file=shown(path.name), why=why) for path, why in left_out[:MOST_NAMED]]
    if more := len(left_out) - MOST_NAMED:
        names += [message("{n} more", n=f"{more:,}")] if more > 0 else []
    return message("Left out of the folder {folder}: {files}.", folder=shown(folder.name), files=joined(", ", *names))


def _why_not(path: Path) -> str:
    if path.name.startswith("."):
        return message("hidden")
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        return error.strerror or str(error)
    if not head:
        return message("empty")
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
    wide = len(head) > 3 and (not any(head[1::2][:2]) or not any(head[::2][:2]))  # UTF-16 without a mark
    return message("not a text") if b"\x00" in head and not marked and not wide else ""


VERDICT = "verdict"
STORY = "story"
GRIMM = "grimm"
LUXUN = "luxun"
SHIPPED = {
    STORY: (message("The Late Bell, a story that ships with GPT Studio"), "story.txt"),
    GRIMM: (message("Two tales in German, Brothers Grimm, 1857"), "grimm.txt"),
    LUXUN: (message("Two stories in Chinese, Lu Xun, 1919 and 1921"), "luxun.txt"),
}
"""Display name and file of each text that ships with GPT Studio."""
NAMES = {
    VERDICT: message("The Verdict, Edith Wharton, 1908"),
    **{text: name for text, (name, _) in SHIPPED.items()},
}
TITLES = {
    VERDICT: message("The Verdict"), STORY: message("The Late Bell"), GRIMM: message("Tales of the Brothers Grimm"),
    LUXUN: message("Stories by Lu Xun"),
}
"""Short names of the same texts."""
PROMPTS = {GRIMM: "Vor einem großen Walde", LUXUN: "鲁镇的酒店"}
"""Beginnings of the texts in languages other than English, as prompts."""
COMBINED = message("{n} texts: {names}")
"""Name of several texts together."""
VERDICT_FILE = "the-verdict.txt"
VERDICT_SHA256 = "b41e41a68f0398a3154ae69e2e4c0e2694e17fe0d66730536837f1b01935b31f"
# The address that the book uses (chapters 2 and 5).
VERDICT_URL = (
    "https://raw.githubusercontent.com/rasbt/LLMs-from-scratch/main/ch02/01_main-chapter-code/the-verdict.txt"
)
LARGEST = 4 * 2**30
"""Maximum bytes of a text: five minutes of tokenising on one core at the speed measured by ``tests/bench/texts.py``."""
REMEMBERED_FROM = 2**20
"""Size in bytes from which the properties of a text are cached while its file does not change."""


class TextNotHere(TextError):
    """The Verdict is not on this computer and could not be downloaded."""


@dataclass(frozen=True)
class Label:
    """Description of a text in the record of a run. ``name`` is for display."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Text(Label):
    """Text file with its properties. ``guess``: message if its encoding was guessed, else empty."""

    path: Path
    size: int  # bytes
    changed_ns: int
    codec: str
    characters: int
    line_ends: str
    guess: str
    translated: bool  # line ends are translated as in Python's text mode

    @property
    def encoding(self) -> str:
        """Display name of the encoding."""
        return encodings.NAMES[self.codec]

    @property
    def is_current(self) -> bool:
        """True if the file is as it was when it was examined."""
        with suppress(OSError):
            now = self.path.stat()
            return (now.st_size, now.st_mtime_ns) == (self.size, self.changed_ns)
        return False

    @property
    def content(self) -> str:
        """Whole text as one string."""
        return "".join(text for text, _ in self.blocks())

    def blocks(self) -> Iterator[tuple[str, int]]:
        """Yield the text in blocks, each with the number of bytes read so far.

        Raises:
            TextError: the file is missing, or has changed since it was examined.
        """
        done, decoder = 0, encodings.decoder_of(self.codec, self.translated)
        with errors_as_messages(self.path):
            for block, text in encodings.blocks(self.path, self.codec, decoder):
                done += len(block)
                yield text, done
            now = self.path.stat()
        if (now.st_size, now.st_mtime_ns) != (self.size, self.changed_ns):
            raise TextError(message("{path} changed while it was being read. Try again.", path=self.path))


def verdict_places() -> list[Path]:
    """Return the possible paths of The Verdict, in search order."""
    named = shared_folder()
    folders = ([named] if named else []) + [paths.texts(), paths.resources() / "texts"]
    return [folder / VERDICT_FILE for folder in folders]


def shared_folder() -> Path | None:
    """Return the folder of shared texts set by ``GPTSTUDIO_TEXTS`` or in the settings of this computer, or None."""
    named = os.environ.get("GPTSTUDIO_TEXTS")
    return Path(named) if named else settings.in_force().texts


def shared() -> list[Path]:
    """Return the texts in the shared folder, offered in addition to the shipped ones; none if it cannot be read."""
    folder = shared_folder()
    if not folder or not os.path.isdir(folder):
        return []
    with suppress(TextError):
        return [Path(name) for name in expanded([str(folder)]) if Path(name).name != VERDICT_FILE]
    return []


def locate(text: str) -> Path | None:
    """Return the file for a name in :data:`NAMES` or a path; None if The Verdict has not been downloaded yet."""
    if text == VERDICT:
        return next((place for place in verdict_places() if os.path.isfile(place)), None)
    if text in SHIPPED:
        return paths.resources() / "texts" / SHIPPED[text][1]
    return Path(os.path.expanduser(text))  # unlike Path.expanduser, raises no error for an unknown user


def fetch_verdict(progress: Progress = encodings.unwatched, timeout_s: float = 20) -> Path:
    """Download The Verdict into the user's folder, check its SHA-256, and return its path.

    Args:
        progress: called when bytes arrive, and regularly while none do; can raise to cancel.

    Raises:
        TextNotHere: there is no network, the downloaded file is not the text, or there is no space for it.
    """
    from http.client import HTTPException

    from gptstudio.data import web  # imported here, since it takes a tenth of the start-up time

    target = paths.texts() / VERDICT_FILE
    partial = target.with_suffix(".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        done = 0
        with partial.open("wb") as file, closing(web.received(VERDICT_URL, timeout_s)) as blocks:
            for block, total in blocks:
                done += file.write(block)
                progress(done, total)
        if hashlib.sha256(partial.read_bytes()).hexdigest() != VERDICT_SHA256:
            raise TextNotHere(_not_here(message("the downloaded text is not the expected one")))
        os.replace(partial, target)
    except (OSError, HTTPException, ValueError) as error:  # a URLError is an OSError
        raise TextNotHere(_not_here(" ".join(str(getattr(error, "reason", error)).split()))) from error
    finally:
        with suppress(OSError):
            partial.unlink()
    return target


def read(text: str, progress: Progress = encodings.unwatched) -> Text:
    """Return the text for a name in :data:`NAMES` or a file.

    Args:
        progress: called with (0, 0) for each block; can raise to cancel.

    Raises:
        TextNotHere: The Verdict has not been downloaded yet.
        TextError: the file is missing, empty, binary, in an unknown encoding, or too large.
    """
    path = locate(text)
    if path is None:
        raise TextNotHere(_not_here(message("it is not on this computer")))
    if not files.is_encodable(path):
        raise TextError(message(
            "The name of {path} contains bytes that are not valid characters, so a run could not record what it was "
            "trained on. Rename the file or its folder.", path=files.encodable(path),
        ))
    with errors_as_messages(path):
        size, changed_ns = _checked(path)
        ours = text in NAMES  # read in text mode as in the book, whatever the line ends
        found = _examined(path, size, changed_ns, ours, progress)
    if found.blank:
        raise _empty(path)
    return Text(
        NAMES.get(text, path.name), found.sha256, path, size, changed_ns, found.codec, found.characters,
        found.line_ends, found.guess, ours,
    )


def read_all(names: Iterable[str], progress: Progress = encodings.unwatched, note: Note = lambda _: None) -> list[Text]:
    """Return these texts, in order; for a folder, all its .txt and .md files that are texts. ``note`` is called with a
    message about other files.

    Raises:
        TextNotHere, TextError: as for :func:`read`, for the first invalid file that was given explicitly.
    """
    return [text for _, text in read_named(names, progress, note)]


def read_named(
    names: Iterable[str], progress: Progress = encodings.unwatched, note: Note = lambda _: None,
) -> list[tuple[str, Text]]:
    """Return the texts as :func:`read_all` does, each with its name or path."""
    return [text for name in names for text in _texts_of(name, progress, note)]


def expanded(names: Iterable[str], note: Note = lambda _: None) -> list[str]:
    """Return the names with each folder replaced by its usable .txt and .md files, sorted by name.

    Raises:
        TextError: a folder has no texts, or cannot be read.
    """
    return [each for name in names for each in _files_of(name, note)]


def combined(texts: list[Text]) -> Label:
    """Return the label of several texts together, with one name and one digest."""
    if len(texts) == 1:
        return Label(texts[0].name, texts[0].sha256)
    names = ", ".join(text.name for text in texts[:2]) + (", …" if len(texts) > 2 else "")
    digests = "\n".join(text.sha256 for text in texts)
    return Label(COMBINED.format(n=f"{len(texts):,}", names=names), hashlib.sha256(digests.encode()).hexdigest())


def _texts_of(name: str, progress: Progress, note: Note) -> list[tuple[str, Text]]:
    found, left_out, names = list[tuple[str, Text]](), list[LeftOut](), _files_of(name, note)
    for each in names:
        try:
            found.append((each, read(each, progress)))
        except TextError:
            if names == [name]:
                raise
            left_out.append((Path(each), message("not a text")))
    if left_out:
        note(left_out_words(left_out[0][0].parent, left_out))
    if not found:
        raise no_texts(Path(names[0]).parent, left_out)
    return found


def _files_of(name: str, note: Note) -> list[str]:
    folder = None if name in NAMES else locate(name)
    if folder is None or not os.path.isdir(folder):  # False, not an error, for an invalid name
        return [name]
    return [str(path) for path in texts_in(folder, note)]


def _checked(path: Path) -> tuple[int, int]:
    """Return the size in bytes and the modification time of a text file, after checking that it can be read."""
    if path.is_dir():
        raise TextError(message("{path} is a folder. Choose a text file in it.", path=path))
    if path.exists() and not path.is_file():  # could block forever
        raise TextError(message("{path} is a device or a pipe, not a text file. Choose another file.", path=path))
    if not path.is_file():
        raise TextError(message(
            "The file {path} does not exist. Choose another, or the text that ships with GPT Studio.", path=path
        ))
    stat = path.stat()
    if stat.st_size > LARGEST:
        # Rounded up: the size shown is always above the limit.
        size, most = f"{math.ceil(stat.st_size / 2**20 * 10) / 10:,.1f}", f"{LARGEST // 2**20:,}"
        raise TextError(message("{path} has {size} MB; the limit is {most} MB.", path=path, size=size, most=most))
    if not stat.st_size:  # also for the system's special files, which may be endless
        raise _empty(path)
    return stat.st_size, stat.st_mtime_ns


def _empty(path: Path) -> TextError:
    return TextError(message("{path} is empty. Choose a text that contains some words.", path=path))


def _examined(path: Path, size: int, changed_ns: int, translate: bool, progress: Progress) -> EncodingPass:
    key = (path, size, changed_ns, translate)
    if key in _remembered:
        return _remembered[key]
    try:
        found = encodings.detect(path, translate, lambda: progress(0, 0))
    except NotText as error:
        raise TextError(message(
            "{what} Choose a text file, or save this one as UTF-8 and try again.", what=error)) from None
    if size >= REMEMBERED_FROM:
        _remembered[key] = found
    return found


_remembered: dict[tuple[Path, int, int, bool], EncodingPass] = {}


def _not_here(reason: str) -> str:
    return message(
        "The Verdict is not available ({reason}). Train on the story that ships with GPT Studio, choose a file of your "
        "own, or copy {file} to {folder}.", reason=reason, file=VERDICT_FILE, folder=paths.texts(),
    )


OF_SEVERAL = re.compile(COMBINED.format(n=r"(?P<n>[\d,]+)", names="(?P<names>.+)"))
SHIPPED_NAMES = re.compile(f"({'|'.join(map(re.escape, NAMES.values()))})")


def name_in_words(name: str) -> str:
    """Return the name of a run's text or combined texts as a message that the window can translate."""
    several = OF_SEVERAL.fullmatch(name)
    if several:
        return message(COMBINED.source, n=several["n"], names=_shipped(several["names"]))
    return _shipped(name)


def _shipped(names: str) -> str:
    """Return names with a message for each text that ships."""
    known = {str(each): each for each in NAMES.values()}
    parts = [known.get(part, part) for part in SHIPPED_NAMES.split(names) if part]
    return parts[0] if len(parts) == 1 else joined("", *parts)


LONGEST_NAME = 80


def save_pasted(title: str, text: str) -> Path:
    """Write a text to a new file in UTF-8, and return its path; no file is overwritten.

    Raises:
        UserError: the text is empty, or the file cannot be written.
    """
    if not text.strip():
        raise UserError(message("The text is empty. Paste one first."))
    name = files.portable(re.sub(r"[^\w\- ]", "", title).strip() or "pasted", LONGEST_NAME)
    folder = paths.texts()
    with os_errors(lambda why: message("Could not save the text in {path}: {why}.", path=folder, why=why)):
        folder.mkdir(parents=True, exist_ok=True)
        path = files.unused(folder, name, " ", ".txt")
        files.write_whole(path, text.encode("utf-8", "replace"))
    return path


MOST_LOOKED_AT = 1_000
"""Maximum number of files in a folder whose content is compared."""


def absolute_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of texts with absolute paths, which do not depend on the current folder."""
    return tuple(name if name in NAMES else str((locate(name) or Path(name)).absolute()) for name in names)


def find_moved(names: Sequence[str], sha256: str, progress: Progress = unwatched) -> tuple[str, ...]:
    """Return the names or files of the texts with this combined digest: in their old place, in the folders of
    :func:`searched_folders` under the same names, or, for a single text, as any file there.

    If they are not found, return ``names`` if they can be read: the texts have then changed.

    Raises:
        TextNotHere, TextError: a text cannot be read; the message lists the searched folders.
    """
    for some in _candidates(names, sha256, progress):
        with suppress(TextError):
            found = read_named(some, progress)
            if combined([text for _, text in found]).sha256 == sha256:
                return tuple(name for name, _ in found)
    try:
        read_all(names, progress)
    except TextNotHere:
        raise
    except TextError as error:
        raise TextError(joined(" ", *error.args, searched_in_words(names))) from error
    return tuple(names)


def searched_in_words(names: Sequence[str]) -> str:
    """Return the message that lists the folders where the texts of a run are searched."""
    return message(
        "A text with the content that it had was also looked for in these folders: {folders}.",
        folders=joined(", ", *map(str, searched_folders(names))))


def searched_folders(names: Sequence[str]) -> list[Path]:
    """Return the folders in which moved texts are searched: their old folders, the current folder, the folder of shared
    texts, and the user's folder of texts."""
    were = [Path(name).parent for name in names if name not in NAMES]
    shared = shared_folder()
    folders = [*were, Path(), *([shared] if shared else []), paths.texts()]
    with suppress(OSError):  # the current folder was removed
        folders = [folder.absolute() for folder in folders]
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


def _candidates(names: Sequence[str], sha256: str, progress: Progress) -> Iterator[Sequence[str]]:
    yield names
    folders = [path for name in names if name not in NAMES and (path := locate(name)) and os.path.isdir(path)]
    if folders:  # as in earlier versions, with hidden files
        with suppress(OSError):
            yield [str(path) for folder in folders for path in every_text(folder)]
    for folder in searched_folders(names):
        yield [name if name in NAMES else str(folder / Path(name).name) for name in names]
    if len(names) == 1 and names[0] not in NAMES:
        for folder in searched_folders(names):
            yield from ([str(path)] for path in _same_content(folder, sha256, progress))


def _same_content(folder: Path, sha256: str, progress: Progress) -> Iterator[Path]:
    with suppress(OSError):
        for path in every_text(folder)[:MOST_LOOKED_AT]:
            progress(0, 0)
            if files.sha256(path) == sha256:
                yield path
