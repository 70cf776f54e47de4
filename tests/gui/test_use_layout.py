"""Layout in use: no control moves away from the pointer, and enlarged parts become small again."""

import threading

from lessons import TINY
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from gptstudio.gpt import sizing
from gptstudio.gui.theme import theme

CTRL = Qt.KeyboardModifier.ControlModifier


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


def test_that_the_number_of_steps_is_on_the_base_line_of_the_words_beside_it(user):
    def base(name: str) -> int:
        shown = user.find(name)
        return shown.mapTo(user.window, shown.contentsRect().bottomLeft()).y() - shown.fontMetrics().descent()

    for zoom in (1.0, 2.0):
        theme.enlarge(zoom)
        user.wait(lambda: abs(base("step_counter") - base("step_of")) <= 1)


def test_that_the_controls_above_an_experiment_are_in_one_line(user):
    user.window.resize(1600, 800)
    user.go_to("learn")
    page = user.learn.open("tokens")
    user.wait(lambda: not page.waiting and page.saving.isVisible())
    middles = {each.mapTo(page, each.rect().center()).y() for each in (page.examples, page.back, page.saving)}
    user.rest(0.05)
    assert max(middles) - min(middles) <= 1


def test_that_the_page_of_the_runs_has_the_same_height_when_it_is_shown_again(user, study):
    run = study(title="mine")
    user.window.resize(1024, 700)
    user.runs.choose(run)
    user.wait(lambda: user.window.runs.differences.table.rowCount() == 1)
    user.rest(0.1)
    before = user.window.runs.height()
    user.go_to("generate")
    user.rest(0.1)
    user.go_to("runs")
    user.rest(0.1)
    assert user.window.runs.height() == before


def test_that_the_settings_of_generate_have_the_same_width_in_each_view_and_no_button_is_alone_in_its_row(user):
    user.window.resize(1024, 700)
    widths = []
    for view in range(3):
        user.generate.turn_to_view(view)
        user.rest(0.1)
        widths.append(user.find("generate_side").width())
    assert len({*widths}) == 1, widths
    user.generate.turn_to_view(1)
    names = ("compare_models", "compare_table", "compare_temperatures", "compare_dials", "compare")
    places = [user.find(name).mapTo(user.window, user.find(name).rect().center()).y() for name in names]
    assert min(places.count(each) for each in places) > 1, places


def test_that_the_panel_folds_to_a_strip_and_a_small_window_shows_the_text_and_its_choices(user):
    window = user.window
    strip, column = user.find("model_strip"), window.dock.column
    assert strip.isVisible()
    wide = window.train.width()
    user.press(Qt.Key.Key_M, CTRL)
    user.wait(lambda: window.train.width() > wide + 200)
    assert not column.isVisible()
    assert f"{sizing.parameter_count(window.state.config):,}" in strip.text()
    user.click(strip)
    user.wait(lambda: column.isVisible() and window.train.width() == wide)
    for page in ("generate", "runs", "texts"):
        user.go_to(page)
        assert strip.isVisible(), page
        assert not column.isVisible(), page
        assert window.dock.width() == strip.width(), page
    user.go_to("texts")
    user.press(Qt.Key.Key_1, CTRL)
    assert column.isVisible()
    assert window.panel.preset.hasFocus()
    user.go_to("runs")
    assert not column.isVisible()
    user.go_to("texts")
    assert column.isVisible(), "beside a page it stays as the user has it"
    user.go_to("train")
    user.click(strip)
    assert not column.isVisible()

    user.window.resize(1024, 700)
    user.panel.select(TINY)
    user.go_to("generate")
    user.click(user.find("generate"))
    user.wait(lambda: user.find("stage_table").isVisible() and not user.window.state.generating)
    user.rest(0.1)
    page = user.window.generate
    for name in ("stage_table", "transport_play", "generate"):
        shown = user.find(name)
        corner = shown.mapTo(user.window, QPoint(shown.width(), shown.height()))
        assert corner.x() <= 1024, name
        assert corner.y() <= 700, name
    assert page.height() <= user.window.tabs.height(), "nothing to scroll"


