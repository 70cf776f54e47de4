#!/usr/bin/env python3
"""Build GPT Studio on the oldest supported Linux, and try its installers on others. Requires root, debootstrap and the
keys of Ubuntu's archive (/usr/share/keyrings/ubuntu-archive-keyring.gpg):

    python3 packaging/try_systems.py make --python-source DIR      make the root file systems
    python3 packaging/try_systems.py build                         build the installers on the oldest, into dist/
    python3 packaging/try_systems.py try                           run packaging/try_installed.py on each, offline
    python3 packaging/try_systems.py stick --stick DIR             try the stick of a class (stick.py) on each
    python3 packaging/try_systems.py test --on noble -- -m "not slow"     run the tests as an ordinary user

The root file systems are in --folder, 1 GB each; commands leave no trace in them. The DIR of --python-source is
CPython's unpacked source: Ubuntu 22.04 has no Python 3.11, and programs frozen with the Python of a newer system do not
start there. Arguments after -- are passed to build.py or pytest. --bind PATH makes another file or folder of this
machine visible there, such as a folder of wheels in PIP_FIND_LINKS.
"""

import argparse
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import SetupError, call, in_words, say
from places import ROOT
from trying.systems import NAMES, OLDEST, PYTHON, System, mounted_stick

CHECKOUT, RESULTS, TEXTS = "/home/builder/gptstudio", "/results", "/texts"
Rows = list[tuple[str, bool, str]]
"""Trials: description, whether the trial passed, and notes."""


@in_words
def main(argv: list[str]) -> int:
    """Run one of the five commands; return 0 if it succeeded."""
    options = read_arguments(argv)
    if os.geteuid() != 0:
        sys.exit("This mounts file systems, so it must be started as root.")
    options.folder.mkdir(parents=True, exist_ok=True)
    do = {"make": make, "build": build, "try": try_installers, "stick": try_stick, "test": test}[options.command]
    return do(options)


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("make", "build", "try", "stick", "test"))
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "systems", help="where they are")
    parser.add_argument("--on", action="append", choices=NAMES, help="one of them, can be repeated (default: all)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder of the installers (default: dist)")
    parser.add_argument("--older", type=Path, help="for try: installers of the build to upgrade from")
    parser.add_argument("--bind", type=Path, action="append", default=[],
                        help="makes a file or folder of this machine visible there")
    parser.add_argument("--stick", type=Path, help="for stick: the folder that packaging/stick.py created")
    parser.add_argument("--python-source", type=Path, help="for make: the unpacked source of CPython")
    own = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_args(argv[:own], argparse.Namespace(arguments=argv[own + 1 :]))
    for name in ("folder", "out"):
        setattr(options, name, getattr(options, name).resolve())
    options.systems = [System(suite, options.folder) for suite in options.on or NAMES]
    options.binds = {path.resolve(): str(path.resolve()) for path in options.bind} | {options.folder / "python": PYTHON}
    return options


def make(options: argparse.Namespace) -> int:
    """Create the root file systems, and the Python that runs on all of them."""
    for system in options.systems:
        system.make()
    if options.python_source:
        System(OLDEST, options.folder).make_python(options.python_source.resolve())
    return 0


def build(options: argparse.Namespace) -> int:
    """Run packaging/build.py on the oldest system, as an ordinary user, on the last commit."""
    options.out.mkdir(parents=True, exist_ok=True)
    words = shlex.join(["packaging/build.py", "--out", RESULTS, *options.arguments])
    as_user(System(OLDEST, options.folder), options, f"{PYTHON}/bin/python3 {words}", {options.out: RESULTS})
    return 0


def test(options: argparse.Namespace) -> int:
    """Run the tests on each system, as an ordinary user, on the last commit."""
    words = shlex.join(["packaging/bootstrap.py", "test", "--no-system", *options.arguments])
    for system in options.systems:
        say(f"{system.name}:")
        as_user(system, options, f"{PYTHON}/bin/python3 {words}")
    return 0


