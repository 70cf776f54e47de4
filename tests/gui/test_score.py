"""Scoring a text in the window: typed, opened or dropped, read by a real model, with every figure checked."""

import math
import re
from collections.abc import Callable
from heapq import nsmallest
from typing import Any

import pytest
import torch
from messages import message
from pages.workers import Generation
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from strips import usual

from gptstudio.app import requests
from gptstudio.app.state import AppState
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate import score as score_tab
from gptstudio.gui.generate.score import CAPTIONS, ScorePane
from gptstudio.gui.theme import theme
from gptstudio.inference import scoring
from gptstudio.inference.score_stats import ScoreStats
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Control
from gptstudio.training.events import Event, TokenRead
from gptstudio.training.executor import execute
from gptstudio.training.model_source import UntrainedModel

FIRST_PAGE = "generate"

TINY = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)
TEXT = "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow enough.\n" * 3
MODEL, OTHER = requests.Model(UntrainedModel(TINY, 1)), requests.Model(UntrainedModel(TINY, 2))


class Page:
    """The view, with a reader that answers on request."""

    def __init__(self, model: GPTModel, wait: Callable[[], None]):
        self.controller = Generation(AppState())
        self.view, self.model, self.wait = ScorePane(self.controller.state, self.controller), model, wait
        self.requests: list[requests.Score] = self.controller.requests

    def press(self, text: str | None = None) -> requests.Score:
        """Type a text and click the button; return the request."""
        if text is not None:
            if not self.view.editor.isVisible():
                self.click("score_edit")
            self.view.editor.setPlainText(text)
        self.click("score")
        return self.requests[-1]

    def score(self, text: str, stop_after: int | None = None) -> list[TokenRead]:
        """Score a text to its end; return the readings."""
        events = self.answer(self.press(text), stop_after)
        self.controller.send(events)
        return [each for each in events if isinstance(each, TokenRead)]

    def answer(self, request: requests.Score, stop_after: int | None = None) -> list[Event]:
        """Return the events of the reader."""
        events: list[Event] = []
        control = Control()

        def sink(event: Any) -> None:
            events.append(event)
            if stop_after is not None and getattr(event, "position", -1) == stop_after - 1:
                control.stop()

        execute(scoring.score(request.text, lambda: Decoder(self.model, "tiny"), control), [sink])
        return events

    def click(self, name: str) -> None:
        widget = self.find(name)
        assert widget.isVisible(), name
        assert widget.isEnabled(), name
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def find(self, name: str) -> Any:
        found = self.view.findChild(object, name)
        assert found is not None, name
        return found

    def reads(self, name: str) -> str:
        shown = self.find(name)
        assert isinstance(shown, QLabel)
        return shown.text() if shown.isVisible() else ""

    def figures(self) -> dict[str, str]:
        figures = self.view.result.figures
        return {name: figures.text(name) for name in CAPTIONS}


def build() -> GPTModel:
    with RandomStream(1).active():
        model = build_model(TINY, "fast").eval()
    with torch.no_grad():
        model.out_head.weight.mul_(3)
    return model


@pytest.fixture
def page(application, qtbot):
    made = Page(build(), lambda: qtbot.wait(30))
    qtbot.addWidget(made.view)
    made.view.resize(650, 690)
    made.view.set_model(MODEL, "tiny, on CPU")
    theme.dress(made.view)
    made.view.show()
    qtbot.waitExposed(made.view)
    yield made
    usual()


def bits_of(readings: list[TokenRead]) -> list[float]:
    return [-math.log2(each.plain_probability) for each in readings if each.plain_probability is not None]


# Before scoring.


def test_that_an_empty_page_describes_its_purpose_and_the_missing_input(page):
    words = " ".join(label.text() for label in page.view.findChildren(QLabel) if label.isVisible())
    assert message("surprising_text_model") in words
    assert not page.find("score").isEnabled()
    assert page.find("score").toolTip() == message("type_text_first")
    page.view.editor.setPlainText("Some words")
    assert page.find("score").isEnabled()
    page.view.set_model(None, "")
    assert not page.find("score").isEnabled()
    assert page.find("score").toolTip() == message("choose_model_first")
    page.view.go.click()
    assert page.requests == []


