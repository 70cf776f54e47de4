"""The settings of a run, with the learning rate they make drawn below its schedule."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker

from gptstudio.gui.widgets.grouped import GroupedEditor
from gptstudio.gui.widgets.schedule_plot import SchedulePlot
from gptstudio.gui.words import tr
from gptstudio.runs.spec import TrainSpec

WITH_COSINE = ("warmup_steps", "min_learning_rate")
"""Fields that only a schedule has a use for."""


class TrainSettings(GroupedEditor):
    """Epochs, batch, learning rate, its schedule and seed in sight; the rest under ``More settings``."""

    def __init__(self) -> None:
        super().__init__(TrainSpec, "train", tr("More settings"), first=("Schedule",))
        self.schedule = SchedulePlot()
        self.groups["Schedule"].addWidget(self.schedule)
        self.changed.connect(self._fit)
        self._fit()

    def open_for(self, running: bool, paused: bool) -> None:
        """Everything can be changed before a run, nothing while it runs, and while it pauses the learning rate."""
        self.enable(("learning_rate",) if paused else () if running else self.editors)

    def show_learning_rate(self, rate: float) -> None:
        """The learning rate as it is now, without telling of a change."""
        editor = self.editors["learning_rate"]
        if editor.value() != rate:
            with QSignalBlocker(editor):
                editor.set_value(rate)

    def _fit(self) -> None:
        cosine = self.values()["schedule"] == "cosine"
        for name in WITH_COSINE:
            self.editors[name].setVisible(cosine)
