"""Probe prompts: what a model in training predicts as the next token of each, at every evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.training.corpus import Corpus
from gptstudio.training.events import Event, ProbeReading, ProbesRead
from gptstudio.training.measurements import Measurement, logits_at
from gptstudio.training.spec import VALIDATION_PROBE, TrainSpec
from gptstudio.training.train_state import TrainState

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
