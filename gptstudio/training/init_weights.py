"""Initial weights for fine-tuning: weights of another model, found and checked before anything is allocated.

The seed of such a run is not used for weights, only for the order of the text and dropout. A resumed run uses the
weights of its own checkpoint and no longer needs the initial ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.fields import Problem, SpecError, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.training import checkpoint_files, imported_models, model_source
from gptstudio.training.model_source import ImportedModel, SavedModel
from gptstudio.training.run_folder import InitialWeights
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:  # torch is imported when the weights are read
    from torch import Tensor

    from gptstudio.training.corpus import Corpus
    from gptstudio.training.strategy import Strategy

SHAPE = ("vocabulary", "vocab_size", "emb_dim", "n_heads", "n_layers", "qkv_bias", "tie_weights")
"""Fields that must be equal in both models."""
POSITIONS = "pos_emb.weight"


def find(spec: TrainSpec) -> SavedModel | None:
    """Return the model with the initial weights of ``spec``; None for random weights.

    Raises:
        UserError: there is no such model, or it cannot be read.
        SpecError: its shape differs.
    """
    if spec.init_from is None:
        return None
    found = model_source.resolve(spec.init_from)
    if not isinstance(found, SavedModel):
        raise SpecError([Problem("init_from", message(
            "Initial weights (init_from): '{name}' has no trained weights.", name=spec.init_from
        ))])
    try:
        model_source.check_text(found)
    except UserError as error:
        raise SpecError([Problem("init_from", str(error))]) from error
    different = list(differences(model_source.config_of(found), spec.config))
    if different:
        combined = reduce(lambda one, other: message("{one}; {other}", one=one, other=other), different)
        raise SpecError([Problem("init_from", message(
            "Initial weights (init_from): the weights of '{name}' do not fit this model: {different}. Give both the "
            "same shape; only a shorter context "
            "length and different dropout are allowed.", name=spec.init_from, different=combined,
        ))])
    return found


def read_text(spec: TrainSpec, initial: SavedModel | None, progress: Progress = unwatched) -> Corpus:
    """Return the tokens of a new run's text, encoded with the tokenizer of the initial weights if there are any.

    Raises:
        UserError: as for :func:`gptstudio.training.corpus.read`, or the tokenizer cannot be read.
    """
    from gptstudio.training import corpus  # imports numpy

    return corpus.read(spec, progress, model_source.tokenizer_of(initial) if initial else None)


def current(initial: SavedModel | None, spec: TrainSpec) -> SavedModel | None:
    """Return the model with the initial weights or, if its run has replaced it while the text was read, the checkpoint
    that took its place."""
    return initial and model_source.current(initial, spec.init_from or "")


def name_in_spec(source: SavedModel | None) -> str | None:
    """Return the name by which a spec refers to a saved model, or None. A checkpoint is referred to by its folder,
    because its run may save newer ones."""
    if isinstance(source, ImportedModel) and source.path == imported_models.find(source.name):
        return source.name
    return str(source.path) if source else None


def known(model: SavedModel) -> InitialWeights:
    """Return the record of a run's initial weights."""
    return InitialWeights(name=model.name, sha256=checkpoint_files.known_sum(model.path / checkpoint_files.WEIGHTS))


def differences(there: GPTConfig, here: GPTConfig) -> Iterator[Message]:
    """Yield a message for each value in which the configuration of the weights does not fit this model."""
    views = {view.name: view for view in fields_of(GPTConfig)}
    for name in SHAPE:
        theirs, ours = (_shown(getattr(each, name), views[name].names) for each in (there, here))
        if theirs != ours:
            yield message(
                "{label}: {theirs} in the "
                "weights, {ours} in this model", label=message(views[name].label), theirs=theirs, ours=ours)
    if there.context_length < here.context_length:
        yield message(
            "{label}: {theirs} in the weights, {ours} in this model; positions that were never trained cannot be added",
            label=message(views["context_length"].label), theirs=_shown(there.context_length),
            ours=_shown(here.context_length),
        )


def read(model: SavedModel, config: GPTConfig) -> dict[str, Tensor]:
    """Return the initial weights of a model with ``config`` as a state dict; of a longer context, only the first
    positions.

    Raises:
        CheckpointError: the weights were changed since they were saved, or belong to another model.
    """
    from gptstudio import torch_settings
    from gptstudio.gpt.model import GPTModel
    from gptstudio.training import checkpoint

    with torch_settings.uninitialised("meta"):
        theirs = GPTModel(model_source.config_of(model))
    what = message("The weights of {name}", name=model.name)
    weights = checkpoint.fitting(checkpoint.read_weights(model.path), theirs, what)
    return weights | {POSITIONS: weights[POSITIONS][: config.context_length]}


def on_rank_zero(model: SavedModel | None, config: GPTConfig, strategy: Strategy) -> dict[str, Tensor] | None:
    """Return the initial weights, read on rank zero and empty in other processes; None for random weights."""
    if model is None:
        return None
    weights: dict[str, Tensor] = {}
    strategy.on_rank_zero(lambda: weights.update(read(model, config)))
    return weights


def _shown(value: int | bool | str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, bool):
        return message("yes") if value else message("no")
    return f"{value:,}"
