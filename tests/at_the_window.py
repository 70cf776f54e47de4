"""The real window, off screen, with a simulated user, and checks that nothing is left after it is closed."""

import gc
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ziafont
from lessons import tiny_config
from pages.class_view import ClassViewPage
from pages.dialogs import Dialogs
from pages.generate import GeneratePage
from pages.learn import LearnPage, LessonPage
from pages.page import Page
from pages.panel import ModelPanelPage
from pages.runs import RunsPage
from pages.saved import SavedPage
from pages.text_attention import TextAttentionPage
from pages.texts import TextsPage
from pages.train import TrainPage
from pages.what_if import WhatIfPage
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QThread, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from gptstudio.app import training_tasks
from gptstudio.app.state import PAGES
from gptstudio.app.tasks import Queue, Task, TaskError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui import appearance
from gptstudio.gui import window as main_window
from gptstudio.gui.app import make_app
from gptstudio.gui.controllers import preparation
from gptstudio.gui.event_loop import Garbage
from gptstudio.gui.forms.controls import unfold_around
from gptstudio.gui.language import CHINESE, ENGLISH, language
from gptstudio.gui.theme import LIGHT, theme
from gptstudio.gui.widgets import parts
from gptstudio.gui.window import MainWindow
from gptstudio.history.journal_reader import EventBatch
from gptstudio.training.control import Control
from gptstudio.training.events import Event, StepDone
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

KEYS = Qt.KeyboardModifier
PATIENCE_S = 30
FONT = Path(ziafont.__file__).parent / "fonts" / "DejaVuSans.ttf"
"""Layouts depend on the font; this one is part of a library of the tests."""


class User(Page):
    """A simulated user: clicks, types, waits and reads. Also records the items that tasks deliver."""

    def __init__(self, qtbot: Any, window: MainWindow):
        super().__init__(self, window)
        self.qtbot, self.window = qtbot, window
        self.panel, self.train, self.generate = ModelPanelPage(self), TrainPage(self), GeneratePage(self)
        self.what_if = WhatIfPage(self)
        self.text_attention = TextAttentionPage(self)
        self.runs, self.texts, self.learn = RunsPage(self), TextsPage(self), LearnPage(self)
        self.lesson, self.dialogs = LessonPage(self), Dialogs(self)
        self.class_view = ClassViewPage(self)
        self.saved = SavedPage(self)
        self.training: list[list[Event]] = []
        self.decoding: list[list[Event]] = []
        window.tasks.delivered.connect(self._hear)

    # Waiting and reading.

    def wait(self, until: Callable[[], object], seconds: float = PATIENCE_S) -> None:
        self.qtbot.waitUntil(lambda: bool(until()), timeout=round(seconds * 1000))

    def rest(self, seconds: float) -> None:
        """Process events for this time."""
        self.qtbot.wait(round(seconds * 1000))

    def _hear(self, task: Task, items: list[Any]) -> None:
        events = [event for item in items for event in _events_of(item)]
        {"training": self.training, "model": self.decoding}.get(task.queue, []).append(events)

    def busy(self, *queues: Queue) -> bool:
        """Return whether a task runs on these queues, or on any if none is given."""
        return self.window.tasks.busy(*queues)

    def received(self, kind: type) -> list[Any]:
        """Return all recorded events of a kind from training and decoding."""
        return [event for came in (*self.training, *self.decoding) for event in came if isinstance(event, kind)]

    @property
    def current(self) -> str:
        """The name of the current page."""
        return PAGES[self.find("tabs").currentIndex()]

    # Acting.

    def go_to(self, page: str) -> None:
        """Click the tab of a page."""
        bar = self.find("tabs")
        self.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(PAGES.index(page)).center())

    def click(self, widget: QWidget, where: QPoint | None = None) -> None:
        assert widget.isVisible(), f"{widget.objectName()} cannot be seen"
        assert widget.isEnabled(), f"{widget.objectName()} is off"
        left = QPoint(min(10, widget.width() // 2), widget.height() // 2)  # the position of the box of a check box
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=where or left)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = KEYS.NoModifier) -> None:
        """Press a key in the window; the focused widget receives it."""
        QTest.keyClick(self.window.windowHandle(), key, modifiers)

    def type(self, name: str, text: str) -> None:
        """Focus a field, unfolding the part that contains it, and replace its text."""
        field = self.find(name)
        unfold_around(field)
        field.setFocus()
        self.press(Qt.Key.Key_A, KEYS.ControlModifier)
        self.press(Qt.Key.Key_Delete)
        self.qtbot.keyClicks(field, text)

    def choose(self, box: QComboBox, entry: str) -> None:
        """Select an entry of a combo box with the arrow keys."""
        box.setFocus()
        target = box.findText(entry)
        assert target >= 0, f"there is no {entry}"
        way = target - box.currentIndex()
        for _ in range(abs(way)):
            self.press(Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)

    def answer(self, button: str, before: Callable[[Any], object] = lambda question: None) -> None:
        """Click this button of the next question, after calling ``before`` with the question."""

        def look() -> None:
            question = QApplication.activeModalWidget()
            if not question:
                QTimer.singleShot(20, look)
                return
            before(question)
            texts = {made.text().replace("&", ""): made for made in question.findChildren(QAbstractButton)}
            self.qtbot.mouseClick(texts[button], Qt.MouseButton.LeftButton)

        QTimer.singleShot(20, look)


