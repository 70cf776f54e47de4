"""Will it fit, and how long: the forecast before Start, and what the run took."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.few_lines import FewLines
from gptstudio.gui.widgets.layouts import grows, hbox, holding
from gptstudio.gui.widgets.parts import button, restyle
from gptstudio.training.forecast import Forecast, Measured

ROLES = {"fits": "muted", "tight": "notice", "too large": "problem"}


class Outlook(QWidget):
    """One line: the forecast, what the last run took, and a button for smaller settings if Start was refused."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        self._state = state
        self.has_words = False
        self.words = FewLines("outlook")
        self.smaller = button(tr("Use smaller settings"), "use_smaller")
        self.smaller.clicked.connect(self._use_smaller)
        self.measured = FewLines("measured")
        holding(self, hbox(grows(self.words), self.smaller, grows(self.measured), spacing=12))
        state.on(self._show, "forecast", "insisted", "measured")
        self._show()

    @property
    def needs_attention(self) -> bool:
        """True if memory or disk space may not be enough."""
        return bool(self.words.property("role") != "muted")

    def _use_smaller(self) -> None:
        if self._state.forecast and self._state.forecast.smaller:
            self._state.use_spec(self._state.forecast.smaller)

    def _show(self) -> None:
        made, insisted = self._state.forecast, self._state.insisted
        measured = self._state.measured
        words: str = in_words(made) if made else ""
        if made and made.space_warning:
            words = joined(" ", words, tr(made.space_warning))
        if made and insisted:
            words = joined(
                " ", words, tr("The system may end the run, or the whole computer may stop responding.")
            )
        self.words.setText(words)
        self.words.explain(sources(made) if made else "")
        restyle(self.words, role="muted" if not made else "problem" if made.space_warning else ROLES[made.level])
        self.smaller.setVisible(bool(made and insisted and made.smaller))
        self.has_words = bool(words) or measured is not None
        self.measured.setText(tr("The last run took {took}.", took=_and(took(measured))) if measured else "")
        self.measured.explain(_estimate(measured) if measured else "")


def took(measured: Measured) -> list[str]:
    """Return what a run took: time, and memory where it was measured."""
    memory = [tr("{much} of memory for training", much=size(measured.peak_bytes))] if measured.peak_bytes else []
    return [duration(measured.took_s), *memory]


def _estimate(measured: Measured) -> str:
    """Return what was expected of a run before it; empty if nothing was."""
    expected = [duration(measured.expected_s)] if measured.expected_s else []
    if measured.peak_bytes:
        expected.append(tr("{much} of memory for training", much=size(measured.expected_bytes)))
    return tr("Estimate before the run: {expected}.", expected=_and(expected)) if expected else ""


def in_words(made: Forecast) -> str:
    """Return the forecast as text, with its source."""
    needed, free = size(made.predicted_bytes), size(made.free_bytes)
    if made.level == "too large":
        said = tr("Estimated memory for training: {needed}; free: {free}.", needed=needed, free=free)
        return joined(" ", said, tr(made.smaller_words))
    if made.seconds is None:
        return tr("Estimated memory for training: {needed} of {free} free.", needed=needed, free=free)
    return tr("Estimated for training: {needed} of {free} free memory, about {time}.",
              needed=needed, free=free, time=duration(made.seconds))


def sources(made: Forecast) -> str:
    """Return the sources of the two numbers as text."""
    return tr("Memory: {memory}.\nTime: {time}.", memory=tr(made.memory_from), time=tr(made.time_from))


def _and(parts: list[str]) -> str:
    return tr("{first} and {second}", first=parts[0], second=parts[1]) if len(parts) == 2 else parts[0]
