"""Training of several sizes, batches and context lengths: compared with the processor's rate of multiplication, the
book's code and nanoGPT's recipe.

    python tests/bench/training.py [PRESET ...] [--rounds N] [--compiled] [--json FILE]

``--compiled``: nanoGPT's recipe also with ``torch.compile``, which takes a minute or two to compile each row. Rounds
alternate between the contestants. The book's code is left out where it would not fit into the free memory.
"""

from __future__ import annotations

import argparse
import gc
import json
from dataclasses import asdict
from pathlib import Path

import contestants
import torch
from side_by_side import Limits, Row, race

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import train_memory

SIZES = [
    ("workshop", 1, 64), ("workshop", 2, 64), ("workshop", 16, 64), ("workshop", 4, 256), ("workshop", 1, 1024),
    ("book", 1, 64), ("book", 2, 256), ("book", 16, 64), ("book", 8, 256), ("book", 1, 1024),
    ("gpt2-medium", 1, 64), ("gpt2-medium", 1, 256), ("gpt2-medium", 4, 256), ("gpt2-medium", 1, 1024),
]
"""Preset, batch, context length."""


def measure(preset: str, batch: int, context: int, found: Limits, rounds: int, compiled: bool) -> Row:
    """Measure one row, in the precision that a run would have here."""
    cfg, device = PRESETS[preset].but(context_length=context), devices.choose(found.device)
    bf16 = device.fast_bf16
    ids = torch.randint(0, cfg.vocab_size, (batch, context + 1), generator=torch.Generator().manual_seed(1))
    both = ids[:, :-1], ids[:, 1:]
    makers = {
        "ours": lambda: contestants.our_training(cfg, both, bf16, found.device),
        "nanogpt": lambda: contestants.nanogpt_training(cfg, both, bf16, found.device),
    }
    if compiled:
        makers["nanogpt compiled"] = lambda: contestants.nanogpt_training(cfg, both, bf16, found.device, compiled=True)
    if train_memory(cfg, batch, path="reference").total < device.free_bytes / 3:
        makers["book"] = lambda: contestants.book_training(cfg, both, bf16, found.device)
    peak = found.bf16 if bf16 else found.fp32
    row = Row(f"{preset} {batch} x {context}, {'bf16' if bf16 else 'fp32'}", "products",
              peak / (3 * sizing.flops_per_token(cfg)))
    race(row, {name: (make(), batch * context) for name, make in makers.items()}, found.device, rounds)
    gc.collect()
    return row


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("presets", nargs="*", choices=[*PRESETS, []], default=[])
    read.add_argument("--rounds", type=int, default=3)
    read.add_argument("--compiled", action="store_true")
    read.add_argument("--json", type=Path)
    asked = read.parse_args()
    device = devices.choose("auto")
    found, rows = Limits.of(device.kind), []
    print(f"{device.name}, {torch.get_num_threads()} threads, torch {torch.__version__}; products "
          f"{found.fp32 / 1e9:,.0f} GFLOP/s in fp32, {found.bf16 / 1e9:,.0f} in bf16 (0: not measured)")
    print(f"{'tokens a second':28}{'ours':>9}{'of the products':>17}   the others, and ours over theirs", flush=True)
    for size in SIZES:
        if size[0] in (asked.presets or PRESETS):
            row = measure(*size, found, asked.rounds, asked.compiled)
            others = ", ".join(
                f"{name} {row.median(name):,.0f} ({row.ratio(name):.2f})" for name in row.rates if name != "ours")
            ours = row.median("ours")
            print(f"{row.name:28}{ours:9,.0f}{ours / row.limit_rate:17.0%}   {others}", flush=True)
            rows.append(row)
    if asked.json:
        asked.json.write_text(json.dumps({
            "machine": device.name, "torch": torch.__version__, "limits": asdict(found),
            "rows": [asdict(row) for row in rows]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
