"""Loading of the model named in a spec as a decoder. torch is imported only when a model is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source

if TYPE_CHECKING:  # torch is imported when a model is loaded
    from gptstudio.gpt.decoder import Decoder


def source_from(spec: GenerateSpec, changes: Mapping[str, Any], best: bool = False) -> model_source.LoadableModel:
    """Return the source of the model, with these changes of its configuration. ``best``: the best checkpoint of a run
    instead of the last.

    Raises:
        UserError: there is no such model, or it is trained and its configuration cannot be changed.
    """
    name = model_source.best_of_run(spec.model) if best else spec.model
    source = model_source.resolve(name, spec.seed)
    if not changes:
        return replace(source, best=best) if isinstance(source, model_source.SavedModel) else source
    if isinstance(source, model_source.UntrainedModel):
        return replace(source, config=source.config.but(**changes))
    raise UserError(message(
        "Cannot change {options}: {name} is already trained. Leave these options out, or name a preset to start "
        "with random weights.",
        options=", ".join(changes), name=source.name,
    ))


def load_decoder(spec: GenerateSpec, source: model_source.LoadableModel, for_text: bool = True) -> Decoder:
    """Return a decoder of the model, on the requested device. If a run in training has replaced the checkpoint since it
    was chosen, the decoder is of the one that took its place.

    Args:
        for_text: True if the decoder reads or writes text, for which the tokenizer of the model must be known.

    Raises:
        UserError: the model cannot be loaded, its tokenizer is unknown, or there is not enough memory.
    """
    return model_source.reading(source, spec.model, lambda found: _loaded(spec, found, for_text))


def _loaded(spec: GenerateSpec, source: model_source.LoadableModel, for_text: bool) -> Decoder:
    from gptstudio.gpt.decoder import Decoder

    if for_text:
        model_source.check_text(source)
    tokenizer = model_source.tokenizer_of(source) if for_text else GPT2
    model = model_source.load(source, devices.choose(spec.device), spec.path)
    return Decoder(model, source.name, spec.precision, spec.compile, tokenizer)


def load_for_caller(spec: GenerateSpec, source: model_source.LoadableModel) -> Decoder:
    """Return a decoder as :func:`load_decoder` does, for a program that may have other torch settings. If the tokenizer
    of the model is unknown, the decoder can be used with token ids only."""
    from gptstudio.inference.decoders import LibraryDecoder

    loaded = load_decoder(spec, source, for_text=False)
    made = LibraryDecoder(loaded.model, loaded.name, spec.precision, spec.compile)
    source = model_source.current(source, spec.model)
    try:
        model_source.check_text(source)
        made.tokenizer = model_source.tokenizer_of(source)
    except UserError as error:
        made.no_text = error
    return made
