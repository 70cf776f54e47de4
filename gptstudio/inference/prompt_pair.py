"""Pairs of prompts of equal length, and the kinds of activations that can be copied between them. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message

Kind = Literal["resid", "attention", "mlp", "heads"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Activations to copy: the residual stream before a layer (``resid_pre``), the output of its attention or of its
feed-forward network, each at one position; or the output of one head at all positions."""
NAMES = {"resid": "resid_pre", "attention": "attn_out", "mlp": "mlp_out"}
"""Names of the activations, as in TransformerLens."""


@dataclass(frozen=True)
class PromptPair:
    """Token ids of a clean and a corrupted prompt. Patching copies an activation to the same position.

    Attributes:
        dropped: number of tokens that were left out at the beginning of both.

    Raises:
        UserError: a prompt is empty, or they have different lengths or are equal.
    """

    clean: tuple[int, ...]
    corrupted: tuple[int, ...]
    tokenizer: Tokenizer = GPT2
    dropped: int = 0

    def __post_init__(self) -> None:
        if not self.clean or not self.corrupted:
            raise UserError(message("A prompt is empty. Write a clean and a corrupted prompt of equal length."))
        if len(self.clean) != len(self.corrupted):
            raise UserError(self._unequal())
        if not self.differing:
            raise UserError(message(
                "The two prompts consist of the same tokens, so there is nothing to copy from one into the other. "
                "Change at least one token of the corrupted prompt."))

    @classmethod
    def of(cls, clean: str, corrupted: str, tokenizer: Tokenizer = GPT2) -> PromptPair:
        """Return the pair of two texts."""
        return cls(tuple(tokenizer.encode(clean)), tuple(tokenizer.encode(corrupted)), tokenizer)

    @property
    def differing(self) -> tuple[int, ...]:
        """Positions of the tokens that differ."""
        return tuple(at for at, (one, other) in enumerate(zip(self.clean, self.corrupted, strict=True)) if one != other)

    @property
    def first(self) -> int:
        """Position of the first differing token; before it, both runs are the same."""
        return self.differing[0]

    def end(self, length: int) -> PromptPair:
        """Return the pair of the last tokens of both, at most ``length``.

        Raises:
            UserError: these are equal.
        """
        dropped = len(self.clean) - length
        if dropped <= 0:
            return self
        if self.differing[-1] < dropped:
            raise UserError(message(
                "The prompts differ only at their beginning, which does not fit into the context of {n} tokens. "
                "Shorten both at the end, or choose a model with a longer context.", n=f"{length:,}"))
        return PromptPair(self.clean[-length:], self.corrupted[-length:], self.tokenizer, dropped)

    def _unequal(self) -> str:
        counts = {"clean": f"{len(self.clean):,}", "corrupted": f"{len(self.corrupted):,}"}
        at = parting(self.clean, self.corrupted)
        if at == min(len(self.clean), len(self.corrupted)):
            return message(
                "The clean prompt has {clean} tokens and the corrupted one {corrupted}, but patching needs the same "
                "number. They are the same up to position {at}, where the shorter one ends. Make them equally long.",
                at=at, **counts)
        return message(
            "The clean prompt has {clean} tokens and the corrupted one {corrupted}, but patching needs the same "
            "number. They part at position {at}: “{one}” in the clean prompt, “{other}” in the corrupted one. Replace "
            "words by others of as many tokens.", at=at, one=self.tokenizer.visible(self.clean[at]),
            other=self.tokenizer.visible(self.corrupted[at]), **counts)


def name_of(kind: Kind, layer: int, place: int) -> str:
    """Return the TransformerLens name of a copied activation: a head, or an activation at a position."""
    return f"blocks.{layer}.attn.head.{place}" if kind == "heads" else f"blocks.{layer}.{NAMES[kind]}[{place}]"


def parting(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the first position where the tokens differ, or where the shorter sequence ends."""
    both = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))
