"""Files that version 0.1 wrote still open: a run, a model, a tree, a packed run, lessons, settings, and the state of
its window. They were written by version 0.1.0 (commit 640544b); see ``tests/version_0_1/README.md``."""

import shutil
from pathlib import Path

import pytest

from gptstudio import paths, settings
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui import session
from gptstudio.history import archives
from gptstudio.history.run_history import History
from gptstudio.inference import tree_files
from gptstudio.labs import lesson
from gptstudio.training import imported_models, launch, model_source, run_folder
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn
from gptstudio.training.forecast import CostHistory

WRITTEN = Path(__file__).parent / "version_0_1"
SMALL = GPTConfig(context_length=8, emb_dim=2, n_heads=1, n_layers=1, tie_weights=True)


@pytest.fixture
def version_0_1(home) -> Path:
    """The user's folder as version 0.1 left it."""
    shutil.copytree(WRITTEN, home, dirs_exist_ok=True)
    return home


def history_of(run: run_folder.RunFolder) -> History:
    read = History()
    for event in run.events():
        read.add(event)
    return read


def test_that_a_stopped_run_is_listed_and_ends_like_the_run_that_was_never_stopped(version_0_1):
    [run] = run_folder.all_runs()
    assert (run.record().title, run.record().version, run.record().spec.config) == ("The first run", "0.1.0", SMALL)
    assert history_of(run).steps["loss"].size == 8
    whole = archives.unpack(version_0_1 / "elsewhere" / "whole-run.zip", paths.runs())
    assert whole.record().title == "The whole run"
    assert launch.resume(run, Control(), []).outcome == "finished"
    # Version 0.1 had torch add up the norm, which is up to 5e-4 too low for large matrices.
    for series, within in (("loss", 1e-5), ("learning_rate", 1e-5), ("gradient_norm", 1e-3)):
        assert history_of(run).steps[series] == pytest.approx(history_of(whole).steps[series], rel=within)
    for series in ("train_loss", "val_loss"):
        assert history_of(run).evaluations[series] == pytest.approx(history_of(whole).evaluations[series], rel=1e-5)


def test_that_an_imported_model_and_a_checkpoint_have_the_same_weights(version_0_1):
    assert [path.name for path in imported_models.all_models()] == ["small"]
    sources = [model_source.resolve(name) for name in ("small", "first-run")]
    models = [model_source.load(source, launch.devices.choose("cpu")) for source in sources]
    ours, theirs = (model.state_dict() for model in models)
    assert all((ours[name] == theirs[name]).all() for name in ours)


def test_that_a_saved_tree_and_the_text_of_the_last_session_have_two_endings_each(version_0_1):
    [run] = run_folder.all_runs()
    [kept] = tree_files.saved_trees(model_source.SavedModel(run.newest_checkpoint()))
    assert kept.title == "Two endings"
    for file in (kept.path, paths.session_text()):
        tree = tree_files.load(file)
        parents = {node.parent for node in tree.nodes.values()}
        assert (len(tree.nodes), len(set(tree.nodes) - parents)) == (14, 2)
        drawn = [node.reading for node in tree.nodes.values() if isinstance(node.reading, TokenDrawn)]
        assert {event.sampling_params for event in drawn} == {SamplingParams(temperature=1.3, top_k=40)}


def test_that_lessons_and_settings_have_no_faults(version_0_1):
    elsewhere = version_0_1 / "elsewhere"
    shipped = [elsewhere / f"{name}.toml" for name in lesson.SHIPPED]
    lessons = [lesson.load(path) for path in shipped if path.is_file()]  # one of them is newer
    assert [len(each.steps) for each in lessons] == [9, 10, 10]
    read = settings.load(elsewhere / "settings.toml")
    assert read.faults == ()
    assert (read.language, read.lesson, len(read.lock), len(read.hide)) == ("zh_CN", "attention-from-nothing", 12, 4)


def test_that_the_state_of_the_window_and_the_measurements_are_remembered(version_0_1):
    left = session.read()
    assert (left.tab, left.colours) == ("texts", "dark")
    assert (left.spec.learning_rate, left.spec.epochs, left.spec.batch_size) == (0.002, 3, 4)
    assert (left.writing.spec.temperature, left.writing.spec.top_k, left.writing.tip) == (1.3, 40, 13)
    [entry] = CostHistory.read().entries
    assert entry.work.config == SMALL
