"""The lesson, a stopped run, and their fixtures, for every test here."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "training"))  # its helpers

from lessons import few_tokens, lesson, study, tiny_spec
from whole_runs import stopped, stopped_once, whole_run
