"""A lab's page without the window around it, with a controller that answers its slow questions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from gptstudio.app.requests import ModelCache
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.gpt.config import PRESETS
from gptstudio.gui.canvas.canvas import Canvas
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.learn.kit.page import LabPage
from gptstudio.gui.theme import LIGHT, theme
from gptstudio.labs.catalogue import load
from gptstudio.training.model_source import UntrainedModel

PATIENCE_MS = 60_000


@pytest.fixture(scope="session")
def models() -> ModelCache:
    """The models of the pages, kept for all tests: GPT-2 small with random weights is created only once."""
    return ModelCache()


@pytest.fixture
def small_loss_model(monkeypatch) -> None:
    """Let the page of the loss begin with a model that is created in a tenth of a second, where its numbers do not
    matter."""
    small = UntrainedModel(PRESETS["gpt2-small"].but(emb_dim=96, n_heads=2, n_layers=2))
    monkeypatch.setattr("gptstudio.labs.loss.LAB", replace(load("loss"), model=small))


@pytest.fixture
def presented(application, qtbot) -> Iterator[Callable[[Canvas], None]]:
    """Return a function that shows a matrix or a formula in an active window; ``reported`` has the items pointed at."""

    def present(made: Canvas) -> None:
        qtbot.addWidget(made)
        theme.dress(made)
        made.show()
        made.activateWindow()
        qtbot.waitUntil(made.isActiveWindow)
        made.clearFocus()
        made.reported = []
        made.pointed.connect(made.reported.append)

    yield present
    if (theme.colours, theme.zoom) != (LIGHT, 1.0):
        theme.use(LIGHT)
        theme.enlarge(None)


@pytest.fixture
def tasks(application) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    made.finish()


@pytest.fixture
def learning(tasks, models) -> LearningController:
    """The controller that answers the questions of pages without a window around them."""
    return LearningController(AppState(), tasks, models, tasks)


@pytest.fixture
def open_page(application, qtbot, tasks, learning) -> Iterator[Callable[..., Any]]:
    """Return a function that opens the page of a lab, 1100 by 700 pixels unless given, and waits for its first
    answer."""
    opened, failed = [], list[TaskError]()
    tasks.failed.connect(lambda task, error: failed.append(error) if error.details else None)

    def make(name: str, width: int = 1100, height: int = 700, wait: bool = True) -> LabPage:
        page = import_module(f"gptstudio.gui.learn.{name}").Page(load(name), learning)
        opened.append(page)
        page.set_sources((), "cpu")
        page.resize(width, height)
        theme.dress(page)
        page.show()
        page.update_request()
        if wait:
            qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)
        return page

    yield make
    for page in opened:
        page.close()
        page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert failed == []


@pytest.fixture
def page(request, open_page) -> LabPage:
    """The page of the lab that the module is named after, or that its ``PAGE`` names."""
    return open_page(getattr(request.module, "PAGE", request.path.stem.removeprefix("test_").removesuffix("_page")))


@pytest.fixture
def turned(page, qtbot) -> Callable[..., None]:
    """Return a function that changes the question of the module's ``page``, and waits for the answer."""

    def update_request(**changes: Any) -> None:
        page.update_request(**changes)
        qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)

    return update_request
