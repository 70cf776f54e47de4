"""Sources of a model: random weights from a seed, a checkpoint of a run, an imported model, a model in training, or the
n-grams of a text.

torch is imported only when a model is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gptstudio import devices, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, VOCAB_SIZE, GPTConfig, config_name
from gptstudio.gpt.memory import generate_memory
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, imported_models, run_folder, spec_problems
from gptstudio.training.kept_checkpoints import best_or_last

if TYPE_CHECKING:  # torch is imported when a model is loaded
    from gptstudio.gpt.fast import ModelPath
    from gptstudio.gpt.model import GPTModel
    from gptstudio.training.steering import WeightsSnapshot

TO_GENERATE = message("to generate with this model")


@dataclass(frozen=True)
class UntrainedModel:
    """Untrained model, with random weights drawn from ``seed``."""

    config: GPTConfig
    seed: int = 123
    tokenizer: Tokenizer | None = None
    """Tokenizer of the model; None for GPT-2's, or if it is unknown until a text is read (other vocabularies)."""

    @property
    def name(self) -> str:
        return f"{config_name(self.config)}, untrained, seed {self.seed}"


@dataclass(frozen=True)
class SavedModel:
    """Checkpoint of a run, given by its folder. ``best``: True if it was chosen as the best one of its run."""

    path: Path
    best: bool = field(default=False, compare=False)

    @property
    def run_path(self) -> Path:
        """Folder of the run that saved it."""
        return self.path.resolve().parent.parent

    @property
    def run(self) -> str:
        """Name of the run that saved it."""
        return self.run_path.name

    @property
    def step(self) -> str:
        """Number of updates as text ('step 360'); the name of its folder counts from 0."""
        number = self.path.name.removeprefix("step-")
        return message("step {n}", n=int(number) + 1 if number.isdecimal() else number)

    @property
    def name(self) -> str:
        return f"{self.run}, {self.step}"


@dataclass(frozen=True)
class ImportedModel(SavedModel):
    """Imported model: a checkpoint folder that belongs to no run, with a name chosen by the user."""

    @property
    def run(self) -> str:
        """Name of the model itself, because no run saved it."""
        return self.path.name

    @property
    def step(self) -> str:
        """Empty: an imported model has no training step."""
        return ""

    @property
    def name(self) -> str:
        return self.path.name


MOST_PADDED = 51_200
"""A vocabulary up to this size can be GPT-2's with padding, as in nanoGPT (50,304), or with a few added tokens."""


def reads_text(config: GPTConfig) -> bool:
    """Return whether a model's tokens are known: it has a tokenizer, or GPT-2's fits its vocabulary size."""
    padded = config.vocabulary != "gpt2" or config.vocab_size <= MOST_PADDED
    return padded and not any(spec_problems.vocabulary_problems(config))


def check_text(source: ModelSource) -> None:
    """Check that the tokens of an imported model are known, before it reads or writes a text.

    Raises:
        UserError: its vocabulary is not GPT-2's, and the meaning of its tokens is unknown.
    """
    if isinstance(source, ImportedModel):
        config = config_of(source)
        if not reads_text(config):
            raise UserError(message(
                "{name} has a vocabulary of {size} tokens, which is not GPT-2's: GPT Studio does not know what its "
                "tokens mean, so it can neither read nor write text with it. Choose a model with GPT-2's vocabulary of "
                "{ours} tokens.", name=source.name, size=f"{config.vocab_size:,}", ours=f"{VOCAB_SIZE:,}"))


@dataclass(frozen=True)
class LiveModel:
    """Current model of a run in progress, which the run copies on request between two steps."""

    run: str = ""

    @property
    def name(self) -> str:
        return message("{run}, as it is now", run=self.run)

    def name_after(self, step: int) -> str:
        """Return the name of a copy; ``step`` is the last step that updated it, from 0, or -1 before the first."""
        if step < 0:
            return message("{run}, before its first step", run=self.run)
        return message("{run}, as it was after step {step}", run=self.run, step=f"{step + 1:,}")


