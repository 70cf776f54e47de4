"""Selection on the Generate page: sent to every pane that analyses the model. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.app.requests import Model
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.inference.interventions import NO_INTERVENTIONS, Interventions
from gptstudio.inference.text_tree import Node


@dataclass(frozen=True)
class Selection:
    """Text that is shown, from the first token to the last, and its chosen token.

    Attributes:
        model: that generated it; None before the first text.
        cursor: position of the chosen token; None if there is none.
        writing: the model is busy; the selection is sent again when it is idle.
        interventions: changes that the text is read with, and ``named`` those kept by a name.
        tokenizer: what the ids of the text stand for.
    """

    model: Model | None = None
    path: tuple[Node, ...] = ()
    cursor: int | None = None
    writing: bool = False
    interventions: Interventions = NO_INTERVENTIONS
    named: tuple[tuple[str, Interventions], ...] = ()
    tokenizer: Tokenizer = GPT2

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(node.id for node in self.path)
