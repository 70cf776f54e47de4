"""``train``: its output, the files that it keeps, and the sources of its text."""

import hashlib
import json
import re

import pytest
from command_line import LESSON, SHORT, TINY, story

from gptstudio import paths
from gptstudio.cli.terminal import Terminal
from gptstudio.data import texts
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.training import checkpoint
from gptstudio.training.checkpoint import State
from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated, PartUpdate, StepDone, UpdatesRead, from_json
from gptstudio.training.run_folder import RunFolder, all_runs

EVALUATION = r"^Ep 1 \(Step 00000%d\): Train loss \d+\.\d{3}, Val loss \d+\.\d{3}$"


def test_that_a_training_prints_its_losses_like_the_study_notes_and_then_a_command_that_works(cli):
    result = cli("train", *SHORT, "--eval-freq", "2")
    assert (result.code, result.err) == (0, "")
    lines = [line for line in result.out.splitlines() if line.startswith("Ep ")]
    assert all(re.match(EVALUATION % step, line) for line, step in zip(lines, (1, 3), strict=True))
    assert "  Every effort moves you" in result.out
    run = all_runs()[0]
    assert f"Run folder: {run.path}" in result.out
    assert re.search(r"^Estimated for training: memory [1-9][\d.]* MB", result.out, re.MULTILINE)
    *_, summary, onward = result.out.splitlines()
    assert summary.startswith("Finished. Steps: 3; time: 0:0")
    assert onward.endswith(f"gptstudio generate --model {run.name}")
    written = cli(*onward.split("gptstudio ")[1].split(), "--max-new-tokens", "2")
    assert written.code == 0
    assert written.out.startswith("Every effort moves you")


def test_that_a_run_kept_elsewhere_is_named_by_its_folder(cli, tmp_path):
    folder = tmp_path / "my run"
    onward = cli("train", *SHORT, "--run", folder).out.splitlines()[-1]
    assert onward.endswith(f"--model '{folder}'")
    assert RunFolder(folder).newest_checkpoint().name == "step-000002"


def test_that_json_prints_the_events_of_the_journal_and_nothing_else_and_the_same_losses_again(cli):
    result = cli("train", *SHORT, "--json")
    assert result.err == ""
    events, [run] = [from_json(line) for line in result.out.splitlines()], all_runs()
    assert events == list(run.events())
    assert [type(events[0]).__name__, type(events[-1]).__name__] == ["RunStarted", "Ended"]
    listed = json.loads(cli("runs", "--json").out)["health"]
    ratios = [part.update_ratio for part in [each for each in events if isinstance(each, UpdatesRead)][-1].parts]
    assert listed["update_ratio"] == [min(ratios), max(ratios)]
    assert listed.keys() >= {"gradient_norm", "weight_norm", "dead_units", "head_entropy", "logits"}
    again = [from_json(line) for line in cli("train", *SHORT, "--json").out.splitlines()]
    losses, same = ([each.loss for each in of if isinstance(each, StepDone)] for of in (events, again))
    assert losses == same != []


def test_that_flags_reach_the_run(cli):
    cli("train", *SHORT, "--seed", "7", "--learning-rate", "0.01", "--stride", "8", "--reference", "--tie-weights")
    spec = all_runs()[0].record().spec
    assert (spec.seed, spec.learning_rate, spec.stride, spec.reference) == (7, 0.01, 8, True)
    assert (spec.config.tie_weights, spec.config.emb_dim, spec.steps) == (True, 8, 3)


@pytest.mark.parametrize(("given", "kind", "most"), [
    ("own:300", "own", 300), ("own", "own", 1_024), ("characters", "characters", 99), ("gpt2", "gpt2", 50_257)])
def test_that_a_model_has_the_requested_vocabulary(cli, given, kind, most):
    result = cli("train", *SHORT, "--vocabulary", given)
    assert (result.code, result.err) == (0, "")
    [run] = all_runs()
    config = run.record().spec.config
    assert (config.vocabulary, config.vocab_size) == (kind, run.tokenizer().size)
    assert most // 2 < config.vocab_size <= most
    assert "  Every effort moves you" in result.out, "the sample is text"
    result = cli("generate", "--model", run.name, "--max-new-tokens", "3", "--device", "cpu")
    assert result.code == 0
    assert result.out.startswith("Every effort moves you")


