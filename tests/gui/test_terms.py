"""Terms of the glossary on screen: a card shows the meaning and the current value; a click opens the entry."""

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

KEYS = {each.key for each in terms("en")}


def labels(user) -> dict[str, TermLabel]:
    """Return the terms that are visible on the page with all figures, by key."""
    more = user.find("more_figures")
    if more.isVisible() and not more.isChecked():
        user.click(more)
    return {each.term: each for each in user.window.findChildren(TermLabel) if each.isVisible()}


def card(label: TermLabel) -> str:
    """Return the tooltip of a term."""
    middle = QPoint(4, label.height() // 2)
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, middle, label.mapToGlobal(middle)))
    return QToolTip.text()


@in_chinese
def test_that_the_terms_are_explained_in_chinese(user):
    user.train.to_end(steps=6, eval_freq=2)
    shown = labels(user)
    assert "在实验“损失”中演示" in card(shown["perplexity"])
    (chinese,) = (each for each in terms("zh_CN") if each.key == "learning-rate")
    assert chinese.text in card(shown["learning-rate"])


def test_that_terms_have_the_figures_of_the_run_and_the_values_that_are_set_and_a_click_opens_the_entry(user):
    user.panel.select(TINY)
    user.go_to("generate")
    user.click(user.find("generate"))
    user.wait(lambda: not user.window.state.generating and "entropy" in labels(user))
    text = card(labels(user)["temperature"])
    assert "Set on Generate: 1." in text
    assert text.count("Temperature") == 1
    help_text = user.generate.param("temperature").slider.toolTip()
    assert help_text
    assert help_text not in text, "the meaning is said once"
    user.window.state.generate_values = user.window.state.generate_values | {"seed": 77}
    assert "For this text: 77." in card(labels(user)["random-seed"]), "not that of the run"

    user.train.to_end(steps=6, eval_freq=2)
    user.go_to("train")
    shown = labels(user)
    assert {"batch-loss", "training-loss", "validation-loss", "perplexity", "learning-rate", "epoch", "cross-entropy",
            "batch", "parameters", "context-length", "head", "dropout"} <= shown.keys()
    last, evaluated = user.received(StepDone)[-1], user.received(Evaluated)[-1]
    assert f"{last.loss:.3f}" in card(shown["batch-loss"])
    assert f"{evaluated.val_loss:.3f}" in card(shown["validation-loss"])
    assert f"{math.exp(evaluated.val_loss):,.4g}" in card(shown["perplexity"])
    text = card(shown["learning-rate"])
    (found,) = (each for each in terms("en") if each.key == "learning-rate")
    assert found.text in text
    assert "Click to read more" in text
    assert "Shown in the experiment “Loss”" in card(shown["perplexity"])
    assert "Allowed: " in card(shown["batch"])
    numbers = {each: tr(value_of(each, user.window.state)) for each in KEYS}
    assert sum(any(letter.isdigit() for letter in words) for words in numbers.values()) >= 35
    assert all(any(letter.isdigit() or letter == "–" for letter in words) for words in numbers.values() if words)
    asked = []
    user.window.state.help_requested.connect(asked.append)
    QTest.mouseClick(shown["perplexity"], Qt.MouseButton.LeftButton)
    assert asked == ["glossary#perplexity"]


@pytest.mark.parametrize("term", [*FIELD_TERMS.values(), *(name.replace("_", "-") for name in STAGES)])
def test_that_the_terms_of_fields_and_stages_are_in_the_glossary(term):
    assert term in KEYS
