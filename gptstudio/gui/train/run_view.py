"""View of a run: curves, samples, probe prompts, health of the layers, the report of one step, and checkpoints.

The list of checkpoints has their step, validation loss and size, and marks the best and the last. The menu of a jump of
the loss branches off from the last checkpoint before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QColor, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from gptstudio.app.shown_run import RunMark, ShownRun
from gptstudio.app.state import AppState
from gptstudio.app.text_tasks import Passage, open_passage
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.bars import ComponentBar, StackedBar
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.question import confirmed
from gptstudio.gui.theme import theme
from gptstudio.gui.train.run_charts import CurveMark, RunCharts
from gptstudio.gui.train.run_panes import HealthPane, ProbePane
from gptstudio.gui.train.sample_text import SampleStrip
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import (
    FREE,
    TOP,
    HeightForWidth,
    Reflow,
    Splitter,
    aligned,
    card,
    grows,
    hbox,
    in_column,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import FigureRow, button, label, named, plain, set_blocker
from gptstudio.history.comparison import reference_for
from gptstudio.i18n import message
from gptstudio.training import branching, corpus
from gptstudio.training.events import (
    ActivationsRead,
    CheckpointSaved,
    CopiesFound,
    PhaseChanged,
    RunStarted,
    SampleWritten,
    StepReport,
    UpdatesRead,
)
from gptstudio.training.run_folder import step_of


class CheckpointList(QTreeWidget):
    """List of the checkpoints, the newest on top."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "checkpoints", tr("Checkpoints of this run"))
        self.saved: list[CheckpointSaved] = []
        """The checkpoints, the earliest first."""
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(56)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        self._fill(())

    def chosen(self) -> CheckpointSaved | None:
        item = self.currentItem()
        row = self.indexOfTopLevelItem(item) if item else -1
        return self.saved[-1 - row] if row >= 0 else None

    def select(self, name: str) -> None:
        for row, each in enumerate(reversed(self.saved)):
            item = self.topLevelItem(row)
            if item and Path(each.path).name == name:
                self.setCurrentItem(item)

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        """Show these checkpoints, the newest on top, unless they are shown already."""
        if saved == self.saved and self.topLevelItemCount() == len(saved):
            return
        self._fill(saved)

    def _fill(self, saved: Sequence[CheckpointSaved]) -> None:
        chosen = self.chosen()
        self.saved = list(saved)
        losses = {each.step: each.val_loss for each in saved
                  if each.val_loss is not None and math.isfinite(each.val_loss)}
        best = min(losses, key=lambda step: losses[step], default=None)  # on a tie the earliest, as in the folder
        self.setHeaderLabels([tr("After step"), tr("Validation loss"), tr("Size"), ""])
        with QSignalBlocker(self):  # until it is filled, the rows do not match ``saved``
            self.clear()
            for each in reversed(saved):
                notes = [tr("best")] if each.step == best else []
                notes += [tr("last")] if each is saved[-1] else []
                notes += [tr("model only")] if each.model_only else []
                loss = "–" if each.val_loss is None else f"{each.val_loss:.3f}"
                shown = [f"{each.step + 1:,}", loss, size(each.bytes) if each.bytes else "–", ", ".join(notes)]
                item = QTreeWidgetItem(shown)
                item.setToolTip(0, plain(each.path))
                self.addTopLevelItem(item)
                if each == chosen:
                    self.setCurrentItem(item)


EMPTY = message(
    "Checkpoints appear here while a run trains: the model as it was after a step, to continue from, to generate with "
    "and to compare. One is saved at the end, and now and then before. Press Start to begin.")
DOES = {
    "continue": message("Continues from this checkpoint as a new run; this run does not change"),
    "generate": message("Opens this checkpoint in the Generate tab"),
    "compare": message(
        "Generates with this checkpoint and with the last one, side by side, with the same prompt and seed"),
    "delete": message("Moves this checkpoint to the trash; the run keeps its log and its other checkpoints"),
}
"""Tooltip of each button while it is enabled."""


