"""Specification of a sweep: one training with several values of one or two settings and several seeds. No torch."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from gptstudio.errors import UserError, shown
from gptstudio.fields import FieldView, Problem, Spec, SpecError, allowed, fields_of, wrong_value
from gptstudio.files import PORTABLE
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.training.spec import TrainSpec

MOST_RUNS, MOST_VARIED, MOST_SEEDS, LONGEST_NAME = 1_000, 2, 100, 80
KINDS = ("int", "float", "bool", "choice")
"""Kinds of settings that can be varied: those with a single value."""
NOT_VARIED = ("seed", "device")
"""Settings that cannot be varied: seeds have their own list, and a device does not change the results to compare."""
DIGITS = 12
"""Number of significant digits of the values of a range."""

Value = bool | int | float | str


def variable_fields() -> dict[str, FieldView]:
    """Return the settings that can be varied, by name: first of the training, then of the model."""
    views = (*fields_of(TrainSpec), *fields_of(GPTConfig))
    return {view.name: view for view in views if view.kind in KINDS and view.name not in NOT_VARIED}


def linear_range(low: float, high: float, count: int, whole: bool = False) -> tuple[float, ...]:
    """Return ``count`` values from ``low`` to ``high`` with equal differences; ``whole``: rounded to integers."""
    return _rounded((low + (high - low) * place / max(1, count - 1) for place in range(count)), whole)


def log_range(low: float, high: float, count: int, whole: bool = False) -> tuple[float, ...]:
    """Return ``count`` values from ``low`` to ``high`` with equal ratios; ``whole``: rounded to integers.

    Raises:
        UserError: an end is not above 0.
    """
    if min(low, high) <= 0:
        raise UserError(message(
            "A logarithmic range begins and ends above 0. Change its ends, or choose a linear range."))
    return _rounded((low * (high / low) ** (place / max(1, count - 1)) for place in range(count)), whole)


def _rounded(values: Iterator[float], whole: bool) -> tuple[float, ...]:
    made = (round(value) if whole else float(f"{value:.{DIGITS}g}") for value in values)
    return tuple(dict.fromkeys(made))  # several values may round to the same integer


class Varied(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """Setting and its values, in order."""

    field: str
    values: tuple[Value, ...] = Field(min_length=1)

    @property
    def view(self) -> FieldView:
        return variable_fields()[self.field]


@dataclass(frozen=True)
class SweepMember:
    """Run of a sweep.

    Attributes:
        number: position in the sweep, counted from 1.
        id: digest of its values and seed, the same in every program that reads the sweep.
        values: values of the varied settings, by name.
    """

    number: int
    id: str
    values: dict[str, Value]
    seed: int
    spec: TrainSpec

    @property
    def label(self) -> str:
        """Its values in one line: ``learning_rate 0.001, seed 123``."""
        values = (self.values | {"seed": self.seed}).items()
        return ", ".join(f"{name} {shown_value(value)}" for name, value in values)


class SweepSpec(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """Specification of a sweep. ``base`` has the common settings of all runs."""

    name: str
    base: TrainSpec
    vary: tuple[Varied, ...] = ()
    seeds: tuple[Annotated[int, Field(ge=0, le=2**63 - 1)], ...] = Field(min_length=1)

    @classmethod
    def make(cls, name: str, base: TrainSpec, vary: Mapping[str, Sequence[Any]], seeds: Sequence[int] = ()) -> Self:
        """Return a sweep with these values; without seeds, with the seed of ``base``.

        Raises:
            SpecError: values are invalid; it lists every problem with the name of its setting, or ``name``, ``seeds``
                or ``vary``.
        """
        problems = [*_name_problems(name), *_seed_problems(seeds)]
        varied = []
        for field, values in vary.items():
            found = list(_value_problems(base, field, values))
            problems += found
            varied += [] if found else [Varied(field=field, values=_as_the_field_has_them(field, values))]
        seeds = tuple(dict.fromkeys(seeds or (base.seed,)))
        count = math.prod(len(each.values) for each in varied) * len(seeds)
        problems += [] if problems else _size_problems(len(varied), count)
        if problems:
            raise SpecError(problems)
        made = cls.model_construct(name=name, base=base, vary=tuple(varied), seeds=seeds)
        members(made)
        return made

    @model_validator(mode="after")
    def _can_be_trained(self) -> Self:
        made = self.make(self.name, self.base, {each.field: each.values for each in self.vary}, self.seeds)
        if made.vary != self.vary:
            raise ValueError("a value is not as its field has it")
        return self


@lru_cache(maxsize=16)
def members(sweep: SweepSpec) -> tuple[SweepMember, ...]:
    """Return the runs of a sweep in the initial order: every combination of values with the first seed, then with the
    next seed, so that each combination has a result early.

    Raises:
        SpecError: values contradict each other, such as a width that is not a multiple of the number of heads.
    """
    made: list[SweepMember] = []
    problems: dict[str, Problem] = {}
    names = [each.field for each in sweep.vary]
    for seed in sweep.seeds:
        for values in product(*(each.values for each in sweep.vary)):
            chosen = dict(zip(names, values, strict=True))
            try:
                spec = with_values(sweep.base, chosen).but(seed=seed)
            except SpecError as error:
                for problem in error.problems:
                    problems.setdefault(problem.message, problem)
                continue
            digest = hashlib.sha256(json.dumps([chosen, seed], sort_keys=True).encode()).hexdigest()
            made.append(SweepMember(len(made) + 1, digest[:16], chosen, seed, spec))
    if problems:
        raise SpecError(problems.values())
    return tuple(made)


def with_values(base: TrainSpec, values: Mapping[str, Any]) -> TrainSpec:
    """Return a spec with changed settings of the training or the model.

    Raises:
        SpecError: values are out of range or contradict each other.
    """
    shape = {name: value for name, value in values.items() if name in GPTConfig.model_fields}
    rest = {name: value for name, value in values.items() if name not in shape}
    return base.but(config=base.config.but(**shape) if shape else base.config, **rest)


def shown_value(value: object) -> str:
    """Return a value as text for display."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


