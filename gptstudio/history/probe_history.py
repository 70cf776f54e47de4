"""Readings of one probe prompt over a run: columns for the tokens that were most probable. No torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gptstudio.history.columns import Columns
from gptstudio.history.run_history import History
from gptstudio.training.events import ProbeReading, ProbesRead

RIBBONS = 6
"""Tokens that have a ribbon of their own."""


class Candidate(NamedTuple):
    """A token that may come next, its probability, and the number of its ribbon; None without one."""

    id: int
    probability: float
    ribbon: int | None


class ProbeHistory:
    """History of the probe of one number in a run; ``update`` takes what was added to it.

    Attributes:
        tokens: of each ribbon its token: those that reached the highest probabilities. A token keeps its ribbon while
            it is one of these, so that its colour stays.
        table: for each reading, ``top0`` ... ``top5``: the upper ends of the ribbons, which are stacked, ribbon 0 at
            the bottom; ``entropy_bits``; and the columns of the axes.
    """

    def __init__(self, history: History, number: int):
        self._history, self._number = history, number
        self.table = Columns("step", "tokens_seen", "elapsed_s", "entropy_bits", *(f"top{i}" for i in range(RIBBONS)))
        self._clear()

    @property
    def count(self) -> int:
        """Number of readings."""
        return len(self.readings)

    def _clear(self) -> None:
        self.tokens: list[int | None] = [None] * RIBBONS
        self.readings: list[ProbeReading] = []
        self._events: list[ProbesRead] = []
        self._peaks: dict[int, float] = {}
        self.table.truncate(0)

    def update(self) -> bool:
        """Take the readings that came since; return whether there were any, or the run was taken back."""
        events, known = self._history.probes, len(self._events)
        if len(events) < known or (known and events[known - 1] is not self._events[-1]):
            self._clear()
        before = list(self.tokens)
        new = events[len(self._events) :]
        for event in new:
            self._events.append(event)
            reading = event.probes[self._number] if self._number < len(event.probes) else NO_READING
            self.readings.append(reading)
            self._rank(reading)
        if self.tokens != before:
            self.table.truncate(0)
        for event, reading in list(zip(self._events, self.readings, strict=True))[len(self.table) :]:
            self.table.extend([tuple(self._row(event, reading))])
        return bool(new) or len(events) < known

    def step(self, index: int) -> int:
        """Return the step of a reading, counted from 0; -1 is before the first."""
        return self._events[index].step

    def candidates(self, index: int, count: int = RIBBONS) -> list[Candidate]:
        """Return the most probable tokens of a reading, the first of them first."""
        reading = self.readings[index]
        found = sorted(zip(reading.ids, map(_finite, reading.probabilities), strict=True), key=lambda each: -each[1])
        return [Candidate(id, probability, self.tokens.index(id) if id in self.tokens else None)
                for id, probability in found[:count]]

    def _rank(self, reading: ProbeReading) -> None:
        """Let the tokens with the highest peaks have the ribbons."""
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            self._peaks[id] = max(self._peaks.get(id, 0.0), _finite(probability))
        best = sorted(self._peaks, key=lambda id: -self._peaks[id])[:RIBBONS]
        self.tokens = [id if id in best else None for id in self.tokens]
        for id in best:
            if id not in self.tokens:
                self.tokens[self.tokens.index(None)] = id

    def _row(self, event: ProbesRead, reading: ProbeReading) -> Iterator[float]:
        steps = self._history.steps
        row = int(np.searchsorted(steps["step"], event.step, side="right")) - 1
        yield from (event.step, event.tokens_seen, steps["elapsed_s"][row] if row >= 0 else 0.0, reading.entropy_bits)
        probabilities = dict(zip(reading.ids, map(_finite, reading.probabilities), strict=True))
        yield from np.cumsum([probabilities.get(id, 0.0) if id is not None else 0.0 for id in self.tokens]).tolist()


NO_READING = ProbeReading(text="", ids=(), probabilities=(), entropy_bits=float("nan"))
"""In place of one that a journal lacks."""


def _finite(probability: float) -> float:
    """Return a probability from 0 to 1: a model that diverges has none."""
    return min(max(probability, 0.0), 1.0) if probability == probability else 0.0
