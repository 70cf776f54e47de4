"""A matrix whose cells can be chosen, and bars for the probabilities of words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.kit import Matrix
from gptstudio.gui.plots.bar_list import Bar, BarRow, Bars
from gptstudio.gui.translation import percent

SHOWN = 8
"""Words with bars, at most."""


class ChoiceMatrix(Matrix):
    """Matrix that cannot be edited; emits the cell that is clicked, or Enter is pressed on."""

    chosen = Signal(int, int)  # row, column

    def activate(self, item: Cell) -> bool:
        self.chosen.emit(item.row, item.column)
        return True


def most_probable(*probabilities: np.ndarray) -> list[int]:
    """Return the words that are the most probable in any of several distributions (V,), the first of these leading."""
    largest = np.max(probabilities, axis=0)
    shown = sorted(range(len(largest)), key=lambda word: -largest[word])[:SHOWN]
    return sorted(shown, key=lambda word: -probabilities[0][word])


def bars(
    title: str, names: Sequence[str], after: np.ndarray, before: np.ndarray, stroke: np.ndarray, words: Sequence[int],
    strong: int,
) -> Bars:
    """Return a bar for each of some words, with a stroke at another probability. All (V,)."""
    return Bars([
        BarRow(name, (Bar(float(after[word]), f"{percent(float(before[word]))} → {percent(float(after[word]))}",
                          "accent" if word == strong else "training"),),
               strong=word == strong, expected=float(stroke[word]))
        for name, word in zip(names, words, strict=True)], longest=1.0, title=title)
