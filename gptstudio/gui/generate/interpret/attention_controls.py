"""Controls of attention on the text: whether, whose, and with arcs."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import Notice, named, permit
from gptstudio.i18n import message
from gptstudio.inference.flow import AttentionSource

SOURCES = {
    "head": (message("This head"), message("The weights of the head that is chosen here")),
    "mean": (message("Mean of the layer"), message("The mean over all heads of the layer that is chosen here")),
    "rollout": (message("Rollout"), message(
        "Attention rollout over all layers (Abnar and Zuidema, 2020): the mean weights of all layers multiplied, each "
        "mixed half and half with the identity for the residual stream")),
}


class AttentionControls(QWidget):
    """Emits what was changed."""

    switched = Signal(bool)
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.on = named(QCheckBox(tr("Attention on the text")), "attention_on_text", tr("Attention on the text"))
        self.on.setToolTip(tr(
            "Colours the text above by how much the token under the pointer, or the chosen one, attends to each"))
        self.source = named(QComboBox(), "attention_source", tr("Whose attention is shown on the text"))
        for kind, (words, tip) in SOURCES.items():
            self.source.addItem(tr(words), kind)
            self.source.setItemData(self.source.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.arcs = named(QCheckBox(tr("Arcs")), "attention_arcs", tr("Arcs above the text"))
        self.notice = Notice("attention_on_text_notice")
        self.on.toggled.connect(self.switched)
        self.source.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.arcs.toggled.connect(lambda _: self.changed.emit())
        holding(self, vbox(Flow(self.on, self.source, self.arcs, spacing=8), self.notice, spacing=4))
        self.show_on(False)

    def show_on(self, on: bool) -> None:
        """Show whether the text is coloured by attention, without telling."""
        with QSignalBlocker(self.on):
            self.on.setChecked(on)
        off = "" if on else tr("Turn on “Attention on the text” first.")
        permit(self.source, off, tr(SOURCES[self.kind][1]))
        permit(self.arcs, off, tr(
            "Draws arcs from the token to the five that it attends to most, the thicker the more"))

    @property
    def kind(self) -> str:
        return str(self.source.currentData())

    def chosen(self, layer: int, head: int) -> AttentionSource:
        """Return whose attention is wanted, where this layer and this head are chosen."""
        match self.kind:
            case "head":
                return AttentionSource("head", layer, head)
            case "mean":
                return AttentionSource("mean", layer)
        return AttentionSource("rollout")
