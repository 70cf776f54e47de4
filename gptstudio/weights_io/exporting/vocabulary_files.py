"""GPT-2's vocabulary beside exported weights, as ``transformers`` looks for it. No torch."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gptstudio import paths
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gpt.tokenizer import END_OF_TEXT

VOCABULARY = {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe", "NOTICE": "NOTICE"}
"""The name in an export -> the name that OpenAI published it under; its licence asks for its notice."""

VOCABULARY_FILES = frozenset({"tokenizer_config.json", *VOCABULARY})


def write_vocabulary(folder: Path, config: GPTConfig) -> None:
    """Write how text becomes tokens, unless the model's vocabulary is another one, which nobody here knows."""
    if config.vocab_size < VOCAB_SIZE:
        return
    for name, ours in VOCABULARY.items():
        shutil.copyfile(paths.resources() / "gpt2" / ours, folder / name)
    special = dict.fromkeys(("bos_token", "eos_token", "unk_token"), END_OF_TEXT)
    write_json(folder / "tokenizer_config.json", special | {
        "add_prefix_space": False, "model_max_length": config.context_length, "tokenizer_class": "GPT2Tokenizer",
    })


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
