"""Page of the layer normalisation lab: an editable batch, its rows normalised step by step, and its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import Formula, LabPage, Matrix, column_of, fixed, lights, quiet_button, row_of
from gptstudio.gui.learn.kit.matrix import MINUS, behind_sign, summed
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Flow, HeightForWidth, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.layernorm import LayerNormAnswer, LayerNormRequest, NormalisedSide

DIGITS = 4, 3, 2  # decimals of the numbers in the rows: fewer if space is short
GAP, SPACING = 14, 8
ROOT, TIMES = "√", "×"
Change = Callable[[Sequence[Sequence[float]]], Iterable[Iterable[float]]]  # function of the batch, row by row


class Page(LabPage[LayerNormRequest, LayerNormAnswer]):
    """Page of the layer normalisation lab. Three lines of matrices show the rows, one the columns."""

    def text(self) -> Sequence[QWidget | str]:
        by_n = tr("sigma squared is the mean of the squared differences from mu")
        by_less = tr("sigma squared is the sum of the squared differences from mu, divided by n minus one")
        self.by = {False: _variance_formula("lab_layernorm_variance", "n", by_n),
                   True: _variance_formula("lab_layernorm_variance_less", "n - 1", by_less)}
        return (
            tr("The outputs of a layer may be large or small, close to zero or far from it, and that makes training "
               "hard. Layer normalisation scales every row, which is one token, to mean 0 and variance 1."),
            Formula("lab_layernorm_mean", r"\sym{mu}{\mu} = \frac{1}{n} \sum_i \sym{x}{x_i}",
                    tr("mu is the sum of a row's numbers divided by their count")),
            *self.by.values(),
            Formula("lab_layernorm_normalised",
                    r"\sym{hat}{\hat{x}_i} = \frac{\sym{x}{x_i} - \sym{mu}{\mu}}"
                    r"{\sqrt{\sym{var}{\sigma^2} + \sym{eps}{\varepsilon}}}",
                    tr("x hat is x minus mu, divided by the root of sigma squared plus epsilon")),
            Formula("lab_layernorm_out",
                    r"\sym{out}{y_i} = \sym{gamma}{\gamma} \, \sym{hat}{\hat{x}_i} + \sym{beta}{\beta}",
                    tr("y is gamma times x hat plus beta")),
            tr("The scale γ and the shift β are learned, one of each per column; here all columns share them. They "
               "start at 1 and 0, so that nothing changes at first; one variant starts the shift at 1."),
            tr("By default, torch's var() divides by n − 1; LayerNorm divides by n. With the 768 numbers of GPT-2 the "
               "difference is about a thousandth; with six numbers it is a fifth."))

    def make_stage(self) -> QWidget:
        def measured(numbers: np.ndarray, variance: int) -> str:
            return variance_of(numbers, int(self.request.unbiased)) if variance else mean_of(numbers)

        def normalised(side: NormalisedSide, cell: Cell, index: int) -> str:
            return normalising(self.answer.batch[cell], side, cell, index, self.request.eps)

        self.batch = self.linked("layernorm_batch", tr("batch x"), lambda cell: distance(self.answer, cell), "x",
                                 edited=partial(self.update_number, "batch"))
        self.mean = self.linked(
            "layernorm_row_mean", tr("mean μ"), lambda cell: mean_of(self.answer.batch[cell.row]), "mu")
        self.variance = self.linked("layernorm_row_variance", tr("variance σ²"),
                                    lambda cell: variance_of(self.answer.batch[cell.row], cell.column))
        self.normalised = self.linked(
            "layernorm_normalised", tr("normalised x̂"), lambda cell: normalised(self.answer.rows, cell, cell.row),
            "hat", tinted=True)
        self.after = self.linked("layernorm_after", tr("of each row"),
                                 lambda cell: measured(self.answer.rows.normalised[cell.row], cell.column))
        self.out = self.linked("layernorm_out", tr("output y"), lambda cell: scaling(self.request, self.answer, cell),
                               tinted=True)
        self.out_after = self.linked("layernorm_out_after", tr("of each row"),
                                     lambda cell: measured(self.answer.out[cell.row], cell.column))
        self.by_column = self.linked(
            "layernorm_by_column", tr("columns normalised"),
            lambda cell: normalised(self.answer.columns, cell, cell.column), tinted=True)
        self.columns = self.linked("layernorm_columns", tr("of each column"),
                                   lambda cell: measured(self.answer.batch[:, cell.column], cell.row))
        self._wide = self.batch, self.normalised, self.out, self.by_column, self.columns
        self.against = self.sentence("layernorm_against", self._comparison, "muted")
        self._link()
        by_rows = _lines(
            (self.batch, self.mean, self.variance), (self.normalised, self.after), (self.out, self.out_after))
        by_columns = in_column(
            HeightForWidth(), label(tr("For comparison: batch normalisation"), "heading"), self.against,
            _lines((self.by_column,), (self.columns,)), spacing=SPACING)
        problem = self.controls.problem_of("batch")
        return in_column(HeightForWidth(), self._shape_buttons(), problem, by_rows, by_columns, spacing=SPACING)

    def show_answer(self, answer: LayerNormAnswer) -> None:
        for digits in DIGITS:
            for matrix in self._wide:
                matrix.digits = digits
            self._show(answer)
            if self._widest() <= self.stage.room():
                break
        beside = self._widest() + sum(each.sizeHint().width() + GAP for each in (self.mean, self.variance))
        for matrix in (self.batch, self.normalised, self.out):  # aligns the matrices to their right, if possible
            matrix.setMinimumWidth(self._widest() if beside <= self.stage.room() else 0)

    def fit_stage(self) -> None:
        super().fit_stage()
        self.show_again()

    def _widest(self) -> int:
        return max(each.minimumSizeHint().width() for each in self._wide)

    def _show(self, answer: LayerNormAnswer) -> None:
        for unbiased, formula in self.by.items():
            formula.setVisible(unbiased == self.request.unbiased)
        rows, columns = answer.batch.shape
        names = [str(index + 1) for index in range(rows)], [str(index + 1) for index in range(columns)]
        self.batch.show_values(answer.batch, *names, equal=self._printed(answer.batch, "batch"))
        self.mean.show_values(answer.rows.mean[:, None], (), [""], equal=self._printed(answer.rows.mean, "mean"))
        self.variance.show_values(*_both(answer.rows, self.request.unbiased))
        self.normalised.show_values(
            answer.rows.normalised, *names, equal=self._printed(answer.rows.normalised, "normalised"))
        self.after.show_values(_stacked(answer.rows.after_mean, answer.rows.after_variance), (), _measures())
        self.out.show_values(answer.out, *names, equal=self._printed(answer.out, "output"))
        self.out_after.show_values(_stacked(answer.out_mean, answer.out_variance), (), _measures())
        self.by_column.show_values(answer.columns.normalised, *names)
        self.columns.show_values(np.stack([answer.columns.mean, answer.columns.variance]), ("μ", "σ²"), names[1])

    def _comparison(self, answer: LayerNormAnswer) -> str:
        if len(answer.batch) > 1:
            if np.isnan(answer.columns.normalised).any():
                return tr("Batch normalisation works on the columns, across all rows. A column of equal numbers has "
                          "variance 0: without epsilon that is 0 / 0, not a number (–).")
            return tr("Batch normalisation works on the columns, across all rows: change one row, and the others "
                      "change with it. Try removing rows until one is left.")
        if self.request.unbiased:
            return tr("With one row, each column holds a single number. Divided by n − 1, its variance is 0 / 0, not a "
                      "number, and batch normalisation is impossible. Layer normalisation is unaffected.")
        return tr("With one row, each column holds a single number, which is its own mean: batch normalisation always "
                  "turns it into 0. Layer normalisation is unaffected.")

    def _set(self, change: Change) -> None:
        self.update_request(batch=tuple(map(tuple, change(self.request.batch))))

    def _shape_buttons(self) -> Flow:
        changes: tuple[tuple[str, str, str, Change], ...] = (
            (tr("+ row"), tr("Add a row"), "add_row", lambda x: [*x, range(1, len(x[0]) + 1)]),
            (tr("− row"), tr("Remove the last row"), "drop_row", lambda x: x[:-1]),
            (tr("+ column"), tr("Add a column"), "add_column", lambda x: [[*each, 0.0] for each in x]),
            (tr("− column"), tr("Remove the last column"), "drop_column", lambda x: [each[:-1] for each in x]))
        flow = Flow(spacing=4)
        for text, tip, name, change in changes:
            made = quiet_button(text, f"layernorm_{name}", tip, partial(self._set, change))
            made.setAccessibleName(tip)
            flow.addWidget(made)
        return flow

    def _printed(self, values: np.ndarray, what: str) -> np.ndarray | None:
        """Return the mask of a matrix's numbers that match the book's for the current example, or None."""
        places = {
            "batch": [("layernorm", "out"), ("book", "batch_example")], "mean": [("layernorm", "mean")],
            "normalised": [("layernorm", "normalised")], "output": [("layernorm", "layernorm_class_on_input")]}[what]
        example = next((example.name for example in self.lab.examples if example.request == self.request), None)
        for place in places:
            found = self.comparisons[place]
            if found.figure.example == example and found.equal is not None:
                return found.equal.reshape(len(values), -1)
        return None

    def _link(self) -> None:
        self.links.add("var", self.variance, lambda _: self._used())
        self.links.add("eps", self.variance, lambda _: self._used())
        for key in ("out", "gamma", "beta"):
            self.links.add(key, self.out)
        for matrix in (self.mean, self.variance, self.normalised, self.after, self.out, self.out_after):
            lights(matrix, self.batch, lambda cell: row_of(self.batch, cell.row))
            lights(matrix, self.mean, lambda cell: [Cell(cell.row, 0)])
            lights(matrix, self.variance, lambda cell: [each for each in self._used() if each.row == cell.row])
        for matrix in (self.by_column, self.columns):
            lights(matrix, self.batch, lambda cell: column_of(self.batch, cell.column))
            lights(matrix, self.columns, lambda cell: column_of(self.columns, cell.column))
        lights(self.batch, self.normalised, lambda cell: row_of(self.normalised, cell.row))
        lights(self.batch, self.out, lambda cell: row_of(self.out, cell.row))
        lights(self.batch, self.by_column, lambda cell: column_of(self.by_column, cell.column))

    def _used(self) -> list[Cell]:
        """Return the cells of the variances that are used as divisors."""
        return [Cell(row, int(self.request.unbiased)) for row in range(len(self.batch.values))]


def _variance_formula(name: str, divisor: str, spoken: str) -> Formula:
    latex = rf"\sym{{var}}{{\sigma^2}} = \frac{{1}}{{{divisor}}} \sum_i (\sym{{x}}{{x_i}} - \sym{{mu}}{{\mu}})^2"
    return Formula(name, latex, spoken)


def _lines(*lines: Sequence[Matrix]) -> QWidget:
    """Stack lines of matrices, each of which wraps if necessary."""
    return in_column(HeightForWidth(), *(Flow(*line, spacing=GAP) for line in lines), spacing=SPACING)


def _stacked(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return means and variances as columns: (N,), (N,) -> (N, 2)."""
    return np.stack([mean, variance], axis=1)


