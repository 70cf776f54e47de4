"""A command: what menus, buttons, keys, the palette, locks and lessons know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gptstudio.app.state import AppState

Text = str | Callable[[AppState], str]
"""A message, or what gives it for the present state."""
Blocker = Callable[[AppState], "str | None"]
"""Gives the reason why a command is off, as a message; None if the command is on."""
Scope = Literal["window", "page", "list"]


def never(_: AppState) -> None:
    return None


def unless(on: Callable[[AppState], object], why: str) -> Blocker:
    """Return a blocker that gives a reason while ``on`` is false."""
    return lambda state: None if on(state) else why


@dataclass(frozen=True)
class Command:
    """Something that a user can have done.

    Attributes:
        id: also the name of its button, and of its QAction with ``_action`` behind it.
        keys: its shortcuts; they work in the ``scope``: anywhere in the window, on its page, or on the list there.
        icon: its sign in menus, a name of :mod:`gptstudio.gui.icons`.
        plain_keys: names of keys that do it on its pages where the control with the focus has no use for them.
        blocked: why it is off now.
    """

    id: str
    text: Text
    help: Text = ""
    keys: tuple[str, ...] = ()
    scope: Scope = "window"
    pages: tuple[str, ...] = ()
    plain_keys: tuple[str, ...] = ()
    blocked: Blocker = never
    icon: Text = ""
