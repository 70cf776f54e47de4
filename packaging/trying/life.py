"""Steps of using the program: starting it from the menu, training, and leaving it."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from trying.machine import Screen, User, wait_for, words

STEPS = 10
TRAINED_S, LEFT_S = 300, 30
PRESSES, BEGUN_S = 3, 60
PAGES, PAGE_S = 6, 2
AWAKE_S = 3
"""Seconds after which a new window has read its text; until then Start is disabled."""


def start(user: User, screen: Screen, *command: str | Path, **variables: str | None) -> tuple[str, float]:
    """Start the program by a command and wait for its window; return it and the seconds that it took."""
    began = time.monotonic()
    user.start(*command, DISPLAY=screen.NUMBER, **variables)
    window = screen.window()
    return window, time.monotonic() - began


def train(user: User, screen: Screen, window: str) -> None:
    """Press Start, and wait until some steps are done."""
    assert press_start(user, screen, window), "nothing began"
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)


def press_start(user: User, screen: Screen, window: str, patience_s: float = BEGUN_S) -> bool:
    """Press Start by its key, on its page; again if the window was not ready yet.

    Returns:
        Whether a run began, or the run of the last session was continued.
    """
    time.sleep(AWAKE_S)
    before = user.runs_there(), user.events(event="step_done")
    screen.press(window, "ctrl+2")  # which page it opens on is that of the last session
    for _ in range(PRESSES):
        screen.press(window, "ctrl+Return")
        with suppress(AssertionError):
            wait_for(lambda: (user.runs_there(), user.events(event="step_done")) != before, patience_s)
            return True
    return False


def stop(user: User, screen: Screen, window: str) -> None:
    """Train for a while longer, then press Stop, which saves, and wait until that is done."""
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)
    screen.press(window, "Escape")
    wait_for(lambda: user.events(event="ended", outcome="stopped"), TRAINED_S)
    assert user.events(event="checkpoint_saved") > 0


def visit_pages(user: User, screen: Screen, window: str) -> None:
    """Open each page, since most import what they need only then; check that nothing fails."""
    for number in range(1, PAGES + 1):
        screen.press(window, f"ctrl+{number}")
        time.sleep(PAGE_S)
    assert user.processes(), "it has ended"
    said = [file for file in user.logs() if "Traceback" in words(file)]
    assert not said, words(said[0])[-800:]


def leave(user: User) -> None:
    """Ask the program to quit, as the end of a desktop session does."""
    processes = user.processes()
    assert processes, "it had ended already"
    for process in processes:
        os.kill(process, signal.SIGTERM)
    wait_for(lambda: not user.processes(), LEFT_S)
