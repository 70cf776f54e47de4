"""The Train tab: problems shown before Start; Start, Pause and Stop."""

import os
import re
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up import evaluated, started
from messages import message
from pages.train import TrainPage, apart
from PySide6.QtWidgets import QFileDialog
from web_server import Handler, WebServer

from gptstudio import devices, paths
from gptstudio.app import training_tasks
from gptstudio.app.state import Download
from gptstudio.cli.terminal import Terminal
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS
from gptstudio.gui.theme import theme
from gptstudio.gui.train.train_tab import TrainTab
from gptstudio.gui.translation import size
from gptstudio.history import run_history
from gptstudio.training import checkpoint, corpus, journal, run_folder
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, RunStarted, SampleWritten, StepDone
from gptstudio.training.model_source import SavedModel

WORDS = "The old man was late, and no one in the house had heard him before that. "


def write(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


BAD_TEXTS = {
    "missing": lambda home: str(home / "nowhere.txt"),
    "a folder": str,
    "empty": lambda home: write(home / "empty.txt", b""),
    "blank": lambda home: write(home / "blank.txt", b" \n\t\n"),
    "binary": lambda home: write(home / "picture.png", b"\x89PNG\r\n\x00\x00\x00"),
    "broken": lambda home: write(home / "broken.txt", "Überall. ".encode() * 50 + b"\xe9"),
    "too short": lambda home: write(home / "short.txt", b"A bell."),
    "no batch": lambda home: write(home / "short.txt", WORDS.encode() * 2),
    "no validation window": lambda home: write(home / "brief.txt", WORDS.encode() * 6),
    "unreadable": lambda home: "~nobody-of-this-name/\udcff.txt",
}


def words_of(spec) -> list[str]:
    """Return the problems of the text of ``spec``, as the command line reports them."""
    try:
        corpus.plan(spec, corpus.read(spec))
    except corpus.SpecError as error:
        return [problem.message for problem in error.problems]
    except UserError as error:
        return [str(error)]
    return []


def test_that_a_bad_text_is_reported_before_start_and_nothing_is_lost(user, home):
    train = user.train
    train.prepare(epochs=7)
    config = user.panel.config
    for kind, bad in BAD_TEXTS.items():
        assert train.start_button.isEnabled()
        train.use_text(bad(home))
        assert not train.start_button.isEnabled(), kind
        user.wait(lambda: train.looked)
        found_problems = words_of(train.spec)
        assert found_problems, f"{kind}: this text is not bad"
        assert not train.start_button.isEnabled(), kind
        problems = [editor.problem for editor in train.editors.values()]
        fields = [problem.text() for problem in problems if problem.isVisibleTo(train.widget)]
        for words in found_problems:
            words = words.encode("utf-8", "replace").decode()
            assert words in " ".join([user.reads("plan"), *fields]), kind
        assert train.start_button.toolTip() == user.reads("plan") != ""
        assert user.find("plan").property("role") == "problem", kind
        assert train.setting("epochs") == 7
        assert user.panel.config == config
        train.use_text("story")
        user.wait(train.start_button.isEnabled)
        assert [problem.isVisibleTo(train.widget) for problem in problems].count(True) == 0, kind
        assert "7" in user.reads("plan")
        assert user.find("plan").property("role") == "muted"


def test_that_a_file_is_chosen_and_typing_checks_once_and_shows_the_newest_plan_or_a_problem(user, home, monkeypatch):
    """A slow check of one text ends after another text was chosen."""
    user.train.prepare()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: ("", ""))
    user.choose(user.train.text_box, "Choose a file…")
    user.wait(lambda: user.train.looked)
    assert user.train.spec.text == ("luxun",), "the last text that the arrow keys passed"
    own = write(home / "own.txt", WORDS.encode() * 50)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (own, ""))
    user.choose(user.train.text_box, "Choose a file…")
    user.wait(lambda: user.train.looked)
    assert user.train.spec.text == (own,) == (user.train.text_box.currentText(),)
    assert user.train.start_button.isEnabled()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: ("", ""))
    user.choose(user.train.text_box, "Choose a file…")
    user.wait(lambda: user.train.looked)
    assert user.train.spec.text == (own,)

    user.train.prepare(epochs=7)
    spec = user.train.spec
    plan = corpus.plan(spec, corpus.read(spec))
    for figure in (plan.train_tokens, plan.val_tokens, plan.steps_per_epoch, plan.total_steps):
        assert f"{figure:,}" in user.reads("plan")

    user.type("train_batch_size", "0")
    words = "Batch size must be a whole number between 1 and 65,536, not 0."
    assert user.reads("train_batch_size_problem") == words
    assert not user.train.start_button.isEnabled()
    assert user.train.start_button.toolTip() == words
    user.type("train_batch_size", "2")
    user.wait(user.train.start_button.isEnabled)

    train, proceed = user.train, threading.Event()
    train.prepare()
    asked, real = [], training_tasks.check_text
    with monkeypatch.context() as counted:
        counted.setattr(training_tasks, "check_text", lambda spec: asked.append(spec) or real(spec))
        user.type("train_epochs", "12345")
        user.wait(lambda: user.train.looked)
        assert [spec.epochs for spec in asked] == [12345]
    read = corpus.read

    def slowly(spec, *rest):
        if spec.text[0].endswith("slow.txt"):
            assert proceed.wait(20)
        return read(spec, *rest)

    monkeypatch.setattr(corpus, "read", slowly)
    train.use_text(write(home / "slow.txt", b""))
    user.rest(0.1)
    train.use_text("story")
    user.rest(0.1)
    assert not train.looked
    proceed.set()
    user.wait(train.start_button.isEnabled)
    user.rest(0.1)
    assert train.start_button.isEnabled()


