"""An exception at any stage, on any thread: it is shown once, its details can be copied, it is written to the log, and
work continues."""

import sys

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from the_program import DRIVEN, RUN

from gptstudio import paths
from gptstudio.gui.generate.generate_tab import SCORE
from gptstudio.inference import generator, scoring
from gptstudio.labs import layernorm
from gptstudio.training import checkpoint, corpus, model_source, run_folder, trainer
from gptstudio.training.events import Ended
from gptstudio.weights_io import importing

pytestmark = [pytest.mark.fault(17), pytest.mark.usefixtures("common_words")]


class Broken(RuntimeError):
    """An exception that no code expects."""


def breaks(stage: str):
    def broken(*args, **more):
        raise Broken(f"broken in {stage}")

    return broken


def assert_reported(user, what: str) -> None:
    """Assert that the exception is shown once, can be copied with its details, is in the log with them, and can be
    closed."""
    user.wait(lambda: _copies(user.window))
    shown = [each.text() for each in user.window.findChildren(QLabel) if each.isVisible() and what in each.text()]
    assert len(shown) == 1, shown
    (copy,) = _copies(user.window)
    QGuiApplication.clipboard().setText("")
    user.click(copy)
    copied = QGuiApplication.clipboard().text()
    log = (paths.logs() / "gptstudio.log").read_text(encoding="utf-8")
    for text in (copied, log):
        assert "Traceback (most recent call last)" in text
        assert what in text
    assert "GPT Studio" in copied
    assert "Python" in copied
    assert f"Device: {user.panel.device.name}" in copied
    user.click(user.window.error_bar.close_button)
    assert not _copies(user.window)


def _copies(window) -> list[QPushButton]:
    made = window.findChildren(QPushButton)
    return [each for each in made if each.isVisible() and each.text() == "Copy details"]


STAGES = {
    "build": (trainer, "build_state"),
    "data": (corpus, "read"),
    "step": (trainer, "training_step"),
    "evaluation": (trainer, "evaluate"),
    "save": (checkpoint, "write"),
    "sample": (trainer, "generate_sample"),
}


def train_to_its_end(user, what: str) -> None:
    """Train until the run ends in any way."""
    ended = len(user.received(Ended))
    user.train.start()
    user.wait(lambda: len(user.received(Ended)) > ended and not user.busy("training"))
    assert user.received(Ended)[-1].outcome == what


def test_that_an_exception_at_any_stage_of_training_is_shown_once_and_the_next_run_continues(user, fault, monkeypatch):
    user.train.prepare(steps=3, eval_freq=1)
    for stage, (module, name) in STAGES.items():
        with fault.tried(stage):
            with monkeypatch.context() as patch:
                patch.setattr(module, name, breaks(stage))
                train_to_its_end(user, "failed")
            assert_reported(user, f"broken in {stage}")
            assert user.train.start_button.isEnabled()
    with fault.tried("import"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "gptstudio.training.trainer", None)
            train_to_its_end(user, "failed")
        assert_reported(user, "halted")
    train_to_its_end(user, "finished")


def test_that_an_exception_while_a_model_writes_or_reads_is_shown_once(user, fault, monkeypatch):
    user.panel.select(user.panel.config.but(emb_dim=16, n_heads=2, n_layers=1, context_length=16))
    for stage, (module, name) in {"loading": (model_source, "load"), "writing": (generator, "generate")}.items():
        with fault.tried(stage):
            with monkeypatch.context() as patch:
                patch.setattr(module, name, breaks(stage))
                user.generate.write(3)
            assert_reported(user, f"broken in {stage}")
            assert user.generate.go_button.isEnabled()
    user.generate.write(3)
    assert user.received(Ended)[-1].outcome == "finished"
    with fault.tried("score"):
        with monkeypatch.context() as patch:
            patch.setattr(scoring, "score", breaks("score"))
            user.generate.switch_to(SCORE)
            user.generate.score("A text to be read.")
            user.wait(lambda: not user.busy("model"))
        assert_reported(user, "broken in score")
        assert user.find("score").isEnabled()


