"""The arithmetic in words: every line is computed again, from the words alone or with numpy alone."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gptstudio.gpt.sampling import USUAL_ORDER
from gptstudio.gpt.sampling.logits import softmax
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.stage_texts import TokenChoice

BOOK = np.array([4.51, 0.89, -1.90, 6.75, 1.63, -1.62, -1.89, 6.28, 1.79])
"""The logits of the seeds' small vocabulary (5.3): closer every effort forward inches moves pizza toward you."""
FORWARD, TOWARD = 3, 7

some_logits = arrays(np.float32, st.integers(1, 40), elements=st.floats(-30, 30, width=32))
some_parameters = st.builds(
    SamplingParams, temperature=st.sampled_from([0.0, 0.1, 0.7, 1.0, 1.4, 2.0]),
    top_k=st.sampled_from([None, 1, 3, 20]), top_p=st.sampled_from([1.0, 0.9, 0.5, 0.0]),
    typical_p=st.sampled_from([1.0, 0.9, 0.5]), min_p=st.sampled_from([0.0, 0.05, 0.5]),
    repetition_penalty=st.sampled_from([1.0, 1.2, 0.7]), frequency_penalty=st.sampled_from([0.0, 0.5, -1.0]),
    presence_penalty=st.sampled_from([0.0, 0.3]),
    order=st.permutations(USUAL_ORDER).map(tuple),
)


def book(sampling_params: SamplingParams, seen=()) -> TokenChoice:
    return TokenChoice.of(BOOK, sampling_params, seen, TOWARD)


def computed(words: str) -> float:
    """Return the value of a line of stage_texts."""
    return eval(words.replace("×", "*"), {"exp": np.exp})


def sides(line: str) -> tuple[float, float]:
    """Return both sides of the last equation of a line: the computed value, and the stated one."""
    left, right = re.sub(r"^.*: ", "", line).rsplit(" = ", 1)
    return computed(left), float(right)


@pytest.mark.parametrize(
    ("sampling_params", "seen", "column", "words"),
    [
        (SamplingParams(temperature=1.4), (), "temperature", "6.28 / 1.4 = 4.49"),
        (SamplingParams(temperature=1.4), (), "top_k", "Top-k is off: it stays 4.4857"),
        (SamplingParams(temperature=0.0), (), "temperature",
         "Removed: temperature 0 keeps only the most likely token"),
        (SamplingParams(temperature=0.0), (), "top_k", "Already removed by temperature"),
        (SamplingParams(top_k=3), (), "top_k", "Rank 2 of the 3 that are kept"),
        (SamplingParams(top_k=1), (), "top_k", "Removed: rank 2; only the 1 most likely are kept"),
        (SamplingParams(top_p=0.9), (), "top_p", "The tokens ranked above it sum to 0.572, less than 0.9: kept"),
        (SamplingParams(top_p=0.5), (), "top_p", "The tokens ranked above it sum to 0.572, which reaches 0.5: removed"),
        (SamplingParams(min_p=0.05), (), "min_p", "0.358 is at least 0.05 × 0.572: kept"),
        (SamplingParams(min_p=0.7), (), "min_p", "0.358 is less than 0.7 × 0.572: removed"),
        (SamplingParams(repetition_penalty=1.2), (TOWARD,), "repetition_penalty",
         "Already in the text: 6.28 / 1.2 = 5.23"),
        (SamplingParams(repetition_penalty=1.2), (), "repetition_penalty", "Not in the text yet: it stays 6.28"),
        (SamplingParams(), (), "logit", "The model's logit is 6.28, 0.47 below the highest"),
        (SamplingParams(), (), "token", "(: ID 7, model rank 2 of 9"),
        (SamplingParams(temperature=1.4, top_k=1), (), "probability",
         "Removed by top-k: 0.  Before: exp(6.28) / (exp(6.75) + …, 9 tokens in all) = 0.358"),
        (SamplingParams(temperature=1.4, top_k=3), (), "probability",
         "exp(6.28/1.4) / (exp(6.75/1.4) + exp(6.28/1.4) + exp(4.51/1.4)) = 0.373.  "
         "Before: exp(6.28) / (exp(6.75) + …, 9 tokens in all) = 0.358"),
        (SamplingParams(temperature=1.4, top_k=None, repetition_penalty=1.2), (TOWARD,), "probability",
         "exp(6.28/1.2/1.4) / (exp(6.75/1.4) + …, 9 tokens in all) = 0.209.  "
         "Before: exp(6.28) / (exp(6.75) + …, 9 tokens in all) = 0.358"),
    ],
)  # fmt: skip
def test_that_each_column_shows_how_its_number_is_computed(sampling_params, seen, column, words):
    assert stage_texts.of_token(book(sampling_params, seen), TOWARD, column) == words


def test_that_expressions_follow_the_order_of_the_stages_and_negative_logits_are_multiplied():
    words = stage_texts.of_token(book(SamplingParams(repetition_penalty=1.2), (2,)), 2, "repetition_penalty")
    assert words == "Already in the text: -1.9 × 1.2 = -2.28"
    both = SamplingParams(temperature=1.4, repetition_penalty=1.2)
    assert stage_texts.expression(book(both, (2,)), 2) == "-1.9×1.2/1.4"
    order = ("temperature", "repetition_penalty", "top_k", "top_p", "min_p")
    choice = book(SamplingParams(temperature=2.0, repetition_penalty=1.5, order=order), (TOWARD,))
    assert stage_texts.of_token(choice, TOWARD, "temperature") == "6.28 / 2 = 3.14"
    assert stage_texts.of_token(choice, TOWARD, "repetition_penalty") == "Already in the text: 3.14 / 1.5 = 2.09"
    assert stage_texts.expression(choice, TOWARD) == "6.28/2/1.5"
    small = book(SamplingParams(temperature=1e-300))
    assert stage_texts.of_token(small, TOWARD, "temperature") == "6.28 / 1e-300 = 6.28e+300"
    tiny = TokenChoice.of(BOOK, SamplingParams(temperature=5e-324), (), TOWARD)
    assert stage_texts.of_token(tiny, TOWARD, "temperature") == "(6.28 - 6.75) / 4.941e-324 = -inf"
    assert stage_texts.of_token(tiny, FORWARD, "temperature") == "(6.75 - 6.75) / 4.941e-324 = 0.00"


