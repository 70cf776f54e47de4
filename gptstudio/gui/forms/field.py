"""Labelled editor of one field of a spec, derived from the field's definition, and editors of whole specs in groups.

An editor accepts any input, even if it is invalid, and shows the problem at the field; only the spec decides on
validity. The most important fields are always visible, the others under headings that unfold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QGridLayout,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from gptstudio.app.manual import FIELD_TERMS
from gptstudio.fields import LISTS, FieldView, Problem, Spec, allowed, fields_of, read_list, write_list
from gptstudio.gui.canvas.bars import ComponentBar
from gptstudio.gui.forms.controls import Fold
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, grows, hbox, in_column, vbox, with_layout
from gptstudio.gui.widgets.parts import NUMBER_MARGIN, ChoiceBox, Notice, label, named, plain, restyle, set_blocker
from gptstudio.gui.widgets.text_views import typed_text

SHOWN = 3
"""Number of lines visible without scrolling."""


class TextLines(QPlainTextEdit):
    """Editor of a list of texts, one per line; empty lines are ignored."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self.edited)

    def value(self) -> tuple[str, ...]:
        return tuple(line for line in typed_text(self).split("\n") if line.strip())

    def set_value(self, texts: Sequence[str]) -> None:
        self.setPlainText("\n".join(texts))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), SHOWN * self.fontMetrics().lineSpacing() + 28)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())


class Ticks(QWidget):
    """Tick box for each choice; the value holds the ticked choices in their order."""

    edited = Signal()

    def __init__(self, choices: Iterable[str], name: str):
        super().__init__()
        titles = {choice: _words(choice) for choice in choices}
        self.boxes = {choice: named(QCheckBox(title), f"{name}_{choice}", title) for choice, title in titles.items()}
        self.figures = {choice: label(role="muted", name=f"{name}_{choice}_figure") for choice in titles}
        self.setFocusProxy(next(iter(self.boxes.values())))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for row, (choice, box) in enumerate(self.boxes.items()):
            box.toggled.connect(self.edited)
            grid.addWidget(box, row, 0)
            grid.addWidget(self.figures[choice], row, 1, Qt.AlignmentFlag.AlignRight)

    def value(self) -> tuple[str, ...]:
        return tuple(choice for choice, box in self.boxes.items() if box.isChecked())

    def set_value(self, value: Iterable[str]) -> None:
        ticked = set(value)
        for choice, box in self.boxes.items():
            box.setChecked(choice in ticked)

    def show_figures(self, figures: Mapping[str, tuple[str, str]]) -> None:
        """Show a short text next to each choice, and a longer one in its tooltip, which a screen reader also reads."""
        for choice, (short, long) in figures.items():
            box, figure = self.boxes[choice], self.figures[choice]
            figure.setText(short)
            for part in (box, figure):
                part.setToolTip(plain(long))
            box.setAccessibleName(joined(", ", _words(choice), long))


def _words(choice: str) -> str:
    return tr(ComponentBar.NAMES.get(choice, choice))


