"""Imported weights in the window: trained, partly frozen, generated with, and deleted."""

import math
import shutil

import pytest
import torch
from huggingface_hub import constants
from imported_model import import_weights
from lessons import FEW
from messages import message
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog

from gptstudio.app.state import form_values
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, VOCAB_SIZE, GPTConfig
from gptstudio.gpt.memory import train_memory
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import size
from gptstudio.history.comparison import differences
from gptstudio.training import checkpoint
from gptstudio.training.events import Ended
from gptstudio.training.forecast import CostHistory
from gptstudio.training.model_source import ImportedModel, SavedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

FIRST_PAGE = "generate"

SHAPE = GPTConfig(context_length=32, emb_dim=16, n_heads=4, n_layers=2, qkv_bias=True, tie_weights=True, vocab_size=FEW)
LONG = SHAPE.but(context_length=1024, vocab_size=VOCAB_SIZE)
NEW = "New (random)"


@pytest.fixture
def teacher(user) -> ImportedModel:
    """A model that was imported while the window was open."""
    return brought(user)


def brought(user, config: GPTConfig = SHAPE, name: str = "teacher") -> ImportedModel:
    made = ImportedModel(import_weights(config, name))
    user.dialogs.models_changed()
    return made


def entries(box: QComboBox) -> list[str]:
    return [words for n in range(box.count()) if (words := box.itemText(n))]  # a line between them has none


def weights_of(source: SavedModel) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in checkpoint.read_weights(source.path).items()}


def start(user) -> SavedModel:
    """Train to the end, and return the resulting model."""
    user.wait(user.train.start_button.isEnabled)
    user.train.run_to_end()
    assert [ended.outcome for ended in user.received(Ended)] == ["finished"], user.received(Ended)[-1].message
    return user.generate.source


def prepare(user, source: SavedModel, **settings: object) -> None:
    user.panel.load_weights(source)
    quick = {"steps": 3, "eval_iter": 1, "sample_tokens": 3, "precision": "fp32"}
    for name, value in (quick | settings).items():
        user.train.set(**{name: value})
    user.train.use_text("story")
    user.wait(lambda: user.train.looked)


# The Model panel.


def test_that_a_run_begins_with_new_weights_unless_the_chosen_ones_fit_and_exist_and_says_why(user, teacher):
    assert user.find("weights").currentText() == NEW
    assert user.train.spec.init_from is None
    assert user.find("weights").accessibleName() == "Weights"

    user.choose(user.find("weights"), entries(user.find("weights"))[1])
    assert user.panel.config == SHAPE
    assert user.panel.preset.currentText() == "own"
    assert user.reads("total_parameters") == f"{sizing.parameter_count(SHAPE):,}"
    assert user.train.spec.init_from == "teacher"
    assert user.train.spec.config == SHAPE

    user.panel.load_weights(teacher)
    user.type("config_context_length", "8")
    user.type("config_drop_rate", "0.3")
    user.type("config_drop_rate_attn", "0")
    assert user.train.spec.init_from == "teacher"
    assert user.train.spec.config == SHAPE.but(context_length=8, drop_rate=0.3, drop_rate_attn=0)
    assert user.reads("weights_let_go") == ""

    user.panel.load_weights(teacher)
    user.type("config_n_layers", "")
    assert user.panel.config is None
    user.type("config_n_layers", "2")
    assert user.train.spec.init_from == "teacher"

    user.panel.load_weights(teacher)
    user.choose(user.panel.preset, "book")
    assert user.panel.config == PRESETS["book"]
    assert user.train.spec.init_from is None

    user.panel.load_weights(teacher)
    user.choose(user.find("weights"), NEW)
    assert user.panel.config == SHAPE
    assert user.train.spec.init_from is None

    for field, typed, words in (
        ("n_layers", "3", "Layers: 2 in the weights, 3 in this model"),
        ("context_length", "64", "Context length: 32 in the weights, 64 in this model"),
        ("emb_dim", "20", "Width: 16 in the weights, 20 in this model"),
    ):
        user.panel.load_weights(teacher)
        assert user.reads("weights_let_go") == ""
        assert user.panel.config == SHAPE
        user.type(f"config_{field}", typed)
        assert user.find("weights").currentText() == NEW, field
        assert user.train.spec.init_from is None, field
        why = f"New random weights are used because teacher does not fit: {words}"
        assert user.reads("weights_let_go").startswith(why)

    broken = brought(user, name="broken")
    (broken.path / "state.json").write_bytes(b"{}")
    user.panel.load_weights(broken)
    assert user.find("weights").currentText() == NEW
    assert message("is_not_what") in user.reads("weights_let_go")

    user.panel.load_weights(teacher)
    user.window.library.generate_with(teacher.path)
    shutil.rmtree(teacher.path)
    user.dialogs.models_changed()
    assert user.reads("weights_let_go") == "teacher no longer exists, so new random weights are used."
    assert user.train.spec.init_from is None
    offered = entries(user.find("weights")) + entries(user.generate.model_box)
    assert not [words for words in offered if "teacher" in words]


