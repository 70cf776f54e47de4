"""Installers made of a small program, and a home to install them into."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[1] / "packaging"
if str(PACKAGING) not in sys.path:
    sys.path.insert(0, str(PACKAGING))


def need(*tools: str) -> None:
    """Skip the test where a tool is missing."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        pytest.skip(f"there is no {' and no '.join(missing)} here; packaging/system_libraries.py names what brings it")


def stand_in(folder: Path, program: str = "sleep") -> Path:
    """Create a program that prints its version and runs for a while, as small as possible: the system's ``sleep``."""
    (folder / "_internal/resources").mkdir(parents=True)
    (folder / "_internal/resources/课程 one.toml").write_text("title = 'x'", encoding="utf-8")
    shutil.copy(shutil.which(program) or "", folder / "gptstudio")
    (folder / "NOTICES.txt").write_text("none")
    return folder


@pytest.fixture(scope="session")
def installer(tmp_path_factory) -> Callable[..., Path]:
    """Return a function that creates a one-file installer of that program, once for all tests."""
    need("makeself", "xz")
    from linux import onefile

    @cache
    def made(version: str = "1.0", program: str = "sleep") -> Path:
        folder = tmp_path_factory.mktemp("an installer")
        return onefile.make(stand_in(folder / "app", program), version, folder)

    return made


@pytest.fixture(scope="session")
def package(tmp_path_factory) -> Callable[..., Path]:
    """Return a function that creates a .deb of that program, once for all tests."""
    need("dpkg-deb", "dpkg")
    from linux import deb

    @cache
    def made(version: str = "1.0") -> Path:
        folder = tmp_path_factory.mktemp("a package")
        return deb.make(stand_in(folder / "app"), version, folder)

    return made


class Home:
    """A user's folder, with a run in it and a few other files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / ".local/share"
        self.target = self.data / "gptstudio-app"
        self.program = folder / ".local/bin/gptstudio"
        self.uninstaller = folder / ".local/bin/gptstudio-uninstall"
        run = self.data / "gptstudio/training/2026-11-20_143015_workshop"
        run.mkdir(parents=True)
        (run / "journal.jsonl").write_text("{}\n")
        (self.data / "applications").mkdir()
        (self.data / "applications/other.desktop").write_text("[Desktop Entry]\nType=Application\nName=O\nExec=o\n")

    def do(self, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command as this user."""
        names = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "GPTSTUDIO_"))}
        names |= {"HOME": str(self.folder), **variables}
        return subprocess.run([str(word) for word in command], env=names, capture_output=True, text=True,
                              errors="replace", check=False, timeout=60, cwd=self.folder)

    def install(self, file: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.do("sh", file, *options, **variables)

    def everything(self) -> dict[str, str | bytes]:
        """Return all files with their bytes, links with their targets, and folders; without the half-written files of a
        killed update-desktop-database."""
        return {name: data for name, data in snapshot(self.folder).items() if "/.mimeinfo.cache." not in name}

    def versions(self) -> list[Path]:
        """Return the folders of the installed programs."""
        return sorted(self.target.glob("[0-9]*"))


def snapshot(folder: Path) -> dict[str, str | bytes]:
    """Return the content of a folder, for comparison."""
    def what(path: Path) -> str | bytes:
        return os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""

    return {str(path.relative_to(folder)): what(path) for path in sorted(folder.rglob("*"))}
