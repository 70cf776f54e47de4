"""``beam``: the kept beams and the compared strategies, as text and as JSON."""

import json

import pytest

FRESH = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "1", "--context-length", "16", "--device", "cpu"]
PROMPT = ["--prompt", "Every effort moves you"]


def test_that_json_has_each_step_the_beams_and_the_strategies_of_generate(cli):
    asked = [*FRESH, *PROMPT, "--max-new-tokens", "6", "--seed", "3"]
    result = cli("beam", *asked, "--width", "3", "--temperature", "0.9", "--top-k", "40", "--json")
    assert result.code == 0, result.err
    read, *steps, a, b, c, greedy, beam, sampling = map(json.loads, result.out.splitlines())
    assert len(read["ids"]) == 4
    assert [(each["event"], each["step"]) for each in steps] == [("beam_step", step + 1) for step in range(6)]
    assert all(len(each["kept"]) == len(each["pruned"]) == 3 for each in steps)
    assert [each["ids"] for each in (a, b, c)] == [each["ids"] for each in steps[-1]["kept"]]
    assert a["log_probability"] >= b["log_probability"] >= c["log_probability"]
    assert a["mean_log_probability"] == pytest.approx(a["log_probability"] / 6)
    assert beam["ids"] == a["ids"]
    for each, flags in ((greedy, ["--temperature", "0"]), (sampling, ["--temperature", "0.9", "--top-k", "40"])):
        lines = cli("generate", *asked, *flags, "--json").out.splitlines()
        drawn = [one for one in map(json.loads, lines) if one["event"] == "token_drawn"]
        assert [one["id"] for one in drawn] == each["ids"], each["strategy"]


def test_that_the_text_output_has_sums_means_and_repetition(cli):
    few = ["--max-new-tokens", "3", "--width", "2", "--precision", "bf16"]
    result = cli("beam", *FRESH, *PROMPT, *few, "--length-penalty", "1")
    assert result.code == 0, result.err
    assert "Beams kept: 2 of width 2; length penalty 1" in result.out
    for name in ("greedy: ", "beam, width 2: ", "sampling, seed 123: "):
        assert name in result.out
    assert "–" in result.out, "three tokens have no four-gram"


@pytest.mark.parametrize(("given", "words"), [
    (["--prompt", ""], "The prompt is empty"),
    ([*PROMPT, "--width", "9"], "between 1 and 8"),
    ([*PROMPT, "--length-penalty", "nan"], "length_penalty is nan"),
    ([*PROMPT, "--vocab-size", "100"], "token IDs of this model are below 100"),
])
def test_that_an_impossible_search_is_reported_in_one_line(refused, given, words):
    assert words in refused("beam", *FRESH, *given)
