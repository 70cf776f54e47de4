"""The book's GPT-2, in the order in which the book develops it (book, chapters 3 and 4).

Module names and the order of their creation follow the book: a state dict saved by the book's code loads unchanged,
and a random seed gives the book's weights. :mod:`gptstudio.gpt.fast` computes the same function faster.

Shapes: B batch, T tokens, D width (``emb_dim``), H heads, V vocabulary, C context length.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.gpt.config import GPTConfig


class MultiHeadAttention(nn.Module):
    """Causal self-attention in H heads (Vaswani et al., 2017; book §3.6).

    Each token attends to itself and to the tokens before it. The causal mask is created when needed, so it takes no
    memory per layer.
    """

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.n_heads, self.head_dim = cfg.n_heads, cfg.head_dim
        self.W_query = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.W_key = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.W_value = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.out_proj = nn.Linear(cfg.emb_dim, cfg.emb_dim)
        self.dropout = nn.Dropout(cfg.attention_dropout)
        self.register_load_state_dict_pre_hook(_drop_saved_mask)

    def forward(self, x: Tensor) -> Tensor:
        queries = self.split_heads(self.W_query(x))  # (B, H, T, D/H)
        keys = self.split_heads(self.W_key(x))
        values = self.split_heads(self.W_value(x))

        scores = queries @ keys.transpose(2, 3)  # (B, H, T, T)
        scores.masked_fill_(causal_mask(x.shape[1], x.device), -torch.inf)
        weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
        weights = self.dropout(weights)

        context = (weights @ values).transpose(1, 2)  # (B, T, H, D/H)
        out: Tensor = self.out_proj(context.reshape(x.shape))  # (B, T, D)
        return out

    def split_heads(self, x: Tensor) -> Tensor:
        """Split the width into heads: (B, T, D) -> (B, H, T, D/H)."""
        return x.view(*x.shape[:2], self.n_heads, self.head_dim).transpose(1, 2)


def causal_mask(tokens: int, device: torch.device) -> Tensor:
    """Return a mask (T, T) that is True where the key is later than the query (book §3.5)."""
    return torch.ones(tokens, tokens, dtype=torch.bool, device=device).triu(diagonal=1)


def _drop_saved_mask(_module: nn.Module, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
    """Ignore the causal mask that the book's code saves with the weights: here it is created when needed."""
    state_dict.pop(prefix + "mask", None)


class LayerNorm(nn.Module):
    """Normalisation of each token to mean 0 and variance 1, then scale and shift (Ba et al., 2016; book §4.2)."""

    def __init__(self, emb_dim: int):
        super().__init__()
        self.eps = 1e-5
        self.scale = nn.Parameter(torch.ones(emb_dim))
        self.shift = nn.Parameter(torch.zeros(emb_dim))

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(dim=-1, keepdim=True)  # (B, T, 1)
        var = x.var(dim=-1, keepdim=True, unbiased=False)  # (B, T, 1)
        norm_x = (x - mean) / torch.sqrt(var + self.eps)  # (B, T, D)
        return self.scale * norm_x + self.shift


class GELU(nn.Module):
    """GELU: x times the standard normal CDF, in the tanh approximation (Hendrycks and Gimpel, 2016; book §4.3)."""

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))
        return 0.5 * x * (1 + torch.tanh(inner))


class FeedForward(nn.Module):
    """Two linear layers with GELU between them, applied to each token separately: D -> 4D -> D (book §4.3)."""

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(cfg.emb_dim, 4 * cfg.emb_dim),
            GELU(),
            nn.Linear(4 * cfg.emb_dim, cfg.emb_dim),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x)  # (B, T, D)
        return out


class TransformerBlock(nn.Module):
    """Attention, then feed-forward network, each with normalised input and a shortcut connection (book §4.5)."""

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.att = MultiHeadAttention(cfg)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg.emb_dim)
        self.norm2 = LayerNorm(cfg.emb_dim)
        self.drop_shortcut = nn.Dropout(cfg.shortcut_dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = self.drop_shortcut(self.att(self.norm1(x))) + x  # (B, T, D)
        out: Tensor = self.drop_shortcut(self.ff(self.norm2(x))) + x
        return out


class GPTModel(nn.Module):
    """GPT model: token ids (B, T) -> logits of the next token (B, T, V) (book §4.6).

    With ``targets`` (B, T), the next tokens, it returns the mean cross-entropy in nats per token (book §5.1.2).

    Raises:
        ValueError: more tokens than the context holds.
    """

    def __init__(self, cfg: GPTConfig):
        super().__init__()
        self.cfg = cfg
        self.tok_emb = nn.Embedding(cfg.vocab_size, cfg.emb_dim)
        self.pos_emb = nn.Embedding(cfg.context_length, cfg.emb_dim)
        self.drop_emb = nn.Dropout(cfg.embedding_dropout)
        self.trf_blocks = nn.Sequential(*[TransformerBlock(cfg) for _ in range(cfg.n_layers)])
        self.final_norm = LayerNorm(cfg.emb_dim)
        self.out_head = nn.Linear(cfg.emb_dim, cfg.vocab_size, bias=False)
        if cfg.tie_weights:
            self._tie_weights()

    def forward(self, in_idx: Tensor, targets: Tensor | None = None) -> Tensor:
        logits: Tensor = self.out_head(self.hidden_states(in_idx))  # (B, T, V)
        if targets is None:
            return logits
        return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())

    def hidden_states(self, in_idx: Tensor) -> Tensor:
        """Compute the input of the output layer: token ids (B, T) -> (B, T, D)."""
        tokens = in_idx.shape[1]
        self.check_length(tokens)
        positions = torch.arange(tokens, device=in_idx.device)
        x = self.tok_emb(in_idx) + self.pos_emb(positions)  # (B, T, D)
        x = self.drop_emb(x)
        x = self.trf_blocks(x)
        out: Tensor = self.final_norm(x)
        return out

    def check_length(self, tokens: int) -> None:
        """Raise a ValueError if there are more tokens than positions."""
        if tokens > self.cfg.context_length:
            raise ValueError(f"{tokens:,} tokens do not fit into a context of {self.cfg.context_length:,}.")

    def _tie_weights(self) -> None:
        """Use one matrix for input and output, with the standard deviation of GPT-2 (Radford et al., 2019: 0.02): with
        the larger one of the book's embedding the logits would be far too large."""
        nn.init.normal_(self.tok_emb.weight, std=0.02)
        nn.init.normal_(self.pos_emb.weight, std=0.02)
        self.out_head.weight = self.tok_emb.weight
