#!/usr/bin/env python3
"""List the dependencies that have newer versions than the installed ones, and the versions that pyproject.toml allows.

    .venv/bin/python packaging/newest.py               print a table
    .venv/bin/python packaging/newest.py --upgrade     install the newest allowed versions

PyTorch is not upgraded: its CPU builds are not on the package index, so packaging/bootstrap.py chooses it.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import SetupError, call, in_words
from places import ROOT


@in_words
def main(argv: list[str]) -> int:
    options = read_arguments(argv)
    if options.upgrade:
        upgrade()
    else:
        print(table(outdated(), requirements()))
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="install them")
    return parser.parse_args(argv)


def requirements() -> dict[str, str]:
    """Return the requirements of pyproject.toml by normalized package name (PEP 503)."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for lines in project["optional-dependencies"].values() for line in lines)]
    return {normalised(re.match(r"[\w.-]+", line)[0]): line for line in lines}  # type: ignore[index]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def outdated() -> list[dict[str, str]]:
    """Return pip's entry for each package with a newer version: name, version and latest_version."""
    done = call(sys.executable, "-m", "pip", "list", "--outdated", "--format", "json")
    if done.returncode:
        raise SetupError(f"pip could not look for newer versions:\n{done.stderr.strip()[-1500:]}")
    return list(json.loads(done.stdout))


def table(found: list[dict[str, str]], asked: dict[str, str]) -> str:
    """Return a table with a line for each required package that has a newer version."""
    lines = ["| package | installed | newest | asked for |", "|---|---|---|---|"]
    lines += [f"| {each['name']} | {each['version']} | {each['latest_version']} | `{asked[name]}` |"
              for each in found if (name := normalised(each["name"])) in asked]
    return "\n".join(lines) if len(lines) > 2 else "Every package that pyproject.toml asks for is the newest."


def upgrade() -> None:
    """Install the newest allowed version of each package except PyTorch.

    Raises:
        SetupError: pip failed.
    """
    lines = [line for name, line in requirements().items() if name != "torch"]
    done = call(sys.executable, "-m", "pip", "install", "--upgrade", *lines, stdout=None, stderr=None)
    if done.returncode:
        raise SetupError("The newest versions could not be installed; see above.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
