"""The book's examples, the figures that it prints for them, and their comparison with the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from gptstudio.fields import Spec
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import vbox
from gptstudio.gui.widgets.parts import ChoiceBox, Notice, label, named
from gptstudio.labs.lab import Comparison, Example


class ExampleBox(ChoiceBox):
    """Box of examples; none is selected if the input is the user's own."""

    def __init__(self, examples: tuple[Example, ...], name: str) -> None:
        super().__init__(letters=16)
        named(self, f"{name}_books", tr("The book's examples"))
        self.setToolTip(tr("Loads the input of an example, whose results the book prints"))
        self._examples = examples
        self.opened = examples[0]  # the example that was opened last
        self.addItems([tr(example.name) for example in examples])
        self.setPlaceholderText(tr("Your own input"))

    def show_request(self, request: Spec | None) -> None:
        """Select the example with this request, if any."""
        place = next((place for place, each in enumerate(self._examples) if each.request == request), -1)
        if place >= 0:
            self.opened = self._examples[place]
        with QSignalBlocker(self):
            self.setCurrentIndex(place)

    def of_opened(self, comparisons: Iterable[Comparison]) -> list[Comparison]:
        """Return the comparisons with figures of the last opened example."""
        first = self._examples[0].name
        return [each for each in comparisons if (each.figure.example or first) == self.opened.name]


AGREES, DIFFERS = "✓", "≠"


class PrintedFigures(QWidget):
    """Line for each printed figure, with a sign before it. ``tally``: label with the total, placed by the page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._layout = vbox(label(tr("Matches the book"), "heading"), spacing=4)
        self.setLayout(self._layout)
        self._labels: list[Notice] = []
        self.tally = label("", "muted", f"{name}_tally")

    @property
    def lines(self) -> list[str]:
        return [each.text() for each in self._labels if each.text()]

    def show_comparisons(self, comparisons: Sequence[Comparison]) -> None:
        self.setVisible(bool(comparisons))
        self.tally.setText(_tally(comparisons))
        while len(self._labels) < len(comparisons):
            self._labels.append(Notice(f"{self._name}_figure_{len(self._labels)}", ""))
            self._layout.addWidget(self._labels[-1])
        for place, each in enumerate(self._labels):
            each.setText(_line(comparisons[place]) if place < len(comparisons) else "")


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
