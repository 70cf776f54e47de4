"""The main window: its layout, and the connections of tabs to workers."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMessageBox, QTabWidget, QVBoxLayout, QWidget

import gptstudio
from gptstudio.devices import DeviceLost
from gptstudio.errors import UserError
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui import answers, jobs, keys, lazy_pages
from gptstudio.gui.answers_runs import RunEntry
from gptstudio.gui.controllers.learning import LearningController
from gptstudio.gui.controllers.weights import WeightsController
from gptstudio.gui.error_bar import ErrorBar
from gptstudio.gui.following import Replay
from gptstudio.gui.garbage import Garbage
from gptstudio.gui.generate.model_cache import ModelCache
from gptstudio.gui.generate.requests import Question, Request
from gptstudio.gui.lab_task import LabAnswer, LabTask
from gptstudio.gui.model.model_panel import ModelPanel
from gptstudio.gui.settings_locks import SettingsLocks
from gptstudio.gui.theme import theme
from gptstudio.gui.train.train_tab import TrainTab
from gptstudio.gui.translation import tr
from gptstudio.gui.view_menu import ViewMenu
from gptstudio.gui.widgets.drop import FileDrop, FileOpen
from gptstudio.gui.widgets.parts import named, scrolling, scrolling_both_ways
from gptstudio.gui.worker import Worker
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, all_imported, newest_of_each_run
from gptstudio.training.run_folder import RunFolder, step_of
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
    from gptstudio.gui.generate.generate_tab import GenerateTab
    from gptstudio.gui.learn.learn_tab import LearnTab
    from gptstudio.gui.runs.runs_tab import RunsTab
    from gptstudio.gui.texts.texts_tab import TextsTab

    Page = TrainTab | GenerateTab | RunsTab | TextsTab | LearnTab

MEMORY_EVERY_MS = 3_000
LESSONS = (".toml", ".gptlesson")  # the second is what installers tie to the program
TABS = ("train", "generate", "runs", "texts", "learn")
"""The pages by name, in the order of their tabs."""


class MainWindow(QMainWindow):
    """The Model panel on the left; Train and Generate beside it; four workers behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(f"GPT Studio {gptstudio.__version__}")
        self.resize(QSize(1280, 800))
        self.panel, self.train = ModelPanel(), TrainTab()
        self.replay = Replay(self)
        names = ("background", "fetcher", "reader", "trainer", "decoder")
        self.background, self.fetcher, self.reader, self.trainer, self.decoder = (Worker(name, self) for name in names)
        self.learning_controller, self.weights_controller = LearningController(self), WeightsController(self)
        self._training, self._decoding, self._asking, self._fetching = (Control() for _ in range(4))
        self._model_cache = ModelCache()
        self._garbage: Garbage | None = None
        self.new_session = False
        """True if an interrupted run is ignored."""
        self.error_bar = ErrorBar(lambda: self.panel.device.name)
        self.settings_locks = SettingsLocks(self)
        self._place()
        self._connect()
        keys.add_shortcuts(self)
        self.train.set_device(self.panel.device)
        self.train.set_config(self.panel.config)
        self._memory = QTimer(self, interval=MEMORY_EVERY_MS)
        self._memory.timeout.connect(self._check_memory)
        theme.dress(self)

    def wake(self) -> None:
        """Start what can wait until the window is visible: Generate, torch, the devices, the models."""
        self._garbage = Garbage()  # before any other thread begins
        self._rooms[TABS.index("generate")].setWidget(self.generate)
        self.background.submit(answers.find_devices)
        if not self.new_session:
            self.background.submit(answers.find_interrupted)
        self.background.submit(answers.check_home)
        settled = self.generate.model_box.by_hand or isinstance(self.generate.source(), SavedModel)
        self.offer_models(choose=None if settled else next(iter(newest_of_each_run()), None))
        self._memory.start()
        self.settings_locks.begin()

    # The pages. Each but Train is made when it is first asked for; Generate, which the others tell of their models, at
    # the latest as the window wakes.

    @property
    def pages(self) -> tuple[Page, ...]:
        """All of them, in the order of their tabs."""
        return self.train, self.generate, self.runs, self.texts, self.learn

    generate = cached_property(lazy_pages.generate)
    runs = cached_property(lazy_pages.runs)
    texts = cached_property(lazy_pages.texts)
    learn = cached_property(lazy_pages.learn)

    def retranslate(self) -> None:
        """In another language: there are other lessons."""
        self.learning_controller.retranslate()

    # From the tabs to the workers.

    def start_training(self, spec: TrainSpec, anyway: bool = False, step: bool = False) -> None:
        self._training = Control()
        if step:
            self._training.step()
        self.trainer.submit(jobs.training(spec, self._training, anyway))

    def go_on_training(
        self, run: RunFolder, learning_rate: float | None, report_journal: bool, device: str, start: Path | None
    ) -> None:
        self._training = Control()
        self._training.learning_rate = learning_rate
        self.trainer.submit(jobs.resuming(run, self._training, report_journal, device, start))

    def submit_request(self, request: Request) -> None:
        if not isinstance(request, Question):
            self._asking.stop()  # a text does not wait for a look inside; the panes ask again when it is there
            self._asking, self._decoding = Control(), Control()
        control = self._asking if isinstance(request, Question) else self._decoding
        self.decoder.submit(self._model_cache.job(request, control, self._training.snapshot))

    def submit_lab_task(self, task: LabTask, control: Control) -> None:
        """A question of a lab, to the thread that holds the models."""
        self.decoder.submit(self._model_cache.job(task, control, self._training.snapshot))

    def stop_decoding(self) -> None:
        self._decoding.stop()

    def start_fetching(self) -> None:
        self._fetching = Control()
        self.fetcher.submit(answers.fetch_verdict(self._fetching))

    def pause_training(self, pause: bool) -> None:
        self._training.pause() if pause else self._training.resume()

    def turn_learning_rate(self, rate: float) -> None:
        self._training.learning_rate = rate

    def set_sampling_params(self, sampling_params: SamplingParams) -> None:
        self._decoding.sampling_params = sampling_params

    # From the workers to the tabs.

    def take_background(self, messages: list[Any]) -> None:
        for message in messages:
            if isinstance(message, answers.DevicesFound):
                self.panel.show_devices(message.devices, message.broken)
                if self._garbage:
                    self._garbage.spare_what_is_there()  # torch above all
        self.train.apply(messages)
        self.replay.take(messages)
        self.settings_locks.take(messages)

    def take_training(self, messages: list[Any]) -> None:
        self._check_devices_after(messages)
        self.train.apply(jobs.with_end(messages))
        chosen = self.generate.source()
        live = chosen.run if isinstance(chosen, LiveModel) else ""  # its last checkpoint will take its place
        self.generate.set_live(LiveModel(self.train.run.name) if self.train.running and self.train.run else None)
        if not self.train.running:
            ours = (each for each in newest_of_each_run() if each.run == live or not self.generate.offers(each))
            self.offer_models(choose=next(ours, None))
            self._check_memory()

    def _check_memory(self) -> None:
        """Reads what is free, once for the panel and for Train: both say the same."""
        self.panel.update_free_memory()
        self.train.check_memory(self.panel.device)

    def take_decoding(self, messages: list[Any]) -> None:
        self._check_devices_after(messages)
        self.learning_controller.take(messages)
        self.generate.apply(jobs.with_end([message for message in messages if not isinstance(message, LabAnswer)]))

    def _check_devices_after(self, messages: list[Any]) -> None:
        """A device that failed may be gone for good."""
        if any(isinstance(each, Ended) and each.error == DeviceLost.__name__ for each in messages):
            self.background.submit(answers.find_devices)

    # From the list of runs.

    def open_run(self, run: RunEntry) -> None:
        """Show a run in the Train tab from its journal, and follow it if a process is writing it."""
        if self.trainer.busy:  # the tab is taken
            return
        self.replay.stop()
        self.train.look_at(run.summary.folder, run.summary.record.spec, run.state == "live")
        self.replay.begin(run.summary.folder)
        self.go_to(self.train)

    def go_on_with(self, run: RunFolder) -> None:
        if not self.trainer.busy:
            self.go_to(self.train, self.train.start)
            self.train.go_on(run)

    def run_again(self, spec: TrainSpec) -> None:
        """Put the spec of a run into the panels, to be changed and started."""
        if self.trainer.busy:  # they tell of the run that goes on
            return
        self.panel.select(spec.config, spec.init_from)
        self.train.use_spec(spec)
        self.go_to(self.train, self.train.start)

    def continue_from(self, name: str) -> None:
        """Goes on from a checkpoint of the run that is shown, as a run of its own."""
        run, started = self.train.run, self.train.view.started
        if not run or not started or self.trainer.busy:
            return
        checkpoint = run.checkpoint_folder / name
        if step_of(checkpoint) + 1 >= started.total_steps:
            self.train.view.say(tr(
                "This checkpoint is at the last step of its run. To train longer, run it again with more steps."))
            return
        try:
            made = run.branch(checkpoint)
        except (UserError, OSError) as error:
            self.train.view.say(str(error))
            return
        self.replay.stop()
        self.train.go_on(made)

    def talk_to(self, checkpoint: Path) -> None:
        self.generate.add_source(str(checkpoint))
        self.generate.show_view_with()
        self.go_to(self.generate, self.generate.prompt)

    # From the models.

    def offer_models(self, choose: ModelSource | None = None) -> None:
        """Offer saved and imported models in every choice of a model."""
        runs, imported = newest_of_each_run(), all_imported()
        self.generate.set_sources([*runs, *imported], choose)
        self.panel.offer_weights([*imported, *runs])

    def train_with(self, source: SavedModel) -> None:
        """Puts a model into the Model panel, to be trained on."""
        self.panel.use_weights(source)
        self.go_to(self.train, self.train.start)

    # From the texts.

    def open_files(self, paths: list[str]) -> None:
        """Files that were dropped on the window: a lesson begins, weights are opened, texts are shown."""
        if len(paths) == 1 and paths[0].lower().endswith(LESSONS):
            if not self.settings_locks.refuses("learn_tab", "lab_list"):
                self.learning_controller.open_lesson(Path(paths[0]))
        elif not self.weights_controller.takes(paths) and not self.settings_locks.refuses("texts_tab", "open_texts"):
            self.go_to(self.texts)
            self.texts.add(paths)

    def offer_texts(self, texts: tuple[str, ...]) -> None:
        """Texts besides those that ship, wherever one can be chosen."""
        self.train.choice.offer(texts)
        if "texts" in vars(self):
            self.texts.offer(texts)

    def train_on(self, texts: tuple[str, ...], split: str) -> None:
        self.train.use_texts(texts, split)
        self.go_to(self.train, self.train.start)

    # Leaving.

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.trainer.busy and not self._may_stop():
            event.ignore()
            return
        self.leave()
        event.accept()

    def leave(self) -> None:
        """Stops and saves whatever runs. The window is hidden first, since that can take some seconds."""
        self.hide()
        self.learning_controller.stop()
        self.weights_controller.stop()
        self._memory.stop()
        self.replay.stop()
        for name in ("train", "generate", "runs", "texts"):
            if name in vars(self):  # it was made
                getattr(self, name).leave()
        for control in (self._training, self._decoding, self._asking, self._fetching):
            control.stop()
        workers = (self.trainer, self.decoder, self.reader, self.fetcher, self.background)
        for worker in (*workers, self.learning_controller.worker, *self.weights_controller.workers):
            worker.finish()
        if self._garbage:
            self._garbage.leave()
        self.error_bar.leave()

    def _may_stop(self) -> bool:
        question = QMessageBox(
            QMessageBox.Icon.Question, tr("Training is running"),
            tr("Stop training and close? The model is saved after the current step."),
            QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel, self,
        )
        question.setObjectName("close_question")
        question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        return question.exec() == QMessageBox.StandardButton.Close

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not keys.press(self, event):
            super().keyPressEvent(event)

    @property
    def current(self) -> Page:
        """The tab that is shown."""
        page: Page = getattr(self, TABS[self.tabs.currentIndex()])
        return page

    @property
    def learning(self) -> bool:
        """True if the current tab is Learn."""
        return TABS[self.tabs.currentIndex()] == "learn"

    def go_to(self, tab: Page, control: QWidget | None = None) -> None:
        """Shows a tab, and puts the focus on one of its controls. A tab that is locked stays away."""
        place = next(place for place, name in enumerate(TABS) if vars(self).get(name) is tab)
        if self.settings_locks.shut(TABS[place]):
            return
        self.tabs.setCurrentIndex(place)
        if control:
            control.setFocus()

    # Putting together.

    def _place(self) -> None:
        self.tabs = named(QTabWidget(), "tabs", tr("Train, compare runs, view texts, generate"))
        self.tabs.setDocumentMode(True)
        self.menuBar().addMenu(self.weights_controller.menu)
        self.view_menu = ViewMenu(self)
        self.menuBar().addMenu(self.view_menu)
        self.tabs.tabBar().setDrawBase(False)
        names = {
            "train": tr("Train"), "generate": tr("Generate"), "runs": tr("Runs"), "texts": tr("Texts"),
            "learn": tr("Learn"),
        }
        self._rooms = [scrolling_both_ways(f"{name}_scroll") for name in TABS]
        for number, (name, room) in enumerate(zip(TABS, self._rooms, strict=True)):
            self.tabs.addTab(room, names[name])
            self.tabs.setTabToolTip(number, f"Ctrl+{number + 2}")
        self._rooms[0].setWidget(self.train)
        self.tabs.currentChanged.connect(self._tab_shown)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.error_bar)
        column.addWidget(self.settings_locks.notice)
        column.addWidget(self.tabs, 1)
        self.setCentralWidget(middle)
        dock = named(QDockWidget(tr("Model")), "model_dock", tr("Model"))
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        dock.setWidget(scrolling(self.panel, "model_scroll"))
        dock.setTitleBarWidget(QWidget())  # the panel names itself
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
        self.dock = dock
        self._panel_width = 0  # as it was before the letters grew
        self._shown_width, self._shown_zoom = -1, theme.zoom
        theme.changed.connect(self._keep_panel_width)
        self.settings_locks.close(TABS)

    def _keep_panel_width(self) -> None:
        """The panel is as wide as it was, or as its letters need. Qt keeps a dock as wide as larger ones made it."""
        if theme.zoom == self._shown_zoom:
            return
        if self.dock.width() != self._shown_width:  # it was dragged since
            self._panel_width = self.dock.width()
        self._shown_zoom = theme.zoom
        QTimer.singleShot(0, self, self._resize_panel)  # once the letters have their new size

    def _resize_panel(self) -> None:
        self.resizeDocks([self.dock], [self._panel_width], Qt.Orientation.Horizontal)
        self._shown_width = self.dock.width()

    def _tab_shown(self) -> None:
        """Create a page when it is first shown. The dock is hidden for the labs, which have their own parameters."""
        self.dock.setVisible(not self.learning)
        self._rooms[self.tabs.currentIndex()].setWidget(self.current)
        self.settings_locks.look()

    def _connect(self) -> None:
        self.panel.weights_changed.connect(self.train.set_weights)
        self.panel.weights_box.open_requested.connect(self.weights_controller.open_weights)
        self.panel.weights_box.download_requested.connect(self.weights_controller.download)
        self.panel.config_changed.connect(self.train.set_config)
        self.panel.device_changed.connect(self.train.set_device)
        self.train.load_changed.connect(self.panel.show_load)
        self.train.start_requested.connect(self.start_training)
        self.train.stop_requested.connect(lambda: self._training.stop())
        self.train.pause_requested.connect(self.pause_training)
        self.train.step_requested.connect(lambda: self._training.step())
        self.train.rate_turned.connect(self.turn_learning_rate)
        self.train.go_on_requested.connect(self.go_on_training)
        self.train.check_requested.connect(lambda *what: self.background.submit(answers.check_text_file(*what)))
        self.train.outlook.calibrate_requested.connect(lambda *what: self.background.submit(answers.calibrate(*what)))
        self.train.model_wanted.connect(self.panel.select)
        self.train.view.checkpoints.continue_requested.connect(self.continue_from)
        self.train.view.checkpoints.generate_requested.connect(
            lambda name: self.talk_to(self.train.run.checkpoint_folder / name) if self.train.run else None
        )
        self.train.context_wanted.connect(self.panel.set_context)
        self.train.fetch_requested.connect(self.start_fetching)
        FileDrop(self, self.open_files)
        if sys.platform == "darwin":
            FileOpen(self, self.open_files)
        self.weights_controller.models_changed.connect(self.offer_models)
        self.replay.requested.connect(self.background.submit)
        self.replay.began.connect(self.train.view.clear)
        self.replay.arrived.connect(self.train.show_journal)
        self.train.start_requested.connect(self.replay.stop)
        self.train.go_on_requested.connect(self.replay.stop)
        self.train.run_controls.reset_pressed.connect(self.replay.stop)
        self.background.arrived.connect(self.take_background)
        self.fetcher.arrived.connect(self.take_background)
        self.trainer.arrived.connect(self.take_training)
        self.decoder.arrived.connect(self.take_decoding)
