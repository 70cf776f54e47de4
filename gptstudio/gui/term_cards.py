"""Cards of the glossary's terms for a window: one sentence, the number of now, and where to read more."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QObject

from gptstudio.app.glossary import terms
from gptstudio.app.state import AppState
from gptstudio.app.term_values import value_of
from gptstudio.gui.language import language
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.term_label import TermSource


class TermCards(TermSource):
    """Shows the terms with the values of a state."""

    def __init__(self, state: AppState, window: QObject) -> None:
        super().__init__(window)
        self._state = state

    def card(self, term: str) -> str:
        found = next((each for each in terms(language.code) if each.key == term), None)
        if not found:
            return ""
        value = value_of(term, self._state)
        lines = [f"<p><b>{escape(found.name)}</b><br>{escape(found.text)}</p>"]
        if value:
            lines.append(f"<p><b>{escape(tr(value))}</b></p>")
        lines.append(f"<p><small>{escape(tr('Click to read more.'))}</small></p>")
        return "".join(lines)

    def open(self, term: str) -> None:
        self._state.help_requested.emit(f"glossary#{term}")
