"""Commands that write the report of a run, and show the runs of a class."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.language import language
from gptstudio.gui.translation import translated
from gptstudio.gui.widgets.save_as import ask_where
from gptstudio.i18n import message

if TYPE_CHECKING:
    from gptstudio.gui.runs.class_view import ClassView


class ReportCommands(QObject):
    """Handles these commands for a window. The class view is made when it is first needed."""

    def __init__(
        self, window: QWidget, actions: Actions, state: AppState, tasks: TaskRunner, library: LibraryController,
        training: TrainingController,
    ) -> None:
        super().__init__(window)
        self._window, self._state, self._tasks = window, state, tasks
        self._library, self._training = library, training
        actions.handle("run_report", self._ask)
        actions.handle("class_view", self.show_class)

    @cached_property
    def class_view(self) -> ClassView:
        from gptstudio.gui.runs.class_view import ClassView

        return ClassView(self._window, self._tasks)

    def show_class(self) -> None:
        self.class_view.show()
        self.class_view.raise_()
        self.class_view.activateWindow()

    def close(self) -> None:
        """Close the class view, if there is one."""
        if "class_view" in vars(self):
            self.class_view.close()

    def _ask(self) -> None:
        """Ask for a file, and write the report of the run on Train, or of the one that is selected on Runs."""
        on_train, selected = self._state.page == "train", self._state.selected_run
        folder = self._state.run.folder if on_train else selected.summary.folder if selected else None
        if not folder:
            return
        path = ask_where(self._window, f"{folder.name}.html")
        if not path:
            return
        say = self._say_on_train if on_train else self._library.done.emit
        from gptstudio.app import report_tasks  # brings the lessons, which the first window does not wait for

        title = message("Writing the report of {name}", name=folder.name)
        self._tasks.run(
            report_tasks.write_report(folder, path, translated, language.code), title=title,
            done=lambda words: say(words, False), failed=lambda error: say(error.message, True),
            cancelled=lambda: say(message("Cancelled. Nothing was saved."), True),
            progress=self._progress(title, on_train))

    def _progress(self, title: str, on_train: bool) -> Callable[[int, int], object] | None:
        return None if on_train else partial(self._library.progressed.emit, title)

    def _say_on_train(self, words: str, _: bool) -> None:
        self._training.say(words)
