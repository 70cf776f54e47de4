"""What the window does before it is seen for the first time, and what it leaves for later."""

from PySide6.QtGui import QPaintEvent

from gptstudio.gui.app import Painted
from gptstudio.gui.window import MainWindow

OTHERS = {"generate", "runs", "texts", "learn"}


def test_that_the_window_is_painted_before_it_wakes_and_makes_its_other_pages(application, qtbot):
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
    assert not OTHERS & vars(window).keys()
    window.repaint()
    qtbot.wait(20)
    assert told.count("woken") == 1
    MainWindow.wake(window)
    assert vars(window).keys() >= OTHERS
    assert [window.tabs.widget(number).widget() for number in range(window.tabs.count())] == list(window.pages)
    window.leave()
    window.deleteLater()
