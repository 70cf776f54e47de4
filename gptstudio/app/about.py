"""Facts about the program: its libraries and licences, the folders of its files, the page of its releases, and problem
reports.

The page of releases opens in the browser. A report is made on this computer and saved where the user chooses. Nothing
here uses the network.
"""

from __future__ import annotations

import getpass
import io
import json
import os
import platform
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit

from gptstudio import __version__, files, log, paths, settings
from gptstudio.app.state import AppState
from gptstudio.files import save_whole
from gptstudio.i18n import Message, message

LIBRARIES = {
    "torch": "BSD-3-Clause", "PySide6-Essentials": "LGPL-3.0-only", "pyqtgraph": "MIT", "numpy": "BSD-3-Clause",
    "tiktoken": "MIT", "tokenizers": "Apache-2.0", "regex": "Apache-2.0", "pydantic": "MIT", "platformdirs": "MIT",
    "psutil": "BSD-3-Clause", "psygnal": "BSD-3-Clause", "filelock": "MIT", "chardet": "0BSD",
    "segno": "BSD-3-Clause", "tomli-w": "MIT", "rich": "MIT", "cyclopts": "Apache-2.0", "huggingface_hub": "Apache-2.0",
    "gguf": "MIT", "truststore": "MIT",
}
"""Libraries that the program needs, with their licences for the installed program, which lacks their metadata."""


@dataclass(frozen=True)
class LibraryVersion:
    """Library with its version (empty if unknown) and the short name of its licence."""

    name: str
    version: str
    licence: str


def libraries() -> list[LibraryVersion]:
    """Return the libraries that the program needs, with the facts from their metadata."""
    return [_library(name, licence) for name, licence in LIBRARIES.items()]


def _library(name: str, licence: str) -> LibraryVersion:
    try:
        found = distribution(name)
    except PackageNotFoundError:  # in the installed program
        return LibraryVersion(name, _version_of_module(name), licence)
    return LibraryVersion(name, found.version, licence_of(found) or licence)


def licence_of(found: Distribution) -> str:
    """Return the licence of a package, as an SPDX expression if it has one."""
    metadata = found.metadata
    said = [*(metadata.get_all("License-Expression") or []), *(metadata.get_all("License") or [])]
    first = next(filter(None, said), "")
    kinds = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or [] if "License ::" in line]
    return next(iter(first.splitlines()), "")[:200] or ", ".join(kinds)  # some contain the whole licence text


def _version_of_module(name: str) -> str:
    module = sys.modules.get(name.removesuffix("-Essentials").replace("-", "_"))
    return str(getattr(module, "__version__", ""))


def notices() -> Path | None:
    """Return the file with the full text of all licences, which installers include; None if there is none."""
    program = Path(sys.executable).resolve().parent
    places = (program / "NOTICES.txt", program.parent / "Resources" / "NOTICES.txt")
    return next((place for place in places if place.is_file()), None) if getattr(sys, "frozen", False) else None


def places() -> Iterator[tuple[Message, Path]]:
    """Yield the kinds of the user's files, each with its path."""
    yield message("Runs"), paths.runs()
    yield message("Imported models"), paths.models()
    yield message("Texts"), paths.texts()
    yield message("Log"), paths.logs()


RELEASES_VARIABLE = "GPTSTUDIO_RELEASES"
RELEASES_FILE = "releases.txt"
"""File in the resources of an installed program, written by its build (``packaging/gptstudio.spec``)."""


def releases_address() -> str:
    """Return the address from the environment, from this computer's settings, or from the build; empty if there is
    none."""
    named = os.environ.get(RELEASES_VARIABLE)
    return named.strip() if named is not None else read_releases_address()


@cache
def read_releases_address() -> str:
    """Return the address from this computer's settings or from the build. Cached, because a command needs it at each
    change of the state."""
    built = paths.resources() / RELEASES_FILE
    return settings.in_force().releases or (built.read_text(encoding="utf-8").strip() if built.is_file() else "")


def releases_blocker(_: AppState) -> str | None:
    """Return the reason why the page of releases cannot be opened, as a message; None if it can."""
    url = releases_address()
    if not url:
        return message(
            "This copy of GPT Studio does not know where its releases are published. Its build can set the address, or "
            "you can: as releases in the settings file, or in the environment variable {variable}.",
            variable=RELEASES_VARIABLE)
    if not is_https(url):
        return message(
            "The address of the releases must begin with https://, and this one does not: {address}. Change it in the "
            "settings file, or in the environment variable {variable}.", address=url, variable=RELEASES_VARIABLE)
    return None


