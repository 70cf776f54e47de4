"""Learn as the window has it: the tab and its worker, the models its pages may be about, and the lesson that goes on.

It does for this one tab what ``window.py`` does for all others: it connects it to workers.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gptstudio.errors import UserError
from gptstudio.gui.lab_task import LabAnswer, LabTask, lab_job
from gptstudio.gui.language import language
from gptstudio.gui.translation import tr
from gptstudio.gui.worker import Worker
from gptstudio.training.control import Control

if TYPE_CHECKING:
    from gptstudio.gui.learn.learn_tab import LearnTab
    from gptstudio.gui.learn.lessons.runner import Runner
    from gptstudio.gui.window import MainWindow


class LearningController(QObject):
    """Learning controller. Creates nothing before the user opens Learn or a lesson."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.worker = Worker("learner", window)
        self.lesson: Runner | None = None
        """The lesson that goes on."""
        self._controls: dict[str, Control] = {}  # by lab
        self.worker.arrived.connect(self.take)

    @cached_property
    def tab(self) -> LearnTab:
        from gptstudio.gui.learn.learn_tab import LearnTab

        tab = LearnTab()
        tab.requested.connect(self.submit)
        tab.lesson_requested.connect(self.open_lesson)
        tab.opened.connect(lambda: self._window.settings_locks.look())  # a page that was not there before
        self._window.generate.model_box.offered.connect(self._offer_models)
        self._window.panel.device_changed.connect(self._offer_models)
        self._offer(tab)
        return tab

    @property
    def opened(self) -> bool:
        """True if the tab exists already."""
        return "tab" in vars(self)

    def retranslate(self) -> None:
        """In another language there are other lessons."""
        if self.opened:
            self._offer(self.tab)

    # Questions and answers.

    def submit(self, task: LabTask) -> None:
        """Asks for a lab's answer; what the same lab asked before is not wanted any more."""
        if task.lab.name in self._controls:
            self._controls[task.lab.name].stop()
        control = self._controls[task.lab.name] = Control()
        if task.source:
            if self._window.generate.running:
                self.tab.page(task.lab.name).say_waiting(tr("Waiting for the Generate tab to finish…"))
            self._window.submit_lab_task(task, control)  # its thread has the models
        else:
            self.worker.submit(lab_job(task, control))

    def take(self, messages: list[Any]) -> None:
        """Hands the answers among these messages to their pages."""
        for message in messages:
            if isinstance(message, LabAnswer):
                self.tab.take(message)

    def _offer(self, tab: LearnTab) -> None:
        from gptstudio.labs.lesson import shipped

        tab.contents.set_lessons(shipped(language.code))
        tab.set_sources(self._window.generate.model_box.sources, self._window.panel.device.key)

    def _offer_models(self) -> None:
        self.tab.set_sources(self._window.generate.model_box.sources, self._window.panel.device.key)

    # Lessons.

    def open_lesson(self, path: Path) -> None:
        """Begins a lesson; what is wrong with its file is said on the tab."""
        from gptstudio.gui.learn.lessons.places import LessonTargets
        from gptstudio.gui.learn.lessons.runner import Runner
        from gptstudio.labs.lesson import load

        self.tab.notice.setText("")
        try:
            lesson = load(path)
        except UserError as error:
            self._window.go_to(self._window.learn)
            self.tab.notice.setText(tr(error.args[0]))
            return
        self.end_lesson()
        places = LessonTargets(self._window)
        self.lesson = Runner(lesson, self._window, places.go, places.value, places.obstacle)
        self.lesson.ended.connect(self._lesson_ended)
        self.lesson.start()

    def end_lesson(self) -> None:
        """Gives the window back as it was before the lesson, if there is one."""
        if self.lesson:
            self.lesson.finish()

    def _lesson_ended(self) -> None:
        self.lesson = None

    # Leaving.

    def stop(self) -> None:
        """The window goes: nothing more is asked."""
        self.end_lesson()
        for control in self._controls.values():
            control.stop()
