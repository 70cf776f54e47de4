"""Changes that are kept with the text under a name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import grows, hbox, holding
from gptstudio.gui.widgets.parts import button, label, named, permit
from gptstudio.inference.interventions import LONGEST_NAME, NO_INTERVENTIONS, Interventions


class NamedChanges(QWidget):
    """Field with the names; one of them brings its changes back."""

    intervened = Signal(object, bool)
    named = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._interventions = NO_INTERVENTIONS
        self._named: dict[str, Interventions] = {}
        self.names = named(QComboBox(), "what_if_names", tr("Name of these changes"))
        self.names.setEditable(True)
        self.names.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.names.setToolTip(tr(
            "A name under which these changes are kept with the text; choose one to bring them back"))
        self.names.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.names.setMinimumContentsLength(12)
        line = self.names.lineEdit()
        if line:
            line.setPlaceholderText(tr("Name of these changes"))
            line.setMaxLength(LONGEST_NAME)
        self.keep = button(tr("Keep"), "what_if_keep", tr("Keeps these changes with the text under this name"), "quiet",
                           lambda: self.named.emit(self._name, self._interventions))
        self.remove = button(tr("Remove"), "what_if_remove", tr("Removes this name"), "quiet",
                             lambda: self.named.emit(self._name, None))
        self.names.textActivated.connect(self._choose)
        self.names.editTextChanged.connect(lambda _: self._permit())
        words = label(tr("Kept changes"), buddy=self.names)
        holding(self, hbox(words, grows(self.names), self.keep, self.remove, spacing=8))
        self._permit()

    @property
    def _name(self) -> str:
        return " ".join(self.names.currentText().split())

    def show_names(self, interventions: Interventions, kept: Sequence[tuple[str, Interventions]]) -> None:
        """Show the names. ``interventions``: the changes that hold now."""
        self._interventions, self._named = interventions, dict(kept)
        if [self.names.itemText(place) for place in range(self.names.count())] != list(self._named):
            text = self.names.currentText()
            with QSignalBlocker(self.names):
                self.names.clear()
                self.names.addItems(list(self._named))
                self.names.setEditText(text)
        self._permit()

    def _choose(self, name: str) -> None:
        if name in self._named:
            self.intervened.emit(self._named[name], True)

    def _permit(self) -> None:
        name = self._name
        why_not = tr("Nothing is changed yet.") if not self._interventions else tr("Enter a name first.")
        permit(self.keep, "" if name and self._interventions else why_not)
        permit(self.remove, "" if name in self._named else tr("No changes are kept under this name."))
