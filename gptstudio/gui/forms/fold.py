"""A button that shows or hides the controls that are seldom needed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import button


class Fold:
    """Parts that a quiet button shows or hides. A part that is needed, or in use, is shown also while they are folded.

    The widget around the parts has it as its attribute ``fold``, so that :func:`unfold_around` finds it.

    Attributes:
        button: shows all parts, or only those that are needed.
    """

    def __init__(self, name: str, more: str, fewer: str) -> None:
        """Create the button. ``more``, ``fewer``: its text while the parts are folded, and while they are not."""
        self._words = more, fewer
        self._needed: dict[QWidget, Callable[[], bool]] = {}
        self._left_out: set[QWidget] = set()
        self._open = False
        self.button = button(more, name, tr("Shows or hides the settings that are seldom changed"), "quiet")
        self.button.setCheckable(True)
        self.button.clicked.connect(self.unfold)

    def add(self, part: QWidget, needed: Callable[[], bool] = lambda: False) -> None:
        """Add a part, which has its place already. ``needed``: returns whether it is to be shown although the others
        are folded."""
        self._needed[part] = needed
        self.fit()

    def leave_out(self, part: QWidget, out: bool) -> None:
        """Set whether a part is hidden in any case."""
        (self._left_out.add if out else self._left_out.discard)(part)
        self.fit()

    def unfold(self, show: bool = True) -> None:
        """Show all parts, or only those that are needed."""
        self._open = show
        self._show(lambda _: False)

    def fit(self, hides: bool = True) -> None:
        """Show the parts that are needed. ``hides``: also hide the others, unless one has the keyboard."""
        focus = QApplication.focusWidget()
        self._show(lambda part: bool(focus and part.isAncestorOf(focus)) or not (hides or part.isHidden()))

    def _show(self, stays: Callable[[QWidget], bool]) -> None:
        """Show the parts that are needed, and those for which ``stays`` returns True."""
        shown = {
            part: part not in self._left_out and (self._open or needed() or stays(part))
            for part, needed in self._needed.items()}
        for part, show in shown.items():
            part.setVisible(show)
        whole = self._open or (bool(shown) and all(shown.values()))
        self.button.setChecked(whole)
        self.button.setText(self._words[whole])
        self.button.setAccessibleName(self.button.text())

    def unfold_for(self, widget: QWidget) -> None:
        """Unfold if a widget is in a part that is hidden."""
        if any(part.isHidden() and (part is widget or part.isAncestorOf(widget)) for part in self._needed):
            self.unfold()


def unfold_around(widget: QWidget) -> None:
    """Unfold whatever a widget is folded in."""
    at: QWidget | None = widget
    while at is not None:
        if isinstance(fold := getattr(at, "fold", None), Fold):
            fold.unfold_for(widget)
        at = at.parentWidget()
