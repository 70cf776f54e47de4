"""Four implementations of the same GPT-2: this program, the book's own code, nanoGPT's recipe and ``transformers``.
Each trains on the same batch and decodes the same text, as a separate program would.

nanoGPT's recipe is re-expressed with torch's own layers: fused queries, keys and values, torch's fused attention and
GELU, tied weights, bf16 autocast, fused AdamW with betas 0.9 and 0.95 and clipped gradients, as in its published
settings, without ``torch.compile`` (a separate row where there is a GPU).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio import devices
from gptstudio.data.texts import Label
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.memory import Weights
from gptstudio.training.corpus import Corpus
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState, build_state
from gptstudio.training.trainer import training_step

Step = Callable[[], object]
Batch = tuple[Tensor, Tensor]


# Training: each returns a function that takes one step.


def our_training(cfg: GPTConfig, batch: Batch, bf16: bool, device: str, compiled: bool = False) -> Step:
    """Return a step as ``training/trainer.py`` takes it, with the gradients freed after it."""
    state = our_state(cfg, len(batch[0]), bf16, device, compiled)

    def step() -> None:
        training_step(state, [batch])
        state.free_gradients()

    return step


def our_state(cfg: GPTConfig, batch_size: int, bf16: bool, device: str, compiled: bool = False) -> TrainState:
    """Return the state of a run before its first step, on any text."""
    spec = TrainSpec(config=cfg, batch_size=batch_size, device=device, precision="bf16" if bf16 else "fp32")
    ids = range(2 * cfg.context_length * batch_size)
    return build_state(spec, Corpus(ids, ids, Label("", "")), devices.choose(device), bf16, compiled=compiled)


def book_training(cfg: GPTConfig, batch: Batch, bf16: bool, device: str) -> Step:
    """Return a step as ``train_model_simple`` takes it: float32 on every device."""
    model = book_model(cfg).to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=0.1)
    inputs, targets = (part.to(device) for part in batch)

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).backward()
        optimizer.step()

    return step


def transformers_training(cfg: GPTConfig, batch: Batch, bf16: bool, device: str) -> Step:
    """Return a step as its documentation shows it, with autocast if ``bf16`` is true."""
    model = transformers_model(cfg).to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=0.1)
    inputs = batch[0].to(device)

    def step() -> None:
        optimizer.zero_grad()
        with _autocast(device, bf16):
            loss = model(inputs, labels=inputs).loss
        loss.backward()
        optimizer.step()

    return step


def nanogpt_training(cfg: GPTConfig, batch: Batch, bf16: bool, device: str, compiled: bool = False) -> Step:
    """Return a step with nanoGPT's settings."""
    model: nn.Module = NanoGPT(cfg).to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    model = torch.compile(model) if compiled else model
    inputs, targets = (part.to(device) for part in batch)

    def step() -> None:
        with _autocast(device, bf16):
            logits = model(inputs)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


# Decoding: each returns a function that continues a text by a number of tokens, the most likely each time.


def our_decoding(cfg: GPTConfig, ids: Sequence[int], weights: Weights, device: str) -> Callable[[int], object]:
    decoder = Decoder(build_model(cfg, "fast").to(device).eval(), weights=weights)

    def write(tokens: int) -> list[int]:
        text = list(ids)
        for _ in range(tokens):
            text.append(int(decoder.next_logits([text])[0].argmax()))
        return text

    return write


def transformers_static_decoding(cfg: GPTConfig, ids: Sequence[int], device: str) -> Callable[[int], object]:
    """Return ``generate`` of transformers with a static cache, which compiles the model into CUDA graphs; in bf16."""
    model = transformers_model(cfg).to(device).bfloat16().eval()
    begun = torch.tensor([ids], device=device)

    @torch.no_grad()
    def write(tokens: int) -> Tensor:
        return model.generate(
            begun, attention_mask=torch.ones_like(begun), max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False,
            cache_implementation="static", pad_token_id=0)

    return write


