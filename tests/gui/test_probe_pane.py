"""A prompt followed during training: ribbons over the axis of the loss, bars at any evaluation, the film, and the
export."""

import csv
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from gptstudio.app import preferences
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.train import run_panes
from gptstudio.training.events import ProbesRead


@pytest.fixture
def trained(user, study_once):
    """The user of a window that shows a run with readings at steps 0 (before the first), 1, 3, 5 and 7."""
    events = list(study_once(steps=7).events())
    user.training.append(events)
    user.train.show(events)
    user.train.open_probes()
    return user


def type_lines(user, *lines: str) -> None:
    user.type("train_probes", lines[0])
    for line in lines[1:]:
        user.press(Qt.Key.Key_Return)
        user.qtbot.keyClicks(user.find("train_probes"), line)


def test_that_the_bars_are_those_of_the_last_reading_and_prompts_are_typed_one_per_line(user):
    user.train.to_end(steps=7, eval_freq=2)
    user.train.open_probes()
    reading = user.received(ProbesRead)[-1].probes[0]
    best = sorted(zip(reading.probabilities, reading.ids, strict=True), reverse=True)
    rows = user.train.probes.bars.table()
    assert [row[0] for row in rows] == [GPT2.visible(id) for _, id in best[:6]]
    assert rows[0][0] in user.train.probes.bars.accessibleDescription()
    assert user.reads("probe_place") == "Step 7"
    assert user.reads("probe_text") == f"“Every effort moves you” → {rows[0][0]}"
    assert user.reads("probe_sample").startswith("Sample then: Every effort moves you")

    user.train.prepare()
    type_lines(user, "He said", "She said", "", "It is")
    assert user.train.setting("probes") == ("He said", "She said", "It is")
    type_lines(user, *"abcdefghi")
    assert "at most 8" in user.train.editor("probes").problem.text()

    user.train.to_end(steps=1, probes=())
    user.train.open_probes()
    assert "has no probe prompts" in user.reads("probes_empty")
    assert not user.train.widget.view.charts.ribbons.isVisible()


def test_that_the_tab_shows_the_ribbons_of_the_readings_which_are_saved_and_chosen(trained, tmp_path, monkeypatch):
    ribbons = trained.train.widget.view.charts.ribbons
    assert ribbons.isVisible()
    tops = [ribbons.chart.curves[f"ribbon{i}"].series.y[:] for i in range(6)]
    assert all((lower <= upper).all() for lower, upper in pairwise(tops))
    assert (tops[-1] <= 1).all()
    assert ribbons.chart.axis == trained.train.widget.view.charts.loss.axis
    trained.train.open_pane("Samples")
    assert not ribbons.isVisible(), "they came with their tab"
    trained.train.widget.view.charts.actions_of["probe"].trigger()
    trained.train.open_probes()
    trained.train.open_pane("Samples")
    assert ribbons.isVisible(), "somebody has chosen them"

    trained.train.open_probes()
    trained.rest(0.05)
    before = trained.train.widget.minimumSizeHint().width()
    trained.train.probes.sample.setText("x" * 2_000)
    trained.train.probes.text.setText("y" * 2_000)
    trained.rest(0.05)
    assert trained.train.widget.minimumSizeHint().width() == before, "one long word does not widen the page"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "probe"), ""))
    trained.click(trained.find("probe_export"))
    assert trained.saved.words == f"Saved {tmp_path / 'probe.csv'}"
    with (tmp_path / "probe.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    readings = [event.probes[0] for event in trained.received(ProbesRead)]
    assert len(rows) == sum(len(each.ids) for each in readings)
    assert [float(row["probability"]) for row in rows[:12]] == list(readings[0].probabilities)
    assert {row["step"] for row in rows} == {"0", "1", "3", "5", "7"}

    path = tmp_path / "missing" / "probe.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    trained.click(trained.find("probe_export"))
    trained.wait(lambda: "Could not save" in trained.reads("train_notice"))

    charts = trained.train.widget.view.charts
    trained.train.point_at(2)
    assert trained.reads("probe_place") == "Step 3"
    charts.ribbons.chart.point_at(0.0)
    assert trained.reads("probe_place") == "Step 0"
    charts.ribbons.chart.point_at(None)
    assert trained.reads("probe_place") == "Step 7"

    box = trained.find("probe_box")
    assert box.count() == 3
    trained.choose(box, box.itemText(2))
    reading = trained.received(ProbesRead)[-1].probes[2]
    assert f"The text continues with {GPT2.visible(reading.true_id)}: rank" in trained.reads("probe_figures")

    slider = trained.find("probe_slider")
    slider.setFocus()
    trained.press(Qt.Key.Key_Home)
    assert trained.reads("probe_place") == "Step 0"
    trained.press(Qt.Key.Key_Right)
    assert trained.reads("probe_place") == "Step 1"
    assert trained.train.widget.view.charts.loss.pointed_at is not None


def test_that_play_shows_all_readings_and_ends_at_the_last(trained, monkeypatch):
    monkeypatch.setattr(run_panes, "CALM_MS", 50)
    seen: list[int] = []
    trained.find("probe_slider").valueChanged.connect(seen.append)
    for calm in (False, True):
        preferences.change(reduced_motion=calm)
        seen.clear()
        trained.click(trained.find("probe_play"))
        trained.wait(lambda: seen[-1:] == [4] and trained.find("probe_play").text() == "Play")
        assert seen == [0, 1, 2, 3, 4], calm
