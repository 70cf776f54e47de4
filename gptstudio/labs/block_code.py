"""The code of the block lab, as its reader can run it."""

from __future__ import annotations

from gptstudio.gpt.config import GPTConfig

Ids = list[list[int]]


def of_placeholder(cfg: GPTConfig, ids: Ids, seed: int) -> str:
    return (
        f"import torch\nfrom torch import nn\n\nids = torch.tensor({ids})\ntorch.manual_seed({seed})\ntok_emb = "
        f"nn.Embedding({cfg.vocab_size}, {cfg.emb_dim})\npos_emb = nn.Embedding({cfg.context_length}, "
        f"{cfg.emb_dim})\nout_head = nn.Linear({cfg.emb_dim}, {cfg.vocab_size}, bias=False)\nx = "
        f"nn.Dropout({cfg.drop_rate})(tok_emb(ids) + pos_emb(torch.arange(ids.shape[1])))\nlogits = out_head(x)  # the "
        "placeholder blocks and the final norm return their input unchanged\nprint(logits.shape, logits)\n"
    )


def of_logits(cfg: GPTConfig, ids: Ids, seed: int, shift_one: bool) -> str:
    shifts = """for name, weight in model.named_parameters():
    if name.endswith("shift"):
        weight.data.fill_(1.0)
"""
    return f"""{_setup(cfg)}torch.manual_seed({seed})
model = GPTModel(cfg)
{shifts if shift_one else ""}logits = model(torch.tensor({ids}))
print(logits.shape, logits)
"""


def of_shapes(cfg: GPTConfig, ids: Ids) -> str:
    return f"""{_setup(cfg)}shapes = {{}}
with torch.device("meta"):  # shapes only, without values: no memory, no time
    model, ids = GPTModel(cfg), torch.tensor({ids})
for name, module in model.named_modules():
    module.register_forward_hook(lambda module, x, y, name=name: shapes.update({{name: tuple(y.shape)}}))
model(ids)
for name, shape in shapes.items():
    print(name or "logits", shape)
"""


def _setup(cfg: GPTConfig) -> str:
    return f"""import torch
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel

cfg = GPTConfig(
    vocab_size={cfg.vocab_size}, context_length={cfg.context_length}, emb_dim={cfg.emb_dim}, n_heads={cfg.n_heads},
    n_layers={cfg.n_layers}, drop_rate={cfg.drop_rate}, qkv_bias={cfg.qkv_bias},
)
"""
