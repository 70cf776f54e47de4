"""The version of what a run keeps on the disk, and how what earlier versions kept is read. No torch.

1. The first: a checkpoint is a model alone.
2. A run has a title; a checkpoint also holds what its run needs to go on.
"""

from __future__ import annotations

from typing import Any

from gptstudio.errors import UserError

FORMAT = 2


def upgrade(values: dict[str, Any], what: str) -> dict[str, Any]:
    """The values of ``run.json`` or ``state.json`` of any earlier version as this version has them.

    Raises:
        UserError: ``what`` was written by a newer version.
        ValueError: it has no version at all.
    """
    version = values.get("format") if isinstance(values, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ValueError(f"{what} names no format")
    if version > FORMAT:
        raise UserError(f"{what} was saved by a newer GPT Studio (format {version}). Please update.")
    if version == 1 and "spec" in values:  # run.json
        # Whatever came with format 2 has a default that says what format 1 did, but for this:
        values = values | {"spec": {"save_every_s": 30} | values["spec"]}
    return values | {"format": FORMAT}
