"""Logits on a GPU equal those of the processor, on every path."""

import pytest
import torch
from on_gpu import DEVICE, model_on, relative

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast.graph_model import GraphModel
from gptstudio.gpt.fast.kv_cache import KVCache

CONFIGS = {
    "small": GPTConfig(vocab_size=500, context_length=64, emb_dim=64, n_heads=4, n_layers=3),
    "tied, with biases": GPTConfig(
        vocab_size=1_000, context_length=48, emb_dim=96, n_heads=6, n_layers=2, qkv_bias=True, tie_weights=True),
    "odd": GPTConfig(vocab_size=509, context_length=37, emb_dim=69, n_heads=3, n_layers=2),
    "one number a head": GPTConfig(vocab_size=97, context_length=16, emb_dim=5, n_heads=5, n_layers=1),
    "wide": GPTConfig(vocab_size=50_257, context_length=128, emb_dim=256, n_heads=4, n_layers=4),
}
ALLOWED = {"fp32": 1e-4, "bf16": 2e-2}

each_config = pytest.mark.parametrize("cfg", CONFIGS.values(), ids=CONFIGS.keys())


def texts_of(cfg: GPTConfig, rows: int, tokens: int) -> list[list[int]]:
    generator = torch.Generator().manual_seed(5)
    return torch.randint(0, cfg.vocab_size, (rows, tokens), generator=generator).tolist()


@each_config
@pytest.mark.parametrize("path", ["reference", "fast"])
def test_that_a_whole_pass_gives_the_logits_of_the_processor(cfg, path):
    ids = torch.tensor(texts_of(cfg, 2, cfg.context_length))
    with torch.no_grad():
        expected = model_on("cpu", cfg, "reference")(ids)
        found = model_on(DEVICE, cfg, path)(ids.to(DEVICE))
    assert relative(found, expected) < ALLOWED["fp32"]


@each_config
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("rows", [1, 3])
def test_that_every_token_decoded_has_the_logits_of_a_whole_pass(cfg, precision, rows):
    """From the first token past the end of the context, where the window slides."""
    texts, exact = texts_of(cfg, rows, cfg.context_length + 2), model_on("cpu", cfg, "reference")
    decoder = Decoder(model_on(DEVICE, cfg), weights=precision)
    for length in [*range(1, 8), *range(cfg.context_length - 2, cfg.context_length + 3)]:
        read = [text[:length] for text in texts]
        with torch.no_grad():
            expected = exact(torch.tensor([text[-cfg.context_length :] for text in read]))[:, -1]
        assert relative(decoder.next_logits(read), expected) < ALLOWED[precision], length


@each_config
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_that_a_text_is_read_with_the_logits_of_the_processor(cfg, precision):
    (ids,), exact = texts_of(cfg, 1, cfg.context_length + 5), Decoder(model_on("cpu", cfg, "reference"))
    decoder = Decoder(model_on(DEVICE, cfg), weights=precision)
    expected = torch.stack([logits for _, logits in exact.read(ids)])
    found = torch.stack([logits for _, logits in decoder.read(ids)])
    assert relative(found, expected) < ALLOWED[precision]


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_that_texts_that_diverge_and_go_back_have_their_own_logits(precision):
    """Rows of the cache are exchanged, and a captured step reads the current ones."""
    cfg = CONFIGS["small"]
    exact, decoder = model_on("cpu", cfg, "reference"), Decoder(model_on(DEVICE, cfg), weights=precision)
    stem = texts_of(cfg, 1, 6)[0]
    asked = [
        [stem], [[*stem, 1]], [[*stem, 1, 2]], [[*stem, 3], [*stem, 4]], [[*stem, 4, 5], [*stem, 3, 6]],
        [[*stem, 4, 5, 7], [*stem, 4, 5, 8]], [[*stem, 3, 6, 9], [*stem, 4, 5, 9]], [stem[:3]], [[*stem[:3], 11]],
    ]
    for texts in asked:
        with torch.no_grad():
            expected = exact(torch.tensor(texts))[:, -1]
        assert relative(decoder.next_logits(texts), expected) < ALLOWED[precision], texts


@pytest.mark.parametrize("compiled", [False, True], ids=["launched", "compiled"])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_that_a_captured_step_gives_the_same_logits(precision, compiled):
    cfg = CONFIGS["wide"]
    decoding = GraphModel(model_on(DEVICE, cfg), precision, compiled)
    cache = KVCache(cfg, 2, DEVICE, decoding.dtype, masked=True)
    decoding(torch.tensor([[1, 2, 3], [4, 5, 6]]), cache=cache, last_only=True)
    first = decoding(torch.tensor([[7], [8]]), cache=cache, last_only=True)
    exact = model_on("cpu", cfg, "reference")
    with torch.no_grad():
        assert relative(first[:, 0], exact(torch.tensor([[1, 2, 3, 7], [4, 5, 6, 8]]))[:, -1]) < ALLOWED[precision]
    assert decoding.is_captured(cache) == DEVICE.startswith("cuda")
    for _ in range(3):
        cache.truncate(3)
        again = decoding(torch.tensor([[7], [8]]), cache=cache, last_only=True)
        assert torch.equal(again, first) or relative(again, first) < 1e-5


def test_that_equal_logits_are_ranked_by_their_token_on_a_gpu_too():
    model = model_on(DEVICE, CONFIGS["small"])
    with torch.no_grad():
        model.out_head.weight[:] = model.out_head.weight[7]
    logits = Decoder(model, weights="fp32").next_logits([[1, 2, 3]])
    assert int(logits[0].argmax()) == int(logits[0].numpy().argmax())
    assert float(logits.max() - logits.min()) < 1e-5
