"""Runs in one chart: the cost of one more run."""

from pathlib import Path

import pytest
from made_up import evaluated, step_done
from PySide6.QtWidgets import QLabel
from reported import STARTED

from gptstudio.gui.charts.curve_items import CurveItems
from gptstudio.gui.charts.run_curves import Overlaid
from gptstudio.gui.runs.run_compare import RunCompare
from gptstudio.history.run_history import History


@pytest.fixture
def compare(application, qtbot) -> RunCompare:
    made = RunCompare("compared")
    qtbot.addWidget(made)
    return made


def runs(count: int) -> list[Overlaid]:
    return [Overlaid(Path(f"/runs/{number}"), str(number), number) for number in range(count)]


def test_that_one_more_run_adds_its_own_curves_and_no_other_curves_or_histories_are_made_again(compare, monkeypatch):
    compare.set_runs(runs(5))
    added, put = [], CurveItems.put
    monkeypatch.setattr(CurveItems, "put", lambda *args, **more: added.append(args[1]) or put(*args, **more))
    compare.set_runs(runs(6))
    assert added
    assert {key.split("|")[0] for key in added} == {"/runs/5"}
    added.clear()
    compare.set_runs([*runs(5), Overlaid(Path("/runs/5"), "5", 9)])
    assert {key.split("|")[0] for key in added} == {"/runs/5"}, "in another colour"

    monkeypatch.setattr(History, "__init__", lambda *args: pytest.fail("made anew"))
    compare.set_runs(runs(3))
    compare.set_runs(runs(2))
    assert [run.title for run in compare.runs] == ["0", "1"]


def test_that_a_run_that_diverges_does_not_compress_the_others_and_is_shown_whole_on_request(compare):
    compare.show()
    overlaid, histories = runs(2), {}
    for run, losses in zip(overlaid, ([10.8, 6.0, 4.0, 3.0], [10.9, 9.0, 5e3, 1e6]), strict=True):
        histories[run.path] = made = History()
        made.add(STARTED)
        for number, loss in enumerate(losses):
            made.add(step_done(number, loss))
            made.add(evaluated(number, loss, loss))
    compare.set_runs(overlaid, histories)
    chart = compare.charts["loss"]

    def top() -> float:
        return chart.box.viewRange()[1][1]

    assert 10.9 < top() < 3 * 10.9
    assert chart.all_button.isVisible()
    chart.all_button.click()
    assert top() >= 1e6
    chart.all_button.click()
    assert top() < 3 * 10.9
    compare.set_runs(overlaid[:1], histories)
    assert not chart.all_button.isVisible()


def test_that_without_runs_a_message_replaces_the_empty_chart(compare):
    compare.show()
    compare.set_runs(runs(1))
    assert compare.charts["loss"].isVisible()
    compare.set_runs([])
    assert not compare.charts["loss"].isVisible()
    assert compare.findChild(QLabel, "compared_nothing").isVisible()
    compare.set_runs(runs(1))
    assert compare.charts["loss"].isVisible()
