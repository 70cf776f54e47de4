"""Values of fields that the settings of this computer lock: what is put into the forms, by another way than their
controls, leaves these as they are."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeVar

from gptstudio.app.form_values import Values, form_values
from gptstudio.app.state import AppState
from gptstudio.fields import Spec, SpecError
from gptstudio.gpt.config import GPTConfig
from gptstudio.training.spec import TrainSpec

S = TypeVar("S", bound=Spec)

CONFIG, TRAIN, GENERATE = "config_", "train_", "generate_"
"""What precedes a field in the name of its control."""


def unlocked(state: AppState, values: Values, prefix: str = "") -> Values:
    """Return those values whose controls are not locked. ``prefix`` precedes a field in the name of its control."""
    return {name: value for name, value in values.items() if prefix + name not in state.locked_controls}


def unlocked_config(state: AppState, config: GPTConfig) -> GPTConfig:
    """Return a configuration in which locked fields have the values of the Model panel."""
    return _kept(state, config, state.config_values, CONFIG)


def unlocked_spec(state: AppState, spec: TrainSpec) -> TrainSpec:
    """Return the settings of a run in which locked fields have the values of the forms."""
    return _kept(state, spec.but(config=unlocked_config(state, spec.config)), state.train_values, TRAIN)


def _kept(state: AppState, spec: S, now: Values, prefix: str) -> S:
    """Return a spec with the values of locked fields from ``now``, as far as they go together with the others."""
    kept = {name: now[name] for name in form_values(spec) if prefix + name in state.locked_controls}
    for values in (kept, *({name: value} for name, value in kept.items())):
        with suppress(SpecError):
            spec = spec.but(**values)
    return spec
