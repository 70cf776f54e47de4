"""Closing the window at any moment: nothing is lost, and no task remains."""

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
from the_program import assert_saved

from gptstudio import paths
from gptstudio.data import texts
from gptstudio.training import run_folder
from gptstudio.training.events import StepDone

CHECKOUT = Path(__file__).resolve().parents[2]


# In this process.


def test_that_closing_during_training_asks_cancel_continues_and_closing_twice_equals_closing_once(user):
    window, seen = user.window, []
    user.train.begin(steps=50_000, eval_freq=1000)
    for paused in (False, True):
        if paused:
            user.train.pause()
        user.answer("Cancel", lambda question: seen.append(question.text()))
        assert not window.close()
        assert seen.pop() == (
            "Stop training and close? The run is saved after the current step, and you can continue it next time.")
        assert window.isVisible()
        assert user.train.running
        assert user.train.paused == paused
        if not paused:
            held = len(user.received(StepDone))
            user.wait(lambda held=held: len(user.received(StepDone)) > held + 3)
    user.answer("Close")
    assert window.close()
    assert not window.isVisible()
    window.leave()
    (run,) = run_folder.all_runs()
    assert_saved(run)


def test_that_escape_in_the_question_means_cancel_and_the_run_may_end_meanwhile(user):
    user.train.begin(steps=50_000, eval_freq=1000)
    QTimer.singleShot(100, lambda: QTest.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Escape))
    assert not user.window.close()
    assert user.train.running

    def end_the_run(question) -> None:
        user.train.stop_button.click()
        user.wait(lambda: not user.busy("training"))
        assert question.isVisible()

    user.answer("Cancel", end_the_run)
    assert not user.window.close()
    assert user.reads("phase").startswith("Stopped and saved.")
    assert user.window.close(), "now there is nothing to ask"


def test_that_closing_while_a_model_writes_does_not_ask(user, tiny):
    user.panel.select(tiny)
    user.generate.begin(50_000)
    user.wait(lambda: len(user.generate.strip.boxes) > 6)
    assert user.window.close()


def test_that_closing_just_after_a_key_checks_no_text_any_more(user):
    user.train.prepare()
    user.type("train_epochs", "3")
    user.window.leave()


def test_that_closing_directly_after_start_takes_effect(user):
    user.train.prepare(steps=50_000)
    user.train.start()
    user.window.leave()
    assert [list(run.events())[-1].outcome for run in run_folder.all_runs()] in ([], ["stopped"])


def test_that_closing_does_not_wait_for_a_slow_download(user, monkeypatch):
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
    user.click(user.train.fetch_button)
    user.wait(lambda: "Downloading The Verdict" in user.reads("plan"))
    began = time.monotonic()
    user.window.leave()
    took = time.monotonic() - began
    gone.set()
    server.join()
    listener.close()
    assert took < 20, "the whole text would take 80 s"
    assert not user.busy()
    assert list(paths.texts().iterdir()) == []


# The program, from outside; tests/faults tests the effect of signals in the middle of its work.


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_that_a_signal_during_the_import_of_torch_ends_the_program_cleanly():
    started = subprocess.Popen(
        [sys.executable, "-m", "gptstudio"], cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    while not hears_signals(started.pid):
        assert started.poll() is None
        time.sleep(0.01)
    started.terminate()
    output, _ = started.communicate(timeout=40)
    assert started.returncode == 128 + signal.SIGTERM, output
    assert "QThread" not in output
    assert "Traceback" not in output
    assert run_folder.all_runs() == []


def hears_signals(process: int) -> bool:
    """Return whether the process has a handler for SIGTERM."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) & 1 << (signal.SIGTERM - 1))
