"""The base of hand-painted widgets: items are hovered, reached by keys, described, given tooltips, and copied."""

import gc
import weakref

import pytest
from pages.painted import move_mouse, tip_at
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolTip, QVBoxLayout, QWidget

from gptstudio.gui.appearance import followers
from gptstudio.gui.canvas.canvas import KEYS, Canvas, Cell, CellCanvas, CellPlaces, ScrollCanvas, Swatch
from gptstudio.gui.theme import DARK, LIGHT, theme

HOSTILE = "<b>bold</b> & <img src='x'>\ttab\r\nline \u202e back"
WORDS = {"one": "The first", "two": HOSTILE, "three": "The third"}


class Row(Canvas):
    """Three items next to each other, each 40 by 20 pixels, with a gap at the right of the widget."""

    moves = (KEYS.Key_Left, KEYS.Key_Right, KEYS.Key_Home, KEYS.Key_End)

    def __init__(self) -> None:
        super().__init__("row", "Three items")
        self.shown, self.painted, self.acted = dict(WORDS), [], []
        self.resize(160, 20)

    def items(self):
        return {name: QRectF(40 * index, 0, 40, 20) for index, name in enumerate(self.shown)}

    def words(self, item):
        return self.shown[item]

    def activate(self, item):
        self.acted.append(item)
        return True

    def paint(self, painter, region):
        self.painted.append(region)
        painter.fillRect(self.rect(), QColor("green" if self.item is None else "red"))


class Square(CellCanvas):
    """Four cells."""

    def items(self):
        return CellPlaces((2, 2), lambda cell: QRectF(20 * cell.column, 20 * cell.row, 20, 20))


class Far(ScrollCanvas):
    """Two items, one of them out of view."""

    def items(self):
        shift = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return {"near": QRectF(0, 0, 40, 20).translated(-shift), "far": QRectF(0, 500, 40, 20).translated(-shift)}

    def words(self, item):
        return f"It is {item}"


@pytest.fixture
def show(application, qtbot):
    """Return a function that shows a canvas between two line edits, and records its ``pointed`` signals."""
    windows = []

    def show(canvas):
        window = QWidget()
        layout = QVBoxLayout(window)
        for part in (QLineEdit(), canvas, QLineEdit()):
            layout.addWidget(part)
        windows.append(window)
        canvas.setFixedSize(160, 60)
        canvas.reported = []
        canvas.pointed.connect(canvas.reported.append)
        theme.dress(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.findChildren(QLineEdit)[0].setFocus()
        return canvas

    yield show
    for window in windows:
        window.deleteLater()
    QToolTip.hideText()
    if theme.colours != LIGHT:
        theme.use(LIGHT)


def middle(canvas, item) -> QPoint:
    return canvas.place(item).center().toPoint()


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


def read_aloud(canvas) -> str:
    """Return the description for a screen reader."""
    return canvas.accessibleDescription()


def menu_of(canvas) -> QMenu | None:
    """Return the context menu in the middle of a canvas, or None."""
    where = canvas.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, canvas.mapToGlobal(where))
    QApplication.sendEvent(canvas, asked)
    return canvas.findChild(QMenu)


# Pointing.


def test_that_the_item_under_the_mouse_is_reported_and_painted_at_once(show):
    row = show(Row())
    before = row.grab().toImage()
    move_mouse(row, middle(row, "one"))
    row.painted.clear()
    QApplication.processEvents()
    assert row.painted
    assert row.grab().toImage() != before
    QApplication.sendEvent(row, QEvent(QEvent.Type.Leave))
    row.reported.clear()
    for item in ("two", "two", "one"):
        move_mouse(row, middle(row, item))
    assert row.reported == ["two", "one"]
    move_mouse(row, QPoint(150, 10))
    QApplication.sendEvent(row, QEvent(QEvent.Type.Leave))
    assert row.reported == ["two", "one", None]


