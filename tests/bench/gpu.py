"""Decoding and training on a GPU, with the limits of the GPU and other implementations, in one run.

    python tests/bench/gpu.py RESULTS.json [limits|decode|train|save ...]

Writes every figure to a JSON file and prints a table. Random weights: the time of a step does not depend on them.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import contestants
import torch
from safetensors.torch import save_file

from gptstudio import files, torch_settings
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.sizing import parameter_count
from gptstudio.training.background_save import copied as copied_there
from gptstudio.training.checkpoint_files import RESUME, WEIGHTS
from gptstudio.training.train_state import resume_tensors
from gptstudio.training.trainer import training_step

DEVICE = "cuda:0"
SMALL = PRESETS["gpt2-small"].but(tie_weights=True, drop_rate=0.0)
XL = PRESETS["gpt2-xl"].but(tie_weights=True, drop_rate=0.0)
ROUNDS = 5
BATCHES = (8, 32, 64)
COMPILER_ENDS_S = 15
"""Seconds after compiling during which the compiler's own processes still start, beside the measurement."""
PADDED = 50_304
"""Vocabulary of nanoGPT's recipe, whose rows a GPU multiplies faster."""


def main(path: str, *wanted: str) -> None:
    torch.manual_seed(123)
    found: dict[str, Any] = {"card": torch.cuda.get_device_name(), "torch": torch.__version__}
    for name, measure in PARTS.items():
        if not wanted or name in wanted:
            start = time.perf_counter()
            found[name] = measure(found)
            found[name]["seconds"] = round(time.perf_counter() - start, 1)
            Path(path).write_text(json.dumps(found, indent=1), encoding="utf-8")
            print(f"{name}: {json.dumps(found[name])}", flush=True)
    print(table(found))


def limits(_found: dict[str, Any]) -> dict[str, float]:
    """Return TFLOP/s of products of random matrices, and GB/s of a copy, counting the bytes read and written."""
    made = {}
    for name, dtype in (("bf16_tflops", torch.bfloat16), ("tf32_tflops", torch.float32)):
        one, other = (torch.randn(8192, 8192, device=DEVICE, dtype=dtype) for _ in range(2))
        with torch_settings.tf32():
            made[name] = round(2 * 8192**3 / seconds(lambda a=one, b=other: a @ b, 10) / 1e12, 1)
    source = torch.empty(2**32, dtype=torch.uint8, device=DEVICE).random_()
    target = torch.empty_like(source)
    made["copy_gbs"] = round(2 * len(source) / seconds(lambda: target.copy_(source), 10) / 1e9, 1)
    return made


def decode(found: dict[str, Any]) -> dict[str, Any]:
    """Return tokens a second of greedy decoding, including everything from ids to ids."""
    made: dict[str, Any] = {}
    for name, cfg, weights, texts, position in (
        ("124M, fp32, at 4", SMALL, "fp32", 1, 4), ("124M, bf16, at 4", SMALL, "bf16", 1, 4),
        ("124M, bf16, compiled, at 4", SMALL, "bf16", 1, 4), ("124M, bf16, compiled, at 900", SMALL, "bf16", 1, 900),
        ("124M, bf16, at 900", SMALL, "bf16", 1, 900), ("124M, bf16, 8 texts", SMALL, "bf16", 8, 4),
        ("124M, without a graph, fp32, at 4", SMALL, None, 1, 4), ("XL, bf16, at 4", XL, "bf16", 1, 4),
        ("XL, bf16, compiled, at 4", XL, "bf16", 1, 4),
    ):
        decoder = Decoder(build_model(cfg, "fast").to(DEVICE).eval(), weights=weights, compiled="compiled" in name)
        if "compiled" in name:
            written(decoder, texts, position, 4)
            time.sleep(COMPILER_ENDS_S)
        with torch.no_grad():
            made[name] = round(texts * rate(lambda n, d=decoder, t=texts, p=position: written(d, t, p, n)), 1)
        if weights:
            size = parameter_count(cfg) * (2 if weights == "bf16" else 4)
            made[name + ", GB/s of weights"] = round(size * made[name] / texts / 1e9, 1)
        del decoder
        clear()
    made["transformers, static cache, compiled, bf16, at 4"] = round(
        rate(contestants.transformers_static_decoding(SMALL, [1, 2, 3, 4], DEVICE)), 1)
    return made


def written(decoder: Decoder, texts: int, position: int, tokens: int) -> None:
    ids = [[(7 * row + place) % 50_000 for place in range(position)] for row in range(texts)]
    for _ in range(tokens):
        best = decoder.next_logits(ids).numpy().argmax(-1).tolist()
        for text, token in zip(ids, best, strict=True):
            text.append(token)


