"""Fields, each defined once: label, unit, range and help are part of the field itself.

The widget in the window, the flag on the command line, the check with its message, and the JSON in the run folder all
follow from this definition. Lists and matrices are typed as text, with commas between the values and semicolons between
the rows. Imports neither Qt nor torch.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from gptstudio.errors import UserError
from gptstudio.i18n import Message, joined, message

Numbers = tuple[float, ...]
Matrix = tuple[tuple[float, ...], ...]
"""Rows of numbers; as text, numbers with commas between them and semicolons between the rows."""


@dataclass(frozen=True)
class FieldView:
    """Description of a field, for a widget or a flag."""

    name: str
    label: str
    help: str
    kind: Literal["int", "float", "bool", "choice", "choices", "text", "texts", "ints", "numbers", "matrix"]
    optional: bool
    default: Any
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    unit: str = ""
    step: float | None = None
    empty: str = ""
    panel: bool = True
    group: str = ""
    formerly: str = ""
    typed: str = ""
    names: Mapping[str, str] = field(hash=False, default_factory=dict)


def view_of(name: str, info: FieldInfo) -> FieldView:
    """Return the description of a field."""
    annotation, optional = _without_none(info.annotation)
    several = get_origin(annotation) is tuple and get_origin(get_args(annotation)[0]) is Literal
    one = get_args(annotation)[0] if several else annotation
    choices = get_args(one) if get_origin(one) is Literal else ()
    kinds: dict[Any, Any] = {
        int: "int", float: "float", bool: "bool", tuple[str, ...]: "texts",
        tuple[int, ...]: "ints", Numbers: "numbers", Matrix: "matrix",
    }
    extra: Any = info.json_schema_extra or {}
    bounds = {key: getattr(part, key) for part in info.metadata for key in ("ge", "le") if hasattr(part, key)}
    return FieldView(
        name=name, label=info.title or name, help=info.description or "", optional=optional, default=info.default,
        kind="choices" if several else "choice" if choices else kinds.get(annotation, "text"),
        low=bounds.get("ge"), high=bounds.get("le"), choices=choices, **extra,
    )


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        return rest[0], len(rest) < len(get_args(annotation))
    return annotation, False


LISTS = ("ints", "numbers", "matrix", "choices")
"""Kinds that are typed as a list of values."""


ALLOWED = {
    "bool": message("true or false"), "text": message("text"), "texts": message("one or more texts"),
    "ints": message("whole numbers separated by commas"), "numbers": message("numbers separated by commas"),
    "matrix": message("numbers separated by commas, with semicolons between rows"),
}
"""Values that each kind of field accepts, regardless of its range."""


def allowed(view: FieldView) -> str:
    """Describe the values that a field accepts: 'a whole number from 1 to 1,000'."""
    if view.kind == "choice":
        return message("one of {choices}", choices=", ".join(view.choices))
    if view.kind == "choices":
        return message("any of {choices}", choices=", ".join(view.choices))
    if view.kind in ALLOWED:
        return ALLOWED[view.kind]
    number = message("a whole number") if view.kind == "int" else message("a number")
    if view.low is not None and view.high is not None:
        number = message("{number} between {low} and {high}", number=number, low=f"{view.low:,}", high=f"{view.high:,}")
    return message("{number}, or empty", number=number) if view.optional else number


NAMED, LABELLED = message("{name} is {value}; it must be {what}."), message("{name} must be {what}, not {value}.")
"""Message about a wrong value, with the field's name in code, and with its label, which may be a plural (*Layers*)."""


class Problem(NamedTuple):
    """Problem with one field: a message that names the field, its value and the allowed values."""

    field: str
    message: str

    def with_name(self) -> Problem:
        """Return the problem with the field's name in code at the beginning of the message, unless the message contains
        it."""
        return self if self.field in self.message else Problem(self.field, joined(": ", self.field, self.message))

    def with_label(self, label: str) -> Problem:
        """Return the problem with the field's label where the message has the field's name in code."""
        words = self.message
        if not label or not isinstance(words, Message) or words.values.get("name") != self.field:
            return self
        source, values = words.source, {**words.values, "name": message(label)}
        if source == NAMED:
            source, values["value"] = LABELLED, message("empty") if values["value"] == repr(None) else values["value"]
        return Problem(self.field, message(source, **values))


