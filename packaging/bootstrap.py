#!/usr/bin/env python3
"""Set GPT Studio up in .venv next to its source, then start or test it. Needs only Python.

    python3 packaging/bootstrap.py run  [ARGS]    opens the window; with ARGS, runs the command line
    python3 packaging/bootstrap.py test [ARGS]    all checks and tests; with ARGS, only pytest with these
    python3 packaging/bootstrap.py test --fast    only the quick tests
    python3 packaging/bootstrap.py prepare [EXTRAS]    only the setup, with these extras of pyproject.toml

The setup is done once: a stamp in .venv records what it was made from, and while that is unchanged, a start installs
nothing. An incomplete setup is finished by the next start. On Debian and Ubuntu, as root or if sudo needs no password,
it shows a command that installs the missing system libraries with apt, and runs it; --no-system skips this step.
"""

import argparse
import os
import platform
import re
import shlex
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - older Pythons read this file too, and must print the message
    sys.exit(f"GPT Studio needs Python 3.11 or newer, and this is {platform.python_version()}: "
             "start it with a newer one, for example `python3.12 packaging/bootstrap.py run`.")

sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves out a script's own folder

from children import SetupError, failure, pip, say, start
from environment import Stamp, install_project, make_venv, project_loads, read_stamp, requested, venv_works, write_stamp
from native_build import build
from places import PYTHON, ROOT, program
from system_libraries import bring_installer_tools, check_libraries
from torch_build import CHOICES, install_torch

CHECKS = (["ruff", "check", "."], ["mypy"], ["lint-imports"])
"""Checks to run before the tests."""
WORKERS = ["-n", str(min(8, (os.cpu_count() or 1) + 1))]
"""Options that run one more test in parallel than there are processors, since some tests only wait; at most eight, to
limit memory use."""
FAST = ["-m", "not slow and not release"]


def main(argv: list[str]) -> int:
    """Set up, then run the command. Return the exit code; failures are printed as plain sentences."""
    options = read_arguments(argv)
    try:
        extras = {"test": ["test"], "prepare": options.arguments}.get(options.command, [])
        set_up(options.torch, extras, system=not options.no_system)
        work = {"run": run, "test": test}.get(options.command)  # prepare needs only the setup
        return work(options.arguments) if work else 0
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"GPT Studio could not be set up: {error.filename or ROOT}: {error.strerror or error}. Check that the "
            "folder can be written and its disk is not full, or copy GPT Studio to another folder. Then start again.")
    except KeyboardInterrupt:
        say("\nStopped. The next start continues here.")
        return 130
    return 1


def read_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments: --torch and --no-system may be anywhere; everything else after the command is passed to the
    program or to pytest."""
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    own.add_argument("--torch", choices=CHOICES, help="the build of PyTorch: auto, the "
                     "initial choice, looks for an NVIDIA GPU; default is what pip installs; each choice is kept")
    own.add_argument("--no-system", action="store_true", help="do not install system packages")
    options, rest = own.parse_known_args(argv)
    parser = argparse.ArgumentParser(prog="bootstrap.py", parents=[own], allow_abbrev=False,
                                     description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "test", "prepare"))
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args(rest, options)


def set_up(torch: str | None, extras: list[str], system: bool = True) -> None:
    """Bring .venv up to date; do nothing if its stamp matches."""
    old = read_stamp()
    wish = requested(old, torch, extras)
    if wish == old and PYTHON.exists():
        check_libraries(install=False)
        build()  # again if its source is newer
        return
    say("Setting up GPT Studio. The first time takes a few minutes.")
    if old.place in ("", wish.place) and venv_works():  # the programs in a moved environment do not start
        if completed(old, wish, system):
            return
        say("The existing environment does not work, so it is created again.")
    make_venv()
    if not completed(wish, wish, system):
        raise failure("GPT Studio was installed but does not load.")


def completed(old: Stamp, wish: Stamp, system: bool) -> bool:
    """Install missing packages in .venv, with or without system packages; return whether the project can then be
    loaded.

    Meanwhile the stamp has no key, so that the next start continues here; it names the installed PyTorch.
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
        say("No C compiler with OpenMP was found, so training and decoding use PyTorch alone, which is slower. "
            "Everything else works.")
    if not project_loads():
        return False
    write_stamp(wish)
    say("The setup is complete.")
    return True


def run(arguments: list[str]) -> int:
    """Replace this process by the program, so that it handles Ctrl-C and sets the exit code; on Windows, wait for
    it."""
    command = [str(PYTHON), "-m", "gptstudio", *app_arguments(arguments)]
    if os.name != "nt":
        os.execve(command[0], command, variables())  # noqa: S606 - the user's own arguments, for the user's own program
    return in_the_open(command, variables())


def app_arguments(arguments: list[str]) -> list[str]:
    """Replace the option `--tour DIR` by the program's command `tour DIR`."""
    return ["tour", *arguments[1:]] if arguments[:1] == ["--tour"] else arguments


def test(arguments: list[str]) -> int:
    """Run all checks, then pytest, whose summary is the last line; with arguments, run only pytest."""
    failed = [] if arguments else [shlex.join(check) for check in CHECKS if not passes(check)]
    if failed:
        say(f"\nThese checks failed, see above: {', '.join(failed)}")
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
    """Run a program with visible output. It also receives Ctrl-C, and is given time to end cleanly."""
    with start(*command, env=env, cwd=cwd) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
