"""The sweeps on the Runs page: their queue, what is done with it, and their results."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QProgressBar, QWidget

from gptstudio.app.state import AppState
from gptstudio.app.sweep_tasks import ListedSweep
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.plots.grid_view import GridView
from gptstudio.gui.runs.sweeps.sweep_grid import sweep_grid
from gptstudio.gui.runs.sweeps.sweep_tables import SweepTable, fill_groups, fill_results
from gptstudio.gui.translation import duration, joined, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import card, centred, grows, hbox, holding, stacked, vbox
from gptstudio.gui.widgets.parts import button, label, named, permit, restyle, set_entries
from gptstudio.gui.widgets.save_as import ask_where
from gptstudio.gui.widgets.saved_notice import report_saved
from gptstudio.history.sweep_results import MemberResult, SweepResults
from gptstudio.training.sweep_folder import SweepFolder

POLL_MS = 1_000
"""While a sweep is trained, it is read again so often."""
RESULTS, GRID = range(2)


class SweepView(QWidget):
    """A sweep of the list, and the buttons that control the queue of all sweeps."""

    run_chosen = Signal(object)
    """Emitted with the folder of a run that is to be shown in the list of runs."""

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
        """The sweep that is shown."""
        folder = self.choice.currentData()
        return next((each for each in self._sweeps if each.folder == folder), None)

    @property
    def results(self) -> SweepResults | None:
        return self.sweep.results if self.sweep else None

    def select(self, folder: SweepFolder) -> None:
        """Show a sweep, once it is listed."""
        self._wanted = folder
        self._choose_wanted()

    def say(self, words: str, problem: bool = False) -> None:
        """Show a message below the sweep, until something else is done."""
        self.notice.setText(tr(words) if words else "")
        self.notice.setVisible(bool(words))
        restyle(self.notice, role="problem" if problem else "muted")

    # What is shown.

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
        place = [each.folder for each in self._sweeps].index(self._wanted) if self._wanted in [
            each.folder for each in self._sweeps] else -1
        if place >= 0:
            self._wanted = None
            self.choice.setCurrentIndex(place)

    def _show(self) -> None:
        results, live = self.results, self._live()
        self.full.setVisible(bool(self._sweeps))
        permit(self.choice, "" if self._sweeps else tr("There are no sweeps yet."))
        self.empty.setVisible(self._listed and not self._sweeps)
        self._show_summary()
        for part in (self.segments, self.pages):
            part.setVisible(results is not None)
        if results:
            self._show_results(results, live)
        self._show_buttons()

    def _show_results(self, results: SweepResults, live: str) -> None:
        why = "" if len(results.spec.vary) == 2 else tr("The heat map needs a sweep of two settings.")
        permit(self.segments.button(GRID), why)
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
        else:
            self.grid.show_grid(sweep_grid(results))

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
        self.bar.setRange(0, total)
        self.bar.setValue(total - results.left)
        if results.queue.message and results.left and not self._state.queue_running:
            self.say(results.queue.message, problem=True)

    def _show_buttons(self) -> None:
        running, results, sweep = self._state.queue_running, self.results, self.sweep
        left = any(each.left for each in self._sweeps)
        self.start.setText(tr("Pause") if running else tr("Continue"))
        self.start.setAccessibleName(self.start.text())
        elsewhere = tr("Another window or program is training it.") if sweep and sweep.elsewhere else ""
        permit(self.start, "" if running or left else tr("No runs are left in the queue."), tr(
            "Ends the run after its step and saves it; the queue continues exactly there")
            if running else tr("Trains the runs that are left, one after the other"))
        chosen = self.chosen()
        failed = bool(results and (results.count("failed") or results.count("skipped")))
        permit(self.retry, elsewhere or ("" if failed else tr("No run of this sweep has failed.")))
        permit(self.show_run, "" if chosen and chosen.run else tr("Select a run that has begun."))
        permit(self.csv, "" if results else tr("There is no sweep to export."))

    def chosen(self) -> MemberResult | None:
        """Return the run that is selected in the table that is shown."""
        name = self.table.current()
        found = self.results.members if self.results else ()
        return next((each for each in found if each.member.id == name), None)

    def _live(self) -> str:
        """Return the id of the run that this window trains now; empty if it is none of this sweep."""
        found = self.results.members if self.results and self._controller.trains_now else ()
        return next((each.member.id for each in found if each.run and each.run.path == self._state.own_run), "")

    # What the user does.

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
        if self.results:
            path = ask_where(self, f"{self.results.spec.name}.csv")
            if path:
                self.say("")
                self._controller.save_csv(self.results, path, partial(report_saved, self, path))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._controller.list_sweeps()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._poll.stop()

    # Putting together.

    def _make_parts(self) -> None:
        self.choice = named(QComboBox(), "sweep_choice", tr("Sweep"))
        self.choice.setToolTip(tr("Your sweeps, the newest first"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(18)
        self.start = button(tr("Continue"), "sweep_start", role="primary", do=self._start_or_pause)
        self.retry = button(tr("Retry failed"), "sweep_retry", tr(
            "Puts the runs that have failed into the queue once more"), do=self._retry)
        self.show_run = button(tr("Show run"), "sweep_show_run", tr("Selects the run in the list of runs"),
                               do=self._show_run)
        self.csv = button(tr("Table as CSV…"), "sweep_csv", tr("Saves the table of results for a spreadsheet"),
                          do=self._export)
        self.summary = label(name="sweep_summary", wrap=True)
        self.bar = named(QProgressBar(), "sweep_bar", tr("Runs of the sweep that have ended"))
        self.bar.setTextVisible(False)
        self.notice = label(role="muted", name="sweep_notice", wrap=True)
        self.notice.hide()
        self.segments = Segments("sweep_page", (tr("Results"), tr("Heat map")), tr(
            "The runs by their results, or one setting against the other"))
        self.table = SweepTable("sweep_results", tr("Runs by their best validation loss"))
        self.groups = SweepTable("sweep_groups", tr("Mean and standard deviation over the random seeds"), selects=False)
        self.spread = label(tr("Best validation loss over the random seeds"), "heading", term="sweep")
        self.grid = GridView("sweep_grid", tr("Mean of the best validation losses for each pair of values"))
        words = tr("Select a run in the list of runs, and choose “Run again with…” in the menu “More” to train it with "
                   "several values of a setting.")
        self.empty = centred(QWidget(), label(tr("No sweeps yet"), "heading"),
                             label(words, "muted", name="sweep_empty", wrap=True), spacing=8)

    def _connect(self) -> None:
        self._controller.listed.connect(self._take)
        self._controller.said.connect(self.say)
        self._controller.left.connect(self._poll.stop)
        self._poll.timeout.connect(self._controller.list_sweeps)
        self._state.on(self._show, "queue_running", "run_state")
        self.choice.currentIndexChanged.connect(self._turn)
        self.segments.chosen.connect(self._show)
        self.table.selected.connect(self._show_buttons)
        self.table.doubleClicked.connect(self._show_run)

    def _turn(self) -> None:
        self.say("")
        self._show()

    def _lay_out(self) -> None:
        flow = Flow()
        flow.add_group(label(tr("Sweep"), buddy=self.choice, term="sweep"), self.choice)
        for each in (self.start, self.retry, self.show_run, self.csv):
            flow.addWidget(each)
        self.controls = holding(QWidget(), flow)
        """The buttons, which stand above: beside those that choose between runs and sweeps."""
        results = holding(QWidget(), vbox(grows(self.table, 3), self.spread, grows(self.groups, 2), spacing=8))
        caption = label(tr("Best validation loss in nats per token, mean over the random seeds; the lowest is framed"),
                        "muted", wrap=True)
        self.pages = stacked(
            results, holding(QWidget(), vbox(caption, grows(self.grid), spacing=8)))
        shown = card(self.segments, grows(self.pages), name="sweep_card")
        self.full = holding(QWidget(), vbox(
            hbox(grows(self.summary, 2), grows(self.bar, 1), spacing=12), grows(shown), self.notice, spacing=8))
        self.setFocusProxy(self.choice)
        holding(self, vbox(grows(self.full), self.empty, spacing=8))
