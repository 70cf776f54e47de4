"""The book's GPT-2, to be read from top to bottom as the theory goes (seeds, chapters 3 and 4).

Module names and the order in which modules are made are the book's, so a state dict saved by the book's code
loads unchanged, and a seed gives the book's weights.

Each model takes one of two paths through the same weights:

``reference``
    explicit attention, LayerNorm and GELU in the dtype of the weights, dropout drawn in the seeds' order. The
    numbers are the seeds' numbers.
``fast``
    torch's fused attention, LayerNorm and GELU. The same function within float error; another stream of dropout.

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

Path = Literal["reference", "fast"]


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
            return F.layer_norm(x, self.scale.shape, self.scale, self.shift, self.eps)
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

    Drawing is slow on a processor. There the fast path takes 16 random bits for each value instead of a whole draw:
    four times fewer draws, with ``p`` rounded to the nearest 65,536th.
    """

    def __init__(self, p: float, path: Path = "reference"):
        super().__init__(p)
        self.path = path

    def forward(self, x: Tensor) -> Tensor:
        if self.path == "reference" or not (self.training and self.p) or x.device.type != "cpu":
            return super().forward(x)
        cut = round(self.p * 2**16)
        words = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
        bits = words.view(torch.int16)[: x.numel()].view(x.shape)  # each from -2**15 up to 2**15, all as likely
        return x * (bits >= cut - 2**15) * (1 / (1 - cut / 2**16))


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

    def cut_back(self, length: int) -> None:
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


class MultiHeadAttention(nn.Module):
    """Every token looks back at the tokens before it, in H ways at once (Vaswani et al., 2017; seeds 3.6).

    The causal mask is made when it is needed and never kept: it costs no memory per layer.
    """

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.n_heads, self.head_dim, self.path = cfg.n_heads, cfg.head_dim, path
        self.W_query = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.W_key = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.W_value = nn.Linear(cfg.emb_dim, cfg.emb_dim, bias=cfg.qkv_bias)
        self.out_proj = nn.Linear(cfg.emb_dim, cfg.emb_dim)
        self.dropout = Dropout(cfg.attention_dropout, path)
        self.register_load_state_dict_pre_hook(_forget_saved_mask)

    def forward(self, x: Tensor, cache: LayerCache | None = None, start: int = 0) -> Tensor:
        queries = self._split(self.W_query(x))  # (B, H, T, D/H)
        keys = self._split(self.W_key(x))
        values = self._split(self.W_value(x))
        if cache is not None:
            keys, values = cache.extend(start, keys, values)  # (B, H, start + T, D/H)
        attend = self._attend_fast if self._fuses(x) else self._attend
        context = attend(queries, keys, values, start)  # (B, H, T, D/H)
        return self.out_proj(context.transpose(1, 2).reshape(x.shape))  # (B, T, D)

    def _split(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, H, T, D/H)."""
        return x.view(*x.shape[:2], self.n_heads, self.head_dim).transpose(1, 2)

    def _fuses(self, x: Tensor) -> bool:
        """Whether torch's fused attention serves. On a processor it has no dropout of its own, and is then slower
        than the explicit form."""
        drops = self.training and self.dropout.p > 0
        return self.path == "fast" and not (drops and x.device.type == "cpu")

    def _attend(self, queries: Tensor, keys: Tensor, values: Tensor, start: int) -> Tensor:
        scores = queries @ keys.transpose(2, 3)  # (B, H, T, start + T)
        scores.masked_fill_(causal_mask(queries.shape[2], start, scores.device), -torch.inf)
        weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
        return self.dropout(weights).to(values.dtype) @ values

    def _attend_fast(self, queries: Tensor, keys: Tensor, values: Tensor, start: int) -> Tensor:
        tokens, drop = queries.shape[2], self.dropout.p if self.training else 0.0
        # A single new token may look at everything; only a block of tokens behind others needs a mask of its own.
        mask = ~causal_mask(tokens, start, queries.device) if start and tokens > 1 else None
        return F.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=drop, is_causal=start == 0 and tokens > 1
        )


class FeedForward(nn.Module):
    """Each token by itself: D -> 4D -> GELU -> D (seeds 4.3)."""

    def __init__(self, cfg: GPTConfig, path: Path = "reference"):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(cfg.emb_dim, 4 * cfg.emb_dim),
            GELU(path),
            nn.Linear(4 * cfg.emb_dim, cfg.emb_dim),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)  # (B, T, D)


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
        return self.drop_shortcut(self.ff(self.norm2(x))) + x


class GPTModel(nn.Module):
    """Token ids (B, T) -> logits (B, T, V), or (B, 1, V) with ``last_only`` (seeds 4.6).

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

    def forward(self, in_idx: Tensor, cache: KVCache | None = None, last_only: bool = False) -> Tensor:
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
        return self.out_head(x)  # (B, T, V)

    def _tie(self) -> None:
        """One matrix for input and output, with the small start of GPT-2 (Radford et al., 2019: 0.02): an
        embedding drawn as wide as the book's would give logits of absurd size."""
        nn.init.normal_(self.tok_emb.weight, std=0.02)
        nn.init.normal_(self.pos_emb.weight, std=0.02)
        self.out_head.weight = self.tok_emb.weight


def _forget_saved_mask(module: nn.Module, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
    """The book's code saves its causal mask with the weights; ours is made when needed."""
    state_dict.pop(prefix + "mask", None)
