"""What the keys do, wherever in the window they are pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from gptstudio.gui.lessons.locks import LOCKED
from gptstudio.gui.theme import theme

if TYPE_CHECKING:
    from gptstudio.gui.window import MainWindow

STEP_KEYS = (Qt.Key.Key_S, Qt.Key.Key_Period)


def add_shortcuts(window: MainWindow) -> None:
    """Those with Ctrl, which work also while one types."""
    actions = {
        "Ctrl+Return": lambda: _primary(window),
        "Ctrl+Enter": lambda: _primary(window),
        "Ctrl+1": window.panel.preset.setFocus,
        "Ctrl+2": lambda: window.go_to(window.train, window.train.start),
        "Ctrl+3": lambda: window.go_to(window.generate, window.generate.prompt),
        "Ctrl+4": lambda: window.go_to(window.runs, window.runs),
        "Ctrl+5": lambda: window.go_to(window.texts, window.texts),
        "Ctrl+6": lambda: window.go_to(window.learn, window.learn),
        "Ctrl+Z": lambda: window.generate.undo(),
        "Ctrl+Shift+Z": lambda: window.generate.redo(),
        "Ctrl+Y": lambda: window.generate.redo(),
        "Ctrl+=": lambda: theme.enlarge(1.1),
        "Ctrl++": lambda: theme.enlarge(1.1),
        "Ctrl+-": lambda: theme.enlarge(1 / 1.1),
        "Ctrl+0": lambda: theme.enlarge(None),
    }
    for keys, action in actions.items():
        QShortcut(QKeySequence(keys), window).activated.connect(action)


def press(window: MainWindow, event: QKeyEvent) -> bool:
    """Space, Esc, S, P, the full stop and the comma, where the control with the focus has no use for them.

    Whether it was one of them."""
    if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat() and not window.learning:
        _primary(window)
    elif event.key() == Qt.Key.Key_Escape:
        window.current.stop()
    elif event.key() in STEP_KEYS and window.current is window.train and not event.isAutoRepeat():
        window.train.step()
    elif event.key() in STEP_KEYS and window.current is window.generate:
        window.generate.step()
    elif event.key() == Qt.Key.Key_Comma and window.current is window.generate:
        window.generate.step_back()
    elif event.key() == Qt.Key.Key_P and window.current is window.generate:
        window.generate.play()
    else:
        return False
    return True


def _primary(window: MainWindow) -> None:
    """What the large button of the page does, unless a lesson holds that button."""
    buttons: dict[QWidget, QWidget] = {window.train: window.train.start, window.generate: window.generate.go}
    large = buttons.get(window.current)
    if not (large and large.property(LOCKED)):
        window.current.primary()
