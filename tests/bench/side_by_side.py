"""This program compared with the book's code, nanoGPT's recipe and ``transformers``: the same work, one run, one table.

    python tests/bench/side_by_side.py [ROW ...] [--json FILE] [--rounds N]

Rows: see ``ROWS``; by default, all that this machine can run. Rounds alternate between the contestants, so that a
change in the machine's speed affects all of them. The machine's own limits, measured before, are printed next to every
figure.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

import contestants
import limits
import torch

from gptstudio import devices
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.memory import Weights, packed_bytes
from gptstudio.units import MB

BOOK = PRESETS["book"]
GPT2 = PRESETS["gpt2-small"].but(qkv_bias=True, tie_weights=True)
"""OpenAI's 124M."""
TOKENS = 32
"""The number of tokens that are decoded in one call."""


@dataclass
class Row:
    """One kind of work: tokens a second of each contestant in every round, and the limit of the machine."""

    name: str
    limit: str
    limit_rate: float
    rates: dict[str, list[float]] = field(default_factory=dict)

    def median(self, name: str) -> float:
        return statistics.median(self.rates[name])

    def ratio(self, name: str) -> float:
        """Return the rate of this program over the other's, the median over rounds."""
        return statistics.median(a / b for a, b in zip(self.rates["ours"], self.rates[name], strict=True))


@dataclass
class Limits:
    """Floating-point operations and bytes a second; 0 where not measured."""

    device: str
    fp32: float
    bf16: float
    read: float

    @classmethod
    def of(cls, device: str) -> Limits:
        """Return the limits of a device; that of bf16 only where bf16 is fast, because the measurement takes minutes
        elsewhere."""
        bf16 = limits.matmul_rate("bf16", device) if devices.choose(device).fast_bf16 else 0.0
        return cls(device, limits.matmul_rate("fp32", device), bf16, limits.bandwidth(device))


def training(bf16: bool) -> Callable[[Limits, int], Row]:
    """Return the row of training 124M at context 256, batch 2."""

    def measure(found: Limits, rounds: int) -> Row:
        batch = _batch(BOOK, 2)
        tokens, peak = batch[0].numel(), found.bf16 if bf16 else found.fp32
        made = {
            "ours": contestants.our_training(BOOK, batch, bf16, found.device),
            "book": contestants.book_training(BOOK, batch, bf16, found.device),
            "nanogpt": contestants.nanogpt_training(BOOK, batch, bf16, found.device),
            "transformers": contestants.transformers_training(BOOK, batch, False, found.device),
        }
        if bf16:
            made["transformers bf16"] = contestants.transformers_training(BOOK, batch, True, found.device)
        kind = "bf16" if bf16 else "fp32"
        row = Row(f"train, {kind}", f"{kind} products", peak / (3 * sizing.flops_per_token(BOOK)))
        race(row, {name: (step, tokens) for name, step in made.items()}, found.device, rounds)
        return row

    return measure


def decoding(weights: Weights) -> Callable[[Limits, int], Row]:
    """Return the row of decoding 124M from position 4."""

    def measure(found: Limits, rounds: int) -> Row:
        ids = _batch(GPT2, 1)[0][0, :4].tolist()
        row = Row(f"decode from 4, {weights}", "reading memory", found.read / packed_bytes(GPT2, weights))
        writers = _writers(ids, weights, found.device)
        race(row, {name: (lambda write=write: write(TOKENS), TOKENS) for name, write in writers.items()},
              found.device, rounds)
        return row

    return measure


def far_decoding(found: Limits, rounds: int) -> Row:
    """Measure 124M at position 900: the time of 9 tokens less that of one, because the first reads the whole text."""
    ids = _batch(GPT2, 1)[0][0, :900].tolist()
    kept = 2 * GPT2.n_layers * 900 * GPT2.emb_dim * sizing.FLOAT32
    row = Row("decode at 900, fp32", "reading memory", found.read / (packed_bytes(GPT2) + kept))
    writers = _writers(ids, "fp32", found.device)
    for number in range(rounds + 1):
        for name, write in writers.items():
            one = limits.seconds(lambda w=write: w(1), found.device)
            alike = name in ("book", "nanogpt")  # each token costs them as much as the first
            token = one if alike else (limits.seconds(lambda w=write: w(9), found.device) - one) / 8
            if number:
                row.rates.setdefault(name, []).append(1 / token)
    return row


