"""The text on the Generate page as a tree: written, branched, walked, undone. A real tiny model writes."""

import numpy as np
import pytest
from lessons import TINY

from gptstudio.app import text_document
from gptstudio.app.requests import Model
from gptstudio.app.text_document import BranchPath, TextDocument
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference import beam_search
from gptstudio.inference.generator import generate
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.inference.text_tree import ROOT, first_difference
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Control
from gptstudio.training.events import BeamStep, TokenDrawn
from gptstudio.training.executor import execute
from gptstudio.training.model_source import UntrainedModel

PROMPT = GPT2.encode("Every effort moves you")
MODEL = Model(UntrainedModel(TINY))


@pytest.fixture(scope="module")
def decoder():
    with RandomStream(1).active():
        return Decoder(build_model(TINY, "fast").eval(), "tiny")


@pytest.fixture
def script():
    return TextDocument()


@pytest.fixture
def write(decoder, script):
    """Return a function that lets the model write into the document, as the window would, and returns the ids."""

    def run(tokens=6, ids=None, known=0, model=MODEL, watch=None, **settings):
        spec = GenerateSpec(max_new_tokens=tokens, **settings)
        script.begin(model, known)
        execute(generate(spec, lambda: decoder, Control(), ids, known), [script.take, *filter(None, [watch])])
        return [node.id for node in script.path]

    return run


def test_that_the_newest_token_is_the_chosen_one_until_another_is_clicked_and_given_and_drawn_are_distinguished(
    script, write
):
    write(tokens=3)
    assert script.given == len(PROMPT)
    assert len(script.path) == len(PROMPT) + 3
    ids = write()
    assert script.snapshot.cursor == len(ids) - 1
    script.choose(2)
    assert script.chosen.id == PROMPT[2]
    write(tokens=2)
    assert script.chosen == script.path[-1], "a new text is followed again"


def test_that_the_cursor_stays_in_the_displayed_branch_and_a_text_without_tokens_has_none(script, write):
    for position in (-1, 0, 3):  # the last token of a text of which none has come yet is at -1
        script.choose(position)
        assert (script.chosen, script.snapshot.cursor) == (None, None)
    script.switch_to(ROOT)
    assert (script.chosen, script.snapshot.cursor) == (None, None)
    last = len(write(tokens=2)) - 1
    for position, cursor in ((-1, 0), (1, 1), (last + 5, last)):
        script.choose(position)
        assert script.snapshot.cursor == cursor
        assert script.chosen == script.path[cursor]


def test_that_a_branch_that_is_opened_while_another_is_written_stays_until_the_newest_token_is_followed(script, write):
    first = write(tokens=2)
    shown, cursors = [], []

    def act(event):
        """Open the first branch after two tokens of another, and follow the newest token after two more."""
        if isinstance(event, TokenDrawn):
            count = len(shown)
            if count == 1:
                script.switch_to(opened)
            elif count == 3:
                script.follow_newest()
            shown.append([node.id for node in script.path])
            cursors.append(script.snapshot.cursor)

    opened = script.snapshot.tip
    begin = [*first[:4], first[4] + 1]
    whole = write(tokens=6, ids=begin, known=4, watch=act)
    assert shown == [whole[:6], first, first, first, whole[:10], whole[:11]]
    assert cursors == [5, 5, 5, 5, 9, 10]
    assert script.walk == BranchPath.to(script.snapshot.tree, script.snapshot.tip)

    script.switch_to(opened)
    write(tokens=1, ids=[*first[:1], first[1] + 1], known=1)  # shorter than the position of the cursor
    assert script.chosen is script.path[-1]


def test_that_every_token_but_the_first_has_its_logits_until_newer_ones_take_their_place(script, write, monkeypatch):
    ids = write(tokens=3)
    assert script.logits(0) is None
    for position in range(1, len(ids)):
        logits = script.logits(position)
        shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        assert shares[ids[position]] == pytest.approx(script.path[position].reading.plain_probability, rel=1e-4)

    monkeypatch.setattr(text_document, "CACHED_LOGITS", 4)
    ids = write(tokens=6)
    kept = [script.logits(position) is not None for position in range(len(ids))]
    assert kept == [False] * (len(ids) - 4) + [True] * 4


def test_that_a_branch_shares_the_tokens_before_it_and_the_old_one_stays(script, write):
    ids = write(tokens=6)
    old = script.snapshot.tip
    write(tokens=3, ids=[*ids[:6], 11], known=6)
    new = script.path
    assert [node.id for node in new[:7]] == [*ids[:6], 11]
    assert script.snapshot.tree.ids(old) == ids
    assert [a.key for a in new[:6]] == [a.key for a in script.snapshot.tree.path(old)[:6]]
    assert first_difference(new, script.snapshot.tree.path(old)) == 6
    assert script.walk.forks == [6]


def test_that_stepping_token_by_token_writes_the_same_as_one_generation(script, write):
    whole = write(tokens=6)
    script.snapshot = text_document.TextSnapshot()
    ids = write(tokens=1)
    for _ in range(5):
        ids = write(tokens=1, ids=ids, known=len(ids))
    assert ids == whole


