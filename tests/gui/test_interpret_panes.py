"""The panes that look inside a model: the questions that they send, and that they show the model's results."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from messages import message
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from strips import usual

from gptstudio.app.requests import (
    AttentionQuery,
    LensQuery,
    Model,
    NeighbourAnswer,
    NeighbourQuery,
)
from gptstudio.app.state import Selection
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.canvas.tint import luminance
from gptstudio.gui.generate.interpret.attention import AttentionPane
from gptstudio.gui.generate.interpret.interpret_pane import InterpretPane, NeighboursPane
from gptstudio.gui.generate.interpret.layers import LayersPane
from gptstudio.gui.plots import shades
from gptstudio.gui.plots.grid_view import Grid, GridView
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.gui.translation import percent
from gptstudio.inference import interpret
from gptstudio.inference.text_tree import Node
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Stopped
from gptstudio.training.events import TokenRead
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel

FIRST_PAGE = "generate"

CONFIG = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=3, drop_rate=0.0)
TEXT = "Every effort moves you forward, and every effort counts."
PANES = pytest.mark.parametrize("kind", [AttentionPane, LayersPane, NeighboursPane])
READERS = pytest.mark.parametrize("kind", [AttentionPane, LayersPane])


@pytest.fixture(scope="module")
def model() -> GPTModel:
    with RandomStream(3).active():
        return build_model(CONFIG, "fast").eval()


@pytest.fixture(scope="module")
def untrained() -> GPTModel:
    with RandomStream(8).active():
        return build_model(CONFIG, "fast").eval()


@pytest.fixture(scope="module")
def ids() -> list[int]:
    return GPT2.encode(TEXT)


class Asked:
    """A question to the model, which can be answered or refused until it is cancelled."""

    def __init__(self, answered: Callable[[Any], object], refused: Callable[[str], object]) -> None:
        self.answered, self.refused = answered, refused

    def forget(self) -> None:
        self.answered = self.refused = lambda _: None


class Page:
    """A page with one pane, which answers its questions from a real model, as the decoding thread would."""

    def __init__(self, kind: Any, model: GPTModel, untrained: GPTModel):
        self.model, self.untrained = model, untrained
        self.asks: list[Any] = []
        self.answers = True
        self.tasks: list[Asked] = []
        self.pane: Any = kind(self)

    def ask(self, question: Any, key: str, answered: Any, refused: Any, progress: Any) -> Any:
        for earlier in self.tasks:  # the newest question of a key wins
            earlier.forget()
        self.asks.append(question)
        self.tasks.append(Asked(answered, refused))
        if self.answers:
            self.tasks[-1].answered(self.answer(question))
        return self.tasks[-1]

    def answer(self, request: Any) -> Any:
        match request:
            case AttentionQuery():
                return interpret.attention(self.model, request.ids, request.layer)
            case LensQuery():
                return interpret.logit_lens(self.model, request.ids)
            case NeighbourQuery():
                before, after = (interpret.neighbours(each, request.token) for each in (self.untrained, self.model))
                return NeighbourAnswer(before, after)

    def show(self, ids: Sequence[int], cursor: int | None = None, **changes: Any) -> None:
        self.pane.show_selection(selection(ids, cursor, **changes))

    def reads(self, name: str) -> str:
        found: Any = self.pane.findChild(QWidget, name)
        return found.text() if found.isVisible() else ""


def selection(ids: Sequence[int], cursor: int | None = None, writing: bool = False, source: Any = None) -> Selection:
    def reading(position: int, token: int) -> TokenRead:
        return TokenRead(
            position=position, id=token, text=GPT2.decode([token]), plain_probability=None, rank=None,
            plain_entropy_bits=None,
        )

    path = tuple(Node(n, n - 1, reading(n, token)) for n, token in enumerate(ids))
    return Selection(Model(source or UntrainedModel(CONFIG, 3), "cpu"), path, cursor, writing)


@pytest.fixture
def page(application, qtbot, model, untrained) -> Callable[..., Page]:
    """Return a function that opens a pane of the size that it has in a small window."""

    def open_page(kind: type[InterpretPane]) -> Page:
        made = Page(kind, model, untrained)
        qtbot.addWidget(made.pane)
        made.pane.resize(650, 330)
        theme.dress(made.pane)
        made.pane.show()
        return made

    return open_page


@pytest.fixture(autouse=True)
def initial_theme():
    yield
    usual()


# Questions.


@PANES
def test_that_no_question_is_sent_without_a_text_while_the_model_writes_or_out_of_view_and_one_in_view(page, kind, ids):
    made = page(kind)
    made.pane.show_selection(Selection())
    assert made.asks == []
    assert message("text_yet") in made.pane.words.text()
    assert made.pane.words.text().startswith(f"{kind.__name__.removesuffix('Pane')}: "), "what it is for"
    made.show(ids, 5, writing=True)
    assert made.asks == []
    assert "is generating" in made.pane.words.text()
    made.pane.hide()
    made.show(ids, 5)
    assert made.asks == []
    for _ in range(2):
        made.pane.show()
        assert len(made.asks) == 1
        made.show(ids, 5)
        made.pane.hide()


@PANES
def test_that_only_the_last_answer_is_used_a_refusal_is_shown_once_and_what_was_unanswered_asked_again(page, kind, ids):
    made, shorter = page(kind), ids[:4] + ids[6:]
    made.answers = False
    made.show(ids, 5)
    first = made.asks[-1]
    made.show(shorter, 4)
    last = made.asks[-1]
    assert last != first
    assert "Running the model…" in made.pane.words.text()
    made.tasks[0].answered(made.answer(first))
    assert made.pane.answer is None
    made.tasks[-1].answered(made.answer(last))
    assert made.pane.request == last

    made.show(ids, 5)
    made.tasks[-1].refused("The checkpoint is gone.")
    assert made.reads(f"{made.pane.objectName()}_words") == "The checkpoint is gone."
    assert len(made.asks) == 3
    made.answers = True
    made.show(ids, 5)
    assert len(made.asks) == 3, "the page tells the same again and again"
    made.show(ids, 7)
    assert len(made.asks) == 4
    assert made.pane.request == made.asks[-1]

    # A question that is unanswered when the pane is hidden may have been left out for a newer one of another pane.
    made.answers = False
    made.show(shorter, 4)
    made.pane.hide()
    made.tasks[-1].answered(made.answer(made.asks[-1]))
    assert made.pane.request != made.asks[-1]
    made.pane.show()
    assert len(made.asks) == 6


@PANES
def test_that_a_model_in_training_is_asked_again_once_it_has_written(page, kind, ids):
    made, live = page(kind), LiveModel("run")
    made.show(ids, 5, source=live)
    made.show(ids, 6 if kind is not NeighboursPane else 5, source=live)
    assert len(made.asks) == 1
    made.show(ids, 5, source=live, writing=True)
    made.show(ids, 5, source=live)
    assert len(made.asks) == 2


@READERS
def test_that_another_cursor_or_the_beginning_of_the_text_sends_no_question(page, kind, ids):
    made = page(kind)
    made.show(ids, 2)
    for cursor in (0, 5, len(ids) - 1, None):
        made.show(ids, cursor)
    made.show(ids[:6], 3)
    assert len(made.asks) == 1
    made.show([*ids[:6], 11], 3)
    assert len(made.asks) == 2


@READERS
def test_that_beyond_the_context_the_question_is_about_the_tokens_read_then(page, kind, ids):
    made, long = page(kind), ids * 3  # 33 tokens, where 16 fit
    made.show(long, None)
    assert made.asks[-1].ids == tuple(long)
    made.show(long, 4)
    assert made.asks[-1].ids == tuple(long[:16])
    made.show(long, 15)
    assert len(made.asks) == 2
    made.show(long, 20 if kind is AttentionPane else 21)  # the text before the chosen token ends before it
    assert made.asks[-1].ids == tuple(long[:21])
    assert made.pane.span() == (5, 21)
    note = made.reads(f"{made.pane.objectName()}_note")
    assert note.startswith("Showing positions 5 to 20 of 33 tokens. The model read only the last 16 tokens up to there")


@READERS
def test_that_all_tokens_of_a_long_text_that_the_model_reads_can_be_scrolled_to(page, kind, ids):
    made, long = page(kind), (ids * 40)[:400]
    with RandomStream(1).active():
        made.model = GPTModel(CONFIG.but(context_length=400, n_layers=1)).eval()
    made.show(long, None)
    assert made.pane.span() == (0, 400)
    assert made.reads(f"{made.pane.objectName()}_note") == ""
    for cursor in (350, 20):
        made.show(long, cursor)
        in_view = _in_view(made.pane)
        assert cursor - (kind is LayersPane) in in_view, "the token that is looked at, or where it was formed"
        assert len(in_view) < 200
    pane = made.pane.map if kind is AttentionPane else made.pane.table
    for bar in (pane.verticalScrollBar(), pane.horizontalScrollBar()):
        bar.setValue(bar.maximum())
    assert 399 in _in_view(made.pane)
    if kind is AttentionPane:
        weights = interpret.attention(made.model, long, 0).weights[0]
        np.testing.assert_array_equal(made.pane.map.grid.values[399], weights[399])
        place = pane.place((398, 397)).center()
        found = pane.viewport().grab().toImage().pixelColor(place.toPoint())
        assert abs(found.blue() - shades.shade(weights[398, 397] ** 0.5).blue()) <= 2
        QTest.mouseMove(pane.viewport(), place.toPoint())
        assert made.reads("attention_cell").startswith(
            f"{GPT2.visible(long[398])}  →  {GPT2.visible(long[397])}:")
        QTest.keyClick(pane, Qt.Key.Key_PageUp)
        assert 399 not in _in_view(made.pane)
        before = pane.verticalScrollBar().value()
        turn = QWheelEvent(
            QPointF(place), QPointF(pane.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(pane.viewport(), turn)
        assert pane.verticalScrollBar().value() < before
    assert len(made.asks) == 1


def _in_view(pane: Any) -> range:
    """Return the tokens whose rows, or whose columns on Layers, are visible."""
    if isinstance(pane, AttentionPane):
        return pane.map.in_view()[0]
    table, wide = pane.table, pane.table.viewport().width()
    return range(table.columnAt(0), (table.columnAt(wide - 1) + 400) % 400 + 1)


# Attention.


def test_that_the_map_shows_the_attention_of_the_layer_step_by_step(page, model, ids):
    made = page(AttentionPane)
    pane = made.pane
    made.show(ids, 5)
    expected = interpret.attention(model, ids, 0)
    later = np.triu(np.ones((len(ids), len(ids)), dtype=bool), k=1)
    for index, step in enumerate(("scores", "scaled", "masked", "weights")):
        QTest.mouseClick(pane.step.button(index), Qt.MouseButton.LeftButton)
        shown = getattr(expected, step)[0]
        np.testing.assert_array_equal(pane.map.grid.values[~later], shown[~later])
        if step in ("masked", "weights"):
            assert (pane.map.grid.values[later] == -np.inf).all()
        else:
            np.testing.assert_array_equal(pane.map.grid.values[later], shown[later])
    QTest.mouseClick(pane.step.button(1), Qt.MouseButton.LeftButton)
    assert "√8 = 2.83" in made.reads("attention_formula")


def test_that_pointing_at_a_row_shows_it_temporarily_and_its_largest_weights_are_named(page, model, ids):
    made = page(AttentionPane)
    made.show(ids, 5)
    weights = interpret.attention(model, ids, 0).weights[0, 5]
    assert made.reads("attention_looks") == f"“{GPT2.visible(ids[5])}” attends most to"
    best = np.argsort(-weights, kind="stable")[:5]
    assert [(row.name, row.figures[0]) for row in made.pane.most.rows] == [
        (f"{GPT2.visible(ids[at])}  at {at}", percent(float(weights[at]))) for at in best
    ]
    assert [row.bars[0].value for row in made.pane.most.rows] == pytest.approx([float(weights[at]) for at in best])
    made.show(ids, 1)
    assert len(made.pane.most.rows) == 2  # itself and one before
    made.show(ids, 5)
    place = made.pane.map.place((7, 2)).center().toPoint()
    QTest.mouseMove(made.pane.map.viewport(), place)
    assert GPT2.visible(ids[7]) in made.reads("attention_looks")
    assert GPT2.visible(ids[2]) in made.reads("attention_cell")
    made.pane.start_layer(3)
    assert made.pane.map.row == 3
    made.pane.start_layer(None)
    assert made.pane.map.row == 5
    QTest.mouseClick(made.pane.map.viewport(), Qt.MouseButton.LeftButton, pos=place)
    made.pane.start_layer(None)
    assert made.pane.map.row == 7
    made.show(ids, 4)
    assert made.pane.map.row == 4
    made.show(ids[:1], 0)
    assert made.pane.map.grid.values.tolist() == [[1.0]]
    assert [row.figures[0] for row in made.pane.most.rows] == [percent(1.0)]


def test_that_after_a_refusal_or_before_an_answer_another_layer_can_be_chosen(page, ids):
    made = page(AttentionPane)
    assert not made.pane.layer.isVisible(), "nobody knows the layers of no model"
    made.show(ids, 5)
    made.answers = False
    made.pane.layer.setCurrentIndex(2)
    made.pane.layer.activated.emit(2)
    made.tasks[-1].refused(message("there_was_not_enough_memory"))
    assert made.reads("attention_words") == message("there_was_not_enough_memory")
    assert made.pane.layer.isVisible()
    made.answers = True
    made.pane.layer.setCurrentIndex(1)
    made.pane.layer.activated.emit(1)
    assert made.asks[-1].layer == 1
    assert made.pane.map.isVisible()
    made.pane.layer.setFocus()
    text, made.answers = made.reads("attention_formula"), False
    QTest.keyClick(made.pane.layer, Qt.Key.Key_Down)
    assert "Running the model…" in made.reads("attention_formula")
    QTest.keyClick(made.pane.layer, Qt.Key.Key_Up)
    assert made.reads("attention_formula") == text
    made.tasks[-1].answered(made.answer(made.asks[-1]))
    assert made.pane.answer.layer == 1


def test_that_another_layer_sends_a_question_and_another_head_does_not_and_the_chosen_row_stays(page, model, ids):
    made = page(AttentionPane)
    pane = made.pane
    made.show(ids, 5)
    assert [pane.layer.itemText(n) for n in range(pane.layer.count())] == ["Layer 1", "Layer 2", "Layer 3"]
    QTest.mouseClick(pane.findChild(QWidget, "head_1"), Qt.MouseButton.LeftButton)
    assert pane.head.currentText() == "Head 2"
    pane.layer.setFocus()
    QTest.keyClick(pane.layer, Qt.Key.Key_Down)
    assert [request.layer for request in made.asks] == [0, 1]
    weights = interpret.attention(model, ids, 1).weights[1]
    seen = np.isfinite(pane.map.grid.values)
    np.testing.assert_array_equal(pane.map.grid.values[seen], weights[seen])
    assert pane.head.currentText() == "Head 2"
    made.pane.map.chosen.emit(Cell(2, 0))
    QTest.keyClick(made.pane.layer, Qt.Key.Key_Down)
    assert made.pane.answer.layer == 2
    assert made.pane.map.row == 2


def test_that_a_model_with_fewer_layers_shows_its_last(page, ids):
    made = page(AttentionPane)
    made.show(ids, 5)
    made.pane.layer.setCurrentIndex(2)
    made.pane.layer.activated.emit(2)
    with RandomStream(1).active():
        made.model = GPTModel(CONFIG.but(n_layers=2, n_heads=1)).eval()
    made.show(ids, 5, source=UntrainedModel(CONFIG, 4))
    assert (made.pane.layer.currentText(), made.pane.layer.count()) == ("Layer 2", 2)
    assert (made.pane.head.currentText(), made.pane.head.count()) == ("Head 1", 1)
    assert len(made.asks) == 3


# The heat map.


@pytest.fixture
def heat_map(application, qtbot) -> GridView:
    made = GridView("map", "A map")
    qtbot.addWidget(made)
    made.resize(400, 330)
    theme.dress(made)
    made.show()
    return made


def fill(heat_map: GridView, tokens: int) -> np.ndarray:
    values = np.random.default_rng(0).random((tokens, tokens))
    values[np.triu_indices(tokens, k=1)] = -np.inf
    names = [f"t{n}" for n in range(tokens)]
    heat_map.show_grid(Grid(values, names, names))
    return values


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("tokens", [3, 20, 300])
def test_that_every_cell_has_the_colour_of_its_number(heat_map, tokens, dark):
    theme.use(DARK if dark else LIGHT)
    values = fill(heat_map, tokens)
    heat_map.zoom(100)
    image = heat_map.viewport().grab().toImage()
    checked = 0
    for cell in [(0, 0), (tokens // 2, tokens // 2), (tokens // 2, tokens // 2 - 1), (tokens - 1, 0)]:
        middle = heat_map.place(cell).center()
        if heat_map.shown().contains(middle):
            expected, found = shades.shade(values[cell]), image.pixelColor(middle.toPoint())
            for part in ("red", "green", "blue"):
                assert abs(getattr(expected, part)() - getattr(found, part)()) <= 2
            checked += 1
    assert checked >= 2


def test_that_the_scale_changes_evenly_darker_on_light_and_lighter_on_dark():
    for colours, way in ((LIGHT, -1), (DARK, 1)):
        theme.use(colours)
        grey = [luminance(shades.shade(share / 50)) for share in range(51)]
        assert (np.diff(grey) * way > 0).all()


def test_that_shares_are_converted_to_the_scale_and_back():
    spread = shades.Range(-2, 6, power=0.5)
    np.testing.assert_allclose(spread.shares(np.array([-2, 0, 6, 9, -np.inf])), [0, 0.5, 1, 1, np.nan])
    assert spread.legend(3) == [(0, "−2"), (0.5, "0"), (1, "6")]
    assert shades.Range.of(np.array([1.0, -np.inf, 3.0, np.nan])) == shades.Range(1, 3)
    assert np.isfinite(shades.Range(2, 2).shares(np.array([2.0]))).all()


@pytest.mark.parametrize(("ends", "most", "labels"), [
    ((0, 1), 5, ["0", "0.25", "0.5", "0.75", "1"]),
    ((11.017, 9.93), 4, ["11.02", "10.65", "10.29", "9.93"]),
    ((0, 360), 4, ["0", "120", "240", "360"]),
    ((-3.27, 3.27), 3, ["−3.3", "0", "3.3"]),
    ((2.5, 2.5), 2, ["2.5", "2.5"]),
])
def test_that_the_labels_of_a_scale_have_as_many_digits_as_tell_them_apart(ends, most, labels):
    assert [words for _, words in shades.Range(*ends).legend(most)] == labels


def test_that_the_arrow_keys_move_between_cells_and_enter_chooses_and_a_later_token_is_named(heat_map, qtbot):
    fill(heat_map, 20)
    heat_map.mark(4)
    heat_map.setFocus()
    for key, cell in (
        (Qt.Key.Key_Left, (4, 4)), (Qt.Key.Key_Left, (4, 3)), (Qt.Key.Key_Down, (5, 3)), (Qt.Key.Key_Up, (4, 3)),
        (Qt.Key.Key_Right, (4, 4)),
    ):
        with qtbot.waitSignal(heat_map.pointed) as told:
            QTest.keyClick(heat_map, key)
        assert told.args == [cell]
    assert "t4  →  t4" in heat_map.accessibleDescription()
    with qtbot.waitSignal(heat_map.chosen) as told:
        QTest.keyClick(heat_map, Qt.Key.Key_Return)
    assert told.args == [Cell(4, 4)]
    fill(heat_map, 5)
    assert heat_map.words((1, 3)) == "t1  →  t3:  none, a later token"
    assert heat_map.item_at(QPointF(heat_map.place((4, 4)).center())) == (4, 4)
    assert heat_map.item_at(QPointF(1, 1)) is None


def test_that_a_large_map_can_be_zoomed_and_scrolls_to_the_cell(heat_map):
    fill(heat_map, 300)
    assert heat_map.shown() == heat_map.full_rect()
    assert heat_map.verticalScrollBar().maximum() == 0
    for _ in range(20):
        QTest.keyClick(heat_map, Qt.Key.Key_Plus)
    assert heat_map.cell_size()[0] == pytest.approx(48)
    heat_map.mark(299)
    QTest.keyClick(heat_map, Qt.Key.Key_Left)
    assert heat_map.shown().contains(heat_map.place((299, 299)).center())
    for _ in range(30):
        QTest.keyClick(heat_map, Qt.Key.Key_Minus)
    assert heat_map.shown() == heat_map.full_rect()


# Layers.


def cell(made: Page, row: int, column: int) -> str:
    grid = made.pane.grid
    return grid.data(grid.index(row, column))


def test_that_layers_show_their_most_probable_tokens_the_drawn_one_and_the_column_it_was_drawn_from(page, model, ids):
    made = page(LayersPane)
    made.show(ids, 5)
    lens, grid = interpret.logit_lens(model, ids), made.pane.grid
    assert (grid.rowCount(), grid.columnCount()) == (5, len(ids))
    names = [grid.headerData(row, Qt.Orientation.Vertical) for row in range(5)]
    assert names == ["Embedding", "Layer 1", "Layer 2", "Layer 3", "Actual next"]
    for row in range(4):
        for column in range(len(ids)):
            assert cell(made, row, column) == GPT2.visible(int(lens.ids[row, column, 0]))
    assert [cell(made, 4, column) for column in range(len(ids))] == [*map(GPT2.visible, ids[1:]), ""]
    share = grid.data(grid.index(3, 2), Qt.ItemDataRole.UserRole)
    assert share == pytest.approx(lens.probabilities[3, 2, 0] ** 0.5)
    made.show(ids[:6], 5)
    assert made.pane.grid.columnCount() == 6
    assert cell(made, 4, 5) == ""
    assert len(made.asks) == 1

    made.show(ids, 5)
    assert made.pane.grid.marked == 4
    assert cell(made, 4, 4) == GPT2.visible(ids[5])
    made.show(ids, 0)
    assert made.pane.grid.marked is None
    made.show(ids, 5)
    table = made.pane.table
    table.setCurrentIndex(made.pane.grid.index(2, 4))
    text = made.reads("layers_said")
    assert text.startswith(f"Layer 2, after “{GPT2.visible(ids[4])}”")
    for rank in range(3):
        token, share = int(lens.ids[2, 4, rank]), float(lens.probabilities[2, 4, rank])
        assert f"{GPT2.visible(token)} {percent(share)}" in text
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert made.reads("layers_said") == f"“{GPT2.visible(ids[4])}” was followed by “{GPT2.visible(ids[5])}”."

    long = ids * 3  # beyond the context
    made.show(long, None)
    made.show(long, 25)
    with torch.no_grad():
        chosen_from = model(torch.tensor([long[25 - 16 : 25]]))[0, -1]
    assert cell(made, 3, made.pane.grid.marked) == GPT2.visible(int(chosen_from.argmax()))
    assert cell(made, 4, made.pane.grid.marked) == GPT2.visible(long[25])


# Neighbours.


def test_that_neighbours_before_and_after_are_shown_side_by_side_and_a_click_looks_one_up(page, model, untrained, ids):
    made = page(NeighboursPane)
    made.show(ids, 5)
    assert made.asks == [NeighbourQuery(selection(ids).model, ids[5])]
    for ranked, source in ((made.pane.before, untrained), (made.pane.after, model)):
        near = interpret.neighbours(source, ids[5])
        assert [(row.name, row.figures[0]) for row in ranked.rows] == [
            (GPT2.visible(token), f"{cosine:.3f}")
            for token, cosine in zip(near.ids.tolist(), near.cosines.tolist(), strict=True)
        ]
    both = {row.name for row in made.pane.before.rows} & {row.name for row in made.pane.after.rows}
    assert {row.name for row in made.pane.after.rows if row.dot} == both
    assert made.reads("neighbours_common") == f"In both lists: {len(both)} of 12."
    QApplication.processEvents()  # the list becomes as high as its rows
    row = round(2.5 * made.pane.after.height() / 12)
    QTest.mouseClick(made.pane.after, Qt.MouseButton.LeftButton, pos=QPoint(40, row))
    assert made.asks[-1].token == interpret.neighbours(model, ids[5]).ids[2]
    made.pane.after.setFocus()
    QTest.keyClick(made.pane.after, Qt.Key.Key_Down)
    QTest.keyClick(made.pane.after, Qt.Key.Key_Return)
    assert len(made.asks) == 3
    made.show(ids, 6)
    assert made.asks[-1].token == ids[6]


@pytest.mark.parametrize(("source", "words"), [
    (UntrainedModel(CONFIG), "This model is untrained: its embeddings are still the initial ones."),
    (SavedModel("elsewhere"), "The initial weights of this model are not available, so there is nothing"),
])  # fmt: skip
def test_that_missing_earlier_neighbours_are_explained(page, model, ids, source, words):
    made = page(NeighboursPane)
    made.answer = lambda request: NeighbourAnswer(None, interpret.neighbours(model, request.token))
    made.show(ids, 5, source=source)
    assert words in made.reads("neighbours_missing")
    assert not made.pane.before.isVisible()
    assert len(made.pane.after.rows) == 12


def test_that_any_word_can_be_looked_up_by_its_first_token_or_is_refused_beyond_a_small_vocabulary(page, ids):
    made = page(NeighboursPane)
    made.show(ids, 5)
    field = made.pane.field
    of_three = "“unbelievably” consists of 3 tokens; these are the neighbours of the first one."
    for word, expected in ((" you", ""), ("unbelievably", of_three)):
        field.setText(word)
        QTest.keyClick(field, Qt.Key.Key_Return)
        tokens = GPT2.encode(word)
        assert made.asks[-1].token == tokens[0]
        assert made.reads("neighbours_typed") == expected.replace("3", str(len(tokens)))
    QTest.mouseClick(made.pane.back, Qt.MouseButton.LeftButton)
    assert made.asks[-1].token == ids[5]
    assert field.text() == ""
    made.answers = False
    made.pane.look_up(" zebra")
    made.tasks[-1].refused("This model knows tokens below 40 only.")
    assert "below 40" in made.reads("neighbours_words")
    assert made.pane.field.isVisible()
    assert made.pane.back.isVisible()


# On every screen.


@PANES
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_that_a_pane_fits_its_space_and_scrolls_inside(page, kind, ids, zoom):
    theme.enlarge(zoom)
    made = page(kind)
    made.show(ids, 5)
    made.pane.grab()
    assert made.pane.minimumSizeHint().width() <= 650
    assert made.pane.minimumSizeHint().height() <= 330


# Stopping.


@pytest.fixture
def endless(monkeypatch):
    """Replace the lens by one that runs until its check stops it."""
    begun, stopped = threading.Event(), threading.Event()

    def lens(model: GPTModel, ids: Sequence[int], check: Callable[[], None]) -> None:
        begun.set()
        for _ in range(3000):
            time.sleep(0.01)
            try:
                check()
            except Stopped:
                stopped.set()
                raise
        raise AssertionError("nobody stopped it")

    monkeypatch.setattr(interpret, "logit_lens", lens)
    return begun, stopped


def test_that_a_lens_is_stopped_by_the_next_text_and_by_leaving(user, tiny, endless):
    begun, stopped = endless
    user.panel.select(tiny)
    user.generate.write()
    user.generate.open_pane("layers")
    user.wait(begun.is_set)
    begun.clear()
    before = len(user.generate.text.path)
    user.generate.write(tokens=9)
    assert len(user.generate.text.path) == before + 4
    assert stopped.is_set()
    stopped.clear()
    user.wait(begun.is_set)  # that of the next text
    user.window.leave()
    assert stopped.is_set()
