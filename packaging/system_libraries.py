"""Requirements of the window and the tests on a Linux system: Qt's libraries and a font. Also installs them with
apt."""

import ctypes
import os
import shlex
import shutil
import sys
from pathlib import Path

from children import ask, done, say

# Libraries that Qt loads on Linux, and their Debian packages. Ubuntu 24.04 names the last one libglib2.0-0t64, which
# apt substitutes for the older name.
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
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
PACKAGES = {**QT_LIBRARIES, **X11_LIBRARIES, FONT: "fonts-dejavu-core"}
INSTALLER_TOOLS = {
    "makeself": "makeself", "xz": "xz-utils", "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream", "update-mime-database": "shared-mime-info",
    "mksquashfs": "squashfs-tools", "makensis": "nsis", "gcc": "g++", "strip": "binutils",
    "icupkg": "icu-devtools",
}
"""Programs that build installers, and their Debian packages; also the C compiler, with the C library's headers, which
g++ requires and gcc only recommends."""
CHINESE_FONT = "fonts-wqy-microhei"
FEDORA = ("glib2 libglvnd-glx libglvnd-egl libxkbcommon libxkbcommon-x11 freetype fontconfig dbus-libs libxcb "
          "xcb-util-cursor xcb-util-wm xcb-util-keysyms xcb-util-image xcb-util-renderutil dejavu-sans-fonts")


def check_libraries(install: bool) -> None:
    """Print the libraries that Qt lacks on this system, after trying to install them if that is allowed."""
    if sys.platform != "linux":
        return
    screen = bool(os.environ.get("DISPLAY"))
    missing = missing_libraries(screen)
    if missing and install and apt_install([PACKAGES[name] for name in missing]):
        missing = missing_libraries(screen)
    if missing:
        say(advice(missing, next(filter(shutil.which, ("apt-get", "dnf")), "")))


def bring_installer_tools() -> None:
    """Install the tools for building and testing installers, if that is allowed."""
    missing = [package for tool, package in INSTALLER_TOOLS.items() if not shutil.which(tool)]
    if not ask("fc-list", ":lang=zh").strip():
        missing.append(CHINESE_FONT)
    if sys.platform == "linux" and missing:
        apt_install(missing)


def missing_libraries(screen: bool) -> list[str]:
    """Return the missing libraries; libraries for X11 are checked only if there is a screen, or if others are
    missing."""
    missing = [name for name in QT_LIBRARIES if not loads(name)] + ([] if has_font() else [FONT])
    if missing or screen:
        missing += [name for name in X11_LIBRARIES if not loads(name)]
    return missing


def loads(library: str) -> bool:
    """Return whether the system has a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    """Return whether there is any font. Folders are searched first, because fc-list may be missing or slow."""
    in_folders = (any(Path(os.path.expanduser(folder)).rglob("*.[ot]t[fc]")) for folder in FONT_FOLDERS)
    return any(in_folders) or bool(ask("fc-list").strip())


def apt_install(packages: list[str]) -> bool:
    """Install system packages with apt if that is allowed without a prompt; return whether it succeeded."""
    if not shutil.which("apt-get"):
        return False
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not ask(*sudo, "echo", "allowed"):
        return False
    # `env`, because sudo drops the environment; `timeout`, because it runs with sudo's right to end apt-get.
    start = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "timeout"]
    calm = ["apt-get", "-qy", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::Retries=1"]
    install = [*start, "900", *calm, "install", "--no-install-recommends", *packages]
    say(f"Installing system packages (--no-system skips this):\n$ {shlex.join(install)}")
    done(*start, "120", *calm, "update")  # if this fails, the previous lists may do
    return done(*install)


def advice(missing: list[str], manager: str) -> str:
    """Return a message with the missing libraries and the command that installs them."""
    packages = {"apt-get": " ".join(PACKAGES[name] for name in missing), "dnf": FEDORA}
    how = (f"Install them with: sudo {manager} install {packages[manager]}" if manager in packages
           else "Install the packages that contain them with your package manager.")
    return (f"The window needs libraries that this system lacks: {', '.join(missing)}.\n{how}\n"
            "Until then, the commands in the terminal work.")
