"""The two models of the block lab, whole or only their logits: the real one, and the placeholder before it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import generate_memory
from gptstudio.gpt.model import GPTModel, LayerNorm
from gptstudio.i18n import message
from gptstudio.labs.draws import Draws
from gptstudio.seeding import RandomStream

TO_COMPUTE = message("to compute these logits")


class Identity(nn.Module):
    """The identity, in place of a block or a norm (the book's placeholders, §4.1)."""

    def forward(self, x: Tensor, *_: Any) -> Tensor:
        return x


def placeholder(cfg: GPTConfig) -> GPTModel:
    """The book's first model: embeddings and output layer, and identities in place of blocks and norm."""
    model = GPTModel(cfg)
    model.trf_blocks = nn.Sequential(*[Identity() for _ in range(cfg.n_layers)])
    model.add_module("final_norm", Identity())
    return model


def placeholder_logits(cfg: GPTConfig, ids: Tensor, seed: int) -> Tensor:
    """(B, T, V). What does nothing draws nothing: only the embeddings, the output layer and the dropout do.

    Raises:
        UserError: the weights do not fit into the memory that is free.
    """
    draws = Draws(seed)
    needed = (2 * cfg.vocab_size + cfg.context_length) * cfg.emb_dim + ids.numel() * cfg.vocab_size
    devices.check_memory(sizing.FLOAT32 * needed, devices.cpu(), TO_COMPUTE)
    tokens, positions = draws.embedding(cfg.vocab_size, cfg.emb_dim), draws.embedding(cfg.context_length, cfg.emb_dim)
    out_head, _ = draws.linear(cfg.emb_dim, cfg.vocab_size, bias=False)
    return draws.dropout(tokens[ids] + positions[: ids.shape[1]], cfg.drop_rate) @ out_head.T


def model_logits(cfg: GPTConfig, ids: Tensor, seed: int, norm_shift: float) -> Tensor:
    """(B, T, V), dropout drawn as while training.

    Args:
        norm_shift: where every LayerNorm's shift begins.

    Raises:
        UserError: the weights do not fit into the memory that is free.
    """
    more = sizing.FLOAT32 * ids.numel() * cfg.vocab_size
    devices.check_memory(generate_memory(cfg, ids.shape[1]).least + more, devices.cpu(), TO_COMPUTE)
    with RandomStream(seed).active(), torch.no_grad():
        model = GPTModel(cfg)
        for norm in model.modules():
            if isinstance(norm, LayerNorm):
                norm.shift.fill_(norm_shift)
        logits: Tensor = model(ids)
        return logits