@given(some_logits, some_parameters, st.sets(st.integers(0, 39)))
def test_that_every_line_is_true_as_written(logits, sampling_params, seen):
    choice = TokenChoice.of(logits, sampling_params, seen, 0)
    for token in range(logits.size):
        for column in ("temperature", "repetition_penalty", "probability"):
            line = stage_texts.of_token(choice, token, column)
            for equation in re.split(r"\.  (?=[A-Z])", line):
                if " = " in equation and "…" not in equation:
                    left, right = sides(equation)
                    assert left == pytest.approx(right, rel=0.006, abs=0.006), equation

    left = choice.stages.probabilities > 0
    for token in np.flatnonzero(left).tolist():
        line = stage_texts.of_token(choice, token, "probability").split(".  Before")[0]
        if "…" not in line:
            continue
        parts = re.match(r"(exp\(.*\)) / \((exp\(.*\)) \+ …, (\d+) tokens in all\) = (\S+)", line)
        own, top, count, share = parts.groups()
        assert int(count) == left.sum()
        ratio = choice.stages.probabilities[token] / choice.stages.probabilities.max()
        assert computed(own) / computed(top) == pytest.approx(ratio, rel=0.01)
        assert float(share) == pytest.approx(choice.stages.probabilities[token], rel=0.006)


@given(some_logits, some_parameters, st.sets(st.integers(0, 39)))
def test_that_every_reason_to_keep_or_remove_is_true_as_written(logits, sampling_params, seen):
    choice = TokenChoice.of(logits, sampling_params, seen, 0)
    for token in range(logits.size):
        for stage in ("top_p", "min_p"):
            words = stage_texts.of_token(choice, token, stage)
            numbers = [float(each) for each in re.findall(r"\d[\d.]*(?:e-\d+)?", words)]
            if "is less than" in words:
                assert numbers[0] < numbers[1] * numbers[2], words
            elif "is at least" in words:
                assert numbers[0] >= numbers[1] * numbers[2], words
            elif "less than" in words:
                assert numbers[0] < numbers[1], words
            elif "reaches" in words:
                assert numbers[0] >= numbers[1], words
            assert (": removed" in words) == bool(choice.step(stage).cut[token])
    before = choice.step("top_p").before
    order = sorted(range(logits.size), key=lambda i: (-before[i], i))
    shares = np.exp(before - before.max()) / np.exp(before - before.max()).sum()
    for place, token in enumerate(order):
        words = stage_texts.of_token(choice, token, "top_p")
        if "ranked above it sum to" in words:
            assert float(words.split(",")[0].split()[-1]) == pytest.approx(shares[order[:place]].sum(), rel=0.006)


def test_that_reasons_are_ordered_from_long_to_short():
    assert stage_texts.reasons(book(SamplingParams(top_k=2)), 0) == ("removed: rank 3, top-k is 2", "rank 3", "removed")
    assert stage_texts.reasons(book(SamplingParams(top_p=0.5)), 0) == ("removed by top-p", "removed")
    assert stage_texts.reasons(book(SamplingParams(temperature=0.0)), 0) == ("removed: temperature 0", "removed")
    assert stage_texts.reasons(book(SamplingParams(temperature=5e-324)), 0) == ("removed by temperature", "removed")
    assert stage_texts.reasons(book(SamplingParams(top_k=2)), FORWARD) == ()


def test_that_unlisted_tokens_are_summarised_in_one_line_and_draws_beside_the_expected_counts():
    choice, rest = book(SamplingParams(top_k=4)), np.ones(9, dtype=bool)
    rest[[FORWARD, TOWARD]] = False
    assert stage_texts.of_rest(choice, rest, "top_k") == "2 of the 7 unlisted tokens are kept"
    before = softmax(BOOK)[rest].sum()
    after = softmax(np.sort(BOOK)[-4:])[:2].sum()
    assert stage_texts.of_rest(choice, rest, "probability") == (
        f"Sum over 7 tokens: {before:.3g} before, {after:.3g} after"
    )
    choice = book(SamplingParams())
    assert stage_texts.of_token(choice, TOWARD, "draws") == "Nothing drawn yet"
    counts = np.zeros(9, dtype=np.intp)
    counts[[FORWARD, TOWARD]] = 640, 360
    words = stage_texts.of_token(replace(choice, draws=counts), TOWARD, "draws")
    assert words == "Drawn 360 times out of 1,000; expected: 0.358 × 1,000 = 358"


@pytest.mark.parametrize(("write", "value", "words"), [
    *((stage_texts.share, *each) for each in (
        (1.0, "1"), (0.99999, "0.99999"), (0.361, "0.361"), (0.0, "0"), (1e-9, "1e-09"))),
    *((stage_texts.number, *each) for each in (
        (6.28, "6.28"), (-110.12345, "-110.1235"), (0.0, "0"), (1e-300, "1e-300"), (3e38, "3e+38"))),
])
def test_that_numbers_have_as_many_digits_as_needed_and_a_share_is_never_rounded_to_a_false_value(write, value, words):
    assert write(value) == words

