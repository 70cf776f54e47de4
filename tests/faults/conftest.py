"""Fixtures and helpers of the other test folders, for faults that affect several of them."""

import sys
from pathlib import Path

FOLDERS = ("cli", "weights_io", "gui", "training")
sys.path.extend(str(Path(__file__).resolve().parents[1] / name) for name in FOLDERS)  # their helpers

from at_the_window import (  # noqa: E402
    application,
    clicks_at_once,
    failures,
    first_language,
    first_page,
    made_early,
    qtbot,
    spared,
    study,
    tiny,
    user,
    whole_window,
    window,
    writer,
)
from disks import longest_file, small_disk  # noqa: E402
from installing import installer, package  # noqa: E402
from lessons import common_words, few_tokens, lesson, tiny_spec  # noqa: E402
from mutations import share_of_cases  # noqa: E402
from the_program import program  # noqa: E402
from whole_runs import stopped, stopped_once, whole_run  # noqa: E402
