"""Saving of a checkpoint while its run continues on a GPU."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import torch
from torch import Tensor

from gptstudio.training.checkpoint import on_cpu
from gptstudio.training.checkpoint_files import State

Tensors = dict[str, Tensor]


def copied(tensor: Tensor) -> Tensor:
    """Return a copy on the same device, which the next step does not change."""
    return tensor.detach().clone()


class BackgroundSave:
    """Checkpoint that a thread copies to the CPU and writes. The GPU does not wait for it: the thread copies in a CUDA
    stream of its own.

    Attributes:
        state: state of the checkpoint without its tensors.
        weights: copied weights, on the device.
        seconds: duration of the writing so far.
    """

    def __init__(
        self, state: State, device: str, weights: Tensors, resume: Tensors, write: Callable[[Tensors, Tensors], Path]
    ):
        """``weights``, ``resume``: tensors that nothing changes any more. ``write``: called with both on the CPU, in
        the thread; returns the path of the checkpoint."""
        self.state, self.weights = state, weights
        self._start_s, self._end_s = time.monotonic(), 0.0
        stream = _separate_stream(device)

        def save() -> Path:
            try:
                with stream:
                    tensors = _all_on_cpu(weights), _all_on_cpu(resume)
                return write(*tensors)
            finally:
                self._end_s = time.monotonic()

        thread = ThreadPoolExecutor(1, "checkpoint")
        self._path = thread.submit(save)
        thread.shutdown(wait=False)

    @property
    def done(self) -> bool:
        return self._path.done()

    @property
    def seconds(self) -> float:
        return (self._end_s or time.monotonic()) - self._start_s

    def path(self) -> Path:
        """Wait for the end of the writing; return the path of the checkpoint.

        Raises:
            UserError, OSError: it could not be written.
            RuntimeError: the GPU has failed.
        """
        return self._path.result()

    def wait(self) -> None:
        """Wait for the end of the writing."""
        self._path.exception()


def _separate_stream(device: str) -> AbstractContextManager[object]:
    """Return a context of CUDA operations that follow those launched so far, but not later ones."""
    if not device.startswith("cuda"):
        return nullcontext()
    stream = torch.cuda.Stream(device)
    stream.wait_stream(torch.cuda.current_stream(device))
    return torch.cuda.stream(stream)


def _all_on_cpu(tensors: Mapping[str, Tensor]) -> Tensors:
    return {name: on_cpu(tensor) for name, tensor in tensors.items()}
