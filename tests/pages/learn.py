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

    def on_answers(self, slot: Callable[[list[Any]], None]) -> None:
        """Hears all that is answered without a model."""
        self.user.window.learning_controller.worker.arrived.connect(slot)

    @property
    def busy(self) -> bool:
        """Whether anything is computed that needs no model."""
        return self.user.window.learning_controller.worker.busy


class LessonPage(Page):
    """The lesson that goes on, at the foot of the window."""

    place = "learning_controller"
    next_button, back_button = Inside("lesson.guide.next"), Inside("lesson.guide.back")
    """Those of this lesson: the card of one before it may not be gone yet."""
    runner, title = Inside("lesson"), Inside("lesson.lesson.title")
    """None where there is no lesson."""
    index, reached = Inside("lesson.index"), Inside("lesson.reached")
    """The step that is shown, and those that were reached."""
    open, end, look = Inside("open_lesson"), Inside("end_lesson"), Inside("lesson._look")
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
