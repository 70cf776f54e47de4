"""Leaving the window at any moment: nothing is lost, nothing runs on."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gptstudio import paths
from gptstudio.corpora import texts
from gptstudio.runs import checkpoint, folder, journal
from gptstudio.runs.events import Ended, StepDone
from gptstudio.runs.folder import RunFolder

CHECKOUT = Path(__file__).resolve().parents[2]


def assert_saved(run: RunFolder) -> None:
    """The run was stopped, not cut off: its model is there, and its journal ends as it should."""
    events = list(run.events())
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome == "stopped"
    assert sum(isinstance(event, Ended) for event in events) == 1
    last = [event.step for event in events if isinstance(event, StepDone)][-1]
    assert checkpoint.read_state(run.newest_checkpoint()).step == last


# In this process.


def test_that_an_idle_window_closes_without_a_question(user):
    assert user.window.close()
    assert not user.window.isVisible()


@pytest.mark.parametrize("paused", [False, True])
def test_that_closing_during_training_asks_and_cancel_goes_on(user, paused):
    window, seen = user.window, []
    user.begin_training(steps=50_000, eval_freq=1000)
    if paused:
        user.click(window.train.start)
        user.wait(lambda: window.train.paused)
    user.answer("Cancel", lambda question: seen.append(question.text()))
    assert not window.close()
    assert seen == ["Stop training and close? The model is saved as it is after the step it is in."]
    assert window.isVisible()
    assert window.train.running
    assert window.train.paused == paused
    if not paused:
        held = len(user.heard(StepDone))
        user.wait(lambda: len(user.heard(StepDone)) > held + 3)
    user.answer("Close")
    assert window.close()
    assert not window.isVisible()
    (run,) = folder.all_runs()
    assert_saved(run)


def test_that_escape_in_the_question_means_cancel(user):
    user.begin_training(steps=50_000, eval_freq=1000)
    QTimer.singleShot(100, lambda: QTest.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Escape))
    assert not user.window.close()
    assert user.window.train.running


def test_that_the_run_may_end_behind_the_question(user):
    window = user.window

    def end_the_run(question) -> None:
        window.train.stop_button.click()
        user.wait(lambda: not window.trainer.busy)
        assert question.isVisible()

    user.begin_training(steps=50_000, eval_freq=1000)
    user.answer("Cancel", end_the_run)
    assert not window.close()
    assert user.reads("phase").startswith("Stopped.")
    assert window.close(), "now there is nothing to ask"


def test_that_closing_while_a_model_writes_does_not_ask(user, tiny):
    user.window.panel.select(tiny)
    user.begin_writing(50_000)
    user.wait(lambda: len(user.window.generate.view.strip.boxes) > 6)
    assert user.window.close()


def test_that_leaving_twice_is_leaving(user):
    user.begin_training(steps=50_000, eval_freq=1000)
    user.window.leave()
    user.window.leave()
    (run,) = folder.all_runs()
    assert_saved(run)


def test_that_leaving_just_after_a_key_looks_at_no_text_any_more(user):
    user.prepare()
    user.type("train_epochs", "3")
    user.window.leave()


def test_that_leaving_at_once_after_start_is_heard(user):
    user.prepare(steps=50_000)
    user.click(user.window.train.start)
    user.window.leave()
    assert [list(run.events())[-1].outcome for run in folder.all_runs()] in ([], ["stopped"])


def test_that_leaving_does_not_wait_for_a_slow_download(user, monkeypatch):
    listener = socket.create_server(("127.0.0.1", 0))
    gone = threading.Event()

    def dribble() -> None:
        caller, _ = listener.accept()
        caller.recv(4096)
        caller.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 20000\r\n\r\n")
        with suppress(OSError):
            while not gone.wait(0.05):
                caller.sendall(b"I HAD always")
        caller.close()

    server = threading.Thread(target=dribble)
    server.start()
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(texts, "VERDICT_URL", f"http://127.0.0.1:{listener.getsockname()[1]}/the-verdict.txt")
    user.click(user.window.train.fetch)
    user.wait(lambda: "Downloading The Verdict" in user.reads("plan"))
    began = time.monotonic()
    user.window.leave()
    took = time.monotonic() - began
    gone.set()
    server.join()
    listener.close()
    assert took < 2
    assert not user.window.desk.isRunning()
    assert list(paths.texts().iterdir()) == []


# The program, from outside.

DRIVEN = """
import sys
from PySide6.QtCore import QTimer
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui import app

class Driven(app.MainWindow):
    def wake(self):
        super().wake()
        self.panel.select(GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1))
        self.train.settings.editors["steps"].set_value(1_000_000)
        self.train.settings.editors["eval_freq"].set_value(1_000)
        self.train.use_text("story")
        self.clock = QTimer(self, interval=20)
        self.clock.timeout.connect(self.go_on)
        self.clock.start()

    def go_on(self):
        if self.train.start.isEnabled():
            self.clock.stop()
            self.train.start.click()
            {then}

app.MainWindow = Driven
from gptstudio.__main__ import main
sys.exit(main([]))
"""


class Program:
    """A program that was started, and what came of it."""

    def __init__(self, *arguments: str):
        self.process = subprocess.Popen(
            [sys.executable, *arguments], cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )  # fmt: skip

    def wait(self, until, what: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not until():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, f"{what}: never"
            time.sleep(0.02)

    def left(self, code: int) -> str:
        """It ended with this code and without a complaint; what it said."""
        out, err = self.process.communicate(timeout=40)
        said = out + err
        assert self.process.returncode == code, said
        assert "QThread" not in said
        assert "Traceback" not in said
        return said

    @property
    def hears_signals(self) -> bool:
        """Whether the kernel knows of a handler for SIGTERM."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
        return bool(int(caught, 16) & 1 << (signal.SIGTERM - 1))


@pytest.fixture
def program():
    started: list[Program] = []

    def start(*arguments: str) -> Program:
        started.append(Program(*arguments))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


def steps_written() -> int:
    return sum(
        isinstance(event, StepDone)
        for run in paths.runs().glob("*/journal.jsonl")
        for event in journal.read(run)
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("number", "then"),
    [(signal.SIGINT, "pass"), (signal.SIGTERM, "pass"), (signal.SIGTERM, "QTimer.singleShot(1, self.close)")],
    ids=["Ctrl-C", "kill", "kill beside the question"],
)
def test_that_a_signal_during_training_saves_and_leaves(program, number, then):
    started = program("-c", DRIVEN.replace("{then}", then))
    started.wait(lambda: steps_written() > 3, "a step")
    started.process.send_signal(number)
    started.left(130)
    (run,) = folder.all_runs()
    assert_saved(run)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_that_a_signal_while_torch_is_being_imported_leaves_cleanly(program):
    started = program("-m", "gptstudio")
    started.wait(lambda: started.hears_signals, "a handler for signals")
    started.process.terminate()
    started.left(130)
    assert folder.all_runs() == []


def test_that_a_window_that_was_closed_leaves_with_zero(program):
    closing = DRIVEN.replace("{then}", "pass").replace("self.train.start.click()", "QTimer.singleShot(50, self.close)")
    program("-c", closing).left(0)
