"""``inspect``: as text and as JSON."""

from math import log

import pytest
from command_line import lines

FRESH = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "2", "--context-length", "16", "--device", "cpu"]
PROMPT = ["--prompt", "Every effort moves you"]


def test_that_json_has_candidates_components_and_parts_that_add_up_to_the_logit(cli):
    read, *between, end = lines(cli("inspect", *FRESH, *PROMPT, "--attribution", "--ablate", "1.mlp", "--json"))
    assert read["interventions"] == [{"component": "blocks.1.mlp", "factor": 0.0, "baseline": "zero"}]
    candidates = [each for each in between if each["event"] == "candidate"]
    parts = [each for each in between if each["event"] == "component"]
    shares = [each["probability"] for each in candidates]
    assert shares == sorted(shares, reverse=True)
    assert any(each["changed_probability"] != each["probability"] for each in candidates)
    assert {each["component"] for each in parts} == {
        "blocks.0.attn.head.0", "blocks.0.attn.head.1", "blocks.0.mlp", "blocks.1.attn.head.0", "blocks.1.attn.head.1",
        "blocks.1.mlp"}
    assert end["id"] == candidates[0]["id"]
    logit = sum(each["attribution"] for each in parts) + sum(end["rest"].values())
    assert logit == pytest.approx(end["logit"], abs=1e-4)


def test_that_the_reported_ablation_is_that_of_a_real_ablation(cli):
    asked = [*FRESH, *PROMPT, "--token", " cat"]
    *_, end = found = lines(cli("inspect", *asked, "--attribution", "--json"))
    (effect,) = [each["ablation"] for each in found if each.get("component") == "blocks.0.attn.head.1"]
    changed = lines(cli("inspect", *asked, "--ablate", "0.1", "--json"))[-1]
    assert (changed["id"], changed["text"]) == (end["id"], " cat")
    assert log(changed["probability"]) - log(changed["changed_probability"]) == pytest.approx(effect, abs=1e-4)
    book = lines(cli("inspect", *asked, "--ablate", "0.1", "--reference", "--json"))[-1]
    assert book["changed_probability"] == pytest.approx(changed["changed_probability"], rel=1e-4)
    same = lines(cli("inspect", *asked, "--ablate", "0.1=1", "--json"))[-1]
    assert same["changed_probability"] == pytest.approx(same["probability"])


def test_that_the_text_output_has_both_probabilities_and_the_most_important_components(cli):
    result = cli("inspect", *FRESH, *PROMPT, "--ablate", "0.0=0.5", "--ablate", "blocks.1.mlp", "--attribution")
    assert result.code == 0
    assert "Changed: blocks.0.attn.head.0 times 0.5" in result.out
    assert "Changed: blocks.1.mlp times 0" in result.out
    assert "add up to the logit" in result.out
    plain = cli("inspect", *FRESH, *PROMPT)
    assert "with the change" not in plain.out


@pytest.mark.parametrize(("given", "words"), [
    (["--prompt", ""], "The prompt is empty"),
    ([*PROMPT, "--ablate", "2.0"], "This model has no 2.0"),
    ([*PROMPT, "--ablate", "mlp"], "names no part of a model"),
    ([*PROMPT, "--ablate", "1.0=much"], "is not a number"),
    ([*PROMPT, "--ablate", "0.1", "--ablate", "blocks.0.1=0.5"], "blocks.0.attn.head.1 is ablated twice."),
    ([*PROMPT, "--ablate", "1.0=nan"], "must be from 0 to 2"),
    ([*PROMPT, "--token", "two words"], "is not one token"),
    ([*PROMPT, "--vocab-size", "100"], "token IDs of this model are below 100"),
])
def test_that_an_impossible_inspection_is_reported_in_one_line(refused, given, words):
    assert words in refused("inspect", *FRESH, *given)
