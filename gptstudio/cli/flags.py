"""Flags made from the fields of the specs: name, help, range and default are defined there and nowhere else.

A flag passes on the typed value, and the spec validates it. So the command line has the same error messages as the
window, and reports all problems at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

from cyclopts import Group, Parameter
from pydantic import BaseModel, ConfigDict, create_model

from gptstudio.field_view import LISTS, FieldView
from gptstudio.fields import Spec, fields_of
from gptstudio.list_text import read_list, write_list
from gptstudio.spec_code import NONE

METAVARS = {
    "int": "N", "float": "X", "text": "TEXT", "texts": "TEXT", "ints": "N,N", "numbers": "X,X", "matrix": "X,X;X,X",
    "choices": "NAME,NAME",
}

T = TypeVar("T", bound="Flags")
HUGE = 10**9
"""Bounds from here on are only there to keep arithmetic sane, and no news to a reader."""


class Flags(BaseModel):
    """The flags of one spec, None where not given."""

    model_config = ConfigDict(frozen=True)
    views: ClassVar[Sequence[FieldView]] = ()

    def given(self) -> dict[str, Any]:
        """Field name -> value, for the flags that were given."""
        typed = {view: getattr(self, view.name) for view in self.views}
        return {view.name: _value(view, text) for view, text in typed.items() if text is not None}


def flags_of(
    spec: type[Spec], group: Group, only: tuple[str, ...] = (), defaults: bool = True
) -> Callable[[type[T]], type[T]]:
    """Give a class of :class:`Flags` one flag for each field of ``spec``.

    Args:
        only: the fields to take; all if empty.
        defaults: whether the help names the spec's defaults; not where a preset decides.
    """

    def decorate(cls: type[T]) -> type[T]:
        views = [view for view in fields_of(spec) if not only or view.name in only]
        hints: dict[str, Any] = {view.name: (_hint(view, group, defaults), None) for view in views}
        made = create_model(cls.__name__, __base__=cls, __doc__=cls.__doc__, **hints)
        made.views = views
        return Parameter(name="*")(made)

    return decorate


def _hint(view: FieldView, group: Group, default: bool) -> Any:
    typed: Any = {"bool": bool, "texts": tuple[str, ...]}.get(view.kind, str)
    return Annotated[
        typed | None,
        Parameter(
            help=_help(view),
            alias=f"--{view.formerly.replace('_', '-')}" if view.formerly else None,
            group=group,
            choices=view.choices if view.kind == "choice" and not view.typed else None,
            metavar=view.typed or METAVARS.get(view.kind),
            negative_iterable=(),
            allow_leading_hyphen=view.kind in LISTS,  # the first of several numbers may be below zero
            show_default=_shown(view.default) if default else False,
        ),
    ]


def _help(view: FieldView) -> str:
    message = view.help.replace("leave empty", f"'{NONE}'") if view.optional else view.help
    if view.kind == "choices":
        return f"{message} A comma-separated list of: {', '.join(view.choices)}."
    if view.kind == "texts" and view.empty:
        return f"{message} '{NONE}' for an empty list."
    if view.low is None or view.kind not in ("int", "float"):
        return message
    if view.high is None or view.high >= HUGE:
        return f"{message} At least {_number(view.low)}."
    return f"{message} From {_number(view.low)} to {_number(view.high)} {view.unit}".rstrip() + "."


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,}"


def _shown(default: Any) -> str | bool:
    if isinstance(default, bool) or default in ("", ()):
        return "yes" if default else False
    if isinstance(default, tuple):
        return write_list(default) if default and not isinstance(default[0], str) else ",".join(default)
    return NONE if default is None else f"{default}"


def _value(view: FieldView, typed: Any) -> Any:
    """Numbers as numbers, since the spec's words show them so; all else as it was typed. ``--top-k none`` samples from
    all tokens, ``--probes none`` records none."""
    if view.optional and typed == NONE:
        return None
    if view.kind == "texts" and view.empty and typed == (NONE,):
        return ()
    if view.kind in LISTS:
        return read_list(view.kind, typed)
    for kind in (int, float) if view.kind in ("int", "float") else ():
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed
