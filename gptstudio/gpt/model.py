"""The book's GPT-2, to be read from top to bottom as the theory goes (seeds, chapters 3 and 4).

Module names and the order in which modules are made are the book's, so a state dict saved by the book's code
loads unchanged, and a seed gives the book's weights.

Each model takes one of two paths through the same weights:

``reference``
    explicit attention, LayerNorm and GELU in the dtype of the weights, dropout drawn in the seeds' order. The
    numbers are the book's numbers.
``fast``
    torch's fused attention, LayerNorm and GELU, and on a processor :mod:`gptstudio.gpt.fast.kernels`. The same function
    within float error; another stream of dropout.

Shapes: B batch, T tokens, D width (``emb_dim``), H heads, V vocabulary, C context length.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import kernels

Path = Literal["reference", "fast"]


class Linear(nn.Linear):
    """``x @ weight.T + bias``, (…, in) -> (…, out). On a processor within autocast, the fast path keeps no copy in half
    precision."""

    def __init__(self, inputs: int, outputs: int, bias: bool = True, path: Path = "reference"):
        super().__init__(inputs, outputs, bias)
        self.path = path

    def forward(self, x: Tensor) -> Tensor:
        if self.path == "reference" or x.device.type != "cpu" or _product_dtype(x) == self.weight.dtype:
            return super().forward(x)
        out: Tensor = kernels.HalfLinear.apply(x, self.weight, self.bias, _product_dtype(x))
        return out


class LayerNorm(nn.Module):
    """Each token's numbers to mean 0 and variance 1, then scaled and shifted (Ba et al., 2016; seeds 4.2)."""

    def __init__(self, emb_dim: int, path: Path = "reference"):
        super().__init__()
        self.eps = 1e-5
        self.scale = nn.Parameter(torch.ones(emb_dim))
        self.shift = nn.Parameter(torch.zeros(emb_dim))
        self.path = path

    def forward(self, x: Tensor) -> Tensor:
        if self.path == "fast":
            norm_x = F.layer_norm(x, self.scale.shape, self.scale, self.shift, self.eps)
            return norm_x.to(_product_dtype(x))  # once, for all that multiply it
        mean = x.mean(dim=-1, keepdim=True)  # (B, T, 1)
        var = x.var(dim=-1, keepdim=True, unbiased=False)  # (B, T, 1)
        norm_x = (x - mean) / torch.sqrt(var + self.eps)  # (B, T, D)
        return self.scale * norm_x + self.shift


class GELU(nn.Module):
    """x times the normal distribution function, in its tanh form (Hendrycks and Gimpel, 2016; seeds 4.3)."""

    def __init__(self, path: Path = "reference"):
        super().__init__()
        self.path = path

    def forward(self, x: Tensor) -> Tensor:
        if self.path == "fast":
            return F.gelu(x, approximate="tanh")
        inner = torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))
        return 0.5 * x * (1 + torch.tanh(inner))


class Dropout(nn.Dropout):
    """Sets a share ``p`` of the values to zero while training, and scales the rest by 1 / (1 - p) (Srivastava et
    al., 2014; seeds 3.5).

    On a processor the fast path draws them by :func:`fused.drawn`.
    """

    def __init__(self, p: float, path: Path = "reference"):
        super().__init__(p)
        self.path = path

    def forward(self, x: Tensor) -> Tensor:
        if self.path == "reference" or not (self.training and self.p) or x.device.type != "cpu":
            return super().forward(x)
        kept, share = kernels.drawn(x.shape, self.p, x.dtype)
        return x * kept * (1 / share)


