"""Candidates at one position, for both sides: bars that grow outwards from the tokens' names in the middle.

Above them is the number of effective choices of each model; a token removed by a sampling stage has a hollow bar.
"""

from __future__ import annotations

from typing import Literal

from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.generate.comparison.alignment import AlignedPosition, Candidate, TokenProbability
from gptstudio.gui.generate.comparison.side import COLOURS
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.plots.bar_list import Bar, BarRow, Bars
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.i18n import message

TIP = message(
    "The candidates on each side. Effective choices (2^entropy): first for the model alone, then after all sampling "
    "settings. Dot: the token this side sampled.")


def candidate_bars(column: AlignedPosition | None) -> Bars:
    """Return the bars of a position, on one scale for both sides."""
    if column is None or not column.candidates:
        return Bars()
    shares = tuple(
        Bar(None, percent(share)) if cell else None
        for cell, share in zip(column.cells, column.others.shares, strict=True))
    return Bars([
        _choices(column, tr("effective choices"), "plain_entropy_bits"),
        _choices(column, tr("after sampling"), "entropy_bits"),
        *(_row(column, each) for each in column.candidates),
        BarRow(tr("{n} others", n=f"{column.others.count:,}"), shares, quiet=True)], mirrored=True)


def cutting(column: AlignedPosition | None) -> list[str]:
    """Return the stages that removed a candidate, in their usual order."""
    found = {share.cut_by for each in (column.candidates if column else ()) for share in each.shares if share}
    return [stage for stage in STAGES if stage in found]


def _row(column: AlignedPosition, candidate: Candidate) -> BarRow:
    sampled = [
        cell is not None and cell.ids[0] == token for cell, token in zip(column.cells, candidate.ids, strict=True)]
    before, behind = ("● " if each else "" for each in sampled)
    figures = (probability_text(share) if share else tr("nothing") for share in candidate.shares)
    return BarRow(f"{before}{candidate.text}{behind and ' ●'}", tuple(
        Bar(_length(share), percent(_length(share)), ink, 0.95 if drew else 0.45, bool(share.cut_by), drew)
        if share else None for share, ink, drew in zip(candidate.shares, COLOURS, sampled, strict=True)),
        words=joined(" ", candidate.text, joined(", ", *figures)))


def probability_text(share: TokenProbability) -> str:
    """Return a token's probability; if a stage removed it, the original probability and the stage."""
    if share.cut_by is None:
        return percent(share.probability)
    return tr("{p}, removed by {stage}", p=percent(share.plain), stage=stage_texts.in_text(share.cut_by))


def _choices(column: AlignedPosition, name: str, bits: Literal["plain_entropy_bits", "entropy_bits"]) -> BarRow:
    """Return the row of the numbers of effective choices (2^entropy) of both sides."""
    return BarRow(name, tuple(
        Bar(None, _count(2 ** getattr(cell, bits))) if cell else None for cell in column.cells), quiet=True)


def _count(choices: float) -> str:
    return f"{choices:,.0f}" if choices >= 10 else f"{choices:.1f}"


def _length(share: TokenProbability) -> float:
    """Return the probability that a bar shows."""
    return share.plain if share.cut_by else share.probability
