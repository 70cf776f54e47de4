"""Arithmetic of each number on the page, with its values, and the cells that it came from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.learn.kit import across, down
from gptstudio.gui.translation import tr
from gptstudio.i18n import with_minus
from gptstudio.labs.attention import AttentionAnswer, AttentionRequest, Head


class Explanation(NamedTuple):
    """Arithmetic of one cell as text; the cells that went into it, by matrix name."""

    words: str
    lit: Mapping[str, Iterable[Cell]] = {}


class Arithmetic:
    """Of one answer and one of its heads. :meth:`of` explains a cell of a matrix by the matrix's name."""

    def __init__(self, request: AttentionRequest, answer: AttentionAnswer, head: Head) -> None:
        self._request, self._answer, self._head, self._words = request, answer, head, answer.words
        self._masks = request.mask if request.reaches("mask") else "none"

    def of(self, name: str, cell: Cell) -> Explanation:
        if name.startswith("w_"):
            return Explanation(tr("Initialised at random. Training would change it."))
        explanations: dict[str, Callable[[Cell], Explanation]] = {
            "inputs": self._input, "masked": lambda cell: Explanation(self._later(cell) or self._scaled(cell).words),
            "queries": lambda cell: self._projected(cell, "w_query", self._head.w_query),
            "keys": lambda cell: self._projected(cell, "w_key", self._head.w_key),
            "values": lambda cell: self._projected(cell, "w_value", self._head.w_value),
            "scores": self._score, "scaled": self._scaled, "before": self._before,
            "unmasked": self._unmasked, "cut": self._cut, "after": self._after,
            "both": self._both, "weights": self._weights, "dropped": self._dropped, "context": self._context}
        return explanations[name](cell)

    def _input(self, cell: Cell) -> Explanation:
        value = number(self._answer.inputs[cell])
        return Explanation(tr("Number {place} of “{word}”: {value}. Double-click to change it. Click the word to make "
                              "it the query.", place=cell.column + 1, word=self._words[cell.row], value=value))

    def _projected(self, cell: Cell, name: str, matrix: np.ndarray) -> Explanation:
        row = self._answer.inputs[cell.row]
        return Explanation(sum_of_products(row, matrix[:, cell.column]),
                           {"inputs": across(cell.row, row.size), name: down(cell.column, row.size)})

    def _score(self, cell: Cell) -> Explanation:
        query, key = self._head.queries[cell.row], self._head.keys[cell.column]
        said = tr("“{query}” · “{key}”:  {sum}", query=self._words[cell.row], key=self._words[cell.column],
                  sum=sum_of_products(query, key))
        if not self._request.reaches("weights"):
            return Explanation(said, {"inputs": [*across(cell.row, query.size), *across(cell.column, key.size)]})
        return Explanation(said, {"queries": across(cell.row, query.size), "keys": across(cell.column, key.size)})

    def _scaled(self, cell: Cell) -> Explanation:
        score, value = number(self._head.scores[cell]), number(self._head.scaled[cell])
        divided = f"{score} / √{self._head.keys.shape[1]} = {value}"
        return Explanation(
            divided if self._request.scale else tr("{value}, not scaled", value=value), {"scores": [cell]})

    def _before(self, cell: Cell) -> Explanation:
        return self._softmax(cell, "masked", self._head.masked, self._head.before)

    def _unmasked(self, cell: Cell) -> Explanation:
        return self._softmax(cell, "scaled", self._head.scaled, self._head.unmasked)

    def _softmax(self, cell: Cell, name: str, scores: np.ndarray, weights: np.ndarray) -> Explanation:
        said = softmax(scores[cell.row], cell.column, weights[cell])
        return Explanation(said, {name: across(cell.row, scores.shape[1])})

    def _cut(self, cell: Cell) -> Explanation:
        said = self._later(cell) or tr("{value}, unchanged: not a later word", value=number(self._head.unmasked[cell]))
        return Explanation(said, {"unmasked": [cell]})

    def _after(self, cell: Cell) -> Explanation:
        row = self._head.cut[cell.row]
        said = f"{number(row[cell.column])} / {number(row.sum())} = {number(self._head.after[cell])}"
        return Explanation(said, {"cut": across(cell.row, row.size)})

    def _both(self, cell: Cell) -> Explanation:
        """A row for each way, and their difference; the last column is the sum of the row."""
        query = self._request.query - 1
        ways = [self._head.before[query], self._head.after[query], self._head.cut[query]]
        there = Cell(query, cell.column)
        if cell.row == 3:
            apart = np.append(ways[1] - ways[0], (ways[1] - ways[0]).sum())[cell.column]
            last, first = (np.append(way, way.sum())[cell.column] for way in (ways[1], ways[0]))
            return Explanation(f"{number(last)} − {number(first)} = {power(apart)}")
        if cell.column == ways[0].size:
            row = ways[cell.row]
            return Explanation(f"{' + '.join(number(each) for each in row)} = {number(row.sum())}")
        name = ("before", "after", "cut")[cell.row]
        return Explanation(self._later(there) or self.of(name, there).words, {name: [there]})

    def _weights(self, cell: Cell) -> Explanation:
        if self._masks == "none":
            before = self._unmasked(cell)
            lit = before.lit if self._request.reaches("weights") else {"scores": before.lit["scaled"]}
            return Explanation(before.words, lit)
        if self._masks == "before":
            return Explanation(self._later(cell) or self._before(cell).words)
        after = self._after if self._request.renormalise else self._unmasked
        return Explanation(self._later(cell) or after(cell).words)

    def _dropped(self, cell: Cell) -> Explanation:
        weight, dropped = self._head.weights[cell], self._head.dropped[cell]
        if weight and not dropped:
            return Explanation(tr("{value} is dropped: 0", value=number(weight)), {"weights": [cell]})
        if not self._request.rate:
            return self._weights(cell)
        said = f"{number(weight)} / (1 − {number(self._request.rate)}) = {number(dropped)}"
        return Explanation(said, {"weights": [cell]})

    def _context(self, cell: Cell) -> Explanation:
        weights, values = self._head.dropped[cell.row], self._head.values[:, cell.column]
        mixed = {"products": "inputs"}.get(self._request.stage, "values")
        by_mask = {"before": "before", "after": "after" if self._request.renormalise else "cut", "none": "unmasked"}
        used = {"mask": by_mask[self._masks], "dropout": "dropped", "heads": "dropped"}.get(
            self._request.stage, "weights")
        return Explanation(sum_of_products(weights, values),
                           {used: across(cell.row, weights.size), mixed: down(cell.column, weights.size)})

    def _later(self, cell: Cell) -> str:
        """Return the reason a cell is empty; empty text if it is not."""
        if cell.column <= cell.row:
            return ""
        return tr("“{key}” comes after “{query}”, so the mask hides it.", key=self._words[cell.column],
                  query=self._words[cell.row])


