"""The Generate page when something is wrong: broken models, strange prompts, things that change or go meanwhile."""

import errno
import hashlib
import json
import math
import os
import shutil
import threading
from collections.abc import Callable

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from safetensors.torch import load_file, save_file

from gptstudio.gui.decoding.asks import Told
from gptstudio.gui.decoding.generate import COMPARE, SCORE, WRITE
from gptstudio.gui.decoding.manuscript import Walk
from gptstudio.records import tree_files
from gptstudio.runs.events import PromptRead, StepDone, TokenDrawn, TokenRead
from gptstudio.runs.source import Live, Saved

CONTROL, NOTHING = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
LONG = {"steps": 5000, "eval_freq": 1000}
UNTRAINED = "Untrained, as in the Model panel"


@pytest.fixture
def writer(user, tiny):
    """The user, in front of an untrained tiny model."""
    user.window.panel.select(tiny)
    user.window.go_to(user.window.generate)
    return user


def path_ids(user) -> list[int]:
    return list(user.window.generate.view.manuscript.ids)


def rest(user) -> None:
    """Until nobody asks and nobody answers."""
    user.wait(lambda: not user.window.generate.running and not user.window.decoder.busy)


def turn_to(user, view: int) -> None:
    """Another of the three views."""
    user.click(user.window.generate.segments.button(view))


def still_writes(user) -> None:
    """The page is as good as new: the untrained model writes."""
    generate = user.window.generate
    turn_to(user, WRITE)
    if generate.model_box.currentText() != UNTRAINED:
        user.choose(generate.model_box, UNTRAINED)
    before = len(user.heard(TokenDrawn))
    generate.prompt.setPlainText("Every effort moves you")
    user.write(3)
    assert user.reads("generate_notice") == ""
    assert len(user.heard(TokenDrawn)) == before + 3


# Models that are broken.


