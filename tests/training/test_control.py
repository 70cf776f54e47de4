"""The control of a run: stop and pause, from any thread, at any time."""

import sys
import threading
import time

import pytest

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.training.control import Control


def in_thread(work) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_that_a_new_control_neither_stops_nor_pauses():
    control = Control()
    assert not control.stopping
    assert not control.paused
    control.wait_while_paused()


def test_that_a_pause_holds_until_resumed_and_uses_no_processor():
    control = Control()
    control.pause()
    assert control.paused
    thread = in_thread(control.wait_while_paused)
    used = time.process_time()
    thread.join(0.3)
    assert thread.is_alive()
    assert time.process_time() - used < 0.1
    control.resume()
    thread.join(5)
    assert not thread.is_alive()
    assert not control.paused
    assert not control.stopping


def test_that_a_stop_ends_a_pause_at_once():
    control = Control()
    control.pause()
    thread = in_thread(control.wait_while_paused)
    control.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert control.stopping
    assert not control.paused


def test_that_a_run_that_stops_cannot_be_paused():
    control = Control()
    control.stop()
    control.pause()
    assert not control.paused
    assert control.stopping


def at_each_moment(of: str, other: str) -> list[Control]:
    """Return controls whose method ``of`` was interrupted by ``other``, as by a thread: after each instruction
    in turn."""
    found: list[Control] = []
    while True:
        control, left = Control(), len(found) + 1

        def trace(frame, kind, _, control=control):
            nonlocal left
            frame.f_trace_opcodes = True
            if kind == "opcode":
                left -= 1
                if left == 0:
                    getattr(control, other)()
            return trace if frame.f_code.co_name == of else None

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            getattr(control, of)()
        finally:
            sys.settrace(before)
        if left > 0:
            return found
        found.append(control)


@pytest.mark.parametrize(("of", "other"), [("pause", "stop"), ("stop", "pause")])
def test_that_stop_and_pause_at_the_same_moment_never_leave_a_run_waiting(of, other):
    controls = at_each_moment(of, other)
    assert len(controls) > 5
    assert all(control.stopping for control in controls)
    assert not any(control.paused for control in controls)


@pytest.mark.parametrize(
    "sampling_params", [SamplingParams(temperature=0.0), SamplingParams(temperature=1.5, top_k=50)]
)
def test_that_the_newest_parameters_are_read_complete(sampling_params):
    control = Control()
    assert control.sampling_params is None
    control.sampling_params = sampling_params
    assert control.sampling_params == sampling_params
