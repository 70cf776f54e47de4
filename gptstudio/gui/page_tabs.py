"""The pages of the window and the bar with their tabs, which begins at the same place whatever stands beside a page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from gptstudio.app.state import PAGES, AppState
from gptstudio.gui.appearance import appearance
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named, scrolling_both_ways


class PageTabs(QStackedWidget):
    """Shows the page of the state; each page is made when it is first shown. ``page_of``: returns the widget of a page
    by its name. ``bar``: the tabs, which stand above the docks of the window, so that a dock does not move them."""

    shown = Signal(str)
    """Emitted with the name of the page that is shown now."""

    def __init__(self, state: AppState, page_of: Callable[[str], QWidget]) -> None:
        super().__init__()
        self._state, self._page_of = state, page_of
        self.bar = named(QTabBar(), "tabs", tr("Train, compare runs, view texts, generate"))
        self.bar.setDocumentMode(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideRight)  # of large text in a narrow window
        names = {
            "train": tr("Train"), "generate": tr("Generate"), "runs": tr("Runs"), "texts": tr("Texts"),
            "learn": tr("Learn"),
        }
        self._scrolls = {name: scrolling_both_ways(f"{name}_scroll") for name in PAGES}
        for number, (name, scroll) in enumerate(self._scrolls.items()):
            self.addWidget(scroll)
            self.bar.addTab(names[name])
            self.bar.setTabToolTip(number, f"Ctrl+{number + 2}")
        self.bar.currentChanged.connect(lambda number: setattr(state, "page", PAGES[number]))
        theme.dress(self.bar)
        state.on(self.show_page, "page")
        state.page_requested.connect(self._focus)

    def make(self, name: str) -> None:
        """Make a page, and put it into its tab. A large page has several parts, which are dressed one by one."""
        page, scroll = self._page_of(name), self._scrolls[name]
        scroll.setWidget(page)
        page.setAutoFillBackground(False)  # the window's ground is behind it
        theme.dress(scroll.horizontalScrollBar(), scroll.verticalScrollBar(), *getattr(page, "parts", (page,)))

    def show_page(self) -> None:
        """Show the page of the state."""
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


def _takes_keys(control: QWidget) -> bool:
    return control.isEnabled() and control.isVisible() and bool(control.focusPolicy() & Qt.FocusPolicy.TabFocus)
