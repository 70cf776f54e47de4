"""How long it takes to open the journal of a long run, to draw it in the window, to follow it, and to list many runs.

    python tests/bench/history.py [steps] [runs]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gptstudio.history import run_history
from gptstudio.history.journal_tail import Tail
from gptstudio.history.run_history import History
from gptstudio.history.summary import Summaries
from gptstudio.training.events import Ended, Evaluated, MemoryRead, RunStarted, StepDone, to_json
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec


def main() -> None:
    steps, runs = int(sys.argv[1]) if sys.argv[1:] else 1_000_000, int(sys.argv[2]) if sys.argv[2:] else 200
    root = Path(tempfile.mkdtemp(prefix="gptstudio-bench-"))
    try:
        one_long_run(root / "long", steps)
        on_the_page(root / "home", root / "long" / "journal.jsonl", steps)
        many_runs(root, runs)
    finally:
        shutil.rmtree(root)


def one_long_run(path: Path, steps: int) -> None:
    path.mkdir()
    journal = path / "journal.jsonl"
    write_journal(journal, steps)
    print(f"a journal of {steps:,} steps, evaluated every 5, {journal.stat().st_size / 2**20:.0f} MB:")
    made = timed("opened", lambda: run_history.read(journal))
    timed("lowest validation loss", lambda: made.best)
    tail, followed = Tail(journal), History()
    while lines := tail.read().lines:
        followed.extend(lines)
    with journal.open("ab") as file:
        file.write(line_of(steps).encode())
    timed("a step that came since", lambda: followed.extend(tail.read().lines))


def on_the_page(home: Path, journal: Path, steps: int, rounds: int = 3) -> None:
    """From the tick in the list of runs to the last point in the chart, and how much of it the processor worked."""
    os.environ |= {"GPTSTUDIO_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    run = RunFolder.create(TrainSpec(), "a text", "0" * 64, home / "runs" / "long")
    shutil.copy(journal, run.journal_path)
    app, window = make_app(), MainWindow()
    tab = window.runs

    def points() -> int:
        curve = tab.compare.charts["loss"].curves.get(f"{run.path}|step_loss")
        return len(curve.series) if curve else 0

    def live(ready: Callable[[], bool]) -> None:
        while not ready() or window.tasks.busy("pool"):
            app.processEvents()
            time.sleep(0.002)

    window.show()
    window.state.show_page("runs")
    live(lambda: points() >= steps)
    for _ in range(rounds):
        tab.model.tick(run.path, False)
        live(lambda: not points())
        began, worked = time.perf_counter(), time.process_time()
        tab.model.tick(run.path, True)
        live(lambda: points() >= steps)
        took, worked = time.perf_counter() - began, time.process_time() - worked
        print(f"  ticked and drawn: {took * 1000:,.0f} ms, of which the processor worked {worked * 1000:,.0f} ms")
    window.leave()


def many_runs(root: Path, count: int, steps: int = 14_300) -> None:
    """Each of about 20,000 lines."""
    first = RunFolder.create(TrainSpec(), "a text", "0" * 64, root / "runs" / "0")
    write_journal(first.journal_path, steps)
    folders = [first] + [RunFolder(root / "runs" / str(i)) for i in range(1, count)]
    for folder in folders[1:]:
        shutil.copytree(first.path, folder.path)
    known = root / "summaries.json"
    print(f"{count} runs of {steps:,} steps:")
    for words in ("listed", "listed by another program", "listed again"):
        timed(words, lambda: Summaries(known).of_all(folders))


def timed(words: str, work: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    result = work()
    print(f"  {words}: {(time.perf_counter() - began) * 1000:,.2f} ms")
    return result


def write_journal(path: Path, steps: int) -> None:
    started = RunStarted(
        run=str(path.parent), device="cpu", dtype="fp32", path="fast", parameters=1, total_steps=steps,
        steps_per_epoch=9, tokens_per_step=512,
    )
    with path.open("w", encoding="utf-8") as file:
        file.write(to_json(started) + "\n")
        file.writelines(line_of(step) for step in range(steps))
        file.write(to_json(Ended(outcome="finished", message="Finished.")) + "\n")


def line_of(step: int) -> str:
    """What a run writes of one step, with as many digits as real figures have."""
    loss = float(10 * np.exp(-step / 1e5) + np.sin(step) / 3)
    events: list = [
        StepDone(
            step=step, epoch=step // 9 + 1, loss=loss, learning_rate=4e-4 * loss, gradient_norm=loss / 3,
            tokens_seen=512 * (step + 1), elapsed_s=0.123456789 * (step + 1),
        )
    ]
    if step % 5 == 0:
        events.append(Evaluated(step=step, tokens_seen=512 * (step + 1), train_loss=loss / 2, val_loss=loss / 3))
        events.append(MemoryRead(used_bytes=10**9 + step, peak_bytes=2 * 10**9, total_bytes=16 * 10**9))
    return "".join(to_json(event) + "\n" for event in events)


if __name__ == "__main__":
    main()
