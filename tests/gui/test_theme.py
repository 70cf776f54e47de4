"""Light and dark, and text of any size."""

from itertools import product

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QMainWindow,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QTableWidget,
    QWidget,
)
from readable import contrast

from gptstudio.gui.theme import DARK, LIGHT, Colours, theme
from gptstudio.gui.widgets.parts import label

PAIRS = [*product(("text", "muted", "bad", "amber", "good", "accent"), ("window", "surface")), ("on_accent", "accent")]
GRAPHICS = list(product(("training", "validation", "good", "amber", "bad", "accent"), ("surface",)))


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_that_text_is_readable(colours: Colours):
    poor = {
        f"{front} on {back}": round(found, 2)
        for front, back in PAIRS
        if (found := contrast(QColor(getattr(colours, front)), QColor(getattr(colours, back)))) < 4.5
    }
    assert poor == {}


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_that_curves_and_bars_have_enough_contrast_with_the_background(colours: Colours):
    """3 to 1, as WCAG requires of graphics."""
    poor = [(f, b) for f, b in GRAPHICS if contrast(QColor(getattr(colours, f)), QColor(getattr(colours, b))) < 3]
    assert poor == []


def test_that_contrast_is_measured_correctly():
    assert contrast(QColor("white"), QColor("black")) == pytest.approx(21)
    assert contrast(QColor("#767676"), QColor("white")) == pytest.approx(4.54, abs=0.01)


def test_that_colours_and_text_size_change_everything_at_once_and_follow_the_system(user, application, tiny):
    plot = user.train.loss
    for colours in (DARK, LIGHT, DARK):
        theme.use(colours)
        user.rest(0.02)
        assert plot.plot.backgroundBrush().color() == QColor(colours.surface)
        palette = QApplication.palette()
        assert palette.color(QPalette.ColorRole.Window) == QColor(colours.window)
        assert palette.color(QPalette.ColorRole.WindowText) == QColor(colours.text)
        pens = {curve.line.opts["pen"].color().name() for curve in plot.chart.curves.values()}
        assert {QColor(colours.training).name(), QColor(colours.validation).name()} <= pens
        picture = user.window.grab().toImage()
        corner = plot.plot.mapTo(user.window, plot.plot.rect().topLeft())
        assert picture.pixelColor(corner.x() + 2, corner.y() + 2) == QColor(colours.surface)
        beside = user.train.widget.mapTo(user.window, QPoint(0, 0))
        assert picture.pixelColor(beside.x() + 3, beside.y() + 3) == QColor(colours.window)

    hints = application.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.colours is DARK
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.colours is LIGHT

    user.panel.select(tiny)
    user.generate.write(5)
    strip = user.generate.strip
    before = strip.place_of(0).height()
    theme.enlarge(2)
    user.rest(0.05)
    assert strip.place_of(0).height() > before * 1.7


def test_that_a_widget_added_to_a_window_later_gets_its_style(application, qtbot):
    """The style sheet is set on each window: on the application, it would make the creation of every page three times
    as slow."""
    window, words = QMainWindow(), label("late", "problem")
    qtbot.addWidget(window)
    theme.dress(window)
    window.setCentralWidget(words)
    window.show()
    try:
        for colours in (DARK, LIGHT):
            theme.use(colours)
            assert words.palette().color(QPalette.ColorRole.WindowText) == QColor(colours.bad)
    finally:
        theme.use(LIGHT)
    assert application.styleSheet() == ""


def part_width(control: QWidget, option: QStyleOptionComplex, kind: str, part: str) -> int:
    """Return the width in pixels of a part of a control, by Qt's names for both."""
    control.initStyleOption(option)
    style = control.style()
    return style.subControlRect(
        getattr(style.ComplexControl, kind), option, getattr(style.SubControl, part), control).width()


