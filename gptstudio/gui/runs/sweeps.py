"""Sweeps on the Runs page: the dialog that plans one, their queue with its commands, and their results.

The results are tables, and for a sweep of two settings also a heat map: a cell for each pair of values, in the colour
of its mean validation loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from gptstudio import files, paths
from gptstudio.app.state import AppState
from gptstudio.app.sweep_tasks import ListedSweep, SweepForecast, parse_values, typed_values
from gptstudio.errors import UserError, text_of
from gptstudio.fields import FieldView
from gptstudio.gui.appearance import Dialog
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Range
from gptstudio.gui.save_as import ask_where, report_saved
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import duration, joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, card, centred, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    Notice,
    ProgressBar,
    button,
    choice_box,
    label,
    named,
    plain,
    set_blocker,
    set_entries,
    spin_box,
)
from gptstudio.gui.widgets.tables import LEFT, RIGHT, RowTable, TableCell
from gptstudio.history.comparison import shown, shown_name
from gptstudio.history.sweep_results import MemberResult, SweepResults
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_runner import SweepFolder
from gptstudio.training.sweep_spec import (
    MOST_RUNS,
    MOST_SEEDS,
    SweepSpec,
    Value,
    Varied,
    linear_range,
    log_range,
    variable_fields,
)

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
        self.way = choice_box(f"{name}_way", tr("Values"), {
            LIST: tr("List"), LINEAR: tr("Linear range"), LOG: tr("Logarithmic range")}, tr(
            "Single values, values with equal differences, or values with equal ratios"))
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
        self.way.currentIndexChanged.connect(lambda way: self._pages.setCurrentIndex(min(way, 1)))
        self.way.currentIndexChanged.connect(self.changed)
        self._take_setting()

    @property
    def view(self) -> FieldView | None:
        """Varied setting; None if there is none."""
        index = self.setting.currentIndex() - self._optional
        return self._views[index] if index >= 0 else None

    def choose(self, field: str) -> None:
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
        super().__init__(over, "sweep_dialog", tr("Run again with other values"), once=True)
        self._controller, self._base, self._like = controller, base, like
        self._spec: SweepSpec | None = None
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
        if not self.name.isModified():
            names = [row.view.name for row in (self.first, self.second) if row.view]
            self.name.setText(files.unused(paths.sweeps(), " ".join(dict.fromkeys(names)), " ").name)

    def _add(self) -> None:
        self._check()
        if self._spec:
            self._controller.add(self._spec)
            self.close()

    def _connect(self) -> None:
        for row in (self.first, self.second):
            row.changed.connect(self._show_name)
            row.changed.connect(self._check)
        self.name.textChanged.connect(self._check)
        self.seeds.valueChanged.connect(self._check)
        self._rest.timeout.connect(lambda: self._controller.plan(self._spec, self._like) if self._spec else None)
        self._controller.planned.connect(self._show_outlook)
        self._controller.left.connect(self.close)

    def _lay_out(self) -> None:
        cancel = button(tr("Cancel"), "sweep_cancel", do=self.close)
        title = label(tr("All other settings are those of “{run}”.", run=shown_name(self._like)), "muted", wrap=True)
        seeds = hbox(
            label(tr("Random seeds"), buddy=self.seeds, term="random-seed"), self.seeds, FREE,
            label(tr("Name"), buddy=self.name), grows(self.name, 3), spacing=8)
        self.assemble(vbox(
            title, self.first, self.second, seeds, self.outlook, self.notice, self.warning, FREE,
            hbox(FREE, cancel, self.add), spacing=12, margins=(16, 16, 16, 16)))
        self.resize(round(640 * theme.zoom), round(380 * theme.zoom))


LARGEST = (10.0, 3.0)
"""Maximum width and height of a cell, in heights of a letter."""


def sweep_grid(results: SweepResults | None) -> Grid:
    """Return the heat map of the means of a sweep, the lowest framed; empty unless two settings are varied."""
    groups = results.grid if results else None
    if not results or not groups:
        return Grid(square=False)
    rows, columns = results.spec.vary
    means = np.array([[np.nan if group.mean is None else group.mean for group in row] for row in groups])
    known = {Cell(*at): float(means[at]) for at in np.ndindex(means.shape) if np.isfinite(means[at])}

    def say(cell: Cell) -> str:
        group = groups[cell.row][cell.column]
        pairs = ", ".join(
            f"{tr(each.view.label)} {_value(each, group.values[each.field])}" for each in results.spec.vary)
        if group.mean is None:
            return tr("{values}: no run has finished yet", values=pairs)
        loss = f"{group.mean:.4f}" if group.spread is None else f"{group.mean:.4f} ± {group.spread:.4f}"
        loss = tr("{loss} bits per byte", loss=loss) if results.in_bits else tr("{loss} nats per token", loss=loss)
        if group.spread is None:
            return tr("{values}: {loss}, one run", values=pairs, loss=loss)
        return tr("{values}: {loss}, mean and standard deviation of {n} runs", values=pairs, loss=loss, n=group.count)

    return Grid(
        means, [_value(rows, value) for value in rows.values], [_value(columns, value) for value in columns.values],
        Range(max(known.values(), default=1.0), min(known.values(), default=0.0)), square=False, most=LARGEST,
        row_title=tr(rows.view.label), column_title=tr(columns.view.label),
        texts={cell: f"{mean:.3f}" for cell, mean in known.items()},
        framed=[cell for cell, mean in known.items() if mean == min(known.values())], entry=Cell(0, 0), say=say)


STATES = {
    "pending": (message("Waiting"), "muted", message("Is trained when its turn comes.")),
    "started": (message("Started"), "amber", message("Continues exactly where it was when its turn comes.")),
    "live": (message("Live"), "good", message("Training is in progress.")),
    "finished": (message("Finished"), "text", message("All steps are completed.")),
    "failed": (message("Failed"), "bad", message("Ended with an error.")),
    "skipped": (message("Skipped"), "muted",
                message("Was left out of the queue in an earlier version. Retry failed puts it back.")),
}
"""Name, colour and explanation of each state of a run."""


def fill_results(table: RowTable, results: SweepResults, live: str) -> None:
    """Show the runs of a sweep by their best validation loss, the lowest first."""
    headings = [
        tr("No."), tr("State"), *_setting_names(results), tr("Seed"), tr("Best validation loss"),
        *([tr("Bits per byte")] if results.in_bits else []), tr("At step"), tr("Training loss"), tr("Validation loss"),
        tr("Steps"), tr("Time")]
    rows = [[
        _right(str(each.member.number)), _state(each, live), *_values(results, each.member.values),
        _right(str(each.member.seed)), _loss(each.best_val_loss),
        *([_loss(each.bits_per_byte)] if results.in_bits else []),
        _right(f"{each.best.step + 1:,}" if each.best else ""), _loss(each.train_loss), _loss(each.val_loss),
        _right(f"{each.steps:,} / {each.total_steps:,}" if each.steps else ""),
        _right(duration(each.elapsed_s) if each.steps else ""),
    ] for each in results.table]
    table.show_rows(_headings(headings, rows), rows, [each.member.id for each in results.table])


def fill_groups(table: RowTable, results: SweepResults) -> None:
    """Show mean and standard deviation of the finished runs with the same values, the lowest mean first."""
    headings = [*_setting_names(results), tr("Number of runs"), tr("Mean"), tr("Standard deviation"), tr("Lowest")]
    rows = [[*_values(results, group.values), _right(str(group.count)),
             _loss(group.mean), _loss(group.spread), _loss(group.lowest)] for group in results.groups]
    table.show_rows(_headings(headings, rows), rows)


def _headings(words: Sequence[str], rows: Sequence[Sequence[TableCell]]) -> list[TableCell]:
    """Return headings that are aligned like the cells below them."""
    return [TableCell(each, rows[0][column].side if rows else LEFT) for column, each in enumerate(words)]


def _right(text: str, role: str = "") -> TableCell:
    return TableCell(text, RIGHT, role=role)


def _setting_names(results: SweepResults) -> list[str]:
    return [tr(each.view.label) for each in results.spec.vary]


def _values(results: SweepResults, values: Mapping[str, Value]) -> list[TableCell]:
    return [_right(_value(each, values[each.field])) for each in results.spec.vary]


def _value(varied: Varied, value: Value) -> str:
    return tr(shown(varied.view, value))


def _state(each: MemberResult, live: str) -> TableCell:
    words, role, tip = STATES["live" if each.member.id == live else each.status]
    return TableCell(tr(words), LEFT, plain(tr(each.message) if each.message else tr(tip)), role)


def _loss(loss: float | None) -> TableCell:
    return _right("–", "muted") if loss is None else _right(f"{loss:.4f}")


POLL_MS = 1_000
"""Milliseconds until a sweep that is being trained is read again."""
RESULTS, GRID = range(2)


class SweepView(QWidget):
    """View of one sweep, with the buttons that control the queue of all sweeps."""

    run_chosen = Signal(object)
    """Emitted with the folder of the run to show in the list of runs."""

    def __init__(self, state: AppState, controller: SweepController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._sweeps: list[ListedSweep] = []
        self._wanted: SweepFolder | None = None
        self._listed = False
        self._poll = QTimer(self, interval=POLL_MS, singleShot=True)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._show()

    @property
    def sweep(self) -> ListedSweep | None:
        folder = self.choice.currentData()
        return next((each for each in self._sweeps if each.folder == folder), None)

    @property
    def results(self) -> SweepResults | None:
        return self.sweep.results if self.sweep else None

    def select(self, folder: SweepFolder) -> None:
        """Show a sweep, as soon as it is listed."""
        self._wanted = folder
        self._choose_wanted()

    def say(self, words: str, problem: bool = False) -> None:
        """Show a message below the sweep, until something else is done."""
        self.notice.say(tr(words) if words else "", "problem" if problem else "muted")

    # Display.

    def _take(self, found: list[ListedSweep]) -> None:
        self._sweeps, before = list(reversed(found)), self.sweep
        names, folders = [each.folder.name for each in self._sweeps], [each.folder for each in self._sweeps]
        kept = before.folder if before else next((each.folder for each in self._sweeps if each.left), None)
        set_entries(self.choice, names, folders.index(kept) if kept in folders else 0 if folders else -1, folders)
        self._choose_wanted()
        self._listed = True
        self._show()
        lasts = self._state.queue_running or any(each.elsewhere for each in found)
        if lasts and self.isVisible() and not self._state.minimised:
            self._poll.start()

    def _choose_wanted(self) -> None:
        folders = [each.folder for each in self._sweeps]
        if self._wanted in folders:
            place, self._wanted = folders.index(self._wanted), None
            self.choice.setCurrentIndex(place)

    def _show(self) -> None:
        results, live = self.results, self._live()
        self.full.setVisible(bool(self._sweeps))
        set_blocker(self.choice, "" if self._sweeps else tr("There are no sweeps yet."))
        self.empty.setVisible(self._listed and not self._sweeps)
        self._show_summary()
        for part in (self.segments, self.pages):
            part.setVisible(results is not None)
        if results:
            self._show_results(results, live)
        self._show_buttons()

    def _show_results(self, results: SweepResults, live: str) -> None:
        why = "" if len(results.spec.vary) == 2 else tr("The heat map needs a sweep of two settings.")
        set_blocker(self.segments.button(GRID), why)
        if why and self.segments.index() == GRID:
            self.segments.choose(RESULTS)
        page = self.segments.index()
        self.pages.setCurrentIndex(page)
        if page == RESULTS:
            fill_results(self.table, results, live)
            fill_groups(self.groups, results)
            several = len(results.spec.seeds) > 1
            self.groups.setVisible(several)
            self.spread.setVisible(several)
            self.spread.setText(tr("Best validation loss in bits per byte over the random seeds") if results.in_bits
                                else tr("Best validation loss over the random seeds"))
        else:
            self.grid.show_grid(sweep_grid(results))
            self.caption.setText(
                tr("Best validation loss in bits per byte, mean over the random seeds; the lowest is framed")
                if results.in_bits else
                tr("Best validation loss in nats per token, mean over the random seeds; the lowest is framed"))

    def _show_summary(self) -> None:
        sweep, results = self.sweep, self.results
        self.bar.setVisible(results is not None)
        if not sweep or not results:
            self.summary.setText(tr(sweep.problem) if sweep else "")
            return
        done, total = results.count("finished"), len(results.members)
        waits = results.left and not self._state.queue_running and not sweep.elsewhere
        parts = [tr("{n} of {total} runs are left. Continue.", n=results.left, total=total)] if waits else [
            tr("{n} of {total} runs are finished", n=done, total=total)]
        failed, skipped = results.count("failed"), results.count("skipped")
        parts += [tr("Failed: {n}", n=failed)] if failed else []
        parts += [tr("Skipped: {n}", n=skipped)] if skipped else []
        left = results.remaining_s()
        if results.left and left:
            parts.append(tr("about {time} left", time=duration(left)))
        if sweep.elsewhere:
            parts.append(tr("Another window or program is training it."))
        self.summary.setText(joined("  ·  ", *parts))
        self.bar.show_progress(total - results.left, total)
        if results.queue.message and results.left and not self._state.queue_running:
            self.say(results.queue.message, problem=True)

    def _show_buttons(self) -> None:
        running, results, sweep = self._state.queue_running, self.results, self.sweep
        left = any(each.left for each in self._sweeps)
        self.start.setText(tr("Pause") if running else tr("Continue"))
        elsewhere = tr("Another window or program is training it.") if sweep and sweep.elsewhere else ""
        set_blocker(self.start, "" if running or left else tr("No runs are left in the queue."), tr(
            "Ends the run after its step and saves it; the queue continues exactly there")
            if running else tr("Trains the runs that are left, one after the other"))
        chosen = self.chosen()
        failed = bool(results and (results.count("failed") or results.count("skipped")))
        set_blocker(self.retry, elsewhere or ("" if failed else tr("No run of this sweep has failed.")))
        set_blocker(self.show_run, "" if chosen and chosen.run else tr("Select a run that has begun."))
        set_blocker(self.csv, "" if results else tr("There is no sweep to export."))

    def chosen(self) -> MemberResult | None:
        found = self.results.members if self.results else ()
        return next((each for each in found if each.member.id == self.table.entry), None)

    def _live(self) -> str:
        """Return the id of the run in this sweep that this window trains now; empty if there is none."""
        found = self.results.members if self.results and self._controller.trains_now else ()
        return next((each.member.id for each in found if each.run and each.run.path == self._state.own_run), "")

    # User actions.

    def _start_or_pause(self) -> None:
        self.say("")
        if self._state.queue_running:
            self._controller.pause()
        else:
            self._controller.start()

    def _retry(self) -> None:
        if self.sweep:
            self._controller.retry(self.sweep.folder)

    def _show_run(self) -> None:
        chosen = self.chosen()
        if chosen and chosen.run:
            self.run_chosen.emit(chosen.run.path)

    def _export(self) -> None:
        if self.results and (path := ask_where(self, f"{self.results.spec.name}.csv")):
            self.say("")
            self._controller.save_csv(self.results, path, partial(report_saved, self, path))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._controller.list_sweeps()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._poll.stop()

    # Construction.

    def _make_parts(self) -> None:
        self.choice = choice_box("sweep_choice", tr("Sweep"), tip=tr("Your sweeps, the newest first"), letters=18)
        self.start = button(tr("Continue"), "sweep_start", role="primary", do=self._start_or_pause)
        self.retry = button(tr("Retry failed"), "sweep_retry", tr(
            "Puts the runs that have failed into the queue once more"), do=self._retry)
        self.show_run = button(tr("Show run"), "sweep_show_run", tr("Selects the run in the list of runs"),
                               do=self._show_run)
        self.csv = button(tr("Table as CSV…"), "sweep_csv", tr("Saves the table of results for a spreadsheet"),
                          do=self._export)
        self.summary = label(name="sweep_summary", wrap=True)
        self.bar = ProgressBar("sweep_bar", tr("Runs of the sweep that have ended"))
        self.notice = Notice("sweep_notice")
        self.segments = Segments("sweep_page", (tr("Results"), tr("Heat map")), tr(
            "The runs by their results, or one setting against the other"))
        self.table = RowTable("sweep_results", tr("Runs by their best validation loss"), wraps=True)
        self.groups = RowTable(
            "sweep_groups", tr("Mean and standard deviation over the random seeds"), selects=False, wraps=True)
        self.spread = label(role="heading", name="sweep_spread", term="sweep")
        self.grid = GridView("sweep_grid", tr("Mean of the best validation losses for each pair of values"))
        words = tr("Select a run in the list of runs, and choose “Run again with…” in the menu “More” to train it with "
                   "several values of a setting.")
        self.empty = centred(QWidget(), label(tr("No sweeps yet"), "heading"),
                             label(words, "muted", name="sweep_empty", wrap=True))

    def _connect(self) -> None:
        self._controller.listed.connect(self._take)
        self._controller.said.connect(self.say)
        self._controller.left.connect(self._poll.stop)
        self._poll.timeout.connect(self._controller.list_sweeps)
        self._state.on(self._show, "queue_running", "run_state")
        self.choice.currentIndexChanged.connect(lambda: self.say(""))
        self.choice.currentIndexChanged.connect(self._show)
        self.segments.chosen.connect(self._show)
        self.table.selected.connect(self._show_buttons)
        self.table.doubleClicked.connect(self._show_run)

    def _lay_out(self) -> None:
        chosen = label(tr("Sweep"), buddy=self.choice, term="sweep"), self.choice
        self.controls = with_layout(QWidget(), Flow(chosen, self.start, self.retry, self.show_run, self.csv))
        """Buttons above the results, next to the choice between runs and sweeps."""
        results = with_layout(QWidget(), vbox(grows(self.table, 3), self.spread, grows(self.groups, 2), spacing=8))
        self.caption = label("", "muted", "sweep_caption", wrap=True)
        self.pages = stacked(
            results, with_layout(QWidget(), vbox(self.caption, grows(self.grid), spacing=8)))
        shown = card(self.segments, grows(self.pages), name="sweep_card")
        self.full = with_layout(QWidget(), vbox(
            hbox(grows(self.summary, 2), grows(self.bar, 1), spacing=12), grows(shown), self.notice, spacing=8))
        self.setFocusProxy(self.choice)
        with_layout(self, vbox(grows(self.full), self.empty, spacing=8))