def broken_copy(source: Saved, value: float, tensors: str, home) -> Saved:
    """The same checkpoint with this value in the tensors of that name, whole as to its digests."""
    made = home / "broken" / "checkpoints" / source.path.name
    shutil.copytree(source.path, made)
    weights = {name: torch.full_like(each, value) if tensors in name else each
               for name, each in load_file(made / "model.safetensors").items()}  # fmt: skip
    save_file(weights, made / "model.safetensors")
    sums = [f"{hashlib.sha256((made / name).read_bytes()).hexdigest()}  {name}\n"
            for name in sorted(each.name for each in made.iterdir() if each.name != "SHA256SUMS")]  # fmt: skip
    (made / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return Saved(made)


def broken_model(user, home, value: float, tensors: str) -> Saved:
    """A model whose numbers are none; the user has chosen it."""
    made = broken_copy(user.train(steps=2), value, tensors, home)
    user.window.go_to(user.window.generate)
    user.window.generate.add_source(str(made.path))
    return made


@pytest.fixture(params=[math.nan, math.inf], ids=["NaN", "infinite"])
def refused(request, user, home) -> Saved:
    """Its weights are no numbers: it cannot be loaded."""
    return broken_model(user, home, request.param, "")


@pytest.fixture
def broken(user, home) -> Saved:
    """Its weights are numbers, and its logits are none."""
    return broken_model(user, home, 3e38, "out_head")


def holds_no_numbers(said: str) -> bool:
    return "holds values that are no numbers" in said


def says_of_logits(said: str) -> bool:
    return "logits are not numbers" in said


def test_that_a_model_of_no_numbers_is_refused_and_there_is_nothing_to_look_inside(refused, user):
    view = user.window.generate.view
    panes = [view.attention, view.layers, view.neighbours]
    every_pane_says_why(user, panes, holds_no_numbers, "No text yet")


def test_that_a_model_whose_logits_are_no_numbers_writes_nothing_and_says_why(broken, user):
    every_pane_says_why(user, [user.window.generate.view.layers], says_of_logits, "not numbers")


def every_pane_says_why(user, panes: list, says_why: Callable[[str], bool], inside: str) -> None:
    view = user.window.generate.view
    user.write(5)
    assert says_why(user.reads("generate_notice"))
    assert user.heard(TokenDrawn) == []
    for pane in panes:
        view.panes.setCurrentWidget(pane)
        rest(user)
        assert inside in user.reads(f"{pane.objectName()}_words")
        assert pane.words.isVisible(), "and nothing is drawn"
    view.panes.setCurrentWidget(view.choices)
    still_writes(user)


def test_that_a_model_of_no_numbers_is_not_compared_or_scored_and_both_say_why(refused, user):
    neither_compared_nor_scored(user, refused, holds_no_numbers)


def test_that_a_model_whose_logits_are_no_numbers_is_not_compared_or_scored(broken, user):
    neither_compared_nor_scored(user, broken, says_of_logits)


def neither_compared_nor_scored(user, model: Saved, says_why: Callable[[str], bool]) -> None:
    generate = user.window.generate
    turn_to(user, COMPARE)
    generate.pair.sides[1].choose(model)
    user.click(generate.pair.go)
    rest(user)
    assert says_why(user.reads("pair_notice"))
    assert not generate.pair.running
    turn_to(user, SCORE)
    generate.score.editor.setPlainText("Every effort moves you")
    user.click(generate.score.go)
    rest(user)
    assert says_why(user.reads("score_notice"))
    still_writes(user)


# Vocabularies.


def test_that_a_vocabulary_with_more_rows_than_tokens_is_shown_whole(writer, tiny):
    """Rows beyond GPT-2's 50,257 tokens have no text, and an untrained model draws them as gladly as others."""
    generate, view = writer.window.generate, writer.window.generate.view
    writer.window.panel.select(tiny.but(vocab_size=60_304))
    generate.stages.set_dials(generate.dials()._replace(top_k=None))
    writer.write(30)
    drawn = writer.heard(TokenDrawn)
    (beyond, *_) = [each for each in drawn if each.id >= 50_257]
    assert beyond.text == ""
    view.choose(beyond.position)
    assert f"⟨id {beyond.id}⟩" in writer.reads("bars_title")
    assert f"⟨id {beyond.id}⟩" in view.strip.tip_of(beyond.position)
    for pane in (view.branches, view.attention, view.layers, view.neighbours):
        view.panes.setCurrentWidget(pane)
        rest(writer)
        writer.rest(0.02)
        assert not view.grab().isNull()
    before = path_ids(writer)
    view.branch(60_303)
    rest(writer)
    assert path_ids(writer)[: beyond.position + 1] == [*before[: beyond.position], 60_303]
    assert writer.reads("generate_notice") == ""


def test_that_a_vocabulary_with_fewer_rows_refuses_what_it_does_not_know(writer, tiny):
    generate = writer.window.generate
    writer.window.panel.select(tiny.but(vocab_size=1_000))
    writer.write(3)
    assert "this model knows tokens below 1,000 only" in writer.reads("generate_notice")
    turn_to(writer, COMPARE)
    writer.click(generate.pair.temperatures)
    rest(writer)
    assert "below 1,000 only" in writer.reads("pair_notice")
    turn_to(writer, SCORE)
    generate.score.editor.setPlainText("Every effort moves you")
    writer.click(generate.score.go)
    rest(writer)
    assert "below 1,000 only" in writer.reads("score_notice")
    turn_to(writer, WRITE)
    writer.begin_writing(3, "!")
    rest(writer)
    assert writer.reads("generate_notice") == ""
    assert all(each.id < 1_000 for each in writer.heard(TokenDrawn))
    generate.view.panes.setCurrentWidget(generate.view.neighbours)
    rest(writer)
    generate.view.neighbours.look_up(" effort")
    rest(writer)
    writer.rest(0.05)
    assert "below 1,000 only" in writer.reads("neighbours_words")


# Stopping.


def drawn_so_far(user) -> int:
    """Also those that are still on their way to the window."""
    events = [*user.window.decoder._inbox, *(each for came in user.decoding for each in came)]
    events = [each.event if isinstance(each, Told) else each for each in events]
    return sum(isinstance(each, (TokenDrawn, TokenRead)) for each in events)


def stop_and_count(user) -> int:
    """Presses Escape; how many tokens came behind it."""
    user.press(Qt.Key.Key_Escape)
    so_far = drawn_so_far(user)
    rest(user)
    return drawn_so_far(user) - so_far


def ended(user) -> str:
    return [each.event if isinstance(each, Told) else each for came in user.decoding for each in came][-1].outcome


def test_that_stop_while_it_writes_ends_within_a_token(writer):
    writer.begin_writing(50_000)
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > 20)
    assert stop_and_count(writer) <= 1
    assert ended(writer) == "stopped"
    still_writes(writer)


