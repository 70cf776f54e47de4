"""Folder of a run: its settings, its log, and its checkpoints. No torch.

::

    2026-11-20_143015_workshop/
        run.json            the title, the spec, the text's name and digest, the versions
        tokenizer.json      the tokenizer, unless it is GPT-2's
        journal.jsonl       all events, one per line
        checkpoints/        step-000359/ (model.safetensors, resume.safetensors, state.json, SHA256SUMS)
        lock                held by the program that writes the run
        writer.json         identity of that program
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, AwareDatetime, BaseModel, BeforeValidator, Field, ValidationError

import gptstudio
from gptstudio import files, paths
from gptstudio.errors import UserError, os_errors
from gptstudio.gpt.config import config_name
from gptstudio.gpt.tokenizer import FILE, GPT2, Tokenizer, read
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, file_format, journal
from gptstudio.training.events import Count, Event
from gptstudio.training.run_lock import RunLock, TakenOver, Writer
from gptstudio.training.spec import TrainSpec

LONGEST_TITLE = 200


class Parent(BaseModel, frozen=True):
    """Parent run of a branch. The branch shares its steps up to ``step``, which counts from 0.

    Attributes:
        run: name of its folder, without a path, because the branch may be opened on another computer.
        title: its title when the branch was made; empty for the name of its folder.
        created: its time of creation, which identifies it if its folder was renamed.
    """

    run: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^/\\:\x00-\x1f]+$")]
    title: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    created: AwareDatetime
    step: Count

    @property
    def name(self) -> str:
        """Display name of the parent, in one line."""
        return " ".join(self.title.split()) or self.run


def _known(value: Any) -> Parent | None:
    """Return the parent, or None for an invalid value: a branch is a complete run even without it."""
    if value is None or isinstance(value, Parent):
        return value
    try:
        return Parent.model_validate(value)
    except ValidationError:
        return None


ParentOrNone = Annotated[Parent | None, BeforeValidator(_known)]


STAMP, STAMPED = "%Y-%m-%d_%H%M%S", re.compile(r"\d{4}-\d\d-\d\d_\d{6}_")
"""Format of the time at the beginning of a run's name, and the pattern of such names."""

FROM_STEP = re.compile(r", from step (?P<n>[\d,]+)$")
"""End of a branch's default title."""

TEMP_PATTERN = ".step-*.tmp"
"""Pattern of a checkpoint's temporary name while it is being written or removed."""

class InitialWeights(BaseModel, frozen=True):
    """Initial weights of a run: the name of their model, and the SHA-256 of their file."""

    name: str
    sha256: str


PEP_440 = r"^[0-9]+(\.[0-9]+)*((a|b|rc|\.post|\.dev)[0-9]+)*(\+[a-z0-9.]+)?$"
Version = Annotated[str, Field(max_length=40, pattern=PEP_440)]
"""Version of the program according to PEP 440, validated because it is written into exported scripts."""


class Record(BaseModel, frozen=True, extra="forbid"):
    """Content of ``run.json``.

    Attributes:
        title: the user's name of the run; empty for the name of its folder.
        tokenizer_sha256: digest of ``tokenizer.json``; empty for GPT-2's tokenizer.
        initial_weights: None if the initial weights were drawn from the seed.
        parent: None if the run is not a branch.
    """

    format: int = file_format.FORMAT
    title: str = ""
    created: datetime
    version: Version = gptstudio.__version__
    spec: TrainSpec
    text_name: str
    text_sha256: str
    tokenizer_sha256: str = ""
    initial_weights: InitialWeights | None = Field(
        default=None, validation_alias=AliasChoices("initial_weights", "began_with")  # as version 0.1 called it
    )
    parent: ParentOrNone = None


