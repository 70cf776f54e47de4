"""A model for tests of decoding, in which parameters that are initialized to zero or one are random too."""

import torch

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.fast.kv_cache import KVCache


def biased_model(config):
    torch.manual_seed(7)
    model = build_model(config, "fast").eval()
    with torch.no_grad():
        for name, each in model.named_parameters():
            if each.dim() == 1:
                each.add_(0.1 * torch.randn_like(each))
            elif name.endswith("emb.weight"):
                each.mul_(0.5)
    return model


def cache_with_nan(cfg: GPTConfig, rows: int) -> KVCache:
    """Return an empty cache whose unused space is NaN, so that reading it shows."""
    cache = KVCache(cfg, rows, "cpu", torch.float32)
    for layer in cache.layers:
        layer.both.fill_(torch.nan)
    return cache