def _writers(ids: Sequence[int], weights: Weights, device: str) -> dict[str, Callable[[int], object]]:
    return {
        "ours": contestants.our_decoding(GPT2, ids, weights, device),
        "book": contestants.book_decoding(GPT2, ids, device),
        "nanogpt": contestants.nanogpt_decoding(GPT2, ids, device),
        "transformers": contestants.transformers_decoding(GPT2, ids, device),
    }


def race(row: Row, works: dict[str, tuple[Callable[[], object], int]], device: str, rounds: int) -> None:
    """Measure every contestant once a round; this program keeps freed memory, as in every run here. The first round is
    not counted."""
    for number in range(rounds + 1):
        for name, (work, tokens) in works.items():
            if name == "ours":
                with devices.reusing_freed_memory():
                    work()  # allocates the memory that it keeps
                    took = limits.seconds(work, device)
            else:
                took = limits.seconds(work, device)
            if number:
                row.rates.setdefault(name, []).append(tokens / took)
            gc.collect()


def _batch(cfg: GPTConfig, rows: int) -> contestants.Batch:
    ids = torch.randint(0, cfg.vocab_size, (rows, cfg.context_length + 1), generator=torch.Generator().manual_seed(1))
    return ids[:, :-1], ids[:, 1:]


ROWS: dict[str, Callable[[Limits, int], Row]] = {
    "train-bf16": training(bf16=True), "train-fp32": training(bf16=False),
    "decode-fp32": decoding("fp32"), "decode-bf16": decoding("bf16"), "decode-int8": decoding("int8"),
    "decode-900": far_decoding,
}
MEMORY = ("ours", "book", "nanogpt", "transformers")


def peak_memory(name: str) -> float:
    """Return the peak memory of a separate process that trains ``book`` for three steps, above its start, in MB."""
    done = subprocess.run([sys.executable, __file__, "--peak", name], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def print_peak(name: str) -> None:
    """Print the peak memory of one contestant, in the process that :func:`peak_memory` starts."""
    device = devices.choose("cpu")
    import transformers  # noqa: F401 - in every process, so that it affects no comparison

    batch, bf16 = _batch(BOOK, 2), device.fast_bf16
    meter = devices.MemoryMeter("cpu")
    step = getattr(contestants, f"{name}_training" if name != "ours" else "our_training")(BOOK, batch, bf16, "cpu")
    with devices.reusing_freed_memory():
        for _ in range(3):
            step()
    print(meter.peak() / MB)


def show(found: Limits, rows: Sequence[Row], peaks: dict[str, float]) -> None:
    print(f"{devices.choose(found.device).name}, {torch.get_num_threads()} threads, torch {torch.__version__}, "
          f"{date.today()}")
    print(f"products {found.fp32 / 1e9:,.0f} GFLOP/s in fp32, {found.bf16 / 1e9:,.0f} in bf16; "
          f"memory read at {found.read / 1e9:,.1f} GB/s")
    print(f"{'tokens/s':24}{'ours':>9}{'limit':>9}{'share':>7}   the others, and ours over theirs")
    for row in rows:
        others = ", ".join(
            f"{name} {row.median(name):,.2f} ({row.ratio(name):.1f})" for name in row.rates if name != "ours"
        )
        ours = row.median("ours")
        print(f"{row.name:24}{ours:9,.1f}{row.limit_rate:9,.1f}{ours / row.limit_rate:7.0%}   {others}")
    for name, peak in peaks.items():
        print(f"peak memory to train book: {name} {peak:,.0f} MB ({peaks['ours'] / peak:.0%})")


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("rows", nargs="*", choices=[*ROWS, "memory", []], default=[])
    read.add_argument("--json", type=Path)
    read.add_argument("--rounds", type=int, default=5)
    read.add_argument("--peak", choices=MEMORY, help=argparse.SUPPRESS)
    asked = read.parse_args()
    if asked.peak:
        print_peak(asked.peak)
        return
    device = devices.choose("auto")
    found = Limits.of(device.kind)
    rows = []
    for name in asked.rows or ROWS:
        if name in ROWS:
            rows.append(ROWS[name](found, asked.rounds))
            print(f"{name}: {rows[-1].median('ours'):,.1f} tokens/s", file=sys.stderr, flush=True)
    peaks = {name: peak_memory(name) for name in MEMORY} if not asked.rows or "memory" in asked.rows else {}
    show(found, rows, peaks)
    if asked.json:
        kept = {
            "machine": device.name, "threads": torch.get_num_threads(), "torch": torch.__version__,
            "python": platform.python_version(), "date": str(date.today()), "limits": asdict(found),
            "rows": [asdict(row) for row in rows], "peak_mb": peaks,
        }
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        asked.json.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
