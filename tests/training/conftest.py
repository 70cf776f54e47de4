"""The lesson and its fixtures, for every test here."""

from lessons import few_tokens, lesson, study, tiny_spec
from whole_runs import stopped, stopped_once, whole_run