@dataclass(frozen=True)
class TextNgrams:
    """Table of the 3-grams of a run's training text, which generates and reads text like a model.

    Attributes:
        folder: folder of the run.
    """

    folder: Path

    @property
    def run(self) -> str:
        """Name of the run."""
        return self.folder.resolve().name

    @property
    def name(self) -> str:
        return message("{run}, table of 3-grams", run=self.run)


Read = TypeVar("Read")
M = TypeVar("M", UntrainedModel | SavedModel, SavedModel)
LoadableModel = UntrainedModel | SavedModel
"""Source of a model that can be loaded at any time."""

ModelSource = UntrainedModel | SavedModel | LiveModel | TextNgrams


def best_of_run(name: str) -> str:
    """Return the best checkpoint of a run, as input for :func:`resolve`; the last one if no validation loss was
    measured.

    Args:
        name: name or folder of a run.

    Raises:
        UserError: there is no such run, or it has no checkpoint.
    """
    run = run_folder.find(name)
    if not run:
        raise UserError(message("The best checkpoint is that of a run, but '{name}' is not a run.", name=name))
    return str(Path(name, *best_or_last(run).relative_to(run.path).parts))


def resolve(name: str, seed: int = 123) -> LoadableModel:
    """Return the source for a user's input: a preset, a run's name or folder, an imported model, a checkpoint or its
    weights.

    Raises:
        UserError: there is no such source; the message lists the available ones.
    """
    if name in PRESETS:
        return UntrainedModel(PRESETS[name], seed)
    run = run_folder.find(name)
    if run:
        return SavedModel(run.newest_checkpoint())
    imported = imported_models.find(name)
    if imported:
        return ImportedModel(imported)
    for path in (Path(os.path.expanduser(name)), paths.runs() / name):  # also a path that begins with the name of a run
        path = path.parent if path.name == checkpoint_files.WEIGHTS else path
        if os.path.isfile(path / checkpoint_files.STATE):
            return ImportedModel(path) if os.path.isfile(path / imported_models.ORIGIN) else SavedModel(path)
    runs = ", ".join(run.name for run in run_folder.all_runs()[:3]) or "none"
    models = ", ".join(path.name for path in imported_models.all_models()[:3]) or "none"
    raise UserError(message(
        "There is no model '{name}'. Presets: {presets}. Your newest runs: {runs}. Your newest imported models: "
        "{models}. You can also give the folder of a run or a checkpoint. Published weights and files of other "
        "programs must be imported first, with gptstudio import or in the menu Model.",
        name=name, presets=", ".join(PRESETS), runs=runs, models=models,
    ))


def current(source: M, name: str) -> M:
    """Return the source, or the checkpoint that took its place if it was chosen by the ``name`` of its run and the run,
    which is in training, has replaced it since.

    Raises:
        UserError: the run has no checkpoint left.
    """
    if isinstance(source, UntrainedModel) or os.path.isdir(source.path) or not (run := run_folder.find(name)):
        return source
    return replace(source, path=best_or_last(run) if source.best else run.newest_checkpoint())


def reading(source: LoadableModel, name: str, read: Callable[[LoadableModel], Read]) -> Read:
    """Return what ``read`` returns for the source or, if a run in training has replaced the checkpoint since it was
    chosen, for the one that took its place (see :func:`current`).

    Raises:
        UserError: ``read`` raised it for a source that has not been replaced.
    """
    try:
        return read(source)
    except UserError:
        now = current(source, name)
        if now == source:
            raise
    return reading(now, name, read)


def config_of(source: LoadableModel) -> GPTConfig:
    """Return the configuration of a model, without loading it.

    Raises:
        CheckpointError: its state cannot be read.
    """
    return source.config if isinstance(source, UntrainedModel) else checkpoint_files.read_state(source.path).config


