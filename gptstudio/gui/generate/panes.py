"""The panes below the text, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from gptstudio.app.state import Selection
from gptstudio.gui.forms.segments import SegmentedPages
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.deferred import Deferred
from gptstudio.gui.widgets.parts import named

LEAST_LINES = 22
"""Of the font, where the page scrolls as a whole."""


class Pane(NamedTuple):
    """A pane below the text: ``make`` returns a widget with a method ``show_selection``, called whenever the text or
    the chosen token may be others. It does nothing but keep the selection while it is hidden. ``deferred``: it is made
    when it is first shown, or first asked for."""

    name: str
    title: str
    make: Callable[[], Any]
    deferred: bool = False


class PaneGroup(NamedTuple):
    """Panes that share a tab, with a segment for each; ``help``: what they have in common."""

    name: str
    title: str
    help: str
    panes: Sequence[Pane]


class Panes(QTabWidget):
    """Shows one of the panes."""

    def __init__(self, entries: Sequence[Pane | PaneGroup]) -> None:
        super().__init__()
        named(self, "write_panes", tr("Choices, branches, the inside of the model, experiments"))
        self._selection = Selection()
        self._whole = False
        self._widgets: dict[str, Any] = {}  # the panes, or their places
        self._groups: list[SegmentedPages] = []
        for entry in entries:
            self.addTab(self._group(entry) if isinstance(entry, PaneGroup) else self._place(entry), tr(entry.title))
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)

    def _place(self, pane: Pane) -> QWidget:
        place = Deferred(partial(self._make, pane)) if pane.deferred else pane.make()
        self._widgets[pane.name] = place
        return place

    def _group(self, group: PaneGroup) -> SegmentedPages:
        titles, places = [tr(pane.title) for pane in group.panes], [self._place(pane) for pane in group.panes]
        self._groups.append(SegmentedPages(group.name, titles, places, tr(group.help)))
        return self._groups[-1]

    def __getitem__(self, name: str) -> Any:
        """Return the pane of a name, made if need be."""
        found = self._widgets[name]
        return found.widget if isinstance(found, Deferred) else found

    def open(self, name: str) -> None:
        place = self._widgets[name]
        for group in self._groups:
            if group.indexOf(place) >= 0:
                group.setCurrentWidget(place)
                place = group
        self.setCurrentWidget(place)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._widgets)

    @property
    def shown(self) -> str:
        """The name of the pane that is open."""
        current = self.currentWidget()
        place = current.currentWidget() if isinstance(current, SegmentedPages) else current
        return next(name for name, each in self._widgets.items() if each is place)

    def show_selection(self, selection: Selection) -> None:
        """Show the text and the chosen token as they are now."""
        self._selection = selection
        for found in self._widgets.values():
            pane = found.there if isinstance(found, Deferred) else found
            if pane is not None:
                pane.show_selection(selection)

    def show_whole(self, whole: bool) -> None:
        """Set whether the page scrolls; if so, the panes keep a comfortable minimum height."""
        self._whole = whole
        self.setMinimumHeight(LEAST_LINES * self.fontMetrics().height() if whole else 0)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.show_whole(self._whole)
        super().changeEvent(event)

    def _make(self, pane: Pane) -> QWidget:
        made = pane.make()
        made.show_selection(self._selection)
        return made  # type: ignore[no-any-return]
