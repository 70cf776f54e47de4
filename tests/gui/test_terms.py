"""Terms of the glossary on screen: a card says what one means and what it comes to now; a click opens its entry."""

import math

import pytest
from at_the_window import in_chinese
from lessons import TINY
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from gptstudio.app.manual import FIELD_TERMS, terms, value_of
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import TermLabel
from gptstudio.training.events import Evaluated, StepDone


def labels(user) -> dict[str, TermLabel]:
    """The terms that are visible on the page with all figures, by key."""
    more = user.find("more_figures")
    if more.isVisible() and not more.isChecked():
        user.click(more)
    return {each.term: each for each in user.window.findChildren(TermLabel) if each.isVisible()}


def card(label: TermLabel) -> str:
    """What a term says when it is pointed at."""
    middle = QPoint(4, label.height() // 2)
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, middle, label.mapToGlobal(middle)))
    return QToolTip.text()


def test_that_the_terms_of_the_train_page_explain_themselves_with_numbers_of_the_run(user):
    user.train.to_end(steps=6, eval_freq=2)
    shown = labels(user)
    assert {"batch-loss", "training-loss", "validation-loss", "perplexity", "learning-rate", "epoch", "cross-entropy",
            "batch", "parameters", "context-length", "head", "dropout"} <= shown.keys()
    last, evaluated = user.heard(StepDone)[-1], user.heard(Evaluated)[-1]
    assert f"{last.loss:.3f}" in card(shown["batch-loss"])
    assert f"{evaluated.val_loss:.3f}" in card(shown["validation-loss"])
    assert f"{math.exp(evaluated.val_loss):,.4g}" in card(shown["perplexity"])
    said = card(shown["learning-rate"])
    (found,) = (each for each in terms("en") if each.key == "learning-rate")
    assert found.text in said
    assert "Click to read more" in said
    assert "Shown in the experiment “Loss”" in card(shown["perplexity"])


@in_chinese
def test_that_the_terms_explain_themselves_in_chinese(user):
    user.train.to_end(steps=6, eval_freq=2)
    shown = labels(user)
    assert "在实验“损失”中演示" in card(shown["perplexity"])
    (chinese,) = (each for each in terms("zh_CN") if each.key == "learning-rate")
    assert chinese.text in card(shown["learning-rate"])


def test_that_a_click_on_a_term_opens_its_entry(user):
    asked = []
    user.window.state.help_requested.connect(asked.append)
    QTest.mouseClick(labels(user)["perplexity"], Qt.MouseButton.LeftButton)
    assert asked == ["glossary#perplexity"]


def test_that_the_card_of_a_field_keeps_what_its_field_allows(user):
    said = card(labels(user)["batch"])
    assert "Allowed: " in said


def test_that_the_terms_of_generate_have_the_values_that_are_set(user):
    user.panel.select(TINY)
    user.go_to("generate")
    user.click(user.find("generate"))
    user.wait(lambda: not user.window.state.generating and "entropy" in labels(user))
    assert "temperature" in labels(user)
    assert "Set on Generate: 1." in card(labels(user)["temperature"])


KEYS = {each.key for each in terms("en")}


@pytest.mark.parametrize("term", [*FIELD_TERMS.values(), *(name.replace("_", "-") for name in STAGES)])
def test_that_what_fields_and_stages_refer_to_is_in_the_glossary(term):
    assert term in KEYS


def test_that_most_terms_have_a_number(user):
    user.train.to_end(steps=6, eval_freq=2)
    numbers = {each: tr(value_of(each, user.window.state)) for each in KEYS}
    assert sum(any(letter.isdigit() for letter in words) for words in numbers.values()) >= 35
    assert all(any(letter.isdigit() or letter == "–" for letter in words) for words in numbers.values() if words)


def test_that_the_seed_on_generate_is_that_of_the_text_and_not_of_the_run(writer):
    writer.window.state.generate_values = writer.window.state.generate_values | {"seed": 77}
    assert "For this text: 77." in card(labels(writer)["random-seed"])


def test_that_the_name_of_a_slider_says_its_meaning_once(writer):
    shown = labels(writer)["temperature"]
    said = card(shown)
    help_text = writer.generate.param("temperature").slider.toolTip()
    assert help_text
    assert help_text not in said
    assert said.count("Temperature") == 1