def rate(write: Callable[[int], object], tokens: int = 100) -> float:
    """Return tokens a second of one text, excluding the first token, for which the prompt is read."""
    write(4)
    times = []
    for _ in range(ROUNDS):
        first = timed(lambda: write(2))
        times.append((timed(lambda: write(tokens)) - first) / (tokens - 2))
    return 1 / median(times)


def timed(work: Callable[[], object]) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def seconds(work: Callable[[], object], times: int) -> float:
    for _ in range(3):
        work()
    return median(timed(work) for _ in range(times))


def train(found: dict[str, Any]) -> dict[str, Any]:
    """Return tokens a second of a step of 124M at context 1,024, bf16, without dropout, and its share of the
    products."""
    made: dict[str, Any] = {}
    for batch in BATCHES:
        made[f"GPT Studio, {batch}"] = trained(found, contestants.our_training, SMALL, batch)
        compiled = partial(contestants.our_training, compiled=True)
        made[f"GPT Studio, compiled, {batch}"] = trained(found, compiled, SMALL, batch)
    padded = SMALL.but(vocab_size=PADDED)
    made["nanoGPT's recipe, 32"] = trained(found, contestants.nanogpt_training, padded, 32)
    made["nanoGPT's recipe, compiled, 32"] = trained(
        found, partial(contestants.nanogpt_training, compiled=True), padded, 32)
    made["GPT Studio, TF32, 8"] = trained(found, contestants.our_training, SMALL, 8, bf16=False)
    made["XL, compiled, 4"] = trained(found, partial(contestants.our_training, compiled=True), XL, 4)
    return made


def trained(
    found: dict[str, Any], make: Callable[..., Callable[[], object]], cfg: GPTConfig, batch: int, bf16: bool = True,
) -> Any:
    clear()
    torch.cuda.reset_peak_memory_stats()
    ids = torch.randint(0, 50_257, (batch, cfg.context_length + 1))
    try:
        step = make(cfg, (ids[:, :-1], ids[:, 1:]), bf16, DEVICE)
        begin = timed(step)
        took = seconds(step, 8)
    except torch.cuda.OutOfMemoryError:
        return "out of memory"
    tokens = batch * cfg.context_length
    flops = 6 * parameter_count(cfg) + 6 * cfg.n_layers * cfg.emb_dim * cfg.context_length  # causal: half of 12
    full = flops + 6 * cfg.n_layers * cfg.emb_dim * cfg.context_length  # as nanoGPT counts: the full square
    products = found.get("limits", {}).get("bf16_tflops" if bf16 else "tf32_tflops", 0) * 1e12
    return {
        "tokens_s": round(tokens / took), "first_step_s": round(begin, 1), "step_ms": round(1e3 * took, 1),
        "tflops": round(flops * tokens / took / 1e12, 1), "tflops_nanogpt": round(full * tokens / took / 1e12, 1),
        "of_products": round(full * tokens / took / products, 3) if products else None,
        "peak_mb": round(torch.cuda.max_memory_allocated() / 2**20),
    }


def save(_found: dict[str, Any]) -> dict[str, Any]:
    """Return the seconds for which a run of 124M stops to save: copying its tensors to the processor, and writing them
    to the disk; or only copying them on the GPU, if it has room for that, where a thread does the rest."""
    state = contestants.our_state(SMALL, 8, True, DEVICE)
    ids = torch.randint(0, 50_257, (8, SMALL.context_length + 1))
    training_step(state, [(ids[:, :-1], ids[:, 1:])])

    def copied() -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        return state.strategy.gather_weights(state.model), resume_tensors(state)

    with tempfile.TemporaryDirectory(prefix="gptstudio-bench-") as folder:
        tensors, took = copied(), [timed(copied) for _ in range(ROUNDS)]

        def write() -> None:
            for name, group in zip((WEIGHTS, RESUME), tensors, strict=True):
                save_file(group, f"{folder}/{name}")
                files.flush(Path(folder, name))

        written = [timed(write) for _ in range(ROUNDS)]
    strategy = state.strategy
    aside = [timed(lambda: (strategy.gather_weights(state.model, copied_there), resume_tensors(state, copied_there)))
             for _ in range(ROUNDS)]
    size = sum(each.nbytes for group in tensors for each in group.values())
    return {"MB": round(size / 1e6), "copied_s": round(median(took), 3),
            "written_s": round(median(written), 3), "copied_on_the_gpu_s": round(median(aside), 4)}


def clear() -> None:
    gc.collect()
    torch.cuda.empty_cache()


def table(found: dict[str, Any]) -> str:
    rows = [f"{found['card']}, torch {found['torch']}"]
    for part in PARTS:
        rows += [f"| {name} | {value} |" for name, value in found.get(part, {}).items()]
    return "\n".join(rows)


PARTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "limits": limits, "decode": decode, "train": train, "save": save,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
