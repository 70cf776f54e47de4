"""A model keeps its tokenizer: in each export, and after an import. Other programs read the same token ids."""

import json
import os

import gguf
import pytest
import tokenizers as library
from disks import contents
from exported_models import TINY
from strange_texts import PROSE, model_with, strange, tokenizers

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import FILE, GPT2, Characters, read
from gptstudio.training import imported_models, model_source
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.refusals import ExchangeError

os.environ["HF_HUB_OFFLINE"] = "1"
KINDS = ("own", "characters")


@pytest.fixture(scope="module")
def made():
    return tokenizers()


@pytest.fixture(scope="module")
def texts():
    return strange()


@pytest.fixture(scope="module")
def ids(made, texts):
    return {kind: [made[kind].encode(text) for text in texts] for kind in KINDS}


@pytest.fixture(scope="module")
def models(made, shared_home, tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    return {kind: model_with(made[kind], place / kind) for kind in KINDS}


@pytest.fixture(scope="module")
def folders(models, tmp_path_factory):
    place = tmp_path_factory.mktemp("folders")
    return {kind: FORMATS["huggingface"].export(models[kind], place / kind) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
class TestByOthers:
    """An exported folder, as other programs read it."""

    def test_that_transformers_reads_the_same_ids(self, folders, texts, ids, kind):
        from transformers import AutoTokenizer

        theirs = AutoTokenizer.from_pretrained(folders[kind])
        assert theirs(texts).input_ids == ids[kind]
        assert theirs.model_max_length == TINY.context_length

    def test_that_tokenizers_reads_the_same_ids_and_writes_the_same_texts(self, folders, made, texts, ids, kind):
        theirs = library.Tokenizer.from_file(str(folders[kind] / FILE))
        assert [each.ids for each in theirs.encode_batch(texts)] == ids[kind]
        known = [text for text, each in zip(texts, ids[kind], strict=True) if made[kind].decode(each) == text]
        assert len(known) > len(texts) / 2
        assert theirs.decode_batch([made[kind].encode(text) for text in known], skip_special_tokens=False) == known

    def test_that_the_end_of_a_text_is_that_of_the_tokenizer(self, folders, made, kind):
        metadata = {name: json.loads((folders[kind] / name).read_text())
                for name in ("config.json", "generation_config.json", "tokenizer_config.json")}
        ends = {"bos_token_id": made[kind].end, "eos_token_id": made[kind].end}
        assert metadata["generation_config.json"] == ends
        assert metadata["config.json"].items() >= ends.items()
        names = {key for key in metadata["tokenizer_config.json"] if key.endswith("_token")}
        assert names == {"bos_token", "eos_token"} | ({"unk_token"} if kind == "characters" else set())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["huggingface", "book"])
def test_that_a_model_exported_and_imported_again_reads_the_same_ids(models, made, texts, ids, kind, form, tmp_path):
    place = FORMATS[form].export(models[kind], tmp_path / "again.pth")
    model = importing.import_weights(importing.inspect(place, TINY.n_heads))
    again = model_source.tokenizer_of(model)
    assert (again.kind, again.size, again.file) == ("file", made[kind].size, made[kind].file)
    assert [again.encode(text) for text in texts[:2000]] == ids[kind][:2000]
    assert again.decode(again.encode(PROSE)) == PROSE


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_checkpoint_of_this_program_keeps_its_kind_of_tokenizer(models, made, kind):
    model = importing.import_weights(importing.inspect(models[kind].path))
    assert model_source.config_of(model) == model_source.config_of(models[kind])
    assert model_source.tokenizer_of(model) == made[kind]
    assert f"  {FILE}\n" in (model.path / "SHA256SUMS").read_text()


def test_that_a_changed_tokenizer_of_a_checkpoint_is_refused(made, tmp_path):
    model = model_with(made["own"], tmp_path / "model")
    (model.path / FILE).write_bytes(made["own"].file + b" ")
    with pytest.raises(ExchangeError, match="wrong checksum"):
        importing.inspect(model.path)


def test_that_an_untrained_model_with_a_vocabulary_of_a_text_reports_that_it_has_none_yet(tmp_path):
    with pytest.raises(UserError, match="only once a run has begun"):
        FORMATS["book"].export(UntrainedModel(TINY.but(vocabulary="own", vocab_size=300)), tmp_path / "model.pth")


class TestBook:
    """The book's file, which has its tokenizer next to it."""

    def test_that_an_existing_tokenizer_is_replaced_only_with_the_file(self, models, made, tmp_path):
        words = tmp_path / "model.tokenizer.json"
        words.write_text("mine")
        with pytest.raises(ExchangeError, match=r"model\.tokenizer\.json already exists"):
            FORMATS["book"].export(models["own"], tmp_path / "model.pth")
        assert [file.name for file in tmp_path.iterdir()] == [words.name]
        FORMATS["book"].export(models["own"], tmp_path / "model.pth", replace=True)
        assert words.read_bytes() == made["own"].file

    def test_that_the_tokenizer_of_a_replaced_model_is_removed(self, models, tmp_path):
        FORMATS["book"].export(models["own"], tmp_path / "model.pth")
        FORMATS["book"].export(UntrainedModel(TINY), tmp_path / "model.pth", replace=True)
        assert [file.name for file in tmp_path.iterdir()] == ["model.pth"]

    def test_that_both_are_unchanged_where_the_file_cannot_be_replaced(self, models, tmp_path, monkeypatch):
        FORMATS["book"].export(models["own"], tmp_path / "model.pth")
        before = contents(tmp_path)

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "replace", refuse)
        for origin in (models["characters"], UntrainedModel(TINY)):
            with pytest.raises(ExchangeError, match="Permission denied"):
                FORMATS["book"].export(origin, tmp_path / "model.pth", replace=True)
            assert contents(tmp_path) == before


