"""Texts about the sampling stages: their names, their settings, and the arithmetic behind each number of a choice; and
the table model of a choice, with a row for each of the most likely tokens and a column for each stage in its order.

Inputs are written with up to four decimals, so that recomputing a line gives its result. All texts of a
:class:`TokenChoice` are made once, so that painting is fast. numpy only, no torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from gptstudio.data.ngram import NgramTable
from gptstudio.fields import allowed, fields_of
from gptstudio.gpt.sampling import STAGES
from gptstudio.gpt.sampling.arrays import Floats, Mask
from gptstudio.gpt.sampling.logits import rank, softmax
from gptstudio.gpt.sampling.numbers import distinct_from, logit, number
from gptstudio.gpt.sampling.params import SamplingFields, SamplingParams
from gptstudio.gpt.sampling.sampler import Distribution, distribution
from gptstudio.gpt.sampling.stage import Step
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.parts import plain
from gptstudio.i18n import message

FIELDS = {view.name: view for view in fields_of(SamplingFields)}


def name(stage: str) -> str:
    return tr(STAGES[stage].label)


def short(stage: str) -> str:
    return tr(STAGES[stage].short)


def in_text(stage: str) -> str:
    return tr(STAGES[stage].phrase)


def title(stage: str) -> str:
    return tr(FIELDS[stage].label)


def help_of(stage: str) -> str:
    """Return the description of a stage and its allowed values."""
    view = FIELDS[stage]
    return joined("\n", tr(view.help), tr("Allowed: {what}.", what=allowed(view)))


def value_text(value: float) -> str:
    """Return the value of a parameter, with two decimals or as many as it has."""
    return f"{value:,}" if isinstance(value, int) else max(f"{value:.2f}", f"{value:g}", key=len)


def setting(sampling_params: SamplingParams, stage: str) -> str:
    """Return the setting of a stage; "off" if it has no effect."""
    if not sampling_params.changes(stage):
        return tr("off")
    return f"{getattr(sampling_params, stage):,.6g}"


Counts = NDArray[np.intp]
Column = str | Literal["token", "logit", "sum", "probability", "draws"]
NUCLEUS = "top_p"
"""Stage whose input distribution the running sum adds up."""
BORDERS = ("top_k", "top_p", "min_p")
"""Stages that keep the most likely tokens of their input."""
LISTED = 3
"""Maximum number of terms of a sum written in full; of a longer sum, only the largest term is written."""


@dataclass(frozen=True)
class TokenChoice:
    """Candidates at one position of a text, and the token that followed.

    Attributes:
        context: IDs of the tokens before it.
        token: ID of the token in the text.
        draws: how often each token (V,) occurred in test draws; None before any draws.
        changed: probabilities (V,) with the changes of "What if"; None without changes.
        table: probabilities (V,) by a table of the 3-grams of the training text; None without a table.
        tokenizer: tokenizer of the IDs.
    """

    stages: Distribution
    sampling_params: SamplingParams
    context: tuple[int, ...]
    token: int
    draws: Counts | None = None
    changed: Floats | None = None
    table: Floats | None = None
    tokenizer: Tokenizer = GPT2

    @classmethod
    def of(
        cls, logits: Floats, sampling_params: SamplingParams, context: Sequence[int], token: int,
        tokenizer: Tokenizer = GPT2,
    ) -> TokenChoice:
        """Return the choice for these logits (V,) and sampling parameters.

        Raises:
            BrokenLogits: some logits are not numbers.
        """
        stages = distribution(logits, sampling_params, context)
        return cls(stages, sampling_params, tuple(context), token, tokenizer=tokenizer)

    def with_change(self, logits: Floats) -> TokenChoice:
        """Return a copy with the probabilities of other logits (V,) as ``changed``."""
        changed = distribution(logits, self.sampling_params, self.context).probabilities
        return replace(self, changed=changed)

    def with_table(self, table: NgramTable) -> TokenChoice:
        """Return a copy with the probabilities of a table."""
        shares, found = np.zeros(self.stages.logits.size), table.probabilities(self.context)[: self.stages.logits.size]
        shares[: found.size] = found
        return replace(self, table=shares)

    def step(self, stage: str) -> Step:
        return next(step for step in self.stages.steps if step.stage.name == stage)

    @cached_property
    def nucleus(self) -> Floats:
        """Input probabilities (V,) of top-p, after the stages before it."""
        return softmax(self.step(NUCLEUS).before)

    def ahead(self, token: int) -> Mask:
        """Return a mask (V,) of the tokens that top-p ranks above a token; among equals, the lower ID comes first."""
        values = self.step(NUCLEUS).before
        before: Mask = np.arange(values.size) < token
        above: Mask = (values > values[token]) | (values == values[token]) & before
        return above

    def running_sum(self, token: int) -> float | None:
        """Return the sum of the input probabilities of top-p over a token and all tokens ranked above it; None for a
        token that was removed before."""
        if self.step(NUCLEUS).before[token] == -np.inf:
            return None
        return round(float(self.nucleus[self.ahead(token)].sum() + self.nucleus[token]), 12)  # 1 for the last one


def of_token(choice: TokenChoice, token: int, column: Column) -> str:
    """Return the arithmetic of a cell for one token."""
    match column:
        case "token":
            return _named(choice, token)
        case "logit":
            return _logit(choice, token)
        case "sum":
            return _running_sum(choice, token)
        case "probability":
            return _probability(choice, token)
        case "draws":
            return _draws(choice, np.arange(choice.stages.logits.size) == token)
        case stage:
            return _stage(choice, token, stage)


def of_rest(choice: TokenChoice, rest: Mask, column: Column) -> str:
    """Return the arithmetic of a cell for all tokens of the mask ``rest`` (V,) together."""
    stages, n = choice.stages, f"{np.count_nonzero(rest):,}"
    match column:
        case "token" | "logit":
            return tr("All {n} unlisted tokens together", n=n)
        case "sum":
            return tr("As top-p gets them: {p}", p=share(choice.nucleus[rest].sum()))
        case "probability":
            summed = tr("Sum over {n} tokens: {before} before, {after} after", n=n,
                        before=share(stages.plain[rest].sum()), after=share(stages.probabilities[rest].sum()))
            return joined(".  ", summed, *by_table(choice, rest))
        case "draws":
            return _draws(choice, rest)
        case stage:
            kept = np.count_nonzero(choice.step(stage).after[rest] > -np.inf)
            return tr("{kept} of the {n} unlisted tokens are kept", kept=f"{kept:,}", n=n)


def reasons(choice: TokenChoice, token: int) -> tuple[str, ...]:
    """Return the reason why a token was removed in several lengths, the longest first; empty if it was kept."""
    step = choice.stages.cut_by(token)
    return tuple(map(tr, step.stage.reasons(step, token))) if step else ()


def by_table(choice: TokenChoice, tokens: Mask | int) -> tuple[str, ...]:
    """Return the probability of tokens by the table of 3-grams, as text; empty without a table."""
    if choice.table is None:
        return ()
    return (tr("Table of 3-grams: {p}", p=share(float(choice.table[tokens].sum()))),)


@dataclass(frozen=True)
class Border:
    """Border between the tokens that a stage keeps and those that it removes.

    Attributes:
        stage: name of the stage.
        kept: mask (V,) of the tokens that it keeps.
        probability: sum of the input probabilities of these tokens.
    """

    stage: str
    kept: Mask
    probability: float

    @property
    def words(self) -> str:
        count, values = np.count_nonzero(self.kept), {"stage": in_text(self.stage), "p": percent(self.probability)}
        if count == 1:
            return tr("{stage} keeps 1 token, {p}", **values)
        return tr("{stage} keeps {n} tokens, {p}", n=f"{count:,}", **values)


def borders(choice: TokenChoice) -> list[Border]:
    """Return the borders of those of top-k, top-p and min-p that remove any token, in the order of the stages."""
    steps = [step for step in choice.stages.steps if step.stage.name in BORDERS and step.cut.any()]
    kept = [step.after > -np.inf for step in steps]
    return [Border(step.stage.name, mask, float(softmax(step.before)[mask].sum()))
            for step, mask in zip(steps, kept, strict=True)]


def share(value: float) -> str:
    """Return a probability with three significant digits, or with more if it would be rounded to 1."""
    return distinct_from(value, 1.0) if value < 1 else "1"


def _named(choice: TokenChoice, token: int) -> str:
    values = {
        "token": choice.tokenizer.visible(token), "id": f"{token:,}", "n": f"{choice.stages.logits.size:,}",
        "place": f"{rank(choice.stages.logits, token):,}",
    }
    if token in choice.context:
        return tr("{token}: ID {id}, model rank {place} of {n}, already in the text", **values)
    return tr("{token}: ID {id}, model rank {place} of {n}", **values)


def _logit(choice: TokenChoice, token: int) -> str:
    logits = choice.stages.logits
    x, below = number(logits[token]), number(logits.max() - logits[token])
    if token == logits.argmax():
        return tr("The model's logit is {x}, the highest", x=x)
    return tr("The model's logit is {x}, {d} below the highest", x=x, d=below)


def _stage(choice: TokenChoice, token: int, stage: str) -> str:
    step = choice.step(stage)
    before = float(step.before[token])
    if before == -np.inf:
        by = choice.stages.cut_by(token)
        return tr("Already removed by {stage}", stage=by.stage.phrase) if by else tr("The model gives it probability 0")
    if step.stage.is_off:
        words = in_text(stage)
        return tr("{stage} is off: it stays {x}", stage=words[:1].upper() + words[1:], x=number(before))
    return tr(step.stage.explain(step, token, choice.context))


def _running_sum(choice: TokenChoice, token: int) -> str:
    total = choice.running_sum(token)
    if total is None:
        return tr("Removed before top-p")
    above = float(choice.nucleus[choice.ahead(token)].sum())
    return tr("The tokens ranked above it sum to {above}, with its own {p} to {sum}, as top-p gets them",
              above=share(above), p=share(float(choice.nucleus[token])), sum=share(total))


def _probability(choice: TokenChoice, token: int) -> str:
    stages = choice.stages
    before = tr("Before: {sum} = {p}", sum=_softmax(choice, token, stages.logits, False), p=share(stages.plain[token]))
    if choice.changed is not None:
        before = joined(".  ", before, tr("With the change: {p}", p=share(choice.changed[token])))
    before = joined(".  ", before, *by_table(choice, token))
    if not stages.kept[token]:
        by = stages.cut_by(token)
        cut = tr("Removed by {stage}: 0", stage=by.stage.phrase) if by else tr("Impossible: 0")
        return joined(".  ", cut, before)
    after = tr(
        "{sum} = {p}", sum=_softmax(choice, token, stages.steps[-1].after, True), p=share(stages.probabilities[token]))
    return joined(".  ", after, before)


def _softmax(choice: TokenChoice, token: int, values: Floats, staged: bool) -> str:
    """Return the softmax as text: exp of the token's logit over the sum of exp over all remaining tokens."""
    def power(each: int) -> str:
        return tr("exp({x})", x=expression(choice, each) if staged else number(values[each]))

    left = np.count_nonzero(values > -np.inf)
    if left == 1:
        return f"{power(token)} / {power(token)}"
    if left <= LISTED:
        ids = sorted(np.flatnonzero(values > -np.inf).tolist(), key=lambda each: -values[each])
        return f"{power(token)} / ({' + '.join(map(power, ids))})"
    return tr("{x} / ({top} + …, {n} tokens in all)", x=power(token), top=power(int(values.argmax())), n=f"{left:,}")


