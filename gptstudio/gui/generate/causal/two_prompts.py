"""Pane "Two prompts": activation patching between two prompts, and scores of the heads on repeated tokens, as maps."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QMenu, QWidget

from gptstudio.app.requests import InductionQuery, Model, ModelQuery, PatchQuery
from gptstudio.app.state import AppState, Selection
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, single_token
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.generate.causal.change_controls import component_name
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.save_as import TableExport
from gptstudio.gui.translation import duration, joined, percent, tr, unbroken
from gptstudio.gui.widgets.layouts import FREE, Flow, Reflow, grows, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, ProgressBar, ReservedLabel, button, label, named, scrolling, set_blocker
from gptstudio.i18n import fixed, message
from gptstudio.inference.interventions import Component
from gptstudio.inference.prompt_pair import KINDS, Kind, PromptPair, name_of
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import TokenDrawn

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
    found: Patching
    """The result that is shown; the view is hidden before there is one."""

    def __init__(self) -> None:
        super().__init__()
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
        self.summary.setText(unbroken(_summary(found)))
        self.notice.setText(_notice(found))
        values, spread = _values(found, self.measure.index() == 1)
        layers = [tr("Layer {n}", n=n + 1) for n in range(len(values))]
        self.map.show_grid(Grid(values, layers, _places(found), spread, say=self._say))
        self._show_cell(self.map.selected)

    def _say(self, cell: Cell) -> str:
        found = self.found
        answer, p = found.pair.tokenizer.visible(found.answer), percent(float(found.patched.probability[cell]))
        share = tr("recovered share {share}", share=percent(found.recovered[cell])) if found.distinguishes else tr(
            "no share to recover")
        return tr("{place} ({name}): {share}; probability of “{answer}” {p}", place=_place(found, cell),
                  name=name_of(found.kind, *cell), share=share, answer=answer, p=p)

    def _show_cell(self, cell: Cell | None) -> None:
        if cell is None or cell not in self.map.items():
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
        self.export = TableExport("two_prompts_export", "patching", lambda: _table(self.found))
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
    if found.pair.dropped:
        words.append(tr("The prompts are longer than the context length. Tokens of each that the model does not see: "
                        "{n}.", n=f"{found.pair.dropped:,}"))
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
    found: Induction
    """The result that is shown; the view is hidden before there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._make_parts()
        self._lay_out("induction_said", self.pattern, label(tr("Highest scores"), "heading"), self.best)

    def show_found(self, found: Induction) -> None:
        self.found = found
        self._refresh()

    def _refresh(self) -> None:
        found = self.found
        pattern = list(PATTERNS)[self.pattern.index()]
        scores, heads = found.scores[pattern], found.heads(pattern)
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
        figures = {name: float(found.scores[name][cell]) for name in PATTERNS}
        kinds = [tr(PATTERNS[name][1]) for name, score in figures.items() if score >= found.named_from]
        words = tr("{name}: induction {induction}, previous token {previous}, duplicate "
                   "token {duplicate}", name=component_name(Component(cell.row, cell.column)),
                   **{name: f"{score:.3f}" for name, score in figures.items()})
        return tr("{words} ({kinds})", words=words, kinds=", ".join(kinds)) if kinds else words

    def _table(self) -> list[tuple[object, ...]]:
        return [("component", *PATTERNS), *(
            (str(each), *(float(self.found.scores[name][each.layer, each.head or 0]) for name in PATTERNS))
            for each, _ in self.found.heads("induction"))]

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


class PromptExample(NamedTuple):
    """Example of a pair of prompts. An empty answer or wrong token stands for the most probable one."""

    title: str
    clean: str
    corrupted: str
    answer: str = ""
    wrong: str = ""


EXAMPLES = (
    PromptExample(  # Wang et al., 2022
        message("Indirect object: who gets the drink?"), "When Mary and John went to the store, John gave a drink to",
        "When Mary and John went to the store, Mary gave a drink to", " Mary", " John"),
    PromptExample(  # Hanna et al., "How does GPT-2 compute greater-than?", 2023
        message("Greater than: a war ends after it began"), "The war lasted from the year 1732 to the year 17",
        "The war lasted from the year 1701 to the year 17"),
    PromptExample(  # Olsson et al., 2022
        message("Repeated sequence: what came after green?"), "red blue green white red blue green",
        "red blue green black red blue green", " white", " black"),
    PromptExample(
        message("The Verdict: what did he drop?"), "in the height of his glory, he had dropped his",
        "in the height of her fame, she had dropped her", " painting"),
)


