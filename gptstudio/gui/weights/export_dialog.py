"""Dialog that exports a model for other programs. Does not import torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLineEdit, QPushButton, QWidget

from gptstudio import files
from gptstudio.app.preferences import export_folder
from gptstudio.app.tasks import Task, TaskRunner
from gptstudio.errors import UserError, text_of
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.model_names import short_name
from gptstudio.gui.save_as import show_folder
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.dialog import WeightsDialog
from gptstudio.gui.widgets.layouts import Reflow
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, set_blocker, set_entries
from gptstudio.i18n import message
from gptstudio.training.model_source import LoadableModel, ModelSource, UntrainedModel, config_of
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.exporting.export_format import ExportFormat

KINDS = tuple(FORMATS.values())
REPLACES_FOLDER = message(
    "This name already exists. An earlier export will be replaced; anything else is left as it is.")
REPLACES_FILE = message("A file with this name already exists. It will be replaced, whatever it contains.")


class ExportDialog(WeightsDialog):
    """Dialog that exports one of the available models."""

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(over, tasks, "export", tr("Export model"))
        self._sources: list[LoadableModel] = []
        self._written: Path | None = None
        self._lacks = ""
        self.title.setText(tr("Export model"))
        self.model = choice_box("export_model", tr("Model"), letters=30)
        self.model.setToolTip(tr("Whose weights are written: of a run, or imported"))
        self.format = Segments("export_format", [tr(each.title) for each in KINDS])
        self.about = label(role="muted", name="export_about", wrap=True)
        self.path = named(QLineEdit(), "export_path", tr("Save to"))
        self.choose = button(tr("Choose…"), "export_choose", tr("Choose another location"), do=self._choose)
        self.room = label(role="muted", name="export_room", wrap=True)
        self.there = Notice("export_there", "notice")
        self.outcome = label(role="heading", name="export_outcome", wrap=True)
        self.show_it = button(
            tr("Show folder"), "export_show", tr("Opens it in the file manager"), do=self._show_folder)
        self.write = button(
            tr("Export"), "export_start", tr("Writes the export completely or not at all"), "primary", self._write)
        self.model.currentIndexChanged.connect(self._propose)
        self.format.chosen.connect(self._propose)
        self.path.textChanged.connect(self._edited)
        self.lay_out(self._form(), self.room, self.there, self.outcome, buttons=(self.show_it, self.write))

    def show_models(self, sources: Sequence[ModelSource], chosen: ModelSource | None) -> None:
        """Open the dialog. A model in training is not offered, because it changes at every step."""
        if not self.busy:
            self._sources = [each for each in sources if isinstance(each, LoadableModel)]
            index = self._sources.index(chosen) if chosen in self._sources else 0
            set_entries(self.model, [short_name(each) for each in self._sources], index)
            self._propose()
        self.open_up()
        self.model.setFocus()

    @property
    def source(self) -> LoadableModel | None:
        index = self.model.currentIndex()
        return self._sources[index] if 0 <= index < len(self._sources) else None

    @property
    def kind(self) -> ExportFormat:
        return KINDS[self.format.index()]

    @property
    def target(self) -> Path | None:
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    def _propose(self) -> None:
        """Propose a name in the same folder as before."""
        if self.source:
            self.path.setText(str(self._place(self.source)))
            self._edited()

    def _place(self, source: LoadableModel) -> Path:
        folder = self.target.parent if self.target else export_folder()
        return folder / self._name(source)

    def _name(self, source: LoadableModel) -> str:
        """Return a file name for the export, made of the model's name."""
        name = "untrained" if isinstance(source, UntrainedModel) else source.name
        plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name.replace(", ", "-"))
        return plain + self.kind.ending

    def _edited(self) -> None:
        self._written = None
        self.refusal.clear()
        self.show_state()
        if self.isVisible():
            self.fit()

    def _choose(self) -> None:
        if not self.source:
            return
        target = self.target or self._place(self.source)
        if not self.kind.files:
            kinds, free = f"{tr(self.kind.title)} (*{self.kind.ending})", QFileDialog.Option.DontConfirmOverwrite
            chosen, _ = QFileDialog.getSaveFileName(self, tr("Save to"), str(target), kinds, options=free)
        else:
            parent = QFileDialog.getExistingDirectory(self, tr("Choose a folder"), str(target.parent))
            chosen = str(Path(parent) / self._name(self.source)) if parent else ""
        if chosen:
            self.path.setText(chosen)

    def _write(self) -> None:
        source, target, kind, over = self.source, self.target, self.kind, self._exists()
        if not (source and target):
            return

        def work(task: Task) -> tuple[Path, str]:
            return kind.export(source, target, task.report, replace=over), kind.lacks(source)

        self.refusal.clear()
        self.transfer(work, self._show_written, message("Exporting {name}", name=target.name), tr("Exporting"))

    def _show_folder(self) -> None:
        if self._written:
            show_folder(self._written if self._written.is_dir() else self._written.parent)

    def _show_written(self, made: tuple[Path, str]) -> None:
        self._written, self._lacks = made
        self.settle()

    def way_on(self) -> QPushButton:
        return self.close_button if self._written else self.write

    def show_state(self) -> None:
        written, ready = self._written, bool(self.source and self.target)
        self.about.setText(tr(self.kind.about))
        self.room.setText(self._room())
        over = self._exists() and not written
        replaces = tr(REPLACES_FOLDER if self.kind.files else REPLACES_FILE) if over else ""
        self.there.setText(tr(self._lacks) if written else replaces)
        self.write.setText(tr("Replace") if over else tr("Export"))
        busy = tr("The model is being exported. Cancel it first.") if self.busy else ""
        set_blocker(self.write, busy or ("" if ready else tr("Choose a model and a place to save it first.")))
        self.write.setVisible(written is None)
        self.way_on().setDefault(True)
        self.show_it.setVisible(written is not None)
        self.outcome.setVisible(written is not None)
        if written:
            self.outcome.setText(tr("Saved {path}", path=written))
        for part in (self.model, self.format, self.path, self.choose):
            set_blocker(part, busy)
        for index, kind in enumerate(KINDS):
            set_blocker(self.format.button(index), tr(kind.why_not()))

    def _exists(self) -> bool:
        return self.target is not None and self.target.exists()

    def _room(self) -> str:
        if not (self.source and self.target):
            return ""
        try:
            needed = self.kind.bytes_written(config_of(self.source))
        except UserError as error:
            return tr(text_of(error))
        free = files.free_bytes(self.target.absolute().parent)
        return tr("Needs about {size}; {free} free there.", size=size(needed), free=size(free))

    def _form(self) -> QWidget:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        where = Reflow(self.path, self.choose, stretch=(self.path,))
        lines = ((tr("Model"), self.model, self.model), (tr("Format"), self.format, self.format.button(0)),
                 (tr("Save to"), where, self.path))
        for row, (name, part, buddy) in enumerate(lines):
            grid.addWidget(label(name, "heading", buddy=buddy), 2 * row, 0)
            grid.addWidget(part, 2 * row, 1)
        grid.addWidget(self.about, 3, 1, Qt.AlignmentFlag.AlignTop)
        return form
