"""Measurements of a model in training other than its losses: their base class, probe prompts, and copied passages.

They draw no random numbers and do not change weights, gradients or the order of the text, so a run is the same with and
without them, bit for bit.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from gptstudio.data import ngram
from gptstudio.data.ngram import CopiedStretch, VerbatimIndex
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.training.corpus import Corpus
from gptstudio.training.events import CopiesFound, Copy, Event, ProbeReading, ProbesRead, Warned
from gptstudio.training.spec import VALIDATION_PROBE, TrainSpec
from gptstudio.training.train_state import TrainState


class Measurement:
    """Base class of measurements. Steps count from 0; ``state`` is the same object in every call."""

    def before_training(self, state: TrainState) -> Iterator[Event]:
        """Measure the model before its first update; not called if a run is resumed."""
        yield from ()

    def before_step(self, state: TrainState, step: int) -> None:
        """Prepare for a step, before its update."""

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the step while its gradients (clipped, if the run clips them) are in memory."""
        yield from ()

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        """Measure the sample generated after the update of ``step``; ``ids`` are the tokens of prompt and new text."""
        yield from ()

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the model after the update of ``step``, right after its losses. If a stop interrupts an evaluation,
        both are repeated when the run is resumed."""
        yield from ()


@torch.no_grad()
def logits_at(state: TrainState, ids: Tensor, rows: Tensor, places: Tensor) -> Tensor:
    """Return the logits after some tokens, without dropout.

    Args:
        ids: the texts, (B, T).
        rows: index of the text of each requested token, (N,).
        places: position of the token in it, (N,).

    Returns:
        (N, V), in the dtype of the model's computation.
    """
    model = state.model
    model.eval()
    try:
        if state.strategy.size > 1:  # the wrapper can only be called as a whole
            return cast(Tensor, model(ids)[rows, places])
        return few_logits(model, model.hidden_states(ids)[rows, places])
    finally:
        model.train()


def few_logits(model: GPTModel, hidden: Tensor) -> Tensor:
    """Return the logits of a few tokens, (N, D) -> (N, V), in the dtype of the weights: casting them would take longer
    than the product, and the other order of the factors several times as long."""
    weight = model.out_head.weight
    logits: Tensor = (weight @ hidden.to(weight.dtype).T).T
    return logits


TOP = 12
"""A token is recorded from the first reading on in which it is among this many most likely tokens."""
VALIDATION_TOKENS = 6
"""Number of tokens of the validation probe: few, because all probes are padded to the longest."""


@dataclass(frozen=True)
class Probe:
    """Prompt, and the token that follows it in the text, if known."""

    ids: list[int]
    true_id: int | None = None


def probes_of(spec: TrainSpec, text: Corpus) -> list[Probe]:
    """Return the probes of a run."""
    return [_validation(spec, text) if each == VALIDATION_PROBE else Probe(text.tokenizer.encode(each))
            for each in spec.probes]


def _validation(spec: TrainSpec, text: Corpus) -> Probe:
    first = [int(each) for each in text.val_ids[: min(VALIDATION_TOKENS, spec.config.context_length) + 1]]
    return Probe(first[:-1], first[-1])


class Probes(Measurement):
    """Reads the probes before the first step and at each evaluation. The recorded tokens are part of the progress of a
    run, so a resumed run records the same ones."""

    def __init__(self, probes: Sequence[Probe]):
        self._probes = probes

    def before_training(self, state: TrainState) -> Iterator[Event]:
        yield from self.at_evaluation(state, -1)

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        if not self._probes:
            return
        before = state.progress.probe_ids or [()] * len(self._probes)
        context = state.model.cfg.context_length
        found = [reading(probe, row, known, context, state.tokenizer) for probe, row, known in zip(
            self._probes, self._distributions(state), before, strict=True)]
        state.progress.probe_ids = [each.ids for each in found]
        yield ProbesRead(step=step, tokens_seen=state.progress.tokens_seen, probes=tuple(found))

    def _distributions(self, state: TrainState) -> Tensor:
        """Return the distribution of the next token after each probe, (P, V), in one pass of the model. Shorter probes
        are padded at the end, which causal attention ignores. The pass is in float32 even if training uses bf16: this
        agrees with the Generate page, and for so few tokens, casting the weights would take longer."""
        read = [torch.tensor(probe.ids[-state.model.cfg.context_length :]) for probe in self._probes]
        inputs = torch.nn.utils.rnn.pad_sequence(read, batch_first=True).to(state.device)  # (P, T)
        last = torch.tensor([len(each) - 1 for each in read])
        return torch.softmax(logits_at(state, inputs, torch.arange(len(read)), last).float(), dim=-1).cpu()


def reading(
    probe: Probe, probabilities: Tensor, known: Sequence[int], context: int, tokenizer: Tokenizer = GPT2
) -> ProbeReading:
    """Return the reading of a probe with its next-token distribution, (V,).

    Args:
        known: tokens recorded before; they come first, followed by new ones in the order of their probability.
        context: context length; of a longer probe, the model reads the last tokens.
    """
    likeliest = torch.topk(probabilities, min(TOP, len(probabilities))).indices.tolist()
    ids = (*known, *(each for each in likeliest if each not in known))
    true = probe.true_id
    return ProbeReading(
        text=tokenizer.decode(probe.ids), ids=ids,
        probabilities=tuple(short(each) for each in probabilities[list(ids)].tolist()),
        entropy_bits=short(-torch.special.xlogy(probabilities, probabilities).sum().item() / torch.log(
            torch.tensor(2.0)).item()),
        dropped=max(0, len(probe.ids) - context), true_id=true,
        true_probability=None if true is None else short(probabilities[true].item()),
        true_rank=None if true is None else int((probabilities > probabilities[true]).sum()) + 1,
    )


def short(value: float) -> float:
    """Return a value rounded to five digits: more are never shown, and a journal has thousands of values."""
    return float(f"{value:.5g}")


class CopyFinder(Measurement):
    """Finds passages in each sample that are copied from the training text. The index of the text is built for the
    first sample; texts that are too long are not searched."""

    def __init__(self, spec: TrainSpec, text: Corpus):
        self._prompt, self._text = len(text.tokenizer.encode(spec.sample_prompt)), text.train_ids
        self._index: VerbatimIndex | None = None

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        if not state.strategy.is_rank_zero or len(ids) == self._prompt:
            return
        if len(self._text) > ngram.MOST_INDEXED:
            if state.progress.epoch == 1:
                yield Warned(message=message(
                    "The training text has {n} tokens. Samples are searched for copied passages in texts of up to "
                    "{most} tokens.", n=f"{len(self._text):,}", most=f"{ngram.MOST_INDEXED:,}"))
            return
        self._index = self._index or VerbatimIndex(self._text)
        stretches = self._index.stretches(ids[self._prompt :])
        yield copies_found(step, ids, self._prompt, stretches, state.tokenizer)


def copies_found(
    step: int, ids: Sequence[int], prompt: int, stretches: Sequence[CopiedStretch], tokenizer: Tokenizer = GPT2
) -> CopiesFound:
    """Return the event for copied passages, with positions in characters of the decoded ``ids``. ``stretches``:
    positions in tokens, counted from the end of the first ``prompt`` tokens."""
    new, whole, begun = len(ids) - prompt, *_characters(ids, tokenizer)
    copies = tuple(
        Copy(start=whole[prompt + each.start], stop=begun[prompt + each.stop], tokens=each.stop - each.start)
        for each in stretches)
    longest = max((each.tokens for each in copies), default=0)
    return CopiesFound(step=step, tokens=new, copied=round(ngram.copied_share(stretches, new) * new), longest=longest,
                       copies=copies)


def _characters(ids: Sequence[int], tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return, for each number of leading tokens from 0 on, the number of characters that end in them and the number
    that begin in them, which is one more if the last character is incomplete."""
    decoder, whole, begun = getincrementaldecoder("utf-8")(errors="replace"), [0], [0]
    for token in ids:
        whole.append(whole[-1] + len(decoder.decode(tokenizer.token_bytes(token))))
        begun.append(whole[-1] + bool(decoder.getstate()[0]))
    return whole, begun
