"""What a screen reader and a pointer learn of every control."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QWidget,
)

from gptstudio.app.state import PAGES
from gptstudio.labs.catalogue import ENTRIES

POINTED_AT = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)


def controls(over: QWidget) -> Iterator[QWidget]:
    """Everything visible inside that the Tab key reaches; what only scrolls is none."""
    for each in over.findChildren(QWidget):
        reached = each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus and not each.focusProxy()
        if reached and type(each) not in (QScrollArea, QScrollBar) and not _part_of_another(each):
            yield each


def _part_of_another(widget: QWidget) -> bool:
    """The line of a spin box, the list of a box, the viewport of a list, a header."""
    above = widget.parentWidget()
    return isinstance(above, (QAbstractSpinBox, QComboBox, QAbstractScrollArea)) and not isinstance(above, QScrollArea)


def shown(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} in {widget.parentWidget().objectName()!r}"


def tip(widget: QWidget) -> str:
    """What pointing at it shows: its own tip, or that of the field that it is in."""
    while not widget.toolTip() and not widget.isWindow():
        widget = widget.parentWidget()
    return "" if widget.isWindow() else widget.toolTip()


def places(user) -> Iterator[tuple[str, QWidget]]:
    """The window on every page, every view of Generate and every experiment, after a short run and a text."""
    window = user.window
    user.train.to_end(steps=6)
    for page in PAGES:
        user.go_to(page)
        yield page, window
        if page == "generate":
            for view in (1, 2):
                user.generate.turn_to(view)
                yield f"generate {view}", window
            user.generate.turn_to(0)
    for name in ENTRIES:
        window.learn.open(name)
        yield name, window


def test_that_every_control_has_a_name_for_a_screen_reader_and_a_tip_for_a_pointer(user):
    nameless, tipless = {}, {}
    for place, over in places(user):
        for each in controls(over):
            interface = QAccessible.queryAccessibleInterface(each)
            if not (interface and interface.text(QAccessible.Text.Name)):
                nameless.setdefault(shown(each), place)
            if isinstance(each, POINTED_AT) and not tip(each) and each.isEnabled():
                tipless.setdefault(shown(each), place)
    assert nameless == {}
    assert tipless == {}
