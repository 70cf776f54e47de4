"""Induction heads: heads that attend to the token that followed an earlier occurrence of the current token.

The model reads a sequence of random tokens twice. A head's induction score is the average attention of the tokens in
the second half to the token after their first occurrence (Olsson et al., "In-context Learning and Induction Heads",
2022). Two more scores come from the same pass: attention to the previous token (previous-token head), and attention of
the second half to the first occurrence of the same token (duplicate-token head; Wang et al., 2022).

Computed on the reference path. Shapes: S sequences, N tokens in half a sequence, T = 2N tokens, H heads, L layers, D
width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import torch
from torch import Tensor

from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, hidden_states, no_check
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.i18n import message
from gptstudio.inference.interventions import Component

Pattern = Literal["induction", "previous", "duplicate"]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
NAMED_FROM = 0.4
"""Score from which a head is named after a pattern, by convention."""
LONGEST_HALF, SEQUENCES = 48, 4
"""Maximum number of repeated tokens, and number of sequences over which scores are averaged."""


@dataclass(frozen=True, eq=False)
class Induction:
    """Scores of all heads, from 0 to 1.

    Attributes:
        scores: scores of each pattern, (L, H).
        half: number of repeated tokens, N.
        seed: random seed of the tokens.
    """

    scores: dict[Pattern, Floats]
    half: int
    seed: int
    named_from: ClassVar[float] = NAMED_FROM

    def heads(self, pattern: Pattern, least: float = 0.0) -> list[tuple[Component, float]]:
        """Return the heads with at least this score, highest first."""
        scores = self.scores[pattern]
        rows = [(Component(*map(int, place)), float(scores[place])) for place in np.ndindex(scores.shape)]
        return sorted((row for row in rows if row[1] >= least), key=lambda row: -row[1])


@torch.no_grad()
def induction(model: GPTModel, seed: int = 0, check: Check = no_check) -> Induction:
    """Return the scores of all heads. The tokens are determined by the seed and the vocabulary.

    Raises:
        UserError: the context is too short to repeat two tokens.
        BrokenLogits: the weights are not finite.
    """
    text = repeated_tokens(model, seed).to(model.tok_emb.weight.device)
    half, rows = text.shape[1] // 2, []

    def score(name: str, out: Tensor) -> Tensor:
        if name.endswith(".attn.pattern"):
            weights = out.double().mean(dim=0)  # (H, T, T)
            rows.append([_diagonal(weights, back, first).tolist() for back, first in
                         ((half - 1, half), (1, 1), (half, half))])
        return out

    hidden_states(model, text, score, check)
    scores = np.array(rows)  # (L, patterns, H)
    check_finite(scores)
    return Induction(dict(zip(PATTERNS, scores.swapaxes(0, 1), strict=True)), half, seed)


def repeated_tokens(model: GPTModel, seed: int) -> Tensor:
    """Return sequences of distinct random tokens, each followed by its repetition, (S, T).

    Raises:
        UserError: the context is too short to repeat two tokens.
    """
    cfg = model.cfg
    half = min(LONGEST_HALF, cfg.context_length // 2, cfg.vocab_size)
    if half < 2:
        raise UserError(message(
            "A context of {n} tokens is too short to repeat two tokens, so this model cannot have induction heads. "
            "Choose a model with a context of at least 4 tokens.", n=cfg.context_length))
    rng = torch.Generator().manual_seed(seed)
    tokens = torch.stack([torch.randperm(cfg.vocab_size, generator=rng)[:half] for _ in range(SEQUENCES)])
    return torch.cat([tokens, tokens], dim=1)


def _diagonal(weights: Tensor, back: int, first: int) -> Tensor:
    """Return the mean weight of the tokens from ``first`` on for the token ``back`` before, (H, T, T) -> (H,)."""
    return torch.diagonal(weights, -back, dim1=1, dim2=2)[:, first - back :].mean(dim=-1)
