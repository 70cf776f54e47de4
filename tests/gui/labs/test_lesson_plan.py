"""The time of a lesson: the minutes on its card, and the offer to skip a step when late."""

from types import SimpleNamespace

import pytest
from pages.lesson import lesson_file

from gptstudio.gui.learn.lessons import guide

FIRST_PAGE = "learn"

STEPS = ("""
page = "attention"
minutes = 5
""", """
page = "attention"
minutes = 4
optional = true
check = { value = "query", equals = 5 }
""", """
page = "attention"
""")
"""A lesson of 12 minutes, of which the last step has the remaining three."""


@pytest.fixture
def clock(monkeypatch):
    """The time that the card reads, in seconds; set by hand."""
    made = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(guide, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


@pytest.fixture
def lesson(user, tmp_path, clock):
    file = lesson_file(tmp_path / "mine.toml", *STEPS)
    file.write_text(file.read_text().replace("minutes = 3", "minutes = 12", 1))
    user.lesson.open(file)
    user.wait(user.lesson.next_button.isVisible)
    return user.lesson


def ring(user) -> str:
    """Return the text of the ring for a screen reader."""
    return user.find("lesson_ring").accessibleName()


def test_that_the_card_shows_the_minutes_of_step_and_lesson_which_begin_again_with_the_lesson(user, lesson, clock):
    assert lesson.reads("lesson_minutes") == "0 of 12 min"
    clock.now += 150
    lesson.next()
    assert lesson.reads("lesson_minutes") == "2 of 12 min"
    assert ring(user).startswith("This step: 0 of 4 min. Lesson: 2 of 12 min")
    lesson.next()
    assert ring(user).startswith("This step: 0 of 3 min.")
    lesson.back()
    lesson.back()
    assert ring(user).startswith("This step: 2 of 5 min.")

    # The plan begins again with the lesson.
    for _ in STEPS:
        clock.now += 600
        lesson.next()
    assert not user.find("lesson_ring").isVisible()
    user.click(user.find("lesson_again"))
    assert lesson.reads("lesson_minutes") == "0 of 12 min"


def test_that_only_late_learners_can_skip_a_step(user, lesson, clock):
    clock.now += 8 * 60
    lesson.next()
    assert not user.find("lesson_skip").isVisible()
    lesson.back()
    clock.now += 2 * 60
    lesson.next()
    assert lesson.reads("lesson_late") == "You are 5 min behind the plan; this step can be skipped."
    user.click(user.find("lesson_skip"))
    assert lesson.index == 2
    assert lesson.runner.record.skipped == {1}
    assert not user.find("lesson_skip").isVisible()
