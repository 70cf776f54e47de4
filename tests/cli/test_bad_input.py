"""User errors: one line that names the error and the remedy, exit code 2, and no files left behind."""

import shutil
import time

import pytest
from command_line import LESSON, SHORT, TINY

from gptstudio.training.run_folder import RunFolder

FILES = {
    "empty.txt": b"",
    "blank.txt": b" \n\n ",
    "short.txt": b"one two three",
    "binary.txt": b"a\x00b" * 999,
    "broken.txt": "café ".encode() * 999 + b"\xe9",
    "unvalidated.txt": b"word and word " * 12,
}
TRAIN = ("train", *SHORT)


def changed(*flags: str) -> list[str]:
    """Return the short training with some of its flags given another value."""
    names, values = flags[::2], flags[1::2]
    kept = [pair for pair in zip(TRAIN[1::2], TRAIN[2::2], strict=True) if pair[0] not in names]
    return ["train", *(part for pair in kept for part in pair), *sum(zip(names, values, strict=True), ())]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--emb-dim", "15"], "Width (15) must be a multiple of Heads (2), for example 16."),
        (["--emb-dim", "0"], "emb_dim is 0; it must be a whole number between 1 and 65,536."),
        (["--n-layers", "-1"], "n_layers is -1; it must be a whole number between 1 and 1,000."),
        (["--n-layers", "two"], "n_layers is 'two'; it must be a whole number"),
        (["--n-layers", "1.5"], "n_layers is 1.5; it must be a whole number"),
        (["--emb-dim", "99999999999"], "emb_dim is 99,999,999,999; it must be"),
        (["--batch-size", "0"], "batch_size is 0; it must be"),
        (["--steps", "0"], "steps is 0; it must be"),
        (["--learning-rate", "nan"], "learning_rate is nan; it must be a number between 0.0 and 10.0."),
        (["--train-ratio", "1"], "train_ratio is 1; it must be a number between 0.01 and 0.99."),
        (["--vocab-size", "100"], "Tokens must be at least 50,257 for GPT-2's tokenizer to read text, not 100."),
        (["--device", "toaster"], "There is no device 'toaster'. Available: cpu."),
        (["--device", "cuda:99"], "There is no device 'cuda:99'."),
        (["--precision", "int3"], 'Invalid value "int3" for --precision. Choose from: "auto", "fp32", "bf16".'),
        (["--preset", "gpt5"], 'Invalid value "gpt5" for --preset'),
        (["--stepz", "3"], "Unknown option: --stepz. Did you mean --steps?"),
        (["--epochs", "2"], "Set either steps or epochs, not both."),
    ],
)
def test_that_a_wrong_setting_is_reported_with_the_allowed_values(refused, flags, words):
    assert words in refused(*changed(*flags))


OWN_SIZE = ["--vocabulary", "own:300", "--vocab-size", "400"]
UNUSED = [
    (["--lesson", "a.toml", "runs"], "--lesson would have no effect together with a command."),
    (["train", "--init-best"], "--init-best has no effect without --init-from."),
    (["find-rate", "--init-best"], "--init-best has no effect without --init-from."),
    (["train", "--resume", "a", "--init-best"], "--resume continues a run with its original settings."),
    (["train", "--branch", "a", "--init-best"], "--branch continues from a run with its original settings."),
    (["train", *OWN_SIZE], "Tokens and Vocabulary are 400 and own:300;"),
    (["size", *OWN_SIZE], "Tokens and Vocabulary are 400 and own:300;"),
    (["train", "--vocabulary", "characters", "--vocab-size", "400"],
     "--vocab-size would have no effect together with --vocabulary characters."),
    (["generate", "--alternatives", "3"], "--alternatives has no effect without --json."),
    (["generate", "--reference", "--compile"], "Compile is on, but reference arithmetic"),
    (["inspect", "--prompt", "a", *TINY, "--mean-over", "story"], "A text for means (mean_over) has no effect"),
    (["inspect", "--prompt", "a", *TINY, "--mean-over", "story", "--ablate", "0.1"],
     "A text for means (mean_over) has no effect"),
    (["inspect", "--prompt", "a", "--precision", "int8"], "Unknown option: --precision."),
    (["sweep", "mine", "--list", "--show"], "mine, --show would have no effect together with --list."),
    (["sweep", "--list", "--csv", "a.csv", "--retry"], "--csv, --retry would have no effect together with --list."),
    (["sweep", "mine", "--show", "--retry"], "--retry would have no effect together with --show."),
    (["import", "mine", "--list"], "mine would have no effect together with --list."),
    (["import", "--heads", "4"], "--heads has no effect without a file or the name of a published model."),
    (["settings", "mine", "--check", "--controls"], "mine, --check would have no effect together with --controls."),
    (["settings", "--yes"], "--yes has no effect without --reset-class."),
    (["settings", "--check", "--reset-class", "--json"],
     "--check, --json would have no effect together with --reset-class."),
    (["lab", "generate", "--code", "--json"], "--json would have no effect together with --code."),
    (["lab", "generate", "--code", "--model", "pocket"], "--model would have no effect together with --code."),
    (["lab", "generate", "--story", "with bias", "--seed", "3"],
     "--seed would have no effect together with these settings of the experiment"),
]


