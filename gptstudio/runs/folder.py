"""A run on the disk: what was asked, what happened, and the checkpoints. No torch.

::

    2026-11-20_143015_workshop/
        run.json            the spec, the text's name and digest, the versions
        journal.jsonl       every event, a line each
        checkpoints/        step-000359/ (model.safetensors, state.json, SHA256SUMS)
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

import gptstudio
from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import config_name
from gptstudio.runs import files, journal
from gptstudio.runs.events import Ended, Evaluated, Event, StepDone
from gptstudio.runs.spec import TrainSpec

FORMAT = 1


class Record(BaseModel):
    """What ``run.json`` holds."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    created: datetime
    version: str = gptstudio.__version__
    spec: TrainSpec
    text_name: str
    text_sha256: str


@dataclass(frozen=True)
class RunFolder:
    """One run's folder."""

    path: Path

    @classmethod
    def create(cls, spec: TrainSpec, text_name: str, text_sha256: str, path: Path | None = None) -> RunFolder:
        """Makes the folder with its record; a name is found where none is given.

        Raises:
            UserError: it holds something already, or cannot be written.
        """
        created = datetime.now().astimezone()
        folder = cls(path or _unused(paths.runs(), f"{created:%Y-%m-%d_%H%M%S}_{config_name(spec.config)}"))
        record = Record(created=created, spec=spec, text_name=text_name, text_sha256=text_sha256)
        try:
            if folder.path.exists() and (not folder.path.is_dir() or any(folder.path.iterdir())):
                raise UserError(f"{folder.path} is there already and not empty. Choose another folder for this run.")
            folder.checkpoint_folder.mkdir(parents=True)
            files.write_whole(folder.path / "run.json", record.model_dump_json(indent=1).encode())
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
            return Record.model_validate_json((self.path / "run.json").read_bytes())
        except (OSError, ValidationError) as error:
            raise UserError(f"{self.path} is not the folder of a run: its run.json cannot be read.") from error

    def events(self) -> Iterator[Event]:
        return journal.read(self.journal_path)

    def checkpoints(self) -> list[Path]:
        """Complete checkpoints, the earliest first."""
        saved = [path for path in self.checkpoint_folder.glob("step-*") if path.name[5:].isdecimal()]
        return sorted(saved, key=lambda path: int(path.name[5:]))  # by number: a millionth step has a digit more

    def newest_checkpoint(self) -> Path:
        """The last complete checkpoint.

        Raises:
            UserError: there is none yet.
        """
        saved = self.checkpoints()
        if not saved:
            raise UserError(f"The run {self.name} has no checkpoint yet: it ended before one was saved.")
        return saved[-1]

    def keep_only(self, checkpoint: Path) -> None:
        """Removes the checkpoints before this one."""
        for other in self.checkpoints():
            if other != checkpoint:
                shutil.rmtree(other, ignore_errors=True)


@dataclass(frozen=True)
class Summary:
    """A run in one line."""

    folder: RunFolder
    record: Record
    steps: int
    train_loss: float | None
    val_loss: float | None
    outcome: str


def summarise(folder: RunFolder) -> Summary:
    """Reads the whole journal. A run without an end was cut off, or goes on at this moment."""
    steps, evaluated, outcome = 0, None, "not ended"
    for event in folder.events():
        match event:
            case StepDone():
                steps = event.step + 1
            case Evaluated():
                evaluated = event
            case Ended():
                outcome = event.outcome
    train_loss, val_loss = (evaluated.train_loss, evaluated.val_loss) if evaluated else (None, None)
    return Summary(folder, folder.record(), steps, train_loss, val_loss, outcome)


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
