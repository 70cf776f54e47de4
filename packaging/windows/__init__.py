"""The Windows installer: compiled by NSIS, on Windows or Linux, and signed if a certificate is given."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

from children import SetupError, call, say
from places import ROOT

from windows import signing

HERE = Path(__file__).resolve().parent
ICON = ROOT / "resources" / "icons" / "gptstudio.ico"
PROGRAM = "gptstudio.exe"
MAKENSIS = "makensis"
ON_WINDOWS = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)")) / "NSIS" / "makensis.exe"
TARGET = "amd64-unicode"  # in Debian's NSIS; the original has only the 32-bit stub, which also runs on 64-bit Windows


def make(app: Path, version: str, out: Path) -> list[Path]:
    """Make the installer of a frozen program (the folder with ``gptstudio.exe``) in ``out``; nothing without NSIS.

    Raises:
        SetupError: the folder contains no Windows program, or NSIS or the signing failed.
    """
    if not (app / PROGRAM).is_file():
        raise SetupError(f"{app} contains no {PROGRAM}: freeze the program on Windows first.")
    compiler = makensis()
    if not compiler:
        say("Windows installer skipped: makensis was not found. Install NSIS 3.08 or newer: `apt-get install nsis`, "
            "or on Windows `choco install nsis`.")
        return []
    out.mkdir(parents=True, exist_ok=True)
    app, out = app.resolve(), out.resolve()  # NSIS works in the folder of its script
    installer = out / f"gptstudio-{version}-windows-x86_64.exe"
    if signing.way():
        signing.sign(app / PROGRAM)  # AppLocker's rules check the program itself, not its installer
    else:
        say(f"Signing skipped: {signing.NEEDED}")
    lists = out / "windows-files.nsh"
    lists.write_text(file_lists(app), encoding="utf-8-sig")
    try:
        compile_script(compiler, definitions(app, version, installer, lists))
    finally:
        lists.unlink()
    return [installer]


def makensis() -> str | None:
    """Return the NSIS compiler; None if it is not installed."""
    return shutil.which(MAKENSIS) or (str(ON_WINDOWS) if ON_WINDOWS.is_file() else None)


def definitions(app: Path, version: str, installer: Path, lists: Path) -> dict[str, str]:
    """Return the definitions that the NSIS script reads."""
    files = list(files_of(app))
    told = {
        "VERSION": version, "VERSION4": four_numbers(version), "LISTS": str(lists), "OUT": str(installer),
        "LONGEST": str(max(len(f"\\{file.relative_to(app)}") for file in files)),
        "KILOBYTES": str(sum(file.stat().st_size for file in files) // 1024),
    }
    if has_target():
        told["TARGET"] = TARGET
    if ICON.is_file():
        told["ICON"] = str(ICON)
    if signing.way():
        told["SIGN"] = f'"{sys.executable}" "{HERE / "signing.py"}"'
    return told


def four_numbers(version: str) -> str:
    """Return a version in Windows' form: 0.1.0.2 for 0.1.0rc2."""
    return ".".join([*re.findall(r"\d+", version), "0", "0", "0", "0"][:4])


def has_target() -> bool:
    """Return whether this NSIS can make 64-bit installers."""
    folder = re.search(r"NSISDIR=([^,\n]+)", call(makensis(), "-HDRINFO").stdout)
    return folder is not None and (Path(folder[1]) / "Stubs" / f"lzma_solid-{TARGET}").is_file()


def compile_script(compiler: str, told: dict[str, str]) -> None:
    """Run NSIS to make the installer.

    Raises:
        SetupError: NSIS failed; with the end of its output.
    """
    command = [compiler, "-V2", "-WX", "-INPUTCHARSET", "UTF8", *(f"-D{name}={value}" for name, value in told.items()),
               str(HERE / "gptstudio.nsi")]
    done = call(*command)
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-12:])
        raise SetupError(f"NSIS could not make the installer:\n{said}")


def file_lists(app: Path) -> str:
    """Return three NSIS macros, which write the program's files, remove exactly these, and remove empty folders."""
    files = list(files_of(app))
    folders = sorted({folder for file in files for folder in file.relative_to(app).parents} - {Path(".")}, reverse=True)
    return "\n".join([
        "!macro AddFiles", *added(app, files), "!macroend",
        "!macro RemoveFiles", *(f'  Delete "{installed(file.relative_to(app))}"' for file in files), "!macroend",
        "!macro RemoveFolders", *(f'  RMDir "{installed(folder)}"' for folder in folders), "!macroend", "",
    ])


def added(app: Path, files: list[Path]) -> Iterator[str]:
    """Yield the commands that write files, folder by folder."""
    folder = None
    for file in files:
        if file.parent != folder:
            folder = file.parent
            yield f'  SetOutPath "{installed(folder.relative_to(app))}"'
        yield f'  File "{file}"'  # read by the compiler, which takes a dollar sign literally


def files_of(app: Path) -> Iterator[Path]:
    """Yield all files of the program, grouped by folder."""
    for folder in sorted({app, *(each for each in app.rglob("*") if each.is_dir())}):
        yield from sorted(each for each in folder.iterdir() if each.is_file())


def installed(part: Path) -> str:
    """Return the installed path of a file in NSIS syntax."""
    return quoted(str(PureWindowsPath("$INSTDIR", part))).replace("$$INSTDIR", "$INSTDIR")


def quoted(text: str) -> str:
    """Return a text escaped for NSIS's double quotes."""
    return text.replace("$", "$$").replace('"', '$\\"')
