"""Layout of a folder as it will be installed, and the tools that pack it."""

import gzip
import os
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path

from children import checked, say
from places import ROOT, released

HERE = Path(__file__).resolve().parent
ICONS = ROOT / "resources" / "icons"
MACHINE = platform.machine()
LEVEL = "6e"
"""Preset of xz. With its filter for x86 code and a dictionary of 64 MB, which also determines the memory for unpacking,
an installer is 5 % smaller than with the preset alone."""

PACKAGES = {"dpkg-deb": "dpkg", "ar": "binutils", "makeself": "makeself", "xz": "xz-utils",
            "mksquashfs": "squashfs-tools"}
"""Debian package of each tool."""


def filters() -> list[str]:
    """Return the options of xz that set the filters for our libraries."""
    return [*(["--x86"] if MACHINE == "x86_64" else []), f"--lzma2=preset={LEVEL},dict=64MiB"]


def lacks(artefact: str, *tools: str) -> bool:
    """Return whether a tool is missing; if so, print the package to install."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        packages = " ".join(sorted({PACKAGES[tool] for tool in missing}))
        say(f"{artefact} skipped. Not found: {', '.join(missing)}. Install: `apt-get install {packages}`.")
    return bool(missing)


def lay_app(app: Path, target: Path) -> None:
    """Copy the frozen program to a folder, with hard links if the disk allows."""
    shutil.copytree(app, target, symlinks=True, copy_function=link_or_copy)


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def lay_share(version: str, target: Path) -> None:
    """Fill a ``share`` folder: menu entries, file type, metainfo, manual, icons."""
    for source in (path for path in (HERE / "share").rglob("*") if path.is_file()):
        text = source.read_text(encoding="utf-8")
        text = text.replace("@VERSION@", version).replace("@DATE@", released().strftime("%Y-%m-%d"))
        place = target / source.relative_to(HERE / "share")
        if place.parent.name == "man1":
            write(place.with_name(f"{place.name}.gz"), gzip.compress(text.encode(), mtime=0))
        else:
            write(place, text.encode())
    for png in (ICONS / "gptstudio").glob("*.png"):
        write(target / f"icons/hicolor/{png.stem}x{png.stem}/apps/gptstudio.png", png.read_bytes())
    write(target / "icons/hicolor/scalable/apps/gptstudio.svg", (ICONS / "gptstudio.svg").read_bytes())


def write(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file that everyone can read, including the folders above it, regardless of the umask."""
    folder(path.parent)
    path.write_bytes(data)
    path.chmod(mode)


def folder(path: Path) -> Path:
    """Create a folder and its parents, accessible to everyone, regardless of the umask."""
    for each in reversed([path, *path.parents]):
        if not each.exists():
            each.mkdir()
            each.chmod(0o755)
    return path


def kilobytes(folder: Path) -> int:
    """Return the installed size of a folder in KiB."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_symlink() or path.is_file()) // 1024 + 1


def work(*command: str | Path, variables: Mapping[str, str] | None = None) -> None:
    """Run a tool.

    Raises:
        SetupError: it failed; with the end of its output.
    """
    checked(*command, env=os.environ | dict(variables or {}))
