"""The same model under other names, checked by Hugging Face's and the book's own code on tiny models with random
weights."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from messages import message
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy, gelu

from gptstudio.gpt import published, weight_shapes, weights
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.published import WeightsError
from gptstudio.training import checkpoint

os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported: nothing here uses a network

from llms_from_scratch.ch04 import GPTModel as BookModel

if TYPE_CHECKING:  # imported by the tests that use it, since that takes two seconds
    from transformers import GPT2LMHeadModel

PATHS = ("reference", "fast")
NO_DROPOUT = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "bos_token_id": None, "eos_token_id": None}
THEIRS = {
    "tied": {"vocab_size": 40, "n_positions": 16, "n_embd": 24, "n_layer": 3, "n_head": 4},
    "untied": {
        "vocab_size": 41, "n_positions": 7, "n_embd": 33, "n_layer": 2, "n_head": 3, "tie_word_embeddings": False
    },
    "one head of five": {"vocab_size": 11, "n_positions": 5, "n_embd": 5, "n_layer": 1, "n_head": 1},
    "heads of one": {"vocab_size": 2, "n_positions": 9, "n_embd": 8, "n_layer": 2, "n_head": 8},
    "upcast": {
        "vocab_size": 30, "n_positions": 12, "n_embd": 36, "n_layer": 12, "n_head": 12, "n_inner": 144,
        "activation_function": "gelu_pytorch_tanh", "reorder_and_upcast_attn": True, "attn_implementation": "eager",
    },
}
every_kind = pytest.mark.parametrize("values", THEIRS.values(), ids=THEIRS)
SMALL = GPTConfig(vocab_size=20, context_length=6, emb_dim=12, n_heads=3, n_layers=2, drop_rate=0.0, qkv_bias=True)
TIED = SMALL.but(tie_weights=True)


def theirs_of(values: dict, seed: int = 0) -> GPT2LMHeadModel:
    """Return Hugging Face's model, with every weight and bias drawn large enough to matter."""
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(**NO_DROPOUT, **values)).eval()
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3, generator=generator)
    return model


def saved(model: GPT2LMHeadModel, folder: Path) -> tuple[dict, dict[str, Tensor]]:
    """Save a model and return the content of its files: config.json, and the tensors."""
    model.save_pretrained(folder)
    return json.loads((folder / "config.json").read_text()), load_file(folder / "model.safetensors")


def stored(config: GPTConfig, folder: Path, tensors: dict[str, Tensor]) -> tuple[GPT2LMHeadModel, dict]:
    """Return the model that transformers loads from the program's files, and its loading report."""
    from transformers import GPT2LMHeadModel

    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(published.huggingface_config(config)))
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return GPT2LMHeadModel.from_pretrained(folder, output_loading_info=True)


def ours(config: GPTConfig, seed: int = 0) -> dict[str, Tensor]:
    """Return weights as a checkpoint contains them."""
    generator = torch.Generator().manual_seed(seed)
    shapes = weight_shapes.our_shapes(config).items()
    return {name: torch.empty(shape).normal_(std=0.3, generator=generator) for name, shape in shapes}


def book(config: GPTConfig) -> BookModel:
    return BookModel(config.model_dump()).eval()


