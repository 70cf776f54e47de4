"""The Learn page and its lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.page import Inside, Named, Page


class LearnPage(Page):
    """Experiments, of which one is open."""

    place = "learn"
    contents, current, page = Named("lab_list"), Inside("current"), Inside("page")

    def open(self, name: str) -> Any:
        """Opens an experiment, whatever the window shows; its page."""
        self.widget.open(name)
        return self.current

    @property
    def busy(self) -> bool:
        """Whether anything is computed that needs no model."""
        return any(task.key.startswith("lab ") for task in self.user.window.tasks.tasks)


class LessonPage(Page):
    """The lesson in progress, and its column."""

    place = "lessons"
    next_button, back_button = Inside("runner.guide.next"), Inside("runner.guide.back")
    """Those of this lesson: the card of one before it may not be gone yet."""
    runner, title = Inside("runner"), Inside("runner.lesson.title")
    """None where there is no lesson."""
    index, reached = Inside("runner.index"), Inside("runner.reached")
    """The step that is shown, and those that were reached."""
    open, end = Inside("_controller.open_lesson"), Inside("_controller.end_lesson")
    look = Inside("runner._look")
    """``look``: now, and not at the next tick of its clock."""

    def reads(self, name: str) -> str:
        return self.user.reads(name)

    def next(self) -> None:
        self.user.wait(self.next_button.isVisible)
        self.user.click(self.next_button)

    def back(self) -> None:
        self.user.wait(self.back_button.isVisible)
        self.user.click(self.back_button)

    def show_step(self, wanted: Callable[[Any], bool]) -> None:
        """The first step that is so."""
        self.runner.show_step(next(n for n, step in enumerate(self.runner.lesson.steps) if wanted(step)))
