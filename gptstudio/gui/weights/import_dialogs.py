"""Dialogs that import weights: of a file or folder, or of GPT-2 as published, with what each published model needs.

Does not import torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from gptstudio import files, paths
from gptstudio.app.tasks import Task, TaskError, TaskRunner, Work
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.weights.dialog import Facts, ImportDialog
from gptstudio.gui.widgets.layouts import Reflow, card, vbox, with_layout
from gptstudio.gui.widgets.parts import FigureRow, Notice, choice_box, label, named, plain, set_blocker, set_entries
from gptstudio.gui.widgets.tables import LEFT, RIGHT, FullTable, TableCell, cells_of, headings_of
from gptstudio.i18n import message
from gptstudio.training import imported_models
from gptstudio.training.control import Control
from gptstudio.training.model_source import reads_text
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
    from gptstudio.training.model_source import ImportedModel
    from gptstudio.weights_io.download import Published, Sizes
    from gptstudio.weights_io.importing import FoundModel

KINDS = {
    "book": message("Weights saved by the book's code (a state dict)"),
    "huggingface": message("GPT-2 in Hugging Face format"),
    "nanogpt": message("nanoGPT checkpoint"),
    "gptstudio": message("GPT Studio model"),
}
LONGEST_NAME = 80
NAMED_LEFT_OUT = 4


@dataclass(frozen=True)
class InspectedPath:
    """Result of inspecting a path: its content, an unused name, and the free disk space."""

    found: FoundModel
    name: str
    free_bytes: int


def look(path: Path) -> InspectedPath:
    """Read the headers of a file or folder.

    Raises:
        UserError: it contains nothing that can be imported.
    """
    from gptstudio.weights_io import importing

    found = importing.inspect(path)
    return InspectedPath(found, imported_models.free_name(found.name), files.free_bytes(paths.models()))


BUSY = message("The weights are being imported. Cancel it first.")


class OpenDialog(ImportDialog):
    """Dialog that inspects a path, and imports the model in it."""

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(
            over, tasks, "open_weights", tr("Open weights"), (tr("Import"), tr("Copies it to your imported models")))
        self._looked: InspectedPath | None = None
        self.kind = label(role="muted", name="open_weights_kind", wrap=True)
        self.figures = FigureRow({
            "layers": tr("Layers"), "width": tr("Width"), "heads": tr("Heads"), "context": tr("Context length"),
            "vocabulary": tr("Vocabulary"),
        }, "open_weights")
        self.heads = choice_box("open_weights_heads_choice", tr("Heads"))
        self.heads.currentIndexChanged.connect(self._choose_heads)
        self.why = label(role="muted", name="open_weights_heads_why", wrap=True)
        self.facts = Facts({
            "parameters": tr("Parameters"), "tokenizer": tr("Tokenizer"), "path": tr("File"), "stored": tr("Stored as"),
            "kept": tr("Copy saved in"), "disk": tr("Size of copy"),
        }, "open_weights", paths=("path", "kept"))
        self.left_out = label(role="muted", name="open_weights_left_out", wrap=True)
        self.copied = label(
            tr("Your file is not changed. The copy is verified and no longer needs the file."),
            "muted", "open_weights_copied", wrap=True)
        self.name = named(QLineEdit(), "open_weights_name", tr("Name"))
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setToolTip(tr("The name shown wherever you choose a model"))
        self.name.textChanged.connect(self._judge_name)
        self.taken = label(role="notice", name="open_weights_taken", wrap=True)
        self.begin.clicked.connect(self._bring_in)
        self._place()

    def look_at(self, path: Path) -> None:
        self._looked, self.imported = None, None
        self.title.setText(path.name or str(path))
        self.show_state()
        self.transfer_bar.begin(tr("Reading the contents…"), cancel=False)
        self.run(lambda _: look(path), self._show_found, self.settle)
        self.open_up()

    def _show_found(self, looked: InspectedPath) -> None:
        self._looked, found = looked, looked.found
        self.kind.setText(tr(KINDS[found.kind]))
        self.name.setText(looked.name)
        self._offer_heads(found)
        self._show_config(looked)
        self.settle()

    def way_on(self) -> QPushButton:
        return super().way_on() if self._looked else self.close_button

    def _offer_heads(self, found: FoundModel) -> None:
        numbers, width = list(found.possible_heads), found.config.emb_dim
        entries = [tr("{n}, width {width} each", n=heads, width=width // heads) for heads in numbers]
        set_entries(self.heads, entries, numbers.index(found.config.n_heads), numbers)
        self.why.setText(tr(
            "The file does not say how many heads each layer has: the weights have the same shapes for any number. {n} "
            "is the most likely, because each head is then closest to 64 wide, as in OpenAI's models. If you know the "
            "n_heads of the code that trained the model, choose that: with any other number the model generates "
            "nonsense.", n=found.config.n_heads))

    def _show_config(self, looked: InspectedPath) -> None:
        found, config = looked.found, looked.found.config
        self.figures.show_values(
            layers=f"{config.n_layers:,}", width=f"{config.emb_dim:,}", heads=f"{config.n_heads:,}",
            context=f"{config.context_length:,}", vocabulary=f"{config.vocab_size:,}")
        same = found.stored == "fp32"
        taken, free = size(sizing.weight_bytes(config)), size(looked.free_bytes)
        self.facts.show_facts(
            path=str(found.path),
            stored=found.stored if same else tr("{stored}; saved as fp32", stored=found.stored),
            parameters=tr(
                "{n}, tied: the token embedding and the output layer share one matrix" if config.tie_weights
                else "{n}, with a separate output layer", n=f"{sizing.parameter_count(config):,}"),
            tokenizer=tr(found.tokenizer.name) if reads_text(config) else tr("unknown: for experiments without text"),
            kept=str(paths.models()),
            disk=tr("{size} ({free} free)", size=taken, free=free))
        self.left_out.setText(_left_out_words(found.left_out))

    def _choose_heads(self) -> None:
        if self._looked:
            found = self._looked.found
            config = found.config.but(n_heads=self.heads.currentData())
            self._looked = replace(self._looked, found=replace(found, config=config))
            self._show_config(self._looked)

    def _judge_name(self) -> None:
        name = self.name.text().strip()
        free = imported_models.free_name(name) if name else ""
        self.taken.setText(tr(
            "This name is taken or is not valid on every system. The model will be called {name}.", name=free))
        self.taken.setVisible(free != name)
        busy = tr(BUSY) if self.busy else ""
        set_blocker(self.begin, busy or ("" if name else tr("Enter a name first.")))

    def _bring_in(self) -> None:
        if not self._looked:
            return
        found, name = self._looked.found, self.name.text().strip()

        def work(task: Task) -> ImportedModel:
            from gptstudio.weights_io import importing

            return importing.import_weights(found, name, task.report)

        title = message("Importing {name}", name=name)
        self.transfer(work, self.show_imported, title, tr("Copying (two passes)"))

    def show_state(self) -> None:
        looked = self._looked
        ready = looked is not None and not self.imported
        guessed = ready and looked is not None and not looked.found.heads_read
        self.refusal.clear()
        self.show_way()
        self.begin.setVisible(ready)
        for part, shown in (
            (self.kind, bool(looked)), (self.card, bool(looked)), (self.facts, bool(looked)),
            (self.left_out, bool(self.left_out.text()) and bool(looked)), (self.copied, ready and not self.busy),
            (self.naming, ready), (self.choice, guessed), (self.why, guessed),
        ):
            part.setVisible(shown)
        for part in (self.naming, self.choice):
            set_blocker(part, tr(BUSY) if self.busy else "")
        self._judge_name()

    def _place(self) -> None:
        heads = label(tr("Heads"), "heading", buddy=self.heads)
        name = label(tr("Name"), "heading", buddy=self.name)
        self.choice = Reflow(heads, self.heads, stretch=(self.heads,))
        self.card = card(self.figures, self.choice, self.why, name="open_weights_card")
        self.naming = with_layout(QWidget(), vbox(Reflow(name, self.name, stretch=(self.name,)), self.taken))
        self.lay_out(
            self.kind, self.card, self.facts, self.left_out, self.copied, self.naming, self.outcome,
            buttons=self.buttons)


def _left_out_words(names: Sequence[str]) -> str:
    """Return a sentence about the tensors of a file that are not read; empty if all are read."""
    some, more = list(names[:NAMED_LEFT_OUT]), len(names) - NAMED_LEFT_OUT
    if more > 0:
        some.append(tr("{n} more", n=f"{more:,}"))
    return tr("Left out, since a language model does not need them: {names}.", names=", ".join(some)) if some else ""


COLUMNS = (
    message("Model"), message("Parameters"), message("To download"), message("Memory to generate"),
    message("Memory to train"),
)
SIDES = LEFT, RIGHT, RIGHT, RIGHT, RIGHT
USUAL = TrainSpec.make(config=PRESETS["book"])
"""Batch size and context length, those of the book, for which the memory of training is estimated."""


class PublishedTable(FullTable):
    """Table of the published models; one is always selected."""

    def __init__(self) -> None:
        super().__init__("published", tr("Models to download"), lines=(5, 5))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_models(self, models: Sequence[Published], device: Device, sizes: Mapping[str, Sizes | None]) -> None:
        """Show the needs of the models on a device. ``sizes``: of the downloads, by the models' names; None: not
        known."""
        self.show_rows(
            headings_of(COLUMNS, SIDES),
            [_needs(each, device, sizes) for each in models], models)
        if self.entry is None:
            self.select(models[0])


def _needs(model: Published, device: Device, sizes: Mapping[str, Sizes | None]) -> list[TableCell]:
    found = sizes.get(model.name)
    left = found.to_fetch_bytes if found else None
    fetched = "–" if left is None else size(left) if left else tr("nothing")
    short = model.config.but(context_length=min(model.config.context_length, USUAL.config.context_length))
    texts = (model.title, f"{sizing.parameter_count(model.config):,}", fetched if model.name in sizes else "…")
    needed = (generate_memory(model.config).least,
              train_memory(short, USUAL.batch_size, bf16=device.fast_bf16, kind=device.kind).total)
    return cells_of(texts, SIDES[:len(texts)]) + [_need(each, device) for each in needed]


def _need(needed: int, device: Device) -> TableCell:
    fits = needed <= device.free_bytes
    text = joined("  ·  ", size(needed), tr("fits") if fits else tr("does not fit"))
    return TableCell(text, RIGHT, plain(text), "" if fits else "bad")


class DownloadDialog(ImportDialog):
    """Dialog that downloads and imports a model. Opening it requests the sizes of all models from the server."""

    CANCELLED = message("Cancelled. The partial download is kept; next time it continues from there.")

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(
            over, tasks, "download", tr("Download GPT-2"), (tr("Download"), tr("Downloads and imports it")))
        self._published: Sequence[Published] = ()
        self._sizes: dict[str, Sizes | None] = {}  # of the downloads, by the models' names; None: unknown
        self._server = ""
        self._asking = Control()
        self._device: Device | None = None
        self.source = label(role="muted", name="download_source", wrap=True)
        self.table = PublishedTable()
        self.about = label(role="muted", name="download_about", wrap=True)
        self.room = Notice("download_room", "")
        self.begin.clicked.connect(self._fetch)
        self.table.selected.connect(self._chosen)
        self.title.setText(tr("Published GPT-2 models"))
        self.lay_out(self.source, self.table, self.about, self.room, self.outcome, buttons=self.buttons)

    def show_models(self, device: Device) -> None:
        """Open the dialog, and request the download sizes; during a download, only show it again."""
        from gptstudio.weights_io import download

        if not self.busy:
            self._device, self.imported, self._sizes = device, None, {}
            self._published = download.PUBLISHED
            self._show_table()
            self._ask_sizes()
            self.show_state()
        self.open_up()
        self.table.setFocus()

    def _show_table(self) -> None:
        if self._device:
            self.table.show_models(self._published, self._device, self._sizes)

    def _ask_sizes(self) -> None:
        """Request the download sizes: first those known without a network, then from the server until a request
        fails."""
        def work(task: Task) -> None:
            from gptstudio.weights_io import download, hub

            task.emit(str(hub.host()))
            for each in sorted(published, key=lambda one: not download.cached(one)):
                task.control.check()
                task.emit((each, download.sizes(each, task.control)))

        published = self._published
        self._asking.stop()
        self._asking = Control()
        self.refusal.clear()
        self._tasks.run(
            work, control=self._asking, items=self._show_sizes, failed=self._show_no_sizes, shows_details=True)

    def _show_sizes(self, answers: Sequence[str | tuple[Published, Sizes]]) -> None:
        for answer in answers:
            if isinstance(answer, str):
                self._server = answer
            else:
                published, sizes = answer
                self._sizes[published.name] = sizes
        self._show_table()
        self.show_state()
        self.fit()

    def _show_no_sizes(self, error: TaskError) -> None:
        self._sizes = dict.fromkeys(each.name for each in self._published) | self._sizes
        self._show_table()
        if self.refusal.isHidden() and not self.busy:
            self.refusal.say(error.message, error.details)
            self.fit()

    def _fetch(self) -> None:
        published = self.table.entry
        if published is None:
            return

        def work(task: Task) -> Path:
            from gptstudio.weights_io import download

            return download.fetch(published, task.report, task.control)

        self.transfer(work, partial(self._bring_in, published), tr("Downloading {name}", name=published.title))

    def _bring_in(self, published: Published, folder: Path) -> None:
        def work(task: Task) -> ImportedModel:
            from gptstudio.weights_io import importing

            found = importing.inspect(folder)
            return importing.import_weights(found, published.name, task.report, {"source": published.repository})

        self.transfer(work, self.show_imported, tr("Copying {name} (two passes)", name=published.title))

    def transfer(self, work: Work, done: Callable[[Any], object], title: str, words: str = "") -> None:
        self._asking.stop()
        super().transfer(work, done, title, words)

    def ended(self) -> None:
        super().ended()
        if self.isVisible():
            self._ask_sizes()  # less of this model remains to be downloaded

    def reject(self) -> None:
        self._asking.stop()
        super().reject()

    def _chosen(self) -> None:
        if self.imported and not self.busy:
            self.imported = None
        self.show_state()

    def show_state(self) -> None:
        chosen, there = self.table.entry, self.imported is not None
        self.source.setText(tr(
            "Asks {server} only for the sizes; nothing else happens until you press Download.",
            server=self._server) if self._server else tr("Checking what is on this computer…"))
        self.about.setText(self._about())
        self.room.setText(joined(" ", *self._size_texts(chosen)) if chosen and not there else "")
        busy = tr("A task is in progress here. Cancel it first.") if self.busy else ""
        set_blocker(self.table, busy)
        self.show_way()
        set_blocker(self.begin, busy or ("" if chosen else tr("Select a model in the list first.")))

    def _about(self) -> str:
        if not self._device:
            return ""
        return tr(
            "Memory on {device}: {free} free. Training figures assume batch size {batch} and context length {context}.",
            device=self._device.name, free=size(self._device.free_bytes), batch=USUAL.batch_size,
            context=USUAL.config.context_length)

    def _size_texts(self, published: Published) -> Iterator[str]:
        """Yield notes: the required disk space, and the source of the checksum if no published one is known."""
        from gptstudio.weights_io import download, hub

        yield self._room(published)
        if published.repository not in download.CHECKSUMS:
            yield tr(hub.no_checksum())

    def _room(self, published: Published) -> str:
        """Return a message about the disk space for a model, and its location."""
        sizes, home = self._sizes.get(published.name), paths.models()
        kept, free = size(sizing.weight_bytes(published.config)), size(files.free_bytes(home))
        mine = tr("Your copy takes {size} in {folder} ({free} free).", size=kept, folder=home, free=free)
        if sizes is None:
            return mine
        whole, there = size(sizes.total_bytes), sizes.total_bytes - sizes.to_fetch_bytes
        if sizes.to_fetch_bytes == 0:
            cache = tr("Already on this computer.")
        elif there > 0:
            cache = tr("Already downloaded and kept: {kept} of {total}.", total=whole, kept=size(there))
        else:
            cache = tr("{size} will be stored in the huggingface_hub cache, which other programs share.", size=whole)
        return joined(" ", cache, mine)