def tokens(config: GPTConfig, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(config.vocab_size, (2, config.context_length), generator=generator)


def shapes_of(tensors: dict[str, Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


def assert_same(tensors: dict[str, Tensor], others: dict[str, Tensor]) -> None:
    """Assert equal names, types and bits."""
    assert tensors.keys() == others.keys()
    for name, tensor in tensors.items():
        assert tensor.dtype == others[name].dtype, name
        assert torch.equal(tensor, others[name]), name


@st.composite
def configs(draw, **fixed) -> GPTConfig:
    """Small models of every kind."""
    heads = draw(st.integers(1, 4))
    return GPTConfig(**{
        "vocab_size": draw(st.integers(1, 40)), "context_length": draw(st.integers(1, 12)), "n_heads": heads,
        "emb_dim": heads * draw(st.integers(1, 6)), "n_layers": draw(st.integers(1, 3)),
        "qkv_bias": draw(st.booleans()), "tie_weights": draw(st.booleans()),
    } | fixed)


# Hugging Face: the tensors.


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("path", PATHS)
def test_that_a_model_of_hugging_face_gives_the_same_logits_here(values, path, tmp_path):
    theirs = theirs_of(values)
    values, tensors = saved(theirs, tmp_path)
    config = published.config_from_huggingface(values)
    model = checkpoint.build(config, weights.from_huggingface(tensors, config), path, "cpu")
    ids = tokens(config)
    with torch.no_grad():
        expected = theirs(ids).logits
        assert expected.std() > 0.1
        torch.testing.assert_close(model(ids), expected, atol=1e-4, rtol=0)


@every_kind
def test_that_a_model_is_exported_to_hugging_face_unchanged_to_the_bit(values, tmp_path):
    values, tensors = saved(theirs_of(values), tmp_path)
    config = published.config_from_huggingface(values)
    assert_same(weights.to_huggingface(weights.from_huggingface(dict(tensors), config), config), tensors)
    assert published.config_from_huggingface(published.huggingface_config(config)) == config


@pytest.mark.parametrize("qkv_bias", [True, False])
@pytest.mark.parametrize("tied", [True, False])
def test_that_transformers_loads_an_exported_model_completely_and_gives_its_logits(tied, qkv_bias, tmp_path):
    config = SMALL.but(qkv_bias=qkv_bias, tie_weights=tied)
    mine = ours(config)
    theirs, loading_info = stored(config, tmp_path / "out", weights.to_huggingface(mine, config))
    assert not any(loading_info.values()), loading_info
    assert theirs.config.tie_word_embeddings == tied
    ids = tokens(config)
    with torch.no_grad():
        expected = checkpoint.build(config, mine, "fast", "cpu")(ids)
        torch.testing.assert_close(theirs.eval()(ids).logits, expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("values", [THEIRS["tied"], THEIRS["untied"]], ids=["tied", "untied"])
@pytest.mark.parametrize("path", PATHS)
def test_that_a_step_of_fine_tuning_changes_both_models_alike(values, path, tmp_path):
    theirs = theirs_of(values)
    values, tensors = saved(theirs, tmp_path)
    config = published.config_from_huggingface(values)
    mine = checkpoint.build(config, weights.from_huggingface(tensors, config), path, "cpu")
    ids = tokens(config)

    def losses(model, logits) -> list[float]:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
        found = []
        for _ in range(3):
            loss = cross_entropy(logits(model(ids))[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    expected = losses(theirs.train(), lambda output: output.logits)
    assert expected[2] < expected[1] < expected[0] - 0.01
    assert losses(mine.train(), lambda logits: logits) == pytest.approx(expected, abs=1e-4)


@every_kind
def test_that_the_reported_shapes_are_those_that_transformers_saves(values, tmp_path):
    values, tensors = saved(theirs_of(values), tmp_path)
    shapes = weight_shapes.huggingface_shapes(published.config_from_huggingface(values))
    assert shapes == {name.removeprefix("transformer."): shape for name, shape in shapes_of(tensors).items()}


OLDER = {
    "as published": lambda named: {name.removeprefix("transformer."): tensor for name, tensor in named.items()},
    "with its masks": lambda named: named | {
        f"transformer.h.{block}.attn.{name}": tensor for block in range(2)
        for name, tensor in {"bias": torch.ones(1, 1, 6, 6).bool(), "masked_bias": torch.tensor(-1e4)}.items()
    },
    "on several devices": lambda named: {f"module.{name}": tensor for name, tensor in named.items()},
    "compiled": lambda named: {f"_orig_mod.module.{name}": tensor for name, tensor in named.items()},
    "compiled by block": lambda named: {
        name.replace(".h.0.", ".h.0._orig_mod."): tensor for name, tensor in named.items()
    },
    "tied and stored twice": lambda named: named | {"lm_head.weight": named["transformer.wte.weight"].clone()},
    "tied and stored as the output layer": lambda named: {
        name.replace("transformer.wte", "lm_head"): tensor for name, tensor in named.items()
    },
}


@pytest.mark.parametrize("older", OLDER.values(), ids=OLDER)
def test_that_older_files_and_those_of_wrappers_are_the_same_model(older):
    mine = ours(TIED)
    tensors = older(weights.to_huggingface(mine, TIED))
    weight_shapes.check_shapes(shapes_of(tensors), TIED, weight_shapes.HUGGINGFACE)
    assert_same(weights.from_huggingface(tensors, TIED), mine)


def test_that_a_tied_model_with_two_different_matrices_is_refused_and_opens_with_a_choice(tmp_path):
    mine = ours(SMALL)
    tensors = weights.to_huggingface(mine, SMALL)
    pattern = r'lm_head\.weight and wte\.weight are the same matrix.* "tie_word_embeddings": false'
    with pytest.raises(WeightsError, match=pattern):
        weights.from_huggingface(tensors, TIED)
    theirs, _ = stored(TIED, tmp_path / "tied", tensors)  # transformers 5 keeps both, with a warning; 4 kept one
    with torch.no_grad():
        expected = theirs.eval()(tokens(SMALL)).logits
        model = checkpoint.build(SMALL, weights.from_huggingface(tensors, SMALL), "fast", "cpu")
        torch.testing.assert_close(model(tokens(SMALL)), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_that_other_floating_point_numbers_become_float32_and_keep_their_value(dtype):
    mine = {name: tensor.to(dtype) for name, tensor in ours(SMALL).items()}
    named = {name: tensor.to(dtype) for name, tensor in weights.to_huggingface(mine, SMALL).items()}
    for tensors in (weights.from_huggingface(named, SMALL), weights.from_book(dict(mine), SMALL)):
        assert_same(tensors, {name: tensor.float() for name, tensor in mine.items()})


def test_that_read_weights_can_be_saved(tmp_path):
    for write, read in ((weights.to_huggingface, weights.from_huggingface), (weights.to_book, weights.from_book)):
        found = read(write(ours(TIED), TIED), TIED)
        save_file(found, tmp_path / "model.safetensors")  # it refuses tensors that share memory or are transposed


# Hugging Face: the configuration.


@given(configs(qkv_bias=True), st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5]), min_size=3, max_size=3))
def test_that_a_configuration_survives_conversion_to_hugging_face_and_back(config, rates):
    from transformers import GPT2Config

    config = config.but(drop_rate=rates[0], drop_rate_emb=rates[1], drop_rate_attn=rates[2])
    values = json.loads(json.dumps(published.huggingface_config(config)))
    theirs = GPT2Config(**values)
    assert (theirs.resid_pdrop, theirs.embd_pdrop, theirs.attn_pdrop) == tuple(rates)
    back = published.config_from_huggingface(theirs.to_dict())
    same = ("drop_rate_emb", "drop_rate_attn", "drop_rate_shortcut")
    assert {**back.shallow(), **dict.fromkeys(same)} == {**config.shallow(), **dict.fromkeys(same)}
    assert (back.embedding_dropout, back.attention_dropout, back.shortcut_dropout) == (rates[1], rates[2], rates[0])
    assert back.drop_rate_shortcut is None
    assert (back.drop_rate_emb is None) == (rates[1] == rates[0])


def test_that_values_missing_from_config_json_are_as_in_transformers():
    from transformers import GPT2Config

    silent = published.config_from_huggingface({"model_type": "gpt2"})
    assert silent == published.config_from_huggingface(GPT2Config().to_dict())
    assert silent == PRESETS["gpt2-small"].but(qkv_bias=True, tie_weights=True)


@pytest.mark.parametrize("values", [
    {"hidden_size": 24, "num_attention_heads": 4, "num_hidden_layers": 3, "max_position_embeddings": 9},
    {"n_embd": 24, "n_head": 4, "num_attention_heads": 6, "n_positions": 5, "n_ctx": 7},
])
def test_that_a_number_under_two_names_is_the_one_that_transformers_takes(values):
    from transformers import GPT2Config

    theirs, mine = GPT2Config(**values), published.config_from_huggingface(values | {"model_type": "gpt2"})
    assert (mine.emb_dim, mine.n_heads, mine.n_layers) == (theirs.n_embd, theirs.n_head, theirs.n_layer)
    assert mine.context_length == theirs.n_positions


def test_that_the_earliest_configurations_are_read():
    values = {"n_ctx": 64, "n_embd": 24, "n_head": 4, "n_layer": 3, "vocab_size": 50, "layer_norm_epsilon": 1e-05}
    assert published.config_from_huggingface(values) == GPTConfig(
        vocab_size=50, context_length=64, emb_dim=24, n_heads=4, n_layers=3, qkv_bias=True, tie_weights=True
    )


def test_that_an_activation_is_accepted_exactly_if_it_is_this_programs_gelu():
    from transformers.activations import ACT2FN

    x = torch.linspace(-6, 6, 1001)
    for name in ACT2FN:
        if name in ("prelu", "xielu"):  # have weights of their own
            continue
        same = torch.allclose(ACT2FN[name](x), gelu(x, approximate="tanh"), atol=1e-6, rtol=0)
        assert same == (name in published.TANH_GELU), name


@pytest.mark.parametrize(("wrong", "part"), [
    ({"model_type": "gpt_neo"}, "model_type in config.json is 'gpt_neo', but the GPT-2 built here"),
    ({"n_inner": 100}, "n_inner in config.json is 100, but the GPT-2 built here requires 96."),
    ({"activation_function": "gelu"}, "activation_function in config.json is 'gelu'"),
    ({"activation_function": ["relu"]}, "activation_function in config.json is ['relu']"),
    ({"layer_norm_epsilon": 1e-6}, "1e-06, but the GPT-2 built here requires 1e-05. This model"),
    ({"scale_attn_weights": False}, "is False, but the GPT-2 built here requires true"),
    ({"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx in config.json is True"),
    ({"add_cross_attention": True}, "add_cross_attention in config.json is True"),
    ({"quantization_config": {"bits": 4}}, "quantization_config in config.json is {'bits': 4}"),
    ({"auto_map": {"AutoModel": "code.Model"}}, "This model includes its own program code (auto_map in config.json)."),
    ({"n_embd": 0}, "emb_dim is 0; it must be a whole number between 1 and 65,536."),
    ({"n_embd": 10**30}, "emb_dim is 1,000,000,000,000,000,000,000,000,000,000; it must be"),
    ({"n_embd": 24.5}, "n_embd in config.json is 24.5; it must be a whole number."),
    ({"n_head": 5}, "Width (24) must be a multiple of Heads (5)"),
    ({"n_head": "4"}, "n_head in config.json is '4'; it must be a whole number."),
    ({"n_layer": True}, "n_layer in config.json is True; it must be a whole number."),
    ({"n_layer": None}, "n_layer in config.json is None; it must be a whole number."),
    ({"n_positions": [16]}, "n_positions in config.json is [16]; it must be a whole number."),
    ({"embd_pdrop": None}, "embd_pdrop in config.json is None; it must be a number."),
    ({"attn_pdrop": 1.0}, "drop_rate_attn is 1.0; it must be"),
    ({"resid_pdrop": float("nan")}, "drop_rate is nan"),
    ({"tie_word_embeddings": "no"}, "tie_word_embeddings in config.json is 'no'; it must be true or false."),
])
def test_that_a_configuration_of_another_function_is_refused_with_a_message(wrong, part):
    with pytest.raises(WeightsError) as caught:
        published.config_from_huggingface({"model_type": "gpt2"} | THEIRS["tied"] | wrong)
    assert part in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("values", [{}, {"vocab_size": 5}, [], "gpt2", None])
def test_that_a_json_of_something_else_is_refused(values):
    with pytest.raises(WeightsError, match=message("does_say_describes")):
        published.config_from_huggingface(values)


# The book.


@given(configs())
def test_that_the_closed_form_shapes_are_those_of_the_model(config):
    state = checkpoint.weights_of(GPTModel(config))
    assert weight_shapes.our_shapes(config) == shapes_of(state)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("qkv_bias", [True, False])
def test_that_a_model_of_the_books_code_gives_the_same_logits_here(qkv_bias, path):
    theirs = book(SMALL.but(qkv_bias=qkv_bias))
    tensors = theirs.state_dict()
    config = weight_shapes.config_from_shapes(shapes_of(tensors), weight_shapes.BOOK, n_heads=3)
    model = checkpoint.build(config, weights.from_book(tensors, config), path, "cpu")
    with torch.no_grad():
        torch.testing.assert_close(model(tokens(config)), theirs(tokens(config)), atol=1e-4, rtol=0)


@pytest.mark.parametrize("qkv_bias", [True, False])
@pytest.mark.parametrize("tied", [True, False])
def test_that_the_books_code_loads_an_exported_model_strictly_and_gives_its_logits(tied, qkv_bias, tmp_path):
    config = SMALL.but(qkv_bias=qkv_bias, tie_weights=tied)
    mine = ours(config)
    torch.save(weights.to_book(mine, config), tmp_path / "model.pth")
    theirs = book(config)
    fresh = theirs.state_dict()["trf_blocks.1.att.mask"].clone()
    tensors = torch.load(tmp_path / "model.pth", weights_only=True)
    theirs.load_state_dict(tensors, strict=True)
    assert torch.equal(tensors["trf_blocks.1.att.mask"], fresh)
    with torch.no_grad():
        expected = checkpoint.build(config, mine, "reference", "cpu")(tokens(config))
        torch.testing.assert_close(theirs(tokens(config)), expected, atol=1e-4, rtol=0)
    assert_same(weights.from_book(tensors, config), mine)


@given(configs())
def test_that_everything_but_dropout_is_read_from_the_books_shapes(config):
    shapes = {f"module.{name}": shape for name, shape in weight_shapes.our_shapes(config).items()}
    masks = {f"module.trf_blocks.{block}.att.mask": (config.context_length,) * 2 for block in range(config.n_layers)}
    assert weight_shapes.config_from_shapes(shapes | masks, weight_shapes.BOOK, config.n_heads) == config
    found = weight_shapes.config_from_shapes(shapes, weight_shapes.BOOK)
    assert found.n_heads == weight_shapes.likely_heads(config.emb_dim)


@given(configs(qkv_bias=True))
def test_that_everything_but_dropout_is_read_from_hugging_faces_shapes(config):
    shapes = weight_shapes.huggingface_shapes(config)
    assert weight_shapes.config_from_shapes(shapes, weight_shapes.HUGGINGFACE, config.n_heads) == config


@pytest.mark.parametrize("config", PRESETS.values(), ids=PRESETS)
def test_that_the_heads_of_every_published_gpt2_are_the_likely_ones(config):
    assert weight_shapes.likely_heads(config.emb_dim) == config.n_heads
    assert config.n_heads in weight_shapes.possible_heads(config.emb_dim)


def test_that_heads_are_those_that_divide_the_width():
    assert weight_shapes.possible_heads(48) == [1, 2, 3, 4, 6, 8, 12, 16, 24, 48]
    assert weight_shapes.possible_heads(65_536)[-1] == 1_024
    assert weight_shapes.likely_heads(100) == 2  # 1.5625 is not possible
    assert weight_shapes.likely_heads(7) == 1
    assert weight_shapes.likely_heads(96) == 2  # heads of 48 are closer to 64 than one of 96
    with pytest.raises(WeightsError, match=r"12 numbers per token .* among 5 heads\. Possible numbers of heads: 1, 2"):
        weight_shapes.config_from_shapes(weight_shapes.our_shapes(SMALL), weight_shapes.BOOK, n_heads=5)


# Refusals.


def without(*names: str):
    return lambda tensors: {name: tensor for name, tensor in tensors.items() if not name.startswith(names)}


BROKEN = {
    "a tensor is missing": (without("final_norm.shift"), "These weights lack final_norm.shift."),
    "a block is missing": (without("trf_blocks.0."), "These weights lack trf_blocks.0.att.W_query.weight, "),
    "all is missing": (without(""), "These weights lack tok_emb.weight, pos_emb.weight, "),
    "a head for classes": (
        lambda tensors: tensors | {"out_head.bias": torch.zeros(20)}, "These weights contain out_head.bias, which a GPT"
    ),
    "a head of another size": (
        lambda tensors: tensors | {"out_head.weight": torch.zeros(2, 12)},
        "out_head.weight has the shape (2, 12); expected (20, 12)",
    ),
    "many names": (
        lambda tensors: tensors | {f"lora.{i}": torch.zeros(1) for i in range(1_005)},
        "contain lora.0, lora.1, lora.2 (and 1,002 more), which a GPT-2 for text generation does not have",
    ),
    "another name": (
        lambda tensors: without("final_norm.shift")(tensors) | {"final_norm.bias": torch.zeros(12)},
        "they lack final_norm.shift and contain final_norm.bias.",
    ),
    "a name twice": (
        lambda tensors: tensors | {"module.tok_emb.weight": torch.zeros(20, 12)},
        "These weights contain tok_emb.weight twice",
    ),
    "whole numbers": (
        lambda tensors: tensors | {"pos_emb.weight": torch.zeros(6, 12).to(torch.int8)},
        "pos_emb.weight is of type int8",
    ),
    "numbers of eight bits": (
        lambda tensors: tensors | {"pos_emb.weight": torch.zeros(6, 12).to(torch.float8_e4m3fn)},
        "is of type float8_e4m3fn",
    ),
    "no numbers": (
        lambda tensors: tensors | {"pos_emb.weight": torch.zeros(6, 12, device="meta")}, "pos_emb.weight is of type"
    ),
    "a sparse tensor": (
        lambda tensors: tensors | {"pos_emb.weight": torch.zeros(6, 12).to_sparse()}, "pos_emb.weight is of type"
    ),
    "no tensor": (lambda tensors: tensors | {"pos_emb.weight": [1.0]}, "pos_emb.weight is of type list"),
}


@pytest.mark.parametrize(("broken", "part"), BROKEN.values(), ids=BROKEN)
def test_that_weights_of_another_model_are_refused_by_name(broken, part):
    tensors = broken(ours(SMALL))
    with pytest.raises(WeightsError) as caught:
        weights.from_book(tensors, SMALL)
    assert part in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("way", ["book", "huggingface"])
def test_that_a_block_missing_before_the_last_is_reported_by_name(way):
    deep = SMALL.but(n_layers=4)
    shapes, layout = (weight_shapes.our_shapes(deep), weight_shapes.BOOK) if way == "book" else (
        weight_shapes.huggingface_shapes(deep), weight_shapes.HUGGINGFACE
    )
    blocks = layout.blocks
    for gone in range(3):
        with pytest.raises(WeightsError, match=rf"These weights lack {blocks}\.{gone}\."):
            weight_shapes.config_from_shapes(without(f"{blocks}.{gone}.")(shapes), layout, 3)
    assert weight_shapes.config_from_shapes(without(f"{blocks}.3.")(shapes), layout, 3).n_layers == 3
    with pytest.raises(WeightsError, match=rf"These weights lack {blocks}\.0\."):
        weight_shapes.config_from_shapes(without(f"{blocks}.")(shapes), layout, 3)


@pytest.mark.parametrize("shape", [(), (20,), (20, 12, 1), (0, 0), (20, 0), (-3, 12), (2_000_000, 12), (20, 100_000)])
@pytest.mark.parametrize("name", ["tok_emb.weight", "wte.weight"])
def test_that_shapes_of_no_model_are_refused(name, shape):
    shapes, layout = (weight_shapes.our_shapes(SMALL), weight_shapes.BOOK) if name == "tok_emb.weight" else (
        weight_shapes.huggingface_shapes(SMALL), weight_shapes.HUGGINGFACE
    )
    with pytest.raises(WeightsError):
        weight_shapes.config_from_shapes(shapes | {name: shape}, layout)


def test_that_a_hostile_name_is_shown_short_and_harmless():
    shapes = weight_shapes.our_shapes(SMALL) | {"\x1b[31m\n" + "x" * 1_000_000: (1,)}
    with pytest.raises(WeightsError) as caught:
        weight_shapes.config_from_shapes(shapes, weight_shapes.BOOK)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    with pytest.raises(WeightsError) as caught:
        weight_shapes.config_from_shapes(
            weight_shapes.our_shapes(SMALL) | {"final_norm.shift": (10**50,) * 10_000}, weight_shapes.BOOK)
    assert len(str(caught.value)) < 600


TENSORS = st.sampled_from([
    torch.zeros(()), torch.zeros(12), torch.zeros(20, 12), torch.zeros(6, 12), torch.zeros(12, 36), torch.zeros(36, 12),
    torch.zeros(12, 12), torch.zeros(0), torch.zeros(12, dtype=torch.int64), torch.zeros(2, 2, dtype=torch.complex64),
    None, 5, "text",
])
NAMES = st.sampled_from([
    *weight_shapes.huggingface_shapes(SMALL), *weight_shapes.our_shapes(SMALL), "transformer.h.0.attn.bias",
    "h.7.ln_1.weight",
    "trf_blocks.99999999999999999999.att.mask", "h.\u0663.ln_1.weight", "", ".", "module.", 7,
]) | st.text(max_size=8)


@given(
    st.sampled_from(["book", "huggingface"]), st.dictionaries(NAMES, TENSORS, max_size=6),
    st.sets(st.integers(0, 40), max_size=3), st.booleans(),
)
def test_that_broken_weights_raise_only_a_weights_error(kind, changed, gone, tied):
    config = TIED if tied else SMALL
    made = weights.to_book(ours(config), config) if kind == "book" else weights.to_huggingface(ours(config), config)
    tensors = {name: tensor for i, (name, tensor) in enumerate(made.items()) if i not in gone} | changed
    shapes = {name: tuple(getattr(tensor, "shape", ())) for name, tensor in tensors.items()}
    layout = weight_shapes.BOOK if kind == "book" else weight_shapes.HUGGINGFACE
    read = weights.from_book if kind == "book" else weights.from_huggingface
    for attempt in (lambda: weight_shapes.config_from_shapes(shapes, layout),
                    lambda: checkpoint.build(config, read(tensors, config), "fast", "cpu")):
        with suppress(WeightsError):
            attempt()


KEYS = ["auto_map", "n_inner", *published.ARITHMETIC, *chain(*(keys for _, *keys in published.FIELDS.values()))]


@given(st.dictionaries(
    st.sampled_from(KEYS),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
))
def test_that_a_broken_configuration_raises_only_a_weights_error(values):
    try:
        config = published.config_from_huggingface({"model_type": "gpt2"} | values)
    except WeightsError:
        return
    assert GPTConfig.problems(config.shallow()) == []
