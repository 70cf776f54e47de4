"""Files of a run: written with a digest, and upgraded from older versions when read. No torch."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic_core import from_json

from gptstudio import formats
from gptstudio.errors import UserError
from gptstudio.i18n import message

FORMAT = formats.RUN
SHA256 = "sha256"
"""Key of the digest of all other values in a sealed file; earlier versions wrote none."""


def sealed(values: dict[str, Any]) -> bytes:
    """Return the values as indented JSON with their digest."""
    return json.dumps(values | {SHA256: digest_of(values)}, indent=1, ensure_ascii=False).encode()


def unsealed(data: bytes, what: str, known: int = FORMAT) -> Any:
    """Return sealed values without their digest, which is not checked for a format above ``known``.

    Raises:
        UserError: ``what`` does not match its digest.
        ValueError: the data is not JSON.
    """
    values = from_json(data)
    said = values.pop(SHA256, None) if isinstance(values, dict) else None
    if said is not None and said != digest_of(values) and not formats.is_newer(values.get("format"), known):
        raise UserError(message(
            "{what} is damaged: it was cut off or changed (wrong checksum). Restore it from a copy. If you changed it "
            "yourself, delete the line that begins with \"sha256\" and the comma before it.",
            what=what,
        ))
    return values


def upgrade(values: dict[str, Any], what: str) -> dict[str, Any]:
    """Return the values of a ``run.json`` or ``state.json`` from any version, converted to the current format.

    Raises:
        UserError: ``what`` was written by a newer version.
        ValueError: there is no format number.
    """
    version = values.get("format") if isinstance(values, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ValueError(f"{what} has no format number")
    formats.refuse_newer(values, FORMAT, what)
    if version == 1 and isinstance(values.get("spec"), dict):  # run.json
        # All settings added in format 2 default to the behaviour of format 1, except this one:
        values = values | {"spec": {"save_every_s": 30} | values["spec"]}
    return values | {"format": FORMAT}


def digest_of(values: Any) -> str:
    """Return the SHA-256 of values as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