def test_that_a_fault_in_a_check_and_failing_devices_are_reported(user, monkeypatch, failures):
    def broken(*args):
        raise RuntimeError("the tokenizer is upside down")

    def gone():
        raise OSError("the driver is gone")

    monkeypatch.setattr(training_tasks.corpus, "plan", broken)
    user.train.prepare()
    assert "the tokenizer is upside down" in user.reads("plan")
    assert not user.train.start_button.isEnabled()
    failures.clear()

    monkeypatch.setattr(devices, "find", gone)
    user.window.wake()
    user.wait(lambda: failures and "OSError: the driver is gone" in user.reads("error_bar_message"))
    assert user.panel.device.key == "cpu", "the processor stays"
    failures.clear()


# The Verdict, which does not ship with the program.


@pytest.fixture
def verdict_bytes(verdict, monkeypatch, home) -> bytes:
    """Return the real text, which the program itself does not find."""
    content = verdict.read_bytes()
    (home / "no_texts").mkdir()
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(home / "no_texts"))
    return content


@pytest.fixture
def web(monkeypatch):
    """Answer requests for The Verdict with the given bytes, or with 404 where there are none."""

    class Answer(Handler):
        def do_GET(self):
            if server.before_answer:
                server.before_answer()
            self.answer(server.content or b"", 404 if server.content is None else 200)

    monkeypatch.setenv("no_proxy", "*")
    with WebServer(Answer) as server:
        server.content, server.before_answer = None, None
        monkeypatch.setattr(texts, "VERDICT_URL", f"{server.url}/the-verdict.txt")
        yield server