@pytest.mark.parametrize(("given", "expected"), [
    ("words", "vocabulary is 'words'; it must be one of gpt2, own, characters, file."),
    ("own:many", "vocab_size is 'many'; it must be a whole number"),
    ("own:", "vocab_size is ''; it must be a whole number"),
    ("own:256", "Tokens must be between 257 and 8,192 for a vocabulary of the text itself, not 256."),
    ("gpt2:100", "Tokens must be at least 50,257 for GPT-2's tokenizer to read text, not 100."),
    ("file", "there are no weights to begin with (init_from)"),
])
def test_that_an_impossible_vocabulary_is_refused_before_anything_is_made(refused, given, expected):
    assert expected in refused("train", *SHORT, "--vocabulary", given)


TEACHER = GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=2, qkv_bias=True, tie_weights=True)
TUNING = ["--text", "story", "--sample-tokens", "2", "--device", "cpu", "--steps", "2"]


@pytest.fixture
def teacher() -> str:
    """An imported model, by its name."""
    state = State(config=TEACHER, step=0, epoch=0, tokens_seen=0, val_loss=None)
    checkpoint.write_model(checkpoint.weights_of(GPTModel(TEACHER)), paths.models() / "teacher", state)
    return "teacher"


def test_that_a_fine_tuning_has_the_shape_of_its_source_except_for_the_flags(cli, teacher):
    result = cli("train", *TUNING, "--init-from", teacher, "--context-length", "16", "--drop-rate", "0.2",
               "--freeze", "norms,attention", "--freeze-blocks", "1")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(
        "Model: Custom model, starting from the weights of teacher. Training text: The Late Bell"
    )
    spec = all_runs()[0].record().spec
    assert spec.config == TEACHER.but(context_length=16, drop_rate=0.2)
    assert (spec.init_from, spec.freeze, spec.freeze_blocks) == ("teacher", ("attention", "norms"), 1)


def test_that_a_fine_tuning_continues_and_generates_like_any_run(cli, teacher):
    cli("train", *TUNING, "--init-from", teacher)
    run = all_runs()[0]
    assert cli("generate", "--model", run.name, "--max-new-tokens", "2").code == 0
    assert cli("train", *TUNING, "--init-from", run.name).code == 0
    assert cli("train", "--resume", run.name, "--init-from", teacher).code == 2


@pytest.mark.parametrize(("flags", "words"), [
    (["--init-from", "nobody"], "There is no model 'nobody'. Presets:"),
    (["--init-from", "gpt2"], "must be imported first, with gptstudio import or in the menu Model."),
    (["--init-from", "book"], "Initial weights (init_from): 'book' is a preset, which has no trained weights"),
    (["--init-from", "teacher", "--preset", "workshop"], "Layers: 2 in the weights, 4 in this model"),
    (["--init-from", "teacher", "--context-length", "64"], "Context length: 32 in the weights, 64 in this model"),
    (["--init-from", "teacher", "--freeze-blocks", "3"], "the model has 2 blocks"),
    (["--init-from", "teacher", "--freeze", "heads"], "Freeze, item 1, is 'heads'"),
])
def test_that_an_impossible_fine_tuning_is_refused_with_a_message_and_leaves_no_run(refused, teacher, flags, words):
    assert words in refused("train", *TUNING, *flags)


