"""Measurements on the model in training besides its losses: probe prompts, copied passages, and the base of all.

They draw no random numbers and change neither weights, gradients nor the order of the text: a run with them equals one
without, to the bit.
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
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.training.corpus import Corpus
from gptstudio.training.events import CopiesFound, Copy, Event, ProbeReading, ProbesRead, Warned
from gptstudio.training.spec import VALIDATION_PROBE, TrainSpec
from gptstudio.training.train_state import TrainState


class Measurement:
    """One thing that is measured. Steps count from 0; ``state`` is that of the run, the same in every call."""

    def before_training(self, state: TrainState) -> Iterator[Event]:
        """Measure the model before its first update. Not called where a run is resumed."""
        yield from ()

    def before_step(self, state: TrainState, step: int) -> None:
        """Prepare for a step, before its update."""

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the step, while its gradients are there (clipped, if the run clips them)."""
        yield from ()

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        """Measure the sample that was generated after the update of ``step``: the token ids of prompt and new text."""
        yield from ()

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        """Measure the model after the update of ``step``, right after its losses. An evaluation that a stop interrupts
        is made once more when the run is resumed, and this with it."""
        yield from ()


class Measurements(Measurement):
    """Several, one after the other."""

    def __init__(self, parts: Sequence[Measurement]):
        self.parts = parts

    def before_training(self, state: TrainState) -> Iterator[Event]:
        for each in self.parts:
            yield from each.before_training(state)

    def before_step(self, state: TrainState, step: int) -> None:
        for each in self.parts:
            each.before_step(state, step)

    def after_step(self, state: TrainState, step: int) -> Iterator[Event]:
        for each in self.parts:
            yield from each.after_step(state, step)

    def at_evaluation(self, state: TrainState, step: int) -> Iterator[Event]:
        for each in self.parts:
            yield from each.at_evaluation(state, step)

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        for each in self.parts:
            yield from each.after_sample(state, step, ids)


@torch.no_grad()
def logits_at(state: TrainState, ids: Tensor, rows: Tensor, places: Tensor) -> Tensor:
    """Return the logits after some tokens, with dropout off.

    Args:
        ids: the texts, (B, T).
        rows: the text of each token that is asked for, (N,).
        places: its position there, (N,).

    Returns:
        (N, V), in the type that the model computes in.
    """
    model = state.model
    model.eval()
    try:
        if state.strategy.size > 1:  # whose wrapper must be called as a whole
            return cast(Tensor, model(ids)[rows, places])
        hidden = model.hidden_states(ids)[rows, places]  # (N, D)
        return (model.out_head.weight @ hidden.T).T  # few rows times the output layer take torch several times as long
    finally:
        model.train()


TOP = 12
"""Tokens that are recorded from then on once they were so likely."""
VALIDATION_TOKENS = 6
"""Tokens of the probe that is the beginning of the validation text. Few, since the others are padded to the longest."""


@dataclass(frozen=True)
class Probe:
    """A prompt, and the token that follows it in the text, where there is one."""

    ids: list[int]
    true_id: int | None = None


def probes_of(spec: TrainSpec, text: Corpus) -> list[Probe]:
    """Return the probes of a run; that of the validation text is as long as the context allows."""
    return [_validation(spec, text) if each == VALIDATION_PROBE else Probe(text.tokenizer.encode(each))
            for each in spec.probes]


def _validation(spec: TrainSpec, text: Corpus) -> Probe:
    first = [int(each) for each in text.val_ids[: min(VALIDATION_TOKENS, spec.config.context_length) + 1]]
    return Probe(first[:-1], first[-1])


class Probes(Measurement):
    """Readings of the probes, before the first step and at each evaluation. The tokens that were ever likely are part
    of the progress of a run, so that one that is resumed records the same."""

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
        """Return the probability of each next token after each probe, (P, V), in one pass of the model. The shorter
        probes are padded at their end, where nothing before looks. Computed in float32, also where training multiplies
        in bf16: as Generate shows it, and so few tokens are read that casting the weights would take longer."""
        read = [torch.tensor(probe.ids[-state.model.cfg.context_length :]) for probe in self._probes]
        inputs = torch.nn.utils.rnn.pad_sequence(read, batch_first=True).to(state.device)  # (P, T)
        last = torch.tensor([len(each) - 1 for each in read])
        return torch.softmax(logits_at(state, inputs, torch.arange(len(read)), last).float(), dim=-1).cpu()


def reading(
    probe: Probe, probabilities: Tensor, known: Sequence[int], context: int, tokenizer: Tokenizer = GPT2
) -> ProbeReading:
    """Return the record of one distribution, (V,).

    Args:
        known: the tokens that were recorded before; they come first, and the new ones follow by probability.
        context: tokens that the model reads; of a longer probe it reads the last ones.
    """
    likeliest = torch.topk(probabilities, min(TOP, len(probabilities))).indices.tolist()
    ids = (*known, *(each for each in likeliest if each not in known))
    true = probe.true_id
    return ProbeReading(
        text=tokenizer.decode(probe.ids), ids=ids,
        probabilities=tuple(_short(each) for each in probabilities[list(ids)].tolist()),
        entropy_bits=_short(-torch.special.xlogy(probabilities, probabilities).sum().item() / torch.log(
            torch.tensor(2.0)).item()),
        dropped=max(0, len(probe.ids) - context), true_id=true,
        true_probability=None if true is None else _short(probabilities[true].item()),
        true_rank=None if true is None else int((probabilities > probabilities[true]).sum()) + 1,
    )


def _short(value: float) -> float:
    """Return a value with five digits: more are never shown, and a journal has thousands."""
    return float(f"{value:.5g}")


class CopyFinder(Measurement):
    """Finder of copied stretches in each sample. The index of the training text is built for the first one, and for
    a text that is too long not at all."""

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
    """Return what was found, with places in the characters of the text that ``ids`` are; ``stretches`` count from the
    end of the ``prompt`` tokens at its beginning."""
    new, whole, begun = len(ids) - prompt, *_characters(ids, tokenizer)
    copies = tuple(
        Copy(start=whole[prompt + each.start], stop=begun[prompt + each.stop], tokens=each.stop - each.start)
        for each in stretches)
    longest = max((each.tokens for each in copies), default=0)
    return CopiesFound(step=step, tokens=new, copied=round(ngram.copied_share(stretches, new) * new), longest=longest,
                       copies=copies)


def _characters(ids: Sequence[int], tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return for each number of first tokens, from 0 on, how many characters end in them, and how many begin: one more
    where the last bytes are missing."""
    decoder, whole, begun = getincrementaldecoder("utf-8")(errors="replace"), [0], [0]
    for token in ids:
        whole.append(whole[-1] + len(decoder.decode(tokenizer.token_bytes(token))))
        begun.append(whole[-1] + bool(decoder.getstate()[0]))
    return whole, begun
