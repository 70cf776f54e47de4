"""Rows of numbers that grow at their end, kept by column so that a chart draws them as they lie. No torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Columns:
    """Named columns of float64. The first is the step, which rises or stays from row to row."""

    def __init__(self, *names: str):
        self.names = names
        self._data = np.empty((len(names), 64))
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Numbers:
        """A column, (rows,): a view, to be used before rows are dropped."""
        return self._data[self.names.index(name), : self._length]

    def extend(self, rows: Sequence[Sequence[float]] | Numbers) -> None:
        """Appends ``rows``, (rows, columns)."""
        if not len(rows):
            return
        block = np.asarray(rows, dtype=float).T
        end = self._length + len(rows)
        if end > self._data.shape[1]:
            grown = np.empty((len(self.names), 2 * end))  # doubled: each number is moved twice on average
            grown[:, : self._length] = self._data[:, : self._length]
            self._data = grown
        self._data[:, self._length : end] = block
        self._length = end

    def drop_from(self, step: int) -> None:
        """Drops the rows of ``step`` and later ones."""
        self._length = int(np.searchsorted(self[self.names[0]], step))
