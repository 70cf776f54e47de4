"""``import`` and ``export``: models from and for other programs."""

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from command_line import SHORT, CommandResult, finish, in_terminal, lines, start, start_python, without_escapes
from messages import message

from gptstudio import paths
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import Characters
from gptstudio.training import checkpoint_files, imported_models, model_source
from gptstudio.training.model_source import ImportedModel, UntrainedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.weights_io.exporting import FORMATS, huggingface

SMALL = GPTConfig(context_length=16, emb_dim=128, n_heads=2, n_layers=1)
DISTIL = "distilbert/distilgpt2"
GREEDY = ["--temperature", "0", "--max-new-tokens", "8", "--device", "cpu"]
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals or terminals")


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Path:
    """A small model as a file of the book's code, which does not record its two heads, and as a Hugging Face folder."""
    folder = tmp_path_factory.mktemp("exported")
    FORMATS["book"].export(UntrainedModel(SMALL), folder / "my model.pth")
    FORMATS["huggingface"].export(UntrainedModel(SMALL), folder / "theirs")
    return folder


@pytest.fixture
def book(exported, tmp_path) -> Path:
    return shutil.copy(exported / "my model.pth", tmp_path / "my model.pth")


def test_that_an_exported_run_is_imported_as_the_same_model(cli, learn, tmp_path):
    run = learn()
    for to, heads in (("huggingface", []), ("book", ["--heads", "2"])):
        assert cli("export", "--model", run.name, "--to", to, tmp_path / f"my {to}").code == 0
        assert cli("import", tmp_path / f"my {to}", *heads).code == 0
    texts = {name: cli("generate", "--model", name, *GREEDY).out for name in (run.name, "my huggingface", "my book")}
    assert len(set(texts.values())) == 1, texts


def test_that_an_existing_name_is_reported(cli, book):
    result = cli("import", book, "--heads", "2", "--name", "workshop")
    assert result.code == 0
    assert result.err == "The name 'workshop' is already used, or is not valid on all systems. " \
        "The model was imported as 'workshop-2'.\n"
    assert "gptstudio generate --model workshop-2" in result.out


def test_that_an_import_reports_the_model_and_the_next_step(cli, book):
    result = cli("import", book, "--heads", "4")
    assert (result.code, result.err) == (0, "")
    model = imported_models.find("my model")
    assert result.out.splitlines() == [
        "my model: 13,065,984 parameters, context length 16, width 128, heads 4, layers 1",
        f"Saved {model}",
        "Generate with it:  gptstudio generate --model 'my model'",
        "Train it further:  gptstudio train --init-from 'my model'",
    ]


def test_that_guessed_heads_are_reported_with_the_alternatives(cli, book):
    result = cli("import", book, "--name", "guessed")
    assert result.code == 0
    assert result.err.count("\n") == 1
    assert "the most likely number;" in result.err
    assert "Other possible numbers: 1, 4, 8, 16, 32, 64, 128. Choose one with --heads N." in result.err
    assert model_source.config_of(ImportedModel(paths.models() / "guessed")).n_heads == 2


def test_that_json_reports_the_same_in_one_object(cli, book):
    result = cli("import", book, "--json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == {
        "name": "my model", "path": str(imported_models.find("my model")), "kind": "book", "config": SMALL.model_dump(),
        "parameters": 13_065_984, "stored": "fp32", "heads_read": False,
        "left_out": [], "possible_heads": [1, 2, 4, 8, 16, 32, 64, 128],
    }


def test_that_the_widening_of_narrow_numbers_is_reported(cli, book):
    narrow = {name: tensor.bfloat16() for name, tensor in torch.load(book, weights_only=True).items()}
    torch.save(narrow, book)
    assert "The original weights are stored in bf16; this copy is in fp32." in cli("import", book, "--heads", "2").out


