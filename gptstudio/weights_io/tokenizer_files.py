"""Tokenizer files beside weights: a model whose tokens are not GPT-2's would be read and written wrongly. No torch.

Names and contents: transformers/models/gpt2/tokenization_gpt2.py, ``VOCAB_FILES_NAMES``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gptstudio import paths
from gptstudio.gpt.sizing import MB
from gptstudio.i18n import message
from gptstudio.weights_io.huggingface_folder import read_json
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import opened

BOTH = "tokenizer.json"
VOCABULARIES = "vocab.json", "encoder.json"
MERGES = "merges.txt", "vocab.bpe"
OTHERS = ("*.model", "*.spm", "vocab.txt", "*.tiktoken", "tekken.json", "bpe.codes", "meta.pkl")
"""Patterns of files that only other tokenizers have: SentencePiece, WordPiece, tiktoken, Mistral's, fastBPE, nanoGPT's
characters."""
OPEN_CLASSES = {
    "", "GPT2Tokenizer", "GPT2TokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend", "AutoTokenizer"}
"""Classes that GPT-2's tokenizer is loaded with; the third and fourth read whatever tokenizer.json holds."""
LARGEST = 8 * MB
"""GPT-2's files have 1.4 MB at most; whatever is much larger is another tokenizer's."""

Tokens = dict[str, Any]


def check(folder: Path) -> None:
    """Compare the tokenizer files in a folder, if there are any, with GPT-2's. Tokens may be added behind those.

    Raises:
        ExchangeError: they are another tokenizer's, or cannot be read.
        OSError: one of them cannot be read.
    """
    for path in (path for pattern in OTHERS for path in sorted(folder.glob(pattern))):
        raise _other(path)
    for name in ("tokenizer_config.json", "config.json"):
        if (folder / name).exists() and _class_in(folder / name) not in OPEN_CLASSES:
            raise _other(folder / name)
    if (folder / BOTH).exists():
        _check_both(folder / BOTH)
    for names, same in ((VOCABULARIES, _is_vocabulary), (MERGES, _are_merges)):
        for path in (folder / name for name in names):
            if path.exists() and not same(_merges(_read(path)) if names is MERGES else _parse(path)):
                raise _other(path)


def _class_in(path: Path) -> str:
    """Return the class of tokenizer that a configuration names, of its own code too; empty where it names none."""
    values = read_json(path)
    own = values.get("auto_map")
    named = own["AutoTokenizer"] if isinstance(own, dict) and "AutoTokenizer" in own else values.get("tokenizer_class")
    return "" if named is None else str(named)


def _check_both(path: Path) -> None:
    values = _parse(path)
    model = values.get("model") if isinstance(values, dict) else None
    parts = model if isinstance(model, dict) else {}
    merges = parts.get("merges")
    listed = [" ".join(pair) if _is_pair(pair) else pair for pair in merges] if isinstance(merges, list) else merges
    if not (_is_vocabulary(parts.get("vocab")) and _are_merges(listed)):
        raise _other(path)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and all(isinstance(each, str) for each in pair)


def _is_vocabulary(tokens: object) -> bool:
    """Return whether each token of GPT-2 has its id there, and no other token one of these."""
    ours, _ = gpt2()
    return isinstance(tokens, dict) and ours.items() <= tokens.items() and all(
        token in ours or (isinstance(number, int) and number >= len(ours)) for token, number in tokens.items())


def _are_merges(merges: object) -> bool:
    return merges == gpt2()[1]


@cache
def gpt2() -> tuple[Tokens, Sequence[str]]:
    """GPT-2's tokens with their ids, and its merges, the first first."""
    folder = paths.resources() / "gpt2"
    return json.loads((folder / "encoder.json").read_bytes()), _merges((folder / "vocab.bpe").read_bytes())


def _merges(data: bytes) -> list[str]:
    """The merges of a file without its first line, which names a version."""
    lines = data.decode("utf-8", errors="replace").split("\n")
    return [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#version")]


def _parse(path: Path) -> object:
    try:
        return json.loads(_read(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise refused(path, message("it is not valid JSON. {damaged}", damaged=CUT_OFF)) from error


def _read(path: Path) -> bytes:
    with opened(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _other(path)
    return data


def _other(path: Path) -> Exception:
    return refused(path.parent, message(
        "the model has a tokenizer of its own ({file}), and GPT Studio knows only GPT-2's, so its texts would be read "
        "and written wrongly. If the model was trained with GPT-2's tokenizer, move the tokenizer files elsewhere and "
        "open it again.", file=path.name))
