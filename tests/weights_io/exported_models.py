"""Models that are exported in each format, and the tokens that the program's decoder generates with them."""

from functools import cache
from pathlib import Path

import torch

from gptstudio import devices
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.training import checkpoint, model_source
from gptstudio.training.model_source import LoadableModel, SavedModel, UntrainedModel

SMALL = GPTConfig(context_length=48, emb_dim=32, n_heads=4, n_layers=2)
TINY = GPTConfig(vocab_size=64, context_length=8, emb_dim=8, n_heads=2, n_layers=1)
SHAPES = {
    "the book's": SMALL,
    "tied": SMALL.but(tie_weights=True),
    "with biases": SMALL.but(qkv_bias=True),
    "OpenAI's": SMALL.but(qkv_bias=True, tie_weights=True, drop_rate_attn=0.3),
    "more rows than tokens": SMALL.but(vocab_size=50_304),
}
TINY_VOCABULARY = TINY.but(context_length=24)
SAVED = {
    "the book's": SMALL,
    "OpenAI's, with more rows than tokens": SMALL.but(qkv_bias=True, tie_weights=True, vocab_size=50_304),
    "another vocabulary": TINY_VOCABULARY,
    "another vocabulary, tied, with biases": TINY_VOCABULARY.but(tie_weights=True, qkv_bias=True),
}
"""Shapes of the saved models: each feature that a format may treat specially is in one of them, and not in another."""
PROMPT = "Every effort moves you"
TEXTS = [
    PROMPT, "", " \n\n two  spaces\tand a tab ", "It's we'll they'd I'M", "naïve café, 東京 👩‍👩‍👧 \u202e",
    "one<|endoftext|>two", "a" * 200, "1234567 x=[1,2];\r\n", "\x00\x07\ufffd",
]
PROMPT_IDS = (3, 14, 15, 9)
"""Tokens of every vocabulary here."""
NEW = 12
CLEAR = 5
"""A seed with which the two most probable tokens are nowhere closer than 2 % of the standard deviation of the logits.
Those of llama.cpp differ from ours by up to 0.3 %, since it computes GELU in half precision."""


def saved(run: Path, config: GPTConfig, seed: int = CLEAR) -> SavedModel:
    """Return a model whose parameters are neither 0 nor 1, in the folder of a checkpoint."""
    model = model_source.load(UntrainedModel(config, seed=seed), devices.cpu())
    draws = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():  # an equally wide tied embedding would repeat its own token
            parameter.add_(torch.randn(parameter.shape, generator=draws) * (0.02 if "tok_emb" in name else 0.3))
    state = checkpoint.State(config=config, step=3, epoch=0, tokens_seen=0, val_loss=None)
    return SavedModel(checkpoint.write(checkpoint.weights_of(model), run / "checkpoints", state))


def weights_of(origin: LoadableModel) -> dict[str, torch.Tensor]:
    return checkpoint.weights_of(model_source.load(origin, devices.cpu(), "reference"))


@cache
def greedy(origin: LoadableModel) -> list[int]:
    """Return the prompt and the most probable tokens after it, by the program's decoder."""
    decoder, ids = Decoder(model_source.load(origin, devices.cpu()), origin.name), list(PROMPT_IDS)
    for _ in range(NEW):
        ids.append(int(decoder.next_logits([ids]).argmax()))
    return ids

