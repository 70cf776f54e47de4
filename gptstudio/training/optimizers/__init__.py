"""Optimizers for training, each a class in its own file.

To add an optimizer, add a file, an entry in ``OPTIMIZERS``, and its name and fields in ``training/spec.py``: build,
resume, memory forecast, exported script, flags and the fields on the Train page are derived from the class. No torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from gptstudio.training.optimizers.adamw import AdamWKind
from gptstudio.training.optimizers.muon import MuonKind
from gptstudio.training.optimizers.optimizer_kind import OptimizerKind
from gptstudio.training.optimizers.sgd import SGDKind

OptimizerName = Literal["adamw", "sgd", "muon"]
OPTIMIZERS: dict[str, type[OptimizerKind]] = {kind.name: kind for kind in (AdamWKind, SGDKind, MuonKind)}
"""Optimizers by name."""

OPTIMIZER_FIELDS = {name: field for kind in OPTIMIZERS.values() for name, field in kind.fields.items()}
"""Settings of all optimizers, by name."""


def chosen(name: str, values: Mapping[str, Any]) -> OptimizerKind:
    """Return the optimizer with its settings; settings missing in ``values`` have their defaults."""
    kind = OPTIMIZERS[name]
    return kind(**{field: values.get(field, made.default) for field, made in kind.fields.items()})