class PromptFields(QWidget):
    """Fields for two prompts of equal length; emits ``changed`` when a field has changed.

    Attributes:
        pair: the prompts; None while they cannot be patched.
        tokens: the answer and the wrong token; None for the most probable one.
        problem: the reason why the prompts cannot be patched; empty if they can.
    """

    changed = Signal()

    def __init__(self, find_tokenizer: Callable[[], Tokenizer] = lambda: GPT2) -> None:
        """``find_tokenizer``: returns the tokenizer of the model; raises UserError while it is not known."""
        super().__init__()
        self._find_tokenizer = find_tokenizer
        self.pair: PromptPair | None = None
        self.tokens: tuple[int | None, int | None] = None, None
        self.problem = ""
        self._own_prompt = ""
        self._make_controls()
        self._lay_out()
        self.read()

    def suggest(self, prompt: str) -> None:
        """Offer the prompt of the shown text as the clean one, unless the user has entered another."""
        if self.clean.text() == self._own_prompt and prompt != self._own_prompt:
            self._own_prompt = prompt
            self.clean.setText(prompt)

    def show_example(self, index: int, _checked: bool = False) -> None:
        """Fill the fields with an example."""
        for field, text in zip((self.clean, self.corrupted, self.answer, self.wrong), EXAMPLES[index][1:], strict=True):
            field.setText(text)

    def read(self) -> None:
        """Read the fields again after a change of the text or of the model."""
        self.pair, self.problem = None, ""
        try:
            tokenizer = self._find_tokenizer()
            answer, wrong = (single_token(each.text(), tokenizer) if each.text() else None
                             for each in (self.answer, self.wrong))
            self.tokens = answer, wrong
            self.pair = PromptPair.of(self.clean.text(), self.corrupted.text(), tokenizer)
        except UserError as error:
            self.problem = text_of(error)
        self.strip.show_boxes(_boxes(self.pair) if self.pair else [])
        self.strip.setVisible(self.pair is not None)
        written = self.clean.text() and self.corrupted.text()
        self.notice.setText(tr(self.problem) if self.problem and written else "")
        self.changed.emit()

    def _make_controls(self) -> None:
        self.clean = self._field("two_prompts_clean", tr("Clean prompt"), tr(
            "The prompt with the right answer. Its activations are copied into the run of the other prompt."))
        self.corrupted = self._field("two_prompts_corrupted", tr("Corrupted prompt"), tr(
            "The same prompt with other words of as many tokens, so that another answer is right."))
        self.clean.setPlaceholderText(tr("Write a prompt, or choose an example"))
        self.answer = self._field("two_prompts_answer", tr("Answer"), tr(
            "The next token that is right after the clean prompt, with the space before it. Empty: the most probable "
            "one there."))
        self.wrong = self._field("two_prompts_wrong", tr("Wrong token"), tr(
            "The next token that the answer is compared with. Empty: the most probable one after the corrupted "
            "prompt."))
        for field in (self.answer, self.wrong):
            field.setPlaceholderText(tr("most probable"))
            field.setFixedWidth(9 * field.fontMetrics().height())
        self.examples = button(tr("Examples"), "two_prompts_examples", tr(
            "Fills the fields with two prompts that are known from the literature"))
        menu = QMenu(self.examples)
        menu.setObjectName("two_prompts_examples_menu")
        for index, example in enumerate(EXAMPLES):
            menu.addAction(tr(example.title)).triggered.connect(partial(self.show_example, index))
        self.examples.setMenu(menu)
        self.strip = Strip("two_prompts_tokens", tr("Tokens of both prompts, position by position"), even=True)
        self.notice = Notice("two_prompts_problem", "notice")

    def _field(self, name: str, accessible: str, tip: str) -> QLineEdit:
        field = named(QLineEdit(), name, accessible)
        field.setToolTip(tip)
        field.textChanged.connect(lambda _: self.read())
        return field

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for row, field in enumerate((self.clean, self.corrupted)):
            grid.addWidget(label(field.accessibleName(), buddy=field), row, 0)
            grid.addWidget(field, row, 1)
        tokens = [(label(field.accessibleName(), buddy=field), field) for field in (self.answer, self.wrong)]
        with_layout(self, vbox(grid, Flow(*tokens, self.examples, spacing=8), self.notice, self.strip, spacing=4))


