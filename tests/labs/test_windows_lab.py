"""Windows and batches as the windows page shows them, compared with the book's DataLoader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.data import texts
from gptstudio.labs.lab import compare
from gptstudio.labs.windows import LAB, WindowsRequest, answer
from gptstudio.training.dataset import Batches

STORY = WindowsRequest(text="story", context=6, stride=5, batch_size=3)


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
