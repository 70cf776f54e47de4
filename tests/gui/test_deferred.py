"""Widgets that are made when they are first shown."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QStackedWidget

from gptstudio.gui.widgets.deferred import Deferred


def test_that_it_is_made_once_fills_its_place_and_is_asked_for_only_where_it_is_there(application, qtbot):
    made, heard = [], []

    def make() -> QLabel:
        made.append(QLabel("here"))
        return made[-1]

    place, pages = Deferred(make), QStackedWidget()
    qtbot.addWidget(pages)
    place.made.connect(lambda: heard.append(place.there))
    pages.addWidget(QLabel("first"))
    pages.addWidget(place)
    pages.resize(700, 300)
    pages.show()
    place.if_there(lambda label: label.setText("too early"))
    assert not made
    pages.setCurrentWidget(place)
    qtbot.waitUntil(lambda: place.there is not None and place.there.size() == QSize(700, 300))
    assert place.there.isVisible()
    assert place.there.text() == "here"
    place.if_there(lambda label: label.setText("there"))
    assert place.widget is made[0]
    assert place.widget.text() == "there"
    assert heard == made
