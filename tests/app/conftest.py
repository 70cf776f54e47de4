"""The application, without the window."""

from at_the_window import application, qtbot
