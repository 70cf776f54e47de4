#!/usr/bin/env python3
"""Silently install the installers that packaging/build.py made on this system, run the program's self-test, and remove
it.

    python packaging/try_artefacts.py [--out dist] [--pictures build/tried]

For disposable machines: it really installs. The .deb needs root, or sudo without a password.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from children import SetupError, call, in_words, say
from places import ROOT

PATIENCE_S = 1200


@in_words
def main(argv: list[str]) -> int:
    """Try each installer; return 0 if all passed."""
    options = read_arguments(argv)
    for pattern, check in CHECKS[sys.platform].items():
        artefact = found(options.out.resolve(), pattern)
        say(f"Installing, testing and removing {artefact.name} ...")
        check(artefact, options.pictures.resolve() / artefact.suffix.lstrip("."))
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder of the installers (default: dist)")
    parser.add_argument("--pictures", type=Path, default=ROOT / "build" / "tried",
                        help="the folder for the output of the self-tests")
    return parser.parse_args(argv)


def found(out: Path, pattern: str) -> Path:
    """Return the only file that matches a pattern.

    Raises:
        SetupError: there is none, or more than one.
    """
    files = list(out.glob(pattern))
    if len(files) != 1:
        raise SetupError(f"Expected one {pattern} in {out}, found {len(files)}.")
    return files[0]


def must(*command: object) -> None:
    """Run a command.

    Raises:
        SetupError: it failed, or took too long.
    """
    try:
        done = call(*command, stdout=None, stderr=None, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{command[0]} did not end within {PATIENCE_S} s.") from error
    if done.returncode:
        raise SetupError(f"{' '.join(map(str, command))} ended with {done.returncode}.")


def gone(*paths: Path) -> None:
    """Check that none of these paths exists.

    Raises:
        SetupError: one of them still exists.
    """
    if left := [str(path) for path in paths if os.path.lexists(path)]:
        raise SetupError(f"Left over after the removal: {', '.join(left)}.")


def self_test(program: Path, pictures: Path) -> None:
    """Run the program's self-test and print its report, since a windowed program has no console on Windows."""
    try:
        must(program, "--selftest", pictures)
    finally:
        if (pictures / "selftest.txt").is_file():
            say((pictures / "selftest.txt").read_text(encoding="utf-8"))


def debian(package: Path, pictures: Path) -> None:
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    must(*root, "apt-get", "install", "-y", package)
    self_test(Path("/usr/bin/gptstudio"), pictures)
    must(*root, "apt-get", "purge", "-y", "gptstudio")
    gone(Path("/opt/gptstudio"), Path("/usr/bin/gptstudio"))


def one_file(installer: Path, pictures: Path) -> None:
    programs = Path.home() / ".local/bin"
    must("sh", installer, "--quiet")
    self_test(programs / "gptstudio", pictures)
    must(programs / "gptstudio-uninstall")
    gone(Path.home() / ".local/share/gptstudio-app", programs / "gptstudio")


def windows(installer: Path, pictures: Path) -> None:
    must(installer, "/S")
    place = Path(installed_at())
    self_test(place / "gptstudio.exe", pictures)
    must(place / "uninstall.exe", "/S", f"_?={place}")  # with _?, it does not copy itself first, so it can be awaited
    gone(place / "gptstudio.exe")
    if installed_at():
        raise SetupError("The program is still in the list of installed apps.")


def installed_at() -> str:
    """Return the program's folder from Windows' list of installed apps; empty if it is not listed."""
    if sys.platform != "win32":
        return ""
    import winreg

    try:
        key = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\Windows\CurrentVersion\Uninstall\gptstudio")
        with key:
            return str(winreg.QueryValueEx(key, "InstallLocation")[0])
    except FileNotFoundError:
        return ""


def disk_image(image: Path, pictures: Path) -> None:
    app, mounted = Path.home() / "Applications/GPT Studio.app", pictures / "image"
    pictures.mkdir(parents=True, exist_ok=True)
    must("hdiutil", "attach", image, "-nobrowse", "-readonly", "-mountpoint", mounted)
    must("ditto", mounted / app.name, app)
    must("hdiutil", "detach", mounted)
    must("codesign", "--verify", "--deep", "--strict", app)
    self_test(app / "Contents/MacOS/gptstudio", pictures)
    shutil.rmtree(app)


CHECKS: dict[str, dict[str, Callable[[Path, Path], None]]] = {
    "linux": {"gptstudio_*.deb": debian, "gptstudio-*-linux-*.run": one_file},
    "win32": {"gptstudio-*-windows-*.exe": windows},
    "darwin": {"gptstudio-*-macos-*.dmg": disk_image},
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
