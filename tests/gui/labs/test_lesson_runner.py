"""A lesson in a window: its texts, its ring, its locks, and the restored state at its end."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from pages.lesson import arrow, lesson_file, ring
from pages.workers import looking
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QSpinBox,
    QWidget,
)

from gptstudio.app.state import AppState
from gptstudio.errors import UserError
from gptstudio.gui.actions import Actions
from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.learn.lessons.check_texts import check_text
from gptstudio.gui.learn.lessons.runner import Runner
from gptstudio.gui.theme import theme
from gptstudio.i18n import message
from gptstudio.labs.lesson import Check, Lesson, LessonStep, shipped

FIRST_PAGE = "learn"

LEFT = Qt.MouseButton.LeftButton
CHECK = Check("step", at_least=3)


def step(**parts: Any) -> LessonStep:
    return LessonStep(**{"title": "A step", "text": "Read this.", "tab": "train", **parts})


class Room(QMainWindow):
    """A window with a few controls, some of them far down."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = QWidget()
        form = QFormLayout(self.inside)
        self.line, self.box, self.start = QLineEdit(), QSpinBox(), QPushButton("&Start")
        self.far, self.choice = QPushButton("Far down"), QCheckBox("Choice")
        self.gap = QWidget()
        self.gap.setFixedHeight(1500)
        for name in ("line", "box", "start", "choice", "gap", "far"):
            getattr(self, name).setObjectName(name)
            form.addRow(name, getattr(self, name))
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.inside)
        self.setCentralWidget(self.area)
        self.pressed: list[bool] = []
        self.start.clicked.connect(lambda: self.pressed.append(True))


@pytest.fixture
def room(application, qtbot) -> Iterator[Room]:
    made = Room()
    made.resize(1200, 700)
    theme.dress(made)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    yield made
    assert [each for each in made.findChildren(QTimer) if each.isActive() and isinstance(each.parent(), Runner)] == []
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def begin(room, qtbot) -> Iterator[Callable[..., Any]]:
    """Return a function that starts a lesson of these steps and returns its runner, with the requested places and a
    settable value."""
    begun = []

    def start(*steps: LessonStep, go: Callable[[LessonStep], Any] | None = None, following: str = "") -> Any:
        record = SimpleNamespace(gone=[], value=None, ended=0)
        targets = SimpleNamespace(
            go=go or record.gone.append, value=lambda step: record.value, obstacle=lambda step, runs: "",
            without_locked=lambda step: (step, ""),
            answer=lambda step: record.value, pointed=lambda: None, lacks_text=lambda: False,
            borrowed=SimpleNamespace(reveal=lambda widget: None))
        runner = Runner(Lesson("First steps", 20, "", steps), room, targets, Actions(room, AppState()), following)
        runner.ended.connect(lambda: setattr(record, "ended", record.ended + 1))
        runner.seen = record
        runner.start()
        begun.append(runner)
        qtbot.wait(20)
        return runner

    yield start
    for runner in begun:
        runner.finish()


def place(widget: QWidget, room: Room) -> Any:
    return widget.rect().translated(widget.mapTo(room, QPoint(0, 0)))


# Position of the card.


def test_that_the_card_is_a_column_beside_the_page_with_at_most_one_scroll_bar(begin, room, qtbot):
    runner = begin(step(text="Read this. " * 300, task="Do it."), step())
    guide = runner.guide
    assert guide.width() == 300
    assert place(guide, room).right() >= room.width() - 2
    assert place(room.area, room).right() < place(guide, room).left()
    bars = guide.findChildren(QScrollBar)
    qtbot.waitUntil(lambda: [bar.orientation() for bar in bars if bar.isVisible()] == [Qt.Orientation.Vertical])
    assert place(guide.next, room).bottom() < place(guide, room).bottom(), "the buttons do not scroll away"
    room.resize(2400, 700)
    theme.enlarge(2)
    qtbot.waitUntil(lambda: guide.width() == 600)
    theme.enlarge(None)


