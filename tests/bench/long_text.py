"""The cost of a long text for the window's thread: while it is written, scrolled, recoloured and navigated.

    python tests/bench/long_text.py [preset] [tokens ...]

In the real window, off screen, with every pane in turn below the text. Times are processor time of the window's thread,
so that the model on its own thread and other programs on the machine are excluded. At 60 frames a second, each may take
16.7 ms.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import numpy as np
from frames import frame_times

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="gptstudio-bench-")

FRAMES = 60
COLOURS = ("entropy", "rank", "none", "surprise")


def main() -> None:
    from gptstudio.gpt.config import PRESETS
    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    preset = sys.argv[1] if sys.argv[1:] else "workshop"
    app = make_app()
    window = MainWindow()
    window.show()
    window.wake()
    view = window.generate
    window.generate.settings.editors["stop_at_end"].set_value(False)
    for tokens in map(int, sys.argv[2:] or (1_000, 3_000)):
        config = PRESETS[preset].but(context_length=tokens + 64)  # past the context everything is computed again
        window.state.select_model(config)
        window.state.show_page("generate")
        _live(app, lambda: not window.tasks.busy("pool"))
        for name in view.panes.places:
            view.panes.open(name)
            written(app, window, tokens, name)
        view.panes.open("choices")
        frames(app, view, tokens)
    window.leave()


def written(app, window, tokens: int, pane: str) -> None:
    """Measure a streamed text, with one of the panes visible. A stint is the work of the window from one sleep to the
    next: it reads the new tokens, shows them, lays them out and paints."""
    page, stints = window.generate, []
    page.settings.editors["max_new_tokens"].set_value(tokens)
    page.settings.editors["seed"].set_value(page.settings.values()["seed"] + 1)  # a text that does not exist yet
    spent, began = time.thread_time(), time.perf_counter()
    page.go.click()
    while page.running:
        before = time.thread_time()
        _sleep_and_do(app)
        stints.append((len(page.strip.boxes), 1000 * (time.thread_time() - before)))
    spent, took = time.thread_time() - spent, time.perf_counter() - began
    late = np.array([ms for length, ms in stints if length > 0.8 * tokens])
    print(
        f"{tokens:,} tokens, {pane}: {1000 * took / tokens:.2f} ms a token by the clock, of which the window's thread "
        f"computed {1000 * spent / tokens:.2f} ms ({spent / took:.0%}); in the last fifth {len(late)} stints, "
        f"{np.percentile(late, 95):.1f} ms for 95 %, {late.max():.1f} ms at most"
    )


def frames(app, view, tokens: int) -> None:
    """Measure a user's actions on a finished text; a frame is the action and all painting that follows."""
    bar, length = view.card.strip_scroll.verticalScrollBar(), len(view.strip.boxes)
    _told(app, tokens, "scrolling", lambda number: bar.setValue(number * 40 % max(1, bar.maximum())))
    _told(app, tokens, "recolouring", lambda number: view.strip.colour_by(COLOURS[number % len(COLOURS)]))
    _told(app, tokens, "a step back", lambda number: view.controller.back())
    _told(app, tokens, "a click", lambda number: view.controller.choose(length - 1 - number * 7 % 400))


def _told(app, tokens: int, what: str, act) -> None:
    took = frame_times(app, act, FRAMES)
    print(f"{tokens:,} tokens, a frame of {what}: {np.median(took):.1f} ms, {np.percentile(took, 95):.1f} ms for 95 %")


def _live(app, ready) -> None:
    while not ready():
        _sleep_and_do(app)


def _sleep_and_do(app) -> None:
    """Run the event loop once: it sleeps until something happens."""
    from PySide6.QtCore import QEventLoop

    app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
