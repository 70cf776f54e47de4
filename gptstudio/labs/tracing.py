"""Shapes on the way through a model: each module, and each function between them, as called.

A model on torch's meta device has shapes and no numbers: it needs no memory and no time, whatever its size.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

FunctionNames = Mapping[tuple[str, int], str]
"""Names for functions that a module calls by itself: (function, how many times before) -> name."""


@dataclass(frozen=True)
class TraceStep:
    """One module or function as it was called.

    Attributes:
        path: a module's name in the model; for a function its module's, a colon, and the name it was given.
        shape: of what comes out.
        parameters: the module's, all inside it included; 0 for a function.
        weights: the shapes of its own weights, by name.
        steps: what is called inside, in order.
    """

    path: str
    shape: tuple[int, ...]
    parameters: int = 0
    weights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[TraceStep, ...] = ()


def ready() -> bool:
    """Return whether torch has already loaded its support for the meta device: eight hundred modules, a second."""
    return "torch._dynamo" in sys.modules


def trace(
    model: nn.Module, *inputs: Tensor, named: Mapping[type[nn.Module], FunctionNames], leaves: Collection[str] = ()
) -> TraceStep:
    """Call a model and return all calls inside it.

    Args:
        named: the functions that are recorded, for each kind of module that calls them; all others are ignored.
        leaves: kinds of modules whose inner calls are not recorded, by class name.
    """
    tracer = _Tracer(named, leaves)
    with ExitStack() as stack:
        for path, module in model.named_modules():
            stack.enter_context(module.register_forward_pre_hook(partial(tracer.enter, path)))
            stack.enter_context(module.register_forward_hook(partial(tracer.leave, path)))
        with tracer:
            model(*inputs)
    return tracer.found[0]


class _Tracer(TorchFunctionMode):
    """Recorder of the calls. Each open module has a list of the steps inside it; the outermost list holds the model."""

    def __init__(self, named: Mapping[type[nn.Module], FunctionNames], leaves: Collection[str]):
        super().__init__()
        self.found: list[TraceStep] = []
        self._named, self._leaves = named, leaves
        self._open: list[tuple[str, nn.Module | None, list[TraceStep], Counter[str]]] = [
            ("", None, self.found, Counter())
        ]

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        path, module, steps, called = self._open[-1]
        names = self._named.get(type(module)) if module is not None else None
        if names and isinstance(out, Tensor):
            name = func.__name__
            title = names.get((name, called[name]))
            called[name] += 1
            if title:
                steps.append(TraceStep(f"{path}:{title}", tuple(out.shape)))
        return out

    def enter(self, path: str, module: nn.Module, _: Any) -> None:
        self._open.append((path, module, [], Counter()))

    def leave(self, path: str, module: nn.Module, _: Any, out: Tensor) -> None:
        steps = self._open.pop()[2]
        around = self._open[-1][2]
        if isinstance(module, nn.Sequential):  # a list of modules is no step by itself
            around.extend(steps)
            return
        inside = () if type(module).__name__ in self._leaves else tuple(steps)
        weights = {name: tuple(weight.shape) for name, weight in module.named_parameters(recurse=False)}
        count = sum(weight.numel() for weight in module.parameters())
        around.append(TraceStep(path, tuple(out.shape), count, weights, inside))