def test_that_the_verdict_is_offered_and_downloaded_or_the_story_is_used_instead(web, verdict_bytes, user):
    user.panel.select(PRESETS["workshop"])
    user.wait(lambda: user.train.looked)
    assert user.train.text_missing()
    assert (user.reads("step_counter"), user.reads("step_of")) == ("0", "steps"), "of how many is not known"
    assert message("verdict_could") in user.reads("plan")
    assert not user.train.start_button.isEnabled()
    assert user.train.fetch_button.text() == "Download"
    assert user.train.story_button.text() == "Use the included story instead"
    assert user.train.story_button.property("role") == "primary", "the one thing to do"

    for web.content, words in ((None, "Not Found"), (b"Not The Verdict.", "downloaded text is not the expected one")):
        user.click(user.train.fetch_button)
        user.wait(lambda words=words: words in user.reads("plan"))
        user.rest(0.3)
        assert words in user.reads("plan"), "the words are gone before anybody could read them"
        assert list(paths.texts().iterdir()) == []
    user.click(user.train.story_button)
    user.wait(user.train.start_button.isEnabled)
    assert user.train.text_box.currentText() == message("late_bell_story")
    assert not user.train.text_missing()

    user.train.use_text("verdict")
    user.wait(lambda: user.train.looked and user.train.text_missing())
    asked, proceed = [], threading.Event()
    web.content, web.before_answer = verdict_bytes, lambda: asked.append(proceed.wait(20))
    user.click(user.train.fetch_button)
    user.rest(0.1)
    assert not user.train.fetch_button.isEnabled(), "it is not asked for twice"
    proceed.set()
    user.wait(user.train.start_button.isEnabled)
    assert len(asked) == 1
    assert (paths.texts() / "the-verdict.txt").read_bytes() == verdict_bytes
    assert user.train.spec.text == ("verdict",)
    assert not user.train.text_missing()


def test_that_the_story_is_offered_instead_of_a_file_that_is_gone(user, home):
    user.window.state.texts = (str(home / "gone.txt"),)
    user.wait(lambda: user.train.looked and "gone.txt" in user.reads("plan"))
    assert not user.train.fetch_button.isVisible(), "no server has it"
    user.click(user.train.story_button)
    user.wait(user.train.start_button.isEnabled)
    assert user.train.spec.text == ("story",)
    assert not user.train.text_missing()


def test_that_closing_does_not_wait_for_a_silent_server(web, verdict_bytes, user):
    asked, over = threading.Event(), threading.Event()
    web.before_answer = lambda: (asked.set(), over.wait(60))
    user.click(user.train.fetch_button)
    user.wait(asked.is_set)
    assert user.window.close()
    assert not over.is_set()
    assert not user.window.tasks.tasks
    over.set()
    assert list(paths.texts().iterdir()) == []


def test_that_a_missing_network_is_reported_and_not_for_another_text(user, monkeypatch):
    monkeypatch.setattr(texts, "VERDICT_URL", "http://127.0.0.1:1/the-verdict.txt")
    user.click(user.train.fetch_button)
    user.wait(lambda: "refused" in user.reads("plan"))
    user.rest(0.3)
    assert "refused" in user.reads("plan")
    assert user.train.text_missing()

    user.click(user.train.story_button)
    user.wait(user.train.start_button.isEnabled)
    plan = user.reads("plan")
    user.window.state.download = Download(problem="The Verdict could not be had (the network is down).")
    user.wait(user.train.start_button.isEnabled)
    assert user.reads("plan") == plan


def test_that_the_story_can_be_used_while_a_download_hangs(web, verdict_bytes, user, tiny):
    train, proceed = user.train, threading.Event()
    user.panel.select(tiny)
    web.before_answer = lambda: proceed.wait(20)
    user.click(train.fetch_button)
    user.rest(0.1)
    user.click(train.story_button)
    user.wait(train.start_button.isEnabled, seconds=5)
    train.start()
    user.wait(train.losses)
    proceed.set()
    user.wait(train.fetch_button.isEnabled)
    assert train.running
    assert train.spec.text == ("story",)


# The run.


def test_that_the_chart_keeps_its_height_when_the_first_checkpoint_is_marked(user):
    user.window.resize(1024, 700)
    user.train.prepare(steps=6, eval_freq=5)
    plot = user.find("loss_plot")
    user.rest(0.1)
    before = user.find("loss_plot_readout").minimumHeight()
    user.train.start()
    user.train.wait_ended()
    user.wait(lambda: user.train.loss.chart.lines.marks)
    assert user.find("loss_plot_readout").minimumHeight() == before
    assert plot.isVisible()


