"""Signals and closing, in the middle of anything: the program exits within five seconds and keeps all that was learned.
The five seconds are asserted before a release (``pytest -m release``), while nothing else runs, with each signal at
each moment; the suite waits longer, and tries each signal and each moment once.

Each try is a process. A slow disk or a slow processor, simulated from outside the program, makes a moment last long
enough to be hit; its exit code, its output and its run are checked afterwards.
"""

import signal
import time

import pytest
from the_program import DRIVEN, PATIENCE_S, RUN, assert_saved

from gptstudio.training.checkpoint import read_weights
from gptstudio.training.events import StepDone
from gptstudio.training.run_folder import RunFolder

pytestmark = [pytest.mark.fault(14)]

PROMISED_S = 5
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] if hasattr(signal, "SIGHUP") else []
CLOSE = 0
"""A user's close of the window, in addition to the signals."""
MOMENTS_TRIED = ("step", "evaluation", "save", "generation")

MOMENTS = """
import os, time
from pathlib import Path
from gptstudio.training import checkpoint, trainer

def lasting(module, name, seconds, at=1):
    real, calls = getattr(module, name), []
    def slowed(*args, **more):
        calls.append(name)
        if len(calls) == at:
            (Path(os.environ["GPTSTUDIO_HOME"]) / "there").touch()
        if len(calls) >= at:
            time.sleep(seconds)
        return real(*args, **more)
    setattr(module, name, slowed)

MOMENT = "{moment}"
if MOMENT == "step":
    lasting(trainer, "training_step", 0.2, at=4)
if MOMENT == "evaluation":
    lasting(trainer, "evaluate", 0.2, at=2)
if MOMENT == "save":
    real = checkpoint.write
    def saving(*args, **more):
        lasting(os, "fsync", 0.02)
        return real(*args, **more)
    checkpoint.write = saving
"""

IN_WINDOW = """
class InTheMiddle(Driven):
    def begin(self):
        if MOMENT == "generation":
            self.small()
            self.state.show_page("generate")
            self.generate.settings.editors["max_new_tokens"].set_value(100_000)
            self.generate.go.click()
        else:
            self.train_for_long(eval_freq=2, save_every_s=1)

    def look(self):
        if MOMENT == "generation":
            if len(self.generate.strip.boxes) > 6:
                mark("there")
        elif not self.state.running and self.train.start.isEnabled():
            self.train.start.click()
        if asked("close"):
            QTimer.singleShot(50, self.answer_close)
            self.clock.stop()
            self.close()
        if asked("ask"):
            self.clock.stop()
            QTimer.singleShot(50, lambda: mark("asks"))
            self.close()

    def answer_close(self):
        question = QApplication.activeModalWidget()
        if question:
            next(each for each in question.buttons() if each.text() == "Close").click()

app.MainWindow = InTheMiddle
"""

TINY = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "1", "--context-length", "16", "--device", "cpu"]
TRAIN = ["train", "--text", "story", *TINY, "--sample-tokens", "2", "--epochs", "100000", "--eval-freq", "2",
         "--save-every-s", "1"]
GENERATE = ["generate", *TINY, "--max-new-tokens", "100000", "--json"]


@pytest.fixture(params=[PATIENCE_S, pytest.param(PROMISED_S, marks=pytest.mark.release)], ids=["", "promised"])
def in_time_s(request) -> float:
    """Return the seconds that the program may take to exit."""
    return request.param


def in_window(moment: str) -> str:
    return MOMENTS.replace("{moment}", moment) + DRIVEN + IN_WINDOW + RUN


def in_terminal(moment: str) -> str:
    argv = GENERATE if moment == "generation" else TRAIN
    run = f"import sys\nfrom gptstudio.__main__ import main\nsys.exit(main({argv}))"
    return MOMENTS.replace("{moment}", moment) + run


def learned_and_kept(home) -> RunFolder:
    """Return the only run: its end, last step and last checkpoint agree, and the weights can be read."""
    (path,) = (home / "runs").iterdir()
    run = RunFolder(path)
    assert_saved(run)
    read_weights(run.newest_checkpoint())
    assert not list(run.checkpoint_folder.glob(".*"))
    return run


def tried(ways: list[int], moment: str, in_time_s: float) -> list[int]:
    """Return the ways to try at a moment: all before a release; otherwise one, so that each is tried once."""
    return ways if in_time_s == PROMISED_S else ways[MOMENTS_TRIED.index(moment) % len(ways) :][:1]


either = pytest.mark.parametrize("where", [in_window, in_terminal], ids=["window", "terminal"])


@either
@pytest.mark.parametrize("moment", MOMENTS_TRIED)
def test_that_the_program_exits_in_time_and_keeps_what_was_learned(program, fault, in_time_s, moment, where):
    for way in tried([CLOSE, *SIGNALS] if where is in_window else SIGNALS, moment, in_time_s):
        with fault.tried(f"{way!r} in the middle of a {moment}"):
            started = program(where(moment), f"{way}")
            if where is in_terminal and moment == "generation":
                started.wait(lambda started=started: "token_drawn" in started.output, "a token")
            else:
                started.wait_for("there")
            started.send(way) if way else started.wish("close")
            started.left(128 + way if way else 0, in_time_s)
            if moment != "generation":
                learned_and_kept(started.home)


@either
def test_that_a_second_signal_does_not_lose_the_save_in_progress(program, fault, in_time_s, where):
    with fault.tried("twice in the middle of a save"):
        started = program(where("save"))
        started.wait_for("there")
        for _ in range(2):
            started.send(signal.SIGINT)
            time.sleep(0.05)
        started.left(128 + signal.SIGINT, in_time_s)
        learned_and_kept(started.home)


def test_that_a_second_signal_does_not_wait_for_a_step_that_takes_long(program, fault, in_time_s):
    with fault.tried("twice in the middle of a long step, terminal"):
        started = program(in_terminal("step").replace("0.2", "30"))
        started.wait_for("there")
        started.send(signal.SIGTERM)
        time.sleep(0.1)
        started.send(signal.SIGTERM)
        started.left(128 + signal.SIGTERM, in_time_s)
        (path,) = (started.home / "runs").iterdir()
        events = list(RunFolder(path).events())
        assert events[-1].outcome == "stopped"
        assert sum(isinstance(event, StepDone) for event in events) == 3


def test_that_a_signal_is_handled_while_a_question_is_open(program, fault, in_time_s):
    with fault.tried("while it asks whether to close"):
        started = program(in_window("step"))
        started.wait_for("there")
        started.wish("ask")
        started.wait_for("asks")
        started.send(signal.SIGTERM)
        started.left(128 + signal.SIGTERM, in_time_s)
        learned_and_kept(started.home)


def test_that_a_signal_is_handled_in_the_middle_of_a_lesson(program, fault, in_time_s):
    script = DRIVEN + """
class Learning(Driven):
    def begin(self):
        from gptstudio.labs.lesson import shipped
        self.learning.open_lesson(shipped("en")[0])

    def look(self):
        if self.learning.lesson:
            mark("there")

app.MainWindow = Learning
""" + RUN
    with fault.tried("in the middle of a lesson"):
        started = program(script)
        started.wait_for("there")
        started.send(signal.SIGHUP)
        started.left(128 + signal.SIGHUP, in_time_s)
