"""What is on the Generate page at a moment: told to every pane that looks inside. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.gui.decoding.asks import Model
from gptstudio.inference.text_tree import Node


@dataclass(frozen=True)
class Moment:
    """The text that is shown, from the first token to the last, and the token that was chosen in it.

    Attributes:
        model: that wrote it; None before the first text.
        cursor: position of the chosen token; None where none is.
        writing: the model is busy; it will be told again when it rests.
    """

    model: Model | None = None
    path: tuple[Node, ...] = ()
    cursor: int | None = None
    writing: bool = False

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(node.id for node in self.path)