def test_that_stop_while_a_long_prompt_is_read_ends_within_a_token(writer, tiny):
    writer.window.panel.select(tiny.but(context_length=4096))
    writer.begin_writing(5, "Every effort moves you. " * 600)
    writer.wait(lambda: writer.heard(TokenRead))
    assert stop_and_count(writer) <= 1
    assert ended(writer) == "stopped"
    assert writer.heard(TokenDrawn) == []
    still_writes(writer)


def test_that_stop_while_two_write_ends_within_a_token_of_each(writer):
    writer.window.generate.settings.editors["max_new_tokens"].set_value(50_000)
    turn_to(writer, COMPARE)
    writer.click(writer.window.generate.pair.temperatures)
    writer.wait(lambda: drawn_so_far(writer) > 20)
    assert stop_and_count(writer) <= 2
    assert ended(writer) == "stopped"
    still_writes(writer)


def test_that_stop_while_a_text_is_scored_ends_within_a_token(writer):
    score = writer.window.generate.score
    turn_to(writer, SCORE)
    score.editor.setPlainText("Every effort moves you. " * 600)
    writer.click(score.go)
    writer.wait(lambda: drawn_so_far(writer) > 20)
    assert stop_and_count(writer) <= 1
    assert ended(writer) == "stopped"
    still_writes(writer)


@pytest.fixture
def slow_to_load(monkeypatch):
    """Models are loaded when it is set, not before."""
    from gptstudio.runs import source

    go_on, real = threading.Event(), source.load
    monkeypatch.setattr(source, "load", lambda *args: go_on.wait(20) and real(*args))
    yield go_on
    go_on.set()


@pytest.mark.parametrize("view", [WRITE, COMPARE, SCORE], ids=["writing", "comparing", "scoring"])
def test_that_stop_while_the_model_is_loaded_is_heard_and_the_text_before_stays(writer, slow_to_load, tiny, view):
    generate = writer.window.generate
    slow_to_load.set()
    writer.write(3)
    before = path_ids(writer)
    slow_to_load.clear()
    writer.window.panel.select(tiny.but(emb_dim=32))
    turn_to(writer, view)
    generate.score.editor.setPlainText("Every effort moves you")
    writer.click((generate.go, generate.pair.go, generate.score.go)[view])
    assert generate.running
    writer.rest(0.1)
    writer.press(Qt.Key.Key_Escape)
    slow_to_load.set()
    rest(writer)
    assert ended(writer) == "stopped"
    assert path_ids(writer) == before
    still_writes(writer)


def test_that_stop_behind_a_click_on_a_candidate_stops_its_branch_too(writer):
    """The branch waits for the text that is being written to end."""
    writer.begin_writing(50_000)
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > 5)
    writer.window.generate.view.branch(11)
    writer.window.generate.go.setFocus()
    assert stop_and_count(writer) <= 1
    writer.rest(0.1)
    assert len(writer.heard(PromptRead)) == 1
    still_writes(writer)


def test_that_pause_while_it_plays_ends_it_within_a_token(writer):
    view = writer.window.generate.view
    writer.write(3)
    view.transport.slider.setValue(view.transport.slider.maximum())
    writer.click(view.transport.play)
    length = len(path_ids(writer))
    writer.wait(lambda: len(path_ids(writer)) > length + 3)
    length = len(path_ids(writer))
    writer.click(view.transport.play)
    rest(writer)
    writer.rest(0.1)
    assert len(path_ids(writer)) <= length + 1
    still_writes(writer)


