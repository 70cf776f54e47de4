#!/usr/bin/env python3
"""Build the wheel and the source distribution, check them, and install the wheel as its users do.

    python packaging/check_package.py [--out build/package]        build and check both; needs the extra `release`
    python packaging/check_package.py --install WHEEL              install it in an empty environment, and try it

The second needs only a Python with pip, and shows whether the wheel works with it: run it with each supported Python.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import CALM, checked, in_words
from places import ROOT

TRIES = (["--version"], ["size", "--preset", "gpt2-small"], ["--selftest", "pictures"])
"""Commands for trying the installed program; the last one trains, generates and paints its window."""


@in_words
def main(argv: list[str]) -> int:
    options = read_arguments(argv)
    if options.install:
        install(options.install.resolve())
    else:
        check(options.out.resolve())
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "package", help="the folder for both")
    parser.add_argument("--install", type=Path, metavar="WHEEL", help="a wheel to install and test")
    return parser.parse_args(argv)


def check(out: Path) -> None:
    """Build the wheel and the source distribution and check them: the description, the names inside, and that the
    source distribution builds the wheel.

    Raises:
        SetupError: a check failed; with its output.
    """
    shutil.rmtree(out, ignore_errors=True)
    # The wheel is built from the source distribution.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT)
    files = sorted(out.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    run(sys.executable, "-m", "check_wheel_contents", "--config", ROOT / "pyproject.toml", *out.glob("*.whl"))
    for file in files:
        print(f"{file.name}  {file.stat().st_size / 1e6:.1f} MB  checked")


def install(wheel: Path) -> None:
    """Install a wheel in an empty environment with this Python, and try the program.

    Raises:
        SetupError: the wheel could not be installed, or does not work.
    """
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        run(sys.executable, "-m", "venv", Path(folder) / "venv")
        programs = Path(folder) / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run(programs / "python", "-m", "pip", "install", "--quiet", wheel)
        installed = time.monotonic()
        for arguments in TRIES:
            run(programs / "gptstudio", *arguments, cwd=folder)
        torch = run(programs / "python", "-c", "import torch; print(torch.__version__)").strip()
        print(f"Python {platform.python_version()}, torch {torch}: installed in {installed - began:.0f} s, "
              f"tried in {time.monotonic() - installed:.0f} s")


def run(*command: object, cwd: str | None = None) -> str:
    """Run a command outside the checkout and without a screen, and return its output.

    Raises:
        SetupError: it failed; with its last lines of output.
    """
    variables = {**os.environ, **CALM, "QT_QPA_PLATFORM": "offscreen"}
    variables.pop("PYTHONPATH", None)
    return checked(*command, cwd=cwd, env=variables)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
