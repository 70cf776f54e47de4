"""Update of all displayed texts after the language has changed.

Every text of a widget that :func:`~gptstudio.gui.translation.tr` returned is recognised by its content and set again.
Other texts stay unchanged: names, numbers, the user's input. Widgets emit no signals meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTableWidget,
    QTextEdit,
    QWidget,
)

from gptstudio.gui.translation import recall, tr

TEXTS = {
    QWidget: ("windowTitle", "toolTip", "accessibleName", "accessibleDescription"),
    QLabel: ("text",),
    QAbstractButton: ("text",),
    QGroupBox: ("title",),
    QMenu: ("title",),
    QLineEdit: ("placeholderText",),
    QPlainTextEdit: ("placeholderText",),
    QTextEdit: ("placeholderText",),
    QComboBox: ("placeholderText",),
}
"""The properties that hold words for people, by who has them. What is typed into a field is the user's."""

TIP = Qt.ItemDataRole.ToolTipRole
ONCE = QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow


class TextSlot(NamedTuple):
    """Text of a widget or an action: the name of its property, the text, and a setter."""

    name: object
    text: str
    put: Callable[[str], object]


_put: WeakKeyDictionary[QObject, dict[object, str]] = WeakKeyDictionary()
"""Texts that were set, by object and place: two sentences can be equal in one language but not in the other."""


def retranslate(widgets: Iterable[QWidget]) -> None:
    """Translate the texts of widgets and of their actions into the language that is now in force."""
    widgets = list(widgets)
    actions = {id(action): action for widget in widgets for action in widget.actions()}
    for action in actions.values():
        _retranslate(action, _of_action(action))
    for widget in widgets:
        _retranslate(widget, _of_widget(widget))
        if isinstance(widget, QHeaderView) and widget.model():
            widget.model().headerDataChanged.emit(widget.orientation(), 0, max(0, widget.count() - 1))
        widget.update()


def _retranslate(holder: QObject, places: Iterable[TextSlot]) -> None:
    before = _put.get(holder, {})
    for place in list(places):
        words = before.get(place.name)
        if words != place.text:
            words = recall(place.text)
        if words is not None:
            new = tr(words)
            _put.setdefault(holder, {})[place.name] = new
            if new != place.text:
                place.put(new)


def _of_action(action: QAction) -> Iterator[TextSlot]:
    words = action.text()
    if action.toolTip() not in ("", words):  # by itself it is the text
        yield TextSlot("toolTip", action.toolTip(), action.setToolTip)
    yield TextSlot("text", words, action.setText)


def _of_widget(widget: QWidget) -> Iterator[TextSlot]:
    for kind, names in TEXTS.items():
        if isinstance(widget, kind):
            for name in names:
                if text := getattr(widget, name)():
                    yield TextSlot(name, text, getattr(widget, f"set{name[0].upper()}{name[1:]}"))
    if isinstance(widget, QTabBar):
        yield from _of_tabs(widget)
    elif isinstance(widget, QComboBox):
        yield from _of_box(widget)
    elif isinstance(widget, QTableWidget):
        yield from _of_headings(widget)


def _of_tabs(tabs: QTabBar) -> Iterator[TextSlot]:
    for n in range(tabs.count()):
        yield TextSlot(("tab", n), tabs.tabText(n), partial(tabs.setTabText, n))
        yield TextSlot(("tip", n), tabs.tabToolTip(n), partial(tabs.setTabToolTip, n))


def _of_box(box: QComboBox) -> Iterator[TextSlot]:
    def put(n: int, role: Qt.ItemDataRole, text: str) -> None:
        with QSignalBlocker(box):  # the same entry is chosen, only its words are others
            box.setItemData(n, text, role)
        if box.sizeAdjustPolicy() == ONCE:  # measured when it was first shown, and now again
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setSizeAdjustPolicy(ONCE)

    for n in range(box.count()):
        yield TextSlot(("entry", n), box.itemText(n), partial(put, n, Qt.ItemDataRole.DisplayRole))
        yield TextSlot(("tip", n), box.itemData(n, TIP) or "", partial(put, n, TIP))


def _of_headings(table: QTableWidget) -> Iterator[TextSlot]:
    for n in range(table.columnCount()):
        if item := table.horizontalHeaderItem(n):
            yield TextSlot(("heading", n), item.text(), item.setText)
            yield TextSlot(("tip", n), item.toolTip(), item.setToolTip)
