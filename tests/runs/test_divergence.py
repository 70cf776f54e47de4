"""A loss that is no number any more ends the run: which step, which batch, why, and what is left."""

import pytest
import torch
from whole_runs import equal

from gptstudio import devices
from gptstudio.gpt import tokenizer
from gptstudio.runs import checkpoint, corpus, trainer
from gptstudio.runs.bench import prepare, resume_tensors
from gptstudio.runs.control import Control
from gptstudio.runs.divergence import NotFinite
from gptstudio.runs.events import CheckpointSaved, StepDone

NAN, INF = float("nan"), float("inf")


def breaks(monkeypatch, step: int, value: float) -> list[str]:
    """The loss of a step becomes ``value``. Returns a list that then gets the text its batch began with."""
    real, begins = trainer.batch_loss, []

    def batch_loss(bench, batch):
        loss = real(bench, batch)
        if not bench.model.training or bench.progress.step - 1 != step:
            return loss
        begins.append(tokenizer.decode(batch[0][0, :12].tolist()))
        return loss * value

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    return begins


@pytest.mark.parametrize(("value", "word"), [(NAN, "nan"), (INF, "inf")])
@pytest.mark.parametrize(
    ("step", "place"), [(0, "step 1 of epoch 1"), (7, "step 8 of epoch 1"), (20, "step 9 of epoch 2")]
)
def test_that_a_run_ends_at_the_step_whose_loss_is_no_number(study, monkeypatch, value, word, step, place):
    begins = breaks(monkeypatch, step, value)
    run = study(steps=30)
    assert [event.step for event in run.of(StepDone)] == list(range(step))
    assert (run.ended.outcome, run.ended.user_error) == ("failed", True)
    assert f"The loss is {word} at step {step}: {place}, on the batch that begins" in run.ended.words
    assert " ".join(begins[0].split()) in run.ended.words
    assert "\n" not in run.ended.words


def test_that_a_gradient_that_is_no_number_ends_the_run_also_where_the_loss_is_one(study, monkeypatch):
    real = trainer.batch_loss

    def batch_loss(bench, batch):
        loss = real(bench, batch)
        if loss.requires_grad and bench.progress.step - 1 == 3:
            loss.register_hook(lambda gradient: gradient * INF)
        return loss

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    run = study()
    assert [event.step for event in run.of(StepDone)] == [0, 1, 2]
    assert "The gradient's length is " in run.ended.words
    assert "at step 3:" in run.ended.words


RATE, CLIP = "a learning rate of", "gradients that are never clipped"
WARM_UP = "a full learning rate from the first step"


@pytest.mark.parametrize(
    ("changes", "likely", "not_possible"),
    [
        ({"learning_rate": 1e-2}, [RATE + " 0.01, where 0.001 is already high (try 0.001)", CLIP, WARM_UP], ["bf16"]),
        ({"learning_rate": 1e-2, "gradient_clip": 1.0}, [RATE, WARM_UP], [CLIP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 5}, [RATE, CLIP], [WARM_UP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 0}, [RATE, CLIP, WARM_UP], []),
        ({"learning_rate": 3e-4}, [CLIP, WARM_UP, RATE + " 0.0003 that is too high for this model (try 3e-05)"], []),
        ({"precision": "bf16"}, [RATE, CLIP, WARM_UP, "sums that bf16 rounds away (try fp32)"], []),
    ],
    ids=["rate", "clipped", "warmed up", "cold cosine", "low rate", "bf16"],
)
def test_that_the_causes_are_those_that_the_run_could_have_the_likeliest_first(
    study, monkeypatch, changes, likely, not_possible
):
    breaks(monkeypatch, 2, NAN)
    words = study(**changes).ended.words
    places = [words.index(cause) for cause in likely]
    assert places == sorted(places)
    assert not any(cause in words for cause in not_possible)
    assert words.index("The likeliest causes, the first first: ") < places[0]


@pytest.mark.parametrize("value", [NAN, INF])
@pytest.mark.parametrize("clip", [0.0, 1.0])
def test_that_the_step_that_breaks_leaves_weights_and_optimizer_as_they_were(tiny_spec, monkeypatch, value, clip):
    spec = tiny_spec(accumulation=2)
    bench = prepare(spec, corpus.read(spec), devices.cpu(), bf16=False)
    steps = bench.steps(3, Control())
    trainer.training_step(bench, next(steps)[1], clip)

    def all_tensors() -> dict[str, torch.Tensor]:
        state = bench.model.state_dict() | resume_tensors(bench)
        return {name: tensor.clone() for name, tensor in state.items() if not name.startswith(("chance", "order"))}

    before = all_tensors()
    breaks(monkeypatch, 1, value)
    with pytest.raises(NotFinite):
        trainer.training_step(bench, next(steps)[1], clip)
    assert equal(all_tensors(), before)


def test_that_the_last_checkpoint_is_kept_and_offered(study, monkeypatch):
    breaks(monkeypatch, 30, NAN)
    run = study(steps=60, save_every_epochs=1)
    assert [event.step for event in run.of(CheckpointSaved)] == [11, 23]
    kept = run.folder.newest_checkpoint()
    assert kept.name == "step-000023"
    assert "The checkpoint step-000023 from before is kept: go on from there" in run.ended.words
    assert all(parameter.isfinite().all() for parameter in checkpoint.load(kept).parameters())


def test_that_a_run_without_a_checkpoint_says_so_when_it_diverges(study, monkeypatch):
    breaks(monkeypatch, 4, NAN)
    run = study()
    assert "No checkpoint had been saved yet." in run.ended.words
    assert run.folder.checkpoints() == []


def test_that_an_absurd_learning_rate_is_found_out_by_the_run_itself(study):
    run = study(steps=60, learning_rate=10.0, weight_decay=10.0)
    assert run.ended.outcome == "failed"
    assert "a learning rate of 10, where 0.001 is already high (try 1)" in run.ended.words
