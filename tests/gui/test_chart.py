"""The chart: growing curves, following and zooming, reading, linking, marks, colours, and exports."""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
import pytest
from disks import longest_file as longest_file
from pages.charts import ChartPage, extend, points
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QScrollArea, QVBoxLayout, QWidget
from readable import contrast
from strips import usual

from gptstudio.errors import UserError
from gptstudio.gui.charts.chart import Chart, join
from gptstudio.gui.charts.curve import Series
from gptstudio.gui.charts.curve_items import FEW
from gptstudio.gui.charts.plot import NumberAxis, fitted
from gptstudio.gui.charts.style import COLOURS, CurveStyle, overlay, scene_font
from gptstudio.gui.theme import DARK, LIGHT, theme

NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def chart(application, qtbot) -> Iterator[Chart]:
    made = shown(qtbot, Chart("Loss during training, in nats per token", "Loss"))
    yield made
    usual()


def shown(qtbot, widget: QWidget) -> QWidget:
    qtbot.addWidget(widget)
    widget.resize(700, 400)
    theme.dress(widget)
    widget.show()
    QApplication.processEvents()
    return widget


def steps(count: int, first: int = 0) -> dict[str, np.ndarray]:
    at = np.arange(first, first + count, dtype=float)
    return {"step": at, "tokens": at * 512}


def falling(chart: Chart, key: str = "run", count: int = 400, over: float = 2.0):
    """Add a curve that falls from 10 + ``over`` to about ``over``."""
    at = steps(count)
    losses = points(at, over + 10 * np.exp(-at["step"] / 50))
    curve = chart.curves.put(key, f"Run {key}", overlay(len(chart.curves)), losses)
    chart.refresh()
    return curve


def x_range(chart: Chart) -> list[float]:
    return chart.plot.viewRange()[0]


def y_range(chart: Chart) -> list[float]:
    return chart.plot.viewRange()[1]


def place(chart: Chart, x: float) -> QPointF:
    """Return the position of x on the plot, at half its height."""
    box = chart.plot.getPlotItem().getViewBox()
    return QPointF(box.mapViewToScene(QPointF(x, sum(y_range(chart)) / 2)))


def wheel(chart: Chart, modifiers: Qt.KeyboardModifier, x: float = 200, notches: int = 1) -> None:
    """Turn the wheel with the pointer over the plot."""
    top, port = chart.window(), chart.plot.viewport()
    there = QPointF(port.mapTo(top, place(chart, x).toPoint()))
    QTest.wheelEvent(top.windowHandle(), there, QPoint(0, 120 * notches), QPoint(), modifiers)
    QApplication.processEvents()


def point_at(chart: Chart, x: float) -> None:
    at = place(chart, x)
    port = chart.plot.viewport()
    everywhere = QPointF(port.mapToGlobal(at.toPoint()))
    moved = QMouseEvent(QEvent.Type.MouseMove, at, everywhere, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, NONE)
    QApplication.sendEvent(port, moved)


def drag(chart: Chart, begin: float, end: float) -> None:
    port, one, other = chart.plot.viewport(), place(chart, begin).toPoint(), place(chart, end).toPoint()
    QTest.mousePress(port, LEFT, NONE, one)
    for share in (0.3, 0.6, 1.0):
        there = one + (other - one) * share
        event = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(there), QPointF(port.mapToGlobal(there)), Qt.MouseButton.NoButton, LEFT, NONE
        )
        QApplication.sendEvent(port, event)
        QTest.qWait(20)  # pyqtgraph delays moves in quick succession
    QTest.mouseRelease(port, LEFT, NONE, other)


def colours_in(image: QImage) -> set[str]:
    converted = image.convertToFormat(QImage.Format.Format_RGB32)  # must live as long as its bits are read
    points = np.frombuffer(converted.constBits(), np.uint32)
    return {QColor.fromRgb(point).name() for point in np.unique(points).tolist()}


def near(wanted: QColor, found: set[str]) -> bool:
    """Return whether a colour is among those found, within the blur at the edge of a line."""
    return any(
        max(abs(one - other) for one, other in zip(wanted.getRgb(), QColor(name).getRgb(), strict=True)) <= 40
        for name in found
    )


# Growing and following.