def expression(choice: TokenChoice, token: int) -> str:
    """Return the logit after all stages as an expression in the model's logit: '6.28/1.2/1.4'."""
    text = number(choice.stages.logits[token])
    for step in choice.stages.steps:
        if not step.stage.is_off:
            text = step.stage.expression(text, step, token, choice.context)
    return text


def _draws(choice: TokenChoice, tokens: Mask) -> str:
    if choice.draws is None:
        return tr("Nothing drawn yet")
    n, probability = choice.draws.sum(), choice.stages.probabilities[tokens].sum()
    return tr(
        "Drawn {count} times out of {n}; expected: {p} × {n} = {expected}",
        count=f"{choice.draws[tokens].sum():,}", n=f"{n:,}", p=share(probability), expected=expected(probability * n))


def expected(count: float) -> str:
    """Return an expected count, with one decimal if it is below 10."""
    return f"{count:,.1f}" if 0 < count < 10 else f"{count:,.0f}"


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
            return of_rest(self.choice, self._rest, self.columns[column])
        return of_token(self.choice, token, self.columns[column])

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
            return name(stage) if stage else tr(HEADINGS[self.columns[section]])
        if role == Qt.ItemDataRole.ToolTipRole and stage:
            drag = tr("Drag, or press Alt and an arrow key in its column, to apply it earlier or later.")
            return f"{title(stage)}\n{help_of(stage)}\n{drag}"
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
    steps = _shown(choice)
    values = [float(step.after[token]) for step in steps]
    left = next((i for i, value in enumerate(values) if value == -np.inf), len(values))
    cells = [
        UNCHANGED if step.stage.is_off else logit(value)
        for step, value in zip(steps[:left], values, strict=False)
    ]
    total = choice.running_sum(token)
    why = reasons(choice, token) or (() if left == len(values) else (tr("impossible"),))
    return _candidate(
        choice, token,
        (choice.tokenizer.visible(token), logit(float(choice.stages.logits[token])), *cells,
         *[""] * (len(values) - left), "" if total is None else _percent(total)), 2 + left, why)


