"""Configuration of a GPT-2: all values that determine how the model is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import model_validator

from gptstudio.fields import Problem, Spec, SpecError, setting
from gptstudio.i18n import message

VOCAB_SIZE = 50_257
"""Number of tokens of GPT-2's byte-pair encoding: 256 bytes, 50,000 merges, and ``<|endoftext|>``."""

Vocabulary = Literal["gpt2", "own", "characters", "file"]
"""Kinds of tokenizer: see :mod:`gptstudio.gpt.tokenizer`."""
OWN_SIZES = range(257, 8_193)
"""Possible vocabulary sizes of a byte-pair encoding trained on a text: at least 256 bytes and the end of text."""
USUAL_SIZES = {"gpt2": VOCAB_SIZE, "own": 1_024, "characters": 256}
"""Default vocabulary size of each kind; for characters, the text determines the actual size."""

WIDEST = 65_536
"""Largest allowed ``emb_dim``."""


class GPTConfig(Spec):
    """Configuration of the book's GPT model (book §4.1), with the three separate dropout rates of exercise 4.3 and the
    option to tie the output layer to the token embedding.

    The names follow the book. The defaults are those of the book's training run: 124M, context 256 (chapter 5).
    """

    vocabulary: Vocabulary = setting(
        "gpt2", "Vocabulary",
        "How text becomes tokens. gpt2: GPT-2's tokenizer, as in the book; own: byte-pair encoding learned from the "
        "training text (own:1024: at most 1,024 tokens); characters: every character of the text is a token.",
        typed="gpt2|own:N|characters",
        names={"gpt2": message("GPT-2"), "own": message("own, from this text"), "characters": message("characters"),
               "file": message("from the weights")},
    )
    vocab_size: int = setting(
        VOCAB_SIZE, "Tokens",
        "Number of different tokens. GPT-2's tokenizer has 50,257; with characters, it depends on the text.",
        unit="tokens", low=1, high=1_000_000, step=1,
    )
    context_length: int = setting(
        256, "Context length", "Number of tokens the model sees at once, with one position vector each.",
        unit="tokens", low=1, high=131_072, step=32,
    )
    emb_dim: int = setting(
        768, "Width",
        "Number of values that represent one token inside the model. Must be a multiple of the number of heads.",
        unit="numbers", low=1, high=WIDEST, step=32,
    )
    n_heads: int = setting(
        12, "Heads", "Number of attention heads that work in parallel; each gets width / heads numbers.",
        low=1, high=1_024, step=1,
    )
    n_layers: int = setting(
        12, "Layers", "Number of transformer blocks, stacked one after another.", low=1, high=1_000, step=1
    )
    drop_rate: float = setting(
        0.1, "Dropout", "Share of values set to zero at random during training, to reduce memorising.",
        low=0.0, high=0.99, step=0.05,
    )
    drop_rate_emb: float | None = setting(
        None, "Embedding dropout", "Dropout after the embeddings, or leave empty to use Dropout.",
        low=0.0, high=0.99, step=0.05, empty="same", group="Dropout",
    )
    drop_rate_attn: float | None = setting(
        None, "Attention dropout", "Dropout on the attention weights, or leave empty to use Dropout.",
        low=0.0, high=0.99, step=0.05, empty="same", group="Dropout",
    )
    drop_rate_shortcut: float | None = setting(
        None, "Shortcut dropout", "Dropout before each shortcut connection is added, or leave empty to use Dropout.",
        low=0.0, high=0.99, step=0.05, empty="same", group="Dropout",
    )
    qkv_bias: bool = setting(
        False, "Query, key, value bias", "Adds a bias to the three attention projections, as in OpenAI's GPT-2.",
        group="Bias and tying",
    )
    tie_weights: bool = setting(
        False, "Tie output to embedding",
        "Uses one matrix both to read tokens and to predict them, as OpenAI's GPT-2 does. "
        "The book keeps two: 163 instead of 124 million parameters.", group="Bias and tying",
    )

    @model_validator(mode="before")
    @classmethod
    def _vocabulary_with_size(cls, values: Any) -> Any:
        """Parse ``own:1024`` as a vocabulary and its size; without a size, use the default of the vocabulary."""
        if not isinstance(values, Mapping) or not isinstance(kind := values.get("vocabulary"), str):
            return values
        kind, colon, size = kind.partition(":")
        if colon:
            tokens = int(size) if size.isdecimal() else size
            if values.get("vocab_size", tokens) != tokens:
                raise SpecError([Problem("vocab_size", message(
                    "Tokens and Vocabulary are {tokens} and {vocabulary}; set the number of tokens in one of the two.",
                    tokens=values["vocab_size"], vocabulary=values["vocabulary"]))])
            return {**values, "vocabulary": kind, "vocab_size": tokens}
        return {"vocab_size": USUAL_SIZES[kind], **values} if kind in USUAL_SIZES else values

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        emb_dim, n_heads = values.get("emb_dim"), values.get("n_heads")
        if isinstance(emb_dim, int) and isinstance(n_heads, int) and emb_dim % n_heads:
            near = min(max(1, round(emb_dim / n_heads)), WIDEST // n_heads) * n_heads
            yield Problem("emb_dim", message(
                "Width ({emb_dim}) must be a multiple of Heads ({n_heads}), for example {near}.",
                emb_dim=f"{emb_dim:,}", n_heads=f"{n_heads:,}", near=f"{near:,}",
            ))

    def but(self, **changes: Any) -> Self:
        return self.make(self.changed_values(changes))

    def changed_values(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of this configuration with some fields changed. A changed vocabulary without a size gets
        its default size."""
        values = self.shallow()
        if changes.get("vocabulary", self.vocabulary) != self.vocabulary:
            del values["vocab_size"]
        return values | dict(changes)

    @property
    def head_dim(self) -> int:
        """Width of an attention head."""
        return self.emb_dim // self.n_heads

    @property
    def embedding_dropout(self) -> float:
        return self.drop_rate if self.drop_rate_emb is None else self.drop_rate_emb

    @property
    def attention_dropout(self) -> float:
        return self.drop_rate if self.drop_rate_attn is None else self.drop_rate_attn

    @property
    def shortcut_dropout(self) -> float:
        return self.drop_rate if self.drop_rate_shortcut is None else self.drop_rate_shortcut


PRESETS: dict[str, GPTConfig] = {
    # Small enough to learn The Verdict in about a minute on two cores; measured in tests/bench.
    "workshop": GPTConfig(context_length=64, emb_dim=256, n_heads=4, n_layers=4),
    # The same shape with a vocabulary trained on the text: an eighth of the parameters; measured in tests/bench.
    "pocket": GPTConfig(vocabulary="own", vocab_size=1_024, context_length=64, emb_dim=256, n_heads=4, n_layers=4),
    # The book's own training run (book chapter 5): 124M, with the context shortened to 256.
    "book": GPTConfig(),
    # Radford et al., 2019, "Language Models are Unsupervised Multitask Learners", table 2.
    "gpt2-small": GPTConfig(context_length=1024),
    "gpt2-medium": GPTConfig(context_length=1024, emb_dim=1024, n_layers=24, n_heads=16),
    "gpt2-large": GPTConfig(context_length=1024, emb_dim=1280, n_layers=36, n_heads=20),
    "gpt2-xl": GPTConfig(context_length=1024, emb_dim=1600, n_layers=48, n_heads=25),
}
"""Configurations by name, in the order in which they are offered."""

DEFAULT_PRESET = "workshop"
OWN = "own"
"""Name of a configuration that is not a preset."""


def config_name(config: GPTConfig) -> str:
    """Return the name of the preset with this configuration, or 'own'."""
    return next((name for name, preset in PRESETS.items() if preset == config), OWN)