def test_that_all_points_are_in_view_while_a_curve_grows_and_the_axes_stay_while_there_is_room(chart):
    curve = falling(chart, count=10)
    for first in range(10, 500, 30):
        extend(curve.series, steps(30, first), np.full(30, first / 10.0))
        chart.refresh()
        x, y = curve.series.x("step"), curve.series.y[:]
        assert x_range(chart)[0] <= x[0] < x[-1] <= x_range(chart)[1]
        assert y_range(chart)[0] <= y.min() < y.max() <= y_range(chart)[1]

    chart.clear()
    curve = falling(chart, count=400)
    extend(curve.series, steps(20, 400), np.full(20, 3.0))
    chart.refresh()
    before = x_range(chart), y_range(chart)
    extend(curve.series, steps(10, 420), np.full(10, 3.0))
    chart.refresh()
    assert (x_range(chart), y_range(chart)) == before


def test_that_the_whole_of_a_planned_run_is_shown_from_its_first_step(chart):
    chart.set_x("step", "Step", least=(0, 1000))
    falling(chart, count=3)
    assert x_range(chart)[0] <= 0
    assert 1000 <= x_range(chart)[1] < 1050


def test_that_a_loss_is_drawn_from_zero_to_the_loss_of_guessing(application, qtbot):
    made = shown(qtbot, Chart("Loss", "Loss", least_y=(0, 11.5)))
    falling(made, over=1)
    assert y_range(made) == [0, 11.5]
    falling(made, "worse", over=5)
    assert y_range(made)[1] > 15


def test_that_a_hidden_chart_draws_the_new_points_once_it_is_shown(chart):
    chart.hide()
    curve = falling(chart, count=300)
    assert curve.line.xData is None or not curve.line.xData.size
    chart.show()
    assert curve.line.xData[-1] == 299


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "values", [[], [math.nan], [math.inf, -math.inf], [3.0], [0.0, 0.0], [-1.0, math.nan, 1e300], [5e-324]]
)
def test_that_no_values_break_the_chart(chart, values, log):
    chart.set_log(log)
    chart.curves.put("odd", "Odd", CurveStyle("bad"), points(steps(len(values)), values))
    chart.smooth(0.5)
    chart.show_cursor(0)
    chart.refresh()
    assert all(map(math.isfinite, (*x_range(chart), *y_range(chart))))
    assert not chart.grab().isNull()


def test_that_a_point_between_two_gaps_is_visible(chart):
    chart.curves.put("odd", "", CurveStyle("bad"), points(steps(5), [1, math.nan, 2, math.nan, 3]))
    chart.refresh()
    assert QColor(LIGHT.bad).name() in colours_in(chart.plot.grab().toImage())


def test_that_a_curve_can_be_hidden_replaced_removed_and_share_its_points_with_another_chart(chart, qtbot):
    falling(chart, "a")
    falling(chart, "b", over=8)
    chart.curves.put("b", "Run b", overlay(1), chart.curves["b"].series, visible=False)
    chart.view.show_all()
    assert y_range(chart)[1] < 13
    assert [reading.key for reading in chart.values_at(5)] == ["a"]
    chart.curves.remove("a")
    assert chart.values_at(5) == []
    chart.clear()
    assert chart.curves == {}

    kept = chart.curves.put("kept", "Kept", overlay(0), points(steps(3), [1.0, 2.0, 3.0]))
    falling(chart, "gone")
    chart.clear(keep=("kept",))
    assert list(chart.curves) == ["kept"]
    assert chart.curves.put("kept", "Kept", overlay(0), points(steps(3), [4.0, 5.0, 6.0])) is kept
    chart.refresh()
    assert kept.line.yData.tolist() == [4.0, 5.0, 6.0], "as many points as before, but others"
    chart.clear()

    other, curve = shown(qtbot, Chart("Again", "Loss")), falling(chart)
    other.curves.put("same", "Same", CurveStyle("accent"), series=curve.series)
    extend(curve.series, steps(1, 400), 1.5)
    assert other.values_at(1000)[0].y == 1.5


# Zooming.


def test_that_the_wheel_alone_scrolls_the_page_and_with_ctrl_zooms_where_y_fits_the_visible_part(chart):
    falling(chart)
    before = x_range(chart)
    wheel(chart, NONE)
    assert x_range(chart) == before
    wheel(chart, CTRL)
    after = x_range(chart)
    assert before[0] < after[0] < 200 < after[1] < before[1]
    for _ in range(10):
        wheel(chart, CTRL, 350)
    assert y_range(chart)[1] < 2.5


def test_that_a_page_with_a_chart_scrolls_when_the_wheel_turns_over_it(application, qtbot):
    page, area = QWidget(), QScrollArea()
    layout, made = QVBoxLayout(page), Chart("Loss", "Loss", height=300)
    layout.addWidget(made)
    layout.addWidget(QLabel("\n" * 80))
    area.setWidget(page)
    area.setWidgetResizable(True)
    shown(qtbot, area)
    falling(made)
    wheel(made, NONE, notches=-1)
    assert area.verticalScrollBar().value() > 0


def test_that_a_drag_or_zoom_stays_while_the_curve_grows_until_all_points_are_shown_again(chart):
    curve = falling(chart)
    before = x_range(chart)
    drag(chart, 300, 200)
    moved = x_range(chart)
    assert moved[0] > before[0]
    assert moved[1] - moved[0] == pytest.approx(before[1] - before[0])
    port, there = chart.plot.viewport(), place(chart, 250).toPoint()
    for press in (QTest.mousePress, QTest.mouseRelease, QTest.mouseDClick, QTest.mouseRelease):
        press(port, LEFT, NONE, there)
    assert x_range(chart) == before
    assert not chart.all_button.isVisible()
    wheel(chart, CTRL)
    zoomed = x_range(chart)
    extend(curve.series, steps(1000, 400), np.ones(1000))
    chart.refresh()
    assert x_range(chart) == zoomed
    QTest.mouseClick(chart.all_button, LEFT)
    assert x_range(chart)[1] >= 1399
    assert not chart.all_button.isVisible()


# Axes and smoothing.


def test_that_another_x_axis_shows_the_same_points_and_no_curve_without_it(chart):
    curve = falling(chart)
    heights = curve.line.yData
    chart.set_x("tokens", "Tokens seen")
    assert curve.line.xData[-1] == 399 * 512
    np.testing.assert_array_equal(curve.line.yData, heights)
    assert chart.plot.getAxis("bottom").labelText == "Tokens seen"
    chart.curves.put("seeds", "As printed", CurveStyle("muted"), points({"step": [0, 5]}, [9.0, 7.0]))
    chart.set_x("seconds", "Time")
    assert chart.values_at(3) == []
    assert not chart.curves["seeds"].line.isVisible()


def test_that_a_logarithmic_axis_draws_logarithms_and_omits_values_without_one(chart):
    chart.curves.put("rate", "", CurveStyle("accent"), points(steps(4), [0.0, 0.001, 0.1, -1.0]))
    chart.set_log(True)
    np.testing.assert_allclose(chart.curves["rate"].line.yData, [np.nan, -3, -1, np.nan])
    assert [reading.y for reading in chart.values_at(2)] == [0.1]


def test_that_all_numbers_of_an_axis_have_the_same_number_of_digits(chart):
    chart.resize(400, 200)
    for low, high, digits in ((3.82, 4.14, 2), (3.2, 9.7, 0), (-0.4, 0.4, 1)):
        chart.plot.getViewBox().setYRange(low, high, padding=0)
        chart.grab()
        numbers = [text for *_, text in chart.plot.getAxis("left").picture[2]]
        assert len(numbers) >= 3
        assert {len(each.partition(".")[2]) for each in numbers} == {digits}, numbers


@pytest.mark.parametrize("high", [9.5, 2.5])
def test_that_the_numbers_of_a_low_logarithmic_axis_do_not_overlap(application, high):
    axis, pixels = NumberAxis("left"), 70
    axis.setLogMode(y=True)
    ticks = [place for _, places in axis.tickValues(math.log10(1.1), math.log10(high), pixels) for place in places]
    places = np.sort(ticks) / (math.log10(high) - math.log10(1.1)) * pixels
    assert len(places) >= 2
    assert np.diff(places).min() >= QFontMetricsF(scene_font()).height() * 0.99