def test_that_a_removed_item_is_not_pointed_at(show):
    row = show(Row())
    move_mouse(row, middle(row, "three"))
    del row.shown["three"]
    row.remeasure()
    assert row.reported == ["three", None]
    press(KEYS.Key_Tab, KEYS.Key_Right)
    assert row.reported[2:] == ["one", "two"], "neither is it where Tab begins"
    del row.shown["two"]
    row.remeasure()
    press(KEYS.Key_Right)
    assert row.reported[4:] == [None, "one"], "nor where the keys do"


def test_that_tab_points_at_the_first_item_arrows_at_the_next_and_home_and_end_at_the_ends(show):
    row = show(Row())
    press(KEYS.Key_Tab)
    assert row.hasFocus()
    press(KEYS.Key_Right, KEYS.Key_Right, KEYS.Key_Right, KEYS.Key_Left, KEYS.Key_Home, KEYS.Key_Left, KEYS.Key_End)
    assert row.reported == ["one", "two", "three", "two", "one", "three"]
    press(KEYS.Key_Tab)
    assert not row.hasFocus(), "Tab leaves: it is no key among items"
    assert row.reported[-1] is None
    press(KEYS.Key_Backtab)
    assert row.reported[-1] == "three", "it is remembered"


def test_that_a_click_and_enter_activate_an_item_and_a_right_click_or_a_key_without_a_target_does_not(show, qtbot):
    row = show(Row())
    qtbot.mouseClick(row, Qt.MouseButton.RightButton, pos=middle(row, "one"))
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(150, 10))
    assert row.acted == []
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=middle(row, "two"))
    press(KEYS.Key_Right, KEYS.Key_Return, KEYS.Key_Space)
    assert row.acted == ["two", "three", "three"]

    # A key without a target is left to others.
    received = []
    row.window().keyPressEvent = lambda event: received.append(event.key())
    press(KEYS.Key_Down, KEYS.Key_F5)
    assert received == [KEYS.Key_Down, KEYS.Key_F5]
    row.shown.clear()
    press(KEYS.Key_Right)
    assert received[2:] == [KEYS.Key_Right], "where there is no item no key leads to one"


def test_that_arrows_move_from_cell_to_cell_and_never_over_an_edge(show):
    square = show(Square("square", "Four cells"))
    press(KEYS.Key_Tab, KEYS.Key_Down, KEYS.Key_Down, KEYS.Key_Right, KEYS.Key_Up, KEYS.Key_Home, KEYS.Key_End)
    assert square.reported == [Cell(0, 0), Cell(1, 0), Cell(1, 1), Cell(0, 1), Cell(0, 0), Cell(0, 1)]
    assert square.cell == Cell(0, 1)


# Descriptions and tooltips.


def test_that_a_tooltip_shows_hostile_text_literally_and_beside_the_items_that_of_the_canvas(show, qtbot):
    row = show(Row())
    tip = tip_at(row, row.place("two").center())
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; &lt;img src=" in tip
    assert "<b>" not in tip
    assert "<img" not in tip
    assert tip_at(row, row.place("one").center()) == "The first"
    tip_at(row, row.place("one").center())
    tip_at(row, QPointF(150, 10))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    row.setToolTip("Of all")
    assert tip_at(row, QPointF(150, 10)) == "Of all"
    assert tip_at(row, row.place("three").center()) == "The third"


def test_that_a_screen_reader_gets_the_description_of_the_item_or_of_the_whole(show):
    row = show(Row())
    row.describe("Three in all")
    assert read_aloud(row) == "Three in all"
    move_mouse(row, middle(row, "two"))
    assert read_aloud(row) == HOSTILE
    row.describe("Three still")
    assert read_aloud(row) == HOSTILE
    QApplication.sendEvent(row, QEvent(QEvent.Type.Leave))
    assert read_aloud(row) == "Three still"
    press(KEYS.Key_Tab)
    assert read_aloud(row) == HOSTILE, "where it was pointed at last"


