"""Undo and redo of the settings for Start: the Model panel, the texts and the settings on Train."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from gptstudio.app.settings_history import ONE_STEP_S, SettingsHistory
from gptstudio.app.state import AppState
from gptstudio.gpt.config import PRESETS
from gptstudio.gui import window

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """The time of the history, which only the test advances."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(window, "SettingsHistory", lambda state: SettingsHistory(state, lambda: clock.now))
    return clock


@pytest.fixture
def quiet(clock, user):
    """The user with the focus on Start, which does not use Ctrl+Z."""
    user.go_to("train")
    user.find("start").setFocus()
    clock.now += ONE_STEP_S
    return user


@pytest.fixture
def change(clock):
    """Return a function that makes a change, after which the next one is a separate step."""

    def change(do) -> None:
        do()
        clock.now += ONE_STEP_S

    return change


def can(user, command: str) -> bool:
    return user.window.actions_of[command].isEnabled()


def test_that_the_keys_undo_and_redo_a_preset_and_a_setting(quiet, change):
    assert not can(quiet, "transport_undo")
    assert quiet.window.actions_of["transport_undo"].toolTip() == "There is nothing to undo."
    before = quiet.panel.config
    change(lambda: quiet.choose(quiet.find("preset"), "gpt2-medium"))
    change(lambda: quiet.train.editor("epochs").set_value(3))
    quiet.find("start").setFocus()
    quiet.press(Qt.Key.Key_Z, CTRL)
    assert quiet.train.setting("epochs") == 10
    assert quiet.panel.config == PRESETS["gpt2-medium"]
    quiet.press(Qt.Key.Key_Z, CTRL)
    assert quiet.panel.config == before
    assert not can(quiet, "transport_undo")
    quiet.press(Qt.Key.Key_Z, CTRL | SHIFT)
    quiet.press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert (quiet.panel.config, quiet.train.setting("epochs")) == (PRESETS["gpt2-medium"], 3)
    assert not can(quiet, "transport_redo")


def test_that_in_a_field_the_typed_digits_are_undone_first_and_then_the_settings(quiet, change):
    change(lambda: quiet.choose(quiet.find("preset"), "gpt2-medium"))
    layers = quiet.find("config_n_layers")
    layers.setFocus()
    layers.selectAll()
    quiet.qtbot.keyClicks(layers, "7")
    assert quiet.panel.config.n_layers == 7
    quiet.press(Qt.Key.Key_Z, CTRL)
    assert quiet.panel.config.n_layers == 24
    while layers.lineEdit().isUndoAvailable():
        quiet.press(Qt.Key.Key_Z, CTRL)
    quiet.press(Qt.Key.Key_Z, CTRL)
    assert quiet.panel.config != PRESETS["gpt2-medium"], "the window has heard the key"


def test_that_undo_is_that_of_the_visible_settings_or_text_and_settings_stay_during_a_run(quiet, change):
    change(lambda: quiet.choose(quiet.find("preset"), "gpt2-medium"))
    quiet.go_to("generate")
    assert not can(quiet, "transport_undo")
    quiet.go_to("texts")
    assert can(quiet, "transport_undo")
    for page in ("learn", "runs"):
        quiet.go_to(page)
        assert not can(quiet, "transport_undo")
        quiet.press(Qt.Key.Key_Z, CTRL)
        assert quiet.panel.config == PRESETS["gpt2-medium"]
    quiet.state.unfolded_pages = quiet.state.unfolded_pages | {"runs"}
    assert can(quiet, "transport_undo"), "the Model panel is beside Runs"

    quiet.train.begin(steps=2_000)
    assert "cannot be changed during a run" in quiet.window.actions_of["transport_undo"].toolTip()
    quiet.train.stop()
    quiet.wait(lambda: not quiet.train.running)
    assert can(quiet, "transport_undo")


def test_that_changes_in_quick_succession_are_one_step():
    state, now = AppState(), 0.0
    history = SettingsHistory(state, lambda: now)
    first = state.config_values
    for layers in (1, 12):  # the digits of 12
        state.config_values = {**state.config_values, "n_layers": layers}
        now += 0.2
    now += 1
    state.texts = ("story",)
    history.undo()
    assert state.config_values["n_layers"] == 12
    history.undo()
    assert state.config_values == first
    assert state.settings_undo == (False, True)
