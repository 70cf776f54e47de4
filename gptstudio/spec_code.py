"""Specs as they are typed: as options of the command line, and as arguments in Python. No torch.

Both leave out what is as in another spec, mostly the defaults. :mod:`gptstudio.cli.arguments` reads the options.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from gptstudio.field_view import LISTS, FieldView
from gptstudio.fields import Spec, fields_of
from gptstudio.list_text import write_list

NONE = "none"
"""Option value of a field that is empty."""
WIDEST = 100
"""Characters of a call that stands on one line."""


def options(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> list[str]:
    """Return the words of the options that make ``spec`` of ``base``."""
    return [word for view in _different(spec, base, leave_out) for word in _option(view, getattr(spec, view.name))]


def arguments(spec: Spec, base: Spec, leave_out: Collection[str] = ()) -> dict[str, str]:
    """Return the keyword arguments that make ``spec`` of ``base``: each name with its value as a Python literal."""
    return {view.name: repr(getattr(spec, view.name)) for view in _different(spec, base, leave_out)}


def call(function: str, *positional: str, **keywords: str) -> str:
    """Return a call in Python, with a line for each argument where one line would be long."""
    parts = [*positional, *(f"{name}={value}" for name, value in keywords.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= WIDEST and "\n" not in line:
        return line
    indented = "".join(f"    {part}\n".replace("\n", "\n    ").rstrip() + ",\n" for part in parts)
    return f"{function}(\n{indented})"


def _different(spec: Spec, base: Spec, leave_out: Collection[str]) -> Iterator[FieldView]:
    for view in fields_of(type(spec)):
        if view.name not in leave_out and getattr(spec, view.name) != getattr(base, view.name):
            yield view


def _option(view: FieldView, value: Any) -> Iterator[str]:
    name = view.name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{name}" if value else f"--no-{name}"
        return
    if view.kind == "texts":
        values = list(value) or [NONE]
    elif view.kind == "choices":
        values = [",".join(value)]
    else:
        values = [NONE if value is None else write_list(value) if view.kind in LISTS else str(value)]
    for each in values:  # what begins with a hyphen would be taken for an option
        yield from (f"--{name}={each}",) if each.startswith("-") else (f"--{name}", each)


