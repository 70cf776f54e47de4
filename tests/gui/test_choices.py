"""The possible tokens at one position: the table of stages, each number computed again with numpy alone."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.data.ngram import NgramTable
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling import STAGES, USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.asking import Asking
from gptstudio.gui.controllers.generation import TrainingText
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.choices import ChoicesPane, LandscapeView
from gptstudio.gui.generate.stages.stage_table import ShareScale
from gptstudio.gui.generate.stages.stage_texts import TokenChoice
from gptstudio.gui.theme import DARK, LIGHT, colour, theme
from gptstudio.gui.translation import percent
from gptstudio.training import run_text
from gptstudio.training.events import TokenDrawn, TokenRead
from gptstudio.training.model_source import SavedModel

FIRST_PAGE = "generate"
ALL_WORDS = True

VOCABULARY, SEEN, SEED = 50_257, (6_109, 3_626, 6_100, 345), 123
ALL = SamplingParams(temperature=1.4, top_k=50, top_p=0.9, min_p=0.01, repetition_penalty=1.2)
LEFT, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier
PROBABILITY, DRAWS = 8, 9
"""The indices of two columns in the table with the common stages."""


def some_logits(seed: int = 3) -> np.ndarray:
    logits = np.random.default_rng(seed).normal(0, 3, VOCABULARY).astype(np.float32)
    logits[list(SEEN)] += 6
    return logits


def drawn(token: int, probability: float = 0.25, position: int = 4) -> TokenDrawn:
    return TokenDrawn(
        position=position, id=token, text=GPT2.decode([token]), plain_probability=0.5, rank=1,
        plain_entropy_bits=1.0, probability=probability, entropy_bits=1.0, random_number=0.5, took_s=0.01,
        sampling_params=SamplingParams(), alternatives=[],
    )


def choices() -> ChoicesPane:
    """Return a pane with a state of its own and no model."""
    state = AppState()
    made: Any = ChoicesPane(state, None, Asking(None, "changed"), TrainingText(TaskRunner(), None))
    made.state = state
    return made


def show(pane, reading, logits, sampling_params, context, seed) -> None:
    pane.state.sampling_params, pane.first_seed = sampling_params, seed
    pane.show_choice(reading, logits, context)


def reshape(pane, sampling_params: SamplingParams) -> None:
    pane.state.sampling_params = sampling_params


@pytest.fixture
def pane(application, qtbot):
    """The pane as on the page, with the choice among 50,257 tokens."""
    made = choices()
    made.resize(900, 500)
    theme.dress(made)
    made.show()
    qtbot.waitExposed(made)
    made.logits = some_logits()
    show(made, drawn(int(made.logits.argmax())), made.logits, SamplingParams(), SEEN, SEED)
    made.chosen, made.orders = [], []
    made.candidate_chosen.connect(made.chosen.append)
    made.order_dragged.connect(lambda order: made.orders.append(tuple(name for name in order if STAGES[name].common)))
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if (theme.zoom, theme.colours) != (1, LIGHT):
        theme.use(LIGHT)
        theme.enlarge(None)


def test_that_the_row_height_fits_the_font_of_the_window(application, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    theme.enlarge(2)
    made = choices()
    made.setParent(window)
    theme.dress(window)
    window.show()
    qtbot.waitExposed(window)
    show(made, drawn(1), some_logits(), SamplingParams(), SEEN, SEED)
    assert made.table.verticalHeader().defaultSectionSize() >= made.table.fontMetrics().height()
    theme.enlarge(None)


def table(pane: ChoicesPane) -> list[list[str]]:
    """Return the texts of the table, row by row."""
    model = pane.table.stages
    return [[model.index(row, column).data() for column in range(model.columnCount())]
            for row in range(model.rowCount())]  # fmt: skip


def tokens(pane: ChoicesPane) -> list[int]:
    return [row.token for row in pane.table.stages.rows if row.token is not None]


def reads(pane: ChoicesPane, name: str) -> str:
    return pane.findChild(QLabel, name).text()


def middle(pane: ChoicesPane, row: int, column: int) -> QPoint:
    return pane.table.visualRect(pane.table.stages.index(row, column)).center()


def by_hand(logits: np.ndarray, sampling_params: SamplingParams, seen) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the logits after each stage in the given order, and the probabilities, computed with numpy alone."""
    x, after = logits.astype(np.float64), []
    for stage in sampling_params.order:
        order = np.argsort(-x, kind="stable")
        p = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
        keep = np.ones(x.size, dtype=bool)
        if stage == "repetition_penalty":
            x = x.copy()
            for token in set(seen):
                penalty = sampling_params.repetition_penalty
                x[token] = x[token] / penalty if x[token] > 0 else x[token] * penalty
        elif stage == "temperature":
            x = x / sampling_params.temperature
        elif stage == "top_k" and sampling_params.top_k:
            keep[order[sampling_params.top_k :]] = False
        elif stage == "top_p" and sampling_params.top_p < 1:
            keep[order[1:][np.cumsum(p[order])[:-1] >= sampling_params.top_p]] = False
        elif stage == "min_p":
            keep = p >= sampling_params.min_p * p.max()
        x = np.where(keep, x, -np.inf)
        after.append(x)
    return after, np.exp(x - x.max()) / np.exp(x - x.max()).sum()