def test_that_start_disables_fixed_settings_its_curves_are_read_and_a_second_run_starts_empty(user):
    user.window.resize(1600, 900)
    user.train.prepare(steps=6, eval_freq=5)
    assert not user.train.stop_button.isEnabled()
    user.train.start()
    assert user.train.start_button.text() == "Pause"
    assert user.train.stop_button.isEnabled()
    assert not user.train.editor("epochs").isEnabled()
    assert not user.train.text_box.isEnabled()
    user.train.wait_ended()
    assert user.train.start_button.text() == user.train.start_button.accessibleName() == "New run"
    assert not user.train.stop_button.isEnabled()
    assert user.train.editor("epochs").isEnabled()
    assert user.train.text_box.isEnabled()
    assert user.reads("step_counter") == "6"

    steps = user.received(StepDone)
    user.train.loss.hover(1.02 * user.train.loss.point("step", 3)["epoch"])  # pixels are whole: not left of it
    text = re.sub("<[^>]+>|&nbsp;", " ", user.reads("loss_plot_readout"))
    assert text.startswith("Step 4  ·  epoch ")
    assert f"Batch loss {steps[3].loss:.3f}" in text
    assert "Validation" in text

    user.train.start()
    assert user.reads("step_counter") == "0", "as soon as it is pressed"
    assert user.train.samples == []
    assert user.find("samples").toPlainText() == ""
    assert user.train.figure("loss") == "–"
    assert user.train.losses() == []
    user.train.wait_ended()
    assert len(user.train.losses()) == 6
    assert len(user.train.samples) == 1
    assert len(run_folder.all_runs()) == 2
    assert user.generate.source == SavedModel(run_folder.all_runs()[0].newest_checkpoint())


def test_that_pause_holds_the_run_continue_resumes_it_and_stop_keeps_the_model(user):
    before = time.monotonic()
    user.train.begin(steps=5000, eval_freq=1000)
    user.train.pause()
    began = time.monotonic()
    assert user.train.start_button.text() == user.train.start_button.accessibleName() == "Continue"
    assert user.reads("phase") == "Paused"
    held = len(user.received(StepDone))
    user.rest(2 * (began - before))  # longer than the run takes until it is paused
    assert len(user.received(StepDone)) == held
    assert user.train.stop_button.isEnabled()
    paused = time.monotonic() - began
    user.train.start()
    user.wait(lambda: len(user.received(StepDone)) > held + 3)
    passed = time.monotonic() - before
    assert user.train.start_button.text() == "Pause"
    assert user.reads("phase") == "Training"
    steps = user.received(StepDone)
    assert [each.step for each in steps] == list(range(len(steps)))
    waited = steps[held].elapsed_s - steps[held - 1].elapsed_s
    assert waited <= passed - paused, "the time of the pause is counted as work"
    user.train.stop()

    user.train.reset()
    user.wait(lambda: not user.busy("training"))
    train, generate = user.train, user.generate
    for paused in (False, True):
        train.begin(steps=5000, eval_freq=1000)
        if paused:
            train.pause()
        train.stop()
        assert user.reads("phase").startswith(message("stopped_model_kept"))
        source = generate.source
        assert isinstance(source, SavedModel)
        last = user.received(StepDone)[-1].step
        assert checkpoint.read_state(source.path).step == last
        assert user.reads("saved") == f"Saved after step {last + 1}"
        run = run_folder.all_runs()[0]
        assert source.path.parent.parent == run.path
        assert [each.outcome for each in run.events() if isinstance(each, Ended)] == ["stopped"]
        assert train.start_button.isEnabled()
        generate.write(3)
        assert user.reads("generate_notice") == ""
        user.go_to("train")
        train.reset()
        user.wait(lambda: not user.busy("training"))

    user.decoding.clear()
    user.train.prepare(steps=5000)
    user.train.start()
    user.train.stop()
    assert user.received(Ended)[-1].outcome == "stopped"
    assert user.reads("phase") != "Loading"
    assert user.train.start_button.isEnabled()


