#!/usr/bin/env python3
"""Compile the part of GPT Studio that is written in C, beside its source, with the compiler of this system.

    python3 packaging/native_build.py

Without a compiler with OpenMP nothing is compiled, and PyTorch decodes in its place, more slowly. Nothing here needs
more than Python and the compiler.
"""

import os
import platform
import shlex
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "gptstudio" / "gpt" / "fast" / "decode.c"
ENDING = ".native"  # not .so, which would be taken for a module of Python
FLAGS = ("-O3", "-std=gnu11", "-fopenmp", "-shared", "-fPIC")
LEVELS = {"-v4": "-march=x86-64-v4", "-v3": "-march=x86-64-v3"} if platform.machine() in ("x86_64", "AMD64") else {}
"""What is compiled for newer processors too, beside that for all; the best is chosen where it runs."""


def build(source: Path = SOURCE) -> list[Path]:
    """Compile, unless what is there is newer than its source. Returns the libraries: none without a compiler."""
    wanted = {source.with_name(f"{source.stem}{level}{ENDING}"): [flag] for level, flag in LEVELS.items()}
    wanted[source.with_suffix(ENDING)] = []  # without which the others are not looked for
    return [made for made, flags in wanted.items() if _is_new(made, source) or _compiled(source, made, flags)]


def _is_new(made: Path, source: Path) -> bool:
    return made.exists() and made.stat().st_mtime >= source.stat().st_mtime


def _compiled(source: Path, made: Path, flags: list[str]) -> bool:
    compiler = shlex.split(os.environ.get("CC", "")) or [shutil.which("gcc") or shutil.which("clang") or "cc"]
    part = made.with_name(f"{made.stem}-{os.getpid()}{ENDING}")  # whoever decodes meanwhile keeps the old one
    command = [*compiler, *FLAGS, *flags, str(source), "-o", str(part), "-lm"]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a list of words, no shell
        part.replace(made)
        return True
    except (OSError, subprocess.CalledProcessError):
        part.unlink(missing_ok=True)
        return False


if __name__ == "__main__":
    made = "\n".join(map(str, build()))
    print(made or "No C compiler with OpenMP was found: PyTorch decodes, more slowly.")
