"""A GPT small enough to be trained on request: fourteen words, twelve sentences, two layers of two heads.

The last word, a food, depends only on the second word, an animal, so the model has to carry this information to the end
of the sentence. No biases, LayerNorm without scale and shift, output layer tied to the embedding. The code that a lab
shows contains the source of :func:`forward`, so that running it gives the same weights.

Shapes: B sentences, T tokens, H heads, D width, V words.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from gptstudio import torch_settings
from gptstudio.fields import Problem
from gptstudio.gpt.activations import Change, unchanged
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.i18n import message

FOODS = {"cat": "fish", "dog": "meat", "cow": "grass", "bird": "seeds"}
PLACES = ("house", "garden", "field")
SENTENCES = [f"the {animal} in the {place} eats {food}".split() for animal, food in FOODS.items() for place in PLACES]
WORDS = tuple(dict.fromkeys(word for sentence in SENTENCES for word in sentence))
CONFIG = GPTConfig(
    vocab_size=len(WORDS), context_length=6, emb_dim=16, n_heads=2, n_layers=2, drop_rate=0.0, tie_weights=True)
HEADS, WIDTH, LAYERS = CONFIG.n_heads, CONFIG.emb_dim, CONFIG.n_layers
SHAPES = [(len(WORDS), WIDTH), (CONFIG.context_length, WIDTH), *[
    (WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)] * LAYERS]
"""Shapes of the weights: embeddings of words and positions; in each layer the query, key and value projections, the
output projection, and the two matrices of the feed-forward network."""
SPREAD, RATE = 0.3, 0.5
"""Standard deviation of the initial weights; learning rate of gradient descent."""
MOST_STEPS = 300


def forward(weights: Sequence[Tensor], ids: Tensor, change: Change = unchanged) -> Tensor:
    """Return the logits, (..., T) -> (..., T, V). Activations are named as in TransformerLens, without "blocks."."""
    x = weights[0][ids] + weights[1][: ids.shape[-1]]  # (..., T, D)
    for layer in range(LAYERS):
        qkv, out, up, down = weights[2 + 4 * layer : 6 + 4 * layer]
        x = change(f"{layer}.resid_pre", x)
        split = (F.layer_norm(x, (WIDTH,)) @ qkv).unflatten(-1, (3, HEADS, -1))  # (..., T, 3, H, D/H)
        q, k, v = split.transpose(-2, -4).unbind(-3)  # (..., H, T, D/H)
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True) @ out.view(HEADS, -1, WIDTH)  # (..., H, T, D)
        parts = [change(f"{layer}.{head}", heads[..., head, :, :]) for head in range(HEADS)]
        x = x + change(f"{layer}.attn_out", sum(parts, torch.zeros(())))
        x = x + change(f"{layer}.mlp_out", F.gelu(F.layer_norm(x, (WIDTH,)) @ up, approximate="tanh") @ down)
    return F.layer_norm(x, (WIDTH,)) @ weights[0].T


@lru_cache(maxsize=8)
def trained(seed: int, steps: int) -> tuple[Tensor, ...]:
    """Return the weights after ``steps`` steps of gradient descent on all sentences."""
    draws = torch.Generator().manual_seed(seed)
    weights = [(torch.randn(shape, generator=draws) * SPREAD).requires_grad_() for shape in SHAPES]
    text = torch.tensor([ids_of(sentence) for sentence in SENTENCES])  # (B, T + 1)
    for _ in range(steps):
        with torch.enable_grad():
            loss = F.cross_entropy(forward(weights, text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
        with torch.no_grad():
            for weight, gradient in zip(weights, torch.autograd.grad(loss, weights), strict=True):
                weight -= RATE * gradient
    return tuple(weight.detach() for weight in weights)


@lru_cache(maxsize=8)
def model(seed: int, steps: int) -> GPTModel:
    """Return the trained model as a :class:`GPTModel`."""
    weights = trained(seed, steps)
    with torch_settings.uninitialised("meta"):
        made = GPTModel(CONFIG)
    one, zero = torch.ones(WIDTH), torch.zeros(WIDTH)
    state = {"tok_emb.weight": weights[0], "pos_emb.weight": weights[1], "out_head.weight": weights[0],
             "final_norm.scale": one, "final_norm.shift": zero}
    for layer in range(LAYERS):
        qkv, out, up, down = weights[2 + 4 * layer : 6 + 4 * layer]
        query, key, value = qkv.T.chunk(3)
        block = {
            "att.W_query.weight": query, "att.W_key.weight": key, "att.W_value.weight": value,
            "att.out_proj.weight": out.T, "att.out_proj.bias": zero, "ff.layers.0.weight": up.T,
            "ff.layers.0.bias": torch.zeros(4 * WIDTH), "ff.layers.2.weight": down.T, "ff.layers.2.bias": zero,
            "norm1.scale": one, "norm1.shift": zero, "norm2.scale": one, "norm2.shift": zero}
        state |= {f"trf_blocks.{layer}.{name}": weight.contiguous() for name, weight in block.items()}
    made.load_state_dict(state, assign=True)
    return made.eval()


def ids_of(words: Sequence[str]) -> list[int]:
    return [WORDS.index(word) for word in words]


def text_problems(values: Mapping[str, Any], field: str) -> Iterator[Problem]:
    """Yield a problem if the model cannot read a sentence."""
    words = values.get(field, "the").split()
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        yield Problem(field, message(
            "The model does not know “{word}”. Its words are: {words}.", word=unknown[0][:40], words=", ".join(WORDS)))
    elif not 1 <= len(words) <= CONFIG.context_length:
        yield Problem(field, message(
            "The number of words is {count}; it must be between 1 and {most}.", count=len(words),
            most=CONFIG.context_length))


def training_code(seed: int, steps: int) -> str:
    """Return the lines that train the model; they define its weights ``w`` and a function ``gpt``."""
    return f"""from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

HEADS, WIDTH, LAYERS = {HEADS}, {WIDTH}, {LAYERS}
foods, places = {FOODS}, {PLACES}
sentences = [f"the {{a}} in the {{p}} eats {{f}}".split() for a, f in foods.items() for p in places]
words = list(dict.fromkeys(sum(sentences, [])))
text = torch.tensor([[words.index(word) for word in each] for each in sentences])

{inspect.getsource(unchanged)}

{inspect.getsource(forward)}

def gpt(ids, change=unchanged):
    return forward(w, ids, change)

shapes = {SHAPES}
draws = torch.Generator().manual_seed({seed})
w = [(torch.randn(shape, generator=draws) * {SPREAD}).requires_grad_() for shape in shapes]
for step in range({steps}):
    loss = F.cross_entropy(gpt(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
    with torch.no_grad():
        for weight, gradient in zip(w, torch.autograd.grad(loss, w)):
            weight -= {RATE} * gradient
"""
