#!/usr/bin/env python3
"""Install GPT Studio on this Debian system like a user, and print which trials passed. Requires root; about ten
minutes:

    python3 packaging/try_installed.py [--app dist/gptstudio] [--work DIR]

Both installers are made from the frozen program, in two versions. A user account is made; the .deb is installed with
apt, started from its menu entry on a virtual screen (Xvfb), trains, is upgraded while it trains, and is purged; then
the same with the one-file installer, which needs no root. Then the program is started from unusual paths. The DIR of
--work keeps the installers and the pictures; the user and the installed files are removed afterwards. With --stick DIR,
a stick of a class (packaging/stick.py) that is mounted there, read-only, is tried instead.

Prerequisites: apt-get install xvfb xdotool imagemagick libglib2.0-bin binutils makeself xz-utils
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import SetupError, say
from linux import deb, onefile, staging
from places import ROOT
from trying import class_stick, conditions, everyone, newer, one_user
from trying.machine import Screen, Trials, User, missing_tools, read_version


def main(argv: list[str]) -> int:
    """Run all trials and print their table; return the number that failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--app", type=Path, default=ROOT / "dist" / "gptstudio", help="the frozen program")
    parser.add_argument("--work", type=Path, help="the folder for installers and pictures; existing ones are used")
    parser.add_argument("--older", type=Path, help="a folder with the installers of another build, which is upgraded")
    parser.add_argument("--stick", type=Path, help="the mount point of a stick for a class, which is tested instead")
    parser.add_argument("--json", type=Path, help="a file for the results as JSON")
    options = parser.parse_args(argv)
    if os.geteuid() != 0:
        sys.exit("This installs for all users of the machine, so it must be started as root.")
    if missing := missing_tools():
        sys.exit(f"There is no {', no '.join(missing)} here: see --help for what it takes.")
    try:
        work = options.work or Path(tempfile.mkdtemp(prefix="gptstudio-trial-"))
        if options.stick:
            trials = try_stick(options.stick, work)
        else:
            trials = try_all(options.app.resolve(), work, options.older)
    except SetupError as error:
        sys.exit(str(error))
    print(trials.table())
    if options.json:
        options.json.write_text(json.dumps(trials.rows), encoding="utf-8")
    return trials.lost


def try_all(app: Path, work: Path, older: Path | None) -> Trials:
    """Run every trial, from installing to removing.

    Args:
        older: folder of another build's installers; without it, the upgrade has the same files.
    """
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o755)
    trials, version = Trials(), read_version(app)
    say(f"Installers, screens and pictures are in {work}.")
    staging.LEVEL = "0"  # their size is not tested
    with User("gptstudio-trial") as user, Screen(work) as screen:
        package = made(deb.make, app, version, work, ".deb")
        first = made(deb.make, app, version, older, ".deb") if older else package
        everyone.try_package(trials, app, [first, newer.package(package, work)], user, screen)
        installer = made(onefile.make, app, version, work, ".run")
        first = made(onefile.make, app, version, older, ".run") if older else installer
        one_user.try_installers(trials, [first, newer.installer(installer, version, work)], user, screen)
        conditions.try_conditions(trials, installer, user, screen)
    return trials


def try_stick(stick: Path, work: Path) -> Trials:
    """Run the trials of the stick of a class, as used by learners and their instructor."""
    trials = Trials()
    with User("gptstudio-trial") as user, Screen(work) as screen:
        class_stick.try_stick(trials, stick, user, screen)
    return trials


def made(make: Callable[[Path, str, Path], Path | None], app: Path, version: str, work: Path, suffix: str) -> Path:
    """Return an installer, and make it first if it does not exist."""
    there = list(work.glob(f"gptstudio*{suffix}"))
    file = there[0] if there else make(app, version, work)
    if file is None:
        raise SetupError(f"The {suffix} could not be built.")
    return file


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