@given(order=st.permutations(SamplingParams().shown()))
def test_that_every_number_agrees_with_numpy_in_any_order(pane, order):
    sampling_params = ALL.but(order=tuple(order))
    reshape(pane, sampling_params)
    steps, probabilities = by_hand(pane.logits, sampling_params, SEEN)
    steps = [step for name, step in zip(sampling_params.order, steps, strict=True) if STAGES[name].common]
    assert pane.table.stages.columns == ("token", "logit", *order, "sum", "probability", "draws")
    rows = table(pane)
    for row, token in zip(rows, tokens(pane), strict=False):
        assert row[0] == GPT2.visible(token)
        assert row[1] == f"{pane.logits[token]:.2f}"
        assert row[2:7] == ["" if step[token] == -np.inf else f"{step[token]:.2f}" for step in steps]
        assert row[PROBABILITY] == (percent(probabilities[token]) if probabilities[token] else "0")
    assert tokens(pane) == np.argsort(-pane.logits, kind="stable")[:12].tolist()
    rest = np.ones(VOCABULARY, dtype=bool)
    rest[tokens(pane)] = False
    assert pane.table.stages.rows[-1].after == pytest.approx(probabilities[rest].sum(), abs=1e-12)
    assert sum(row.after for row in pane.table.stages.rows) == pytest.approx(1)
    assert sum(row.before for row in pane.table.stages.rows) == pytest.approx(1)


@given(order=st.permutations(SamplingParams().shown()))
def test_that_the_running_sum_and_the_borders_are_of_the_input_of_each_stage(pane, order):
    sampling_params = SamplingParams(temperature=0.8, top_k=9, top_p=0.7, min_p=0.15, order=tuple(order))
    reshape(pane, sampling_params)
    steps, _ = by_hand(pane.logits, sampling_params, SEEN)
    before = dict(zip(sampling_params.order, [pane.logits.astype(np.float64), *steps], strict=False))
    after = dict(zip(sampling_params.order, steps, strict=True))

    def shares(logits: np.ndarray) -> np.ndarray:
        return np.exp(logits) / np.exp(logits).sum()

    ranked = np.argsort(-before["top_p"], kind="stable")
    sums = dict(zip(ranked.tolist(), np.cumsum(shares(before["top_p"])[ranked]).round(12).tolist(), strict=True))
    for row, token in zip(table(pane), tokens(pane), strict=False):
        assert row[7] == (percent(sums[token]) if before["top_p"][token] > -np.inf else "")
    expected, listed = [], {}
    for stage in sampling_params.order:
        kept = after[stage] > -np.inf
        if stage in ("top_k", "top_p", "min_p") and kept.sum() < (before[stage] > -np.inf).sum():
            n, p = int(kept.sum()), percent(shares(before[stage])[kept].sum())
            expected.append(f"{stage.replace('_', '-')} keeps {n} {'token' if n == 1 else 'tokens'}, {p}")
            if n <= 12:
                listed.setdefault(n, []).append(expected[-1])
    lines = {place: "  ·  ".join(words) for place, words in listed.items()}
    assert pane.table.stages.lines == lines, "below the last token that is kept"
    assert "  ·  ".join(expected).capitalize() in reads(pane, "choices_told")


