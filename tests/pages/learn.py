"""The Learn page and its lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gptstudio.labs.catalogue import ENTRIES
from pages.page import Inside, Named, Page

ABOUT_A_MODEL = ("feedforward", "loss", "generate")
QUICK = tuple(name for name in ENTRIES if name not in ABOUT_A_MODEL)
"""Experiments that need no model."""


class LearnPage(Page):
    """The experiments, of which one is open."""

    place = "learn"
    contents, current, page = Named("lab_list"), Inside("current"), Inside("page")

    def open(self, name: str) -> Any:
        """Open an experiment, also while another page is shown; return its page."""
        self.widget.open(name)
        return self.current

    def answered(self, name: str = "") -> Any:
        """Open an experiment, or stay on the open one; wait for its answer, and return its page."""
        if name:
            self.widget.open(name)
        self.user.wait(lambda: not self.current.waiting)
        return self.current

    @property
    def busy(self) -> bool:
        """True while a computation of an experiment is running."""
        return any(task.key.startswith("lab ") for task in self.user.window.tasks.tasks)


class LessonPage(Page):
    """The lesson in progress, and its column."""

    place = "lessons"
    next_button, back_button = Inside("runner.guide.next"), Inside("runner.guide.back")
    """The buttons of this lesson, since the card of the previous lesson may still exist."""
    runner, title = Inside("runner"), Inside("runner.lesson.title")
    """The runner and the title of the lesson; the runner is None where there is no lesson."""
    index, reached = Inside("runner.index"), Inside("runner.reached")
    """The index of the current step, and the steps that were reached."""
    open, end = Inside("_controller.open_lesson"), Inside("_controller.end_lesson")
    look = Inside("runner._look")
    """Check the goal now, instead of at the next tick of the timer."""

    def reads(self, name: str) -> str:
        return self.user.reads(name)

    def next(self) -> None:
        self.user.wait(self.next_button.isVisible)
        self.user.click(self.next_button)

    def back(self) -> None:
        self.user.wait(self.back_button.isVisible)
        self.user.click(self.back_button)

    def show_step(self, wanted: Callable[[Any], bool]) -> None:
        """Show the first step that satisfies a predicate."""
        self.runner.show_step(next(n for n, step in enumerate(self.runner.lesson.steps) if wanted(step)))
