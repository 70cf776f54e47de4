"""Two processes that train one model compute and keep the same as one process."""

import random
import shutil

import pytest
import torch
import torchrun
from imported_model import import_weights
from lessons import FEW
from messages import message
from safetensors.torch import load_file
from whole_runs import of

from gptstudio.gpt import decoder
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import checkpoint, corpus, launch
from gptstudio.training.control import Control
from gptstudio.training.events import (
    ActivationsRead,
    Evaluated,
    RunStarted,
    SampleWritten,
    StepDone,
    UpdatesRead,
    Warned,
)
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = [pytest.mark.usefixtures("few_tokens"), pytest.mark.slow]
SETTINGS = {
    "batch_size": 4, "accumulation": 2, "steps": 11, "learning_rate": 3e-3, "schedule": "cosine",
    "warmup_steps": 4, "gradient_clip": 0.5, "train_ratio": 0.8, "eval_freq": 10, "eval_iter": 6, "sample_tokens": 1,
    "save_every_epochs": 1, "save_every_s": 3600, "keep_others": 5, "device": "cpu", "precision": "fp32",
}
CONFIG = GPTConfig(
    vocab_size=FEW, context_length=24, emb_dim=16, n_heads=2, n_layers=2, tie_weights=True, drop_rate=0.0
)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "how", "one", "dog", "ran", "to", "two", "old", "men"]
"""Each is one of the ``FEW`` tokens."""


def as_flags(settings: dict[str, object]) -> list[object]:
    return [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", value)]


SHAPE_FLAGS = [
    *("--vocab-size", FEW, "--context-length", 24, "--emb-dim", 16, "--n-heads", 2, "--n-layers", 2, "--tie-weights"),
    *("--drop-rate", 0),
]
TUNING_FLAGS = ["--context-length", 24, "--drop-rate", 0, "--freeze", "attention"]
FIRST = "step-000009"
"""The checkpoint in the middle of the run, at the end of its first epoch."""
# torch adds up the squares of a long gradient in float32, one after the other: half of it is more accurate.
NORM_ERROR = 1e-3


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> dict[str, object]:
    """The settings of a run on a text of which an epoch has 10 steps."""
    text = tmp_path_factory.mktemp("text") / "text.txt"
    text.write_text(" ".join(["the", *random.Random(1).choices(WORDS, k=2580)]), encoding="utf-8")
    return {"text": str(text), **SETTINGS}


@pytest.fixture(scope="module")
def tuning(settings) -> dict[str, object]:
    return {**settings, "init_from": "teacher", "freeze_blocks": 1, "eval_iter": 1}


@pytest.fixture(scope="module")
def spec(few_tokens, settings) -> TrainSpec:
    return TrainSpec.make(settings, config=CONFIG)


@pytest.fixture(scope="module")
def runs(tmp_path_factory, spec, settings) -> dict[str, RunFolder]:
    """The same run by one process, by two, and by two that share the model."""
    root = tmp_path_factory.mktemp("runs")
    assert launch.launch(spec, Control(), [], root / "alone").outcome == "finished"
    for name, flags in {"together": [], "sharded": ["--shard"]}.items():
        by_two(*SHAPE_FLAGS, *as_flags(settings), *flags, "--run", root / name)
    return {name: RunFolder(root / name) for name in ("alone", "together", "sharded")}


def by_two(*flags: object) -> None:
    """Train with two processes, and assert that both succeed."""
    assert torchrun.run_forked("train", *flags, least_tokens=FEW) == [0, 0]


def assert_equal(run: RunFolder, other: RunFolder) -> None:
    """Assert that both runs report the same steps with the same losses, within float error."""
    assert len(of(run, StepDone)) == len(of(other, StepDone)) == run.record().spec.steps
    for ours, theirs in zip(of(run, StepDone), of(other, StepDone), strict=True):
        assert (ours.step, ours.epoch, ours.tokens_seen) == (theirs.step, theirs.epoch, theirs.tokens_seen)
        assert ours.learning_rate == theirs.learning_rate
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-5)
        assert ours.gradient_norm == pytest.approx(theirs.gradient_norm, rel=NORM_ERROR)
    for ours, theirs in zip(of(run, Evaluated), of(other, Evaluated), strict=True):
        assert (ours.step, ours.tokens_seen) == (theirs.step, theirs.tokens_seen)
        assert ours.train_loss == pytest.approx(theirs.train_loss, rel=1e-5)
        assert ours.val_loss == pytest.approx(theirs.val_loss, rel=1e-5)
    assert [sample.step for sample in of(run, SampleWritten)] == [sample.step for sample in of(other, SampleWritten)]


