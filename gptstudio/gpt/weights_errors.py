"""Error messages for weights that do not belong to a GPT-2. torch is imported only when a tensor is checked."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

from gptstudio.gpt.published import WeightsError
from gptstudio.i18n import Message, message

SHOWN = 3
"""Number of wrong tensor names listed in an error."""


def check_type(name: str, tensor: Any) -> None:
    """Check that a tensor holds floating-point weights.

    Raises:
        WeightsError: the tensor is quantised, packed, or of integers.
    """
    import torch

    kinds = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
    dense = isinstance(tensor, torch.Tensor) and tensor.layout == torch.strided and not tensor.is_meta
    if not (dense and tensor.dtype in kinds):
        kind = str(tensor.dtype).removeprefix("torch.") if dense else type(tensor).__name__
        raise WeightsError(message(
            "{name} is of type {kind}; weights must be float32, float16, bfloat16 or float64. Quantised or packed "
            "weights cannot be opened. Choose the model as originally published.", name=listed([name]), kind=kind,
        ))


def other_model(missing: Sequence[str], unknown: Sequence[str]) -> WeightsError:
    """Return the error for a file with ``missing`` and ``unknown`` tensor names."""
    if not unknown:
        return WeightsError(message(
            "These weights lack {missing}. They are incomplete or belong to another kind of model. Choose all files of "
            "one GPT-2.", missing=listed(missing),
        ))
    if not missing:
        return WeightsError(message(
            "These weights contain {unknown}, which a GPT-2 for text generation does not have. They belong to another "
            "kind of model or were adapted to "
            "another task. Choose a GPT-2 for text generation.", unknown=listed(unknown),
        ))
    return WeightsError(message(
        "These are not the weights of a GPT-2 for text generation: they lack {missing} and contain {unknown}. Choose a "
        "model with the GPT-2 architecture.", missing=listed(missing), unknown=listed(unknown),
    ))


def other_shape(name: str, shape: tuple[int, ...], expected: str) -> WeightsError:
    """Return the error for a tensor whose shape differs from ``expected``."""
    return WeightsError(message(
        "{name} has the shape {shape}; expected {expected}. The weights do not match their configuration, or belong to "
        "another kind of model. Choose the files of one GPT-2.",
        name=listed([name]), shape=reprlib.repr(tuple(shape)), expected=expected,
    ))


def listed(names: Sequence[str]) -> str | Message:
    """Return the first few names, shortened and escaped for a message."""
    first = ", ".join(ascii(name)[1:-1][:80] for name in names[:SHOWN])
    if len(names) <= SHOWN:
        return first
    return message("{first} (and {more} more)", first=first, more=f"{len(names) - SHOWN:,}")
