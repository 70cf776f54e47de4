"""A tokenizer of any kind next to weights is read or refused: token ids alone mean nothing."""

import json
import shutil

import pytest
import tokenizers
from strange_texts import written
from weight_files import huggingface_model

from gptstudio import paths
from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2, FromFile
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS
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
    cut = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    save(folder / "tokenizer.json", {"version": "1.0", "pre_tokenizer": cut, "decoder": cut, "model": model})


@pytest.mark.parametrize("pairs", [None, False, True])
def test_that_gpt2s_own_tokenizer_is_accepted_in_each_form(folder, pairs):
    if pairs is not None:
        both(folder, pairs)
        (folder / VOCABULARY).unlink()
    found = importing.inspect(folder)
    assert (found.name, found.tokenizer, found.config.vocabulary) == ("fine-tune", GPT2, "gpt2")


def test_that_a_tokenizer_saved_by_transformers_is_accepted(exported, folder, tmp_path):
    from transformers import GPT2Tokenizer

    there = tmp_path / "saved"
    shutil.copytree(exported, there)
    GPT2Tokenizer.from_pretrained(folder).save_pretrained(there)
    assert importing.inspect(there).kind == "huggingface"


def test_that_tokens_may_be_added_behind_those_of_gpt2(folder):
    save(folder / VOCABULARY, vocabulary(folder) | {"<pad>": 50_257})
    assert importing.inspect(folder).tokenizer == GPT2


@pytest.mark.parametrize("saved", ["tokenizer.json", "added_tokens.json"])
@pytest.mark.parametrize(("added", "space"), [(["<|user|>"], False), ([], True), (["<|user|>"], True)])
def test_that_gpt2s_tokenizer_with_other_rules_reads_texts_as_the_model_was_trained(folder, saved, added, space):
    from transformers import GPT2LMHeadModel, GPT2TokenizerFast

    theirs = GPT2TokenizerFast.from_pretrained(folder, add_prefix_space=space)
    theirs.add_special_tokens({"additional_special_tokens": added})
    if saved == "tokenizer.json":
        theirs.save_pretrained(folder)
    else:  # as older versions of transformers save it
        save(folder / saved, {name: theirs.vocab[name] for name in added})
        save(folder / "tokenizer_config.json", {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": space})
    if not space:  # while the weights have no row for the added token, the model never reads or writes it
        assert importing.inspect(folder).tokenizer == GPT2
    model = GPT2LMHeadModel.from_pretrained(folder)
    model.resize_token_embeddings(len(theirs))
    model.save_pretrained(folder)
    found = importing.inspect(folder).tokenizer
    for text in ("Hello world", "<|user|>Don't<|endoftext|>", "  é 12"):
        ids = theirs.encode(text)
        assert found.encode(text) == ids
        assert found.decode(ids) == theirs.decode(ids, clean_up_tokenization_spaces=False)


def reordered(folder):
    tokens = vocabulary(folder)
    tokens["Hello"], tokens["World"] = tokens["World"], tokens["Hello"]
    save(folder / VOCABULARY, tokens)


def another_merge(folder):
    lines = (folder / MERGES).read_text(encoding="utf-8").splitlines()
    lines[1], lines[2] = lines[2], lines[1]
    (folder / MERGES).write_text("\n".join(lines), encoding="utf-8")


def is_another(folder, text, ids):
    """Assert that the model opens with a separate tokenizer that reads a text as these ids, and return True."""
    found = importing.inspect(folder)
    assert found.config.vocabulary == found.tokenizer.kind == "file"
    assert found.tokenizer.encode(text) == ids
    assert found.tokenizer.decode(ids) == text
    return True


def test_that_a_vocabulary_and_merges_of_another_tokenizer_are_read(folder):
    save(folder / VOCABULARY, {"l": 0, "o": 1, "lo": 2, "\u0120": 3, "w": 4, "<|endoftext|>": 5})
    (folder / MERGES).write_text("#version: 0.2\nl o\n")
    assert is_another(folder, "lo low<|endoftext|>", [2, 3, 2, 4, 5])
    save(folder / "added_tokens.json", {"<user>": 6})
    assert is_another(folder, "lo<user>", [2, 6])


@pytest.mark.parametrize("beside", [
    {"vocab.txt": b"a"}, {"spiece.model": b"a"}, {VOCABULARY: b"{}"},
    {"tokenizer_config.json": b'{"tokenizer_class": "X", "auto_map": {"AutoTokenizer": ["x.X", null]}}'},
    {"meta.pkl": b"cos\nsystem\n(S'exit 3'\ntR."},
])
def test_that_tokenizer_json_is_read_with_any_files_beside_it(folder, beside):
    save(folder / "tokenizer.json", words(["a", "b"]))
    for name, content in beside.items():
        (folder / name).write_bytes(content)
    assert is_another(folder, "bab", [1, 0, 1])


def test_that_a_byte_order_mark_is_ignored(folder):
    (folder / "tokenizer.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(words(["a"])).encode())
    assert is_another(folder, "aa", [0, 0])


def test_that_gpt2s_tokens_with_another_mapping_of_characters_are_another_tokenizer(folder):
    both(folder)
    values = json.loads((folder / "tokenizer.json").read_text())
    save(folder / "tokenizer.json", values | {"normalizer": {"type": "Lowercase"}})
    with pytest.raises(ExchangeError, match="has 50,257 tokens"):
        importing.inspect(folder)


def words(tokens):
    """Return a tokenizer.json in which these characters are the tokens."""
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({token: number for number, token in enumerate(tokens)}, ""))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex("."), "isolated")
    made.decoder = tokenizers.decoders.Fuse()
    return json.loads(made.to_str())


def test_that_a_model_with_chinese_words_is_imported_and_generates_them(tmp_path):
    characters = [chr(code) for code in range(0x4E00, 0x4E00 + 4_000)]
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(
        {token: number for number, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *characters])},
        unk_token="[UNK]"))  # noqa: S106 - it is no password
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.decoder = tokenizers.decoders.WordPiece()
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    config = GPTConfig(vocab_size=4_100, context_length=16, emb_dim=8, n_heads=2, n_layers=1)
    folder = FORMATS["huggingface"].export(UntrainedModel(config), tmp_path / "chinese")
    made.save(str(folder / "tokenizer.json"))
    (folder / "vocab.txt").write_text("\n".join(characters), encoding="utf-8")
    model = importing.import_weights(importing.inspect(folder))
    tokenizer = model_source.tokenizer_of(model)
    ids = tokenizer.encode("\u4e00\u4e2a \u4e16\u4e16")
    assert ids == [4 + ord(sign) - 0x4E00 for sign in "\u4e00\u4e2a\u4e16\u4e16"]
    assert tokenizer.end == 3
    text = written(model, "\u4e00\u4e2a\u4e16")
    assert set(text) & set(characters)


