"""Handling of the actions on runs: questions and file dialogs are here, the work itself is elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gptstudio.errors import UserError
from gptstudio.gui import jobs_runs as jobs
from gptstudio.gui.answers_runs import Done, RunEntry
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.gui.translation import size, tr
from gptstudio.gui.worker import Job
from gptstudio.training.control import Control


class RunOperations(QObject):
    """Acts on the run that is selected, and on the charts of those that are ticked."""

    requested = Signal(object)  # Job of moments
    transfer_requested = Signal(object)  # Job that may take minutes
    done = Signal(object)  # Done: what was done at once
    resume_requested = Signal(object)  # RunFolder
    again_requested = Signal(object)  # TrainSpec

    def __init__(
        self, parent: QWidget, selected: Callable[[], RunEntry | None], ticked: Callable[[], list[RunEntry]],
        compare: RunCompare,
    ):
        super().__init__(parent)
        self._over, self._selected, self._ticked, self._compare = parent, selected, ticked, compare
        self._hauling = Control()

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return the handler of each action."""
        return {
            "go_on": lambda: self.resume_requested.emit(self._run.summary.folder),
            "again": lambda: self.again_requested.emit(self._run.summary.record.spec),
            "talk": lambda: self.requested.emit(jobs.choose_checkpoint(self._run.summary.folder)),
            "take_off": lambda: self.requested.emit(jobs.take_off(self._run.path)),
            "delete": self._delete, "show": self._show, "add": self._add, "import": self._import, "csv": self._csv,
            "svg": lambda: self._chart("svg"), "png": lambda: self._chart("png"),
            "zip": lambda: self._zip(checkpoints=True), "zip_light": lambda: self._zip(checkpoints=False),
            "script": self._script,
        }

    def rename(self, run: RunEntry, title: str) -> None:
        self.requested.emit(jobs.rename(run.summary.folder, title))

    def stop(self) -> None:
        """Breaks off what takes long."""
        self._hauling.stop()

    @property
    def _run(self) -> RunEntry:
        run = self._selected()
        if run is None:
            raise RuntimeError("the actions are off where no run is selected")
        return run

    def _delete(self) -> None:
        run = self._run
        words = tr("Move “{run}” to the trash?", run=run.summary.title)
        question = QMessageBox(
            QMessageBox.Icon.Question, tr("Move run to trash"), words, QMessageBox.StandardButton.Cancel, self._over
        )
        question.setObjectName("delete_question")
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setInformativeText(tr(
            "Size: {size}. Location: {path}", size=size(run.summary.size_bytes), path=run.path))
        yes = question.addButton(tr("Move to trash"), QMessageBox.ButtonRole.DestructiveRole)
        question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        question.exec()
        if question.clickedButton() is yes:
            self.requested.emit(jobs.trash(run.summary.folder))

    def _show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._run.path)))

    def _add(self) -> None:
        path = QFileDialog.getExistingDirectory(self._over, tr("Choose a run folder"))
        if path:
            self.requested.emit(jobs.add(Path(path)))

    def _import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._over, tr("Import a run from a zip"), "", tr("Zip (*.zip)"))
        if path:
            self._transfer(lambda control: jobs.unpack(Path(path), control))

    def _csv(self) -> None:
        runs = [(run.summary.title, run.summary.folder) for run in self._ticked()]
        path = self._ask_where("runs.csv", tr("Table (*.csv)"))
        if path:
            self.transfer_requested.emit(jobs.write_csv(runs, path))

    def _zip(self, checkpoints: bool) -> None:
        run = self._run.summary.folder
        path = self._ask_where(f"{run.name}.zip", tr("Zip (*.zip)"))
        if path:
            self._transfer(lambda control: jobs.pack(run, path, checkpoints, control))

    def _script(self) -> None:
        run = self._run.summary.folder
        path = self._ask_where(f"{run.name}.py", tr("Python script (*.py)"))
        if path:
            self.transfer_requested.emit(jobs.write_script(run, path))

    def _chart(self, kind: str) -> None:
        path = self._ask_where(f"runs.{kind}", f"{kind.upper()} (*.{kind})")
        if path:
            try:
                names = ", ".join(str(written) for written in self._compare.save(path))
                self.done.emit(Done(tr("Saved {names}", names=names)))
            except UserError as error:
                self.done.emit(Done(str(error), problem=True))

    def _transfer(self, job: Callable[[Control], Job]) -> None:
        self._hauling = Control()
        self.transfer_requested.emit(job(self._hauling))

    def _ask_where(self, name: str, kinds: str) -> Path | None:
        """A file to write to, with the ending of ``name``."""
        path, _ = QFileDialog.getSaveFileName(self._over, tr("Save to"), str(Path.home() / name), kinds)
        return Path(path).with_suffix(Path(name).suffix) if path else None
