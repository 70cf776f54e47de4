"""Description of the field of a spec, for widgets, flags and words, and the values that it accepts."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from gptstudio.i18n import message

Numbers = tuple[float, ...]
Matrix = tuple[tuple[float, ...], ...]
"""Rows of numbers; as text, numbers with commas between them and semicolons between the rows."""


@dataclass(frozen=True)
class FieldView:
    """Description of a field, as a widget or a flag needs it."""

    name: str
    label: str
    help: str
    unit: str
    kind: Literal["int", "float", "bool", "choice", "choices", "text", "texts", "ints", "numbers", "matrix"]
    optional: bool
    default: Any
    low: float | None
    high: float | None
    step: float | None
    choices: tuple[str, ...]
    empty: str
    panel: bool
    group: str
    formerly: str
    typed: str
    names: Mapping[str, str] = field(hash=False)


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
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    bounds = {key: getattr(part, key) for part in info.metadata for key in ("ge", "le") if hasattr(part, key)}
    step = extra.get("step")
    return FieldView(
        name=name, label=info.title or name, help=info.description or "", unit=str(extra.get("unit") or ""),
        kind="choices" if several else "choice" if choices else kinds.get(annotation, "text"), optional=optional,
        default=info.default, low=bounds.get("ge"), high=bounds.get("le"),
        step=step if isinstance(step, (int, float)) else None, choices=choices, empty=str(extra.get("empty") or ""),
        panel=bool(extra.get("panel", True)), group=str(extra.get("group") or ""),
        formerly=str(extra.get("formerly") or ""), typed=str(extra.get("typed") or ""),
        names=_names(extra.get("names")),
    )


def _names(names: Any) -> dict[str, str]:
    return names if isinstance(names, dict) else {}


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        return rest[0], len(rest) < len(get_args(annotation))
    return annotation, False


LISTS = ("ints", "numbers", "matrix", "choices")
"""The kinds that are typed as values in a row."""


ALLOWED = {
    "bool": message("true or false"), "text": message("text"), "texts": message("one or more texts"),
    "ints": message("whole numbers separated by commas"), "numbers": message("numbers separated by commas"),
    "matrix": message("numbers separated by commas, with semicolons between rows"),
}
"""The values that a field of a kind accepts, whatever its range."""


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
    elif view.low is not None:
        number = message("{number} of at least {low}", number=number, low=f"{view.low:,}")
    return message("{number}, or empty", number=number) if view.optional else number