# All at once.


def fiddle(user, times: int) -> None:
    """Whatever one can turn, drag and click while a model writes."""
    generate, view = user.window.generate, user.window.generate.view
    orders = [("top_k", "temperature", "top_p", "min_p", "repetition_penalty"), generate.dials().order]
    for number in range(times):
        view.strip.setFocus()
        generate.temperature.slider.setValue(number * 7 % 40)
        view.choices.order_dragged.emit(orders[number % 2])
        view.choices.candidate_chosen.emit(number)
        view.choose(number % max(1, len(view.strip.boxes)))
        for key, modifiers in ((Qt.Key.Key_Z, CONTROL), (Qt.Key.Key_Y, CONTROL), (Qt.Key.Key_Right, NOTHING)):
            user.press(key, modifiers)
        view.panes.setCurrentIndex(number % view.panes.count())
        user.window.panel.select(user.window.panel.config.but(n_heads=1 + number % 2))
        generate.model_box.activated.emit(0)
        for deed in (view.forward, view.back, view.play, view.end):
            deed()
        user.rest(0.01)


def written_last(user) -> list[int]:
    """The tokens that were drawn since a text was last begun."""
    ids: list[int] = []
    for each in (each for came in user.decoding for each in came):
        ids = [] if isinstance(each, PromptRead) else [*ids, each.id] if isinstance(each, TokenDrawn) else ids
    return ids


def test_that_whatever_is_turned_and_clicked_while_it_writes_it_writes_on_and_stops(writer):
    view = writer.window.generate.view
    writer.begin_writing(50_000)
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > 5)
    fiddle(writer, 40)
    writer.wait(lambda: len(written_last(writer)) > 3)
    assert stop_and_count(writer) <= 1
    ids = path_ids(writer)
    assert ids[-len(written_last(writer)) :] == written_last(writer)
    tree = view.manuscript.scene.tree
    assert view.manuscript.walk == Walk.to(tree, view.manuscript.scene.tip)
    assert tree.ids(view.manuscript.scene.tip) == ids == [box.node.id for box in view.strip.boxes]
    still_writes(writer)


@pytest.mark.parametrize("samples", [1, 3])
def test_that_the_branch_that_grows_with_the_text_is_the_one_that_the_tree_has(writer, samples):
    """At each look, not only in the end: written, branched, undone and written again."""
    generate, view = writer.window.generate, writer.window.generate.view
    generate.settings.editors["samples"].set_value(samples)
    looked = []

    def look() -> None:
        script = view.manuscript
        assert script.walk == Walk.to(script.scene.tree, script.scene.tip)
        looked.append(len(script.path))

    take = view.manuscript.take
    view.manuscript.take = lambda event: (take(event), look())
    for deed in (lambda: view.branch(11), view.undo, lambda: view.branch(12), view.redo, view.undo, view.forward):
        writer.write(3)
        view.choose(5)
        deed()
        rest(writer)
        look()
    assert len(looked) > 30


def test_that_a_tree_is_not_opened_into_a_text_that_is_being_written(writer):
    view = writer.window.generate.view
    writer.write(3)
    path = tree_files.save(view.manuscript.scene.tree, "kept", writer.window.generate.source())
    writer.begin_writing(50_000, "Another text")
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > 10)
    view.branches.open_requested.emit(path)
    writer.rest(0.2)
    assert view.text().startswith("Another text")
    assert stop_and_count(writer) <= 1
    view.branches.open_requested.emit(path)
    rest(writer)
    assert view.text().startswith("Every effort moves you")


def test_that_undo_to_another_models_text_shows_that_models_numbers(writer, tiny):
    view = writer.window.generate.view
    writer.write(3)
    shown = view.manuscript.logits(2).copy()
    writer.window.panel.select(tiny.but(emb_dim=32))
    writer.write(3)
    assert not np.allclose(view.manuscript.logits(2), shown)
    view.undo()
    view.choose(2)
    writer.wait(lambda: view.manuscript.logits(2) is not None)
    np.testing.assert_allclose(view.manuscript.logits(2), shown, atol=1e-5)