def test_that_a_users_file_is_learned(cli, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("The fox ran to the brook. " * 60, encoding="utf-8")
    assert f"Training text: {file}." in cli("train", "--text", file, *TINY, "--steps", "2", "--sample-tokens", "1").out
    assert all_runs()[0].record().text_name == "mine.txt"


def test_that_several_texts_and_a_folder_are_learned(cli, tmp_path):
    for name in ("b.md", "a.txt"):
        (tmp_path / name).write_text("The fox ran to the brook. " * 60, encoding="utf-8")
    texts = ("--text", tmp_path, "--text", "story", "--split", "documents")
    cli("train", *texts, *TINY, "--steps", "2", "--sample-tokens", "1")
    record = all_runs()[0].record()
    assert record.text_name == "3 texts: a.txt, b.md, …"
    assert record.spec.text == (str(tmp_path), "story")
    assert record.spec.split == "documents"


@pytest.mark.parametrize(("name", "title"), [("grimm", "Two tales in German"), ("luxun", "Two stories in Chinese")])
def test_that_the_texts_in_other_languages_are_learned_by_their_names(cli, name, title):
    result = cli("train", "--text", name, "--vocabulary", "own:300", *TINY, "--steps", "2", "--sample-tokens", "1")
    assert (result.code, result.err) == (0, "")
    assert f"Training text: {title}" in result.out
    assert all_runs()[0].record().spec.text == (name,)


def test_that_one_text_split_by_documents_is_refused_with_a_message(refused):
    reason = refused("train", "--text", "story", "--split", "documents", *TINY, "--steps", "2")
    assert "there is only one document, The Late Bell" in reason


def test_that_the_story_replaces_the_verdict_among_other_texts(cli, monkeypatch, tmp_path):
    monkeypatch.setattr(texts, "VERDICT_URL", "http://127.0.0.1:9/the-verdict.txt")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (tmp_path / "mine.txt").write_text("The fox ran to the brook. " * 60, encoding="utf-8")
    names = ["--text", "verdict", "--text", tmp_path / "mine.txt", "--text", "story"]
    assert cli("train", *names, *TINY, "--steps", "2", "--sample-tokens", "1").code == 0
    assert all_runs()[0].record().spec.text == ("story", str(tmp_path / "mine.txt"))


@pytest.fixture
def published(monkeypatch, serve):
    """The Verdict as it would be fetched: a text at an address on this computer."""

    def publish(content: bytes, expected: bytes | None = None) -> None:
        monkeypatch.setattr(texts, "VERDICT_URL", serve(content))
        monkeypatch.setattr(texts, "VERDICT_SHA256", hashlib.sha256(expected or content).hexdigest())

    return publish


def test_that_the_verdict_is_fetched_once_and_learned(cli, published, home):
    content = story()
    published(content)
    result = cli("train", *LESSON, "--steps", "3")
    assert (result.code, result.err) == (0, "")
    assert "Training text: The Verdict, Edith Wharton, 1908." in result.out
    assert (home / "texts" / "the-verdict.txt").read_bytes() == content
    assert all_runs()[0].record().spec.text == ("verdict",)
    published(b"another")  # a second request would be refused
    assert cli("train", *LESSON, "--steps", "3").err == ""


@pytest.mark.parametrize("comes", [b"<html>Sign in to this network</html>", b""])
def test_that_a_download_other_than_the_verdict_is_not_learned(cli, published, home, comes):
    published(comes, expected=story())
    result = cli("train", *LESSON, "--steps", "3", "--json")
    assert result.code == 0
    assert "the downloaded text is not the expected one" in result.err
    assert all_runs()[0].record().spec.text == ("story",)
    assert not list((home / "texts").iterdir())


def test_that_without_a_network_the_story_replaces_it_and_that_is_reported(cli, monkeypatch):
    monkeypatch.setattr(texts, "VERDICT_URL", "http://127.0.0.1:9/the-verdict.txt")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    result = cli("train", *LESSON, "--steps", "3", "--json")
    assert result.code == 0
    assert result.err.count("\n") == 1
    assert "Train on the story that ships with GPT Studio, choose a file of your own, or copy" in result.err
    assert "Training on that story for now." in result.err
    assert all_runs()[0].record().text_name.startswith("The Late Bell")


def test_that_wrong_settings_are_reported_before_anything_is_fetched(cli, monkeypatch):
    monkeypatch.setattr(texts, "fetch_verdict", lambda progress: pytest.fail("fetched"))
    assert cli("train", "--epochs", "0").code == 2


def test_that_an_overfitting_model_is_reported_once(capsys):
    terminal = Terminal(Control())
    for step in range(0, 200, 5):
        val_loss = 6 + abs(step - 50) / 100  # lowest at step 50
        terminal(Evaluated(step=step, tokens_seen=step, train_loss=8 - step / 50, val_loss=val_loss))
    output = " ".join(capsys.readouterr().out.split())
    assert output.count(
        "stopped improving while the training loss kept falling: the model is memorising the training text "
        "(overfitting)."
    ) == 1
    assert "After step 51, the validation loss (6.00) stopped improving" in output


def test_that_only_what_becomes_unhealthy_is_reported_and_only_once(capsys):
    terminal = Terminal(Control())
    for step, reach in enumerate([1.0, 1.0, 0.0, 0.0, 1.0, 0.0]):
        terminal(UpdatesRead(step=step, parts=tuple(
            PartUpdate(part="attention", block=block, gradient_norm=norm, weight_norm=1, update_ratio=1e-3)
            for block, norm in enumerate([1.0, reach]))))
    output = capsys.readouterr().out.strip().splitlines()
    assert output == [f"Step {n}: No gradient reaches block 2: it does not learn." for n in (3, 6)]


def test_that_settings_without_effect_are_named_in_the_terminal(cli):
    result = cli("train", *SHORT, "--momentum", "0.5", "--warmup-steps", "1000")
    assert result.code == 0
    assert "Momentum (0.5) has no effect: Optimizer is adamw." in result.out + result.err
    assert "Warm-up (1000) has no effect: Schedule is constant." in result.out + result.err


def test_that_a_warm_up_as_long_as_the_run_is_refused(cli):
    result = cli("train", *SHORT, "--schedule", "cosine", "--warmup-steps", "3")
    assert result.code != 0
    assert "Warm-up (3 steps) must be shorter than the run (3 steps)" in result.err
