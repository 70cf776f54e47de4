"""Keyboard shortcuts that work anywhere in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from gptstudio.gui.locks import held

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
        "Ctrl+Z": lambda: _unless_held(window.generate.view.transport.undo, window.generate.undo),
        "Ctrl+Shift+Z": lambda: _unless_held(window.generate.view.transport.redo, window.generate.redo),
        "Ctrl+Y": lambda: _unless_held(window.generate.view.transport.redo, window.generate.redo),
        "Ctrl+=": window.view_menu.larger.trigger,
        "Ctrl++": window.view_menu.larger.trigger,
        "Ctrl+-": window.view_menu.smaller.trigger,
        "Ctrl+0": window.view_menu.usual.trigger,
    }
    for keys, action in actions.items():
        QShortcut(QKeySequence(keys), window).activated.connect(action)


def press(window: MainWindow, event: QKeyEvent) -> bool:
    """Space, Esc, S, P, the full stop and the comma, where the control with the focus has no use for them.

    Whether it was one of them."""
    if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat() and not window.learning:
        _primary(window)
    elif event.key() == Qt.Key.Key_Escape:
        stops: dict[QWidget, QWidget] = {window.train: window.train.stop_button, window.generate: window.generate.go}
        _unless_held(stops.get(window.current), window.current.stop)
    elif event.key() in STEP_KEYS and window.current is window.train and not event.isAutoRepeat():
        _unless_held(window.train.run_controls.step, window.train.step)
    elif event.key() in STEP_KEYS and window.current is window.generate:
        _unless_held(window.generate.view.transport.forward, window.generate.step)
    elif event.key() == Qt.Key.Key_Comma and window.current is window.generate:
        _unless_held(window.generate.view.transport.back, window.generate.step_back)
    elif event.key() == Qt.Key.Key_P and window.current is window.generate:
        _unless_held(window.generate.view.transport.play, window.generate.play)
    else:
        return False
    return True


def _primary(window: MainWindow) -> None:
    """Trigger the page's main button."""
    buttons: dict[QWidget, QWidget] = {window.train: window.train.start, window.generate: window.generate.go}
    _unless_held(buttons.get(window.current), window.current.primary)


def _unless_held(control: QWidget | None, act: Callable[[], object]) -> None:
    """Run an action unless its control is locked: a key is locked with its control."""
    if not held(control):
        act()
