"""Everything by keyboard."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from gptstudio.gui.theme import LARGEST_ZOOM, SMALLEST_ZOOM, theme
from gptstudio.runs.events import Ended, StepDone, TokenDrawn

CTRL = Qt.KeyboardModifier.ControlModifier
SPACE, ESC, RETURN = Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Return

NOT_TEXT_ON_TRAIN = ["qt_tabwidget_tabbar", "loss_plot", "start"]
NOT_TEXT_ON_GENERATE = ["qt_tabwidget_tabbar", "token_strip", "temperature", "top_k", "generate"]


@pytest.mark.parametrize("focus", NOT_TEXT_ON_TRAIN)
def test_that_space_starts_pauses_and_goes_on(user, focus):
    train = user.window.train
    user.prepare(steps=5000, eval_freq=1000)
    user.find(focus).setFocus()
    user.press(SPACE)
    assert train.running
    user.wait(lambda: user.heard(StepDone))
    user.press(SPACE)
    user.wait(lambda: train.paused)
    user.press(SPACE)
    user.wait(lambda: not train.paused)
    user.press(ESC)
    user.wait(lambda: not train.running)
    assert user.heard(Ended)[-1].outcome == "stopped"


@pytest.mark.parametrize("focus", NOT_TEXT_ON_GENERATE)
def test_that_space_starts_and_stops_writing(user, tiny, focus):
    generate = user.window.generate
    user.window.panel.select(tiny)
    user.window.go_to(generate)
    generate.settings.editors["max_new_tokens"].set_value(50_000)
    user.find(focus).setFocus()
    user.press(SPACE)
    assert generate.running
    user.wait(lambda: user.heard(TokenDrawn))
    user.press(SPACE)
    user.wait(lambda: not generate.running)
    assert user.heard(Ended)[-1].outcome == "stopped"


def test_that_space_is_a_space_in_a_text_field(user):
    window = user.window
    user.prepare(steps=5000)
    user.find("train_sample_prompt").setFocus()
    user.press(Qt.Key.Key_End)
    user.press(SPACE)
    assert window.train.settings.values()["sample_prompt"] == "Every effort moves you "
    assert not window.train.running
    window.go_to(window.generate, window.generate.prompt)
    user.press(Qt.Key.Key_End, CTRL)
    user.press(SPACE)
    assert window.generate.prompt.toPlainText() == "Every effort moves you "
    assert not window.generate.running


def test_that_space_on_a_focused_control_is_for_that_control(user):
    train = user.window.train
    user.find("use_story").setFocus()
    user.press(SPACE)
    assert train.spec.text == ("story",)
    assert not train.running
    user.prepare(steps=5000)
    box = user.find("train_reference")
    box.setFocus()
    user.press(SPACE)
    assert box.isChecked()
    assert not train.running
    user.press(SPACE)
    user.wait(train.start.isEnabled)
    train.start.setFocus()
    user.press(SPACE)
    user.wait(lambda: user.heard(StepDone))
    train.stop_button.setFocus()
    user.press(SPACE)
    user.wait(lambda: not train.running)
    assert not train.paused


def test_that_space_does_nothing_while_start_is_off(user):
    assert not user.window.train.start.isEnabled()
    user.find("loss_plot").setFocus()
    user.press(SPACE)
    assert not user.window.train.running


def test_that_a_key_held_down_is_one_key(user):
    user.prepare(steps=5000, eval_freq=1000)
    user.find("loss_plot").setFocus()
    pauses = []
    user.window.train.pause_requested.connect(pauses.append)
    user.press(SPACE)
    for _ in range(5):
        again = QKeyEvent(QEvent.Type.KeyPress, SPACE, Qt.KeyboardModifier.NoModifier, " ", True)
        QApplication.sendEvent(user.window, again)
    assert pauses == []
    user.press(ESC)
    user.wait(lambda: not user.window.train.running)


@pytest.mark.parametrize("focus", ["prompt", "generate_seed", "temperature_number", "token_strip", "generate", "model"])
def test_that_escape_stops_writing_from_anywhere(user, tiny, focus):
    generate = user.window.generate
    user.window.panel.select(tiny)
    user.begin_writing(50_000)
    user.find(focus).setFocus()
    user.press(ESC)
    user.wait(lambda: not generate.running)
    assert user.heard(Ended)[-1].outcome == "stopped"
    user.press(ESC)
    assert not generate.running


def test_that_ctrl_enter_in_the_prompt_starts_and_stops_and_adds_no_line(user, tiny):
    generate = user.window.generate
    user.window.panel.select(tiny)
    user.window.go_to(generate, generate.prompt)
    generate.settings.editors["max_new_tokens"].set_value(50_000)
    user.press(RETURN, CTRL)
    assert generate.running
    user.wait(lambda: user.heard(TokenDrawn))
    user.press(Qt.Key.Key_Enter, CTRL | Qt.KeyboardModifier.KeypadModifier)
    user.wait(lambda: not generate.running)
    assert generate.prompt.toPlainText() == "Every effort moves you"
    user.press(RETURN)
    assert "\n" in generate.prompt.toPlainText()
    assert not generate.running


def test_that_ctrl_enter_starts_training_from_a_field(user):
    user.prepare(steps=5000)
    user.type("train_epochs", "3")
    user.wait(user.window.train.start.isEnabled)
    user.press(RETURN, CTRL)
    assert user.window.train.running
    user.press(ESC)
    user.wait(lambda: not user.window.train.running)


def test_that_ctrl_and_a_number_go_to_each_place(user, study):
    window = user.window
    study()
    user.prepare()
    for _ in range(2):
        user.press(Qt.Key.Key_3, CTRL)
        assert window.current is window.generate
        assert QApplication.focusWidget() is window.generate.prompt
        user.press(Qt.Key.Key_4, CTRL)
        assert window.current is window.runs
        user.wait(lambda: QApplication.focusWidget() is window.runs.list)
        user.press(Qt.Key.Key_5, CTRL)
        assert window.current is window.texts
        user.press(Qt.Key.Key_1, CTRL)
        assert QApplication.focusWidget() is window.panel.preset
        user.press(Qt.Key.Key_2, CTRL)
        assert window.current is window.train
        assert QApplication.focusWidget() is window.train.start


def test_that_the_text_grows_shrinks_and_comes_back(user):
    def points() -> float:
        user.rest(0.01)
        return user.find("start").font().pointSizeF()

    usual, labels = points(), user.find("plan").font().pointSizeF()
    user.press(Qt.Key.Key_Equal, CTRL)
    assert points() == pytest.approx(usual * 1.1, abs=0.06)
    user.press(Qt.Key.Key_Plus, CTRL)
    assert points() == pytest.approx(usual * 1.21, abs=0.06)
    assert user.find("plan").font().pointSizeF() == pytest.approx(labels * 1.21, abs=0.06)
    user.press(Qt.Key.Key_Minus, CTRL)
    assert points() == pytest.approx(usual * 1.1, abs=0.06)
    user.press(Qt.Key.Key_0, CTRL)
    assert points() == usual
    for key, limit in ((Qt.Key.Key_Plus, LARGEST_ZOOM), (Qt.Key.Key_Minus, SMALLEST_ZOOM)):
        theme.zoom = limit
        user.press(key, CTRL)
        assert theme.zoom == limit


def test_that_letters_of_other_alphabets_break_nothing(user, tiny):
    user.window.panel.select(tiny)
    user.window.go_to(user.window.generate)
    user.write(2)
    strip = user.find("token_strip")
    strip.setFocus()
    chosen, text = strip.current, user.window.generate.view.text()
    for letter in "жé漢🦔":
        QApplication.sendEvent(
            strip, QKeyEvent(QEvent.Type.KeyPress, ord(letter), Qt.KeyboardModifier.NoModifier, letter)
        )
        assert (strip.current, user.window.generate.view.text()) == (chosen, text)
    user.press(Qt.Key.Key_Home)
    assert strip.current != chosen, "it still listens"


def test_that_tab_reaches_every_control(user):
    """From the tab bar round to it again, on either tab."""
    window = user.window
    user.prepare()
    user.write(2)
    for tab, wanted in (
        (window.train, "preset device config_emb_dim text start train_epochs train_seed samples"),
        (window.generate, "model prompt generate temperature top_k_number token_strip generate_seed"),
    ):
        window.go_to(tab, window.tabs.tabBar())
        reached = []
        for _ in range(120):
            reached.append(QApplication.focusWidget().objectName())
            user.press(Qt.Key.Key_Tab)
            if QApplication.focusWidget() is window.tabs.tabBar():
                break
        else:
            pytest.fail(f"Tab does not come round: {reached}")
        assert set(wanted.split()) <= set(reached)
