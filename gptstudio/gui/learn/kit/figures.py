"""Figures that the book prints, and whether the page shows the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.lab import Comparison

AGREES, DIFFERS = "✓", "≠"


class PrintedFigures(QWidget):
    """A line for each printed figure, with a sign before it; its ``tally``, the sum of it, stands elsewhere."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._layout = column(label(tr("Matches the book"), "heading"), spacing=2)
        self.setLayout(self._layout)
        self._labels: list[QLabel] = []
        self.tally = label("", "muted", f"{name}_tally")

    @property
    def lines(self) -> list[str]:
        """Lines that are shown."""
        return [each.text() for each in self._labels if each.text()]

    def show_comparisons(self, comparisons: Sequence[Comparison]) -> None:
        self.setVisible(bool(comparisons))
        self.tally.setText(_tally(comparisons))
        while len(self._labels) < len(comparisons):
            self._labels.append(label(name=f"{self._name}_figure_{len(self._labels)}", wrap=True))
            self._layout.addWidget(self._labels[-1])
        for place, each in enumerate(self._labels):
            each.setText(_line(comparisons[place]) if place < len(comparisons) else "")
            each.setVisible(bool(each.text()))


def _tally(comparisons: Sequence[Comparison]) -> str:
    total = sum(each.count for each in comparisons)
    same = sum(int(np.count_nonzero(each.equal)) for each in comparisons if each.equal is not None)
    if not total:
        return ""
    if same == total:
        return tr("{sign} matches the book ({same} of {total})", sign=AGREES, same=same, total=total)
    if not same:
        return tr("no longer the book's example")
    return tr("{same} of {total} numbers match the book", same=same, total=total)


def _line(each: Comparison) -> str:
    name = tr(each.figure.name)
    if each.equal is None:
        return tr("{sign} {name}: the book prints no value for this input", sign=DIFFERS, name=name)
    sign, same = AGREES if each.agrees else DIFFERS, int(np.count_nonzero(each.equal))
    if each.count == 1:
        return tr("{sign} {name}", sign=sign, name=name)
    if each.agrees:
        return tr("{sign} {name}: all {count}", sign=sign, name=name, count=each.count)
    return tr("{sign} {name}: {same} of {count}", sign=sign, name=name, same=same, count=each.count)