def _boxes(pair: PromptPair) -> list[StripBox]:
    """Return the boxes of the tokens; if the prompts differ, the clean token is above the corrupted one."""
    found = []
    for n, ids in enumerate(zip(pair.clean, pair.corrupted, strict=True)):
        clean, corrupted = map(pair.tokenizer.visible, ids)
        if clean == corrupted:
            found.append(StripBox(clean, "", ("line", 0.45), words=tr(
                "Position {n}: “{token}” in both prompts", n=n, token=clean)))
        else:
            found.append(StripBox(clean, corrupted, ("amber", 0.22), words=tr(
                "Position {n}: “{clean}” in the clean prompt, “{corrupted}” in the corrupted one", n=n, clean=clean,
                corrupted=corrupted)))
    return found


TITLES = {
    "resid": message("Residual"), "attention": message("Attention"), "mlp": message("MLP"), "heads": message("Heads"),
    "induction": message("Induction"),
}
"""Titles of the activations to copy, and of the scores, which need no prompts."""
PURPOSES = {
    "resid": message("Copies the residual stream before a layer at one position from the clean run into the corrupted "
                     "one: where the answer comes back, the difference is kept there."),
    "attention": message("Copies the output of a layer's attention at one position from the clean run into the "
                         "corrupted one: where the answer comes back, this layer moves the difference there."),
    "mlp": message("Copies the output of a layer's feed-forward network (MLP) at one position from the clean run into "
                   "the corrupted one."),
    "heads": message("Copies the output of one head at all positions from the clean run into the corrupted one."),
    "induction": message("Induction heads look for what came after the same token before. Random tokens, repeated "
                         "once, show which heads do; the prompts are not needed."),
}
WORTH_SAYING_S = 3
"""Smallest remaining time that is shown, in seconds."""
LONGEST = 2_000
"""Maximum number of characters of the offered prompt."""


