"""A run ends exactly once, in every case."""

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import message

from gptstudio.errors import UserError
from gptstudio.training.events import Ended, MemoryRead, PhaseChanged, Warned
from gptstudio.training.executor import execute

ERRORS = {
    "user": UserError("Choose another."), "bug": KeyError("x"), "memory": MemoryError(),
    "disk": OSError(errno.ENOSPC, "No space left on device"),
    "file": PermissionError(errno.EACCES, "Permission denied", "/a"),
    "torch": RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."),
    "stop": KeyboardInterrupt(),
}


def numbered(count: int) -> list[MemoryRead]:
    return [MemoryRead(used_bytes=i, peak_bytes=i, total_bytes=i) for i in range(count)]


def stream(count: int, end="finished"):
    yield from numbered(count)
    if isinstance(end, BaseException):
        raise end
    return end


class Broken:
    """A sink that fails from a given event on."""

    def __init__(self, works: int):
        self.works, self.got, self.calls = works, [], 0

    def __call__(self, event) -> None:
        self.calls += 1
        if self.calls > self.works:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.got.append(event)


@pytest.mark.parametrize("end", ["finished", "stopped", *ERRORS.values()], ids=["finished", "stopped", *ERRORS])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_that_there_is_one_end_and_it_comes_last(count, end):
    got = []
    ended = execute(stream(count, end), [got.append])
    assert got[:-1] == numbered(count)
    assert got[-1] is ended
    assert isinstance(ended, Ended)
    outcome = {"finished": "finished", "stopped": "stopped", ERRORS["stop"]: "stopped"}.get(end, "failed")
    assert ended.outcome == outcome


ends = st.sampled_from(["finished", "stopped", *ERRORS.values()])


@given(st.integers(0, 6), st.lists(st.integers(0, 9), max_size=5), ends)
def test_that_failing_sinks_cost_neither_the_run_nor_the_other_sinks(count, works, end):
    good, also = [], []
    broken = [Broken(limit) for limit in works]
    ended = execute(stream(count, end), [*broken[:2], good.append, *broken[2:], also.append])
    expected = execute(stream(count, end), [])
    assert ended.outcome == expected.outcome
    for got in (good, also):
        assert [event for event in got if not isinstance(event, Warned)] == [*numbered(count), ended]
        assert isinstance(got[-1], Ended), "the end comes last"
    for sink in broken:
        assert sink.calls <= sink.works + 1, "a sink that failed is left alone"


def test_that_a_failing_sink_is_reported_once_to_the_others():
    good, broken = [], Broken(2)
    execute(stream(5), [good.append, broken])
    [warned] = [event for event in good if isinstance(event, Warned)]
    assert message("left_out_from_here_on") in warned.message
    assert message("the_disk_is_full") in warned.message
    assert good.index(warned) == 3


def test_that_sinks_that_fail_together_do_not_lose_the_run():
    good = []
    ended = execute(stream(5), [Broken(1), Broken(1), good.append, Broken(1)])
    assert ended.outcome == "finished"
    assert len([event for event in good if isinstance(event, Warned)]) == 3


def test_that_a_run_with_no_sink_left_continues_to_its_end():
    assert execute(stream(5), [Broken(0)]).outcome == "finished"
    assert execute(stream(5), []).outcome == "finished"


@pytest.mark.parametrize(
    ("name", "words", "user_error"),
    [
        ("user", "Choose another.", True),
        ("memory", "There is not enough memory.", False),
        ("torch", "There is not enough memory.", False),
        ("disk", "The disk is full.", False), ("file", "Permission denied: /a.", False),
        ("bug", "Unexpected error: KeyError: 'x'", False),
    ],
)
def test_that_an_error_is_reported_as_a_message_and_in_details(name, words, user_error):
    ended = execute(stream(1, ERRORS[name]), [])
    assert words in ended.message
    assert "\n" not in ended.message
    assert ended.user_error is user_error
    assert type(ERRORS[name]).__name__ in ended.details
    assert "Traceback" in ended.details


def test_that_an_end_that_does_not_exist_is_a_failure():
    assert execute(stream(1, None), []).outcome == "failed"
    assert execute(stream(1, "exploded"), []).outcome == "failed"


def test_that_an_interrupt_within_a_sink_stops_the_run():
    got = []

    def interrupt(event):
        if isinstance(event, MemoryRead) and event.used_bytes == 2:
            raise KeyboardInterrupt

    assert execute(stream(9), [got.append, interrupt]).outcome == "stopped"
    assert [type(event) for event in got] == [MemoryRead] * 3 + [Ended]


def test_that_a_run_cleans_up_when_it_is_interrupted():
    closed = []

    def careful():
        try:
            yield PhaseChanged(phase="training")
            yield PhaseChanged(phase="training")
        finally:
            closed.append(True)
        return "finished"

    def interrupt(event):
        if isinstance(event, PhaseChanged):
            raise KeyboardInterrupt

    run = careful()  # kept referenced here, so that nothing else can close it
    execute(run, [interrupt])
    assert closed
