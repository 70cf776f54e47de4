#!/usr/bin/env python3
"""Set GPT Studio up in .venv beside its source, then start or test it. Needs nothing but Python.

    python3 packaging/bootstrap.py run  [ARGS]    opens the window; with ARGS, what the command line offers
    python3 packaging/bootstrap.py test [ARGS]    all checks and tests; with ARGS, pytest alone with these

The set-up is done once: a stamp in .venv says what it was made from, and while that holds, a start installs
nothing. What was left half done is finished by the next start.
"""

import argparse
import ast
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

if sys.version_info < (3, 11):  # noqa: UP036 - older Pythons read this file too, and have to say so themselves
    sys.exit(f"GPT Studio needs Python 3.11 or newer, and this is {platform.python_version()}: "
             "start it with a newer one, for example `python3.12 packaging/bootstrap.py run`.")

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
BIN = VENV / ("Scripts" if WINDOWS else "bin")
SUFFIX = ".exe" if WINDOWS else ""
PYTHON = BIN / f"python{SUFFIX}"
STAMP = VENV / "gptstudio-setup.json"
LOG = VENV / "install.log"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTORCH = "https://download.pytorch.org/whl"
CHOICES = ("auto", "cpu", "cuda", "default")

# For every child of the set-up: ask nothing, colour nothing, speak UTF-8 whatever the locale.
CALM = {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_PROGRESS_BAR": "off",
        "PIP_NO_COLOR": "1", "PIP_ROOT_USER_ACTION": "ignore", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0",
        "PYTHONUTF8": "1"}

# What Qt loads on Linux, and the Debian package that brings it. Ubuntu 24.04 calls the last libglib2.0-0t64,
# which apt takes for the older name by itself.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3", "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6", "libglib-2.0.so.0": "libglib2.0-0",
}
X11_LIBRARIES = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0", "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4", "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0", "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
}
FONT = "a font"
PACKAGES = {**QT_LIBRARIES, **X11_LIBRARIES, FONT: "fonts-dejavu-core"}
FEDORA = ("glib2 libglvnd-glx libglvnd-egl libxkbcommon libxkbcommon-x11 freetype fontconfig dbus-libs libxcb "
          "xcb-util-cursor xcb-util-wm xcb-util-keysyms xcb-util-image xcb-util-renderutil dejavu-sans-fonts")

# The first that is found explains a failed installation. The network stands before the missing build, because
# pip reports an unreachable server as both.
CAUSES = {
    "No space left|not enough space":
        "The disk is full: make room (2 GB, or 8 GB for a PyTorch with CUDA) and start again.",
    "CERTIFICATE_VERIFY_FAILED":
        "The package server's certificate was refused: name your network's own in PIP_CERT, and start again.",
    "name ?resolution|not known|getaddrinfo|ConnectionError|TimeoutError|Read timed out|unreachable|ProxyError":
        "The package server cannot be reached: check the network or its proxy, and start again.",
    "No matching distribution":
        f"There is no fitting build for Python {VERSION} on this machine ({sys.platform} "
        f"{platform.machine()}): start again with a 64-bit Python 3.11, 3.12 or 3.13.",
    "Permission denied|Access is denied|Read-only":
        "A file may not be written: close a GPT Studio that is still open, and see who owns the folder.",
}
Plan = tuple[str, list[str]]  # one way to get PyTorch: the words for the user, and what pip is told


class SetupError(Exception):
    """What happened, what it means and what to do, in plain words."""


class Stamp(NamedTuple):
    """What .venv was made from, and where. An empty key means that the set-up did not reach its end."""

    key: str = ""
    torch: str = ""
    extras: tuple[str, ...] = ()
    place: str = ""


def say(words: str) -> None:
    """Tell the user something; on stderr, because stdout belongs to the program that is started."""
    print(words, file=sys.stderr, flush=True)


def ask(*command: str | Path) -> str:
    """What a short command prints; nothing where it is missing, fails or takes too long."""
    try:
        return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", errors="replace", timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def done(*command: str | Path, **environment: str) -> bool:
    """Run a command that asks nothing, all its words into the log; whether it succeeded."""
    words = [str(word) for word in command]
    with LOG.open("a", encoding="utf-8") as log:
        print(f"\n$ {shlex.join(words)}", file=log, flush=True)
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT,
                                       env={**os.environ, **CALM, **environment})
        except OSError as error:
            print(error, file=log)
            return False
        with process:
            return wait(process) == 0


def wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for a child, and say now and then that it is still at work."""
    start = time.monotonic()
    while True:
        try:
            return process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            say(f"  ... still working, {time.monotonic() - start:.0f} s so far")


def explain(log: str) -> str:
    """The likely cause in the log's last command, and what to do about it."""
    last = log.rsplit("\n$ ", 1)[-1].strip()
    for pattern, words in CAUSES.items():
        if re.search(pattern, last, re.IGNORECASE):
            return words
    errors = [line for line in last.splitlines() if "error" in line.lower()] or last.splitlines() or [""]
    return f"The installation's last words were: {errors[-1].strip()}"


def failure(what: str) -> SetupError:
    """What did not work, why, and where the whole log lies."""
    why = explain(LOG.read_text(encoding="utf-8", errors="replace"))
    return SetupError(f"{what} {why}\nThe full log: {LOG}")


def apt_install(packages: list[str]) -> bool:
    """Install system packages with apt where that is allowed without a question."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not shutil.which("apt-get") or not (root or ask("sudo", "-n", "echo", "allowed")):
        return False
    say(f"Installing system packages: {' '.join(packages)}")
    # `env`, because sudo drops the environment; `timeout`, because it has sudo's right to end apt-get.
    start = [*([] if root else ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "timeout"]
    calm = ["apt-get", "-qy", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::Retries=1"]
    done(*start, "120", *calm, "update")  # where this fails, the lists of last time may do
    return done(*start, "900", *calm, "install", "--no-install-recommends", *packages)


def loads(library: str) -> bool:
    """Whether the system has a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    """Whether there is any font; the folders first, because fc-list may be missing or slow."""
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts"):
        for _ in Path(os.path.expanduser(folder)).rglob("*.[ot]t[fc]"):
            return True
    return bool(ask("fc-list").strip())


def missing_libraries(screen: bool, loads: Callable[[str], bool] = loads,
                      has_font: Callable[[], bool] = has_font) -> list[str]:
    """What Qt lacks here; what only X11 needs counts with a screen, or where there is more to install."""
    qt = [name for name in QT_LIBRARIES if not loads(name)] + ([] if has_font() else [FONT])
    return qt + [name for name in X11_LIBRARIES if not loads(name)] if qt or screen else []


def advice(missing: list[str], manager: str | None) -> str:
    """What is missing, and the command that brings it."""
    apt = " ".join(PACKAGES[name] for name in missing)
    how = {"apt-get": f"Install them with: sudo apt-get install {apt}",
           "dnf": f"Install them with: sudo dnf install {FEDORA}"}
    return (f"The window needs parts that this system lacks: {', '.join(missing)}.\n"
            f"{how.get(manager or '', 'Install what brings them with your package manager.')}\n"
            "Until then, the commands in the terminal work.")


def check_libraries(install: bool) -> None:
    """Name what Qt lacks on this Linux, after trying to install it where that is allowed."""
    if sys.platform != "linux":
        return
    screen = bool(os.environ.get("DISPLAY"))
    missing = missing_libraries(screen)
    if missing and install and apt_install([PACKAGES[name] for name in missing]):
        missing = missing_libraries(screen)
    if missing:
        say(advice(missing, next(filter(shutil.which, ("apt-get", "dnf")), None)))


def requirement_of(name: str) -> str:
    """The line of pyproject.toml that asks for a package."""
    import tomllib  # newer than the Pythons that must be able to read this file

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return next(str(line) for line in project["dependencies"] if re.match(rf"{name}\b(?!-)", line))


