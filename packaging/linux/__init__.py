"""Installers for Linux: a .deb for all users of a machine, a single file for a user without root and, if its runtime is
given, an AppImage.

``share/`` contains the files for menus, software centres and ``man``, which are the same for all three.
"""

from pathlib import Path

from children import SetupError

from linux import appimage, deb, onefile

PROGRAM = "gptstudio"


def make(app: Path, version: str, out: Path) -> list[Path]:
    """Make the installers of a frozen program (the folder with ``gptstudio``) in ``out``, if their tools are there.

    Raises:
        SetupError: the folder contains no program, or a tool failed.
    """
    if not (app / PROGRAM).is_file():
        raise SetupError(f"{app} contains no {PROGRAM}: freeze the program on Linux first.")
    out.mkdir(parents=True, exist_ok=True)
    app, out = app.resolve(), out.resolve()
    made = [maker.make(app, version, out) for maker in (deb, onefile, appimage)]
    return [artefact for artefact in made if artefact]
