"""The dock of the Model panel: a strip that is always shown, and the panel, as wide as it was dragged or as its letters
need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gptstudio.app.derived import model_panel_is_open
from gptstudio.app.state import AppState
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import follow
from gptstudio.gui.model.folded_strip import FoldedStrip
from gptstudio.gui.model.model_panel import ModelPanel
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import grows, hbox, holding
from gptstudio.gui.widgets.parts import UNLIMITED, ScrollColumn, named, set_up_scroll_area

WIDEST = 0.45
"""Share of the window that the panel takes at most, however large its letters are; it scrolls then."""


class ModelDock(QDockWidget):
    """Dock at the side of a window. Qt would keep it as wide as larger letters made it."""

    def __init__(self, window: QMainWindow, panel: ModelPanel, state: AppState, actions: Actions) -> None:
        super().__init__(tr("Model"))
        self._window, self._state = window, state
        named(self, "model_dock", tr("Model"))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.column, self.strip = _PanelColumn(panel), FoldedStrip(state)
        self.strip.clicked.connect(actions["fold_model"].trigger)
        self._row = holding(QWidget(), hbox(self.strip, grows(self.column), spacing=0))
        self.setWidget(self._row)
        self.setTitleBarWidget(QWidget())  # the panel names itself
        self._width = 1  # as it was dragged; 1: as wide as its letters need
        self._zoom = theme.zoom
        window.installEventFilter(self)
        panel.installEventFilter(self)
        self._panel = panel
        self._first = panel.preset
        follow(self, self._keep_width)
        state.on(self._fold, "page", "unfolded_pages", "all_controls")
        self._place_focus()
        self._fold()

    @property
    def folded(self) -> bool:
        return self.column.isHidden()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._limit()
        elif watched is self._window and event.type() == QEvent.Type.MouseButtonRelease and not self.folded:
            self._width = self.width()  # what was let go of is the edge of the dock
        elif watched is self._panel and event.type() == QEvent.Type.LayoutRequest and self._wider_than_needed:
            QTimer.singleShot(0, self, self._resize)  # the letters became smaller
        return super().eventFilter(watched, event)

    def toggle(self) -> None:
        """Fold the panel beside the page that is shown, or open it again."""
        if model_panel_is_open(self._state):
            self._state.unfolded_pages = self._state.unfolded_pages - {self._state.page}
        else:
            self._open()

    def open(self) -> None:
        """Open the panel, with the keyboard on its first control."""
        self._open()
        self.setFocus()

    def _open(self) -> None:
        state = self._state
        state.unfolded_pages = state.unfolded_pages | {state.page}
        state.all_controls = state.all_controls or state.page == "train"

    def _fold(self) -> None:
        """Fold or open the panel, as the state has it for the page that is shown. On Learn, whose pages have their own
        parameters, the dock has no width: Qt keeps a widget each time that a dock is hidden."""
        nothing, opened = self._state.page == "learn", model_panel_is_open(self._state)
        if opened != self.folded and nothing == self.strip.isHidden():
            return
        had_focus = self.isAncestorOf(self._window.focusWidget())
        self.column.setVisible(opened)
        self.strip.setHidden(nothing)
        self._place_focus()
        if had_focus:
            self.setFocus()
        self._resize()

    @property
    def _wider_than_needed(self) -> bool:
        return not self.folded and self._width == 1 and self.width() > self._row.minimumSizeHint().width()

    def _place_focus(self) -> None:
        """Have the keyboard go to what is shown when it comes to the dock."""
        self.setFocusProxy(self.strip if self.folded else self._first)

    def _keep_width(self) -> None:
        if theme.zoom != self._zoom:
            self._zoom = theme.zoom
            self._limit()
            QTimer.singleShot(0, self, self._resize)  # once the letters have their new size

    def _limit(self) -> None:
        self.column.limit(round(WIDEST * self._window.width()) - self.strip.sizeHint().width())

    def _resize(self) -> None:
        strip = 0 if self.strip.isHidden() else self.strip.sizeHint().width()
        self.setMaximumWidth(strip if self.folded else UNLIMITED)
        for each in (self._row, self, self._window):  # from the inside out: the panel may need less width now
            if layout := each.layout():
                layout.activate()
        self._window.resizeDocks([self], [max(1, strip) if self.folded else self._width], Qt.Orientation.Horizontal)


class _PanelColumn(ScrollColumn):
    """As wide as the panel needs up to a limit; then it scrolls sideways, too."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._most = 10_000
        set_up_scroll_area(self, "model_scroll")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab reaches what is inside
        self.setWidget(panel)

    def limit(self, width: int) -> None:
        self._most = width
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(self._most, 10_000))