# Checks of the values.


def is_of_kind(view: FieldView, value: object) -> bool:
    """Return whether a value has the type of a field; neither true nor a number in quotes counts as a number."""
    kinds: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,)}
    return isinstance(value, kinds.get(view.kind, (str,))) and (isinstance(value, bool) == (view.kind == "bool"))


def _value_problems(base: TrainSpec, field: str, values: Sequence[Any]) -> Iterator[Problem]:
    view = variable_fields().get(field)
    if view is None:
        yield _not_variable(field)
        return
    if not values:
        yield Problem(field, message("{name} has no values to vary; enter at least one.", name=field))
    if len(values) > MOST_RUNS:
        yield _too_many(field, len(values))
        return
    for value in values:
        if is_of_kind(view, value):
            yield from _problems_of(base, field, value)
        else:
            yield wrong_value(field, _as_given(value), allowed(view))


def _problems_of(base: TrainSpec, field: str, value: Value) -> list[Problem]:
    """Return the problems of a value on its own; relations to other settings are checked when all values are known."""
    owner: type[Spec] = GPTConfig if field in GPTConfig.model_fields else TrainSpec
    values = (base.config if owner is GPTConfig else base).shallow()
    relations = {problem.message for problem in owner.relations(values | {field: value})}
    return [each for each in owner.problems(values | {field: value})
            if each.field == field and each.message not in relations]


def _as_the_field_has_them(field: str, values: Sequence[Any]) -> tuple[Value, ...]:
    """Return the values in the type of the field, without duplicates: 1 becomes 1.0 for a float field."""
    is_float = variable_fields()[field].kind == "float"
    return tuple(dict.fromkeys(float(value) if is_float else value for value in values))


def _not_variable(field: str) -> Problem:
    if field == "seed":
        return Problem(field, message("seed is varied by the list of seeds, not among the settings."))
    known = ", ".join(variable_fields())
    return Problem(field, message(
        "{name} cannot be varied. The settings that can be are: {known}.", name=shown(field), known=known))


def _name_problems(name: str) -> Iterator[Problem]:
    if not PORTABLE.fullmatch(name) or len(name.encode()) > LONGEST_NAME or name.startswith("."):
        yield Problem("name", message(
            "The name of the sweep, {name}, cannot be the name of a folder. Use up to {most} letters, digits, spaces "
            "and hyphens.", name=_as_given(name), most=LONGEST_NAME))


def _seed_problems(seeds: Sequence[int]) -> Iterator[Problem]:
    view = next(view for view in fields_of(TrainSpec) if view.name == "seed")
    if len(seeds) > MOST_SEEDS:
        yield Problem("seeds", message("{n} seeds are too many; at most {most}.", n=f"{len(seeds):,}", most=MOST_SEEDS))
        return
    for seed in seeds:
        if not is_of_kind(view, seed) or not 0 <= seed <= 2**63 - 1:
            yield wrong_value("seed", _as_given(seed), allowed(view))._replace(field="seeds")


def _size_problems(varied: int, count: int) -> list[Problem]:
    if varied > MOST_VARIED:
        return [Problem("vary", message("A sweep varies one or two settings, not {n}.", n=varied))]
    if count < 2:
        return [Problem("vary", message(
            "This sweep would be a single run. Vary a setting with at least two values, or use several seeds."))]
    return [_too_many("vary", count)] if count > MOST_RUNS else []


def _too_many(field: str, count: int) -> Problem:
    return Problem(field, message(
        "This sweep would have {n} runs; it can have at most {most}.", n=f"{count:,}", most=f"{MOST_RUNS:,}"))


def _as_given(value: object) -> str | Message:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return message("a number with {count} bits", count=value.bit_length())
    return shown(repr(value) if isinstance(value, str) else str(value))
