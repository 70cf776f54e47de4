"""Operating the window by keyboard."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from gptstudio.gui.theme import LARGEST_ZOOM, SMALLEST_ZOOM, theme
from gptstudio.labs.lesson import SHIPPED
from gptstudio.training.events import Ended, StepDone, TokenDrawn

CTRL = Qt.KeyboardModifier.ControlModifier
SPACE, ESC, RETURN = Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Return

NOT_TEXT_ON_TRAIN = ["qt_tabwidget_tabbar", "loss_plot", "start"]
NOT_TEXT_ON_GENERATE = ["qt_tabwidget_tabbar", "token_strip", "temperature", "top_k", "generate"]


def test_that_space_and_escape_stop_writing_and_letters_of_other_alphabets_cause_no_errors(user, tiny):
    user.panel.select(tiny)
    user.go_to("generate")
    user.generate.set(max_new_tokens=50_000)
    for focus in NOT_TEXT_ON_GENERATE:
        user.decoding.clear()
        user.find(focus).setFocus()
        user.press(SPACE)
        assert user.generate.running, focus
        user.wait(lambda: user.received(TokenDrawn))
        user.press(SPACE)
        user.generate.wait_ended()
        assert user.received(Ended)[-1].outcome == "stopped", focus

    for focus in ("prompt", "generate_max_new_tokens", "temperature_number", "token_strip", "generate", "model"):
        user.decoding.clear()
        user.generate.begin(50_000)
        user.wait(lambda: user.received(TokenDrawn))
        user.find(focus).setFocus()
        user.press(ESC)
        user.generate.wait_ended()
        assert user.received(Ended)[-1].outcome == "stopped", focus
        user.press(ESC)
        assert not user.generate.running, focus

    strip = user.find("token_strip")
    strip.setFocus()
    chosen, text = strip.current, user.generate.written()
    for letter in "жé漢🦔":
        QApplication.sendEvent(
            strip, QKeyEvent(QEvent.Type.KeyPress, ord(letter), Qt.KeyboardModifier.NoModifier, letter)
        )
        assert (strip.current, user.generate.written()) == (chosen, text)
    user.press(Qt.Key.Key_Home)
    assert strip.current != chosen, "it still listens"


def test_that_space_is_a_space_in_a_text_field_and_ctrl_enter_starts_and_stops_there(user):
    user.train.prepare(steps=5000)
    user.find("train_sample_prompt").setFocus()
    user.press(Qt.Key.Key_End)
    user.press(SPACE)
    assert user.train.setting("sample_prompt") == "Every effort moves you "
    assert not user.train.running
    user.type("train_epochs", "3")
    user.wait(user.train.start_button.isEnabled)
    user.press(RETURN, CTRL)
    assert user.train.running
    user.press(ESC)
    user.train.wait_ended()

    user.go_to("generate")
    user.generate.prompt.setFocus()
    user.press(Qt.Key.Key_End, CTRL)
    user.press(SPACE)
    assert user.generate.prompt.toPlainText() == "Every effort moves you "
    assert not user.generate.running

    user.generate.set(max_new_tokens=50_000)
    user.press(RETURN, CTRL)
    assert user.generate.running
    user.wait(lambda: user.received(TokenDrawn))
    user.press(Qt.Key.Key_Enter, CTRL | Qt.KeyboardModifier.KeypadModifier)
    user.generate.wait_ended()
    assert user.generate.prompt.toPlainText() == "Every effort moves you "
    user.press(RETURN)
    assert "\n" in user.generate.prompt.toPlainText()
    assert not user.generate.running


def test_that_space_starts_pauses_and_continues_counts_once_held_and_operates_a_focused_control(user):
    assert not user.train.start_button.isEnabled()
    user.find("loss_plot").setFocus()
    user.press(SPACE)
    assert not user.train.running

    user.find("use_story").setFocus()
    user.press(SPACE)
    assert user.train.spec.text == ("story",)
    assert not user.train.running
    user.train.prepare(steps=5000)
    box = user.find("train_reference")
    box.setFocus()
    user.press(SPACE)
    assert box.isChecked()
    assert not user.train.running
    user.press(SPACE)
    user.wait(user.train.start_button.isEnabled)
    user.train.start_button.setFocus()
    user.press(SPACE)
    user.wait(lambda: user.received(StepDone))
    user.train.stop_button.setFocus()
    user.press(SPACE)
    user.train.wait_ended()
    assert not user.train.paused

    user.train.reset()
    user.wait(lambda: user.train.start_button.isEnabled() and not user.busy("training"))
    user.train.prepare(steps=5000, eval_freq=1000)
    for focus in NOT_TEXT_ON_TRAIN:
        user.find(focus).setFocus()
        user.press(SPACE)
        assert user.train.running, focus
        user.wait(user.train.losses)
        user.press(SPACE)
        user.train.wait_paused()
        user.press(SPACE)
        user.wait(lambda: not user.train.paused)
        user.press(ESC)
        user.train.wait_ended()
        assert user.received(Ended)[-1].outcome == "stopped", focus
        user.train.reset()
        user.wait(user.train.start_button.isEnabled)

    user.find("loss_plot").setFocus()
    pauses = []
    user.window.state.on(lambda: pauses.append(user.train.paused), "run_state")
    user.press(SPACE)
    user.wait(user.train.losses)
    for _ in range(5):
        again = QKeyEvent(QEvent.Type.KeyPress, SPACE, Qt.KeyboardModifier.NoModifier, " ", True)
        QApplication.sendEvent(user.window, again)
    assert not any(pauses)
    assert "Pausing" not in user.reads("phase")
    user.press(ESC)
    user.train.wait_ended()


def test_that_f6_moves_from_pane_to_pane_ctrl_and_a_number_open_pages_and_arrows_open_experiments(user, study):
    user.press(Qt.Key.Key_2, CTRL)
    assert QApplication.focusWidget() is user.find("fetch_verdict"), "Start is off without a text"
    user.train.prepare()
    user.wait(user.train.start_button.isEnabled)
    for focused in (user.panel.preset, user.train.start_button, user.panel.preset):
        user.press(Qt.Key.Key_F6)
        assert QApplication.focusWidget() is focused
    user.press(Qt.Key.Key_M, CTRL)
    assert QApplication.focusWidget() is user.window.dock.strip

    study()
    user.train.prepare()
    for _ in range(2):
        user.press(Qt.Key.Key_3, CTRL)
        assert user.current == "generate"
        assert QApplication.focusWidget() is user.generate.prompt
        user.press(Qt.Key.Key_4, CTRL)
        assert user.current == "runs"
        user.wait(lambda: QApplication.focusWidget() is user.runs.list)
        user.press(Qt.Key.Key_5, CTRL)
        assert user.current == "texts"
        assert QApplication.focusWidget() is user.window.texts.table
        user.press(Qt.Key.Key_1, CTRL)
        assert QApplication.focusWidget() is user.panel.preset
        user.press(Qt.Key.Key_2, CTRL)
        assert user.current == "train"
        assert QApplication.focusWidget() is user.train.start_button

    user.press(Qt.Key.Key_6, CTRL)
    page = user.window.learn
    assert page.current.lab.name == "tokens"
    user.press(Qt.Key.Key_Down)
    assert page.current.lab.name == "vocabulary"
    for _ in range(2 + len(SHIPPED)):
        user.press(Qt.Key.Key_Up)
    user.press(RETURN)
    assert user.window.learning.lesson
    user.window.resize(1120, 480)
    user.press(Qt.Key.Key_F6)
    assert QApplication.focusWidget() is user.lesson.next_button
    text = user.find("lesson_scroll").verticalScrollBar()
    user.wait(text.maximum)
    user.press(Qt.Key.Key_PageDown)
    assert text.value() > 0
    user.press(Qt.Key.Key_PageUp)
    assert text.value() == 0
    user.press(Qt.Key.Key_F6)
    assert QApplication.focusWidget() in (page.contents, page.contents.box)


def test_that_tab_reaches_every_control_and_the_text_is_enlarged_reduced_and_reset(user):
    """Tab goes from the tab bar back to it, on both tabs, forwards and backwards."""
    user.train.prepare()
    user.generate.write(2)
    for tab, wanted in (
        ("train", "preset device config_emb_dim text start train_epochs train_seed samples"),
        ("generate", "model prompt generate temperature top_k_number token_strip generate_max_new_tokens"),
    ):
        user.go_to(tab)
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            user.window.tabs.bar.setFocus()
            reached = []
            for _ in range(120):
                reached.append(QApplication.focusWidget().objectName())
                user.press(key)
                if QApplication.focusWidget() is user.window.tabs.bar:
                    break
            else:
                pytest.fail(f"Tab does not come round: {reached}")
            assert set(wanted.split()) <= set(reached)

    user.go_to("train")
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
