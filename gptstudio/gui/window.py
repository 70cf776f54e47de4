"""Main window, which only connects the state, the tasks, the controllers and the pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QWidget

import gptstudio
from gptstudio.app.copied_code import Kind, copied_code
from gptstudio.app.requests import ModelCache
from gptstudio.app.run_extent import RunExtent
from gptstudio.app.settings_history import SettingsHistory
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.errors import UserError, text_of
from gptstudio.gui.actions import Actions, Menus
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.controllers.training import QuickTraining, TrainingController
from gptstudio.gui.event_loop import Garbage, PageImports
from gptstudio.gui.help.help import Help
from gptstudio.gui.language import language
from gptstudio.gui.locks import SettingsLocks
from gptstudio.gui.longer_dialog import LongerDialog
from gptstudio.gui.model import ModelDock, ModelPanel
from gptstudio.gui.notices import ErrorBar, LanguageNotice, UpgradeNotice
from gptstudio.gui.palette import Palette, ShortcutsDialog
from gptstudio.gui.preferences_dialog import PreferencesDialog
from gptstudio.gui.question import confirmed
from gptstudio.gui.save_as import ask_where, report_saved
from gptstudio.gui.status_bar import StatusBar
from gptstudio.gui.term_cards import explain_terms
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr, tr_for_file
from gptstudio.gui.weights.dialogs import WeightsDialogs, first_with_weights, holds_run
from gptstudio.gui.welcome import Introduction
from gptstudio.gui.widgets.drop import FileDrop, FileOpen
from gptstudio.gui.widgets.layouts import grows, vbox, with_layout
from gptstudio.gui.window_frame import EdgedWindow, PageTabs, Projector
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.paths import LESSON_ENDINGS

if TYPE_CHECKING:
    from gptstudio.gui.generate.generate_tab import GenerateTab
    from gptstudio.gui.hand_in_dialog import HandInDialog
    from gptstudio.gui.learn.learn_tab import LearnTab
    from gptstudio.gui.learn.lessons.editor import LessonEditor
    from gptstudio.gui.learn.lessons.runner import LessonHost
    from gptstudio.gui.runs.class_view import ClassView
    from gptstudio.gui.runs.runs_tab import RunsTab
    from gptstudio.gui.texts.texts_tab import TextsTab
    from gptstudio.gui.train.train_tab import TrainTab


MADE_EARLY = ("train", "generate")
"""Pages that are created before they are first shown, because that takes a tenth of a second."""


class MainWindow(EdgedWindow):
    """Window with the Model panel on the left, and the pages next to it, each created when it is first shown."""

    def __init__(self, first_page: str = "train") -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(f"GPT Studio {gptstudio.__version__}")
        self.resize(QSize(1280, 800))
        self.state, self.tasks, models = AppState(), TaskRunner(self), ModelCache()
        self.state.page = first_page
        self.library = LibraryController(self.state, self.tasks, self)
        self.training = TrainingController(self.state, self.tasks, self.library, self)
        self.quick_training = QuickTraining(self.state, self.tasks, self.training, self)
        self.sweeps = SweepController(self.state, self.tasks, self.training, self)
        self.generation = GenerationController(self.state, self.tasks, models, self)
        self.generation.checkpoint_replaced.connect(lambda: self.library.refresh_models())
        self.learning = LearningController(self.state, self.tasks, models, self)
        models.snapshot = lambda: self.training.control.snapshot()
        self.actions_of = Actions(self, self.state)
        explain_terms(self.state, self)
        self.projector = Projector(self, self.state, self.actions_of)
        self.panel = ModelPanel(self.state, self.actions_of)
        self.menus = Menus(self, self.actions_of, self.state, lambda path: self.open_files([path]))
        self.weights = WeightsDialogs(self, self.actions_of, self.state, self.tasks, self.library)
        self.error_bar = ErrorBar(lambda: self.state.device.name)
        self.settings_locks = SettingsLocks(self, self.state, self.tasks, self.learning, self.actions_of)
        self.page_imports = PageImports(self.tasks, self)
        self._garbage: Garbage | None = None
        self.save_session: Callable[[], None] = lambda: None
        """Function that saves the session before its regular time."""
        self.after_close: Callable[[], None] | None = None
        """Function that is called once the window is closed and everything is saved; the program then starts again."""
        self._lay_out()
        self._connect()

    def wake(self, new_session: bool = False) -> None:
        """Start what can wait until the window is visible. ``new_session``: whether to ignore an interrupted run."""
        self._garbage = Garbage(self.state)  # before any other thread starts
        for page in MADE_EARLY:
            self.tabs.make(page)
        if "train" in vars(self):
            _ = self.train.view  # with its charts, which take half of the time until a window is painted
        self.settings_history = SettingsHistory(self.state)
        self.training.wake(new_session)
        if not new_session:
            self.sweeps.wake()
        self.library.wake()
        self.page_imports.wake()
        self.settings_locks.begin()

    @cached_property
    def train(self) -> TrainTab:
        from gptstudio.gui.train.train_tab import TrainTab

        page = TrainTab(self.state, self.training, self.actions_of)
        if self._garbage:  # already awake: no first paint is delayed
            _ = page.view
        return page

    @cached_property
    def generate(self) -> GenerateTab:
        from gptstudio.gui.generate.generate_tab import GenerateTab

        return GenerateTab(self.state, self.generation, self.actions_of)

    @cached_property
    def runs(self) -> RunsTab:
        from gptstudio.gui.runs.runs_tab import RunsTab

        return RunsTab(self.state, self.library, self.training, self.sweeps, self.actions_of)

    @cached_property
    def texts(self) -> TextsTab:
        from gptstudio.gui.texts.texts_tab import TextsTab

        return TextsTab(self.state, self.library, self.actions_of)

    @cached_property
    def learn(self) -> LearnTab:
        from gptstudio.gui.learn.learn_tab import LearnTab

        return LearnTab(self.state, self.learning, self.quick_training, self.actions_of)

    @cached_property
    def lessons(self) -> LessonHost:
        from gptstudio.gui.learn.lessons.runner import LessonHost

        return LessonHost(self, self.state, self.learning, self.quick_training, self.actions_of, self.page)

    def page(self, name: str) -> Any:
        """Return the page with this name, created if necessary, or the Model panel."""
        return getattr(self, "panel" if name == "model" else name)

    def go_to(self, name: str) -> Any:
        """Show a page, unless it is locked, and return it."""
        self.state.show_page(name)
        return self.page(name)

    # Commands.

    @cached_property
    def class_view(self) -> ClassView:
        from gptstudio.gui.runs.class_view import ClassView

        return ClassView(self, self.tasks)

    @cached_property
    def lesson_editor(self) -> LessonEditor:
        from gptstudio.gui.learn.lessons.editor import LessonEditor

        return LessonEditor(self, self.state, self.page, self.learning.open_lesson)

    def write_lesson(self) -> None:
        self.lesson_editor.show()
        self.lesson_editor.raise_()

    @cached_property
    def hand_in_dialog(self) -> HandInDialog:
        from gptstudio.gui.hand_in_dialog import HandInDialog

        return HandInDialog(self, self.tasks)

    def hand_in(self) -> None:
        """Ask for a name, and hand in the run that is shown, or at the end of a lesson its newest run."""
        from gptstudio.app.derived import run_to_hand_in

        runner = self.lessons.runner if "lessons" in vars(self) else None
        record = self.learning.record if runner and runner.at_end else None
        has_results = any(each.has_results for each in self.learning.progress.lessons.values())
        self.hand_in_dialog.ask(run_to_hand_in(self.state, record), has_results)

    def show_palette(self) -> None:
        Palette(self, self.actions_of, self.state).exec()

    def show_preferences(self) -> None:
        PreferencesDialog(self, self.actions_of, self.state).open()

    def show_shortcuts(self) -> None:
        ShortcutsDialog(self, self.actions_of).exec()

    def copy_code(self, kind: Kind) -> None:
        """Copy the settings of the page as a command or as Python, and report it in the status bar."""
        try:
            copied = copied_code(self.state, kind)
        except UserError as error:
            self.status.say(text_of(error))
        else:
            QGuiApplication.clipboard().setText(copied.text)
            self.status.say(copied.said)

    def take_back(self, step: Literal["undo", "redo"]) -> None:
        """Undo or redo the last change of the settings or of the text, depending on the page."""
        getattr(self.settings_history, step)()
        self.generate.transport_text(step)

    def save_report(self) -> None:
        """Ask for a file, and write the report of the run on Train, or of the run selected on Runs."""
        on_train, selected = self.state.page == "train", self.state.selected_run
        run = self.state.run.folder if on_train else selected.folder if selected else None
        path = ask_where(self, f"{run.name}.html") if run else None
        if run and path:
            from gptstudio.app import report_tasks  # imports the lessons, for which the first window does not wait

            code, operate = language.code, self.training.operate if on_train else self.library.operate
            operate(lambda task: report_tasks.write_report(task, run, path, tr_for_file, code),
                    message("Writing the report of {name}", name=shown_name(run)), partial(report_saved, self, path))

    def save_zip(self) -> None:
        """Ask for a file, and pack the run on Train, or the run selected on Runs."""
        self.runs.operations.save_zip(self.state.run.folder if self.state.page == "train" else None)

    def reset_class(self) -> None:
        """Move the work of a class away, as the settings of this computer require, and restart the program."""
        from gptstudio.gui import class_reset  # rarely used, and imports the archives

        self.save_session()
        class_reset.reset(self, self.tasks, self.settings_locks.settings.reset, self._close_then)

    def _close_then(self, do: Callable[[], None]) -> None:
        if self.close():  # the user may keep a run that was started meanwhile
            self.after_close = do

    def open_files(self, paths: list[str]) -> None:
        """Open files by their kind: begin a lesson, import weights, or add runs and show the other files as texts."""
        weights, locks = first_with_weights(paths), self.settings_locks
        if len(paths) == 1 and paths[0].lower().endswith(LESSON_ENDINGS):
            if not locks.refuses("learn_tab", "lab_list"):
                self.state.remember_file(paths[0])
                self.learning.open_lesson(Path(paths[0]))
            return
        if weights:
            if not locks.refuses_action(self.actions_of["open_weights"]):
                self.weights.look_at(weights)
            return
        runs = [path for path in paths if holds_run(Path(path))]
        texts = [path for path in paths if path not in runs]
        if texts and not locks.refuses("texts_tab", "open_texts"):
            self.go_to("texts").add(texts)
        if runs:
            self._add_runs([Path(path) for path in runs])

    def _add_runs(self, runs: list[Path]) -> None:
        commands = [self.actions_of["run_add" if os.path.isdir(run) else "run_import"] for run in runs]
        if not self.settings_locks.refuses("runs_tab") and not any(map(self.settings_locks.refuses_action, commands)):
            operations = self.go_to("runs").operations
            for run in runs:
                operations.take_in(run)

    def press_primary(self) -> None:
        """Trigger the command of the page's main button."""
        names = {"train": "start", "generate": "generate", "runs": "run_open"}
        if self.state.page in names:
            self.actions_of[names[self.state.page]].trigger()

    def focus_next_pane(self) -> None:
        """Move the keyboard focus to the next pane: docks on the left, the page, docks below."""
        focus, page = self.focusWidget(), cast(QWidget, self.centralWidget())
        docks = [each for each in self.findChildren(QDockWidget) if each.isVisible() and each.maximumWidth()]
        left = [each for each in docks if self.dockWidgetArea(each) == Qt.DockWidgetArea.LeftDockWidgetArea]
        panes = [*left, page, *(each for each in docks if each not in left)]
        here = next((place for place, pane in enumerate(panes) if focus and pane.isAncestorOf(focus)), -1)
        following = panes[(here + 1) % len(panes)]
        if following is page:
            self.state.show_page(self.state.page)
        else:
            following.setFocus()

    # Leaving.

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.state.running and not confirmed(self, "quit", tr("Training is running"), tr(
                "Stop training and close? The run is saved after the current step, and you can continue it next time."),
                tr("Close")):
            event.ignore()
            return
        self.leave()

    def leave(self) -> None:
        """Stop and save everything that runs. The window is hidden first, because that can take some seconds."""
        self.hide()
        self.projector.leave()
        self.learning.end_lesson()
        self.weights.close()
        for dialog in ("class_view", "lesson_editor"):
            if dialog in vars(self):
                getattr(self, dialog).close()
        self.help.close()
        for controller in (self.sweeps, self.training, self.library, self.page_imports):
            controller.leave()
        for name in ("train", "generate", "texts"):
            if name in vars(self):  # it has been created
                getattr(self, name).leave()
        self.tasks.finish()
        if self._garbage:
            self._garbage.leave()
        self.error_bar.leave()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.state.minimised = self.isMinimized()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.actions_of.press(event):
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        self.status = StatusBar(self.state, self.tasks)
        self.setStatusBar(self.status)
        self.tabs = PageTabs(self.state, self.page)
        self.language_notice = LanguageNotice(self)
        bars = (self.error_bar, UpgradeNotice(self), self.language_notice, self.settings_locks.notice)
        middle = vbox(*bars, grows(self.tabs), spacing=0)
        self.setCentralWidget(with_layout(QWidget(), middle))
        self.put_above(self.tabs.bar)
        self.dock = ModelDock(self, self.panel, self.state, self.actions_of)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.dock)
        self.settings_locks.close_pages(self.tabs.bar)
        theme.dress(self.menuBar(), self.status, *bars, self.dock)

    def _open_lab(self, name: str) -> None:
        self.state.show_page("learn")
        if self.state.page == "learn":
            self.learn.open(name)

    def _ask_longer(self, extent: RunExtent) -> None:
        if not self.state.running:
            LongerDialog(self, extent, lambda longer: self.training.train_longer(extent, longer)).open()

    def _connect(self) -> None:
        state = self.state
        self.tabs.shown.connect(lambda _: self.settings_locks.look())
        self.tabs.show_page()
        self.training.longer_asked.connect(self._ask_longer)
        self.library.comparison_opened.connect(lambda left, right: self.generate.pair.compare_models(left, right))
        self.library.checkpoint_opened.connect(lambda problem: self.generate.show_opened(problem))
        self.learning.lesson_opened.connect(lambda lesson: self.lessons.show_lesson(lesson))
        self.learning.settings_left.connect(lambda: self.lessons.restore_left())
        actions = self.actions_of
        self.training.events_arrived.connect(actions.update)
        self.welcome = Introduction(self, actions, state, self.learning)
        self.help = Help(self, actions, state)
        state.lab_requested.connect(self._open_lab)
        self.error_bar.report_requested.connect(actions["report_problem"].trigger)
        FileDrop(self, self.open_files)
        if sys.platform == "darwin":
            FileOpen(self, self.open_files)