UNKNOWN = "?"
WORDS = "Das Brot \u00fcber dem Ofen f\u00e4llt nicht"


def decoded_in_pieces():
    """Return tokenizers of kinds whose tokens mark spaces differently, each learned from a few words, by kind."""
    from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

    parts = {
        "spaces before words": (models.BPE(unk_token=UNKNOWN), None, pre_tokenizers.Metaspace(), decoders.Metaspace()),
        "bytes of unknown characters": (
            models.BPE(unk_token=UNKNOWN, byte_fallback=True),
            normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]), None,
            decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])),
        "ends of words": (models.BPE(unk_token=UNKNOWN, end_of_word_suffix="</w>"), None, pre_tokenizers.Whitespace(),
                          decoders.BPEDecoder()),
        "parts of words": (models.WordPiece(unk_token=UNKNOWN), None, pre_tokenizers.BertPreTokenizer(),
                           decoders.WordPiece(cleanup=False)),
        "words": (models.WordLevel(unk_token=UNKNOWN), None, pre_tokenizers.Whitespace(), None),
    }
    for kind, (model, normalizer, pre_tokenizer, decoder) in parts.items():
        made = tokenizers.Tokenizer(model)
        for name, part in (("normalizer", normalizer), ("pre_tokenizer", pre_tokenizer), ("decoder", decoder)):
            if part:
                setattr(made, name, part)
        all_bytes = [f"<0x{byte:02X}>" for byte in range(256)] if kind.startswith("bytes") else []
        trainer = {models.BPE: trainers.BpeTrainer, models.WordPiece: trainers.WordPieceTrainer,
                   models.WordLevel: trainers.WordLevelTrainer}[type(model)]
        suffix = {"end_of_word_suffix": "</w>"} if kind == "ends of words" else {}
        made.train_from_iterator(20 * [WORDS], trainer(special_tokens=[UNKNOWN, *all_bytes], **suffix))
        values = json.loads(made.to_str())
        values["added_tokens"] = values["added_tokens"][:1]  # the bytes are tokens as any other
        yield pytest.param(json.dumps(values), kind, id=kind)