def test_that_the_same_prompt_again_grows_the_same_tree_and_another_or_another_model_begins_its_own(script, write):
    write(seed=1)
    first = script.snapshot.tree
    write(seed=2)
    assert script.snapshot.tree is first
    assert len(list(first.leaves())) == 2
    write(prompt="Another")
    assert script.snapshot.tree is not first
    assert len(list(script.snapshot.tree.leaves())) == 1
    write()
    first = script.snapshot.tree
    write(model=Model(UntrainedModel(TINY, seed=9)))
    assert script.snapshot.tree is not first


def test_that_several_samples_are_branches_of_one_prompt(script, write):
    write(tokens=4, samples=3)
    leaves = list(script.snapshot.tree.leaves())
    assert len(leaves) == 3
    assert all(script.snapshot.tree.ids(leaf)[: len(PROMPT)] == PROMPT for leaf in leaves)
    assert all(len(script.snapshot.tree.ids(leaf)) == len(PROMPT) + 4 for leaf in leaves)


def test_that_removing_a_branch_shows_the_rest_and_each_change_is_undone_and_redone(script, write):
    ids = write()
    branched = write(tokens=2, ids=[*ids[:5], 11], known=5)
    script.remove(script.path[5].key)
    assert [node.id for node in script.path] == ids
    assert script.snapshot.cursor < len(ids)
    script.undo()
    assert [node.id for node in script.path] == branched
    script.undo()
    assert [node.id for node in script.path] == ids
    assert script.walk.forks == []
    script.redo()
    assert [node.id for node in script.path] == branched
    script.undo()
    script.undo()
    assert script.path == []
    assert not script.history.can_undo
    write()
    script.remove(script.path[0].key)
    assert script.path == []
    assert script.chosen is None


def test_that_a_name_is_undone_and_going_to_a_node_shows_its_branch_with_the_cursor_on_it(script, write):
    ids = write()
    key = script.snapshot.tip
    script.rename(key, " the  first ")
    assert script.snapshot.tree.nodes[key].name == "the first"
    script.undo()
    assert script.snapshot.tree.nodes[key].name == ""

    old = script.path[5].key
    write(tokens=2, ids=[*ids[:5], 11], known=5)
    script.go(old)
    assert [node.id for node in script.path] == ids
    assert script.chosen.key == old


def test_that_the_reason_for_the_end_of_a_text_is_kept_with_it(script, write):
    ids = write()
    assert script.ending == ""
    word = GPT2.decode(ids[-2:-1])
    write(stop_text=word)
    assert script.ending == "stop_text"


# Beam searches.


def search(decoder, script, known, on_step=lambda event: None, **beams):
    spec = BeamSpec.make(beams)
    script.begin(MODEL, known)
    ids, control = list(script.ids[:known]), Control()
    execute(beam_search.stream(GenerateSpec(), spec, lambda: decoder, control, ids, known), [script.take, on_step])
    return list(beam_search.search(decoder, ids, spec))


def test_that_beams_grow_as_branches_with_their_sums_and_pruned_ones_are_marked(decoder, script, write):
    written = write(tokens=3)
    known, sizes = len(PROMPT) + 1, []

    def count(event):
        if isinstance(event, BeamStep):
            sizes.append(len(script.snapshot.tree.nodes))

    steps = search(decoder, script, known, count, width=3, max_new_tokens=5)
    tree = script.snapshot.tree
    assert len(sizes) == 5
    assert sizes == sorted(sizes)
    assert list(script.ids) == [*written[:known], *steps[-1].kept[0].ids], "the best beam is shown"
    assert script.snapshot.cursor == len(script.ids) - 1
    assert script.given == len(PROMPT), "what the search found was not given by hand"
    assert script.walk.by_hand == []
    for beam in steps[-1].kept:
        node = tree.nodes[tree.find([*written[:known], *beam.ids])]
        assert not any(each.pruned for each in tree.path(node.key))
        assert node.beam.log_probability == pytest.approx(beam.log_probability)
    for beam in steps[-1].pruned:
        assert tree.nodes[tree.find([*written[:known], *beam.ids])].pruned
    assert not any(each.pruned for each in tree.path(tree.find(written))), "the text that was there stays as it was"
    for step in steps:  # a beam that was kept and then lost is shown in grey
        for beam in step.kept:
            gone = not any(one.ids[: len(beam.ids)] == beam.ids for one in steps[-1].kept)
            assert tree.nodes[tree.find([*written[:known], *beam.ids])].pruned == gone
    assert len(tree.texts()) == 4
    hidden = tree.without_pruned(script.snapshot.tip)
    assert not any(node.pruned for node in hidden.nodes.values())
    assert sorted(hidden.leaves()) == sorted(tree.texts())


def test_that_a_search_is_undone_like_a_text_and_a_continued_beam_is_no_longer_pruned(decoder, script, write):
    before = write(tokens=2)
    search(decoder, script, len(before), width=2, max_new_tokens=3)
    tree = script.snapshot.tree
    lost = next(node.key for node in tree.nodes.values() if node.pruned and not tree.children(node.key))
    ids = tree.ids(lost)
    assert tree.leaf(tree.nodes[lost].parent) != lost, "going there leads to what was kept"
    write(tokens=2, ids=ids, known=len(ids) - 1)
    assert not any(node.pruned for node in script.path)
    script.undo()
    assert script.snapshot.tree.nodes[lost].pruned
    script.undo()
    assert list(script.ids) == before
    assert not any(node.beam for node in script.snapshot.tree.nodes.values())
