"""Trees saved as files: their content, their folders, their names, and refused files."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import message
from trees import all_texts, drawn, grow, read, some_tree, tip

from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.tokenizer import GPT2, Characters
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import ROOT, BeamMark, Tree
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel

FRESH = UntrainedModel(PRESETS["gpt2-small"])
texts = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=8)


@given(texts)
def test_that_a_tree_is_loaded_from_its_file(written):
    tree = grow(written)
    path = tree_files.save(tree, "A title", FRESH)
    assert tree_files.load(path) == tree


def test_that_readings_and_names_are_loaded_unchanged_from_a_file_without_logits_that_names_its_kind(home):
    tree = some_tree()
    tree.remove(tip(tree, [1, 2, 3]))
    path = tree_files.write(tree, "A title", home / "new" / "my tree.json")
    values = json.loads(path.read_text(encoding="utf-8"))
    assert (values["kind"], values["format"], values["title"], values["model"]) == (
        "gptstudio tree", 1, "A title", "a model",
    )
    assert not any("logits" in node["reading"] for node in values["nodes"])
    again = tree_files.load(path)
    assert all_texts(again) == all_texts(tree)
    for one, other in zip(tree.path(tip(tree, [1, 1, 4, 7])), again.path(tip(again, [1, 1, 4, 7])), strict=True):
        assert one.reading == other.reading
        assert type(one.reading) is type(other.reading)
    assert again.model == "a model"
    again.add(again.leaf(ROOT), read(5, 4))
    assert len(again.nodes) == len(tree.nodes) + 1


def test_that_the_results_of_a_beam_search_are_loaded_and_an_older_tree_opens_without(home):
    tree = grow([[1, 2, 3]])
    key = tree.add(tip(tree, [1, 2]), read(4, 2, 0.5), BeamMark(-1.5))
    tree.add(key, read(5, 3, 0.25), BeamMark(-2.75, kept=False))
    path = tree_files.write(tree, "A title", home / "tree.json")
    assert tree_files.load(path) == tree
    values = json.loads(path.read_text(encoding="utf-8"))
    for node in values["nodes"]:
        del node["beam"]
    path.write_text(json.dumps(values), encoding="utf-8")
    assert [node.beam for node in tree_files.load(path).nodes.values()] == [None] * 5
    for broken in (1e300, -1e300, "NaN", "many"):
        values["nodes"][0]["beam"] = {"log_probability": broken, "kept": True}
        path.write_text(json.dumps(values), encoding="utf-8")
        with pytest.raises(UserError):
            tree_files.load(path)


@pytest.mark.usefixtures("few_tokens")
def test_that_trees_are_saved_in_the_folder_of_their_run_or_among_the_users(study, home):
    run = study("runs/mine").folder
    assert tree_files.folder_of(SavedModel(run.newest_checkpoint())) == run.path / "trees"
    assert tree_files.folder_of(LiveModel(run.name)) == run.path / "trees"
    assert tree_files.folder_of(FRESH) == tree_files.folder_of(LiveModel("gone")) == paths.trees() == home / "trees"
    lone = home / "elsewhere" / "step-000001"
    assert tree_files.folder_of(SavedModel(lone)) == paths.trees()
    with run.writing():
        for source in (SavedModel(run.newest_checkpoint()), LiveModel(run.name)):
            assert tree_files.save(some_tree(), "A title", source).parent == run.path / "trees", "also meanwhile"


def test_that_trees_are_one_file_for_each_title_and_listed_the_newest_first():
    assert tree_files.saved_trees(FRESH) == []
    for title in ("one", "two", "three"):
        tree_files.save(some_tree(), title, FRESH)
    assert [saved.title for saved in tree_files.saved_trees(FRESH)] == ["three", "two", "one"]
    (paths.trees() / "no tree.json").write_text("{}")
    (paths.trees() / "broken.json").write_bytes(b'{"kind": "gptstudio tree", \xff')
    assert len(tree_files.saved_trees(FRESH)) == 3
    first = tree_files.save(some_tree(), "A title", FRESH)
    assert tree_files.save(grow([[1]]), " A  title\n", FRESH) == first
    assert len(tree_files.load(first).nodes) == 1
    one, other = (tree_files.save(some_tree(), title, FRESH) for title in ("1/2", "1:2"))
    assert one != other
    titles = {saved.title for saved in tree_files.saved_trees(FRESH)}
    assert titles == {"1/2", "1:2", "A title", "one", "three", "two"}


def test_that_a_tree_is_opened_only_for_a_model_with_its_vocabulary_by_default_that_of_gpt_2(home):
    own = Characters("abcdefghij")
    tree = Tree("a model", tokenizer=own)
    tree.add(ROOT, read(3, 0))
    path = tree_files.write(tree, "A title", home / "tree.json")
    assert tree_files.load(path, own) == tree
    assert tree_files.load(path, Characters("abcdefghij")).tokenizer.decode([3]) == "d"
    for other in (GPT2, Characters("jihgfedcba")):
        with pytest.raises(UserError, match=message("tree_another_vocabulary")):
            tree_files.load(path, other)
    path = tree_files.write(some_tree(), "A title", home / "tree.json")
    values = json.loads(path.read_text(encoding="utf-8"))
    assert values.pop("tokenizer") == ""
    path.write_text(json.dumps(values), encoding="utf-8")
    assert tree_files.load(path) == some_tree()
    with pytest.raises(UserError, match=message("tree_another_vocabulary")):
        tree_files.load(path, Characters("abc"))


@pytest.mark.parametrize(
    "title",
    [
        "", "  ", "../../etc/passwd", "CON", "con.tree", "a/b\\c:d*e?", "…" * 300, pytest.param("🌳" * 90, id="trees"),
        ".hidden.", "\x00\x07", pytest.param("é\udcff", id="no characters"),
    ],
)
def test_that_any_title_makes_a_name_that_is_valid_on_every_system(title):
    path = tree_files.save(some_tree(), title, FRESH)
    assert path.parent == paths.trees()
    assert files.PORTABLE.fullmatch(path.name)
    assert len(path.name.encode()) < 240
    assert tree_files.load(path) == some_tree()
    [saved] = tree_files.saved_trees(FRESH)
    assert saved.path == tree_files.save(some_tree(), title, FRESH), "the same title is found again"


def test_that_names_that_are_not_characters_can_be_written(home):
    tree = grow([[1]])
    tree.model = "a folder's name \udcff"
    tree.rename(tip(tree, [1]), "\ud800")
    assert tree_files.load(tree_files.write(tree, "A title", home / "tree.json")).model == "a folder's name ?"


HOSTILE = ['"><script>alert(1)</script>', "]]> & ' \x00\x1f\u2028", "=cmd|' /C calc'!A0", "__proto__"]


@given(st.one_of(st.text(), st.sampled_from(HOSTILE)))
def test_that_any_text_is_loaded_from_the_file_unchanged(home, words):
    tree = grow([[1]])
    tree.model = words
    tree.rename(tip(tree, [1]), words)
    name = tree.nodes[tip(tree, [1])].name
    path = tree_files.write(tree, words, home / "tree.json")
    assert json.loads(path.read_bytes())["title"] == tree_files.cleaned(words)
    found = tree_files.load(path)
    assert (found.model, found.nodes[tip(found, [1])].name) == (words, name)


NODE = {"key": 0, "parent": -1, "name": "", "reading": json.loads(read(1, 0, 0.5).model_dump_json())}
DRAWN = json.loads(drawn(3, 1).model_dump_json())


def below(parent: int, key: int = 1, position: int = 1, **reading: object) -> dict:
    return {**NODE, "key": key, "parent": parent, "reading": {**NODE["reading"], "position": position, **reading}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "a recipe"}, "contains no tree of GPT Studio"),
        ({"format": 2}, "newer version of GPT Studio"),
        ({"format": "new"}, "damaged .format"),
        ({"saved": "yesterday"}, "damaged .saved"),
        ({"nodes": None}, "damaged .nodes"),
        ({"nodes": [NODE, {**NODE, "reading": {"event": "step_done"}}]}, "damaged .nodes.1.reading"),
        ({"nodes": [{**NODE, "parent": "x"}]}, "damaged .nodes.0.parent"),
        ({"nodes": [NODE, NODE]}, "token 0 occurs twice"),
        ({"nodes": [NODE, below(7)]}, "token 1 comes after 7, which is not before it in the file"),
        ({"nodes": [below(1, 0, 0), below(0)]}, "token 0 comes after 1"),
        ({"nodes": [NODE, below(1)]}, "token 1 comes after 1"),
        (
            {"nodes": [NODE, below(0, position=2)]},
            "token 1 is in the wrong place.*position 2 does not fit at position 1",
        ),
        ({"nodes": [NODE, below(0, id=-1)]}, "token 1 has an ID below 0"),
        ({"nodes": [NODE, below(0, plain_probability=1.5)]}, "has an ID below 0, or an invalid probability"),
        ({"nodes": [NODE, below(0, plain_probability="NaN")]}, "has an ID below 0, or an invalid probability"),
        (
            {"nodes": [NODE, {**below(0), "reading": {**DRAWN, "probability": -1}}]},
            "has an ID below 0, or an invalid probability",
        ),
    ],
)
def test_that_an_inconsistent_tree_is_refused_with_a_message(home, changes, words):
    path = home / "tree.json"
    whole = {"kind": "gptstudio tree", "format": 1, "title": "", "model": "m", "saved": "2026-11-20T12:00:00Z",
             "nodes": [NODE, {**below(0), "reading": DRAWN}]}
    path.write_text(json.dumps(whole))
    assert len(tree_files.load(path).nodes) == 2
    path.write_text(json.dumps({**whole, **changes}))
    with pytest.raises(UserError, match=words):
        tree_files.load(path)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"12", b"\x00\xff", b"PK\x03\x04", b'{"kind": "gptstudio tree"', "é".encode("utf-16"),
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_that_any_other_file_is_refused_with_a_message(home, data):
    path = home / "tree.json"
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"tree\.json"):
        tree_files.load(path)


@given(st.data())
def test_that_a_file_cut_off_anywhere_is_refused(home, data):
    path = tree_files.write(some_tree(), "A title", home / "tree.json")
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(UserError):
        tree_files.load(path)


def test_that_a_missing_file_a_folder_and_a_file_of_absurd_size_are_refused_with_a_message(home):
    for path in (home / "gone.json", home):
        with pytest.raises(UserError, match=message("could_read")):
            tree_files.load(path)
    path = home / "tree.json"
    with path.open("wb") as file:
        file.truncate((tree_files.LARGEST_MB + 1) * 2**20)
    with pytest.raises(UserError, match=message("tree_looks_like")):
        tree_files.load(path)


def test_that_a_disk_error_is_reported_and_leaves_nothing_behind(home, monkeypatch):
    def refuse(*args: object) -> None:
        raise OSError(30, "Read-only file system")

    paths.trees().mkdir()
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UserError, match=r"Could not save the tree to .*Read-only"):
        tree_files.save(some_tree(), "A title", FRESH)
    assert list(paths.trees().iterdir()) == []
    paths.trees().rmdir()
    paths.trees().write_text("a file where the folder should be")
    with pytest.raises(UserError, match=message("could_written")):
        tree_files.save(some_tree(), "A title", FRESH)
