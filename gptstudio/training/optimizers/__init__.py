"""The optimizers of a run: each is a class in a file of its own.

A new one is such a file, its line in ``OPTIMIZERS``, and its name and fields in ``training/spec.py``: build, resume,
memory forecast, exported script, flags and the fields on Train follow from what the class declares. No torch.
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
"""The optimizers by their names."""

OPTIMIZER_FIELDS = {name: field for kind in OPTIMIZERS.values() for name, field in kind.fields.items()}
"""The settings that belong to an optimizer."""


def chosen(name: str, values: Mapping[str, Any]) -> OptimizerKind:
    """Return the optimizer with its settings; those that are not in ``values`` have their defaults."""
    kind = OPTIMIZERS[name]
    return kind(**{field: values.get(field, made.default) for field, made in kind.fields.items()})
