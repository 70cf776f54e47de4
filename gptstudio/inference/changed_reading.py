"""A text as a model reads it with interventions, beside how it reads it without; and as it continues it.

Shapes: T tokens, V vocabulary, C context length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, go_on
from gptstudio.gpt.decoder import READ_AT_ONCE, Decoder
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.finite import check_finite
from gptstudio.inference.generator import generate
from gptstudio.inference.intervening import changed_copy
from gptstudio.inference.interventions import NO_INTERVENTIONS, Interventions
from gptstudio.inference.means import means_for
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TextReading:
    """A text as a model reads it.

    Attributes:
        surprisals: (T,) in bits, of each token of the text; nan where the model made no prediction.
        logits: (V,) of the token at the position that was asked about; None where there are none.
    """

    surprisals: Floats
    logits: Floats | None


@dataclass(frozen=True, eq=False)
class ChangedReading:
    """The same text without and with interventions."""

    plain: TextReading
    changed: TextReading

    @property
    def differences(self) -> Floats:
        """Change of the surprisal of each token, (T,) in bits; above 0 where the intervention makes it less likely."""
        return self.changed.surprisals - self.plain.surprisals


@dataclass(frozen=True)
class ChangedTexts:
    """Continuations of one text with the same random numbers: without and with interventions."""

    plain: tuple[TokenDrawn, ...]
    changed: tuple[TokenDrawn, ...]


_plain: WeakKeyDictionary[nn.Module, tuple[object, TextReading]] = WeakKeyDictionary()
"""Of each model in memory, the last reading without interventions."""


def read_changed(
    model: GPTModel, ids: Sequence[int], position: int, interventions: Interventions, check: Check = go_on,
    tokenizer: Tokenizer = GPT2,
) -> ChangedReading:
    """Return the reading of a text without and with interventions. Where the text is longer than the context, the model
    reads the C tokens before ``position``.

    Raises:
        UserError: the interventions belong to positions of a text that is longer than the context.
        BrokenLogits: the weights are not numbers.
    """
    key = tuple(ids), position
    kept = _plain.get(model)
    if kept is None or kept[0] != key:
        kept = _plain[model] = key, read(model, ids, position, check=check)
    return ChangedReading(kept[1], read(model, ids, position, interventions, check, tokenizer))


@torch.no_grad()
def read(
    model: GPTModel, ids: Sequence[int], position: int, interventions: Interventions = NO_INTERVENTIONS,
    check: Check = go_on, tokenizer: Tokenizer = GPT2,
) -> TextReading:
    """Return the reading of a text with interventions."""
    context = model.cfg.context_length
    start = 0 if len(ids) <= context else max(0, position - context)
    if start and interventions.moves_positions:
        raise _too_long(context)
    text = list(ids[start : start + context])
    changed = changed_copy(model, interventions, means_for(model, interventions, text, check, tokenizer), check)
    states = changed.hidden_states(torch.tensor([text], device=changed.tok_emb.weight.device))[0]  # (T, D)
    following = torch.tensor(list(ids[start + 1 : start + len(text) + 1]), dtype=torch.long, device=states.device)
    surprisals = np.full(len(ids), np.nan, dtype=np.float32)
    for first in range(0, len(following), READ_AT_ONCE):
        check()
        targets = following[first : first + READ_AT_ONCE]
        logits = changed.out_head(states[first : first + len(targets)]).float()
        bits = nn.functional.cross_entropy(logits, targets, reduction="none") / np.log(2)
        surprisals[start + first + 1 : start + first + 1 + len(targets)] = bits.cpu().numpy()
    logits_there = changed.out_head(states[position - start - 1]).float().cpu().numpy() if position else None
    check_finite(surprisals[start + 1 : start + 1 + len(following)])
    return TextReading(surprisals, logits_there)


def continue_changed(
    model: GPTModel, ids: Sequence[int], spec: GenerateSpec, interventions: Interventions, control: Control,
    progress: Progress = unwatched, tokenizer: Tokenizer = GPT2,
) -> ChangedTexts:
    """Continue a text twice, with the weights as they are, whatever the precision of the spec.

    Raises:
        Stopped: the control was stopped.
        UserError: the interventions belong to positions, and the text would become longer than the context.
    """
    if interventions.moves_positions and len(ids) + spec.max_new_tokens > model.cfg.context_length:
        raise _too_long(model.cfg.context_length)
    means = means_for(model, interventions, ids, control.check, tokenizer)
    changed = changed_copy(model, interventions, means, control.check)
    alone, written = spec.but(samples=1), []
    for turn, each in enumerate((model, changed)):
        drawn: list[TokenDrawn] = []
        for event in generate(alone, partial(Decoder, each, tokenizer=tokenizer), control, ids, known=len(ids)):
            control.check()
            if isinstance(event, TokenDrawn):
                drawn.append(event)
                progress(turn * spec.max_new_tokens + len(drawn), 2 * spec.max_new_tokens)
        control.check()
        written.append(tuple(drawn))
    return ChangedTexts(*written)


def _too_long(context: int) -> UserError:
    return UserError(message(
        "The text is longer than the context of {n} tokens, past which every token gets another position. Remove the "
        "changes of positions and embeddings, or shorten the text.", n=f"{context:,}"))
