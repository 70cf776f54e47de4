"""The imported models: found by name, with names that are valid on every system, and complete or absent."""

import os
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imported_model import import_weights
from messages import message

from gptstudio import devices, files, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.training import checkpoint, checkpoint_files, imported_models, model_source
from gptstudio.training.checkpoint import CheckpointError
from gptstudio.training.imported_models import ImportedModelError
from gptstudio.training.model_source import ImportedModel, SavedModel

SMALL = GPTConfig(vocab_size=30, context_length=6, emb_dim=8, n_heads=2, n_layers=1)


def test_that_there_are_no_models_at_first():
    assert imported_models.all_models() == []
    assert imported_models.find("gpt2") is None
    assert imported_models.free_name("gpt2") == "gpt2"


def test_that_a_model_is_found_by_its_name_its_folder_and_its_weights():
    path = import_weights(SMALL, "my gpt2")
    for name in ("my gpt2", str(path), str(path / checkpoint.WEIGHTS)):
        assert model_source.resolve(name) == ImportedModel(path)
    found = model_source.resolve("my gpt2")
    assert (found.name, found.run, found.step) == ("my gpt2", "my gpt2", "")
    assert model_source.config_of(found) == model_source.load(found, devices.cpu()).cfg == SMALL
    assert model_source.untrained(found) is None
    assert model_source.earlier([found]) == []


def test_that_a_model_is_known_as_imported_wherever_its_folder_is(tmp_path):
    elsewhere = tmp_path / "a disk" / "model"
    elsewhere.parent.mkdir()
    shutil.copytree(import_weights(SMALL), elsewhere)
    assert model_source.resolve(str(elsewhere)) == ImportedModel(elsewhere)


@pytest.mark.usefixtures("few_tokens")
def test_that_a_runs_checkpoint_is_not_an_imported_model(study):
    path = study(steps=1).folder.newest_checkpoint()
    assert type(model_source.resolve(str(path))) is SavedModel


def test_that_models_are_listed_the_newest_first_and_only_whole_ones():
    for age, name in enumerate(("new", "middle", "old")):
        path = import_weights(SMALL, name)
        os.utime(path / checkpoint.STATE, (1e9 - age, 1e9 - age))
    (paths.models() / "notes").mkdir()
    (paths.models() / "notes.txt").write_text("no model")
    shutil.copytree(paths.models() / "new", paths.models() / ".half.model.tmp")
    shutil.copytree(paths.models() / "new", paths.models() / "half")
    (paths.models() / "half" / checkpoint.SUMS).unlink()
    assert [path.name for path in imported_models.all_models()] == ["new", "middle", "old"]
    assert [each.name for each in model_source.all_imported()] == ["new", "middle", "old"]
    assert imported_models.find("half") is None
    assert imported_models.find(".half.model.tmp") is None


def test_that_an_invalid_name_finds_nothing():
    import_weights(SMALL)
    for name in ("", ".", "..", "../models/teacher", "a\x00b", "x" * 5000, "~", "con", "a/b"):
        assert imported_models.find(name) is None, name


def test_that_a_missing_model_is_reported_with_the_existing_ones():
    import_weights(SMALL, "my gpt2")
    with pytest.raises(UserError, match=r"no model 'other'.*imported models: my gpt2"):
        model_source.resolve("other")


@pytest.mark.parametrize(("wanted", "name"), [
    ("gpt2", "gpt2"), ("openai-community/gpt2", "openai-community-gpt2"), ("  two\n words ", "two words"),
    ("", "model"), ("...", "model"), ("CON", "model-CON"), ("nul.bin", "model-nul.bin"), ("--help", "help"),
    ("~root", "root"), (".hidden", "hidden"), ("none", "model-none"), ("book", "book-2"), ("Book", "Book-2"),
    ("gpt2-small", "gpt2-small-2"), ("a:b*c?", "a-b-c-"), ("猫 модель", "猫 модель"), ("x" * 300, "x" * 60),
    ("a\ud800b", "a b"),
])
def test_that_a_name_is_kept_if_possible_and_otherwise_changed_as_little_as_possible(wanted, name):
    assert imported_models.free_name(wanted) == name


@given(st.text(max_size=200))
def test_that_every_name_is_valid_on_every_system_and_finds_only_its_model(wanted):
    name = imported_models.free_name(wanted)
    assert files.PORTABLE.fullmatch(name)
    assert len(name.encode()) < 250
    assert name not in PRESETS
    assert not name.startswith(("-", ".", "~"))
    assert imported_models.free_name(name) == name


@pytest.mark.usefixtures("few_tokens")
def test_that_an_existing_model_name_gets_a_number(study, home):
    import_weights(SMALL, "cat")
    assert imported_models.free_name("cat") == "cat-2"
    assert imported_models.free_name("CAT") == "CAT-2"  # some systems ignore case
    import_weights(SMALL, "cat-2")
    assert imported_models.free_name("cat") == "cat-3"
    assert imported_models.free_name("y" * 59 + "zz") == "y" * 59 + "z"
    import_weights(SMALL, "y" * 60)
    assert imported_models.free_name("y" * 60) == "y" * 58 + "-2"
    (home / "runs").mkdir()
    study(steps=1).folder.path.rename(home / "runs" / "lesson")
    assert imported_models.free_name("lesson") == "lesson-2"


def test_that_a_model_can_be_renamed_and_then_has_only_the_new_name():
    path = import_weights(SMALL, "cat")
    renamed = imported_models.rename(path, " my  cat ")
    assert (renamed.name, imported_models.find("cat"), imported_models.find("my cat")) == ("my cat", None, renamed)
    assert imported_models.rename(renamed, "my cat") == renamed
    assert imported_models.rename(renamed, "My Cat").name == "My Cat"


def test_that_an_invalid_name_is_refused_with_a_message_and_nothing_is_renamed():
    path = import_weights(SMALL, "cat")
    import_weights(SMALL, "other")
    for name in ("book", "other", "OTHER", "", "a/b", "..", ".a", "con", "none", "x" * 61, "a\n\x07"):
        with pytest.raises(ImportedModelError):
            imported_models.rename(path, name)
        assert {each.name for each in imported_models.all_models()} == {"cat", "other"}, name


def test_that_the_size_is_that_of_its_files():
    path = import_weights(SMALL)
    assert checkpoint_files.size(path) == sum(len(file.read_bytes()) for file in path.iterdir())


def test_that_a_model_is_never_written_over_another():
    before = (import_weights(SMALL, seed=1) / checkpoint.WEIGHTS).read_bytes()
    with pytest.raises(CheckpointError, match=message("is_there_already")):
        import_weights(SMALL, seed=2)
    assert (paths.models() / "teacher" / checkpoint.WEIGHTS).read_bytes() == before