class CheckpointPane(QWidget):
    """List of the checkpoints, with buttons for the selected one. A disabled button shows the reason."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self.list = CheckpointList()
        self.actions_of = {name: self._make_action(name, text) for name, text in (
            ("continue", tr("Continue from here")), ("generate", tr("Generate with it")),
            ("compare", tr("Compare with the end")), ("delete", tr("Delete…")))}
        self.buttons = {
            name: button(self.actions_of[name].text(), f"checkpoint_{name}", do=self.actions_of[name].trigger)
            for name in ("continue", "generate")}
        more = button(tr("More"), "checkpoint_more", tr("Compare with the end, delete, restore"))
        self.menu = QMenu(more)
        self.menu.setToolTipsVisible(True)
        self.menu.addActions([self.actions_of[name] for name in ("compare", "delete")])
        more.setMenu(self.menu)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(self._show_state)
        self.empty = label(tr(EMPTY), "muted", "checkpoints_empty", wrap=True)
        lower = hbox(self.buttons["generate"], more)  # next to the list, where they do not reduce its height
        self._full = with_layout(QWidget(), hbox(grows(self.list), vbox(self.buttons["continue"], lower, FREE)))
        with_layout(self, vbox(aligned(self.empty, TOP), grows(self._full), margins=(0, 4, 0, 0)))
        state.on(self._show_state, "run_state", "run", "generating", "playing")
        controller.events_arrived.connect(lambda _: self._show_state())
        controller.checkpoint_restored.connect(self.list.select)
        self._show_state()

    def show_checkpoints(self, saved: list[CheckpointSaved]) -> None:
        self.list.show_checkpoints(saved)
        self._show_state()

    def _reason(self, name: str) -> str:
        """Return the reason why a command is disabled, as a message; empty if it is enabled."""
        state, chosen, saved = self._state, self.list.chosen(), self.list.saved
        if chosen is None:
            some = message("Select a checkpoint in the list first.")
            return some if saved else message("There is no checkpoint yet.")
        match name:
            case "continue" if state.running:
                return message("This window is training. Stop the run first.")
            case "continue" if chosen.model_only:
                return message("Only the model was saved after this step. You can generate with it.")
            case "compare" if chosen == saved[-1]:
                return message("This is the last checkpoint. Select an earlier one to compare with it.")
            case "compare" if state.generating or state.playing:
                return message("Generate is busy. Stop it first.")
            case "delete" if state.running or state.run.written_by:
                return message("This run is still in progress.")
            case "delete" if self._resumable == [chosen] and not self._finished:
                return message("It is the only checkpoint of this run, which could not be continued without it.")
        return ""

    @property
    def _resumable(self) -> list[CheckpointSaved]:
        return [each for each in self.list.saved if not each.model_only]

    @property
    def _finished(self) -> bool:
        ended = self._state.run.ended
        return ended is not None and ended.outcome == "finished"

    def _show_state(self) -> None:
        some = bool(self.list.saved)
        self.empty.setVisible(not some)
        self._full.setVisible(some)
        for name, action in self.actions_of.items():
            reason = self._reason(name)
            made = self.buttons.get(name)
            action.setEnabled(not reason)
            action.setToolTip(tr(reason or DOES[name]))
            if made:
                set_blocker(made, tr(reason) if reason else "", tr(DOES[name]))

    def _make_action(self, name: str, text: str) -> QAction:
        action = QAction(text, self.list)
        action.setObjectName(f"checkpoint_{name}_action")
        action.triggered.connect(lambda: self._do(name))
        self.list.addAction(action)
        return action

    def _do(self, name: str) -> None:
        chosen, controller = self.list.chosen(), self._controller
        if chosen is None or self._reason(name):
            return
        checkpoint = Path(chosen.path).name
        match name:
            case "continue":
                controller.continue_from(checkpoint)
            case "generate":
                controller.generate_with(checkpoint)
            case "compare":
                controller.compare(checkpoint, Path(self.list.saved[-1].path).name)
            case "delete" if self._may_delete(chosen):
                controller.delete_checkpoint(checkpoint)

    def _may_delete(self, chosen: CheckpointSaved) -> bool:
        """Ask for confirmation before a checkpoint is deleted; state what is kept."""
        saved = self.list.saved
        words = [tr("Size: {size}.", size=size(chosen.bytes))] if chosen.bytes else []
        if len(saved) == 1:
            words.append(tr("It is the only one: no model of this run is left then. The log and the curves stay."))
        else:
            words.append(tr("The log, the curves and the other checkpoints ({n}) stay.", n=len(saved) - 1))
        resumable = self._resumable
        if len(resumable) > 1 and chosen == resumable[-1] and not self._finished:
            words.append(tr("The run then continues from step {n}.", n=f"{resumable[-2].step + 2:,}"))
        return confirmed(
            self, "checkpoints", tr("Move checkpoint to trash"),
            tr("Move the checkpoint after step {n} to the trash?", n=f"{chosen.step + 1:,}"), tr("Move to trash"),
            joined(" ", *words))


SAME = message(
    "Continues from the last checkpoint before the jump as a new run; this run does not change. With the same settings "
    "on the same device, the same steps come again, and the jump with them.")
SLOWER = message(
    "Continues from the last checkpoint before the jump as a new run with a tenth of the learning rate; this run does "
    "not change.")


class GoBack(QObject):
    """Two actions that branch off from the last checkpoint before the selected jump."""

    def __init__(self, state: AppState, controller: TrainingController, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._controller, self._step = state, controller, 0
        self.same = QAction(tr("Go back to before the jump"), parent)
        self.slower = QAction(tr("Go back to before the jump, with a lower learning rate"), parent)
        self.same.setObjectName("jump_back_action")
        self.slower.setObjectName("jump_slower_action")
        self.same.triggered.connect(lambda: self._controller.go_back(self._step))
        self.slower.triggered.connect(lambda: self._controller.go_back(self._step, self._tenth))

    @property
    def actions(self) -> tuple[QAction, QAction]:
        return self.same, self.slower

    @property
    def _tenth(self) -> float | None:
        rate = self._state.run.learning_rate
        return rate / 10 if rate else None

    def aim(self, step: int) -> None:
        """Set the step of the jump, counted from 0, before which the actions branch off."""
        self._step = step
        run = self._state.run.folder
        checkpoint = branching.before(run, step) if run else None
        after = f"{step_of(checkpoint) + 1:,}" if checkpoint else ""
        what = tr("Go back to before the jump (step {n})", n=after) if after else tr("Go back to before the jump")
        texts = [what, what]
        if self._tenth:
            texts[1] = tr("{what}, learning rate {rate:.3g}", what=what, rate=self._tenth)
        reasons = [self._reason(bool(checkpoint))] * 2
        if not reasons[1] and "train_learning_rate" in self._state.locked_controls:
            reasons[1] = message("The learning rate is locked by your instructor.")
        for action, text, reason, does in zip(self.actions, texts, reasons, (SAME, SLOWER), strict=True):
            action.setText(text)
            action.setEnabled(not reason)
            action.setToolTip(tr(reason or does))
        self.slower.setVisible(self._tenth is not None)

    def _reason(self, saved: bool) -> str:
        if self._state.running:
            return message("This window is training. Stop the run first.")
        return "" if saved else message("No checkpoint from before the jump is left.")


class StepCard(HeightForWidth):
    """Card of one :class:`StepReport`. Without one, it shows a hint to make a step."""

    def __init__(self) -> None:
        super().__init__()
        self.words = label(name="step_words", wrap=True)
        self.figures = FigureRow(
            {"before": tr("Loss before"), "after": tr("Loss after"), "gradient": tr("Gradient norm")},
            "examined", columns=2, terms={"gradient": "gradient-norm"},
        )
        self.moved = label(tr("Largest change of a weight"), "muted")
        self.rows = QWidget()
        grid = QGridLayout(self.rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self.bars = {name: StackedBar(tr(words), 10) for name, words in ComponentBar.NAMES.items()}
        self._values = {name: label("", name=f"moved_{name}") for name in ComponentBar.NAMES}
        for row, (name, words) in enumerate(ComponentBar.NAMES.items()):
            grid.addWidget(label(tr(words), "muted"), row, 0)
            self.bars[name].setMinimumWidth(60)
            grid.addWidget(self.bars[name], row, 1)
            grid.addWidget(self._values[name], row, 2)
        halves = in_column(QWidget(), self.figures, spacing=4), in_column(QWidget(), self.moved, self.rows, spacing=4)
        both = Reflow(*halves, stretch=halves, spacing=16)
        with_layout(self, vbox(self.words, both, FREE, spacing=4, margins=(4, 8, 4, 4)))
        self.clear()

    def clear(self) -> None:
        self._show_parts(False)
        self.words.setText(tr("Step takes one training step and shows its effect on the loss and the weights here."))

    def show_step(self, examined: StepReport) -> None:
        self._show_parts(True)
        self.words.setText(step_text(examined))
        self.figures.show_values(
            before=f"{examined.loss_before:.4f}", after=f"{examined.loss_after:.4f}",
            gradient=f"{examined.gradient_norm:.3g}",
        )
        largest = {change.component: change for change in examined.changes}
        most = max((change.largest for change in examined.changes), default=0.0)
        for (name, bar), paint in zip(self.bars.items(), theme.colours.components, strict=True):
            change = largest.get(name)
            bar.show_parts([(change.largest / most, QColor(paint))] if change and most else [])
            self._values[name].setText(f"{change.largest:.2e}" if change else "–")
            bar.setToolTip(change.parameter if change else tr("Tied to the token embedding."))

    def _show_parts(self, show: bool) -> None:
        for part in (self.figures, self.moved, self.rows):
            part.setVisible(show)


def step_text(examined: StepReport) -> str:
    """Return the effect of a step as a sentence, such as 'Step 13: this batch's loss fell by 0.12.'"""
    fell = examined.loss_before - examined.loss_after
    if not math.isfinite(fell):
        return tr("After step {n}, this batch's loss is infinite or undefined: the step was much too large.",
                  n=f"{examined.step + 1:,}")
    if abs(fell) < 0.00005:
        return tr("Step {n} did not change this batch's loss.", n=f"{examined.step + 1:,}")
    by = f"{abs(fell):.2g}" if abs(fell) < 0.1 else f"{abs(fell):.2f}"
    if fell > 0:
        return tr("Step {n}: this batch's loss fell by {by}.", n=f"{examined.step + 1:,}", by=by)
    return tr(
        "Step {n}: this batch's loss rose by {by}. The step was too large for it, or followed the direction of earlier "
        "batches.",
        n=f"{examined.step + 1:,}", by=by,
    )


