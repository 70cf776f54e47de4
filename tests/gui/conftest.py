"""The real window with a simulated user, for every test here."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from at_the_window import (
    application,
    clicks_at_once,
    failures,
    first_language,
    first_page,
    made_early,
    qtbot,
    spared,
    study,
    tiny,
    trainer,
    user,
    whole_window,
    window,
    writer,
)
from lessons import common_words, few_tokens
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QGraphicsView, QWidget
from the_program import program

from gptstudio.gpt.config import PRESETS
from gptstudio.labs.catalogue import load
from gptstudio.training.model_source import UntrainedModel

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Limit each test to 60 s, so that a window that hangs is noticed."""
    for item in items:
        if HERE in item.path.parents and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(60, method="thread"))  # a question blocks signals


@pytest.fixture(scope="module", autouse=True)
def few_words(request) -> None:
    """Use ``common_words``, unless the module needs all of GPT-2's vocabulary and defines ``ALL_WORDS``."""
    if not hasattr(request.module, "ALL_WORDS"):
        request.getfixturevalue("common_words")


@pytest.fixture
def small_greedy_model(monkeypatch) -> UntrainedModel:
    """Let greedy decoding begin with a model that is created in a tenth of a second, where its numbers do not
    matter."""
    small = UntrainedModel(PRESETS["gpt2-small"].but(emb_dim=96, n_heads=2, n_layers=2))
    monkeypatch.setattr("gptstudio.labs.generate.LAB", replace(load("generate"), model=small))
    return small


@pytest.fixture
def saved(monkeypatch, tmp_path) -> Path:
    """The path that every save dialog returns."""
    path: Path = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    return path


@pytest.fixture
def soon(monkeypatch) -> None:
    """Read the journals more often than the program does."""
    monkeypatch.setattr("gptstudio.gui.controllers.journals.LOOK_EVERY_MS", 50)


@pytest.fixture(autouse=True)
def lessons_look_often(monkeypatch) -> None:
    """Let lessons and their editor check for changes every 50 ms."""
    monkeypatch.setattr("gptstudio.gui.learn.lessons.runner.LOOK_EVERY_MS", 50)
    monkeypatch.setattr("gptstudio.gui.learn.lessons.editor.LOOK_EVERY_MS", 50)


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Delete the windows, menus and tooltips that a test has left: later tests would style them again and again, which
    took a twentieth of the suite's time. Those with a chart are deleted first: pyqtgraph's menus have no parent, and a
    chart whose menus are deleted before it crashes on deletion."""
    before = _windows()
    yield
    if left := _windows() - before:
        for each in sorted(left, key=lambda widget: widget.findChild(QGraphicsView) is None):
            each.deleteLater()
        left.clear()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _windows() -> set[QWidget]:
    return set(QApplication.topLevelWidgets()) if QApplication.instance() else set()
