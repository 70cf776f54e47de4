"""Column widths of the table of sampling stages, and which optional figures fit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics

from gptstudio.gpt.sampling import STAGES
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.translation import tr

PAD, GRIP, DOT, LEAST_BAR = 5, 9, 12, 56
"""Pixels: at the sides of a cell; the grip of a stage; the mark of the token that came; the shortest longest bar."""
NUMBER, NAME, PERCENT = "-000.00", "50,245 more", "> 99.99 %"
"""The widest logit, name and probability that have to be read whole."""
LOWEST = 1e-12
"""A logarithmic bar goes no further down, however small a share is."""


@dataclass(frozen=True)
class ShareScale:
    """From ``low`` at 0 to ``high`` at 1."""

    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False

    @classmethod
    def over(cls, shares: Iterable[float], logarithmic: bool) -> ShareScale:
        """The scale on which all of these can be seen."""
        seen = [each for each in shares if each > 0] or [1.0]
        if not logarithmic:
            return cls(0.0, max(seen))
        high = math.ceil(math.log10(max(seen)) - 1e-9)
        # The smallest has a length too, so the scale begins below it.
        low = math.ceil(math.log10(max(LOWEST, min(seen))) - 0.05) - 1
        return cls(10.0**low, 10.0**high, True)

    def at(self, share: float) -> float:
        """0 at the left end, 1 at the right."""
        if share <= self.low:
            return 0.0
        if self.logarithmic:
            return math.log(share / self.low) / math.log(self.high / self.low)
        return share / self.high

    def decades(self) -> list[float]:
        """The powers of ten between its ends; none where it is linear."""
        if not self.logarithmic:
            return []
        return [10.0**power for power in range(round(math.log10(self.low)) + 1, round(math.log10(self.high)))]


@dataclass(frozen=True)
class Room:
    """Optional figures that fit: the probability before the stages, the expected number of draws, the running sum."""

    before: bool = True
    expected: bool = True
    sums: bool = True


def column_widths(
    letters: QFontMetrics, sampling_params: SamplingParams, width: int, drawn: bool
) -> tuple[list[int], Room]:
    """Return the widths of all columns from the token to the draws; their sum may exceed ``width``.

    0 hides a column: the draws before there are some, and stages that change nothing if there is no room for all.

    Space goes, in this order, to the running sum, the expected number of draws, the probability before, the full names
    of the stages, and then to all columns, most to the bars.
    """
    wide = letters.horizontalAdvance
    shown = sampling_params.shown()
    stages = [_stage_width(letters, sampling_params, stage, False) for stage in shown]
    whole = [_stage_width(letters, sampling_params, stage, True) for stage in shown]
    ends = [DOT + wide(NAME) + PAD, wide(NUMBER) + 2 * PAD]
    bars, figure = LEAST_BAR + wide(PERCENT) + 4 * PAD, wide(PERCENT) + PAD
    draws, more = (wide(tr("Drawn")) + 2 * PAD, wide(tr("expected")) + 2 * PAD) if drawn else (0, 0)
    if sum((*ends, *stages, bars, draws)) > width:
        on = [sampling_params.changes(stage) for stage in shown]
        stages, whole = ([each * there for each, there in zip(some, on, strict=True)] for some in (stages, whole))
    spare = width - sum((*ends, *stages, bars, draws))
    sums = max(map(wide, (PERCENT, tr("Sum"), tr("for top-p")))) + 2 * PAD
    sums *= sums <= spare
    spare -= sums
    room = Room(before=figure + more <= spare, expected=drawn and more <= spare, sums=bool(sums))
    draws += more * room.expected
    spare -= more * room.expected + figure * room.before
    if sum(whole) - sum(stages) <= spare - LEAST_BAR:
        spare -= sum(whole) - sum(stages)
        stages = whole
    widths = [each + max(0, min(spare // 24, each // 2)) for each in (*ends, *stages)]
    least = bars + figure * room.before
    return [*widths, sums, max(least, width - sum(widths) - sums - draws), draws], room


def _stage_width(letters: QFontMetrics, sampling_params: SamplingParams, stage: str, whole: bool) -> int:
    """Return a width for the name and what stands below it: no number, and nothing removed, if the stage is off."""
    texts = [stage_texts.setting(sampling_params, stage)]
    if sampling_params.changes(stage):
        texts.append(NUMBER)
    if sampling_params.changes(stage) and STAGES[stage].removes:
        texts.append(tr("removed by {stage}", stage=stage_texts.in_text(stage)) if whole else tr("removed"))
    name = stage_texts.name(stage) if whole else stage_texts.short(stage)
    return max(letters.horizontalAdvance(name) + GRIP, *map(letters.horizontalAdvance, texts)) + 2 * PAD


def parts_of(rect: QRect, letters: QFontMetrics, room: Room) -> tuple[QRect, QRect, QRect]:
    """Return the rectangles of a cell's bars and of its figures before and after; before is empty without room."""
    width = letters.horizontalAdvance(PERCENT) + PAD
    after = QRect(rect.right() - width + 1, rect.top(), width, rect.height())
    before = after.translated(-width, 0) if room.before else QRect(after.left(), rect.top(), 0, rect.height())
    return QRect(rect.left(), rect.top(), before.left() - rect.left() - PAD, rect.height()), before, after