def tokenizer_of(source: ModelSource) -> Tokenizer:
    """Return the tokenizer of a model.

    Raises:
        UserError: its file cannot be read, or it is made from a training text that is not known yet.
    """
    if isinstance(source, SavedModel):
        return checkpoint_files.read_tokenizer(source.path)
    if isinstance(source, TextNgrams):
        return run_folder.RunFolder(source.folder).tokenizer()
    if isinstance(source, LiveModel):
        run = run_folder.find(source.run)
        return run.tokenizer() if run else GPT2
    if source.tokenizer or source.config.vocabulary == "gpt2":
        return source.tokenizer or GPT2
    raise UserError(message(
        "The vocabulary of {name} is made from a training text, so the model can read text only once a run has begun "
        "to train it.", name=source.name))


def untrained(source: ModelSource) -> LoadableModel | None:
    """Return the model before its run trained it; None without a run, or if its initial weights are unknown."""
    if isinstance(source, (UntrainedModel, ImportedModel, TextNgrams)):
        return None
    run = run_folder.find(source.run if isinstance(source, LiveModel) else str(source.run_path))
    try:
        record = run.record() if run else None
        if record and record.spec.init_from:
            return _as_it_was(resolve(record.spec.init_from), record.initial_weights)
    except UserError:
        return None
    return UntrainedModel(record.spec.config, record.spec.seed, run.tokenizer()) if run and record else None


def _as_it_was(source: LoadableModel, known: run_folder.InitialWeights | None) -> LoadableModel | None:
    """Return the model with a run's initial weights, if its weights have not changed since."""
    if isinstance(source, UntrainedModel) or known is None:
        return None
    return source if checkpoint_files.known_sum(source.path / checkpoint_files.WEIGHTS) == known.sha256 else None


def load(source: LoadableModel, device: devices.Device, path: ModelPath = "fast") -> GPTModel:
    """Return the model in evaluation mode on the device.

    Raises:
        UserError: it does not fit into the free memory, or its checkpoint cannot be read.
    """
    from gptstudio import torch_settings
    from gptstudio.gpt.fast import build_model
    from gptstudio.training import checkpoint

    devices.check_memory(generate_memory(config_of(source), kind=device.kind).least, device, TO_GENERATE)
    if isinstance(source, SavedModel):
        return checkpoint.load(source.path, path, device.key)
    with torch_settings.RandomStream(source.seed).active():
        model = build_model(source.config, path)
    return model.to(device.key).eval()


def load_snapshot(snapshot: WeightsSnapshot, device: devices.Device, path: ModelPath = "fast") -> GPTModel:
    """Return the model of a snapshot in evaluation mode on the device.

    Raises:
        UserError: it does not fit into the free memory.
    """
    from gptstudio.training import checkpoint

    devices.check_memory(generate_memory(snapshot.config, kind=device.kind).least, device, TO_GENERATE)
    copies = {name: tensor.clone() for name, tensor in snapshot.weights.items()}
    return checkpoint.build(snapshot.config, copies, path, device.key)


def newest_of_each_run(limit: int = 30) -> list[SavedModel]:
    """Return the last checkpoint of each of the user's newest runs."""
    kept = (run.checkpoints() for run in run_folder.all_runs()[:limit])
    return [SavedModel(checkpoints[-1]) for checkpoints in kept if checkpoints]


def all_imported() -> list[ImportedModel]:
    """Return the imported models, newest first."""
    return [ImportedModel(path) for path in imported_models.all_models()]


def earlier(sources: Sequence[SavedModel]) -> list[SavedModel]:
    """Return the other checkpoints of the same runs, latest first within each run; an imported model has none."""
    of_runs = (each for each in sources if not isinstance(each, ImportedModel))
    runs = ((each, run_folder.RunFolder(each.run_path)) for each in of_runs)
    return [SavedModel(path) for each, run in runs for path in reversed(run.checkpoints()) if path != each.path]
