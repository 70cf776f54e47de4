"""``generate``: the text as it comes, and one JSON line for each token."""

import json

import pytest
from command_line import TINY

from gptstudio.cli.output import Console
from gptstudio.cli.writing import Writing, harmless
from gptstudio.gpt import tokenizer

FRESH = [*TINY, "--device", "cpu"]


def test_that_the_prompt_and_its_continuation_are_printed(say):
    said = say("generate", *FRESH, "--prompt", "Hello, I am", "--max-new-tokens", "4")
    assert said.code == 0
    assert said.err == ""
    assert said.out.startswith("Hello, I am")
    assert len(tokenizer.encode(said.out.rstrip("\n"))) > 4


def test_that_on_a_terminal_the_prompt_is_dim_and_the_new_text_plain(say, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = say("generate", *FRESH, "--prompt", "Hello", "--max-new-tokens", "1")
    assert said.out.startswith("\x1b[2mHello\x1b[0m")
    assert said.out.count("\x1b") == 2


def test_that_json_prints_each_token_with_its_ten_likeliest_alternatives(say):
    said = say("generate", *FRESH, "--max-new-tokens", "3", "--json")
    tokens = [json.loads(line) for line in said.out.splitlines()]
    assert [token["event"] for token in tokens] == ["token_drawn"] * 3
    for token in tokens:
        assert tokenizer.decode([token["id"]]) == token["text"]
        assert 0 < token["probability"] <= 1
        odds = [other["probability"] for other in token["alternatives"]]
        assert len(odds) == 10
        assert odds == sorted(odds, reverse=True)


def test_that_the_same_seed_writes_the_same_text_and_another_does_not(say):
    def text(seed: int) -> str:
        return say("generate", *FRESH, "--seed", seed, "--max-new-tokens", "8").out

    assert text(1) == text(1) != text(2)


def test_that_temperature_zero_takes_the_likeliest(say):
    lines = say("generate", *FRESH, "--temperature", "0", "--max-new-tokens", "3", "--json").out.splitlines()
    for token in map(json.loads, lines):
        assert token["id"] == token["alternatives"][0]["id"]
        assert token["probability"] == 1


def test_that_top_k_none_draws_from_all_tokens(say):
    def bits(top_k: str) -> float:
        line = say("generate", *FRESH, "--max-new-tokens", "1", "--top-k", top_k, "--json").out
        return json.loads(line)["entropy_bits"]

    assert bits("2") <= 1
    assert bits("none") > 15  # an untrained model finds 50,257 tokens about as likely


@pytest.mark.parametrize("what", ["name", "folder", "checkpoint", "weights"])
def test_that_a_trained_model_is_found_by(say, learn, what):
    run = learn()
    saved = run.newest_checkpoint()
    names = {"name": run.name, "folder": run.path, "checkpoint": saved, "weights": saved / "model.safetensors"}
    said = say("generate", "--model", names[what], "--max-new-tokens", "2", "--json")
    assert said.code == 0
    assert said.out.count("\n") == 2


def test_that_a_trained_model_writes_otherwise_than_an_untrained_one(say, learn):
    run = learn("--learning-rate", "0.1")
    trained = say("generate", "--model", run.name, "--temperature", "0", "--max-new-tokens", "5").out
    assert trained != say("generate", *FRESH, "--temperature", "0", "--max-new-tokens", "5").out


def test_that_a_saved_model_cannot_be_given_another_shape(say, learn):
    said = say("generate", "--model", learn().name, "--emb-dim", "32", "--n-layers", "2")
    assert said.code == 2
    assert "emb_dim, n_layers cannot be changed" in said.err


def test_that_a_prompt_longer_than_the_context_is_read_at_its_end_and_that_is_said(say):
    said = say("generate", *FRESH, "--prompt", "one " * 20, "--max-new-tokens", "2")
    assert said.code == 0
    assert "its first 5 tokens were not read" in said.err


def test_that_the_special_token_may_stand_in_a_prompt(say):
    said = say("generate", *FRESH, "--prompt", "One<|endoftext|>Two", "--max-new-tokens", "1")
    assert said.code == 0
    assert said.out.startswith("One<|endoftext|>Two")


class TestWriting:
    """Tokens to characters."""

    @pytest.fixture
    def written(self, capsys):
        writing = Writing(Console(highlight=False))
        writing.prompt(b"")
        return writing, lambda: capsys.readouterr().out

    def test_that_half_a_character_waits_for_its_other_half(self, written):
        writing, shown = written
        seen = []
        for part in (b"caf\xc3", b"\xa9 ", b"\xf0\x9f", b"\x98\x80"):
            writing.add(part)
            seen.append(shown())
        assert seen == ["caf", "é ", "", "😀"]

    def test_that_a_half_that_never_came_is_marked_at_the_end(self, written):
        writing, shown = written
        writing.add(b"caf\xc3")
        writing.close()
        assert shown() == "caf\ufffd\n"

    def test_that_square_brackets_are_text(self, written):
        writing, shown = written
        writing.add(b"[bold]x[/bold] [/]")
        assert shown() == "[bold]x[/bold] [/]"

    def test_that_a_model_cannot_steer_the_terminal(self):
        assert harmless("a\x1b[2J\x07b\tc\n") == "a\ufffd[2J\ufffdb\tc\n"
