"""Labels, buttons, frames and rows of figures, each created in one line where they are used.

A label can be a term of the glossary: it then has a dotted underline and a card on hover, and a click opens its entry.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, QObject, QPointF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QToolTip,
    QWidget,
)

from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import vbox, with_layout


class TermSource(QObject):
    """Source of glossary terms for the labels of a window; a direct child of that window.

    ``card``: returns the meaning of a term and its current value as rich text; empty if the term is not known.
    ``open``: opens the entry of a term.
    """

    def __init__(self, window: QObject, card: Callable[[str], str], open_entry: Callable[[str], object]) -> None:
        super().__init__(window)
        self.card, self.open = card, open_entry


class TermLabel(QLabel):
    """Label that is a glossary term. ``term``: its key in the glossary."""

    def __init__(self, text: str, term: str) -> None:
        super().__init__(text)
        self.term = term
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def event(self, event: QEvent) -> bool:
        if (isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip
                and (source := self._source()) and (card := source.card(self.term))):
            QToolTip.showText(event.globalPos(), card + self._tip_around(), self, self.rect())
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
        """Return the tooltip of the enclosing widget, such as the field that the label names, as rich text."""
        around = self.parentWidget()
        tip = around.toolTip() if isinstance(around, QWidget) else ""
        paragraphs = (f"<p>{escape(line)}</p>" for line in tip.split("\n"))
        return "".join(["<hr>", *paragraphs]) if tip else ""


W = TypeVar("W", bound=QWidget)
UNLIMITED = 16_777_215
"""Maximum width or height of a widget without a limit: Qt's QWIDGETSIZE_MAX."""
NO_ENTRIES: Mapping[Any, str] = MappingProxyType({})
ONE_CONTROL = "one_control"
"""Name of the property of widgets that are a control with its label."""


def named(widget: W, name: str, accessible: str) -> W:
    """Set the object name of a control, by which tests find it, and its accessible name for screen readers."""
    widget.setObjectName(name)
    widget.setAccessibleName(accessible)
    if isinstance(widget, (QComboBox, QAbstractSpinBox, QAbstractSlider)):
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by default the wheel would give it the focus
        widget.installEventFilter(_ScrolledPast(widget))
    return widget


class _ScrolledPast(QObject):
    """Event filter that leaves the wheel to the scroll area unless the control has the focus, so that scrolling does
    not change the control."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent) or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def one_control(whole: W) -> W:
    """Mark a widget as one control with its label: a lesson points at it, locks it and hides it as a whole."""
    whole.setProperty(ONE_CONTROL, True)
    return whole


def label(
    text: str = "", role: str = "", name: str = "", wrap: bool = False, buddy: QWidget | None = None, term: str = ""
) -> QLabel:
    """Return a label in one of the theme's roles: heading, muted, problem, notice, figure. ``buddy``: the widget that
    it names. ``term``: glossary key of its text."""
    made = TermLabel(text, term) if term else QLabel(text)
    _set_up(made, name, role, wrap)
    if buddy:
        made.setBuddy(buddy)
    return made


def _set_up(label: QLabel, name: str, role: str, wrap: bool) -> None:
    """Set the name and the role of a label, and show its text uninterpreted."""
    label.setProperty("role", role)
    label.setObjectName(name)
    label.setWordWrap(wrap)
    label.setTextFormat(Qt.TextFormat.PlainText)


class Notice(QLabel):
    """Label for an error message, or for a message in another role; hidden while it is empty."""

    def __init__(self, name: str, role: str = "problem") -> None:
        super().__init__()
        _set_up(self, name, role, wrap=True)
        self._role = role
        self.hide()

    def setText(self, text: str) -> None:
        self.say(text, self._role)

    def say(self, text: str, role: str = "notice") -> None:
        """Show a message in another role than usual, by default one that is not an error."""
        restyle(self, role=role)
        super().setText(text)
        self.setVisible(bool(text))

    def add(self, text: str) -> None:
        """Show a message that is not an error after the text that is shown."""
        self.say(" ".join(filter(None, (self.text(), text))))


class WrappedLabel(QLabel):
    """Label with as many lines as its width requires, even in a layout that does not query height for width."""

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


class ReservedLabel(QLabel):
    """Label in the muted role with space for two lines, so that nothing moves when its text changes."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        _set_up(self, name, "muted", wrap=True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        on_restyle(self, self._fit)
        self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        self.setMinimumHeight(2 * self.fontMetrics().lineSpacing())


