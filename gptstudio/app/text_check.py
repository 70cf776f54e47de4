"""Values of the text to train on: what a run would make of it, and its download."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.data.texts import STORY
from gptstudio.fields import Problem
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.training.corpus import Plan


@dataclass(frozen=True)
class TextCheck:
    """Plan of a run on its text, or the problems that prevent it.

    Attributes:
        missing: the text is not on disk, but can be downloaded.
        fitting_context: if the text is too short for the context length, a shorter one that fits.
        tokenizer: with which the run would read the text; None where there is no plan.
        bytes_per_token: mean bytes of a token of the training text; 0 where there is no plan.
    """

    plan: Plan | None = None
    problems: tuple[Problem, ...] = ()
    missing: bool = False
    fitting_context: int | None = None
    tokenizer: Tokenizer | None = None
    bytes_per_token: float = 0.0

    @property
    def instead(self) -> tuple[str, ...]:
        """The texts to train on where one is missing: the story that ships. Empty if none is missing."""
        return (STORY,) if self.missing else ()


@dataclass(frozen=True)
class Download:
    """State of the download of The Verdict. ``problem``: why the last one failed."""

    busy: bool = False
    done_bytes: int = 0
    problem: str = ""
