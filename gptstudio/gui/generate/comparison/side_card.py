"""One side of a comparison: its model and its sampling parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QListView, QWidget

from gptstudio.gpt.sampling import USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.appearance import follow
from gptstudio.gui.generate.comparison.side import NAMES, side_swatch
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.model_names import display_name, short_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named, plain
from gptstudio.gui.widgets.tall import Tall
from gptstudio.i18n import message
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, TextTable, UntrainedModel

TABLE = message("Table of 3-grams")
TABLE_HELP = message(
    "Counts in the training text of the other side's model which token follows which two tokens, and only looks that "
    "up.")
OFFERED_AT_ONCE = 20
"""Of the models; the others are scrolled to."""
SCROLL_BAR = 24


class SideCard(QWidget):
    """Choice of a model and its sampling parameters. The sliders can be collapsed; their values are always shown."""

    changed = Signal()
    """Emitted when the user chooses another model or changes a sampling parameter."""

    def __init__(self, side: int) -> None:
        super().__init__()
        name = NAMES[side].lower()
        model_words = tr("Right-hand model") if side else tr("Left-hand model")
        self._sources: list[ModelSource] = []
        self._table: TextTable | None = None
        self.by_hand = False
        self.model_box = named(QComboBox(), f"{name}_model", model_words)
        self.model_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model_box.setMinimumContentsLength(12)
        self._make_list()
        self.model_box.activated.connect(self._chosen)
        self.summary = label(role="muted", name=f"{name}_params", wrap=True)
        self.stack = ParamList(f"{name}_")
        self.stack.turned.connect(self._turned)
        self.stack.hide()
        heading = label(tr(NAMES[side]), "heading", buddy=self.model_box)
        head = hbox(side_swatch(side), heading, grows(self.model_box))
        whole = holding(Tall(), vbox(head, self.summary, self.stack))
        holding(self, vbox(card(whole, name=f"{name}_side", margins=(12, 8, 12, 8))))
        follow(self, self._fit)

    def _make_list(self) -> None:
        """A list that scrolls: runs and their checkpoints are many."""
        entries = QListView()
        entries.setSpacing(4)
        self.model_box.setView(entries)
        self.model_box.setStyleSheet("QComboBox { combobox-popup: 0; }")  # or the next line counts for nothing
        self.model_box.setMaxVisibleItems(OFFERED_AT_ONCE)
        entries.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def set_sources(self, sources: Sequence[ModelSource]) -> None:
        """Offer these; what is chosen stays chosen, as far as it is among them."""
        before, is_table = self.source(), self.is_table
        self._sources = _run_by_run(sources)
        with QSignalBlocker(self.model_box):
            self.model_box.clear()
            self.model_box.addItems([*model_names(self._sources), tr(TABLE)])
            for index, source in enumerate(self._sources):
                self.model_box.setItemData(index, plain(display_name(source.name)), Qt.ItemDataRole.ToolTipRole)
        self._fit()
        if is_table:
            self.model_box.setCurrentIndex(len(self._sources))
        else:
            self.choose(before)

    def set_table(self, table: TextTable | None, why_not: str) -> None:
        """Offer the table of the other side's training text; where there is none, the entry says why not."""
        self._table = table
        index, model = len(self._sources), self.model_box.model()
        if not isinstance(model, QStandardItemModel) or not (entry := model.item(index)):
            return  # nothing is offered yet
        entry.setText(short_name(table) if table else tr(TABLE))
        entry.setEnabled(table is not None)
        words = tr(why_not or TABLE_HELP)
        entry.setToolTip(plain(words))
        entry.setData(words, Qt.ItemDataRole.AccessibleDescriptionRole)
        self._fit()
        self._show_chosen()

    @property
    def is_table(self) -> bool:
        """True if the table is chosen, be it available or not."""
        return bool(self._sources) and self.model_box.currentIndex() == len(self._sources)

    def _fit(self) -> None:
        """Make the list as wide as its longest entry in the current text size."""
        self.model_box.view().setMinimumWidth(self.model_box.view().sizeHintForColumn(0) + SCROLL_BAR)

    def source(self) -> ModelSource | None:
        """Return what is chosen; None where nothing is offered, or the table that is chosen is not available."""
        index = self.model_box.currentIndex()
        if self.is_table:
            return self._table
        return self._sources[index] if 0 <= index < len(self._sources) else None

    def choose(self, wanted: ModelSource | None) -> None:
        """Choose a model without telling; the first where this one is not offered."""
        index = next((i for i, each in enumerate(self._sources) if _same(each, wanted)), 0)
        self.model_box.setCurrentIndex(len(self._sources) if isinstance(wanted, TextTable) else index)
        self._show_chosen()

    def sampling_params(self) -> SamplingParams:
        return self.stack.sampling_params()

    def set_params(self, sampling_params: SamplingParams) -> None:
        """Show sampling parameters without emitting a signal."""
        self.stack.set_params(sampling_params)
        self.summary.setText(params_text(sampling_params))

    def unfold(self, unfolded: bool) -> None:
        """Show the sliders, or else their values as text."""
        self.stack.setVisible(unfolded)
        self.summary.setVisible(not unfolded)

    def _show_chosen(self) -> None:
        self.model_box.setToolTip(plain(self.model_box.currentText()))

    def _chosen(self) -> None:
        self.by_hand = True
        self._show_chosen()
        self.changed.emit()

    def _turned(self) -> None:
        self.by_hand = True
        self.summary.setText(params_text(self.sampling_params()))
        self.changed.emit()


def model_names(sources: Sequence[ModelSource]) -> list[str]:
    """Return names that distinguish these models: short ones, or full ones if the short names of runs are equal."""
    runs = {(_run(source), _short_run(source)) for source in sources}
    count = Counter(short for _, short in runs)
    return [display_name(source.name) if count[_short_run(source)] > 1 else short_name(source) for source in sources]


def _run_by_run(sources: Sequence[ModelSource]) -> list[ModelSource]:
    """The checkpoints of a run stand together, wherever its first one stood."""
    runs = list(dict.fromkeys(_run(source) for source in sources))
    return sorted(sources, key=lambda source: runs.index(_run(source)))


def _run(source: ModelSource) -> object:
    return source.path.parent if isinstance(source, SavedModel) else source


def _short_run(source: ModelSource) -> str:
    name = short_name(source)
    return name.removesuffix(tr(source.step)) if isinstance(source, SavedModel) else name


def params_text(sampling_params: SamplingParams) -> str:
    """The temperature, and whatever else changes something: 'temperature 0.70, top-k 50'."""
    shown = [stage for stage in sampling_params.order if stage == "temperature" or sampling_params.changes(stage)]
    figures = (_figure(getattr(sampling_params, stage)) for stage in shown)
    names = (stage_texts.name(stage).lower() for stage in shown)
    words = joined(", ", *(joined(" ", name, figure) for name, figure in zip(names, figures, strict=True)))
    if sampling_params.order == USUAL_ORDER or len(shown) < 2:
        return words
    return tr("{parameters}, in this order", parameters=words)


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _same(one: ModelSource, other: ModelSource | None) -> bool:
    """The untrained model stays what it is when it is given another shape, and so does the one in training."""
    return one == other or (isinstance(one, (UntrainedModel, LiveModel)) and type(one) is type(other))
