"""Unusual prompts of every kind: a text is generated, or one line gives the reason why not; the part that the model
does not see is reported, and the window stays responsive. For the limits, see :mod:`gaps`."""


import pytest
from command_line import TINY, start_python
from command_line import finish as finished
from gaps import Gaps
from messages import message
from PySide6.QtWidgets import QApplication

from gptstudio.__main__ import main
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.forms.controls import LONGEST
from gptstudio.gui.generate.generate_tab import SCORE, WRITE
from gptstudio.inference.generator import KEPT
from gptstudio.training.events import Ended, PromptRead, TokenDrawn

FIRST_PAGE = "generate"

pytestmark = pytest.mark.fault(10)

MEGABYTE = 2**20
PROMPTS = {
    "control characters": "\x01\x02\x1b[31m\x7f", "a NUL": "a\x00b", "only white space": " \t\n\r\n ",
    "right to left": "\u202eשלום עולם مرحبا", "joined emoji": "👩‍👩‍👧‍👦🏳️‍🌈 e\u0301\u0301",
    "half a character": "\ufffd\ufffe", "the end of a text": "<|endoftext|>", "lone surrogates": "a\ud800 b\udc80",
    "one long word": "ab" * 3_000, "no-break spaces": "« no\u00a0break »",
}  # fmt: skip
PASTES = {
    "one line": "Every effort moves you. " * (MEGABYTE // 24), "lines": "It rang late.\n" * (MEGABYTE // 14),
    "one letter": "a" * MEGABYTE, "blanks": " " * MEGABYTE, "Chinese": "北京是首都。" * (MEGABYTE // 18),
    "emoji": "👩‍👩‍👧‍👦" * (MEGABYTE // 25),
}  # fmt: skip


@pytest.fixture
def writer(user, tiny):
    """The user of a window with an untrained tiny model that has generated once, so that everything is loaded."""
    user.panel.select(tiny)
    user.generate.write(1)
    user.rest(0.2)
    user.decoding.clear()
    return user


def paste(user, editor, text: str) -> None:
    QApplication.clipboard().setText(text)
    editor.setFocus()
    editor.selectAll()
    editor.paste()


# The window


def test_that_a_strange_prompt_is_read_shown_scored_and_continued_and_an_empty_one_refused_in_a_line(writer, fault):
    for kind, prompt in PROMPTS.items():
        with fault.tried(kind):
            assert_continued_from(writer, prompt)
    writer.decoding.clear()
    with fault.tried("empty"):
        writer.generate.begin(3, "")
        writer.generate.wait_idle()
        assert message("prompt_empty") in writer.reads("generate_notice")
        writer.generate.begin(3, "Every effort moves you")
        writer.generate.wait_idle()
        assert writer.reads("generate_notice") == ""
        assert len(writer.received(TokenDrawn)) == 3


def assert_continued_from(writer, prompt: str) -> None:
    with Gaps() as gaps:
        writer.generate.begin(4, prompt)
        writer.generate.wait_idle()
    gaps.assert_responsive()
    assert writer.received(Ended)[-1].outcome == "finished"
    typed = writer.generate.prompt.document().toRawText().replace("\u2029", "\n")
    prompt_read, ids = writer.received(PromptRead)[-1], GPT2.encode(typed)
    assert writer.generate.ids()[:-4] == ids[-KEPT:]
    assert prompt_read.dropped == max(0, len(ids) - 16)
    assert (message("tokens_seen") in writer.reads("generate_notice")) == bool(prompt_read.dropped)
    assert writer.generate.written().startswith(GPT2.decode(ids[-KEPT:]))
    for pane in ("branches", "attention", "layers", "neighbours", "choices"):
        writer.generate.open_pane(pane)
        writer.generate.wait_idle()
        writer.generate.choose(0)
        writer.rest(0.02)
        assert not writer.generate.view.grab().isNull()
    writer.generate.switch_to(SCORE)
    writer.generate.score(typed[:500] * 2)
    writer.generate.wait_idle()
    assert writer.reads("score_notice") == ""
    writer.generate.switch_to(WRITE)


def test_that_a_prompt_as_long_as_the_context_is_read_completely_and_a_longer_one_from_its_end(writer, tiny, fault):
    for beyond in (0, 1):
        with fault.tried(f"{beyond} beyond"):
            assert_read_from_end(writer, tiny, beyond)
        writer.decoding.clear()


def assert_read_from_end(writer, tiny, beyond: int) -> None:
    length = tiny.context_length + beyond
    writer.generate.begin(3, " a" * length)
    writer.generate.wait_idle()
    (prompt_read,) = writer.received(PromptRead)
    assert len(prompt_read.pieces) == length
    assert prompt_read.dropped == beyond
    assert ("Prompt tokens the model does not see: 1." in writer.reads("generate_notice")) == bool(beyond)
    assert len(writer.generate.ids()) == length + 3
    asked = [node.reading.plain_probability is not None for node in writer.generate.text.path]
    assert asked == [False] * (1 + beyond) + [True] * (length - 1 - beyond + 3)
    for pane in ("attention", "layers"):
        writer.generate.open_pane(pane)
        writer.generate.wait_idle()
        writer.rest(0.05)
        assert writer.generate.pane(pane).answer.read == tiny.context_length


def test_that_a_pasted_megabyte_is_cut_read_and_continued_while_the_window_stays_responsive(writer, fault):
    for kind, text in PASTES.items():
        writer.decoding.clear()
        assert_cut_and_read(writer, kind, text, fault)


def assert_cut_and_read(writer, kind: str, text: str, fault) -> None:
    with Gaps() as gaps, fault.tried(f"pasting {kind}"):
        paste(writer, writer.generate.prompt, text)
        assert len(writer.generate.prompt.toPlainText()) <= LONGEST
        assert text.endswith(writer.generate.prompt.toPlainText().replace("\u2029", "\n"))
        assert message("left_out") in writer.reads("generate_notice") or len(text) <= LONGEST
        writer.rest(0.05)
    with fault.tried(f"the window while {kind} is pasted"):
        gaps.assert_responsive()
    with Gaps() as gaps, fault.tried(f"writing on from {kind}"):
        writer.generate.begin(3)
        writer.generate.wait_idle()
        assert message("tokens_seen") in writer.reads("generate_notice")
        assert len(writer.received(TokenDrawn)) == 3
        assert len(writer.generate.ids()) == KEPT + 3
    with fault.tried(f"the window while {kind} is read"):
        gaps.assert_responsive()


# The command line

FRESH = ("generate", *TINY, "--max-new-tokens", "3")


def one_line(words: str) -> bool:
    return words.count("\n") == 1 and "Traceback" not in words


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_that_the_command_line_continues_a_strange_prompt(capfd, prompt):
    assert main([*FRESH, "--prompt", prompt]) == 0
    result = capfd.readouterr()
    shown = prompt.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # non-characters are replaced
    shown = shown.replace("\r\n", "\n").expandtabs()
    assert result.out.startswith(shown)
    assert result.out[len(shown) :].strip(), "and three tokens behind it"
    assert result.err == "" or one_line(result.err), result.err
    assert (message("were_not_read") in result.err) == (len(GPT2.encode(prompt)) > 16)


def test_that_the_command_line_refuses_an_empty_prompt_in_a_line(capfd):
    assert main([*FRESH, "--prompt="]) == 2
    result = capfd.readouterr()
    assert one_line(result.err)
    assert message("prompt_empty") in result.err


def test_that_the_command_line_reads_the_end_of_a_megabyte_and_reports_it(capfd):
    assert main([*FRESH, "--prompt", PASTES["one line"]]) == 0
    result = capfd.readouterr()
    assert message("tokens_read") in " ".join(result.err.split())
    assert len(result.out) > MEGABYTE - 100, "all of it is printed, as it was given"


def test_that_bytes_that_are_not_characters_reach_the_model_from_a_shell():
    process = start_python("-m", "gptstudio", *FRESH, "--prompt", b"caf\xe9".decode("utf-8", "surrogateescape"))
    result = finished(process)
    assert result.code == 0, result.err
    assert "Traceback" not in result.err
    assert result.out.startswith("caf\ufffd")
    assert result.out[4:].strip(), "and three tokens behind it"
