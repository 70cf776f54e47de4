"""What the tests of the rooms stand on, for faults that are tried in several of them."""

import sys
from pathlib import Path

ROOMS = ("cli", "exchange", "gui", "runs")
sys.path.extend(str(Path(__file__).resolve().parents[1] / room) for room in ROOMS)  # their helpers, as they import them

from at_the_window import application, failures, qtbot, spared, study, tiny, user, whole_window, window, writer  # noqa: E402
from disks import longest_file, small_disk  # noqa: E402
from lessons import lesson, tiny_spec  # noqa: E402
from the_program import program  # noqa: E402
