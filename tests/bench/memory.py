"""Predicted and measured peak memory of training, on the processor.

    python tests/bench/memory.py [PRESET ...] [OPTIMIZER ...]

Each row is a separate process, and trains on a separate thread, as the window does: two steps, an evaluation, two
steps. The largest models recompute their activations, and gpt2-xl trains only its last four blocks. Also printed: the
time of a step predicted from small models, and the measured one. Rows that do not fit into the free memory are named
and left out.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from threading import Thread

OPTIMIZERS = ("adamw", "sgd", "muon")
ROWS = [
    (preset, batch, precision)
    for preset in ("workshop", "book", "gpt2-medium")
    for batch in (1, 2, 4, 8)
    for precision in ("bf16", "fp32")
] + [(preset, 1, precision) for preset in ("gpt2-large", "gpt2-xl") for precision in ("fp32", "bf16")]
CHANGES = {
    "gpt2-large": {"recompute_activations": True},
    "gpt2-xl": {"freeze": ("token_embedding", "position_embedding"), "freeze_blocks": 44},
}


def main(names: list[str]) -> None:
    print(f"{'preset':12}{'batch':>6}  {'precision':10}{'optimizer':10}{'predicted MB':>14}{'measured MB':>13}"
          f"{'error':>8}{'predicted s':>13}{'a step':>8}{'error':>8}", flush=True)
    presets = [name for name in names if name not in OPTIMIZERS]
    for optimizer in [name for name in names if name in OPTIMIZERS] or ["adamw"]:
        for preset, batch, precision in ROWS:
            if preset in (presets or [preset]):
                subprocess.run([sys.executable, __file__, preset, str(batch), precision, optimizer], check=True)


def measure(preset: str, batch_size: int, precision: str, optimizer: str) -> None:
    """Measure and print one row."""
    import torch

    from gptstudio import devices
    from gptstudio.data.texts import Label
    from gptstudio.gpt.config import PRESETS
    from gptstudio.training.calibration import calibrate
    from gptstudio.training.control import Control
    from gptstudio.training.corpus import Corpus
    from gptstudio.training.forecast import Workload
    from gptstudio.training.spec import TrainSpec
    from gptstudio.training.steering import WeightsSnapshot
    from gptstudio.training.trainer import build_state, evaluate, training_step
    from gptstudio.units import MB

    device = devices.choose("cpu")
    config = PRESETS[preset].but(tie_weights=preset in CHANGES)  # as GPT-2 was published
    spec = TrainSpec(
        config=config, batch_size=batch_size, precision=precision, optimizer=optimizer, sample_tokens=0,
        **CHANGES.get(preset, {}))
    work = Workload.of(spec, device)
    predicted = work.memory("cpu").total
    start = f"{preset:12}{batch_size:6}  {precision:10}{optimizer:10}{predicted / MB:14,.0f}"
    if predicted > device.free_bytes:
        print(f"{start}  does not fit here", flush=True)
        return
    meter = devices.MemoryMeter("cpu")
    ids = torch.randint(0, 50_257, (spec.config.context_length * batch_size * 4 + 1,)).tolist()
    state = build_state(spec, Corpus(ids, ids, Label("random tokens", "")), device, work.bf16)
    best = WeightsSnapshot.of(state)  # the copy that the trainer keeps of the best model
    order, seconds = torch.arange(4 * batch_size), []
    for i in range(4):
        with state.rng.active():
            began = time.perf_counter()
            training_step(state, [state.training.batch(order, i)])
            seconds.append(time.perf_counter() - began)
            state.free_gradients()  # as the trainer does after each step
            if i == 1:
                evaluate(state, 1, Control())
    measured = meter.peak()
    del best, state
    speed = calibrate(spec, device, Control())
    assert speed is not None
    step_s = statistics.median(seconds[1:])
    print(f"{start}{measured / MB:13,.0f}{predicted / measured - 1:8.1%}"
          f"{speed.step_s:13.2f}{step_s:8.2f}{speed.step_s / step_s - 1:8.1%}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[2].isdigit():
        from gptstudio import devices

        with devices.reusing_freed_memory():
            thread = Thread(target=measure, args=(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
            thread.start()
            thread.join()
    else:
        main(sys.argv[1:])
