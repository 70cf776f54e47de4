"""The virtual environment, in .venv or another folder: its creation, its packages, and the stamp that records its
contents."""

import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from typing import NamedTuple

from children import LOG, SetupError, ask, done, failure, pip, say
from places import PYTHON, ROOT, VENV, VERSION
from system_libraries import apt_install

STAMP = VENV / "gptstudio-setup.json"
BOOK = "llms-from-scratch==1.0.19"
"""The book's own code, with which the tests compare ours; the parts that they use need only torch."""


class Stamp(NamedTuple):
    """Record of the inputs of .venv, and its location. An empty key means that the setup was not completed."""

    key: str = ""
    torch: str = ""
    extras: tuple[str, ...] = ()
    place: str = ""


def read_stamp() -> Stamp:
    """Return the stamp of the last setup; an empty one if it is missing or unreadable."""
    try:
        key, torch, extras, place = json.loads(STAMP.read_text(encoding="utf-8"))
        return Stamp(str(key), str(torch), tuple(map(str, extras)), str(place))
    except (OSError, ValueError, TypeError):
        return Stamp()


def write_stamp(stamp: Stamp) -> None:
    """Write the stamp, which records the progress of the setup."""
    STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def requested(old: Stamp, torch: str | None, extras: Iterable[str]) -> Stamp:
    """Return the stamp for the current request. Earlier choices are kept, and nothing that is installed is removed."""
    torch, names = torch or old.torch or "auto", tuple(sorted({*old.extras, *extras}))
    text = repr(((ROOT / "pyproject.toml").read_bytes(), VERSION, torch, names, BOOK if "test" in names else ""))
    return Stamp(hashlib.sha256(text.encode()).hexdigest(), torch, names, str(ROOT))


def venv_works() -> bool:
    """Return whether .venv has a Python of this version that starts, with pip."""
    return ask(PYTHON, "-c", "import pip, sys; print('%d.%d' % sys.version_info[:2])").strip() == VERSION


def make_venv() -> None:
    """Create .venv with venv or virtualenv, depending on this Python."""
    say(f"Creating a separate environment in {VENV} ...")
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(parents=True, exist_ok=True)
    # If started inside an environment, perhaps this one, use the Python that it was made from.
    python = getattr(sys, "_base_executable", None) or sys.executable
    if done(python, "-m", "venv", VENV):
        return
    if importlib.util.find_spec("ensurepip"):
        raise failure(f"Python {VERSION} could not create an environment.")
    package = f"python{VERSION}-venv"  # Debian and Ubuntu have half of venv in a separate package
    if not (venv_with_debian(python, package) or venv_with_virtualenv(python)):
        raise SetupError(f"Python {VERSION} lacks its module for environments. Install {package}, for example "
                         f"with `sudo apt-get install {package}`, and start again.\nThe full log: {LOG}")


def venv_with_debian(python: str, package: str) -> bool:
    """Create .venv after installing the system package that the system's Python lacks."""
    return sys.base_prefix == "/usr" and apt_install([package]) and done(python, "-m", "venv", VENV)


def venv_with_virtualenv(python: str) -> bool:
    """Create .venv with virtualenv, which includes the parts that Python lacks; if it is not installed, install it
    temporarily."""
    with tempfile.TemporaryDirectory() as tools:
        return (done(python, "-m", "virtualenv", VENV)
                or (done(python, "-m", "pip", "install", "--target", tools, "virtualenv")
                    and done(python, "-m", "virtualenv", VENV, PYTHONPATH=tools)))


def install_project(extras: tuple[str, ...], torch: str) -> None:
    """Install GPT Studio in editable mode, with its dependencies except PyTorch."""
    say("Installing GPT Studio and its dependencies ...")
    project = f".[{','.join(extras)}]" if extras else "."
    if not pip("install", f"torch=={torch}", "-e", project):
        raise failure("The dependencies of GPT Studio could not be installed.")
    link_by_relative_path()
    if "test" in extras:
        install_book()


def install_book() -> None:
    """Install the book's code without its dependencies. The tests need only torch (the others, such as TensorFlow,
    JupyterLab and an older NumPy, are gigabytes for its notebooks), and the code also runs on Python 3.13.1 and newer,
    which its metadata excludes."""
    if not pip("install", "--no-deps", "--ignore-requires-python", BOOK):
        raise failure("The book's own code, which the tests compare with, could not be installed.")


def link_by_relative_path() -> None:
    """Write the path of the project in ASCII: up to Python 3.12, .pth files are read in the locale's encoding, and with
    LC_ALL=C, Python does not start if the path contains an umlaut."""
    for packages in (*VENV.glob("lib/python*/site-packages"), VENV / "Lib" / "site-packages"):
        for link in packages.glob("*gptstudio*.pth"):
            link.write_text(os.path.relpath(ROOT, packages) + "\n", encoding="ascii")


def project_loads() -> bool:
    """Return whether the environment has the packages that the window needs to open."""
    # -P keeps this folder off the path, so that the import must find the installed project.
    return done(PYTHON, "-P", "-c", "import torch; from gptstudio import __version__")