@pytest.mark.parametrize(
    "text", ["a\u00a0b", "a\x00b\x01\x1b[2J", "שלום \u202e مرحبا", "👩‍👩‍👧 🇨🇭", "\n\n two\tthree \n"],
    ids=["no-break", "control", "right to left", "emoji", "white space"],
)
def test_that_the_requested_text_is_the_typed_one(page, text):
    readings = page.score(text)
    assert page.requests[-1].text == text
    assert [node.id for node in page.view.result.strip.path] == [each.id for each in readings] == GPT2.encode(text)


# While the text is read.


def test_that_tokens_are_shown_as_they_arrive(page):
    events = page.answer(page.press(TEXT))
    count = len(GPT2.encode(TEXT))
    for upto in (1, 3, 10, 30):
        page.controller.send(events[:upto])
        events = events[upto:]
        done = page.view.result.count
        assert page.view.running
        assert page.find("score_progress").isVisible()
        assert page.find("score").text() == "Stop"
        assert not page.find("score_edit").isEnabled()
        if done:
            assert page.reads("score_state") == f"Scoring with tiny: {done} of {count} tokens"
            assert page.find("score_progress").value() == done
    page.controller.send(events[:-3])
    page.controller.send(events[-3:])
    assert not page.view.running
    assert not page.find("score_progress").isVisible()
    assert page.reads("score_state") == "Scored by tiny. Windows of 16 tokens, stride 8."
    assert len(page.view.result.strip.boxes) == count


def test_that_stop_leaves_the_tokens_read_and_the_same_text_is_read_again_from_its_beginning(page):
    assert page.press(TEXT) == requests.Score(MODEL, TEXT)
    assert page.reads("score_state") == message("waiting_model")
    page.click("score")
    assert page.controller.stops == 1
    assert len(page.requests) == 1
    page.controller.send(page.answer(page.requests[-1], stop_after=7))
    assert page.reads("score_state") == f"Scored by tiny, up to token 7 of {len(GPT2.encode(TEXT))}."
    assert page.figures()["tokens"] == "6"
    again = page.press()
    assert again == page.requests[0]
    assert page.view.running
    assert page.view.result.count == 0
    page.controller.send(page.answer(again))
    assert not page.view.running


# Results.


def test_that_every_figure_follows_from_the_readings(page):
    readings = page.score(TEXT)
    bits, size = bits_of(readings), len(TEXT.encode()) - len("I")
    mean = sum(bits) / len(bits)
    assert page.figures() == {
        "tokens": f"{len(bits):,}", "bytes": f"{size:,}", "bits": f"{sum(bits):,.0f}", "bits_per_token": f"{mean:.2f}",
        "bits_per_byte": f"{sum(bits) / size:.2f}", "perplexity": f"{2**mean:,.1f}",
    }
    assert page.reads("score_guessing") == (
        "Random guessing among all 50,257 tokens costs 15.62 bits per token. "
        f"The model needed {mean / ScoreStats().guessing_bits:.0%} of that."
    ).replace("%", " %")
    for name in CAPTIONS:
        assert page.find(f"score_{name}").parentWidget().toolTip()


def test_that_a_very_long_figure_is_shown_as_a_power_of_ten_and_zero_probability_as_infinity(page):
    with torch.no_grad():
        page.model.out_head.weight.mul_(3)
    bits = bits_of(page.score(TEXT))
    shown = page.figures()["perplexity"]
    assert re.fullmatch(r"\d\.\d\de\d+", shown)
    assert float(shown) == pytest.approx(2 ** (sum(bits) / len(bits)), rel=0.01)
    with torch.no_grad():
        page.model.out_head.weight.mul_(1e6)
    page.score(TEXT)
    assert page.figures()["bits"] == page.figures()["perplexity"] == "∞"
    assert page.view.result.worst.item(0, 0).text() == "∞"
    assert "The model needed ∞ of that." in page.reads("score_guessing")


