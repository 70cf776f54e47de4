"""Widgets that are created when they are first shown."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSpinBox, QStackedWidget, QWidget

from gptstudio.gui.learn.lessons.runner import StepControls
from gptstudio.gui.widgets.deferred import Deferred, make_inside
from gptstudio.gui.widgets.layouts import vbox, with_layout
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.window_frame import EdgedWindow
from gptstudio.labs.lesson import LessonStep


def test_that_it_is_created_once_fills_its_place_and_is_updated_only_if_it_exists(application, qtbot):
    made, received = [], []

    def make() -> QLabel:
        made.append(QLabel("here"))
        return made[-1]

    place, pages = Deferred(make), QStackedWidget()
    qtbot.addWidget(pages)
    place.made.connect(lambda: received.append(place.made_widget))
    pages.addWidget(QLabel("first"))
    pages.addWidget(place)
    pages.resize(700, 300)
    pages.show()
    place.if_made(lambda label: label.setText("too early"))
    assert not made
    pages.setCurrentWidget(place)
    qtbot.waitUntil(lambda: place.made_widget is not None and place.made_widget.size() == QSize(700, 300))
    assert place.made_widget.isVisible()
    assert place.made_widget.text() == "here"
    place.if_made(lambda label: label.setText("there"))
    assert place.widget is made[0]
    assert place.widget.text() == "there"
    assert received == made


def _made() -> QWidget:
    return with_layout(QWidget(), vbox(named(QSpinBox(), "count", "Count"), named(QPushButton(), "inside", "Inside")))


@pytest.fixture
def room(qtbot) -> QWidget:
    """A window with a button, a place whose part is not created yet, and another button."""
    first, last = named(QPushButton(), "first", "First"), named(QPushButton(), "last", "Last")
    room = EdgedWindow()
    room.setCentralWidget(with_layout(QWidget(), vbox(first, Deferred(_made), last)))
    qtbot.addWidget(room)
    return room


@pytest.mark.parametrize(("key", "expected"), [
    (Qt.Key.Key_Tab, ["first", "count", "inside", "last", "first"]),
    (Qt.Key.Key_Backtab, ["first", "last", "inside", "count", "first"])])
def test_that_the_tab_key_reaches_a_late_widget_at_its_position(room, qtbot, key, expected):
    room.show()
    room.activateWindow()
    qtbot.waitUntil(room.isActiveWindow)
    room.findChild(QWidget, "first").setFocus()
    reached = []
    for _ in range(5):
        reached.append(QApplication.focusWidget().objectName())
        QTest.keyClick(room.windowHandle(), key)
    assert reached == expected


def test_that_the_focus_moves_on_when_a_late_widget_is_hidden(room, qtbot):
    room.show()
    room.activateWindow()
    qtbot.waitUntil(room.isActiveWindow)
    room.findChild(QWidget, "inside").setFocus()
    room.findChild(Deferred).hide()
    assert QApplication.focusWidget().objectName() == "last"


def test_that_a_deferred_part_that_waits_is_shown_once_it_is_requested(qtbot):
    place = Deferred(lambda: QLabel("here"), lines=10)
    qtbot.addWidget(place)
    place.show()
    qtbot.waitUntil(place.isVisible)
    assert place.made_widget is None
    line = place.fontMetrics().height()
    assert place.minimumSizeHint() == QSize(10 * line, 10 * line)
    assert place.widget.isVisible()
    assert place.minimumSizeHint() == place.widget.minimumSizeHint()


def test_that_nothing_is_created_before_it_is_shown_or_requested(room):
    assert room.findChild(QWidget, "inside") is None
    assert make_inside(room)
    assert room.findChild(QWidget, "inside")
    assert not make_inside(room)


def test_that_deferred_parts_inside_others_are_created_too(qtbot):
    room = with_layout(QWidget(), vbox(Deferred(lambda: with_layout(QWidget(), vbox(Deferred(_made))))))
    qtbot.addWidget(room)
    make_inside(room)
    assert room.findChild(QWidget, "inside")


def test_that_tab_reaches_every_button_of_a_text_to_score(user):
    user.generate.turn_to_view(2)
    user.generate.segments.button(0).setFocus()
    reached = []
    for _ in range(3):
        user.press(Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget().objectName())
    assert reached == ["score_file", "score_text", "model"]


def test_that_a_step_of_a_lesson_locks_a_control_of_a_view_that_has_not_been_shown(user):
    user.go_to("generate")
    window = user.window
    controls = StepControls(window, window.actions_of, lambda widget: None)
    controls.begin(LessonStep(title="One", text="Read.", tab="generate", lock=("compare_dials",)), window.generate)
    assert controls.look()
    assert window.findChild(QWidget, "compare_dials").property("locked")
    controls.release()
