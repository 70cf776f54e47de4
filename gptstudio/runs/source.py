"""Where a model comes from: fresh from a seed, saved by a run, brought in, or copied from one that is being trained.

No torch until a model is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig, config_name
from gptstudio.runs import folder, library, saved
from gptstudio.words import words

if TYPE_CHECKING:  # torch waits until a model is loaded
    from gptstudio.gpt.model import GPTModel
    from gptstudio.gpt.model import Path as ModelPath
    from gptstudio.runs.snapshot import Snapshot

TO_GENERATE = "to generate with this model"


@dataclass(frozen=True)
class Fresh:
    """A model that has learned nothing: first weights drawn from ``seed``."""

    config: GPTConfig
    seed: int = 123

    @property
    def name(self) -> str:
        return f"{config_name(self.config)}, untrained, seed {self.seed}"


@dataclass(frozen=True)
class Saved:
    """A checkpoint's folder."""

    path: Path

    @property
    def run(self) -> str:
        """The name of the run that saved it."""
        return self.path.resolve().parent.parent.name

    @property
    def step(self) -> str:
        """'step 360': after so many updates, which its folder counts from 0."""
        number = self.path.name.removeprefix("step-")
        return words("step {n}", n=int(number) + 1 if number.isdecimal() else number)

    @property
    def name(self) -> str:
        return f"{self.run}, {self.step}"


@dataclass(frozen=True)
class Imported(Saved):
    """A model that was brought in: a checkpoint's folder that belongs to no run, called as the user calls it."""

    @property
    def run(self) -> str:
        """Its own name, since no run saved it."""
        return self.path.name

    @property
    def step(self) -> str:
        """Empty: it was brought in as it is."""
        return ""

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True)
class Live:
    """The model of a run that is being trained, as it is when somebody asks: the run copies it between two steps."""

    run: str = ""

    @property
    def name(self) -> str:
        return f"{self.run}, as it is now"

    def name_after(self, step: int) -> str:
        """The name of a copy; ``step`` is the last that it has learned from, from 0, and -1 before the first."""
        return f"{self.run}, as it was after step {step + 1:,}" if step >= 0 else f"{self.run}, before its first step"


Kept = Fresh | Saved
"""What can be loaded at any time."""

ModelSource = Fresh | Saved | Live


def resolve(name: str, seed: int = 123) -> Kept:
    """The source that a user's words mean: a preset, a run's name or folder, a model that was brought in, a checkpoint
    or its weights.

    Raises:
        UserError: there is no such thing, with what there is.
    """
    if name in PRESETS:
        return Fresh(PRESETS[name], seed)
    run = folder.find(name)
    if run:
        return Saved(run.newest_checkpoint())
    imported = library.find(name)
    if imported:
        return Imported(imported)
    path = Path(os.path.expanduser(name))
    if path.name == saved.WEIGHTS:
        path = path.parent
    if os.path.isfile(path / saved.STATE):
        return Imported(path) if library.is_imported(path) else Saved(path)
    runs = ", ".join(run.name for run in folder.all_runs()[:3]) or "none yet"
    models = ", ".join(path.name for path in library.all_models()[:3]) or "none yet"
    raise UserError(
        f"There is no model '{name}'. Presets are {', '.join(PRESETS)}; your newest runs are {runs}; models that you "
        f"brought in are {models}; a folder of a run or checkpoint will do as well."
    )


def config_of(source: Kept) -> GPTConfig:
    """The model's shape, without loading it.

    Raises:
        CheckpointError: its state cannot be read.
    """
    return source.config if isinstance(source, Fresh) else saved.read_state(source.path).config


def untrained(source: ModelSource) -> Kept | None:
    """The model as it was before its run trained it; None where no run did, or nobody knows it any more."""
    if isinstance(source, (Fresh, Imported)):
        return None
    run = folder.find(source.run) if isinstance(source, Live) else folder.RunFolder(source.path.resolve().parent.parent)
    try:
        record = run.record() if run else None
        if record and record.spec.begin_with:
            return _as_it_was(resolve(record.spec.begin_with), record.began_with)
    except UserError:
        return None
    return Fresh(record.spec.config, record.spec.seed) if record else None


def _as_it_was(began: Kept, known: folder.Beginning | None) -> Kept | None:
    """The model that a run began with, if what has its name is still the same."""
    if isinstance(began, Fresh) or known is None or saved.known_sum(began.path / saved.WEIGHTS) != known.sha256:
        return None
    return began


def load(source: Kept, device: devices.Device, path: ModelPath = "fast") -> GPTModel:
    """The model, in evaluation mode, on the device.

    Raises:
        UserError: it is too large for the memory that is free, or its checkpoint cannot be read.
    """
    from gptstudio import seeding
    from gptstudio.gpt.model import GPTModel
    from gptstudio.runs import checkpoint

    check_fits(sizing.generate_memory(config_of(source)).least, device, TO_GENERATE)
    if isinstance(source, Saved):
        return checkpoint.load(source.path, path, device.key)
    with seeding.RandomStream(source.seed).active():
        model = GPTModel(source.config, path)
    return model.to(device.key).eval()


def load_snapshot(snapshot: Snapshot, device: devices.Device, path: ModelPath = "fast") -> GPTModel:
    """The model of a snapshot, in evaluation mode, on the device.

    Raises:
        UserError: it is too large for the memory that is free.
    """
    from gptstudio.runs import checkpoint

    check_fits(sizing.generate_memory(snapshot.config).least, device, TO_GENERATE)
    copies = {name: tensor.clone() for name, tensor in snapshot.weights.items()}
    return checkpoint.build(snapshot.config, copies, path, device.key)


def check_fits(needed: int, device: devices.Device, purpose: str) -> None:
    """Refuses before anything is allocated.

    Raises:
        UserError: with the figures.
    """
    if needed > device.free_bytes:
        gb, free, total = (f"{size / 2**30:,.1f}" for size in (needed, device.free_bytes, device.total_bytes))
        raise UserError(
            f"There is not enough memory {purpose}: it needs {gb} GB, and {free} of {total} GB are free "
            f"on {device.name}. Choose a smaller model, batch or context, or close other programs."
        )


def newest_of_each_run(limit: int = 30) -> list[Saved]:
    """The last checkpoint of each of the user's newest runs."""
    kept = (run.checkpoints() for run in folder.all_runs()[:limit])
    return [Saved(checkpoints[-1]) for checkpoints in kept if checkpoints]


def all_imported() -> list[Imported]:
    """The models that were brought in, the newest first."""
    return [Imported(path) for path in library.all_models()]


def earlier(sources: Sequence[Saved]) -> list[Saved]:
    """The other checkpoints of the same runs, the latest of each run first. A model that was brought in has none."""
    of_runs = (each for each in sources if not isinstance(each, Imported))
    runs = ((each, folder.RunFolder(each.path.resolve().parent.parent)) for each in of_runs)
    return [Saved(path) for each, run in runs for path in reversed(run.checkpoints()) if path != each.path]
