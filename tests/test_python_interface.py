"""The Python interface: its examples, and that its results equal those of the command line."""

import ast
import contextlib
import doctest
import json
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_type_hints

import pytest
import torch

import gptstudio as gs
from gptstudio import api, paths
from gptstudio.app import manual
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.i18n import LANGUAGES
from gptstudio.inference import generator, loading
from gptstudio.inference.spec import GenerateSettings, GenerateSpec
from gptstudio.training import kept_checkpoints, launch
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn
from gptstudio.training.executor import execute
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.slow

TINY = gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=2)
FLAGS = ["--emb-dim", "16", "--n-heads", "2", "--n-layers", "2", "--context-length", "16", "--device", "cpu"]
PROMPT, CAT = "Every effort moves you", " cat"


@pytest.fixture(scope="module")
def model() -> gs.Decoder:
    return gs.load(TINY, device="cpu")


def spec(**more: object) -> gs.TrainSpec:
    return gs.TrainSpec(config=TINY, text=("story",), device="cpu", sample_tokens=0, probes=(), health=False, **more)


def printed(capsys, *argv: str) -> list[dict]:
    """Return the lines of JSON that a command prints."""
    from gptstudio.__main__ import main

    assert main([*argv, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# Its examples.


def test_that_every_example_of_the_interface_gives_its_stated_result(model):
    names, shown = {"gs": gs, "model": model}, doctest.REPORT_ONLY_FIRST_FAILURE
    tried = doctest.testmod(api, extraglobs=names, optionflags=shown)
    assert tried.attempted > 15
    assert tried.failed == 0


def test_that_every_example_of_the_manual_gives_its_stated_result():
    examples = {language: doctest.DocTestParser().get_examples(manual.markdown("python_interface", language))
                for language in LANGUAGES}
    listed = [[(each.source, each.want) for each in found] for found in examples.values()]
    assert listed[0] == listed[1], "the same in both languages"
    assert len(listed[0]) > 15
    test = doctest.DocTest(examples["en"], {}, "python_interface.md", None, 0, None)
    assert doctest.DocTestRunner(optionflags=doctest.REPORT_ONLY_FIRST_FAILURE).run(test).failed == 0


def test_that_the_notebook_runs_from_its_first_cell_to_its_last(capsys):
    notebook = json.loads((paths.resources() / "examples" / "python_interface.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["nbformat"] == 4
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells), "saved without results"
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    assert names["run"].steps == 30
    output = capsys.readouterr().out
    assert "step  21: training loss" in output
    before, after = (float(line.split()[1]) for line in output.splitlines() if "bits per token" in line)
    assert after < before - 1


# Its names.


def test_that_the_stub_has_the_existing_names():
    assert len(set(gs.__all__)) == len(gs.__all__)
    stub = ast.parse(Path(gs.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    promised = {(node.module, alias.name) for node in stub.body if isinstance(node, ast.ImportFrom)
                for alias in node.names if alias.name == alias.asname}
    assert {name for _, name in promised} | {"__version__"} == set(gs.__all__)
    for module, name in promised:
        assert getattr(gs, name) is getattr(sys.modules[module], name)
    assert set(gs.__all__) <= set(dir(gs))
    assert gs.decode(gs.encode("Every effort")) == "Every effort"
    with pytest.raises(AttributeError, match="module 'gptstudio' has no attribute 'lode'"):
        _ = gs.lode


def test_that_the_settings_of_generate_are_those_of_its_spec():
    fields = gs.GenerateSpec.model_fields
    of_the_model = {"model", "prompt", "device", "precision", "compile", "reference"}
    assert get_type_hints(GenerateSettings) == {
        name: field.annotation for name, field in fields.items() if name not in of_the_model}


# The same as the command line.


def test_that_a_text_equals_that_of_the_command_line(model, capsys):
    settings = {"temperature": 0.8, "top_k": 40, "max_new_tokens": 8, "seed": 5}
    flags = ["--temperature", "0.8", "--top-k", "40", "--max-new-tokens", "8", "--seed", "5"]
    drawn = list(gs.generate(gs.load(TINY, device="cpu", seed=5), PROMPT, **settings))
    lines = printed(capsys, "generate", *FLAGS, "--prompt", PROMPT, *flags)
    assert [(each.id, each.text, each.probability) for each in drawn] == [
        (line["id"], line["text"], line["probability"]) for line in lines]
    # two texts that are generated in turns do not disturb each other
    turns = zip(gs.generate(model, PROMPT, max_new_tokens=5, seed=1), gs.generate(model, "A", max_new_tokens=5, seed=2),
                strict=True)
    alone = list(gs.generate(model, PROMPT, max_new_tokens=5, seed=1))
    assert [one.id for one, _ in turns] == [each.id for each in alone]


def test_that_the_text_after_a_very_long_prompt_equals_those_of_the_command_line_and_of_the_window(capsys):
    long, flags = "the old bell rang late. " * 200, ["--max-new-tokens", "8", "--seed", "5"]
    model, events = gs.load(TINY, device="cpu", seed=5), []
    drawn = [each.id for each in gs.generate(model, long, max_new_tokens=8, seed=5)]
    window = GenerateSpec(prompt=long, max_new_tokens=8, seed=5)
    execute(generator.generate(window, lambda: model, Control()), [events.append])
    assert drawn == [each.id for each in events if isinstance(each, TokenDrawn)]
    lines = printed(capsys, "generate", *FLAGS, "--prompt", long, *flags)
    assert drawn == [line["id"] for line in lines]
    *_, sample = printed(capsys, "beam", *FLAGS, "--prompt", long, *flags)
    assert drawn == sample["ids"]


def test_that_a_score_equals_that_of_the_command_line(model, capsys, tmp_path):
    text = "I had always thought Jack Gisburn rather a cheap genius, though a good fellow enough. " * 3
    (tmp_path / "text.txt").write_text(text)
    found = gs.score(model, text, stride=4)
    *readings, total = printed(capsys, "score", str(tmp_path / "text.txt"), *FLAGS, "--stride", "4")
    assert {name: getattr(found, name) for name in ("tokens", "bytes", "bits", "perplexity", "stride", "context")} == {
        name: total[name] for name in ("tokens", "bytes", "bits", "perplexity", "stride", "context")}
    assert [each.plain_probability for each in found.readings] == [each["plain_probability"] for each in readings]


def test_that_an_inspection_equals_that_of_the_command_line(model, capsys):
    found = gs.inspect(model, PROMPT, token=CAT, ablate=["1.mlp"], attribution=True)
    flags = ["--prompt", PROMPT, "--token", CAT, "--ablate", "1.mlp", "--attribution"]
    lines = printed(capsys, "inspect", *FLAGS, *flags)
    assert [(each.id, each.probability, each.changed_probability) for each in found.candidates] == [
        (line["id"], line["probability"], line["changed_probability"])
        for line in lines if line["event"] == "candidate"]
    assert found.effects.log_probability == lines[-1]["log_probability"]
    assert found.asked == lines[-1]["id"] == found.candidates[-1].id


def test_that_a_model_used_by_several_threads_reads_one_text_at_a_time(monkeypatch):
    """Two threads in C at the same time wrote past the end of the cached keys and values, which ended the process."""
    model, meeting, at_once = gs.load(TINY, device="cpu"), threading.Barrier(2), list[threading.Thread]()
    truncate = KVCache.truncate

    def meet(cache, length):
        at_once.append(threading.current_thread())
        with contextlib.suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=0.5)  # for another thread in the same place
        assert {*at_once} == {threading.current_thread()}
        truncate(cache, length)
        at_once.clear()

    def use(number: int) -> tuple[list[int], float]:
        if number % 2:
            return [token.id for token in gs.generate(model, PROMPT, max_new_tokens=6)]
        return gs.score(model, PROMPT).perplexity

    alone = [use(number) for number in range(4)]
    monkeypatch.setattr(KVCache, "truncate", meet)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(use, range(4))) == alone


def test_that_a_run_is_loaded_by_its_result_its_name_and_its_path():
    run = gs.train(spec(steps=4, eval_freq=2))
    record = RunFolder(run.path).record()
    assert record.spec == spec(steps=4, eval_freq=2)
    assert run.checkpoint == RunFolder(run.path).newest_checkpoint()
    assert run.best_val_loss <= run.val_loss < 11.5
    names = {gs.load(each, device="cpu").name for each in (run, run.path, run.path.name, run.checkpoint)}
    assert names == {SavedModel(run.checkpoint).name}
    assert gs.load(run, best=True).name


# The end of a run.


def test_that_an_error_of_the_callback_is_raised_once_the_run_is_saved(tmp_path):
    def fail(event: gs.Event) -> None:
        if isinstance(event, gs.StepDone) and event.step == 2:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        gs.train(spec(steps=1_000), folder=tmp_path / "run", on_event=fail)
    assert RunFolder(tmp_path / "run").newest_checkpoint().name == "step-000002"


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_that_what_ends_a_program_ends_a_run_that_is_saved(tmp_path, raised):
    def end(event: gs.Event) -> None:
        if isinstance(event, gs.StepDone) and event.step == 2:
            raise raised

    with pytest.raises(raised):
        gs.train(spec(steps=1_000), folder=tmp_path / "run", on_event=end)
    assert RunFolder(tmp_path / "run").newest_checkpoint().name == "step-000002"


@pytest.fixture
def interruptible():
    """Let Ctrl-C raise as in a program; test runners may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_that_an_interrupt_is_raised_once_the_run_is_saved(tmp_path, interruptible):
    def interrupt(event: gs.Event) -> None:
        if isinstance(event, gs.StepDone) and event.step == 1:
            os.kill(os.getpid(), signal.SIGINT)

    if os.name == "nt":
        pytest.skip("Windows ends a process that is sent a signal")
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        gs.train(spec(steps=1_000), folder=tmp_path / "run", on_event=interrupt)
    assert signal.getsignal(signal.SIGINT) is before
    assert RunFolder(tmp_path / "run").newest_checkpoint().name in ("step-000001", "step-000002")


def test_that_the_control_of_a_run_that_has_ended_is_refused_for_the_next(tmp_path):
    control = gs.Control()
    run = gs.train(spec(steps=9), folder=tmp_path / "run", control=control, on_event=lambda _: control.stop())
    assert run.outcome == "stopped"
    with pytest.raises(gs.UserError, match="a run that has ended"):
        gs.train(spec(steps=9), folder=tmp_path / "next", control=control)
    assert not (tmp_path / "next").exists()


def test_that_a_run_that_fails_says_why():
    with pytest.raises(gs.TrainingError, match="does not exist") as caught:
        gs.train(gs.TrainSpec(config=TINY, text=("nowhere.txt",)))
    assert isinstance(caught.value, gs.UserError)
    assert caught.value.ended.outcome == "failed"
    with pytest.raises(gs.UserError, match="There is no model 'nothing'"):
        gs.load("nothing")
    with pytest.raises(gs.UserError, match="'own, untrained, seed 123' is not a run"):
        gs.load(TINY, best=True)
    with pytest.raises(gs.UserError, match="because no part is replaced by its mean"):
        gs.inspect(TINY, PROMPT, ablate="0.1", mean_over="story")
    with pytest.raises(ValueError, match=r"temperature is -1\.0; it must be a number"):
        gs.generate(TINY, PROMPT, temperature=-1.0)


def test_that_files_can_be_given_as_paths_and_in_lists(tmp_path, model):
    for name in ("one.txt", "other.txt"):
        (tmp_path / name).write_text("Every effort moves you, and nobody came. " * 40)
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    assert gs.TrainSpec(text=one).text == gs.TrainSpec(text=str(one)).text == (str(one),)
    assert gs.TrainSpec(text=[one, str(other)]).text == (str(one), str(other))
    assert gs.TrainSpec(init_from=tmp_path).init_from == str(tmp_path)
    assert gs.TrainSpec(probes="A", freeze="norms").but(steps=3).probes == ("A",)
    assert gs.inspect(model, PROMPT, ablate=["0.1=mean"], mean_over=one).candidates
    assert gs.inspect(model, PROMPT, ablate="0.1").candidates == gs.inspect(model, PROMPT, ablate=["0.1"]).candidates
    run = gs.train(gs.TrainSpec(config=TINY, text=[one, other], steps=2, device="cpu"), folder=tmp_path / "run")
    assert run.steps == 2


WRONG = {
    "learning_rate": lambda: gs.TrainSpec(learning_rate=-1), "steps": lambda: gs.TrainSpec(steps="many"),
    "epoch": lambda: gs.TrainSpec(epoch=3), "config": lambda: gs.TrainSpec(config="book"),
    "learning_rate is 11": lambda: gs.TrainSpec(schedule="cosine", learning_rate=11),
    "min_learning_rate": lambda: gs.TrainSpec(schedule="cosine", min_learning_rate=-1),
    "momentum": lambda: gs.TrainSpec(optimizer="sgd", nesterov=True, momentum=2),
    "text": lambda: gs.TrainSpec(text=[]), "precision": lambda: gs.TrainSpec(reference=True, precision="bf16"),
    "emb_dim": lambda: gs.GPTConfig(emb_dim=10, n_heads=3), "n_layers": lambda: gs.GPTConfig(n_layers=0),
    "seed": lambda: setattr(gs.TrainSpec(), "seed", 5), "batch_size": lambda: gs.TrainSpec().but(batch_size=0),
    "top_k": lambda: gs.generate(TINY, PROMPT, top_k=-1), "prompt": lambda: gs.generate(TINY, 5),
    "temperature": lambda: gs.SamplingParams(temperature=-1), "order": lambda: gs.GenerateSpec(order=["x"]),
    "source": lambda: gs.load(None), "device": lambda: gs.load(TINY, device=3), "spec": lambda: gs.train({"steps": 3}),
    "stop_text": lambda: gs.generate(TINY, PROMPT, stop_text=None),
    "device is a setting of load": lambda: gs.generate(TINY, PROMPT, device="cpu"),
    "stride": lambda: gs.score(TINY, PROMPT, stride=2.5), "token": lambda: gs.inspect(TINY, PROMPT, token=5),
    "ablate": lambda: gs.inspect(TINY, PROMPT, ablate=[0.5]),
    "ablate is None": lambda: gs.inspect(TINY, PROMPT, ablate=None),
    "mean_over": lambda: gs.inspect(TINY, PROMPT, mean_over=5),
    "vocab_size: Tokens and Vocabulary are 600 and": lambda: gs.GPTConfig(vocabulary="own:512", vocab_size=600),
    "Compile is on": lambda: gs.load(TINY, reference=True, compile=True),
    "prompt is b'a'; it must be text": lambda: gs.generate(TINY, b"a"),
    "seed is True": lambda: gs.load(TINY, seed=True), "n_layers is True": lambda: gs.GPTConfig(n_layers=True),
    "temperature is False": lambda: gs.generate(TINY, PROMPT, temperature=False),
    "max_new_tokens is b'1'": lambda: gs.generate(TINY, PROMPT, max_new_tokens=b"1"),
    "text is (b'story',)": lambda: gs.TrainSpec(text=[b"story"]),
    "stride is True": lambda: gs.score(TINY, PROMPT, stride=True), "best is 'no'": lambda: gs.load(TINY, best="no"),
    "attribution is 'no'": lambda: gs.inspect(TINY, PROMPT, attribution="no"),
    "stop_text: Stop at contains bytes": lambda: gs.GenerateSpec(stop_text="\udcff"),
    "sample_prompt: Sample prompt contains bytes": lambda: gs.TrainSpec(sample_prompt="\udcff"),
}


@pytest.mark.parametrize("name", WRONG)
def test_that_a_wrong_value_is_one_error_with_its_name_in_one_sentence(name):
    with pytest.raises(gs.SpecError) as error:
        WRONG[name]()
    words = str(error.value)
    assert words.startswith(name)
    assert isinstance(error.value, gs.UserError)
    assert isinstance(error.value, ValueError)
    assert len(error.value.problems) == 1
    assert not [part for part in ("pydantic", "http", "validation error", "\n", "type=") if part in words]


def test_that_the_other_functions_check_their_arguments_too(model):
    for ask in (lambda: gs.score(model, Path("a.txt")), lambda: gs.inspect(model, 5), lambda: gs.score(5, PROMPT)):
        with pytest.raises(gs.SpecError, match="it must be"):
            ask()


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_that_results_follow_the_weights_that_a_user_changes_or_replaces_in_any_mode(precision):
    def asked(model: gs.Decoder) -> tuple:
        drawn = [token.plain_probability for token in gs.generate(model, PROMPT, max_new_tokens=3, temperature=0)]
        return drawn, gs.score(model, PROMPT).bits, gs.inspect(model, PROMPT, ablate="0.mlp=mean").candidates

    def multiply(model: gs.Decoder) -> None:
        with torch.no_grad():
            for weight in model.model.trf_blocks.parameters():
                weight.mul_(3)

    def assign(model: gs.Decoder) -> None:
        for weight in model.model.trf_blocks.parameters():
            weight.data = weight.data * 2

    def replace(model: gs.Decoder) -> None:
        with torch.inference_mode():
            model.model.final_norm.shift = torch.nn.Parameter(torch.arange(TINY.emb_dim) / 7, requires_grad=False)

    model, new = (gs.load(TINY, device="cpu", precision=precision) for _ in range(2))
    for change in (multiply, assign, replace):
        before = asked(model)
        change(model), change(new)
        assert asked(model) == asked(new) != before, change.__name__


@pytest.mark.parametrize("best", [False, True])
def test_that_a_model_loads_although_its_run_replaces_the_checkpoint_in_the_meantime(best):
    """A program needs a second from the choice of the checkpoint to reading it, mostly for importing torch."""
    run = gs.train(gs.TrainSpec(config=TINY, text="story", steps=3, eval_freq=1, sample_tokens=0, device="cpu"))
    spec = GenerateSpec(model=str(run.path), device="cpu")
    chosen = loading.source_from(spec, {}, best)
    launch.resume(RunFolder(run.path), Control(), [], longer={"steps": 6})
    left = RunFolder(run.path).checkpoints()
    assert chosen.path not in left, "replaced"
    expected = kept_checkpoints.best_of(RunFolder(run.path)) if best else left[-1]
    for model in (loading.load_decoder(spec, chosen), loading.load_for_caller(spec, chosen)):
        assert model.name == SavedModel(expected).name
        assert list(gs.generate(model, PROMPT, max_new_tokens=1))
    with pytest.raises(gs.UserError, match="There is no checkpoint"):
        loading.load_decoder(spec.but(model=str(chosen.path)), chosen)