@dataclass(frozen=True)
class RunFolder:
    """Folder of a run."""

    path: Path

    @classmethod
    def create(
        cls, spec: TrainSpec, text_name: str, text_sha256: str, path: Path | None = None,
        initial_weights: InitialWeights | None = None, tokenizer: Tokenizer = GPT2,
    ) -> RunFolder:
        """Create the folder with its record and its tokenizer; without ``path``, with a new name.

        Raises:
            UserError: the folder is not empty, or cannot be written.
        """
        created = datetime.now().astimezone()
        if path and not files.is_encodable(path):
            raise UserError(message(
                "The name of the run folder {path} contains bytes that are not valid characters. Choose another "
                "folder.", path=files.encodable(path)))
        record = Record(created=created, spec=spec, text_name=text_name, text_sha256=text_sha256,
                        tokenizer_sha256=tokenizer.digest, initial_weights=initial_weights)
        with os_errors(lambda why: message(
                "Could not write to the run folder {path}: {why}. Choose another folder.",
                path=path or paths.runs(), why=why)):
            if path and path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise UserError(message(
                    "{path} already exists. Choose a new or an empty folder for this run.", path=path))
            existed = path is not None and path.exists()
            made = cls(path or files.make_unused_folder(
                paths.runs(), f"{stamp(created)}_{config_name(spec.config)}"))
            try:
                made.write(record, tokenizer)
            except OSError:
                made.discard(keep_itself=existed)
                raise
        return made

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def journal_path(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def checkpoint_folder(self) -> Path:
        return self.path / "checkpoints"

    def record(self) -> Record:
        """Return the recorded settings of this run.

        Raises:
            UserError: this is not a run folder, or its run.json is damaged.
        """
        file = self.path / "run.json"
        try:
            values = file_format.unsealed(file.read_bytes(), str(file))
            return Record.model_validate(file_format.upgrade(values, str(file)))
        except UserError:
            raise
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise UserError(message(
                "{path} is not a run folder: its run.json cannot be read.",
                path=self.path,
            )) from error
        except OSError as error:
            raise UserError(message("Could not read {path}: {why}.", path=file, why=error.strerror or error)) from error

    def write(self, record: Record, tokenizer: Tokenizer | None = None) -> None:
        """Write the record and the tokenizer to the folder, which is created if needed."""
        self.checkpoint_folder.mkdir(parents=True, exist_ok=True)
        if tokenizer and tokenizer.file:
            files.write_whole(self.path / FILE, tokenizer.file)
        absent = {name for name in ("parent", "tokenizer_sha256") if not getattr(record, name)}  # as earlier versions
        values = record.model_dump(mode="json", exclude=absent)
        files.write_whole(self.path / "run.json", file_format.sealed(values))
        files.flush(self.path.parent)

    def discard(self, keep_itself: bool = False) -> None:
        """Remove the folder of a new run, or with ``keep_itself`` only its contents."""
        shutil.rmtree(self.path, ignore_errors=True)
        if keep_itself:
            self.path.mkdir(exist_ok=True)

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer of this run.

        Raises:
            UserError: the run cannot be read, or its tokenizer is missing or damaged.
        """
        file, record = self.path / FILE, self.record()
        if not record.tokenizer_sha256:
            return GPT2
        with os_errors(lambda why: message(
                "Could not read {path}: {why}. Copy the file of the same name from a checkpoint of this run.",
                path=file, why=why)):
            content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != record.tokenizer_sha256:
            raise UserError(message(
                "{path} is damaged: wrong checksum (SHA-256). Copy the file of the same name from a checkpoint of this "
                "run.", path=file))
        return read(record.spec.config.vocabulary, content)

    def rename(self, title: str) -> None:
        """Change the title of the run. The name of its folder does not change, because it may be used elsewhere.

        Raises:
            UserError: another program is writing the run.
            OSError: the file cannot be written.
        """
        with self.writing():
            self.write(self.record().model_copy(update={"title": " ".join(title.split())}))

    @property
    def _lock(self) -> RunLock:
        return RunLock(self.path)

    def writing(self) -> AbstractContextManager[None]:
        """Return a context that locks this run for writing: other windows, programs and computers can only read it.

        Raises:
            UserError: another process is writing the run, or the folder cannot be written.
        """
        return self._lock.writing()

    @property
    def is_ours(self) -> bool:
        """True if the folder that this process writes still exists and was not replaced."""
        return not self._lock.is_lost and (self.path / "run.json").is_file()

    def recreate_if_deleted(self, record: Record, tokenizer: Tokenizer = GPT2) -> bool:
        """Create the folder that this process writes again if it was deleted; return whether it was.

        Raises:
            TakenOver: the folder now belongs to another run, or another process writes it.
            OSError: it cannot be created.
        """
        if self.is_ours:
            return False
        if (self.path / "run.json").is_file() and self.record().created != record.created:
            raise TakenOver(message(
                "The folder {path} was deleted while this run was in progress, and another run has been saved there "
                "since. This run ends, and changes nothing there.", path=self.path))
        self._lock.renew()
        self.write(record, tokenizer)
        return True

    @property
    def writer(self) -> Writer | None:
        """Recorded writer of this run: the current one, or the last one if it was killed; None if there is none."""
        return self._lock.writer

    @property
    def written_elsewhere(self) -> bool:
        """True if any process is currently writing this run."""
        return self._lock.is_held(self.journal_path)

    def events(self) -> Iterator[Event]:
        return journal.read(self.journal_path)

    def checkpoints(self) -> list[Path]:
        """Return the complete checkpoints, earliest first; none if their folder cannot be read."""
        saved = [path for path in files.found(self.checkpoint_folder, "step-*") if path.name[5:].isdecimal()]
        return sorted(saved, key=step_of)  # by number: from a million steps on, names have more digits

    def newest_checkpoint(self) -> Path:
        """Return the last complete checkpoint.

        Raises:
            UserError: there is none, or their folder cannot be read.
        """
        saved = self.checkpoints()
        if not saved:
            files.check_folder(self.checkpoint_folder)
            raise UserError(message("The run {name} has no checkpoint: it ended before one was saved.", name=self.name))
        return saved[-1]

    def resumable(self) -> list[Path]:
        """Return the checkpoints to continue from, earliest first, without models saved only as the best."""
        return [path for path in self.checkpoints() if not checkpoint_files.is_best_alone(path)]

    def full_checkpoints(self) -> list[Path]:
        """Return the resumable checkpoints that have the optimizer state, earliest first; on a nearly full disk, only
        the model may have been saved."""
        return [path for path in self.resumable() if os.path.isfile(path / checkpoint_files.RESUME)]

    def after(self, step: int) -> list[Path]:
        """Return the checkpoints after ``step``."""
        return [path for path in self.checkpoints() if step_of(path) > step]

    def remove(self, checkpoints: Iterable[Path]) -> None:
        """Remove checkpoints, renaming them first, so that a killed program leaves no incomplete one under its name."""
        for checkpoint in checkpoints:
            aside = checkpoint.with_name(f".{checkpoint.name}.{secrets.token_hex(4)}.tmp")
            with suppress(OSError):  # Windows cannot rename open files
                checkpoint.rename(aside)
            shutil.rmtree(aside if aside.exists() else checkpoint, ignore_errors=True)

    def remove_temp_files(self) -> None:
        """Remove incomplete checkpoints left by a killed program; the caller must be :meth:`writing`."""
        for temp_file in self.temp_files():
            shutil.rmtree(temp_file, ignore_errors=True)

    def temp_files(self) -> list[Path]:
        """Return the incomplete checkpoints."""
        return files.found(self.checkpoint_folder, TEMP_PATTERN)


def step_of(checkpoint: Path) -> int:
    """Return the step of a checkpoint folder, counted from 0."""
    return int(checkpoint.name.removeprefix("step-"))


def all_runs() -> list[RunFolder]:
    """Return the user's runs, newest first; none if their folder cannot be read."""
    runs = [RunFolder(path) for path in files.found(paths.runs(), "*") if os.path.isfile(path / "run.json")]
    return sorted(runs, key=lambda run: run.name, reverse=True)


def stamp(created: datetime) -> str:
    """Return the time at the beginning of a new run's name. It is at least a second after that of the newest run, even
    if the clock was set back or daylight saving time has ended, so that runs sort by name."""
    stamp = created.replace(tzinfo=None)
    with suppress(ValueError, StopIteration, OverflowError):  # a name chosen by the user, or no runs
        newest = next(datetime.strptime(run.name[:17], STAMP) for run in all_runs() if STAMPED.match(run.name))
        stamp = max(stamp, newest + timedelta(seconds=1))
    return f"{stamp:{STAMP}}"


def find(name: str) -> RunFolder | None:
    """Return the run with that name or path, or None."""
    for path in (Path(os.path.expanduser(name)), paths.runs() / name):
        if os.path.isfile(path / "run.json"):  # False, not an error, for an invalid name
            return RunFolder(path)
    return None
