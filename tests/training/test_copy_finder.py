"""The copied passages in its samples that a run reports."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_runs import equal, journal_lines, of, train, weights

from gptstudio.data import ngram
from gptstudio.data.ngram import CopiedStretch
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.history import run_history
from gptstudio.training import corpus, measurements
from gptstudio.training.events import CopiesFound, SampleWritten, Warned
from gptstudio.training.measurements import copies_found

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture
def learned(tiny_spec, tmp_path):
    """A run that reproduces its text exactly at the end."""
    return train(tiny_spec(steps=None, epochs=6, learning_rate=0.03, sample_tokens=20, eval_freq=100), tmp_path / "run")


def test_that_a_run_reports_the_copied_passages_of_its_samples(learned):
    events = list(learned.events())
    samples = [event for event in events if isinstance(event, SampleWritten)]
    found = [event for event in events if isinstance(event, CopiesFound)]
    assert [each.step for each in found] == [each.step for each in samples]
    assert found[0].copied < found[-1].copied
    spec = learned.record().spec
    text = GPT2.decode(list(corpus.read(spec).train_ids[0:]))
    for sample, copies in zip(samples, found, strict=True):
        for each in copies.copies:
            assert sample.text[each.start : each.stop] in text
        assert copies.longest == max((each.tokens for each in copies.copies), default=0)
    history = run_history.read(learned.journal_path)
    assert history.copies["copied_percent"].tolist() == [100 * each.copied / 20 for each in found]
    assert history.copies["tokens_seen"].tolist() == [
        history.steps["tokens_seen"][each.step] for each in found]


def test_that_the_search_changes_nothing_of_the_run(tiny_spec, tmp_path, monkeypatch):
    spec = tiny_spec(steps=None, epochs=1)
    searched = train(spec, tmp_path / "searched")
    monkeypatch.setattr(measurements.CopyFinder, "after_sample", lambda *_: iter(()))
    plain = train(spec, tmp_path / "plain")
    assert [each for each in journal_lines(searched) if "copies_found" not in each] == journal_lines(plain)
    assert equal(weights(searched), weights(plain))


def test_that_a_text_that_is_too_long_is_reported_once_and_not_searched(tiny_spec, tmp_path, monkeypatch):
    monkeypatch.setattr(ngram, "MOST_INDEXED", 10)
    run = train(tiny_spec(steps=None, epochs=2, eval_freq=100), tmp_path / "run")
    [warned] = [event.message for event in of(run, Warned)]
    assert "searched for copied passages in texts of up to 10 tokens" in warned
    assert not of(run, CopiesFound)


@given(st.text(st.sampled_from("aé北😀 \n"), min_size=1, max_size=20), st.data())
def test_that_copied_passages_are_whole_characters_of_the_text(text, data):
    ids = GPT2.encode(text)
    start = data.draw(st.integers(0, len(ids) - 1))
    stop = data.draw(st.integers(start + 1, len(ids)))
    [copy] = copies_found(0, ids, 0, [CopiedStretch(start, stop, 0)]).copies
    inside = b"".join(map(GPT2.token_bytes, ids[start:stop])).decode(errors="ignore")
    assert inside in text[copy.start : copy.stop]
    assert len(text[copy.start : copy.stop]) <= len(inside) + 2