def release(version: str) -> tuple[int, ...]:
    """2.13.0+cpu as (2, 13, 0)."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", version.strip())[0]))


def fits(version: str, requirement: str) -> bool:
    """Whether a version satisfies a requirement of the form torch~=2.13.0."""
    floor = release(requirement.partition("~=")[2])
    return bool(floor) and release(version)[:len(floor) - 1] == floor[:-1] and release(version) >= floor


def builds(files: list[str], label: str, requirement: str) -> list[str]:
    """The versions of torch among wheel files that fit here, newest last; label is what follows their plus."""
    python = f"cp{VERSION.replace('.', '')}"
    wheel = re.compile(rf"torch-([\d.]+\+{label})-{python}-{python}-(?:[\w.]+_)?{platform.machine()}\.whl", re.I)
    versions = {match[1] for match in map(wheel.fullmatch, files) if match}
    return sorted((version for version in versions if fits(version, requirement)), key=release)


def wheel_folders(pip_config: str) -> list[Path]:
    """The wheel folders in what `pip config list` prints: its settings and PIP_FIND_LINKS."""
    values = re.findall(r"^\S*\.find-links=(.+)$", pip_config, re.MULTILINE)
    places = [place.removeprefix("file://") for value in values for place in ast.literal_eval(value).split()]
    return [Path(place) for place in dict.fromkeys(places) if os.path.isdir(place) and os.access(place, os.R_OK)]


def server_files(page: str) -> list[str]:
    """The wheel files on a page of PyTorch's own server; none where it does not answer soon."""
    from http.client import HTTPException  # imported here, as a second start has no use for them
    from urllib.parse import unquote
    from urllib.request import Request, urlopen

    try:
        with urlopen(Request(page, headers={"User-Agent": "GPT Studio"}), timeout=5) as answer:
            text = answer.read().decode("utf-8", "replace")
    except (OSError, HTTPException):
        return []
    return [unquote(name) for name in re.findall(r"torch-[^\"'<>#/]+\.whl", text)]


def has_nvidia_gpu() -> bool:
    """Whether an NVIDIA driver is at work here; on Linux mostly known without starting a program."""
    files = ("/proc/driver/nvidia/version", "/dev/nvidia0")
    return any(Path(file).exists() for file in files) or "GPU 0" in ask("nvidia-smi", "-L")


def newest_cuda(versions: list[str], driver_report: str) -> list[str]:
    """The build (one or none) with the newest CUDA that the driver knows, going by what nvidia-smi prints."""
    known = re.search(r"CUDA (?:\w+ )?Version:\s*(\d+)\.(\d+)", driver_report)
    limit = int(known[1] + known[2]) if known else 9999
    numbers = {int(version.partition("+cu")[2]): version for version in versions}  # 2.13.0+cu126: 126
    return [numbers[number] for number in sorted(numbers) if number <= limit][-1:]


def torch_plans(choice: str, gpu: bool, requirement: str, folders: list[Path], system: str = sys.platform,
                listing: Callable[[str], list[str]] = server_files) -> Iterator[Plan]:
    """The ways to get PyTorch, best first; a later one is looked for only when the earlier did not work."""
    kind = choice if choice != "auto" else "cuda" if gpu else "cpu"
    local = [(version, folder) for folder in folders
             for version in builds([file.name for file in folder.iterdir()], "cpu", requirement)]
    found, lack = [], ""
    if (system, kind) == ("linux", "cpu"):
        for version, folder in sorted(local, key=lambda pair: release(pair[0]), reverse=True):
            yield f"the CPU build {version} from {folder}", ["-f", str(folder), f"torch=={version}"]
        found, lack = builds(listing(f"{PYTORCH}/cpu/torch/"), "cpu", requirement)[-1:], "CPU"
    elif (system, kind) == ("win32", "cuda"):
        listed = builds(listing(f"{PYTORCH}/torch/"), r"cu\d+", requirement)
        found, lack = newest_cuda(listed, ask("nvidia-smi")), "CUDA"
    for version in found:
        index = f"{PYTORCH}/{version.partition('+')[2]}"
        yield f"the build {version} from {index}", ["--extra-index-url", index, f"torch=={version}"]
    if (system, kind) == ("linux", "cuda"):  # pip would prefer a local 2.13.0+cpu to 2.13.0
        requirement = ",!=".join([requirement, *dict.fromkeys(version for version, _ in local)])
    reason = f", as no {lack} build can be had here" if lack else ""
    # Of the default builds, only Linux's carries CUDA.
    size = " (with CUDA, 2.7 GB to download)" if system == "linux" else ""
    yield f"the default build{size}{reason}", [requirement]


def torch_version() -> str:
    """The PyTorch in .venv, or nothing."""
    return ask(PYTHON, "-c", "from importlib.metadata import version; print(version('torch'))").strip()