@pytest.mark.parametrize(("low", "high"), [(0.31, 0.36), (2.0, 11.0), (1e-6, 1e2), (5000.0, 9000.0)])
def test_that_the_ticks_of_a_logarithmic_axis_show_plain_values(application, low, high):
    axis = NumberAxis("left")
    axis.setLogMode(y=True)
    read = []
    for spacing, ticks in axis.tickValues(math.log10(low), math.log10(high), 300):
        for value, words in zip(ticks, axis.tickStrings(ticks, 1.0, spacing), strict=True):
            assert float(words) == pytest.approx(10**value, rel=1e-2)
            read.append(float(words))
    assert sum(low <= value <= high for value in read) >= 2


def test_that_smoothing_draws_a_smoother_line_over_the_remaining_points(chart):
    jitter = np.random.default_rng(1).normal(3, 1, 500)
    curve = chart.curves.put("run", "Run", overlay(0), points(steps(500), jitter))
    chart.smooth(0.9)
    assert curve.raw.isVisible()
    np.testing.assert_array_equal(curve.raw.yData, jitter)
    assert curve.line.yData.std() < 0.5 * jitter.std()
    reading = chart.values_at(499)[0]
    assert (reading.y, reading.smoothed) == (jitter[-1], curve.line.yData[-1])
    chart.smooth(0)
    assert not curve.raw.isVisible()
    np.testing.assert_array_equal(curve.line.yData, jitter)


# Reading.


def test_that_pointing_reads_every_curve_at_its_last_earlier_point_with_its_literal_name(chart):
    place_of_plot = chart.plot.geometry()
    assert chart.readout.text() == "", "there is nothing to point at"
    falling(chart, "a")
    QApplication.processEvents()
    assert chart.readout.text() == "Point at the curves to read their values."
    assert chart.plot.geometry() == place_of_plot
    chart.curves.put("b", "Evaluated", overlay(1), points({"step": [0, 100, 200]}, [9.0, 8.0, 7.0]))
    chart.refresh()
    received = []
    chart.hovered.connect(received.append)
    point_at(chart, 150.4)
    assert received[-1] == pytest.approx(150.4, abs=1)
    read = {reading.key: (reading.x, reading.y) for reading in chart.values_at(150.4)}
    assert read["b"] == (100, 8.0)
    assert read["a"] == (150, pytest.approx(2 + 10 * math.exp(-3)))
    assert "Training step 150" in chart.readout.text()
    assert "Evaluated&nbsp;8" in chart.readout.text()
    QApplication.sendEvent(chart.plot, QEvent(QEvent.Type.Leave))
    assert received[-1] is None
    assert "Step" not in chart.readout.text()

    assert chart.plot.accessibleName() == "Loss during training, in nats per token"
    chart.curves.put("odd", "<b>a & b</b>", overlay(0), points(steps(2), [1, 2]))
    chart.show_cursor(1)
    assert "&lt;b&gt;a" in chart.readout.text()


def test_that_linked_charts_share_the_pointer_position_and_the_view(chart, qtbot):
    others = [shown(qtbot, Chart(name, name)) for name in ("Learning rate", "Gradient norm")]
    for each in (chart, *others):
        falling(each)
    extend(others[0].curves["run"].series, steps(600, 400), np.ones(600))
    for place, other in enumerate(others):
        join(other, chart, *others[:place])
    chart.view.show_all()
    assert x_range(chart) == x_range(others[0]) == x_range(others[1])
    assert x_range(chart)[1] >= 999
    point_at(others[1], 300)
    assert all("step 300" in each.readout.text() or "step 299" in each.readout.text() for each in (chart, *others))
    wheel(others[0], CTRL)
    assert x_range(chart) == x_range(others[0]) == x_range(others[1])
    chart.view.show_all()
    assert x_range(others[1])[1] >= 999


