"""Crashes in a row at the start: a file records where it was, and the third start offers to omit the last session."""

import signal
from pathlib import Path

import pytest
from messages import message
from the_program import DRIVEN, RUN, Program

from gptstudio.gui import crash
from gptstudio.gui.session import Session

pytestmark = pytest.mark.fault(24)

WATCHED = DRIVEN + """
class Watched(Driven):
    def look(self):
        emb_dim = self.state.config.emb_dim if self.state.config else 0
        mark(f"open-with-{emb_dim}")
        if asked("close"):
            self.clock.stop()
            self.close()

app.MainWindow = Watched

def answer():
    question = QApplication.activeModalWidget()
    if question is None:
        return
    mark("asks")
    assert question.defaultButton().text() == "Start without the last session"
    wanted = next((name for name in ("without", "Restore") if asked(name)), None)
    for button in question.buttons() if wanted else []:
        if wanted in button.text():
            button.click()

make_app = app.make_app
def with_somebody_there():
    made = make_app()
    made.answers = QTimer(made, interval=20)
    made.answers.timeout.connect(answer)
    made.answers.start()
    return made
app.make_app = with_somebody_there
"""

CRASHING = WATCHED + """
def begin(self):
    os.abort()  # as a fault in a library of C would
Watched.begin = begin
"""


@pytest.fixture
def left_with_32(home) -> Path:
    """A home whose window was closed with a model of 32 dimensions."""
    place = home / "home"
    place.mkdir()
    from gptstudio.gpt.config import PRESETS

    made = Session(config=PRESETS["workshop"].but(emb_dim=32))
    (place / "session.json").write_text(made.model_dump_json(), encoding="utf-8")
    return place


def crash_twice(program, script: str = CRASHING) -> None:
    for _ in range(crash.IN_A_ROW):
        crashed = program(script + RUN)
        assert crashed.end() == -signal.SIGABRT


def closes(started: Program) -> None:
    """Close the window as the user does, and assert that it ends."""
    started.wish("close")
    started.left(0)
    (started.home / "close").unlink()


def test_that_after_two_crashes_the_third_start_offers_to_omit_the_last_session(program, fault, left_with_32):
    with fault.tried("without"):
        crash_twice(program)
        logs = [file.read_text() for file in (left_with_32 / "logs").glob("crash-*.log")]
        assert len(logs) == 2
        assert all("Fatal Python error: Aborted" in each and "in begin" in each for each in logs)
        started = program(WATCHED + RUN)
        started.wait_for("asks")
        assert not list(left_with_32.glob("open-with-*"))
        started.wish("without")
        started.wait_for("open-with-256")
        assert not (left_with_32 / "session.json").exists()
        assert '"emb_dim":32' in (left_with_32 / "session.json.aside").read_text()
        closes(started)
        assert message("went_down_they") in (left_with_32 / "logs" / "gptstudio.log").read_text()
        assert not list((left_with_32 / "logs").glob("starting-*"))
    with fault.tried("once it has started well, nothing is asked"):
        for mark in ("asks", "without", "open-with-256"):
            (left_with_32 / mark).unlink()
        started = program(WATCHED + RUN)
        started.wait_for("open-with-256")
        assert not (left_with_32 / "asks").exists()
        closes(started)


def test_that_the_last_session_can_still_be_kept(program, fault, left_with_32):
    with fault.tried("as it was left"):
        crash_twice(program)
        started = program(WATCHED + RUN)
        started.wait_for("asks")
        started.wish("Restore")
        started.wait_for("open-with-32")
        assert (left_with_32 / "session.json").exists()
        closes(started)


def test_that_one_crash_or_kills_of_a_started_window_lead_to_no_question(program, fault, left_with_32):
    with fault.tried("a crash, a start that settled and was killed, a crash"):
        assert program(CRASHING + RUN).end() == -signal.SIGABRT
        settled = program("from gptstudio.gui import app\napp.SETTLED_AFTER_S = 0\n" + WATCHED + RUN)
        settled.wait_for("open-with-32")
        settled.wait(lambda: not list((left_with_32 / "logs").glob("starting-*")), "settled")
        settled.send(signal.SIGKILL)
        assert settled.end() == -signal.SIGKILL
        (left_with_32 / "open-with-32").unlink()
        assert program(CRASHING + RUN).end() == -signal.SIGABRT
        started = program(WATCHED + RUN)
        started.wait_for("open-with-32")
        assert not (left_with_32 / "asks").exists()
        closes(started)


def test_that_starts_without_a_screen_lead_to_no_question(program, fault, left_with_32):
    with fault.tried("Qt ends the program, as where a library or a display is missing"):
        crash_twice(program, WATCHED + "app.make_app = os.abort\n")
        started = program(WATCHED + RUN)
        started.wait_for("open-with-32")
        assert not (left_with_32 / "asks").exists()
        closes(started)


def test_that_the_program_starts_where_nothing_can_be_written(program, fault, home):
    with fault.tried("a file where the folder of logs should be"):
        place = home / "home"
        place.mkdir()
        (place / "logs").write_text("not a folder")
        (place / "session.json").mkdir()
        started = program(WATCHED + RUN)
        started.wait_for("open-with-256")
        closes(started)
