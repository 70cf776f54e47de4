"""Comparison of two models, or of two settings of one, on one prompt: the settings of each side, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QShowEvent, QStandardItemModel
from PySide6.QtWidgets import QListView, QWidget

from gptstudio.app.requests import Compare, Write
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.sampling import USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.controllers.generation import READING, GenerationController
from gptstudio.gui.generate.comparison.compare_view import NAMES, CompareView, side_swatch
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.model_names import display_name, short_name
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import CompactReflow, Flow, HeightForWidth, card, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, choice_box, label, plain, scrolling, set_blocker, set_entries
from gptstudio.i18n import message
from gptstudio.training import run_text
from gptstudio.training.events import Event
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel, TextNgrams, UntrainedModel
from gptstudio.training.run_text import NoTrainingText

NO_MODEL = message("Choose a trained model on the other side first: the table is of its training text.")
TWO_TABLES = message("The other side is the table already. Choose a model there first.")


class TableOffers(QObject):
    """Finder of the tables of models; their training texts are checked in the background."""

    changed = Signal()
    """Emitted when a text has been checked."""

    def __init__(self, controller: GenerationController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._why_not: dict[TextNgrams, str] = {}  # empty if there is a table

    def of(self, source: ModelSource | None) -> tuple[TextNgrams | None, str]:
        """Return the table of a model's training text, and an empty text; or None, and the reason as a message, also
        while the text is being checked."""
        if source is None or isinstance(source, TextNgrams):
            return None, TWO_TABLES if source else NO_MODEL
        try:
            run = run_text.run_of(source)
        except NoTrainingText as error:
            return None, error.args[0]
        table = TextNgrams(run.path)
        if table not in self._why_not:
            self._why_not[table] = READING
            self._controller.check_text(run, partial(self._checked, table))
        why_not = self._why_not[table]
        return None if why_not else table, why_not

    def forget_failures(self) -> None:
        """Discard the failed checks, because a text may be available now."""
        self._why_not = {table: why for table, why in self._why_not.items() if why in ("", READING)}

    def _checked(self, table: TextNgrams, why_not: str) -> None:
        self._why_not[table] = why_not
        self.changed.emit()


TABLE = message("Table of 3-grams")
TABLE_HELP = message(
    "Counts in the training text of the other side's model which token follows which two tokens, and only looks that "
    "up.")
OFFERED_AT_ONCE = 20
"""Maximum number of models that the list shows without scrolling."""
SCROLL_BAR = 24


class SideCard(QWidget):
    """Choice of a model and its sampling parameters, which are shown as sliders or as text."""

    changed = Signal()
    """Emitted when the user chooses another model or changes a sampling parameter."""

    def __init__(self, side: int) -> None:
        super().__init__()
        name = NAMES[side].lower()
        model_words = tr("Right-hand model") if side else tr("Left-hand model")
        self._sources: list[ModelSource] = []
        self._table: TextNgrams | None = None
        self.by_hand = False
        self.model_box = choice_box(f"{name}_model", model_words, letters=12)
        self._make_list()
        self.model_box.activated.connect(self._chosen)
        self.summary = label(role="muted", name=f"{name}_params", wrap=True)
        self.stack = ParamList(f"{name}_")
        self.stack.turned.connect(self._turned)
        self.stack.hide()
        heading = label(tr(NAMES[side]), "heading", buddy=self.model_box)
        head = hbox(side_swatch(side), heading, grows(self.model_box))
        whole = with_layout(HeightForWidth(), vbox(head, self.summary, self.stack))
        with_layout(self, vbox(card(whole, name=f"{name}_side", margins=(12, 8, 12, 8))))
        on_restyle(self, self._fit)

    def _make_list(self) -> None:
        """Make the list of models scroll, because there can be many checkpoints."""
        entries = QListView()
        entries.setSpacing(4)
        self.model_box.setView(entries)
        self.model_box.setStyleSheet("QComboBox { combobox-popup: 0; }")  # otherwise the next line has no effect
        self.model_box.setMaxVisibleItems(OFFERED_AT_ONCE)
        entries.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def set_sources(self, sources: Sequence[ModelSource]) -> None:
        """Offer models, the checkpoints of each run together; the current choice is kept if it is among them."""
        before, is_table = self.source(), self.is_table
        runs = list(dict.fromkeys(map(_run, sources)))
        self._sources = sorted(sources, key=lambda source: runs.index(_run(source)))  # stable
        names = [*model_names(self._sources), tr(TABLE)]
        set_entries(self.model_box, names, len(self._sources) if is_table else 0)
        for index, source in enumerate(self._sources):
            full = plain(display_name(source.name, by_folder=True))
            self.model_box.setItemData(index, full, Qt.ItemDataRole.ToolTipRole)
        self._fit()
        if not is_table:
            self.choose(before)

    def set_table(self, table: TextNgrams | None, why_not: str) -> None:
        """Offer the table of the other side's training text; if there is none, the entry is disabled and shows the
        reason."""
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
        """True if the table is chosen, whether available or not."""
        return bool(self._sources) and self.model_box.currentIndex() == len(self._sources)

    def _fit(self) -> None:
        """Make the list as wide as its longest entry in the current text size."""
        self.model_box.view().setMinimumWidth(self.model_box.view().sizeHintForColumn(0) + SCROLL_BAR)

    def source(self) -> ModelSource | None:
        """Return the choice; None if nothing is offered, or if the chosen table is not available."""
        index = self.model_box.currentIndex()
        if self.is_table:
            return self._table
        return self._sources[index] if 0 <= index < len(self._sources) else None

    def choose(self, wanted: ModelSource | None) -> None:
        """Choose a model, or the first one if it is not offered, without emitting a signal."""
        index = next((i for i, each in enumerate(self._sources) if _same(each, wanted)), 0)
        self.model_box.setCurrentIndex(len(self._sources) if isinstance(wanted, TextNgrams) else index)
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
    return [display_name(source.name, by_folder=True) if count[_short_run(source)] > 1 else short_name(source)
            for source in sources]


def _run(source: ModelSource) -> object:
    return source.path.parent if isinstance(source, SavedModel) else source


def _short_run(source: ModelSource) -> str:
    name = short_name(source)
    return name.removesuffix(tr(source.step)) if isinstance(source, SavedModel) else name


def params_text(sampling_params: SamplingParams) -> str:
    """Return the temperature and the other parameters that have an effect: 'temperature 0.70, top-k 50'."""
    shown = [stage for stage in sampling_params.order if stage == "temperature" or sampling_params.changes(stage)]
    words = joined(", ", *(
        joined(" ", stage_texts.name(stage).lower(), stage_texts.value_text(getattr(sampling_params, stage)))
        for stage in shown))
    if sampling_params.order == USUAL_ORDER or len(shown) < 2:
        return words
    return tr("{parameters}, in this order", parameters=words)


def _same(one: ModelSource, other: ModelSource | None) -> bool:
    """Return whether two models are the same choice; untrained models always are, and so are models in training."""
    return one == other or (isinstance(one, (UntrainedModel, LiveModel)) and type(one) is type(other))


LOW_TEMPERATURE, HIGH_TEMPERATURE = 0.7, 1.4
"""Initial temperatures of a comparison: one below and one above 1."""


class ComparePane(QWidget):
    """Comparison of two texts, generated at the same time and shown position by position.

    Prompt, seed, length and device are those of the page; model and sampling parameters are chosen here for each side.
    """

    def __init__(self, state: AppState, controller: GenerationController) -> None:
        super().__init__()
        self._state, self._controller = state, controller
        self._sources: tuple[ModelSource, ...] = ()
        self._tables = TableOffers(controller, self)
        self._tables.changed.connect(self._show_tables)
        self._make_parts()
        self._lay_out()
        for show, names in (
            (self._show_sources, ("models", "more_models")), (self._show_common, ("generate_spec",)),
            (self._show_state, ("generating",)),
        ):
            state.on(show, *names)
            show()

    @property
    def running(self) -> bool:
        return bool(self._state.generating == "compare")

    def _show_sources(self) -> None:
        """Offer the models; the user's choice is kept. By default, an untrained model is compared with a trained
        one."""
        sources = (*self._state.models, *self._state.more_models)
        if sources == self._sources:
            return
        self._sources = sources
        for side, by_itself in zip(self.sides, (self._untrained(), self._trained()), strict=True):
            side.set_sources(sources)
            if not side.by_hand:
                side.choose(by_itself)
        self._check_tables()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._check_tables()

    def _check_tables(self) -> None:
        """Offer the tables, and check the failed ones again."""
        self._tables.forget_failures()
        self._show_tables()

    def _show_tables(self) -> None:
        """Offer each side the table of the other's training text."""
        for side, other in zip(self.sides, reversed(self.sides), strict=True):
            side.set_table(*self._table_of(other.source()))
        self._show_state()

    def _table_of(self, source: ModelSource | None) -> tuple[TextNgrams | None, str]:
        """Return the table of a model's training text, or the reason why there is none; no text is read while the pane
        is hidden."""
        return self._tables.of(source) if self.isVisible() else (None, READING)

    def _show_common(self) -> None:
        """Use the settings of the page for both sides. Sides not changed by the user also get its sampling
        parameters."""
        spec = self._state.generate_spec
        for side in self.sides:
            if spec and not side.by_hand:
                side.set_params(spec.sampling_params)
        self._show_state()

    def _take(self, items: Sequence[tuple[int, Event]]) -> None:
        self._show_state()
        self.view.take(items)

    def set_scrolled_by_page(self, whole: bool) -> None:
        """Set whether the page scrolls as a whole, so that this view need not."""
        self._scroll.set_scrolled_by_page(whole)

    def _pressed(self) -> None:
        if self.running:
            self._controller.stop()
        else:
            self._begin()

    def _begin(self) -> None:
        for side in self.sides:
            side.stack.settle()
        try:
            left, right = (self._write(side) for side in self.sides)
            tokenizers = left.model.tokenizer, right.model.tokenizer
        except UserError as error:
            self.view.notice.setText(tr(text_of(error)))
            return
        request = Compare(left, right)
        self.view.begin(_titles(request), tokenizers)
        self._controller.compare(request, self._take)

    def _write(self, side: SideCard) -> Write:
        common, source = self._state.generate_spec, side.source()
        if common is None or source is None:
            raise RuntimeError("the button is off without settings and without a model")
        if isinstance(source, UntrainedModel):
            source = UntrainedModel(source.config, common.seed)
        return Write(common.but(samples=1, **side.sampling_params().shallow()), source)

    def _compare_temperatures(self) -> None:
        """Compare two temperatures of one model, a trained one if possible."""
        model = self._trained() or self._untrained()
        self._set_up((model, {"temperature": LOW_TEMPERATURE}), (model, {"temperature": HIGH_TEMPERATURE}))

    def _compare_table(self) -> None:
        """Compare a trained model with the table of its training text."""
        model = self._trained()
        self._set_up((model, {}), (self._table_of(model)[0], {}))

    def compare_models(self, left: ModelSource, right: ModelSource) -> None:
        """Compare two models with the sampling parameters of the page, if generation is possible."""
        self._set_up((left, {}), (right, {}))

    def _set_up(self, *wanted: tuple[ModelSource | None, dict[str, Any]]) -> None:
        sampling_params = self._state.generate_spec.sampling_params if self._state.generate_spec else SamplingParams()
        for side, (source, changes) in zip(self.sides, wanted, strict=True):
            side.choose(source)
            side.set_params(sampling_params.but(**changes))
            side.by_hand = True
        self._show_tables()
        if self._state.generate_spec and not self.running:
            self._begin()

    def _untrained(self) -> ModelSource | None:
        return next((each for each in self._sources if isinstance(each, UntrainedModel)), None)

    def _trained(self) -> ModelSource | None:
        return next((each for each in self._sources if not isinstance(each, UntrainedModel)), None)

    def _show_state(self) -> None:
        self.go.setText(tr("Stop") if self.running else tr("Compare"))
        reason = ""
        if not self._sources:
            reason = tr("No model yet: see the Model panel.")
        elif missing_table := next(filter(None, (self._missing_table(side) for side in (0, 1))), ""):
            reason = missing_table
        elif not self._state.generate_spec:
            reason = tr("One of the settings is invalid. Correct it first.")
        set_blocker(self.go, "" if self.running else reason, tr("Ctrl+Enter or Space"))
        busy = tr("The models are generating. Stop them first.") if self.running else ""
        untrained, trained = self._untrained(), self._trained()
        first = tr("Train a model first to have two to compare.")
        missing, no_table = "" if untrained and trained else first, tr(self._table_of(trained)[1]) if trained else first
        for made, without, does in (
            (self.models, missing, tr("The same prompt and seed, before training and after it")),
            (self.table, no_table, tr(
                "The same prompt and seed: a model, and a table that only looks up what followed two tokens in its "
                "training text")),
            (self.temperatures, "", tr("The same model and seed: close to its first choice, and more varied")),
        ):
            set_blocker(made, reason or without or busy, does)

    def _missing_table(self, side: int) -> str:
        """Return the reason why the chosen table of a side is not available; empty if it is available, or a model is
        chosen."""
        if not self.sides[side].is_table:
            return ""
        table, why_not = self._table_of(self.sides[1 - side].source())
        return "" if table else joined(": ", tr(TABLE), tr(why_not))

    def _make_parts(self) -> None:
        self.sides = (SideCard(0), SideCard(1))
        self.models = button(tr("Untrained vs. trained"), "compare_models", do=lambda: self._set_up(
            (self._untrained(), {}), (self._trained(), {})))
        self.table = button(tr("Trained vs. table of 3-grams"), "compare_table", do=self._compare_table)
        words = tr("Temperature {cool} vs. {warm}", cool=LOW_TEMPERATURE, warm=HIGH_TEMPERATURE)
        self.temperatures = button(words, "compare_temperatures", do=self._compare_temperatures)
        self.sampling_params = button(tr("Sampling settings"), "compare_dials", tr(
            "Shows or hides the sampling settings of both sides"))
        self.sampling_params.setCheckable(True)
        for each in self.sides:
            self.sampling_params.toggled.connect(each.unfold)
            each.changed.connect(self._show_tables)
        self.go = button(tr("Compare"), "compare", role="primary", do=self._pressed)
        self.view = CompareView()

    def _lay_out(self) -> None:
        self._scroll = scrolling(with_layout(HeightForWidth(), vbox(
            Flow(self.models, self.table, self.temperatures, (self.sampling_params, self.go)),
            CompactReflow(*self.sides, stretch=self.sides, spacing=8), grows(self.view), spacing=8,
        )), "pair_scroll")
        with_layout(self, vbox(self._scroll))


def _titles(request: Compare) -> tuple[str, str]:
    """Return titles that distinguish the sides by model, sampling parameters, or both, as far as these differ."""
    sides = (request.left, request.right)
    models = model_names([each.source for each in sides]) if request.left.source != request.right.source else ["", ""]
    sampling_params = [params_text(each.spec.sampling_params) for each in sides]
    if models[0] == models[1]:
        left, right = sampling_params
    elif sampling_params[0] == sampling_params[1]:
        left, right = models
    else:
        left, right = (joined(", ", model, words) for model, words in zip(models, sampling_params, strict=True))
    return left, right