@pytest.mark.parametrize(("make", "size"), [
    (QCheckBox, lambda box: box.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, box)),
    (QRadioButton, lambda box: box.style().pixelMetric(QStyle.PixelMetric.PM_ExclusiveIndicatorWidth, None, box)),
    (lambda: QSlider(Qt.Orientation.Horizontal),
     lambda slider: part_width(slider, QStyleOptionSlider(), "CC_Slider", "SC_SliderHandle")),
    (QComboBox, lambda box: part_width(box, QStyleOptionComboBox(), "CC_ComboBox", "SC_ComboBoxArrow")),
    (QSpinBox, lambda box: part_width(box, QStyleOptionSpinBox(), "CC_SpinBox", "SC_SpinBoxUp")),
], ids=["check box", "radio button", "slider", "combo box", "spin box"])
@pytest.mark.parametrize(("zoom", "grown"), [(0.5, 1), (1, 1), (2, 2), (3, 3)])
def test_that_boxes_handles_and_arrows_grow_with_the_text_and_do_not_shrink(
    application, qtbot, make, size, zoom, grown
):
    shown = make()
    qtbot.addWidget(shown)
    theme.dress(shown)
    shown.show()
    usual = size(shown)
    try:
        theme.enlarge(zoom)
        qtbot.waitUntil(lambda: usual * (1 + grown) / 2 - 2 <= size(shown) <= usual * grown + 2)
    finally:
        theme.enlarge(None)


def cut_buttons(window) -> list[str]:
    shown = [each for each in window.findChildren(QPushButton) if each.isVisible()]
    assert shown
    return [
        f"{each.objectName()}: {each.size().toTuple()} of {each.sizeHint().toTuple()}"
        for each in shown
        if each.width() < each.sizeHint().width() or each.height() < each.sizeHint().height()
    ]


LOOKS = ((1.0, (1280, 800)), (1.0, (900, 600)), (2.0, (900, 600)), (2.0, (1280, 800)))
"""Factors of the text size, and sizes of the window."""


def shown(user, zoom: float, size: tuple[int, int]) -> None:
    user.window.resize(*size)
    theme.enlarge(zoom / theme.zoom)
    user.rest(0.05)


def test_that_no_button_is_cut_off_at_any_text_size_and_train_and_generate_need_no_scrolling(user):
    assert user.train.text_missing()
    for look in LOOKS:
        shown(user, *look)
        assert cut_buttons(user.window) == [], look
    user.train.prepare(steps=5000, eval_freq=1000)
    user.train.start()
    user.wait(user.train.losses)
    user.train.pause()
    for look in reversed(LOOKS):
        shown(user, *look)
        for page in ("generate", "train"):
            user.go_to(page)
            user.rest(0.05)
            assert cut_buttons(user.window) == [], (page, *look)

    user.train.stop()
    user.train.reset()
    user.window.resize(1280, 800)
    user.train.to_end(steps=2)
    user.wait(lambda: user.find("train_scroll").verticalScrollBar().maximum() == 0)

    user.train.prepare(steps=5000, eval_freq=1000)
    user.train.step()
    user.wait(lambda: user.train.paused and user.train.one_step.rows.isVisible())
    for zoom, size in (LOOKS[0], LOOKS[1], LOOKS[3]):
        shown(user, zoom, size)
        for page in ("generate", "train"):
            user.go_to(page)
            user.rest(0.1)
            assert user.find(f"{page}_scroll").horizontalScrollBar().maximum() == 0, (page, zoom, size)
        labels = [each for each in user.train.widget.findChildren(QLabel) if each.isVisible() and not each.wordWrap()]
        assert [each.text() for each in labels if each.width() < each.sizeHint().width()] == [], (zoom, size)


def test_that_the_frame_of_a_focused_table_is_whole_at_its_header(application, qtbot):
    table = QTableWidget(3, 3)
    table.verticalHeader().hide()
    qtbot.addWidget(table)
    theme.dress(table)
    table.resize(300, 200)
    table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    corners = []
    for header in (True, False):
        table.horizontalHeader().setVisible(header)
        shown = table.grab().toImage()
        corners.append([shown.pixelColor(x, y).name() for x in range(5) for y in range(5)])
    assert len({*corners[0]}) > 2
    assert corners[0] == corners[1]
