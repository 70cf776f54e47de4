"""Checkpoints of nanoGPT are opened as the model that they are, and files of llm.c are called what they are. Both are
written here, from what the formats say."""

import struct

import pytest
import torch
from messages import message
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear, scaled_dot_product_attention

from gptstudio.training import checkpoint
from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError

V, T, D, H, L = 120, 16, 48, 6, 3
IDS = torch.arange(12)[None] * 7


def state_dict(bias: bool = True) -> dict[str, torch.Tensor]:
    """The tensors of nanoGPT's GPT; every one wide enough to matter. The output layer is the token embedding."""
    generator = torch.Generator().manual_seed(3)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator) * 0.2

    state = {"transformer.wte.weight": drawn(V, D), "transformer.wpe.weight": drawn(T, D)}
    for i in range(L):
        for name, rows, columns in (
            ("attn.c_attn", 3 * D, D), ("attn.c_proj", D, D), ("mlp.c_fc", 4 * D, D), ("mlp.c_proj", D, 4 * D)
        ):
            state[f"transformer.h.{i}.{name}.weight"] = drawn(rows, columns)
            state[f"transformer.h.{i}.{name}.bias"] = drawn(rows)
        for name in ("ln_1", "ln_2"):
            state |= {f"transformer.h.{i}.{name}.weight": 1 + drawn(D), f"transformer.h.{i}.{name}.bias": drawn(D)}
    state |= {"transformer.ln_f.weight": 1 + drawn(D), "transformer.ln_f.bias": drawn(D)}
    state["lm_head.weight"] = state["transformer.wte.weight"]
    return state if bias else {name: tensor for name, tensor in state.items() if not name.endswith(".bias")}


def logits(state: dict[str, torch.Tensor]) -> torch.Tensor:
    """Its forward pass, with GPT-2's GELU."""

    def part(name: str) -> tuple[torch.Tensor, torch.Tensor | None]:
        return state[f"transformer.{name}.weight"], state.get(f"transformer.{name}.bias")

    x = state["transformer.wte.weight"][IDS] + state["transformer.wpe.weight"][: IDS.shape[1]]
    for i in range(L):
        h = linear(layer_norm(x, (D,), *part(f"h.{i}.ln_1")), *part(f"h.{i}.attn.c_attn"))
        q, k, v = (each.unflatten(2, (H, -1)).transpose(1, 2) for each in h.split(D, dim=2))
        h = scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(h, *part(f"h.{i}.attn.c_proj"))
        h = linear(layer_norm(x, (D,), *part(f"h.{i}.ln_2")), *part(f"h.{i}.mlp.c_fc"))
        x = x + linear(gelu(h, approximate="tanh"), *part(f"h.{i}.mlp.c_proj"))
    return linear(layer_norm(x, (D,), *part("ln_f")), state["lm_head.weight"])


def saved(path, state: dict[str, torch.Tensor], heads: int | None = H, prefix: str = ""):
    """A ckpt.pt, with what nanoGPT's train.py puts beside the weights."""
    parameters = [torch.nn.Parameter(tensor.clone()) for tensor in list(state.values())[:4]]
    optimizer = torch.optim.AdamW(parameters, lr=1e-3)
    cross_entropy(parameters[0], torch.zeros(len(parameters[0]), dtype=torch.long)).backward()
    optimizer.step()
    arguments = {"n_layer": L, "n_head": heads, "n_embd": D, "block_size": T, "bias": True, "vocab_size": V}
    torch.save({
        "model": {prefix + name: tensor for name, tensor in state.items()}, "optimizer": optimizer.state_dict(),
        **({"model_args": arguments} if heads else {}), "iter_num": 2000, "best_val_loss": torch.tensor(1.5),
        "config": {"out_dir": "out", "compile": True, "learning_rate": 1e-3, "always_save_checkpoint": False},
    }, path)
    return path


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("prefix", ["", "_orig_mod."])
def test_that_a_checkpoint_of_nanogpt_is_the_model_that_it_was(tmp_path, bias, prefix):
    state = state_dict(bias)
    found = importing.inspect(saved(tmp_path / "ckpt.pt", state, prefix=prefix))
    assert (found.kind, found.name, found.heads_read, found.config.n_heads) == ("nanogpt", "ckpt", True, H)
    assert (found.config.vocab_size, found.config.context_length, found.config.tie_weights) == (V, T, True)
    model = checkpoint.build(found.config, importing.read(found), "reference", "cpu").eval()
    with torch.no_grad():
        assert torch.allclose(model(IDS), logits(state), atol=1e-4)
    assert importing.import_weights(found).path.is_dir()


def test_that_the_heads_are_asked_for_where_the_file_does_not_say(tmp_path):
    path = saved(tmp_path / "ckpt.pt", state_dict(), heads=None)
    assert not importing.inspect(path).heads_read
    assert importing.inspect(path, n_heads=H).config.n_heads == H


def test_that_other_heads_than_the_file_says_are_refused(tmp_path):
    with pytest.raises(ExchangeError, match="it has 6 heads, not 4"):
        importing.inspect(saved(tmp_path / "ckpt.pt", state_dict()), n_heads=4)


def test_that_an_incomplete_checkpoint_is_refused(tmp_path):
    state = state_dict()
    del state["transformer.h.1.mlp.c_fc.weight"]
    with pytest.raises(ExchangeError, match="lack"):
        importing.inspect(saved(tmp_path / "ckpt.pt", state))


def test_that_a_file_of_llm_c_is_called_what_it_is(tmp_path):
    """256 whole numbers at its head: the magic number, the version, and the sizes of the model."""
    path = tmp_path / "gpt2_124M.bin"
    path.write_bytes(struct.pack("<256i", 20240326, 3, T, V, L, H, D, 128, *[0] * 248) + bytes(4000))
    with pytest.raises(ExchangeError) as refused:
        importing.inspect(path)
    assert message("weights_of_llm_c") in str(refused.value)
