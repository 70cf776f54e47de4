"""The Generate page when something is wrong: broken models, unusual prompts, models that change or disappear."""

import hashlib
import json
import math
import os
import shutil
import threading
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import torch
from disks import disk_is_full
from lessons import TINY
from messages import message
from pages.workers import on_the_way
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from safetensors.torch import load_file, save_file

from gptstudio.app.text_document import BranchPath
from gptstudio.gui.generate.generate_tab import COMPARE, SCORE, WRITE
from gptstudio.gui.model_names import display_name
from gptstudio.inference import tree_files
from gptstudio.training.events import PromptRead, StepDone, TokenDrawn, TokenRead
from gptstudio.training.model_source import LiveModel, SavedModel

FIRST_PAGE = "generate"

CONTROL, NOTHING = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
LONG = {"steps": 5000, "eval_freq": 1000}
UNTRAINED = "Untrained, as set in the Model panel"


def still_writes(user) -> None:
    """Assert that the page still works: the untrained model writes."""
    user.generate.switch_to(WRITE)
    if user.generate.model_box.currentText() != UNTRAINED:
        user.choose(user.generate.model_box, UNTRAINED)
    before = len(user.received(TokenDrawn))
    user.generate.prompt.setPlainText("Every effort moves you")
    user.generate.write(3)
    assert user.reads("generate_notice") == ""
    assert len(user.received(TokenDrawn)) == before + 3


# Models that are broken.


