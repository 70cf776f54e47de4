"""Checkpoints of nanoGPT are opened as the model that was saved, and files of llm.c are identified. Both are written
here from the descriptions of the formats."""

import os
import pickle
import struct

import pytest
import torch
from messages import message
from strange_texts import written
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear, scaled_dot_product_attention

from gptstudio.errors import UserError
from gptstudio.training import checkpoint, model_source
from gptstudio.weights_io import importing
from gptstudio.weights_io.refusals import ExchangeError

V, T, D, H, L = 120, 16, 48, 6, 3
IDS = torch.arange(12)[None] * 7


def state_dict(bias: bool = True) -> dict[str, torch.Tensor]:
    """Return the tensors of nanoGPT's GPT, all with noticeable values. The output layer is the token embedding."""
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
    """Return the logits of its forward pass, with GPT-2's GELU."""

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
    """Save a ckpt.pt, with the values that nanoGPT's train.py saves with the weights."""
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
def test_that_a_checkpoint_of_nanogpt_gives_its_models_logits(tmp_path, bias, prefix):
    state = state_dict(bias)
    found = importing.inspect(saved(tmp_path / "ckpt.pt", state, prefix=prefix))
    assert importing.inspect(tmp_path).files == found.files, "the folder that nanoGPT writes"
    assert (found.kind, found.name, found.heads_read, found.config.n_heads) == ("nanogpt", tmp_path.name, True, H)
    assert (found.config.vocab_size, found.config.context_length, found.config.tie_weights) == (V, T, True)
    model = checkpoint.build(found.config, importing.read(found), "reference", "cpu").eval()
    with torch.no_grad():
        assert torch.allclose(model(IDS), logits(state), atol=1e-4)
    assert importing.import_weights(found).path.is_dir()


def test_that_the_heads_are_asked_for_where_the_file_does_not_give_them(tmp_path):
    path = saved(tmp_path / "ckpt.pt", state_dict(), heads=None)
    assert not importing.inspect(path).heads_read
    assert importing.inspect(path, n_heads=H).config.n_heads == H


def test_that_other_heads_than_those_of_the_file_are_refused(tmp_path):
    with pytest.raises(ExchangeError, match="it has 6 heads, not 4"):
        importing.inspect(saved(tmp_path / "ckpt.pt", state_dict()), n_heads=4)


def test_that_an_incomplete_checkpoint_is_refused(tmp_path):
    state = state_dict()
    del state["transformer.h.1.mlp.c_fc.weight"]
    with pytest.raises(ExchangeError, match="lack"):
        importing.inspect(saved(tmp_path / "ckpt.pt", state))


CHARACTERS = sorted(set("\n !,.:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\u00e9\u4e2d"))
TABLE = {"vocab_size": len(CHARACTERS), "itos": dict(enumerate(CHARACTERS)),
         "stoi": {character: number for number, character in enumerate(CHARACTERS)}}


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_that_the_characters_beside_a_checkpoint_are_its_tokens(tmp_path, protocol):
    path = saved(tmp_path / "ckpt.pt", state_dict())
    (tmp_path / "meta.pkl").write_bytes(pickle.dumps(TABLE, protocol))
    model = importing.import_weights(importing.inspect(path))
    tokenizer, text = model_source.tokenizer_of(model), "To be, or not to be: \u4e2d!\n"
    assert (model_source.config_of(model).vocabulary, tokenizer.end) == ("characters", None)
    assert tokenizer.encode(text) == [TABLE["stoi"][character] for character in text]
    assert tokenizer.decode(tokenizer.encode(text)) == text
    with pytest.raises(UserError, match="has no token"):
        tokenizer.encode("#")
    assert written(model, "To be")


class Program:
    """An attacker's payload in a pickle."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


TABLES = {
    "a program": (lambda ran: Program(ran), r"refers to posix\.mkdir|refers to nt\.mkdir"),
    "a program beside the characters": (lambda ran: TABLE | {"more": Program(ran)}, "refers to"),
    "a class of torch": (lambda ran: TABLE | {"more": torch.float32}, "refers to"),
    "words": (lambda ran: {"vocab_size": 1, "itos": {0: "word"}, "stoi": {"word": 0}}, "not a table of characters"),
    "gaps": (lambda ran: TABLE | {"itos": {1: "a"}}, "not a table of characters"),
    "another table": (lambda ran: TABLE | {"stoi": {}}, "not a table of characters"),
    "another size": (lambda ran: TABLE | {"vocab_size": 7}, "not a table of characters"),
    "one character twice": (lambda ran: {"vocab_size": 2, "itos": {0: "a", 1: "a"}, "stoi": {"a": 1}}, "not a table"),
    "half a character": (lambda ran: {"vocab_size": 1, "itos": {0: "\ud800"}, "stoi": {"\ud800": 0}}, "not a table"),
    "a list": (lambda ran: [TABLE], "not a table of characters"),
    "more characters than rows": (lambda ran: {
        "vocab_size": V + 1, "itos": {n: chr(0x4E00 + n) for n in range(V + 1)},
        "stoi": {chr(0x4E00 + n): n for n in range(V + 1)}}, "has 121 tokens, but its weights have rows for only 120"),
}


@pytest.mark.parametrize(("table", "words"), TABLES.values(), ids=TABLES)
def test_that_an_invalid_table_of_characters_is_refused_and_nothing_of_it_runs(tmp_path, table, words):
    path = saved(tmp_path / "ckpt.pt", state_dict())
    (tmp_path / "meta.pkl").write_bytes(pickle.dumps(table(tmp_path / "ran")))
    with pytest.raises(ExchangeError, match=words):
        importing.inspect(path)
    assert not (tmp_path / "ran").exists()


def test_that_a_table_that_is_cut_off_is_refused(tmp_path):
    path = saved(tmp_path / "ckpt.pt", state_dict())
    (tmp_path / "meta.pkl").write_bytes(pickle.dumps(TABLE)[:-30])
    with pytest.raises(ExchangeError, match=r"meta\.pkl was not opened: its contents cannot be read"):
        importing.inspect(path)


def test_that_a_file_of_llm_c_is_identified(tmp_path):
    """256 integers at its head: the magic number, the version, and the sizes of the model."""
    path = tmp_path / "gpt2_124M.bin"
    path.write_bytes(struct.pack("<256i", 20240326, 3, T, V, L, H, D, 128, *[0] * 248) + bytes(4000))
    with pytest.raises(ExchangeError) as refused:
        importing.inspect(path)
    assert message("weights_of_llm_c") in str(refused.value)