class TestGguf:
    """A GGUF file: the tokenizer only where llama.cpp would compute the same."""

    def fields(self, file):
        return {key.rpartition(".")[2]: each.contents() for key, each in gguf.GGUFReader(file).fields.items()
                if key.startswith("tokenizer.")}

    def test_that_its_merges_alone_read_the_same_ids(self, models, made, texts, ids, tmp_path):
        metadata = self.fields(FORMATS["gguf"].export(models["own"], tmp_path / "own.gguf"))
        size = made["own"].size
        assert (metadata["model"], metadata["pre"], metadata["eos_token_id"]) == ("gpt2", "gpt-2", size - 1)
        assert metadata["token_type"][size - 1 :] == [gguf.TokenType.CONTROL] + [gguf.TokenType.UNUSED] * 3
        assert len(metadata["tokens"]) == len(set(metadata["tokens"])) == size + 3
        numbers = {token: number for number, token in enumerate(metadata["tokens"])}
        merges = [tuple(merge.split(" ")) for merge in metadata["merges"]]
        theirs = library.Tokenizer(library.models.BPE(numbers, merges))
        theirs.pre_tokenizer = library.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        theirs.add_special_tokens(["<|endoftext|>"])
        assert [each.ids for each in theirs.encode_batch(texts)] == ids["own"]

    def test_that_a_file_with_gpt2s_rules_is_one_too(self, made, tmp_path):
        model = model_with(read("file", made["own"].file), tmp_path / "model")
        assert self.fields(FORMATS["gguf"].export(model, tmp_path / "m.gguf"))["model"] == "gpt2"
        assert FORMATS["gguf"].lacks(model) == ""

    @pytest.mark.parametrize("rule", [
        {"normalizer": {"type": "Lowercase"}},
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}},
        {"pre_tokenizer": {"type": "WhitespaceSplit"}},
    ])
    def test_that_another_rule_is_not_written_as_gpt2s(self, made, tmp_path, rule):
        content = json.dumps(json.loads(made["own"].file) | rule).encode()
        model = model_with(read("file", content), tmp_path / "model")
        assert self.fields(FORMATS["gguf"].export(model, tmp_path / "m.gguf")) == {"model": "none"}

    def test_that_characters_are_left_out_and_that_is_reported(self, models, tmp_path):
        assert self.fields(FORMATS["gguf"].export(models["characters"], tmp_path / "m.gguf")) == {"model": "none"}
        assert "does not contain the tokenizer" in FORMATS["gguf"].lacks(models["characters"])
        assert all(not each.lacks(models["characters"]) for name, each in FORMATS.items() if name != "gguf")


def test_that_characters_without_an_end_name_none(tmp_path):
    model = model_with(Characters(sorted(set(PROSE)), (None, None)), tmp_path / "model")
    folder = FORMATS["huggingface"].export(model, tmp_path / "folder")
    assert json.loads((folder / "generation_config.json").read_text()) == {}
    assert not {"eos_token", "unk_token"} & json.loads((folder / "tokenizer_config.json").read_text()).keys()


def test_that_a_model_of_gpt2s_vocabulary_has_no_file(tmp_path):
    config = GPTConfig(context_length=8, emb_dim=8, n_heads=2, n_layers=1)
    FORMATS["huggingface"].export(UntrainedModel(config), tmp_path / "model")
    model = importing.import_weights(importing.inspect(tmp_path / "model"))
    assert model_source.tokenizer_of(model) == GPT2
    assert {file.name for file in model.path.iterdir()} == {
        "model.safetensors", "state.json", imported_models.ORIGIN, "SHA256SUMS"}
