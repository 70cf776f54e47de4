"""The sources of a model: a preset, a run, a checkpoint; and the message where there is none."""

import shutil
import tracemalloc

import pytest
import torch

from gptstudio import devices, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.training import checkpoint, checkpoint_files, model_source
from gptstudio.training.model_source import SavedModel, UntrainedModel

pytestmark = pytest.mark.usefixtures("few_tokens")

HUGE = GPTConfig(vocab_size=1_000_000, emb_dim=65_536, n_heads=64, n_layers=1_000, context_length=1_024)


@pytest.fixture
def run(study):
    return study(steps=2).folder


def test_that_a_presets_name_gives_an_untrained_model():
    assert model_source.resolve("book", seed=7) == UntrainedModel(PRESETS["book"], 7)
    assert "book" in model_source.resolve("book").name


def test_that_a_run_is_named_by_its_folder_its_checkpoint_or_its_weights(run):
    saved = run.newest_checkpoint()
    for name in (run.path, saved, saved / checkpoint.WEIGHTS):
        assert model_source.resolve(str(name)) == SavedModel(saved)
    assert SavedModel(saved).name == "run, step 2"


def with_better(run):
    """Give a run a checkpoint before its last, with a lower validation loss."""
    last = run.newest_checkpoint()
    first = shutil.copytree(last, last.with_name("step-000001"))
    lower = checkpoint_files.read_state(first).model_copy(update={"step": 1, "val_loss": 0.5})
    checkpoint_files.replace_state(first, lower)
    return first


def test_that_a_checkpoint_is_named_below_its_run_and_the_best_is_found(home, study):
    run = study(steps=4, eval_freq=1).folder
    first = with_better(run)
    shutil.move(run.path, paths.runs() / "mine")
    saved = paths.runs() / "mine" / "checkpoints"
    assert model_source.resolve(f"mine/checkpoints/{first.name}") == SavedModel(saved / first.name)
    for name in ("mine", str(paths.runs() / "mine")):
        assert model_source.resolve(model_source.best_of_run(name)) == SavedModel(saved / first.name)
        assert model_source.resolve(name) != SavedModel(saved / first.name)


@pytest.mark.parametrize("name", ["workshop", "nothing", ""])
def test_that_only_a_run_has_a_best_checkpoint(name):
    with pytest.raises(UserError, match="is not a run"):
        model_source.best_of_run(name)


@pytest.mark.parametrize("name", ["nothing", "", "x" * 5000, "a\x00b", "~nobody-of-this-name/run", "/"])
def test_that_a_missing_model_is_reported_with_the_existing_ones_and_presets(name):
    with pytest.raises(UserError) as caught:
        model_source.resolve(name)
    assert "workshop, pocket, book, gpt2-small" in str(caught.value)


def test_that_the_same_seed_gives_the_same_model_and_the_random_state_is_left_alone():
    cfg, before = GPTConfig(context_length=8, emb_dim=8, n_heads=1, n_layers=1), torch.get_rng_state()
    one, same, other = (model_source.load(UntrainedModel(cfg, seed), devices.cpu()) for seed in (1, 1, 2))
    assert torch.equal(one.tok_emb.weight, same.tok_emb.weight)
    assert not torch.equal(one.tok_emb.weight, other.tok_emb.weight)
    assert not one.training
    assert torch.equal(before, torch.get_rng_state())


def test_that_a_run_can_be_loaded_by_its_name(run):
    model = model_source.load(model_source.resolve(str(run.path)), devices.cpu())
    assert model.cfg == run.record().spec.config
    assert model_source.config_of(model_source.resolve(str(run.path))) == model.cfg


def test_that_a_model_larger_than_memory_is_refused_at_once_with_figures():
    tracemalloc.start()
    expected = r"not enough memory to generate .*it needs [\d,]+\.\d GB, but only [\d,]+\.\d [GM]B of"
    with pytest.raises(UserError, match=expected):
        model_source.load(UntrainedModel(HUGE), devices.cpu())
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


def test_that_the_newest_checkpoint_of_each_run_is_offered(run, study, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_HOME", str(run.path.parent))
    (run.path.parent / "runs").mkdir()
    run.path.rename(run.path.parent / "runs" / "run")
    [offered] = model_source.newest_of_each_run()
    assert offered.name == "run, step 2"
