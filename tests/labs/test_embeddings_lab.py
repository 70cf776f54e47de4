"""Embeddings as their page shows them, compared with torch's own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.labs.embeddings import LAB, ROWS, EmbeddingsRequest, answer

SENTENCE = EmbeddingsRequest(ids=((2, 3, 5, 1), (3, 3, 0, 4)), position=2, context=9, width=5, row=1, column=2, seed=7)


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 5), st.data())
def test_that_a_lookup_is_one_hot_times_matrix(vocabulary, width, position, data):
    ids = data.draw(st.lists(st.integers(0, vocabulary - 1), min_size=1, max_size=4))
    column = data.draw(st.integers(0, len(ids) - 1))
    found = answer(EmbeddingsRequest(
        ids=(tuple(ids),), position=position, vocabulary=vocabulary, context=10, width=width, column=column
    ))
    assert np.array_equal(found.product, found.token)
    assert (found.id, found.position) == (ids[column], position + column)
    assert np.array_equal(found.sum, found.token + found.place)
    if found.complete:
        assert np.array_equal(found.token, found.token_matrix[found.id])
        assert np.array_equal(found.place, found.position_matrix[found.position])


def test_that_another_position_changes_the_vector_and_not_the_row():
    here, there = answer(EmbeddingsRequest(ids=((3,),))), answer(EmbeddingsRequest(ids=((3,),), position=2))
    assert np.array_equal(here.token, there.token)
    assert np.array_equal(here.sum, there.at_first)
    assert LAB.values(here)["moved"] == 0
    assert LAB.values(there)["moved"] > 0.1
    assert LAB.values(there)["position"] == 2


def test_that_a_token_past_the_last_is_the_last():
    found = answer(SENTENCE.but(row=9, column=9))
    assert (found.row, found.column) == (1, 3)


def test_that_of_a_large_matrix_a_corner_is_kept():
    found = answer(EmbeddingsRequest(ids=((30,),), vocabulary=40, width=20))
    assert not found.complete
    assert found.token_matrix.shape == (ROWS, 8)
    assert found.token_shape == (40, 20)
    assert found.parameters == 44 * 20
