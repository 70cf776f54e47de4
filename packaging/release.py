#!/usr/bin/env python3
"""Steps of a release after the builds on all systems.

    python3 packaging/release.py notes VERSION             print this version's section of CHANGELOG.md
    python3 packaging/release.py collect MADE OUT          collect the files of all systems, and check their sums
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import SetupError, in_words
from freezing import measures
from places import ROOT, program_version

SUMS = "SHA256SUMS"


@in_words
def main(argv: list[str]) -> int:
    options = read_arguments(argv)
    if options.command == "notes":
        print(notes(options.version))
    else:
        collect(options.made, options.out)
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("notes").add_argument("version", help="the version, as in the tag: v0.2.0 or 0.2.0")
    collected = commands.add_parser("collect")
    collected.add_argument("made", type=Path, help="a folder with one folder for each system")
    collected.add_argument("out", type=Path, help="the folder for all of them")
    return parser.parse_args(argv)


def notes(version: str) -> str:
    """Return the changelog's section of a version, without its heading.

    Raises:
        SetupError: there is no such section, or the program has a different version.
    """
    number = version.removeprefix("v")
    if number != program_version():
        raise SetupError(f"The tag is {version}, but the version of the program is {program_version()}. Change "
                         "gptstudio/__init__.py or the tag.")
    text = (ROOT / "packaging" / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(number)}\b.*?$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found or not found[1].strip():
        raise SetupError(f"packaging/CHANGELOG.md has no section `## {number}`: name the one of this release so.")
    return found[1].strip()


def collect(made: Path, out: Path) -> None:
    """Collect the files built on every system in one folder, and check each against the accompanying checksums.

    Raises:
        SetupError: a file is missing, has changed, or has the name of another.
    """
    out.mkdir(parents=True, exist_ok=True)
    sums: dict[str, str] = {}
    for listed in sorted(made.glob(f"*/{SUMS}")):
        for line in listed.read_text(encoding="utf-8").splitlines():
            digest, name = line.split("  ", 1)
            file = listed.parent / name
            if name in sums or not file.is_file() or measures.sha256(file) != digest:
                raise SetupError(f"{file} is missing, damaged or duplicated. Build it again.")
            sums[name] = digest
            shutil.copyfile(file, out / name)
    if not sums:
        raise SetupError(f"No folder in {made} contains a {SUMS}.")
    (out / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
