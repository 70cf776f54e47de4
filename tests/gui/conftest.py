"""The real window with somebody at it, for every test here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_window import (
    application,
    failures,
    first_page,
    made_early,
    qtbot,
    spared,
    study,
    tiny,
    user,
    whole_window,
    window,
    writer,
)
from lessons import common_words, few_tokens
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A window that hangs is noticed soon."""
    for item in items:
        if HERE in item.path.parents and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(60, method="thread"))  # a signal is not heard inside a question


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Windows, menus and hints that a test has left are deleted: later tests would dress and translate them again and
    again, which took a twentieth of the suite."""
    before = _windows()
    yield
    if left := _windows() - before:
        for each in left:
            each.deleteLater()
        left.clear()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _windows() -> set[QWidget]:
    return set(QApplication.topLevelWidgets()) if QApplication.instance() else set()