# Leaving.


def leave_writing(user) -> None:
    user.begin_writing(50_000)
    user.wait(lambda: user.heard(TokenDrawn))


def leave_reading(user) -> None:
    user.window.panel.select(user.window.panel.config.but(context_length=4096))
    user.begin_writing(5, "Every effort moves you. " * 600)
    user.wait(lambda: user.heard(TokenRead))


def leave_comparing(user) -> None:
    user.window.generate.settings.editors["max_new_tokens"].set_value(50_000)
    turn_to(user, COMPARE)
    user.click(user.window.generate.pair.temperatures)
    user.wait(lambda: drawn_so_far(user))


def leave_scoring(user) -> None:
    score = user.window.generate.score
    turn_to(user, SCORE)
    score.editor.setPlainText("Every effort moves you. " * 600)
    user.click(score.go)
    user.wait(lambda: drawn_so_far(user))


def leave_playing(user) -> None:
    user.write(3)
    user.click(user.window.generate.view.transport.play)
    user.rest(0.1)


def leave_looking_inside(user) -> None:
    user.write(3)
    user.window.generate.view.panes.setCurrentWidget(user.window.generate.view.attention)


def leave_naming(user) -> None:
    view = user.window.generate.view
    user.write(3)
    view.panes.setCurrentWidget(view.branches)
    view.branches.map.name()


def leave_fiddling(user) -> None:
    leave_writing(user)
    fiddle(user, 5)