class ChoiceBox(QComboBox):
    """Combo box whose text is elided where the box is too narrow for it; Qt would clip it."""

    def __init__(self, letters: int = 0) -> None:
        """``letters``: width in characters, by default that of the longest entry."""
        super().__init__()
        if letters:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(letters)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self)
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, room.width())


def choice_box(
    name: str, accessible: str, entries: Mapping[Any, str] = NO_ENTRIES, tip: str = "", letters: int = 0
) -> ChoiceBox:
    """Return a combo box. ``entries``: texts by their data. ``letters``: width in characters, by default that of the
    longest entry."""
    box = named(ChoiceBox(letters), name, accessible)
    for data, words in entries.items():
        box.addItem(words, data)
    box.setToolTip(tip)
    return box


NUMBER_MARGIN = 5
"""Pixels between the border of a box and its number; the style sheet uses the same margin for text fields."""


def spin_box(name: str, accessible: str, low: int, high: int, tip: str = "") -> QSpinBox:
    """Return a box for a whole number from ``low`` to ``high``."""
    box = named(QSpinBox(), name, accessible)
    box.setRange(low, high)
    box.lineEdit().setTextMargins(NUMBER_MARGIN, 0, 0, 0)
    box.setToolTip(tip)
    return box


def set_entries(box: QComboBox, entries: Sequence[str], index: int, data: Sequence[object] = ()) -> None:
    """Set the entries of a box, with their data if given, and select one of them, without a signal."""
    with QSignalBlocker(box):
        if [box.itemText(place) for place in range(box.count())] != list(entries):
            box.clear()
            box.addItems(entries)
        for place, each in enumerate(data):
            box.setItemData(place, each)
        box.setCurrentIndex(index)


def plain(text: str) -> str:
    """Return text from a file or a user for a tooltip, escaped so that it is not interpreted as HTML."""
    return f"<p>{escape(text).replace(chr(10), '<br>')}</p>" if "<" in text else text


CHANGED_S = 0.6
"""Seconds after a change of its text during which a visible button ignores clicks."""

_DIGITS = re.compile(r"[\d.,]+")


class Button(QPushButton):
    """Push button that ignores clicks just after its text has changed, so that a double click on Start does not also
    press Pause, which takes its place. A change of only the numbers in the text does not count.

    Its text is also its accessible name, unless it has another one."""

    _changed_at = -math.inf

    def setText(self, text: str) -> None:
        if self.isVisible() and _DIGITS.sub("", text) != _DIGITS.sub("", self.text()):
            self._changed_at = time.monotonic()
        if self.accessibleName() == _spoken(self.text()):
            self.setAccessibleName(_spoken(text))
        super().setText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._has_just_changed():
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in PRESSING_KEYS or not self._has_just_changed():
            super().keyPressEvent(event)

    def _has_just_changed(self) -> bool:
        return time.monotonic() - self._changed_at < CHANGED_S


def _spoken(text: str) -> str:
    """Return the text of a button as it is shown: two ampersands stand for one."""
    return text.replace("&&", "&")


_LETTERLESS = re.compile(r"[\W\d_]+")
PRESSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


def button(
    text: str, name: str, tip: str = "", role: str = "", do: Callable[..., object] | None = None
) -> QPushButton:
    """Return a button, whose accessible name is its text, preceded by its tooltip if the text has no letters. ``do``:
    called on a click."""
    spoken = _spoken(text)
    made = named(Button(text), name, f"{tip} {spoken}".strip() if _LETTERLESS.fullmatch(spoken) else spoken)
    made.setProperty("role", role)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    if do:
        made.clicked.connect(do)
    return made


