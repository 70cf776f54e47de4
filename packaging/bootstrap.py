#!/usr/bin/env python3
"""Set GPT Studio up in .venv beside its source, then start or test it. Needs nothing but Python.

    python3 packaging/bootstrap.py run  [ARGS]    opens the window; with ARGS, what the command line offers
    python3 packaging/bootstrap.py test [ARGS]    all checks and tests; with ARGS, pytest alone with these
    python3 packaging/bootstrap.py test --fast    the quick tests alone
    python3 packaging/bootstrap.py prepare [EXTRAS]    nothing but the set-up, with these extras of pyproject.toml

The set-up is done once: a stamp in .venv says what it was made from, and while that holds, a start installs
nothing. What was left half done is finished by the next start. On Debian and Ubuntu, as root or where sudo asks for
no password, it installs the system libraries that are missing with apt, and shows the command first; --no-system
leaves that out.
"""

import argparse
import os
import platform
import re
import shlex
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - older Pythons read this file too, and have to say so themselves
    sys.exit(f"GPT Studio needs Python 3.11 or newer, and this is {platform.python_version()}: "
             "start it with a newer one, for example `python3.12 packaging/bootstrap.py run`.")

sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves a script's own folder out

from children import SetupError, failure, pip, say, start
from environment import Stamp, install_project, make_venv, project_loads, read_stamp, venv_works, wished, write_stamp
from native_build import build
from places import PYTHON, ROOT, program
from system_libraries import bring_installer_tools, check_libraries
from torch_build import CHOICES, install_torch

CHECKS = (["ruff", "check", "."], ["mypy"], ["lint-imports"])
"""Checks that are run before the tests."""
WORKERS = ["-n", str(min(8, (os.cpu_count() or 1) + 1))]
"""Run one test more at a time than there are processors, since some only wait; at most eight, for want of memory."""
FAST = ["-m", "not slow and not release"]


def main(argv: list[str]) -> int:
    """Set up, then run the command. Return the exit code; failures are printed in plain words."""
    options = read_arguments(argv)
    try:
        extras = {"test": ["test"], "prepare": options.arguments}.get(options.command, [])
        set_up(options.torch, extras, system=not options.no_system)
        work = {"run": run, "test": test}.get(options.command)  # to prepare, the set-up was all
        return work(options.arguments) if work else 0
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"GPT Studio could not be set up: {error.filename or ROOT}: {error.strerror or error}. See that the "
            "folder may be written and has room, or copy GPT Studio to one that is so, and start again.")
    except KeyboardInterrupt:
        say("\nStopped. The next start goes on from here.")
        return 130
    return 1


def read_arguments(argv: list[str]) -> argparse.Namespace:
    """--torch and --no-system may stand anywhere; all else after the command belongs to the app or to pytest."""
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    own.add_argument("--torch", choices=CHOICES, help="the build of PyTorch: auto (at first) looks for an "
                     "NVIDIA GPU, default is what pip takes by itself; a choice stays until another is made")
    own.add_argument("--no-system", action="store_true", help="install no system packages")
    options, rest = own.parse_known_args(argv)
    parser = argparse.ArgumentParser(prog="bootstrap.py", parents=[own], allow_abbrev=False,
                                     description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "test", "prepare"))
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args(rest, options)


def set_up(torch: str | None, extras: list[str], system: bool = True) -> None:
    """Bring .venv up to date; do nothing if its stamp says that it is."""
    old = read_stamp()
    wish = wished(old, torch, extras)
    if wish == old and PYTHON.exists():
        check_libraries(install=False)
        build()  # anew where its source is newer
        return
    say("Setting GPT Studio up. The first time takes some minutes.")
    if old.place in ("", wish.place) and venv_works():  # the programs in a moved environment do not start
        if completed(old, wish, system):
            return
        say("What an earlier set-up left does not load, so it is made anew.")
    make_venv()
    if not completed(wish, wish, system):
        raise failure("GPT Studio was installed but does not load.")


def completed(old: Stamp, wish: Stamp, system: bool) -> bool:
    """Install what is missing in .venv, with or without system packages; return whether the project can then be loaded.

    While this runs the stamp has no key, so that the next start continues here; it names the installed PyTorch.
    """
    write_stamp(old._replace(key=""))
    check_libraries(install=system)
    if system and {"test", "installer"} & {*wish.extras}:
        bring_installer_tools()
    if old.torch not in ("", wish.torch):
        pip("uninstall", "-y", "torch")
    write_stamp(wish._replace(key=""))
    torch = install_torch(wish.torch)  # first, so that nothing else chooses its build
    install_project(wish.extras, torch)
    if not build():
        say("No C compiler with OpenMP was found, so PyTorch computes in its place, more slowly. All else works.")
    if not project_loads():
        return False
    write_stamp(wish)
    say("The set-up is complete.")
    return True


def run(arguments: list[str]) -> int:
    """Replace this process by the program, so that Ctrl-C and the exit code are its own; on Windows, wait for it."""
    command = [str(PYTHON), "-m", "gptstudio", *app_arguments(arguments)]
    if os.name != "nt":
        os.execve(command[0], command, variables())  # noqa: S606 - the user's own words, for the user's own program
    return in_the_open(command, variables())


def app_arguments(arguments: list[str]) -> list[str]:
    """`run --tour DIR` is the app's own command `tour DIR`."""
    return ["tour", *arguments[1:]] if arguments[:1] == ["--tour"] else arguments


def test(arguments: list[str]) -> int:
    """Run all checks, then pytest, whose summary is the last line; with arguments, run pytest alone."""
    failed = [] if arguments else [shlex.join(check) for check in CHECKS if not passes(check)]
    if failed:
        say(f"\nNot clean, see above: {', '.join(failed)}")
    rest = [word for argument in arguments for word in (FAST if argument == "--fast" else [argument])]
    told = any(re.match(r"-n(\d|auto|logical|$)|--numprocesses", argument) for argument in rest)
    return int(not passes(["pytest", *([] if told else WORKERS), *rest]) or bool(failed))


def passes(check: list[str]) -> bool:
    """Run one test tool, printing its output; return whether it succeeded."""
    say(f"\n$ {shlex.join(check)}")
    return in_the_open([str(program(check[0])), *check[1:]], variables(testing=True), cwd=ROOT) == 0


def variables(testing: bool = False) -> dict[str, str]:
    """Return the environment variables of the program; tests need no screen."""
    names = dict(os.environ)
    if testing:
        names.pop("OMP_NUM_THREADS", None)
        names.pop("PYTHONDONTWRITEBYTECODE", None)  # the program is started often, and would be compiled each time
        if sys.platform == "linux" and not (names.get("DISPLAY") or names.get("WAYLAND_DISPLAY")):
            names.setdefault("QT_QPA_PLATFORM", "offscreen")
    return names


def in_the_open(command: list[str], env: dict[str, str], cwd: Path | None = None) -> int:
    """Run a program and show its output. Ctrl-C reaches it too, and it is given the time to end cleanly."""
    with start(*command, env=env, cwd=cwd) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
