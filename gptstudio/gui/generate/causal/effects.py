"""Diagram of the model's components, list of their effects on the chosen token, and export of the values.

The diagram has a row for each layer, with a column for each head and for the feed-forward network (MLP). The first
layer is at the bottom. A cross marks a component that is off, a number its scale, a dot a disagreement of methods.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from gptstudio import files
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.generate.causal.change_controls import component_name
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.plots.grid_view import Grid
from gptstudio.gui.plots.shades import Floats, Range
from gptstudio.gui.save_as import ask_where, write_to
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, WrappedLabel, button, label, named, set_blocker
from gptstudio.i18n import fixed, message, with_minus
from gptstudio.inference.interventions import Component


class TableExport(QPushButton):
    """Button that saves a table. ``table``: returns the rows, first the headings; ``proposed``: file name without
    suffix."""

    def __init__(self, name: str, proposed: str, table: Callable[[], Sequence[Sequence[object]]]) -> None:
        super().__init__(tr("Save as CSV…"))
        named(self, name, tr("Save as CSV…"))
        self.setToolTip(tr("Saves every figure of the map as a table"))
        self.setAutoDefault(False)
        self.notice = Notice(f"{name}_notice")
        self._proposed, self._table = proposed, table
        self.clicked.connect(self._request)

    def save(self, path: Path) -> None:
        """Write the table."""
        write_to(self, path, lambda to: files.save_csv(to, self._table()), self.notice.setText)

    def _request(self) -> None:
        if path := ask_where(self, f"{self._proposed}.csv"):
            self.save(path)


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
LISTED = 10
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
        rows = sorted(effects.by_component(), key=lambda row: -abs(row[1][self.name]))[:LISTED]
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