class ProgressBar(QProgressBar):
    """Bar for the progress of some work, without a text."""

    MOST = 2**31 - 1
    """Largest number that Qt can show."""

    def __init__(self, name: str, accessible: str = "") -> None:
        super().__init__()
        named(self, name, accessible or tr("Progress"))
        self.setTextVisible(False)

    def show_progress(self, done: int = 0, total: int = 0) -> None:
        """Show that ``done`` of ``total`` units are done; without a total, that work of unknown length is under way."""
        most = min(total, self.MOST)
        self.setRange(0, most)
        self.setValue(done * most // max(1, total))


_usual: WeakKeyDictionary[QWidget, tuple[str, str]] = WeakKeyDictionary()
"""Tooltip and accessible description that disabled controls have while they are enabled."""


def set_blocker(control: QWidget, why_not: str = "", does: str = "") -> None:
    """Enable a control; or disable it, with the reason as its tooltip and accessible description.

    Args:
        why_not: the reason why it is disabled; empty enables it.
        does: its tooltip while it is enabled, if that has changed.
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
    """Scroll area that scrolls only vertically, and is as wide as its content requires at any text size."""

    scrolled_by_page = False
    """True if the page scrolls as a whole: this widget is then as high as its content."""

    def __init__(self, lines: int = 0, letters: int = 0) -> None:
        """``lines``, ``letters``: minimum height in lines of text, and minimum width in letters."""
        super().__init__()
        self._lines, self._letters = lines, letters

    def set_scrolled_by_page(self, whole: bool) -> None:
        self.scrolled_by_page = whole
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            letter = self.fontMetrics()
            self.setMinimumSize(self._letters * letter.averageCharWidth(), self._lines * letter.height())
        super().changeEvent(event)

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


def scrolling(inside: QWidget, name: str, spoken: str = "", lines: int = 0, letters: int = 0) -> ScrollColumn:
    """Return ``inside`` in a scroll area with a vertical scroll bar when necessary. ``spoken``: the accessible name of
    an area without controls, which Tab reaches so that keys scroll it. ``lines``, ``letters``: its minimum height in
    lines of text, and its minimum width in letters."""
    area = ScrollColumn(lines, letters)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    set_up_scroll_area(area, name)
    if spoken:
        area.setAccessibleName(spoken)
        area.setProperty("reached", True)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    area.setWidget(inside)
    return area


def scrolling_both_ways(name: str) -> QScrollArea:
    """Return a scroll area with horizontal and vertical scroll bars as needed."""
    area = QScrollArea()
    set_up_scroll_area(area, name)
    return area


def set_up_scroll_area(area: QScrollArea, name: str) -> None:
    """Name a scroll area, and remove its frame and background. Tab reaches the controls in it, which pass on the keys
    that scroll it, and not the area itself."""
    area.setObjectName(name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.viewport().setAutoFillBackground(False)


def restyle(widget: QWidget, **properties: object) -> None:
    """Set properties that the style sheet uses, and reapply the style sheet only if one of them has changed."""
    changed = {key: value for key, value in properties.items() if widget.property(key) != value}
    for key, value in changed.items():
        widget.setProperty(key, value)
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def menu_action(menu: QMenu, words: str) -> QAction:
    """Return a new action at the end of a menu, which can be kept in an attribute.

    An action created by ``QMenu.addAction(words)`` belongs to Qt. When a dock of a window is deleted, PySide
    invalidates the Python objects of everything that Qt has created in that window, although these still exist:
    "already deleted".
    """
    made = QAction(words, menu)
    menu.addAction(made)
    return made


def check_menu(opener: QPushButton, entries: Mapping[str, str]) -> dict[str, QAction]:
    """Let a button open a menu of check boxes with these texts; return their actions by the keys of the texts."""
    menu = QMenu(opener)
    menu.setObjectName(f"{opener.objectName()}_menu")
    opener.setMenu(menu)
    made = {key: menu_action(menu, words) for key, words in entries.items()}
    for action in made.values():
        action.setCheckable(True)
    return made


SPACING = 8


class FigureRow(QWidget):
    """Captions and values that keep their positions while the values change, in fewer columns where space is narrow.

    ``columns``: the maximum number of columns; 0: no limit. ``terms``: glossary keys of captions, by their names.
    """

    def __init__(self, captions: dict[str, str], prefix: str, columns: int = 0, terms: Mapping[str, str] = NO_ENTRIES):
        super().__init__()
        self._values = {name: label("–", "figure", f"{prefix}_{name}") for name in captions}
        self._cells = {
            name: with_layout(QWidget(), vbox(
                label(words, "muted", term=terms.get(name, "")), self._values[name], spacing=0))
            for name, words in captions.items()}
        self._most, self._columns = columns or len(captions), 0
        self._shown = list(captions)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACING)
        self._place(self._most)

    def show_only(self, names: Collection[str] = ()) -> None:
        """Show some of the figures; if empty, all."""
        self._shown = [name for name in self._cells if not names or name in names]
        for name, cell in self._cells.items():
            cell.setVisible(name in self._shown)
        self._columns = 0
        self._place(self._fitting())

    def show_values(self, **values: str) -> None:
        for name, text in values.items():
            self._values[name].setText(text)

    def show_tip(self, name: str, words: str) -> None:
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
        """Return the number of columns for the fewest rows of equal length that fit into the width."""
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
