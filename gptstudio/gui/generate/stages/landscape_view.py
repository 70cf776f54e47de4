"""Probabilities of the likeliest tokens over the temperature, with the cuts of the other stages; the pointer tries a
temperature out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.landscape import TOKENS, Landscape, landscape
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import Distribution, distribution
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.charts.curve_plot import CurvePlot, LegendEntry
from gptstudio.gui.charts.style import COLOURS, CurveStyle
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import label

NAMED = COLOURS
STEP = 0.05
LEAST = 1e-4
"""The smallest probability of a logarithmic chart."""
CUTS = {"top_k": "dash", "top_p": "dot", "typical_p": "dash", "min_p": "dash dot"}
LOOKS = {
    **{str(place): CurveStyle(place, 2.0) if place < NAMED else CurveStyle("muted", 1.0, opacity=0.6)
       for place in range(TOKENS)},
    **{stage: CurveStyle("text", 1.4, dash) for stage, dash in CUTS.items()},
}


class LandscapeView(QWidget):
    """Emits the temperature that is pointed at, None when the pointer has left, and the one that is clicked."""

    tried, chosen = Signal(object), Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._shown: Landscape | None = None
        self._logarithmic = False
        self._tokenizer: Tokenizer = GPT2
        self._of: tuple[int, SamplingParams, tuple[int, ...]] | None = None
        self.plot = CurvePlot("temperature_plot", tr("Probability over temperature"), LOOKS)
        self.plot.setYRange(0, 1)
        self.said = label("", "muted", "temperature_said", wrap=True)
        self.legend = Flow(spacing=12)
        self.plot.pointed.connect(lambda x: self.tried.emit(None if x is None else _rounded(x)))
        self.plot.chosen.connect(lambda x: self.chosen.emit(_rounded(x)))
        holding(self, vbox(grows(self.plot), self.legend, self.said, spacing=4))

    def show_logits(
        self, logits: Floats, params: SamplingParams, context: Sequence[int], logarithmic: bool,
        tokenizer: Tokenizer = GPT2,
    ) -> None:
        """Show the landscape of a position, and mark the temperature in force."""
        self._tokenizer = tokenizer
        key = id(logits), params.but(temperature=1.0), tuple(context)
        if key != self._of or self._shown is None:
            self._of, self._shown = key, landscape(logits, params, context)
            self._name_curves(self._shown)
        self._logarithmic = logarithmic
        self._draw(self._shown)
        self._mark(params.temperature, distribution(logits, params, context))

    def _draw(self, shown: Landscape) -> None:
        self.plot.getAxis("left").setLabel("log₁₀ p" if self._logarithmic else "p")
        curves = {str(place): values for place, values in enumerate(shown.probabilities)}
        self.plot.show_curves(shown.temperatures, {
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

    def _mark(self, temperature: float, sampled: Distribution) -> None:
        """Read the curves at a temperature; the sentence has the probabilities after all stages, as the table."""
        shown = self._shown
        if shown is None:
            return
        values = [float(np.interp(temperature, shown.temperatures, each)) for each in shown.probabilities[:NAMED]]
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
