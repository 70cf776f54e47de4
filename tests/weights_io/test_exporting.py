"""Models as others open them: by transformers, without a network, and by the book's own code."""

import errno
import json
import os
import stat
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
import warm_python
from imported_model import import_weights
from messages import message
from safetensors.torch import save

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer, weights
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.inference import generator
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint, model_source
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn
from gptstudio.training.model_source import SavedModel, UntrainedModel
from gptstudio.weights_io import exporting, writing
from gptstudio.weights_io.exporting import export_book, export_huggingface
from gptstudio.weights_io.refusals import ExchangeError

SMALL = GPTConfig(context_length=48, emb_dim=32, n_heads=4, n_layers=2)
SHAPES = {
    "the book's": SMALL,
    "tied": SMALL.but(tie_weights=True),
    "with biases": SMALL.but(qkv_bias=True),
    "OpenAI's": SMALL.but(qkv_bias=True, tie_weights=True, drop_rate_attn=0.3),
    "more rows than tokens": SMALL.but(vocab_size=50_304),
}
PROMPT = "Every effort moves you"
TEXTS = [
    PROMPT, "", " \n\n two  spaces\tand a tab ", "It's we'll they'd I'M", "naïve café, 東京 👩‍👩‍👧 \u202e",
    "one<|endoftext|>two", "a" * 200, "1234567 x=[1,2];\r\n", "\x00\x07\ufffd",
]
TINY = GPTConfig(vocab_size=64, context_length=8, emb_dim=8, n_heads=2, n_layers=1)
EXPORTS: dict[str, Callable[..., Path]] = {"huggingface": export_huggingface, "book": export_book}

