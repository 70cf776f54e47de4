"""A Windows system under wine, and a stand-in for the program that the installer installs on it.

The stand-in is a real Windows program, which NSIS makes too. It records its arguments, and with ``--stay`` it runs
until a file called ``go`` exists next to it.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import windows

NEEDS_NSIS = pytest.mark.skipif(not windows.makensis(), reason="needs NSIS: apt-get install nsis")
NEEDS_WINE = pytest.mark.skipif(
    not (windows.makensis() and windows.has_target() and shutil.which("wine") and shutil.which("wineserver")),
    reason="needs wine and a 64-bit NSIS: apt-get install nsis wine64 wine")
NEEDS_SIGNER = pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("osslsigncode")),
    reason="needs osslsigncode and openssl: apt-get install osslsigncode openssl")

STAND_IN = r'''
Unicode true
Target TARGET
OutFile "PROGRAM"
SilentInstall silent
RequestExecutionLevel user
!include "FileFunc.nsh"
!include "LogicLib.nsh"
Section
  ${GetParameters} $0
  FileOpen $1 "$EXEDIR\started.txt" w
  FileWriteUTF16LE $1 $0
  FileClose $1
  ${If} $0 == "--stay"
    ${DoUntil} ${FileExists} "$EXEDIR\go"
      Sleep 20
    ${Loop}
  ${EndIf}
SectionEnd
'''
RECORD = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\gptstudio"


def frozen(folder: Path, program: Path, files: tuple[str, ...]) -> Path:
    """Create a frozen program's folder: the program, and files that contain their names."""
    folder.mkdir()
    shutil.copy(program, folder)
    for name in files:
        (folder / "_internal" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "_internal" / name).write_text(name, encoding="utf-8")
    return folder


def files_in(folder: Path) -> set[str]:
    return {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}


def of_version(files: tuple[str, ...]) -> set[str]:
    return {"gptstudio.exe", "uninstall.exe", *(f"_internal/{name}" for name in files)}


def unquoted(argument: str) -> list[str]:
    """Return the parts of a path: NSIS needs it at the end of its command line, without quotes around spaces."""
    return argument.split(" ")


class Wine:
    """A separate Windows system."""

    def __init__(self, prefix: Path):
        self.prefix = prefix
        self.variables = {
            **os.environ, "HOME": str(prefix), "WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "LC_ALL": "C.UTF-8",
            # without a browser and .NET, which it would offer to install, and without changes to this desktop's menu
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",
        }
        self.variables.pop("DISPLAY", None)

    def run(self, *command: object) -> int:
        """Start a Windows program, wait for it, and return its exit code."""
        return self.begin(*command).wait(timeout=60)

    def output_of(self, *command: object) -> str:
        """Return the output of a Windows program. It is read from a file: wine's services hold a pipe open after it."""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as words:
            self.begin(*command, stdout=words).wait(timeout=60)
            words.seek(0)
            return words.read()

    def begin(self, *command: object, stdout=subprocess.DEVNULL) -> subprocess.Popen:
        return subprocess.Popen(["wine", *map(str, command)], env=self.variables, stdin=subprocess.DEVNULL,
                                stdout=stdout, stderr=subprocess.DEVNULL)

    def record(self) -> dict[str, str]:
        """Return the program's entry in the list of installed apps; empty if there is none."""
        listing = self.output_of("reg", "query", RECORD)
        return dict(re.findall(r"^    (\w+) +REG_\w+ +(.*?)\r?$", listing, re.MULTILINE))

    @property
    def user(self) -> Path:
        return next(each for each in (self.prefix / "drive_c" / "users").iterdir() if each.name != "Public")

    @property
    def local(self) -> Path:
        """%LOCALAPPDATA%"""
        return self.user / "AppData" / "Local"

    @property
    def installed(self) -> Path:
        return self.local / "Programs" / "GPT Studio"

    @property
    def menu(self) -> Path:
        return self.user / "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/GPT Studio.lnk"

    def uninstall(self, folder: Path | None = None) -> int:
        """Run the uninstaller in its folder, and return its exit code."""
        folder = folder or self.installed
        inside = str(folder.relative_to(self.prefix / "drive_c")).replace("/", "\\")
        return self.run(folder / "uninstall.exe", "/S", *unquoted(f"_?=C:\\{inside}"))
