"""The application, without the window."""

from at_the_window import application, qtbot
from lessons import few_tokens, lesson, study, tiny_spec