class TwoPromptsPane(QWidget):
    """Pane for experiments with two prompts; it asks the model when its button is pressed."""

    def __init__(self, state: AppState, asks: Asks) -> None:
        super().__init__()
        self.setObjectName("two_prompts")
        self._state, self._selection = state, Selection()
        self._asking = Asking(asks, "two_prompts", self)
        self._read_for = self._model()
        self._began = 0.0  # seconds
        self._make_controls()
        self._asking.changed.connect(self._take)
        self._asking.progressed.connect(self._show_progress)
        self._lay_out()
        self._show_state()
        state.on(self.show_model, "models", "model", "config")

    @property
    def running(self) -> bool:
        return self._asking.waiting

    def question(self) -> ModelQuery | None:
        """Return the question to ask; None while there is no model, or the prompts cannot be patched."""
        model, kind = self._model(), self._kind()
        if model is None:
            return None
        if kind is None:
            return InductionQuery(model, GenerateSpec().seed)
        pair = self.fields.pair
        return PatchQuery(model, pair, kind, *self.fields.tokens) if pair else None

    def show_selection(self, selection: Selection) -> None:
        """Follow the current text: offer its prompt as the clean one."""
        before, self._selection = self._selection, selection
        if selection.path != before.path:
            given = takewhile(lambda node: not isinstance(node.reading, TokenDrawn), selection.path)
            self.fields.suggest(selection.tokenizer.decode([node.id for node in given])[:LONGEST].replace("\n", " "))
        self.show_model()

    def show_model(self) -> None:
        """Follow the current model: read the prompts again if it has changed."""
        if self._model() != self._read_for:
            self._read_for = self._model()
            self.fields.read()
        self._show_state()

    def _press(self) -> None:
        question = self.question()
        if question is None:
            return
        self._began = time.monotonic()
        self._asking.ask(question, again=True)
        self.notice.setText("")
        self.left.setText("")
        self.progress.show_progress()
        self._show_state()

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.show_progress(done, total)
        left = (time.monotonic() - self._began) * (total - done) / done
        self.left.setText(tr("about {time} left", time=duration(left)) if left >= WORTH_SAYING_S else "")

    def _take(self) -> None:
        self.notice.setText(self._asking.problem)
        if self._asking.problem:
            self._show_state()
            return
        request, answer = self._asking.query, self._asking.answer
        view = self.heads if isinstance(request, InductionQuery) else self.result
        view.show_found(answer)
        self._shown[view] = request
        self._show_state()
        self._reveal(view)

    def _model(self) -> Model | None:
        """Return the model of the text, or the chosen model if there is no text."""
        return self._selection.model or self._state.loadable_model

    def _tokenizer(self) -> Tokenizer:
        """Return the tokenizer of the model.

        Raises:
            UserError: it is not known.
        """
        model = self._state.loadable_model
        return self._selection.tokenizer if self._selection.model else model.tokenizer if model else GPT2

    def _kind(self) -> Kind | None:
        """Return the kind of activation to copy; None for the scores of the heads."""
        place = self.kind.index()
        return KINDS[place] if place < len(KINDS) else None

    def _reveal(self, view: QWidget) -> None:
        """Scroll to a result, if the pane is too low to show the fields as well."""
        inside = self._scroll.widget()
        if inside and (layout := inside.layout()):
            layout.activate()
            inside.adjustSize()
        self._scroll.verticalScrollBar().setValue(view.y())

    def _show_state(self) -> None:
        scores, kind = self._kind() is None, list(TITLES)[self.kind.index()]
        self.purpose.setText(tr(PURPOSES[kind]))
        self.fields.setVisible(not scores)
        self.go.setText(tr("Score heads") if scores else tr("Patch"))
        set_blocker(self.go, self._why_not())
        self.stop.setVisible(self.running)
        self.progress.setVisible(self.running)
        self.left.setVisible(self.running)
        view, wanted = (self.heads if scores else self.result), self.question()
        shown = self._shown.get(view)
        fits = shown is not None and shown.model == self._model() and (scores or shown.kind == kind)
        for each in (self.result, self.heads):
            each.setVisible(fits and each is view)
        self.purpose.setVisible(not fits)
        self.stale.setText(tr(
            "The figures below are of the prompts and tokens as they were before. Press Patch to compute them again.")
            if fits and shown != wanted and not self.running else "")

    def _why_not(self) -> str:
        if self.running:
            return tr("It is running. Stop it first.")
        if self._selection.writing:
            return tr("The model is generating. Stop it first.")
        if self._model() is None:
            return tr("No model is available here.")
        return tr(self.fields.problem) if self._kind() and self.fields.problem else ""

    def _make_controls(self) -> None:
        self._shown: dict[QWidget, Any] = {}  # questions of the shown answers
        self.kind = Segments("two_prompts_kind", [tr(title) for title in TITLES.values()])
        self.kind.chosen.connect(lambda _: self._show_state())
        self.purpose = label(role="muted", name="two_prompts_purpose", wrap=True)
        self.fields = PromptFields(self._tokenizer)
        self.fields.changed.connect(self._show_state)
        self.go = button(tr("Patch"), "two_prompts_go", tr("Runs the model once for each cell of the map"),
                         do=self._press)
        self.stop = button(tr("Stop"), "two_prompts_stop", tr("Stops after the layer that is computed"),
                           do=lambda: self._asking.stop())
        self.progress = ProgressBar("two_prompts_progress", tr("Copies done"))
        self.left = label(role="muted", name="two_prompts_left")
        self.notice = Notice("two_prompts_refusal", "notice")
        self.stale = Notice("two_prompts_stale", "notice")
        self.result, self.heads = PatchView(), InductionView()

    def _lay_out(self) -> None:
        body = with_layout(QWidget(), vbox(
            Flow(self.kind, (self.go, self.stop), self.progress, self.left), self.purpose, self.fields, self.notice,
            self.stale, grows(self.result, 1_000), grows(self.heads, 1_000), FREE, spacing=8, margins=(0, 4, 8, 0)))
        self._scroll = scrolling(body, "two_prompts_scroll")
        with_layout(self, vbox(self._scroll))