OPEN = """
import json, sys
from transformers import AutoTokenizer, GPT2LMHeadModel
import torch
folders, prompt, texts = json.loads(sys.stdin.read())
answers = []
for folder in folders:
    model, told = GPT2LMHeadModel.from_pretrained(folder, output_loading_info=True)
    words = AutoTokenizer.from_pretrained(folder)
    ids = words(prompt, return_tensors="pt").input_ids
    written = model.eval().generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False)
    with torch.no_grad():
        torch.save(model(written).logits[0], folder + ".logits")
    answers.append({
        "told": [sorted(told[kind]) for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")],
        "written": words.decode(written[0]), "logits": folder + ".logits",
        "ids": [words(text).input_ids for text in texts], "longest": words.model_max_length,
    })
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def models(shared_home, tmp_path_factory) -> dict[str, model_source.LoadableModel]:
    """A fresh model of each shape, and one that was saved, whose biases and norms are no longer as they began."""
    made: dict[str, model_source.LoadableModel] = {
        name: UntrainedModel(config, seed=5) for name, config in SHAPES.items()
    }
    return made | {"saved": saved(tmp_path_factory.mktemp("run"), SHAPES["OpenAI's"])}


def saved(run: Path, config: GPTConfig) -> SavedModel:
    """A model none of whose numbers is 0 or 1, in the folder of a checkpoint."""
    model = model_source.load(UntrainedModel(config, seed=7), devices.cpu())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape) * 0.05)
    state = checkpoint.State(config=config, step=3, epoch=0, tokens_seen=0, val_loss=None)
    return SavedModel(checkpoint.write(checkpoint.weights_of(model), run / "checkpoints", state))


@pytest.fixture(scope="module")
def opened(models, tmp_path_factory) -> dict[str, dict]:
    """What transformers makes of each exported model, in a process that has no network."""
    place = tmp_path_factory.mktemp("exported")
    folders = [str(export_huggingface(origin, place / name)) for name, origin in models.items()]
    done = warm_python.run(
        "-c", OPEN, input=json.dumps([folders, PROMPT, TEXTS]),
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(place)},
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(models, json.loads(done.stdout), strict=True))


@cache
def our_text(origin: model_source.LoadableModel) -> list[int]:
    """The prompt and 12 tokens by argmax."""
    spec = GenerateSpec(prompt=PROMPT, temperature=0, max_new_tokens=12, device="cpu")
    decoder = Decoder(model_source.load(origin, devices.cpu()), origin.name)
    stream = generator.generate(spec, lambda: decoder, Control())
    return tokenizer.encode(PROMPT) + [event.id for event in stream if isinstance(event, TokenDrawn)]


@pytest.mark.parametrize("name", [*SHAPES, "saved"])
class TestByTransformers:
    """A Hugging Face folder, opened offline."""

    def test_that_every_tensor_is_expected_and_none_is_missed(self, opened, name):
        assert opened[name]["told"] == [[], [], []]

    def test_that_it_writes_the_same_greedy_text(self, opened, models, name):
        assert opened[name]["written"] == tokenizer.decode(our_text(models[name]))
        assert len(set(our_text(models[name]))) > 3, "a text of one token would prove little"

    def test_that_it_gives_the_same_logits(self, opened, models, name):
        model = model_source.load(models[name], devices.cpu(), "reference")
        with torch.no_grad():
            ours = model(torch.tensor([our_text(models[name])]))[0]
        assert torch.allclose(torch.load(opened[name]["logits"]), ours, atol=1e-4, rtol=0)

    def test_that_it_cuts_texts_into_the_same_tokens(self, opened, name):
        assert opened[name]["ids"] == [tokenizer.encode(text) for text in TEXTS]
        assert opened[name]["longest"] == SMALL.context_length


def test_that_the_weights_are_to_the_byte_what_safetensors_itself_would_write(tmp_path):
    folder = export_huggingface(UntrainedModel(SMALL), tmp_path / "model")
    ours = checkpoint.weights_of(model_source.load(UntrainedModel(SMALL), devices.cpu()))
    expected = save(weights.to_huggingface(ours, SMALL), metadata={"format": "pt"})
    assert (folder / "model.safetensors").read_bytes() == expected


def test_that_a_model_of_another_vocabulary_comes_without_a_tokenizer(tmp_path):
    folder = export_huggingface(UntrainedModel(TINY), tmp_path / "model")
    assert {file.name for file in folder.iterdir()} == {"config.json", "generation_config.json", "model.safetensors"}
    assert json.loads((folder / "generation_config.json").read_text()) == {}


@pytest.mark.parametrize("name", [*SHAPES, "saved"])
def test_that_the_books_own_code_loads_it_strictly_and_gives_the_same_logits(models, tmp_path, name):
    theirs = pytest.importorskip("llms_from_scratch.ch04")
    file = export_book(models[name], tmp_path / "model.pth")
    config = model_source.config_of(models[name])
    model = theirs.GPTModel(config.model_dump())
    model.load_state_dict(torch.load(file, weights_only=True), strict=True)
    ids = torch.tensor([tokenizer.encode(PROMPT * 5)])
    with torch.no_grad():
        expected, ours = model.eval()(ids), model_source.load(models[name], devices.cpu(), "reference")(ids)
    assert torch.allclose(ours, expected, atol=1e-5, rtol=0)


def test_that_a_tied_matrix_is_in_the_books_file_once(tmp_path):
    tied, untied = (
        export_book(UntrainedModel(SMALL.but(tie_weights=tie)), tmp_path / f"{tie}.pth").stat().st_size
        for tie in (True, False)
    )
    assert untied - tied == pytest.approx(4 * SMALL.vocab_size * SMALL.emb_dim, rel=1e-3)


@pytest.mark.parametrize("kind", EXPORTS)
class TestWholeOrNotAtAll:
    """What happens to the place that was named, whatever goes wrong."""

    def test_that_it_tells_how_far_it_is_from_nothing_to_all(self, kind, tmp_path):
        told: list[tuple[int, int]] = []
        EXPORTS[kind](UntrainedModel(SMALL.but(tie_weights=True)), tmp_path / "model", lambda *now: told.append(now))
        done, totals = zip(*told, strict=True)
        assert done[0] == 0
        assert done[-1] == totals[-1] > 6e6
        assert list(done) == sorted(done)
        assert len(set(totals)) == 1

    def test_that_others_may_read_what_they_may_read_elsewhere(self, kind, tmp_path):
        usual = tmp_path / "usual"
        usual.touch()
        made = EXPORTS[kind](UntrainedModel(TINY), tmp_path / "model")
        for file in made.iterdir() if made.is_dir() else [made]:
            assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)

    def test_that_nothing_is_replaced_unless_told(self, kind, tmp_path):
        made = EXPORTS[kind](UntrainedModel(TINY, 1), tmp_path / "model")
        before = contents(tmp_path)
        with pytest.raises(ExchangeError, match="already"):
            EXPORTS[kind](UntrainedModel(TINY, 2), made)
        assert contents(tmp_path) == before
        EXPORTS[kind](UntrainedModel(TINY, 2), made, replace=True)
        assert contents(tmp_path).keys() == before.keys()
        assert contents(tmp_path) != before

    @pytest.mark.parametrize("there", [False, True], ids=["at first", "over an earlier one"])
    def test_that_what_is_cancelled_leaves_all_as_it_was(self, kind, there, tmp_path):
        if there:
            EXPORTS[kind](UntrainedModel(TINY), tmp_path / "model")
        before, control = contents(tmp_path), Control()

        def progress(done: int, total: int) -> None:
            assert [path for path in tmp_path.iterdir() if path.suffix == ".tmp"], "it is written aside"
            if done:
                control.stop()
            control.check()

        with pytest.raises(Exception, match=r"^$") as caught:
            EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "model", progress, replace=there)
        assert type(caught.value).__name__ == "Stopped"
        assert contents(tmp_path) == before

    @pytest.mark.skipif(os.name == "nt", reason="Windows cannot limit the size of a file")
    def test_that_a_disk_that_fails_in_the_middle_is_told_and_leaves_all_as_it_was(self, kind, tmp_path):
        import resource

        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, limits[1]))
        try:
            with pytest.raises(ExchangeError, match=os.strerror(errno.EFBIG)):
                EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "model")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert contents(tmp_path) == {}

    def test_that_an_earlier_one_comes_back_where_the_new_cannot_have_its_name(self, kind, tmp_path, monkeypatch):
        EXPORTS[kind](UntrainedModel(TINY, 1), tmp_path / "model")
        before = contents(tmp_path)

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(writing.os, "replace", refuse)
        with pytest.raises(ExchangeError, match="Permission denied"):
            EXPORTS[kind](UntrainedModel(TINY, 2), tmp_path / "model", replace=True)
        assert contents(tmp_path) == before

    def test_that_a_full_disk_is_told_before_anything_is_read(self, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(writing.files, "free_bytes", lambda folder: 2 * 2**20)
        monkeypatch.setattr(model_source, "load", lambda *_: pytest.fail("it was read"))
        with pytest.raises(ExchangeError, match=r"needs 1\d MB, but only 2 MB are free there"):
            EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "new" / "model")
        assert contents(tmp_path) == {}

    def test_that_a_model_too_large_for_the_memory_is_refused(self, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(writing.files, "free_bytes", lambda folder: 10**15)
        with pytest.raises(UserError, match="not enough memory to export this model"):
            EXPORTS[kind](UntrainedModel(SMALL.but(emb_dim=16_384, n_layers=900)), tmp_path / "model")

    def test_that_a_damaged_checkpoint_is_refused(self, kind, tmp_path):
        origin = saved(tmp_path / "run", TINY)
        file = origin.path / checkpoint.WEIGHTS
        file.write_bytes(file.read_bytes()[:-1] + b"\0")
        before = contents(tmp_path)
        with pytest.raises(UserError, match=message("cut_off_changed")):
            EXPORTS[kind](origin, tmp_path / "model")
        assert contents(tmp_path) == before

    def test_that_what_a_killed_export_left_goes_after_a_day(self, kind, tmp_path):
        old, young, others = (tmp_path / name for name in (".model.1.tmp", ".model.2.tmp", ".mine.3.tmp"))
        for stray in (old, young, others):
            stray.mkdir()
        yesterday = time.time() - 25 * 3600
        for stray in (old, others):
            os.utime(stray, (yesterday, yesterday))
        EXPORTS[kind](UntrainedModel(TINY), tmp_path / "model")
        assert [stray.exists() for stray in (old, young, others)] == [False, True, True]

    def test_that_a_place_may_be_named_from_home_and_below_new_folders(self, kind, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        assert EXPORTS[kind](UntrainedModel(TINY), Path("~/a/b/model")) == tmp_path / "a" / "b" / "model"


def test_that_a_folder_that_holds_anything_else_is_never_replaced(tmp_path):
    made = export_huggingface(UntrainedModel(TINY), tmp_path / "model")
    (made / "thesis.docx").write_text("years of work")
    before = contents(tmp_path)
    with pytest.raises(ExchangeError, match=r"thesis\.docx, which is not part of an exported model"):
        export_huggingface(UntrainedModel(TINY), made, replace=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(("to", "name"), [("book", "model.safetensors"), ("book", "m.pth"), ("huggingface", "m")])
def test_that_nothing_is_written_into_a_model_that_is_kept_here(to, name):
    model = import_weights(TINY)
    held = {file.name: file.read_bytes() for file in model.iterdir()}
    with pytest.raises(ExchangeError, match="teacher is a model saved by GPT Studio"):
        EXPORTS[to](model_source.ImportedModel(model), model / name, replace=True)
    assert {file.name: file.read_bytes() for file in model.iterdir()} == held


def test_that_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "model").mkdir()
    assert (export_huggingface(UntrainedModel(TINY), tmp_path / "model") / "config.json").is_file()


def test_that_a_file_is_no_folder_and_a_folder_is_no_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ExchangeError, match=r"is a file\. Choose a folder"):
        export_huggingface(UntrainedModel(TINY), tmp_path / "file", replace=True)
    with pytest.raises(ExchangeError, match=r"is a folder. Choose a file for the model, for example .*model\.pth"):
        export_book(UntrainedModel(TINY), tmp_path, replace=True)


def test_that_a_folder_holds_only_what_may_be_replaced_later(tmp_path):
    made = export_huggingface(UntrainedModel(SMALL), tmp_path / "model")
    assert {file.name for file in made.iterdir()} == exporting.FOLDER


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with what is in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
