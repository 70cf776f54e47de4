"""Places things, and is the only file that connects tabs to workers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMessageBox, QTabWidget, QWidget

import gptstudio
from gptstudio.devices import Device
from gptstudio.gui import answers, jobs
from gptstudio.gui.panels.model import ModelPanel
from gptstudio.gui.tabs.generate import GenerateTab
from gptstudio.gui.tabs.train import TrainTab
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.parts import named, scrolling
from gptstudio.gui.words import tr
from gptstudio.gui.worker import Failed, Worker
from gptstudio.runs.control import Control, Dials
from gptstudio.runs.events import Ended, Warned
from gptstudio.runs.source import ModelSource, newest_of_each_run
from gptstudio.runs.spec import GenerateSpec, TrainSpec

MEMORY_EVERY_MS = 3_000


class MainWindow(QMainWindow):
    """The Model panel on the left; Train and Generate beside it; four workers behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(f"GPT Studio {gptstudio.__version__}")
        self.resize(QSize(1280, 800))
        self.panel, self.train, self.generate = ModelPanel(), TrainTab(), GenerateTab()
        names = ("desk", "fetcher", "trainer", "decoder")
        self.desk, self.fetcher, self.trainer, self.decoder = (Worker(name, self) for name in names)
        self._training = self._decoding = self._fetching = Control()
        self._shelf = jobs.Shelf()
        self._place()
        self._connect()
        self._add_shortcuts()
        self.train.set_config(self.panel.config)
        self.generate.set_fresh(self.panel.config)
        self.generate.set_sources([])
        self._memory = QTimer(self, interval=MEMORY_EVERY_MS)
        self._memory.timeout.connect(self.panel.update_free_memory)

    def wake(self) -> None:
        """What may wait until the window is on the screen: torch, the devices, the list of runs."""
        self.desk.ask(answers.find_devices)
        self.generate.set_sources(newest_of_each_run())
        self._memory.start()

    # From the tabs to the workers.

    def start_training(self, spec: TrainSpec) -> None:
        self._training = Control()
        self.trainer.ask(jobs.training(spec, self._training))

    def start_decoding(self, spec: GenerateSpec, source: ModelSource) -> None:
        self._decoding = Control()
        self.decoder.ask(self._shelf.decoding(spec, source, self._decoding))

    def start_fetching(self) -> None:
        self._fetching = Control()
        self.fetcher.ask(answers.fetch_verdict(self._fetching))

    def pause_training(self, pause: bool) -> None:
        self._training.pause() if pause else self._training.resume()

    def turn_dials(self, dials: Dials) -> None:
        self._decoding.dials = dials

    # From the workers to the tabs.

    def take_desk(self, messages: list[Any]) -> None:
        for message in messages:
            if isinstance(message, answers.DevicesFound):
                self.panel.show_devices(message.devices)
        self.train.apply([Warned(words=str(each)) if isinstance(each, Failed) else each for each in messages])

    def take_training(self, messages: list[Any]) -> None:
        self.train.apply(_with_end(messages))
        if any(isinstance(message, Ended) for message in messages):
            saved = newest_of_each_run()
            new = (each for each in saved if not self.generate.offers(each))
            self.generate.set_sources(saved, choose=next(new, None))
            self.panel.update_free_memory()

    def take_decoding(self, messages: list[Any]) -> None:
        self.generate.apply(_with_end(messages))

    def use_device(self, device: Device) -> None:
        self.train.set_device(device.key, device.fast_bf16)
        self.generate.set_device(device.key)

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
        self._memory.stop()
        self.train.leave()
        for control in (self._training, self._decoding, self._fetching):
            control.stop()
        for worker in (self.trainer, self.decoder, self.fetcher, self.desk):
            worker.finish()

    def _may_stop(self) -> bool:
        question = QMessageBox(
            QMessageBox.Icon.Question, tr("Training is running"),
            tr("Stop training and close? The model is saved as it is after the step it is in."),
            QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel, self,
        )
        question.setObjectName("close_question")
        question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        return question.exec() == QMessageBox.StandardButton.Close

    # Keys.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Esc arrive here when the control with the focus has no use for them."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.current.primary()
        elif event.key() == Qt.Key.Key_Escape:
            self.current.stop()
        else:
            super().keyPressEvent(event)

    @property
    def current(self) -> TrainTab | GenerateTab:
        """The tab that is shown."""
        return (self.train, self.generate)[self.tabs.currentIndex()]

    def _add_shortcuts(self) -> None:
        actions = {
            "Ctrl+Return": lambda: self.current.primary(),
            "Ctrl+Enter": lambda: self.current.primary(),
            "Ctrl+1": self.panel.preset.setFocus,
            "Ctrl+2": lambda: self.go_to(self.train, self.train.start),
            "Ctrl+3": lambda: self.go_to(self.generate, self.generate.prompt),
            "Ctrl+=": lambda: theme.enlarge(1.1),
            "Ctrl++": lambda: theme.enlarge(1.1),
            "Ctrl+-": lambda: theme.enlarge(1 / 1.1),
            "Ctrl+0": lambda: theme.enlarge(None),
        }
        for keys, action in actions.items():
            QShortcut(QKeySequence(keys), self).activated.connect(action)

    def go_to(self, tab: TrainTab | GenerateTab, control: QWidget | None = None) -> None:
        """Shows a tab, and puts the focus on one of its controls."""
        self.tabs.setCurrentIndex((self.train, self.generate).index(tab))
        if control:
            control.setFocus()

    # Putting together.

    def _place(self) -> None:
        self.tabs = named(QTabWidget(), "tabs", tr("Train and generate"))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(scrolling(self.train, "train_scroll", sideways=True), tr("Train"))
        self.tabs.addTab(scrolling(self.generate, "generate_scroll", sideways=True), tr("Generate"))
        self.tabs.setTabToolTip(0, "Ctrl+2")
        self.tabs.setTabToolTip(1, "Ctrl+3")
        self.setCentralWidget(self.tabs)
        dock = named(QDockWidget(tr("Model")), "model_dock", tr("Model"))
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        dock.setWidget(scrolling(self.panel, "model_scroll"))
        dock.setTitleBarWidget(QWidget())  # the panel names itself
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)

    def _connect(self) -> None:
        self.panel.config_changed.connect(self.train.set_config)
        self.panel.config_changed.connect(self.generate.set_fresh)
        self.panel.device_changed.connect(self.use_device)
        self.train.load_changed.connect(self.panel.show_load)
        self.train.start_requested.connect(self.start_training)
        self.train.stop_requested.connect(lambda: self._training.stop())
        self.train.pause_requested.connect(self.pause_training)
        self.train.look_requested.connect(lambda spec, ask: self.desk.ask(answers.look_at_text(spec, ask)))
        self.train.fetch_requested.connect(self.start_fetching)
        self.generate.generate_requested.connect(self.start_decoding)
        self.generate.stop_requested.connect(lambda: self._decoding.stop())
        self.generate.dials_turned.connect(self.turn_dials)
        self.desk.arrived.connect(self.take_desk)
        self.fetcher.arrived.connect(self.take_desk)
        self.trainer.arrived.connect(self.take_training)
        self.decoder.arrived.connect(self.take_decoding)
        self.use_device(self.panel.device)


def _with_end(messages: list[Any]) -> list[Any]:
    """A job that broke outside a run still ends it on the screen."""
    return [Ended(outcome="failed", words=str(m)) if isinstance(m, Failed) else m for m in messages]
