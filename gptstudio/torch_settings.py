"""Global state of torch: its settings while the Python interface computes, and the random state of each run.

The interface computes with torch's initial settings, not with the caller's, which are restored afterwards. Torch draws
dropout, shuffles and initial weights from one generator for the whole process; here each run has its own random stream,
and two runs in one window never affect each other.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import torch
from torch.overrides import TorchFunctionMode

_generator = threading.RLock()


class RandomStream:
    """A sequence of random numbers that starts at ``seed``, as after ``torch.manual_seed(seed)``.

    It does not advance while inactive: draws from other streams do not affect it.
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
        """Context manager in which torch draws from this stream. Other streams wait; never hold it across a run's
        ``yield``."""
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


class _NoInitialisation(TorchFunctionMode):
    """Skip the functions of ``torch.nn.init``."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__module__", "") == torch.nn.init.__name__:
            return kwargs["tensor"]
        return func(*args, **(kwargs or {}))


@contextmanager
def uninitialised(device: str) -> Iterator[None]:
    """Context manager in which modules are created on a device without initial values for the weights, for modules
    whose weights are loaded next.

    On the meta device ``torch.nn.init`` computes nothing, but it would import torch's compiler, which takes a second.
    """
    with torch.device(device), _NoInitialisation():
        yield


T = TypeVar("T")

COMPILER, COMPILER_CACHE = "torch._dynamo", "TORCHINDUCTOR_CACHE_DIR"
"""torch's compiler, which its optimizers import, and the environment variable that it then sets."""

AUTOCAST = "cpu", "cuda"
"""Devices for which a caller may have enabled autocast."""


class _DefaultDtype:
    """Default dtype of torch, shared by all threads: the first to enter sets it, and the last to leave restores it."""

    def __init__(self) -> None:
        self._lock, self._inside, self._callers = threading.Lock(), 0, torch.float32

    @contextmanager
    def float32(self) -> Iterator[None]:
        with self._lock:
            if not self._inside:
                self._callers = torch.get_default_dtype()
                torch.set_default_dtype(torch.float32)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    torch.set_default_dtype(self._callers)

    @contextmanager
    def callers(self) -> Iterator[None]:
        """Context manager that restores the caller's dtype if no other thread is inside, and remembers it if the caller
        changes it."""
        with self._lock:
            alone = self._inside == 1
            if alone:
                self._inside = 0
                torch.set_default_dtype(self._callers)
        try:
            yield
        finally:
            if alone:
                with self._lock:
                    if not self._inside:
                        self._callers = torch.get_default_dtype()
                        torch.set_default_dtype(torch.float32)
                    self._inside += 1


_dtype = _DefaultDtype()


@contextmanager
def initial() -> Iterator[None]:
    """Context manager in which new tensors are float32 on the CPU and gradients are recorded, without autocast or
    inference mode; everything is restored afterwards."""
    with _compiler_loaded_silently(), ExitStack() as settings:
        settings.enter_context(_dtype.float32())
        if torch.is_inference_mode_enabled():
            settings.enter_context(torch.inference_mode(False))
        if not torch.is_grad_enabled():
            settings.enter_context(torch.enable_grad())
        if torch.get_default_device().type != "cpu":
            settings.enter_context(torch.device("cpu"))
        for device in AUTOCAST:
            if torch.is_autocast_enabled(device):
                settings.enter_context(torch.autocast(device, enabled=False))
        yield


@contextmanager
def _compiler_loaded_silently() -> Iterator[None]:
    """Context manager in which torch may import its compiler, which changes the environment and the warning filters;
    both are restored afterwards."""
    loaded, cache, filters = COMPILER in sys.modules, os.environ.get(COMPILER_CACHE), list(warnings.filters)
    try:
        yield
    finally:
        if not loaded and COMPILER in sys.modules:
            if cache is None:
                os.environ.pop(COMPILER_CACHE, None)
            warnings.resetwarnings()  # makes the interpreter look the filters up again
            warnings.filters.extend(filters)  # type: ignore[attr-defined]  # a list, but any sequence for typeshed


def each_within(events: Iterator[T]) -> Iterator[T]:
    """Yield the events, each computed within :func:`initial`; in between, the caller's settings apply."""
    with ExitStack() as closing:
        if close := getattr(events, "close", None):
            closing.callback(close)
        while True:
            with initial():
                event = next(events, None)
            if event is None:
                return
            yield event


@contextmanager
def tf32() -> Iterator[None]:
    """Context manager in which a GPU may multiply float32 matrices in TF32."""
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before


class CallersSettings:
    """A caller's current settings, for calling its functions with them."""

    def __init__(self) -> None:
        self._grad, self._inference = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        self._device = torch.get_default_device()
        self._autocast = [
            torch.autocast(device, torch.get_autocast_dtype(device))
            for device in AUTOCAST if torch.is_autocast_enabled(device)
        ]

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Context manager that applies the caller's settings."""
        with ExitStack() as settings:
            settings.enter_context(_dtype.callers())
            settings.enter_context(torch.inference_mode(self._inference))
            settings.enter_context(torch.set_grad_enabled(self._grad))
            for each in self._autocast:
                settings.enter_context(each)
            if self._device != torch.get_default_device():
                settings.enter_context(self._device)
            yield
