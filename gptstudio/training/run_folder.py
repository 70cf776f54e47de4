"""A run on the disk: what was asked, what happened, and the checkpoints. No torch.

::

    2026-11-20_143015_workshop/
        run.json            the title, the spec, the text's name and digest, the versions
        tokenizer.json      how text becomes tokens, unless it is GPT-2's
        journal.jsonl       every event, a line each
        checkpoints/        step-000359/ (model.safetensors, resume.safetensors, state.json, SHA256SUMS)
        lock                held by the program that writes the run
        writer.json         who that is
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

from pydantic import AliasChoices, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

import gptstudio
from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import config_name
from gptstudio.gpt.tokenizer import FILE, GPT2, Tokenizer, read
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, file_format, journal
from gptstudio.training.events import Count, Event
from gptstudio.training.run_lock import RunLock, TakenOver, Writer
from gptstudio.training.spec import TrainSpec

LONGEST_TITLE = 200


class Parent(BaseModel):
    """The run that a branch began as. The branch shares its steps up to ``step``, which counts from 0.

    Attributes:
        run: the name of its folder, without a path: the branch may be opened on another computer.
        title: the user's name of it when the branch was made; empty: the name of its folder.
        created: when it was created, by which it is known where its folder was renamed.
    """

    model_config = ConfigDict(frozen=True)

    run: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^/\\:\x00-\x1f]+$")]
    title: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    created: AwareDatetime
    step: Count

    @property
    def name(self) -> str:
        """The name of the parent for the user, in one line."""
        return " ".join(self.title.split()) or self.run


def _known(value: Any) -> Parent | None:
    """Return the parent; None where a file says anything else: a branch is a whole run also without it."""
    if value is None or isinstance(value, Parent):
        return value
    try:
        return Parent.model_validate(value)
    except ValidationError:
        return None


ParentOrNone = Annotated[Parent | None, BeforeValidator(_known)]


STAMP, STAMPED = "%Y-%m-%d_%H%M%S", re.compile(r"\d{4}-\d\d-\d\d_\d{6}_")
"""The time at the beginning of a run's name, and the pattern of such a name."""

FROM_STEP = re.compile(r", from step (?P<n>[\d,]+)$")
"""The end of the title of a branch, until the user gives it another one."""

TEMP_PATTERN = ".step-*.tmp"
"""Pattern of a checkpoint's temporary name, until it is complete and while it is being removed."""

class InitialWeights(BaseModel):
    """The weights that a run began with: the model that had them, and the SHA-256 of their file."""

    model_config = ConfigDict(frozen=True)

    name: str
    sha256: str


PEP_440 = r"^[0-9]+(\.[0-9]+)*((a|b|rc|\.post|\.dev)[0-9]+)*(\+[a-z0-9.]+)?$"
Version = Annotated[str, Field(max_length=40, pattern=PEP_440)]
"""A version of the program as PEP 440 writes it. It goes into exported scripts, so nothing else is let in."""


