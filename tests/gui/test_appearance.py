"""Changing the theme or the text size: visible parts follow at once, hidden parts when they are shown."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gptstudio.gui import appearance as module
from gptstudio.gui.appearance import appearance, followers, on_restyle
from gptstudio.gui.theme import DARK, LIGHT, theme


class Part(QWidget):
    """A part of a window that counts its updates, and records whether its style was set before each."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[bool] = []
        theme.dress(self)
        on_restyle(self, self.note)

    def note(self) -> None:
        self.seen.append(theme.colours.surface in self.styleSheet())


@pytest.fixture(autouse=True)
def light(application) -> Iterator[None]:
    yield
    theme.use(LIGHT)
    theme.enlarge(None)


@pytest.fixture
def parts(qtbot) -> Iterator[list[Part]]:
    """Two visible parts, and one hidden behind the second."""
    window, pages, made = QWidget(), QStackedWidget(), [Part(), Part(), Part()]
    layout = QVBoxLayout(window)
    layout.addWidget(made[0])
    layout.addWidget(pages)
    for page in made[1:]:
        pages.addWidget(page)
    qtbot.addWidget(window)
    window.show()
    yield made
    window.close()


def test_that_a_widget_follows_after_its_style_is_set(parts):
    theme.enlarge(1.1)
    theme.use(DARK)
    assert parts[0].seen == [True, True]


def test_that_a_hidden_part_follows_once_when_it_is_shown(parts):
    hidden = parts[2]
    light = hidden.styleSheet()
    for zoom in (1.1, 1.1):
        theme.enlarge(zoom)
    assert (hidden.seen, hidden.styleSheet()) == ([], light)
    hidden.parentWidget().setCurrentWidget(hidden)
    assert hidden.seen == [True]
    hidden.parentWidget().setCurrentWidget(parts[1])
    hidden.parentWidget().setCurrentWidget(hidden)
    assert len(hidden.seen) == 1


def test_that_parts_follow_one_after_the_other_where_this_takes_long(parts, qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_S", 0)
    theme.use(DARK)
    assert sum(map(bool, (part.seen for part in parts))) == 1
    qtbot.waitUntil(lambda: all(part.seen for part in parts[:2]))
    assert [len(part.seen) for part in parts] == [1, 1, 0]


def test_that_a_change_in_between_reaches_all_parts(parts, qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_S", 0)
    theme.use(DARK)
    theme.enlarge(1.1)
    qtbot.waitUntil(lambda: all(part.seen[-1:] == [True] for part in parts[:2]))


def test_that_a_part_that_is_deleted_before_its_turn_is_skipped(parts, qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_S", 0)
    theme.use(DARK)
    first, later = sorted(parts[:2], key=lambda part: not part.seen)
    later.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.use(LIGHT)
    qtbot.waitUntil(lambda: len(first.seen) == 2)


def test_that_a_hidden_part_follows_before_its_layout_on_request(parts):
    theme.use(DARK)
    appearance.catch_up(parts[1])
    assert parts[2].seen == []
    appearance.catch_up(parts[2].parentWidget())
    assert parts[2].seen == [], "it stays behind the other"
    appearance.catch_up(parts[2])
    assert parts[2].seen == [True]
    parts[2].parentWidget().setCurrentWidget(parts[2])
    assert len(parts[2].seen) == 1


def test_that_a_hidden_part_that_is_deleted_is_forgotten(parts):
    theme.use(DARK)
    parts[2].deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    appearance.catch_up(parts[1])


def test_that_a_deleted_widget_no_longer_follows(application):
    gc.collect()
    before, part = len(followers), Part()
    assert len(followers) == before + 1
    gone = weakref.ref(part)
    del part
    gc.collect()
    assert gone() is None
    assert len(followers) == before
