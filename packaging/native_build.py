#!/usr/bin/env python3
"""Compile the C part of GPT Studio, next to its source, with this system's compiler.

    python3 packaging/native_build.py

Without a compiler that supports OpenMP, nothing is compiled, and PyTorch is used instead, which is slower. This needs
only Python and the compiler.
"""

import os
import platform
import shlex
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "gptstudio" / "gpt" / "fast"
NAME = "kernels"
ENDING = ".native"  # not .so, which would look like a Python module
FLAGS = ("-O3", "-std=gnu11", "-fopenmp", "-fno-math-errno", "-shared", "-fPIC")
LEVELS = {"-v4": "-march=x86-64-v4", "-v3": "-march=x86-64-v3"} if platform.machine() in ("x86_64", "AMD64") else {}
"""Suffixes and flags of the libraries for newer processors; the best one is chosen when the program starts."""


def build(folder: Path = FOLDER) -> list[Path]:
    """Compile all sources of a folder into one library for each kind of processor, unless the libraries are newer than
    the sources. Return the libraries; none without a compiler."""
    wanted = {folder / f"{NAME}{level}{ENDING}": [flag] for level, flag in LEVELS.items()}
    wanted[folder / f"{NAME}{ENDING}"] = []  # without this one, the others are not searched for
    return [made for made, flags in wanted.items() if _is_new(made) or _compiled(made, flags)]


def _is_new(made: Path) -> bool:
    sources = made.parent.glob("*.[ch]")
    return made.exists() and all(each.stat().st_mtime <= made.stat().st_mtime for each in sources)


def _compiled(made: Path, flags: list[str]) -> bool:
    compiler = shlex.split(os.environ.get("CC", "")) or [shutil.which("gcc") or shutil.which("clang") or "cc"]
    part = made.with_name(f"{made.stem}-{os.getpid()}{ENDING}")  # a running program keeps the old file
    sources = map(str, sorted(made.parent.glob("*.c")))
    command = [*compiler, *FLAGS, *flags, *sources, "-o", str(part), "-lm"]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a list of words, no shell
        part.replace(made)
        return True
    except (OSError, subprocess.CalledProcessError):
        part.unlink(missing_ok=True)
        return False


if __name__ == "__main__":
    made = "\n".join(map(str, build()))
    print(made or "No C compiler with OpenMP was found, so training and decoding use PyTorch alone, which is slower.")