class LayerCache:
    """Keys and values of one attention layer, for every position already seen: each (B, H, C, D/H)."""

    def __init__(self, keys: Tensor, values: Tensor):
        self.keys, self.values = keys, values

    def extend(self, start: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Writes (B, H, T, D/H) at ``start`` and returns all of (B, H, start + T, D/H)."""
        stop = start + keys.shape[2]
        self.keys[:, :, start:stop], self.values[:, :, start:stop] = keys, values
        return self.keys[:, :, :stop].to(keys.dtype), self.values[:, :, :stop].to(values.dtype)


class KVCache:
    """What attention need not compute again while decoding: keys and values of all layers.

    Positions are absolute in GPT-2, so the cache holds at most C tokens; past that the window slides, every
    token gets another position, and the caller starts again with an empty cache.
    """

    def __init__(self, cfg: GPTConfig, batch: int, device: torch.device | str, dtype: torch.dtype):
        shape = (batch, cfg.n_heads, cfg.context_length, cfg.head_dim)
        self.layers = [
            LayerCache(torch.zeros(shape, device=device, dtype=dtype), torch.zeros(shape, device=device, dtype=dtype))
            for _ in range(cfg.n_layers)
        ]
        self.batch, self.length = batch, 0

    def truncate(self, length: int) -> None:
        """Forgets all but the first tokens."""
        self.length = min(self.length, length)

    def of(self, rows: Sequence[int]) -> KVCache:
        """A cache with a text for each of ``rows``, which goes on from the text in that row of this one."""
        other = copy.copy(self)
        other.layers = [LayerCache(self._of(layer.keys, rows), self._of(layer.values, rows)) for layer in self.layers]
        other.batch = len(rows)
        return other

    def _of(self, kept: Tensor, rows: Sequence[int]) -> Tensor:
        other = kept.new_empty(len(rows), *kept.shape[1:])  # what is not yet filled takes no memory
        other[:, :, : self.length] = kept[list(rows), :, : self.length]
        return other


def causal_mask(tokens: int, seen: int, device: torch.device) -> Tensor:
    """True where a query may not look: the key is later than the query. Shape (tokens, seen + tokens)."""
    return torch.ones(tokens, seen + tokens, dtype=torch.bool, device=device).triu(diagonal=seen + 1)


def fused_attention(queries: Tensor, keys: Tensor, values: Tensor, start: int, drop: float = 0.0) -> Tensor:
    """(B, H, T, D/H) and twice (B, H, start + T, D/H) -> (B, H, T, D/H), without the weights ever standing whole where
    nothing is dropped."""
    tokens = queries.shape[2]
    if drop and queries.device.type == "cpu":  # where torch's fused attention has no dropout
        kept, share = kernels.drawn((*queries.shape[:3], tokens), drop, queries.dtype)
        context: Tensor = kernels.DroppedAttention.apply(queries, keys, values, kept, share)
        return context
    # A single new token may look at everything; only a block of tokens behind others needs a mask of its own.
    mask = ~causal_mask(tokens, start, queries.device) if start and tokens > 1 else None
    return F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask, dropout_p=drop, is_causal=start == 0 and tokens > 1
    )


class MultiHeadAttention(nn.Module):
    """Every token looks back at the tokens before it, in H ways at once (Vaswani et al., 2017; seeds 3.6).

    The causal mask is made when it is needed and never kept: it costs no memory per layer.
    """

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.n_heads, self.head_dim, self.path = cfg.n_heads, cfg.head_dim, path
        self.W_query = Linear(cfg.emb_dim, cfg.emb_dim, cfg.qkv_bias, path)
        self.W_key = Linear(cfg.emb_dim, cfg.emb_dim, cfg.qkv_bias, path)
        self.W_value = Linear(cfg.emb_dim, cfg.emb_dim, cfg.qkv_bias, path)
        self.out_proj = Linear(cfg.emb_dim, cfg.emb_dim, path=path)
        self.dropout = Dropout(cfg.attention_dropout, path)
        self.register_load_state_dict_pre_hook(_drop_saved_mask)

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0) -> Tensor:
        queries = self._split(self.W_query(x))  # (B, H, T, D/H)
        keys = self._split(self.W_key(x))
        values = self._split(self.W_value(x))
        if cache is not None:
            keys, values = cache.extend(start, keys, values)  # (B, H, start + T, D/H)
        if self.path == "reference":
            context = self._attend(queries, keys, values, start)  # (B, H, T, D/H)
        else:
            context = fused_attention(queries, keys, values, start, self.dropout.p if self.training else 0.0)
        out: Tensor = self.out_proj(context.transpose(1, 2).reshape(x.shape))  # (B, T, D)
        return out

    def _split(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, H, T, D/H)."""
        return x.view(*x.shape[:2], self.n_heads, self.head_dim).transpose(1, 2)

    def _attend(self, queries: Tensor, keys: Tensor, values: Tensor, start: int) -> Tensor:
        scores = queries @ keys.transpose(2, 3)  # (B, H, T, start + T)
        scores.masked_fill_(causal_mask(queries.shape[2], start, scores.device), -torch.inf)
        weights: Tensor = self.dropout(torch.softmax(scores / self.head_dim**0.5, dim=-1))
        return weights.to(values.dtype) @ values


class FeedForward(nn.Module):
    """Each token by itself: D -> 4D -> GELU -> D (seeds 4.3)."""

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.layers = nn.Sequential(
            Linear(cfg.emb_dim, 4 * cfg.emb_dim, path=path),
            GELU(path),
            Linear(4 * cfg.emb_dim, cfg.emb_dim, path=path),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x)  # (B, T, D)
        return out


class TransformerBlock(nn.Module):
    """Attention, then feed-forward, each on normalised input and added back to the shortcut (seeds 4.5)."""

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.att = MultiHeadAttention(cfg, path)
        self.ff = FeedForward(cfg, path)
        self.norm1 = LayerNorm(cfg.emb_dim, path)
        self.norm2 = LayerNorm(cfg.emb_dim, path)
        self.drop_shortcut = Dropout(cfg.shortcut_dropout, path)

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0) -> Tensor:
        x = self.drop_shortcut(self.att(self.norm1(x), cache, start)) + x  # (B, T, D)
        out: Tensor = self.drop_shortcut(self.ff(self.norm2(x))) + x
        return out


