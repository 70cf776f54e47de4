"""Results of the pane "Two prompts": a map of activation patching, and a map of the induction scores of all heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.generate.causal.change_controls import component_name
from gptstudio.gui.generate.causal.effects import TableExport
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.translation import joined, percent, tr, unbroken
from gptstudio.gui.widgets.layouts import FREE, Flow, Reflow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, ReservedLabel, label
from gptstudio.i18n import fixed, message
from gptstudio.inference.interventions import Component
from gptstudio.inference.prompt_pair import name_of

if TYPE_CHECKING:
    from gptstudio.inference.induction import Induction, Pattern
    from gptstudio.inference.patching import PatchedToken, Patching

NAMES = {
    "resid": message("residual before layer {n}"), "attention": message("attention output of layer {n}"),
    "mlp": message("MLP output of layer {n}"),
}
LOWEST, HIGHEST = -1.0, 2.0
"""Range of recovered shares on the colour scale; shares outside have the colours of the ends."""
LISTED = 8
"""Number of tokens with bars."""
COLUMNS = ("kind", "layer", "place", "clean_token", "corrupted_token", "recovered", "logit_difference", "probability")


class _MapView(QWidget):
    """Base of the views of a result: a map, a text about the cell under the pointer, and bars next to them.

    Attributes:
        HINT: text while no cell is under the pointer.
        said: text about a cell.
    """

    HINT = ""
    summary: QLabel
    export: TableExport
    map: GridView

    def _say(self, _cell: Cell) -> str:
        raise AssertionError("every view describes its cells")

    def _point(self, cell: Cell | None) -> None:
        self.said.setText(unbroken(self._say(cell)) if cell else tr(self.HINT))

    def _lay_out(self, name: str, choice: QWidget, heading: QWidget, bars: QWidget, *notices: QWidget) -> None:
        self.said = ReservedLabel(tr(self.HINT), name)
        self.map.pointed.connect(self._point)
        beside = with_layout(QWidget(), vbox(heading, bars, FREE, spacing=4))
        left = with_layout(QWidget(), vbox(self.said, grows(self.map), spacing=4))
        both = Reflow(left, beside, stretch=(left, beside), spacing=12)
        with_layout(self, vbox(
            self.summary, *notices, Flow(choice, self.export), self.export.notice, grows(both), spacing=4))


class PatchView(_MapView):
    """View of a result of patching: a description of the cell under the pointer, and bars for the clicked one."""

    HINT = message("Point at a cell to read what copying it does; click it to see the probabilities.")

    def __init__(self) -> None:
        super().__init__()
        self.found: Patching | None = None
        self._make_parts()
        self._lay_out("two_prompts_said", self.measure, self.chosen, self.bars, self.notice)

    def show_found(self, found: Patching) -> None:
        """Show a result, with the cell selected that recovers most."""
        self.found = found
        places = found.recovered if found.distinguishes else found.patched.probability
        row, column = np.unravel_index(int(np.argmax(places)), places.shape)
        self.map.select(Cell(int(row), int(column)))
        self._refresh()

    def _refresh(self) -> None:
        found = self.found
        if found is None:
            return
        self.summary.setText(unbroken(_summary(found)))
        self.notice.setText(_notice(found))
        values, spread = _values(found, self.measure.index() == 1)
        layers = [tr("Layer {n}", n=n + 1) for n in range(len(values))]
        self.map.show_grid(Grid(values, layers, _places(found), spread, say=self._say))
        self._show_cell(self.map.selected)

    def _say(self, cell: Cell) -> str:
        found = self.found
        if found is None:
            return ""
        answer, p = found.pair.tokenizer.visible(found.answer), percent(float(found.patched.probability[cell]))
        share = tr("recovered share {share}", share=percent(found.recovered[cell])) if found.distinguishes else tr(
            "no share to recover")
        return tr("{place} ({name}): {share}; probability of “{answer}” {p}", place=_place(found, cell),
                  name=name_of(found.kind, *cell), share=share, answer=answer, p=p)

    def _show_cell(self, cell: Cell | None) -> None:
        if self.found is None or cell is None or cell not in self.map.items():
            return
        self.chosen.setText(unbroken(self._say(cell)))
        self.bars.show_bars(Bars(
            [_bar_row(each, self.found.pair.tokenizer) for each in self.found.candidates(*cell)[:LISTED]],
            (tr("Clean"), tr("Corrupted"), tr("Patched"))))

    def _make_parts(self) -> None:
        self.summary = label(name="two_prompts_summary", wrap=True)
        self.notice = Notice("two_prompts_notice", "notice")
        self.measure = Segments("two_prompts_measure", [tr("Recovered share"), tr("Probability of the answer")], tr(
            "Recovered share: how far the logit difference between answer and wrong token returns from the corrupted "
            "(0) to the clean run (1)."))
        self.measure.chosen.connect(lambda _: self._refresh())
        self.export = TableExport("two_prompts_export", "patching", lambda: _table(self.found) if self.found else [])
        self.map = GridView("two_prompts_map", tr("Effect of each copied activation; use the arrow keys to move"),
                            selects=True)
        self.map.chosen.connect(self._show_cell)
        self.chosen = label(role="heading", name="two_prompts_chosen", wrap=True)
        self.bars = BarList("two_prompts_bars", tr("Probabilities of the next token: clean, corrupted, patched"))


def _values(found: Patching, probability: bool) -> tuple[Floats, Range]:
    """Return the values of the map, and the range of its colours."""
    if probability:
        values = found.patched.probability
        return values, Range(0, float(values.max()) or 1.0)
    recovered = found.recovered
    if not found.distinguishes:
        return recovered, Range()
    low, high = float(recovered.min()), float(recovered.max())
    return recovered, Range(max(LOWEST, min(0.0, low)), min(HIGHEST, max(1.0, high)))


def _place(found: Patching, cell: Cell) -> str:
    """Return the name of a cell."""
    if found.kind == "heads":
        return tr("Head {head} of layer {n}", head=cell.column + 1, n=cell.row + 1)
    return tr("Position {at}, {name}", at=cell.column, name=tr(NAMES[found.kind], n=cell.row + 1))


def _table(found: Patching) -> list[tuple[object, ...]]:
    """Return the rows of the file, with all values of each cell."""
    visible = found.pair.tokenizer.visible
    rows: list[tuple[object, ...]] = [COLUMNS]
    for (layer, place), recovered in np.ndenumerate(found.recovered):
        tokens = ("", "") if found.kind == "heads" else (
            visible(found.pair.clean[place]), visible(found.pair.corrupted[place]))
        rows.append((
            found.kind, layer, place, *tokens, float(recovered) if found.distinguishes else "",
            float(found.patched.difference[layer, place]), float(found.patched.probability[layer, place])))
    return rows


def _places(found: Patching) -> list[str]:
    """Return the names of the columns."""
    if found.kind == "heads":
        return [tr("Head {n}", n=n + 1) for n in range(found.recovered.shape[1])]
    both, visible = zip(found.pair.clean, found.pair.corrupted, strict=True), found.pair.tokenizer.visible
    return [visible(one) if one == other else f"{visible(one)}/{visible(other)}" for one, other in both]


def _summary(found: Patching) -> str:
    tokens = dict(zip(("answer", "wrong"), map(found.pair.tokenizer.visible, (found.answer, found.wrong)), strict=True))
    sides = []
    for title, side in ((tr("Clean"), found.clean), (tr("Corrupted"), found.corrupted)):
        p, q = (percent(float(side.probabilities[each])) for each in (found.answer, found.wrong))
        difference = fixed(side.difference, 3)
        sides.append(tr("{title}: “{answer}” {p}, “{wrong}” {q}, logit difference {d}.", title=title, p=p, q=q,
                        d=difference, **tokens))
    return joined(" ", *sides)


def _notice(found: Patching) -> str:
    """Return a note on limits of the result; usually empty."""
    words = []
    if not found.distinguishes:
        words.append(tr(
            "The model makes no difference between the prompts: both have nearly the same logit difference of "
            "these two tokens, so there is no share to recover and nothing is divided."))
    if found.same_guess:
        words.append(tr(
            "“{answer}” is the most probable token after both prompts, so the wrong token is the second one after the "
            "corrupted prompt.", answer=found.pair.tokenizer.visible(found.answer)))
    return joined(" ", *words)


def _bar_row(each: PatchedToken, tokenizer: Tokenizer) -> BarRow:
    clean, corrupted, patched = map(percent, each[1:])
    name = tokenizer.visible(each.id)
    return BarRow(name, tuple(
        Bar(p, percent(p), ink) for p, ink in zip(each[1:], ("training", "muted", "accent"), strict=True)),
        words=tr("{token}: clean {clean}, corrupted {corrupted}, patched {patched}", token=name, clean=clean,
                 corrupted=corrupted, patched=patched))


PATTERNS: dict[Pattern, tuple[str, str]] = {
    "induction": (message("Induction"), message("induction head")),
    "previous": (message("Previous token"), message("previous-token head")),
    "duplicate": (message("Duplicate token"), message("duplicate-token head")),
}
"""Pattern -> its name, and the name of a head with this pattern."""
HEADS_LISTED = 12


class InductionView(_MapView):
    """View of the scores of all heads for one pattern, and of all three scores of the head under the pointer."""

    HINT = message("Point at a head to read its three scores.")

    def __init__(self) -> None:
        super().__init__()
        self.found: Induction | None = None
        self._make_parts()
        self._lay_out("induction_said", self.pattern, label(tr("Highest scores"), "heading"), self.best)

    def show_found(self, found: Induction) -> None:
        self.found = found
        self._refresh()

    def _refresh(self) -> None:
        found = self.found
        if found is None:
            return
        pattern = list(PATTERNS)[self.pattern.index()]
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
            for each, score in heads[:HEADS_LISTED]], longest=1.0))

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

    def _table(self) -> list[tuple[object, ...]]:
        found, rows = self.found, list[tuple[object, ...]]()
        if found:
            for component, _ in found.heads("induction"):
                place = component.layer, component.head or 0
                rows.append((str(component), *(float(found.of(name)[place]) for name in PATTERNS)))
        return [("component", *PATTERNS), *rows]

    def _make_parts(self) -> None:
        self.summary = label(name="induction_summary", wrap=True)
        self.pattern = Segments("induction_pattern", [tr(title) for title, _ in PATTERNS.values()], tr(
            "Mean attention to the token after the first occurrence of the same token, to the token before, or to the "
            "same token before."))
        self.pattern.chosen.connect(lambda _: self._refresh())
        self.export = TableExport("induction_export", "induction", self._table)
        self.map = GridView(
            "induction_map", tr("Score of each head; use the arrow keys to move"), selects=True)
        self.best = BarList("induction_best", tr("Heads with the highest scores; a dot marks those that are named"))