def number(value: float) -> str:
    """With four decimals at most."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    short = f"{value:.4f}".rstrip("0").rstrip(".")
    return with_minus("0" if short == "-0" else short)


def factor(value: float) -> str:
    """A number behind a sign of its own."""
    return f"({number(value)})" if value < 0 else number(value)


def power(value: float) -> str:
    """Format a value too small for four decimals, as 3e−08."""
    return number(value) if not value or abs(value) >= 1e-4 else with_minus(f"{value:.0e}")


def sum_of_products(left: np.ndarray, right: np.ndarray) -> str:
    """'0.55·0.43 + 0.87·0.15 = 0.367'."""
    terms = (f"{factor(a)}·{factor(b)}" for a, b in zip(left, right, strict=True))
    return f"{' + '.join(terms)} = {number(float(left @ right))}"


def softmax(scores: np.ndarray, place: int, weight: float) -> str:
    """'e^0.95 / (e^0.95 + e^1.5) = 2.59 / 7.07 = 0.366'. What is minus infinity adds nothing, and is left out."""
    if np.isneginf(scores[place]):
        return "e^−∞ = 0"
    raised = " + ".join(f"e^{number(each)}" for each in scores if not np.isneginf(each))
    with np.errstate(over="ignore"):
        powers = np.exp(scores.astype(np.float64))
    between = f"{number(powers[place])} / {number(powers.sum())} = " if powers.sum() < 1e6 else ""
    return f"e^{number(scores[place])} / ({raised}) = {between}{number(weight)}"