def test_that_the_border_moves_with_the_slider_and_is_described(pane):
    lines = []
    for top_k in (3, 6, 50):
        reshape(pane, SamplingParams(top_k=top_k))
        lines.append(list(pane.table.stages.lines))
    assert lines == [[3], [6], []], "50 is further down than the list"
    assert "Top-k keeps 50 tokens, " in reads(pane, "choices_told")
    reshape(pane, SamplingParams(top_k=3))
    assert pane.table.rowHeight(3) > pane.table.rowHeight(2), "the line has room above the row"
    spoken = pane.table.stages.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("top-k keeps 3 tokens, ")
    reshape(pane, SamplingParams())
    assert not pane.table.stages.lines
    assert pane.table.rowHeight(3) == pane.table.rowHeight(2)


def test_that_as_many_tokens_as_chosen_are_listed_with_the_drawn_one_at_any_rank_and_a_small_vocabulary_whole(pane):
    last = int(pane.logits.argmin())
    show(pane, drawn(last), pane.logits, SamplingParams(), SEEN, SEED)
    assert tokens(pane)[0] == last, "above the likeliest"
    assert len(tokens(pane)) == 13
    assert [row.token for row in pane.table.stages.rows if row.came] == [last]
    assert table(pane)[-1][0] == "50,244 more"
    show(pane, drawn(2), np.array([1.0, 3.0, 2.0]), SamplingParams(), (0, 1), SEED)
    assert tokens(pane) == [1, 2, 0]
    show(pane, drawn(int(pane.logits.argmax())), pane.logits, SamplingParams(), SEEN, SEED)
    for count in (12, 25, 50):
        pane.count.setCurrentIndex(pane.count.findData(count))
        pane.count.activated.emit(pane.count.currentIndex())
        assert len(tokens(pane)) == count
        assert table(pane)[-1][0] == f"{VOCABULARY - count:,} more"


def test_that_the_title_shows_the_drawn_token_and_the_figures_its_entropy_before_and_after(pane):
    show(pane, drawn(0), np.zeros(256), SamplingParams(top_k=4), (), SEED)
    assert reads(pane, "bars_note") == "8.00 → 2.00 bits"
    assert reads(pane, "bars_choices") == "256 → 4.0"
    reshape(pane, SamplingParams(temperature=0.0))
    assert reads(pane, "bars_note") == "8.00 → 0.00 bits"
    assert reads(pane, "bars_choices") == "256 → 1.0"
    token = GPT2.encode(" forward")[0]
    show(pane, drawn(token, 0.361, 1_234), pane.logits, ALL, SEEN, SEED)
    title = "Position 1,234: ␣forward was sampled with probability 36.1 % then; the current sampling settings remove it"
    assert reads(pane, "bars_title") == title
    given = TokenRead(position=3, id=token, text=" forward", plain_probability=0.02, rank=9, plain_entropy_bits=2.0)
    show(pane, given, pane.logits, ALL, SEEN, SEED)
    assert reads(pane, "bars_title") == "Position 3: ␣forward was given; the model gave it 2.00 %"


def test_that_an_empty_pane_describes_why_and_nothing_is_computed_for_a_hidden_one(pane):
    pane.hide()
    rows = pane.table.stages.rows
    reshape(pane, ALL)
    show(pane, drawn(9), some_logits(5), ALL, SEEN, SEED)
    assert pane.table.stages.rows is rows
    pane.show()
    assert tokens(pane)[1:13] == np.argsort(-some_logits(5), kind="stable")[:12].tolist(), "below the one that came"
    assert pane.table.stages.choice.sampling_params == ALL
    pane.show_nothing("The likeliest next tokens appear here.")
    assert reads(pane, "choices_nothing") == "The likeliest next tokens appear here."
    assert not pane.table.isVisible()
    reshape(pane, ALL)
    assert not pane.table.isVisible()


