"""The texts of a run where they are now: as recorded, or moved and found by their content. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from gptstudio import files, paths
from gptstudio.data import text_folders, texts
from gptstudio.data.encodings import Progress, TextError, unwatched
from gptstudio.i18n import joined, message

MOST_LOOKED_AT = 1_000
"""Files of a folder whose content is compared."""


def absolute(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of texts with whole paths, which mean the same from every folder."""
    return tuple(name if name in texts.NAMES else str((texts.locate(name) or Path(name)).absolute()) for name in names)


def find(names: Sequence[str], sha256: str, progress: Progress = unwatched) -> tuple[str, ...]:
    """Return the files, or names, of texts with this digest of them all: where they were, or in the folders of
    :func:`places` under the same names, or as one file there under any name.

    Where they are nowhere, ``names`` if they can be read: then they have changed.

    Raises:
        TextNotHere, TextError: a text cannot be read; the words say where it was looked for.
    """
    for some in _candidates(names, sha256, progress):
        with suppress(TextError):
            found = texts.read_named(some, progress)
            if texts.combined([text for _, text in found]).sha256 == sha256:
                return tuple(name for name, _ in found)
    try:
        texts.read_all(names, progress)
    except texts.TextNotHere:
        raise
    except TextError as error:
        raise TextError(joined(" ", *error.args, looked_in(names))) from error
    return tuple(names)


def looked_in(names: Sequence[str]) -> str:
    """Return the sentence that says where the texts of a run are looked for."""
    return message(
        "A text with the content that it had was also looked for in these folders: {folders}.",
        folders=joined(", ", *map(str, places(names))))


def places(names: Sequence[str]) -> list[Path]:
    """Return the folders in which a text that has moved is looked for: the one it was in, the current one, the folder
    of texts that was named for this user or computer, and the user's own."""
    were = [Path(name).parent for name in names if name not in texts.NAMES]
    shared = texts.shared_folder()
    folders = [*were, Path(), *([shared] if shared else []), paths.texts()]
    with suppress(OSError):  # the current folder was removed
        folders = [folder.absolute() for folder in folders]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _candidates(names: Sequence[str], sha256: str, progress: Progress) -> Iterator[Sequence[str]]:
    yield names
    folders = [path for name in names if name not in texts.NAMES and (path := texts.locate(name)) and path.is_dir()]
    if folders:  # as earlier versions read them: with hidden files
        with suppress(OSError):
            yield [str(path) for folder in folders for path in text_folders.every_text(folder)]
    for folder in places(names):
        yield [name if name in texts.NAMES else str(folder / Path(name).name) for name in names]
    if len(names) == 1 and names[0] not in texts.NAMES:
        for folder in places(names):
            yield from ([str(path)] for path in _same_content(folder, sha256, progress))


def _same_content(folder: Path, sha256: str, progress: Progress) -> Iterator[Path]:
    with suppress(OSError):
        for path in text_folders.every_text(folder)[:MOST_LOOKED_AT]:
            progress(0, 0)
            if files.sha256(path) == sha256:
                yield path
