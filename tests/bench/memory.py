"""Predicted against measured peak memory of training, on the processor.

    python tests/bench/memory.py

Each row is a process of its own, since a process never gives its peak back.
"""

from __future__ import annotations

import subprocess
import sys

ROWS = [
    (preset, batch, path)
    for preset, batches in (("workshop", (1, 2, 8)), ("book", (1, 2, 4, 8)), ("gpt2-small", (1, 2)))
    for batch in batches
    for path in ("fast", "reference")
]


def main() -> None:
    print(f"{'preset':12}{'batch':>6}  {'path':10}{'predicted MB':>14}{'measured MB':>13}{'error':>8}")
    for preset, batch, path in ROWS:
        subprocess.run([sys.executable, __file__, preset, str(batch), path], check=True)


def measure(preset: str, batch_size: int, path: str) -> None:
    """Three steps; the process's peak, less what it held once torch was loaded."""
    import torch

    from gptstudio import devices
    from gptstudio.gpt import sizing
    from gptstudio.gpt.config import PRESETS
    from gptstudio.runs.corpus import Corpus
    from gptstudio.runs.spec import TrainSpec
    from gptstudio.runs.texts import Text
    from gptstudio.runs.trainer import prepare, training_step

    device = devices.choose("cpu")
    before = devices.used_bytes("cpu")
    spec = TrainSpec(config=PRESETS[preset], batch_size=batch_size, reference=path == "reference")
    bf16 = spec.uses_bf16(device.fast_bf16)
    ids = torch.randint(0, 50_257, (spec.config.context_length * batch_size * 4,)).tolist()
    bench = prepare(spec, Corpus(ids, ids, Text("random tokens", "", "")), device, bf16)
    with devices.reusing_freed_memory():
        for _, batch in zip(range(3), bench.training, strict=False):
            training_step(bench, batch)
    measured = devices.peak_bytes("cpu") - before
    predicted = sizing.train_memory(spec.config, batch_size, path=spec.path, bf16=bf16).total
    words, error = path + (" bf16" if bf16 else ""), predicted / measured - 1
    sizes = f"{predicted / sizing.MB:14,.0f}{measured / sizing.MB:13,.0f}"
    print(f"{preset:12}{batch_size:6}  {words:10}{sizes}{error:8.1%}")


if __name__ == "__main__":
    measure(sys.argv[1], int(sys.argv[2]), sys.argv[3]) if sys.argv[1:] else main()
