"""Terms of the field, from resources/glossary.toml: the one source of what the program calls things."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gptstudio import paths
from gptstudio.i18n import LANGUAGES

FIELD_TERMS = {
    "vocabulary": "vocabulary", "vocab_size": "vocabulary", "context_length": "context-length", "emb_dim": "width",
    "n_heads": "head",
    "n_layers": "block", "drop_rate": "dropout", "drop_rate_emb": "dropout", "drop_rate_attn": "dropout",
    "drop_rate_shortcut": "dropout", "epochs": "epoch", "steps": "step", "batch_size": "batch",
    "accumulation": "accumulation", "learning_rate": "learning-rate", "warmup_steps": "warm-up",
    "weight_decay": "weight-decay", "gradient_clip": "gradient-clipping", "stride": "stride", "seed": "random-seed",
    "max_new_tokens": "token", "optimizer": "optimizer", "momentum": "momentum", "muon_momentum": "momentum",
}
"""Keys of terms by the names of the fields of settings that they explain."""


@dataclass(frozen=True)
class Term:
    """A term in one language, and one sentence about it.

    Attributes:
        key: its name in the file, which is also its anchor in the manual.
        english: the term in English.
        lab: the experiment that shows it; empty if there is none.
        see: keys of related terms.
    """

    name: str
    text: str
    key: str = ""
    english: str = ""
    lab: str = ""
    see: tuple[str, ...] = ()


@lru_cache(maxsize=len(LANGUAGES))
def terms(language: str) -> list[Term]:
    """Return all terms in a language, ``en`` or ``zh_CN``."""
    import tomllib  # not at the start of the window

    table = tomllib.loads((paths.resources() / "glossary.toml").read_text(encoding="utf-8"))
    return [Term(each[language], each[f"{language}_text"], key, each["en"], each.get("lab", ""),
                 tuple(each.get("see", ()))) for key, each in table.items()]
