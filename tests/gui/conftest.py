"""The real window with somebody at it, for every test here."""

from pathlib import Path

import pytest
from at_the_window import (
    application,
    failures,
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

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A window that hangs is noticed soon."""
    for item in items:
        if HERE in item.path.parents and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(60, method="thread"))  # a signal is not heard inside a question
