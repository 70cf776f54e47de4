"""Choice of the text of an experiment that counts what stands in it, for a page of Learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QPlainTextEdit

from gptstudio.data.texts import NAMES
from gptstudio.gui.appearance import follow
from gptstudio.gui.forms.elided_box import ElidedBox
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.text_choice import CHOICES, OWN

OWN_LINES = 4


class TextChoiceBox(Tall):
    """The texts, an editor for one's own, and why another one is used."""

    def __init__(self, page: LabPage, tip: str) -> None:
        """``page``: is turned when another text is chosen; ``tip``: what the text is for."""
        super().__init__()
        self._choice = named(ElidedBox(letters=28), f"{page.name}_text", tr("Text"))
        self._choice.setToolTip(tip)
        for name in CHOICES:
            self._choice.addItem(tr("Your own text") if name == OWN else tr(NAMES[name]), name)
        self._choice.activated.connect(lambda _: page.turn(text=self._choice.currentData()))
        self._own = named(QPlainTextEdit(), f"{page.name}_own", tr("Your own text"))
        self._own.setTabChangesFocus(True)
        self._own.textChanged.connect(lambda: page.turn(own=self._own.toPlainText()))
        self._missing = label(role="notice", name=f"{page.name}_missing", wrap=True)
        holding(self, vbox(aligned(self._choice, LEFT), self._own, page.controls.problem_of("own"), self._missing))
        follow(self, self._fit)
        self._fit()

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show the text of a request, or of changes of one."""
        if "text" in values:
            self._choice.setCurrentIndex(CHOICES.index(values["text"]))
            self._own.setVisible(values["text"] == OWN)
        if "own" in values and values["own"] != self._own.toPlainText():
            self._own.blockSignals(True)
            self._own.setPlainText(values["own"])
            self._own.blockSignals(False)

    def show_missing(self, why: str) -> None:
        """Show the message on why it is not the requested text; empty if it is."""
        self._missing.setText(tr(why))
        self._missing.setVisible(bool(why))

    def _fit(self) -> None:
        self._own.ensurePolished()
        self._own.setFixedHeight(OWN_LINES * self._own.fontMetrics().lineSpacing() + 20)