class Record(BaseModel):
    """Content of ``run.json``. ``title`` is the user's name of the run; empty: the name of its folder.
    ``tokenizer_sha256`` is the digest of ``tokenizer.json``; empty: GPT-2's tokenizer.
    ``initial_weights`` is None if the initial weights were drawn from the seed, ``parent`` if it is no branch."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    """One run's folder."""

    path: Path

    @classmethod
    def create(
        cls, spec: TrainSpec, text_name: str, text_sha256: str, path: Path | None = None,
        initial_weights: InitialWeights | None = None, tokenizer: Tokenizer = GPT2,
    ) -> RunFolder:
        """Make the folder with its record and its tokenizer; a name is found where none is given.

        Raises:
            UserError: it holds something already, or cannot be written.
        """
        created = datetime.now().astimezone()
        if path and not files.is_encodable(path):
            raise UserError(message(
                "The name of the run folder {path} contains bytes that are not valid characters. Choose another "
                "folder.", path=str(path).encode("utf-8", "replace").decode()))
        record = Record(created=created, spec=spec, text_name=text_name, text_sha256=text_sha256,
                        tokenizer_sha256=tokenizer.digest, initial_weights=initial_weights)
        try:
            if path and path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise UserError(message(
                    "{path} already exists. Choose a new or an empty folder for this run.", path=path))
            path = path or files.make_unused_folder(paths.runs(), f"{stamp(created)}_{config_name(spec.config)}")
            cls(path).write(record, tokenizer)
        except OSError as error:
            raise UserError(message(
                "Could not write to the run folder {path}: {why}. Choose another folder.",
                path=path or paths.runs(), why=error.strerror or error)) from error
        return cls(path)

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
            UserError: this is not a run's folder, or its run.json was changed.
        """
        file = self.path / "run.json"
        try:
            values = file_format.unsealed(file.read_bytes(), str(file))
            return Record.model_validate(file_format.upgrade(values, str(file)))
        except UserError:
            raise
        except (OSError, ValueError) as error:
            raise UserError(message(
                "{path} is not a run folder: its run.json cannot be read.",
                path=self.path,
            )) from error

    def write(self, record: Record, tokenizer: Tokenizer | None = None) -> None:
        """Make the folder where it is not there, and put the record and the tokenizer into it."""
        self.checkpoint_folder.mkdir(parents=True, exist_ok=True)
        if tokenizer and tokenizer.file:
            files.write_whole(self.path / FILE, tokenizer.file)
        files.write_whole(self.path / "run.json", file_format.sealed(_values(record)))
        files.flush(self.path.parent)

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer of this run.

        Raises:
            UserError: the run cannot be read, or its tokenizer is missing or was changed.
        """
        file, record = self.path / FILE, self.record()
        if not record.tokenizer_sha256:
            return GPT2
        try:
            content = file.read_bytes()
        except OSError as error:
            raise UserError(message(
                "Could not read {path}: {why}. Copy the file of the same name from a checkpoint of this run.",
                path=file, why=error.strerror or error)) from error
        if hashlib.sha256(content).hexdigest() != record.tokenizer_sha256:
            raise UserError(message(
                "{path} is damaged: wrong checksum (SHA-256). Copy the file of the same name from a checkpoint of this "
                "run.", path=file))
        return read(record.spec.config.vocabulary, content)

    def rename(self, title: str) -> None:
        """Give the run another title. Its folder keeps its name, which others may have written down.

        Raises:
            UserError: another program is writing the run.
            OSError: the disk refused.
        """
        with self.writing():
            self.write(self.record().model_copy(update={"title": " ".join(title.split())}))

    @property
    def _lock(self) -> RunLock:
        return RunLock(self.path)

    def writing(self) -> AbstractContextManager[None]:
        """Hold this run for writing within the context: other windows, programs or machines can only read it.

        Raises:
            UserError: another process is writing it, or nothing can be written there.
        """
        return self._lock.writing()

    @property
    def is_ours(self) -> bool:
        """Return whether the folder that this process writes was not deleted."""
        return not self._lock.is_lost and (self.path / "run.json").is_file()

    def recreate_if_deleted(self, record: Record, tokenizer: Tokenizer = GPT2) -> bool:
        """Make the folder of a run anew that this process writes, if it was deleted meanwhile; return whether it was.

        Raises:
            TakenOver: it is another run's by now, or another process writes it.
            OSError: it cannot be made.
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
        """Return the writer of this run, or the last one that could not record its end. None if none is recorded."""
        return self._lock.writer

    @property
    def written_elsewhere(self) -> bool:
        """Return whether this or another program is writing this run at this moment."""
        return self._lock.is_held(self.journal_path)

    def events(self) -> Iterator[Event]:
        return journal.read(self.journal_path)

    def checkpoints(self) -> list[Path]:
        """Complete checkpoints, the earliest first."""
        saved = [path for path in self.checkpoint_folder.glob("step-*") if path.name[5:].isdecimal()]
        return sorted(saved, key=step_of)  # by number: a millionth step has a digit more

    def newest_checkpoint(self) -> Path:
        """The last complete checkpoint.

        Raises:
            UserError: there is none yet.
        """
        saved = self.checkpoints()
        if not saved:
            raise UserError(message("The run {name} has no checkpoint: it ended before one was saved.", name=self.name))
        return saved[-1]

    def resumable(self) -> list[Path]:
        """The checkpoints to continue from, the earliest first: not the models that were saved as the best alone."""
        return [path for path in self.checkpoints() if not checkpoint_files.is_best_alone(path)]

    def full_checkpoints(self) -> list[Path]:
        """Return the checkpoints with all that their run needs, the earliest first: not those of the model alone, for
        which a full disk had room."""
        return [path for path in self.resumable() if (path / checkpoint_files.RESUME).is_file()]

    def after(self, step: int) -> list[Path]:
        """The checkpoints of later steps than ``step``."""
        return [path for path in self.checkpoints() if step_of(path) > step]

    def remove(self, checkpoints: Iterable[Path]) -> None:
        """Remove checkpoints. None keeps its name without being whole, also if the program is killed."""
        for checkpoint in checkpoints:
            aside = checkpoint.with_name(f".{checkpoint.name}.{secrets.token_hex(4)}.tmp")
            with suppress(OSError):  # Windows renames nothing that is open
                checkpoint.rename(aside)
            shutil.rmtree(aside if aside.exists() else checkpoint, ignore_errors=True)

    def remove_temp_files(self) -> None:
        """Remove the halves of checkpoints that a program left which was killed. Only for who is :meth:`writing`."""
        for temp_file in self.temp_files():
            shutil.rmtree(temp_file, ignore_errors=True)

    def temp_files(self) -> list[Path]:
        """Return the incomplete checkpoints."""
        return list(self.checkpoint_folder.glob(TEMP_PATTERN))


def _values(record: Record) -> dict[str, Any]:
    """Return the values of a record; what a run does not have is left out, as versions before have it."""
    absent = {name for name in ("parent", "tokenizer_sha256") if not getattr(record, name)}
    return record.model_dump(mode="json", exclude=absent)


def step_of(checkpoint: Path) -> int:
    """The step of a checkpoint's folder."""
    return int(checkpoint.name.removeprefix("step-"))


def all_runs() -> list[RunFolder]:
    """The user's runs, the newest first."""
    found = [RunFolder(path.parent) for path in paths.runs().glob("*/run.json")]
    return sorted(found, key=lambda run: run.name, reverse=True)


def stamp(created: datetime) -> str:
    """Return the time with which the name of a new run begins: a second after that of the newest run where the clock
    says no later, because it was set back or summer time has ended. So the order of the names is that of the runs."""
    stamp = created.replace(tzinfo=None)
    with suppress(ValueError, StopIteration, OverflowError):  # a name that the user gave, or no run yet
        newest = next(datetime.strptime(run.name[:17], STAMP) for run in all_runs() if STAMPED.match(run.name))
        stamp = max(stamp, newest + timedelta(seconds=1))
    return f"{stamp:{STAMP}}"


def find(name: str) -> RunFolder | None:
    """The run of that name, or at that path."""
    for path in (Path(os.path.expanduser(name)), paths.runs() / name):
        if os.path.isfile(path / "run.json"):  # False, and no error, for what cannot even be a name
            return RunFolder(path)
    return None