def test_that_marks_and_references_are_at_their_places_on_any_axis_and_scale_and_their_texts_do_not_overlap(chart):
    falling(chart)
    chart.mark({"step": 100, "tokens": 51_200}, "saved", "The weights were saved after step 100.")
    chart.refresh()
    [mark] = ChartPage(chart).marks
    assert mark.value() == 100
    chart.show_cursor(100)
    assert "after step 100" in chart.readout.text()
    chart.set_x("tokens", "Tokens seen")
    assert mark.value() == 51_200
    chart.set_x("seconds", "Time")
    assert not mark.isVisible()

    chart.set_x("step", "Training step")
    for step in (101, 102, 300):
        chart.mark({"step": step}, "checkpoint")
    chart.refresh()
    assert [mark.label.isVisible() for mark in ChartPage(chart).marks] == [True, False, False, True]

    line = chart.reference(10.82, "random guessing: 10.82")
    assert line.value() == 10.82
    chart.lines.clear_marks()
    chart.mark({"step": 340}, "overfitting")
    for height in (160, 400):
        chart.resize(700, height)
        QApplication.processEvents()
        chart.refresh()
        [word], under = ChartPage(chart).marks, line.label.textItem.sceneBoundingRect()
        assert word.label.isVisible()
        assert not word.label.textItem.sceneBoundingRect().intersects(under), height
        assert chart.box.sceneBoundingRect().contains(word.label.textItem.sceneBoundingRect().center()), height
    chart.set_log(True)
    assert line.value() == pytest.approx(math.log10(10.82))


# Appearance.


def test_that_colours_and_sizes_follow_the_theme(chart):
    curve = chart.curves.put("run", "Run", CurveStyle("training"), points(steps(2), [1, 2]))
    assert (look := CurveStyle("training", 2)).pen().widthF() == 2
    height, size = chart.plot.minimumHeight(), chart.plot.getAxis("left").style["tickFont"].pointSizeF()
    theme.use(DARK)
    assert curve.line.opts["pen"].color().name() == DARK.training
    assert chart.plot.backgroundBrush().color().name() == DARK.surface
    theme.enlarge(2)
    assert look.pen().widthF() == 4
    assert chart.plot.minimumHeight() == 2 * height
    assert chart.plot.getAxis("left").style["tickFont"].pointSizeF() == pytest.approx(2 * size)


@pytest.mark.parametrize(("colours", "least"), [(LIGHT, 2.2), (DARK, 4.5)])
def test_that_overlaid_curves_can_be_distinguished_from_each_other_and_from_the_background(colours, least):
    looks = [overlay(index) for index in range(4 * COLOURS)]
    assert len({(look.colour % COLOURS, look.dash) for look in looks}) == len(looks)

    for name in colours.curves:
        assert contrast(QColor(name), QColor(colours.surface)) >= least, name


def test_that_a_range_has_a_margin_around_the_data_but_ends_at_its_limits():
    assert fitted(2, 4) == pytest.approx((1.9, 4.1))
    assert fitted(2, 4, (0, 11.5)) == (0, 11.5)
    assert fitted(3, 3)[0] < 3 < fitted(3, 3)[1]
    assert fitted(math.inf, -math.inf) == (0, 1)


def legend_of(chart: Chart) -> pg.LegendItem:
    return chart.plot.getPlotItem().legend


def test_that_the_legend_of_curves_that_are_named_later_is_not_cut_off(chart):
    names = ["“ Rot”", "“ These”", "“ Bars”", "“ Archbishop”", "“utt”", "“ disturbance”"]
    for key in names:
        chart.curves.put(key, "", CurveStyle("training"), points(steps(3), [1, 2, 3]))
    QApplication.processEvents()
    chart.curves.name({key: key for key in names})
    QApplication.processEvents()
    right = chart.box.sceneBoundingRect().right() + 1
    assert all(words.sceneBoundingRect().right() <= right for _, words in legend_of(chart).items)
    assert len({words.sceneBoundingRect().top() for _, words in legend_of(chart).items}) == 1


def test_that_the_legend_covers_no_curve_for_any_number_of_curves_and_any_width(chart, qtbot):
    box = chart.plot.getPlotItem().getViewBox()
    for number in range(12):
        chart.curves.put(f"{number}", f"A run with a name, {number}", overlay(number), points(steps(3), [1, 2, 3]))
    for width in (900, 420):
        chart.resize(width, 400)
        qtbot.wait(30)
        legend = legend_of(chart).sceneBoundingRect()
        assert legend.bottom() <= box.sceneBoundingRect().top() + 1
        assert legend.right() <= box.sceneBoundingRect().right() + 1
    chart.curves.name({})
    qtbot.wait(30)
    assert box.sceneBoundingRect().top() < 20, "an empty one takes no room"


