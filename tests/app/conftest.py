"""The application, without the window."""

from at_the_window import application, qtbot
from release_server import releases, without_proxy
