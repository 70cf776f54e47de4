"""Generating with the model in training, in its current state."""

import threading

from messages import message
from pages.workers import at_once
from PySide6.QtCore import Qt

from gptstudio.app.requests import ModelCache, Write
from gptstudio.gpt import decoder
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.model_names import display_name
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, PromptRead, StepDone, TokenDrawn
from gptstudio.training.model_source import LiveModel, SavedModel, TextNgrams, UntrainedModel

LONG = {"steps": 5000, "eval_freq": 1000}
NAME = "Model in training, current state"


def pause(user) -> None:
    user.train.pause_from_afar(True)
    user.train.wait_paused()


def talk(user, tokens: int = 3) -> str:
    """Let the live model write at temperature 0; return the model name with the text."""
    user.go_to("generate")
    user.choose(user.generate.model_box, NAME)
    assert isinstance(user.generate.source, LiveModel)
    user.generate.set_parameter("temperature", "0")
    user.generate.write(tokens)
    assert user.reads("generate_notice") == ""
    return user.received(PromptRead)[-1].model


def test_that_the_live_model_is_offered_first_but_an_untrained_one_chosen_by_the_user_stays_chosen(user):
    box = user.generate.model_box
    assert box.findText(NAME) == -1
    user.train.begin(**LONG)
    assert box.itemText(0) == NAME
    run = user.generate.source
    assert isinstance(run, LiveModel), "in the place of the untrained one"
    pause(user)
    assert box.itemText(0) == NAME
    user.train.stop()
    assert box.findText(NAME) == -1

    saved = user.generate.source
    assert isinstance(saved, SavedModel)
    assert saved.run == run.run
    user.train.continue_run()
    user.wait(lambda: user.train.run and user.generate.offers(run))
    user.choose(user.generate.model_box, NAME)
    user.train.stop()
    assert user.generate.source.run == run.run, "also where that checkpoint was known before"

    user.train.reset()
    user.wait(lambda: not user.busy("training"))
    user.train.prepare(**LONG)
    user.go_to("generate")
    user.generate.model_box.activated.emit(0)  # as when it is picked from the open list
    user.go_to("train")
    user.train.start()
    user.wait(user.train.losses)
    assert isinstance(user.generate.source, UntrainedModel)
    user.train.stop()


def test_that_another_model_that_continues_its_text_is_not_named_as_the_copy(trainer):
    trainer.go_to("generate")
    trainer.choose(trainer.generate.model_box, message("untrained_model_panel"))
    trainer.generate.write(5)
    trainer.choose(trainer.generate.model_box, NAME)
    assert "as it is now" in trainer.reads("model_name")
    trainer.generate.choose(len(trainer.generate.text.path) - 3)
    trainer.generate.branch(7)
    trainer.generate.wait_ended()
    assert "untrained" in trainer.received(PromptRead)[-1].model
    assert "as it is now" in trainer.reads("model_name")


def test_that_it_writes_during_training_one_copy_is_kept_and_its_text_is_compared_with_a_table(trainer):
    name = talk(trainer)
    step = int(name.rpartition(" ")[2].replace(",", ""))
    last = trainer.received(StepDone)[-1].step
    assert 0 <= step <= last + 1
    assert display_name(name) in trainer.reads("model_name")
    before = len(trainer.received(StepDone))
    trainer.wait(lambda: len(trainer.received(StepDone)) > before + 3)

    talk(trainer)
    (kept,) = trainer.generate.models_kept
    assert isinstance(kept.source, LiveModel)

    trainer.generate.turn_to_view(1)
    trainer.wait(trainer.generate.compare_table_button.isEnabled)
    trainer.click(trainer.generate.compare_table_button)
    trainer.wait(lambda: not trainer.generate.comparing)
    left, right = (card.source() for card in trainer.generate.view.pair.sides)
    assert isinstance(left, LiveModel)
    assert isinstance(right, TextNgrams)
    assert trainer.generate.compared[0].cells[1]
    assert trainer.train.running


def test_that_a_paused_run_answers_with_the_model_that_it_then_saves(user):
    """The text is that of the checkpoint of that step, and each text has its own snapshot."""
    user.train.begin(**LONG)
    pause(user)
    step = user.received(StepDone)[-1].step
    assert talk(user, 8).endswith(f"as it was after step {step + 1:,}")
    first = [token.id for token in user.received(TokenDrawn)]
    user.window.training.step()
    user.wait(lambda: len(user.received(StepDone)) == step + 2 and user.train.paused)
    assert talk(user, 8).endswith(f"as it was after step {step + 2:,}")
    second = [token.id for token in user.received(TokenDrawn)][len(first) :]
    user.train.stop_from_afar()
    model = checkpoint.load(user.generate.source.path)
    prompt = GPT2.encode("Every effort moves you")
    assert decoder.greedy(model, prompt, 8)[len(prompt) :] == second


def test_that_generating_does_not_change_the_run(user):
    user.train.to_end(steps=12, eval_freq=10)
    alone = user.train.losses()
    user.train.begin(steps=LONG["steps"], eval_freq=10)  # long enough that the model writes before it ends
    talk(user)
    user.wait(lambda: len(user.train.losses()) > len(alone))
    user.train.stop_from_afar()
    assert user.train.losses()[: len(alone)] == alone


def test_that_a_wait_for_a_snapshot_can_be_stopped(user, monkeypatch):
    """A step of a large model takes long."""
    from gptstudio.training import trainer

    real, proceed = trainer.training_step, threading.Event()
    proceed.set()
    monkeypatch.setattr(trainer, "training_step", lambda *args: proceed.wait(20) and real(*args))
    user.train.begin(**LONG)
    proceed.clear()
    user.rest(0.2)
    user.go_to("generate")
    user.choose(user.generate.model_box, NAME)
    user.generate.begin(3)
    user.rest(0.2)
    assert user.generate.running
    user.press(Qt.Key.Key_Escape)
    user.generate.wait_ended(5)
    assert user.received(Ended)[-1].outcome == "stopped"
    proceed.set()
    user.train.stop_from_afar()


def test_that_a_request_after_the_end_of_a_run_is_reported(tmp_path):
    control, models = Control(), ModelCache()
    control.close()
    models.snapshot = control.snapshot
    events, *_ = at_once(models.work(Write(GenerateSpec(max_new_tokens=3), LiveModel("a run"))))
    (ended,) = [each for each in events if isinstance(each, Ended)]
    assert ended.outcome == "failed"
    assert message("run_ended") in ended.message
