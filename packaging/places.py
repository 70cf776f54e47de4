"""Paths of this copy of GPT Studio, of its environment, and of the programs in it."""

import os
import re
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("GPTSTUDIO_VENV", ROOT / ".venv"))
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"  # of the Python that makes the environment


def program(name: str) -> Path:
    """Return the path of a program in the environment."""
    return VENV / "Scripts" / f"{name}.exe" if os.name == "nt" else VENV / "bin" / name


def program_version() -> str:
    """Return the version of GPT Studio, read without importing it."""
    source = (ROOT / "gptstudio" / "__init__.py").read_text(encoding="utf-8")
    return str(re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)[0])


def released() -> datetime:
    """Return the time of the build; SOURCE_DATE_EPOCH fixes it, so that the same source gives the same bytes."""
    return datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()), UTC)


PYTHON = program("python")
