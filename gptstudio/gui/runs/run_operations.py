"""Commands on runs: questions and file dialogs are here, the work itself is elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app import run_tasks
from gptstudio.app.state import RunEntry
from gptstudio.gui.controllers.library import LibraryController, Operation
from gptstudio.gui.controllers.sweeps import SweepController
from gptstudio.gui.controllers.training import TrainingController
from gptstudio.gui.question import chosen, confirmed
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.runs.run_list import title_of
from gptstudio.gui.runs.sweep_dialog import SweepDialog
from gptstudio.gui.save_as import ask_where, report_saved, save_as, show_folder
from gptstudio.gui.translation import size, tr
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder


class RunOperations(QObject):
    """Commands on the selected run, and on the charts of the checked runs."""

    def __init__(
        self, parent: QWidget, library: LibraryController, training: TrainingController, sweeps: SweepController,
        selected: Callable[[], RunEntry | None], ticked: Callable[[], list[RunEntry]], compare: RunCompare,
    ):
        super().__init__(parent)
        self._over, self._library, self._training, self._sweeps = parent, library, training, sweeps
        self._selected, self._ticked, self._compare = selected, ticked, compare

    def rename(self, run: RunEntry, title: str) -> None:
        self._library.operate(lambda _: run_tasks.rename(run.summary.folder, title))

    @property
    def _run(self) -> RunEntry:
        run = self._selected()
        if run is None:
            raise RuntimeError("the actions are off where no run is selected")
        return run

    # On the selected run.

    def continue_run(self) -> None:
        """Continue the selected run, and show it."""
        self._training.continue_run(self._run.summary.folder)

    def train_longer(self) -> None:
        """Ask how much longer to train the selected run."""
        self._training.ask_longer(self._run.summary.folder)

    def run_again(self) -> None:
        """Copy the settings of the selected run into the forms."""
        self._training.run_again(self._run.summary.record.spec)

    def generate(self) -> None:
        """Select the best checkpoint of the selected run on the Generate page."""
        self._library.generate_with_best(self._run.summary.folder)

    def plan_sweep(self) -> None:
        run = self._run.summary
        SweepDialog(self._over.window(), self._sweeps, run.record.spec, run.folder).show()

    def delete(self) -> None:
        run = self._run
        details = tr("Size: {size}. Location: {path}", size=size(run.summary.size_bytes), path=run.path)
        words = tr("Move “{run}” to the trash?", run=title_of(run))
        if confirmed(self._over, "run_delete", tr("Move run to trash"), words, tr("Move to trash"), details):
            self._library.move_to_trash(run.summary.folder, run.summary.title)

    def take_off(self) -> None:
        path = self._run.path
        self._library.operate(lambda _: run_tasks.take_off(path))

    def show_folder(self) -> None:
        show_folder(self._run.path)

    def add(self) -> None:
        path = QFileDialog.getExistingDirectory(self._over, tr("Choose a run folder"))
        if path:
            self._library.operate(lambda _: run_tasks.add(Path(path)))

    def unpack(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._over, tr("Import a run from a zip"), "", tr("Zip (*.zip)"))
        if path:
            self._library.operate(
                lambda task: run_tasks.unpack(Path(path), task.report),
                message("Unpacking {name}", name=Path(path).name))

    def save_csv(self) -> None:
        runs = [(title_of(run), run.summary.folder) for run in self._ticked()]
        self._write("runs.csv", lambda path: lambda _: run_tasks.write_csv(runs, path))

    def save_zip(self, shown: RunFolder | None = None) -> None:
        """Ask for a file, and pack a run into it. ``shown``: run that Train shows, used instead of the selected one."""
        run = shown or self._run.summary.folder
        options = {contents: tr(words) for contents, words in run_tasks.packing_choices(run).items()}
        contents = chosen(self._over, "run_zip", tr("Run as zip"), tr("What should the zip contain?"),
                          tr("Save…"), options)
        if not contents:
            return
        self._write(f"{run.name}.zip", lambda path: lambda task: run_tasks.pack(run, path, contents, task.report),
                    message("Packing {name}", name=shown_name(run)), self._training.operate if shown else None)

    def save_script(self) -> None:
        run = self._run.summary.folder
        self._write(f"{run.name}.py", lambda path: lambda _: run_tasks.write_script(run, path))

    def _write(
        self, name: str, work: Callable[[Path], Operation], title: str = "",
        operate: Callable[..., object] | None = None,
    ) -> None:
        """Ask for a file, and write it on another thread."""
        over = self._over.window()
        if path := ask_where(over, name):
            (operate or self._library.operate)(work(path), title, partial(report_saved, over, path))

    def save_chart(self, kind: str) -> None:
        def write(path: Path) -> str:
            return message("Saved {path}", path=", ".join(map(str, self._compare.save(path))))

        save_as(self._over, f"runs.{kind}", write, lambda words: self._library.done.emit(words, bool(words)))
