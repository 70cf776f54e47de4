"""Time that the window adds to each token: the same text is generated headless and in the window, alternately.

    python tests/bench/decoding.py [preset] [tokens] [rounds]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")


def main() -> None:
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    preset = sys.argv[1] if sys.argv[1:] else "workshop"
    tokens, rounds = (int(sys.argv[i]) if sys.argv[i:] else usual for i, usual in ((2, 200), (3, 5)))
    app = make_app()
    window = MainWindow()
    window.show()
    window.wake()
    window.state.select_model(PRESETS[preset])
    window.state.show_page("generate")
    _live(app, lambda: not window.tasks.busy("pool"))
    window.generate.settings.editors["max_new_tokens"].set_value(tokens)
    ratios = []
    for number in range(rounds + 1):
        alone, shown = headless(window, tokens), in_the_window(app, window, tokens)
        if number:  # the first loads the model
            ratios.append(shown / alone)
            print(f"headless {alone * 1000:.2f} ms a token, in the window {shown * 1000:.2f} ms: {shown / alone:.3f}")
    print(f"{preset}, {tokens} tokens: the window adds {np.median(ratios) * 100 - 100:.1f} % (median of {rounds})")
    window.leave()


def headless(window, tokens: int) -> float:
    """Return the seconds per token, on a separate thread with the window's models, without display."""
    from threading import Thread

    from gptstudio.app.tasks import Task
    from gptstudio.training.control import Control

    stamps: list[float] = []
    work = window.generation._models.work(_request(window))  # noqa: SLF001 - the same work without the window
    task = Task(0, _stamped(work, stamps), "model", "", "", Control(), {}, shows_details=False)
    thread = Thread(target=task.execute)
    thread.start()
    thread.join()
    return _pace(stamps, tokens)


def in_the_window(app, window, tokens: int) -> float:
    """Return the seconds per token while the window shows each."""
    request, stamps, models = _request(window), [], window.generation._models  # noqa: SLF001 - as above
    work = _stamped(models.work(request), stamps)
    window.generate.document.begin(request.model, 0)
    models.work = lambda request: work
    window.generation.write(request)
    del models.work
    _live(app, lambda: not window.tasks.busy("model"))
    return _pace(stamps, tokens)


def _request(window):
    from gptstudio.app.requests import Write

    return Write(window.state.generate_spec, window.state.model_with_seed)


def _stamped(work, stamps: list[float]):
    """Return the work, extended to record the time of each event."""

    def stamping(task):
        emit = task.emit
        task.emit = lambda event: (stamps.append(time.perf_counter()), emit(event))
        return work(task)

    return stamping


def _pace(stamps: list[float], tokens: int) -> float:
    """Return the seconds per token between the first new token and the last; the end event follows them."""
    drawn = stamps[-tokens - 1 : -1]
    return (drawn[-1] - drawn[0]) / (tokens - 1)


def _live(app, ready) -> None:
    """Run the event loop until ``ready`` is true; it sleeps until something happens."""
    from PySide6.QtCore import QEventLoop

    while not ready():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
