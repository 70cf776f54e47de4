"""Qt's objects are deleted on Qt's own thread, on whichever thread the garbage arose."""

import gc
import threading
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidgetItem

from gptstudio.app.state import AppState
from gptstudio.gui.event_loop import EVERY_MS, IDLE_EVERY_MS, Garbage


@pytest.fixture
def spared() -> None:
    """Keep the program's own exclusion of existing objects from garbage collection."""


def test_that_no_garbage_is_collected_on_another_thread_while_the_window_exists(user):
    elsewhere = []

    def note(phase: str, found: dict) -> None:
        if threading.current_thread() is not threading.main_thread():
            elsewhere.append(phase)

    gc.callbacks.append(note)
    try:
        user.train.to_end(steps=10, eval_freq=5)
    finally:
        gc.callbacks.remove(note)
    assert elsewhere == []
    assert not gc.isenabled()


def test_that_garbage_is_collected_rarely_while_none_is_made_and_often_otherwise(application):
    garbage = Garbage(AppState())
    clock = garbage.findChild(QTimer)
    try:
        gc.collect()
        garbage.look()
        assert clock.interval() == IDLE_EVERY_MS
        made = [[] for _ in range(2 * gc.get_threshold()[0])]
        garbage.look()
        assert clock.interval() == EVERY_MS
        assert gc.get_count()[0] < len(made), "it was collected"
    finally:
        garbage.leave()


def test_that_automatic_collection_resumes_after_the_window_is_closed(user):
    user.window.leave()
    assert gc.isenabled()


@pytest.mark.usefixtures("whole_window")
def test_that_no_object_refers_to_an_item_of_a_layout_that_qt_has_deleted(user):
    """Qt reuses the memory: another object at the same address was taken for the item, and the window crashed."""
    left = items_without_widget()  # in lessons of other tests: Python's own, which Qt does not delete
    user.go_to("generate")
    user.generate.param("top_k").setFocus()
    for _ in range(3):
        user.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert wrapped_items() - left <= items_there()


def wrapped(kind: type) -> list[Any]:
    """Return all Python objects of a kind. Searching the window instead would create more of them."""
    return [each for each in shiboken6.getAllValidWrappers() if isinstance(each, kind)]


def wrapped_items() -> set[int]:
    """Return the addresses of the layout items that Python has objects for."""
    return {shiboken6.getCppPointer(each)[0] for each in wrapped(QLayoutItem) if not isinstance(each, QLayout)}


def items_without_widget() -> set[int]:
    """Return the addresses of the items whose widgets are deleted."""
    return {shiboken6.getCppPointer(each)[0] for each in wrapped(QWidgetItem) if each.widget() is None}


def items_there() -> set[int]:
    """Return the addresses of all items in the layouts that the program made."""
    made = [layout for layout in wrapped(QLayout) if shiboken6.createdByPython(layout)]
    return {shiboken6.getCppPointer(layout.itemAt(n))[0] for layout in made for n in range(layout.count())}
