"""Counts of the fault suite: how often each fault was tried, and how often the program held or lost; printed as one
table.

A test of ``tests/faults`` carries ``pytest.mark.fault(number)`` and takes the fixture ``fault``::

    for cut in range(200):
        with fault.tried(f"cut at byte {cut}"):
            ...  # an assertion or an exception in here is a try that was lost

All tries are made, also after one that was lost; a single lost one fails the test. A test that never counts is one try,
which holds if it passes. A test in such a file that tests only the tools for trying faults carries
``pytest.mark.fault(None)`` and is not counted.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

FAULTS = {
    1: "Killed while saving",
    2: "The Nth write, flush or rename fails",
    3: "The disk is full",
    4: "The run's folder is read-only",
    5: "Files of a run cut, flipped, zeroed",
    6: "Weights: Hostile files",
    7: "Weights of another model, and what is no number",
    8: "Stopped anywhere and resumed in a new process",
    9: "Texts of every bad kind",
    10: "Prompts of every strange kind",
    11: "Models far or slightly too large",
    12: "Killed by the system for its memory",
    13: "A loss that is no number",
    14: "Signals and closing, in the middle of anything",
    15: "Cycles of start, pause, stop",
    16: "A flood of steps",
    17: "An exception at any stage of a worker",
    18: "The device goes away",
    19: "Two programs, one run",
    20: "The clock jumps",
    21: "Paths of every strange kind",
    22: "Colours changed while training",
    23: "Screens of 1 to 3 pixels a point",
    24: "Crashes in a row at the start",
    25: "Installers that are broken, or installed over",
    26: "A busy machine",
    27: "Mutated files into every reader",
    28: "Connections that nobody asked for",
    29: "A disk that fails or is disconnected",
}
"""The faults by number, each tried by one file of ``tests/faults``."""

SHOWN = 5
"""The number of lost tries of a test that are reported in full."""


class Ledger:
    """Counts the tries of one test."""

    def __init__(self) -> None:
        self.tries = 0
        self.lost: list[str] = []

    @contextmanager
    def tried(self, what: object = "") -> Iterator[None]:
        """Count one try, reported as ``what`` if it is lost."""
        self.tries += 1
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - any error is a lost try
            self.lost.append(f"{what}: {type(error).__name__}: {error}")

    def held(self, tries: int = 1) -> None:
        """Count tries that were made and judged elsewhere, for example in another process."""
        self.tries += tries


@pytest.fixture
def fault() -> Ledger:
    return Ledger()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Count the tries of a fault test, and fail it if a try was lost."""
    marker = pyfuncitem.get_closest_marker("fault")
    if marker is None:
        return (yield)
    ledger = pyfuncitem.funcargs.get("fault") or Ledger()
    passed = False
    try:
        result = yield
        passed = True
        if ledger.lost:
            more = f"\n... and {len(ledger.lost) - SHOWN} more" if len(ledger.lost) > SHOWN else ""
            pytest.fail(f"{len(ledger.lost)} of {ledger.tries} lost:\n" + "\n".join(ledger.lost[:SHOWN]) + more)
        return result
    finally:
        counted = ledger.tries or 1
        lost = len(ledger.lost) or int(not passed)
        if marker.args[0] is not None:
            pyfuncitem.user_properties.append(("fault", [marker.args[0], counted, lost]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one table if any fault was tried, including tests that ran in other processes."""
    reports = [each for outcome in ("passed", "failed") for each in terminalreporter.stats.get(outcome, [])]
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for report in reports:
        for name, value in getattr(report, "user_properties", ()) if report.when == "call" else ():
            if name == "fault":
                number, tries, lost = value
                counts[number][0] += tries
                counts[number][1] += lost
    untried = {}
    for report in terminalreporter.stats.get("skipped", []):
        found = re.search(r"test_fault_(\d+)_", report.nodeid)
        if found and isinstance(report.longrepr, tuple):
            untried[int(found[1])] = report.longrepr[2].removeprefix("Skipped: ")
    if counts or untried:
        terminalreporter.section("faults")
        for line in table(counts, untried):
            terminalreporter.write_line(line)


def table(counts: dict[int, list[int]], untried: dict[int, str]) -> Iterator[str]:
    """Yield the lines of the table, from tries and losses by fault, and the reasons why some were not tried, in the
    form shown in the README."""
    width = max(map(len, FAULTS.values()))
    yield f"|  # | {'fault':{width}} |  tries |   held | lost |"
    yield f"|---:|{'-' * (width + 2)}|-------:|-------:|-----:|"
    for number in sorted(counts | untried):
        tries, lost = counts.get(number, (0, 0))
        why = f" some not tried: {untried[number]}" if number in untried else ""
        why = why if tries else why.replace("some not", "not")
        yield f"| {number:2} | {FAULTS[number]:{width}} | {tries:6,} | {tries - lost:6,} | {lost:4,} |{why}"
    tries, lost = (sum(each[column] for each in counts.values()) for column in (0, 1))
    yield f"|    | {'all':{width}} | {tries:6,} | {tries - lost:6,} | {lost:4,} |"