def _rest_row(choice: TokenChoice, rest: Mask) -> CandidateRow:
    """Return the row of the unlisted tokens: in the column of each stage, how many of them it keeps."""
    keeps = [np.count_nonzero(step.after[rest] > -np.inf) if step.cut.any() else -1 for step in _shown(choice)]
    cells = [UNCHANGED if kept < 0 else tr("{n} kept", n=f"{kept:,}") for kept in keeps]
    others = tr("{n} more", n=f"{np.count_nonzero(rest):,}")
    return _candidate(choice, rest, (others, "", *cells, ""), 2 + len(cells), ())


def _candidate(
    choice: TokenChoice, tokens: Mask | int, cells: tuple[str, ...], cut_from: int, reasons: tuple[str, ...]
) -> CandidateRow:
    """Return the row of tokens whose cells before the probability are given. The number of draws is empty at
    probability 0."""
    before, after = (float(shares[tokens].sum()) for shares in (choice.stages.plain, choice.stages.probabilities))
    changed, table = (
        None if shares is None else float(shares[tokens].sum()) for shares in (choice.changed, choice.table))
    drawn, count, expects = None, "", ""
    if choice.draws is not None:
        here, total = int(choice.draws[tokens].sum()), int(choice.draws.sum())
        drawn, count, expects = here / total, f"{here:,}" if after else "", expected(after * total)
    token = tokens if isinstance(tokens, int) else None
    return CandidateRow(
        token, (*cells, _percent(after), count), cut_from, reasons, before, after, drawn, expects,
        token == choice.token, changed, table, "".join(by_table(choice, tokens)))


def _lines(choice: TokenChoice, ids: list[int], apart: bool, rows: int) -> dict[int, str]:
    """Return the texts above rows: what a stage keeps, below the last kept token if all kept tokens are listed.

    Args:
        ids: IDs of the listed tokens.
        apart: True if the first of them is the sampled token above the most likely ones.
        rows: number of rows, including that of the unlisted tokens.
    """
    words: dict[int, list[str]] = {}
    for border in borders(choice):
        kept = [place for place, token in enumerate(ids) if border.kept[token]]
        last = max((place for place in kept if place >= apart), default=apart - 1)
        if np.count_nonzero(border.kept) == len(kept):
            words.setdefault(min(rows - 1, last + 1), []).append(border.words)
    return {place: joined(SEPARATOR, *some) for place, some in words.items()}


def _percent(probability: float) -> str:
    return percent(probability) if probability else "0"