def book_decoding(cfg: GPTConfig, ids: Sequence[int], device: str) -> Callable[[int], object]:
    from llms_from_scratch.ch04 import generate_text_simple

    model, text = book_model(cfg).to(device).eval(), torch.tensor([ids], device=device)
    return lambda tokens: generate_text_simple(model, text, tokens, cfg.context_length)


def nanogpt_decoding(cfg: GPTConfig, ids: Sequence[int], device: str) -> Callable[[int], object]:
    """Return decoding without a cache, because its ``generate`` has none."""
    model, begun = NanoGPT(cfg).to(device).eval(), torch.tensor([ids], device=device)

    @torch.no_grad()
    def write(tokens: int) -> Tensor:
        text = begun
        for _ in range(tokens):
            text = torch.cat([text, model(text, last_only=True)[:, -1].argmax(-1, keepdim=True)], dim=1)
        return text

    return write


def transformers_decoding(cfg: GPTConfig, ids: Sequence[int], device: str) -> Callable[[int], object]:
    """Return decoding with the cache of transformers, one call for each token; its ``generate`` is slower."""
    model, begun = transformers_model(cfg).to(device).eval(), torch.tensor([ids], device=device)

    @torch.no_grad()
    def write(tokens: int) -> None:
        text, cache = begun, None
        for _ in range(tokens):
            out = model(text, past_key_values=cache, use_cache=True, logits_to_keep=1)
            text, cache = out.logits[:, -1].argmax(-1, keepdim=True), out.past_key_values

    return write


# The models.


def book_model(cfg: GPTConfig) -> nn.Module:
    from llms_from_scratch.ch04 import GPTModel as BookModel

    names = ("vocab_size", "context_length", "emb_dim", "n_heads", "n_layers", "drop_rate", "qkv_bias")
    return BookModel({name: getattr(cfg, name) for name in names})


def transformers_model(cfg: GPTConfig) -> nn.Module:
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(
        vocab_size=cfg.vocab_size, n_positions=cfg.context_length, n_embd=cfg.emb_dim, n_layer=cfg.n_layers,
        n_head=cfg.n_heads, embd_pdrop=cfg.drop_rate, attn_pdrop=cfg.drop_rate, resid_pdrop=cfg.drop_rate,
        tie_word_embeddings=cfg.tie_weights,
    ))


class NanoGPT(nn.Module):
    """nanoGPT's model, built from torch's layers."""

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.cfg = cfg
        self.tokens = nn.Embedding(cfg.vocab_size, cfg.emb_dim)
        self.positions = nn.Embedding(cfg.context_length, cfg.emb_dim)
        self.drop = nn.Dropout(cfg.drop_rate)
        self.blocks = nn.ModuleList(NanoBlock(cfg) for _ in range(cfg.n_layers))
        self.norm = nn.LayerNorm(cfg.emb_dim)
        self.head = nn.Linear(cfg.emb_dim, cfg.vocab_size, bias=False)
        self.head.weight = self.tokens.weight
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, ids: Tensor, last_only: bool = False) -> Tensor:
        x = self.drop(self.tokens(ids) + self.positions.weight[: ids.shape[1]])
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, -1:] if last_only else x))


class NanoBlock(nn.Module):
    """A block of nanoGPT's model."""

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.heads, self.p, width = cfg.n_heads, cfg.drop_rate, cfg.emb_dim
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(self.p)

    def forward(self, x: Tensor) -> Tensor:
        split = self.qkv(self.norm1(x)).view(*x.shape[:2], 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        dropped = self.p if self.training else 0.0
        context = F.scaled_dot_product_attention(*split, dropout_p=dropped, is_causal=True)
        x = x + self.drop(self.project(context.transpose(1, 2).flatten(2)))
        return x + self.drop(self.narrow(F.gelu(self.widen(self.norm2(x)))))


def _autocast(device: str, bf16: bool):
    return torch.autocast(device.split(":")[0], torch.bfloat16) if bf16 else nullcontext()
