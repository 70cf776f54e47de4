"""The program in separate processes, driven from inside, and the checks of their results.

Each is a real process, with its own signals, exit code and end, and starts quickly: see ``warm_python``. POSIX only.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm_python

from gptstudio.training import checkpoint
from gptstudio.training.events import Ended, StepDone
from gptstudio.training.run_folder import RunFolder

CHECKOUT = Path(__file__).resolve().parents[1]
PATIENCE_S = 60

DRIVEN = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui import app

def mark(name):
    (Path(os.environ["GPTSTUDIO_HOME"]) / name).touch()

def asked(name):
    return (Path(os.environ["GPTSTUDIO_HOME"]) / name).exists()

class Driven(app.MainWindow):
    def wake(self, new_session=False):
        super().wake(new_session)
        self.clock = QTimer(self, interval=20)
        self.clock.timeout.connect(self.look)
        self.clock.start()
        self.begin()

    def begin(self):
        pass

    def look(self):
        pass

    def small(self):
        self.state.select_model(GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1))

    def train_for_long(self, **settings):
        self.small()
        for name, value in {"steps": 1_000_000, "eval_freq": 1_000, "sample_tokens": 2, **settings}.items():
            self.train.settings.editors[name].set_value(value)
        self.state.texts = ("story",)

    def leave(self):
        self.clock.stop()
        super().leave()

app.MainWindow = Driven
"""
"""A window that runs ``begin`` at the start and ``look`` periodically; marks and requests are files in its home."""

RUN = """
from gptstudio.__main__ import main
sys.exit(main([]))
"""


class Program:
    """A program that was started in a home of its own, with its output and exit code."""

    def __init__(self, script: str, home: Path, **environment: str):
        home.mkdir(parents=True, exist_ok=True)
        self.home, self._output_file = home, home.with_suffix(".output")
        env = {**os.environ, "GPTSTUDIO_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **environment}
        with self._output_file.open("ab") as file:
            self._from = file.tell()  # several programs may be started in a home
            self.process = warm_python.start(
                "-c", script, env=env, cwd=CHECKOUT, stdout=file.fileno(), stderr=subprocess.STDOUT, new_session=True
            )
        self.pid = self.process.pid

    @property
    def output(self) -> str:
        return self._output_file.read_bytes()[self._from :].decode("utf-8", "replace")

    @property
    def code(self) -> int | None:
        """The exit code; None while the program runs."""
        return self.process.poll()

    def wait(self, until: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
        """Wait until a condition is true, while the program runs without a traceback."""
        end = time.monotonic() + seconds
        while not until():
            assert self.code is None, f"it ended before {what}, with {self.code}: {self.output}"
            assert "Traceback" not in self.output, self.output
            assert time.monotonic() < end, f"{what}: never. {self.output}"
            time.sleep(0.01)

    def wait_for(self, mark: str) -> None:
        self.wait((self.home / mark).exists, mark)

    def wish(self, mark: str) -> None:
        (self.home / mark).touch()

    def send(self, number: int) -> None:
        os.kill(self.pid, number)

    def end(self, seconds: float = PATIENCE_S) -> int:
        """Wait for the end of the program, and return its exit code."""
        end = time.monotonic() + seconds
        while self.code is None:
            assert time.monotonic() < end, f"still there after {seconds} s. {self.output}"
            time.sleep(0.01)
        return self.code

    def left(self, code: int, seconds: float = PATIENCE_S) -> str:
        """Assert that the program ended in time with this code, without an error and without remaining processes;
        return its output."""
        assert self.end(seconds) == code, self.output
        assert "QThread" not in self.output
        assert "Traceback" not in self.output
        assert self.family() == []
        return self.output

    def family(self) -> list[int]:
        """Return the ids of the program's running processes, including its descendants."""
        return [pid for pid in _processes() if pid != os.getpid() and _session_of(pid) == self.pid]


@pytest.fixture
def program(home) -> Iterator[Callable[..., Program]]:
    """Return a function that starts a script in a home below the test's."""
    if os.name == "nt":
        pytest.skip("Windows has neither fork nor such signals")
    started: list[Program] = []

    def start(script: str, place: str = "home", **environment: str) -> Program:
        started.append(Program(script, home / place, **environment))
        return started[-1]

    yield start
    for each in started:
        if each.code is None:
            each.process.kill()
            each.end()


def assert_saved(run: RunFolder) -> None:
    """Assert that the run was stopped properly: its last step is saved, and its journal ends once."""
    events = list(run.events())
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome == "stopped"
    assert sum(isinstance(event, Ended) for event in events) == 1
    last = [event.step for event in events if isinstance(event, StepDone)][-1]
    assert checkpoint.read_state(run.newest_checkpoint()).step == last


def _processes() -> list[int]:
    import psutil

    return psutil.pids()


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None