def as_user(system: System, options: argparse.Namespace, command: str, results: dict[Path, str] | None = None) -> None:
    """Run a shell command in a copy of the last commit on a system, as an ordinary user without sudo."""
    texts = {Path(os.environ["GPTSTUDIO_TEXTS"]): TEXTS} if "GPTSTUDIO_TEXTS" in os.environ else {}
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "source.tar"
        call("git", "-C", ROOT, "archive", "--output", archive, "HEAD", check=True)
        committed = call("git", "-C", ROOT, "log", "-1", "--format=%ct", check=True).stdout.strip()
        named = f"SOURCE_DATE_EPOCH={committed} " + (f"GPTSTUDIO_TEXTS={TEXTS} " if texts else "")
        script = (f"useradd --create-home builder; mkdir {CHECKOUT}; tar -C {CHECKOUT} -xf /source.tar; "
                  f"chown -R builder {CHECKOUT} {RESULTS if results else ''}; cd {CHECKOUT}; "
                  f"exec runuser -u builder -- env HOME=/home/builder {named}{command}")
        binds = {**options.binds, **texts, archive: "/source.tar"}
        system.run("sh", "-euc", script, binds=binds, shared=results, network=True)


def try_installers(options: argparse.Namespace) -> int:
    """Run packaging/try_installed.py on each system with the installers of dist/; print a table of all."""
    installers = [*options.out.glob("gptstudio*.deb"), *options.out.glob("gptstudio*.run")]
    command, binds = ["--app", "/checkout/app/gptstudio"], {options.out: "/checkout/app"}
    if options.older:
        command += ["--older", "/older"]
        binds[options.older.resolve()] = "/older"
    return try_in_each(options, command, binds, installers)


def try_stick(options: argparse.Namespace) -> int:
    """Write the files of a stick to an image, mount it read-only, and try it on each system."""
    if not options.stick:
        raise SetupError("Give the folder of the stick with --stick DIR; packaging/stick.py creates one.")
    with mounted_stick(options.stick.resolve()) as mounted:
        return try_in_each(options, ["--stick", "/media/stick"], {mounted: "/media/stick"}, [])


def try_in_each(options: argparse.Namespace, arguments: list[str], binds: dict[Path, str], files: list[Path]) -> int:
    """Run packaging/try_installed.py on each system; print a table of all, and return the number of failed trials.

    Args:
        arguments: arguments of the program.
        binds: files and folders of this machine to mount read-only.
        files: files for its --work folder.
    """
    found: dict[str, Rows] = {}
    for system in options.systems:
        say(f"{system.name}:")
        with tempfile.TemporaryDirectory(dir=options.folder, prefix=f".tried-{system.suite}-") as folder:
            results = Path(folder)
            results.chmod(0o755)
            for file in files:
                os.link(file, results / file.name)
            command = shlex.join([f"{PYTHON}/bin/python3", "/checkout/gptstudio/packaging/try_installed.py", "--work",
                                  RESULTS, "--json", f"{RESULTS}/rows.json", *arguments])
            system.run("sh", "-c", f"{command} || true", shared={results: RESULTS},
                       binds={**options.binds, **binds, ROOT: "/checkout/gptstudio"})
            found[system.name] = json.loads((results / "rows.json").read_text(encoding="utf-8"))
            keep_pictures(results, options.folder / "pictures" / system.suite)
    print(table(found))
    return sum(not held for rows in found.values() for _, held, _ in rows)


def keep_pictures(results: Path, target: Path) -> None:
    """Move the screenshots to the folder of results."""
    target.mkdir(parents=True, exist_ok=True)
    for picture in results.glob("*.png"):
        picture.replace(target / picture.name)


def table(found: dict[str, Rows]) -> str:
    """Return a table with a line for each trial and a column for each system: seconds if it passed, otherwise the
    notes."""
    names = list(dict.fromkeys(what for rows in found.values() for what, *_ in rows))
    lines = ["| tried | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    for name in names:
        cells = [next((cell(row) for row in rows if row[0] == name), "not tried") for rows in found.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lost = sum(not held for rows in found.values() for _, held, _ in rows)
    return "\n".join([*lines, f"{sum(map(len, found.values()))} tried, {lost} lost"])


def cell(row: tuple[str, bool, str]) -> str:
    """Return the seconds of a passed trial (its last note), or all notes of a failed one."""
    _, held, seen = row
    return seen.rsplit("; ", 1)[-1] if held else f"LOST: {seen}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