class NumberBox(QAbstractSpinBox):
    """Spin box that accepts any text; arrows and the wheel change the number by the step of the field."""

    edited = Signal()

    def __init__(self, view: FieldView):
        super().__init__()
        self._view = view
        self.lineEdit().textChanged.connect(self.edited)
        self.lineEdit().setTextMargins(NUMBER_MARGIN, 0, 0, 0)
        self.lineEdit().setPlaceholderText(tr(view.empty) if view.empty else "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the window if this field has nothing to undo or redo."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            line, keys = self.lineEdit(), QKeySequence.StandardKey
            if (event.matches(keys.Undo) and not line.isUndoAvailable()) or (
                    event.matches(keys.Redo) and not line.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("0" * 8) + 34, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        return text

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def stepBy(self, steps: int) -> None:
        number, step = self.value(), self._view.step or 1
        start = number if isinstance(number, (int, float)) else self._view.low or 0
        low = self._view.low if self._view.low is not None else float("-inf")
        high = self._view.high if self._view.high is not None else float("inf")
        moved = min(high, max(low, start + steps * step))
        self.set_value(round(moved) if self._view.kind == "int" else round(moved, 10))

    def value(self) -> Any:
        """Return the number, None if the field is empty, or the text itself if it is not a number."""
        text = self.lineEdit().text().replace(",", "").replace("\u202f", "").strip()
        if not text:
            return None
        try:
            return int(text) if self._view.kind == "int" else float(text)
        except ValueError:
            return text

    def set_value(self, value: Any) -> None:
        self.lineEdit().setText("" if value is None else f"{value:.15g}" if isinstance(value, float) else str(value))


class FieldEditor(QWidget):
    """Label and control of a field, with help on hover, and with the problem if there is one."""

    changed = Signal()
    value: Callable[[], Any]
    set_value: Callable[[Any], object]

    def __init__(self, view: FieldView, prefix: str):
        super().__init__()
        self.view = view
        name = f"{prefix}_{view.name}"
        self.control = named(self._control(view, name), name, tr(view.label))
        self.caption = label(
            "" if view.kind == "bool" else tr(view.label), buddy=self.control, term=FIELD_TERMS.get(view.name, ""))
        self.problem = Notice(f"{name}_problem")
        self._lay_out()
        self.setToolTip(_help(view))

    def type(self, value: Any) -> None:
        """Replace the number in the field as if it were typed, so that Ctrl+Z restores the previous one."""
        line = self.control.lineEdit()
        line.selectAll()
        line.insert(f"{value:.15g}")

    def put_beside(self, widget: QWidget) -> None:
        """Put a widget to the right of the control, inside the control's column."""
        grid = cast(QGridLayout, self.layout())
        grid.removeWidget(self.control)
        grid.addLayout(hbox(grows(self.control), widget, spacing=4), 0, 1)

    def show_problem(self, words: str) -> None:
        """Show a problem at the field, or none if ``words`` is empty."""
        self.problem.setText(tr(words))
        restyle(self.control, wrong=bool(words))

    @property
    def is_wrong(self) -> bool:
        return bool(self.problem.text())

    @property
    def is_usual(self) -> bool:
        return bool(self.value() == self.view.default)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        if self.view.kind == "bool":
            grid.addWidget(self.control, 0, 0, 1, 2)
        elif self.view.kind in ("text", "texts", *LISTS):  # what is typed may be long
            grid.addWidget(self.caption, 0, 0, 1, 2)
            grid.addWidget(self.control, 1, 0, 1, 2)
        else:
            grid.addWidget(self.caption, 0, 0)
            grid.addWidget(self.control, 0, 1)
        grid.addWidget(self.problem, 2, 0, 1, 2)
        grid.setColumnStretch(0, 5)
        grid.setColumnStretch(1, 6)

    def _control(self, view: FieldView, name: str) -> Any:
        """Return the control for a kind of field, and set the methods that return and set its value."""
        made: Any
        if view.kind == "bool":
            made = QCheckBox(tr(view.label))
            self.value, self.set_value = made.isChecked, lambda value: made.setChecked(bool(value))
            made.toggled.connect(self.changed)
        elif view.kind == "choice":
            made = ChoiceBox()
            for each in view.choices:
                made.addItem(tr(view.names.get(each, each)), each)
            self.value, self.set_value = made.currentData, lambda value: made.setCurrentIndex(made.findData(value))
            made.currentTextChanged.connect(self.changed)
        elif view.kind in ("int", "float", "choices", "texts"):
            made = (Ticks(view.choices, name) if view.kind == "choices" else TextLines() if view.kind == "texts"
                    else NumberBox(view))
            self.value, self.set_value = made.value, made.set_value
            made.edited.connect(self.changed)
        else:
            made, is_list = QLineEdit(), view.kind in LISTS
            self.value = lambda: read_list(view.kind, made.text()) if is_list else made.text()
            self.set_value = lambda value: (
                made.setText(write_list(value) if is_list else value), made.setCursorPosition(0))
            made.textChanged.connect(self.changed)
        return made


class SpecEditor(QWidget):
    """Editors, stacked vertically, for the fields of a spec that are shown in a panel."""

    changed = Signal()

    def __init__(self, spec: type[Spec], prefix: str, only: tuple[str, ...] = ()):
        super().__init__()
        views = [view for view in fields_of(spec) if view.panel and (not only or view.name in only)]
        self.editors = {view.name: FieldEditor(view, prefix) for view in views}
        for editor in self.editors.values():
            editor.changed.connect(self.changed)
        self._lay_out()

    def _lay_out(self) -> None:
        in_column(self, *self.editors.values(), spacing=4)

    def values(self) -> dict[str, Any]:
        return {name: editor.value() for name, editor in self.editors.items()}

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show values without emitting ``changed``."""
        with QSignalBlocker(self):
            for name, editor in self.editors.items():
                if editor.value() != values[name]:
                    editor.set_value(values[name])

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Show each problem at its field; return the problems of fields that this editor does not contain."""
        words: dict[str, str] = {}
        for problem in problems:
            words.setdefault(problem.field, problem.message)
        for name, editor in self.editors.items():
            editor.show_problem(words.get(name, ""))
        return [problem for problem in problems if problem.field not in self.editors]


def _help(view: FieldView) -> str:
    named_all = view.kind == "choice" and set(view.choices) <= set(view.names)  # its list shows them
    without = named_all or view.kind in ("bool", "text", "texts", "choices")
    rest = [] if without else [tr("Allowed: {what}.", what=allowed(view))]
    return joined("\n", tr(view.help), *rest)


class GroupedEditor(SpecEditor):
    """Editor with the fields without a group first, then the groups ``first``; ``more`` shows the other groups."""

    def __init__(self, spec: type[Spec], prefix: str, more: str, first: Collection[str] = ()):
        self._first = first
        self.groups: dict[str, QWidget] = {}
        self.fold = Fold(f"{prefix}_more", more, tr("Fewer settings"))
        super().__init__(spec, prefix)

    def _lay_out(self) -> None:
        for editor in self.editors.values():
            if editor.view.group:
                self.add_to(editor.view.group, editor)
        plain = [editor for editor in self.editors.values() if not editor.view.group]
        first = [group for name, group in self.groups.items() if name in self._first]
        others = [group for name, group in self.groups.items() if name not in self._first]
        self.rest = in_column(QWidget(), *others, spacing=8)
        in_column(self, *plain, *first, aligned(self.fold.button, LEFT), self.rest, spacing=8)
        self.fold.add(self.rest, lambda: any(
            editor.is_wrong for editor in self.editors.values() if self.rest.isAncestorOf(editor)))

    def add_to(self, name: str, widget: QWidget) -> None:
        """Add a widget to the end of a group, which is created if necessary."""
        if name not in self.groups:
            title = label(tr(name), "heading")
            self.groups[name] = with_layout(QWidget(), vbox(title, spacing=8, margins=(0, 8, 0, 0)))
        cast(QLayout, self.groups[name].layout()).addWidget(widget)

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Show each problem at its field, unfolded while it has one; return the problems of other fields."""
        elsewhere = super().show_problems(problems)
        self.fold.fit()
        return elsewhere

    def enable(self, names: Collection[str], why_not: str = "") -> None:
        """Enable only the fields of these names. ``why_not``: why the others are disabled."""
        for name, editor in self.editors.items():
            set_blocker(editor, "" if name in names else why_not)
