"""A folder whose tokenizer is not GPT-2's is refused: its token ids mean something else."""

import json
import shutil

import pytest
from weight_files import huggingface_model

from gptstudio import paths
from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError

VOCABULARY, MERGES = "vocab.json", "merges.txt"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A model as transformers saves it, without a tokenizer."""
    folder = tmp_path_factory.mktemp("exported")
    huggingface_model().save_pretrained(folder)
    return folder


@pytest.fixture
def folder(exported, tmp_path):
    """The same with GPT-2's two files."""
    folder = tmp_path / "fine-tune"
    shutil.copytree(exported, folder)
    for name, ours in ((VOCABULARY, "encoder.json"), (MERGES, "vocab.bpe")):
        shutil.copyfile(paths.resources() / "gpt2" / ours, folder / name)
    return folder


def vocabulary(folder):
    return json.loads((folder / VOCABULARY).read_text())


def save(path, values):
    path.write_text(json.dumps(values))


def both(folder, pairs=False, **more):
    """Write tokenizer.json, as the library tokenizers does; newer ones write merges as pairs."""
    lines = (folder / MERGES).read_text(encoding="utf-8").splitlines()[1:]
    merges = [line.split(" ") for line in lines] if pairs else lines
    model = {"type": "BPE", "vocab": vocabulary(folder), "merges": merges} | more
    save(folder / "tokenizer.json", {"version": "1.0", "model": model})


@pytest.mark.parametrize("pairs", [None, False, True])
def test_that_gpt2s_own_tokenizer_is_accepted_in_each_form(folder, pairs):
    if pairs is not None:
        both(folder, pairs)
        (folder / VOCABULARY).unlink()
    assert importing.inspect(folder).name == "fine-tune"


def test_that_what_transformers_saves_is_accepted(exported, folder, tmp_path):
    from transformers import GPT2Tokenizer

    there = tmp_path / "saved"
    shutil.copytree(exported, there)
    GPT2Tokenizer.from_pretrained(folder).save_pretrained(there)
    assert importing.inspect(there).kind == "huggingface"


def test_that_tokens_may_be_added_behind_those_of_gpt2(folder):
    save(folder / VOCABULARY, vocabulary(folder) | {"<pad>": 50_257})
    assert importing.inspect(folder).kind == "huggingface"


def reordered(folder):
    tokens = vocabulary(folder)
    tokens["Hello"], tokens["World"] = tokens["World"], tokens["Hello"]
    save(folder / VOCABULARY, tokens)


def another_merge(folder):
    lines = (folder / MERGES).read_text(encoding="utf-8").splitlines()
    lines[1], lines[2] = lines[2], lines[1]
    (folder / MERGES).write_text("\n".join(lines), encoding="utf-8")


OTHERS = {
    "the same tokens in another order": reordered,
    "another order of merges": another_merge,
    "a token that takes an id of GPT-2's": lambda folder: save(
        folder / VOCABULARY, vocabulary(folder) | {"more": 5}),
    "fewer tokens": lambda folder: save(folder / VOCABULARY, {"a": 0}),
    "a list": lambda folder: save(folder / VOCABULARY, [1, 2]),
    "tokenizer.json with other tokens": lambda folder: both(folder, vocab={"a": 0}),
    "tokenizer.json with other merges": lambda folder: both(folder, merges=[["a", "b"]]),
    "tokenizer.json of another kind": lambda folder: save(folder / "tokenizer.json", {"model": {"type": "Unigram"}}),
    "tokenizer.json that is a list": lambda folder: save(folder / "tokenizer.json", []),
    "a tokenizer of many megabytes": lambda folder: (folder / "tokenizer.json").write_bytes(b" " * 9_000_000),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("chosen", ["", "model.safetensors", "config.json"])
def test_that_another_tokenizer_is_refused(folder, change, chosen):
    change(folder)
    with pytest.raises(ExchangeError, match="has a tokenizer of its own"):
        importing.inspect(folder / chosen)


def test_that_a_damaged_tokenizer_is_named(folder):
    (folder / VOCABULARY).write_bytes(b'{"a": ')
    with pytest.raises(ExchangeError, match=r"vocab\.json was not opened: it is not valid JSON"):
        importing.inspect(folder)


def test_that_a_file_of_the_books_code_is_opened_beside_anything(folder, tmp_path):
    """Only a folder of Hugging Face's is described by the files beside the weights."""
    reordered(folder)
    (folder / "config.json").unlink()
    (folder / "model.safetensors").rename(folder / "mine.safetensors")
    assert importing.inspect(folder / "mine.safetensors").name == "mine"
