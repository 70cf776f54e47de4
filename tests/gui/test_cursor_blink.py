"""The text cursor blinks during typing, and stops afterwards."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from gptstudio.gui.event_loop import CursorBlink


@pytest.fixture
def usual_ms(application):
    hints = QGuiApplication.styleHints()
    usual = hints.cursorFlashTime()
    yield usual
    hints.setCursorFlashTime(usual)


def test_that_the_cursor_stops_blinking_until_a_key_is_pressed(usual_ms, qtbot):
    field = QPlainTextEdit()
    qtbot.addWidget(field)
    CursorBlink(field, after_ms=50)
    field.show()
    field.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    hints = QGuiApplication.styleHints()
    assert usual_ms > 0
    for key in (Qt.Key.Key_A, Qt.Key.Key_Left):
        qtbot.waitUntil(lambda: hints.cursorFlashTime() == 0)
        QTest.keyClick(field, key)
        assert hints.cursorFlashTime() == usual_ms
