"""The editors of a spec with many fields: those that matter first in sight, the others under headings that unfold."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from PySide6.QtWidgets import QApplication, QLayout, QWidget

from gptstudio.fields import Problem, Spec
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, holding, in_column, vbox
from gptstudio.gui.widgets.parts import button, label, permit


class GroupedEditor(SpecEditor):
    """Fields without a group come first, then the groups ``first``; ``more`` shows the rest, group by group."""

    def __init__(self, spec: type[Spec], prefix: str, more: str, first: Collection[str] = ()):
        self._prefix, self._more_words, self._first = prefix, more, first
        self.groups: dict[str, QWidget] = {}
        self._for_problem = False  # unfolded by itself, for a problem to be seen
        super().__init__(spec, prefix)

    def _lay_out(self) -> None:
        self.more = button(self._more_words, f"{self._prefix}_more", role="quiet")
        self.more.setToolTip(tr("Shows or hides the settings that are seldom changed"))
        self.more.setCheckable(True)
        self.more.clicked.connect(self._pressed)
        for editor in self.editors.values():
            if editor.view.group:
                self.add_to(editor.view.group, editor)
        plain = [editor for editor in self.editors.values() if not editor.view.group]
        first = [group for name, group in self.groups.items() if name in self._first]
        others = [group for name, group in self.groups.items() if name not in self._first]
        self.rest = in_column(QWidget(), *others, spacing=6)
        in_column(self, *plain, *first, aligned(self.more, LEFT), self.rest, spacing=6)
        self.unfold(False)

    def add_to(self, name: str, widget: QWidget) -> None:
        """Puts something at the end of a group, which is made if need be."""
        if name not in self.groups:
            title = label(tr(name), "heading")
            self.groups[name] = holding(QWidget(), vbox(title, spacing=6, margins=(0, 8, 0, 0)))
        cast(QLayout, self.groups[name].layout()).addWidget(widget)

    def unfold(self, show: bool = True) -> None:
        self.rest.setVisible(show)
        self.more.setChecked(show)
        self.more.setText(tr("Fewer settings") if show else self._more_words)
        self.more.setAccessibleName(self.more.text())

    def _pressed(self, show: bool) -> None:
        self._for_problem = False
        self.unfold(show)

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Each problem at its field, which is unfolded as long as it has one; returns those whose field is not here."""
        elsewhere = super().show_problems(problems)
        here = (self.editors[problem.field] for problem in problems if problem.field in self.editors)
        wrong = any(self.rest.isAncestorOf(editor) for editor in here)
        if wrong and not self.more.isChecked():
            self._for_problem = True
            self.unfold()
        elif self._for_problem and not wrong and not self._is_used():
            self._for_problem = False
            self.unfold(False)
        return elsewhere

    def _is_used(self) -> bool:
        """Return whether a collapsible field has the focus: it must not disappear while it is edited."""
        focus = QApplication.focusWidget()
        return focus is not None and self.rest.isAncestorOf(focus)

    def enable(self, names: Collection[str], why_not: str = "") -> None:
        """Only the fields of these names can be changed. ``why_not``: why the others cannot."""
        for name, editor in self.editors.items():
            permit(editor, "" if name in names else why_not)
