"""Dialog that plans a sweep: the varied settings, their values, the number of random seeds, and the time needed.

The values of a setting are typed as a list, or given as a range.
"""

from __future__ import annotations

from math import inf

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from gptstudio.app.sweep_tasks import SweepForecast, parse_values, typed_values, unused_name
from gptstudio.errors import UserError, text_of
from gptstudio.fields import FieldView
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import Dialog
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, set_blocker, set_entries, spin_box
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_spec import MOST_RUNS, MOST_SEEDS, SweepSpec, linear_range, log_range, variable_fields

LIST, LINEAR, LOG = range(3)
"""Ways to enter values."""


class VariedRow(QWidget):
    """Editor of a varied setting. ``optional``: whether it may be none."""

    changed = Signal()

    def __init__(self, number: int, base: TrainSpec, optional: bool) -> None:
        super().__init__()
        self._base, self._optional = base, optional
        self._views = list(variable_fields().values())
        name = f"sweep_{number}"
        self.setting = choice_box(
            f"{name}_setting", tr("Setting"), tip=tr("The setting of which each run has another value"))
        entries = [tr("{label} ({name})", label=tr(view.label), name=view.name) for view in self._views]
        set_entries(self.setting, [*([tr("None")] if optional else []), *entries], 0)
        self.way = choice_box(f"{name}_way", tr("Values"), tip=tr(
            "Single values, values with equal differences, or values with equal ratios"))
        self.way.addItems([tr("List"), tr("Linear range"), tr("Logarithmic range")])
        self.values = named(QLineEdit(), f"{name}_values", tr("Values, with commas between them"))
        self.values.setToolTip(tr("Values, with commas between them"))
        self.low = named(QLineEdit(), f"{name}_from", tr("From"))
        self.high = named(QLineEdit(), f"{name}_to", tr("To"))
        self.low.setToolTip(tr("The first value of the range"))
        self.high.setToolTip(tr("The last value of the range"))
        self.count = spin_box(f"{name}_count", tr("Number of values"), 2, MOST_RUNS, tr("Number of values"))
        self.count.setValue(3)
        self._pages = self._make_pages()
        self._lay_out(number)
        self.setting.currentIndexChanged.connect(self._take_setting)
        for signal in (self.values.textChanged, self.low.textChanged, self.high.textChanged, self.count.valueChanged):
            signal.connect(self.changed)
        self.way.currentIndexChanged.connect(self._take_way)
        self._take_setting()

    @property
    def view(self) -> FieldView | None:
        """Varied setting; None if there is none."""
        index = self.setting.currentIndex() - self._optional
        return self._views[index] if index >= 0 else None

    def choose(self, field: str) -> None:
        """Select a setting."""
        names = [view.name for view in self._views]
        self.setting.setCurrentIndex(names.index(field) + self._optional)

    def chosen_values(self) -> list[object]:
        """Return the values, valid or not; of an invalid range, the invalid ends.

        Raises:
            UserError: a logarithmic range does not begin and end above 0.
        """
        view = self.view
        if view is None:
            return []
        if self.way.currentIndex() == LIST:
            return parse_values(view, self.values.text())
        ends = [next(iter(parse_values(view, each.text())), "") for each in (self.low, self.high)]
        if ends == ["", ""]:
            return []
        least, most = _limits(view)
        valid = [end for end in ends if isinstance(end, (int, float)) and least <= end <= most]
        if len(valid) < 2:
            return [end for end in ends if end not in valid]
        make = log_range if self.way.currentIndex() == LOG else linear_range
        return list(make(valid[0], valid[1], self.count.value(), view.kind == "int"))

    def _take_setting(self) -> None:
        """Fill in the value of the run and values around it, as an example of how to write them."""
        view = self.view
        numbers = view is not None and view.kind in ("int", "float")
        reason = tr("Choose a setting first.") if view is None else ""
        for part in (self.way, self.values, self.low, self.high, self.count):
            set_blocker(part, reason)
        if view and not numbers:
            self.way.setCurrentIndex(LIST)
            set_blocker(self.way, tr("Only numbers have ranges."))
        if view:
            owner = self._base if view.name in type(self._base).model_fields else self._base.config
            self.values.setText(typed_values(_offered(view, getattr(owner, view.name))))
            low, *_, high = _offered(view, getattr(owner, view.name)) if numbers else ("", "")
            self.low.setText(typed_values([low]))
            self.high.setText(typed_values([high]))
        self.changed.emit()

    def _take_way(self, way: int) -> None:
        self._pages.setCurrentIndex(min(way, 1))
        self.changed.emit()

    def _make_pages(self) -> QStackedWidget:
        ends = hbox(
            label(tr("From"), buddy=self.low), self.low, label(tr("To"), buddy=self.high), self.high,
            label(tr("Number"), buddy=self.count), self.count, spacing=8)
        pages = stacked(with_layout(QWidget(), hbox(self.values)), with_layout(QWidget(), ends))
        pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return pages

    def _lay_out(self, number: int) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(label(tr("Setting {n}", n=number), buddy=self.setting), 0, 0)
        grid.addWidget(self.setting, 0, 1)
        grid.addWidget(self.way, 0, 2)
        grid.addWidget(self._pages, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.setting)