def _events_of(item: Any) -> list[Any]:
    """Return the event that a task emitted, or the steps and rare events of a batch of them."""
    if isinstance(item, EventBatch):
        return [*item.steps_at(slice(None)), *(other.event for other in item.rare)]
    return [item[1] if isinstance(item, tuple) else item]


def _is_so(callback: Callable[[], object], late: bool) -> bool:
    """Return whether the callback succeeds: None counts as true, and an assertion that fails as false unless it is
    late."""
    try:
        return (found := callback()) is None or bool(found)
    except AssertionError:
        if late:
            raise
        return False


class PatientBot(QtBot):
    """A bot that waits longer than pytest-qt's five seconds, since the machine may be busy."""

    def addWidget(self, widget: QWidget, **more: Any) -> None:
        """Keep the widget for the test: a chart that is garbage crashes when it is collected while Qt paints it."""
        super().addWidget(widget, **more)
        self.kept = [*getattr(self, "kept", ()), widget]

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE_S * 1000) -> None:
        end = time.monotonic() + timeout / 1000
        pause = 1
        while not _is_so(callback, late := time.monotonic() > end):
            if late:
                raise TimeoutError(f"not after {timeout} ms")
            self.wait(pause)
            pause = min(2 * pause, 20)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_S * 1000, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


@pytest.fixture(scope="session")
def application(qapp: QApplication) -> Iterator[QApplication]:
    """The application as the program creates it, with a font that is the same on every computer. Torch is loaded, and
    excluded from garbage collection from here on. The clipboard is emptied afterwards: without a screen, content set
    from Python would be deleted after the interpreter's end, and the process would crash."""
    import torch  # noqa: F401

    made = make_app()
    appearance.SLICE_S = math.inf  # do not wait for a turn of the event loop
    training_tasks.NICENESS = os.nice(0)  # the window's own niceness: otherwise other tests would slow its training
    assert QFontDatabase.addApplicationFont(str(FONT)) >= 0
    font = made.font()
    font.setFamilies([FONT.stem.replace("DejaVu", "DejaVu "), *font.families()])
    made.setFont(font)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "unfreeze", lambda: None)  # called on close; would slow all later collections
        gc.collect()
        gc.freeze()
        yield made
    made.clipboard().clear()


@pytest.fixture
def tiny() -> GPTConfig:
    """A model that trains and generates in a fraction of a second."""
    return tiny_config()


@pytest.fixture
def study(home) -> Callable[..., RunFolder]:
    """Return a function that trains a tiny model on the story to the end, or to a step, as another program would, and
    returns the run's folder."""

    def run(title: str = "", stop_at: int | None = None, path: Path | None = None, **changes: Any) -> RunFolder:
        few = {"steps": 6, "eval_freq": 2, "eval_iter": 1, "sample_tokens": 3}
        defaults = {"config": tiny_config(), "text": "story", **few}
        control, told = Control(), []

        def watch(event: Event) -> None:
            told.append(event)
            if isinstance(event, StepDone) and event.step == stop_at:
                control.stop()

        launch(TrainSpec.make(defaults, precision="fp32", device="cpu", **changes), control, [watch], path)
        folder = RunFolder(Path(told[0].run))
        if title:
            folder.rename(title)
        return folder

    return run