@pytest.mark.parametrize(("flags", "words"), UNUSED, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_that_an_option_that_would_have_no_effect_is_refused(refused, flags, words):
    assert words in refused(*flags)


@pytest.mark.parametrize("command", [["size"], ["find-rate", *SHORT]], ids=" ".join)
def test_that_a_setting_of_another_optimizer_is_reported_as_without_effect(cli, command):
    result = cli(*command, "--momentum", "0.5")
    assert "Momentum (0.5) has no effect: Optimizer is adamw." in " ".join(result.err.split())


def test_that_all_wrong_settings_are_reported_in_one_line(refused):
    message = refused(*changed("--emb-dim", "0", "--n-layers", "x", "--learning-rate", "-1"))
    for field in ("emb_dim is 0", "n_layers is 'x'", "learning_rate is -1"):
        assert field in message


def test_that_a_missing_value_is_reported(refused):
    assert "--emb-dim requires an argument" in refused("train", "--emb-dim", "--steps", "3")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty.txt", "is empty"),
        ("blank.txt", "is empty"),
        ("short.txt", "one window needs 17"),
        ("binary.txt", "is not a text file: it has a zero byte at position 1"),
        ("broken.txt", "is not valid UTF-8: byte 5,994 is 0xE9"),
        ("unvalidated.txt", "there would be no validation loss"),
        ("missing.txt", "does not exist. Choose another"),
        (".", "contains no .txt or .md files."),
    ],
)
def test_that_a_text_unfit_for_training_is_reported(refused, tmp_path, name, words):
    file = tmp_path / name
    if name in FILES:
        file.write_bytes(FILES[name])
    assert words in refused("train", "--text", file, *LESSON)


@pytest.mark.parametrize("command", ["train", "generate"])
def test_that_a_model_larger_than_the_memory_is_refused_at_once_with_figures(refused, command):
    begun = time.monotonic()
    shape = ["--emb-dim", "16000", "--n-heads", "2", "--n-layers", "1000", "--context-length", "16"]
    message = refused(command, *(["--text", "story"] if command == "train" else []), *shape, "--device", "cpu")
    assert "There is not enough memory" in message
    assert message.count(" GB") == 3, "needed, free and in all"
    assert time.monotonic() - begun < 10


def test_that_a_folder_that_cannot_be_made_is_reported(refused, tmp_path):
    (tmp_path / "file").write_text("here")
    assert "Could not write to the run folder" in refused(*TRAIN, "--run", tmp_path / "file" / "run")


def test_that_a_folder_with_something_in_it_is_left_alone(refused, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    assert "already exists. Choose a new or an empty folder" in refused(*TRAIN, "--run", tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]


def test_that_an_empty_folder_is_still_there_and_empty_after_a_refusal(refused, tmp_path):
    (tmp_path / "new").mkdir()
    refused(*changed("--device", "toaster"), "--run", tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--prompt="], "The prompt is empty"),
        (["--top-k", "0"], "top_k is 0; it must be a whole number between 1 and 1,000,000, or empty."),
        (["--top-p", "1.1"], "top_p is 1.1; it must be a number between 0.0 and 1.0."),
        (["--min-p", "nan"], "min_p is nan; it must be a number between 0.0 and 1.0."),
        (["--repetition-penalty", "0"], "repetition_penalty is 0; it must be a number between 0.01 and 100.0."),
        (["--samples", "65"], "samples is 65; it must be a whole number between 1 and 64."),
        (["--temperature", "-1"], "temperature is -1; it must be a number between 0.0 and 100.0."),
        (["--max-new-tokens", "0"], "max_new_tokens is 0; it must be"),
        (["--vocab-size", "100"], "the token IDs of this model are below 100"),
        (["--device", "toaster"], "There is no device 'toaster'."),
        (["--model", "atlantis"], "There is no model 'atlantis'. Presets: workshop"),
        (["--n-heads", "3"], "Width (256) must be a multiple of Heads (3)"),
    ],
)
def test_that_an_impossible_generation_is_refused(refused, flags, words):
    assert words in refused("generate", *flags)


def test_that_a_damaged_checkpoint_and_a_run_without_one_are_not_loaded(refused, learn, tmp_path):
    other = learn("--tie-weights")
    others = shutil.move(other.newest_checkpoint(), tmp_path / "another shape")
    shutil.rmtree(other.path)
    run = RunFolder(tmp_path / "damaged")  # outside the user's runs
    shutil.move(learn().path, run.path)
    saved = run.newest_checkpoint()
    weights = saved / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    assert str(weights) in refused("generate", "--model", run.path)
    weights.write_bytes(whole)
    for part in others.glob("*.safetensors"):
        shutil.copy(part, saved)
    assert str(saved) in refused("generate", "--model", run.path)
    shutil.rmtree(saved)
    assert "has no checkpoint: it ended before one was saved" in refused("generate", "--model", run.path)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["trian"], 'Unknown command "trian". Did you mean "train"?'),
        (["train", "now"], "Unknown argument: now. Run gptstudio --help to see what is available."),
        (["size", "--batch-size", "0"], "batch_size is 0"),
        (["size", *TINY, "--n-heads", "2"], "--n-heads specified multiple times"),
    ],
)
def test_that_an_unknown_argument_is_reported(refused, argv, words):
    assert words in refused(*argv)


def test_that_a_traceback_is_shown_only_on_request(cli):
    for argv in (("--debug", *changed("--device", "toaster")), (*changed("--device", "toaster"), "--debug")):
        result = cli(*argv)
        assert result.code == 2
        assert "Traceback" in result.err
        assert result.err.splitlines()[-1].startswith("There is no device")


def test_that_json_reports_a_failure_without_a_traceback(cli):
    result = cli(*changed("--device", "toaster"), "--json")
    assert result.out.startswith('{"event":"ended","outcome":"failed","message":"There is no device')
    assert result.out.count("\n") == 1
    assert "Traceback" not in result.out + result.err