def test_that_the_card_of_a_narrow_window_can_be_folded_to_a_bar_that_a_click_unfolds(begin, room, qtbot):
    runner = begin(step(title="One"), step(title="Two"))
    guide = runner.guide
    assert not guide.fold.isVisible()
    room.resize(1000, 700)
    qtbot.waitUntil(guide.fold.isVisible)
    assert guide.text.isVisible(), "a lesson begins with its text"
    qtbot.waitUntil(lambda: guide.fold.height() > 0)
    qtbot.mouseClick(guide.fold, LEFT)
    qtbot.waitUntil(lambda: guide.unfold.isVisible() and guide.width() > 900)
    assert guide.unfold.text() == "Step 1 of 2  ·  One"
    assert not guide.text.isVisible()
    assert guide.width() > 900
    assert guide.height() < 80
    assert guide.parentWidget().rect().contains(guide.geometry())
    qtbot.mouseClick(guide.next, LEFT)
    assert guide.unfold.text() == "Step 2 of 2  ·  Two"
    qtbot.mouseClick(guide.unfold, LEFT)
    qtbot.waitUntil(lambda: guide.text.isVisible() and guide.width() == 300 and guide.fold.height() > 0)
    assert room.focusWidget() is guide.next
    runner.back()
    assert guide.text.isVisible(), "it stays open"
    qtbot.mouseClick(guide.fold, LEFT)
    qtbot.waitUntil(lambda: not guide.text.isVisible() and guide.unfold.isVisible())
    room.resize(1200, 700)
    qtbot.waitUntil(lambda: guide.text.isVisible() and not guide.unfold.isVisible())


# Texts.


def test_that_the_card_shows_each_step_and_the_window_opens_its_page(begin, qtbot):
    first, second = step(title="One", text="Read.", task="Turn it."), step(title="Two", page="gelu", tab="")
    runner = begin(first, second)
    guide = runner.guide
    assert (guide.lesson_title.text(), guide.title.text(), guide.text.text()) == ("First steps", "One", "Read.")
    assert (guide.count.text(), guide.task.text()) == ("Step 1 of 2", "Try: Turn it.")
    assert not guide.back.isEnabled()
    qtbot.mouseClick(guide.next, LEFT)
    assert (guide.title.text(), guide.count.text(), guide.task.isVisible()) == ("Two", "Step 2 of 2", False)
    assert guide.next.text() == "Finish"
    qtbot.mouseClick(guide.back, LEFT)
    assert guide.title.text() == "One"
    assert runner.seen.gone == [first, second, first]


def test_that_after_the_last_step_and_the_summary_the_lesson_ends_once(begin, room, qtbot):
    runner = begin(step())
    qtbot.mouseClick(runner.guide.next, LEFT)
    assert runner.seen.ended == 0
    assert (runner.guide.title.text(), runner.guide.next.text()) == ("What you found", "Close")
    qtbot.mouseClick(runner.guide.next, LEFT)
    runner.finish()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert runner.seen.ended == 1
    assert room.findChild(QWidget, "lesson_guide") is None
    assert room.findChild(QWidget, "lesson_spotlight") is None
    assert room.findChildren(QShortcut) == []


