"""Frame of the main window: a line between docks, the tabs of the pages, and projector mode.

The window itself has no style sheet, which would style everything in it a second time: its parts have their own.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenuBar,
    QProxyStyle,
    QStackedWidget,
    QStyle,
    QStyleOption,
    QTabBar,
    QWidget,
)

from gptstudio.app.state import PAGES, AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import appearance, screen_of
from gptstudio.gui.commands import PAGE_TITLES
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.deferred import focus_next
from gptstudio.gui.widgets.layouts import vbox, with_layout
from gptstudio.gui.widgets.parts import named, scrolling_both_ways


class EdgedWindow(QMainWindow):
    """Main window with a style of its own, which its widgets do not use."""

    def __init__(self) -> None:
        super().__init__()
        style = _EdgeStyle("Fusion")
        style.setParent(self)
        self.setStyle(style)
        self._menu_bar = QMenuBar(self)

    def menuBar(self) -> QMenuBar:
        """Return the menu bar; QMainWindow's own method returns none if there is a widget below it."""
        return self._menu_bar

    def put_above(self, widget: QWidget) -> None:
        """Put a widget below the menus and above the docks, where no dock moves it."""
        above = QWidget()
        above.setObjectName("above_docks")
        self.setMenuWidget(with_layout(above, vbox(self._menu_bar, widget, spacing=0)))

    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_next(self, forward)


class _EdgeStyle(QProxyStyle):
    """Style that draws the separator between a dock and its neighbour as a line of one pixel."""

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_DockWidgetSeparatorExtent:
            return 1
        return super().pixelMetric(metric, option, widget)

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element == QStyle.PrimitiveElement.PE_IndicatorDockWidgetResizeHandle:
            painter.fillRect(option.rect, colour("line"))
        else:
            super().drawPrimitive(element, option, painter, widget)


class PageTabs(QStackedWidget):
    """Stack that shows the page of the state; each page is created when it is first shown.

    ``page_of``: returns the widget of a page by its name; ``bar``: tabs, above the docks of the window, so that a dock
    does not move them.
    """

    shown = Signal(str)
    """Emitted with the name of the page that is now shown."""

    def __init__(self, state: AppState, page_of: Callable[[str], QWidget]) -> None:
        super().__init__()
        self._state, self._page_of = state, page_of
        self._in_place: dict[QWidget, QWidget] = {}  # controls that got the focus instead of disabled ones
        self.bar = named(QTabBar(), "tabs", tr("Train, compare runs, view texts, generate"))
        self.bar.setDocumentMode(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideRight)  # for large text in a narrow window
        self._scrolls = {name: scrolling_both_ways(f"{name}_scroll") for name in PAGES}
        for number, (name, scroll) in enumerate(self._scrolls.items()):
            self.addWidget(scroll)
            self.bar.addTab(tr(PAGE_TITLES[name]))
            self.bar.setTabToolTip(number, f"Ctrl+{number + 2}")
        self.bar.currentChanged.connect(lambda number: setattr(state, "page", PAGES[number]))
        theme.dress(self.bar)
        state.on(self.show_page, "page")
        state.page_requested.connect(self._focus)

    def make(self, name: str) -> None:
        """Create a page, and put it into its tab. The parts of a large page are styled one by one."""
        page, scroll = self._page_of(name), self._scrolls[name]
        scroll.setWidget(page)
        page.setAutoFillBackground(False)  # shows the background of the window
        theme.dress(scroll.horizontalScrollBar(), scroll.verticalScrollBar(), *getattr(page, "parts", (page,)))

    def show_page(self) -> None:
        name = self._state.page
        self.make(name)
        appearance.catch_up(self._scrolls[name])
        self.setCurrentIndex(PAGES.index(name))
        self.bar.setCurrentIndex(PAGES.index(name))
        self.shown.emit(name)

    def _focus(self, name: str) -> None:
        page = self._page_of(name)
        first = control = getattr(page, "main_control", page.focusProxy() or page)
        while not _takes_keys(control) and (control := control.nextInFocusChain()) is not first:
            pass
        control.setFocus()
        if not first.isEnabled():  # Start, while the text is read: the keys are for Start, not for Reset
            self._in_place[first] = control
            first.installEventFilter(self)

    def eventFilter(self, control: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.EnabledChange and isinstance(control, QWidget) and control.isEnabled():
            control.removeEventFilter(self)
            if self._in_place.pop(control, None) is QApplication.focusWidget():
                control.setFocus()
        return False


def _takes_keys(control: QWidget) -> bool:
    return control.isEnabled() and control.isVisible() and bool(control.focusPolicy() & Qt.FocusPolicy.TabFocus)


SCREEN = QSize(850, 512)
"""Screen size in pixels at which text of the default size has the same relative size as on a projector."""
SMALLEST, LARGEST = 1.5, 2.0
"""Bounds of the text size; the lower one is reduced if the system has enlarged everything."""


class Projector(QObject):
    """Projector mode: fills the screen, folds panels, enlarges text and curves, light on dark; restores all later."""

    def __init__(self, window: QMainWindow, state: AppState, actions: Actions) -> None:
        super().__init__(window)
        self._window, self._state, self._actions = window, state, actions
        self._geometry = QByteArray()
        self._unfolded, self._all_controls = state.unfolded_pages, state.all_controls
        self._escape = QShortcut(QKeySequence("Escape"), window, context=Qt.ShortcutContext.ApplicationShortcut)
        self._escape.activated.connect(self.leave)
        self._escape.setEnabled(False)

    def toggle(self) -> None:
        if theme.projecting:
            self.leave()
        else:
            self._enter()

    def _enter(self) -> None:
        window, state = self._window, self._state
        self._geometry = window.saveGeometry()
        self._unfolded, self._all_controls = state.unfolded_pages, state.all_controls
        state.unfolded_pages, state.all_controls = frozenset(), False
        screen = screen_of(window)
        zoom = min(LARGEST, screen.size().width() / SCREEN.width(), screen.size().height() / SCREEN.height())
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        theme.project(True, max(zoom, SMALLEST / screen.devicePixelRatio()))
        self._changed()

    def leave(self) -> None:
        """Restore size, panels, colours and text size; outside projector mode, do nothing."""
        if theme.projecting:
            self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)
            theme.project(False)
            self._window.restoreGeometry(self._geometry)
            self._state.unfolded_pages, self._state.all_controls = self._unfolded, self._all_controls
            self._changed()

    def _changed(self) -> None:
        self._escape.setEnabled(theme.projecting)
        self._actions.update()
