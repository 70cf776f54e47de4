"""The items of a painted widget: where they are, what is said of them, and which one is pointed at.

A screen reader hears the words of the item as the description of the widget. The items are no accessible children:
PySide6 6.11 leaves one interface behind for each widget, and ends with a segmentation fault where it has collected a
child that Qt still knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal

from gptstudio.gui.canvas.painted import Painted
from gptstudio.gui.widgets.parts import plain

KEYS = Qt.Key
ARROWS = {KEYS.Key_Left: (0, -1), KEYS.Key_Right: (0, 1), KEYS.Key_Up: (-1, 0), KEYS.Key_Down: (1, 0)}
"""Rows down and columns to the right."""
ENDS = (KEYS.Key_Home, KEYS.Key_End)


class Items(Painted):
    """Mixin of a widget with items that have a place and words; emits which of them is pointed at."""

    pointed = Signal(object)  # item, or None

    moves: Collection[Qt.Key] = (*ARROWS, *ENDS)
    """The keys that lead from item to item."""
    points_by_keys = True
    """True if these keys move what is pointed at; False if they move something of the widget's own."""
    remembers = True
    """True if the keys start from the item that was pointed at last."""

    item: Any = None
    """That is pointed at."""
    explain: Callable[[Any], str] | None = None
    """Function that returns the words of an item, where the widget has none of its own."""
    lit: frozenset[Any] = frozenset()
    """Those that others mark."""
    _last: Any = None
    _summary = ""

    # What a widget has.

    def items(self) -> Mapping[Any, QRectF]:
        """Return the rectangles of the items, in the order in which keys reach them."""
        return {}

    def words(self, item: Any) -> str:
        """Return all that is known of an item, for its tooltip and for a screen reader."""
        return self.explain(item) if self.explain else ""

    def tip(self, item: Any) -> str:
        """Return the words of an item as a tooltip takes them, which would take a text for HTML."""
        return plain(self.words(item))

    def table(self) -> Sequence[Sequence[str]]:
        """Return the table that is copied: a row for each item."""
        return [self.words(item).split("\n") for item in self.items()]

    def activate(self, _item: Any) -> bool:
        """Act on a click or on Enter at an item; return whether there was anything to do."""
        return False

    # Geometry.

    def place(self, item: Any) -> QRectF:
        """Return the rectangle of an item."""
        return self.items()[item]

    def item_at(self, point: QPointF) -> Any:
        """Return the item at a point, or None."""
        return next((item for item, place in self.items().items() if place.contains(point)), None)

    def here(self) -> Any:
        """Return the item from which the keys start, or None."""
        return self._last if self.item is None and self.remembers else self.item

    def entry(self) -> Any:
        """Return the item that is pointed at when Tab brings the focus, or None."""
        items, known = self.items(), self.remembers and self._last is not None
        return self._last if known and self._last in items else next(iter(items), None)

    def step(self, key: Qt.Key, start: Any) -> Any:
        """Return the item that a key leads to, or None; by default the next in order, never over an end."""
        items = list(self.items())
        if start not in items or key in ENDS:
            return items[-1 if key == KEYS.Key_End else 0]
        return items[min(max(0, items.index(start) + sum(ARROWS[key])), len(items) - 1)]

    def go_to(self, item: Any) -> None:
        """Follow a key to an item."""
        self.point_at(item)

    def point_at(self, item: Any) -> None:
        """Point at an item, or at none."""
        if item != self.item:
            before, self.item = self.item, item
            self._last = self._last if item is None else item
            self.describe()
            self.refresh(before, item)
            self.pointed.emit(item)

    def light(self, items: Iterable[Any]) -> None:
        """Mark these items, and no others."""
        lit = frozenset(items)
        if lit != self.lit:
            self.lit = lit
            self.surface().update()

    def describe(self, summary: str | None = None) -> None:
        """Tell a screen reader the item that is pointed at, or else a summary, which may be a new one."""
        self._summary = self._summary if summary is None else summary
        spoken = self.words(self.item) if self.item is not None and self.points_by_keys else ""
        self.setAccessibleDescription(spoken or self._summary)

    def table_words(self) -> str:
        """Return the table in a line for a screen reader: cells with spaces, rows with semicolons between them."""
        return "; ".join(" ".join(filter(None, row)) for row in self.table())

    def refresh(self, *_items: Any) -> None:
        """Have these items painted again, of which some may be None; by default everything."""
        self.surface().update()

    def remeasure(self) -> None:
        """Follow another content, font or theme: what is pointed at may be no more."""
        if self.item is not None and self.item not in self.items():
            self.point_at(None)
        super().remeasure()
