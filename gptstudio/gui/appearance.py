"""Changes of theme and text size: visible widgets follow at once, all others when they are shown.

A window consists of parts, such as its pages, that each have the theme's style sheet (``theme.dress``). Qt restyles all
widgets below a style sheet that changes, 0.1 ms each, hidden or not. So a hidden part waits until it is shown, and the
visible parts follow one after the other, with a pass of the event loop in between if that takes long.

A window is never larger than the screen: content that does not fit scrolls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary, WeakMethod, WeakSet

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QScreen, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLayout, QScrollArea, QStyle, QVBoxLayout, QWidget
from shiboken6 import isValid

from gptstudio.gui.theme import theme

SCROLL = "window_scroll"
BORDER = 4
"""Pixels assumed for a window's frame at each side, which is not known before the window is shown."""


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    """Yield the ancestors of a widget, from near to far."""
    at = widget.parentWidget()
    while at is not None:
        yield at
        at = at.parentWidget()


def screen_of(widget: QWidget) -> QScreen:
    """Return the screen that contains the centre of a widget's window.

    PySide 6.11 takes the result of QWidget.screen() for a child of the widget, and invalidates it when the widget is
    deleted; the next window that is created on the screen then crashes.
    """
    middle = widget.window().frameGeometry().center()
    return QApplication.screenAt(middle) or QApplication.primaryScreen()


def fit_to_screen(window: QWidget) -> None:
    """Make a window no larger than its screen without the title bar and the panels of the desktop, and a dialog as high
    as its wrapped texts need."""
    title = QApplication.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    over = window.parentWidget()
    screen = screen_of(over or window)
    room = screen.availableSize() - QSize(2 * BORDER, title + 2 * BORDER)
    if over:  # the user may have enlarged that window over several screens
        room = room.expandedTo(over.window().size())
    if layout := window.layout():
        layout.activate()  # the text may just have grown
    least = window.minimumSizeHint().expandedTo(window.minimumSize())
    if layout and layout.hasHeightForWidth() and isinstance(window, QDialog):
        width = max(window.width(), least.width())
        least = least.expandedTo(QSize(0, layout.totalMinimumHeightForWidth(width)))
        window.resize(width, max(window.height(), least.height()))
    if least != least.boundedTo(room) and isinstance(window, QDialog):
        _let_scroll(window)
        window.setMinimumSize(0, 0)
    if window.size() != window.size().boundedTo(room) and not window.isFullScreen():
        window.resize(window.size().boundedTo(room))


IN_DIALOGS = ("show_manual_action", "whats_this_action", "projector_action")
"""Names of the window's actions whose keys also work in the dialogs over it."""


def explain(dialog: QWidget) -> None:
    """Enable F1, Shift+F1 and F11 in a dialog over a window, because the window's shortcuts do not reach it."""
    here = Qt.FindChildOption.FindDirectChildrenOnly
    for over in ancestors(dialog):
        dialog.addActions([action for action in over.findChildren(QAction, options=here)
                           if action.objectName() in IN_DIALOGS])


class Dialog(QDialog):
    """Dialog that is fitted to its content and its screen. ``once``: whether it is deleted when it is closed."""

    def __init__(
        self, over: QWidget, name: str, title: str = "", flags: Qt.WindowType = Qt.WindowType.Dialog, once: bool = False
    ) -> None:
        super().__init__(over, flags)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, once)

    def assemble(self, layout: QLayout) -> None:
        """Set the layout and the style sheet, and enable the window's keys for help."""
        self.setLayout(layout)
        theme.dress(self)
        explain(self)

    def open_up(self) -> None:
        """Show the dialog in front of all windows, without blocking them."""
        self.show()
        self.raise_()
        self.activateWindow()

    def showEvent(self, event: QShowEvent) -> None:
        fit_to_screen(self)
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            fit_to_screen(self)  # a text may have more lines now
        return done


def _let_scroll(window: QWidget) -> None:
    """Put the content of a window into a scroll area."""
    layout = window.layout()
    if layout is None or window.findChild(QScrollArea, SCROLL):
        return
    area, inside = QScrollArea(), QWidget()
    inside.setLayout(layout)
    area.setObjectName(SCROLL)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    area.setWidget(inside)
    around = QVBoxLayout(window)
    around.setContentsMargins(0, 0, 0, 0)
    around.addWidget(area)


SLICE_S = 0.01
"""Seconds of work after which control returns to the event loop."""

followers: WeakKeyDictionary[QWidget, list[WeakMethod[Callable[[], object]]]] = WeakKeyDictionary()
"""Methods to call after changes of theme or text size, by their widgets."""


def on_restyle(widget: QWidget, *updates: Callable[[], object]) -> None:
    """Call methods, held weakly, after changes of theme or text size, once the widget has its new font and style."""
    followers.setdefault(widget, []).extend(map(WeakMethod, updates))


class Appearance(QObject):
    """Updates the widgets of the application, part by part."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[QWidget | list[QWidget]] = []
        self._hidden: WeakSet[QWidget] = WeakSet()
        self._next = QTimer(self, interval=0, singleShot=True)
        self._next.timeout.connect(self._continue)
        theme.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Update everything visible: the parts, then the widgets around them."""
        around, self._waiting = list[QWidget](), []
        for widget in [top for top in QApplication.topLevelWidgets() if not top.parent()]:
            around += self._inside(widget)
        self._waiting.append(around)
        self._continue()

    def catch_up(self, widget: QWidget) -> None:
        """Update the hidden parts of a widget that is shown next, so that its layout uses their new sizes."""
        for part in list(self._hidden):
            if isValid(part) and (part is widget or (widget.isAncestorOf(part) and part.isVisibleTo(widget))):
                self._show(part)

    def eventFilter(self, part: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(part, QWidget):
            self._show(part)
        return False

    def _show(self, part: QWidget) -> None:
        part.removeEventFilter(self)
        self._hidden.discard(part)
        _update(self._inside(part, whole=True))

    def _continue(self) -> None:
        end = time.perf_counter() + SLICE_S
        while self._waiting:
            part = self._waiting.pop(0)
            _update(part if isinstance(part, list) else self._inside(part, whole=True))
            if time.perf_counter() > end:
                self._next.start()
                return

    def _inside(self, widget: QWidget, whole: bool = False) -> Iterator[QWidget]:
        """Yield a widget and its descendants without parts, which are updated later, or when they are shown. ``whole``:
        also if the widget itself is a part."""
        if not isValid(widget):
            return
        if not whole and theme.dresses(widget):
            if widget.isVisible():
                self._waiting.append(widget)
            else:
                widget.installEventFilter(self)
                self._hidden.add(widget)
            return
        yield widget
        for child in widget.children():
            if isinstance(child, QWidget):
                yield from self._inside(child)


appearance = Appearance()


def _update(widgets: Iterable[QWidget]) -> None:
    widgets = [widget for widget in widgets if isValid(widget)]
    for widget in widgets:
        theme.restyle(widget)
        widget.update()
    inner_first = reversed(widgets)  # so that a page can adjust the widgets in it
    for follower, method in [(each, method) for each in inner_first for method in followers.get(each, ())]:
        if isValid(follower) and (update := method()):  # an earlier update may have deleted it
            update()
    for dialog in [each for each in widgets if isValid(each) and isinstance(each, QDialog)]:
        fit_to_screen(dialog)
