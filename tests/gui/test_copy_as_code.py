"""Copying the content of a page as a command and as Python."""

import shlex

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

import gptstudio
from gptstudio import spec_code
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.run_code import train_command
from gptstudio.training.spec import TrainSpec

HOSTILE = "It's \"quoted\"\n$(touch pwned) `x` 提示词 \\ %PATH%"


@pytest.fixture(autouse=True)
def posix(monkeypatch) -> None:
    """Copy for the same shell on every system."""
    monkeypatch.setattr(spec_code, "native_shell", lambda: "posix")


def clipboard() -> str:
    return QApplication.clipboard().text()


def status_text(user) -> str:
    shown = user.window.findChild(QLabel, "status_done")
    return "" if shown.isHidden() else shown.text()


def choose(user, button: str, command: str) -> None:
    """Choose a command in the menu of a button."""
    menu = user.window.findChild(QPushButton, button).menu()
    (action,) = [each for each in menu.actions() if each.objectName() == f"{command}_action"]
    assert action.isEnabled(), action.toolTip()
    QApplication.clipboard().clear()
    action.trigger()


def trained_by(code: str, monkeypatch) -> TrainSpec:
    """Return the spec with which copied Python trains."""
    made = []
    monkeypatch.setattr(gptstudio, "train", made.append, raising=False)
    exec(code.rpartition("print")[0], {})
    return made[0]


def test_that_the_next_run_and_a_text_are_copied_with_all_their_settings(user, monkeypatch):
    user.train.prepare(steps=7, learning_rate=0.002, sample_prompt=HOSTILE)
    spec = user.window.state.spec
    choose(user, "train_copy", "copy_command")
    assert status_text(user) == "Copied as a command: the run that Start begins."
    assert clipboard() == train_command(spec)
    words = shlex.split(clipboard())
    assert words[words.index("--sample-prompt") + 1] == HOSTILE
    choose(user, "train_copy", "copy_python")
    assert status_text(user) == "Copied as Python: the run that Start begins."
    assert trained_by(clipboard(), monkeypatch) == spec
    user.train.set(learning_rate=-1)
    action = user.window.actions_of["copy_python"]
    assert not action.isEnabled()
    assert action.toolTip().startswith("Some settings are invalid")

    user.train.prepare(learning_rate=0.002)  # a small model with a different shape
    user.go_to("generate")
    user.generate.set(seed=9, max_new_tokens=3)
    state = user.window.state
    state.prompt = HOSTILE
    choose(user, "generate_copy", "copy_command")
    assert status_text(user) == "Copied as a command: the model, the prompt and the parameters of this text."
    words = shlex.split(clipboard())
    assert words[words.index("--prompt") + 1] == HOSTILE
    assert words[words.index("--seed") + 1] == "9"
    assert words[words.index("--emb-dim") + 1] == str(state.config.emb_dim)
    choose(user, "generate_copy", "copy_python")
    made = {}
    monkeypatch.setattr(gptstudio, "load", lambda source, **settings: made.update(source=source), raising=False)
    monkeypatch.setattr(gptstudio, "generate", lambda model, prompt, **settings: made.update(
        spec=GenerateSpec.make(prompt=prompt, device=state.device.key, **settings)) or [], raising=False)
    exec(clipboard(), {})
    assert made == {"source": state.config, "spec": state.generate_spec}
    user.panel.select(state.config.but(vocabulary="characters", vocab_size=61))
    assert "a vocabulary of its own" in user.window.actions_of["copy_command"].toolTip()
    user.generate.switch_to(1)
    assert user.window.actions_of["copy_command"].toolTip().startswith("Only what Write generates")
    assert user.window.findChild(QPushButton, "generate_copy").isHidden()


def test_that_the_selected_run_is_copied_with_the_keyboard_and_an_impossible_command_is_reported(user, monkeypatch):
    user.train.finish(steps=3)
    spec = user.window.state.run.spec
    folder = user.window.state.run.folder
    user.runs.show(folder)
    user.runs.choose(folder)
    user.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert clipboard() == train_command(spec)
    assert status_text(user) == "Copied as a command: the settings of The Late Bell · 1 layer · 0.0004."
    user.press(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert trained_by(clipboard(), monkeypatch) == spec
    context = [each.objectName() for each in user.window.runs.context_menu.actions()]
    assert {"copy_command_action", "copy_python_action"} <= set(context)
    user.go_to("texts")
    assert user.window.actions_of["copy_command"].toolTip().startswith("There is something to copy on Train")

    user.go_to("generate")
    QApplication.clipboard().setText("before")
    user.window.state.prompt = "null \0 inside"
    user.window.actions_of["copy_command"].trigger()
    assert "no command line can pass on" in status_text(user)
    assert clipboard() == "before"
    user.window.actions_of["copy_python"].trigger()
    assert "'null \\x00 inside'" in clipboard()
    monkeypatch.setattr(spec_code, "native_shell", lambda: "windows")
    user.window.state.prompt = "100 %PATH%"
    user.window.actions_of["copy_command"].trigger()
    assert status_text(user).startswith("The Windows command line reads some of these characters as its own")
