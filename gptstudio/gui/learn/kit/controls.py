"""A lab's fields as editors; a number that moves in steps between two bounds has a slider below it."""

from __future__ import annotations

import math
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QGridLayout, QSlider

from gptstudio.fields import Problem, Spec
from gptstudio.gui.forms.field import FieldEditor, SpecEditor
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import Notice, named

MOST_STEPS = 1_000  # with more, as for a seed, a slider would only jump


class Controls(SpecEditor):
    """Editors for the fields of a question that belong into the column."""

    def __init__(self, request: type[Spec], name: str) -> None:
        super().__init__(request, name)
        self._name = name
        self.elsewhere: dict[str, Notice] = {}  # problems of fields that are edited in the stage
        for editor in self.editors.values():
            low, high, step = editor.view.low, editor.view.high, editor.view.step
            if low is not None and high is not None and step is not None and (high - low) / step <= MOST_STEPS:
                _Slider(editor, name, low, high, step)

    def problem_of(self, field: str) -> Notice:
        """Create the widget for the problem of a field that is edited in the stage."""
        return self.elsewhere.setdefault(field, Notice(f"{self._name}_{field}_problem"))

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Show each problem at its field; return the first of each field that is neither here nor in the stage."""
        first: dict[str, Problem] = {}
        for problem in super().show_problems(problems):
            first.setdefault(problem.field, problem)
        for field, notice in self.elsewhere.items():
            notice.setText(tr(first.pop(field).message) if field in first else "")
        return list(first.values())


class _Slider(QSlider):
    """Moves the number of its editor, and follows it."""

    def __init__(self, editor: FieldEditor, name: str, low: float, high: float, step: float) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._editor, self._low, self._high, self._step = editor, low, high, step
        named(self, f"{name}_{editor.view.name}_slider", tr(editor.view.label))
        self.setMaximum(math.ceil(round((high - low) / step, 6)))
        cast(QGridLayout, editor.layout()).addWidget(self, 2, 0, 1, 2)
        self.valueChanged.connect(self._move)
        editor.changed.connect(self._follow)
        self._follow()

    def _move(self, place: int) -> None:
        value = min(self._high, self._low + place * self._step)
        self._editor.set_value(round(value) if self._editor.view.kind == "int" else round(value, 10))

    def _follow(self) -> None:
        value = self._editor.value()
        if isinstance(value, (int, float)):
            with QSignalBlocker(self):
                self.setValue(round((min(self._high, max(self._low, value)) - self._low) / self._step))
