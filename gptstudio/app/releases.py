"""Address of the page with the releases of this program. It opens in the browser; the program asks nothing there."""

from __future__ import annotations

import os
from functools import cache
from urllib.parse import urlsplit

from gptstudio import paths, settings
from gptstudio.app.state import AppState
from gptstudio.i18n import message

VARIABLE = "GPTSTUDIO_RELEASES"
BUILT = "releases.txt"
"""File among the resources of an installed program; its build writes it (``packaging/gptstudio.spec``)."""


def address() -> str:
    """Return the address of the environment, of this computer's settings, or of the build; empty if there is none."""
    named = os.environ.get(VARIABLE)
    return named.strip() if named is not None else read_address()


@cache
def read_address() -> str:
    """Return the address of this computer's settings or of the build, which are read once: a command asks for it at
    each change of the state."""
    built = paths.resources() / BUILT
    return settings.in_force().releases or (built.read_text(encoding="utf-8").strip() if built.is_file() else "")


def releases_blocker(_: AppState) -> str | None:
    """Return why the page cannot be opened, as a message; None if it can."""
    url = address()
    if not url:
        return message(
            "This copy of GPT Studio does not know where its releases are published. Its build can set the address, or "
            "you can: as releases in the settings file, or in the environment variable {variable}.", variable=VARIABLE)
    if not is_https(url):
        return message(
            "The address of the releases must begin with https://, and this one does not: {address}. Change it in the "
            "settings file, or in the environment variable {variable}.", address=url, variable=VARIABLE)
    return None


def is_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket without its other, for one
        return False
    return parts.scheme == "https" and bool(parts.hostname) and url.isascii() and url.isprintable() and " " not in url
