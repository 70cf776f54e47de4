"""Address of the releases of this program. Nothing is asked there before the user agrees: see ``release_check``."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from gptstudio import paths, settings
from gptstudio.i18n import message

VARIABLE = "GPTSTUDIO_RELEASES"
BUILT = "releases.txt"
"""File among the resources of an installed program; its build writes it (``packaging/gptstudio.spec``)."""


def address() -> str:
    """Return the address that describes the latest release, as GitHub's ``/repos/OWNER/REPO/releases/latest`` does:
    that of the environment, of this computer's settings, or of the build. Empty if there is none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return named.strip()
    built = paths.resources() / BUILT
    return settings.in_force().releases or (built.read_text(encoding="utf-8").strip() if built.is_file() else "")


def problem(url: str) -> str:
    """Return why this address cannot be asked, as a message; empty if it can."""
    if not url:
        return message(
            "This copy of GPT Studio does not know where its releases are published. Its build can set the address, or "
            "you can: as releases in the settings file, or in the environment variable {variable}.", variable=VARIABLE)
    if not is_https(url):
        return message(
            "The address of the releases must begin with https://, and this one does not: {address}. Change it in the "
            "settings file, or in the environment variable {variable}.", address=url, variable=VARIABLE)
    return ""


def is_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket without its other, for one
        return False
    return parts.scheme == "https" and bool(parts.hostname) and url.isascii() and url.isprintable() and " " not in url


def host(url: str) -> str:
    return urlsplit(url).hostname or url