def test_that_the_worst_ten_are_listed_with_their_context_and_lead_to_the_strip(page):
    readings = page.score(TEXT * 8)
    bits = bits_of(readings)
    wanted = sorted(range(1, len(readings)), key=lambda i: -bits[i - 1])[:10]
    worst, strip = page.view.result.worst, page.view.result.strip
    assert worst.rowCount() == 10
    ids = GPT2.encode(TEXT * 8)
    for row, position in enumerate(wanted):
        shown, before, token = (worst.item(row, column).text() for column in range(3))
        assert shown == f"{bits[position - 1]:.1f}"
        assert token == GPT2.visible(ids[position])
        assert before.endswith(GPT2.decode(ids[position - 1 : position]).replace("\n", "↵"))
    for row in (9, 0, 4):
        place = worst.visualItemRect(worst.item(row, 2)).center()
        QTest.mouseClick(worst.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert strip.current == wanted[row]
        place = strip.place_of(wanted[row]).toRect()
        assert strip.visibleRegion().contains(place)
        assert page.reads("score_chosen").startswith(GPT2.visible(ids[wanted[row]]))
    QTest.keyClick(worst, Qt.Key.Key_Down)
    assert strip.current == wanted[5]


def test_that_a_chosen_token_is_described(page):
    readings = page.score(TEXT)
    strip, result = page.view.result.strip, page.view.result
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Home)
    assert page.reads("score_chosen") == (
        f"I  ·  ID 40  ·  position 0, {len(readings)} tokens: nothing comes before it, so there is no prediction."
    )
    QTest.keyClick(strip, Qt.Key.Key_Right)
    reading = readings[1]
    words = page.reads("score_chosen")
    bits = bits_of(readings)[0]
    assert words.startswith(f"␣H  ·  ID 367  ·  position 1, {len(readings)} tokens: surprisal {bits:.2f} bits.")
    assert f"rank {reading.rank:,}; entropy here: {reading.plain_entropy_bits:.2f} bits." in words
    worst = nsmallest(result.worst.rowCount(), readings[1:], key=lambda each: each.plain_probability)
    listed = [each.position for each in worst]
    for position in (min(listed), next(i for i in range(len(readings)) if i not in listed)):
        result.choose(position)
        assert [item.row() for item in result.worst.selectedItems()[:1]] == (
            [listed.index(position)] if position in listed else []
        )


def test_that_one_can_return_to_the_text_and_the_score_and_another_model_reads_the_same_text_again(page):
    page.score(TEXT)
    page.click("score_edit")
    assert page.view.editor.isVisible()
    assert page.view.text == TEXT
    page.click("score_show")
    assert page.view.result.strip.isVisible()
    assert page.figures()["tokens"] != "–"
    page.view.set_model(OTHER, "other, on CPU")
    assert page.reads("score_state") == "Scored by tiny. Windows of 16 tokens, stride 8. Selected now: other, on CPU."
    assert page.find("score").text() == "Score again"
    assert page.press() == requests.Score(OTHER, TEXT)
    assert page.figures()["tokens"] == "–"
    assert page.view.result.worst.rowCount() == 0


def test_that_the_tokens_with_their_figures_can_be_saved(page, tmp_path, monkeypatch):
    readings = page.score(TEXT)
    path = tmp_path / "tokens.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    page.find("strip_save_csv").trigger()
    assert len(path.read_text(encoding="utf-8-sig").splitlines()) >= len(readings)
    assert page.reads("score_notice") == ""
    path.unlink()
    path.mkdir()
    page.find("strip_save_csv").trigger()
    assert page.reads("score_notice")


# Faults.


