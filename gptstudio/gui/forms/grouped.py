"""The editors of a spec with many fields: those that matter first in sight, the others under headings that unfold."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from PySide6.QtWidgets import QLayout, QWidget

from gptstudio.fields import Problem, Spec
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.forms.fold import Fold
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, holding, in_column, vbox
from gptstudio.gui.widgets.parts import label, permit


class GroupedEditor(SpecEditor):
    """Fields without a group come first, then the groups ``first``; ``more`` shows the rest, group by group."""

    def __init__(self, spec: type[Spec], prefix: str, more: str, first: Collection[str] = ()):
        self._prefix, self._first = prefix, first
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
        """Puts something at the end of a group, which is made if need be."""
        if name not in self.groups:
            title = label(tr(name), "heading")
            self.groups[name] = holding(QWidget(), vbox(title, spacing=8, margins=(0, 8, 0, 0)))
        cast(QLayout, self.groups[name].layout()).addWidget(widget)

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        """Each problem at its field, which is unfolded as long as it has one; returns those whose field is not here."""
        elsewhere = super().show_problems(problems)
        self.fold.fit()
        return elsewhere

    def enable(self, names: Collection[str], why_not: str = "") -> None:
        """Only the fields of these names can be changed. ``why_not``: why the others cannot."""
        for name, editor in self.editors.items():
            permit(editor, "" if name in names else why_not)
