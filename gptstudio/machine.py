"""Identity of this computer, to distinguish it from others on a shared disk: names can be changed, or used twice."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path

APPLICATION = uuid.UUID("5d0f6c1e-7f0b-4a58-9f43-3c1a2f5b9e70").bytes
"""Key of this program, so that other programs get other identities: the computer's own id must not be passed on."""

FILES = tuple(map(Path, ("/etc/machine-id", "/var/lib/dbus/machine-id")))
RANDOM = 1 << 40
"""Bit that is set in the random number that ``uuid.getnode`` returns without a network card (RFC 9562, section
6.10)."""


@cache
def identity() -> str:
    """Return 32 hexadecimal digits that stay the same on this computer; empty if nothing identifies it.

    HMAC-SHA256 of this program's key, keyed with the computer's id, as in ``sd_id128_get_machine_app_specific`` of
    systemd.
    """
    number = _number()
    return hmac.new(number, APPLICATION, hashlib.sha256).hexdigest()[:32] if number else ""


def _number() -> bytes:
    """Return the machine-id(5), or on systems without one the address of a network card; empty if there is neither."""
    for file in FILES:
        with suppress(OSError, ValueError):
            if number := bytes.fromhex(file.read_text(encoding="ascii").strip()):
                return number
    node = uuid.getnode()
    return b"" if node & RANDOM else node.to_bytes(6, "big")
