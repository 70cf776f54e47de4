"""Table model of a choice: a row for each of the most likely tokens, a column for each stage in its order. All texts of
the :class:`TokenChoice` are made once, so that painting is fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from gptstudio.gpt.sampling.arrays import Mask
from gptstudio.gpt.sampling.numbers import logit
from gptstudio.gpt.sampling.stage import Step
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.stage_texts import Column, TokenChoice
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.parts import plain
from gptstudio.i18n import message

Index = QModelIndex | QPersistentModelIndex
UNCHANGED = "="
SEPARATOR = "  ·  "


@dataclass(frozen=True)
class CandidateRow:
    """Row of one token, or of all unlisted tokens together.

    Attributes:
        token: ID of the token; None for the unlisted tokens.
        cells: text of each column.
        cut_from: column of the stage that removes it; the column after the stages if it is kept.
        reasons: the reason why it was removed, the longest text first.
        before, after: its probability before and after the stages.
        drawn: its fraction of the draws; None without draws.
        expected: expected number of draws, as text.
        came: True if it is the token in the text.
        changed: its probability with the changes of "What if"; None without changes.
        table: its probability by the table of 3-grams; None without a table.
        by_table: ``table`` as text; empty without a table.
    """

    token: int | None
    cells: tuple[str, ...]
    cut_from: int
    reasons: tuple[str, ...]
    before: float
    after: float
    drawn: float | None
    expected: str
    came: bool
    changed: float | None = None
    table: float | None = None
    by_table: str = ""

    @property
    def name(self) -> str:
        return self.cells[0]

    @property
    def outcome(self) -> str:
        return self.reasons[0] if self.reasons else percent(self.after)


class StageModel(QAbstractTableModel):
    """Model with the columns token, logit, the stages in their order, running sum, probability, and draws.

    Attributes:
        lines: texts above rows, by row, at the borders between the tokens that stages keep and those that they remove.
    """

    def __init__(self) -> None:
        super().__init__()
        self.choice: TokenChoice | None = None
        self.rows: list[CandidateRow] = []
        self.lines: dict[int, str] = {}
        self.columns: tuple[Column, ...] = ()
        self._rest: Mask = np.zeros(0, dtype=bool)

    def show(self, choice: TokenChoice, count: int) -> None:
        """Show the ``count`` most probable tokens of a choice, with the sampled token above them if it is not among
        them."""
        columns: tuple[Column, ...] = ("token", "logit", *choice.sampling_params.shown(), "sum", "probability", "draws")
        size = choice.stages.logits.size
        ids = choice.stages.likeliest(count).tolist()
        apart = choice.token not in ids and choice.token < size
        ids = [choice.token, *ids] if apart else ids
        self._rest = np.ones(size, dtype=bool)
        self._rest[ids] = False
        rows = [_row(choice, token) for token in ids]
        rows += [_rest_row(choice, self._rest)] if self._rest.any() else []
        same = len(rows) == len(self.rows) and columns == self.columns
        if not same:
            self.beginResetModel()
        self.choice, self.rows, self.columns = choice, rows, columns
        self.lines = _lines(choice, ids, apart, len(rows))
        if same:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))
        else:
            self.endResetModel()

    def stage(self, column: int) -> str | None:
        """Return the stage of a column; None if it is not the column of a stage."""
        inside = self.choice and 2 <= column < self.columns.index("sum")
        return self.columns[column] if inside else None

    def explain(self, row: int, column: int) -> str:
        if self.choice is None:
            return ""
        token = self.rows[row].token
        if token is None:
            return stage_texts.of_rest(self.choice, self._rest, self.columns[column])
        return stage_texts.of_token(self.choice, token, self.columns[column])

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.cells[column]
            case Qt.ItemDataRole.AccessibleTextRole:
                if self.columns[column] == "probability" and row.by_table:
                    return joined(".  ", row.cells[column], row.by_table)
                words = row.outcome if row.cut_from <= column < self.columns.index("sum") else row.cells[column]
                line = self.lines.get(index.row(), "") if column == 0 else ""
                return joined(".  ", line, words) if line else words
            case Qt.ItemDataRole.ToolTipRole:
                return plain(self.explain(index.row(), column))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not self.choice:
            return None
        stage = self.stage(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return stage_texts.name(stage) if stage else tr(HEADINGS[self.columns[section]])
        if role == Qt.ItemDataRole.ToolTipRole and stage:
            drag = tr("Drag, or press Alt and an arrow key in its column, to apply it earlier or later.")
            return f"{stage_texts.title(stage)}\n{stage_texts.help_of(stage)}\n{drag}"
        if role == Qt.ItemDataRole.ToolTipRole and self.columns[section] == "sum":
            return tr(SUM_HELP)
        return None


HEADINGS = {"token": message("Token"), "logit": message("Logit"), "sum": message("Sum"),
            "probability": message("Probability"), "draws": message("Drawn")}
SUM_HELP = message(
    "Running sum: the probabilities of this token and of all that are more likely, as top-p gets them, after the "
    "stages before it. Top-p keeps tokens until the sum reaches its value.")


def _shown(choice: TokenChoice) -> list[Step]:
    shown = choice.sampling_params.shown()
    return [step for step in choice.stages.steps if step.stage.name in shown]


def _row(choice: TokenChoice, token: int) -> CandidateRow:
    stages = choice.stages
    before, after = float(stages.plain[token]), float(stages.probabilities[token])
    steps = _shown(choice)
    values = [float(step.after[token]) for step in steps]
    left = next((i for i, value in enumerate(values) if value == -np.inf), len(values))
    cells = [
        UNCHANGED if step.stage.is_off else logit(value)
        for step, value in zip(steps[:left], values, strict=False)
    ]
    drawn, count, expected = _drawn(choice, None if choice.draws is None else int(choice.draws[token]), after)
    total = choice.running_sum(token)
    why = stage_texts.reasons(choice, token) or (() if left == len(values) else (tr("impossible"),))
    return CandidateRow(
        token,
        (choice.tokenizer.visible(token), logit(float(stages.logits[token])), *cells, *[""] * (len(values) - left),
         "" if total is None else _percent(total), _percent(after), count),
        2 + left, why, before, after, drawn, expected, token == choice.token,
        *_beside(choice, token))


def _rest_row(choice: TokenChoice, rest: Mask) -> CandidateRow:
    """Return the row of the unlisted tokens: in the column of each stage, how many of them it keeps."""
    stages = choice.stages
    before, after = float(stages.plain[rest].sum()), float(stages.probabilities[rest].sum())
    keeps = [np.count_nonzero(step.after[rest] > -np.inf) if step.cut.any() else -1 for step in _shown(choice)]
    drawn, count, expected = _drawn(choice, None if choice.draws is None else int(choice.draws[rest].sum()), after)
    cells = [UNCHANGED if kept < 0 else tr("{n} kept", n=f"{kept:,}") for kept in keeps]
    others = tr("{n} more", n=f"{np.count_nonzero(rest):,}")
    texts = (others, "", *cells, "", _percent(after), count)
    return CandidateRow(
        None, texts, 2 + len(cells), (), before, after, drawn, expected, False, *_beside(choice, rest))


def _lines(choice: TokenChoice, ids: list[int], apart: bool, rows: int) -> dict[int, str]:
    """Return the texts above rows: what a stage keeps, below the last kept token if all kept tokens are listed.

    Args:
        ids: IDs of the listed tokens.
        apart: True if the first of them is the sampled token above the most likely ones.
        rows: number of rows, including that of the unlisted tokens.
    """
    words: dict[int, list[str]] = {}
    for border in stage_texts.borders(choice):
        kept = [place for place, token in enumerate(ids) if border.kept[token]]
        last = max((place for place in kept if place >= apart), default=apart - 1)
        if np.count_nonzero(border.kept) == len(kept):
            words.setdefault(min(rows - 1, last + 1), []).append(border.words)
    return {place: joined(SEPARATOR, *some) for place, some in words.items()}


def _beside(choice: TokenChoice, tokens: Mask | int) -> tuple[float | None, float | None, str]:
    """Return the probability of tokens with the changes of "What if", by the table of 3-grams, and the latter as
    text."""
    changed, table = (
        None if shares is None else float(shares[tokens].sum()) for shares in (choice.changed, choice.table))
    return changed, table, "".join(stage_texts.by_table(choice, tokens))


def _drawn(choice: TokenChoice, count: int | None, probability: float) -> tuple[float | None, str, str]:
    """Return the fraction of the draws, and as text their number (empty at probability 0) and the expected number."""
    if choice.draws is None or count is None:
        return None, "", ""
    total = int(choice.draws.sum())
    return count / total, f"{count:,}" if probability else "", stage_texts.expected(probability * total)


def _percent(probability: float) -> str:
    return percent(probability) if probability else "0"
