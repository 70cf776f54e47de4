"""Tokenizer files next to weights, which give the tokens of a model their meaning. Read only as data; no torch.

Names and contents: transformers/models/gpt2/tokenization_gpt2.py, ``VOCAB_FILES_NAMES``.
"""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gptstudio import paths
from gptstudio.gpt import tokenizer
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, TokenizerError
from gptstudio.i18n import message
from gptstudio.units import MB
from gptstudio.weights_io import nanogpt
from gptstudio.weights_io.huggingface_folder import belongs, parsed, read_json
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import opened

VOCABULARIES = "vocab.json", "encoder.json"
MERGES = "merges.txt", "vocab.bpe"
OTHERS = ("*.model", "*.spm", "vocab.txt", "*.tiktoken", "tekken.json", "bpe.codes", nanogpt.TABLE)
"""Patterns of files of other tokenizers: SentencePiece, WordPiece, tiktoken, Mistral's, fastBPE, nanoGPT's
characters."""
OPEN_CLASSES = {
    "", "GPT2Tokenizer", "GPT2TokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend", "AutoTokenizer"}
"""Classes with vocabulary and merges that are read like GPT-2's."""
LARGEST = 32 * MB
ENDING = ".pth"
"""File name ending of a state dict with the book's names."""

Tokens = dict[str, Any]


def tokenizer_path(weights: Path) -> Path:
    """Return the path of the tokenizer for a single weights file, such as the book's: ``model.tokenizer.json``."""
    return weights.with_name(f"{weights.name.removesuffix(ENDING)}.{tokenizer.FILE}")


def find(weights: Path, rows: int, of_nanogpt: bool = False) -> Tokenizer:
    """Return the tokenizer described by the files next to weights; GPT-2's if there are none.

    Args:
        rows: number of rows of the embedding. Tokens added to those of GPT-2 are read if the weights have all of them.
        of_nanogpt: whether nanoGPT saved the weights, so that its table of characters is read as well.

    Raises:
        ExchangeError: the files are invalid, or belong to a kind of tokenizer that is not supported.
        OSError: a file cannot be read.
    """
    if os.path.exists(tokenizer_path(weights)):  # False, without an error, for a name that is too long
        return _from_json(tokenizer_path(weights), rows)
    folder, table = weights.parent, weights.with_name(nanogpt.TABLE)
    described = belongs(weights)
    if described and (folder / tokenizer.FILE).exists():
        return _from_json(folder / tokenizer.FILE, rows)
    if of_nanogpt and table.exists():
        return nanogpt.characters(table)
    return _from_others(folder, rows) if described else GPT2


