"""Every control can be found, has a name for screen readers, and follows the user's language."""

import re
from collections import Counter

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QWidget,
)

from gptstudio.gpt.config import PRESETS
from gptstudio.gui.forms.field import NumberBox
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.widgets.parts import ProgressBar
from gptstudio.gui.window import MainWindow
from gptstudio.labs.lesson import load, shipped

KINDS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QSlider, QPlainTextEdit, TokenStrip)


def controls(window: MainWindow) -> list[QWidget]:
    """Return all controls that a user can operate, without the parts that Qt builds its own controls from."""
    inner = (QAbstractSpinBox, QComboBox)
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, KINDS)
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), inner)
    ]


def test_that_every_control_has_a_name_a_label_for_screen_readers_and_help(user, whole_window):
    found = controls(whole_window)
    assert len(found) > 40
    assert [widget for widget in found if not widget.objectName()] == []
    assert [widget.objectName() for widget in found if not widget.accessibleName()] == []

    names = Counter(widget.objectName() for widget in whole_window.findChildren(QWidget))
    own = ("qt_", "ScrollLeft", "ScrollRight")  # Qt's, for the parts that it builds tab bars and fields from
    assert [name for name, count in names.items() if count > 1 and name and not name.startswith(own)] == []

    labelled = {label.buddy() for label in whole_window.findChildren(QLabel)}  # a screen reader reads them together
    for name in ("preset", "device", "text", "model", "prompt", "config_emb_dim", "train_epochs", "generate_seed"):
        assert whole_window.findChild(QWidget, name) in labelled, name

    for page in (user.panel, user.train, user.generate):
        for editor in page.editors.values():
            assert editor.view.help in editor.toolTip()


def wheel_over(window: MainWindow, widget: QWidget) -> None:
    """Turn the mouse wheel by one notch; the widget under the pointer may take the focus first."""
    place = QPointF(widget.mapTo(window, QPoint(widget.width() // 3, widget.height() // 2)))
    QTest.wheelEvent(window.windowHandle(), place, QPoint(0, -120))
    QApplication.processEvents()


def value_of(widget: QWidget) -> object:
    if isinstance(widget, NumberBox):
        return widget.value()
    return widget.currentIndex() if isinstance(widget, QComboBox) else widget.value()


def test_that_the_wheel_changes_only_a_focused_control_and_scrolls_the_panel(user, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: pytest.fail("a file is asked for"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: pytest.fail("a folder is asked for"))
    user.window.resize(1400, 1600)  # all visible
    user.train.prepare()
    changed, tried = [], 0
    for page in ("train", "generate"):
        user.go_to(page)
        user.rest(0.05)
        for widget in controls(user.window):
            if isinstance(widget, (NumberBox, QComboBox, QSlider)) and widget.isVisible():
                if not widget.visibleRegion().contains(QPoint(widget.width() // 3, widget.height() // 2)):
                    continue
                before, tried = value_of(widget), tried + 1
                wheel_over(user.window, widget)
                if value_of(widget) != before:
                    changed.append(widget.objectName())
    assert tried > 20
    assert changed == []

    user.go_to("train")
    user.type("config_n_layers", "5")
    user.rest(0.05)
    wheel_over(user.window, user.find("config_n_layers"))
    assert user.panel.config.n_layers == 4

    user.window.resize(1280, 500)
    user.find("loss_plot").setFocus()
    user.rest(0.05)
    bar = user.find("model_scroll").verticalScrollBar()
    assert bar.maximum() > 0
    wheel_over(user.window, user.find("preset"))
    assert bar.value() > 0


# Language.

OPEN, CLOSE = "⟦", "⟧"


class Brackets(QTranslator):
    """A test language: the same texts in brackets."""

    def translate(self, context, text, disambiguation=None, n=-1):
        return f"{OPEN}{text}{CLOSE}" if context == "GPTStudio" and text else ""

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def another_language(application):
    translator = Brackets()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def rest_of(text: str) -> str:
    """Return the rest of a text without markup, its translated parts, figures, units and signs."""
    text = re.sub(r"<[^>]+>|&\w+;", "", text)
    while (shorter := re.sub(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", "", text)) != text:
        text = shorter
    return re.sub(r"\b(KB|MB|GB|nan|inf)\b|[\d\W_]|\de[-+]?\d", "", text)


DATA = {
    "device", "model_name", "train_precision", "prompt", "samples", "train_sample_prompt", "probe_box", "probe_bars"}
"""Names of controls with the names of devices, runs and settings, and with texts of users and models."""


def shown_texts(window: MainWindow) -> dict[str, str]:
    """Return all readable texts of the window, by their place."""
    texts: dict[str, str] = {"dock": window.findChild(QWidget, "model_dock").windowTitle()}
    for widget in window.findChildren(QWidget):
        where = f"{type(widget).__name__} {widget.objectName()}"
        if widget.objectName().startswith("qt_spinbox"):
            texts[f"{where} of {widget.parent().objectName()}, placeholder"] = widget.placeholderText()
        if widget.objectName() in DATA or widget.objectName().startswith("qt_") or isinstance(widget, MainWindow):
            continue
        texts[f"{where}, accessible"] = widget.accessibleName()
        texts[f"{where}, description"] = widget.accessibleDescription()
        texts[f"{where}, tip"] = widget.toolTip()
        if isinstance(widget, (QLabel, QAbstractButton)):
            texts[f"{where} {id(widget)}"] = widget.text()
        if isinstance(widget, QComboBox):
            for index in range(widget.count()):
                texts[f"{where} {index}"] = widget.itemText(index)
        if isinstance(widget, (QPlainTextEdit, QLineEdit)):
            texts[f"{where}, placeholder"] = widget.placeholderText()
    for index in range(window.tabs.count()):
        texts[f"tab {index}"] = window.tabs.bar.tabText(index)
    plot = window.findChild(QWidget, "loss_plot").getPlotItem()
    for side in ("left", "bottom", "top"):
        texts[f"axis {side}"] = plot.getAxis(side).labelText
    for _, label in plot.legend.items:
        texts[f"legend {label.text}"] = label.text
    return texts


def untranslated(window: MainWindow) -> dict[str, str]:
    allowed = {*PRESETS, "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5", "Ctrl+6"}
    allowed |= {load(path).title for path in shipped("en")}  # each language has files of its own
    return {where: text for where, text in shown_texts(window).items() if text not in allowed and rest_of(text)}


def test_that_every_text_on_the_screen_passes_through_translation(another_language, user, whole_window):
    window = whole_window
    assert untranslated(window) == {}
    user.type("config_n_layers", "0")
    assert untranslated(window) == {}
    user.train.prepare(steps=6)
    user.type("train_batch_size", "0")
    assert untranslated(window) == {}
    user.type("train_batch_size", "2")
    run = user.train.to_end(steps=6)
    user.train.point_at(3)
    user.generate.write(3)
    texts = shown_texts(window)
    assert [where for where, text in texts.items() if re.search("(_?model|weights)( |,)", where) and run.step in text]
    assert untranslated(window) == {}


def test_that_a_progress_bar_shows_more_units_than_qt_can_count_and_work_of_unknown_length(qtbot):
    bar = ProgressBar("bytes")
    qtbot.addWidget(bar)
    bar.show_progress(6 * 2**31, 8 * 2**31)
    assert bar.value() / bar.maximum() == pytest.approx(0.75)
    bar.show_progress()
    assert bar.minimum() == bar.maximum() == 0
    assert bar.accessibleName() == "Progress"