def install_torch(choice: str) -> None:
    """Install PyTorch by the first way that works, unless a fitting one is there."""
    requirement = requirement_of("torch")
    if fits(torch_version(), requirement):
        return
    gpu = has_nvidia_gpu()
    why = "as chosen" if choice != "auto" else "an NVIDIA GPU is here" if gpu else "no NVIDIA GPU found"
    folders = wheel_folders(ask(PYTHON, "-m", "pip", "config", "list"))
    for words, arguments in torch_plans(choice, gpu, requirement, folders):
        say(f"PyTorch ({why}): taking {words}.\n"
            f"  To choose otherwise: --torch {'|'.join(CHOICES)}")
        if done(PYTHON, "-m", "pip", "install", *arguments):
            return
    raise failure("PyTorch could not be installed.")


def install(wish: Stamp) -> bool:
    """Install PyTorch first, so that nothing else chooses its build, then the rest; whether all can be loaded."""
    install_torch(wish.torch)
    say("Installing GPT Studio and what else it needs ...")
    keep = VENV / "constraints.txt"
    keep.write_text(f"torch=={torch_version()}\n", encoding="utf-8")
    project = f".[{','.join(wish.extras)}]" if wish.extras else "."
    if not done(PYTHON, "-m", "pip", "install", "-c", keep, "-e", project):
        raise failure("What GPT Studio needs could not be installed.")
    link_by_relative_path()
    # -P keeps this folder off the path, so that the import has to find the installed project.
    return done(PYTHON, "-P", "-c", "import torch; from gptstudio import __version__")


def link_by_relative_path() -> None:
    """Say where the project lies without any umlaut: up to Python 3.12, .pth files are read in the locale's
    encoding, and under LC_ALL=C a Python that meets an umlaut there does not start at all."""
    for packages in (*VENV.glob("lib/python*/site-packages"), VENV / "Lib" / "site-packages"):
        for link in packages.glob("*gptstudio*.pth"):
            link.write_text(os.path.relpath(ROOT, packages) + "\n", encoding="ascii")


def venv_works() -> bool:
    """Whether .venv has a Python that starts, of this one's version, with pip."""
    return ask(PYTHON, "-c", "import pip, sys; print('%d.%d' % sys.version_info[:2])").strip() == VERSION


def make_venv() -> None:
    """Make .venv anew, by whichever means this Python has."""
    say("Making an environment of its own in .venv ...")
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    # Started from inside an environment, perhaps this very one, take the Python that it was made from.
    python = getattr(sys, "_base_executable", None) or sys.executable
    if done(python, "-m", "venv", VENV):
        return
    if importlib.util.find_spec("ensurepip"):
        raise failure(f"Python {VERSION} could not make an environment.")
    package = f"python{VERSION}-venv"  # Debian and Ubuntu keep half of venv in a package of its own
    debian = sys.base_prefix == "/usr"
    if not (debian and apt_install([package]) and done(python, "-m", "venv", VENV)) and not virtualenv(python):
        raise SetupError(f"Python {VERSION} is here without its part that makes environments: install {package}, "
                         f"for example with `sudo apt-get install {package}`, and start again.\nThe full log: {LOG}")


def virtualenv(python: str) -> bool:
    """Make .venv with virtualenv, which brings what Python lacks; installed already, or only for the moment."""
    with tempfile.TemporaryDirectory() as tools:
        return (done(python, "-m", "virtualenv", VENV)
                or (done(python, "-m", "pip", "install", "--target", tools, "virtualenv")
                    and done(python, "-m", "virtualenv", VENV, PYTHONPATH=tools)))


def read_stamp(file: Path = STAMP) -> Stamp:
    """What the last set-up wrote; an empty stamp where there is none, or none that can be read."""
    try:
        key, torch, extras, place = json.loads(file.read_text(encoding="utf-8"))
        return Stamp(str(key), str(torch), tuple(map(str, extras)), str(place))
    except (OSError, ValueError, TypeError):
        return Stamp()


def write_stamp(stamp: Stamp) -> None:
    """Remember how far the set-up came."""
    STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def wished(old: Stamp, torch: str | None, extras: Iterable[str], root: Path = ROOT,
           python: str = VERSION) -> Stamp:
    """The set-up that is wanted now. A choice once made stays, and what is installed need not leave."""
    torch, names = torch or old.torch or "auto", tuple(sorted({*old.extras, *extras}))
    text = repr(((root / "pyproject.toml").read_bytes(), python, torch, names))
    return Stamp(hashlib.sha256(text.encode()).hexdigest(), torch, names, str(root))