def test_that_a_file_that_cannot_be_imported_is_reported_in_one_line(refused, book, tmp_path):
    text = tmp_path / "story.txt"
    text.write_text("Once upon a time")
    for words, *argv in (
        ("nothing.pth was not opened: ", "nothing.pth"),
        ("cannot be divided among 3 heads. Possible numbers of heads: 1, 2, 4", book, "--heads", "3"),
        ("two", book, "--heads", "two"),
        ("was not opened: ", text),
        ("--bogus", book, "--bogus"),
    ):
        assert words in refused("import", *argv)


def test_that_an_export_reports_its_path_and_how_it_is_opened(cli, tmp_path):
    result = cli("export", "--model", "workshop", "--to", "huggingface", tmp_path / "out")
    assert (result.code, result.err) == (0, "")
    first, second = result.out.splitlines()
    assert re.fullmatch(rf"workshop, untrained, seed 123: 11\d\.\d MB in {re.escape(str(tmp_path / 'out'))}", first)
    assert second == f"Open it with:  transformers.AutoModelForCausalLM.from_pretrained('{tmp_path / 'out'}')"


def test_that_a_file_of_llama_cpp_is_written_and_how_it_is_opened(cli, tmp_path):
    result = cli("export", "--model", "workshop", "--to", "gguf", tmp_path / "out.gguf")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[1] == f"Open it with:  llama_cpp.Llama('{tmp_path / 'out.gguf'}')"
    assert (tmp_path / "out.gguf").read_bytes().startswith(b"GGUF")


def test_that_an_export_in_json_is_one_object(cli, learn, tmp_path):
    run, file = learn(), tmp_path / "out.pth"
    result = cli("export", "--model", run.name, "--to", "book", file, "--json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == {
        "model": f"{run.name}, step 3", "to": "book", "path": str(file), "bytes": file.stat().st_size,
    }
    assert cli("export", "--model", run.name, "--to", "book", file, "--replace").code == 0


def test_that_an_impossible_export_is_reported_in_one_line(refused, book):
    before = book.read_bytes()
    for words, *argv in (
        ("already exists", "--model", "workshop", "--to", "book", book),
        ("There is no model 'nobody'", "--model", "nobody", "--to", "book", "new.pth"),
        ('Choose from: "huggingface", "book", "gguf", "onnx".', "--model", "workshop", "--to", "pickle", "new"),
        ("--model", "--to", "book", "new.pth"),
        ("PATH", "--model", "workshop", "--to", "book"),
    ):
        assert words in refused("export", *argv)
        assert book.read_bytes() == before


