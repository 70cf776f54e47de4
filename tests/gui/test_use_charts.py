"""Charts in use: exports can be read by other programs."""

from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QColorDialog, QFileDialog, QMenu

from gptstudio.gui import session
from gptstudio.gui.theme import theme
from gptstudio.training.events import Evaluated, StepDone

ALL_WORDS = True

SVG = "{http://www.w3.org/2000/svg}"
UNCHANGED = {
    "svg": {"version", "width", "height", "viewBox"}, "title": set(),
    "rect": {"x", "y", "width", "height", "fill", "stroke"},
    "polyline": {"points", "fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-dasharray"},
    "circle": {"cx", "cy", "r", "fill", "stroke"},
    "text": {"x", "y", "transform", "text-anchor", "fill", "stroke", "font-family", "font-size"},
}
"""Elements that CairoSVG and ImageMagick draw as browsers do, as a comparison of the pictures showed. Neither clips or
inherits as Qt's own drawings need it."""
HOSTILE = 'a <script>&"quoted"\x07'


def test_that_exported_curves_are_plain_svg_with_their_names(user, study, home, monkeypatch):
    for title in (HOSTILE, "second"):
        study(title=title, steps=8)
    window = user.window
    user.go_to("runs")
    runs = window.runs
    user.wait(lambda: len(runs.model.runs) == 2)
    for run in runs.model.runs:
        runs.model.tick(run.path, True)
    runs.compare.curve_actions["step_loss"].setChecked(True)
    runs.compare.curve_actions["learning_rate"].setChecked(True)
    user.wait(lambda: all(len(curve.series) for chart in ("loss", "learning_rate")
                          for curve in runs.compare.charts[chart].curves.values() if curve.visible))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(home / "chart.svg"), ""))
    user.window.actions_of["run_svg"].trigger()
    user.saved.says("chart.svg")

    root = ElementTree.parse(home / "chart.svg").getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    for each in root.iter():
        kind = each.tag.removeprefix(SVG)
        assert kind in UNCHANGED
        assert set(each.keys()) <= UNCHANGED[kind]
    curves = [each for each in root.iter(f"{SVG}polyline") if len(each.get("points").split()) > 2]
    assert len(curves) == 4
    for each in root.iter(f"{SVG}polyline"):
        places = [tuple(map(float, place.split(","))) for place in each.get("points").split()]
        assert each.get("fill") == "none"
        assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
    texts = {each.text for each in root.iter(f"{SVG}text")}
    shown = HOSTILE.replace("\x07", "\N{REPLACEMENT CHARACTER}")
    assert {"Loss (nats per token)", "Steps"} <= texts
    kinds = ("Validation loss", "Batch loss")
    assert {f"{title}: {kind}" for title in (shown, "second") for kind in kinds} <= texts

    below = ElementTree.parse(home / "chart-learning-rate.svg").getroot()
    assert {"Learning rate", "Steps", shown, "second"} <= {each.text for each in below.iter(f"{SVG}text")}


def choose(chart, *entries):
    """Open the menu of a chart at its middle, and choose an entry, or one in a submenu."""
    chart.box.clicked_right.emit(chart.mapToGlobal(chart.rect().center()))
    menu = next(each for each in chart.plot.findChildren(QMenu) if each.isVisible())
    for entry in entries:
        action = next(each for each in menu.actions() if each.text() == entry)
        menu = action.menu()
    action.trigger()
    for each in chart.plot.findChildren(QMenu):
        each.close()


def test_that_a_chart_and_a_table_are_copied_and_the_colours_of_curves_can_be_chosen(user, monkeypatch):
    user.train.to_end(steps=6, eval_freq=2)
    chart = user.window.train.view.charts.loss
    chart.set_x("step", "Step")
    choose(chart, "Copy table")
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0] == ["Step", "Batch loss", "Training loss", "Validation loss"]
    assert [float(row[0]) for row in rows[1:]] == [1, 2, 3, 4, 5, 6]
    losses = [each.loss for each in user.received(StepDone)]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx(losses, rel=1e-9)
    assert [bool(row[3]) for row in rows[1:]].count(True) == len(user.received(Evaluated))

    monkeypatch.setattr(QColorDialog, "getColor", lambda *args: QColor("#aa0077"))
    choose(chart, "Curve colours", "Validation loss")
    curve = chart.curves["validation"]
    assert curve.look.paint().name() == "#aa0077"
    assert curve.line.opts["pen"].color().name() == "#aa0077"
    assert chart.curves["training"].line.opts["pen"].color().name() == theme.colours.training
    left = session.of(user.window)
    choose(chart, "Curve colours", "Default colours")
    assert curve.line.opts["pen"].color().name() == theme.colours.validation
    left.dress()
    assert curve.line.opts["pen"].color().name() == "#aa0077", "it is kept for the next start"

    user.go_to("texts")
    user.wait(lambda: user.window.texts.table.answers and not user.texts.busy)
    table = user.window.texts.table
    next(each for each in table.actions() if each.text() == "Copy table").trigger()
    heads, first = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()[:2])
    assert heads[:2] == ["Text", "Characters"]
    assert "Late Bell" in first[0]
    assert first[1] == "20,467"
    next(each for each in table.actions() if each.text() == "Copy image").trigger()
    assert not QGuiApplication.clipboard().image().isNull()
