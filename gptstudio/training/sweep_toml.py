"""Parser for the TOML file of a sweep, which returns a :class:`SweepSpec` or every error with its line. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gptstudio.data import texts
from gptstudio.errors import Fault, UserError, shown
from gptstudio.fields import FieldView, Problem, Spec, SpecError, allowed, fields_of, wrong_value
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.i18n import message
from gptstudio.toml_file import TABLE, Document, FileError, Text
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_spec import (
    MOST_RUNS,
    SweepSpec,
    is_of_kind,
    linear_range,
    log_range,
    variable_fields,
)

MOST_BYTES = 2**20
RANGE = ("from", "to", "count", "scale")


@dataclass(frozen=True)
class SweepTable:
    """Raw values of the file; the specs check the contents of the tables."""

    __pydantic_config__ = TABLE
    vary: dict[str, Any] = field(default_factory=dict)
    name: Text = ""
    seeds: Any = None
    model: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)


def read(path: Path) -> SweepSpec:
    """Return the sweep that a file describes. Without a name in the file, it is named after the file.

    Raises:
        UserError: the file cannot be read, or is invalid; the message lists every error with its line.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(message("Could not read {path}: {why}.", path=path, why=why)) from error
    try:
        if len(data) > MOST_BYTES:
            raise FileError([Fault(0, message("the file is too large for the description of a sweep."))])
        return parse(data, path.stem)
    except FileError as error:
        faults = " ".join(str(fault.message()) for fault in error.faults)
        raise UserError(message("{path}: {faults}", path=path, faults=faults)) from error


def parse(data: bytes, name: str) -> SweepSpec:
    """Return the sweep in the content of a file. ``name``: the name of the sweep if the file has none.

    Raises:
        FileError: the content is invalid; it lists every error.
    """
    document = Document(data)
    table = document.read(SweepTable, {"": (message("the description of a sweep"), SweepTable)})
    problems: list[tuple[tuple[str, ...], str]] = []

    def note(place: str, found: list[Problem]) -> None:
        problems.extend(((place, each.field), each.message) for each in found)

    preset = table.model.get("preset", DEFAULT_PRESET)
    if not isinstance(preset, str) or preset not in PRESETS:
        choices = message("one of {choices}", choices=", ".join(PRESETS))
        note("model", [wrong_value("preset", shown(repr(preset)), choices)])
        preset = DEFAULT_PRESET
    shape = PRESETS[preset].changed_values({name: value for name, value in table.model.items() if name != "preset"})
    note("model", _problems(GPTConfig, shape))
    note("training", _problems(TrainSpec, table.training))
    vary, found = _varied(table.vary)
    note("vary", found)
    seeds, found = _seeds(table.seeds, table.training.get("seed"))
    problems += [(("seeds",), each.message) for each in found]
    if not problems:
        try:
            base = TrainSpec.make(table.training, config=GPTConfig.make(shape))
            base = base.model_copy(update={"text": texts.absolute_names(base.text)})  # valid in any folder
            return SweepSpec.make(table.name or name, base, vary, seeds)
        except SpecError as error:
            problems = [(_place(each, table), each.message) for each in error.problems]
    raise FileError(Fault(document.line(*key), what) for key, what in dict.fromkeys(problems))


def _place(problem: Problem, table: SweepTable) -> tuple[str, ...]:
    if problem.field in ("name", "seeds", "vary"):
        return (problem.field,)
    tables = {"vary": table.vary, "model": table.model, "training": table.training}
    return next(((name, problem.field) for name, values in tables.items() if problem.field in values), ("vary",))


def _problems(spec: type[Spec], values: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of a table: unknown settings, values of the wrong TOML type, and invalid values."""
    views = {view.name: view for view in fields_of(spec)}
    wrong = [
        Problem(name, message("{name} is not a setting. The settings are: {known}.",
                              name=shown(name), known=", ".join(views)))
        for name in values if name not in views
    ]
    wrong += [
        wrong_value(name, shown(repr(value)), allowed(views[name]))
        for name, value in values.items() if name in views and not _is_typed(views[name], value)
    ]
    return wrong or spec.problems(values)


def _is_typed(view: FieldView, value: object) -> bool:
    if view.kind in ("int", "float", "bool"):
        return is_of_kind(view, value) or (view.optional and value is None)
    return not isinstance(value, (bool, int, float))


def _seeds(given: Any, first: Any) -> tuple[tuple[int, ...], list[Problem]]:
    """Return the seeds of a list; for a number, as many consecutive seeds from ``first`` on."""
    if given is None:
        return (), []
    if isinstance(given, list):
        return tuple(given), [] if given else [Problem("seeds", message("The list of seeds is empty."))]
    if type(given) is int and 1 <= given <= MOST_RUNS:
        first = first if type(first) is int else TrainSpec().seed
        return tuple(range(first, first + given)), []
    return (), [Problem("seeds", message(
        "seeds is {value}; it must be a list of whole numbers, or their number.", value=shown(repr(given))))]


def _varied(given: Mapping[str, Any]) -> tuple[dict[str, list[Any]], list[Problem]]:
    """Return the values of each varied setting, with ranges expanded, and the problems."""
    found: dict[str, list[Any]] = {}
    problems: list[Problem] = []
    for name, values in given.items():
        if isinstance(values, list):
            found[name] = values
        elif isinstance(values, dict):
            problems += (wrong := list(_range_problems(name, values)))
            found[name] = [] if wrong else _range(name, values)
        else:
            problems.append(Problem(name, message(
                "{name} is {value}; it must be a list of values, or a range such as {example}.", name=shown(name),
                value=shown(repr(values)), example='{ from = 0.0001, to = 0.01, count = 3, scale = "log" }')))
    return found, problems


def _range_problems(name: str, given: Mapping[str, Any]) -> Iterator[Problem]:
    view = variable_fields().get(name)
    if view is None or view.kind not in ("int", "float"):
        yield Problem(name, message("{name} cannot be varied by a range; give a list of values.", name=shown(name)))
        return
    for key in given:
        if key not in RANGE:
            yield Problem(name, message(
                "{name} has the part {key}, which is no part of a range; the parts are {parts}.",
                name=name, key=shown(key), parts=", ".join(RANGE)))
    scale = given.get("scale", "linear")
    if scale not in ("linear", "log"):
        yield Problem(name, message("The scale of {name} is {value}; it must be linear or log.",
                                    name=name, value=shown(repr(scale))))
    for key in ("from", "to"):
        value = given.get(key)
        if value is None or not is_of_kind(view, value) or (scale == "log" and value <= 0):
            what = message("a number above 0, since the scale is log") if scale == "log" else allowed(view)
            yield Problem(name, message("The part {key} of {name} is {value}; it must be {what}.",
                                        key=key, name=name, value=shown(repr(value)), what=what))
    count = given.get("count")
    if type(count) is not int or not 2 <= count <= MOST_RUNS:
        yield Problem(name, message("The count of {name} is {value}; it must be a whole number between 2 and {most}.",
                                    name=name, value=shown(repr(count)), most=f"{MOST_RUNS:,}"))


def _range(name: str, given: Mapping[str, Any]) -> list[Any]:
    make = log_range if given.get("scale") == "log" else linear_range
    return list(make(given["from"], given["to"], given["count"], variable_fields()[name].kind == "int"))
