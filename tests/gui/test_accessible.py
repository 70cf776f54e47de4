"""Information that every control gives to a screen reader and in its tooltip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from gptstudio.app.state import PAGES, AppState
from gptstudio.gui.canvas.canvas import Items
from gptstudio.gui.commands import COMMANDS
from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.widgets.parts import plain
from gptstudio.labs.catalogue import ENTRIES

PAINTED_VALUES = ("loss_plot", "runs_loss", "gelu_values", "gelu_slopes", "dropout_chart", "shortcuts_gradients",
                  "sizes_stacks", "lab_loss_bars", "optimizers_valley", "optimizers_losses")
"""Curves and bars whose values a screen reader reads before anything is pointed at."""
POINTED_AT = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)


def controls(over: QWidget) -> Iterator[QWidget]:
    """Return every visible control inside a widget that the Tab key reaches, except scroll bars."""
    for each in over.findChildren(QWidget):
        reached = each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus and not each.focusProxy()
        if reached and not isinstance(each, QScrollBar) and not _part_of_another(each):
            yield each


def _part_of_another(widget: QWidget) -> bool:
    """Return whether a widget is part of a spin box, a box, a list or a table."""
    above = widget.parentWidget()
    return isinstance(above, (QAbstractSpinBox, QComboBox, QAbstractScrollArea)) and not isinstance(above, QScrollArea)


def shown(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} in {widget.parentWidget().objectName()!r}"


def tip(widget: QWidget) -> str:
    """Return the tooltip of a widget, or of the nearest parent that has one."""
    while not widget.toolTip() and not widget.isWindow():
        widget = widget.parentWidget()
    return "" if widget.isWindow() else widget.toolTip()


def reason(widget: QWidget) -> str:
    """Return the reason that a disabled control, or the disabled part that contains it, gives; empty if there is
    none."""
    at: QWidget | None = widget
    while at is not None and not at.isEnabled():
        if at.accessibleDescription():
            return at.accessibleDescription() if plain(at.accessibleDescription()) == at.toolTip() else ""
        at = at.parentWidget()
    return ""


def places(user) -> Iterator[tuple[str, QWidget]]:
    """Return the window on every page, every view of Generate and every experiment, after a short run and a text."""
    window = user.window
    user.train.to_end(steps=2)
    user.go_to("runs")
    user.wait(lambda: user.find("runs_loss").accessibleDescription())  # the run is read from the disk
    yield from pages(user)
    for name in ENTRIES:
        page = user.learn.open(name)
        user.wait(lambda page=page: not page.waiting)
        yield name, window


def pages(user) -> Iterator[tuple[str, QWidget]]:
    """Return the window on every page and every view of Generate."""
    window = user.window
    for page in PAGES:
        user.go_to(page)
        yield page, window
        if page == "generate":
            for view in (1, 2):
                user.generate.switch_to(view)
                yield f"generate {view}", window
            user.generate.switch_to(0)


def focus_is_seen(widget: QWidget) -> bool:
    """Return whether a control looks different with the keyboard focus."""
    if elsewhere := QApplication.focusWidget():
        elsewhere.clearFocus()
    without = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    return widget.grab().toImage() != without


def word_set(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def has_room(box: QComboBox) -> bool:
    """Return whether the text of a box, which may be elided, is painted without being cut off."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box)
    return box.isEditable() or box.fontMetrics().horizontalAdvance(option.currentText) <= room.width()


def reached_by_tab(over: QWidget) -> set[QWidget]:
    """Return all widgets that the Tab key reaches, until it is back at the start."""
    reached, at = {over}, over.nextInFocusChain()
    while at not in reached:
        reached.add(at)
        at = at.nextInFocusChain()
    return reached


def item_is_described(painted: Items) -> bool:
    """Return whether an item that is pointed at, or the widget as a whole, has a description."""
    painted.point_at(next(iter(painted.items())))
    words = painted.accessibleDescription()
    painted.point_at(None)
    return bool(words) or isinstance(painted, Formula)  # whose name is the formula


def heads(over: QWidget) -> Iterator[tuple[QHeaderView, str]]:
    """Return the headings of tables without a tooltip, each with its table."""
    for head in over.findChildren(QHeaderView):
        if head.isVisible() and head.orientation() == Qt.Orientation.Horizontal:
            for section in range(head.count()):
                words, description = (head.model().headerData(section, head.orientation(), role) for role in (
                    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole))
                if words and not description:
                    yield head, words


