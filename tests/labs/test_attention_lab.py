"""Attention, from dot products to several heads: the printed figures, and the effect of each step on them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab_output import as_json, ran

from gptstudio.labs.attention import BOOK_INPUT, LAB, STAGES, AttentionRequest, answer

BOOKS = {example.name: example.request for example in LAB.examples}


@st.composite
def asks(draw) -> AttentionRequest:
    """Any request with small numbers."""
    rows, columns, heads = draw(st.integers(1, 8)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    number = st.floats(-3, 3, width=16).map(float)
    return BOOK_INPUT.but(
        stage=draw(st.sampled_from(STAGES)), words=" ".join(["word"] * rows), query=draw(st.integers(1, rows)),
        inputs=draw(st.lists(st.lists(number, min_size=columns, max_size=columns), min_size=rows, max_size=rows)),
        d_out=draw(st.integers(1, 4)), seed=draw(st.integers(0, 99)), drawn=draw(st.sampled_from(["Linear", "rand"])),
        scale=draw(st.booleans()), mask=draw(st.sampled_from(["before", "after", "none"])),
        renormalise=draw(st.booleans()), rate=draw(st.sampled_from([0.0, 0.1, 0.5])), heads=heads,
    )


@given(asks())
def test_that_the_code_shown_for_attention_computes_the_same(lab_request) -> None:
    context = ran(LAB, lab_request)["context"]
    np.testing.assert_allclose(context.numpy(), answer(lab_request).context, rtol=1e-5, atol=1e-6)


@given(asks())
def test_that_a_mask_after_the_softmax_gives_the_same_weights_after_renormalizing(lab_request) -> None:
    for head in answer(lab_request).heads:
        np.testing.assert_allclose(head.before, head.after, atol=1e-5)
        assert not np.triu(head.before, k=1).any()
        assert not np.triu(head.cut, k=1).any()


def test_that_without_renormalizing_the_rows_after_a_late_mask_do_not_sum_to_one() -> None:
    head = answer(BOOKS["Causal attention"].but(mask="after", renormalise=False)).heads[0]
    sums = head.weights.sum(axis=1)
    assert (sums[:-1] < 0.9).all()
    assert sums[-1] == pytest.approx(1)
    assert (head.weights == head.cut).all()


def test_that_with_a_late_mask_a_later_word_changes_the_divisor_of_an_earlier_one() -> None:
    causal = BOOKS["Causal attention"]
    changed = causal.but(inputs=(*causal.inputs[:-1], (5.0, 5.0, 5.0)))
    was, now = answer(causal).heads[0], answer(changed).heads[0]
    assert (was.masked[:-1] == now.masked[:-1]).all()
    assert (was.before[:-1] == now.before[:-1]).all()
    assert (was.cut[:-1].sum(axis=1) != now.cut[:-1].sum(axis=1)).all()


def test_that_a_late_mask_leaves_nothing_to_divide_where_a_later_word_had_all_weight() -> None:
    lab_request = BOOK_INPUT.but(
        words="small large", inputs=((0.0, 20.0), (50.0, 50.0)), query=1, stage="mask", scale=False, drawn="rand",
        d_out=8, mask="after",
    )
    head = answer(lab_request).heads[0]
    assert head.cut[0].sum() == 0
    assert np.isnan(head.after[0, 0])
    assert head.before[0, 0] == 1


def test_that_each_stage_adds_one_thing() -> None:
    found = {stage: answer(BOOK_INPUT.but(stage=stage, heads=3)) for stage in STAGES}
    assert [len(each.heads) for each in found.values()] == [1, 1, 1, 1, 3]
    assert found["products"].heads[0].w_query.size == 0
    assert found["weights"].heads[0].w_query.shape == (3, 2)
    assert (found["weights"].heads[0].scaled == found["mask"].heads[0].scaled).all()
    assert (found["mask"].heads[0].dropped == found["mask"].heads[0].weights).all()
    assert (found["dropout"].heads[0].dropped == 0).sum() > (found["dropout"].heads[0].weights == 0).sum()
    assert found["heads"].context.shape == (6, 6)
    assert (found["heads"].context[:, :2] == found["dropout"].context).all()


def test_that_masked_attention_is_written_to_json_as_words() -> None:
    found = answer(BOOKS["Causal attention"])
    back = as_json(found)
    assert np.allclose(back["context"], found.context)
    assert back["heads"][0]["masked"][0][1] == "-inf"


@given(asks())
def test_that_attention_returns_rows_as_long_as_their_names_and_finite_values(lab_request) -> None:
    found = answer(lab_request)
    table = LAB.table(found)
    assert {len(row) for row in table.rows} == {len(table.columns)}
    values = LAB.values(found)
    assert values[f"weight_{lab_request.query}"] <= values["largest_weight"]
    assert np.isfinite(list(values.values())).all()
