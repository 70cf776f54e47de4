"""Opening a large text: seconds and memory when its tokens are computed, and when they are already cached.

    python tests/bench/texts.py [megabytes]

Each row is a separate process, because the peak of a process is never reset.

Measured figures are in README.md.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MB = 2**20


def main() -> None:
    size = int(sys.argv[1]) if sys.argv[1:] else 200
    with tempfile.TemporaryDirectory(prefix="gptstudio-bench-") as folder:
        os.environ["GPTSTUDIO_HOME"] = folder
        text = Path(folder) / "large.txt"
        make(text, size * MB)
        print(f"{size} MB of sentences in random order; beyond what the program holds before it opens a text")
        for name in ("first", "again"):
            subprocess.run([sys.executable, __file__, name, str(text)], check=True)


def make(path: Path, size: int) -> None:
    """Write the story's sentences, drawn at random, in paragraphs."""
    from gptstudio import paths

    sentences = (paths.resources() / "texts" / "story.txt").read_text(encoding="utf-8").split(". ")
    rng = random.Random(123)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while file.tell() < size:
            file.write("\n\n".join(". ".join(rng.choices(sentences, k=8)) + "." for _ in range(200)) + "\n")


def measure(name: str, path: str) -> None:
    """Measure one row: until the plan of a run is made, and then a thousand random batches."""
    import torch

    from gptstudio import devices
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gpt.tokenizer import GPT2
    from gptstudio.training import corpus
    from gptstudio.training.dataset import Batches
    from gptstudio.training.spec import TrainSpec

    GPT2.encode("")
    before, began, computed = devices.used_bytes("cpu"), time.perf_counter(), time.process_time()
    spec = TrainSpec(config=PRESETS["book"], text=path, batch_size=8)
    held = corpus.read(spec)
    plan = corpus.plan(spec, held)
    took, computed = time.perf_counter() - began, time.process_time() - computed
    peak, size = devices.peak_bytes("cpu") - before, Path(path).stat().st_size / MB
    began = time.perf_counter()
    batches = Batches(held.train_ids, 256, 256, 8, shuffle=True, drop_last=True)
    order = torch.randperm(len(batches.windows))
    for i in range(1_000):
        batches.batch(order, i)
    each = (time.perf_counter() - began) / 1_000
    total = devices.peak_bytes("cpu") - before
    print(
        f"{name:6} {took:6.1f} s = {size / took:,.1f} MB/s; {computed:.1f} s of the processors = "
        f"{size / computed:,.1f} MB/s each; peak {peak / MB:,.0f} MB; {plan.train_tokens + plan.val_tokens:,} tokens; "
        f"a batch of 8 x 256 in {each * 1000:.2f} ms, peak after 1,000 of them {total / MB:,.0f} MB, "
        f"{devices.peak_bytes('cpu') / MB:,.0f} MB with all of the program"
    )


if __name__ == "__main__":
    measure(*sys.argv[1:]) if sys.argv[2:] else main()
