"""The command and the Python code that are copied from a spec result in the same spec, whatever texts it contains."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gptstudio
from gptstudio import spec_code
from gptstudio.app.copied_code import generate_code, generate_command
from gptstudio.cli import app as cli
from gptstudio.cli import generate as generate_command_line
from gptstudio.cli import train as train_command_line
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import Ended
from gptstudio.training.model_source import SavedModel, UntrainedModel
from gptstudio.training.run_code import train_code, train_command
from gptstudio.training.spec import TrainSpec

SMALL = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)
HOSTILE = [
    "", "none", "42", "-x", "--help", "it's \"both\"", "$(touch pwned) `touch pwned` $HOME ${x} %PATH% !! \\",
    "a; b & c | d > e", "*?[a]", "two\nlines\n", "\ttab", "\x15rm -rf ~\n", "\x1b[201~ls\r", "tail\n\x03\n",
    "提示词“引号”", "e\u0301 🎈 \u202e\u2028",
]
printed = st.one_of(st.sampled_from(HOSTILE), st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20))
SHELLS = [path for path in map(shutil.which, ("sh", "bash", "zsh")) if path and os.name == "posix"]
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no POSIX shell")


def words(command: str, program: str) -> list[str]:
    """Return the arguments that a program gets when the command is given to a shell."""
    asked = f"gptstudio() {{ printf '%s\\0' \"$@\"; }}\n{command}"
    done = subprocess.run([program, "-c", asked], capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode().split("\0")[:-1]


@pytest.fixture(scope="module")
def given_to_train():
    """The specs with which the command line trained, and the arguments with which ``gs.train`` was called."""
    made: list[TrainSpec] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_command_line, "with_text", lambda spec: spec)
        patch.setattr(train_command_line, "train_into", lambda sink, spec, *_: made.append(spec) or _finished())
        patch.setattr(gptstudio, "train", made.append, raising=False)
        yield made


@pytest.fixture(scope="module")
def given_to_generate():
    made: list[tuple] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generate_command_line, "generate_from", lambda spec, source, *_: made.append(
            (spec, source)) or _finished())
        yield made


def _finished() -> Ended:
    return Ended(outcome="finished", message="Finished.")


def run(command: str) -> None:
    assert cli.run(cli.build(), lambda _: 0, words(command, SHELLS[0])) == 0


TRAIN_SPECS = [
    {}, {"steps": 30, "learning_rate": 1e-3, "reference": True, "stride": 16, "save_every_s": None},
    {"text": ("story", "-odd name.txt", "/a b/ü'\".md"), "split": "documents", "freeze": ("norms", "attention")},
    {"config": SMALL.but(drop_rate_emb=0.2, qkv_bias=True), "freeze_blocks": 1, "probes": ()},
    {"config": PRESETS["gpt2-small"].but(tie_weights=True), "health": False, "seed": 2**63 - 1, "device": "cuda:1"},
    {"config": PRESETS["gpt2-medium"], "optimizer": "muon", "schedule": "cosine", "learning_rate": 0.1 + 0.2},
    {"init_from": "a model of mine", "config": PRESETS["workshop"].but(context_length=32)},
    {"config": SMALL.but(vocabulary="own", vocab_size=300)},
    {"config": SMALL.but(vocabulary="characters", vocab_size=256)},
    {"init_from": "a model of mine", "config": SMALL.but(vocabulary="characters", vocab_size=61)},
]


@on_posix
@pytest.mark.parametrize("values", TRAIN_SPECS)
def test_that_the_command_and_the_python_of_a_run_mean_its_spec(values, given_to_train):
    spec = TrainSpec.make(values)
    given_to_train.clear()
    run(train_command(spec))
    exec(train_code(spec).rpartition("print")[0], {})
    assert given_to_train == [spec, spec]


@on_posix
@given(printed, st.lists(printed, max_size=3))
@example("x", [])
def test_that_no_text_of_a_run_is_read_as_code(given_to_train, prompt, probes):
    values = {"sample_prompt": prompt, "sample_tokens": 0, "probes": tuple(each for each in probes if each.strip()),
              "text": (prompt or "story",), "config": SMALL}
    if values["probes"] == ("none",):
        return
    spec = TrainSpec.make(values)
    given_to_train.clear()
    run(train_command(spec))
    exec(train_code(spec).rpartition("print")[0], {})
    assert given_to_train == [spec, spec]
    assert "\t" not in train_command(spec)


@pytest.mark.parametrize("program", SHELLS)
@pytest.mark.parametrize("text", HOSTILE)
def test_that_every_shell_passes_a_hostile_text_on_and_executes_none_of_it(program, text):
    command = spec_code.shell_line(["gptstudio", text, "end"])
    assert words(command, program) == [text, "end"]
    assert all(char.isprintable() or char == "\n" for char in command)


def test_that_a_text_that_a_shell_cannot_pass_is_refused_with_a_message():
    for text in ("a\0b", "\ud800"):
        with pytest.raises(UserError, match="no command line can pass on"):
            spec_code.shell_line([text])
    for text in ("", "100%", 'say "hi"', "$x", "a\nb", "C:\\odd folder\\", "“x”"):
        with pytest.raises(UserError, match=r"Windows command line .* as Python instead"):
            spec_code.shell_line([text], "windows")
    assert spec_code.shell_line(["--text", "C:\\my texts\\ü & co.txt", "top_k"], "windows") == (
        '--text "C:\\my texts\\ü & co.txt" top_k')


def from_python(code: str, monkeypatch) -> tuple[GenerateSpec, dict]:
    """Return the spec that the copied Python generates with, and the arguments with which it loads the model."""
    made = {}
    monkeypatch.setattr(gptstudio, "load", lambda source, **settings: made.update(source=source, **settings),
                        raising=False)
    monkeypatch.setattr(gptstudio, "generate", lambda model, prompt, **settings: made.update(
        spec=GenerateSpec.make(prompt=prompt, **settings)) or [], raising=False)
    monkeypatch.setattr(gptstudio, "decode", lambda ids: "", raising=False)
    exec(code, {})
    return made.pop("spec"), made


GENERATE_SPECS = [{"temperature": 0.7, "top_k": None, "samples": 3, "seed": 5, "device": "cpu"},
                  {"order": ("top_k", "temperature"), "stop_text": "\n\n", "stop_at_end": False, "precision": "int8"}]


@on_posix
@pytest.mark.parametrize(("values", "prompt"), [
    *(({}, prompt) for prompt in HOSTILE), *((values, "two words") for values in GENERATE_SPECS)])
def test_that_the_command_and_the_python_of_a_text_mean_its_spec(values, prompt, given_to_generate, monkeypatch):
    spec = GenerateSpec.make(values, prompt=prompt)
    given_to_generate.clear()
    source = UntrainedModel(SMALL, spec.seed)
    run(generate_command(spec, source))
    assert given_to_generate == [(spec, source)]
    found, loaded = from_python(generate_code(spec, source), monkeypatch)
    assert found.but(**{name: getattr(spec, name) for name in ("device", "precision")}) == spec
    assert loaded.pop("source") == SMALL
    assert loaded == {name: getattr(spec, name) for name in ("device", "precision", "seed")
                      if getattr(spec, name) != getattr(GenerateSpec(), name)}


def test_that_a_model_is_copied_by_its_name(given_to_generate, monkeypatch):
    spec = GenerateSpec()
    assert generate_command(spec, UntrainedModel(PRESETS["workshop"])) == "gptstudio generate"
    assert generate_command(spec, UntrainedModel(PRESETS["book"])) == "gptstudio generate --model book"
    saved = SavedModel(Path("/runs/it's mine/checkpoints/step-000009"))
    assert shlex.split(generate_command(spec, saved)) == ["gptstudio", "generate", "--model", str(saved.path)]
    assert from_python(generate_code(spec, saved), monkeypatch)[1] == {"source": str(saved.path)}


def test_that_only_changed_settings_are_copied():
    assert train_command(TrainSpec()) == "gptstudio train"
    spec = TrainSpec(text=("story",), epochs=3, config=PRESETS["book"])
    assert train_command(spec) == "gptstudio train --preset book --text story --epochs 3"
    assert train_code(spec) == (
        "import gptstudio as gs\n\nspec = gs.TrainSpec(config=gs.PRESETS['book'], text=('story',), epochs=3)\n"
        "run = gs.train(spec)\nprint(run.path, run.val_loss)\n")