class GPTModel(nn.Module):
    """Token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only`` (seeds 4.6); or, given the tokens that
    come next as ``targets`` (B, T), their mean cross-entropy in nats (seeds 5.1.2).

    Raises:
        ValueError: more tokens than the context holds.
    """

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.cfg, self.path = cfg, path
        self.tok_emb = nn.Embedding(cfg.vocab_size, cfg.emb_dim)
        self.pos_emb = nn.Embedding(cfg.context_length, cfg.emb_dim)
        self.drop_emb = Dropout(cfg.embedding_dropout, path)
        self.trf_blocks = nn.Sequential(*[TransformerBlock(cfg, path) for _ in range(cfg.n_layers)])
        self.final_norm = LayerNorm(cfg.emb_dim, path)
        self.out_head = nn.Linear(cfg.emb_dim, cfg.vocab_size, bias=False)
        if cfg.tie_weights:
            self._tie()

    def forward(
        self, in_idx: Tensor, cache: KVCache | None = None, last_only: bool = False, targets: Tensor | None = None
    ) -> Tensor:
        start = cache.length if cache else 0
        stop = start + in_idx.shape[1]
        if stop > self.cfg.context_length:
            raise ValueError(f"{stop:,} tokens do not fit into a context of {self.cfg.context_length:,}.")
        positions = torch.arange(start, stop, device=in_idx.device)
        x = self.tok_emb(in_idx) + self.pos_emb(positions)  # (B, T, D)
        x = self.drop_emb(x)
        for i, block in enumerate(self.trf_blocks):
            x = block(x, cache.layers[i] if cache else None, start)
        if cache:
            cache.length = stop
        x = self.final_norm(x[:, -1:] if last_only else x)
        return self.out_head(x) if targets is None else self._loss(x, targets)  # (B, T, V)

    def _loss(self, x: Tensor, targets: Tensor) -> Tensor:
        if self.path == "reference" or x.device.type != "cpu":
            return F.cross_entropy(self.out_head(x).flatten(0, 1).float(), targets.flatten())
        weight = self.out_head.weight
        return kernels.linear_cross_entropy(x.flatten(0, 1), weight, targets.flatten(), _product_dtype(x))

    def _tie(self) -> None:
        """One matrix for input and output, with the small start of GPT-2 (Radford et al., 2019: 0.02): an
        embedding drawn as wide as the book's would give logits of absurd size."""
        nn.init.normal_(self.tok_emb.weight, std=0.02)
        nn.init.normal_(self.pos_emb.weight, std=0.02)
        self.out_head.weight = self.tok_emb.weight


def _product_dtype(x: Tensor) -> torch.dtype:
    """In which matrices are multiplied by ``x``: within autocast in half precision."""
    kind = x.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype


def _drop_saved_mask(_module: nn.Module, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
    """The book's code saves its causal mask with the weights; ours is made when needed."""
    state_dict.pop(prefix + "mask", None)
