"""Layout in use: nothing moves away from under the pointer, and what was made larger becomes small again."""

import pytest
from PySide6.QtCore import QPoint, Qt

from gptstudio.gui.theme import theme

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize("width", [1024, 1280])
def test_that_the_usual_text_size_gives_the_panel_its_width_back(user, width):
    window = user.window
    window.resize(width, 700)
    user.rest(0.1)
    window.resizeDocks([window.dock], [window.dock.width() + 20], Qt.Orientation.Horizontal)  # as a drag does
    user.rest(0.1)
    before = window.dock.width()
    for _ in range(8):
        user.press(Qt.Key.Key_Equal, CTRL)
        user.rest(0.02)
    assert theme.zoom > 2
    user.press(Qt.Key.Key_0, CTRL)
    user.rest(0.1)
    assert theme.zoom == 1
    assert window.dock.width() == before


def test_that_a_message_does_not_move_the_buttons_of_the_runs(user, study):
    run = study(title="mine")
    window = user.window
    user.runs.choose(run)
    button = user.find("run_open")
    places = lambda: [each.mapTo(window, QPoint(0, 0)) for each in (button, user.runs.list.viewport())]  # noqa: E731
    before = places()
    user.runs.tell("The run is in the trash.")
    user.rest(0.1)
    assert user.find("runs_notice").isVisible()
    assert places() == before


def test_that_pointing_at_a_chart_does_not_resize_it(user):
    user.train.to_end(steps=6, eval_freq=2)
    user.window.resize(760, 1000)
    user.rest(0.1)
    plot = user.find("loss_plot")
    before = plot.size()
    for step in range(6):
        user.train.point_at(step)
        user.rest(0.05)
        assert plot.size() == before
    assert "A checkpoint was saved" in user.reads("loss_plot_readout")
