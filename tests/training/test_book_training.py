"""The book's text, its batches, and the losses and samples of its training run."""

import hashlib

import pytest

from gptstudio import devices
from gptstudio.data import texts
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batches
from gptstudio.training.events import Evaluated, SampleWritten, StepDone
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.trainer import train


def batches(ids, context: int, stride: int, size: int) -> list:
    return list(Batches(ids, context, stride, size, shuffle=False, drop_last=True))


def test_that_the_verdict_is_the_text_of_the_book(verdict, numbers):
    text, figures = texts.read("verdict"), numbers["the_verdict"]
    assert len(text.content) == figures["characters"]
    assert len(GPT2.encode(text.content)) == figures["tokens"]
    assert text.sha256 == figures["sha256"] == hashlib.sha256(verdict.read_bytes()).hexdigest()
    assert figures["sha256"] == texts.VERDICT_SHA256


def test_that_the_verdict_is_decoded_unchanged_from_its_tokens(verdict):
    content = texts.read("verdict").content
    assert GPT2.decode(GPT2.encode(content)) == content


def test_that_the_first_pair_is_the_books(verdict, numbers):
    inputs, targets = batches(GPT2.encode(texts.read("verdict").content), context=4, stride=1, size=1)[0]
    expected = numbers["the_verdict"]["first_pair_max_length_4_stride_1"]
    assert [inputs[0].tolist(), targets[0].tolist()] == expected


def test_that_the_first_batch_of_eight_is_the_books(verdict, numbers):
    inputs, targets = batches(GPT2.encode(texts.read("verdict").content), context=4, stride=4, size=8)[0]
    assert inputs.tolist() == numbers["the_verdict"]["batch_8x4_stride_4_inputs"]
    assert targets.tolist() == numbers["the_verdict"]["batch_8x4_stride_4_targets"]


def test_that_the_books_run_has_nine_steps_in_an_epoch(verdict):
    spec = TrainSpec(config=PRESETS["book"])
    plan = corpus.plan(spec, corpus.read(spec))
    assert (plan.train_tokens, plan.val_tokens) == (4612, 534)
    assert (plan.train_windows, plan.val_windows, plan.steps_per_epoch, plan.total_steps) == (18, 2, 9, 90)


@pytest.mark.release
@pytest.mark.timeout(1200)
def test_that_reference_arithmetic_gives_the_books_losses_and_samples(verdict, numbers, tmp_path, threads):
    """For any number of threads: two and one take turns, at steps, evaluations and samples. The window trains the first
    epoch: ``tests/gui/test_main_job.py``."""
    threads(2)
    figures = numbers["training_the_verdict"]
    spec = TrainSpec(config=PRESETS["book"], reference=True, device="cpu", save_every_s=None, epochs=3)
    assert {name: getattr(spec.config, name) for name in figures["config"]} == figures["config"]
    text = corpus.read(spec)
    folder = RunFolder.create(spec, text.text.name, text.text.sha256, tmp_path / "run")
    evaluated, samples = [], {}
    with devices.reusing_freed_memory():
        for event in train(spec, text, folder, Control()):
            match event:
                case StepDone():
                    threads(1 + event.step % 2)
                case Evaluated():
                    evaluated.append([event.step, event.train_loss, event.val_loss])
                case SampleWritten() if (event.step + 1) % 9 == 0:
                    samples[str(event.epoch)] = event.text.replace("\n", " ").rstrip()  # as printed
    expected = figures["evaluations_step_train_val"][: len(evaluated)]
    assert [row[0] for row in evaluated] == [0, 5, 10, 15, 20, 25]
    for (step, *losses), (_, *printed) in zip(evaluated, expected, strict=True):
        assert losses == pytest.approx(printed, abs=0.51e-3), f"step {step}"
    assert samples == {epoch: figures["samples_by_epoch"][epoch] for epoch in ("1", "2", "3")}
