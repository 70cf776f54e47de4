"""Cards of glossary terms in a window: one sentence, the current value, and a link to more."""

from __future__ import annotations

from functools import partial
from html import escape

from PySide6.QtCore import QObject

from gptstudio.app.manual import terms, value_of
from gptstudio.app.state import AppState
from gptstudio.gui.language import language
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import TermSource


def explain_terms(state: AppState, window: QObject) -> None:
    """Give the terms in a window cards with the values of a state, and links to their entries."""
    TermSource(window, partial(card, state), lambda term: state.help_requested.emit(f"glossary#{term}"))


def shown_in(lab: str) -> str:
    """Return the text of a link to an experiment, with its title."""
    from gptstudio.labs.catalogue import ENTRIES  # not needed at the start of the window

    return tr("Shown in the experiment “{title}”", title=tr(ENTRIES[lab].title))


def card(state: AppState, term: str) -> str:
    """Return the card of a term as rich text; empty if the glossary does not have it."""
    found = next((each for each in terms(language.code) if each.key == term), None)
    if not found:
        return ""
    value = value_of(term, state)
    lines = [f"<p><b>{escape(found.name)}</b><br>{escape(found.text)}</p>"]
    if value:
        lines.append(f"<p><b>{escape(tr(value))}</b></p>")
    if found.lab:
        lines.append(f"<p><small>{escape(shown_in(found.lab))}</small></p>")
    lines.append(f"<p><small>{escape(tr('Click to read more.'))}</small></p>")
    return "".join(lines)
