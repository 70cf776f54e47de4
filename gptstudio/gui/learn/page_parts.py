"""Widgets shared by experiments: matrices next to bars, and the choice of a cell, of a step and of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import QGridLayout, QSlider, QWidget

from gptstudio.data.texts import NAMES
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.kit.matrix import MOST, ROW, Matrix
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import FREE, LEFT, HeightForWidth, Reflow, aligned, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, choice_box, label, named, one_control, set_blocker
from gptstudio.labs.text_choice import CHOICES, OWN

ROOM = 14
GROWS = 50
"""Stretch factor of the growing part, relative to the empty space at the bottom of a page."""
TALLEST = 2.4
"""Maximum height of a row, in line heights."""


class MatricesWithBars(Reflow):
    """Matrices next to their bars, all growing with the space; in narrow widgets, with the bars below them."""

    def __init__(self, *matrices: Matrix, bars: BarList) -> None:
        self._row = hbox(*matrices, FREE, spacing=ROOM)
        super().__init__(with_layout(QWidget(), self._row), bars, stretch=(bars,), spacing=ROOM)
        self._matrices, self._bars = matrices, bars
        self.turned.connect(bars.show_names)
        self.turned.connect(self._grow)
        self._grow(False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _grow(self, below: bool) -> None:
        for matrix in self._matrices:
            matrix.grow(ROW if below else TALLEST)
        self._fit()

    def _fit(self) -> None:
        """Reserve space below the matrices for the labels of the bars, and limit the height to the usable maximum."""
        below = 0 if self._bars.named else self._bars.below()
        self._row.setContentsMargins(0, 0, 0, below)
        self.setMaximumHeight(min(MOST, self._matrices[0].maximumHeight() + below))


SHOWN = 8
"""Maximum number of words with bars."""


def most_probable(*probabilities: np.ndarray) -> list[int]:
    """Return the words that are most probable in any of several distributions (V,), ordered by the first of these."""
    largest = np.max(probabilities, axis=0)
    shown = sorted(range(len(largest)), key=lambda word: -largest[word])[:SHOWN]
    return sorted(shown, key=lambda word: -probabilities[0][word])


def bars(
    title: str, names: Sequence[str], after: np.ndarray, before: np.ndarray, stroke: np.ndarray, words: Sequence[int],
    strong: int,
) -> Bars:
    """Return a bar for each of some words, with a stroke at another probability. All arrays: (V,)."""
    return Bars([
        BarRow(name, (Bar(float(after[word]), f"{percent(float(before[word]))} → {percent(float(after[word]))}",
                          "accent" if word == strong else "training"),),
               strong=word == strong, expected=float(stroke[word]))
        for name, word in zip(names, words, strict=True)], longest=1.0, title=title)


class StepBar(QWidget):
    """Slider over steps."""

    def __init__(self, name: str, accessible: str, back: str, onward: str, go: Callable[[int], object]) -> None:
        """Create the slider. ``back``, ``onward``: tooltips of the two buttons. ``go``: called with the step that the
        user selects."""
        super().__init__()
        one_control(self)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, accessible)
        self.slider.setToolTip(tr("Drag to a step, or use the arrow keys"))
        self.back, self.onward = button("‹", f"{name}_back", back), button("›", f"{name}_onward", onward)
        self.back.setAccessibleName(back)
        self.onward.setAccessibleName(onward)
        self.words = label("", "heading", f"{name}_words")
        self.slider.valueChanged.connect(go)
        self.back.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.onward.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(self.words, 0, 0, 1, 3)
        for column, part in enumerate((self.back, self.slider, self.onward)):
            grid.addWidget(part, 1, column)

    def show_step(self, step: int, last: int, words: str) -> None:
        """Show a step, from 0 to ``last``."""
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(last)
            self.slider.setValue(step)
        self.words.setText(words)
        set_blocker(self.back, "" if step > 0 else tr("This is the first one."))
        set_blocker(self.onward, "" if step < last else tr("This is the last one."))
        set_blocker(self.slider, "" if last > 0 else tr("There is only one."))


OWN_LINES = 4


class TextChoiceBox(HeightForWidth):
    """Choice of a text, an editor for the user's own text, and a message if another text is used."""

    def __init__(self, page: LabPage[Any, Any], tip: str) -> None:
        """Create the choice. ``page``: its request changes with the choice. ``tip``: tooltip on the use of the text."""
        super().__init__()
        self._choice = choice_box(f"{page.name}_text", tr("Text"), letters=28)
        self._choice.setToolTip(tip)
        for name in CHOICES:
            self._choice.addItem(tr("Your own text") if name == OWN else tr(NAMES[name]), name)
        self._choice.activated.connect(lambda _: page.update_request(text=self._choice.currentData()))
        self._own = page.text_editor("own", tr("Your own text"))
        self._missing = label(role="notice", name=f"{page.name}_missing", wrap=True)
        with_layout(self, vbox(aligned(self._choice, LEFT), self._own, page.controls.problem_of("own"), self._missing))
        page.show_in_stage.append(self._show_values)
        on_restyle(self, self._fit)
        self._fit()

    def _show_values(self, values: Mapping[str, Any]) -> None:
        self._choice.setCurrentIndex(CHOICES.index(values["text"]))
        self._own.setVisible(values["text"] == OWN)

    def show_missing(self, why: str) -> None:
        """Show the reason why the requested text is not used; if empty, hide the message."""
        self._missing.setText(tr(why))
        self._missing.setVisible(bool(why))

    def _fit(self) -> None:
        self._own.ensurePolished()
        self._own.setFixedHeight(OWN_LINES * self._own.fontMetrics().lineSpacing() + 20)
