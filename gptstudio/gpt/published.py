"""Conversion between our configuration and the ``config.json`` of Hugging Face's GPT-2 (``transformers``,
``models/gpt2``).

Does not import torch.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping
from typing import Any

from gptstudio.errors import UserError
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.i18n import message


class WeightsError(UserError):
    """Weights, or their description, that do not belong to a GPT-2 as built here."""


FIELDS: dict[str, tuple[Any, ...]] = {
    "vocab_size": (VOCAB_SIZE, "vocab_size"),
    "context_length": (1024, "max_position_embeddings", "n_positions", "n_ctx"),
    "emb_dim": (768, "hidden_size", "n_embd"),
    "n_heads": (12, "num_attention_heads", "n_head"),
    "n_layers": (12, "num_hidden_layers", "n_layer"),
    "drop_rate": (0.1, "resid_pdrop"),
    "drop_rate_emb": (0.1, "embd_pdrop"),
    "drop_rate_attn": (0.1, "attn_pdrop"),
    "tie_weights": (True, "tie_word_embeddings"),
}
"""Our field -> its default in transformers' GPT2Config, then its keys in config.json; the first key present counts, as
in transformers."""

TANH_GELU = ("gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu_accurate", "gelu_python_tanh")
"""Names in transformers of GELU's tanh approximation, which GPT-2 uses. "gelu" is the exact function, which differs."""

ARITHMETIC: dict[str, tuple[Any, ...]] = {
    "model_type": ("gpt2",),
    "activation_function": TANH_GELU,
    "layer_norm_epsilon": (1e-5,),
    "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "add_cross_attention": (False,),
    "is_encoder_decoder": (False,),
    "quantization_config": (None,),
}
"""Keys of config.json that change the computation -> the values for which it equals the computation here."""


SIZES = {"n_embd", "n_layer", "n_head"}
"""Keys that identify an old config.json, written before there was a model_type."""


def config_from_huggingface(values: Mapping[str, Any]) -> GPTConfig:
    """Return the configuration that the ``config.json`` of a GPT-2 describes.

    Raises:
        WeightsError: the model computes a different function than the GPT-2 here, or values are invalid.
    """
    _check_arithmetic(values)
    found = {field: _said(values, field) for field in FIELDS}
    for field in ("drop_rate_emb", "drop_rate_attn"):  # set only where they differ from drop_rate
        found[field] = None if found[field] == found["drop_rate"] else found[field]
    config = made(found | {"qkv_bias": True})
    if values.get("n_inner") not in (None, 4 * config.emb_dim):
        raise _other_function("n_inner", values["n_inner"], (4 * config.emb_dim,))
    return config


def huggingface_config(config: GPTConfig, end: int | None = VOCAB_SIZE - 1) -> dict[str, Any]:
    """Return the ``config.json`` of a model with this configuration.

    Args:
        end: id of the token between texts, by default GPT-2's; None or an id beyond the vocabulary means none.
    """
    end_of_text = end if end is not None and end < config.vocab_size else None
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "vocab_size": config.vocab_size,
        "n_positions": config.context_length,
        "n_ctx": config.context_length,
        "n_embd": config.emb_dim,
        "n_head": config.n_heads,
        "n_layer": config.n_layers,
        "n_inner": None,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "initializer_range": 0.02,
        "embd_pdrop": config.embedding_dropout,
        "attn_pdrop": config.attention_dropout,
        "resid_pdrop": config.shortcut_dropout,
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "reorder_and_upcast_attn": False,
        "tie_word_embeddings": config.tie_weights,
        "use_cache": True,
        "bos_token_id": end_of_text,
        "eos_token_id": end_of_text,
        "dtype": "float32",
    }


def _check_arithmetic(values: Mapping[str, Any]) -> None:
    if not (isinstance(values, Mapping) and ("model_type" in values or values.keys() >= SIZES)):
        raise WeightsError(message(
            "This config.json does not say that it describes a GPT-2 model. Choose the one that belongs to the weights."
        ))
    if "AutoModel" in str(values.get("auto_map")):
        raise WeightsError(message(
            "This model includes its own program code (auto_map in config.json). GPT Studio never runs code from "
            "others, and without it the weights may mean something else. Choose a model with the GPT-2 architecture."
        ))
    for key, allowed in ARITHMETIC.items():
        if key in values and values[key] not in allowed:
            raise _other_function(key, values[key], allowed)


def _other_function(key: str, value: Any, allowed: tuple[Any, ...]) -> WeightsError:
    return WeightsError(message(
        "{key} in config.json is {value}, but the GPT-2 built here requires {allowed}. This model computes something "
        "else and cannot be opened. Choose one with the GPT-2 architecture.",
        key=key, value=reprlib.repr(value), allowed=", ".join(json.dumps(one) for one in allowed),
    ))


def _said(values: Mapping[str, Any], field: str) -> Any:
    """Return a field's value in ``config.json``; its type is checked, its range is not."""
    default, *keys = FIELDS[field]
    key = next((key for key in keys if key in values), None)
    if key is None:
        return default
    value, wanted = values[key], type(default)
    if isinstance(value, bool) != (wanted is bool) or not isinstance(value, (int, wanted)):
        what = {bool: message("true or false"), int: message("a whole number"), float: message("a number")}[wanted]
        raise WeightsError(message(
            "{key} in config.json is {value}; it must be {what}. The file is damaged or was edited by hand. Download "
            "it again.", key=key, value=reprlib.repr(value), what=what,
        ))
    return value


def made(values: Mapping[str, Any]) -> GPTConfig:
    """Return the configuration with these values.

    Raises:
        WeightsError: values are out of range.
    """
    for problem in GPTConfig.problems(values):
        raise WeightsError(message("These weights cannot be opened as a GPT-2: {problem}", problem=problem.message))
    return GPTConfig.make(values)
