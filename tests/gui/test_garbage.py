"""Qt's objects are deleted on Qt's own thread, whoever made the garbage."""

import gc
import threading

import pytest


@pytest.fixture
def spared() -> None:
    """Here the window spares what is there as it does in the program."""


def test_that_no_garbage_is_collected_on_another_thread_while_the_window_lives(user):
    elsewhere = []

    def note(phase: str, found: dict) -> None:
        if threading.current_thread() is not threading.main_thread():
            elsewhere.append(phase)

    gc.callbacks.append(note)
    try:
        user.train.to_end(steps=30, eval_freq=5)
    finally:
        gc.callbacks.remove(note)
    assert elsewhere == []
    assert not gc.isenabled()


def test_that_python_collects_by_itself_again_when_the_window_is_gone(user):
    user.window.leave()
    assert gc.isenabled()
