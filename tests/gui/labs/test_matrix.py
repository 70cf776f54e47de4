"""Numbers in rows and columns: painting, pointing, highlighting, typing and copying."""


import numpy as np
import pytest
from pages.painted import hover
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QScrollArea, QToolTip, QWidget
from readable import contrast

from gptstudio.gui.learn.kit.matrix import LIT, Cell, Matrix, mixed, shade, shares
from gptstudio.gui.theme import DARK, LIGHT, theme

KEY = Qt.Key
WORDS = ("Your", "journey", "starts")
VALUES = np.array([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, -0.64]])


@pytest.fixture
def make(presented):
    """Return a function that shows a matrix and records its signals; ``written`` has the typed texts."""

    def make(values=VALUES, rows=WORDS, columns=("x", "y", "z"), equal=None, **ways) -> Matrix:
        made = Matrix("weights", "weights", **ways)
        made.show_values(values, rows, columns, equal)
        presented(made)
        made.written = []
        made.edited.connect(lambda *edit: made.written.append(edit))
        return made

    return make


def _press(*keys: Qt.Key) -> None:
    """Press keys; the focused widget receives them."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


def _picture(matrix: Matrix, cell: Cell | None = None):
    image = matrix.grab().toImage()
    return image.copy(matrix.rect(cell)) if cell else image


def _edit(matrix: Matrix) -> QLineEdit:
    return matrix.findChild(QLineEdit)


def test_that_a_matrix_shows_its_shape_and_each_number_with_its_digits(make):
    matrix = make(digits=2)
    assert matrix.title == "weights (3, 3)"
    assert matrix.text(Cell(0, 2)) == "0.89"
    assert matrix.text((2, 2)) == "−0.64"


def test_that_a_vector_is_one_row_and_keeps_its_shape(make):
    matrix = make(np.arange(4), (), ())
    assert matrix.title == "weights (4,)"
    assert matrix.values.shape == (1, 4)
    assert [matrix.text(Cell(0, n)) for n in range(4)] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(("value", "text"), [
    (-np.inf, "−∞"), (np.inf, "∞"), (np.nan, "–"),
    (-0.00004, "−0.0000"), (3.2e9, "3.2000e+09"), (999_999.5, "999999.5000"),
])
def test_that_non_finite_and_very_large_numbers_are_readable(make, value, text):
    assert make(np.array([value]), (), ()).text(Cell(0, 0)) == text


def test_that_each_number_is_painted_in_its_own_cell(make):
    matrix = make()
    before = _picture(matrix)
    matrix.show_values(np.where(VALUES == 0.87, 0.11, VALUES), WORDS, ("x", "y", "z"))
    after = _picture(matrix)
    for cell in (Cell(row, column) for row in range(3) for column in range(3)):
        same = before.copy(matrix.rect(cell)) == after.copy(matrix.rect(cell))
        assert same == (cell != (1, 1)), cell


def test_that_pointing_at_a_cell_frames_it_highlights_its_row_and_column_and_emits_it(make):
    matrix = make()
    far, cells = Cell(0, 0), (Cell(0, 0), Cell(1, 0), Cell(0, 2), Cell(1, 2))
    before = {cell: _picture(matrix, cell) for cell in cells}
    hover(matrix, Cell(1, 2))
    assert matrix.reported == [Cell(1, 2)]
    changed = {cell for cell, picture in before.items() if _picture(matrix, cell) != picture}
    assert changed == set(before) - {far}
    hover(matrix, None)
    assert matrix.reported == [Cell(1, 2), None]
    assert {cell: _picture(matrix, cell) for cell in before} == before


def test_that_pointing_beside_the_cells_points_at_none(make):
    matrix = make()
    hover(matrix, Cell(0, 0))
    QTest.mouseMove(matrix, QPoint(2, matrix.rect(Cell(0, 0)).center().y()))
    QApplication.processEvents()
    assert matrix.reported == [Cell(0, 0), None]


def test_that_the_tooltip_is_the_arithmetic_of_the_cell(make, qtbot):
    matrix = make()
    where = matrix.rect(Cell(2, 1)).center()
    assert matrix.words(Cell(2, 1)) == "starts, y: 0.8500"
    matrix.explain = lambda cell: f"{cell.row} + {cell.column}"
    QApplication.sendEvent(matrix, QHelpEvent(QEvent.Type.ToolTip, where, matrix.mapToGlobal(where)))
    qtbot.waitUntil(lambda: QToolTip.text() == "2 + 1")
    QToolTip.hideText()


def test_that_cells_are_named_by_their_numbers_where_they_have_no_names(make):
    assert make(VALUES, (), ()).words(Cell(2, 0)) == "row 2, column 0: 0.5700"


def test_that_the_arrow_keys_move_between_cells_and_stop_at_the_edge(make):
    matrix = make()
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    _press(KEY.Key_Right, KEY.Key_Down, KEY.Key_Down, KEY.Key_Down, KEY.Key_Left)
    assert matrix.reported == [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)]
    assert matrix.accessibleDescription() == "starts, x: 0.5700"
    matrix.clearFocus()
    assert matrix.reported[-1] is None


def test_that_moving_brings_the_cell_into_view(application, qtbot):
    area, matrix = QScrollArea(), Matrix("weights", "weights")
    qtbot.addWidget(area)
    matrix.show_values(np.zeros((30, 30)))
    area.setWidget(matrix)
    area.resize(300, 200)
    theme.dress(area)
    area.show()
    matrix.resize(matrix.sizeHint())
    for _ in range(29):
        QTest.keyClick(matrix, KEY.Key_Down)
        QTest.keyClick(matrix, KEY.Key_Right)
    assert matrix.cell == (28, 29)
    assert matrix.visibleRegion().boundingRect().contains(matrix.rect(matrix.cell))


def test_that_new_numbers_under_the_pointer_are_reported_at_once(make):
    matrix = make()
    matrix.explain = lambda cell: f"it is {matrix.text(cell)}"
    hover(matrix, Cell(1, 1))
    matrix.show_values(VALUES + 1, WORDS, ("x", "y", "z"))
    assert matrix.reported == [(1, 1), (1, 1)]
    assert matrix.accessibleDescription() == "it is 1.8700"


def test_that_highlighted_cells_have_a_frame_around_them_and_not_between_them(make):
    matrix = make()
    plain = _picture(matrix)
    matrix.light([(0, 0), (0, 1)])
    lit, accent = _picture(matrix), QColor(theme.colours.accent)
    place, middle = matrix.rect(Cell(0, 0)), matrix.rect(Cell(0, 0)).center()
    assert lit.pixelColor(middle.x(), place.top()) == accent
    assert lit.pixelColor(place.left(), middle.y()) == accent
    assert lit.pixelColor(place.right() + 1, middle.y()) == plain.pixelColor(place.right() + 1, middle.y())
    matrix.light(())
    assert _picture(matrix) == plain


def test_that_another_shape_clears_the_pointer_and_the_highlight(make):
    matrix = make()
    hover(matrix, Cell(2, 2))
    matrix.light([Cell(2, 2)])
    matrix.show_values(VALUES[:2, :2], WORDS[:2], ("x", "y"))
    assert matrix.reported == [Cell(2, 2), None]
    assert not matrix.lit
    matrix.grab()


def test_that_numbers_that_agree_with_the_print_have_a_tick_and_are_counted(make):
    matrix = make()
    before = {cell: _picture(matrix, cell) for cell in (Cell(0, 0), Cell(0, 1))}
    matrix.show_values(VALUES, WORDS, ("x", "y", "z"), equal=np.array([[1, 0, 1], [0, 0, 0], [1, 1, 1]], bool))
    assert {cell for cell, picture in before.items() if _picture(matrix, cell) != picture} == {Cell(0, 0)}
    assert matrix.accessibleDescription() == "5 of 9 numbers match the book"


# Typing.


def test_that_a_read_only_matrix_accepts_no_text(make):
    matrix = make()
    QTest.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(0, 0)).center())
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    _press(KEY.Key_F2, KEY.Key_Return, KEY.Key_5)
    assert not _edit(matrix).isVisible()


def test_that_a_double_click_opens_the_exact_number_and_enter_emits_the_input(make):
    matrix = make(digits=1, editable=True)
    QTest.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(1, 2)).center())
    assert _edit(matrix).text() == "0.66"
    QTest.keyClicks(QApplication.focusWidget(), " nonsense ")
    _press(KEY.Key_Return)
    assert matrix.written == [(1, 2, "nonsense")]
    assert matrix.values[1, 2] == 0.66  # the page decides
    assert matrix.hasFocus()
    assert not _edit(matrix).isVisible()


@pytest.mark.parametrize(("keys", "written", "cell"), [
    pytest.param((KEY.Key_F2, KEY.Key_7, KEY.Key_Escape), [], (0, 0), id="Esc cancels"),
    pytest.param((KEY.Key_Down, KEY.Key_2, KEY.Key_Period, KEY.Key_5, KEY.Key_Return), [(1, 0, "2.5")], (1, 0),
                 id="a digit begins an edit"),
    pytest.param((KEY.Key_Right, KEY.Key_Right, KEY.Key_1, KEY.Key_Tab, KEY.Key_2, KEY.Key_Backtab, KEY.Key_Escape),
                 [(0, 2, "1"), (1, 0, "2")], (0, 2), id="Tab leads to the next cell and back"),
    pytest.param((KEY.Key_End, KEY.Key_Down, KEY.Key_Down, KEY.Key_3, KEY.Key_Tab), [(2, 2, "3")], (2, 2),
                 id="Tab ends at the last cell"),
])
def test_that_keys_begin_accept_and_cancel_an_edit(make, keys, written, cell):
    matrix = make(editable=True)
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    _press(*keys)
    assert matrix.written == written
    assert matrix.cell == cell
    assert matrix.hasFocus()


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Escape])
def test_that_the_focus_stays_in_the_matrix_when_an_edit_ends(application, qtbot, key):
    room = QWidget()
    qtbot.addWidget(room)
    layout, matrix = QHBoxLayout(room), Matrix("weights", "weights", editable=True)
    matrix.show_values(VALUES)
    for widget in (QLineEdit(), matrix, QLineEdit()):
        layout.addWidget(widget)
    theme.dress(room)
    room.show()
    room.activateWindow()
    qtbot.waitUntil(room.isActiveWindow)
    matrix.setFocus()
    hover(matrix, Cell(1, 1))
    _press(KEY.Key_F2, key, KEY.Key_Right)
    assert matrix.cell == (1, 2)


def test_that_a_typographic_minus_is_converted_to_a_hyphen_minus(make):
    matrix = make(editable=True)
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    _press(KEY.Key_F2)
    _edit(matrix).setText("−0.5")
    _press(KEY.Key_Return)
    assert matrix.written == [(0, 0, "-0.5")]


def test_that_a_click_elsewhere_accepts_the_edit_for_the_edited_cell(make):
    matrix = make(editable=True)
    QTest.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(0, 0)).center())
    QTest.keyClicks(QApplication.focusWidget(), "9")
    hover(matrix, Cell(2, 0))
    QTest.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(2, 0)).center())
    assert matrix.written == [(0, 0, "9")]
    assert matrix.cell == (2, 0)


def test_that_a_page_may_show_another_shape_after_an_edit(make):
    matrix = make(editable=True)
    matrix.edited.connect(lambda *edit: matrix.show_values(VALUES[:1], WORDS[:1], ("x", "y", "z")))
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    _press(KEY.Key_4, KEY.Key_Tab)
    assert matrix.written == [(0, 0, "4")]
    assert not _edit(matrix).isVisible()


def test_that_the_line_edit_is_wide_enough_for_a_long_number(make):
    matrix = make(np.array([[1 / 3, 2.0], [3.0, 4.0]]), (), (), editable=True, digits=1)
    matrix.resize(300, matrix.height())
    QTest.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(0, 0)).center())
    line = _edit(matrix)
    assert float(line.text()) == 1 / 3

    def fits() -> bool:
        return matrix.rect(Cell(0, 0)).width() < line.fontMetrics().horizontalAdvance(line.text()) < line.width()

    assert fits()
    _press(KEY.Key_Escape, KEY.Key_F2)
    assert fits()
    QTest.keyClicks(line, "3.14159265358979")
    _press(KEY.Key_Escape, KEY.Key_1)
    assert not fits()
    QTest.keyClicks(line, "0000000000000000")
    assert fits()


# Copying, sizes, colours.


def test_that_the_copy_is_read_back_as_the_same_numbers(make):
    values = np.array([[1 / 3, -np.inf, 1e-9], [np.float64(2), 1e20, -0.1]])
    matrix = make(values, ("a", "b"), ("x", "y", "z"))
    matrix.setFocus()
    QTest.keyClick(matrix, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, *lines = (line.split("\t") for line in QGuiApplication.clipboard().text().split("\n"))
    assert head == ["", "x", "y", "z"]
    assert [line[0] for line in lines] == ["a", "b"]
    assert np.array_equal(np.array([line[1:] for line in lines], float), values)


def test_that_single_precision_is_copied_with_the_fewest_digits(make):
    matrix = make(np.array([[0.43, -1.5]], np.float32), (), ())
    matrix.copy_table()
    assert QGuiApplication.clipboard().text() == "0.43\t-1.5"


def test_that_the_whole_matrix_has_room_and_twice_as_much_at_twice_the_text_size(make):
    matrix = make()
    small = matrix.minimumSizeHint()
    assert matrix.rect(Cell(2, 2)).right() < small.width()
    assert matrix.rect(Cell(2, 2)).bottom() < small.height()
    theme.enlarge(2)
    large = matrix.minimumSizeHint()
    assert large.width() > 1.6 * small.width()
    assert large.height() > 1.6 * small.height()


def test_that_cells_keep_their_size_when_a_number_becomes_negative_or_agrees(make):
    matrix = make(np.array([[0.5]]), (), ())
    before = matrix.rect(Cell(0, 0))
    matrix.show_values(np.array([[0.7]]), equal=np.array([[True]]))
    assert matrix.rect(Cell(0, 0)) == before


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_that_text_on_every_shade_keeps_its_contrast_also_at_crossings(application, monkeypatch, colours):
    monkeypatch.setattr(theme, "colours", colours)
    text, accent = QColor(colours.text), QColor(colours.accent)
    for share in np.linspace(-1, 1, 33):
        ground = shade(share)
        crossed = mixed(mixed(ground, accent, LIT), accent, LIT)
        assert contrast(text, ground) >= 4.5
        assert contrast(text, crossed) >= 4.5


def test_that_shades_show_the_sign_and_omit_non_finite_numbers():
    signed = shares(np.array([[2.0, -4.0, 0.0], [-np.inf, np.nan, np.inf]]))
    assert signed.tolist() == [[0.5, -1.0, 0.0], [0.0, 0.0, 0.0]]
    assert shade(0.5) != shade(-0.5)
    assert shade(0.0) == QColor(theme.colours.surface)


def test_that_only_visible_cells_are_painted(make, monkeypatch):
    matrix = make(np.zeros((64, 64)), (), ())
    asked = []
    monkeypatch.setattr(Matrix, "_paint_numbers", lambda matrix, painter, cells: asked.append(cells))
    matrix.resize(matrix.sizeHint())
    QApplication.processEvents()
    matrix.repaint(matrix.rect(Cell(10, 5)).adjusted(1, 1, -1, -1))
    assert asked[-1] == [Cell(10, 5)]
