"""``patch`` and ``induction``: the same figures as the library's, as text and as JSON."""


import pytest
from command_line import lines

from gptstudio.gpt.tokenizer import GPT2

FRESH = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "2", "--context-length", "16", "--device", "cpu"]
HEADS = [f"blocks.{layer}.attn.head.{head}" for layer in (0, 1) for head in (0, 1)]
PROMPTS = ["--clean", "When Mary went", "--corrupted", "When John went"]


def test_that_json_has_every_place_and_its_share_is_that_of_the_differences(cli):
    read, *cells = lines(cli("patch", *FRESH, *PROMPTS, "--answer", " Mary", "--wrong", " John", "--json"))
    assert [GPT2.decode([read[name]]) for name in ("answer", "wrong")] == [" Mary", " John"]
    assert read["differing"] == [1]
    assert [(each["layer"], each["position"]) for each in cells] == [(layer, at) for layer in (0, 1) for at in range(3)]
    whole = read["clean_difference"] - read["corrupted_difference"]
    for each in cells:
        assert each["recovered"] == pytest.approx((each["difference"] - read["corrupted_difference"]) / whole)
    assert cells[1]["name"] == "blocks.0.resid_pre[1]"
    assert cells[1]["recovered"] == pytest.approx(1, abs=1e-3)
    assert cells[1]["probability"] == pytest.approx(read["clean_probability"], rel=1e-3)
    _, *heads = lines(cli("patch", *FRESH, *PROMPTS, "--kind", "heads", "--json"))
    assert [each["name"] for each in heads] == HEADS


def test_that_the_text_output_has_the_largest_shares_and_places_with_nothing_to_recover(cli):
    result = cli("patch", *FRESH, *PROMPTS)
    assert "Prompts: 3 tokens, 1 of them different." in result.out
    assert "100.0 %" in result.out
    assert "blocks.0.resid_pre[1]   ␣Mary" in result.out
    assert result.err == ""
    longer = [each.replace("When", "When " * 20) for each in PROMPTS]
    assert "Tokens left out at its beginning: " in cli("patch", *FRESH, *longer).err


@pytest.mark.parametrize(("given", "words"), [
    (["--clean", "a b", "--corrupted", "a b c"], "has 2 tokens and the corrupted one 3"),
    (["--clean", "a b", "--corrupted", "a b"], "same tokens"),
    (["--clean", "", "--corrupted", "a"], "A prompt is empty"),
    ([*PROMPTS, "--answer", "two words"], "is not one token"),
    ([*PROMPTS, "--answer", " a", "--wrong", " a"], "no difference between them"),
    ([*PROMPTS, "--vocab-size", "100"], "token IDs of this model are below 100"),
])
def test_that_an_impossible_patch_is_reported_in_one_line(refused, given, words):
    assert words in refused("patch", *FRESH, *given)


def test_that_induction_lists_every_head_the_highest_score_first(cli):
    read, *heads = lines(cli("induction", *FRESH, "--seed", "5", "--json"))
    assert (read["half"], read["seed"]) == (8, 5)
    assert {each["component"] for each in heads} == set(HEADS)
    scores = [each["induction"] for each in heads]
    assert scores == sorted(scores, reverse=True)
    assert not any(each["induction_head"] for each in heads)
    result = cli("induction", *FRESH)
    assert "Induction: 0 heads with a score of at least 0.4" in result.out
    assert "at least 4" in cli("induction", *FRESH[:6], "--context-length", "3").err
