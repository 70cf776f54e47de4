"""Steps of a user's work with the program: starting it from the menu, training, and quitting."""

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
"""Seconds until a new window has read its text; Start is disabled before."""


def start(user: User, screen: Screen, *command: str | Path, **variables: str | None) -> tuple[str, float]:
    """Start the program with a command and wait for its window; return the window and the startup time in seconds."""
    began = time.monotonic()
    user.start(*command, DISPLAY=screen.NUMBER, **variables)
    window = screen.window()
    return window, time.monotonic() - began


def train(user: User, screen: Screen, window: str) -> None:
    """Press Start, and wait until some steps have been trained."""
    assert press_start(user, screen, window), "nothing began"
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)


def press_start(user: User, screen: Screen, window: str, patience_s: float = BEGUN_S) -> bool:
    """Press the key of Start on its page; repeat if the window was not ready yet.

    Returns:
        Whether a run has started, or the run of the last session was continued.
    """
    time.sleep(AWAKE_S)
    before = user.runs_there(), user.events(event="step_done")
    screen.press(window, "ctrl+2")  # the initial page depends on the last session
    for _ in range(PRESSES):
        screen.press(window, "ctrl+Return")
        with suppress(AssertionError):
            wait_for(lambda: (user.runs_there(), user.events(event="step_done")) != before, patience_s)
            return True
    return False


def stop(user: User, screen: Screen, window: str) -> None:
    """Train for some more steps, press Stop, which saves the run, and wait until it has been saved."""
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)
    screen.press(window, "Escape")
    wait_for(lambda: user.events(event="ended", outcome="stopped"), TRAINED_S)
    assert user.events(event="checkpoint_saved") > 0


def visit_pages(user: User, screen: Screen, window: str) -> None:
    """Open each page, since most import their modules only then; check that nothing fails."""
    for number in range(1, PAGES + 1):
        screen.press(window, f"ctrl+{number}")
        time.sleep(PAGE_S)
    assert user.processes(), "it has ended"
    said = [file for file in user.logs() if "Traceback" in words(file)]
    assert not said, words(said[0])[-800:]


def leave(user: User) -> None:
    """Make the program quit, as the end of a desktop session does."""
    processes = user.processes()
    assert processes, "it had ended already"
    for process in processes:
        os.kill(process, signal.SIGTERM)
    wait_for(lambda: not user.processes(), LEFT_S)
