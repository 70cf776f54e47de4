"""The command line as a separate process: signals, pipes, locales, and its time to answer."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from command_line import (
    LESSON,
    TINY,
    finish,
    in_terminal,
    start,
    start_new_python,
    story,
    wait_for_steps,
    without_escapes,
)

from gptstudio.training.events import CheckpointSaved, Ended, StepDone
from gptstudio.training.run_folder import all_runs

LONG = ["--text", "story", *LESSON, "--epochs", "1000", "--eval-freq", "1000"]
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals or terminals")


@on_posix
def test_that_ctrl_c_ends_a_training_with_a_checkpoint():
    process = start("train", *LONG, "--json")
    wait_for_steps(process.stdout, process.stderr.read)
    process.send_signal(signal.SIGINT)
    result = finish(process)
    assert (result.code, result.err) == (130, "")
    assert json.loads(result.out.splitlines()[-1])["outcome"] == "stopped"
    run = all_runs()[0]
    events = list(run.events())
    assert isinstance(events[-1], Ended)
    last = [event for event in events if isinstance(event, StepDone)][-1]
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [last.step]
    assert run.newest_checkpoint().is_dir()


@on_posix
def test_that_sigterm_ends_a_generation():
    process = start("generate", *TINY, "--max-new-tokens", "100000", "--json")
    first = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    result = finish(process)
    assert (result.code, result.err) == (143, "")
    assert all(json.loads(line)["event"] == "token_drawn" for line in [first, *result.out.splitlines()])


@on_posix
def test_that_a_closed_pipe_stops_the_training_without_an_error():
    process = start("train", *LONG[:-1], "1")  # evaluates at every step
    next(line for line in process.stdout if line.startswith("Ep 1"))
    process.stdout.close()
    process.wait(60)
    assert process.stderr.read() == ""
    assert process.returncode == 130
    assert list(all_runs()[0].events())[-1] == Ended(outcome="stopped", message="Stopped.")


@on_posix
def test_that_a_table_into_a_closed_pipe_prints_no_error():
    process = start("size")
    process.stdout.close()
    process.wait(60)
    assert (process.returncode, process.stderr.read()) == (130, "")


FULL = """
import json, os, sys
import gptstudio.gpt.decoder
from gptstudio.__main__ import main
os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
codes = []
for command in json.loads(sys.argv[1]):
    if not os.fork():
        sys.exit(main(command))
    codes.append(os.waitstatus_to_exitcode(os.wait()[1]))
print(codes, file=sys.stderr)
"""
"""Runs each command in a process that ends as Python does, on a full disk; torch is loaded once for all."""


@on_posix
def test_that_a_full_disk_is_reported_in_one_line(tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    (tmp_path / "text.txt").write_text("Every effort moves you.", encoding="utf-8")
    commands = [
        ["size"], ["generate", *TINY, "--device", "cpu", "--max-new-tokens", "2"],
        ["score", str(tmp_path / "text.txt"), *TINY, "--device", "cpu", "--json"],
    ]
    result = finish(start_new_python("-c", FULL, json.dumps(commands)))
    assert result.err.splitlines() == ["The disk is full. Free some space and try again."] * 3 + ["[1, 1, 1]"]


def test_that_an_error_is_one_line_and_no_traceback():
    result = finish(start("train", "--text", "story", "--emb-dim", "5"))
    assert result.code == 2
    assert result.out == ""
    assert result.err == "Width (5) must be a multiple of Heads (4), for example 4.\n"


@pytest.mark.release
def test_that_the_help_takes_less_than_a_second_of_processor_time():
    def seconds() -> float:
        before = os.times()
        assert "Build a GPT-2" in finish(start_new_python("-m", "gptstudio", "--help")).out
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert 0 < min(seconds() for _ in range(3)) < 1


ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


def test_that_an_ascii_terminal_shows_question_marks_for_other_characters_but_json_is_utf_8():
    asked = [["size"], ["generate", *TINY, "--max-new-tokens", "60", "--json"]]
    code = f"from gptstudio.__main__ import main; exit(sum(main(argv) or bool(print('-' * 9)) for argv in {asked}))"
    result = finish(start_new_python("-c", code, **ASCII))
    assert (result.code, result.err) == (0, "")
    table, written, _ = result.out.split("-" * 9 + "\n")
    assert table.isascii()
    assert "? with the output layer tied" in table
    texts = [json.loads(line)["alternatives"] for line in written.splitlines()]
    assert any(not other["text"].isascii() for token in texts for other in token)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can be without a display")
@pytest.mark.parametrize("display", [None, ":31999"], ids=["none", "one that does not answer"])
def test_that_without_a_display_the_main_job_is_done_in_the_terminal(tmp_path, display):
    """With a display that does not answer, the test only checks that the job begins."""
    (tmp_path / "the-verdict.txt").write_bytes(story())
    process = start(GPTSTUDIO_TEXTS=str(tmp_path), DISPLAY=display, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    first = process.stdout.readline()
    if display is None:
        next(line for line in process.stdout if line.startswith("Ep 1"))
    process.send_signal(signal.SIGINT)
    result = finish(process)
    assert first == "Model: workshop. Training text: The Verdict, Edith Wharton, 1908.\n"
    assert result.err.startswith("No display was found, so the window cannot open.")
    assert result.err.splitlines()[1:] in ([], ["Stopped."] if display else [])
    assert result.code == 130


def test_that_the_main_job_ends_with_a_text(capfd, monkeypatch):
    from gptstudio.cli import app
    from gptstudio.cli.arguments import ModelFlags, TrainFlags, train_spec_from

    model = ModelFlags(emb_dim="16", n_heads="2", n_layers="1", context_length="16")
    spec = train_spec_from("workshop", model, TrainFlags(text=("story",), steps="2", sample_tokens="1", device="cpu"))
    monkeypatch.setattr(app, "TrainSpec", lambda: spec)
    assert app.train_and_generate("There is no window.").outcome == "finished"
    result = capfd.readouterr()
    assert result.out.splitlines()[-1].startswith("Every effort moves you")
    assert result.err.startswith("There is no window. Training and generating in the terminal instead")


def test_that_a_window_that_cannot_be_loaded_is_reported_and_the_work_done(capfd, monkeypatch):
    from gptstudio import __main__ as program
    from gptstudio.cli import app

    monkeypatch.setitem(sys.modules, "gptstudio.gui.app", None)  # importing it fails, as without Qt
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(app, "train_into", lambda *_: Ended(outcome="stopped", message="Stopped."))
    assert program.main(["--debug"]) == 130
    assert capfd.readouterr().err.startswith("The window could not open")


@on_posix
def test_that_a_terminal_gets_a_bar_with_all_figures():
    code, shown = in_terminal("train", "--text", "story", *LESSON, "--steps", "60", "--eval-freq", "20")
    assert code == 0
    words = without_escapes(shown)
    assert re.search(r"\d+/60 · epoch 1/1 train \d+\.\d{3} val \d+\.\d{3} [\d,]+ tok/s · 0:0\d left", words)
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")  # the cursor is back


@on_posix
def test_that_a_terminal_shows_the_progress_of_tokenization(tmp_path):
    (tmp_path / "long.txt").write_text("The fox ran to the brook. " * 120_000, encoding="utf-8")
    code, shown = in_terminal("train", "--text", tmp_path / "long.txt", *LESSON, "--steps", "1")
    assert code == 0
    words = without_escapes(shown)
    assert re.search(r"[123]/3 MB +tokenising", words)
    assert not re.search("MB +training", words)
