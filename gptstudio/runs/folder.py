"""A run on the disk: what was asked, what happened, and the checkpoints. No torch.

::

    2026-11-20_143015_workshop/
        run.json            the title, the spec, the text's name and digest, the versions
        journal.jsonl       every event, a line each
        checkpoints/        step-000359/ (model.safetensors, resume.safetensors, state.json, SHA256SUMS)
        lock                held by the program that writes the run
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

import gptstudio
from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import config_name
from gptstudio.runs import formats, journal
from gptstudio.runs.events import Event
from gptstudio.runs.spec import TrainSpec

WRITTEN_WITHIN_S = 120
"""Where no lock can be had, a journal that was written within so many seconds is still being written."""

PATIENCE_S = 0.2
"""How long is waited for a run that is being written: somebody who only asks who writes it holds it for a moment."""


class ReadOnly(UserError):
    """A run on a disk that nothing can be written to from here."""


class Beginning(BaseModel):
    """The weights that a run began with: the model that had them, and the SHA-256 of their file."""

    model_config = ConfigDict(frozen=True)

    name: str
    sha256: str


class Record(BaseModel):
    """What ``run.json`` holds. ``title`` is what the user calls the run; empty: as its folder is called. ``began_with``
    is None where the first weights were drawn from the seed."""

    model_config = ConfigDict(frozen=True)

    format: int = formats.FORMAT
    title: str = ""
    created: datetime
    version: str = gptstudio.__version__
    spec: TrainSpec
    text_name: str
    text_sha256: str
    began_with: Beginning | None = None


@dataclass(frozen=True)
class RunFolder:
    """One run's folder."""

    path: Path

    @classmethod
    def create(
        cls, spec: TrainSpec, text_name: str, text_sha256: str, path: Path | None = None,
        began_with: Beginning | None = None,
    ) -> RunFolder:
        """Makes the folder with its record; a name is found where none is given.

        Raises:
            UserError: it holds something already, or cannot be written.
        """
        created = datetime.now().astimezone()
        folder = cls(path or _unused(paths.runs(), f"{created:%Y-%m-%d_%H%M%S}_{config_name(spec.config)}"))
        record = Record(
            created=created, spec=spec, text_name=text_name, text_sha256=text_sha256, began_with=began_with
        )
        try:
            if folder.path.exists() and (not folder.path.is_dir() or any(folder.path.iterdir())):
                raise UserError(f"{folder.path} is there already and not empty. Choose another folder for this run.")
            folder.write(record)
        except OSError as error:
            raise UserError(
                f"The run's folder {folder.path} cannot be written: {error.strerror or error}. Choose another."
            ) from error
        return folder

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
        """What was asked of this run.

        Raises:
            UserError: this is no run's folder.
        """
        try:
            values = json.loads((self.path / "run.json").read_bytes())
            return Record.model_validate(formats.upgrade(values, str(self.path / "run.json")))
        except UserError:
            raise
        except (OSError, ValueError) as error:
            raise UserError(f"{self.path} is not the folder of a run: its run.json cannot be read.") from error

    def write(self, record: Record) -> None:
        """Makes the folder where it is not there, and puts the record into it."""
        self.checkpoint_folder.mkdir(parents=True, exist_ok=True)
        files.write_whole(self.path / "run.json", record.model_dump_json(indent=1).encode())

    def rename(self, title: str) -> None:
        """Gives the run another title. Its folder keeps its name, which others may have written down.

        Raises:
            UserError: another program is writing the run.
            OSError: the disk refused.
        """
        with self.writing():
            self.write(self.record().model_copy(update={"title": " ".join(title.split())}))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Within, this run is ours to write: another window, program or machine can only read it.

        Raises:
            UserError: somebody else is writing it, or nothing can be written there.
        """
        if not self.path.is_dir():  # the lock would make it anew
            raise UserError(f"The folder {self.path} is no longer there.")
        from filelock import FileLock, Timeout  # 10 ms which the first window does not wait for

        lock = FileLock(self.path / "lock", timeout=PATIENCE_S)
        try:
            lock.acquire()
        except Timeout as error:
            raise UserError(
                f"The run {self.name} is being written by another window or program. Here it can only be looked at."
            ) from error
        except OSError as error:
            raise ReadOnly(
                f"Nothing can be written to {self.path}: {error.strerror or error}. Here it can only be looked at."
            ) from error
        try:
            yield
        finally:
            lock.release()

    @property
    def written_elsewhere(self) -> bool:
        """Whether somebody, here or in another program, is writing this run at this moment."""
        try:
            with self.writing():
                return False
        except ReadOnly:
            return self._written_lately()
        except UserError:
            return self.path.is_dir()

    def _written_lately(self) -> bool:
        try:
            return time.time() - self.journal_path.stat().st_mtime < WRITTEN_WITHIN_S
        except OSError:
            return False

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
            raise UserError(f"The run {self.name} has no checkpoint yet: it ended before one was saved.")
        return saved[-1]

    def after(self, step: int) -> list[Path]:
        """The checkpoints of later steps than ``step``."""
        return [path for path in self.checkpoints() if step_of(path) > step]

    def remove(self, checkpoints: Iterable[Path]) -> None:
        for checkpoint in checkpoints:
            shutil.rmtree(checkpoint, ignore_errors=True)


def step_of(checkpoint: Path) -> int:
    """The step of a checkpoint's folder."""
    return int(checkpoint.name.removeprefix("step-"))


def all_runs() -> list[RunFolder]:
    """The user's runs, the newest first."""
    root = paths.runs()
    found = [RunFolder(path.parent) for path in root.glob("*/run.json")] if root.is_dir() else []
    return sorted(found, key=lambda run: run.name, reverse=True)


def find(name: str) -> RunFolder | None:
    """The run of that name, or at that path."""
    for path in (Path(os.path.expanduser(name)), paths.runs() / name):
        if os.path.isfile(path / "run.json"):  # False, and no error, for what cannot even be a name
            return RunFolder(path)
    return None


def _unused(root: Path, name: str) -> Path:
    path, number = root / name, 2
    while path.exists():
        path, number = root / f"{name}_{number}", number + 1
    return path
