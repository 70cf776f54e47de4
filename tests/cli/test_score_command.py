"""``score``: the surprisal of a text for a model, as text and as JSON."""

import io
import json
import math
import re
import signal
import sys

import pytest
from command_line import finish, in_terminal, lines, start, without_escapes

from gptstudio.cli.score import ScoreReport
from gptstudio.data import texts
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training.events import Ended, Piece, PromptRead, TokenRead

FRESH = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "1", "--context-length", "64", "--device", "cpu"]
TEXT = "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow enough."


@pytest.fixture
def text(tmp_path):
    """Return a function that writes a text file and returns its path."""

    def write(content: str | bytes = TEXT):
        path = tmp_path / "a text.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def type_in(monkeypatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_that_json_prints_each_token_and_then_the_totals(cli, text):
    *tokens, total = lines(cli("score", text(), *FRESH, "--json"))
    assert [token["event"] for token in tokens] == ["token_read"] * len(tokens)
    assert [token["id"] for token in tokens] == GPT2.encode(TEXT)
    assert "".join(token["text"] for token in tokens) == TEXT
    assert tokens[0]["plain_probability"] is None
    bits = [-math.log2(token["plain_probability"]) for token in tokens[1:]]
    assert total["event"] == "scored"
    assert total["outcome"] == "finished"
    assert total["model"] == "own, untrained, seed 123"
    assert total["tokens"] == len(bits)
    assert total["bytes"] == len(TEXT.encode()) - len("I")
    assert total["bits"] == pytest.approx(sum(bits))
    assert total["bits_per_token"] == pytest.approx(sum(bits) / len(bits))
    assert total["bits_per_byte"] == pytest.approx(sum(bits) / total["bytes"])
    assert total["perplexity"] == pytest.approx(2 ** (sum(bits) / len(bits)))
    assert total["guessing_bits_per_token"] == pytest.approx(math.log2(50_257))
    assert total["worst"] == sorted(range(1, len(tokens)), key=lambda i: -bits[i - 1])[:10]