def test_that_alt_and_the_arrows_change_the_step_also_during_typing(begin, room):
    runner = begin(step(), step())
    room.line.setFocus()
    QTest.keyClick(room.windowHandle(), Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert runner.index == 1
    QTest.keyClick(room.windowHandle(), Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert runner.index == 0


def test_that_a_check_is_described_until_it_is_reached(begin, qtbot):
    runner = begin(step(check=CHECK), step())
    guide = runner.guide
    assert guide.check.text() == "○ Goal not reached yet. step: no value yet; goal: at least 3."
    assert (guide.next.property("role"), guide.next.isEnabled()) == ("", True)
    runner.seen.value = 2
    qtbot.waitUntil(lambda: guide.check.text() == "○ Goal not reached yet. step: 2; goal: at least 3.")
    runner.seen.value = 3
    qtbot.waitUntil(lambda: guide.check.text() == "✓ Goal reached. step: 3; goal: at least 3.")
    assert guide.next.property("role") == "primary"
    assert not looking(runner)
    runner.seen.value = 1
    runner.next()
    runner.back()
    assert guide.check.text() == "✓ Goal reached. step: 3; goal: at least 3."  # the earlier value, not the current one


def test_that_a_step_can_be_left_before_its_check_is_reached(begin, qtbot):
    runner = begin(step(check=CHECK), step())
    qtbot.mouseClick(runner.guide.next, LEFT)
    assert runner.index == 1
    assert not looking(runner)
    assert not runner.guide.check.isVisible()


@pytest.mark.parametrize(("made", "now", "expected"), [
    (step(check=Check("validation_loss", at_most=5.5)), 6.3125,
     "○ Goal not reached yet. validation loss: 6.312; goal: at most 5.5."),
    (step(tab="model", check=Check("parameters", at_least=1e6, at_most=2e6)), 123456,
     "○ Goal not reached yet. number of parameters: 123,456; goal: from 1,000,000 to 2,000,000."),
    (step(tab="", page="layernorm", check=Check("unbiased", equals=True)), False,
     "○ Goal not reached yet. Divide by n - 1: off; goal: on."),
    (step(tab="", page="layernorm", check=Check("variance", "the variance", equals=1)), 0.5,
     "○ Goal not reached yet. the variance: 0.5; goal: 1."),
    (step(tab="generate", check=Check("top_k", at_most=20)), None,
     "○ Goal not reached yet. top-k: all; goal: at most 20."),
])
def test_that_a_value_is_shown_in_readable_form(made, now, expected):
    assert check_text(made, now, False) == expected


def test_that_a_missing_control_is_named_and_the_step_continues(begin, room, qtbot):
    runner = begin(step(point="late", hide=("nobody",), lock=("box",)))
    notes = runner.guide.notes
    qtbot.waitUntil(lambda: "“late”" in notes.text() and "“nobody”" in notes.text())
    assert "“box”" not in notes.text()
    assert runner.controls.spotlight.isHidden()
    late = QPushButton("Late", room)
    late.setObjectName("late")
    late.move(50, 50)
    late.show()
    qtbot.waitUntil(lambda: "“late”" not in notes.text())
    assert ring(runner).contains(late.geometry())


def test_that_an_impossible_step_is_reported_on_the_card(begin):
    def refuse(step: LessonStep) -> None:
        raise UserError(message("A run is going on. Stop it first."))

    runner = begin(step(point="box"), go=refuse)
    assert runner.guide.notes.text() == "A run is going on. Stop it first."
    assert runner.controls.spotlight.isVisible()


def test_that_a_name_is_first_looked_up_in_the_steps_own_page(begin, room):
    other = QWidget(room)
    inner = QPushButton("Start", other)
    inner.setObjectName("start")
    other.show()
    runner = begin(step(lock=("start",)), go=lambda step: other)
    assert inner.property("locked")
    assert not room.start.property("locked")
    runner.finish()


# The ring.


def test_that_the_ring_surrounds_the_control_and_follows_it(begin, room, qtbot):
    runner = begin(step(point="box"))
    qtbot.waitUntil(lambda: ring(runner) and ring(runner).contains(place(room.box, room)))
    room.gap.setFixedHeight(1200)
    room.inside.layout().insertRow(0, "new", QLineEdit())
    qtbot.wait(20)
    assert ring(runner).contains(place(room.box, room))
    room.area.verticalScrollBar().setValue(10)
    assert ring(runner).contains(place(room.box, room))
    room.resize(1000, 600)
    qtbot.wait(20)
    assert ring(runner).contains(place(room.box, room))


def test_that_the_arrow_of_the_ring_is_where_it_covers_neither_texts_nor_controls(application, qtbot):
    root = QWidget()
    qtbot.addWidget(root)
    root.resize(400, 300)
    pointed, beside, above = (QPushButton(name, root) for name in ("Pointed", "Beside", "Above"))
    below = QLabel("A heading close below", root)
    for widget, at in ((pointed, (150, 100, 80, 30)), (beside, (20, 90, 120, 50)), (above, (150, 70, 80, 22)),
                       (below, (150, 137, 150, 14))):
        widget.setGeometry(*at)
    root.show()
    spotlight = Spotlight(root)
    spotlight.point_at(pointed)
    qtbot.waitUntil(spotlight.isVisible)
    shown = arrow(spotlight)
    assert [each.text() for each in (beside, above, below) if each.geometry().intersects(shown)] == []
    assert shown.left() > pointed.geometry().right()


def test_that_the_start_of_a_widget_wider_than_the_page_is_shown(begin, room, qtbot):
    room.box.setMinimumWidth(room.area.viewport().width() - 290)  # the card of the lesson is 300 pixels wide
    begin(step(point="box"))
    qtbot.waitUntil(lambda: room.area.horizontalScrollBar().maximum() > 0)
    qtbot.waitUntil(lambda: 0 <= place(room.box, room).left() < 30)


def test_that_the_ring_is_hidden_while_its_control_is_hidden(begin, room, qtbot):
    runner = begin(step(point="box"))
    room.box.hide()
    assert runner.controls.spotlight.isHidden()
    room.box.show()
    qtbot.wait(20)
    assert runner.controls.spotlight.isVisible()
    room.area.verticalScrollBar().setValue(room.area.verticalScrollBar().maximum())
    assert runner.controls.spotlight.isHidden()
    room.area.verticalScrollBar().setValue(0)
    assert runner.controls.spotlight.isVisible()
    room.inside.hide()
    assert runner.controls.spotlight.isHidden()


def test_that_a_control_far_down_is_scrolled_into_view_and_not_covered(begin, room, qtbot):
    runner = begin(step(point="far"))
    qtbot.waitUntil(lambda: ring(runner) is not None)
    assert ring(runner).contains(place(room.far, room))
    assert not place(room.far, room).intersects(place(runner.guide, room))


def test_that_the_ring_does_not_block_the_mouse(begin, room, qtbot):
    runner = begin(step(point="start"))
    assert ring(runner).contains(place(room.start, room))
    target = room.childAt(room.start.mapTo(room, room.start.rect().center()))
    assert target is room.start
    QTest.mouseClick(room.windowHandle(), LEFT, pos=room.start.mapTo(room, room.start.rect().center()))
    assert room.pressed == [True]


def test_that_the_pointed_control_may_be_deleted(begin, room, qtbot):
    runner = begin(step(point="start", lock=("start",), hide=("box",)), step())
    for gone in (room.start, room.box):
        gone.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.wait(20)
    assert runner.controls.spotlight.isHidden()
    runner.next()


# Locks.


def test_that_a_locked_control_ignores_mouse_keys_and_wheel(begin, room, qtbot):
    begin(step(lock=("box", "start", "choice")))
    before = room.box.value()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_7):
        room.box.setFocus()
        QTest.keyClick(room.windowHandle(), key)
        QTest.keyClick(room.box.lineEdit(), key)
    QTest.mouseClick(room.box, LEFT, pos=QPoint(room.box.width() - 5, 5))
    _wheel(room.box)
    assert room.box.value() == before
    qtbot.mouseClick(room.start, LEFT)
    QTest.keyClick(room.windowHandle(), Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)  # its mnemonic
    assert room.pressed == []
    qtbot.mouseClick(room.choice, LEFT, pos=QPoint(8, room.choice.height() // 2))
    assert not room.choice.isChecked()
    assert room.box.cursor().shape() == room.box.lineEdit().cursor().shape() == Qt.CursorShape.ForbiddenCursor
    room.box.setValue(42)
    assert room.box.value() == 42  # set by the program


def test_that_the_wheel_over_a_locked_control_scrolls_the_page_and_no_file_can_be_dropped_on_it(begin, room):
    begin(step(lock=("line",)))
    _wheel(room.line)
    assert room.area.verticalScrollBar().value() > 0
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/a/lesson.toml")])
    drag = QDragEnterEvent(QPoint(3, 3), Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    drag.accept()
    QApplication.sendEvent(room.line, drag)
    assert not drag.isAccepted()


def test_that_the_shortcut_of_a_locked_control_is_ignored_and_those_of_the_window_work(begin, room):
    received = []
    for keys, parent in (("Ctrl+J", room.inside), ("Ctrl+L", room)):
        QShortcut(QKeySequence(keys), parent).activated.connect(lambda keys=keys: received.append(keys))
    room.inside.setObjectName("inside")
    runner = begin(step(lock=("inside",)), step())
    for key in (Qt.Key.Key_J, Qt.Key.Key_L):
        QTest.keyClick(room.windowHandle(), key, Qt.KeyboardModifier.ControlModifier)
    assert received == ["Ctrl+L"]
    runner.next()
    QTest.keyClick(room.windowHandle(), Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert received == ["Ctrl+L", "Ctrl+J"]


def test_that_a_widget_created_later_inside_a_locked_control_is_locked_too(begin, room, qtbot):
    room.inside.setObjectName("inside")
    begin(step(lock=("inside",)))
    late = QPushButton("Late")
    late.clicked.connect(lambda: room.pressed.append(True))
    room.inside.layout().insertRow(0, late)
    qtbot.waitUntil(late.isVisible)
    qtbot.mouseClick(late, LEFT)
    assert room.pressed == []


def test_that_the_focus_never_stays_in_a_locked_control(begin, room):
    room.line.setFocus()
    begin(step(lock=("line", "box")))
    assert not room.line.hasFocus()
    room.line.setFocus()  # as a shortcut of the window may do
    QTest.keyClick(room.windowHandle(), Qt.Key.Key_Tab)
    assert room.start.hasFocus()


def test_that_a_hidden_control_stays_hidden_when_its_page_shows_it(begin, room, qtbot):
    begin(step(hide=("box",)))
    assert room.box.isHidden()
    room.box.show()
    qtbot.wait(20)
    assert room.box.isHidden()


def test_that_a_control_is_restored_to_the_latest_state_set_by_its_page(begin, room):
    room.line.hide()
    runner = begin(step(hide=("line", "box", "start", "choice")))
    room.box.hide()  # seen before, and its page no longer needs it
    room.choice.hide()
    room.choice.show()
    room.line.show()
    runner.finish()
    seen = {each.objectName(): not each.isHidden() for each in (room.line, room.box, room.start, room.choice)}
    assert seen == {"line": True, "box": False, "start": True, "choice": True}


@pytest.mark.parametrize("leave", ["finish", "next"])
def test_that_everything_is_restored_at_the_end(begin, room, qtbot, leave):
    room.line.setCursor(Qt.CursorShape.CrossCursor)
    before = _state(room)
    runner = begin(step(lock=("line", "box", "start", "choice"), hide=("far",), point="box"), step())
    assert _state(room) != before
    getattr(runner, leave)()
    assert _state(room) == before
    assert runner.controls.spotlight.isHidden()
    qtbot.mouseClick(room.start, LEFT)
    assert room.pressed == [True]
    QTest.keyClicks(room.line, "abc")
    assert room.line.text() == "abc"


def _state(room: Room) -> list[Any]:
    parts = [room.inside, *room.inside.findChildren(QWidget)]
    own = Qt.WidgetAttribute.WA_SetCursor
    return [
        (each.objectName(), each.cursor().shape(), each.testAttribute(own), each.focusPolicy(), each.isHidden(),
         each.toolTip(), each.isEnabled(), each.property("locked"))
        for each in parts
    ]


def _wheel(widget: QWidget) -> None:
    """Turn the wheel over a widget."""
    middle = widget.mapTo(widget.window(), widget.rect().center())
    QTest.wheelEvent(widget.windowHandle() or widget.window().windowHandle(), QPointF(middle), QPoint(0, -120))


# In the real window.


def test_that_a_lesson_leads_through_training_to_a_text(window, user, tmp_path):
    user.lesson.open(lesson_file(tmp_path / "mine.toml", """
tab = "model"
settings = { context_length = 16, emb_dim = 16, n_heads = 2, n_layers = 1 }
check = { value = "parameters", at_most = 2_000_000 }
""", """
tab = "train"
settings = { text = ["story"], steps = 4, eval_freq = 2, eval_iter = 1, sample_tokens = 0, precision = "fp32" }
lock = ["train_steps"]
check = { value = "validation_loss", at_most = 11 }
""", """
tab = "generate"
settings = { temperature = 0.5, top_k = 7, max_new_tokens = 3, prompt = "The bell" }
check = { value = "tokens", at_least = 3 }
""", """
page = "layernorm"
settings = { shift = 2 }
check = { value = "shift", equals = 1 }
"""))
    runner = user.lesson.runner
    user.wait(lambda: runner.reached == {0} and runner.guide.next.isVisible())
    user.click(runner.guide.next)
    user.wait(lambda: user.train.looked)
    assert user.train.editor("steps").value() == 4
    QTest.keyClicks(user.train.editor("steps").control, "9")
    assert user.train.editor("steps").value() == 4
    user.train.start()
    user.wait(lambda: not user.train.running and 1 in runner.reached)
    user.click(runner.guide.next)
    assert (user.generate.sampling_params.temperature, user.generate.sampling_params.top_k) == (0.5, 7)
    user.generate.go()
    user.wait(lambda: 2 in runner.reached)
    user.click(runner.guide.next)
    page = user.learn.page("layernorm")
    assert page.request.shift == 2
    page.update_request(shift=1)
    user.wait(lambda: runner.reached == {0, 1, 2, 3})
    user.click(runner.guide.next)
    user.click(runner.guide.next)
    assert user.lesson.runner is None


def test_that_a_window_that_is_closed_during_a_lesson_leaves_nothing_running(window, user):
    user.lesson.open(shipped("en")[0])
    user.wait(lambda: looking(user.lesson.runner))  # the fixture checks for timers that are still active
