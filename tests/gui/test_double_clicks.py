"""Buttons whose text changes: just after, they ignore a click, which may be the second of a double click."""

import time

from PySide6.QtCore import Qt

from gptstudio.gui.widgets import parts
from gptstudio.training.events import Ended

CLICKS_AFTER_S = parts.CHANGED_S


def double_click(user, button) -> None:
    user.qtbot.wait(round(1100 * CLICKS_AFTER_S))  # the window has been shown for a while
    for event in (user.qtbot.mousePress, user.qtbot.mouseRelease, user.qtbot.mouseDClick, user.qtbot.mouseRelease):
        event(button, Qt.MouseButton.LeftButton)


def test_that_a_double_click_on_start_starts_a_run_and_does_not_pause_it(user):
    user.train.prepare(steps=40)
    start = user.find("start")
    double_click(user, start)
    state = user.window.state
    user.wait(lambda: state.run.last is not None or state.run.ended)
    assert start.text() == "Pause"
    assert not state.paused
    user.wait(lambda: state.run.ended)
    assert isinstance(state.run.ended, Ended)
    assert state.run.ended.outcome == "finished"


def test_that_a_double_click_on_generate_does_not_stop_it(writer):
    double_click(writer, writer.find("generate"))
    writer.wait(lambda: not writer.window.state.generating)
    assert len(writer.generate.text.ids) > writer.window.state.generate_spec.max_new_tokens


def test_that_the_text_of_a_button_is_its_accessible_name_unless_it_has_another(qtbot):
    follows, keeps = parts.button("Salt && pepper", "spices"), parts.named(parts.Button("›"), "onward", "Next step")
    for made in (follows, keeps):
        qtbot.addWidget(made)
    assert (follows.accessibleName(), keeps.accessibleName()) == ("Salt & pepper", "Next step")
    follows.setText("Nuts && salt")
    keeps.setText("»")
    assert (follows.accessibleName(), keeps.accessibleName()) == ("Nuts & salt", "Next step")


def test_that_a_button_accepts_a_click_after_a_moment_and_a_number_in_it_causes_no_delay(qtbot, monkeypatch):
    clicks = []
    made = parts.button("Start", "start", do=lambda: clicks.append(made.text()))
    qtbot.addWidget(made)
    made.show()
    now = time.monotonic()
    monkeypatch.setattr(parts.time, "monotonic", lambda: now)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    made.setText("Pause")
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    assert clicks == ["Start"]
    now += parts.CHANGED_S + 0.01  # a sum of seconds since the computer's start is rounded
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    for count in ("Stop (1)", "Stop (2)"):
        made.setText(count)
        now += 0.5
    now += 0.15
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    assert clicks == ["Start", "Pause", "Stop (2)"]
