"""Projector mode: large, dark and without panels; the previous state is restored at its end."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gptstudio.gui import session
from gptstudio.gui.theme import DARK, LIGHT, theme


def test_that_f11_enlarges_and_folds_and_escape_restores_everything_also_in_the_class_view(user):
    window, state = user.window, user.window.state
    theme.choose("light")
    theme.enlarge(1.2)
    window.resize(750, 650)
    before = state.unfolded_pages, state.all_controls, window.size()
    user.press(Qt.Key.Key_F11)
    assert window.isFullScreen()
    assert 1.5 <= theme.zoom <= 2
    assert theme.colours is DARK
    assert (state.unfolded_pages, state.all_controls) == (frozenset(), False)
    user.press(Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert (theme.zoom, theme.colours) == (1.2, LIGHT)
    assert (state.unfolded_pages, state.all_controls, window.size()) == before

    user.window.resize(750, 650)
    view = user.class_view
    view.open()
    size = view.widget.size()
    QTest.keyClick(view.widget.windowHandle(), Qt.Key.Key_F11)
    user.wait(view.widget.isFullScreen)
    QTest.keyClick(view.widget.windowHandle(), Qt.Key.Key_Escape)
    user.wait(lambda: not view.widget.isFullScreen())
    assert view.widget.isVisible()
    assert view.widget.size() == size
    assert not theme.projecting
    view.widget.close()
    user.window.actions_of["projector"].trigger()
    view.open()
    assert view.widget.isFullScreen()


def test_that_curves_are_thick_and_controls_folded_escape_stops_no_run_and_the_next_start_is_as_before(user, study):
    run = study(steps=4)
    user.runs.show(run)
    user.press(Qt.Key.Key_F11)
    curves = user.runs.compare.charts["loss"].curves.values()
    assert all(curve.look.pixels >= 4 for curve in curves if curve.visible)
    assert not user.find("runs_axis").isVisible()
    user.press(Qt.Key.Key_F11)
    assert user.find("runs_axis").isVisible()

    user.train.begin(steps=400)
    user.press(Qt.Key.Key_F11)
    user.press(Qt.Key.Key_Escape)
    assert not theme.projecting
    assert user.window.state.running

    before = session.of(user.window)
    user.press(Qt.Key.Key_F11)
    user.window.leave()
    after = session.of(user.window)
    assert (after.zoom, after.colours, after.unfolded) == (before.zoom, before.colours, before.unfolded)
    assert after.all_controls == before.all_controls
