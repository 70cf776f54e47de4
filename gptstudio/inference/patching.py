"""Activation patching: which activations of one prompt make the model answer as after that prompt.

The model reads a clean and a corrupted prompt of equal length. Then it reads the corrupted one again and again, each
time with one activation copied from the clean run; where that brings the clean answer back, the model keeps what makes
the difference (Meng et al., "Locating and Editing Factual Associations in GPT", 2022; Wang et al., "Interpretability
in the Wild", 2022).

Read on the reference path, on a copy that shares the weights. Shapes: B variants computed together, T tokens, H heads,
L layers, V vocabulary, K tokens listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, continued, go_on
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.finite import check_finite
from gptstudio.inference.generator import check_vocabulary
from gptstudio.inference.patched_runs import batches, last_logits, patched, run
from gptstudio.inference.prompt_pair import Kind, PromptPair

Floats = NDArray[np.float64]
LEAST_DIFFERENCE = 1e-3
"""In nats. Where the logit differences of the two prompts lie nearer, nothing is divided by what parts them."""
BEST = 5
"""Tokens kept of each variant."""

class Prediction(NamedTuple):
    """Prediction after the last token of a prompt.

    Attributes:
        difference: logit of the answer minus that of the wrong token.
        probabilities: (V,)
    """

    difference: float
    probabilities: Floats


class Figures(NamedTuple):
    """Predictions of B variants, or of all places of a map instead of B.

    Attributes:
        difference: (B,) logit of the answer minus that of the wrong token.
        probability: (B,) of the answer.
        listed: (B, K) probabilities of the tokens that are listed.
        best, best_probabilities: (B, 5) the most probable tokens.
    """

    difference: Floats
    probability: Floats
    listed: Floats
    best: NDArray[np.int64]
    best_probabilities: Floats


@dataclass(frozen=True, eq=False)
class Patching:
    """Effects of copying each activation of the clean run into the corrupted one.

    Attributes:
        pair: the prompts.
        answer, wrong: the two tokens that are told apart.
        same_guess: the answer is the most probable token after the corrupted prompt too, so that the wrong one is only
            the second.
        listed: (K,) the answer, the wrong token and others that either prompt makes likely.
        patched: with each patch, (L, T, ...), or (L, H, ...) for heads.
    """

    kind: Kind
    pair: PromptPair
    answer: int
    wrong: int
    same_guess: bool
    clean: Prediction
    corrupted: Prediction
    listed: NDArray[np.int64]
    patched: Figures

    @property
    def distinguishes(self) -> bool:
        """True if the model distinguishes the prompts by the two tokens: otherwise there is no share to recover."""
        return abs(self.clean.difference - self.corrupted.difference) >= LEAST_DIFFERENCE

    @property
    def recovered(self) -> Floats:
        """Recovered share of the logit difference, (L, T) or (L, H): 0 as in the corrupted run, 1 as in the
        clean one, also less or more; nan where the model does not tell the prompts apart."""
        difference = self.patched.difference
        if not self.distinguishes:
            return np.full_like(difference, np.nan)
        return (difference - self.corrupted.difference) / (self.clean.difference - self.corrupted.difference)

    def candidates(self, row: int, place: int) -> list[Candidate]:
        """Return the most probable tokens of a cell of the map, beside those of the prompts; the answer and the wrong
        token first."""
        patched = dict(zip(self.listed.tolist(), self.patched.listed[row, place].tolist(), strict=True))
        best, probabilities = self.patched.best[row, place], self.patched.best_probabilities[row, place]
        patched |= zip(best.tolist(), probabilities.tolist(), strict=True)
        clean, corrupted = self.clean.probabilities, self.corrupted.probabilities
        rows = [Candidate(each, float(clean[each]), float(corrupted[each]), p) for each, p in patched.items()]
        first = (self.answer, self.wrong)
        return sorted(rows, key=lambda each: (
            first.index(each.id) if each.id in first else len(first), -max(each[1:])))


class Candidate(NamedTuple):
    """Probabilities of a token after the clean and the corrupted prompt, and after this with a patch."""

    id: int
    clean: float
    corrupted: float
    patched: float


@torch.no_grad()
def patch(
    model: GPTModel, pair: PromptPair, kind: Kind = "resid", answer: int | None = None, wrong: int | None = None,
    check: Check = go_on, progress: Progress = unwatched,
) -> Patching:
    """Return what each activation of the clean run changes in the corrupted one. The last C tokens are read.

    Args:
        progress: called with how many blocks have been run for variants, and how many there are to run: both grow as
            time does, though variants of late layers take less.
        answer, wrong: by default the most probable next tokens after the clean and the corrupted prompt; where these
            are the same, the second most probable after the corrupted one.

    Raises:
        UserError: the model has no such token, or the answer and the wrong token are the same.
        BrokenLogits: its weights are damaged.
    """
    pair = pair.end(model.cfg.context_length)
    given = [each for each in (answer, wrong) if each is not None]
    check_vocabulary(model.cfg, [*pair.clean, *pair.corrupted, *given], pair.tokenizer)
    runs = [run(model, ids, kind, check) for ids in (pair.clean, pair.corrupted)]
    logits = torch.cat([last_logits(model, run.before[-1][None]) for run in runs])  # (2, V)
    check_finite(logits.cpu().numpy())
    asked = _tokens(logits, answer, wrong, pair.tokenizer)
    listed = list(dict.fromkeys([*asked, *torch.topk(logits, min(BEST, logits.shape[-1])).indices.flatten().tolist()]))
    unchanged = _figures(logits[1:], asked, listed)
    places = model.cfg.n_heads if kind == "heads" else len(pair.clean)
    same = 0 if kind == "heads" else pair.first  # places where both runs are the same: a copy changes nothing
    layers, done = model.cfg.n_layers, 0
    total = (places - same) * layers * (layers + 1) // 2
    found: list[Figures] = []
    for layer in range(layers):
        found += [unchanged] * same
        for some in batches(model, len(pair.clean), range(same, places)):
            begin, x = patched(model, kind, layer, some, *runs)
            last = last_logits(model, continued(model, begin, x, check=check))
            found.append(_figures(last, asked, listed))
            done += len(some) * (layers - layer)
            progress(done, total)
    same_guess = wrong is None and asked[1] != int(logits[1].argmax())
    return Patching(
        kind, pair, *asked, same_guess, _prediction(logits[0], asked), _prediction(logits[1], asked),
        np.array(listed), _grid(found, places))


def _tokens(logits: Tensor, answer: int | None, wrong: int | None, tokenizer: Tokenizer) -> tuple[int, int]:
    """Return the answer and the wrong token, from the logits after both prompts, (2, V).

    Raises:
        UserError: they are the same.
    """
    if answer is None:
        answer = int(logits[0].argmax())
    if wrong is None:
        wrong = next((each for each in torch.topk(logits[1], 2).indices.tolist() if each != answer), answer)
    if answer == wrong:
        raise UserError(message(
            "The answer and the wrong token are both “{token}”, so there is no difference between them to recover. "
            "Choose another answer or another wrong token.", token=tokenizer.visible(answer)))
    return answer, wrong


def _prediction(logits: Tensor, asked: tuple[int, int]) -> Prediction:
    """(V,) -> the prediction after a prompt."""
    difference = logits[asked[0]].double() - logits[asked[1]].double()
    return Prediction(difference.item(), torch.softmax(logits.double(), dim=-1).cpu().numpy())


def _grid(found: list[Figures], places: int) -> Figures:
    """Return the figures of all variants as (L, places, ...) each."""
    columns = (np.concatenate(each) for each in zip(*found, strict=True))
    return Figures(*(each.reshape(-1, places, *each.shape[1:]) for each in columns))


def _figures(logits: Tensor, asked: tuple[int, int], listed: list[int]) -> Figures:
    """(B, V) -> the figures of B variants."""
    answer, wrong = asked
    probabilities = torch.softmax(logits.double(), dim=-1)
    best = torch.topk(probabilities, min(BEST, logits.shape[-1]))
    parts = (
        logits[:, answer].double() - logits[:, wrong].double(), probabilities[:, answer], probabilities[:, listed],
        best.indices, best.values)
    return Figures(*(each.cpu().numpy() for each in parts))