@pytest.mark.parametrize(
    "busy",
    [leave_writing, leave_reading, leave_comparing, leave_scoring, leave_playing, leave_looking_inside, leave_naming,
     leave_fiddling],
)  # fmt: skip
def test_that_the_window_closes_at_any_moment_and_leaves_nothing(writer, busy):
    """The fixture looks for threads, timers and failures."""
    busy(writer)
    assert writer.window.close()
    assert not [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    drawn = drawn_so_far(writer)
    writer.rest(0.1)
    assert drawn_so_far(writer) == drawn


# The disk.


def test_that_a_run_that_is_gone_says_so_wherever_its_model_is_asked(user):
    generate, view = user.window.generate, user.window.generate.view
    source = user.train(steps=2)
    user.write(3)
    view.branches.save_requested.emit("kept")
    (saved,) = tree_files.saved_trees(source)
    kept = saved.path.read_bytes()
    shutil.rmtree(source.path.parent.parent)
    user.choose(generate.model_box, UNTRAINED)
    user.write(2)  # so that the model is not on the shelf any more
    generate.add_source(str(source.path))
    generate.set_sources([source], choose=source)
    user.write(2)
    assert str(source.path) in user.reads("generate_notice")
    away = source.path.parent.parent.parent / "tree.json"
    away.write_bytes(kept)
    view.branches.open_requested.emit(away)
    rest(user)
    for position in (1, 3, 1):
        view.choose(position)
        rest(user)
        assert str(source.path) in user.reads("choices_nothing"), "asked once, told, and not asked for ever"
    for pane in (view.attention, view.layers, view.neighbours):
        view.panes.setCurrentWidget(pane)
        rest(user)
        assert str(source.path) in user.reads(f"{pane.objectName()}_words")
    view.panes.setCurrentWidget(view.branches)
    view.branches.save_requested.emit("kept again")
    still_writes(user)


@pytest.mark.parametrize("harm", ["cut off", "not JSON", "no tree", "a probability of two", "gone"])
def test_that_a_broken_tree_says_so_and_the_text_stays(writer, home, harm):
    view = writer.window.generate.view
    writer.write(3)
    before, path = path_ids(writer), home / "tree.json"
    tree_files.write(view.manuscript.scene.tree, "tree", path)
    text = path.read_text(encoding="utf-8")
    if harm == "a probability of two":
        values = json.loads(text)
        values["nodes"][-1]["reading"]["probability"] = 2
        text = json.dumps(values)
    path.write_text({"cut off": text[:-100], "not JSON": "tree", "no tree": "{}"}.get(harm, text), encoding="utf-8")
    if harm == "gone":
        path.unlink()
    view.branches.open_requested.emit(path)
    assert str(path) in writer.reads("generate_notice")
    assert "Something went wrong" not in writer.reads("generate_notice")
    assert path_ids(writer) == before
    still_writes(writer)


def test_that_a_full_disk_is_told_of_and_nothing_half_written_stays(writer, home, monkeypatch):
    view = writer.window.generate.view
    writer.write(3)

    def full(handle) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    before = sorted(home.rglob("*"))
    view.branches.export_requested.emit(home / "tree.json")
    assert "No space left" in writer.reads("generate_notice")
    view.branches.save_requested.emit("kept")
    assert "No space left" in writer.reads("generate_notice")
    assert [each for each in sorted(home.rglob("*")) if each.is_file()] == [each for each in before if each.is_file()]
    still_writes(writer)


# A model in training.


@pytest.fixture
def trainer(user):
    """The user in front of a model in training."""
    user.begin_training(**LONG)
    user.window.go_to(user.window.generate)
    user.choose(user.window.generate.model_box, "The model in training, as it is now")
    yield user
    user.window._training.stop()
    user.wait(lambda: not user.window.train.running)


def learn_on(user) -> None:
    before = len(user.heard(StepDone))
    user.wait(lambda: len(user.heard(StepDone)) > before + 3)


def test_that_a_branch_of_a_model_in_training_comes_from_the_copy_that_wrote_the_text(trainer):
    view = trainer.window.generate.view
    trainer.write(6)
    learn_on(trainer)
    view.choose(6)
    view.branch(11)
    rest(trainer)
    first, second = trainer.heard(PromptRead)
    assert first.model == second.model
    assert trainer.reads("generate_notice") == ""


def test_that_a_branch_from_a_newer_copy_says_that_the_model_has_learned_on(trainer):
    """The copy that wrote the text had to make room for another model."""
    generate, view = trainer.window.generate, trainer.window.generate.view
    trainer.write(6)
    turn_to(trainer, SCORE)
    trainer.choose(generate.model_box, UNTRAINED)
    generate.score.editor.setPlainText("Every effort moves you")
    trainer.click(generate.score.go)
    rest(trainer)
    learn_on(trainer)
    turn_to(trainer, WRITE)
    view.choose(6)
    view.branch(11)
    rest(trainer)
    first, second = trainer.heard(PromptRead)
    assert first.model != second.model
    assert first.model in trainer.reads("generate_notice")
    assert second.model in trainer.reads("generate_notice")


def test_that_training_may_end_while_its_model_writes_compares_and_scores(trainer):
    generate = trainer.window.generate
    live = generate.source()
    trainer.begin_writing(50_000)
    trainer.wait(lambda: trainer.heard(TokenDrawn))
    trainer.window._training.stop()
    trainer.wait(lambda: not trainer.window.train.running)
    before = len(trainer.heard(TokenDrawn))
    trainer.wait(lambda: len(trainer.heard(TokenDrawn)) > before + 3)
    assert stop_and_count(trainer) <= 1
    assert isinstance(generate.source(), Saved)
    assert generate.source().run == live.run
    generate.settings.editors["max_new_tokens"].set_value(20)
    generate.view.choose(6)
    generate.view.branch(11)
    rest(trainer)
    assert path_ids(trainer)[6] == 11, "the copy that wrote is still there"
    still_writes(trainer)


def test_that_a_model_in_training_is_compared_with_its_own_beginning_and_scored(trainer):
    generate = trainer.window.generate
    live = generate.source()
    turn_to(trainer, COMPARE)
    trainer.click(generate.pair.models)
    rest(trainer)
    assert trainer.reads("pair_notice") == ""
    assert generate.pair.view.pairing.columns
    turn_to(trainer, SCORE)
    generate.score.editor.setPlainText("Every effort moves you")
    for _ in range(2):
        trainer.click(generate.score.go)
        rest(trainer)
        assert trainer.reads("score_notice") == ""
        learn_on(trainer)
    assert isinstance(live, Live)
