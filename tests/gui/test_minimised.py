"""The window while it is idle or minimised: no timer is frequent, and no files are read."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from gptstudio.gui.controllers import journals
from gptstudio.gui.runs import runs_tab
from gptstudio.gui.session import Autosave

LONG_MS = 10_000
"""The shortest interval of a timer whose cost is not measurable."""


def active(window) -> list[tuple[str, int]]:
    """Return the active timers and their intervals in ms, except Qt's own."""
    owners = [*window.findChildren(QTimer)]
    return sorted((type(each.parent()).__name__, each.interval()) for each in owners if each.isActive())


@pytest.mark.usefixtures("whole_window")
def test_that_an_idle_window_has_no_frequent_timer_and_none_while_minimised(user, study_once, monkeypatch):
    monkeypatch.setattr(runs_tab, "POLL_MS", LONG_MS // 2)  # twice as long once nothing has changed
    window, run = user.window, study_once("of before")
    autosave = Autosave(window)
    window.training.open_run(run, run.record().spec, live=False)
    for page in ("train", "generate", "runs", "texts", "learn"):
        window.state.show_page(page)
        if page == "runs":
            user.wait(lambda: not user.busy())
            user.runs.check_again()  # as its timer does in five seconds
        user.wait(lambda: not user.busy() and all(ms >= LONG_MS for _, ms in active(window)))
    window.state.show_page("runs")
    user.wait(lambda: not user.busy())
    autosave.leave()
    window.showMinimized()
    user.wait(lambda: window.state.minimised)
    assert active(window) == []
    window.showNormal()
    user.wait(lambda: not window.state.minimised)
    user.wait(lambda: {name for name, _ in active(window)} == {"ComputerController", "RunsTab"})


def test_that_the_journal_is_not_read_while_minimised_and_curves_are_complete_afterwards(user, study_once, monkeypatch):
    monkeypatch.setattr(journals, "LOOK_EVERY_MS", 50)
    window, run = user.window, study_once("continued")
    journal: Path = run.journal_path
    *begun, ended = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(begun[: len(begun) // 2]))
    window.training.open_run(run, run.record().spec, live=True)
    user.wait(lambda: window.state.run.started)
    user.wait(lambda: not user.busy())
    window.showMinimized()
    user.wait(lambda: window.state.minimised and not user.busy())
    seen = len(window.state.run.history.steps)
    journal.write_bytes(b"".join((*begun, ended)))
    user.rest(0.5)  # ten times the interval between two reads
    assert len(window.state.run.history.steps) == seen
    window.showNormal()
    user.wait(lambda: window.state.run.ended is not None)
    assert len(window.state.run.history.steps) > seen


def test_that_a_run_causes_no_work_in_the_views_while_minimised_and_is_complete_afterwards(user):
    window, train, updates = user.window, user.train, []
    train.begin(steps=100_000, eval_freq=5)
    user.wait(lambda: train.losses("validation"))
    window.training.events_arrived.connect(updates.append)
    window.showMinimized()
    user.wait(lambda: window.state.minimised)
    updates.clear()
    run, before = window.state.run, len(window.state.run.history.steps)
    counter, figure = user.reads("step_counter"), train.figure("loss")
    user.wait(lambda: len(run.history.steps) > before + 100)
    assert not updates
    assert (user.reads("step_counter"), train.figure("loss")) == (counter, figure)
    window.training.stop()
    user.wait(lambda: not train.running)
    assert not updates
    window.showNormal()
    user.wait(lambda: not window.state.minimised)
    assert len(updates) == 1
    assert train.figure("loss") == f"{run.last.loss:.3f}"
    assert train.figure("validation") == f"{run.history.evaluations['val_loss'][-1]:.3f}"
    assert train.losses() == run.history.steps["loss"].tolist()
    assert [sample.step for sample in train.samples] == [sample.step for sample in run.history.samples]
    assert user.reads("phase") == "Stopped and saved. Continue it, or try it in Generate."