def test_that_the_box_opens_the_dialogs_for_external_weights(user, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    box, asked = user.find("weights"), []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *what: asked.append(what[1]) or ("", ""))
    box.setFocus()
    user.press(Qt.Key.Key_Down)  # the list opens: walking past the entry opens no dialog
    assert box.view().isVisible()
    assert asked == []
    user.qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert asked == ["Open weights"]
    assert box.currentText() == NEW
    user.press(Qt.Key.Key_Down)
    user.qtbot.keyClick(box.view(), Qt.Key.Key_Down)
    user.qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert user.dialogs.downloads.isVisible()
    user.wait(lambda: not user.dialogs.downloads.busy)
    user.dialogs.downloads.reject()


def test_that_a_text_too_short_for_the_context_offers_the_books_context_by_one_click(user, verdict):
    user.panel.load_weights(brought(user, LONG))
    user.train.use_text("verdict")
    user.wait(lambda: user.train.looked)
    assert not user.train.start_button.isEnabled()
    assert user.find("shorter_context").text() == "Use context length 256"
    assert "one window needs 1,025" in user.train.reads("plan")
    assert user.reads("outlook") == "", "what cannot be started needs nothing"
    user.click(user.find("shorter_context"))
    user.wait(user.train.start_button.isEnabled)
    assert user.train.spec.config == LONG.but(context_length=256)
    assert user.train.spec.init_from == "teacher"
    assert not user.find("shorter_context").isVisible()


# Fine-tuning.


def test_that_parts_are_frozen_and_their_parameters_are_shown_and_fit_at_twice_the_text_size(user, teacher):
    user.go_to("train")
    ticks = user.find("train_freeze")
    assert not ticks.isVisible()
    user.panel.load_weights(teacher)
    assert ticks.isVisible()
    assert user.panel.widget.minimumSizeHint().height() <= user.find("model_scroll").viewport().height()
    user.train.tick_frozen("norms")
    user.choose(user.find("weights"), NEW)
    assert ticks.isVisible(), "something is frozen, and that must be seen"
    user.train.tick_frozen("norms")
    assert not ticks.isVisible()

    user.panel.load_weights(teacher)
    total = sizing.parameter_count(SHAPE)
    assert user.reads("learning_parameters") == f"All {total:,} parameters are trained."
    user.train.tick_frozen("token_embedding", "norms")
    user.type("train_freeze_blocks", "1")
    learn = sizing.trained_count(SHAPE, ("token_embedding", "norms"), 1)
    assert 0 < learn < total
    assert user.reads("learning_parameters") == f"Trained parameters: {learn:,} of {total:,}."
    assert user.train.spec.freeze == ("token_embedding", "norms")
    assert user.train.spec.freeze_blocks == 1
    for blocks, words in (("3", "the model has 2 blocks"), ("", "a whole number between 0 and 1,000, not empty.")):
        user.type("train_freeze_blocks", blocks)
        assert words in user.reads("train_freeze_blocks_problem")
        assert not user.train.start_button.isEnabled()
        user.type("train_freeze_blocks", "2")
        assert user.reads("train_freeze_blocks_problem") == ""
    user.type("train_freeze_blocks", "0")
    user.train.tick_frozen("token_embedding", "norms")

    user.find("train_seed").setFocus()
    for part in sizing.PARTS[:3]:
        user.press(Qt.Key.Key_Tab)
        assert user.find(f"train_freeze_{part}").hasFocus()
    user.press(Qt.Key.Key_Space)
    assert user.train.spec.freeze == ("attention",)
    user.train.tick_frozen("token_embedding", "position_embedding", "feed_forward", "norms")
    assert user.reads("train_freeze_problem").startswith(message("freeze_leaves_nothing"))
    assert not user.train.start_button.isEnabled()
    assert user.reads("learning_parameters") == ""

    user.panel.load_weights(teacher)
    for part, held in sizing.parameters(SHAPE).components().items():
        words = "tied" if part == "output_layer" else f"{held:,}"
        assert user.reads(f"train_freeze_{part}_figure") == words
        spoken = "the same matrix as the token embedding" if part == "output_layer" else f"{held:,} parameters"
        assert user.find(f"train_freeze_{part}").accessibleName().endswith(spoken)
    user.panel.load_weights(brought(user, SHAPE.but(emb_dim=64, vocab_size=VOCAB_SIZE), "large"))
    assert user.reads("train_freeze_token_embedding_figure") == "3.2 M"
    assert "3,216,448 parameters" in user.find("train_freeze_token_embedding").toolTip()

    theme.enlarge(2)
    user.rest(0.1)
    for part in sizing.PARTS:
        box, figure = user.find(f"train_freeze_{part}"), user.find(f"train_freeze_{part}_figure")
        assert box.width() >= box.minimumSizeHint().width()
        assert figure.width() >= figure.minimumSizeHint().width()