# Cut tokens.


@pytest.fixture
def painted(monkeypatch):
    """The texts that were painted by hand, with their colours."""
    seen: dict[str, str] = {}
    real = QPainter.drawText

    def draw(painter, *args):
        seen[args[-1]] = painter.pen().color().name()
        return real(painter, *args)

    monkeypatch.setattr(QPainter, "drawText", draw)
    return seen


@pytest.mark.parametrize(
    ("sampling_params", "words"),
    [
        (SamplingParams(top_k=3), "removed: rank 4, top-k is 3"),
        (SamplingParams(temperature=0.0), "removed: temperature 0"),
        (SamplingParams(top_p=0.2, order=("top_p", *(stage for stage in USUAL_ORDER if stage != "top_p"))),
         "removed by top-p"),
        (SamplingParams(min_p=0.5, order=("min_p", *(stage for stage in USUAL_ORDER if stage != "min_p"))),
         "removed by min-p"),
    ],
)  # fmt: skip
def test_that_cut_tokens_are_grey_with_a_reason(pane, painted, sampling_params, words):
    reshape(pane, sampling_params)
    rows = pane.table.stages.rows
    painted.clear()
    pane.table.viewport().repaint()
    cut = next(row for row in rows if row.reasons)
    kept = next(row for row in rows if not row.reasons)
    assert words in cut.reasons
    assert painted[words] == colour("muted").name()
    assert painted[cut.name] == colour("muted").name()
    assert painted[kept.name] == colour("text").name()
    assert cut.after == 0
    assert all(cell == "" for cell in cut.cells[cut.cut_from : 7])


def test_that_a_reason_uses_the_available_width_and_a_stage_that_is_off_says_so(pane, painted):
    reshape(pane, SamplingParams(temperature=0.8, top_k=40))
    painted.clear()
    pane.table.head.viewport().repaint()
    assert painted["Temperature"] == painted["Top-k"] == colour("text").name()
    assert painted["Top-p"] == painted["off"] == colour("muted").name()
    assert painted["0.8"] == painted["40"] == colour("accent").name()
    assert table(pane)[0][2] == table(pane)[0][5] == "="
    reshape(pane, SamplingParams(top_k=3, order=("repetition_penalty", "temperature", "top_p", "min_p", "top_k")))
    pane.resize(640, 500)
    QApplication.processEvents()
    painted.clear()
    pane.table.viewport().repaint()
    assert "removed: rank 4, top-k is 3" not in painted
    assert "rank 4" in painted or "cut" in painted


# Choosing.


