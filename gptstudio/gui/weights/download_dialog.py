"""Dialog that downloads GPT-2, with the needs of each model on this computer, before a byte is downloaded.

Does not import torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gptstudio import files
from gptstudio.app.tasks import Task, TaskError, TaskRunner, Work
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.weights.dialog import ImportDialog
from gptstudio.gui.widgets.parts import Notice, label, set_blocker
from gptstudio.gui.widgets.tables import FullTable
from gptstudio.i18n import message
from gptstudio.training import imported_models
from gptstudio.training.control import Control
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
    from gptstudio.training.model_source import ImportedModel
    from gptstudio.weights_io.download import Published, Sizes

COLUMNS = (
    message("Model"), message("Parameters"), message("To download"), message("Memory to generate"),
    message("Memory to train"),
)
NAME, PARAMETERS, FETCH, GENERATE, TRAIN = range(len(COLUMNS))
USUAL = TrainSpec.make(config=PRESETS["book"])
"""Batch size and context length, those of the book, for which the memory of training is estimated."""


class PublishedTable(FullTable):
    """Table of the published models; one is always selected."""

    def __init__(self) -> None:
        figures = (PARAMETERS, FETCH, GENERATE, TRAIN)
        super().__init__("published", tr("Models to download"), COLUMNS, figures, lines=(5, 5))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._device: Device | None = None
        self._sizes: dict[str, str] = {}  # size of the download as text, by the model's name
        on_restyle(self, self._fill)

    def show_models(self, published: Sequence[Published], device: Device) -> None:
        chosen = max(0, self.currentRow())
        self.entries, self._device = published, device
        self._sizes = {}
        self._fill()
        self.selectRow(min(chosen, len(published) - 1))

    def show_size(self, published: Published, sizes: Sizes | None) -> None:
        """Show the download size of a model; None: unknown."""
        left = sizes.to_fetch_bytes if sizes else None
        self._sizes[published.name] = "–" if left is None else size(left) if left else tr("nothing")
        self._fill()

    def _fill(self) -> None:
        device = self._device
        kind, bf16 = (device.kind, device.fast_bf16) if device else ("cpu", False)
        self.setRowCount(len(self.entries))
        for row, each in enumerate(self.entries):
            self.put(row, NAME, each.title)
            self.put(row, PARAMETERS, f"{sizing.parameter_count(each.config):,}")
            self.put(row, FETCH, tr(self._sizes.get(each.name, "…")))
            self._put_need(row, GENERATE, generate_memory(each.config).least)
            context = min(each.config.context_length, USUAL.config.context_length)
            short = each.config.but(context_length=context)
            self._put_need(row, TRAIN, train_memory(short, USUAL.batch_size, bf16=bf16, kind=kind).total)
        self.updateGeometry()

    def _put_need(self, row: int, column: int, needed: int) -> None:
        fits = self._device is not None and needed <= self._device.free_bytes
        item = self.put(row, column, joined("  ·  ", size(needed), tr("fits") if fits else tr("does not fit")))
        item.setData(Qt.ItemDataRole.ForegroundRole, None if fits else colour("bad"))


class DownloadDialog(ImportDialog):
    """Dialog that downloads and imports a model. Opening it requests the sizes of all models from the server."""

    CANCELLED = message("Cancelled. The partial download is kept; next time it continues from there.")

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(
            over, tasks, "download", tr("Download GPT-2"), (tr("Download"), tr("Downloads and imports it")))
        self._sizes: dict[str, Sizes] = {}
        self._server = ""
        self._asking = Control()
        self._device: Device | None = None
        self.source = label(role="muted", name="download_source", wrap=True)
        self.table = PublishedTable()
        self.about = label(role="muted", name="download_about", wrap=True)
        self.room = Notice("download_room", "")
        self.begin.clicked.connect(self._fetch)
        self.table.itemSelectionChanged.connect(self._chosen)
        self.title.setText(tr("Published GPT-2 models"))
        self.lay_out(self.source, self.table, self.about, self.room, self.outcome, buttons=self.buttons)

    def show_models(self, device: Device) -> None:
        """Open the dialog, and request the download sizes; during a download, only show it again."""
        from gptstudio.weights_io import download

        if not self.busy:
            self._device, self.imported, self._sizes = device, None, {}
            self.table.show_models(download.PUBLISHED, device)
            self._ask_sizes()
            self.show_state()
        self.open_up()
        self.table.setFocus()

    def _ask_sizes(self) -> None:
        """Request the download sizes: first those known without a network, then from the server until a request
        fails."""
        def work(task: Task) -> None:
            from gptstudio.weights_io import download, hub

            task.emit(str(hub.host()))
            for each in sorted(published, key=lambda one: not download.cached(one)):
                task.control.check()
                task.emit((each, download.sizes(each, task.control)))

        published = self.table.entries
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
                self.table.show_size(published, sizes)
        self.show_state()
        self.fit()

    def _show_no_sizes(self, error: TaskError) -> None:
        for each in self.table.entries:
            if each.name not in self._sizes:
                self.table.show_size(each, None)
        if self.refusal.isHidden() and not self.busy:
            self.refusal.say(error.message, error.details)
            self.fit()

    def _fetch(self) -> None:
        published = self.table.chosen
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
        chosen, there = self.table.chosen, self.imported is not None
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
        sizes, home = self._sizes.get(published.name), imported_models.home()
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
