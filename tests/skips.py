"""Print which tests were not run, and why; where ``CI`` is set on Linux, a skip that is not expected fails
the suite."""

import os
import sys
from collections import Counter

import pytest

EXPECTED = {
    "root may write everywhere": "the tests run as root in a container; run by hand as an ordinary user",
    "the owner of everything may write everywhere": "likewise",
    "llama.cpp is not installed": "run where GPTSTUDIO_LLAMA_PYTHON names a Python with llama-cpp-python",
    "no CUDA GPU is here": "run by tests/bench/on_gpu.sh where one is",
    "two CUDA GPUs are not here": "run by tests/bench/on_gpu.sh where they are",
    "needs macOS, whose own programs tell": "run by the workflow on macOS",
}
"""Skips that a run on Linux may have, by their reason, with the place where these tests are run instead."""
if os.name == "posix" and os.geteuid() != 0:
    EXPECTED |= {
        "dpkg and mount ask for root": "run as root in a container, by .ci/run",
        "no disk can be mounted here": "likewise",
    }

left_for_a_release = 0


def pytest_deselected(items: list[pytest.Item]) -> None:
    global left_for_a_release
    left_for_a_release += sum(item.get_closest_marker("release") is not None for item in items)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_for_a_release"] = left_for_a_release
    elif os.environ.get("CI") and sys.platform == "linux" and _unexpected(session.config) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take the count from any worker: each worker of xdist collects all tests, and leaves out the same ones."""
    global left_for_a_release
    left_for_a_release = getattr(node, "workeroutput", {}).get("left_for_a_release", left_for_a_release)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = _reasons(terminalreporter)
    if reasons or left_for_a_release:
        terminalreporter.section("not run")
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count:4} skipped: {reason}  |  {EXPECTED.get(reason, 'not expected')}")
    if left_for_a_release:
        terminalreporter.write_line(f"{left_for_a_release:4} left for a release: pytest -m release")
    if os.environ.get("CI") and sys.platform == "linux" and (unexpected := _unexpected(terminalreporter.config)):
        terminalreporter.write_line(f"A skip that tests/skips.py does not expect is a failure here: {unexpected}")


def _unexpected(config: pytest.Config) -> list[str]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return [reason for reason in _reasons(reporter) if reason not in EXPECTED] if reporter else []


def _reasons(reporter: pytest.TerminalReporter) -> Counter[str]:
    """Return how often each reason was given."""
    return Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reporter.stats.get("skipped", []) if isinstance(report.longrepr, tuple)
    )
