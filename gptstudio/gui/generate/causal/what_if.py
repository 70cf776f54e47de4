"""Pane "What if": a diagram of the model's components, which can be switched off or scaled, and the effects of that.

The diagram has a row for each layer, with a column for each head and for the feed-forward network (MLP). The first
layer is at the bottom. A cross marks a component that is off, a number its scale, a dot a disagreement of methods. The
effects are shown as bars of the next token, and as two continuations that use the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QWidget

from gptstudio.app.requests import ChangedTextsQuery, ComponentsQuery, EffectsQuery
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES
from gptstudio.gpt.sampling.logits import best, softmax
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.controls import Fold, Segments
from gptstudio.gui.generate.causal import change_controls
from gptstudio.gui.generate.causal.change_controls import ComponentControls, InputControls, component_name
from gptstudio.gui.generate.interpret.interpret_pane import InterpretPane
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.save_as import TableExport
from gptstudio.gui.translation import joined, percent, size, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, Reflow, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, WrappedLabel, button, choice_box, label, scrolling, set_blocker
from gptstudio.i18n import fixed, message, with_minus
from gptstudio.inference.interventions import LONGEST_NAME, NO_INTERVENTIONS, Component, Intervention, Interventions

MLP = "MLP"
OFF = "×"
UNKNOWN = 0.15
"""Position on the colour scale if no effect is known."""
TILE = 6.0, 3.0
"""Maximum width and height of a tile, in heights of a letter."""


def component_grid(
    shape: tuple[int, int], effects: Floats | None, marks: Mapping[Component, str],
    disagree: Collection[Component] = (),
) -> Grid:
    """Return the diagram of the components.

    Args:
        shape: (L, H + 1): for each layer, its heads and then its MLP.
        effects: effects (L, H + 1); None if they are not known.
        marks: texts on changed components; "×" is drawn as a cross.
        disagree: components marked with a dot.
    """
    layers, columns = shape
    values = np.zeros(shape) if effects is None else effects

    def say(cell: Cell) -> str:
        component = component_at(shape, cell)
        changed = marks.get(component, "")
        value = "" if effects is None else tr("{value} nats", value=with_minus(f"{values[::-1][cell]:+.3g}"))
        parts = component_name(component), tr("off") if changed == OFF else changed, value
        return joined("  ·  ", *filter(None, parts))

    return Grid(
        values[::-1], [tr("Layer {n}", n=layer) for layer in range(layers, 0, -1)],
        [*(tr("Head {n}", n=head) for head in range(1, columns)), MLP],
        Range(-UNKNOWN, 1.0) if effects is None else Range.around_zero(values), diverging=effects is not None,
        square=False, most=TILE, legend=effects is not None,
        texts={cell_of(shape, component): text for component, text in marks.items() if text != OFF},
        crossed=[cell_of(shape, component) for component, text in marks.items() if text == OFF],
        dotted=[cell_of(shape, component) for component in disagree], say=say)


def component_at(shape: tuple[int, int], cell: Cell) -> Component:
    """Return the component of a cell; ``shape``: (L, H + 1)."""
    layers, columns = shape
    return Component(layers - 1 - cell.row, None if cell.column == columns - 1 else cell.column)


def cell_of(shape: tuple[int, int], component: Component) -> Cell:
    """Return the cell of a component; ``shape``: (L, H + 1)."""
    layers, columns = shape
    return Cell(layers - 1 - component.layer, columns - 1 if component.head is None else component.head)


METHODS = {
    "ablation": (message("Ablation"), message(
        "Ablation: how much the log-probability of the token falls without this component. Above zero: it helps.")),
    "attribution": (message("Direct"), message(
        "Direct logit attribution: what the component itself adds to the token's logit, with the final norm frozen. "
        "All parts add up to the logit.")),
    "gradient": (message("Gradient"), message(
        "Gradient × activation: a first-order estimate of ablation, from one backward pass.")),
}
"""Attribute of the effects -> name and explanation of the method."""
MOST_LISTED = 10
WORTH_MARKING = 0.1
"""Smallest effect, relative to the largest one, at which contradictory signs are marked."""
REST = {
    "token_embedding": message("token embedding"), "position_embedding": message("position embedding"),
    "attention_biases": message("attention biases"), "final_norm_shift": message("shift of the final norm"),
}


class EffectsView(QWidget):
    """List of the largest effects of components. Emits the component chosen in it."""

    requested, stopped, method_chosen = Signal(), Signal(), Signal()
    component_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._effects: Any = None
        self._components: list[Component] = []
        self._make_controls()
        self._asking = with_layout(
            QWidget(), hbox(self.compute, self.estimate, self.stop, self.progress, FREE, spacing=8))
        with_layout(self, vbox(
            self.about, self._asking, self.method, self.explained,
            self.list, self.sum, self.agree, hbox(self.export, FREE), self.export.notice, FREE, spacing=8))
        self.show_nothing("", "")

    @property
    def name(self) -> str:
        """Name of the selected method."""
        return list(METHODS)[self.method.index()]

    def show_nothing(self, token: str, why_not: str, needs: int = 0) -> None:
        """Show that nothing was computed for a token. ``why_not``: the reason why that is impossible; ``needs``: the
        memory that it would take, in bytes."""
        self.estimate.setText(tr("It takes about {size} of memory.", size=size(needs)) if needs else "")
        self.about.setText(tr("What matters for “{token}”?", token=token) if token else tr("What matters here?"))
        set_blocker(self.compute, why_not)
        self._show_only(self._asking, self.compute, self.estimate)

    def show_progress(self, done: int, total: int) -> None:
        self._show_only(self._asking, self.stop, self.progress)
        self.progress.setText(tr("Layer {n} of {all}", n=done, all=total) if total else tr("Running the model…"))

    def show_effects(self, effects: Any, tokenizer: Tokenizer) -> None:
        """Show :class:`gptstudio.inference.next_token.Effects`."""
        self._effects = effects
        values: Floats = getattr(effects, self.name)
        sums = [self.sum] if self.name == "attribution" else []
        self._show_only(self.method, self.explained, self.list, *sums, self.agree, self.export)
        self.about.setText(tr(
            "What matters for “{token}”: log-probability {p}, logit {logit}", token=tokenizer.visible(effects.token),
            p=_signed(effects.log_probability), logit=_signed(effects.logit)))
        self.explained.setText(tr(METHODS[self.name][1]))
        rows = sorted(effects.by_component(), key=lambda row: -abs(row[1][self.name]))[:MOST_LISTED]
        self._components = [component for component, _ in rows]
        marked = disagreements(effects)
        self.list.show_bars(Bars([
            BarRow(component_name(component), (Bar(
                figures[self.name], _signed(figures[self.name]),
                "validation" if figures[self.name] < 0 else "training"),), dot=component in marked)
            for component, figures in rows], number=_signed))
        self.sum.setText(self._sum(effects) if sums else "")
        self.agree.setText(tr("Dot: the methods disagree about the sign. Components: {n} of {all}.",
                              n=len(marked), all=values.size))

    def _show_only(self, *shown: QWidget) -> None:
        for part in (self._asking, self.compute, self.estimate, self.stop, self.progress, self.method, self.explained,
                     self.list, self.sum, self.agree, self.export):
            part.setVisible(part in shown)

    def _sum(self, effects: Any) -> str:
        parts = ", ".join(f"{tr(REST[name])} {_signed(value)}" for name, value in effects.rest.items())
        total = float(effects.attribution.sum()) + sum(effects.rest.values())
        return tr("All components {a}, {parts}: together {sum}, the logit.", a=_signed(effects.attribution.sum()),
                  parts=parts, sum=_signed(total))

    def _make_controls(self) -> None:
        self.about = WrappedLabel("effects_about", "heading")
        self.compute = button(tr("Compute"), "effects_compute", tr(
            "Runs the model once without each head and each feed-forward network"), do=self.requested.emit)
        self.stop = button(tr("Stop"), "effects_stop", tr("Stops computing"), "quiet", self.stopped.emit)
        self.progress = label("", "muted", "effects_progress")
        self.estimate = label("", "muted", "effects_estimate")
        self.method = Segments("effects_method", [tr(name) for name, _ in METHODS.values()])
        self.method.chosen.connect(lambda _: self.method_chosen.emit())
        self.explained = WrappedLabel("effects_explained", "muted")
        self.list = BarList("effects_list", tr("Components with the largest effects"), chooses=True)
        self.list.taken.connect(lambda row: self.component_chosen.emit(self._components[row]))
        self.sum = WrappedLabel("effects_sum")
        self.agree = WrappedLabel("effects_agree", "muted")
        self.export = TableExport("effects_export", "effects", lambda: rows_of(self._effects))


def disagreements(effects: Any) -> set[Component]:
    """Return the components with a noticeable effect of ablation and the opposite sign by another method."""
    least = WORTH_MARKING * float(np.abs(effects.ablation).max())
    return {
        component for component, figures in effects.by_component()
        if abs(figures["ablation"]) >= least > 0
        and any(figures["ablation"] * figures[other] < 0 and abs(figures[other]) >= least
                for other in ("attribution", "gradient"))
    }


def rows_of(effects: Any) -> list[tuple[object, ...]]:
    """Return the table of the effects, with the names of the columns in the first row."""
    return [("component", *METHODS)] + [
        (str(component), *(figures[name] for name in METHODS)) for component, figures in effects.by_component()]


_signed = partial(fixed, digits=3, sign="+")


LISTED = 5


def before_after(plain: Floats, changed: Floats, tokenizer: Tokenizer) -> Bars:
    """Return bars for the tokens that are most likely in either case.

    Args:
        plain: logits (V,) of the model as it is.
        changed: logits (V,) with the changes.
    """
    before, after = (softmax(each.astype(np.float64)) for each in (plain, changed))
    ids = best(np.maximum(before, after), LISTED).tolist()
    return Bars([
        BarRow(tokenizer.visible(token), (
            Bar(float(before[token]), percent(float(before[token])), "muted"),
            Bar(float(after[token]), percent(float(after[token])), "accent")))
        for token in ids], (tr("Before"), tr("After")))


class ChangedTextsView(QWidget):
    """View of two continuations, one below the other, with the first difference marked; requests them from the
    model."""

    requested, stopped = Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self.generate = button(tr("Generate with the change"), "what_if_generate", tr(
            "Continues the text from the chosen token twice, without and with the change, with the same random numbers "
            "and the sampling settings of this page"), do=self.requested.emit)
        self.stop = button(tr("Stop"), "what_if_stop", tr("Stops generating"), "quiet", self.stopped.emit)
        self.progress = label("", "muted", "what_if_progress")
        self.notice = Notice("what_if_notice")
        self.plain = label("", "", "what_if_plain", wrap=True)
        self.changed = label("", "", "what_if_changed", wrap=True)
        self.parted = label("", "muted", "what_if_parted", wrap=True)
        self._result = with_layout(QWidget(), vbox(
            label(tr("Without the change"), "muted"), self.plain, label(tr("With the change"), "muted"), self.changed,
            self.parted, spacing=4))
        with_layout(self, vbox(
            Flow(self.generate, self.stop, self.progress, spacing=8), self.notice, self._result, spacing=4))
        self.show_nothing()

    def show_nothing(self, why_not: str = "") -> None:
        """Show no texts. ``why_not``: the reason why none can be generated."""
        set_blocker(self.generate, why_not)
        self._show_working(False)
        self.notice.setText("")
        self._result.hide()

    def show_progress(self, done: int, total: int) -> None:
        self.notice.setText("")
        self._show_working(True)
        self.progress.setText(tr("Token {n} of {all}", n=done, all=total) if total else tr("Running the model…"))

    def show_texts(self, texts: Any, tokenizer: Tokenizer) -> None:
        """Show :class:`gptstudio.inference.intervening.ChangedTexts`."""
        plain, changed = ([each.id for each in some] for some in (texts.plain, texts.changed))
        same = next((n for n, (one, other) in enumerate(zip(plain, changed, strict=False)) if one != other), None)
        self._show_working(False)
        self._result.show()
        self.plain.setText(_shown(plain, same, tokenizer))
        self.changed.setText(_shown(changed, same, tokenizer))
        self.parted.setText(
            tr("They are the same.") if same is None
            else tr("They diverge at new token {n}, marked with │.", n=same + 1))

    def _show_working(self, working: bool) -> None:
        self.generate.setVisible(not working)
        self.stop.setVisible(working)
        self.progress.setVisible(working)


def _shown(ids: Sequence[int], parted: int | None, tokenizer: Tokenizer) -> str:
    parts = [ids] if parted is None else [ids[:parted], ids[parted:]]
    return "│".join(tokenizer.decode(part) for part in parts).replace("\n", " ↵ ")  # one paragraph that can wrap


class NamedChanges(QWidget):
    """Names of kept changes; choosing a name restores its changes."""

    intervened = Signal(object, bool)
    named = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._interventions = NO_INTERVENTIONS
        self._named: dict[str, Interventions] = {}
        self.names = choice_box("what_if_names", tr("Name of these changes"), letters=12, tip=tr(
            "A name under which these changes are kept with the text; choose one to bring them back"))
        self.names.setEditable(True)
        self.names.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = self.names.lineEdit()
        if line:
            line.setPlaceholderText(tr("Name of these changes"))
            line.setMaxLength(LONGEST_NAME)
        self.keep = button(tr("Keep"), "what_if_keep", tr("Keeps these changes with the text under this name"), "quiet",
                           lambda: self.named.emit(self._name, self._interventions))
        self.remove = button(tr("Remove"), "what_if_remove", tr("Removes this name"), "quiet",
                             lambda: self.named.emit(self._name, None))
        self.names.textActivated.connect(self._choose)
        self.names.editTextChanged.connect(lambda _: self._permit())
        words = label(tr("Kept changes"), buddy=self.names)
        with_layout(self, hbox(words, grows(self.names), self.keep, self.remove, spacing=8))
        self._permit()

    @property
    def _name(self) -> str:
        return " ".join(self.names.currentText().split())

    def show_names(self, interventions: Interventions, kept: Sequence[tuple[str, Interventions]]) -> None:
        """Show the names. ``interventions``: the current changes."""
        self._interventions, self._named = interventions, dict(kept)
        if [self.names.itemText(place) for place in range(self.names.count())] != list(self._named):
            text = self.names.currentText()
            with QSignalBlocker(self.names):
                self.names.clear()
                self.names.addItems(list(self._named))
                self.names.setEditText(text)
        self._permit()

    def _choose(self, name: str) -> None:
        if name in self._named:
            self.intervened.emit(self._named[name], True)

    def _permit(self) -> None:
        name = self._name
        why_not = tr("Nothing is changed yet.") if not self._interventions else tr("Enter a name first.")
        set_blocker(self.keep, "" if name and self._interventions else why_not)
        set_blocker(self.remove, "" if name in self._named else tr("No changes are kept under this name."))


CHANGE, MATTERS = range(2)
MOST_LINES = 16
"""Maximum height of the diagram, in heights of a letter."""
AXES = message(
    "A row for each layer, the first at the bottom; a tile for each head and one for the feed-forward network (MLP).")


class WhatIfPane(InterpretPane):
    """Pane that changes the computation of the model, and shows the effect of every component."""

    PURPOSE = message("What if: switch parts of the model off, and see at once what follows from it.")

    def __init__(
        self, state: AppState, asks: Asks, changed: Asking, intervene: Callable[[Interventions, bool], None],
        keep_named: Callable[[str, Interventions | None], None],
    ) -> None:
        """
        Args:
            changed: requests the reading of the text with the changes.
            intervene: sets the interventions; the flag is True for a step that can be undone.
            keep_named: keeps interventions under a name; None removes them.
        """
        super().__init__("what_if", asks)
        self._state, self._changed, self._intervene, self._keep_named = state, changed, intervene, keep_named
        self._effects, self._written = Asking(asks, "effects", self), Asking(asks, "texts", self)
        self._make_parts()
        self._connect()
        self._lay_out()
        self._show_reading()
        on_restyle(self, self._fit)

    # Questions.

    def question(self) -> ComponentsQuery | None:
        selection = self.selection
        return ComponentsQuery(selection.model) if selection.model and selection.path else None

    def show_answer(self) -> None:
        config, selection = self.answer, self.selection
        effects = self._effects.answer if self._effects.query == self._effects_query() else None
        shape = config.n_layers, config.n_heads + 1
        self.map.show_grid(component_grid(
            shape, getattr(effects, self.effects.name) if effects else None,
            change_controls.marks(selection.interventions.fitting(config)),
            disagreements(effects) if effects else ()))
        self._fit()
        if self.map.selected is None:
            self.map.select(cell_of(shape, Component(config.n_layers - 1)))
        self._show_controls()
        self._show_effects(effects)
        self._show_texts()

    def _fit(self) -> None:
        """Limit the height of the diagram to that of its largest tiles and to a few lines of text, so that it is
        visible as a whole."""
        letter, rows = self.map.fontMetrics().height(), self.map.grid.shape[0]
        self.map.setMaximumHeight(round(letter * (2 + min(MOST_LINES, TILE[1] * max(1, rows)))))

    def _show_reading(self) -> None:
        """Show the effect of the changes on the chosen token, or the reason why it is not known."""
        self.notice.say(self._changed.problem)
        reading, cursor = self._changed.latest, self.selection.cursor
        known = reading is not None and reading.plain.logits is not None and reading.changed.logits is not None
        self.tokens.setVisible(known)
        self.hint.setVisible(not known)
        if known:
            self.tokens.show_bars(before_after(reading.plain.logits, reading.changed.logits, self.selection.tokenizer))
        if reading is None or not cursor:
            self.outcome.setText("")
            return
        token = self.selection.path[cursor].id
        before, after = (float(2.0 ** -each.surprisals[cursor]) for each in (reading.plain, reading.changed))
        change = float(np.nanmean(reading.differences))
        self.outcome.setText(tr(
            "“{token}”: {before} → {after}. Surprisal of the whole text: {bits} bits per token.",
            token=self.selection.tokenizer.visible(token), before=percent(before), after=percent(after),
            bits=fixed(change, 2, sign="+")))

    # Display.

    def _show_controls(self) -> None:
        selection = self.selection
        if self.map.selected:
            chosen = component_at(self.map.grid.shape, self.map.selected)
            self.controls.show_component(chosen, selection.interventions, (*NAMES, *self._state.offered_texts))
        self.inputs.show_text(selection.ids, selection.cursor, selection.interventions, selection.tokenizer)
        self.named_changes.show_names(selection.interventions, selection.named)
        self.fold.fit()
        fitting = selection.interventions.fitting(self.answer)
        left_out = len(selection.interventions.changes) - len(fitting.changes)
        self.summary.setText(change_controls.summary(fitting, selection.tokenizer) + (
            "\n" + tr("Changes that belong to another model, and are left out: {n}.", n=left_out) if left_out else ""))
        nothing = "" if selection.interventions else tr("Nothing is changed yet.")
        set_blocker(self.reset, nothing)
        set_blocker(self.code, nothing)
        rounded = selection.model and selection.model.weights != "fp32"
        self.precision.setText(tr(
            "Computed with the weights as they are, not with the {precision} copy that wrote the text.",
            precision=selection.model.weights) if rounded and selection.model else "")

    def _show_effects(self, effects: Any) -> None:
        query = self._effects_query()
        if self._effects.waiting and query == self._effects.asked:
            return
        if effects:
            self.effects.show_effects(effects, self.selection.tokenizer)
        else:
            token = self.selection.tokenizer.visible(query.ids[-1]) if query else ""
            self.effects.show_nothing(token, "" if query else tr(
                "The model predicts no first token. Select a later one."), self._needs(query))

    def _show_texts(self) -> None:
        if self._written.waiting:
            return
        if self._written.answer is not None and self._written.query == self._texts_query():
            self.texts.show_texts(self._written.answer, self.selection.tokenizer)
        else:
            self.texts.show_nothing("" if self.selection.interventions else tr("Nothing is changed yet."))

    # User actions.

    def _choose(self, cell: Cell) -> None:
        """Handle a click on the map: switch a component off, or on again."""
        component = component_at(self.map.grid.shape, cell)
        if self.side.index() == MATTERS:
            self._show_controls()
            return
        interventions = self.selection.interventions
        scaled = [each for each in interventions.of(component) if isinstance(each, Intervention)]
        made = interventions.without(("scale", *component)) if scaled else interventions.having(
            Intervention.of(component, 0.0, self.controls.baseline.currentData()))
        self._intervene(made, True)

    def _select(self, component: Component) -> None:
        self.map.select(cell_of(self.map.grid.shape, component))
        self._show_controls()

    def _copy_code(self) -> None:
        ids = self.selection.ids[-self.answer.context_length :]
        from gptstudio.inference.intervening import code_of  # torch is loaded since the model answered

        QGuiApplication.clipboard().setText(code_of(
            self.selection.interventions.fitting(self.answer), ids, self.answer.head_dim))

    # Effects.

    def _effects_query(self) -> EffectsQuery | None:
        selection, cursor = self.selection, self.selection.cursor
        return EffectsQuery(selection.model, selection.ids[: cursor + 1]) if selection.model and cursor else None

    def _needs(self, query: EffectsQuery | None) -> int:
        """Return the memory that the effects take, in bytes."""
        from gptstudio.inference.next_token import effects_bytes  # torch is loaded since the model answered

        return effects_bytes(self.answer, len(query.ids)) if query else 0

    # Texts.

    def _texts_query(self) -> ChangedTextsQuery | None:
        selection, spec = self.selection, self._state.generate_spec
        if not (selection.model and selection.path and spec):
            return None
        end = len(selection.path) if selection.cursor is None else selection.cursor + 1
        return ChangedTextsQuery(selection.model, selection.ids[:end], spec, selection.interventions)

    def _link(
        self, view: EffectsView | ChangedTextsView, asking: Asking, query: Callable[[], Any], notice: Notice
    ) -> None:
        """Let a view ask, and show the progress, the end and a problem of its question."""
        def ask() -> None:
            if wanted := query():
                view.show_progress(0, 0)
                asking.ask(wanted, again=True)
            else:
                notice.setText(" ".join(tr(each.message) for each in self._state.generate_problems))

        def take() -> None:
            self.consider()
            if asking.problem:
                notice.setText(asking.problem)

        view.requested.connect(ask)
        view.stopped.connect(asking.stop)
        asking.progressed.connect(view.show_progress)
        asking.changed.connect(take)

    # Parts.

    def _make_parts(self) -> None:
        self.map = GridView("what_if_map", tr(
            "The model's heads and feed-forward networks, layer by layer; Enter switches one off or on"), selects=True)
        self.side = Segments("what_if_side", (tr("Change"), tr("What matters here?")), tr(
            "Change parts of the model, or compute what each of them does for the chosen token"))
        self.controls, self.inputs, self.named_changes = ComponentControls(), InputControls(), NamedChanges()
        self.effects, self.texts = EffectsView(), ChangedTextsView()
        self.tokens = BarList("what_if_tokens", tr("The most likely next tokens, without and with the change"))
        self.hint = label(tr("The most likely next tokens before and after the change appear here."), "muted",
                          "what_if_hint", wrap=True)
        self.fold = Fold("what_if_more", tr("More"), tr("Less"))
        self.outcome = label("", "heading", "what_if_outcome", wrap=True)
        self.summary = label("", "muted", "what_if_summary", wrap=True)
        self.precision = Notice("what_if_precision", "muted")
        self.notice = Notice("what_if_problem")
        self.reset = button(tr("Reset"), "what_if_reset", tr("Removes all changes"), "quiet",
                            lambda: self._intervene(NO_INTERVENTIONS, True))
        self.code = button(tr("Copy as code"), "what_if_code", tr(
            "Copies Python that makes the same changes in the book's model"), "quiet", self._copy_code)
        self.said = label(tr(AXES), "muted", "what_if_said", wrap=True)

    def _connect(self) -> None:
        self.map.chosen.connect(self._choose)
        self.map.pointed.connect(lambda cell: self.said.setText(self.map.words(cell) if cell else tr(AXES)))
        self._changed.changed.connect(self._show_reading)
        self._link(self.effects, self._effects, self._effects_query, self.notice)
        self._link(self.texts, self._written, self._texts_query, self.texts.notice)
        for part in (self.controls, self.inputs, self.named_changes):
            part.intervened.connect(self._intervene)
        self.named_changes.named.connect(self._keep_named)
        self.effects.method_chosen.connect(self.consider)
        self.effects.component_chosen.connect(self._select)

    def _lay_out(self) -> None:
        change = with_layout(QWidget(), vbox(
            self.hint, self.tokens, self.controls, self.summary,
            hbox(self.reset, self.code, FREE, self.fold.button, spacing=8),
            self.controls.details, self.inputs, self.named_changes, FREE, spacing=8))
        self.fold.add(self.controls.details, lambda: self.controls.changes_details)
        self.fold.add(self.inputs, lambda: self.inputs.changes_input)
        self.fold.add(self.named_changes, lambda: bool(self.selection.named))
        pages = stacked(change, self.effects)
        self.side.chosen.connect(pages.setCurrentIndex)
        left = with_layout(QWidget(), vbox(
            grows(self.map, 1_000), self.said, self.texts, FREE, spacing=4))
        right = with_layout(QWidget(), vbox(self.side, pages, spacing=8))
        both = Reflow(left, right, stretch=(left, right), spacing=12)
        body = with_layout(QWidget(), vbox(
            self.outcome, self.notice, self.precision, grows(both), spacing=4, margins=(0, 4, 0, 0)))
        self.hold(scrolling(body, "what_if_scroll"))
