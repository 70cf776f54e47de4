"""Labels, buttons, frames and rows of figures, each in one line where they are used.

A label can be a term of the glossary: it has a dotted underline and a card on hover, and a click opens its entry.
"""

from __future__ import annotations

import html
import math
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, QObject, QPointF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolTip,
    QWidget,
)

from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.layouts import vbox, with_layout


class TermSource(QObject):
    """Knows the terms, for the labels in a window whose direct child it is.

    ``card``: returns what a term means and what it comes to now, as rich text; empty if it is not known. ``open``:
    opens the entry of a term.
    """

    def __init__(self, window: QObject, card: Callable[[str], str], open_entry: Callable[[str], object]) -> None:
        super().__init__(window)
        self.card, self.open = card, open_entry


class TermLabel(QLabel):
    """``term``: its key in the glossary."""

    def __init__(self, text: str, term: str) -> None:
        super().__init__(text)
        self.term = term
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and (source := self._source()):
            help_event = cast(QHelpEvent, event)
            if card := source.card(self.term):
                QToolTip.showText(help_event.globalPos(), card + self._tip_around(), self, self.rect())
                return True
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        source = self._source()
        if source and event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            source.open(self.term)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        metrics, painter = self.fontMetrics(), QPainter(self)
        painter.setPen(QPen(colour("muted"), 1, Qt.PenStyle.DotLine))
        width = min(metrics.horizontalAdvance(self.text()), self.width())
        line = (self.height() + metrics.ascent() - metrics.descent()) / 2 + 2.5
        painter.drawLine(QPointF(0, line), QPointF(width, line))

    def _source(self) -> TermSource | None:
        return cast("TermSource | None", self.window().findChild(
            TermSource, options=Qt.FindChildOption.FindDirectChildrenOnly))

    def _tip_around(self) -> str:
        """Return the tooltip of what the label belongs to, such as the field that it names."""
        around = self.parentWidget()
        tip = around.toolTip() if isinstance(around, QWidget) else ""
        return f"<hr>{_paragraphs(tip)}" if tip else ""


def _paragraphs(text: str) -> str:
    """Return text as rich text, letter by letter; a line each."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))


W = TypeVar("W", bound=QWidget)
UNLIMITED = 16_777_215
"""Maximum width or height of a widget without a limit: QWIDGETSIZE_MAX of Qt."""
ONE_CONTROL = "one_control"
"""The property of a widget that is a control with its label."""


def named(widget: W, name: str, accessible: str) -> W:
    """Gives a control the name that tests find it by and the words that a screen reader says."""
    widget.setObjectName(name)
    widget.setAccessibleName(accessible)
    if isinstance(widget, (QComboBox, QAbstractSpinBox, QAbstractSlider)):
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by Qt's own choice the wheel would give it the focus
        widget.installEventFilter(_ScrolledPast(widget))
    return widget


class _ScrolledPast(QObject):
    """Event filter that leaves the wheel to the scroll area unless the control has the focus: scrolling must not change
    it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def one_control(whole: W) -> W:
    """Mark a widget as one control with the label in it: a lesson points at it, locks and hides it as a whole."""
    whole.setProperty(ONE_CONTROL, True)
    return whole


def label(
    text: str = "", role: str = "", name: str = "", wrap: bool = False, buddy: QWidget | None = None, term: str = ""
) -> QLabel:
    """A label in one of the roles of the theme: heading, muted, problem, notice, figure. ``buddy``: what it names.
    ``term``: key in the glossary of what it says."""
    made = TermLabel(text, term) if term else QLabel(text)
    _set_up(made, name, role, wrap)
    if buddy:
        made.setBuddy(buddy)
    return made


def _set_up(label: QLabel, name: str, role: str, wrap: bool) -> None:
    """Name a label and give it its role; its text is never interpreted."""
    label.setProperty("role", role)
    label.setObjectName(name)
    label.setWordWrap(wrap)
    label.setTextFormat(Qt.TextFormat.PlainText)


