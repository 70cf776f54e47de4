"""The lesson and its fixtures, for every test here."""

from lessons import lesson, study, tiny_spec
from whole_runs import whole_run
