"""A life with the program: started from the menu, it trains, and it is left."""

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
"""After so long a window that was just painted has looked through its text, before which Start is off."""


def start(user: User, screen: Screen, *command: str | Path, **variables: str | None) -> tuple[str, float]:
    """Starts the program by a command, and waits for its window: which it is, and after how many seconds."""
    began = time.monotonic()
    user.start(*command, DISPLAY=screen.NUMBER, **variables)
    window = screen.window()
    return window, time.monotonic() - began


def train(user: User, screen: Screen, window: str) -> None:
    """Presses Start, and waits until it has learned for a while."""
    assert press_start(user, screen, window), "nothing began"
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)


def press_start(user: User, screen: Screen, window: str, patience_s: float = BEGUN_S) -> bool:
    """Presses Start by its key, on its page; again where the window was not ready yet.

    Returns:
        Whether a run began, or the one of the last session went on.
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
    """Lets it learn for a while longer, then presses Stop, which saves; and waits until that is done."""
    more = user.events(event="step_done") + STEPS
    wait_for(lambda: user.events(event="step_done") >= more, TRAINED_S)
    screen.press(window, "Escape")
    wait_for(lambda: user.events(event="ended", outcome="stopped"), TRAINED_S)
    assert user.events(event="checkpoint_saved") > 0


def visit_pages(user: User, screen: Screen, window: str) -> None:
    """Opens each page, most of which import what they need only now; none of it fails."""
    for number in range(1, PAGES + 1):
        screen.press(window, f"ctrl+{number}")
        time.sleep(PAGE_S)
    assert user.processes(), "it has ended"
    said = [file for file in user.logs() if "Traceback" in words(file)]
    assert not said, words(said[0])[-800:]


def leave(user: User) -> None:
    """A polite end, as a session that is closed asks for it."""
    processes = user.processes()
    assert processes, "it had ended already"
    for process in processes:
        os.kill(process, signal.SIGTERM)
    wait_for(lambda: not user.processes(), LEFT_S)
