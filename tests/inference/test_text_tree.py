"""A text that branches: shared prefixes, differences, and totals."""

import math
from itertools import pairwise, takewhile
from operator import eq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import all_texts, drawn, grow, read, tip

from gptstudio.inference.generator import token_read
from gptstudio.inference.text_tree import ROOT, Tree, figures, first_difference, shape

texts = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=8)


# Growing.


@given(texts)
def test_that_branches_share_their_prefix_and_the_ids_of_every_text_are_returned(written):
    tree = grow(written)
    prefixes = {tuple(text[:end]) for text in written for end in range(1, len(text) + 1)}
    assert {tuple(tree.ids(key)) for key in tree.nodes} == prefixes
    assert len(tree.nodes) == len(prefixes), "the same tokens from the beginning are the same nodes"
    for text in written:
        assert tree.ids(tip(tree, text)) == text
        assert [node.position for node in tree.path(tip(tree, text))] == list(range(len(text)))
    assert tree.find([7]) is None
    assert tree.find([]) == ROOT


@given(texts)
def test_that_the_leaves_are_the_texts_that_no_other_text_continues(written):
    tree = grow(written)
    ends = {tuple(text) for text in written if not any(o[: len(text)] == text and o != text for o in written)}
    leaves = [tuple(tree.ids(leaf)) for leaf in tree.leaves()]
    assert len(leaves) == len(ends)
    assert set(leaves) == ends
    for key in tree.nodes:
        below = list(tree.leaves(key))
        assert below == [leaf for leaf in tree.leaves() if any(node.key == key for node in tree.path(leaf))]
        assert tree.leaf(key) == below[-1]


def test_that_an_empty_tree_has_no_leaves_and_ends_at_its_root():
    assert list(Tree().leaves()) == []
    assert Tree().leaf(ROOT) == ROOT
    assert Tree().path(ROOT) == []


@pytest.mark.parametrize("position", [-1, 0, 2])
def test_that_a_token_of_another_position_is_refused(position):
    tree = grow([[5]])
    with pytest.raises(ValueError, match="does not fit at position 1"):
        tree.add(tip(tree, [5]), read(6, position))
    assert len(tree.nodes) == 1


def test_that_the_details_of_a_token_and_its_name_are_kept_when_fewer_are_reported_later():
    tree, most, less, least = Tree(), drawn(3, 0), token_read(np.zeros(10), 3, 0), read(3, 0)
    for reading, holds in ((least, least), (less, less), (least, less), (most, most), (less, most), (least, most)):
        key = tree.add(ROOT, reading)
        assert tree.nodes[key].reading == holds.model_copy(update={"logits": None})
    assert len(tree.nodes) == 1
    tree = grow([[1, 2]])
    tree.rename(tip(tree, [1]), "mine")
    tree.add(ROOT, read(1, 0, 0.75))
    assert tree.nodes[tip(tree, [1])].reading.plain_probability == 0.75
    assert tree.nodes[tip(tree, [1])].name == "mine"
    assert tree.find([1, 2]) is not None


# Changing.


@given(texts, st.data())
def test_that_a_copy_does_not_change_with_the_tree_nor_the_tree_with_the_copy(written, data):
    tree, before = grow(written), grow(written)
    copy = tree.copy()
    assert copy == tree
    for one, other in ((tree, copy), (copy, tree)):
        one.add(one.leaf(ROOT), read(9, len(one.path(one.leaf(ROOT)))))
        key = data.draw(st.sampled_from(sorted(one.nodes)))
        one.rename(key, "another name")
        one.remove(key)
        if other is copy:
            assert copy == before
            assert all_texts(copy) == all_texts(before)
            copy, tree = before.copy(), copy


@given(texts.filter(bool), st.data())
def test_that_a_token_is_removed_with_all_that_follows_it_and_nothing_else(written, data):
    tree = grow(written)
    key = data.draw(st.sampled_from(sorted(tree.nodes)))
    gone = tuple(tree.ids(key))
    kept = {tuple(tree.ids(each)) for each in tree.nodes if tuple(tree.ids(each)[: len(gone)]) != gone}
    tree.remove(key)
    assert {tuple(tree.ids(each)) for each in tree.nodes} == kept
    assert key not in tree.nodes
    assert tree.find(gone) is None
    assert all(tree.children(each) == [] for each in tree.leaves())