def read(path: Path) -> bytes:
    """Return the content of a tokenizer file, without a byte order mark.

    Raises:
        ExchangeError: the file is not a regular file, or larger than ``LARGEST``.
        OSError: the file cannot be read.
    """
    with opened(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise refused(path, message(
            "it is larger than {longest} MB, which no tokenizer of a GPT-2 is.", longest=f"{LARGEST / MB:.0f}"))
    return data.removeprefix(codecs.BOM_UTF8)


def splits_as_gpt2(values: Mapping[str, Any]) -> bool:
    """Return whether the tokenizer of a ``tokenizer.json`` splits texts into words as GPT-2's does."""
    cut = values.get("pre_tokenizer")
    return (not values.get("normalizer") and isinstance(cut, dict) and cut.get("type") == "ByteLevel"
            and cut.get("use_regex", True) and not cut.get("add_prefix_space", True))


def _from_json(path: Path, rows: int) -> Tokenizer:
    content = read(path)
    values = parsed(path, content)
    model = values.get("model") if isinstance(values, dict) else None
    if not isinstance(values, dict) or not isinstance(model, dict):
        raise _damaged(path, message("it has no model"))
    merges = model.get("merges")
    listed = [" ".join(pair) if _is_pair(pair) else pair for pair in merges] if isinstance(merges, list) else merges
    added = values.get("added_tokens")
    ids = [each.get("id") for each in added if isinstance(each, dict)] if isinstance(added, list) else []
    if _is_vocabulary(model.get("vocab")) and listed == gpt2()[1] and splits_as_gpt2(values) and not _adds(ids, rows):
        return GPT2
    return _made(path, lambda: tokenizer.read("file", content))


def _from_others(folder: Path, rows: int) -> Tokenizer:
    """Return the tokenizer of a folder without ``tokenizer.json``."""
    for path in (path for pattern in OTHERS for path in sorted(folder.glob(pattern))):
        raise _other(path)
    described = [folder / name for name in ("tokenizer_config.json", "config.json") if (folder / name).exists()]
    for path in described:
        if _class_in(path) not in OPEN_CLASSES:
            raise _other(path)
    vocabulary, merges = (next((folder / name for name in names if (folder / name).exists()), None)
                          for names in (VOCABULARIES, MERGES))
    tokens = parsed(vocabulary, read(vocabulary)) if vocabulary else None
    lines: Sequence[str] | None = _merges(read(merges)) if merges else None
    others = [path for path, same in ((vocabulary, _is_vocabulary(tokens)), (merges, lines == gpt2()[1]))
              if path and not same]
    added, space = _added(folder), any(read_json(path).get("add_prefix_space") is True for path in described)
    if not others:
        if not space and not _adds(added.values(), rows):
            return GPT2
        tokens, lines = tokens or gpt2()[0], gpt2()[1]
    elif vocabulary is None or lines is None:
        raise _other(others[0])
    named = vocabulary or folder
    if not isinstance(tokens, dict) or not all(type(number) is int for number in tokens.values()):
        raise _damaged(named, message("it does not give each token an ID"))
    return _made(named, lambda: tokenizer.from_merges({**tokens, **added}, lines, tuple(added), space))


def _adds(ids: Iterable[object], rows: int) -> bool:
    """Return whether there are IDs after those of GPT-2, all of them with a row of the embedding."""
    beyond = [number for number in ids if isinstance(number, int) and number >= VOCAB_SIZE]
    return bool(beyond) and max(beyond) < rows


def _made(path: Path, make: Callable[[], Tokenizer]) -> Tokenizer:
    try:
        made = make()
    except TokenizerError as error:
        raise _damaged(path, error.__cause__ or error) from error
    if not made.size:
        raise _damaged(path, message("it has no tokens"))
    return made


def _added(folder: Path) -> Mapping[str, int]:
    """Return the tokens added to a vocabulary, in the file of older versions of transformers."""
    path = folder / "added_tokens.json"
    values = read_json(path) if path.exists() else {}
    if not all(type(number) is int for number in values.values()):
        raise _damaged(path, message("it does not give each token an ID"))
    return values


def _class_in(path: Path) -> str:
    """Return the tokenizer class that a configuration names, including custom code; empty if it names none."""
    values = read_json(path)
    own = values.get("auto_map")
    named = own["AutoTokenizer"] if isinstance(own, dict) and "AutoTokenizer" in own else values.get("tokenizer_class")
    return "" if named is None else str(named)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and all(isinstance(each, str) for each in pair)


def _is_vocabulary(tokens: object) -> bool:
    """Return whether a vocabulary gives each token of GPT-2 its ID, and no other token one of these IDs."""
    ours, _ = gpt2()
    return isinstance(tokens, dict) and ours.items() <= tokens.items() and all(
        token in ours or (isinstance(number, int) and number >= len(ours)) for token, number in tokens.items())


@cache
def gpt2() -> tuple[Tokens, Sequence[str]]:
    """Return GPT-2's tokens with their IDs, and its merges in order."""
    folder = paths.resources() / "gpt2"
    return json.loads((folder / "encoder.json").read_bytes()), _merges((folder / "vocab.bpe").read_bytes())


def _merges(data: bytes) -> list[str]:
    """Return the merges in a file, without the first line, which gives a version."""
    lines = data.decode("utf-8", errors="replace").split("\n")
    return [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#version")]


def _damaged(path: Path, why: object) -> Exception:
    return refused(path, message(
        "it is not a tokenizer that can be read ({why}). {damaged}", why=why, damaged=CUT_OFF))


def _other(path: Path) -> Exception:
    return refused(path.parent, message(
        "the model has a tokenizer of its own ({file}) of a kind that GPT Studio does not read, so its texts would be "
        "read and written wrongly. GPT Studio reads tokenizer.json, or vocab.json with merges.txt. If the model was "
        "trained with GPT-2's tokenizer, move the tokenizer files elsewhere and open it again.", file=path.name))
