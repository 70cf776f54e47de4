"""The tokenizer beside exported weights, as ``transformers`` looks for it. No torch."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gptstudio import paths
from gptstudio.gpt.tokenizer import END_OF_TEXT, ENDS, FILE, Tokenizer

VOCABULARY = {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe", "NOTICE": "NOTICE"}
"""The name in an export -> the name that OpenAI published it under; its licence asks for its notice."""

VOCABULARY_FILES = frozenset({"tokenizer_config.json", FILE, *VOCABULARY})


def write_vocabulary(folder: Path, tokenizer: Tokenizer | None, longest: int) -> None:
    """Write how text becomes tokens, where that is known.

    Args:
        longest: tokens that the model sees at once.
    """
    if tokenizer is None:
        return
    if tokenizer.kind == "gpt2":
        for name, ours in VOCABULARY.items():
            shutil.copyfile(paths.resources() / "gpt2" / ours, folder / name)
        special = dict.fromkeys(("bos_token", "eos_token", "unk_token"), END_OF_TEXT)
        described: dict[str, Any] = {"add_prefix_space": False, "tokenizer_class": "GPT2Tokenizer"}
    else:
        (folder / FILE).write_bytes(tokenizer.file)
        special = _special(json.loads(tokenizer.file))
        described = {"clean_up_tokenization_spaces": False, "tokenizer_class": "PreTrainedTokenizerFast"}
    write_json(folder / "tokenizer_config.json", special | described | {"model_max_length": longest})


def _special(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the tokens between texts and of unknown characters. Only those that the file itself declares
    special are named: ``transformers`` makes each such, and then finds it in texts."""
    declared = {each["content"] for each in values.get("added_tokens") or () if each.get("special")}
    end = next((name for name in ENDS if name in declared), None)
    unknown = values["model"].get("unk_token")
    named = {"bos_token": end, "eos_token": end, "unk_token": unknown}
    return {key: name for key, name in named.items() if name in declared}


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
