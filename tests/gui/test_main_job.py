"""The main job through the real window: build, train, generate."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gpt import decoder
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import checkpoint, run_folder
from gptstudio.training.events import Evaluated, PromptRead, StepDone, TokenDrawn
from gptstudio.training.model_source import SavedModel
from gptstudio.training.spec import TrainSpec


def test_that_a_model_is_typed_in_trained_for_two_epochs_and_writes(user):
    window, train, generate = user.window, user.train, user.generate
    for name, value in {"emb_dim": "16", "n_heads": "2", "n_layers": "1", "context_length": "16"}.items():
        user.type(f"config_{name}", value)
    for name, value in {"epochs": "2", "batch_size": "8", "stride": "128", "sample_tokens": "5"}.items():
        user.type(f"train_{name}", value)
    user.click(user.find("use_story"))
    user.wait(train.start_button.isEnabled)
    train.start()
    train.wait_ended()

    steps, evaluations = user.received(StepDone), user.received(Evaluated)
    assert len(steps) == 8
    assert steps[-1].epoch == 2
    drawn = {name: train.loss.drawn(name) for name in train.loss.names}
    assert drawn == {"step": len(steps), "training": len(evaluations), "validation": len(evaluations)}
    assert train.losses("step") == [step.loss for step in steps]
    assert train.losses("validation") == [each.val_loss for each in evaluations]
    assert user.reads("step_counter") == "8"
    assert user.reads("step_of") == "of 8 steps  ·  epoch 2 of 2"
    assert train.figure("loss") == f"{steps[-1].loss:.3f}"
    assert train.figure("validation") == f"{evaluations[-1].val_loss:.3f}"
    assert train.progress.value() == train.progress.maximum() == 8
    assert [(each.epoch, each.text[:16]) for each in train.samples] == [
        (1, "Every effort mov"), (2, "Every effort mov")
    ]
    assert user.find("samples").toPlainText().startswith("Every effort moves you")
    assert user.reads("phase").startswith("Finished and saved.")
    assert train.start_button.text() == "New run"

    source = generate.source
    (run,) = run_folder.all_runs()
    assert source == SavedModel(run.newest_checkpoint()), "the newest run was not chosen by itself"
    QTest.mouseClick(window.tabs.bar, Qt.MouseButton.LeftButton, pos=window.tabs.bar.tabRect(1).center())
    generate.set_parameter("temperature", "0")
    user.type("generate_max_new_tokens", "100")
    lengths = []
    window.tasks.delivered.connect(lambda task, items: lengths.append(len(generate.strip.boxes)))
    generate.go()
    generate.wait_ended()

    prompt = GPT2.encode("Every effort moves you")
    model = checkpoint.load(source.path)
    assert [token.id for token in user.received(TokenDrawn)] == decoder.greedy(model, prompt, 100)[len(prompt) :]
    assert user.received(PromptRead)[0].model == source.name
    assert len(generate.strip.boxes) == len(prompt) + 100
    assert any(0 < length < len(generate.strip.boxes) for length in lengths), f"the tokens came all at once: {lengths}"
    assert generate.written().startswith("Every effort moves you")
    for side in ("before", "after"):
        assert sum(getattr(row, side) for row in generate.choices()) == pytest.approx(1)
    assert re.fullmatch(r"50,\d{3} more", generate.choices()[-1].name)


def prepare_the_books_run(user) -> None:
    user.train.set(reference=True)
    user.train.use_text("verdict")
    user.choose(user.panel.preset, "book")
    user.type("train_epochs", "1")
    user.wait(user.train.start_button.isEnabled)
    assert user.reads("plan").startswith("4,612 training tokens, 534 validation tokens  ·  steps per epoch: 9")


def test_that_the_books_run_is_a_text_a_preset_and_its_arithmetic(verdict, user):
    """The results are tested before a release, by the next test."""
    prepare_the_books_run(user)
    expected = TrainSpec(config=PRESETS["book"], text=("verdict",), epochs=1, reference=True)
    assert user.train.spec == expected.but(device=user.train.spec.device)


@pytest.mark.release
@pytest.mark.timeout(900, method="thread")
def test_that_the_books_model_learns_the_verdict_as_printed_and_writes(verdict, user, numbers):
    """The book's own run (§5.2): 163 million parameters, nine steps an epoch, in the book's arithmetic. A single step
    and its evaluation take 45 s. The test before this one checks the settings every day,
    ``tests/history/test_printed_run.py`` the printed losses, ``tests/gui/labs/test_greedy_page.py`` the output of the
    book's untrained model, and the first test of this file the way from Start to a text.
    ``tests/training/test_book_training.py`` tests the other epochs, also before a release."""
    train, generate, steps = user.train, user.generate, 9
    prepare_the_books_run(user)
    user.type("train_steps", f"{steps}")
    user.wait(train.start_button.isEnabled)
    train.start()
    train.wait_ended(600)
    assert user.reads("phase").startswith("Finished and saved."), user.reads("train_notice")
    done, evaluations = user.received(StepDone), user.received(Evaluated)
    assert train.losses("step") == [step.loss for step in done]
    assert len(done) == steps
    assert done[0].loss == pytest.approx(10.98, abs=0.05), "an untrained model guesses: ln 50,257 is 10.82"
    figures = numbers["training_the_verdict"]
    printed = [each for each in figures["evaluations_step_train_val"] if each[0] < steps]
    for each, (step, *losses) in zip(evaluations, printed, strict=True):
        assert each.step == step
        assert [each.train_loss, each.val_loss] == pytest.approx(losses, abs=0.51e-3)
    (sample,) = train.samples
    assert sample.text.replace("\n", " ").rstrip() == figures["samples_by_epoch"]["1"]
    assert isinstance(generate.source, SavedModel)
    assert generate.source.path == run_folder.all_runs()[0].newest_checkpoint()
    user.go_to("generate")
    user.type("generate_max_new_tokens", "5")
    generate.go()
    generate.wait_ended(120)
    assert user.reads("generate_notice") == ""
    assert len(user.received(TokenDrawn)) == 5
    assert len(generate.strip.boxes) == 9
    assert sum(row.after for row in generate.choices()) == pytest.approx(1)
