"""The cost of a change on a page of the Learn tab for the window's thread: checked, answered, shown, laid out and
painted.

    python tests/bench/labs.py [changes] [lab ...]

In the real window off screen, for the book's input and for the largest request that each page still answers at once;
pages whose answers come from a worker are shown the result. Times are processor time of the window's thread, because
other programs may be using the machine. The aim is 50 ms; 30 ms leave room for slower computers. The first opening of a
page, with its imports, is reported separately; the very first page includes the layout of formulas.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, groupby, islice
from typing import Any, NamedTuple

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")

EFFORT = "Every effort moves you one step forward. "
EIGHT = "one two three four five six seven eight"
SQUARE = tuple(tuple(round(0.37 * row - 0.21 * column, 2) for column in range(8)) for row in range(8))
BATCH = tuple(tuple(float(16 * row + column) for column in range(16)) for row in range(32))


class Turning(NamedTuple):
    """A field of a lab's request that is set to several values in turn, and the initial request."""

    lab: str
    what: str
    start: dict[str, Any]
    field: str
    values: Sequence[Any]


TURNINGS = (
    Turning("tokens", "the book, merge by merge", {}, "step", range(1, 9)),
    Turning("tokens", "2,000 characters", {"text": (EFFORT * 50)[:2000]}, "special", (False, True)),
    Turning("tokens", "a word of 100 bytes", {"word": "counterrevolutionaries" * 4}, "step", range(1, 9)),
    Turning("windows", "the book", {}, "stride", range(1, 9)),
    Turning("windows", "16 windows of 256", {"context": 256, "batch_size": 16}, "stride", range(1, 256, 20)),
    Turning("windows", "16 windows of 64, window by window", {"context": 64, "batch_size": 16}, "window", range(500)),
    Turning("windows", "20,000 characters", {"text": "own", "own": (EFFORT * 500)[:20_000]}, "context", range(2, 64)),
    Turning("embeddings", "the book", {}, "position", range(8)),
    Turning("embeddings", "32 x 16 ids, 1,000 x 200",
            {"ids": BATCH, "vocabulary": 1_000, "context": 64, "width": 200}, "position", range(8)),
    Turning("attention", "the book, query by query", {}, "query", range(1, 7)),
    *(Turning("attention", f"eight words, {stage}",
              {"stage": stage, "words": EIGHT, "inputs": SQUARE, "d_out": 8, "heads": 4}, "query", range(1, 9))
      for stage in ("products", "weights", "mask", "dropout", "heads")),
    Turning("dropout", "the book", {}, "rate", (0.1, 0.2, 0.3, 0.4, 0.5)),
    Turning("dropout", "8 x 8, 10,000 draws", {"numbers": SQUARE, "draws": 10_000}, "rate", (0.1, 0.2, 0.3, 0.4)),
    Turning("dropout", "GPT-2 xl, eight tokens",
            {"part": "model", "preset": "gpt2-xl", "tokens": 8}, "rate", (0.1, 0.2)),
    Turning("layernorm", "the book", {}, "scale", (1.0, 1.5, 2.0)),
    Turning("layernorm", "8 x 8", {"batch": SQUARE}, "scale", (1.0, 1.5, 2.0)),
    Turning("gelu", "the book", {}, "x", tuple(np.linspace(-4, 4, 9).tolist())),
    Turning("gelu", "1,000 points", {"points": 1000}, "reach", (4.0, 5.0, 6.0, 7.0)),
    Turning("feedforward", "the book", {}, "width", (256, 512, 768)),
    Turning("feedforward", "256 tokens in 16 rows", {"batch": 16, "tokens": 256}, "width", (64, 128)),
    Turning("shortcuts", "the book", {}, "seed", range(123, 130)),
    Turning("shortcuts", "40 layers of 64", {"layer_sizes": (3, *(64,) * 39, 1)}, "seed", range(123, 130)),
    Turning("shortcuts", "40 layers of 10, 22 seeds", {"layer_sizes": (3, *(10,) * 39, 1), "seeds": 22}, "seed",
            range(123, 130)),
    Turning("shortcuts", "190 seeds", {"seeds": 190}, "seed", range(123, 130)),
    Turning("shortcuts", "500 seeds", {"seeds": 500}, "seed", range(123, 130)),
    Turning("block", "the book", {}, "n_heads", (4, 6, 12)),
    Turning("block", "128 layers, 64 tokens",
            {"n_layers": 128, "text": " effort" * 64, "other": ""}, "n_heads", (4, 6, 12)),
    Turning("sizes", "the book", {}, "n_layers", range(1, 9)),
    Turning("sizes", "the largest, tied",
            {"emb_dim": 16_384, "n_layers": 128, "context_length": 131_072, "tied": True}, "n_heads", (64, 128, 256)),
    Turning("loss", "the book", {}, "probabilities", tuple((each, 0.2, 0.7, 0.1, 0.5, 0.9) for each in (0.1, 0.8))),
    Turning("loss", "64 probabilities", {}, "probabilities", tuple((each,) * 64 for each in (0.1, 0.3, 0.8))),
    Turning("loss", "two sentences and a model", {"source": "model"}, "second", ("I like tea", "I like milk")),
    Turning("sampling", "the book", {}, "temperature", (0.5, 1.0, 1.5, 2.0)),
    Turning("sampling", "100,000 draws", {"draws": 100_000}, "temperature", (0.5, 1.0, 1.5, 2.0)),
    Turning("generate", "the book", {}, "new_tokens", (3, 4, 5)),
    Turning("generate", "24 tokens", {"prompt": EFFORT * 4}, "new_tokens", (22, 23, 24)),
)