def test_that_outliers_do_not_compress_the_other_points_and_can_be_shown(application, qtbot):
    made = shown(qtbot, Chart("Loss", "Loss"))
    made.view.expect_y((0, 12.5), 25)
    curve = made.curves.put("step", "Batch loss", CurveStyle("muted"), points(steps(100), np.linspace(10, 4, 100)))
    made.refresh()
    assert y_range(made) == [0, 12.5]
    assert not made.all_button.isVisible()
    extend(curve.series, steps(3, first=100), [40, 3e5, 1e9])
    made.refresh()
    assert 25 < y_range(made)[1] < 30
    assert made.all_button.text() == "Show all"
    made.all_button.click()
    assert y_range(made)[1] > 1e9
    made.all_button.click()
    assert y_range(made)[1] < 30
    made.set_log(True)
    assert y_range(made)[1] > 9, "there is room for everything"


# Export.


@pytest.fixture
def crowded(chart) -> Chart:
    """Draw two smoothed curves, one of them of 300,000 points."""
    falling(chart, "short")
    at = steps(300_000)
    chart.curves.put("long", "Long", overlay(1), points(at, 3 + np.random.default_rng(1).normal(0, 1, 300_000)))
    chart.mark({"step": 100_000.0}, "saved")
    chart.smooth(0.9)
    return chart


def test_that_the_picture_equals_the_screen_and_the_drawing_is_complete_with_few_points(crowded, tmp_path):
    crowded.save(tmp_path / "chart.png")
    seen, kept = crowded.plot.grab().toImage(), QImage(str(tmp_path / "chart.png"))
    assert kept.size() == 2 * seen.size(), "sharp enough for print"
    assert all(near(QColor(name), colours_in(kept)) for name in LIGHT.curves[:2])
    coarse = [each.scaled(70, 37, mode=Qt.TransformationMode.SmoothTransformation).convertToFormat(
        QImage.Format.Format_RGB32) for each in (seen, kept)]
    both = [np.array(each.constBits(), dtype=float) for each in coarse]
    assert np.abs(both[0] - both[1]).mean() < 8, "of 255: lines that lie over each other are paler, all else the same"

    path = tmp_path / "chart.svg"
    crowded.save(path)
    root = ElementTree.parse(path).getroot()
    shapes = [each.get("d") or each.get("points") or "" for each in root.iter()]
    longest = max(len(shape.split()) for shape in shapes)
    assert 1000 < longest < 10_000
    texts = {(each.text or "").strip() for each in root.iter()}
    assert {"Run short", "Long", "Training step", "Loss", "saved"} <= texts
    assert path.stat().st_size < 2_000_000
    image = QImage(crowded.plot.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    assert all(near(QColor(name), colours_in(image)) for name in LIGHT.curves[:2])


@pytest.mark.parametrize("form", ["png", "svg"])
def test_that_an_unwritable_path_is_reported_with_the_reason_and_a_full_disk_costs_no_earlier_file(
    chart, tmp_path, form, longest_file
):
    path = tmp_path / f"chart.{form}"
    with pytest.raises(UserError, match=r"Could not save .*missing.*: No such file or directory"):
        chart.save(tmp_path / "missing" / path.name)
    chart.save(path)
    before = path.read_bytes()
    longest_file(100)
    with pytest.raises(UserError, match=r"Could not save .*: File too large"):
        chart.save(path)
    longest_file(None)
    assert path.read_bytes() == before


def choose(chart: Chart, entry: str) -> None:
    """Open the menu of the chart with the right button, and choose an entry."""
    QTest.mouseClick(chart.plot.viewport(), Qt.MouseButton.RightButton, NONE, place(chart, 200).toPoint())
    menu = QApplication.activePopupWidget()
    assert menu.objectName() == "chart_menu"
    next(action for action in menu.actions() if action.text() == entry).trigger()
    menu.close()


def test_that_the_menu_of_a_chart_shows_all_copies_and_saves(chart, tmp_path, monkeypatch):
    falling(chart)
    before = x_range(chart)
    wheel(chart, CTRL)
    assert x_range(chart) != before
    choose(chart, "Show all")
    assert x_range(chart) == before
    choose(chart, "Copy image")
    assert QApplication.clipboard().image().size() == chart.plot.grab().size()
    answers = iter([
        (str(tmp_path / "chart"), "Vector drawing (*.svg)"), (str(tmp_path / "other.png"), "Picture (*.png)"), ("", ""),
    ])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: next(answers))
    for _ in range(3):
        choose(chart, "Save…")
    assert "<svg" in (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert not QImage(str(tmp_path / "other.png")).isNull()
    texts = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "missing" / "chart.png"), ""))
    monkeypatch.setattr(QMessageBox, "warning", lambda *words: texts.append(words[-1]))
    choose(chart, "Save…")
    assert "No such file or directory" in texts[0]