def test_that_a_text_too_short_or_a_model_with_broken_weights_is_reported(page):
    for text in ("a", "\n"):
        page.score(text)
        assert not page.view.running
        assert page.view.editor.isVisible()
        assert message("fewer_two_tokens") in page.reads("score_notice")
    page.score("now it is longer")
    assert page.reads("score_notice") == ""
    with torch.no_grad():
        page.model.final_norm.scale.fill_(math.nan)
    page.score(TEXT)
    assert not page.view.running
    assert message("weights_broken") in page.reads("score_notice")
    assert page.figures()["tokens"] == "–"


def test_that_a_text_too_long_to_show_is_reported_and_not_scored(page, monkeypatch, tmp_path):
    monkeypatch.setattr(score_tab, "LONGEST", 50)
    page.view.editor.setPlainText(TEXT)
    page.view.go.click()
    assert page.requests == []
    assert "more than 50 characters" in page.reads("score_notice")
    page.view.editor.setPlainText("short")
    path = tmp_path / "long.txt"
    path.write_text("x" * 201)
    page.view.open(str(path))
    assert page.view.text == "short"
    assert "more than 50 characters" in page.reads("score_notice")


# Sources of texts.


def test_that_a_dropped_file_is_opened_unless_a_text_is_being_read(page, tmp_path):
    path = tmp_path / "dropped.txt"
    path.write_text("Dropped words")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])

    def drop(where: Any) -> None:
        how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(where, QDragEnterEvent(QPoint(5, 5), *how))
        QApplication.sendEvent(where, QDropEvent(QPointF(5, 5), *how))

    for where in (page.view.editor.viewport(), page.view):
        page.view.editor.setPlainText("before")
        drop(where)
        assert page.view.text == "Dropped words"
    page.press("what is read")
    drop(page.view)
    assert page.view.text == "what is read"


def test_that_a_file_is_opened_in_its_encoding_or_the_written_text_is_used(page, tmp_path, monkeypatch):
    assert not page.find("score_written").isVisible()
    page.view.offer("Every effort moves you on")
    page.click("score_written")
    assert page.view.text == "Every effort moves you on"
    path = tmp_path / "latin.txt"
    path.write_bytes("Déjà vu, encore une fois.".encode("cp1252"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    page.click("score_file")
    assert page.view.text == "Déjà vu, encore une fois."
    page.view.open(str(tmp_path / "nothing.txt"))
    assert message("there_is_no") in page.reads("score_notice")
    assert page.view.text == "Déjà vu, encore une fois."
    path.write_bytes(b"one\r\ntwo\r\n")
    page.view.open(str(path))
    page.click("score")
    page.controller.send(page.answer(page.requests[-1]))
    assert page.requests[-1].text == "one\r\ntwo\r\n", "as the terminal scores it"
    page.click("score_edit")
    page.view.editor.insertPlainText("zero")
    QTest.keyClick(page.view.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.view.text == "zero\none\ntwo\n"


# Layout.


@pytest.mark.parametrize("zoom", [1, 2])
def test_that_nothing_is_wider_than_the_page_at_any_text_size(page, zoom):
    theme.enlarge(zoom)
    page.score(TEXT)
    page.wait()
    assert page.view.width() == 650
    assert page.view.result_page.widget().width() <= page.view.result_page.viewport().width()
    for label in page.view.findChildren(QLabel):
        if label.isVisible():
            assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_that_the_worst_tokens_move_below_the_text_without_room_and_only_one_of_page_and_result_scrolls(page):
    page.score(TEXT)
    page.wait()
    text, worst = page.view.result.text_card, page.view.result.worst_card
    assert text.y() == worst.y()
    theme.enlarge(2)
    page.wait()
    assert worst.y() > text.y()

    page.view.set_scrolled_by_page(True)
    page.view.resize(650, page.view.minimumSizeHint().height())
    page.wait()
    assert page.view.result_page.verticalScrollBar().maximum() == 0
