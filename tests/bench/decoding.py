"""What the window adds to the time a token takes: the same text headless and in the window, by turns.

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
    window.panel.select(PRESETS[preset])
    window.go_to(window.generate)
    _live(app, lambda: not window.background.busy)
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
    """Seconds a token, on the decoding thread's own model, with nobody looking."""
    from threading import Thread

    stamps: list[float] = []
    job = window._model_cache.job(_request(window), _control(), None)  # noqa: SLF001 - the same job without the window
    thread = Thread(target=job, args=(lambda message: stamps.append(time.perf_counter()),))
    thread.start()
    thread.join()
    return _pace(stamps, tokens)


def in_the_window(app, window, tokens: int) -> float:
    """Seconds a token while the window shows each."""
    request, stamps = _request(window), []
    job = window._model_cache.job(request, _control(), None)  # noqa: SLF001 - so that its messages can be stamped

    def stamped(post) -> None:
        job(lambda message: (stamps.append(time.perf_counter()), post(message)))

    window.generate.view.begin(request.model)
    window.decoder.submit(stamped)
    _live(app, lambda: not window.decoder.busy)
    return _pace(stamps, tokens)


def _request(window):
    from gptstudio.gui.generate.requests import Write

    return Write(window.generate.spec(), window.generate.source())


def _control():
    from gptstudio.training.control import Control

    return Control()


def _pace(stamps: list[float], tokens: int) -> float:
    """Between the first new token and the last; behind them comes the end."""
    drawn = stamps[-tokens - 1 : -1]
    return (drawn[-1] - drawn[0]) / (tokens - 1)


def _live(app, ready) -> None:
    """As the event loop does: it sleeps until something happens."""
    from PySide6.QtCore import QEventLoop

    while not ready():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
