"""Selection on the Generate page: sent to every pane that analyses the model. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.app.requests import Model
from gptstudio.inference.text_tree import Node


@dataclass(frozen=True)
class Selection:
    """Text that is shown, from the first token to the last, and its chosen token.

    Attributes:
        model: that generated it; None before the first text.
        cursor: position of the chosen token; None if there is none.
        writing: the model is busy; the selection is sent again when it is idle.
    """

    model: Model | None = None
    path: tuple[Node, ...] = ()
    cursor: int | None = None
    writing: bool = False

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(node.id for node in self.path)