def test_that_the_text_output_has_the_figures_and_the_ten_worst_tokens_in_their_context(cli, text):
    *_, total = lines(cli("score", text(), *FRESH, "--json"))
    result = cli("score", text(), *FRESH)
    assert result.code == 0
    assert result.err == ""
    words = " ".join(result.out.split())
    assert "Model: own, untrained, seed 123" in words
    assert f"Bits per token {total['bits_per_token']:,.2f} random guessing among 50,257 tokens: 15.62" in words
    assert f"Perplexity {total['perplexity']:,.2f}" in words
    assert "Most surprising tokens (10)" in words
    ids = GPT2.encode(TEXT)
    for position in total["worst"]:
        [row] = [line for line in result.out.splitlines() if line.split()[:1] == [str(position)]]
        token = GPT2.visible(ids[position])
        before = GPT2.decode(ids[max(0, position - 2) : position])
        assert f"{before}{token}" in row
    for stride, first in ((8, "the first"), (16, "the first of each window")):
        result = cli("score", text(), *FRESH[:-3], "16", "--stride", stride)
        words = " ".join(result.out.split())
        count = len(ids) - (-(-len(ids) // 16) if stride == 16 else 1)
        assert f"Tokens {count} all except {first}, which has no context" in words


def test_that_a_text_is_also_read_from_standard_input(cli, text, monkeypatch):
    type_in(monkeypatch, TEXT.encode())
    assert cli("score", "-", *FRESH, "--json").out == cli("score", text(), *FRESH, "--json").out


def test_that_the_story_can_be_scored_by_its_name(cli, tmp_path, monkeypatch):
    """Scores only its beginning, which is faster and otherwise the same."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "story.txt").write_text(texts.read("story").content[:600], encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(texts, "locate", lambda name: tmp_path / "texts" / f"{name}.txt")
        result = cli("score", "story", *FRESH, "--json")
        content = texts.read("story").content
    assert lines(result)[-1]["tokens"] == len(GPT2.encode(content)) - 1


def test_that_a_trained_model_is_less_surprised_by_what_it_learned(cli, learn, text):
    run, part = learn("--learning-rate", "0.2"), text(texts.read("story").content[:600])
    trained, fresh = (
        lines(cli("score", part, *more, "--json"))[-1]["bits_per_byte"] for more in (["--model", run.name], FRESH)
    )
    assert trained < 0.9 * fresh


@pytest.mark.parametrize("content", [b"", b"one"], ids=["empty", "one token"])
def test_that_a_text_of_fewer_than_two_tokens_is_an_error_of_the_user(refused, monkeypatch, content):
    type_in(monkeypatch, content)
    assert "fewer than two tokens" in refused("score", "-", *FRESH)


def test_that_a_missing_file_is_an_error_of_the_user(refused, tmp_path):
    assert "does not exist. Choose another" in refused("score", tmp_path / "nothing.txt", *FRESH)


def test_that_a_file_whose_name_begins_with_a_dash_is_read(cli, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected = cli("score", text("one two three"), *FRESH, "--json").out
    (tmp_path / "-x.txt").write_text("one two three")
    for asked in (["-x.txt", *FRESH, "--json"], [*FRESH, "--json", "--", "-x.txt"]):
        assert cli("score", *asked).out == expected


@pytest.mark.parametrize("flags", [["--bogus"], ["story", "--bogus"]])
def test_that_an_unknown_flag_is_an_error_of_the_user(refused, flags):
    assert "--bogus" in refused("score", *flags)


def test_that_bytes_that_are_not_text_are_an_error_of_the_user(refused, monkeypatch):
    type_in(monkeypatch, b"caf\xe9 au lait")
    assert "is not valid UTF-8: byte 3 is 0xE9" in refused("score", "-", *FRESH)


@pytest.mark.parametrize(
    "content", ["a\x00\x1b[2J\x07 b\r\n", "שלום עולם \u202e مرحبا", "👩‍👩‍👧 🇨🇭 😀 [bold]x[/]"],
    ids=["control", "right to left", "emoji"],
)
def test_that_no_text_can_control_the_terminal(cli, monkeypatch, content):
    type_in(monkeypatch, content.encode())
    result = cli("score", "-", *FRESH)
    assert result.code == 0
    assert not {"\x00", "\x1b", "\x07", "\u202e", "\r"} & set(result.out)


@pytest.mark.parametrize("columns", [80, 40])
def test_that_a_narrow_terminal_shows_every_figure_and_token(text, columns):
    code, screen = in_terminal("score", text("neat, quick pink man. " * 20), *FRESH, columns=columns)
    assert code == 0
    table = without_escapes(screen[screen.index("Most surprising tokens") :])
    shown = [line.rstrip("\r") for line in table.split("\n")]
    assert all(len(line) <= columns for line in shown)
    assert ("In the text" in table) == (columns == 80)
    assert sum(bool(re.match(r" +\d+ +\d+\.\d\d +[\d,]+ +\S", line)) for line in shown) == 10
    assert table.count("…") <= 10  # only the text around the token is cut


def test_that_the_perplexity_of_a_diverged_model_leaves_room_for_the_names_of_the_figures(capsys):
    report, pieces = ScoreReport(), [Piece(id=number, text="a") for number in (1, 2)]
    report(PromptRead(pieces=pieces, dropped=0, model="wild"))
    report(TokenRead(position=1, id=2, text="a", plain_probability=1e-200, rank=9, plain_entropy_bits=1.0))
    report(Ended(outcome="finished", message=""))
    assert re.search(r"Perplexity +1e\+200 ", capsys.readouterr().out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_that_ctrl_c_ends_it_with_the_figures_so_far(text):
    process = start("score", text(TEXT * 3_000), "--device", "cpu", "--json")
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    result = finish(process)
    assert result.code == 130
    last = json.loads(result.out.splitlines()[-1])
    assert last["event"] == "scored"
    assert last["outcome"] == "stopped"
    assert 3 < last["tokens"] < 50_000


def test_that_a_closed_pipe_ends_it(text):
    process = start("score", text(TEXT * 3_000), "--device", "cpu", "--json")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 130
    process.stderr.close()
