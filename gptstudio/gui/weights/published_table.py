"""The models that OpenAI and others published: how large each is, and whether it would run here. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gui.appearance import follow
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.weights.full_table import FullTable
from gptstudio.i18n import message
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
    from gptstudio.weights_io.download import Published, Sizes

COLUMNS = (
    message("Model"), message("Parameters"), message(
    "To download"), message("Memory to generate"), message("Memory to train"),
)
NAME, PARAMETERS, FETCH, GENERATE, TRAIN = range(len(COLUMNS))
USUAL = TrainSpec.make(config=PRESETS["book"])
"""Training is reckoned with this batch and context, as the book trains."""


class PublishedTable(FullTable):
    """A line for each model; one is always selected."""

    def __init__(self) -> None:
        figures = (PARAMETERS, FETCH, GENERATE, TRAIN)
        super().__init__("published", tr("Models to download"), COLUMNS, figures, lines=(5, 5))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._device: Device | None = None
        self._sizes: dict[str, str] = {}  # what is known of the size to fetch, by the model's name
        follow(self, self._fill)

    def show_models(self, published: Sequence[Published], device: Device) -> None:
        chosen = max(0, self.currentRow())
        self.entries, self._device = published, device
        self._sizes = {}
        self._fill()
        self.selectRow(min(chosen, len(published) - 1))

    def show_size(self, published: Published, sizes: Sizes | None) -> None:
        """Show the download size of a model; None: unknown."""
        if sizes is None:
            words = "–"
        elif sizes.to_fetch_bytes == 0:
            words = tr("nothing")
        else:
            words = size(sizes.to_fetch_bytes)
        self._sizes[published.name] = words
        self._fill()

    def _fill(self) -> None:
        self.setRowCount(len(self.entries))
        for row, each in enumerate(self.entries):
            self.put(row, NAME, each.title)
            self.put(row, PARAMETERS, f"{sizing.parameter_count(each.config):,}")
            self.put(row, FETCH, tr(self._sizes.get(each.name, "…")))
            self._put_need(row, GENERATE, generating_bytes(each.config))
            self._put_need(row, TRAIN, training_bytes(each.config, self._device))
        self.updateGeometry()

    def _put_need(self, row: int, column: int, needed: int) -> None:
        fits = self._device is not None and needed <= self._device.free_bytes
        item = self.put(row, column, joined("  ·  ", size(needed), tr("fits") if fits else tr("does not fit")))
        item.setData(Qt.ItemDataRole.ForegroundRole, None if fits else colour("bad"))


def generating_bytes(config: GPTConfig) -> int:
    """The least bytes to write with a model."""
    return sizing.generate_memory(config).least


def training_bytes(config: GPTConfig, device: Device | None) -> int:
    """Bytes to train a model as the book trains, on a device."""
    kind, bf16 = (device.kind, device.fast_bf16) if device else ("cpu", False)
    short = config.but(context_length=min(config.context_length, USUAL.config.context_length))
    return sizing.train_memory(short, USUAL.batch_size, bf16=bf16, kind=kind).total