class SpecError(UserError, ValueError):
    """Error for values that do not make a valid spec. ``problems`` holds all of them; ``str()`` is one line."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__(joined(" ", *(problem.message for problem in self.problems)))


def setting(
    default: Any, label: str, help: str, *, unit: str = "", low: float | None = None, high: float | None = None,
    step: float | None = None, empty: str = "", panel: bool = True, group: str = "", formerly: str = "",
    typed: str = "", names: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Return a pydantic field with a label, a unit, a range and a help text.

    Args:
        step: increment of a spin box.
        empty: meaning of an empty field, in one or two words.
        panel: False for a field that the window does not show in the panel but elsewhere.
        group: heading above the field, for a spec with many fields; fields without one come first.
        formerly: name of the field in files and on the command line of version 0.1.
        typed: description of the values on the command line, if it accepts more than the choices.
        names: names of the choices in the window; any other choice is shown as it is.
    """
    return Field(
        default, title=label, description=help, ge=low, le=high,
        json_schema_extra={
            "unit": unit, "step": step, "empty": empty, "panel": panel, "group": group, "formerly": formerly,
            "typed": typed, "names": dict(names),
        },
    )


class Spec(BaseModel):
    """A frozen set of settings that reports all of its problems at once."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def __init__(self, **values: Any) -> None:
        """
        Raises:
            SpecError: with every problem, each with the name of its field.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            problems = self.problems(values) or [Problem("", error.errors(include_url=False)[0]["msg"])]
            raise SpecError([problem.with_name() for problem in problems]) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # so that nested specs are made without it

    def __setattr__(self, name: str, value: Any) -> None:
        """
        Raises:
            SpecError: always, as a spec is frozen.
        """
        raise SpecError([Problem(name, message(
            "{name} of a spec that exists cannot be changed. Use but({name}=...), which returns another spec.",
            name=name))])

    @model_validator(mode="before")
    @classmethod
    def _rename(cls, values: Any) -> Any:
        """Rename fields from their former names, and wrap a single text in a tuple if the field accepts several."""
        if not isinstance(values, Mapping):
            return values
        views = fields_of(cls)
        renamed = {view.formerly: view.name for view in views if view.formerly in values}
        alone = {view.name for view in views if view.kind in ("texts", "choices")}
        return {
            (new := renamed.get(name, name)): (value,) if new in alone and isinstance(value, str) else value
            for name, value in values.items()
        }

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_conversions(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse bytes, which pydantic would decode, and True and False where a number is expected."""
        number = _contains(value, bool) and view_of("", cls.model_fields[info.field_name or ""]).kind != "bool"
        if number or _contains(value, bytes):
            raise ValueError
        return value

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:  # noqa: ARG003 - for specs that override it
        """Yield the problems between fields. ``values`` holds only the fields that are valid on their own."""
        yield from ()

    @classmethod
    def problems(cls, values: Mapping[str, Any]) -> list[Problem]:
        """Return all problems of ``values``, beginning with single fields. The list is empty if the values make a valid
        spec.

        A nested spec may also be given as a mapping; its problems are found separately and keep the names of its
        fields.
        """
        found: list[Problem] = []
        broken: set[str] = set()
        for name, inner in _nested(cls).items():
            if isinstance(values.get(name), Mapping) and (inside := inner.problems(values[name])):
                found += inside
                broken.add(name)
        try:
            good = cls.model_validate(dict(values), context={"relations": False}).shallow()
        except ValidationError as error:
            details = [d for d in error.errors(include_url=False) if not d["loc"] or d["loc"][0] not in broken]
            found += [_in_words(cls, detail) for detail in details]
            broken |= {str(detail["loc"][0]) for detail in details if detail["loc"]}
            good = _valid_part(cls, values, broken)
        return found + [p for p in cls.relations(good) if p.field not in broken]

    @classmethod
    def labelled_problems(cls, values: Mapping[str, Any]) -> list[Problem]:
        """Return all problems of ``values`` for the window, where a field has its label instead of its name in code."""
        labels = {view.name: view.label for spec in (cls, *_nested(cls).values()) for view in fields_of(spec)}
        return [problem.with_label(labels.get(problem.field, "")) for problem in cls.problems(values)]

    @classmethod
    def make(cls, values: Mapping[str, Any] | None = None, **more: Any) -> Self:
        """Return the spec with these values.

        Raises:
            SpecError: with every problem, not only the first.
        """
        given = {**(values or {}), **more}
        problems = cls.problems(given)
        if problems:
            raise SpecError(problems)
        return cls.model_validate(given)

    def but(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, validated again."""
        return self.make(self.shallow(), **changes)

    def shallow(self) -> dict[str, Any]:
        """Return the value of each field by name, with nested specs unchanged."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    @model_validator(mode="after")
    def _hold_relations(self, info: Any) -> Self:
        if (info.context or {}).get("relations", True):
            problems = list(self.relations(self.shallow()))
            if problems:
                raise SpecError(problems)
        return self


@cache
def fields_of(spec: type[Spec]) -> tuple[FieldView, ...]:
    """Return the fields of a spec in order of definition, without nested specs."""
    nested = _nested(spec)
    return tuple(view_of(name, info) for name, info in spec.model_fields.items() if name not in nested)


def _nested(spec: type[Spec]) -> dict[str, type[Spec]]:
    """Return the fields that are nested specs."""
    return {
        name: info.annotation
        for name, info in spec.model_fields.items()
        if isinstance(info.annotation, type) and issubclass(info.annotation, Spec)
    }


def _contains(value: Any, kind: type) -> bool:
    """Return whether a value, or an item of a list or matrix, is of this type."""
    return any(_contains(item, kind) for item in value) if isinstance(value, (list, tuple)) else isinstance(value, kind)


def _valid_part(cls: type[Spec], values: Mapping[str, Any], broken: set[str]) -> dict[str, Any]:
    """Return the fields that are valid on their own, converted to their types, with defaults for those not given."""
    rest = {name: value for name, value in values.items() if name in cls.model_fields and name not in broken}
    with suppress(ValidationError):  # raised if a field without a default is invalid or missing
        whole = cls.model_validate(rest, context={"relations": False}).shallow()
        return {name: value for name, value in whole.items() if name not in broken}
    defaults = {
        name: info.default
        for name, info in cls.model_fields.items()
        if name not in broken and name not in rest and not info.is_required()
    }
    return defaults | rest


def _in_words(cls: type[Spec], detail: ErrorDetails) -> Problem:
    if isinstance(error := detail.get("ctx", {}).get("error"), SpecError):
        return error.problems[0]
    name = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        known = ", ".join(cls.model_fields)
        return Problem(name, message("{name} is not a setting. The settings are: {known}.", name=name, known=known))
    shown = _shown(detail["input"])
    if detail["type"] == "model_type":
        return Problem(name, message("{name} is {value}; it must be a group of settings.", name=name, value=shown))
    info = cls.model_fields.get(str(detail["loc"][0])) if detail["loc"] else None
    if info is None:
        return Problem(name, detail["msg"])
    view = view_of(name, info)
    if view.kind in LISTS:
        return _in_a_list(view, detail, shown)
    return wrong_value(name, shown, allowed(view))


def wrong_value(name: str, value: str, what: str) -> Problem:
    """Return the problem of a field with a value that is not ``what`` it must be."""
    return Problem(name, message(NAMED, name=name, value=value, what=what))


def _in_a_list(view: FieldView, detail: ErrorDetails, shown: str) -> Problem:
    """Return a problem with an item's position in a list or matrix, counted from 1."""
    name, *places = (part for part in detail["loc"] if isinstance(part, (int, str)))
    where = [place + 1 for place in places if isinstance(place, int)]
    one = message("a whole number") if view.kind == "ints" else message("a number")
    if view.kind == "choices":
        one = message("one of {choices}", choices=", ".join(view.choices))
    if len(where) == 2:
        row, column = where
        return Problem(str(name), message(
            "{name}, row {row}, column {column}, is {value}; it must be {what}.",
            name=message(view.label), row=row, column=column, value=shown, what=one,
        ))
    if where and view.kind != "matrix":
        return Problem(str(name), message(
            "{name}, item {place}, is {value}; it must be {what}.",
            name=message(view.label), place=where[0], value=shown, what=one,
        ))
    return wrong_value(str(name), shown, allowed(view))


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print a number with thousands of digits.
        return f"{value:,}" if value.bit_length() <= 128 else f"a number with {value.bit_length():,} bits"
    return repr(value) if len(repr(value)) < 60 else repr(value)[:57] + "..."


def read_list(kind: str, text: str) -> Any:
    """Return the values of a typed list, nested for a matrix. Text that is not a number is kept, for the spec to
    reject."""
    if kind == "choices":
        return tuple(part.strip() for part in text.split(",")) if text.strip() else ()
    if kind == "matrix":
        return tuple(_row(float, row) for row in text.strip().strip(";").split(";")) if text.strip() else ()
    return _row(int if kind == "ints" else float, text) if text.strip() else ()


def write_list(values: Any) -> str:
    """Return values as text that :func:`read_list` can read."""
    rows = values if values and isinstance(values[0], (tuple, list)) else [values]
    return "; ".join(", ".join(f"{v:.15g}" if isinstance(v, float) else str(v) for v in row) for row in rows)


def _row(kind: type, text: str) -> tuple[Any, ...]:
    return tuple(_number(kind, part.strip()) for part in text.split(","))


def _number(kind: type, text: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        return text
