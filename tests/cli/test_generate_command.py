"""``generate``: the text as it is generated, and one JSON line for each token."""

import json
import math

import numpy as np
import pytest
import torch
from by_hand import stages_by_hand
from command_line import LESSON, TINY, lines

from gptstudio.cli.output import Console, TextPrinter, harmless
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling import USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint

FRESH = [*TINY, "--device", "cpu"]
MODEL = GPTConfig(context_length=16, emb_dim=8, n_heads=2, n_layers=1)  # as in the flags of TINY
PARAMETERS = {
    "at rest": ([], SamplingParams(top_k=50)),
    "the usual order": (
        ["--temperature", "0.7", "--top-k", "1000", "--top-p", "0.9", "--min-p", "0.02", "--repetition-penalty", "1.5"],
        SamplingParams(temperature=0.7, top_k=1000, top_p=0.9, min_p=0.02, repetition_penalty=1.5),
    ),
    "another order": (
        ["--temperature", "1.4", "--top-k", "none", "--top-p", "0.6", "--min-p", "0.01", "--repetition-penalty", "0.8",
         "--order", "top_k,top_p,min_p,temperature,repetition_penalty"],
        SamplingParams(temperature=1.4, top_k=None, top_p=0.6, min_p=0.01, repetition_penalty=0.8,
                       order=("top_k", "top_p", "min_p", "temperature", "repetition_penalty")),
    ),
    "greedy": (["--temperature", "0", "--top-p", "0.5"], SamplingParams(temperature=0.0, top_k=50, top_p=0.5)),
}


def test_that_the_prompt_and_its_continuation_are_printed(cli):
    result = cli("generate", *FRESH, "--prompt", "Hello, I am", "--max-new-tokens", "4")
    assert result.code == 0
    assert result.err == ""
    assert result.out.startswith("Hello, I am")
    assert len(GPT2.encode(result.out.rstrip("\n"))) > 4