def test_that_stop_and_pause_are_acknowledged_at_once_and_a_run_stopped_at_its_end_is_continued(user, monkeypatch):
    from gptstudio.training import trainer

    train, begun = user.train, threading.Event()

    def endless(*_args: object) -> None:
        begun.set()
        while True:
            time.sleep(0.01)
            _args[-1]()

    with monkeypatch.context() as slow:
        slow.setattr(trainer, "greedy", endless)
        train.begin(steps=3, eval_freq=2)
        user.wait(begun.is_set)
        train.stop()
    assert train.start_button.text() == "Continue"
    train.run_to_end()
    assert user.received(Ended)[-1].outcome == "finished"
    assert [each.step for each in user.received(StepDone)] == [0, 1, 2]
    assert len(user.received(SampleWritten)) == 1
    assert train.start_button.text() == "New run"

    real = trainer.training_step
    monkeypatch.setattr(trainer, "training_step", lambda *args: time.sleep(0.3) or real(*args))
    train.begin(steps=5000, eval_freq=1000)
    train.start()
    assert user.reads("phase") == message("pausing_after_step")
    train.wait_paused()
    assert user.reads("phase") == "Paused"
    train.start()
    user.wait(lambda: not train.paused)
    user.click(train.stop_button)
    assert user.reads("phase") == message("stopping_after_step")
    train.wait_ended()
    assert user.reads("phase").startswith("Stopped and saved.")


def test_that_a_model_too_large_is_reported_before_it_is_built_and_the_window_still_works(user, monkeypatch):
    user.train.prepare(steps=2)
    real = devices.cpu
    monkeypatch.setattr(devices, "cpu", lambda: replace(real(), free_bytes=10**6))
    user.train.start()
    assert not user.train.running
    assert "free: 1.0 MB" in user.reads("outlook")
    assert run_folder.all_runs() == []
    assert not user.train.stop_button.isEnabled()
    assert user.train.editor("epochs").isEnabled()
    assert user.train.start_button.isEnabled()
    assert user.train.start_button.text() == "Start anyway"
    monkeypatch.setattr(devices, "cpu", real)
    user.train.set(epochs=9)
    user.wait(user.train.start_button.isEnabled)
    assert user.train.start_button.text() == "Start"
    user.train.start()
    assert user.reads("train_notice") == ""
    user.train.wait_ended()
    assert user.reads("phase").startswith("Finished and saved.")

    user.panel.select(PRESETS["gpt2-xl"].but(emb_dim=65_536, n_heads=1, n_layers=1000))
    user.train.set(train_ratio=0.5)
    user.wait(user.train.start_button.isEnabled)
    assert user.panel.level("train") == "bad"
    user.train.start()
    assert not user.train.running
    assert user.find("outlook").property("role") == "problem"
    assert "; free: " in user.reads("outlook")


def test_that_a_failed_start_keeps_the_chosen_model_and_the_cause_of_each_end_is_reported(user, home, monkeypatch):
    """The Generate tab selects the newest run only when there is one."""
    own = write(home / "own.txt", WORDS.encode() * 50)
    user.train.to_end(text=own, steps=2)
    user.generate.model_box.setCurrentIndex(0)
    chosen = user.generate.source
    Path(own).unlink()
    user.train.run_to_end()
    assert user.received(Ended)[-1].outcome == "failed"
    assert user.generate.source == chosen

    def broken(*args, **options):
        raise RuntimeError("the trainer went home")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(training_tasks.launch, "launch", broken)
        user.train.finish(steps=6)
        assert "RuntimeError: the trainer went home" in user.reads("train_notice")
        assert user.train.start_button.isEnabled()

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(checkpoint, "free_bytes", lambda folder: 1000)
        user.train.finish(steps=6)
        assert "A checkpoint needs" in user.reads("train_notice")
        assert user.train.start_button.isEnabled()

    user.train.prepare(steps=100, learning_rate=10.0, weight_decay=10.0)  # weights grow 99-fold in each step
    user.train.run_to_end()
    assert message("training_diverged") in user.reads("train_notice")
    assert user.train.start_button.isEnabled()


