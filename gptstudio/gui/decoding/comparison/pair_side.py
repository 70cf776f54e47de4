"""One side of a comparison: which model writes, and with which dials."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gptstudio.gpt.sampling import STAGES, Dials
from gptstudio.gui.decoding.comparison.side import NAMES, Swatch
from gptstudio.gui.decoding.model_choice import short_name
from gptstudio.gui.decoding.stages import stage_words
from gptstudio.gui.decoding.stages.dial_stack import DialStack
from gptstudio.gui.widgets.parts import card, label, named
from gptstudio.gui.words import tr
from gptstudio.runs.source import Fresh, Live, ModelSource


class SideCard(QWidget):
    """Offers models and dials. The dials can be folded away; what they stand at is always said."""

    changed = Signal()
    """Somebody chose another model, or turned a dial."""

    def __init__(self, side: int) -> None:
        super().__init__()
        name, words = NAMES[side].lower(), tr(NAMES[side])
        self._sources: list[ModelSource] = []
        self.by_hand = False
        self.model_box = named(QComboBox(), f"{name}_model", tr("Model of the {side} side", side=words.lower()))
        self.model_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model_box.setMinimumContentsLength(12)
        self.model_box.activated.connect(self._chosen)
        self.summary = label(role="muted", name=f"{name}_dials", wrap=True)
        self.stack = DialStack(f"{name}_")
        self.stack.turned.connect(self._turned)
        self.stack.hide()
        heading = label(words, "heading")
        heading.setBuddy(self.model_box)
        head = QHBoxLayout()
        head.addWidget(Swatch(side))
        head.addWidget(heading)
        head.addWidget(self.model_box, 1)
        frame, inside = card(f"{name}_side")
        inside.setContentsMargins(12, 9, 12, 9)
        inside.setSpacing(6)
        inside.addLayout(head)
        inside.addWidget(self.summary)
        inside.addWidget(self.stack)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def set_sources(self, sources: Sequence[ModelSource]) -> None:
        """Offers these; what is chosen stays chosen, as far as it is among them."""
        before = self.source()
        self._sources = list(sources)
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            self.model_box.addItems([short_name(source) for source in sources])
        self.choose(before)

    def source(self) -> ModelSource | None:
        index = self.model_box.currentIndex()
        return self._sources[index] if 0 <= index < len(self._sources) else None

    def choose(self, wanted: ModelSource | None) -> None:
        """Chooses a model without telling; the first where this one is not offered."""
        index = next((i for i, each in enumerate(self._sources) if _same(each, wanted)), 0)
        self.model_box.setCurrentIndex(index)
        self.model_box.setToolTip(self.model_box.currentText())

    def dials(self) -> Dials:
        return self.stack.dials()

    def set_dials(self, dials: Dials) -> None:
        """Shows dials without telling."""
        self.stack.set_dials(dials)
        self.summary.setText(dial_words(dials))

    def fold(self, folded: bool) -> None:
        """Hides the dials, and says in their place where they stand."""
        self.stack.setVisible(not folded)
        self.summary.setVisible(folded)

    def _chosen(self) -> None:
        self.by_hand = True
        self.model_box.setToolTip(self.model_box.currentText())
        self.changed.emit()

    def _turned(self) -> None:
        self.by_hand = True
        self.summary.setText(dial_words(self.dials()))
        self.changed.emit()


def dial_words(dials: Dials) -> str:
    """The temperature, and whatever else changes something: 'temperature 0.70, top-k 50'."""
    shown = [stage for stage in dials.order if stage == "temperature" or dials.changes(stage)]
    words = ", ".join(f"{stage_words.name(stage).lower()} {_figure(getattr(dials, stage))}" for stage in shown)
    return words if dials.order == STAGES or len(shown) < 2 else tr("{dials}, in this order", dials=words)


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _same(one: ModelSource, other: ModelSource | None) -> bool:
    """The untrained model stays what it is when it is given another shape, and so does the one in training."""
    return one == other or (isinstance(one, (Fresh, Live)) and type(one) is type(other))
