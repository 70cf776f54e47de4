"""What the tests of the rooms stand on, for faults that are tried in several of them."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / room) for room in ("cli", "exchange", "gui", "runs")]  # their helpers, as they import them

from at_the_window import application, failures, qtbot, spared, study, tiny, user, whole_window, window, writer  # noqa: E402, F401
from disks import longest_file, small_disk  # noqa: E402, F401
from lessons import lesson, tiny_spec  # noqa: E402, F401
from the_program import program  # noqa: E402, F401
