"""Pane "Choices": the candidates at one position, from the logits through all stages to probabilities and 1,000
draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from gptstudio.app.requests import ReadingQuery
from gptstudio.app.state import AppState, Selection
from gptstudio.errors import text_of
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.landscape import TEMPERATURES, TOKENS, Landscape, landscape
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import BrokenLogits, Distribution, distribution, draw_many, entropy_bits
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.canvas.canvas import Swatch
from gptstudio.gui.charts.curve_plot import CurvePlot, LegendEntry
from gptstudio.gui.charts.style import COLOURS, CurveStyle
from gptstudio.gui.controllers.generation import READING, TrainingText
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.stage_table import TABLE_INK, StageTable
from gptstudio.gui.generate.stages.stage_texts import SEPARATOR, Counts, TokenChoice, borders
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.deferred import Deferred
from gptstudio.gui.widgets.layouts import FREE, Flow, Reflow, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    ReservedLabel,
    WrappedLabel,
    button,
    choice_box,
    label,
    named,
    restyle,
    scrolling,
    set_blocker,
)
from gptstudio.inference.text_tree import Reading
from gptstudio.training.events import TokenDrawn

NAMED = COLOURS
STEP = 0.05
LEAST = 1e-4
"""Smallest probability on the logarithmic chart."""
CUTS = {"top_k": "dash", "top_p": "dot", "typical_p": "dash", "min_p": "dash dot"}
LOOKS = {
    **{str(place): CurveStyle(place, 2.0) if place < NAMED else CurveStyle("muted", 1.0, opacity=0.6)
       for place in range(TOKENS)},
    **{stage: CurveStyle("text", 1.4, dash) for stage, dash in CUTS.items()},
}


class LandscapeView(QWidget):
    """Chart of probability over temperature. Emits the temperature under the pointer, None when it leaves, and on a
    click."""

    tried, chosen = Signal(object), Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._shown: Landscape | None = None
        self._logarithmic = False
        self._tokenizer: Tokenizer = GPT2
        self._logits: Floats | None = None
        self._of: tuple[SamplingParams, tuple[int, ...]] | None = None
        self.plot = CurvePlot("temperature_plot", tr("Probability over temperature"), LOOKS)
        self.plot.setYRange(0, 1)
        self.said = label("", "muted", "temperature_said", wrap=True)
        self.legend = Flow(spacing=12)
        self.plot.pointed.connect(lambda x: self.tried.emit(None if x is None else _rounded(x)))
        self.plot.chosen.connect(lambda x: self.chosen.emit(_rounded(x)))
        with_layout(self, vbox(grows(self.plot), self.legend, self.said, spacing=4))

    def show_logits(
        self, logits: Floats, params: SamplingParams, context: Sequence[int], logarithmic: bool,
        tokenizer: Tokenizer = GPT2,
    ) -> None:
        """Show the curves for a position, and mark the current temperature."""
        self._tokenizer = tokenizer
        key = params.but(temperature=1.0), tuple(context)
        if key != self._of or logits is not self._logits or self._shown is None:
            self._logits, self._of, self._shown = logits, key, landscape(logits, params, context)
            self._name_curves(self._shown)
        self._logarithmic = logarithmic
        self._draw(self._shown)
        self._mark(self._shown, params.temperature, distribution(logits, params, context))

    def _draw(self, shown: Landscape) -> None:
        self.plot.getAxis("left").setLabel("log₁₀ p" if self._logarithmic else "p")
        curves = {str(place): values for place, values in enumerate(shown.probabilities)}
        self.plot.show_curves(TEMPERATURES, {
            name: self._height(values) for name, values in (curves | self._cuts(shown)).items()})

    def _height(self, probabilities: Floats) -> Floats:
        return np.log10(np.maximum(probabilities, LEAST)) if self._logarithmic else probabilities

    def _cuts(self, shown: Landscape) -> dict[str, Floats]:
        return {name: values for name, values in shown.cuts.items() if name in CUTS}

    def _name_curves(self, shown: Landscape) -> None:
        while self.legend.count():
            item = self.legend.takeAt(0)
            if item and (entry := item.widget()):
                entry.deleteLater()
        for place, token in enumerate(shown.ids[:NAMED].tolist()):
            self.legend.addWidget(LegendEntry(LOOKS[str(place)], self._tokenizer.visible(token)))
        for name in self._cuts(shown):
            self.legend.addWidget(LegendEntry(LOOKS[name], tr("cut of {stage}", stage=stage_texts.name(name))))

    def _mark(self, shown: Landscape, temperature: float, sampled: Distribution) -> None:
        """Mark a temperature on the curves. The sentence below has the probabilities after all stages, like the
        table."""
        values = [float(np.interp(temperature, TEMPERATURES, each)) for each in shown.probabilities[:NAMED]]
        tokens = joined(", ", *(
            f"{self._tokenizer.visible(token)} {percent(float(sampled.probabilities[token]))}"
            for token in shown.ids[:NAMED].tolist()))
        words = tr(
            "Temperature {t}, after all stages: {tokens}. Kept: {n} tokens. The curves are drawn before tokens are "
            "removed. Point at the chart to try a temperature, click to keep it.",
            t=f"{temperature:.2f}", tokens=tokens, n=f"{np.count_nonzero(sampled.kept):,}")
        self.said.setText(words)
        heights = self._height(np.array(values)).tolist()
        self.plot.show_place(temperature, {str(place): value for place, value in enumerate(heights)}, words)


def _rounded(temperature: float) -> float:
    return round(min(3.0, max(0.0, round(temperature / STEP) * STEP)), 2)


DRAWS = 1_000
COUNTS = (12, 25, 50)
TEMPERATURE = 1
BESIDE = 32
"""Minimum width, in line heights, at which the title is beside the options."""


class ChoicesPane(QWidget):
    """Pane with the candidates for the chosen token. Changed sampling parameters are applied to the kept logits without
    the model; logits that are no longer kept are requested again.

    The draws are kept while sampling parameters change: the same seed draws again from the new probabilities, so that
    the difference is due to the parameters and not to randomness. Another position begins without draws.
    """

    def __init__(self, state: AppState, asks: Asks, changed: Asking, text: TrainingText) -> None:
        """``changed``: requests the reading of the text with the changes of "What if"; ``text``: reader of the training
        text."""
        super().__init__()
        named(self, "choices", tr("Choices"))
        self._state, self._document, self._changed, self._text = state, state.document, changed, text
        self.asking = Asking(asks, "choices", self)
        self._kept_temperature: float | None = None  # while the pointer tries other values
        self.first_seed = 0
        """Seed of the first draws at a position."""
        self._selection = Selection()
        self._shown: tuple[Reading, Floats, tuple[int, ...]] | None = None
        self._searched = False  # True if a beam search found the token
        self._seed = 0  # of the shown draws, or else of the next ones
        self._drawn = False
        self._kept = ""  # text about what top-k, top-p and min-p keep
        self._make_parts()
        self._lay_out()
        self.show_nothing("")
        state.on(self._refresh, "sampling_params")
        changed.changed.connect(self._refresh)
        text.changed.connect(self._refresh)
        self.asking.changed.connect(self._take_logits)

    def show_selection(self, selection: Selection) -> None:
        """Show the alternatives for the chosen token."""
        self._selection = selection
        node = self._document.chosen
        if node is None:
            self.show_nothing(tr("The alternatives for each token appear here, from logits to probabilities."))
            return
        logits = self._document.logits(node.position)
        ids = self._document.ids[: node.position + 1]
        if logits is not None:
            self.show_choice(node.reading, logits, ids[:-1], node.beam is not None)
        elif node.reading.plain_probability is None:
            self.show_nothing(tr("Nothing comes before this token, so the model made no prediction for it."))
        elif selection.model is None:
            self.show_nothing(tr("No model is available here."))
        else:
            if not selection.writing:
                self.asking.ask(ReadingQuery(selection.model, ids))
            self.show_nothing(self.asking.problem or tr("Running the model again…"))

    def _take_logits(self) -> None:
        if reading := self.asking.latest:
            self._document.keep_logits(self.asking.query.ids, reading.logits)
            self.asking.forget()  # the document keeps them for some time; later, they are requested again
        self.show_selection(self._selection)

    def show_choice(self, reading: Reading, logits: Floats, context: Sequence[int], searched: bool = False) -> None:
        """Show the candidates at the position of a token.

        Args:
            logits: (V,), from the model.
            context: IDs of the tokens before it.
            searched: True if a beam search found the token.
        """
        if self._shown is None or not np.array_equal(self._shown[1], logits):
            self._seed, self._drawn = self.first_seed, False
        self._shown, self._searched = (reading, logits, tuple(context)), searched
        self.title.setText(_title(reading, searched, self._document.tokenizer))
        self._refresh()

    def show_nothing(self, words: str) -> None:
        self._shown = None
        self._say(words, "muted")

    def _refresh(self) -> None:
        """Show the position with the current sampling parameters, computed from its logits; do nothing while hidden."""
        if self._shown is None or not self.isVisible():
            return
        (reading, logits, context), sampling_params = self._shown, self._state.sampling_params
        title = _title(reading, self._searched, self._document.tokenizer)
        try:
            choice = TokenChoice.of(logits, sampling_params, context, reading.id, self._document.tokenizer)
        except BrokenLogits as error:
            self._say(joined("\n\n", title, tr(text_of(error))), "problem")
            return
        choice = self._with_table(self._with_change(choice))
        if self._drawn:
            choice = replace(choice, draws=_draw(choice, self._seed))
        self.title.setText(joined(" ", *filter(None, (title, _now(reading, choice)))))
        self._show(choice)
        if self.view.index() == TEMPERATURE:
            self.landscape.show_logits(logits, sampling_params, context, self.logarithmic.isChecked(), choice.tokenizer)

    def _with_change(self, choice: TokenChoice) -> TokenChoice:
        changed = self._changed.latest.changed.logits if self._changed.latest else None
        self.legend.setVisible(changed is not None)
        return choice if changed is None or changed.size != choice.stages.logits.size else choice.with_change(changed)

    def _with_table(self, choice: TokenChoice) -> TokenChoice:
        if not self.by_table.isChecked():
            return choice
        model = self._selection.model
        self._text.use(model.source if model else None)
        table = self._text.table
        set_blocker(self.by_table, "" if table or self._text.why_not == READING else tr(self._text.why_not))
        return choice.with_table(table) if table else choice

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _draw_pressed(self) -> None:
        self._seed += self._drawn  # a repetition uses the next seed
        self._drawn = True
        self._refresh()

    def _show(self, choice: TokenChoice) -> None:
        before, after = entropy_bits(choice.stages.plain), choice.stages.entropy_bits
        self.entropy.setText(tr("{before} → {after} bits", before=f"{before:.2f}", after=f"{after:.2f}"))
        self.choices.setText(tr("{before} → {after}", before=_many(2**before), after=_many(2**after)))
        self.draw.setText(tr("Draw again") if self._drawn else tr("Draw {n} times", n=f"{DRAWS:,}"))
        self.seed.setText(tr("seed {n}", n=f"{self._seed}") if self._drawn else "")
        self._kept = joined(SEPARATOR, *(border.words for border in borders(choice)))
        self.table.show_choice(choice, self.count.currentData())
        self._pages.setCurrentWidget(self._page)

    @property
    def landscape(self) -> LandscapeView:
        """Chart of probability over temperature, made on first use."""
        return self.landscape_place.widget

    def _try_temperature(self, temperature: float | None) -> None:
        """Set a temperature while the pointer is on it; None: restore the previous one."""
        state, kept = self._state, self._kept_temperature
        if state.generating:  # it would apply from the next token
            return
        if temperature is None:
            self._kept_temperature = None
            temperature = kept
        elif kept is None:
            self._kept_temperature = state.sampling_params.temperature
        if temperature is not None:
            state.sampling_params = state.sampling_params.but(temperature=temperature)

    def _choose_temperature(self, temperature: float) -> None:
        self._kept_temperature = temperature
        self._state.sampling_params = self._state.sampling_params.but(temperature=temperature)

    def _turn(self, index: int) -> None:
        self._views.setCurrentIndex(index)
        self.count.setVisible(index != TEMPERATURE)
        self._refresh()

    def _say(self, words: str, role: str) -> None:
        self.nothing.setText(words)
        restyle(self.nothing, role=role)
        self._pages.setCurrentWidget(self.nothing)

    def _show_arithmetic(self, words: str) -> None:
        hint = tr("Point at a number to see how it is calculated. Click a token to continue the text with it.")
        kept = f"{self._kept[:1].upper()}{self._kept[1:]}"
        self.explanation.setText(words or joined(SEPARATOR, *filter(None, (kept, hint))))

    def _make_parts(self) -> None:
        self.title = WrappedLabel("bars_title", "heading")
        self.entropy = label("", "figure", "bars_note")
        self.choices = label("", "figure", "bars_choices")
        self.draw = button(tr("Draw {n} times", n=f"{DRAWS:,}"), "choices_draw", tr(
            "Marks on the bars show how often each token was drawn. If you change a sampling setting, the draws are "
            "repeated with the same seed; press again to use the next seed."), do=self._draw_pressed)
        self.seed = label("", "muted", "choices_seed")
        self.legend = with_layout(QWidget(), hbox(
            _bar_sample("validation", 1 / 3), label(tr("with the change"), "muted", "choices_change")))
        self.legend.setToolTip(tr("Third bar: the probability with the changes set in What if"))
        self.by_table = named(QCheckBox(tr("Table of 3-grams")), "choices_table", tr("Table of 3-grams"))
        self.by_table.setToolTip(tr(
            "Thin bar: the probability that a table of the training text gives the token after the last two tokens. "
            "The table only looks up what followed them there."))
        self.by_table.setChecked(True)
        self.by_table.toggled.connect(self._refresh)
        self.logarithmic = named(QCheckBox(tr("Log scale")), "choices_log", tr("Log scale"))
        self.logarithmic.setToolTip(tr("Bars on a logarithmic scale, so that you can compare small probabilities too."))
        self.count = choice_box("choices_count", tr("Number of tokens listed"), {
            count: tr("{n} tokens", n=count) for count in COUNTS})
        self.count.activated.connect(self._refresh)
        self.view = Segments("choices_view", (tr("Table"), tr("Temperature")), tr(
            "The stages as a table, or the probabilities over the temperature"))
        self.view.chosen.connect(self._turn)
        self.landscape_place = Deferred(LandscapeView)
        self.landscape_place.made.connect(lambda: self.landscape.tried.connect(self._try_temperature))
        self.landscape_place.made.connect(lambda: self.landscape.chosen.connect(self._choose_temperature))
        self.table = StageTable()
        self.logarithmic.toggled.connect(self.table.show_logarithmic)
        self.logarithmic.toggled.connect(self._refresh)
        self.candidate_chosen, self.order_dragged = self.table.candidate_chosen, self.table.order_dragged
        self.table.pointed.connect(self._show_arithmetic)
        self.explanation = ReservedLabel("", "choices_told")
        self.nothing = label("", "muted", "choices_nothing", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._show_arithmetic("")

    def _lay_out(self) -> None:
        table = with_layout(QWidget(), vbox(
            grows(self.table, 1_000),  # no higher than necessary; the remaining space is below
            self.explanation, FREE, spacing=8))
        self._views = stacked(table, self.landscape_place)
        options = with_layout(QWidget(), hbox(self.logarithmic, self.count, self.view, FREE, spacing=12))
        head = Reflow(self.title, options, stretch=(self.title,), spacing=12, least=BESIDE)
        inside = with_layout(QWidget(), vbox(head, self._figures(), grows(self._views, 1_000), spacing=8))
        self._page = scrolling(inside, "choices_scroll")
        self._page.set_scrolled_by_page(True)
        self._pages = stacked(self._page, self.nothing)
        with_layout(self, vbox(self._pages))

    def _figures(self) -> Flow:
        entropy = label(tr("Entropy"), "muted", term="entropy"), self.entropy
        choices = label(tr("Effective choices"), "muted"), self.choices
        for part in entropy:
            part.setToolTip(tr(
                "Entropy in bits: how uncertain the choice is, as the model gives it and after all sampling stages. 0 "
                "means certain."))
        for part in choices:
            part.setToolTip(tr(
                "2 to the power of the entropy: the choice is as uncertain as among this many equally likely tokens."))
        return Flow(entropy, choices, (self.draw, self.seed), self.legend,
                    (_bar_sample(TABLE_INK, 1 / 7), self.by_table), spacing=12)


def _bar_sample(ink: str, thickness: float) -> Swatch:
    """Return a sample of a bar in the table; ``thickness``: in text heights."""
    def paint(painter: QPainter, room: QRectF, letter: int) -> None:
        high = thickness * letter
        painter.fillRect(QRectF(1, (room.height() - high) / 2, room.width() - 2, high), colour(ink))

    return Swatch(paint, 1, 1, grows=True)


def _title(reading: Reading, searched: bool, tokenizer: Tokenizer) -> str:
    words = {"n": f"{reading.position:,}", "token": tokenizer.visible(reading.id)}
    if isinstance(reading, TokenDrawn):
        return tr("Position {n}: {token} was sampled with probability {p}", p=percent(reading.probability), **words)
    if reading.plain_probability is None:
        return tr("Position {n}: {token} was given", **words)
    if searched:
        return tr("Position {n}: {token} was found by a beam search; the model gave it {p}",
                  p=percent(reading.plain_probability), **words)
    return tr("Position {n}: {token} was given; the model gave it {p}", p=percent(reading.plain_probability), **words)


def _now(reading: Reading, choice: TokenChoice) -> str:
    """Return a note on a token's probability under the current sampling parameters; empty if it has not changed."""
    shares = choice.stages.probabilities
    if not isinstance(reading, TokenDrawn) or reading.id >= shares.size:
        return ""
    now = float(shares[reading.id])
    if percent(now) == percent(reading.probability):
        return ""
    if now == 0:
        return tr("then; the current sampling settings remove it")
    return tr("then; {p} with the current sampling settings", p=percent(now))


def _draw(choice: TokenChoice, seed: int) -> Counts:
    """Return how often each token (V,) occurs in 1,000 draws."""
    chances = np.random.default_rng(seed).random(DRAWS)
    drawn = draw_many(choice.stages.probabilities, chances)
    return np.bincount(drawn, minlength=choice.stages.logits.size)


def _many(choices: float) -> str:
    return f"{choices:,.1f}" if choices < 100 else f"{choices:,.0f}"
