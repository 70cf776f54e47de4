"""Memory that Linux lets the control groups of this process use, as those of a container: versions 1 and 2.

Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

OWN = Path("/proc/self/cgroup")
ROOT = Path("/sys/fs/cgroup")


class _Names(NamedTuple):
    """Names of the files of one version: the limit, what is used; and in memory.stat, files' pages not read lately."""

    limit: str
    used: str
    inactive: str


VERSION_1 = _Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
VERSION_2 = _Names("memory.max", "memory.current", "inactive_file")


class Limit(NamedTuple):
    """The bytes that a group may use, and those that it does not use yet."""

    total_bytes: int
    free_bytes: int


def memory_limits() -> Iterator[Limit]:
    """Yield the limit of each group that this process belongs to; none where there are none."""
    with suppress(OSError, ValueError):
        for line in OWN.read_text(encoding="utf-8").splitlines():
            number, controllers, path = line.split(":", 2)
            if number == "0" and not controllers:
                yield from _upwards(ROOT, path, VERSION_2)
            elif "memory" in controllers.split(","):
                yield from _upwards(ROOT / "memory", path, VERSION_1)


def _upwards(root: Path, path: str, names: _Names) -> Iterator[Limit]:
    """Yield the limits of a group and of those around it. Inside a container, the root may be the group itself."""
    group = root / path.lstrip("/")
    for folder in (group, *group.parents):
        with suppress(OSError, ValueError):  # no limit ("max"), or not to be seen from here
            limit = int((folder / names.limit).read_text(encoding="ascii"))
            used = int((folder / names.used).read_text(encoding="ascii"))
            yield Limit(limit, max(0, limit - used + min(used, _inactive(folder, names.inactive))))
        if folder == root:
            return


def _inactive(folder: Path, name: str) -> int:
    """Return the bytes of files' pages that are given up as soon as memory is needed."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            if line.split(" ")[0] == name:
                return int(line.split(" ")[1])
    return 0