def test_that_curves_with_infinite_losses_are_drawn_where_they_are_finite(user):
    losses = [10.0, 1e30, float("inf"), float("nan")]
    user.train.take(
        started(run=""), *(evaluated(step, loss, loss) for step, loss in enumerate(losses)),
    )
    assert user.train.figure("validation") == "nan"
    assert len(user.train.losses("validation")) == 4
    user.rest(0.05)
    assert user.train.loss.range[1][1] < 30, "where losses can be read"
    user.click(user.find("loss_plot_all"))
    assert 1e30 < user.train.loss.range[1][1] < 1.2e30


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the owner of everything may write everywhere")
def test_that_an_unwritable_home_is_reported(user, home):
    paths.runs().mkdir()
    paths.runs().chmod(0o500)
    user.train.finish(steps=6)
    assert message("cannot_written") in user.reads("train_notice")
    paths.runs().chmod(0o700)


def test_that_a_model_may_write_and_the_panel_may_change_during_a_run(user):
    user.train.begin(steps=5000, eval_freq=1000)
    held = len(user.received(StepDone))
    user.generate.write(20)
    user.wait(lambda: len(user.received(StepDone)) > held + 3)
    user.go_to("train")
    user.type("config_n_layers", "0")
    user.rest(0.1)
    assert user.train.running
    assert user.train.start_button.isEnabled()
    assert user.train.start_button.text() == "Pause"
    user.train.stop()
    assert not user.train.start_button.isEnabled()
    assert user.train.start_button.toolTip() == message("model_problem_see")
    assert isinstance(user.generate.source, SavedModel)


# The journal.


def test_that_the_page_the_terminal_and_a_journal_show_the_same_as_far_as_it_goes(user, qtbot, study_once):
    user.train.to_end(steps=12, eval_freq=5, batch_size=8, stride=256)
    (run,) = run_folder.all_runs()
    terminal, made = Terminal(Control()), run_history.read(run.journal_path)
    for event in run.events():
        terminal(event)
    speed = f"{made.steps['tokens_per_second'][-1]:,.0f}"
    assert user.train.figure("speed") == speed
    assert terminal.bar.speed == f"{speed} tok/s · 0:00 left"
    assert user.train.figure("memory") == size(terminal.metrics.run_peak_bytes)

    replayed = apart(TrainTab, list(journal.read(run.journal_path)))
    qtbot.addWidget(replayed)
    theme.dress(replayed)
    shows_the_same(TrainPage(user, replayed), user.train)
    assert user.train.progress.value() == user.train.progress.maximum() == 12
    assert isinstance(next(journal.read(run.journal_path)), RunStarted)

    study_once(steps=12, eval_freq=5)
    study_once(steps=7, eval_freq=5)
    newer, older = (list(journal.read(run.journal_path)) for run in run_folder.all_runs()[:2])
    cut_off = [event for event in older[:12] if isinstance(event, (RunStarted, StepDone))]
    made = apart(TrainTab, newer), apart(TrainTab, older, newer), apart(TrainTab, cut_off)
    for page in made:
        qtbot.addWidget(page)
        theme.dress(page)
    fresh, used, part = (TrainPage(user, page) for page in made)
    assert used.samples == fresh.samples != []
    assert used.progress.value() == used.progress.maximum() == 7
    for name in ("loss", "validation", "speed", "left"):
        assert used.figure(name) == fresh.figure(name), name
    for name in ("step", "training", "validation"):
        assert used.losses(name) == fresh.losses(name) != []
    done = len(part.losses())
    assert 0 < done < 12
    assert part.progress.value() == done


def shows_the_same(replayed: TrainPage, live: TrainPage) -> None:
    for name in ("loss", "training", "validation", "perplexity", "speed", "left", "rate", "memory"):
        assert replayed.figure(name) == live.figure(name), name
    for name in ("step", "training", "validation"):
        assert replayed.losses(name) == live.losses(name) != []
        assert replayed.loss.x(name, "tokens") == live.loss.x(name, "tokens")
    for name in live.sides:
        both = [page.side(name).y() for page in (replayed, live)]
        assert len(both[0])
        assert np.array_equal(*both, equal_nan=True)
    assert replayed.samples == live.samples != []
    assert replayed.checkpoints() == live.checkpoints() != []
    assert replayed.progress.value() == live.progress.value()
    assert replayed.progress.maximum() == live.progress.maximum()
    for name in ("phase", "saved", "train_notice", "step_counter"):
        assert replayed.reads(name) == live.reads(name), name
