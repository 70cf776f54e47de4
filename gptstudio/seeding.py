"""Random state of each run. Torch draws dropout, shuffles and first weights from one generator for the whole
process; here each run has its own random stream, and two runs in one window never affect each other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

_generator = threading.RLock()


class RandomStream:
    """A sequence of random numbers that starts at ``seed``, as after ``torch.manual_seed(seed)``.

    It stands still while not active: whatever others draw in between changes nothing.
    """

    def __init__(self, seed: int, device: str = "cpu"):
        self._cuda = torch.device(device) if device.startswith("cuda") else None
        with _generator:
            outside = self._read()
            torch.manual_seed(seed)
            self.state = self._read()
            self._write(outside)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Within, torch draws from this stream. Other streams wait; never held across a ``yield`` of a run."""
        with _generator:
            outside = self._read()
            self._write(self.state)
            try:
                yield
            finally:
                self.state = self._read()
                self._write(outside)

    def _read(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        return torch.get_rng_state(), torch.cuda.get_rng_state(self._cuda) if self._cuda else None

    def _write(self, state: tuple[torch.Tensor, torch.Tensor | None]) -> None:
        torch.set_rng_state(state[0])
        if self._cuda and state[1] is not None:
            torch.cuda.set_rng_state(state[1], self._cuda)
