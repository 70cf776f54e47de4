"""Ours beside the book's own model: training and decoding, in one process, on the same batch and prompt.

    pip install --no-deps llms-from-scratch      # its other requirements are not used here
    python tests/bench/side_by_side.py [training|decoding]

Rounds alternate between the two, so that a machine that changes its pace changes it for both. Each runs as it does
in a program of its own: ours with freed memory kept for the next step, as every run here has it, the book's without.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import torch
from llms_from_scratch.ch04 import GPTModel as BookModel
from llms_from_scratch.ch04 import generate_text_simple
from torch.nn.functional import cross_entropy

from gptstudio import devices
from gptstudio.corpora.texts import Label
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.model import GPTModel
from gptstudio.runs.bench import prepare
from gptstudio.runs.corpus import Corpus
from gptstudio.runs.decoder import Decoder
from gptstudio.runs.spec import TrainSpec
from gptstudio.runs.trainer import training_step

ROUNDS, STEPS = 5, 3


def main() -> None:
    what = sys.argv[1:] or ["training", "decoding"]
    print(f"{devices.cpu().name}, {torch.get_num_threads()} threads, torch {torch.__version__}")
    for name in what:
        {"training": training, "decoding": decoding}[name]()


def training() -> None:
    """Tokens per second of a training step: 124M, context 256, batch 2."""
    cfg = PRESETS["book"]
    batch = torch.randint(0, cfg.vocab_size, (2, cfg.context_length + 1), generator=torch.Generator().manual_seed(1))
    inputs, targets = batch[:, :-1], batch[:, 1:]
    book = BookModel(_book_config(cfg)).train()
    optimizer = torch.optim.AdamW(book.parameters(), lr=4e-4, weight_decay=0.1)
    device = devices.choose("cpu")
    spec = TrainSpec(config=cfg, device="cpu")
    ids = range(2 * cfg.context_length * spec.batch_size)  # any text: the batch is our own
    ours = prepare(spec, Corpus(ids, ids, Label("", "")), device, spec.uses_bf16(device.fast_bf16))

    def book_step() -> None:
        optimizer.zero_grad()
        cross_entropy(book(inputs).flatten(0, 1), targets.flatten()).backward()  # as calc_loss_batch does
        optimizer.step()

    print(f"training, book preset, batch 2; our path: fast, {'bf16' if device.fast_bf16 else 'fp32'}")
    _compare(book_step, lambda: training_step(ours, [(inputs, targets)]), inputs.numel(), STEPS)


def decoding() -> None:
    """Tokens per second at position 900 of gpt2-small: the book's loop against the cache."""
    cfg = PRESETS["gpt2-small"]
    ids = torch.randint(0, cfg.vocab_size, (900,), generator=torch.Generator().manual_seed(1)).tolist()
    book = BookModel(_book_config(cfg)).eval()
    decoder = Decoder(GPTModel(cfg, "fast").eval())
    prompt = torch.tensor([ids])

    def our_token() -> None:
        ids.append(int(decoder.next_logits([ids])[0].argmax()))

    print("decoding at position 900, gpt2-small, float32")
    _compare(lambda: generate_text_simple(book, prompt, 1, 1024), our_token, 1, 1, more_of_ours=8)


def _compare(book: Callable, ours: Callable, tokens: int, steps: int, more_of_ours: int = 1) -> None:
    book(), ours()  # warm; fills our cache
    pairs = []
    for _ in range(ROUNDS):
        slow = _seconds(book, steps)
        with devices.reusing_freed_memory():
            ours()  # takes the memory that it will keep
            pairs.append((slow, _seconds(ours, steps * more_of_ours) / more_of_ours))
    ratios = [slow / fast for slow, fast in pairs]
    for name, times in zip(("book", "ours"), zip(*pairs, strict=True), strict=True):
        rates = [tokens * steps / seconds for seconds in times]
        print(f"  {name}: {statistics.median(rates):8.2f} tokens/s   ({min(rates):.2f} to {max(rates):.2f})")
    print(f"  ratio: {statistics.median(ratios):.1f}   ({min(ratios):.1f} to {max(ratios):.1f})")


def _seconds(work: Callable, times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - began


def _book_config(cfg) -> dict:
    names = ("vocab_size", "context_length", "emb_dim", "n_heads", "n_layers", "drop_rate", "qkv_bias")
    return {name: getattr(cfg, name) for name in names}


if __name__ == "__main__":
    main()
