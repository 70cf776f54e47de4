"""Add the compiled library to a wheel, which is then for one system; without a C compiler, the wheel is for all
systems."""

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from native_build import FOLDER, build


class NativeHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build hook of Hatch (``[tool.hatch.build.targets.wheel.hooks.custom]``)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library before the files are collected."""
        libraries = build()
        if libraries and version != "editable":
            build_data["artifacts"] += [each.relative_to(FOLDER.parents[2]).as_posix() for each in libraries]
            system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data.update(pure_python=False, tag=f"py3-none-{system}")
