"""Scores of all heads on repeated random tokens: a map, and the heads with the highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.generate.causal.change_words import component_name
from gptstudio.gui.generate.causal.table_export import TableExport
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import FREE, TOP, grows, holding, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.i18n import message
from gptstudio.inference.interventions import Component

if TYPE_CHECKING:  # torch stays out of the window
    from gptstudio.inference.induction import Induction, Pattern

PATTERNS: dict[Pattern, tuple[str, str]] = {
    "induction": (message("Induction"), message("induction head")),
    "previous": (message("Previous token"), message("previous-token head")),
    "duplicate": (message("Duplicate token"), message("duplicate-token head")),
}
"""Pattern -> its name, and that of a head which has it."""
LISTED = 12


class InductionView(QWidget):
    """Shows the scores of one pattern, and all three of the head that is pointed at."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Induction | None = None
        self._make_parts()
        self._lay_out()
        follow(self, self._fit)
        self._fit()

    def show_found(self, found: Induction) -> None:
        self.found = found
        self._refresh()

    def _pattern(self) -> Pattern:
        return list(PATTERNS)[self.pattern.index()]

    def _refresh(self) -> None:
        found = self.found
        if found is None:
            return
        pattern = self._pattern()
        scores, heads = found.of(pattern), found.heads(pattern)
        title, name = PATTERNS[pattern]
        named_heads = found.heads(pattern, found.named_from)
        self.summary.setText(tr(
            "{n} random tokens, repeated once (seed {seed}). {title}: {count} of {all} heads have a score of at least "
            "{least}; such a head is called “{name}” here.", n=found.half, seed=found.seed, title=tr(title),
            count=len(named_heads), all=scores.size, least=found.named_from, name=tr(name)))
        layers = [tr("Layer {n}", n=n + 1) for n in range(scores.shape[0])]
        self.map.show_grid(Grid(
            scores, layers, [tr("Head {n}", n=n + 1) for n in range(scores.shape[1])], say=self._say))
        self.best.show_bars(Bars([
            BarRow(component_name(each), (Bar(score, f"{score:.3f}"),), dot=score >= found.named_from)
            for each, score in heads[:LISTED]], longest=1.0))

    def _say(self, cell: Cell) -> str:
        found = self.found
        if found is None:
            return ""
        figures = {name: float(found.of(name)[cell]) for name in PATTERNS}
        kinds = [tr(PATTERNS[name][1]) for name, score in figures.items() if score >= found.named_from]
        words = tr("{name}: induction {induction}, previous token {previous}, duplicate "
                   "token {duplicate}", name=component_name(Component(cell.row, cell.column)),
                   **{name: f"{score:.3f}" for name, score in figures.items()})
        return tr("{words} ({kinds})", words=words, kinds=", ".join(kinds)) if kinds else words

    def _pointed(self, cell: Cell | None) -> None:
        self.said.setText(self._say(cell) if cell else tr(HINT))

    def _table(self) -> list[tuple[object, ...]]:
        found, rows = self.found, list[tuple[object, ...]]()
        if found:
            for component, _ in found.heads("induction"):
                place = component.layer, component.head or 0
                rows.append((str(component), *(float(found.of(name)[place]) for name in PATTERNS)))
        return [("component", *PATTERNS), *rows]

    def _fit(self) -> None:
        """Two lines always, so that the map does not move while one points at it."""
        self.said.ensurePolished()
        self.said.setMinimumHeight(2 * self.said.fontMetrics().lineSpacing())

    def _make_parts(self) -> None:
        self.summary = label(name="induction_summary", wrap=True)
        self.pattern = Segments("induction_pattern", [tr(title) for title, _ in PATTERNS.values()], tr(
            "Mean attention to the token after the first occurrence of the same token, to the token before, or to the "
            "same token before."))
        self.pattern.chosen.connect(lambda _: self._refresh())
        self.export = TableExport("induction_export", "induction", self._table)
        self.map = GridView(
            "induction_map", tr("Score of each head; use the arrow keys to move"), selects=True)
        self.map.pointed.connect(self._pointed)
        self.said = label(tr(HINT), "muted", "induction_said", wrap=True)
        self.said.setAlignment(TOP)
        self.best = BarList("induction_best", tr("Heads with the highest scores; a dot marks those that are named"))

    def _lay_out(self) -> None:
        beside = holding(QWidget(), vbox(label(tr("Highest scores"), "heading"), self.best, FREE, spacing=4))
        left = holding(QWidget(), vbox(self.said, grows(self.map), spacing=4))
        both = Reflow(left, beside, stretch=(left, beside), spacing=12)
        holding(self, vbox(
            self.summary, Flow(self.pattern, self.export), self.export.notice, grows(both), spacing=4))


HINT = message("Point at a head to read its three scores.")