def set_up(torch: str | None, extras: Iterable[str]) -> None:
    """Make .venv what it should be; nothing is done where the stamp says that it already is."""
    old = read_stamp()
    wish = wished(old, torch, extras)
    if wish == old and PYTHON.exists():
        return check_libraries(install=False)
    say("Setting GPT Studio up. The first time takes some minutes.")
    kept = old.place in ("", wish.place) and venv_works()  # the scripts of a moved environment do not start
    if not kept:
        make_venv()
    write_stamp(old._replace(key="", place=wish.place))
    check_libraries(install=True)
    if kept and old.torch not in ("", wish.torch):
        done(PYTHON, "-m", "pip", "uninstall", "-y", "torch")
    write_stamp(wish._replace(key=""))
    if not install(wish):
        if not kept:
            raise failure("GPT Studio was installed but does not load.")
        say("What an earlier set-up left does not load, so it is made anew.")
        shutil.rmtree(VENV)
        return set_up(wish.torch, wish.extras)
    write_stamp(wish)
    return say("The set-up is complete.")


def environment(testing: bool = False) -> dict[str, str]:
    """The app's environment knows where texts for training lie; that of tests needs no screen."""
    names = dict(os.environ)
    texts = ROOT.parent / "shared" / "data"
    if texts.is_dir():
        names.setdefault("GPTSTUDIO_TEXTS", str(texts))
    if testing:
        names.pop("OMP_NUM_THREADS", None)
        if sys.platform == "linux" and not (names.get("DISPLAY") or names.get("WAYLAND_DISPLAY")):
            names.setdefault("QT_QPA_PLATFORM", "offscreen")
    return names


def app_arguments(arguments: list[str]) -> list[str]:
    """`run --tour DIR` is the app's own command `tour DIR`."""
    return ["tour", *arguments[1:]] if arguments[:1] == ["--tour"] else arguments


def in_the_open(command: list[str], env: dict[str, str], cwd: Path | None = None) -> int:
    """Run a program before the user's eyes. It hears Ctrl-C as well, and is given the time to end well."""
    with subprocess.Popen(command, env=env, cwd=cwd) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


def run(arguments: list[str]) -> int:
    """Become the app, so that Ctrl-C and the exit code are its own; Windows can only wait for it."""
    command = [str(PYTHON), "-m", "gptstudio", *app_arguments(arguments)]
    if not WINDOWS:
        os.execve(command[0], command, environment())
    return in_the_open(command, environment())


def test(arguments: list[str]) -> int:
    """All checks, then pytest, so that its closing line is the last; with arguments, pytest alone."""
    checks = [] if arguments else [["ruff", "check", "."], ["mypy"], ["lint-imports"]]
    failed = [check[0] for check in checks if not passes(check)]
    if failed:
        say(f"\nNot clean, see above: {', '.join(failed)}")
    told = any(re.match(r"-n(\d|auto|logical|$)|--numprocesses", argument) for argument in arguments)
    return int(not passes(["pytest", *([] if told else ["-n", "2"]), *arguments]) or bool(failed))


def passes(check: list[str]) -> bool:
    """Run one test tool in the open."""
    say(f"\n$ {shlex.join(check)}")
    tool = BIN / f"{check[0]}{SUFFIX}"
    return in_the_open([str(tool), *check[1:]], cwd=ROOT, env=environment(testing=True)) == 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    """--torch may stand anywhere; all else after the command belongs to the app or to pytest."""
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    own.add_argument("--torch", choices=CHOICES, help="the build of PyTorch: auto (at first) looks for an "
                     "NVIDIA GPU, default is what pip takes by itself; a choice stays until another is made")
    options, rest = own.parse_known_args(argv)
    parser = argparse.ArgumentParser(prog="bootstrap.py", parents=[own], allow_abbrev=False,
                                     description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "test"))
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args(rest, options)


def main(argv: list[str]) -> int:
    """Set up, then do what was asked. Whatever fails is said in plain words."""
    options = read_arguments(argv)
    try:
        set_up(options.torch, ["test"] if options.command == "test" else [])
        return test(options.arguments) if options.command == "test" else run(options.arguments)
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"GPT Studio could not be set up: {error.filename or ROOT}: {error.strerror or error}. See that the "
            "folder may be written and has room, or copy GPT Studio to one that is so, and start again.")
    except KeyboardInterrupt:
        say("\nStopped. The next start goes on from here.")
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