@pytest.mark.parametrize(("content", "kind"), [*decoded_in_pieces()])
def test_that_the_text_of_tokens_is_that_of_the_library_whichever_way_they_mark_spaces(content, kind):
    text = WORDS + (" \u4e16" if kind.startswith("bytes") else "")
    read = FromFile(content.encode())
    ids = read.encode(text)
    assert read.decode(ids).strip() == text == tokenizers.Tokenizer.from_str(content).decode(ids).strip()


TOO_MANY = {
    "the same tokens in another order": reordered,
    "another order of merges": another_merge,
    "a token that takes an id of GPT-2's": lambda folder: save(
        folder / VOCABULARY, vocabulary(folder) | {"more": 5}),
    "tokenizer.json": lambda folder: save(
        folder / "tokenizer.json", words([chr(0x4E00 + number) for number in range(98)])),
}


@pytest.mark.parametrize(("change", "chosen"), [
    *((change, "") for change in TOO_MANY), ("tokenizer.json", "model.safetensors"),
    ("another order of merges", "config.json"),
])
def test_that_a_tokenizer_with_more_tokens_than_the_weights_have_rows_is_refused(folder, change, chosen):
    TOO_MANY[change](folder)
    with pytest.raises(ExchangeError, match=r"has (98|50,257) tokens, but its weights have rows for only 97"):
        importing.inspect(folder / chosen)


def test_that_a_character_without_a_token_is_refused_with_advice():
    made = tokenizer.read("file", json.dumps(words("abc") | {"pre_tokenizer": None}).encode())
    assert made.unknown is None
    with pytest.raises(UserError, match="Leave out the characters that the model was not trained on"):
        made.encode("z")


def test_that_fewer_tokens_than_rows_are_accepted(folder):
    save(folder / "tokenizer.json", words([chr(0x4E00 + number) for number in range(97)]))
    assert importing.inspect(folder).tokenizer.size == 97


DAMAGED = {
    "fewer tokens than merges need": (lambda folder: save(folder / VOCABULARY, {"a": 0}), "vocab", "out of vocabulary"),
    "a list": (lambda folder: save(folder / VOCABULARY, [1, 2]), "vocab", "does not give each token an ID"),
    "ids that are none": (
        lambda folder: save(folder / VOCABULARY, {"a": "b"}), "vocab", "does not give each token an ID"),
    "tokens that are missing": (
        lambda folder: both(folder, vocab={"a": 0}), "tokenizer", "out of vocabulary"),
    "no model": (lambda folder: save(folder / "tokenizer.json", []), "tokenizer", "it has no model"),
    "an unknown kind": (
        lambda folder: save(folder / "tokenizer.json", {"model": {"type": "Unigram"}}), "tokenizer", "can be read"),
    "no tokens": (lambda folder: save(folder / "tokenizer.json", words([])), "tokenizer", "it has no tokens"),
    "cut off": (
        lambda folder: (folder / "tokenizer.json").write_bytes(b'{"a": '), "tokenizer", "it is not valid JSON"),
    "nested without end": (
        lambda folder: (folder / "tokenizer.json").write_bytes(b"[" * 200_000), "tokenizer", "it is not valid JSON"),
    "many megabytes": (
        lambda folder: (folder / "tokenizer.json").write_bytes(b" " * (32 * 2**20 + 1)), "tokenizer",
        "it is larger than 32 MB"),
}


@pytest.mark.parametrize(("change", "name", "words"), DAMAGED.values(), ids=DAMAGED)
def test_that_a_damaged_tokenizer_is_refused_with_a_message(folder, change, name, words):
    change(folder)
    with pytest.raises(ExchangeError, match=rf"{name}\.json was not opened: .*{words}"):
        importing.inspect(folder)


@pytest.mark.parametrize("name", [VOCABULARY, MERGES])
def test_that_one_of_two_files_of_another_tokenizer_is_refused(folder, name):
    (reordered if name == VOCABULARY else another_merge)(folder)
    (folder / (MERGES if name == VOCABULARY else VOCABULARY)).unlink()
    with pytest.raises(ExchangeError, match=f"has a tokenizer of its own \\({name}\\)"):
        importing.inspect(folder)


def test_that_a_file_of_the_books_code_is_opened_beside_anything(folder, tmp_path):
    """Only a Hugging Face folder is described by the files next to the weights."""
    reordered(folder)
    (folder / "config.json").unlink()
    (folder / "model.safetensors").rename(folder / "mine.safetensors")
    found = importing.inspect(folder / "mine.safetensors")
    assert (found.name, found.tokenizer) == ("mine", GPT2)
