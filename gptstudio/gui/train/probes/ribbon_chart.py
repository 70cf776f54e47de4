"""Ribbons of the most probable next tokens of a probe prompt, over the axis of the loss, and the entropy as a line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.charts.curve import Series
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.history.columns import Axis
from gptstudio.history.run_history import RIBBONS, ProbeHistory


class RibbonChart(QWidget):
    """Stacked probabilities of six tokens, from 0 to 1, each with its colour; what the others have is the empty rest.
    The entropy is a share of that of random guessing. The chart is made when it is first shown."""

    def __init__(self, join: Callable[[Chart], None]) -> None:
        """``join``: is given the chart once it is made."""
        super().__init__()
        self.words = tr("Probe prompt: next token")
        self._join = join
        self._probe: ProbeHistory | None = None
        self._tokenizer: Tokenizer = GPT2
        self._axes: Mapping[str, Axis] = {}
        self.made: Chart | None = None
        self.caption = label(self._caption(), "muted", "probe_caption", wrap=True)
        self._layout = vbox(self.caption, spacing=0, margins=(0, 4, 0, 0))
        holding(self, self._layout)

    @property
    def _most_bits(self) -> float:
        """Entropy of random guessing."""
        return math.log2(self._tokenizer.size)

    def _caption(self) -> str:
        return tr("Probe prompt: probabilities of the next token; dashed: entropy, as a share of {most} bits",
                  most=f"{self._most_bits:.1f}")

    @property
    def chart(self) -> Chart:
        if self.made is None:
            made = self.made = Chart(
                tr("Probabilities of the next token of the probe prompt"), "", "probe_plot", height=104,
                least_y=(0.0, 1.0), plain=True)
            made.plot.getAxis("bottom").setStyle(showValues=False)
            self._layout.addWidget(made)
            self._put_curves()
            self._join(made)
        return self.made

    def setVisible(self, visible: bool) -> None:
        if visible:
            self.chart.refresh()
        super().setVisible(visible)

    def show_probe(self, probe: ProbeHistory | None, axes: Mapping[str, Axis], tokenizer: Tokenizer) -> None:
        """Show the readings of a probe, which grow, over these axes. ``tokenizer``: of the run."""
        self._probe, self._axes, self._tokenizer = probe, axes, tokenizer
        self.caption.setText(self._caption())
        if self.made:
            self.made.clear()
            self._put_curves()
            self.made.refresh()

    def refresh(self) -> None:
        """Show tokens that have other ribbons now by their names."""
        if self.made and self._probe:
            self.made.curves.name(self._names())

    def _names(self) -> dict[str, str]:
        tokens = self._probe.tokens if self._probe else []
        return {f"ribbon{i}": tr("“{token}”", token=self._tokenizer.visible(id)) for i, id in enumerate(tokens)
                if id is not None}

    def _put_curves(self) -> None:
        """The ribbon at the top is painted first, down to 0, and the others over it."""
        if not (self._probe and self.made):
            return
        for i in reversed(range(RIBBONS)):
            look = CurveStyle(i, 1, opacity=0.75, filled=True)
            self.made.set_curve(f"ribbon{i}", "", look, Series(self._probe.table, f"top{i}", self._axes))
        entropy = Series(self._probe.table, "entropy_bits", self._axes, lambda: self._most_bits)
        self.made.set_curve("entropy", "", CurveStyle("text", 1.5, "dash"), entropy)
        self.made.curves.name(self._names())