def main() -> None:
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    changes, wanted = int(sys.argv[1]) if sys.argv[1:] else 60, sys.argv[2:]
    app, window = make_app(), MainWindow()
    window.show()
    window.wake()
    live(app, lambda: not window.tasks.busy("pool"))
    took = opened(app, window, lambda: window.state.show_page("learn"))
    print(f"the tab and its first page opened in {took:.0f} ms")
    for lab, turnings in groupby(TURNINGS, key=lambda turning: turning.lab):
        if not wanted or lab in wanted:
            took = opened(app, window, lambda lab=lab: window.learn.open(lab))
            print(f"{lab}, opened in {took:.0f} ms")
            for turning in turnings:
                where, took = timed(app, window.learn.page(lab), turning, changes)
                p50, p95 = np.percentile(took, [50, 95])
                print(f"    {turning.what:36} p50 {p50:5.1f} ms, p95 {p95:5.1f} ms{where}", flush=True)
    window.leave()


def opened(app: Any, window: Any, open_it: Callable[[], object]) -> float:
    """Return the milliseconds until a page is first shown with its answer."""
    began = time.thread_time()
    open_it()
    live(app, lambda: not window.learn.current.waiting)
    return (time.thread_time() - began) * 1000


def timed(app: Any, page: Any, turning: Turning, changes: int) -> tuple[str, list[float]]:
    """Return where the request is answered, and the milliseconds of each change, after some changes that fill
    caches."""
    start, took = page.lab.examples[0].request.but(**turning.start), []
    elsewhere = page.lab.slow(start) or (page.lab.model and page.lab.reads(start))
    page.update_request(**start.shallow())
    live(app, lambda: not page.waiting)
    told = [each for each in turning.values if each != getattr(start, turning.field)]
    for number, value in enumerate(islice(cycle(told), changes + 5)):
        began = time.thread_time()
        page.update_request(**{turning.field: value})
        live(app, lambda: not page.waiting)
        if number >= 5:
            took.append((time.thread_time() - began) * 1000)
        assert getattr(page.request, turning.field) == value, page.notice.text() or f"{turning} was not answered"
    return ", and a worker" if elsewhere else "", took


def live(app: Any, ready: Callable[[], object]) -> None:
    """Run the event loop until everything is laid out and painted."""
    from PySide6.QtCore import QEventLoop

    while not ready():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    app.processEvents()


if __name__ == "__main__":
    main()