def test_that_a_run_begins_with_its_initial_weights_frozen_parts_stay_and_missing_weights_are_reported(user, teacher):
    """A tiny model that has learned the story is far below guessing at its first step."""
    prepare(user, teacher)
    user.train.tick_frozen("token_embedding", "attention")
    user.wait(lambda: user.train.looked)
    before, after = weights_of(teacher), weights_of(start(user))
    for name, tensor in before.items():
        still = "tok_emb" in name or ".att." in name
        assert torch.equal(tensor, after[name]) == still, name

    prepare(user, teacher, steps=5_000)
    user.train.start()
    user.wait(user.train.losses)
    assert not user.find("train_freeze_norms").isEnabled()
    assert not user.find("train_freeze_blocks").isEnabled()
    user.train.stop()
    assert user.find("train_freeze_norms").isEnabled()

    user.state.costs = CostHistory()  # without the correction by the stopped run, which may have had enough steps
    other = brought(user, name="other")
    prepare(user, other, freeze=(), freeze_blocks=0)
    before = user.train.forecast.predicted_bytes
    user.train.tick_frozen("token_embedding")
    user.wait(lambda: user.train.looked)
    spec = user.train.spec
    assert user.train.forecast.predicted_bytes < before
    needed = train_memory(SHAPE, spec.batch_size, freeze=("token_embedding",)).total
    assert user.reads("train_memory").startswith(size(needed))

    shutil.rmtree(other.path)
    user.train.check()
    user.wait(lambda: user.train.looked)
    assert not user.train.start_button.isEnabled()
    assert "There is no model 'other'" in user.reads("plan")

    user.training.clear()
    prepare(user, ImportedModel(import_weights(SHAPE, "first")), steps=25, learning_rate=0.02, sample_tokens=0,
            freeze=())
    own = start(user)
    user.training.clear()
    prepare(user, own)
    assert user.train.spec.init_from == str(own.path)
    start(user)
    assert user.train.losses()[0] < math.log(FEW) - 1.8

    user.training.clear()
    prepare(user, teacher, freeze=("norms",), freeze_blocks=1)
    user.type("config_context_length", "8")
    user.wait(lambda: user.train.looked)
    asked = user.train.spec
    run = RunFolder(start(user).path.parent.parent)
    user.panel.select(PRESETS["workshop"])
    user.state.train_values = form_values(TrainSpec())
    assert user.train.spec.init_from is None
    user.window.training.run_again(run.record().spec)
    user.wait(lambda: user.train.looked)
    assert user.train.spec == asked
    assert user.find("weights").currentText().startswith("teacher")
    assert user.find("train_freeze_norms").isChecked()


def test_that_runs_are_distinguished_by_their_initial_weights_and_frozen_parts(study):
    import_weights(SHAPE, "teacher")
    tuned = study("tuned", config=SHAPE, init_from="teacher", freeze=("norms",))
    rows = {row.label: row.values for row in differences([tuned.record(), study("plain", config=SHAPE).record()])}
    assert rows == {"Initial weights": ("teacher", "random weights"), "Freeze": ("norms", "nothing")}


# Generate, Compare, Score, Learn.


def test_that_imported_models_and_runs_are_offered_everywhere_once_and_write(user, study):
    run = study("mine")
    shapes = {"one": SHAPE, "two": SHAPE.but(emb_dim=32)}
    one, _ = [brought(user, shape, name) for name, shape in shapes.items()]
    user.window.library.refresh_models()
    figures = [f"{name}  ·  {sizing.parameter_count(shape):,}" for name, shape in shapes.items()]
    first, *others = entries(user.find("weights"))
    assert first == NEW
    assert sorted(others[:2]) == figures
    assert others[2].endswith("step 6")
    assert user.panel.sources[3] == SavedModel(run.newest_checkpoint())
    assert others[3:] == ["Open weights…", "Download GPT-2…"]

    box = user.generate.model_box
    *_, newest, left, right, other = entries(box)
    assert newest.endswith("step 6")
    assert sorted((left, right)) == figures
    assert other == "Choose a checkpoint…"
    for compared in user.generate.compared_boxes:
        *_, left, right, _table = entries(compared)
        assert sorted((left, right)) == figures
    user.window.library.generate_with(one.path)
    assert user.generate.source == one
    assert len(entries(box)) == len(set(entries(box))), "it is offered once"
    user.generate.write(4)
    assert user.generate.text.snapshot.tree.model == "one"


def test_that_a_lab_can_use_an_imported_model(user):
    user.go_to("learn")
    user.learn.open("feedforward")
    page, teacher = user.learn.current, brought(user)
    page.models.choose(teacher)
    user.wait(lambda: not page.waiting)
    assert page.models.currentText().startswith("teacher")
    assert page.answer.outputs.width == 4 * SHAPE.emb_dim
    assert page.notice.text() == ""
