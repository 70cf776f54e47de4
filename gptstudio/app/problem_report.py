"""Report of a problem: texts that help to find its cause, put together on this computer and saved where the user says.

Nothing here uses the network.
"""

from __future__ import annotations

import getpass
import io
import json
import os
import platform
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gptstudio import __version__, log, paths, settings
from gptstudio.app.about import libraries
from gptstudio.app.state import AppState
from gptstudio.errors import UserError
from gptstudio.files import write_whole
from gptstudio.i18n import Message, message

LONGEST_LOG = 200_000
"""Number of characters of a log in the report, the newest ones."""


@dataclass(frozen=True)
class Part:
    """A text of the report: the name of its file, and what it is."""

    name: str
    title: Message
    text: str


def parts(state: AppState, screen: str = "") -> list[Part]:
    """Return all parts. ``screen``: what the window knows of the screen, as text."""
    found = [
        Part("versions.txt", message("Versions of the program and of its libraries"), _versions()),
        Part("system.txt", message("System, processor, memory, devices, screen"), _system(state, screen)),
        Part("settings.json", message("Settings in force: model, training, generation, and those of this computer"),
             _settings(state)),
        Part(log.FILE, message("Log of the program"), _log()),
    ]
    crashes = "\n\n".join(_crashes())
    return [*found, Part("crashes.txt", message("Traces of crashes"), crashes)] if crashes else found


def without_names(text: str) -> str:
    """Replace the path of the home folder by ``~``, and the name of the user by ``USER``."""
    home = str(Path.home())
    for written in {home, home.replace("\\", "/"), home.replace("\\", "\\\\")}:
        if len(written) > 1:
            text = re.sub(rf"{re.escape(written)}(?![\w.-])", "~", text)
    for name in {_user(), Path.home().name} - {""}:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "USER", text)
    return text


def write(path: Path, chosen: Iterable[Part]) -> None:
    """Save the parts as a zip.

    Raises:
        UserError: it cannot be written there.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in chosen:
            archive.writestr(part.name, part.text.encode("utf-8", "backslashreplace"))
    try:
        write_whole(path, packed.getvalue())
    except OSError as error:
        raise UserError(message(
            "Could not save {path}: {why}. Nothing was written. Choose another folder.", path=path,
            why=error.strerror or error)) from error


def _user() -> str:
    with suppress(OSError, KeyError, ImportError):  # an account without a name
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
    for file in sorted(paths.logs().glob("crash-*.log")):
        text = _read(file)
        if text:
            yield f"{file.name}\n{text[-LONGEST_LOG:]}"


def _read(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8", errors="replace")
    return ""
