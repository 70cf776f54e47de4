"""Start, pause, step, continue and stop, at random moments, as by a user who clicks everything: no crash, every state
valid and the buttons with it, and in the end as many threads, open files and bytes of tensors as before. Eight times in
the suite; two hundred times before a release (``pytest -m release``), where the memory of the process is checked too:
over eight cycles it would measure the C library's caches and earlier tests rather than the runs."""

import gc
import random
import shutil
import threading
from contextlib import suppress

import psutil
import pytest
import torch
from PySide6.QtCore import QObject, QThread, QTimer
from torch.nn import Parameter

from gptstudio.app.derived import continuation_at_hand
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import run_folder
from gptstudio.training.events import Ended, PhaseChanged, RunStarted

pytestmark = [pytest.mark.fault(15), pytest.mark.usefixtures("common_words")]

MOST_GROWTH = 20 * 2**20
SMALLEST = GPTConfig(context_length=16, emb_dim=4, n_heads=1, n_layers=1)


def left_behind(window) -> dict[str, float]:
    """Return the counts of everything that a run could leave behind."""
    gc.collect()
    process = psutil.Process()
    return {
        "threads": threading.active_count(),
        "of Qt": sum(each.isRunning() for each in window.findChildren(QThread)),
        "timers": sum(each.isActive() for each in window.findChildren(QTimer)),
        "parts of the window": len(window.findChildren(QObject)),
        "parts of the plot": len(window.train.view.charts.loss.plot.scene().items()),
        "files": process.num_fds() if psutil.POSIX else process.num_handles(),
        # except those that torch's exporter keeps, whose sizes are symbols
        "bytes of tensors": sum(each.nbytes for each in gc.get_objects() if type(each) in (torch.Tensor, Parameter)),
    }


def assert_no_more_than(before: dict[str, float], user) -> None:
    """Wait until no more is left than before; some of the earlier objects may have been freed since."""
    more: dict[str, float] = {}

    def gone() -> bool:
        more.clear()
        more.update((name, n - before[name]) for name, n in left_behind(user.window).items() if n > before[name])
        return not more

    with suppress(TimeoutError):
        user.wait(gone)
    assert not more, f"more than before: {more}"


def legal(user) -> bool:
    """Return whether the buttons allow the actions that the state allows."""
    train = user.train
    run_controls, running, paused = train.widget.run_controls, train.running, train.paused
    assert running or not paused, "nothing that does not run is paused"
    assert run_controls.stop.isEnabled() == running
    continues = paused or continuation_at_hand(train.state) is not None
    assert run_controls.play.text() == ("Pause" if running and not paused else "Continue" if continues else "Start")
    assert run_controls.play.isEnabled() or not running, "a run can be paused or gone on with at any time"
    assert run_controls.step.isEnabled() == (paused if running else run_controls.play.isEnabled())
    assert run_controls.reset.isEnabled() == (paused or (not running and train.started is not None))
    assert train.text_box.isEnabled() != running
    return True


def collected_events(user) -> list:
    """Return a list that collects all events of the run from now on, and its end."""
    collected: list = []
    user.window.training.events_arrived.connect(collected.extend)
    return collected


def reported_in_order(events: list) -> bool:
    """Return whether the runs are reported one after the other, each with one end and nothing after it."""
    going = False
    for event in events:
        if isinstance(event, RunStarted):
            assert not going, "a run begins only once the last has ended"
            going = True
        elif isinstance(event, Ended):
            going = False
        elif not isinstance(event, PhaseChanged):
            assert going, f"{event} comes after the end"
    return not going


@pytest.mark.parametrize(
    ("cycles", "warm_up"),
    [(8, 3), pytest.param(200, 20, marks=[pytest.mark.release, pytest.mark.timeout(1200, method="thread")])],
)
def test_that_runs_started_paused_and_stopped_at_any_moment_leave_nothing_behind(
    user, fault, memory_returned, cycles, warm_up
):
    """The caches of torch, Qt and the charts are filled by the end of the warm-up."""
    train, rng, collected = user.window.train, random.Random(7), collected_events(user)
    user.train.prepare(steps=100_000, eval_freq=1_000, save_every_s=None)
    user.panel.select(SMALLEST)
    user.wait(train.start.isEnabled)
    presses = {"play": train.run_controls.play, "step": train.run_controls.step, "stop": train.run_controls.stop}
    for number in range(cycles):
        with fault.tried(f"cycle {number}"):
            user.click(train.start)
            for _ in range(rng.randrange(4)):
                user.rest(rng.uniform(0, 0.05))
                pressed = presses[rng.choice(("play", "play", "step"))]
                if user.train.running and pressed.isEnabled():
                    user.click(pressed)
                assert legal(user)
            user.rest(rng.uniform(0, 0.05))
            if user.train.running:
                user.click(train.run_controls.stop)
            user.wait(lambda: not user.train.running and train.start.isEnabled())
            assert legal(user)
            ended = next(each for each in reversed(collected) if isinstance(each, Ended))
            assert ended.outcome in ("stopped", "finished"), ended.message
            assert reported_in_order(collected)
            if train.run_controls.reset.isEnabled():  # the next cycle starts from the beginning, and with empty curves
                user.click(train.run_controls.reset)
            assert train.start.text() == "Start"
        collected.clear()
        user.training.clear()
        for run in run_folder.all_runs():
            shutil.rmtree(run.path)
        if number == warm_up:
            user.wait(lambda: not user.window.tasks.busy())  # the line of the 3-gram table is drawn when it is computed
            before, memory = left_behind(user.window), psutil.Process().memory_info().rss
    with fault.tried("threads, timers, widgets, open files"):
        assert_no_more_than(before, user)
    if cycles >= 200:
        grown = psutil.Process().memory_info().rss - memory
        with fault.tried("memory"):
            assert grown < MOST_GROWTH, f"{grown / 2**20:.1f} MB"


def test_that_start_followed_at_once_by_stop_ends_in_order(user, fault):
    """The event loop does not run in between: the run is stopped before its thread has begun it."""
    train, collected = user.window.train, collected_events(user)
    user.train.prepare(steps=100_000, eval_freq=1_000)
    for number in range(8):
        with fault.tried(number):
            train.start.click()
            assert legal(user)
            if number % 2:
                train.run_controls.play.click()
            train.run_controls.stop.click()
            user.wait(lambda: not user.train.running)
            assert legal(user)
    ends = [event.outcome for event in collected if isinstance(event, Ended)]
    assert ends == ["stopped"] * 8
    assert reported_in_order(collected)
    user.wait(lambda: not user.busy("training"))