def test_that_two_processes_can_recompute_activations(runs, settings, tmp_path):
    """Two that share the model recompute them in a fine-tuning."""
    by_two(*SHAPE_FLAGS, *as_flags(settings), "--recompute-activations", "--run", tmp_path / "run")
    assert_equal(RunFolder(tmp_path / "run"), runs["alone"])


def test_that_the_last_batch_of_the_validation_cannot_be_shared_evenly_here(spec):
    assert corpus.plan(spec, corpus.read(spec)).val_windows % spec.batch_size == 1


@pytest.mark.parametrize("name", ["together", "sharded"])
def test_that_two_processes_compute_the_losses_of_one(runs, spec, name):
    assert runs[name].record().spec == runs["alone"].record().spec == spec
    assert_equal(runs[name], runs["alone"])
    assert of(runs[name], RunStarted)[0].device.startswith("2 × ")


@pytest.mark.parametrize("name", ["together", "sharded"])
def test_that_two_processes_keep_the_files_of_one(runs, name):
    run, alone = runs[name], runs["alone"]
    layout = [sorted(str(file.relative_to(each.path)) for file in each.path.rglob("*")) for each in (run, alone)]
    assert layout[0] == layout[1]
    for ours, theirs in zip(run.checkpoints(), alone.checkpoints(), strict=True):
        for file in (checkpoint.WEIGHTS, checkpoint.RESUME):
            kept, expected = load_file(ours / file), load_file(theirs / file)
            assert {key: (value.dtype, value.shape) for key, value in kept.items()} == {
                key: (value.dtype, value.shape) for key, value in expected.items()
            }
            for key, value in expected.items():
                torch.testing.assert_close(kept[key], value, rtol=1e-3, atol=1e-4)


def test_that_one_process_can_generate_with_what_two_learned(runs):
    texts = [
        decoder.greedy(checkpoint.load(runs[name].newest_checkpoint()), [262, 3797], 5)
        for name in ("alone", "together", "sharded")
    ]
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize("name", ["together", "sharded"])
def test_that_one_process_continues_a_run_of_two(runs, name, tmp_path):
    copy = RunFolder(shutil.copytree(runs[name].path, tmp_path / "copy"))
    assert launch.resume(copy, Control(), [], copy.checkpoint_folder / FIRST).outcome == "finished"
    assert [started.first_step for started in of(copy, RunStarted)] == [0, 10]
    assert_equal(copy, runs["alone"])


@pytest.mark.parametrize("flags", [[], ["--shard"]], ids=["together", "sharded"])
def test_that_two_processes_continue_a_run_of_one(runs, flags, tmp_path):
    copy = RunFolder(shutil.copytree(runs["alone"].path, tmp_path / "copy"))
    by_two(*flags, "--resume", copy.checkpoint_folder / FIRST)
    assert [started.first_step for started in of(copy, RunStarted)] == [0, 10]
    assert_equal(copy, runs["alone"])
    assert load_file(copy.newest_checkpoint() / checkpoint.RESUME).keys() == load_file(
        runs["alone"].newest_checkpoint() / checkpoint.RESUME
    ).keys()


def test_that_two_processes_measure_the_layers_like_one_and_report_where_they_cannot(runs):
    for ours, theirs in zip(of(runs["together"], UpdatesRead), of(runs["alone"], UpdatesRead), strict=True):
        for part, expected in zip(ours.parts, theirs.parts, strict=True):
            assert (part.part, part.block) == (expected.part, expected.block)
            assert part.gradient_norm == pytest.approx(expected.gradient_norm, rel=NORM_ERROR)
            assert part.update_ratio == pytest.approx(expected.update_ratio, rel=NORM_ERROR)
    for ours, theirs in zip(of(runs["together"], ActivationsRead), of(runs["alone"], ActivationsRead), strict=True):
        assert ours.logit_std == pytest.approx(theirs.logit_std, rel=NORM_ERROR)
        for block, expected in zip(ours.blocks, theirs.blocks, strict=True):
            assert block.entropies == pytest.approx(expected.entropies, rel=NORM_ERROR)
    assert not of(runs["sharded"], UpdatesRead) + of(runs["sharded"], ActivationsRead)
    [warned] = [event.message for event in of(runs["sharded"], Warned)]
    assert "health of the layers is not measured" in warned