class Findings(dict[str, dict[str, str]]):
    """Controls with missing properties, by property, with the first place where each was found."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[QWidget] = set()
        self._does: dict[QWidget, set[str]] = {}  # tooltips of controls that were enabled

    def look(self, place: str, over: QWidget) -> None:
        """Check everything that is visible in a window."""
        chain = reached_by_tab(over)
        for each in controls(over):
            interface = QAccessible.queryAccessibleInterface(each)
            name = interface.text(QAccessible.Text.Name) if interface else ""
            self._note(place, each, {
                "a name": any(map(str.isalpha, name)) if isinstance(each, QPushButton) else name,
                "a tip": not isinstance(each, POINTED_AT) or tip(each) or (isinstance(over, QDialog) and says(each)),
                "a place in the order of Tab": each in chain,
                "a look with the keyboard": each in self._seen or not each.isEnabled() or focus_is_seen(each),
                "its text in its name": not isinstance(each, QPushButton) or word_set(each.text()) <= word_set(name),
                "room for its text": not isinstance(each, QComboBox) or has_room(each)})
            self._seen.add(each)
        self.look_at_reasons(place, over)
        for each in over.findChildren(QWidget):
            if each.objectName() in PAINTED_VALUES and each.isVisible():
                self._note(place, each, {"values at rest": re.search(r"\d", each.accessibleDescription())})
            if isinstance(each, Items) and each.isVisible() and each.items():
                self._note(place, each, {"a description": item_is_described(each)})
        for head, words in heads(over) if not isinstance(over, QDialog) else ():
            self.setdefault("a tip of a heading", {}).setdefault(f"{words} of {shown(head.parentWidget())}", place)

    def look_at_commands(self, place: str, state: AppState) -> None:
        """Check that every disabled command gives a reason, which its button and its menu entry show."""
        for name, command in COMMANDS.items():
            if command.blocked(state) == "":
                self.setdefault("a reason why it is off", {}).setdefault(name, place)

    def look_at_reasons(self, place: str, over: QWidget) -> None:
        """Check that the tooltip of every disabled control gives the reason, and that a screen reader reads it too."""
        for each in over.findChildren(QWidget):
            if isinstance(each, POINTED_AT) and each.isVisible() and not _part_of_another(each):
                if each.isEnabled():
                    self._does.setdefault(each, set()).add(tip(each))
                elif not isinstance(each, QScrollBar):
                    why = reason(each)
                    self._note(place, each, {"a reason why it is off": why and why not in self._does.get(each, ())})
        for menu in over.findChildren(QMenu):
            for action in menu.actions():
                off = action.isVisible() and not action.isEnabled() and not action.isSeparator() and not action.menu()
                if off and action.toolTip() in ("", action.text()):
                    self.setdefault("a reason why it is off", {}).setdefault(f"{action.text()} of {shown(menu)}", place)

    def _note(self, place: str, widget: QWidget, has: dict[str, object]) -> None:
        for what, there in has.items():
            if not there:
                self.setdefault(what, {}).setdefault(shown(widget), place)


def says(widget: QWidget) -> bool:
    """Return whether a control of a dialog describes itself by its text, as OK and Cancel do."""
    return isinstance(widget, QAbstractButton) and bool(widget.text() or widget.findChildren(QLabel))


def test_that_every_control_has_a_name_a_tooltip_a_place_in_the_tab_order_and_a_visible_focus(user, small_greedy_model):
    found = Findings()
    for place, over in places(user):
        found.look(place, over)
    assert found == {}, "\n".join(f"{k}: {w} {p}" for k, v in found.items() for w, p in v.items())


def test_that_every_disabled_control_gives_a_reason(user):
    found, state = Findings(), user.window.state
    for place, over in pages(user):
        found.look_at_reasons(f"{place} at first", over)
        found.look_at_commands(f"{place} at first", state)
    user.go_to("train")
    user.train.begin(steps=100_000)
    user.wait(lambda: state.run.last)
    for place, over in pages(user):
        found.look_at_reasons(f"{place} in training", over)
        found.look_at_commands(f"{place} in training", state)
    user.window.training.stop()
    user.train.wait_ended()
    user.go_to("generate")
    user.generate.begin(20_000, "The house")
    user.wait(lambda: state.document.path)
    found.look_at_reasons("generating", user.window)
    found.look_at_commands("generating", state)
    user.press(Qt.Key.Key_Escape)
    user.generate.wait_ended()
    state.locked_pages = frozenset({"texts", "learn"})
    found.look_at_reasons("locked", user.window)
    found.look_at_commands("locked", state)
    assert found == {}, "\n".join(f"{k}: {w} {p}" for k, v in found.items() for w, p in v.items())


DIALOGS = ("preferences", "welcome", "report_problem", "about", "show_shortcuts", "paste_text", "show_models",
           "export_model", "download_weights", "show_manual", "command_palette")


@pytest.fixture
def releases_address(monkeypatch) -> None:
    monkeypatch.setenv("GPTSTUDIO_RELEASES", "https://releases.example/latest")


def test_that_the_same_applies_to_every_dialog(releases_address, user):
    user.train.to_end(steps=2)
    found = Findings()
    for name in DIALOGS:
        QTimer.singleShot(0, partial(_look_and_close, user, name, found))
        user.window.actions_of[name].trigger()
        user.wait(lambda: not opened(user))
    assert found == {}, "\n".join(f"{k}: {w} {p}" for k, v in found.items() for w, p in v.items())


def _look_and_close(user, name: str, found: Findings) -> None:
    """Check the dialog once it is visible; a modal dialog has not returned by then."""
    dialogs = opened(user)
    if not dialogs:
        QTimer.singleShot(20, partial(_look_and_close, user, name, found))
    for dialog in dialogs:
        dialog.activateWindow()
        QApplication.processEvents()
        found.look(name, dialog)
        dialog.close()


def opened(user) -> list[QWidget]:
    """Return the visible windows besides the main one."""
    return [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not user.window]
