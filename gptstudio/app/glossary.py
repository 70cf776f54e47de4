"""Terms of the field, from resources/glossary.toml: the one source of what the program calls things."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from gptstudio import paths

FIELD_TERMS = {
    "vocab_size": "vocabulary", "context_length": "context-length", "emb_dim": "width", "n_heads": "head",
    "n_layers": "block", "drop_rate": "dropout", "drop_rate_emb": "dropout", "drop_rate_attn": "dropout",
    "drop_rate_shortcut": "dropout", "epochs": "epoch", "steps": "step", "batch_size": "batch",
    "accumulation": "accumulation", "learning_rate": "learning-rate", "warmup_steps": "warm-up",
    "weight_decay": "weight-decay", "gradient_clip": "gradient-clipping", "stride": "stride", "seed": "random-seed",
    "max_new_tokens": "token",
}
"""Keys of terms by the names of the fields of settings that they explain."""


@dataclass(frozen=True)
class Term:
    """A term in one language, and one sentence about it."""

    name: str
    text: str


def terms(language: str) -> list[Term]:
    """Return all terms in a language, ``en`` or ``zh_CN``."""
    table = tomllib.loads((paths.resources() / "glossary.toml").read_text(encoding="utf-8"))
    return [Term(each[language], each[f"{language}_text"]) for each in table.values()]