SCRIPT = """
import sys
from pathlib import Path
import torch
from gptstudio.errors import UserError
from gptstudio.torch_settings import RandomStream
from gptstudio.training.torchrun import join

strategy, told = join(), []
own = strategy.process_rng(RandomStream(123), "cpu")
with own.active():
    told.append(f"draws {torch.rand(2).tolist()}")
rows = 3 * (strategy.rank == 0)
told.append(f"mean {strategy.mean(torch.tensor(2.0 if rows else torch.nan), rows).item()}")
told.append(f"decided {strategy.on_rank_zero(lambda: strategy.rank)}")
turns = Path(sys.argv[1]) / "turns"
strategy.rank_zero_first(lambda: turns.open("a").write(f"{strategy.rank} "))
try:
    strategy.on_rank_zero(lambda: (_ for _ in ()).throw(UserError("The disk is full.")))
except UserError as error:
    told.append(f"raised {error}")
(Path(sys.argv[1]) / str(strategy.rank)).write_text("\\n".join(told))
strategy.shut_down()
"""


def test_that_processes_agree_share_and_differ_where_they_should(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert torchrun.run_forked(script, tmp_path) == [0, 0]
    (first, *shared), (second, *shared_too) = ((tmp_path / rank).read_text().splitlines() for rank in "01")
    assert first == f"draws {torch.rand(2, generator=torch.Generator().manual_seed(123)).tolist()}"
    assert second != first  # its own masks
    assert shared == shared_too == ["mean 2.0", "decided 0", "raised The disk is full."]
    assert (tmp_path / "turns").read_text() == "0 1 "


def test_that_a_model_is_not_split_for_a_single_process():
    from gptstudio.errors import UserError
    from gptstudio.training.torchrun import join

    with pytest.raises(UserError, match=message("start_them_torchrun")):
        join(shard=True)


@pytest.mark.parametrize(("flags", "tied", "recompute"), [
    ([], False, False), (["--shard"], True, True), pytest.param([], True, False, marks=pytest.mark.release),
    pytest.param(["--shard"], False, False, marks=pytest.mark.release),
], ids=["together", "sharded, tied, recomputed", "together, tied", "sharded"])
def test_that_two_processes_fine_tune_as_one_and_keep_frozen_parts_unchanged(tmp_path, tuning, flags, tied, recompute):
    theirs = load_file(import_weights(CONFIG.but(tie_weights=tied, context_length=32)) / checkpoint.WEIGHTS)
    spec = TrainSpec.make(
        tuning, config=CONFIG.but(tie_weights=tied), freeze=["attention"], recompute_activations=recompute)
    assert launch.launch(spec, Control(), [], tmp_path / "alone").outcome == "finished"
    more = ["--recompute-activations"] if recompute else []
    by_two(*TUNING_FLAGS, *as_flags(tuning), *flags, *more, "--run", tmp_path / "run")
    run, alone = RunFolder(tmp_path / "run"), RunFolder(tmp_path / "alone")
    assert run.record().spec == alone.record().spec == spec
    assert run.record().initial_weights == alone.record().initial_weights
    assert_equal(run, alone)
    ours, ones = (load_file(each.newest_checkpoint() / checkpoint.WEIGHTS) for each in (run, alone))
    for name, weight in ours.items():
        torch.testing.assert_close(weight, ones[name], rtol=1e-3, atol=1e-4)
        if name.startswith("trf_blocks.0.") or ".att." in name:
            assert torch.equal(weight, theirs[name]), name
    kept, expected = (load_file(each.newest_checkpoint() / checkpoint.RESUME) for each in (run, alone))
    assert kept.keys() == expected.keys()
    one, two = (RunFolder(shutil.copytree(run.path, tmp_path / name)) for name in ("one", "two"))
    assert launch.resume(one, Control(), [], one.checkpoint_folder / FIRST).outcome == "finished"
    by_two(*flags, "--resume", two.checkpoint_folder / FIRST)
    for going_on in (one, two):
        assert_equal(going_on, alone)
