"""What a trial takes: a user, a screen, a disk to compare before and after, and a table of what held."""

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
ELSEWHERE = ("/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/root")  # noqa: S108 - nothing is put there
"""What other programs of the machine write into meanwhile; and where the source lies, wherever that is."""
CACHES = ("/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/log/", "/usr/share/applications/mimeinfo.cache",
          "/usr/share/mime/", "/usr/share/icons/hicolor/icon-theme.cache", "/var/lib/man-db", "/var/lib/systemd/",
          "/usr/lib/python", "/usr/local/lib/python", "/root/")
"""What the system's own programs keep of their own accord."""


def missing_tools() -> list[str]:
    return [tool for tool in TOOLS if not shutil.which(tool)]


def read_version(app: Path) -> str:
    """What the frozen program calls itself."""
    done = call(app / "gptstudio", "--version")
    if done.returncode:
        raise SetupError(f"{app} does not start: {done.stderr.strip()}")
    return done.stdout.strip()


class Trials:
    """What was tried, whether it held, and what was seen."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, bool, str]] = []

    @contextmanager
    def tried(self, what: str) -> Iterator[list[str]]:
        """One trial; what is put into the list is told beside it. A failure is told, and the next trial is made."""
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
        """All trials, a line each."""
        lines = [f"| {what} | {'held' if held else 'LOST'} | {notes} |" for what, held, notes in self.rows]
        return "\n".join(["| tried | | seen |", "|---|---|---|", *lines, f"{len(lines)} tried, {self.lost} lost"])


class User:
    """An ordinary user of this machine, for as long as the trials take."""

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
        """End all of this user's processes, every one of which was started by these trials."""
        for process in self.processes(""):
            os.kill(process, signal.SIGKILL)

    def command(self, *command: str | Path, **variables: str | None) -> list[str]:
        """What starts something as this user, with nothing of our own environment; None takes a variable away."""
        usual: dict[str, str | None] = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        names = [f"{name}={value}" for name, value in (usual | variables).items() if value is not None]
        return ["runuser", "-u", self.name, "--", "env", "-i", "-C", "/", *names, *map(str, command)]

    def do(self, *command: str | Path, **variables: str | None) -> subprocess.CompletedProcess[str]:
        return call(*self.command(*command, **variables), timeout=600)

    def start(self, *command: str | Path, **variables: str | None) -> None:
        """Starts what starts the program and goes. Its words would hold us for as long as the program is there."""
        silent = subprocess.DEVNULL
        call(*self.command(*command, **variables), stdout=silent, stderr=silent, check=True)

    def processes(self, program: str = "/gptstudio") -> list[int]:
        """Those of this user that run the program, or any."""
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
        """The program's logs of unexpected errors."""
        return list(self.home.rglob("gptstudio.log*"))

    def runs_there(self) -> int:
        """How many runs the user has."""
        return len(list(self.runs.glob("*")))

    def events(self, **wanted: str) -> int:
        """How many events the journal of the newest run has that say this."""
        journal = max(self.runs.glob("*"), default=self.runs) / "journal.jsonl"
        lines = journal.read_text(encoding="utf-8").split("\n")[:-1] if journal.is_file() else []
        return sum(wanted.items() <= json.loads(line).items() for line in lines)


class Screen:
    """A screen that nobody sees."""

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
        """What xdotool says."""
        return call("xdotool", *command, env=os.environ | {"DISPLAY": self.NUMBER}).stdout.strip()

    def window(self) -> str:
        """The program's window, once it is to be seen."""
        return wait_for(lambda: self.do("search", "--onlyvisible", "--name", "^GPT Studio").split("\n")[0],
                        what="the window")

    def press(self, window: str, keys: str) -> None:
        self.do("windowfocus", "--sync", window)
        self.do("key", keys)

    def picture(self, name: str) -> Path:
        """All that is on the screen, once something is painted there, as a PNG."""
        file = self.work / f"{name}.png"

        def painted() -> bool:
            call("import", "-display", self.NUMBER, "-window", "root", file, check=True, stderr=None)
            return call("identify", "-format", "%k", file, check=True).stdout != "1"  # colours

        wait_for(painted, what="something on the screen")
        return file


def wait_for(so: Callable[[], object], patience_s: float = PATIENCE_S, what: str = "") -> str:
    """Waits until something is so, and returns it.

    Raises:
        AssertionError: it was not so in all that time; says what was waited for.
    """
    end = time.monotonic() + patience_s
    while not (found := so()):
        assert time.monotonic() < end, f"waited {patience_s:.0f} s in vain{what and f' for {what}'}"
        time.sleep(0.02)
    return found if isinstance(found, str) else ""


def words(file: Path) -> str:
    """What a program wrote."""
    return file.read_text(encoding="utf-8", errors="replace")


def disk(*left_out: Path) -> set[str]:
    """Every file and folder of this machine, but for what others write into."""
    leave = {*ELSEWHERE, *map(str, left_out)}
    found: set[str] = set()
    for folder, folders, files in os.walk("/"):
        folders[:] = [each for each in folders if os.path.join(folder, each) not in leave]
        found.update(os.path.join(folder, each) for each in (*folders, *files))
    return found


def is_cache(path: str) -> bool:
    """Whether the system keeps this of its own accord."""
    return path.startswith(CACHES) or "/__pycache__" in path
