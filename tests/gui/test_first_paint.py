"""The work of the window before it is first painted, and the work that it postpones."""

import subprocess
import sys

import pytest
from PySide6.QtGui import QPaintEvent

from gptstudio.app.state import PAGES
from gptstudio.gui.app import Painted
from gptstudio.gui.window import MainWindow

OTHERS = {"generate", "runs", "texts"}


def test_that_the_window_is_painted_before_it_wakes_and_creates_other_pages_when_opened(application, qtbot):
    told = []

    class Watched(MainWindow):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            told.append("painted")

        def wake(self) -> None:
            told.append("woken")

    window = Watched()
    Painted(window, window.wake)
    window.show()
    assert "woken" not in told
    qtbot.waitUntil(lambda: "woken" in told)
    assert told[0] == "painted"
    assert not {*OTHERS, "learn"} & vars(window).keys()
    window.repaint()
    qtbot.wait(20)
    assert told.count("woken") == 1
    MainWindow.wake(window)
    assert {*OTHERS, "learn"} & vars(window).keys() == {"generate"}
    for page in PAGES:
        window.state.show_page(page)
    assert [window.tabs.widget(number).widget() for number in range(window.tabs.count())] == [
        window.page(name) for name in PAGES]
    window.leave()
    window.deleteLater()


@pytest.mark.slow
def test_that_the_first_window_is_painted_without_plots_and_the_rest_is_imported_later():
    """Plots appear without moving other widgets. Pages are imported on the window's thread, and the labs on another: a
    class of widgets that another thread defines can crash the program, see event_loop.py."""
    script = """
import sys, threading, time
from gptstudio.gui.app import Painted, make_app
from gptstudio.app.state import PAGES
from gptstudio.gui.window import MainWindow
from PySide6 import QtCore
from PySide6.QtWidgets import QWidget
WIDGETS = ("gptstudio.gui", "PySide6", "pyqtgraph", "shiboken6")
LATER = ("gptstudio.labs", "gptstudio.gui.learn", "gptstudio.gui.runs.", "gptstudio.gui.texts.", "tomllib")
here, elsewhere, at_first = set(), set(), []
class Finder:  # finds nothing; asked first
    def find_spec(name, path, target=None):
        (here if threading.current_thread() is threading.main_thread() else elsewhere).add(name)
def columns():
    return window.findChild(QWidget, "settings_card").x(), window.findChild(QWidget, "settings_card").width()
def painted():
    at_first.extend((set(sys.modules), columns()))
    sys.meta_path.insert(0, Finder)
    window.wake()
app, window = make_app(), MainWindow()
Painted(window, painted)
window.show()
while not (at_first and window.state.text_check and window.findChild(QWidget, "loss_plot")):
    app.processEvents()
    time.sleep(0.01)  # QTest.qWait would let no other thread import meanwhile
end = time.monotonic() + 0.4
while time.monotonic() < end:
    app.processEvents()  # what moves late is seen too
    time.sleep(0.01)
loaded, place = at_first
early = {name.partition(".")[0] for name in loaded} & {"pyqtgraph", "tiktoken", "torch"}
early |= loaded & {"numpy.ma"} | {name for name in loaded if name.startswith(LATER)}
assert early == set(), early
assert window.findChild(QWidget, "loss_plot").isVisible()
assert columns() == place, "what is beside the curves has moved"
while "gptstudio.gui.learn.beams" not in here or window.tasks.busy("pool"):
    app.processEvents()
    time.sleep(0.01)
assert not [name for name in elsewhere if name.startswith(WIDGETS)], elsewhere
assert {"torch", "gptstudio.labs.tokens", "gptstudio.labs.beams"} <= elsewhere, elsewhere
assert "QFile" in vars(QtCore), "made when first asked for, which the trash does on another thread"
before = {name for name in sys.modules if name.startswith(LATER)}
for page in PAGES:
    window.state.show_page(page)
window.learn.open("layernorm")
assert before == {name for name in sys.modules if name.startswith(LATER)} - {"gptstudio.gui.learn.lessons.runner"}
assert {"gptstudio.labs.lesson", "gptstudio.gui.learn.layernorm", "tomllib"} <= sys.modules.keys()
assert not [name for name in sys.modules if name.startswith(("ziamath", "ziafont", "latex2mathml"))]
window.leave()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
