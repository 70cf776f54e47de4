"""The first start: a welcome with three choices, a tour of the window, and not shown again unless requested."""

import signal

import pytest
from lessons import TINY
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from the_program import DRIVEN, RUN

from gptstudio import paths
from gptstudio.gui import session
from gptstudio.gui.theme import theme
from gptstudio.gui.welcome import STOPS
from gptstudio.training.events import StepDone


@pytest.fixture
def welcome(user):
    user.window.actions_of["welcome"].trigger()
    user.wait(lambda: user.window.welcome.welcome and user.window.welcome.welcome.isVisible())
    return user.window.welcome.welcome


def test_that_one_click_in_the_welcome_leads_to_a_curve_also_where_the_verdict_is_missing(user, welcome):
    user.panel.select(TINY)
    user.train.set(steps=4, eval_freq=1)
    user.wait(lambda: user.window.state.text_check)
    assert user.train.text_missing()
    QTest.mouseClick(welcome.train, Qt.MouseButton.LeftButton)
    user.wait(lambda: user.window.welcome.welcome is None)
    user.wait(lambda: len(user.received(StepDone)) == 4)
    user.train.wait_ended()
    assert user.train.losses("validation")
    assert user.window.state.run.spec.text == ("story",)


def test_that_a_lesson_and_weights_are_two_more_choices_and_the_welcome_is_shown_only_at_the_first_start(user, welcome):
    opened = []
    user.window.actions_of["open_weights"].triggered.disconnect()
    user.window.actions_of["open_weights"].triggered.connect(lambda: opened.append("weights"))
    QTest.mouseClick(welcome.weights, Qt.MouseButton.LeftButton)
    assert opened == ["weights"]
    user.window.actions_of["welcome"].trigger()
    QTest.mouseClick(user.window.welcome.welcome.lesson, Qt.MouseButton.LeftButton)
    user.wait(lambda: user.window.learning.lesson)
    assert user.window.state.page == "learn"
    user.window.learning.end_lesson()

    assert session.is_first()
    session.keep(session.of(user.window))
    assert paths.session().exists()
    assert not session.is_first()


def test_that_the_tour_shows_each_callout_beside_its_control_and_the_welcome_fits_with_large_text(user):
    window = user.window
    for size in ((1024, 700), (1280, 800)):
        window.resize(*size)
        window.actions_of["window_tour"].trigger()
        for place, stop in enumerate(STOPS, start=1):
            tour = window.welcome.tour
            user.rest(0.05)
            assert user.find("tour_count").text() == f"{place} of 5"
            assert window.state.page == stop.page
            assert window.rect().contains(tour.geometry())
            target = user.find(stop.widget)
            assert target.isVisible()
            around = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
            if around.width() < 600:
                assert not tour.geometry().contains(around.center()), stop.title
            words = user.find("tour_words")
            assert words.height() >= words.heightForWidth(words.width())
            user.press(Qt.Key.Key_Space)  # the button has the focus
        user.wait(lambda: window.welcome.tour is None)
        assert window.state.page == "train"

    user.window.actions_of["window_tour"].trigger()
    user.press(Qt.Key.Key_Escape)
    user.wait(lambda: user.window.welcome.tour is None)
    assert not user.window.state.running

    user.window.resize(1024, 700)
    theme.enlarge(2)
    user.window.actions_of["welcome"].trigger()
    made = user.window.welcome.welcome
    user.rest(0.1)
    assert made.width() <= 1024
    for each in (made.train, made.lesson, made.weights, made.close_button):
        assert made.rect().contains(each.geometry())
    made.close()


STARTED = """
class Started(Driven):
    def look(self):
        greeted, lesson = self.welcome.welcome is not None, self.learning.lesson is not None
        if greeted or lesson:
            mark(f"greeted {greeted}, lesson {lesson}")

app.MainWindow = Started
"""


@pytest.mark.parametrize(("settings", "seen"), [
    ("", "greeted True, lesson False"), ('lesson = "train-and-decode"', "greeted False, lesson True")])
def test_that_a_lesson_of_the_settings_opens_at_the_first_start_without_the_welcome(program, tmp_path, settings, seen):
    file = tmp_path / "settings.toml"
    file.write_text(settings, encoding="utf-8")
    started = program(DRIVEN + STARTED + RUN, GPTSTUDIO_SETTINGS=str(file))
    started.wait_for(seen)
    assert [path.name for path in started.home.glob("greeted*")] == [seen]
    started.send(signal.SIGTERM)
    started.left(128 + signal.SIGTERM)