def is_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # such as for an unmatched bracket
        return False
    return parts.scheme == "https" and bool(parts.hostname) and url.isascii() and url.isprintable() and " " not in url


LONGEST_LOG = 200_000
"""Maximum number of characters of a log in the report; the newest are kept."""


@dataclass(frozen=True)
class ReportPart:
    """Part of a report: the name of its file, a title and the text."""

    name: str
    title: Message
    text: str


def parts(state: AppState, screen: str = "") -> list[ReportPart]:
    """Return all parts of the report. ``screen``: the window's description of the screen."""
    found = [
        ReportPart("versions.txt", message("Versions of the program and of its libraries"), _versions()),
        ReportPart("system.txt", message("System, processor, memory, devices, screen"), _system(state, screen)),
        ReportPart("settings.json", message(
            "Settings in force: model, training, generation, and those of this computer"), _settings(state)),
        ReportPart(log.FILE, message("Log of the program"), _log()),
    ]
    crashes = "\n\n".join(_crashes())
    return [*found, ReportPart("crashes.txt", message("Traces of crashes"), crashes)] if crashes else found


def without_names(text: str) -> str:
    """Replace the path of the home folder by ``~``, and the name of the user by ``USER``."""
    home = str(Path.home())
    for written in {home, home.replace("\\", "/"), home.replace("\\", "\\\\")}:
        if len(written) > 1:
            text = re.sub(rf"{re.escape(written)}(?![\w.-])", "~", text)
    for name in {_user(), Path.home().name} - {""}:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "USER", text)
    return text


def write(path: Path, chosen: Iterable[ReportPart]) -> None:
    """Save the chosen parts as a zip file.

    Raises:
        UserError: the file cannot be written.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in chosen:
            entry = zipfile.ZipInfo(part.name)  # without the time: the clock may be at 1970, which a zip cannot hold
            archive.writestr(entry, part.text.encode("utf-8", "backslashreplace"), zipfile.ZIP_DEFLATED)
    save_whole(path, packed.getvalue())


def _user() -> str:
    with suppress(OSError, KeyError, ImportError):  # raised for an account without a name
        return getpass.getuser()
    return ""


def _versions() -> str:
    known = [f"{each.name} {each.version}" for each in libraries() if each.version]
    return "\n".join([f"GPT Studio {__version__}", f"Python {platform.python_version()}", *known, log.about()])


def _system(state: AppState, screen: str) -> str:
    import psutil

    devices = [f"{each.key}: {each.name}, {each.total_bytes:,} bytes, free: {each.free_bytes:,}"
               for each in state.devices]
    broken = [str(each.message) for each in state.broken_devices]
    lines = [platform.platform(), f"Machine: {platform.machine()}", f"Processors: {os.cpu_count()}",
             f"Memory: {psutil.virtual_memory().total:,} bytes", *devices, *broken, screen]
    return "\n".join(filter(None, lines))


def _settings(state: AppState) -> str:
    computer = settings.in_force()
    values = {
        "model": dict(state.config_values), "training": dict(state.train_values), "texts": list(state.texts),
        "generation": dict(state.generate_values) | state.sampling_params.shallow(), "device": state.device.key,
        "page": state.page,
        "this computer": {"file": computer.file, "language": computer.language, "lesson": computer.lesson,
                          "texts": computer.texts, "lock": computer.lock, "hide": computer.hide,
                          "faults": [str(each.message()) for each in computer.faults]},
        "environment": {name: value for name, value in os.environ.items() if name.startswith("GPTSTUDIO_")},
    }
    return json.dumps(values, indent=2, ensure_ascii=False, default=str)


def _log() -> str:
    older = [paths.logs() / f"{log.FILE}.{number}" for number in range(log.OLDER_FILES, 0, -1)]
    return "".join(map(_read, [*older, paths.logs() / log.FILE]))[-LONGEST_LOG:]


def _crashes() -> Iterator[str]:
    for file in sorted(files.found(paths.logs(), "crash-*.log")):
        text = _read(file)
        if text:
            yield f"{file.name}\n{text[-LONGEST_LOG:]}"


def _read(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8", errors="replace")
    return ""