def test_that_ctrl_c_ends_an_export_and_leaves_nothing(cli, tmp_path, monkeypatch):
    usual = huggingface.watched

    def interrupted(*given: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return usual(*given)

    monkeypatch.setattr(huggingface, "watched", interrupted)  # everything except the weights is there
    result = cli("export", "--model", "workshop", "--to", "huggingface", tmp_path / "out")
    assert result == CommandResult(130, "", "Cancelled. Nothing was saved.\n")
    assert list(tmp_path.glob("*out*")) == []


def test_that_the_list_has_the_published_and_the_imported_models(cli, book, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    cli("import", book, "--name", "mine")
    *published, mine = lines(cli("import", "--list", "--json"))
    assert [each["name"] for each in published] == ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl", "distilgpt2"]
    assert published[0]["parameters"] == 124_439_808
    assert (mine["name"], mine["source"], mine["parameters"]) == ("mine", "my model.pth", 13_065_984)
    shown = cli("import").out
    assert "openai-community/gpt2-xl" in shown
    assert re.search(r"mine +13,065,984 +my model\.pth", shown)


FETCHING = (
    "-c",
    "import runpy; from gptstudio.weights_io import download; download.CHECKSUMS.clear(); "
    "runpy.run_module('gptstudio', run_name='__main__', alter_sys=True)",
)
"""The program, where no published checksum is known: here the server has other weights under the published names."""


def start_fetching(*argv):
    return start_python(*FETCHING, *argv)


class TestFetching:
    """By name, from a server on this computer; a small model stands in for the published one."""

    @pytest.fixture
    def mirror(self, exported, tmp_path, monkeypatch) -> Iterator:
        from mirror import Mirror

        made = Mirror({DISTIL: {file.name: file.read_bytes() for file in (exported / "theirs").iterdir()}})
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_HUB_OFFLINE", "HF_HUB_CACHE"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.lower(), raising=False)
        monkeypatch.setenv("HF_ENDPOINT", made.url)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
        yield made
        made.close()

    @pytest.mark.parametrize("name", ["distilgpt2", DISTIL])
    def test_that_a_name_is_enough_and_its_size_is_reported_before(self, mirror, name):
        result = finish(start_fetching("import", name))
        assert result.code == 0, result.err
        assert result.err == f"DistilGPT2, 81,912,576 parameters, 50 MB, from 127.0.0.1:{mirror.port}. " \
            "No published checksum is known; the download is checked against the server's own.\n"
        assert result.out.startswith("distilgpt2: 13,066,368 parameters")
        model = imported_models.find("distilgpt2")
        assert json.loads((model / imported_models.ORIGIN).read_bytes())["source"] == DISTIL

    def test_that_a_name_means_the_published_model_even_if_a_folder_has_it(
        self, mirror, exported, tmp_path, monkeypatch
    ):
        shutil.copytree(exported / "theirs", tmp_path / "distilgpt2")
        monkeypatch.chdir(tmp_path)
        result = finish(start_fetching("import", "distilgpt2"))
        assert f"To import the local distilgpt2 instead, type {Path('.')}{os.sep}distilgpt2." in result.err
        assert mirror.served["model.safetensors"] > 0
        result = finish(start("import", f".{os.sep}distilgpt2", "--name", "local"))
        assert (result.code, result.err) == (0, "")
        origin = (imported_models.find("local") / imported_models.ORIGIN).read_bytes()
        assert json.loads(origin)["source"] == "distilgpt2"
        shutil.copytree(exported / "theirs", tmp_path / DISTIL)
        result = finish(start("import", DISTIL, "--name", "cloned"))
        assert (result.code, result.err) == (0, "")

    def test_that_other_weights_under_a_published_name_are_refused_in_one_line(self, mirror):
        result = finish(start("import", "distilgpt2"))
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 2)
        assert message("not_published") in result.err
        assert message("no_published_checksum") not in result.err
        assert mirror.served == {}

    @on_posix
    def test_that_ctrl_c_ends_it_and_the_next_call_continues_from_there(self, mirror):
        mirror.faults.stall_at = 30_000_000
        process = start_fetching("import", "distilgpt2")
        mirror.stalled.wait()
        process.send_signal(signal.SIGINT)
        result = finish(process)
        assert result.code == 130
        assert result.err.splitlines()[1:] == [
            "Cancelled. The partial download is kept; next time it continues from there."
        ]
        assert imported_models.all_models() == []
        mirror.faults.stall_at = None
        again = finish(start_fetching("import", "distilgpt2", "--json"))
        assert (again.code, again.err) == (0, "")
        assert json.loads(again.out)["name"] == "distilgpt2"
        assert mirror.served["model.safetensors"] < 60_000_000, "nothing comes twice"

    @on_posix
    def test_that_a_terminal_shows_its_progress(self, mirror):
        code, shown = in_terminal(*FETCHING, "import", "distilgpt2", columns=100)
        assert code == 0
        words = without_escapes(shown)
        assert re.search(r"Downloading DistilGPT2… .* \d+/50 MB", words)
        assert re.search(r"Importing distilgpt2… .* \d+/\d+ MB", words)
        assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")  # the cursor is back

    def test_that_a_server_without_the_model_is_reported_in_one_line(self, mirror):
        result = finish(start("import", "gpt2-xl"))
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "does not have openai-community/gpt2-xl (status 404)" in result.err


def test_that_best_means_the_checkpoint_of_the_lowest_validation_loss_in_every_command(cli, learn, tmp_path):
    run = learn("--eval-freq", 1)
    last = run.newest_checkpoint()
    first = shutil.copytree(last, last.with_name("step-000001"))
    lower = checkpoint_files.read_state(first).model_copy(update={"step": 1, "val_loss": 0.5})
    checkpoint_files.replace_state(first, lower)
    exported = cli("export", tmp_path / "best.pth", "--model", run.name, "--to", "book", "--best")
    assert f"step {lower.step + 1}:" in exported.out
    (tmp_path / "text.txt").write_text("Every effort moves you")
    scored = cli("score", tmp_path / "text.txt", "--model", run.name, "--best", "--json")
    assert f'"model":"{run.name}, step {lower.step + 1}"' in scored.out
    written = cli("generate", "--model", run.name, "--best", "--max-new-tokens", 1)
    assert written.code == 0
    begun = cli("train", *SHORT, "--init-from", run.name, "--init-best", "--run", tmp_path / "next")
    assert begun.code == 0, begun.err
    assert RunFolder(tmp_path / "next").record().spec.init_from == f"{run.name}/checkpoints/{first.name}"


@pytest.mark.parametrize("best", [[], ["--best"]], ids=["last", "best"])
def test_that_an_export_writes_the_checkpoint_that_replaced_the_chosen_one(cli, learn, tmp_path, monkeypatch, best):
    """A run in training replaces its checkpoint while torch is imported."""
    def chosen_too_soon(*args: object) -> model_source.LoadableModel:
        found = resolve(*args)
        found.path.rename(found.path.with_name(f"step-{int(found.path.name[5:]) + 1:06d}"))
        return found

    run, resolve = learn("--eval-freq", 1), model_source.resolve
    monkeypatch.setattr(model_source, "resolve", chosen_too_soon)
    exported = cli("export", tmp_path / "model.pth", "--model", run.name, "--to", "book", *best)
    assert exported.code == 0, exported.err
    assert f"{run.name}, step 4: " in exported.out
    refused = cli("export", tmp_path / "other.pth", "--model", run.newest_checkpoint(), "--to", "book")
    assert "There is no checkpoint" in refused.err, "only a checkpoint chosen by its run has a successor"


def test_that_a_model_of_another_vocabulary_is_imported_and_reported_as_unfit_for_text(cli, tmp_path):
    wide = SMALL.but(vocab_size=52_000, emb_dim=16)
    result = cli("import", FORMATS["book"].export(UntrainedModel(wide), tmp_path / "wide.pth"), "--heads", "2")
    assert "Generate with it" not in result.out
    assert "Its vocabulary of 52,000 tokens is not GPT-2's" in result.out
    assert cli("induction", "--model", "wide", "--device", "cpu").code == 0


def test_that_a_model_with_its_own_tokenizer_generates_and_is_exported_with_it(cli, tmp_path):
    characters = Characters(" abcdefgh")
    small = SMALL.but(vocab_size=characters.size, emb_dim=16)
    folder = FORMATS["huggingface"].export(UntrainedModel(small), tmp_path / "letters")
    (folder / "tokenizer.json").write_bytes(characters.file)
    assert f"Its tokenizer is its own: from a file ({characters.size} tokens)" in cli("import", folder).out
    written = cli("generate", "--model", "letters", "--prompt", "a bad cab", *GREEDY).out
    assert written.startswith("a bad cab")
    result = cli("export", "--model", "letters", "--to", "gguf", tmp_path / "letters.gguf")
    assert result.code == 0
    assert "does not contain the tokenizer of this model" in result.err
    result = cli("export", "--model", "letters", "--to", "book", tmp_path / "letters.pth")
    assert f"Its tokenizer: {tmp_path / 'letters.tokenizer.json'}" in result.out
    assert (tmp_path / "letters.tokenizer.json").read_bytes() == characters.file