def _both(side: NormalisedSide, unbiased: bool) -> tuple[np.ndarray, Sequence[str], Sequence[str]]:
    """Return both variances, (N, 2), and the names of their columns, with an arrow at the one in use."""
    names = ["÷ n", "÷ n − 1"]
    names[unbiased] = "▸ " + names[unbiased]
    return _stacked(side.by_n, side.by_less), (), names


def _measures() -> tuple[str, str]:
    return tr("mean"), tr("variance")


def mean_of(numbers: np.ndarray) -> str:
    return f"({summed([behind_sign(each) for each in numbers])}) / {len(numbers)} = {fixed(numbers.mean())}"


def variance_of(numbers: np.ndarray, less: int) -> str:
    mean, divisor = numbers.mean(), len(numbers) - less
    squares = float(((numbers - mean) ** 2).sum())
    terms = summed([f"({fixed(each)} {MINUS} {behind_sign(mean)})²" for each in numbers])
    result = fixed(squares / divisor) if divisor else "–"
    return f"({terms}) / {divisor} = {fixed(squares)} / {divisor} = {result}"


def distance(answer: LayerNormAnswer, cell: Cell) -> str:
    x, mean = answer.batch[cell], answer.rows.mean[cell.row]
    return tr("Difference from the mean of its row: {sum}. Double-click to change it.",
              sum=f"{fixed(x)} {MINUS} {behind_sign(mean)} = {fixed(x - mean)}")


def normalising(x: float, side: NormalisedSide, cell: Cell, index: int, eps: float) -> str:
    """Return the arithmetic of a cell, normalised with the mean and variance of ``index``: its row or its column."""
    spread = fixed(side.variance[index]) + (f" + {np.format_float_positional(eps)}" if eps else "")
    root = f"{ROOT}({spread})"
    return f"({fixed(x)} {MINUS} {behind_sign(side.mean[index])}) / {root} = {fixed(side.normalised[cell])}"


def scaling(request: LayerNormRequest, answer: LayerNormAnswer, cell: Cell) -> str:
    hat, y = answer.rows.normalised[cell], answer.out[cell]
    return f"{request.scale:g} {TIMES} {behind_sign(hat)} + {request.shift:g} = {fixed(y)}".replace("-", MINUS)