def test_that_on_a_terminal_the_prompt_is_dim_and_the_new_text_plain(cli, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = cli("generate", *FRESH, "--prompt", "Hello", "--max-new-tokens", "1")
    assert result.out.startswith("\x1b[2mHello\x1b[0m")
    assert result.out.count("\x1b") == 2


def test_that_json_prints_each_token_with_its_ten_most_likely_alternatives(cli):
    tokens = lines(cli("generate", *FRESH, "--max-new-tokens", "3", "--json"))
    assert [token["event"] for token in tokens] == ["token_drawn"] * 3
    for token in tokens:
        assert GPT2.decode([token["id"]]) == token["text"]
        assert 0 < token["probability"] <= 1
        odds = [other["probability"] for other in token["alternatives"]]
        assert len(odds) == 10
        assert odds == sorted(odds, reverse=True)


@pytest.mark.parametrize("count", [1, 50_257])
def test_that_the_requested_number_of_alternatives_is_printed(cli, count):
    [token] = lines(cli("generate", *FRESH, "--max-new-tokens", "1", "--json", "--alternatives", count))
    odds = [other["probability"] for other in token["alternatives"]]
    assert len({other["id"] for other in token["alternatives"]}) == len(odds) == count
    assert odds == sorted(odds, reverse=True)
    if count == 50_257:
        assert math.fsum(odds) == pytest.approx(1)


def test_that_a_model_with_fewer_tokens_than_are_listed_by_default_generates(cli, tmp_path):
    (tmp_path / "few.txt").write_text("abcab" * 200)
    flags = ["--text", tmp_path / "few.txt", "--vocabulary", "characters", "--run", tmp_path / "run"]
    assert cli("train", *LESSON, *flags, "--steps", "1", "--sample-prompt", "a").code == 0
    few = ["--model", tmp_path / "run", "--prompt", "a", "--max-new-tokens", "1"]
    assert cli("generate", *few).code == 0
    [token] = lines(cli("generate", *few, "--json"))
    assert 3 <= len(token["alternatives"]) < 10


@pytest.mark.parametrize("count", [0, 50_258])
def test_that_more_alternatives_than_tokens_are_refused(refused, count):
    reason = refused("generate", *FRESH, "--max-new-tokens", "1", "--json", "--alternatives", count)
    assert "Alternatives must be between 1 and 50,257, the vocabulary of" in reason
    assert f", not {count:,}." in reason


def test_that_the_same_seed_writes_the_same_text_and_another_does_not(cli):
    def text(seed: int) -> str:
        return cli("generate", *FRESH, "--seed", seed, "--max-new-tokens", "8").out

    assert text(1) == text(1) != text(2)


def test_that_temperature_zero_takes_the_most_likely_token(cli):
    for token in lines(cli("generate", *FRESH, "--temperature", "0", "--max-new-tokens", "3", "--json")):
        assert token["id"] == token["alternatives"][0]["id"]
        assert token["probability"] == 1


def test_that_top_k_none_draws_from_all_tokens(cli):
    def bits(top_k: str) -> float:
        line = cli("generate", *FRESH, "--max-new-tokens", "1", "--top-k", top_k, "--json").out
        return json.loads(line)["entropy_bits"]

    assert bits("2") <= 1
    assert bits("none") > 15  # to an untrained model, 50,257 tokens are about equally likely


@pytest.mark.parametrize(("flags", "sampling_params"), PARAMETERS.values(), ids=PARAMETERS)
def test_that_every_figure_of_every_stage_agrees_with_one_computed_by_hand(cli, flags, sampling_params):
    """Uses only the seed: the model is built and run once more, and the stages are computed in plain loops."""
    tokens = lines(cli("generate", *FRESH, "--seed", "7", *flags, "--max-new-tokens", "2", "--json"))
    with RandomStream(7).active():
        model = build_model(MODEL, "fast").eval()
    text = GPT2.encode("Every effort moves you")
    for token in tokens:
        with torch.no_grad():
            logits = model(torch.tensor([text]))[0, -1].tolist()
        by_hand = stages_by_hand(logits, sampling_params, text)
        assert token["sampling_params"] == sampling_params.model_dump(mode="json")
        ranked = sorted(range(len(logits)), key=lambda i: -by_hand.plain[i])
        assert [other["id"] for other in token["alternatives"]] == ranked[:10]
        assert token["rank"] == ranked.index(token["id"]) + 1
        agree(token["plain_probability"], by_hand.plain[token["id"]])
        agree(token["probability"], by_hand.probabilities[token["id"]])
        agree(token["plain_entropy_bits"], bits(by_hand.plain))
        agree(token["entropy_bits"], bits(by_hand.probabilities))
        # Tokens are in the order of their ids; the random number of this seed and position selects one of them.
        assert token["random_number"] == np.random.default_rng([7, 0, len(text)]).random()
        reached = math.fsum(by_hand.probabilities[: token["id"]])
        assert reached - 1e-6 <= token["random_number"] <= reached + by_hand.probabilities[token["id"]] + 1e-6
        for other in token["alternatives"]:
            after = {stage: values[other["id"]] for stage, values in by_hand.after.items()}
            assert list(other["stages"]) == list(sampling_params.order)
            for stage, value in other["stages"].items():
                agree(-math.inf if value is None else value, after[stage])
            cut = (stage for stage in sampling_params.order if after[stage] == -math.inf)
            assert other["cut_by"] == next(cut, None)
            agree(other["logit"], logits[other["id"]])
            agree(other["probability"], by_hand.plain[other["id"]])
            agree(other["after"], by_hand.probabilities[other["id"]])
        text.append(token["id"])


def agree(figure: float, by_hand: float) -> None:
    assert figure == pytest.approx(by_hand, abs=1e-6, rel=0)


def bits(probabilities) -> float:
    return -math.fsum(p * math.log2(p) for p in probabilities if p)


def test_that_a_wrong_order_of_the_stages_is_reported(refused):
    for order in ("top_k,top_k,top_p,min_p,temperature", "", ",".join(USUAL_ORDER) + ",top_a"):
        reason = refused("generate", *FRESH, "--order", order)
        assert f"it can contain each of {', '.join(USUAL_ORDER)} once" in reason


def test_that_the_help_names_optional_and_default_values(cli):
    output = " ".join(cli("generate", "--help").out.replace("│", " ").split())
    assert "Stop once this text has been generated, or leave empty." in output
    assert "--no-stop-at-end" in output
    assert "generates <|endoftext|>. [default: yes]" in output
    assert "[default: ]" not in output


# The end of a text, and several texts.


def test_that_a_text_ends_at_its_stop_and_the_reason_is_reported(cli):
    prompt = "Every effort moves you"
    whole = cli("generate", *FRESH, "--max-new-tokens", "8").out.removeprefix(prompt).rstrip("\n")
    result = cli("generate", *FRESH, "--max-new-tokens", "8", "--stop-text", whole[9])
    written = result.out.removeprefix(prompt).rstrip("\n")
    assert whole[: whole.index(whole[9]) + 1] in written
    assert whole.startswith(written)
    assert len(written) < len(whole)
    ended_at = len(GPT2.encode(prompt + written)) - 1
    assert result.err == f"Text generation ended at position {ended_at}, with the stop text.\n"


def test_that_a_text_ends_with_the_models_end_of_text_unless_set_otherwise(cli, ends_at_once):
    result = cli("generate", "--model", ends_at_once, "--max-new-tokens", "3")
    assert result.out == "Every effort moves you<|endoftext|>\n"
    assert result.err == "Text generation ended at position 4, with <|endoftext|>.\n"
    result = cli("generate", "--model", ends_at_once, "--max-new-tokens", "3", "--no-stop-at-end")
    assert (result.out, result.err) == ("Every effort moves you" + "<|endoftext|>" * 3 + "\n", "")


@pytest.fixture
def ends_at_once(tmp_path):
    """A checkpoint of a model that always ends the text."""
    model = GPTModel(MODEL)
    torch.nn.init.zeros_(model.final_norm.scale)
    torch.nn.init.ones_(model.final_norm.shift)
    with torch.no_grad():
        model.out_head.weight[50_256] = 9.0
    state = checkpoint.State(config=MODEL, step=0, epoch=0, tokens_seen=0, val_loss=None)
    return checkpoint.write(checkpoint.weights_of(model), tmp_path, state)


def test_that_json_reports_the_end_of_a_text(cli):
    *_, drawn, ended = lines(cli("generate", *FRESH, "--stop-text", "e", "--seed", "3", "--json"))
    assert "e" in drawn["text"]
    assert ended == {"event": "text_ended", "sample": 0, "position": drawn["position"], "reason": "stop_text"}


def test_that_several_texts_are_printed_one_after_the_other_each_with_its_prompt(cli):
    prompt = "Every effort moves you"
    alone = cli("generate", *FRESH, "--max-new-tokens", "6").out
    tokens = lines(cli("generate", *FRESH, "--max-new-tokens", "6", "--samples", "3", "--json"))
    assert [token["sample"] for token in tokens] == [0, 1, 2] * 6
    texts = [
        prompt + GPT2.decode([token["id"] for token in tokens if token["sample"] == sample]) for sample in range(3)
    ]
    result = cli("generate", *FRESH, "--max-new-tokens", "6", "--samples", "3")
    assert result.out == "\n".join(text + "\n" for text in texts)
    assert result.out.startswith(alone)
    assert len(set(texts)) == 3


def test_that_the_end_of_each_of_several_texts_is_reported(cli):
    result = cli("generate", *FRESH, "--samples", "4", "--stop-text", "e", "--max-new-tokens", "30")
    ends = [line.split(" ended at position ")[0] for line in result.err.splitlines()]
    assert ends == ["Text 1", "Text 2", "Text 3", "Text 4"]


def test_that_a_trained_model_is_found_by_name_or_place_and_generates_another_text_in_its_own_shape(
    cli, learn, refused
):
    run = learn("--learning-rate", "0.1")
    saved, asked = run.newest_checkpoint(), ("--temperature", "0", "--max-new-tokens", "5", "--json")
    *trained, fresh = (
        [token["id"] for token in lines(cli("generate", *model, *asked))]
        for model in (*(("--model", name) for name in (run.name, run.path, saved, saved / "model.safetensors")), FRESH)
    )
    assert trained == [trained[0]] * 4
    assert len(trained[0]) == 5
    assert trained[0] != fresh
    reason = refused("generate", "--model", run.name, "--emb-dim", "32", "--n-layers", "2")
    assert "Cannot change emb_dim, n_layers" in reason


def test_that_of_a_prompt_longer_than_the_context_the_end_is_read_and_that_is_reported(cli):
    for command in (["generate", "--max-new-tokens", "2"], ["beam", "--max-new-tokens", "2"], ["inspect"]):
        result = cli(*command, *FRESH, "--prompt", "one " * 20)
        assert result.code == 0
        assert "Tokens left out at its beginning: 5." in result.err


def test_that_characters_outside_the_vocabulary_are_reported_for_a_run_and_for_an_import_of_its_export(cli, tmp_path):
    text, other = tmp_path / "text.txt", tmp_path / "other.txt"
    text.write_text("the cat sat on the mat. " * 40, encoding="utf-8")
    other.write_text("the zör " * 40, encoding="utf-8")
    made = ["--sample-prompt", "the", "--probes", "the", *LESSON, "--steps", "1"]
    assert cli("train", "--vocabulary", "characters", "--text", text, *made, "--run", tmp_path / "run").code == 0
    assert cli("export", "--model", tmp_path / "run", "--to", "huggingface", tmp_path / "letters").code == 0
    assert cli("import", tmp_path / "letters").code == 0
    for model in (tmp_path / "run", "letters"):
        prompt = "--model", model, "--prompt", "the zör"
        for command in (
            ["generate", *prompt, "--max-new-tokens", "1"], ["beam", *prompt, "--max-new-tokens", "1"],
            ["inspect", *prompt], ["patch", "--model", model, "--clean", "the zör", "--corrupted", "the cat"],
        ):
            result = cli(*command)
            assert result.code == 0
            assert "not in the vocabulary of the model: 3." in result.err, command
        result = cli("inspect", *prompt, "--token", "ö")
        assert (result.code, result.err) == (
            2, "“ö” is not in the vocabulary of the model. Give one of its tokens.\n")
        assert "the ��" in cli("generate", *prompt, "--max-new-tokens", "1").out
        figures = json.loads(cli("score", "--model", model, other, "--json").out.splitlines()[-1])
        assert figures["bytes"] == 8 * 40 - 1 + 3 * 2 * 40, "each of the three takes three bytes, as �"
        result = cli("train", "--init-from", model, "--text", other, *made[:4], "--steps", "1", "--device", "cpu")
        assert result.code == 0
        assert "not in the vocabulary of the model: 120." in result.err


def test_that_the_special_token_may_stand_in_a_prompt(cli):
    result = cli("generate", *FRESH, "--prompt", "One<|endoftext|>Two", "--max-new-tokens", "1")
    assert result.code == 0
    assert result.out.startswith("One<|endoftext|>Two")


class TestWriting:
    """Conversion of tokens to characters."""

    @pytest.fixture
    def written(self, capsys):
        writing = TextPrinter(Console(highlight=False))
        writing.prompt(b"")
        return writing, lambda: capsys.readouterr().out

    def test_that_half_a_character_waits_for_its_other_half(self, written):
        writing, shown = written
        seen = []
        for part in (b"caf\xc3", b"\xa9 ", b"\xf0\x9f", b"\x98\x80"):
            writing.add(part)
            seen.append(shown())
        assert seen == ["caf", "é ", "", "😀"]

    def test_that_an_incomplete_character_is_marked_at_the_end(self, written):
        writing, shown = written
        writing.add(b"caf\xc3")
        writing.close()
        assert shown() == "caf\ufffd\n"

    def test_that_half_characters_of_different_texts_are_not_combined(self, written):
        writing, shown = written
        for sample in range(3):
            writing.add(b"caf\xc3", sample)
        for sample in range(2):
            writing.add(b"\xa9", sample)
        writing.close()
        assert shown() == "café\n\ncafé\n\ncaf\ufffd\n"
        assert writing.texts == 3

    def test_that_square_brackets_are_text(self, written):
        writing, shown = written
        writing.add(b"[bold]x[/bold] [/]")
        assert shown() == "[bold]x[/bold] [/]"

    def test_that_generated_text_cannot_control_the_terminal(self):
        assert harmless("a\x1b[2J\x07b\tc\n") == "a\ufffd[2J\ufffdb\tc\n"


def test_that_the_copied_share_is_reported_on_request(cli, tmp_path):
    run = str(tmp_path / "run")
    trained = cli("train", *TINY, "--text", "story", "--steps", "2", "--sample-tokens", "0", "--device", "cpu",
                  "--run", run)
    assert trained.code == 0, trained.err
    asked = "generate", "--model", run, "--device", "cpu", "--copied", "--max-new-tokens", "6"
    result = cli(*asked)
    assert result.err.strip() == "Nothing copied (five or more in a row, from the training text)"
    assert lines(cli(*asked, "--json"))[-1] == {
        "event": "copied", "sample": 0, "tokens": 6, "copied_share": 0.0, "longest_copy": 0}


def test_that_the_copied_share_without_a_known_text_is_refused_before_anything_is_generated(refused):
    assert "untrained" in refused("generate", *FRESH, "--copied")