def test_that_a_number_is_not_given_twice():
    tree = grow([[1, 2], [1, 3]])
    last = max(tree.nodes)
    tree.remove(last)
    assert tree.add(tip(tree, [1]), read(4, 1)) > last


def test_that_a_name_is_one_line_and_can_be_removed_and_stays_when_the_text_continues():
    tree = grow([[1, 2]])
    tree.rename(tip(tree, [1, 2]), "  the\n good \t one ")
    assert tree.nodes[tip(tree, [1, 2])].name == "the good one"
    tree.rename(tip(tree, [1, 2]), " ")
    assert tree.nodes[tip(tree, [1, 2])].name == ""
    tree.rename(tip(tree, [1, 2]), "mine")
    tree.add(tip(tree, [1, 2]), read(3, 2))
    tree.add(tip(tree, [1, 2]), read(0, 2))
    assert [branch.name for branch in shape(tree).branches] == ["mine", ""]


@given(texts.filter(lambda written: len(written) > 1))
def test_that_the_first_difference_is_where_two_texts_diverge(written):
    tree = grow(written)
    one, other = tree.path(tip(tree, written[0])), tree.path(tip(tree, written[1]))
    common = sum(takewhile(bool, map(eq, *written[:2])))
    expected = None if written[0] == written[1] else common
    assert first_difference(one, other) == first_difference(other, one) == expected


# The branches of a tree.


@given(texts)
def test_that_every_token_is_in_one_segment_and_every_branch_has_a_row_with_its_totals(written):
    tree = grow(written)
    made = shape(tree)
    assert sorted(key for stretch in made.stretches for key in stretch.keys) == sorted(tree.nodes)
    for index, stretch in enumerate(made.stretches):
        assert all(tree.children(one) == [other] for one, other in pairwise(stretch.keys))
        assert [made.stretches[each].keys[0] for each in stretch.after] == tree.children(stretch.keys[-1])
        assert len(stretch.after) != 1
        assert all(made.stretches[each].before == index for each in stretch.after)
        assert all(made.places[key] == index for key in stretch.keys)
    assert [branch.tip for branch in made.branches] == list(tree.leaves())
    for row, branch in enumerate(made.branches):
        path = tree.path(branch.tip)
        assert made.stretches[made.places[branch.tip]].row == made.stretches[branch.own].row == row
        assert branch.figures.tokens == branch.figures.asked == len(path)
        grown = sum(node.id + 1 for node in path)
        assert branch.figures.bits == pytest.approx(grown, abs=1e-9)


def test_that_tokens_without_probabilities_are_counted_and_not_averaged_and_impossible_ones_infinite():
    tree = Tree()
    key = tree.add(ROOT, read(1, 0))
    assert figures(tree.path(key)).mean_bits is None
    key = tree.add(key, read(2, 1, 0.25))
    found = figures(tree.path(tree.add(key, read(3, 2, 0.125))))
    assert (found.tokens, found.asked, found.bits, found.mean_bits) == (3, 2, 5.0, 2.5)
    tree = Tree()
    assert figures(tree.path(tree.add(ROOT, read(1, 0, 0.0)))).mean_bits == math.inf


def test_that_a_branch_has_the_last_name_of_its_row_and_shares_it_with_no_other():
    tree = grow([[1, 2, 3], [1, 2, 0], [1, 1]])
    assert [branch.name for branch in shape(tree).branches] == ["", "", ""]
    tree.rename(tip(tree, [1]), "all")
    tree.rename(tip(tree, [1, 2, 0]), "second")
    first, second, third = shape(tree).branches
    assert [first.name, second.name, third.name] == ["all", "second", ""]
    assert first.named == tip(tree, [1])
    assert third.named == third.tip == tip(tree, [1, 1])
    tree.rename(tip(tree, [1, 2, 3]), "nearer to the end")
    assert [branch.name for branch in shape(tree).branches] == ["nearer to the end", "second", ""]
