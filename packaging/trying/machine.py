"""Set-up of a trial: a user, a screen, a comparison of the disk before and after, and a table of results."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from children import SetupError, call, say, start

TOOLS = ("Xvfb", "xdotool", "import", "identify", "gio", "objdump", "apt-get", "useradd", "runuser", "makeself", "xz")
PATIENCE_S = 120
ELSEWHERE = ("/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/root")  # noqa: S108 - nothing is written there
"""Folders that other programs of the machine write to, and the folder of the source."""
CACHES = ("/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/log/", "/usr/share/applications/mimeinfo.cache",
          "/usr/share/mime/", "/usr/share/icons/hicolor/icon-theme.cache", "/var/lib/man-db", "/var/lib/systemd/",
          "/usr/lib/python", "/usr/local/lib/python", "/root/")
"""Files that the system's own programs maintain."""


def missing_tools() -> list[str]:
    return [tool for tool in TOOLS if not shutil.which(tool)]


def read_version(app: Path) -> str:
    """Return the version that the frozen program prints."""
    done = call(app / "gptstudio", "--version")
    if done.returncode:
        raise SetupError(f"{app} does not start: {done.stderr.strip()}")
    return done.stdout.strip()


class Trials:
    """Results of the trials so far: description, whether the trial passed, and notes."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, bool, str]] = []

    @contextmanager
    def tried(self, what: str) -> Iterator[list[str]]:
        """Context manager that runs one trial and records its notes. A failure is recorded as well, and the next trial
        follows."""
        notes: list[str] = []
        began = time.monotonic()
        try:
            yield notes
            held = True
        except (AssertionError, OSError, SetupError, subprocess.SubprocessError) as error:
            notes.append(f"{type(error).__name__}: {error}")
            held = False
        notes.append(f"{time.monotonic() - began:.1f} s")
        self.rows.append((what, held, "; ".join(notes)))
        say(f"{'held' if held else 'LOST'}  {what}: {self.rows[-1][2]}")

    @property
    def lost(self) -> int:
        return sum(not held for _, held, _ in self.rows)

    def table(self) -> str:
        """Return a table of all trials, one line each."""
        lines = [f"| {what} | {'held' if held else 'LOST'} | {notes} |" for what, held, notes in self.rows]
        return "\n".join(["| tried | | seen |", "|---|---|---|", *lines, f"{len(lines)} tried, {self.lost} lost"])


class User:
    """Ordinary user of this machine for the duration of the trials."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.home = Path("/home") / name
        self.data = self.home / ".local/share"
        self.runs = self.data / "gptstudio/runs"

    def __enter__(self) -> "User":
        call("userdel", "--remove", self.name)
        call("useradd", "--create-home", "--shell", "/bin/sh", self.name, check=True, stderr=None)
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        wait_for(lambda: call("userdel", "--remove", self.name).returncode == 0)

    def kill(self) -> None:
        """Kill all processes of this user, all of which were started by these trials."""
        for process in self.processes(""):
            os.kill(process, signal.SIGKILL)

    def command(self, *command: str | Path, **variables: str | None) -> list[str]:
        """Return a command line that runs a command as this user in a new environment; None removes a variable."""
        usual: dict[str, str | None] = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        names = [f"{name}={value}" for name, value in (usual | variables).items() if value is not None]
        return ["runuser", "-u", self.name, "--", "env", "-i", "-C", "/", *names, *map(str, command)]

    def do(self, *command: str | Path, **variables: str | None) -> subprocess.CompletedProcess[str]:
        return call(*self.command(*command, **variables), timeout=600)

    def start(self, *command: str | Path, **variables: str | None) -> None:
        """Run a command that starts the program and returns; reading its output would wait until the program ends."""
        silent = subprocess.DEVNULL
        call(*self.command(*command, **variables), stdout=silent, stderr=silent, check=True)

    def processes(self, program: str = "/gptstudio") -> list[int]:
        """Return this user's processes whose executable ends in ``program``; an empty string matches all."""
        found = []
        for exe in Path("/proc").glob("[0-9]*/exe"):
            try:
                if exe.parent.owner() == self.name and os.readlink(exe).removesuffix(" (deleted)").endswith(program):
                    found.append(int(exe.parent.name))
            except (OSError, KeyError):
                continue
        return found

    def files(self) -> set[str]:
        return {str(path) for path in self.home.rglob("*")}

    def logs(self) -> list[Path]:
        """Return the program's logs of unexpected errors."""
        return list(self.home.rglob("gptstudio.log*"))

    def runs_there(self) -> int:
        """Return the number of runs of the user."""
        return len(list(self.runs.glob("*")))

    def events(self, **wanted: str) -> int:
        """Return the number of events with these values in the newest run's journal."""
        journal = max(self.runs.glob("*"), default=self.runs) / "journal.jsonl"
        lines = journal.read_text(encoding="utf-8").split("\n")[:-1] if journal.is_file() else []
        return sum(wanted.items() <= json.loads(line).items() for line in lines)


class Screen:
    """Virtual screen."""

    NUMBER = ":95"

    def __init__(self, work: Path) -> None:
        self.work = work

    def __enter__(self) -> "Screen":
        self._server = start("Xvfb", self.NUMBER, "-screen", "0", "1400x950x24", "-nolisten", "tcp", "-ac", "-noreset",
                             stderr=subprocess.DEVNULL)
        wait_for(lambda: self.do("getdisplaygeometry") != "")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()

    def do(self, *command: str) -> str:
        """Run xdotool and return its output."""
        return call("xdotool", *command, env=os.environ | {"DISPLAY": self.NUMBER}).stdout.strip()

    def window(self) -> str:
        """Wait for the program's window and return it."""
        return wait_for(lambda: self.do("search", "--onlyvisible", "--name", "^GPT Studio").split("\n")[0],
                        what="the window")

    def press(self, window: str, keys: str) -> None:
        self.do("windowfocus", "--sync", window)
        self.do("key", keys)

    def picture(self, name: str) -> Path:
        """Save the screen as a PNG once something has been painted on it."""
        file = self.work / f"{name}.png"

        def painted() -> bool:
            call("import", "-display", self.NUMBER, "-window", "root", file, check=True, stderr=None)
            return call("identify", "-format", "%k", file, check=True).stdout != "1"  # number of colours

        wait_for(painted, what="something on the screen")
        return file


def wait_for(so: Callable[[], object], patience_s: float = PATIENCE_S, what: str = "") -> str:
    """Wait until a function returns a true value, and return it if it is a string.

    Raises:
        AssertionError: the time limit was reached.
    """
    end = time.monotonic() + patience_s
    while not (found := so()):
        assert time.monotonic() < end, f"waited {patience_s:.0f} s in vain{what and f' for {what}'}"
        time.sleep(0.02)
    return found if isinstance(found, str) else ""


def words(file: Path) -> str:
    """Return the text of a file that a program wrote."""
    return file.read_text(encoding="utf-8", errors="replace")


def disk(*left_out: Path) -> set[str]:
    """Return every file and folder of this machine, except in folders that others write to."""
    leave = {*ELSEWHERE, *map(str, left_out)}
    found: set[str] = set()
    for folder, folders, files in os.walk("/"):
        folders[:] = [each for each in folders if os.path.join(folder, each) not in leave]
        found.update(os.path.join(folder, each) for each in (*folders, *files))
    return found


def is_cache(path: str) -> bool:
    """Return whether the system itself maintains this file."""
    return path.startswith(CACHES) or "/__pycache__" in path