class Notice(QLabel):
    """Error message, or one in another role; hidden while it is empty."""

    def __init__(self, name: str, role: str = "problem") -> None:
        super().__init__()
        _set_up(self, name, role, wrap=True)
        self._role = role
        self.hide()

    def setText(self, text: str) -> None:
        self._show(text, self._role)

    def note(self, text: str) -> None:
        """Show what is worth knowing and no error."""
        self._show(text, "notice")

    def _show(self, text: str, role: str) -> None:
        restyle(self, role=role)
        super().setText(text)
        self.setVisible(bool(text))


class WrappedLabel(QLabel):
    """Label with as many lines as its width takes, also in a layout that does not ask for a height by width."""

    def __init__(self, name: str, role: str = "") -> None:
        super().__init__()
        _set_up(self, name, role, wrap=True)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width(), max(least.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


def set_entries(box: QComboBox, entries: Sequence[str], index: int, data: Sequence[object] = ()) -> None:
    """Put entries into a box, each with its datum if there are data, and choose one of them, without a signal."""
    with QSignalBlocker(box):
        if [box.itemText(place) for place in range(box.count())] != list(entries):
            box.clear()
            box.addItems(entries)
        for place, each in enumerate(data):
            box.setItemData(place, each)
        box.setCurrentIndex(index)


def plain(text: str) -> str:
    """Text from a file or a user, for a tool tip, which would take it for HTML: shown as it is."""
    return f"<p>{html.escape(text).replace(chr(10), '<br>')}</p>" if "<" in text else text


CHANGED_S = 0.6
"""Seconds after its text has changed in which a visible button takes no click."""

_DIGITS = re.compile(r"[\d.,]+")


class Button(QPushButton):
    """Push button that takes no click just after its text has changed, so that a double click on Start does not also
    press Pause, which takes its place. A changed number in the text changes no meaning."""

    _changed_at = -math.inf

    def setText(self, text: str) -> None:
        if self.isVisible() and _DIGITS.sub("", text) != _DIGITS.sub("", self.text()):
            self._changed_at = time.monotonic()
        super().setText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._has_just_changed():
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in PRESSING_KEYS or not self._has_just_changed():
            super().keyPressEvent(event)

    def _has_just_changed(self) -> bool:
        return time.monotonic() - self._changed_at < CHANGED_S


PRESSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


def button(
    text: str, name: str, tip: str = "", role: str = "", do: Callable[..., object] | None = None
) -> QPushButton:
    """Return a button. ``do``: called on a click."""
    made = named(Button(text), name, text)
    made.setProperty("role", role)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    if do:
        made.clicked.connect(do)
    return made


_usual: WeakKeyDictionary[QWidget, tuple[str, str]] = WeakKeyDictionary()
"""Tip and description of controls that are off, as they are while these are on."""


def set_blocker(control: QWidget, why_not: str = "", does: str = "") -> None:
    """Turn a control on; or off, with the reason as its tip and as what a screen reader says of it.

    Args:
        why_not: the reason why it is off; empty turns it on.
        does: its tip while it is on, where that changes.
    """
    if not why_not:
        control.setEnabled(True)
        if control in _usual:
            tip, description = _usual.pop(control)
            control.setToolTip(tip)
            control.setAccessibleDescription(description)
        if does:
            control.setToolTip(does)
        return
    _usual.setdefault(control, (control.toolTip(), control.accessibleDescription()))
    control.setEnabled(False)
    control.setToolTip(plain(why_not))
    control.setAccessibleDescription(why_not)


class ScrollColumn(QScrollArea):
    """Scroll area that scrolls only vertically, and is as wide as its content needs at any text size."""

    scrolled_by_page = False
    """True if the page scrolls as a whole: the widget is then as high as its content."""

    def set_scrolled_by_page(self, whole: bool) -> None:
        self.scrolled_by_page = whole
        self.updateGeometry()

    def setWidget(self, widget: QWidget) -> None:
        super().setWidget(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()  # larger text inside makes the column wider
        return super().eventFilter(watched, event)

    def minimumSizeHint(self) -> QSize:
        held = self.widget()
        inside = held.minimumSizeHint() if held else QSize()
        height = inside.height() if self.scrolled_by_page else 80
        return QSize(inside.width() + self.verticalScrollBar().sizeHint().width(), height)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


def scrolling(inside: QWidget, name: str, reached: bool = True) -> ScrollColumn:
    """``inside`` with a vertical scroll bar when it needs one. ``reached``: by the Tab key, to be scrolled by keys;
    False where there are controls inside, which Tab reaches and which pass these keys on."""
    area = ScrollColumn()
    if not reached:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    set_up_scroll_area(area, name)
    area.setWidget(inside)
    return area


def scrolling_both_ways(name: str) -> QScrollArea:
    """Return a scroll area with horizontal and vertical scroll bars as needed."""
    area = QScrollArea()
    set_up_scroll_area(area, name)
    return area


def set_up_scroll_area(area: QScrollArea, name: str) -> None:
    """Name a scroll area, and take its frame and ground away."""
    area.setObjectName(name)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.viewport().setAutoFillBackground(False)


def restyle(widget: QWidget, **properties: object) -> None:
    """Sets properties that the style sheet looks at, and applies it again only if one changed."""
    changed = {key: value for key, value in properties.items() if widget.property(key) != value}
    for key, value in changed.items():
        widget.setProperty(key, value)
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def menu_action(menu: QMenu, words: str) -> QAction:
    """Return a new action at the end of a menu, which can be kept in an attribute.

    An action that ``QMenu.addAction(words)`` makes is Qt's own. When a dock of a window is deleted, PySide invalidates
    the Python objects of all that Qt has made in that window, although these live on: "already deleted".
    """
    made = QAction(words, menu)
    menu.addAction(made)
    return made


SPACING = 8
NO_TERMS: Mapping[str, str] = MappingProxyType({})


class FigureRow(QWidget):
    """Captions and values that keep their places while the values change; fewer beside each other where it is narrow.

    ``columns``: as many beside each other at most; 0: all. ``terms``: keys in the glossary of captions, by their names.
    """

    def __init__(self, captions: dict[str, str], prefix: str, columns: int = 0, terms: Mapping[str, str] = NO_TERMS):
        super().__init__()
        self._values = {name: label("–", "figure", f"{prefix}_{name}") for name in captions}
        self._cells = {name: _cell(words, self._values[name], terms.get(name, "")) for name, words in captions.items()}
        self._most, self._columns = columns or len(captions), 0
        self._shown = list(captions)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACING)
        self._place(self._most)

    def show_only(self, names: Collection[str] = ()) -> None:
        """Show some of the figures; empty: all."""
        self._shown = [name for name in self._cells if not names or name in names]
        for name, cell in self._cells.items():
            cell.setVisible(name in self._shown)
        self._columns = 0
        self._place(self._fitting())

    def show_values(self, **values: str) -> None:
        for name, text in values.items():
            self._values[name].setText(text)

    def show_tip(self, name: str, words: str) -> None:
        """Set the tooltip that explains a figure."""
        self._cells[name].setToolTip(words)

    def clear(self) -> None:
        self.show_values(**dict.fromkeys(self._values, "–"))

    def text(self, name: str) -> str:
        return self._values[name].text()

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths()), self._grid.minimumSize().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place(self._fitting())
        return handled

    def _fitting(self) -> int:
        """Return the columns of the fewest rows of the same length that are not too wide."""
        widths = self._widths()
        for rows in range(-(-len(widths) // self._most), len(widths)):
            columns = -(-len(widths) // rows)
            taken = sum(max(widths[place::columns]) for place in range(columns)) + SPACING * (columns - 1)
            if taken <= self.width():
                return columns
        return 1

    def _widths(self) -> list[int]:
        return [self._cells[name].minimumSizeHint().width() for name in self._shown]

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for index, cell in enumerate(self._cells[name] for name in self._shown):
            self._grid.addWidget(cell, index // columns, index % columns)
        for column in range(self._most):
            self._grid.setColumnStretch(column, int(column < columns))
        self.updateGeometry()


def _cell(words: str, value: QWidget, term: str) -> QWidget:
    return with_layout(QWidget(), vbox(label(words, "muted", term=term), value, spacing=0))