def test_that_large_text_keeps_every_control_reachable_and_the_usual_size_restores_the_panel(user):
    window = user.window
    window.resize(1024, 700)
    for zoom in (0.5, 3.0):
        theme.enlarge(zoom)
        for page in ("train", "generate", "runs", "texts"):
            user.go_to(page)
            user.rest(0.05)
            assert window.width() == 1024, (page, zoom)
            assert window.dock.width() <= 0.45 * 1024 + 1, (page, zoom)
        user.go_to("train")
        theme.enlarge(None)
        user.wait(lambda: window.dock.width() <= 0.36 * 1024)

    for width in (1024, 1280):
        window.resize(width, 700)
        user.rest(0.1)
        edge = QPoint(window.dock.geometry().right() + 1, window.dock.geometry().center().y())
        QTest.mousePress(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, edge)
        QTest.mouseMove(window, edge + QPoint(20, 0))
        user.rest(0.05)
        QTest.mouseRelease(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, edge + QPoint(20, 0))
        user.rest(0.05)
        assert window.dock.width() > edge.x()
        before = window.dock.width()
        theme.enlarge(2.0)
        user.rest(0.02)
        user.press(Qt.Key.Key_Equal, CTRL)
        user.rest(0.02)
        assert theme.zoom > 2
        user.press(Qt.Key.Key_0, CTRL)
        user.rest(0.1)
        assert theme.zoom == 1
        assert window.dock.width() == before

    release = threading.Event()
    window.resize(1024, 700)
    theme.enlarge(3.0)
    user.wait(lambda: user.find("status_device").fontMetrics().height() > 30)
    window.tasks.run(lambda _: release.wait(30), title="Reading a text with a name that is as long as names can be")
    user.wait(lambda: user.find("status_task").isVisible())
    user.rest(0.1)
    assert window.width() == 1024
    release.set()


def test_that_a_plan_of_two_lines_and_the_estimate_below_it_are_shown_whole(user):
    user.train.prepare()
    user.window.resize(1024, 700)
    theme.enlarge(1.5)
    plan, outlook = user.window.train.text_plan.line, user.window.train.outlook
    user.wait(lambda: plan.heightForWidth(plan.width()) > 1.5 * plan.sizeHint().height() and outlook.isVisible())
    user.rest(0.1)
    assert plan.height() >= plan.heightForWidth(plan.width()), "two lines"
    assert outlook.height() >= plan.sizeHint().height()


def test_that_the_chart_of_the_loss_is_large_pointing_at_it_does_not_resize_it_and_messages_move_nothing(user):
    user.train.prepare()
    user.rest(0.2)
    parts = ("start", "loss_plot", "samples", "settings_scroll")
    places = lambda: [(user.find(each).mapTo(user.window, QPoint(0, 0)), user.find(each).size()) for each in parts]  # noqa: E731
    before = places()
    user.window.training.say("The loss jumped at step 12.")
    user.rest(0.1)
    assert user.find("train_notice").isVisible()
    assert places() == before
    user.click(user.find("train_messages_close"))
    assert not user.find("train_notice").isVisible()
    user.window.training.say("The loss jumped at step 13.")
    assert user.find("train_notice").isVisible()

    user.window.resize(1280, 800)
    user.train.to_end(steps=6, eval_freq=2)
    user.rest(0.1)
    assert user.find("loss_plot").height() >= 300
    figures = [user.find(f"figure_{name}").mapTo(user.window, QPoint(0, 0)).y() for name in ("loss", "left")]
    assert figures[0] == figures[1], "one row"
    page = user.window.train
    for name in ("loss_plot", "samples", "text", "start"):
        shown = user.find(name)
        assert page.rect().contains(shown.geometry().translated(shown.parentWidget().mapTo(page, QPoint(0, 0)))), name
    assert page.height() <= user.window.tabs.height(), "nothing to scroll"

    user.window.resize(760, 1000)
    user.rest(0.1)
    plot, before = user.find("loss_plot"), None
    while plot.size() != before:  # a busy computer lays it out in several turns
        before = plot.size()
        user.rest(0.2)
    for step in range(6):
        user.train.point_at(step)
        user.rest(0.05)
        assert plot.size() == before
    assert "A checkpoint was saved" in user.reads("loss_plot_readout")
