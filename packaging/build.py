#!/usr/bin/env python3
"""Make GPT Studio's program and its installers for this system. Needs only Python.

    python3 packaging/build.py                      everything, into dist/
    python3 packaging/build.py --only freeze        only the program, in dist/gptstudio
    python3 packaging/build.py --only artefacts     only the installers, from the existing program
    python3 packaging/build.py --python PATH        with an existing environment that has PyInstaller

The program is frozen with the CPU build of PyTorch, in a separate environment in build/venv. It must pass its self-test
in a bare environment, and stay below its size limit; then the installers are made and measured.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves out a script's own folder

from children import SetupError, call, say
from freezing import contents, icu, measures
from freezing.measures import PACKED, UNPACKED, Made
from places import ROOT, program_version, released

BUILD = ROOT / "build"
ENVIRONMENT = BUILD / "venv"
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
BARE = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP", "USERPROFILE")
"""Environment variables that the self-test keeps; it must not depend on anything else on this machine."""
FIND_VERDICT = """
import os, sys
from gptstudio.data import texts
path = texts.locate(texts.VERDICT)
if path is None:
    os.environ["GPTSTUDIO_HOME"] = sys.argv[1]
    path = texts.fetch_verdict()
print(path, texts.VERDICT_SHA256, sep="\\n")
"""


def main(argv: list[str]) -> int:
    """Freeze, test, measure and pack. Return the exit code; failures are printed as plain sentences."""
    options = read_arguments(argv)
    out = options.out.resolve()
    try:
        python = options.python or (environment() if options.only != "artefacts" else None)
        made = [freeze(python, out)] if python and options.only != "artefacts" else []
        if options.only != "freeze":
            made += artefacts(app_in(out), out)
        print(measures.table(made))
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("freeze", "artefacts"), help="do only this part")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the output folder (default: dist)")
    parser.add_argument("--python", type=Path, help="Python of an environment with the program and PyInstaller")
    return parser.parse_args(argv)


# The program.


def environment() -> Path:
    """Make or update build/venv, and return its Python."""
    program = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    command = [sys.executable, ROOT / "packaging" / "bootstrap.py", "prepare", "--torch", "cpu", "installer"]
    variables = {**os.environ, "GPTSTUDIO_VENV": str(ENVIRONMENT)}
    if call(*command, env=variables, stdin=None, stdout=None, stderr=None).returncode:
        raise SetupError("The program cannot be frozen without this environment.")
    return program


def freeze(python: Path, out: Path) -> Made:
    """Freeze the program, strip it, add its notices, test it and measure it.

    Raises:
        SetupError: a step failed, or the program is too large.
    """
    began = time.monotonic()
    app = run_pyinstaller(python, checked_verdict(python), out)
    strip(app)
    for library in app.rglob("libicudata.so.*"):
        if not library.is_symlink():
            icu.trim(library)
    notices(python, app)
    bill_of_materials(python, out)
    self_test(app)
    made = Made(app, time.monotonic() - began)
    hold([made], UNPACKED)
    return made


def checked_verdict(python: Path) -> Path:
    """Return the file of The Verdict, found or downloaded by the program's own code.

    Raises:
        SetupError: it is unavailable, or is a different text.
    """
    found = call(python, "-c", FIND_VERDICT, BUILD, cwd=ROOT)
    if found.returncode:
        last = (found.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise SetupError("The Verdict could not be found or downloaded. Installers contain it, so none was made.\n"
                         f"{last}")
    path, expected = found.stdout.splitlines()[-2:]
    return is_text(Path(path), expected)


def is_text(path: Path, expected: str) -> Path:
    """Return the file if it has this SHA-256.

    Raises:
        SetupError: it has a different one.
    """
    if (digest := measures.sha256(path)) != expected:
        raise SetupError(f"{path} differs from The Verdict of the book: its SHA-256 is {digest}, and should be "
                         f"{expected}. Delete it, and it is downloaded again.")
    return path


def run_pyinstaller(python: Path, verdict: Path, out: Path) -> Path:
    """Freeze the program; return its folder."""
    say("Freezing the program ...")
    shutil.rmtree(out / "gptstudio", ignore_errors=True)
    quietly("pyinstaller", [
        python, "-m", "PyInstaller", "--noconfirm", "--distpath", out, "--workpath", BUILD / "pyinstaller",
        ROOT / "packaging" / "gptstudio.spec", "--", "--verdict", verdict,
    ])
    return app_in(out)


def app_in(out: Path) -> Path:
    """Return the folder of the frozen program.

    Raises:
        SetupError: there is none.
    """
    app = out / ("GPT Studio.app" if sys.platform == "darwin" else "gptstudio")
    if not executable(app).is_file():
        raise SetupError(f"There is no program in {app}: build it with --only freeze.")
    return app


def executable(app: Path) -> Path:
    """Return the executable file of the program."""
    return app / {"darwin": "Contents/MacOS/gptstudio", "win32": "gptstudio.exe"}.get(sys.platform, "gptstudio")


def strip(app: Path) -> None:
    """Strip the symbols of the libraries on Linux: a fifth of the program. On other systems, they have none or are
    signed."""
    if sys.platform != "linux":
        return
    if not shutil.which("strip"):
        raise SetupError("`strip` was not found, and without it the program is too large. Install binutils.")
    inside = app / "_internal"
    files = [file for file in inside.rglob("*") if file.is_file() and not file.is_symlink()]
    chosen = [file for file in files if contents.stripped(file.relative_to(inside).as_posix())]
    quietly("strip", ["strip", "--strip-unneeded", *chosen])


def notices(python: Path, app: Path) -> None:
    """Write NOTICES.txt, with the Python of the environment from which the parts came."""
    place = app / "Contents" / "Resources" if sys.platform == "darwin" else app
    quietly("notices", [python, ROOT / "packaging" / "notices.py", BUILD / "pyinstaller" / "gptstudio", app,
                        place / "NOTICES.txt"])


def bill_of_materials(python: Path, out: Path) -> None:
    """Write the CycloneDX file next to the program."""
    quietly("sbom", [python, ROOT / "packaging" / "sbom.py", BUILD / "pyinstaller" / "gptstudio", out / bill_name()])


def bill_name() -> str:
    """Return the file name of the bill of materials, which resembles the names of the installers."""
    system = SYSTEMS.get(sys.platform, sys.platform)
    return f"gptstudio-{program_version()}-{system}-{platform.machine().lower()}.cdx.json"


def self_test(app: Path) -> None:
    """Run the program's self-test in a new folder with an empty home folder.

    Raises:
        SetupError: a stage failed; with its output.
    """
    say("Running the self-test of the frozen program ...")
    with tempfile.TemporaryDirectory(prefix="gptstudio home ") as home:
        bare = {name: os.environ[name] for name in BARE if name in os.environ} | {"HOME": home}
        pictures = BUILD / "selftest"
        shutil.rmtree(pictures, ignore_errors=True)
        tried = call(executable(app), "--selftest", pictures, env=bare, cwd=home, timeout=900)
    report = pictures / "selftest.txt"  # a windowed program has no other output
    words = report.read_text(encoding="utf-8") if report.is_file() else tried.stderr
    if tried.returncode:
        raise SetupError(f"The self-test of the frozen program failed ({tried.returncode}):\n{words}")
    say(words)


# The installers.


def artefacts(app: Path, out: Path) -> list[Made]:
    """Make this system's installers, and a file with their checksums.

    Raises:
        SetupError: an installer is too large.
    """
    system = import_module(SYSTEMS.get(sys.platform, "linux"))
    began = time.time()
    paths = sorted(system.make(app, program_version(), out), key=lambda path: path.stat().st_mtime)
    ends = [path.stat().st_mtime for path in paths]  # they are made one after the other
    made = [Made(path, end - before) for path, before, end in zip(paths, [began, *ends[:-1]], ends, strict=True)]
    hold(made, PACKED)
    bills = [file for file in (out / bill_name(),) if file.is_file()]
    (out / "SHA256SUMS").write_text(measures.sums([*paths, *bills]), encoding="utf-8")
    return made


# For both.


def hold(made: list[Made], limit: int) -> None:
    """Check the sizes of build products.

    Raises:
        SetupError: a product is too large.
    """
    if words := measures.too_large(made, limit):
        raise SetupError("\n".join(words))


def quietly(name: str, command: list[object]) -> None:
    """Run a program with its output in build/NAME.log.

    Raises:
        SetupError: it failed; with the end of its output.
    """
    BUILD.mkdir(exist_ok=True)
    log = BUILD / f"{name}.log"
    with log.open("w", encoding="utf-8") as file:
        # The order of sets, and therefore the bytes of compiled code, depends on the seed of Python's hashes.
        fixed = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(int(released().timestamp()))}
        code = call(*command, stdout=file, stderr=file, cwd=ROOT, env=fixed).returncode
    if code:
        last = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise SetupError(f"{name} failed ({code}):\n{last}\nThe full log: {log}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