def broken_copy(source: SavedModel, value: float, tensors: str, home) -> SavedModel:
    """Return a copy of the checkpoint with this value in the tensors of that name, and correct digests."""
    made = home / f"broken {value}" / "checkpoints" / source.path.name
    shutil.copytree(source.path, made)
    weights = {name: torch.full_like(each, value) if tensors in name else each
               for name, each in load_file(made / "model.safetensors").items()}  # fmt: skip
    save_file(weights, made / "model.safetensors")
    sums = [f"{hashlib.sha256((made / name).read_bytes()).hexdigest()}  {name}\n"
            for name in sorted(each.name for each in made.iterdir() if each.name != "SHA256SUMS")]  # fmt: skip
    (made / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return SavedModel(made)


def holds_no_numbers(text: str) -> bool:
    return "contains values that are not valid numbers" in text


def says_of_logits(text: str) -> bool:
    return "The model's logits are not valid numbers (NaN or infinite), so no token can be sampled." in text


def test_that_a_model_with_non_finite_weights_or_logits_is_refused_everywhere_with_the_reason(user, study_once, home):
    user.panel.select(TINY)
    whole = SavedModel(study_once(steps=2).newest_checkpoint())
    for value in (math.nan, math.inf):
        refused = broken_copy(whole, value, "", home)
        every_pane_says_why(user, refused, ["attention", "layers", "neighbours"], holds_no_numbers, "No text yet")
        neither_compared_nor_scored(user, refused, holds_no_numbers)
        while user.generate.ids():
            user.generate.undo()

    broken = broken_copy(whole, 3e38, "out_head", home)
    every_pane_says_why(user, broken, ["layers"], says_of_logits, "not valid numbers")
    neither_compared_nor_scored(user, broken, says_of_logits)


def every_pane_says_why(user, model: SavedModel, panes: list, says_why: Callable[[str], bool], inside: str) -> None:
    user.go_to("generate")
    user.generate.open_model(model.path)
    user.decoding.clear()
    user.generate.write(5)
    assert says_why(user.reads("generate_notice")), model
    assert user.received(TokenDrawn) == []
    for pane in panes:
        user.generate.open_pane(pane)
        user.generate.wait_idle()
        assert inside in user.generate.pane_says(pane), "and nothing is drawn"
    user.generate.open_pane("choices")


def neither_compared_nor_scored(user, model: SavedModel, says_why: Callable[[str], bool]) -> None:
    user.generate.switch_to(COMPARE)
    user.generate.choose_compared(1, model)
    user.click(user.generate.compare_button)
    user.generate.wait_idle()
    assert says_why(user.reads("pair_notice")), model
    assert not user.generate.comparing
    user.generate.switch_to(SCORE)
    user.generate.score("Every effort moves you")
    user.generate.wait_idle()
    assert says_why(user.reads("score_notice")), model
    still_writes(user)


# Vocabularies.


def test_that_a_vocabulary_with_fewer_rows_refuses_unknown_tokens_and_one_with_more_is_shown_whole(writer, tiny):
    """Rows beyond GPT-2's 50,257 tokens are shown by their ids; an untrained model draws them as often as others."""
    writer.panel.select(tiny.but(vocab_size=1_000))
    writer.generate.write(3)
    assert "the token IDs of this model are below 1,000" in writer.reads("generate_notice")
    writer.generate.switch_to(COMPARE)
    writer.click(writer.generate.compare_temperatures_button)
    writer.generate.wait_idle()
    assert "of this model are below 1,000" in writer.reads("pair_notice")
    writer.generate.switch_to(SCORE)
    writer.generate.score("Every effort moves you")
    writer.generate.wait_idle()
    assert "of this model are below 1,000" in writer.reads("score_notice")
    writer.generate.switch_to(WRITE)
    writer.generate.begin(3, "!")
    writer.generate.wait_idle()
    assert writer.reads("generate_notice") == ""
    assert all(each.id < 1_000 for each in writer.received(TokenDrawn))
    writer.generate.open_pane("neighbours")
    writer.generate.wait_idle()
    writer.generate.view.neighbours.look_up(" effort")
    writer.generate.wait_idle()
    writer.rest(0.05)
    assert "its token IDs are below 1,000" in writer.reads("neighbours_words")

    writer.decoding.clear()
    writer.panel.select(tiny.but(vocab_size=60_304))
    writer.generate.set_params(writer.generate.sampling_params.but(top_k=None))
    writer.generate.write(30)
    drawn = writer.received(TokenDrawn)
    (beyond, *_) = [each for each in drawn if each.id >= 50_257]
    assert beyond.text == f"<id {beyond.id}>"
    writer.generate.choose(beyond.position)
    assert f"<id {beyond.id}>" in writer.reads("bars_title")
    assert f"<id {beyond.id}>" in writer.generate.strip.words(beyond.position)
    for pane in ("branches", "attention", "layers", "neighbours"):
        writer.generate.open_pane(pane)
        writer.generate.wait_idle()
        writer.rest(0.02)
        assert not writer.generate.view.grab().isNull()
    before = writer.generate.ids()
    writer.generate.branch(60_303)
    writer.generate.wait_idle()
    assert writer.generate.ids()[: beyond.position + 1] == [*before[: beyond.position], 60_303]
    assert writer.reads("generate_notice") == ""


# Stopping.


def drawn_so_far(user) -> int:
    """Return the number of drawn and read tokens, including those not yet delivered to the window."""
    coming = [each[1] if isinstance(each, tuple) else each for each in on_the_way(user.window.tasks)]
    events = [*coming, *(each for came in user.decoding for each in came)]
    return sum(isinstance(each, (TokenDrawn, TokenRead)) for each in events)


def stop_and_count(user) -> int:
    """Press Escape; return how many tokens came after it."""
    user.press(Qt.Key.Key_Escape)
    so_far = drawn_so_far(user)
    user.generate.wait_idle()
    return drawn_so_far(user) - so_far


def ended(user) -> str:
    return user.decoding[-1][-1].outcome


def begin_writing(user) -> None:
    user.generate.begin(50_000)


def begin_reading(user) -> None:
    user.panel.select(user.panel.config.but(context_length=4096))
    user.generate.begin(5, "Every effort moves you. " * 600)


def begin_comparing(user) -> None:
    user.generate.set(max_new_tokens=50_000)
    user.generate.switch_to(COMPARE)
    user.click(user.generate.compare_temperatures_button)


def begin_scoring(user) -> None:
    user.generate.switch_to(SCORE)
    user.generate.score("Every effort moves you. " * 600)


def test_that_stop_ends_each_kind_of_text_within_a_token(writer):
    for begin, texts in ((begin_writing, 1), (begin_comparing, 2), (begin_scoring, 1), (begin_reading, 1)):
        writer.decoding.clear()
        begin(writer)
        writer.wait(lambda: drawn_so_far(writer) > 20)
        assert stop_and_count(writer) <= texts, begin.__name__
        assert ended(writer) == "stopped", begin.__name__
        assert begin != begin_reading or writer.received(TokenDrawn) == []
        still_writes(writer)


@pytest.fixture
def slow_to_load(monkeypatch):
    """Delay the loading of models until the event is set."""
    from gptstudio.training import model_source

    proceed, real = threading.Event(), model_source.load
    monkeypatch.setattr(model_source, "load", lambda *args: proceed.wait(20) and real(*args))
    yield proceed
    proceed.set()


def test_that_stop_while_the_model_is_loaded_takes_effect_and_the_previous_text_stays(writer, slow_to_load, tiny):
    buttons = {WRITE: writer.generate.go_button, COMPARE: writer.generate.compare_button,
               SCORE: writer.generate.score_button}  # fmt: skip
    slow_to_load.set()
    writer.generate.write(3)
    for width, (view, button) in zip((32, 48, 64), buttons.items(), strict=True):
        before = writer.generate.ids()
        slow_to_load.clear()
        writer.panel.select(tiny.but(emb_dim=width))
        writer.generate.switch_to(view)
        writer.generate.score_text.setPlainText("Every effort moves you")
        writer.click(button)
        assert writer.generate.running
        doing = "Scoring a text" if view == SCORE else "Generating text"
        writer.wait(lambda doing=doing: writer.reads("status_task") == doing)
        writer.rest(0.1)
        writer.press(Qt.Key.Key_Escape)
        slow_to_load.set()
        writer.generate.wait_idle()
        assert ended(writer) == "stopped", view
        assert writer.generate.ids() == before, view
        still_writes(writer)


def test_that_a_branch_chosen_before_the_requested_text_is_shown_continues_the_displayed_one(
    writer, slow_to_load, tiny
):
    slow_to_load.set()
    writer.generate.write(3)
    before, (read,) = writer.generate.ids(), writer.received(PromptRead)
    slow_to_load.clear()
    writer.panel.select(tiny.but(emb_dim=48))
    writer.generate.begin(10, "Every")
    writer.wait(lambda: writer.reads("status_task") == "Generating text")
    writer.generate.branch(11)
    writer.generate.view.take([read.model_copy(update={"pieces": read.pieces[:1]})])  # was on its way
    slow_to_load.set()
    writer.wait(lambda: len(writer.generate.ids()) >= len(before) and not writer.generate.running)
    assert writer.generate.ids()[: len(before)] == [*before[:-1], 11]
    tree = writer.generate.text.snapshot.tree
    assert before in [tree.ids(tip) for tip in tree.texts()]
    still_writes(writer)


def test_that_stop_and_pause_also_end_a_waiting_branch_and_a_played_text(writer):
    writer.generate.begin(50_000)
    writer.wait(lambda: len(writer.received(TokenDrawn)) > 5)
    writer.generate.branch(11)  # waits for the end of the text being written
    writer.generate.go_button.setFocus()
    assert stop_and_count(writer) <= 1
    writer.rest(0.1)
    assert len(writer.received(PromptRead)) == 1
    still_writes(writer)

    slider = writer.generate.view.transport.slider
    slider.setValue(slider.maximum())
    writer.click(writer.generate.play_button)
    length = len(writer.generate.ids())
    writer.wait(lambda: len(writer.generate.ids()) > length + 3)
    length = len(writer.generate.ids())
    writer.click(writer.generate.play_button)
    writer.generate.wait_idle()
    writer.rest(0.1)
    assert len(writer.generate.ids()) <= length + 1
    still_writes(writer)


# Everything at once.


def operate_controls(user, times: int) -> None:
    """Turn, drag and click controls while a model writes."""
    generate, view = user.generate, user.generate.view
    orders = [("top_k", "temperature", "top_p", "min_p", "repetition_penalty"), generate.sampling_params.order]
    for number in range(times):
        generate.strip.setFocus()
        generate.param("temperature").slider.setValue(number * 7 % 40)
        generate.reorder(orders[number % 2])
        generate.branch(number)
        generate.choose(number % max(1, len(view.strip.boxes)))
        for key, modifiers in ((Qt.Key.Key_Z, CONTROL), (Qt.Key.Key_Y, CONTROL), (Qt.Key.Key_Right, NOTHING)):
            user.press(key, modifiers)
        view.panes.open(list(view.panes.places)[number % len(view.panes.places)])
        user.panel.select(user.panel.config.but(n_heads=1 + number % 2))
        generate.model_box.activated.emit(0)
        for act in (generate.forward, generate.back, generate.play, generate.end):
            act()
        user.rest(0.01)


def written_last(user) -> list[int]:
    """Return the tokens that were drawn since the start of the last text."""
    ids: list[int] = []
    for each in (each for came in user.decoding for each in came):
        ids = [] if isinstance(each, PromptRead) else [*ids, each.id] if isinstance(each, TokenDrawn) else ids
    return ids


def test_that_a_text_is_written_and_stopped_while_every_control_is_used(writer):
    writer.generate.begin(50_000)
    writer.wait(lambda: len(writer.received(TokenDrawn)) > 5)
    operate_controls(writer, 6)
    writer.wait(lambda: len(written_last(writer)) > 3)
    assert stop_and_count(writer) <= 1
    ids = writer.generate.ids()
    assert ids[-len(written_last(writer)) :] == written_last(writer)
    tree = writer.generate.text.snapshot.tree
    assert writer.generate.text.walk == BranchPath.to(tree, writer.generate.text.snapshot.tip)
    assert tree.ids(writer.generate.text.snapshot.tip) == ids == [box.node.id for box in writer.generate.strip.boxes]
    still_writes(writer)


def test_that_the_branch_that_grows_with_the_text_is_the_one_in_the_tree(writer):
    """This is tested after each action, not only at the end: writing, branching, undoing and writing again."""
    generate = writer.generate
    looked = []

    def look() -> None:
        script = generate.text
        assert script.walk == BranchPath.to(script.snapshot.tree, script.snapshot.tip)
        looked.append(len(script.path))

    take = generate.text.take
    generate.text.take = lambda event: (take(event), look())
    operations = lambda: generate.branch(11), generate.undo, lambda: generate.branch(12), generate.redo, generate.undo
    for samples in (1, 3):
        generate.set(samples=samples)
        for act in (*operations, generate.forward):
            generate.write(3)
            generate.choose(5)
            act()
            writer.generate.wait_idle()
            look()
        assert len(looked) > 30, samples
        looked.clear()


def test_that_undoing_to_another_models_text_shows_that_models_numbers(writer, tiny):
    writer.generate.write(3)
    shown = writer.generate.text.logits(2).copy()
    writer.panel.select(tiny.but(emb_dim=32))
    writer.generate.write(3)
    assert not np.allclose(writer.generate.text.logits(2), shown)
    writer.generate.undo()
    writer.generate.choose(2)
    writer.wait(lambda: writer.generate.text.logits(2) is not None)
    np.testing.assert_allclose(writer.generate.text.logits(2), shown, atol=1e-5)


# Closing.


def busy_with(begin: Callable[[object], None], user) -> None:
    begin(user)
    user.wait(lambda: drawn_so_far(user))


def busy_playing(user) -> None:
    user.generate.write(3)
    user.click(user.generate.play_button)
    user.rest(0.1)


def busy_looking_inside(user) -> None:
    user.generate.write(3)
    user.generate.open_pane("attention")


def busy_naming(user) -> None:
    user.generate.write(3)
    user.generate.open_pane("branches")
    user.generate.view.branches.tree_view.name()


def busy_operating(user) -> None:
    busy_with(begin_writing, user)
    operate_controls(user, 3)


@pytest.mark.parametrize(
    "busy",
    [*(partial(busy_with, begin) for begin in (begin_reading, begin_comparing, begin_scoring)),
     busy_playing, busy_looking_inside, busy_naming, busy_operating],
)  # fmt: skip
def test_that_closing_the_window_at_any_moment_leaves_nothing(writer, busy):
    """The fixture checks threads, timers and failures. For a window that only generates, see test_leaving.py."""
    busy(writer)
    assert writer.window.close()
    assert not [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    drawn = drawn_so_far(writer)
    writer.rest(0.1)
    assert drawn_so_far(writer) == drawn


# The disk.


def test_that_a_deleted_run_is_reported_wherever_its_model_is_used(user):
    source = user.train.to_end(steps=2)
    user.generate.write(3)
    user.generate.save_tree("kept")
    (saved,) = tree_files.saved_trees(source)
    kept = saved.path.read_bytes()
    shutil.rmtree(source.path.parent.parent)
    user.choose(user.generate.model_box, UNTRAINED)
    user.generate.write(2)  # so that the model is no longer in the cache
    user.generate.open_model(source.path)
    user.generate.offer([source])
    user.window.state.choose_model(source)
    user.generate.write(2)
    assert str(source.path) in user.reads("generate_notice")
    away = source.path.parent.parent.parent / "tree.json"
    away.write_bytes(kept)
    user.generate.open_tree(away)
    user.generate.wait_idle()
    for position in (1, 3, 1):
        user.generate.choose(position)
        user.generate.wait_idle()
        assert str(source.path) in user.reads("choices_nothing"), "asked once, told, and not asked for ever"
    for pane in ("attention", "layers", "neighbours"):
        user.generate.open_pane(pane)
        user.generate.wait_idle()
        assert str(source.path) in user.generate.pane_says(pane)
    user.generate.open_pane("branches")
    user.generate.save_tree("kept again")
    still_writes(user)


def test_that_a_broken_tree_and_a_full_disk_are_reported_and_text_and_files_stay(writer, home, monkeypatch):
    writer.generate.write(3)
    path = home / "tree.json"
    tree_files.write(writer.generate.text.snapshot.tree, "tree", path)
    text = path.read_text(encoding="utf-8")
    improbable = json.loads(text)
    improbable["nodes"][-1]["reading"]["probability"] = 2
    harms = {"cut off": text[:-100], "not JSON": "tree", "no tree": "{}",
             "a probability of two": json.dumps(improbable)}  # fmt: skip
    for harm in (*harms, "gone"):
        before = writer.generate.ids()
        path.unlink() if harm == "gone" else path.write_text(harms[harm], encoding="utf-8")
        writer.generate.open_tree(path)
        assert str(path) in writer.reads("generate_notice"), harm
        assert message("something_went_wrong") not in writer.reads("generate_notice"), harm
        assert writer.generate.ids() == before, harm
        still_writes(writer)

    monkeypatch.setattr(os, "fsync", disk_is_full)
    before = sorted(each for each in home.rglob("*") if each.is_file())
    writer.generate.export_tree(home / "tree.json")
    assert "No space left" in writer.reads("generate_notice")
    writer.generate.save_tree("kept")
    assert "No space left" in writer.reads("generate_notice")
    assert sorted(each for each in home.rglob("*") if each.is_file()) == before
    still_writes(writer)


# A model in training.


@pytest.fixture
def trainer(user):
    """The user of a window whose model is in training."""
    user.train.begin(**LONG)
    user.go_to("generate")
    user.choose(user.generate.model_box, "Model in training, current state")
    yield user
    user.train.stop_from_afar()


def learn_on(user) -> None:
    before = len(user.received(StepDone))
    user.wait(lambda: len(user.received(StepDone)) > before + 3)


def test_that_a_model_in_training_branches_with_its_copy_and_is_compared_and_scored_until_training_ends(trainer):
    trainer.generate.write(6)
    learn_on(trainer)
    trainer.generate.choose(6)
    trainer.generate.branch(11)
    trainer.generate.wait_idle()
    first, second = trainer.received(PromptRead)
    assert first.model == second.model
    assert trainer.reads("generate_notice") == ""

    trainer.generate.switch_to(SCORE)  # the copy has to make room for another model
    trainer.choose(trainer.generate.model_box, UNTRAINED)
    trainer.generate.score("Every effort moves you")
    trainer.generate.wait_idle()
    learn_on(trainer)
    trainer.generate.switch_to(WRITE)
    trainer.generate.choose(6)
    trainer.generate.branch(12)
    trainer.generate.wait_idle()
    newer = trainer.received(PromptRead)[-1]
    assert first.model != newer.model, "the model has learned on, and that is said"
    assert display_name(first.model) in trainer.reads("generate_notice")
    assert display_name(newer.model) in trainer.reads("generate_notice")

    trainer.choose(trainer.generate.model_box, "Model in training, current state")
    live = trainer.generate.source
    assert isinstance(live, LiveModel)
    trainer.generate.set(max_new_tokens=10)
    trainer.generate.switch_to(COMPARE)
    trainer.click(trainer.generate.compare_models_button)  # with a beginning of its own
    trainer.generate.wait_idle()
    assert trainer.reads("pair_notice") == ""
    assert trainer.generate.compared
    trainer.generate.switch_to(SCORE)
    trainer.generate.score_text.setPlainText("Every effort moves you")
    for _ in range(2):
        trainer.click(trainer.generate.score_button)
        trainer.generate.wait_idle()
        assert trainer.reads("score_notice") == ""
        learn_on(trainer)

    trainer.generate.switch_to(WRITE)
    trainer.decoding.clear()
    trainer.generate.begin(50_000)
    trainer.wait(lambda: trainer.received(TokenDrawn))
    trainer.train.stop_from_afar()
    before = len(trainer.received(TokenDrawn))
    trainer.wait(lambda: len(trainer.received(TokenDrawn)) > before + 3)
    assert stop_and_count(trainer) <= 1
    assert isinstance(trainer.generate.source, SavedModel)
    assert trainer.generate.source.run == live.run
    trainer.generate.set(max_new_tokens=20)
    trainer.generate.choose(6)
    trainer.generate.branch(11)
    trainer.generate.wait_idle()
    assert trainer.generate.ids()[6] == 11, "the copy that wrote is still there"
    still_writes(trainer)
