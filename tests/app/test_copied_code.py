"""Code that can be copied, and its notes, determined only by the state."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gptstudio.app.copied_code import copied_code, copy_blocker
from gptstudio.app.state import AppState
from gptstudio.gpt.config import GPTConfig
from gptstudio.history.summary import RunFigures, RunSummary
from gptstudio.training.model_source import LiveModel
from gptstudio.training.run_folder import Parent, Record, RunFolder
from gptstudio.training.spec import TrainSpec

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def state() -> AppState:
    return AppState()


def entry(parent: Parent | None) -> RunSummary:
    record = Record(created=NOW, spec=TrainSpec(epochs=3), text_name="x", text_sha256="0", title="mine", parent=parent)
    return RunSummary(
        RunFolder(Path("/runs/x")), record, RunFigures(), "finished", 10, 10, saved=True, resumable=True)


def test_that_a_branch_is_copied_with_a_note_on_where_it_began(state):
    state.page = "runs"
    assert copy_blocker(state) == "Click a run in the list first."
    state.selected_run = entry(None)
    assert copy_blocker(state) is None
    assert copied_code(state, "command") == ("gptstudio train --epochs 3", "Copied as a command: the settings of mine.")
    state.selected_run = entry(Parent(run="first", created=NOW, step=4))
    assert copied_code(state, "python").said == (
        "Copied as Python: the settings of mine. The run is a branch; the copy trains its settings from the start.")


def test_that_a_model_in_training_cannot_be_copied(state):
    state.page = "generate"
    assert copy_blocker(state) is None
    state.live_model = LiveModel("now")
    assert state.model == LiveModel("now")
    assert "changes with every step" in copy_blocker(state)


@pytest.mark.parametrize(("page", "field", "value", "why"), [
    ("train", "train_values", {"epochs": 0}, "Some settings are invalid: see the settings here and in the Model panel"),
    ("generate", "generate_values", {"samples": 0}, "Some settings are invalid: see the settings here."),
    ("generate", "config_values", {"emb_dim": 0}, "The model settings are invalid"),
    ("generate", "generate_view", "score", "Only what Write generates"),
    ("texts", "prompt", "x", "There is something to copy on Train"),
])
def test_that_code_that_cannot_be_copied_has_a_reason(state, page, field, value, why):
    state.page = page
    setattr(state, field, {**getattr(state, field), **value} if isinstance(value, dict) else value)
    assert copy_blocker(state).startswith(why)


def test_that_a_custom_configuration_is_in_the_copy(state):
    state.page = "train"
    state.select_model(GPTConfig(context_length=32, emb_dim=64, n_heads=2, n_layers=1))
    assert "config=gs.GPTConfig(context_length=32, emb_dim=64, n_heads=2, n_layers=1)" in copied_code(
        state, "python").text
