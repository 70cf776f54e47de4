"""The measure of a responsive window: its thread neither computes nor waits for long."""

import gc
import threading
import time
import weakref

import gaps
import pytest
from gaps import Gaps


def compute(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def wait_for_a_lock(seconds: float) -> None:
    lock = threading.Lock()
    lock.acquire()
    threading.Timer(seconds, lock.release).start()
    lock.acquire()


def test_that_a_thread_that_returns_to_its_events_is_responsive(qtbot):
    with Gaps() as seen:
        qtbot.waitUntil(lambda: seen.ticks > 5)
    seen.assert_responsive()


@pytest.mark.parametrize(
    ("hold_up", "words"), [(compute, "computed for 0.6"), (wait_for_a_lock, "did not look up"), (time.sleep, "did not")]
)
def test_that_a_thread_that_computes_or_waits_is_not(qtbot, monkeypatch, hold_up, words):
    monkeypatch.setattr(gaps, "FROZEN_S", 0.5)
    with Gaps() as seen:
        hold_up(0.6)
    with pytest.raises(AssertionError, match=words):
        seen.assert_responsive()


@pytest.fixture
def uncollected():
    """Disable automatic garbage collection."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_that_garbage_of_earlier_tests_is_not_what_a_window_computes(qtbot):
    class Left:
        def __init__(self) -> None:
            self.itself = self

    left = weakref.ref(Left())
    with Gaps():
        assert left() is None