def test_that_a_canvas_whose_keys_move_something_else_keeps_its_own_description(show):
    row = Row()
    row.points_by_keys = False
    show(row).describe("The chosen one")
    move_mouse(row, middle(row, "one"))
    assert read_aloud(row) == "The chosen one"
    QApplication.sendEvent(row, QEvent(QEvent.Type.Leave))
    press(KEYS.Key_Tab)
    assert row.reported == ["one", None], "Tab points at nothing"


# Copies.


def test_that_the_menu_copies_the_picture_and_the_rows_whose_lines_and_columns_no_text_breaks(show):
    row = show(Row())
    image, table = menu_of(row).actions()
    assert (image.text(), table.text()) == ("Copy image", "Copy table")
    clipboard = QGuiApplication.clipboard()
    image.trigger()
    assert clipboard.image().pixelColor(5, 5) == QColor("green")
    assert clipboard.image().size() == row.grab().toImage().size()
    table.trigger()
    assert clipboard.text().split("\n")[0] == "The first"
    assert clipboard.text().split("\n")[-1] == "The third"
    menu_of(row).close()
    row.table = lambda: [("a", HOSTILE), ("b\nc", "d")]
    press(KEYS.Key_Tab)
    QTest.keyClick(row, KEYS.Key_C, Qt.KeyboardModifier.ControlModifier)
    first, last = QGuiApplication.clipboard().text().split("\n")
    assert first == "a\t<b>bold</b> & <img src='x'> tab  line \u202e back"
    assert last == "b c\td"


def test_that_a_canvas_without_items_and_table_has_no_menu_and_takes_no_focus(show):
    swatch = show(Swatch(lambda painter, place, letter: painter.fillRect(place, QColor("blue")), 2, 1))
    assert menu_of(swatch) is None
    press(KEYS.Key_Tab)
    assert not swatch.hasFocus()
    assert swatch.grab().toImage().pixelColor(3, 3) == QColor("blue")
    swatch.table = lambda: [("a", "b")]
    assert [action.text() for action in menu_of(swatch).actions()] == ["Copy image", "Copy table"]


# Environment of the canvas.


def test_that_another_theme_and_another_font_paint_and_measure_it_again(show):
    row, measured = show(Row()), []
    row.remeasure = lambda: measured.append(1)
    theme.use(DARK)
    assert measured
    row.painted.clear()
    measured.clear()
    font = row.font()
    font.setPointSizeF(2 * font.pointSizeF())
    row.setFont(font)
    QApplication.processEvents()
    assert measured


def test_that_a_canvas_in_scroll_bars_receives_the_events_of_its_viewport(show):
    far = show(Far("far", "Two items"))
    move_mouse(far.viewport(), middle(far, "near"))
    assert far.reported == ["near"]
    assert tip_at(far.viewport(), far.place("near").center()) == "It is near"
    QApplication.sendEvent(far.viewport(), QEvent(QEvent.Type.Leave))
    assert far.reported == ["near", None]
    far.verticalScrollBar().setRange(0, 1000)
    far.reveal(far.place("far"), QRectF(far.viewport().rect()))
    assert far.viewport().rect().contains(far.place("far").toRect())
    far.verticalScrollBar().setValue(490)
    far.reveal(far.place("far"), QRectF(far.viewport().rect()))
    assert far.verticalScrollBar().value() == 490, "what is in view stays where it is"
    far.reveal(far.place("near"), QRectF(far.viewport().rect()))
    assert far.verticalScrollBar().value() == 0


def test_that_a_destroyed_canvas_receives_no_signals_and_is_released(application):
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    before = len(followers)
    row = Row()
    assert len(followers) == before + 1
    menu_of(row).close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert row.findChild(QMenu) is None
    gone = weakref.ref(row)
    row.deleteLater()
    del row
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    assert len(followers) == before
