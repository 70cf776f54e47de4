"""Ranges of x and y that a chart shows, alone or with others below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from PySide6.QtCore import QObject, Signal

from gptstudio.gui.charts.plot import Box

Range = tuple[float, float]


@dataclass
class SharedX:
    """State of x, one for all charts that are linked: it follows all points; what was set last to show them."""

    views: list[ViewRange]
    follows: bool = True
    fitted: Range | None = None


class ViewRange(QObject):
    """Ranges of x and y in view: all points, also new ones, until the user zooms or drags.

    x is the same in all charts that are linked; y fits what of the curves is in view.
    """

    changed = Signal()
    """By the user, here or in a linked chart: the curves have to be drawn."""

    def __init__(self, box: Box, ends: Callable[[], list[Range]], least_y: Range | None) -> None:
        """``ends``: of the x of each curve. ``least_y``: as for a chart."""
        super().__init__()
        self.box, self.ends, self.x = box, ends, SharedX([self])
        self.least_x: Range | None = None
        """Part of x that is always shown when all is shown."""
        self._least_y, self._most_y = least_y, math.inf
        self._follows_y = True
        self._fitted_y: Range | None = None
        self._beyond = self._whole = False  # points are above most_y; they are shown too
        box.moved.connect(self._move)
        box.asked_for_all.connect(self.toggle)

    @property
    def is_partial(self) -> bool:
        """Return whether points may be out of view."""
        return self._beyond or not (self.x.follows and self._follows_y)

    @property
    def can_hide_top(self) -> bool:
        """Return whether points far up, which are shown, press the others together."""
        return self._whole and self._beyond and self.x.follows and self._follows_y

    def toggle(self) -> None:
        """Show all points, or those alone that are not far up."""
        self.show_all(not self.can_hide_top)

    def show_all(self, whole: bool | None = None) -> None:
        """Follow all points again, here and in the linked charts. ``whole``: from here on also those far up."""
        self._whole = self._whole if whole is None else whole
        self.x.follows, self.x.fitted = True, None
        for view in self.x.views:
            view.follow_y()
        for view in self.x.views:
            view.changed.emit()

    def follow_y(self) -> None:
        """Fit y again, as on another scale."""
        self._follows_y, self._fitted_y = True, None

    def expect_y(self, least: Range, most: float) -> None:
        """Set what y always shows, and up to where it follows the points; what is higher is shown on request."""
        self._least_y, self._most_y = least, most
        self._fitted_y = None

    def join(self, other: ViewRange) -> None:
        """Show the same x as another chart, and all that are linked with it, from here on."""
        self.x = other.x
        self.x.views.append(self)
        self.box.setXRange(*other.box.viewRange()[0], padding=0)

    def fit_x(self) -> None:
        """Show all points of the linked charts, if x follows them."""
        if not self.x.follows:
            return
        least = [view.least_x for view in self.x.views if view.least_x]
        low, high = outermost([*chain.from_iterable(view.ends() for view in self.x.views), *least])
        before = self.x.fitted
        if before and still_fits(before, low, high):
            return
        room = 0.1 * (high - low) if before and high > before[1] else 0.0  # grows: not at each tick
        shown = fitted(low, high + room, margin=0.02)
        self.x.fitted = shown if low <= high else None  # the first points do not grow out of an empty chart
        for view in self.x.views:  # also those that had reason to rest
            view.box.setXRange(*shown, padding=0)

    def fit_y(self, low: float, high: float, log: bool) -> None:
        """Show what is drawn from ``low`` to ``high``, if y follows it."""
        if not self._follows_y:
            return
        self._beyond = high > self._most_y and not log  # a logarithm has room for everything
        if self._beyond and not self._whole:
            low, high = min(low, self._most_y), self._most_y
        if not self._fitted_y or not still_fits(self._fitted_y, low, high):
            self._fitted_y = fitted(low, high, self._least_y if self.x.follows and not log else None)
            self.box.setYRange(*self._fitted_y, padding=0)

    def _move(self, axis: int) -> None:
        """Handle a zoom or drag by the user: x (0) changes in the linked charts too, y (1) only here."""
        if axis:
            self._follows_y = False
        else:
            self.x.follows = False
        for view in [self] if axis else self.x.views:
            if view is not self:
                view.box.setXRange(*self.box.viewRange()[0], padding=0)
            view.changed.emit()


def outermost(ranges: Iterable[Range]) -> Range:
    """The lowest and the highest of all; infinite and the wrong way round where there is none."""
    lows, highs = zip(*ranges, (math.inf, -math.inf), strict=True)
    return min(lows), max(highs)


def fitted(low: float, high: float, least: Range | None = None, margin: float = 0.05) -> Range:
    """A range with some air around the data, or exactly to the ``least`` that it has to show."""
    if low > high:
        return least or (0.0, 1.0)
    air = margin * (high - low) or margin * abs(high) or 1.0
    shown = low - air, high + air
    if least:
        return least[0] if low >= least[0] else shown[0], least[1] if high <= least[1] else shown[1]
    return shown


def still_fits(shown: Range, low: float, high: float) -> bool:
    """Return whether the data are inside and fill at least half: then the axis stays unchanged."""
    return shown[0] <= low and high <= shown[1] and high - low >= 0.5 * (shown[1] - shown[0])
