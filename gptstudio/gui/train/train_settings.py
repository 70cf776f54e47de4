"""The settings of a run, with the learning rate they make drawn below its schedule, and what a frozen part holds."""

from __future__ import annotations

from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gui.forms.grouped import GroupedEditor
from gptstudio.gui.train.schedule_plot import SchedulePlot
from gptstudio.gui.translation import millions, tr
from gptstudio.gui.widgets.parts import label
from gptstudio.training.optimizers import OPTIMIZER_FIELDS
from gptstudio.training.spec import TrainSpec
from gptstudio.training.spec_problems import SCHEDULE_FIELDS, settings_in_use

FROZEN = ("freeze", "freeze_blocks")
"""Fields that say what training leaves as it is."""
FINE_TUNING = "Fine-tuning"
BESIDE = 8
"""Pixels between the settings and their scroll bar."""


class TrainSettings(GroupedEditor):
    """Epochs, batch size, learning rate and seed in sight; the schedule and the rest under ``More settings``.

    What may be frozen is in sight where there are weights to continue from, or something is frozen already.
    """

    def __init__(self, state: AppState) -> None:
        super().__init__(TrainSpec, "train", tr("More settings"), first=(FINE_TUNING,))
        self._state = state
        self.schedule = SchedulePlot()
        self.add_to("Schedule", self.schedule)
        self.learning = label(role="muted", name="learning_parameters", wrap=True)
        self.add_to(FINE_TUNING, self.learning)
        self.setContentsMargins(0, 0, BESIDE, 0)
        self.show_values(state.train_values)
        self.changed.connect(self._edit)
        state.on(self._show_values, "train_values")
        state.on(self._show_problems, "spec_problems", "text_check")
        state.on(self._show_model, "config")
        state.on(self._show_learning, "spec")
        state.on(self._fit, "train_values", "weights")
        state.on(self._enable, "run_state")
        for show in (self._show_model, self._show_learning, self._show_problems, self._fit):
            show()

    def _edit(self) -> None:
        self._state.train_values = self.values()

    def _show_values(self) -> None:
        if self.values() != self._state.train_values:
            self.show_values(self._state.train_values)

    def _show_problems(self) -> None:
        check = self._state.text_check
        self.show_problems([*self._state.spec_problems, *(check.problems if check else ())])

    def _enable(self) -> None:
        """Everything can be changed before a run, nothing while it runs, and while it pauses the learning rate."""
        state = self._state
        why_not = tr("Only the learning rate can be changed while a run is paused.") if state.paused else tr(
            "These settings cannot be changed during a run. Stop it first.")
        self.enable(("learning_rate",) if state.paused else () if state.running else self.editors, why_not)

    def _show_model(self) -> None:
        """Show the number of parameters of each part of the model, to be frozen or not."""
        config = self._state.config
        if config:
            self.editors["freeze"].control.show_figures({
                part: _figure(part, held, config.tie_weights)
                for part, held in sizing.parameters(config).components().items()
            })

    def _show_learning(self) -> None:
        """Show the number of trainable parameters; nothing while there is a problem."""
        spec = self._state.spec
        if not spec:
            self.learning.setText("")
            return
        learn = sizing.trained_count(spec.config, spec.freeze, spec.freeze_blocks)
        total = sizing.parameter_count(spec.config)
        self.learning.setText(
            tr("All {total} parameters are trained.", total=f"{total:,}")
            if learn == total
            else tr("Trained parameters: {n} of {total}.", n=f"{learn:,}", total=f"{total:,}")
        )

    def _fit(self) -> None:
        values = self._state.train_values
        used = settings_in_use(values)
        for name in (*SCHEDULE_FIELDS, *OPTIMIZER_FIELDS):
            self.editors[name].setVisible(name in used)
        frozen = any(values[name] != self.editors[name].view.default for name in FROZEN)
        self.groups[FINE_TUNING].setVisible(self._state.weights is not None or frozen)


def _figure(part: str, held: int, tied: bool) -> tuple[str, str]:
    """Return the parameter count of a part: short, and as text."""
    if tied and part == "output_layer":
        return tr("tied"), tr("the same matrix as the token embedding")
    return millions(held), tr("{n} parameters", n=f"{held:,}")