def test_that_an_exception_in_a_lab_in_a_job_or_while_a_file_is_opened_is_shown_once(
    user, fault, failures, monkeypatch, home
):
    answer = layernorm.LAB.answer
    with fault.tried("lab"):
        object.__setattr__(layernorm.LAB, "answer", breaks("lab"))  # it is frozen
        try:
            user.go_to("learn")
            user.learn.open("layernorm")
            assert_reported(user, "broken in lab")
        finally:
            object.__setattr__(layernorm.LAB, "answer", answer)
    with fault.tried("list of runs"):  # a job that expects none
        with monkeypatch.context() as patch:
            patch.setattr(run_folder, "all_runs", breaks("list of runs"))
            user.go_to("runs")
            user.wait(lambda: failures)
        assert_reported(user, "broken in list of runs")
        assert [each.message for each in failures] == ["Unexpected error: Broken: broken in list of runs"]
        failures.clear()
    with fault.tried("import of weights"):
        (home / "weights.pth").write_bytes(b"PK")
        with monkeypatch.context() as patch:
            patch.setattr(importing, "inspect", breaks("opening"))
            user.window.open_files([str(home / "weights.pth")])
            user.wait(lambda: _copies(user.window))
        user.click(*_copies(user.window))
        assert "broken in opening" in QGuiApplication.clipboard().text()
        assert "broken in opening" in (paths.logs() / "gptstudio.log").read_text(encoding="utf-8")
        assert not user.window.error_bar.isVisible(), "it is shown where the file was opened"


IN_SLOTS = """
import threading
from PySide6.QtWidgets import QLabel, QPushButton

def broken(where):
    raise RuntimeError(f"broken in {where}")

class Painted(QLabel):
    painted = 0
    def paintEvent(self, event):
        Painted.painted += 1
        broken("a paint event")

class Breaking(Driven):
    def begin(self):
        self.stage = 0

    def look(self):
        if self.stage == 0:
            self.stage = 1
            QTimer.singleShot(0, lambda: broken("a slot"))
        elif self.stage == 1 and self.shows("broken in a slot"):
            self.stage = 2
            threading.Thread(target=broken, args=["a thread"]).start()
        elif self.stage == 2 and self.shows("broken in a thread"):
            self.stage = 3
            self.bad = Painted("x", self.centralWidget())
            self.bad.show()
        elif self.stage == 3:
            self.bad.update()
            if Painted.painted >= 70 and self.shows("broken in a paint event") and self.shows("64 times in a row"):
                self.stage = 4
                self.bad.deleteLater()
                self.error_bar.copy.click()
                copied = QApplication.clipboard().text()
                (Path(os.environ["GPTSTUDIO_HOME"]) / "copied.tmp").write_text(copied)
                os.rename(Path(os.environ["GPTSTUDIO_HOME"]) / "copied.tmp",
                          Path(os.environ["GPTSTUDIO_HOME"]) / "copied")
                self.close()

    def shows(self, what):
        shown = [each for each in self.findChildren(QLabel) if each.isVisible() and what in each.text()]
        assert len(shown) < 2
        assert QApplication.activeModalWidget() is None
        return bool(shown)

app.MainWindow = Breaking
"""


def test_that_exceptions_in_slots_and_threads_are_shown_once_and_repetitions_are_counted(program, fault):
    started = program(DRIVEN + IN_SLOTS + RUN)
    started.end()
    assert started.code == 0
    copied = (started.home / "copied").read_text()
    log = (started.home / "logs" / "gptstudio.log").read_text()
    for where in ("a slot", "a thread", "a paint event"):
        with fault.tried(where):
            assert f"RuntimeError: broken in {where}" in copied
            assert f"RuntimeError: broken in {where}" in log
    assert log.count("Traceback") == 3
    assert 3 <= log.count("broken in a paint event (") < 20