ON_CURVE = ("continue", "generate", "compare")
"""Commands in the menu of a checkpoint on the curve."""


SHARES = (5, 2)
"""Relative heights of the curves and of the panes below them, until the user drags the divider."""
FOOTER_LINES, NARROW_LINES = 7, 11
"""Height of the footer below the curves, in lines of text: two sentences and a row of buttons, or in a narrow footer
sentences of two lines or more, and two rows of buttons."""
NARROW = 36
"""Width, in lines of text, below which a footer is narrow."""


class Footer(QWidget):
    """Footer whose height depends only on its width, so that the curves above it do not move."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self.setLayout(layout)
        on_restyle(self, self._fit)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        line = self.fontMetrics().lineSpacing()
        self.setFixedHeight(line * (NARROW_LINES if self.width() < NARROW * line else FOOTER_LINES))


class RunView(HeightForWidth):
    """View of the run that the state shows. A run that continues from an earlier step is cut back to it."""

    def __init__(self, state: AppState, controller: TrainingController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._with_probes = False  # True while the ribbons are shown because of their pane
        self._make_parts()
        self._lay_out()
        controller.restarted.connect(self.restart)
        controller.events_arrived.connect(self.apply)
        controller.checkpoints_changed.connect(self._show_checkpoints)
        controller.parent_found.connect(self.charts.show_fork)
        controller.table_found.connect(self.charts.show_lines)
        self.charts.handles.chosen.connect(self._open_mark_menu)
        self.charts.handles.pointed.connect(lambda mark: self.charts.point_at(mark.step if mark else None))
        state.on(self._expect, "spec", "text_check")
        self.restart()

    @property
    def run(self) -> ShownRun:
        return self._state.run

    def show_panes(self, shown: bool) -> None:
        """Show the panes below the curves, or a footer instead."""
        self.pane.setVisible(shown)
        self.below.setVisible(not shown)
        self.charts.show_choices(shown)

    def offer(self, start: QPushButton) -> None:
        """Show a button next to the tabs of the panes while no run has started."""
        self.pane.setCornerWidget(start)
        self._show_offer()

    def restart(self) -> None:
        """Show another run, or the same run from its beginning."""
        self._clear()
        self._expect()

    def _clear(self) -> None:
        self.charts.show_run(self.run)
        self.health.show_health(self.run.history.health, self.run.spec is None or self.run.spec.health)
        self.samples.show_history(self.run.history)
        self.examined.clear()
        self.probes.show_history(self.run.history, len(self.run.spec.probes) if self.run.spec else 0)
        self.checkpoints.show_checkpoints([])
        self._show_marks()
        if self.pane.currentWidget() is not self.health:  # users watch it from run to run
            self.pane.setCurrentWidget(self.samples)
        self._show_offer()

    def _expect(self) -> None:
        """Show the axes of the run that Start would begin, while no run is shown."""
        spec, check = self._state.spec, self._state.text_check
        if spec and check and check.plan and not self.run.started:
            self.charts.show_vocabulary(corpus.fitting(spec, self._state.tokenizer).config.vocab_size)
            self.charts.expect(spec.tokens_per_step, check.plan.steps_per_epoch, check.plan.total_steps)

    def _show_marks(self) -> None:
        saved, marks = self.checkpoints.list.saved, self.run.marks()
        self.charts.show_marks([
            *(RunMark(each.step, tr(each.text), tr(each.tip), each.role) for each in marks),
            *(RunMark(each.step, "", tr("A checkpoint was saved after step {n}.", n=f"{each.step + 1:,}"))
              for each in saved)])
        jumps = (CurveMark(each.step, "jump", tr(each.tip)) for each in marks if each.kind == "jump")
        self.charts.handles.show_marks([*map(checkpoint_mark, saved), *jumps])

    def _open_mark_menu(self, mark: CurveMark, place: QPoint) -> None:
        if mark.key:
            self.checkpoints.list.select(mark.key)
            actions: Sequence[QAction] = [self.checkpoints.actions_of[name] for name in ON_CURVE]
        else:
            self.go_back.aim(mark.step)
            actions = self.go_back.actions
        menu = QMenu(self.charts.handles)
        menu.setObjectName("curve_marks_menu")
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addActions(actions)
        menu.popup(place)

    def sizeHint(self) -> QSize:
        """Return the minimum height, so that the page scrolls only if it must."""
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def apply(self, events: Sequence[Any]) -> None:
        """Apply all events since the last paint, and paint once."""
        for event in events:
            match event:
                case RunStarted():
                    self._begin_run(event)
                case StepReport():
                    self.examined.show_step(event)
                    self.pane.setCurrentWidget(self.examined)
        if not events:
            return
        kinds = {type(event) for event in events}
        if kinds & {SampleWritten, CopiesFound}:
            self.samples.refresh()
        if kinds & {PhaseChanged, CheckpointSaved}:
            self._show_checkpoints()
        if self.probes.update_readings():
            self.charts.ribbons.refresh()
        self._show_marks()
        self.charts.refresh()
        if kinds & {RunStarted, UpdatesRead, ActivationsRead}:
            self.health.refresh()

    def _open_passage(self, words: str) -> None:
        if self.run.folder:
            problem = open_passage(self._state, Passage(self.run.folder.path, words))
            if problem:
                self._controller.say(problem)

    def _show_checkpoints(self) -> None:
        self.checkpoints.show_checkpoints(self.run.checkpoints())
        self._show_marks()
        self._show_offer()

    def _show_offer(self) -> None:
        if corner := self.pane.cornerWidget():
            corner.setVisible(not self.run.started)

    def _begin_run(self, started: RunStarted) -> None:
        if not started.first_step:
            self._clear()
        self._show_checkpoints()
        self.samples.refresh(newest=True)
        self.examined.clear()
        if self.pane.currentWidget() is self.examined:  # its report has been cleared
            self.pane.setCurrentWidget(self.samples)
        self.charts.begin(started)
        if self.run.spec:
            self.charts.show_vocabulary(self.run.spec.config.vocab_size)
        self.charts.show_reference(reference_for(self.run.spec) if self.run.spec else None)

    def _make_parts(self) -> None:
        self.charts = RunCharts()
        self.samples, self.examined = SampleStrip(), StepCard()
        self.checkpoints = CheckpointPane(self._state, self._controller)
        self.go_back = GoBack(self._state, self._controller, self)
        self.probes = ProbePane(self._controller.say, lambda: self.run.tokenizer)
        self.samples.scrubbed.connect(self.charts.point_at)
        self.samples.passage_wanted.connect(self._open_passage)
        self.probes.scrubbed.connect(self.charts.point_at)
        self.probes.chosen.connect(lambda probe: self.charts.ribbons.show_probe(
            probe, self.run.history.axes, self.run.tokenizer))
        self.charts.hovered.connect(lambda x: self.probes.show_at(x, self.charts.loss.axis))
        self.health = HealthPane()
        self.charts.hovered.connect(lambda x: self.health.show_step(self.charts.step_at(x)))
        self.health.pointed.connect(self.charts.point_at)
        self.pane = named(QTabWidget(), "run_pane", tr("Samples, probe prompts, health, last step, checkpoints"))
        self.pane.currentChanged.connect(self._show_ribbons)
        self.pane.setDocumentMode(True)
        self.pane.tabBar().setDrawBase(False)
        for widget, title in (
            (self.samples, tr("Samples")), (self.probes, tr("Probe prompts")), (self.health, tr("Health")),
            (self.examined, tr("Step details")), (self.checkpoints, tr("Checkpoints")),
        ):
            self.pane.addTab(widget, title)

    def _show_ribbons(self) -> None:
        """Show the ribbons with the pane of the probe prompts, and hide them with other panes unless the user has
        chosen them."""
        ribbons, beside = self.charts.actions_of["probe"], self.pane.currentWidget() is self.probes
        if beside and self.run.history.probes and not ribbons.isChecked():
            ribbons.setChecked(True)
            self._with_probes = True
        elif not beside and self._with_probes:
            ribbons.setChecked(False)
            self._with_probes = False

    def _lay_out(self) -> None:
        self.footer = vbox()
        self.below = Footer(self.footer)
        self.below.hide()
        self.curves = card(grows(self.charts), self.below, name="plot_card", margins=(12, 8, 12, 8))
        with_layout(self, vbox(grows(Splitter(self.curves, self.pane, SHARES))))


def checkpoint_mark(saved: CheckpointSaved) -> CurveMark:
    words = tr("Checkpoint after step {n}.", n=f"{saved.step + 1:,}")
    if saved.val_loss is not None and math.isfinite(saved.val_loss):
        words = tr("Checkpoint after step {n}, validation loss {loss}.", n=f"{saved.step + 1:,}",
                   loss=f"{saved.val_loss:.3f}")
    more = tr("Only the model was saved: no run can continue from it.") if saved.model_only else tr(
        "Click to continue from here, to generate with it, or to compare it.")
    return CurveMark(saved.step, "checkpoint", joined(" ", words, more), Path(saved.path).name)