@pytest.fixture
def failures() -> list[TaskError]:
    """Unhandled errors. A test that makes a task raise clears the list; the window asserts that it is empty."""
    return []


@pytest.fixture
def spared(monkeypatch) -> None:
    """Exclude the objects that exist at the start from garbage collection once for all windows, since that takes 0.2 s
    each."""
    monkeypatch.setattr(Garbage, "spare_what_is_there", lambda garbage: None)


@pytest.fixture
def first_page(request) -> str:
    """The page that the window opens with: Train, or ``FIRST_PAGE`` of a module about another page, since creating
    Train takes as long as the rest of the window."""
    return getattr(request.module, "FIRST_PAGE", "train")


@pytest.fixture
def made_early() -> tuple[str, ...]:
    """The pages that are created before they are shown: none, since most tests use one page."""
    return ()


@pytest.fixture
def first_language() -> str:
    """The language in which the window is created; see ``in_chinese``."""
    return ENGLISH


in_chinese = pytest.mark.parametrize("first_language", [CHINESE])
"""Decorator of a test whose window is in Chinese."""


@pytest.fixture(autouse=True)
def clicks_at_once(request, monkeypatch) -> None:
    """Accept clicks at once on a button whose text has changed, or after ``CLICKS_AFTER_S`` seconds if the module
    defines it."""
    monkeypatch.setattr(parts, "CHANGED_S", getattr(request.module, "CLICKS_AFTER_S", 0.0))


@pytest.fixture
def window(
    application, qtbot, home, failures, spared, first_page, first_language, made_early, clicks_at_once, monkeypatch
) -> Iterator[MainWindow]:
    """The window, ready for use; no thread or timer of it may remain after it is closed.

    An uncaught exception, in a slot or on a thread, already fails the test: pytest-qt and pytest check that.
    """
    monkeypatch.setattr(preparation, "CHECK_AFTER_MS", 1)  # do not wait for further typing
    monkeypatch.setattr(preparation, "CALIBRATE_AFTER_MS", 3_600_000)  # only the tests of calibration shorten it
    monkeypatch.setattr(main_window, "MADE_EARLY", made_early)
    threads = _threads()
    language.load(first_language)
    made = MainWindow(first_page)
    made.tasks.failed.connect(lambda task, error: None if task.listens else failures.append(error))
    made.show()
    made.activateWindow()
    made.wake()
    qtbot.waitUntil(lambda: made.state.text_check is not None and not made.tasks.busy(), timeout=PATIENCE_S * 1000)
    yield made
    language.load(ENGLISH)
    made.leave()
    for settle_ms in (10, 0):  # events posted before would be handled in between
        assert [each.objectName() for each in made.findChildren(QThread) if each.isRunning()] == []
        assert [f"{each.parent()}, {each.interval()} ms" for each in made.findChildren(QTimer) if each.isActive()] == []
        qtbot.wait(settle_ms)
    assert _threads() - threads == set()
    assert failures == []
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.curve_colours, theme.scheme = {}, "system"
    if (theme.colours, theme.zoom) != (LIGHT, 1.0):  # setting them is slow
        theme.use(LIGHT)
        theme.enlarge(None)


@pytest.fixture
def whole_window(window) -> MainWindow:
    """The window with the parts that are created when first shown, except Learn."""
    for page in ("runs", "texts", "train"):
        window.state.show_page(page)
    assert all(side.chart for side in window.train.view.charts.sides.values())
    return window


@pytest.fixture
def user(qtbot, window) -> User:
    return User(qtbot, window)


@pytest.fixture
def trainer(user: User) -> Iterator[User]:
    """The user of a window whose model is in training."""
    user.train.begin(steps=5000, eval_freq=1000)
    yield user
    user.train.stop_from_afar()


@pytest.fixture
def writer(user, tiny) -> User:
    """The user of a window with an untrained tiny model that is ready to generate."""
    user.panel.select(tiny)
    user.go_to("generate")
    return user


def _threads() -> set[threading.Thread]:
    """Return the threads that Python started, without the dummies that stand for QThreads."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}  # noqa: SLF001 - no public name
