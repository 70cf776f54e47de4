"""The tab "Heads": scores of all heads at each checkpoint of the run, as a map over the steps and as a film."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from gptstudio.app.head_scores import CheckpointScores, ScoresRequest
from gptstudio.app.tasks import Task, TaskError
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.controllers.checkpoints import CheckpointController
from gptstudio.gui.train.health.layer_map import LayerMap
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.history.health_history import Layer, LayerTable
from gptstudio.i18n import message

FRAME_MS = 500
SCORES = {
    "induction": (message("Induction score"), message("induction head")),
    "previous": (message("Previous-token score"), message("previous-token head")),
    "duplicate": (message("Duplicate-token score"), message("duplicate-token head")),
    "effect": (message("Size of the effect on a token"), ""),
}
"""Name of a score, and of the heads that have it."""
PURPOSE = message(
    "When does a head appear? Computes a score of every head at each checkpoint of this run. Checkpoints are saved as "
    "often as its settings say.")


class HeadsPane(QWidget):
    """Scores the checkpoints of the shown run when its button is pressed."""

    pointed = Signal(object)
    """The step that is pointed at, counted from 0; None where the pointer has left."""

    def __init__(self, checkpoints: CheckpointController, first_text: Callable[[], str]) -> None:
        """``first_text``: returns a text to measure effects on, as long as none was typed."""
        super().__init__()
        self._checkpoints, self._first_text = checkpoints, first_text
        self._task: Task | None = None
        self._named_from = 0.0
        self._film = QTimer(self, interval=FRAME_MS)
        self._film.timeout.connect(self._advance)
        self._make_parts()
        self._lay_out()
        self.show_run()

    def show_run(self) -> None:
        """Show another run, which has not been scored."""
        if self._task:
            self._task.forget()
        self._task, self._table = None, LayerTable()
        self._film.stop()
        self.notice.setText("")
        self.said.setText(tr(PURPOSE))
        if not self.text.isModified():
            self.text.setText(self._first_text())
        self._show()

    def show_step(self, step: float | None) -> None:
        """Put the cursor at a step, counted from 0; None takes it away."""
        row = self._table.row_at(step) if step is not None and len(self._table) else -1
        self.map.show_column(row if row >= 0 else None)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_film()

    def _show(self) -> None:
        there = len(self._table) > 0
        self.map.setVisible(there)
        self.map.show_table(self._table, False, 0.0, zero=False)
        self._show_text()
        self.compute.setText(tr("Stop") if self._task else tr("Compute"))
        self.compute.setAccessibleName(self.compute.text())
        permit(self.play, "" if len(self._table) > 1 else tr("There is only one checkpoint so far.") if there
               else tr("Compute the scores first."))
        if there:
            self.said.setText(self._reading())

    def _reading(self) -> str:
        """Say which head has the highest score at the end, and when it first had enough to be named."""
        values, steps = self._table.values, self._table.place("step")
        row = int(values[:, -1].argmax())
        name, last = tr(self._table.layers[row].words), f"{values[row, -1]:.2f}"
        kind = SCORES[self._score()][1]
        if not kind:
            return tr("At the end, {head} matters most: without it, the log-probability changes by {value} nats.",
                      head=name, value=last)
        named_at = np.flatnonzero(values[row] >= self._named_from)
        if not named_at.size:
            return tr("Highest at the end: {head} with {value}. No head reaches {least}, from which one is named.",
                      head=name, value=last, least=f"{self._named_from:.1f}")
        return tr("{head} is a {kind} from step {n} on; at the end its score is {value}.", head=name, kind=tr(kind),
                  n=f"{steps[named_at[0]] + 1:,.0f}", value=last)

    # Computing.

    def _press(self) -> None:
        if self._task:
            self._task.cancel()
            return
        self._table = LayerTable()
        self.notice.setText("")
        request = ScoresRequest(self._score(), self.text.text())
        self._task = self._checkpoints.score(request, self._take, self._end, self._show_progress)
        self._show()

    def _take(self, items: Sequence[CheckpointScores]) -> None:
        for each in items:
            self._named_from = each.named_from
            self._table.add((each.step, 0, 0), [
                (Layer("block", layer, head), float(each.values[layer, head]))
                for layer, head in np.ndindex(each.values.shape)])
        self._show()

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setText(tr("Checkpoint {n} of {all}", n=min(done + 1, total), all=total))

    def _end(self, error: TaskError | None) -> None:
        self._task = None
        self.progress.setText("")
        self.notice.setText(tr(error.message) if error else "")
        self._show()

    def _show_text(self) -> None:
        self.text.setVisible(self._score() == "effect")

    def _score(self) -> Any:
        return self.score.currentData()

    # The film.

    def _toggle_film(self) -> None:
        if self._film.isActive():
            self._stop_film()
            return
        self.map.show_column(None)
        self.play.setText(tr("Pause"))
        self._film.start()
        self._advance()

    def _advance(self) -> None:
        column = 0 if self.map.column is None else self.map.column + 1
        if column >= len(self._table):
            self._stop_film()
            return
        self.map.show_column(column)
        self.pointed.emit(float(self._table.place("step")[column]))

    def _stop_film(self) -> None:
        self._film.stop()
        self.play.setText(tr("Play"))

    def _point(self, cell: Cell | None) -> None:
        self.pointed.emit(None if cell is None else float(self._table.place("step")[cell.column]))
        self.cell.setText("" if cell is None else self.map.words(cell))

    # Parts.

    def _make_parts(self) -> None:
        self.score = named(QComboBox(), "heads_score", tr("Score"))
        for name, (words, _) in SCORES.items():
            self.score.addItem(tr(words), name)
        self.score.currentIndexChanged.connect(self._show_text)
        self.text: QLineEdit = named(QLineEdit(), "heads_text", tr("Text whose last token is measured"))
        self.text.setToolTip(tr("The effect of each head on the last token of this text"))
        self.text.setMinimumWidth(16 * self.fontMetrics().height())
        self.compute = button(tr("Compute"), "heads_compute", tr("Scores every head at each checkpoint"),
                              do=self._press)
        self.play = button(tr("Play"), "heads_play", tr("Moves through the checkpoints, also on the loss curve"),
                           "quiet", self._toggle_film)
        self.progress = label("", "muted", "heads_progress")
        self.notice: Notice = Notice("heads_notice")
        self.said: QLabel = label("", "", "heads_said", wrap=True)
        self.map = LayerMap("heads_map", tr("Scores of the heads at each checkpoint"))
        self.map.pointed.connect(self._point)
        self.cell = label("", "muted", "heads_cell")

    def _lay_out(self) -> None:
        top = Flow(self.score, self.text, self.compute, self.play, self.progress, self.cell, spacing=8)
        holding(self, vbox(top, self.notice, self.said, grows(self.map), spacing=4, margins=(2, 6, 2, 2)))
