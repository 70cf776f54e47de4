"""The time to open the journal of a long run, to draw it on Runs and on Train, to follow it, and to list many runs.

    python tests/bench/history.py [steps] [runs] [runs on the page] [of them ticked]

Actions on the page are reported in wall-clock time, and by the longest uninterrupted processor time of the window's
thread.
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
from frames import frame_times

from gptstudio.history import journal_reader, run_history
from gptstudio.history.journal_reader import Tail
from gptstudio.history.run_history import History
from gptstudio.history.summary import Summaries
from gptstudio.training.events import Ended, Evaluated, MemoryRead, RunStarted, StepDone
from gptstudio.training.journal import sealed
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec


def main() -> None:
    steps, runs, listed, ticked = (*map(int, sys.argv[1:]), *(1_000_000, 200, 1_000, 200)[len(sys.argv) - 1 :])
    root = Path(tempfile.mkdtemp(prefix="gptstudio-bench-"))
    os.environ["GPTSTUDIO_HOME"] = str(root / "user")
    try:
        one_long_run(root / "long", steps)
        on_the_page(root / "home", root / "long" / "journal.jsonl", steps)
        many_runs(root, runs)
        many_on_the_page(root / "many", listed, ticked)
    finally:
        shutil.rmtree(root)


def one_long_run(path: Path, steps: int) -> None:
    path.mkdir()
    journal = path / "journal.jsonl"
    write_journal(journal, steps)
    print(f"a journal of {steps:,} steps, evaluated every 5, {journal.stat().st_size / 2**20:.0f} MB:")
    timed("opened for the first time", lambda: run_history.read(journal))
    made = timed("opened again", lambda: run_history.read(journal))
    timed("lowest validation loss", lambda: made.best)
    tail, followed = Tail(journal), History()
    while lines := tail.read().lines:
        followed.extend(lines)
    with journal.open("ab") as file:
        file.write(line_of(steps).encode())
    timed("a step that came since", lambda: followed.extend(tail.read().lines))


def on_the_page(home: Path, journal: Path, steps: int, rounds: int = 3) -> None:
    """Measure from the tick in the list of runs, or *Open in Train*, to the last point in the chart, and the processor
    time of that."""
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
    tab.model.tick(run.path, False)
    in_train(app, window, run, steps, rounds)
    window.leave()


def in_train(app: Any, window: Any, run: RunFolder, steps: int, rounds: int) -> None:
    """Measure *Open in Train*, with the cache of the journal removed before the first round."""
    curve = window.train.view.charts.loss.curves
    for number in range(rounds + 1):
        if not number:
            journal_reader.kept_at(run.journal_path).unlink(missing_ok=True)
        window.training.reset()
        paused(app, window, "opened in Train" + (", nothing kept of it" if not number else ""),
               lambda: window.training.open_run(run, TrainSpec(), live=False),
               lambda: len(curve["step"].series) >= steps and window.state.run.ended)


def many_runs(root: Path, count: int, steps: int = 14_300) -> None:
    """Create many runs, each with a journal of about 20,000 lines."""
    first = RunFolder.create(TrainSpec(), "a text", "0" * 64, root / "runs" / "0")
    write_journal(first.journal_path, steps)
    folders = [first] + [RunFolder(root / "runs" / str(i)) for i in range(1, count)]
    for folder in folders[1:]:
        shutil.copytree(first.path, folder.path)
    known = root / "summaries.json"
    print(f"{count} runs of {steps:,} steps:")
    for words in ("listed", "listed by another program", "listed again"):
        timed(words, lambda: Summaries(known).of_all(folders))


def many_on_the_page(home: Path, count: int, ticked: int, steps: int = 300) -> None:
    """Measure a long list, scrolled, sorted and ticked, and the curves of the ticked runs."""
    os.environ |= {"GPTSTUDIO_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    from PySide6.QtCore import Qt

    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    runs = [
        RunFolder.create(TrainSpec(learning_rate=1e-4 * (1 + i)), "a text", "0" * 64, home / "runs" / str(i))
        for i in range(count)
    ]
    for run in runs:
        write_journal(run.journal_path, steps)
    app, window = make_app(), MainWindow()
    tab, bar = window.runs, window.runs.list.verticalScrollBar()
    window.resize(1400, 1000)
    window.show()

    def loss() -> Any:
        return tab.compare.charts["loss"]

    def points() -> int:
        return sum(len(curve.series) for key, curve in loss().curves.items() if key.endswith("|step_loss"))

    def pan(number: int) -> None:
        box = loss().box
        box.setXRange(steps * 0.2 + number, steps * 0.6 + number, padding=0)
        box.moved.emit(0)

    print(f"{count:,} runs of {steps} steps on the page, window {window.width()} x {window.height()}:")
    paused(app, window, "listed for the first time", lambda: window.state.show_page("runs"),
           lambda: len(tab.model.runs) == count)
    repeated(app, "a frame of scrolling", lambda number: bar.setValue(number * 97 % bar.maximum()))
    repeated(app, "sorted by a column", lambda number: tab.list.sortByColumn(number % 8, Qt.SortOrder.AscendingOrder))
    repeated(app, "the same list again", lambda _: tab.model.set_runs(list(tab.model.runs)))
    began = time.perf_counter()
    paths = [run.path for run in runs if run.path not in tab.model.ticks][: ticked - len(tab.model.ticks)]
    repeated(app, f"ticked one by one to {ticked}", lambda number: tab.model.tick(paths[number], True), len(paths))
    paused(app, window, "all curves drawn", lambda: None, lambda: points() == ticked * steps)
    print(f"    {time.perf_counter() - began:.1f} s since the first tick")
    repeated(app, "one ticked or not", lambda number: tab.model.tick(paths[0], bool(number % 2)))
    repeated(app, "pointed at the chart", lambda number: tab.compare.pointed.emit(float(number)))
    repeated(app, "a frame of panning", pan)
    repeated(app, "a change of smoothing", lambda number: tab.compare.smoothing.setValue(50 + number))
    window.leave()


def paused(app: Any, window: Any, words: str, begin: Callable[[], Any], ready: Callable[[], bool]) -> None:
    """Print the duration of a background action, and the longest pause of the window during it."""
    began, worked, before = time.perf_counter(), time.process_time(), time.thread_time()
    begin()
    longest = time.thread_time() - before
    while not ready() or window.tasks.busy("pool"):
        before = time.thread_time()
        app.processEvents()
        longest = max(longest, time.thread_time() - before)
        time.sleep(0.002)
    took, worked = time.perf_counter() - began, time.process_time() - worked
    print(f"  {words}: {took:.2f} s, of which the processor worked {worked:.2f} s, longest pause of the window "
          f"{longest * 1000:.0f} ms")


def repeated(app: Any, words: str, change: Callable[[int], Any], times: int = 16) -> None:
    """Print the processor time of the window's thread for a change and all painting that follows from it."""
    took = frame_times(app, change, times)
    print(f"  {words}: median {np.median(took):.1f} ms, longest {max(took):.1f} ms")


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
        file.write(sealed(started).decode())
        file.writelines(line_of(step) for step in range(steps))
        file.write(sealed(Ended(outcome="finished", message="Finished.")).decode())


def line_of(step: int) -> str:
    """Return a journal line of one step, with as many digits as real figures have."""
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
    return b"".join(map(sealed, events)).decode()


if __name__ == "__main__":
    main()
