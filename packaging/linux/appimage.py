"""The AppImage: a single file that runs without installation.

Its runtime, which unpacks it at startup, is not in Debian. GPTSTUDIO_APPIMAGE_RUNTIME is the path of the runtime: the
file runtime-x86_64 of the AppImage project.
"""

import os
import shutil
import tempfile
from pathlib import Path

from children import SetupError, say

from linux import staging

RUNTIME = "GPTSTUDIO_APPIMAGE_RUNTIME"


def make(app: Path, version: str, out: Path) -> Path | None:
    """Make gptstudio-VERSION-linux-MACHINE.AppImage in ``out``; None if the runtime or mksquashfs is missing."""
    named = os.environ.get(RUNTIME)
    if not named:
        say(f"AppImage skipped: its runtime was not given. Set the path of the runtime in {RUNTIME}.")
        return None
    if staging.lacks("The AppImage", "mksquashfs"):
        return None
    head = read_runtime(Path(named))
    image = out / f"gptstudio-{version}-linux-{staging.MACHINE}.AppImage"
    with tempfile.TemporaryDirectory(dir=out, prefix=".appimage-") as folder:
        root, packed = Path(folder) / "AppDir", Path(folder) / "packed"
        lay_out(app, version, root)
        staging.work("mksquashfs", root, packed, "-comp", "zstd", "-Xcompression-level", "19", "-root-owned",
                     "-noappend", "-no-progress")
        with image.open("wb") as file, packed.open("rb") as source:
            file.write(head)
            shutil.copyfileobj(source, file)
    image.chmod(0o755)
    return image


def read_runtime(path: Path) -> bytes:
    """Return the runtime: a program whose header marks it as the runtime of an AppImage of type 2.

    Raises:
        SetupError: the file cannot be read, or is something else.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SetupError(f"The AppImage's runtime {path} cannot be read: {error.strerror}.") from error
    if data[:4] != b"\x7fELF" or data[8:11] != b"AI\x02":
        raise SetupError(f"{path} is not the runtime of an AppImage (type 2).")
    return data


def lay_out(app: Path, version: str, root: Path) -> None:
    """Lay out the program with its desktop entry and icon."""
    root.mkdir()
    staging.lay_app(app, root / "opt/gptstudio")
    staging.lay_share(version, root / "usr/share")
    os.symlink("opt/gptstudio/gptstudio", root / "AppRun")
    shutil.copy(root / "usr/share/applications/gptstudio.desktop", root)
    shutil.copy(staging.ICONS / "gptstudio" / "256.png", root / "gptstudio.png")
    os.symlink("gptstudio.png", root / ".DirIcon")
