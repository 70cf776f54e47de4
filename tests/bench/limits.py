"""Measured limits of this machine: the rates of matrix multiplication and of reading memory.

    python tests/bench/limits.py

``side_by_side.py`` prints both limits next to every figure.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
READ_BYTES = 2**30


def matmul_rate(dtype: str, device: str = "cpu") -> float:
    """Return floating-point operations a second in the product of two square matrices, the best of ten."""
    size = 2048 if device == "cpu" else 8192
    one, other = (torch.randn(size, size, device=device).to(DTYPES[dtype]) for _ in range(2))
    out = torch.empty_like(one)
    return 2 * size**3 / best(lambda: torch.mm(one, other, out=out), device)


def bandwidth(device: str = "cpu") -> float:
    """Return the bytes a second that can be read while nothing is written: the fastest of three ways to read all of a
    large tensor, the best of ten each."""
    rows = torch.zeros(2**14, READ_BYTES // 2**16, device=device)
    flat = rows.flatten()
    ways: tuple[Callable[[], object], ...] = (lambda: rows.sum(1), lambda: flat.sum(), lambda: flat.dot(flat))
    return READ_BYTES / min(best(way, device) for way in ways)


def best(work: Callable[[], object], device: str = "cpu", times: int = 10) -> float:
    """Return the seconds of the fastest of ``times`` calls."""
    work()
    return min(seconds(work, device) for _ in range(times))


def seconds(work: Callable[[], object], device: str = "cpu") -> float:
    wait(device)
    began = time.perf_counter()
    work()
    wait(device)
    return time.perf_counter() - began


def wait(device: str) -> None:
    """Wait until the device has finished its work."""
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def main() -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for dtype in DTYPES:
        print(f"{dtype} products: {matmul_rate(dtype, device) / 1e9:,.0f} GFLOP/s")
    print(f"reading memory: {bandwidth(device) / 1e9:,.1f} GB/s")


if __name__ == "__main__":
    main()