def test_that_a_click_or_enter_chooses_a_candidate_also_a_cut_one_but_not_the_rest(pane):
    reshape(pane, SamplingParams(top_k=1))
    for row, column in ((0, 0), (3, 0), (5, 4), (2, PROBABILITY)):
        QTest.mouseClick(pane.table.viewport(), LEFT, pos=middle(pane, row, column))
    assert pane.chosen == [tokens(pane)[row] for row in (0, 3, 5, 2)]
    pane.chosen.clear()
    pane.table.setCurrentIndex(pane.table.stages.index(0, 0))
    pane.activateWindow()
    pane.table.setFocus()
    QTest.keyClick(pane.table, Qt.Key.Key_Down)
    QTest.keyClick(pane.table, Qt.Key.Key_Return)
    assert pane.chosen == [tokens(pane)[1]]
    for _ in range(20):
        QTest.keyClick(pane.table, Qt.Key.Key_Down)
    QTest.keyClick(pane.table, Qt.Key.Key_Enter)
    QTest.keyClick(pane.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(pane.table, Qt.Key.Key_Space)
    assert pane.chosen == [tokens(pane)[1]]


# The order.


def drag(pane: ChoicesPane, stage: str, x: int) -> None:
    """Drag the heading of a column to ``x``."""
    head = pane.table.head.viewport()
    left = pane.table.columnViewportPosition(pane.table.stages.columns.index(stage))
    QTest.mousePress(head, LEFT, pos=QPoint(left + 10, 10))
    QTest.mouseMove(head, QPoint((left + x) // 2, 10))
    QTest.mouseMove(head, QPoint(x, 10))
    QTest.mouseRelease(head, LEFT, pos=QPoint(x, 10))


def test_that_dragging_a_stage_in_the_header_reports_the_new_order_and_changes_nothing_itself(pane):
    for column in ("token", "logit", "probability"):
        drag(pane, column, pane.table.columnViewportPosition(4))
    drag(pane, "top_k", pane.table.columnViewportPosition(4) + 8)
    assert pane.orders == []
    left = pane.table.columnViewportPosition
    drag(pane, "min_p", left(2) + 3)
    drag(pane, "repetition_penalty", left(5) - 3)
    drag(pane, "top_k", 2)
    drag(pane, "temperature", pane.table.width() - 5)
    assert pane.orders == [
        ("min_p", "repetition_penalty", "temperature", "top_k", "top_p"),
        ("temperature", "top_k", "repetition_penalty", "top_p", "min_p"),
        ("top_k", "repetition_penalty", "temperature", "top_p", "min_p"),
        ("repetition_penalty", "top_k", "top_p", "min_p", "temperature"),
    ]
    assert pane.table.stages.columns[2:-3] == SamplingParams().shown()
    reshape(pane, SamplingParams(order=pane.orders[0]))
    assert pane.table.stages.columns == ("token", "logit", *pane.orders[0], "sum", "probability", "draws")


def test_that_alt_and_the_arrows_move_the_focused_column(pane):
    pane.order_dragged.connect(lambda order: reshape(pane, SamplingParams(order=order)))
    pane.activateWindow()
    pane.table.setFocus()
    pane.table.setCurrentIndex(pane.table.stages.index(1, 3))
    QTest.keyClick(pane.table, Qt.Key.Key_Right, ALT)
    assert pane.orders[-1] == ("repetition_penalty", "top_k", "temperature", "top_p", "min_p")
    assert (pane.table.currentIndex().row(), pane.table.currentIndex().column()) == (1, 4)
    for _ in range(4):
        QTest.keyClick(pane.table, Qt.Key.Key_Left, ALT)
    assert pane.orders[-1] == ("temperature", "repetition_penalty", "top_k", "top_p", "min_p")
    assert len(pane.orders) == 3, "the ends hold"


def test_that_stages_without_effect_make_room_for_the_probabilities(pane, qtbot):
    def seen() -> list[str]:
        columns = pane.table.stages.columns
        return [name for place, name in enumerate(columns) if name in STAGES and not pane.table.isColumnHidden(place)]

    reshape(pane, SamplingParams(temperature=1.4, typical_p=0.9))
    assert seen() == list(SamplingParams(typical_p=0.9).shown())
    pane.resize(440, 500)
    QApplication.processEvents()
    assert seen() == ["temperature", "typical_p"]
    assert pane.table.horizontalScrollBar().maximum() == 0, "all of the probabilities is in sight"
    pane.activateWindow()
    pane.table.setFocus()
    pane.table.setCurrentIndex(pane.table.stages.index(1, pane.table.stages.columns.index("typical_p")))
    moved = []
    pane.order_dragged.connect(moved.append)
    QTest.keyClick(pane.table, Qt.Key.Key_Left, ALT)
    assert moved[-1].index("typical_p") + 1 == moved[-1].index("temperature"), "past the next that is seen"
    pane.resize(900, 500)
    QApplication.processEvents()
    assert "top_p" in seen()


# The stage_texts.


def test_that_the_arithmetic_is_of_the_cell_under_the_pointer_or_else_of_the_focused_one(pane):
    hint = reads(pane, "choices_told")
    reshape(pane, SamplingParams(temperature=1.4))
    QTest.mouseMove(pane.table.viewport(), middle(pane, 1, 3))
    logit = float(pane.logits[tokens(pane)[1]])
    words = reads(pane, "choices_told")
    assert re.fullmatch(rf"{logit:.2f}\d* / 1.4 = {logit / 1.4:.2f}", words)
    assert pane.table.stages.index(1, 3).data(Qt.ItemDataRole.ToolTipRole) == words
    QApplication.sendEvent(pane.table, QEvent(QEvent.Type.Leave))
    assert reads(pane, "choices_told") == hint
    pane.table.setCurrentIndex(pane.table.stages.index(0, 3))
    logit = float(pane.logits.max())
    for temperature in (0.5, 1.5):
        reshape(pane, SamplingParams(temperature=temperature))
        assert reads(pane, "choices_told").endswith(f" / {temperature} = {logit / temperature:.2f}")
    assert (pane.table.currentIndex().row(), pane.table.currentIndex().column()) == (0, 3)


def test_that_every_cell_has_an_arithmetic(pane):
    pane.draw.click()
    reverse = ALL.but(order=USUAL_ORDER[::-1])
    for sampling_params in (ALL, SamplingParams(), SamplingParams(temperature=0.0), reverse):
        reshape(pane, sampling_params)
        for row in range(len(pane.table.stages.rows)):
            for column in range(len(pane.table.stages.columns)):
                words = pane.table.stages.explain(row, column)
                assert words
                assert "nan" not in words


# Draws.


def counts(pane: ChoicesPane) -> list[int]:
    return [round(row.drawn * 1000) for row in pane.table.stages.rows]


def expected_counts(pane: ChoicesPane, sampling_params: SamplingParams, seed: int) -> list[int]:
    """Return the counts that 1,000 draws must give, from the probabilities and numpy's generator alone."""
    edges = np.cumsum(by_hand(pane.logits, sampling_params, SEEN)[1])
    ids = np.searchsorted(edges / edges[-1], np.random.default_rng(seed).random(1000), side="right")
    found = [int((ids == token).sum()) for token in tokens(pane)]
    return [*found, 1000 - sum(found)]


def test_that_draws_are_counted_with_a_seed_that_only_a_repetition_changes_and_stay_at_the_same_position(pane):
    assert all(row.drawn is None for row in pane.table.stages.rows)
    assert pane.table.isColumnHidden(DRAWS)
    pane.draw.click()
    for sampling_params in (SamplingParams(temperature=0.7), SamplingParams(temperature=1.4, top_k=5)):
        reshape(pane, sampling_params)
        assert counts(pane) == expected_counts(pane, sampling_params, SEED)
        assert reads(pane, "choices_seed") == f"seed {SEED}"
    reshape(pane, ALL)
    for seed in (SEED, SEED + 1, SEED + 2):
        if seed > SEED:
            pane.draw.click()
        assert counts(pane) == expected_counts(pane, ALL, seed)
        assert reads(pane, "choices_seed") == f"seed {seed}"
    assert not pane.table.isColumnHidden(DRAWS)
    row = pane.table.stages.rows[0]
    assert (row.cells[-1], row.expected) == (f"{counts(pane)[0]:,}", f"{row.after * 1000:,.0f}")

    show(pane, drawn(7), pane.logits.copy(), SamplingParams(), SEEN, SEED)
    assert reads(pane, "choices_seed") == f"seed {SEED + 2}"
    show(pane, drawn(7), some_logits(4), SamplingParams(), SEEN, 77)
    assert reads(pane, "choices_seed") == ""
    assert pane.table.isColumnHidden(DRAWS)
    pane.draw.click()
    assert reads(pane, "choices_seed") == "seed 77"


# Bars.


def widths(pane: ChoicesPane, name: str) -> list[int]:
    """Return, for each row, how many pixels of the bar have a colour."""
    pane.table.hovered_row = -1
    picture = pane.table.viewport().grab().toImage()
    found = []
    for row in range(len(pane.table.stages.rows)):
        rect = pane.table.visualRect(pane.table.stages.index(row, PROBABILITY))
        y = rect.top() + round(rect.height() * 0.62)
        xs = range(max(0, rect.left()), min(picture.width(), rect.right()))
        found.append(sum(picture.pixelColor(x, y).name() == colour(name).name() for x in xs))
    return found


@pytest.mark.parametrize("logarithmic", [False, True])
def test_that_bars_are_as_long_as_their_probabilities_on_one_scale(pane, logarithmic):
    show(pane, drawn(9), np.log([0.5, 0.25, 0.125, 0.1, 0.025]), SamplingParams(), (), SEED)
    pane.logarithmic.setChecked(logarithmic)
    after = np.array([row.after for row in pane.table.stages.rows])
    long = np.array(widths(pane, "accent"))
    wanted = np.log(after / 0.01) / np.log(100) if logarithmic else after / 0.5
    whole = long[0] / wanted[0]
    assert long == pytest.approx(whole * wanted, abs=2.5)
    assert long[0] > 40


def test_that_the_bar_of_the_unlisted_tokens_is_broken_where_it_is_too_long(pane):
    show(pane, drawn(9), np.zeros(VOCABULARY), SamplingParams(), (), SEED)
    assert pane.table.head.scale.high == pytest.approx(1 / VOCABULARY)
    *listed, rest = widths(pane, "accent")
    assert listed[0] > 40
    assert len(set(listed)) == 1
    assert listed[0] - 4 <= rest <= listed[0] - 2, "a gap of three pixels"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.booleans())
def test_that_a_scale_fits_all_shares_and_keeps_their_order(shares, logarithmic):
    scale = ShareScale.over(shares, logarithmic)
    places = [scale.at(share) for share in sorted(shares)]
    assert places == sorted(places)
    assert places[0] >= 0
    assert places[-1] <= 1 + 1e-9
    assert all(scale.at(share) > 0 for share in shares if share > 1e-11)
    assert all(scale.low < decade < scale.high for decade in scale.decades())


# Faults and empty states.


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_that_broken_logits_are_reported_and_not_drawn(pane, bad):
    broken = pane.logits.copy()
    broken[17] = bad
    show(pane, drawn(5), broken, SamplingParams(), SEEN, SEED)
    assert "not valid numbers" in reads(pane, "choices_nothing")
    assert "Position 4" in reads(pane, "choices_nothing")
    assert not pane.table.isVisible()
    reshape(pane, ALL)
    assert "not valid numbers" in reads(pane, "choices_nothing")
    show(pane, drawn(5), pane.logits, ALL, SEEN, SEED)
    assert pane.table.isVisible()


def test_that_tokens_of_every_kind_are_painted_at_any_size_and_in_any_colours(pane):
    logits = np.zeros(50_300)
    odd = [GPT2.encode(text)[0] for text in ("\x00", "\x1b", "\t", "ש", "ع", "🦔", "\n\n", "<|endoftext|>")]
    logits[odd] = 9
    logits[50_299] = 10  # a model may have more rows than the tokenizer has tokens
    show(pane, drawn(odd[0]), logits, ALL, SEEN, SEED)
    assert table(pane)[0][0] == "<id 50299>"
    pane.draw.click()
    looks = (1, DARK, (650, 330)), (2, LIGHT, (650, 330)), (2, DARK, (1900, 900)), (0.6, LIGHT, (200, 90))
    for zoom, colours, size in looks:
        theme.use(colours)
        theme.enlarge(None)
        theme.enlarge(zoom)
        pane.resize(*size)
        QApplication.processEvents()
        pane.grab()
        header = pane.table.head
        room = sum(header.sectionSize(column) for column in range(header.count()))
        assert room >= pane.table.viewport().width(), "the columns fill the room"
        assert pane.table.columnWidth(PROBABILITY) > pane.table.fontMetrics().horizontalAdvance("> 99.99 %") + 40


def test_that_a_cut_token_is_described_as_such_and_an_impossible_one_as_impossible(pane):
    reshape(pane, SamplingParams(top_k=2))
    model = pane.table.stages
    assert model.index(3, 4).data(Qt.ItemDataRole.AccessibleTextRole) == "removed: rank 4, top-k is 2"
    assert model.index(0, PROBABILITY).data(Qt.ItemDataRole.AccessibleTextRole) == percent(model.rows[0].after)
    assert pane.table.accessibleName()
    show(pane, drawn(1), np.array([0.0, -np.inf, 1.0]), SamplingParams(), (), SEED)
    assert table(pane)[2][PROBABILITY] == "0"
    assert pane.table.stages.rows[2].reasons == ("impossible",)
    assert all("nan" not in pane.table.stages.explain(2, column) for column in range(10))


def test_that_the_temperature_chart_is_drawn_again_for_other_logits_in_the_same_memory(application):
    view = LandscapeView()
    for seed in range(20):  # each array takes the memory of the one before it
        view.show_logits(some_logits(seed), SamplingParams(), SEEN, False)
        assert f": {GPT2.visible(int(some_logits(seed).argmax()))} " in view.said.text()


def test_that_the_temperature_chart_tries_temperatures_and_shows_the_probabilities_of_the_table(user):
    user.window.state.config = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.0)
    user.generate.write(3, "Every effort")
    choices, state = user.generate.view.choices, user.window.state
    user.click(choices.view.button(1))
    choice, landscape = user.generate.choice, choices.landscape
    x, y = landscape.plot.curves["0"].getData()
    at = int(np.abs(x - 1.0).argmin())
    assert y[at] == pytest.approx(choice.stages.plain.max(), abs=1e-6)
    assert "Temperature 1.00" in user.reads("temperature_said")
    landscape.plot.pointed.emit(0.52)
    assert state.sampling_params.temperature == 0.5
    assert user.generate.param("temperature").value() == 0.5
    landscape.plot.pointed.emit(2.999)
    landscape.plot.pointed.emit(None)
    assert state.sampling_params.temperature == 1.0, "the pointer has left"
    landscape.plot.pointed.emit(1.4)
    landscape.plot.chosen.emit(1.4)
    landscape.plot.pointed.emit(None)
    assert state.sampling_params.temperature == 1.4
    assert "Temperature 1.40" in user.reads("temperature_said")

    state.sampling_params = SamplingParams(top_k=12, temperature=0.7)
    first = choices.landscape.said.text().split(": ", 1)[1].split(", ")[0]
    top = user.generate.choice.stages
    share = float(top.probabilities.max())
    assert first.endswith(percent(share))
    assert "Kept: 12 tokens" in user.reads("temperature_said")

    switch = choices.by_table
    assert not switch.isEnabled()
    assert "untrained" in switch.toolTip()
    assert user.generate.choice.table is None


def test_that_a_thin_bar_shows_the_probability_of_the_training_table_and_can_be_hidden(user, study):
    user.window.state.opened_models = (source := SavedModel(study().newest_checkpoint()),)
    user.window.state.model = source
    user.generate.write(3, "The old bell")
    choices = user.generate.view.choices
    user.wait(lambda: user.generate.choice.table is not None)
    text = run_text.corpus_of(run_text.run_of(source))
    expected = NgramTable(text.train_ids, VOCABULARY).probabilities(user.generate.choice.context[-2:])
    *listed, rest = choices.table.stages.rows
    assert [row.table for row in listed] == [expected[row.token] for row in listed]
    assert rest.table == pytest.approx(1 - sum(row.table for row in listed))
    column = choices.table.stages.columns.index("probability")
    caption = f"Table of 3-grams: {stage_texts.share(listed[0].table)}"
    assert caption in choices.table.stages.explain(0, column)
    spoken = choices.table.stages.index(0, column).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"{percent(listed[0].after)}.  {caption}"
    user.click(choices.by_table)
    assert user.generate.choice.table is None
    assert choices.table.stages.rows[0].table is None
    user.click(choices.by_table)
    assert user.generate.choice.table.tolist() == expected.tolist()


def test_that_a_table_of_fewer_tokens_than_the_model_gives_the_others_zero():
    choice = TokenChoice.of(np.zeros(12), SamplingParams(), (1, 2), 3).with_table(NgramTable([1, 2, 3, 1, 2, 4], 9))
    assert choice.table[:9].sum() == pytest.approx(1)
    assert choice.table[9:].tolist() == [0, 0, 0]
