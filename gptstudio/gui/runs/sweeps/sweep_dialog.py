"""Dialog that plans a sweep: which settings are varied, how often, and what that takes."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from gptstudio.app.sweep_tasks import Outlook, unused_name
from gptstudio.errors import UserError
from gptstudio.gui.actions import explain
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.fitting import Dialog
from gptstudio.gui.runs.sweeps.varied_row import VariedRow
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_spec import MOST_SEEDS, SweepSpec

PAUSE_MS = 300
"""After so long without a change, time and space of the sweep are asked for."""


class SweepDialog(Dialog):
    """Takes the plan of a sweep. ``like``: the run whose settings it has."""

    def __init__(self, over: QWidget, controller: SweepController, base: TrainSpec, like: RunFolder) -> None:
        super().__init__(over)
        self.setObjectName("sweep_dialog")
        self.setWindowTitle(tr("Run again with other values"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._controller, self._base, self._like = controller, base, like
        self._spec: SweepSpec | None = None
        self._typed_name = False
        self.first, self.second = VariedRow(1, base, optional=False), VariedRow(2, base, optional=True)
        self.first.choose("learning_rate")
        self.name = named(QLineEdit(), "sweep_name", tr("Name"))
        self.name.setToolTip(tr("Name of the sweep in the list, and of its folder"))
        self.seeds = named(QSpinBox(), "sweep_seeds", tr("Random seeds"))
        self.seeds.setRange(1, MOST_SEEDS)
        self.seeds.setToolTip(tr(
            "Number of runs with each combination of values, which differ in their random seed alone. Their spread "
            "shows how much of a difference is random"))
        self.outlook, self.notice = label(role="muted", name="sweep_outlook", wrap=True), Notice("sweep_problem")
        self.warning = Notice("sweep_warning", "notice")
        self.add = button(tr("Add to queue"), "sweep_add", role="primary", do=self._add)
        self.add.setDefault(True)
        self._rest = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._lay_out()
        self._connect()
        self._show_name()
        self._check()

    def _plan(self) -> SweepSpec:
        """Return the sweep that is asked for.

        Raises:
            UserError: with all that is wrong.
        """
        if self.first.view and self.second.view and self.first.view.name == self.second.view.name:
            raise UserError(message("Both settings are the same. Choose another one, or none, as the second."))
        rows = [row for row in (self.first, self.second) if row.view]
        vary = {row.view.name: row.chosen_values() for row in rows if row.view}
        if self.seeds.value() > 1:  # a setting with one value is no variation, but may stay
            vary = {name: values for name, values in vary.items() if values}
        first = self._base.seed
        return SweepSpec.make(self.name.text().strip(), self._base, vary, range(first, first + self.seeds.value()))

    def _check(self) -> None:
        """Show how many runs it would be, or what is wrong, and ask for the time that they take."""
        self._spec, problem = None, ""
        try:
            self._spec = self._plan()
        except UserError as error:
            words = error.args[0] if error.args else ""
            problem = tr(words)
        self.notice.setText(problem)
        self.warning.setText("")
        self.outlook.setText("" if problem else tr("Reading the text…"))
        permit(self.add, problem)
        self._rest.stop()
        if self._spec and self.isVisible():
            self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._check()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rest.stop()

    def _ask(self) -> None:
        if self._spec:
            self._controller.plan(self._spec, self._like)

    def _show_outlook(self, found: Outlook) -> None:
        if not self._spec:
            return
        time = tr("about {time}", time=duration(found.seconds)) if found.seconds else tr("not measured yet")
        self.outlook.setText(joined("  ·  ", tr("Runs: {n}", n=f"{found.runs:,}"), tr("Time: {time}", time=time), tr(
            "Disk: up to {size}, {free} are free", size=size(found.bytes), free=size(found.free_bytes))))
        warnings = []
        if found.problem:
            warnings.append(tr(found.problem))
        if found.bytes > found.free_bytes:
            warnings.append(tr("The disk may become full. The queue then waits until there is space again."))
        if found.too_large:
            warnings.append(tr("Runs that need more memory than is free, and will fail: {n}.", n=found.too_large))
        self.warning.setText(joined(" ", *warnings) if warnings else "")

    def _show_name(self) -> None:
        """Offer a name of the settings that are varied, until one is typed."""
        if not self._typed_name:
            names = [row.view.name for row in (self.first, self.second) if row.view]
            self.name.setText(unused_name(" ".join(dict.fromkeys(names))))

    def _take_row(self) -> None:
        self._show_name()
        self._check()

    def _take_name(self) -> None:
        self._typed_name = True
        self._check()

    def _add(self) -> None:
        self._check()
        if self._spec:
            self._controller.add(self._spec)
            self.close()

    def _connect(self) -> None:
        self.first.changed.connect(self._take_row)
        self.second.changed.connect(self._take_row)
        self.name.textEdited.connect(self._take_name)
        self.name.textChanged.connect(self._check)
        self.seeds.valueChanged.connect(self._check)
        self._rest.timeout.connect(self._ask)
        self._controller.planned.connect(self._show_outlook)
        self._controller.left.connect(self.close)

    def _lay_out(self) -> None:
        cancel = button(tr("Cancel"), "sweep_cancel", do=self.close)
        title = label(tr("All other settings are those of “{run}”.", run=self._like_title()), "muted", wrap=True)
        seeds = hbox(
            label(tr("Random seeds"), buddy=self.seeds, term="random-seed"), self.seeds, FREE,
            label(tr("Name"), buddy=self.name), grows(self.name, 3), spacing=8)
        holding(self, vbox(
            title, self.first, self.second, seeds, self.outlook, self.notice, self.warning, FREE,
            hbox(FREE, cancel, self.add), spacing=12, margins=(16, 16, 16, 16)))
        theme.dress(self)
        explain(self)
        self.resize(round(640 * theme.zoom), round(380 * theme.zoom))

    def _like_title(self) -> str:
        try:
            return self._like.record().title or self._like.name
        except UserError:
            return self._like.name

