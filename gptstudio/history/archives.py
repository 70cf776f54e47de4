"""Export and import of runs: the metrics of several as one CSV, a whole run as a folder in a zip. Imports no torch.

Nothing in a run depends on the location of its folder: paths in its journal and its spec are only informative.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal
from uuid import uuid4

from gptstudio import files
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError, os_errors, text_of
from gptstudio.files import PORTABLE
from gptstudio.history.columns import Columns
from gptstudio.history.run_history import History
from gptstudio.i18n import Message, message
from gptstudio.training import checkpoint_files
from gptstudio.training.run_folder import RunFolder
from gptstudio.units import bytes_text

SERIES = {
    "steps": ("loss", "learning_rate", "gradient_norm", "tokens_per_second"),
    "evaluations": ("train_loss", "val_loss"),
    "memory": ("used_bytes", "peak_bytes"),
    "copies": ("copied_percent", "longest"),
}
"""Columns to export, for each table of a history."""
HEADINGS = ("run", "step", "tokens", "seconds", "series", "value")
LEFT_OUT = re.compile(r"lock|writer\.json|.*\.tmp")
"""Files of a run that are meaningless elsewhere."""
MOST_FILES = 10_000
MOST_TIMES = 200
"""Largest ratio of unpacked size to zip size: a journal is compressed to a tenth, never that far."""
PIECE = 2**20
Contents = Literal["everything", "last checkpoint", "weights", "log"]
"""Parts of a run to pack: everything; only the last checkpoint from which it can continue; only the weights of the last
checkpoint, from which no run can be continued; no checkpoint."""


class ArchiveError(UserError):
    """Error for a zip that cannot be written or opened."""


def write_csv(histories: Mapping[str, History], path: Path) -> None:
    """Write all figures of these runs as rows: run, position, series and value.

    Losses are in nats per token, speed in tokens per second, memory in bytes, the longest copied stretch of a sample in
    tokens.

    Args:
        histories: histories by the name for the first column.

    Raises:
        UserError: the file cannot be written; no partial file is left.
    """
    with files.saving(path), files.written_whole(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        files.write_csv(text, [HEADINGS])
        for name, history in histories.items():
            for columns, names in SERIES.items():
                table: Columns = getattr(history, columns)
                step = map(_plain, (table["step"] + 1).tolist())  # as displayed: the number of updates
                tokens, seconds = map(_plain, table["tokens_seen"].tolist()), table["elapsed_s"].tolist()
                places = [*zip(step, tokens, seconds, strict=True)]
                for series in names:
                    values = zip(places, map(_plain, table[series].tolist()), strict=True)
                    files.write_csv(text, ((name, *place, series, value) for place, value in values))
        text.detach()  # flushes its buffer; ``written_whole`` closes the file


def packed_size(folder: RunFolder, contents: Contents) -> int:
    """Return the size of the files to pack, in bytes. The zip is smaller, because the log is compressed.

    Raises:
        UserError: a file cannot be read.
    """
    with os_errors(lambda why: message("Could not read {path}: {why}.", path=folder.path, why=why)):
        return sum((folder.path / file).stat().st_size for file in _packed_files(folder, contents))


def pack(
    folder: RunFolder, path: Path, progress: Progress = unwatched, contents: Contents = "everything",
) -> None:
    """Write the run as one folder into the zip ``path``, which exists complete or not at all.

    Args:
        progress: called with the number of bytes read; can cancel the work by raising an exception.

    Raises:
        ArchiveError: a file of the run is missing or cannot be read, or the zip cannot be written.
        UserError: this is not the folder of a run.
    """
    folder.record()
    name = folder.name if PORTABLE.fullmatch(folder.name) else re.sub(r"\W", "_", folder.name) + "_"
    could_not = message("Could not pack the run {name} into {path}", name=folder.name, path=path)
    with errors_as_messages(could_not), files.written_whole(path) as target:
        found, changed = _packed_files(folder, contents), _changed_files(folder, contents)
        done, total = 0, sum((folder.path / file).stat().st_size for file in found)
        with zipfile.ZipFile(target, "w") as archive:
            for file in found:
                inside = f"{name}/{file.as_posix()}"
                entry = zipfile.ZipInfo.from_file(folder.path / file, inside, strict_timestamps=False)
                # Weights are nearly random bits: compressing them takes minutes and saves a few hundredths.
                entry.compress_type = zipfile.ZIP_STORED if file.suffix == ".safetensors" else zipfile.ZIP_DEFLATED
                opened = changed.get(file) or (folder.path / file).open("rb")
                with opened as source, archive.open(entry, "w", force_zip64=True) as packed:
                    for block in _blocks(source):
                        packed.write(block)
                        done += len(block)
                        progress(done, max(done, total))  # a journal can grow in the meantime


def unpack(path: Path, runs: Path, progress: Progress = unwatched) -> RunFolder:
    """Unpack the run in a zip into ``runs``, under its own name, or with a number appended if the name is taken.

    Every name and size is checked before anything is written, and the run appears only when it is complete.

    Args:
        progress: called with the number of bytes written; can cancel the work by raising an exception.

    Raises:
        ArchiveError: the zip is damaged, contains no run or more than a run, was written by a newer version, or does
            not fit on the disk.
    """
    with errors_as_messages(message("Could not open {path}", path=path)), zipfile.ZipFile(path) as archive:
        name, entries = checked(archive, path)
        _check_free_space(path, runs, sum(entry.file_size for entry in entries.values()))
        files.remove_temp_files(runs)
        aside = runs / f".{uuid4().hex}.tmp"
        folder = RunFolder(aside / "run")  # one level deeper than the runs, so that no list shows it
        try:
            aside.mkdir(parents=True)
            with files.claimed(aside):
                _extract(archive, {"run.json": entries["run.json"]}, folder.path, unwatched)
                try:
                    folder.record()
                except UserError as error:
                    raise ArchiveError(message(
                        "{path} was not opened. {why}", path=path, why=_named(text_of(error), folder.path, path.name),
                    )) from error
                _extract(archive, entries, folder.path, progress)
                folder.checkpoint_folder.mkdir(exist_ok=True)
                target = files.move_to_unused(folder.path, runs, name)
                files.flush(runs)
                return RunFolder(target)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _named(words: str, folder: Path, name: str) -> str:
    """Replace the folder in which a run was unpacked by the name of its zip in a message."""
    if not isinstance(words, Message):
        return words
    values = {key: each if isinstance(each, Message) else str(each).replace(str(folder), name)
              for key, each in words.values.items()}
    return message(words.source, **values)


def _plain(number: float) -> float | int:
    """Convert integral numbers to int, so that they are written without a decimal point."""
    return int(number) if number.is_integer() else number


def checked(archive: zipfile.ZipFile, path: Path) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """Return the name of the single folder in a zip, and its files by their paths in it.

    Raises:
        ArchiveError: the content does not look like the result of :func:`pack`.
    """
    entries: dict[str, zipfile.ZipInfo] = {}
    tops, seen = set(), set()
    for entry in archive.infolist():
        parts = entry.filename.removesuffix("/").split("/")
        if not all(PORTABLE.fullmatch(part) for part in parts):
            raise ArchiveError(message(
                "{path} was not opened: it contains {name}, which does not belong in a run.",
                path=path, name=repr(entry.filename),
            ))
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or entry.flag_bits & 1:
            raise ArchiveError(message(
                "{path} was not opened: {name} is a link or is password-protected.", path=path, name=entry.filename))
        if entry.filename.casefold() in seen:
            raise ArchiveError(message(
                "{path} was not opened: it contains {name} twice.", path=path, name=entry.filename))
        seen.add(entry.filename.casefold())
        tops.add(parts[0])
        if not entry.is_dir():
            entries["/".join(parts[1:])] = entry
    if len(tops) != 1 or "run.json" not in entries:
        raise ArchiveError(message(
            "{path} contains no run. A packed run is one folder with a run.json in it.", path=path))
    _check_size(path, list(entries.values()))
    return tops.pop(), entries


def _check_size(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    """Check the unpacked size given in the entries of the zip: no file is unpacked beyond the size in its entry."""
    total = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_FILES or total > MOST_TIMES * path.stat().st_size:
        raise ArchiveError(message(
            "{path} was not opened: it claims to contain {n} files of {size} in total, which does not look like a "
            "run.", path=path, n=f"{len(entries):,}", size=bytes_text(total),
        ))


def _check_free_space(path: Path, runs: Path, total: int) -> None:
    free = files.free_bytes(runs)
    if free < total * 1.05:
        raise ArchiveError(message(
            "{path} was not opened: the run needs {needed}, but only {free} are free at {runs}. Free some space "
            "and try again.", path=path, needed=bytes_text(total), free=bytes_text(free), runs=runs,
        ))


def _extract(archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], folder: Path, progress: Progress) -> None:
    done, total = 0, sum(entry.file_size for entry in entries.values())
    for name, entry in entries.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("wb") as file:
            for block in _blocks(source):
                file.write(block)
                done += len(block)
                progress(done, total)
        files.flush(target)


def _files_of(folder: Path) -> list[Path]:
    """Return all files of a run, relative to its folder, sorted; no links, no temporary files, only portable names.

    Raises:
        UserError: a folder cannot be read.
    """
    found = (Path(parent, name) for parent, _, names in os.walk(folder, onerror=_refuse) for name in names)
    inside = (path.relative_to(folder) for path in sorted(found) if path.is_file() and not path.is_symlink())
    return [path for path in inside if all(PORTABLE.fullmatch(p) and not LEFT_OUT.fullmatch(p) for p in path.parts)]


def _refuse(error: OSError) -> None:
    raise UserError(message("Could not read {path}: {why}.", path=error.filename, why=error.strerror)) from error


def _packed_files(folder: RunFolder, contents: Contents) -> list[Path]:
    """Return the files of a run to pack, relative to its folder.

    Raises:
        UserError: one of its folders cannot be read.
    """
    every = _files_of(folder.path)
    if contents == "everything":
        return every
    found = {"log": [], "last checkpoint": folder.full_checkpoints()}.get(contents, folder.checkpoints())
    kept = [path.name for path in found[-1:]]
    left_out = [checkpoint_files.RESUME] if contents == "weights" else []
    return [file for file in every if file.parts[0] != folder.checkpoint_folder.name
            or (file.parts[1] in kept and file.name not in left_out)]


def _changed_files(folder: RunFolder, contents: Contents) -> dict[Path, IO[bytes]]:
    """Return the files with another content in the zip than on the disk."""
    if contents != "weights":
        return {}
    checkpoint = folder.newest_checkpoint()
    inside = checkpoint.relative_to(folder.path)
    return {inside / name: io.BytesIO(data) for name, data in checkpoint_files.weights_alone(checkpoint).items()}


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(PIECE):
        yield block


@contextmanager
def errors_as_messages(what: Message) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArchiveError(message("{what}: {why}.", what=what, why=error.strerror or error)) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise ArchiveError(message(
            "{what}: it is not a zip file, or it is damaged. Download or copy it again.", what=what)) from error
