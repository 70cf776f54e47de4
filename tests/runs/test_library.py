"""The models that were brought in: found by name, named so that every system takes it, and whole or not there."""

import errno
import os
import shutil
import subprocess
import sys

import pytest
from brought_in import bring_in
from hypothesis import given
from hypothesis import strategies as st
from messages import message

from gptstudio import devices, files
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.runs import checkpoint, library, source
from gptstudio.runs.checkpoint import CheckpointError
from gptstudio.runs.library import LibraryError
from gptstudio.runs.source import Imported, Saved

SMALL = GPTConfig(vocab_size=30, context_length=6, emb_dim=8, n_heads=2, n_layers=1)


def test_that_there_are_no_models_at_first():
    assert library.all_models() == []
    assert library.find("gpt2") is None
    assert library.free_name("gpt2") == "gpt2"


def test_that_a_model_is_found_by_its_name_its_folder_and_its_weights():
    path = bring_in(SMALL, "my gpt2")
    for name in ("my gpt2", str(path), str(path / checkpoint.WEIGHTS)):
        assert source.resolve(name) == Imported(path)
    found = source.resolve("my gpt2")
    assert (found.name, found.run, found.step) == ("my gpt2", "my gpt2", "")
    assert source.config_of(found) == source.load(found, devices.cpu()).cfg == SMALL
    assert source.untrained(found) is None
    assert source.earlier([found]) == []


def test_that_a_model_is_known_as_brought_in_wherever_its_folder_lies(tmp_path):
    elsewhere = tmp_path / "a disk" / "model"
    elsewhere.parent.mkdir()
    shutil.copytree(bring_in(SMALL), elsewhere)
    assert source.resolve(str(elsewhere)) == Imported(elsewhere)


def test_that_a_runs_checkpoint_is_none_that_was_brought_in(study):
    path = study(steps=1).folder.newest_checkpoint()
    assert type(source.resolve(str(path))) is Saved


def test_that_models_are_listed_the_newest_first_and_only_whole_ones():
    for age, name in enumerate(("new", "middle", "old")):
        path = bring_in(SMALL, name)
        os.utime(path / checkpoint.STATE, (1e9 - age, 1e9 - age))
    (library.home() / "notes").mkdir()
    (library.home() / "notes.txt").write_text("no model")
    shutil.copytree(library.home() / "new", library.home() / ".half.model.tmp")
    shutil.copytree(library.home() / "new", library.home() / "half")
    (library.home() / "half" / checkpoint.SUMS).unlink()
    assert [path.name for path in library.all_models()] == ["new", "middle", "old"]
    assert [each.name for each in source.all_imported()] == ["new", "middle", "old"]
    assert library.find("half") is None
    assert library.find(".half.model.tmp") is None


@pytest.mark.parametrize("name", ["", ".", "..", "../models/teacher", "a\x00b", "x" * 5000, "~", "con", "a/b"])
def test_that_what_is_no_name_finds_nothing(name):
    bring_in(SMALL)
    assert library.find(name) is None


def test_that_a_model_that_is_not_there_is_told_with_those_that_are():
    bring_in(SMALL, "my gpt2")
    with pytest.raises(UserError, match=r"no model 'other'.*models that you brought in are my gpt2"):
        source.resolve("other")


@pytest.mark.parametrize(("wanted", "name"), [
    ("gpt2", "gpt2"), ("openai-community/gpt2", "openai-community-gpt2"), ("  two\n words ", "two words"),
    ("", "model"), ("...", "model"), ("CON", "model-CON"), ("nul.bin", "model-nul.bin"), ("--help", "help"),
    ("~root", "root"), (".hidden", "hidden"), ("none", "model-none"), ("book", "book-2"), ("Book", "Book-2"),
    ("gpt2-small", "gpt2-small-2"), ("a:b*c?", "a-b-c-"), ("猫 модель", "猫 модель"), ("x" * 300, "x" * 60),
    ("a\ud800b", "a b"),
])
def test_that_a_name_is_kept_where_it_can_be_and_changed_as_little_as_can_be(wanted, name):
    assert library.free_name(wanted) == name


@given(st.text(max_size=200))
def test_that_every_name_is_one_on_every_system_and_finds_its_model_alone(wanted):
    name = library.free_name(wanted)
    assert files.PORTABLE.fullmatch(name)
    assert len(name.encode()) < 250
    assert name not in PRESETS
    assert not name.startswith(("-", ".", "~"))
    assert library.free_name(name) == name


def test_that_a_name_that_is_taken_gets_a_number(study, home):
    bring_in(SMALL, "cat")
    assert library.free_name("cat") == "cat-2"
    assert library.free_name("CAT") == "CAT-2"  # some systems take no notice of capitals
    bring_in(SMALL, "cat-2")
    assert library.free_name("cat") == "cat-3"
    assert library.free_name("y" * 59 + "zz") == "y" * 59 + "z"
    bring_in(SMALL, "y" * 60)
    assert library.free_name("y" * 60) == "y" * 58 + "-2"
    (home / "runs").mkdir()
    study(steps=1).folder.path.rename(home / "runs" / "lesson")
    assert library.free_name("lesson") == "lesson-2"


def test_that_a_model_can_be_renamed_and_then_has_only_the_new_name():
    path = bring_in(SMALL, "cat")
    renamed = library.rename(path, " my  cat ")
    assert (renamed.name, library.find("cat"), library.find("my cat")) == ("my cat", None, renamed)
    assert library.rename(renamed, "my cat") == renamed
    assert library.rename(renamed, "My Cat").name == "My Cat"


@pytest.mark.parametrize("name", ["book", "other", "OTHER", "", "a/b", "..", ".a", "con", "none", "x" * 61, "a\n\x07"])
def test_that_a_name_that_cannot_be_is_refused_in_words_and_nothing_is_renamed(name):
    path = bring_in(SMALL, "cat")
    bring_in(SMALL, "other")
    with pytest.raises(LibraryError):
        library.rename(path, name)
    assert {each.name for each in library.all_models()} == {"cat", "other"}


def test_that_a_model_goes_to_the_trash_and_stays_where_the_trash_refuses(monkeypatch, tmp_path):
    path = bring_in(SMALL, "cat")

    def refuse(_):
        raise OSError(errno.EACCES, "no trash here")

    with monkeypatch.context() as broken:
        broken.setattr("send2trash.send2trash", refuse)
        with pytest.raises(LibraryError, match="no trash here"):
            library.remove(path)
    assert library.find("cat") == path
    monkeypatch.setattr("send2trash.send2trash", lambda model: model.rename(tmp_path / "trashed"))
    library.remove(path)
    assert library.find("cat") is None


def test_that_the_size_is_that_of_its_files():
    path = bring_in(SMALL)
    assert library.size(path) == sum(len(file.read_bytes()) for file in path.iterdir())


def test_that_a_model_is_never_written_over_another():
    before = (bring_in(SMALL, seed=1) / checkpoint.WEIGHTS).read_bytes()
    with pytest.raises(CheckpointError, match=message("is_there_already")):
        bring_in(SMALL, seed=2)
    assert (library.home() / "teacher" / checkpoint.WEIGHTS).read_bytes() == before


def test_that_listing_and_finding_need_no_torch():
    code = (
        "import sys; from gptstudio.runs import library, source, beginning; library.all_models(); library.find('x'); "
        "source.all_imported(); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