def _offered(view: FieldView, value: object) -> list[object]:
    """Return the value of a run, with others around it."""
    if view.kind == "bool":
        return [False, True]
    if view.kind == "choice":
        return list(view.choices)
    least, most = _limits(view)
    if isinstance(value, float) and value > 0:
        return list(dict.fromkeys(min(most, max(least, float(f"{value * by:.6g}"))) for by in (0.5, 1, 2)))
    if isinstance(value, int) and value > 0:
        return list(dict.fromkeys(int(max(least, min(most, each))) for each in (value // 2, value, 2 * value)))
    step = view.step or 1
    return [least, step if step > least else least + step]


def _limits(view: FieldView) -> tuple[float, float]:
    return view.low or 0, inf if view.high is None else view.high


PAUSE_MS = 300
"""Milliseconds without a change after which the forecast of the sweep is requested."""


class SweepDialog(Dialog):
    """Dialog that plans a sweep. ``base``: settings of the run ``like``, from which the runs of the sweep differ."""

    def __init__(self, over: QWidget, controller: SweepController, base: TrainSpec, like: RunFolder) -> None:
        super().__init__(over, "sweep_dialog", tr("Run again with other values"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._controller, self._base, self._like = controller, base, like
        self._spec: SweepSpec | None = None
        self._typed_name = False
        self.first, self.second = VariedRow(1, base, optional=False), VariedRow(2, base, optional=True)
        self.first.choose("learning_rate")
        self.name = named(QLineEdit(), "sweep_name", tr("Name"))
        self.name.setToolTip(tr("Name of the sweep in the list, and of its folder"))
        self.seeds = spin_box("sweep_seeds", tr("Random seeds"), 1, MOST_SEEDS, tr(
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
        """Return the planned sweep.

        Raises:
            UserError: with all problems of the plan.
        """
        if self.first.view and self.second.view and self.first.view.name == self.second.view.name:
            raise UserError(message("Both settings are the same. Choose another one, or none, as the second."))
        rows = [row for row in (self.first, self.second) if row.view]
        vary = {row.view.name: row.chosen_values() for row in rows if row.view}
        if self.seeds.value() > 1:  # several seeds are a sweep already, so that no setting needs values
            vary = {name: values for name, values in vary.items() if values}
        first = self._base.seed
        return SweepSpec.make(self.name.text().strip(), self._base, vary, range(first, first + self.seeds.value()))

    def _check(self) -> None:
        """Show the problem of the plan; if there is none, request the forecast after a pause."""
        self._spec, problem = None, ""
        try:
            self._spec = self._plan()
        except UserError as error:
            problem = tr(text_of(error))
        self.notice.setText(problem)
        self.warning.setText("")
        self.outlook.setText("" if problem else tr("Reading the text…"))
        set_blocker(self.add, problem)
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

    def _show_outlook(self, found: SweepForecast) -> None:
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
        """Suggest a name made of the varied settings, until the user types one."""
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
        title = label(tr("All other settings are those of “{run}”.", run=shown_name(self._like)), "muted", wrap=True)
        seeds = hbox(
            label(tr("Random seeds"), buddy=self.seeds, term="random-seed"), self.seeds, FREE,
            label(tr("Name"), buddy=self.name), grows(self.name, 3), spacing=8)
        with_layout(self, vbox(
            title, self.first, self.second, seeds, self.outlook, self.notice, self.warning, FREE,
            hbox(FREE, cancel, self.add), spacing=12, margins=(16, 16, 16, 16)))
        theme.dress(self)
        explain(self)
        self.resize(round(640 * theme.zoom), round(380 * theme.zoom))
