"""Windows and batches as the windows page shows them, compared with the book's DataLoader."""

import numpy as np
import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from lab_output import as_json, ran

from gptstudio.data import texts
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.labs.lab import compare
from gptstudio.labs.windows import BOOK_IDS, LAB, WindowsRequest, answer
from gptstudio.training.dataset import Batches

STORY = WindowsRequest(text="story", context=6, stride=5, batch_size=3)


def test_that_every_figure_of_the_text_is_compared_except_its_origin(numbers):
    places = {figure.place for figure in LAB.figures if figure.also is None}
    assert places == {("the_verdict", key) for key in numbers["the_verdict"]}


def test_that_the_story_replaces_a_missing_verdict(monkeypatch, tmp_path):
    monkeypatch.setattr(texts, "verdict_places", lambda: [tmp_path / "the-verdict.txt"])
    found = answer(LAB.examples[0].request)
    assert found.name == texts.NAMES[texts.STORY]
    assert "not on this computer" in found.missing
    assert not any(each.agrees for each in compare(LAB, found))
    (tmp_path / "the-verdict.txt").write_text("I had always thought")
    assert "has only 4 tokens" in answer(LAB.examples[0].request).missing


@pytest.mark.slow
def test_that_the_windows_are_those_that_training_gets():
    asked = STORY.but(context=60, stride=50)
    found = answer(asked)
    batches = Batches(found.ids, asked.context, asked.stride, asked.batch_size, shuffle=False, drop_last=True)
    assert len(batches) == found.batches
    for i, (inputs, targets) in enumerate(batches):
        batch = answer(asked.but(window=i * asked.batch_size + 1))
        assert batch.batch == i
        assert (batch.inputs == inputs.numpy()).all()
        assert (batch.targets == targets.numpy()).all()


@given(st.integers(2, 60), st.integers(1, 12), st.integers(1, 12), st.integers(1, 5), st.booleans())
def test_that_tokens_are_counted_as_often_as_windows_have_them(count, context, stride, batch_size, drop_last):
    ids = tuple(range(count + context))
    found = answer(WindowsRequest(
        text="ids", ids=ids, context=context, stride=stride, batch_size=batch_size, drop_last=drop_last
    ))
    starts = list(range(0, len(ids) - context, stride))
    used = starts[: len(starts) // batch_size * batch_size] if drop_last else starts
    assert found.starts.tolist() == starts
    assert found.used == len(used)
    assert found.as_input.tolist() == [sum(s <= i < s + context for s in used) for i in ids]
    assert found.as_target.tolist() == [sum(s < i <= s + context for s in used) for i in ids]
    assert found.skipped == sum(not any(s <= i <= s + context for s in used) for i in ids)


def test_that_overlap_and_gaps_are_reported():
    assert answer(STORY).overlap == 1
    apart = answer(STORY.but(stride=9))
    assert apart.overlap == -3
    assert apart.skipped >= 2 * (len(apart.starts) - 1)  # of three between two windows, one is a target
    assert answer(STORY.but(stride=6)).repeated == 0
    assert answer(WindowsRequest(text="ids", ids=(1, 2), context=1)).overlap == 0


def test_that_the_last_batch_may_be_smaller_or_dropped():
    asked = WindowsRequest(text="ids", ids=tuple(range(15)), context=2, stride=2, batch_size=4, window=6)
    dropped, kept = answer(asked), answer(asked.but(drop_last=False))
    assert (dropped.dropped, dropped.batches, dropped.used) == (True, 1, 4)
    assert (kept.dropped, kept.batches, kept.used) == (False, 2, 7)
    assert kept.inputs.shape == (3, 2)


def test_that_a_window_past_the_last_shows_the_last():
    found = answer(STORY.but(window=20_000))
    assert found.window == len(found.starts) - 1


@pytest.mark.parametrize("lab_request", [
    LAB.examples[0].request, STORY.but(window=4, drop_last=False),
    WindowsRequest(text="own", own="One day it rained.", context=2),
    WindowsRequest(text="ids", ids=BOOK_IDS, stride=2, batch_size=2),
])
def test_that_the_code_for_windows_prints_the_same_as_the_page_shows(lab_request, verdict, monkeypatch):
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: {"gpt2": GPT2.encoding}[name])  # no network
    scope = ran(LAB, lab_request)
    found = answer(lab_request)
    rows = slice(found.first, found.first + lab_request.batch_size)
    assert np.array_equal(scope["inputs"][rows], found.inputs)
    assert np.array_equal(scope["targets"][rows], found.targets)
    assert (len(scope["starts"]), len(scope["loader"])) == (len(found.starts), found.batches)
    for i, (inputs, _) in enumerate(scope["loader"]):
        if i == found.batch:
            assert np.array_equal(inputs, found.inputs)


def test_that_json_table_and_values_are_of_the_answer():
    found = answer(LAB.examples[2].request)
    assert as_json(found)["inputs"] == [[10, 20, 30, 40], [30, 40, 50, 60]]
    assert LAB.table(found).rows == ((0, 10, 20, 30, 40, 20, 30, 40, 50), (1, 30, 40, 50, 60, 40, 50, 60, 70))
    assert LAB.values(found) | {"overlap": 2, "windows": 2, "skipped": 0, "repeated": 2} == LAB.values(found)