def test_that_a_linked_chart_that_is_shown_later_shows_the_same_x(application, qtbot):
    page = QWidget()
    layout, charts = QVBoxLayout(page), [Chart("Loss", "Loss"), Chart("Rate", "Rate")]
    for chart in charts:
        layout.addWidget(chart)
        chart.curves.put("run", "", overlay(0), points(steps(0), []))
    for place, chart in enumerate(charts[1:], start=1):
        join(chart, *charts[:place])
    charts[1].hide()
    shown(qtbot, page)
    for known, count in ((0, 10), (10, 13)):
        for chart in charts:
            extend(chart.curves["run"].series, steps(count - known, known), np.arange(known, count))
            chart.refresh()
    charts[1].show()
    QApplication.processEvents()
    assert x_range(charts[0]) == x_range(charts[1])


@pytest.fixture
def thinned(monkeypatch) -> list[Series]:
    """Record the series whose points are selected for drawing."""
    found, look_up = [], Series.thinned
    monkeypatch.setattr(Series, "thinned", lambda self, *args: found.append(self) or look_up(self, *args))
    return found


def test_that_a_new_or_growing_curve_leaves_the_drawn_lines_of_the_others(chart, thinned):
    first, second = falling(chart, "a"), falling(chart, "b", over=2.1)
    thinned.clear()
    chart.refresh()
    assert thinned == [], "nothing is new"
    third = falling(chart, "c", over=2.05)
    assert set(thinned) == {third.series}
    thinned.clear()
    extend(second.series, steps(1, first=380), 2.0)  # within the visible range
    chart.refresh()
    assert set(thinned) == {second.series}
    assert first.line.xData.size == 400


def test_that_another_view_or_scale_and_removed_points_are_drawn_again(chart, thinned):
    curve = falling(chart)
    for change in (
        lambda: chart.set_log(True), lambda: chart.smooth(0.9), lambda: chart.set_x("tokens", "Tokens"),
        lambda: curve.series.y.table.truncate(399),
    ):
        thinned.clear()
        change()
        chart.refresh()
        assert curve.series in thinned


def test_that_more_curves_than_their_widths_can_distinguish_are_drawn_as_thin_lines(chart):
    for number in range(FEW):
        chart.curves.put(str(number), "", overlay(number, width=2.2), points(steps(60), np.arange(60.0) + number))
    chart.refresh()
    curves = list(chart.curves.values())
    assert {curve.line.opts["pen"].widthF() for curve in curves} == {2.2}
    chart.curves.put("more", "", overlay(FEW, width=2.2), points(steps(60), np.arange(60.0)))
    chart.refresh()
    assert {curve.line.opts["pen"].widthF() for curve in chart.curves.values()} == {1}
    chart.curves.remove("more")
    chart.refresh()
    assert {curve.line.opts["pen"].widthF() for curve in curves} == {2.2}


def test_that_two_hundred_curves_draw_no_more_points_than_are_visible_and_keep_their_spikes(chart):
    spike = np.zeros(5_000)
    spike[2_345] = 7
    for number in range(200):
        chart.curves.put(str(number), "", overlay(number), points(steps(5_000), spike))
    chart.refresh()
    drawn = [curve.line for curve in chart.curves.values()]
    assert sum(line.xData.size for line in drawn) < 250_000
    assert {float(line.yData.max()) for line in drawn} == {7.0}
