"""Compare two: one prompt, two sides, and where and how far they differ. With real models of the smallest size."""

import gc
import weakref

import numpy as np
import pytest
from lessons import FEW
from messages import message
from pages.workers import Generation, at_once
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from gptstudio.app.requests import ModelCache
from gptstudio.app.state import GENERATE_FIELDS, AppState
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.comparison.compare_pane import ComparePane
from gptstudio.gui.generate.comparison.compare_view import probability_text
from gptstudio.gui.theme import theme
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import Ended, Event, TextEnded, TokenDrawn
from gptstudio.training.model_source import SavedModel, UntrainedModel

COMMON = GenerateSpec(prompt="The day was", max_new_tokens=12, seed=7, device="cpu")


class Desk:
    """The view, with models that answer its requests."""

    def __init__(self, state: AppState, qtbot):
        self.state, self.controller = state, Generation(state)
        self.pair = ComparePane(state, self.controller)
        qtbot.addWidget(self.pair)
        self.asks = self.controller.requests
        self.items: list[tuple[int, Event]] = []
        self._model_cache = ModelCache()

    def set_sources(self, untrained: UntrainedModel, *saved: SavedModel) -> None:
        """Set the models that can be chosen."""
        self.state.select_model(untrained.config)
        self.state.saved_models = saved

    def set_common(self, spec: GenerateSpec) -> None:
        """Set the settings of both sides."""
        self.state.prompt, self.state.sampling_params = spec.prompt, spec.sampling_params
        self.state.generate_values = {name: getattr(spec, name) for name in GENERATE_FIELDS}

    def press(self) -> None:
        """Click the button that compares or stops."""
        self.pair.go.click()

    def send_answer(self) -> None:
        """Deliver the complete answer to the last request."""
        self.items, *_ = at_once(self._model_cache.work(self.asks[-1]))
        self.controller.send(self.items)

    def compare(self, left=None, right=None, **common) -> None:
        """Compare both sides with these parameters, to the end."""
        self.set_common(COMMON.but(**common))
        for card, changes in zip(self.pair.sides, (left, right), strict=True):
            card.set_params(COMMON.sampling_params.but(**(changes or {})))
        self.press()
        self.send_answer()

    def drawn(self, side: int) -> list[TokenDrawn]:
        return [event for its, event in self.items if its == side and isinstance(event, TokenDrawn)]

    def reads(self, name: str) -> str:
        return self.pair.findChild(QLabel, name).text()


@pytest.fixture
def background(application, qtbot, tiny, study_once):
    desk = Desk(AppState(), qtbot)
    desk.pair.resize(650, 690)
    theme.dress(desk.pair)
    desk.pair.show()
    desk.set_sources(UntrainedModel(tiny), SavedModel(study_once("one").checkpoints()[-1]))
    desk.set_common(COMMON)
    return desk


@pytest.fixture
def same_model(background):
    """Choose the untrained model on both sides. Its distributions are nearly uniform, so different parameters soon
    differ."""
    background.pair.sides[1].choose(background.pair.sides[0].source())
    return background


def probabilities(drawn: TokenDrawn, before: list[int]) -> np.ndarray:
    """Return the distribution from which a token was drawn, computed again: penalty, temperature, top-k."""
    z, params = drawn.logits.astype(np.float64), drawn.sampling_params
    for token in set(before):
        z[token] = z[token] / params.repetition_penalty if z[token] > 0 else z[token] * params.repetition_penalty
    z /= params.temperature
    if params.top_k:
        z[np.argsort(-z, kind="stable")[params.top_k :]] = -np.inf
    p = np.exp(z - z.max())
    return p / p.sum()


def distance(p: np.ndarray, q: np.ndarray) -> float:
    """Return the Jensen-Shannon divergence in bits, as the mean of two Kullback-Leibler divergences from the middle."""
    size = max(p.size, q.size)
    p, q = np.pad(p, (0, size - p.size)), np.pad(q, (0, size - q.size))
    m = (p + q) / 2
    return sum((each[each > 0] * np.log2(each[each > 0] / m[each > 0])).sum() for each in (p, q)) / 2


def expected_distances(background: Desk) -> list[float]:
    prompt = GPT2.encode(COMMON.prompt)
    sides = []
    for side in (0, 1):
        drawn = background.drawn(side)
        ids = prompt + [each.id for each in drawn]
        sides.append([probabilities(each, ids[: each.position]) for each in drawn])
    return [distance(p, q) for p, q in zip(*sides, strict=True)]


# Requests.


def test_that_one_click_compares_untrained_with_trained_or_two_temperatures_and_explains_how_to_get_a_trained_model(
    background, qtbot, tiny
):
    untrained, trained = (card.source() for card in background.pair.sides)
    assert isinstance(untrained, UntrainedModel)
    assert isinstance(trained, SavedModel)

    qtbot.mouseClick(background.pair.models, Qt.MouseButton.LeftButton)
    (request,) = background.asks
    assert isinstance(request.left.source, UntrainedModel)
    assert request.left.source.seed == COMMON.seed, "as if it had been started in the Model panel"
    assert isinstance(request.right.source, SavedModel)
    assert request.left.spec == request.right.spec == COMMON.but(samples=1)
    background.send_answer()
    assert not background.pair.running
    assert len(background.pair.view.alignment.columns) == 12

    qtbot.mouseClick(background.pair.temperatures, Qt.MouseButton.LeftButton)
    _, request = background.asks
    assert request.left.source == request.right.source
    assert isinstance(request.left.source, SavedModel)
    assert (request.left.spec.temperature, request.right.spec.temperature) == (0.7, 1.4)
    assert request.right.spec.but(temperature=0.7) == request.left.spec
    background.send_answer()
    assert "temperature 0.70" in background.reads("pair_title_0")
    assert "temperature 1.40" in background.reads("pair_title_1")

    background.set_sources(UntrainedModel(tiny))
    assert not background.pair.models.isEnabled()
    assert message("train_model_first") in background.pair.models.toolTip()
    assert background.pair.temperatures.isEnabled()


def test_that_no_request_is_sent_while_a_setting_is_invalid_or_a_comparison_runs_which_can_be_stopped(background):
    background.state.generate_values = {**background.state.generate_values, "max_new_tokens": "many"}
    background.press()
    assert background.asks == []
    assert background.pair.go.toolTip() == message("setting_beside_wrong")

    background.set_common(COMMON)
    background.press()
    assert background.pair.go.text() == "Stop"
    assert not background.pair.models.isEnabled()
    assert background.controller.stops == 0
    background.press()
    assert background.controller.stops == 1
    assert len(background.asks) == 1


def test_that_a_users_choice_stays_when_models_and_settings_change(background, study_once):
    left, right = background.pair.sides
    untrained, trained = left.source(), right.source()
    left.model_box.setCurrentIndex(1)
    left.model_box.activated.emit(1)
    left.stack.slider("temperature").slider.setValue(10)
    background.set_sources(UntrainedModel(untrained.config), SavedModel(study_once("two").checkpoints()[-1]), trained)
    background.set_common(COMMON.but(temperature=1.3))
    assert left.source() == trained
    assert (left.sampling_params().temperature, right.sampling_params().temperature) == (0.5, 1.3)


def test_that_folded_parameters_are_summarised_and_a_number_just_typed_applies(background, qtbot):
    card = background.pair.sides[0]
    card.set_params(COMMON.sampling_params.but(temperature=0.5, top_k=None, min_p=0.1))
    assert not card.stack.isVisible()
    assert card.summary.isVisible()
    assert card.summary.text() == "temperature 0.50, min-p 0.10"
    fine = COMMON.sampling_params.but(temperature=0.5, top_k=None, top_p=0.995, min_p=0.001, order="min_p,temperature")
    card.set_params(fine)
    assert card.summary.text() == "min-p 0.001, temperature 0.50, top-p 0.995, in this order"
    card.set_params(COMMON.sampling_params.but(temperature=0.5, top_k=None))
    background.pair.sampling_params.click()
    assert card.stack.isVisible()
    assert not card.summary.isVisible()

    number = background.pair.sides[0].stack.slider("temperature").number
    number.selectAll()
    qtbot.keyClicks(number, "0.35")
    background.set_common(COMMON)  # the page announces it repeatedly
    background.press()
    assert (background.asks[0].left.spec.temperature, background.asks[0].right.spec.temperature) == (0.35, 1.0)


# Results.


def test_that_distances_are_those_of_an_independent_computation(same_model):
    same_model.compare(
        {"temperature": 0.6, "top_k": 200, "repetition_penalty": 1.7}, {"temperature": 1.3, "top_k": None}
    )
    alignment = same_model.pair.view.alignment
    expected = expected_distances(same_model)
    assert [column.distance for column in alignment.columns] == pytest.approx(expected, abs=1e-9)
    assert min(expected) > 0
    assert max(expected) < 1
    assert alignment.mean_distance() == pytest.approx(np.mean(expected))
    surprises = [-np.log2(each.plain_probability) for each in same_model.drawn(1)]
    assert alignment.mean_surprise(1) == pytest.approx(np.mean(surprises))
    assert f"mean surprisal {np.mean(surprises):.2f} bits" == same_model.reads("pair_surprise_1")


def test_that_equal_sides_write_the_same_unless_one_ends_and_a_text_stopped_between_them_does_not_differ(same_model):
    same_model.compare()
    assert same_model.reads("pair_verdict") == message("both_wrote_same")
    assert same_model.reads("pair_totals").startswith("12 of 12 tokens the same")
    assert [column.distance for column in same_model.pair.view.alignment.columns] == [0.0] * 12

    # A side that cannot continue. The answer is constructed, since one prompt would stop both sides.
    items = same_model.items
    end = next(i for i, (_, event) in enumerate(items) if event is same_model.drawn(0)[4])
    ended = TextEnded(sample=0, position=same_model.drawn(0)[4].position, reason="end_of_text")
    rest = [(side, event) for side, event in items[end + 1 :] if side == 1 or isinstance(event, Ended)]
    same_model.press()
    same_model.controller.send([*items[: end + 1], (0, ended), *rest])
    assert same_model.reads("pair_verdict").startswith("They diverge at new token 6: the end of its text and “")
    assert same_model.pair.view.alignment.equal == 5

    # A stop between the two sides.
    last = next(i for i, (_, event) in enumerate(items) if event is same_model.drawn(0)[4])
    same_model.press()
    ended = Ended(outcome="stopped", message="Stopped.")
    same_model.controller.send([*items[: last + 1], (0, ended)])
    assert same_model.reads("pair_verdict") == message("both_wrote_same")
    assert same_model.reads("pair_phase") == "Stopped."
    assert not same_model.pair.running
    assert same_model.pair.view.alignment.columns[-1].candidates


def test_that_the_first_difference_is_named_and_shown_first(same_model):
    same_model.compare({"top_k": 50}, {"top_k": 49})
    left, right = ([each.id for each in same_model.drawn(side)] for side in (0, 1))
    first = next(i for i in range(12) if left[i] != right[i])
    assert first == 2, "the parameters are so alike that they write the same at first"
    a, b = GPT2.visible(left[first]), GPT2.visible(right[first])
    assert same_model.reads("pair_verdict") == f"They diverge at new token {first + 1}: “{a}” and “{b}”"
    equal = sum(x == y for x, y in zip(left, right, strict=True))
    assert same_model.reads("pair_totals").startswith(f"{equal} of 12 tokens the same")
    assert same_model.pair.view.strip.current == first
    assert same_model.reads("pair_bars_title").startswith(f"New token {first + 1}: ")
    before = np.mean(expected_distances(same_model)[: first + 1])
    assert same_model.pair.view.alignment.mean_distance(same_text=True) == pytest.approx(before, rel=1e-6)
    assert f"{before:.2f} bits before they diverge" in same_model.reads("pair_totals")


def test_that_the_candidates_of_both_sides_are_those_of_their_logits(same_model):
    same_model.compare({"temperature": 0.8, "top_k": 50}, {"temperature": 1.2, "top_k": None})
    view, prompt = same_model.pair.view, GPT2.encode(COMMON.prompt)
    view.strip.chosen.emit(5)
    column = view.column
    for side in (0, 1):
        drawn = same_model.drawn(side)
        p = probabilities(drawn[5], prompt + [each.id for each in drawn[:5]])
        shown = [each.shares[side].probability for each in column.candidates]
        assert shown == pytest.approx([p[each.ids[side]] for each in column.candidates])
        assert sum(shown) + column.other_shares[side] == pytest.approx(1)
        assert drawn[5].id in [each.ids[side] for each in column.candidates]
        likeliest = set(np.argsort(-drawn[5].logits, kind="stable")[:3].tolist())
        assert likeliest <= {each.ids[side] for each in column.candidates}
    assert len(column.candidates) == 8
    assert column.others == FEW - 8


def test_that_arrow_keys_move_between_the_positions_and_a_clicked_one_stays_chosen_while_more_is_written(
    same_model, qtbot
):
    same_model.compare(None, {"temperature": 2.0})
    view = same_model.pair.view
    view.strip.chosen.emit(0)
    view.strip.choose(0)
    view.strip.setFocus()
    for key, expected in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_End, 11),
                          (Qt.Key.Key_Right, 11), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0)):  # fmt: skip
        QTest.keyClick(view.strip, key)
        assert view.strip.current == expected
        assert view.column == view.alignment.columns[expected]
        assert same_model.reads("pair_bars_title").startswith(f"New token {expected + 1}: ")

    # While more is written.
    items, view = same_model.items, same_model.pair.view
    same_model.press()
    same_model.controller.send(items[: len(items) // 2])
    assert view.strip.current == len(view.alignment.columns) - 1, "until one is chosen, the newest is shown"
    place = view.strip.place(1).center().toPoint()
    qtbot.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=place)
    same_model.controller.send(items[len(items) // 2 :])
    assert view.strip.current == 1
    assert view.column == view.alignment.columns[1]


# Ways to end.


def test_that_one_side_may_end_early_and_the_other_continues(same_model):
    sampling_params = ({"top_k": 50}, {"top_k": None, "temperature": 1.5})
    same_model.compare(*sampling_params)
    left, right = ([each.id for each in same_model.drawn(side)] for side in (0, 1))
    written = GPT2.decode(right)
    last = next(i for i, each in enumerate(left) if i > 2 and GPT2.decode([each]) not in written)
    same_model.compare(*sampling_params, stop_text=GPT2.decode([left[last]]))
    assert sum(isinstance(event, TextEnded) for _, event in same_model.items) == 1
    columns = same_model.pair.view.alignment.columns
    assert len(columns) == 12
    assert [column.cells[0] is None for column in columns] == [i > last for i in range(12)]
    assert all(column.cells[1] for column in columns)
    assert [column.distance is None for column in columns] == [i > last for i in range(12)]
    assert all(column.candidates for column in columns), "also of the side that is alone"
    words = f"Left: the stop text was reached. New tokens: {last + 1}."
    assert same_model.reads("pair_ended") == words
    assert same_model.pair.view.ended.isVisible()
    assert message("text_ended") in same_model.pair.view.strip.words(11)


def test_that_vocabularies_of_two_sizes_can_be_compared(background, tiny, study_once):
    wide = study_once("wide", config=tiny.but(vocab_size=50_300))
    background.set_sources(UntrainedModel(tiny), SavedModel(wide.checkpoints()[-1]))
    background.pair.sides[1].choose(SavedModel(wide.checkpoints()[-1]))
    background.compare({"top_k": None}, {"top_k": None})
    columns = background.pair.view.alignment.columns
    assert [column.distance for column in columns] == pytest.approx(expected_distances(background), abs=1e-9)
    assert columns[0].others == 50_300 - 8


def test_that_both_sides_use_the_same_random_numbers_after_a_prompt_longer_than_one_of_the_contexts(
    background, tiny, study_once
):
    long = SavedModel(study_once("long", config=tiny.but(context_length=1_100), train_ratio=0.6).checkpoints()[-1])
    background.set_sources(UntrainedModel(tiny), long)
    background.pair.sides[1].choose(long)
    background.compare(prompt="Every effort moves you. " * 300)
    left, right = (background.drawn(side) for side in (0, 1))
    assert len(left) == len(right) > 0
    assert [each.random_number for each in left] == [each.random_number for each in right]
    assert [each.position for each in left] == [each.position for each in right]
    assert left[0].position == 1_100


def test_that_a_failure_is_reported(background, tiny, study_once):
    background.compare(prompt="")
    assert message("prompt_empty") in background.reads("pair_notice")
    assert background.pair.view.notice.isVisible()
    assert not background.pair.running
    assert background.pair.view.empty.isVisible()
    background.compare()
    assert background.reads("pair_notice") == ""


def test_that_both_texts_can_be_copied_no_logits_are_kept_and_a_comparison_can_be_repeated(same_model):
    same_model.compare(None, {"temperature": 2.0})
    same_model.pair.view.copy.click()
    copied = QGuiApplication.clipboard().text()
    for side in (0, 1):
        assert COMMON.prompt + "".join(each.text for each in same_model.drawn(side)) in copied

    kept = [weakref.ref(each.logits) for side in (0, 1) for each in same_model.drawn(side)]
    assert len(kept) == 24
    assert all(each() is not None for each in kept)
    same_model.items = []
    gc.collect()
    assert [each() for each in kept] == [None] * 24

    # Once more, from the start.
    same_model.press()
    assert same_model.asks[0] == same_model.asks[1]
    assert same_model.pair.running
    assert same_model.pair.view.alignment.columns == []


def test_that_the_candidates_are_beside_the_texts_only_on_a_wide_page_and_the_prompt_is_described(same_model, qtbot):
    same_model.compare(None, {"temperature": 2.0})
    view = same_model.pair.view
    texts = view.findChild(QWidget, "pair_card")
    for width, beside in ((650, False), (1300, True), (1000, False)):
        same_model.pair.resize(width, 690)
        qtbot.waitUntil(lambda beside=beside: (view.choices.x() > texts.x()) == beside)
        assert texts.width() > (0.6 if beside else 0.9) * width
        assert view.strip_scroll.height() > 2 * (view.strip.place(0).height())
    same_model.compare(prompt="One\nof")
    assert same_model.reads("pair_prompt") == "Both continue the same prompt (3 tokens): “One↵of”"
    same_model.compare(prompt="word " * 50)
    words = same_model.reads("pair_prompt")
    beginning = "Both continue the same prompt (51 tokens): “…"
    assert words.startswith(f"{beginning}word word")
    assert len(words.removeprefix(beginning)) < 65


def test_that_a_cut_candidate_has_the_models_probability_and_the_entropy_is_of_both_distributions(same_model):
    same_model.compare({"top_k": 1}, {"top_k": None, "temperature": 1.5})
    view = same_model.pair.view
    view.strip.chosen.emit(0)
    drawn, (first, *others) = same_model.drawn(0)[0], view.column.candidates
    p = np.exp(drawn.logits.astype(np.float64) - drawn.logits.max())
    p /= p.sum()
    assert (first.ids[0], first.shares[0].cut_by) == (drawn.id, None)
    assert {each.shares[0].cut_by for each in others} == {"top_k"}
    assert [each.shares[0].plain for each in others] == pytest.approx([p[each.ids[0]] for each in others])
    assert same_model.reads("pair_cut") == "Hollow: probability before top-k removed it."
    assert probability_text(others[0].shares[0]).endswith("%, removed by top-k")
    same_model.compare({"top_k": None}, {"top_k": None, "temperature": 1.5})
    view.strip.chosen.emit(0)
    assert view.cut.isHidden()
    same_model.compare({"top_k": 20}, {"top_k": None, "temperature": 2.0})
    for side in (0, 1):
        drawn = same_model.drawn(side)[0]
        plain = np.exp(drawn.logits.astype(np.float64) - drawn.logits.max())
        effective = []
        for p in (plain / plain.sum(), probabilities(drawn, GPT2.encode(COMMON.prompt))):
            p = p[p > 0]
            effective.append(2 ** -(p * np.log2(p)).sum())
        view.strip.chosen.emit(0)
        choices, after, *_ = view.bars.rows
        assert (choices.name, after.name) == ("effective choices", "after sampling")
        assert [choices.figures[side], after.figures[side]] == [f"{each:,.0f}" for each in effective]


def test_that_checkpoints_of_a_run_are_compared_under_different_names(background, tiny, tmp_path):
    def saved(second: int, step: int) -> SavedModel:
        return SavedModel(tmp_path / f"2026-01-01_1010{second}_tiny" / "checkpoints" / f"step-{step:06}")

    background.set_sources(
        UntrainedModel(tiny), saved(42, 90), saved(10, 90), saved(42, 60), saved(42, 20), saved(10, 20)
    )
    card = background.pair.sides[0]
    names = [card.model_box.itemText(index) for index in range(card.model_box.count())]
    assert names == [
        "Untrained, as set in the Model panel",
        *(f"2026-01-01_101042_tiny  ·  step {step}" for step in (91, 61, 21)),
        *(f"2026-01-01_101010_tiny  ·  step {step}" for step in (91, 21)),
        "Table of 3-grams",
    ]
    card.model_box.setCurrentIndex(3)
    card.model_box.activated.emit(3)
    background.set_sources(UntrainedModel(tiny), saved(42, 90), saved(42, 20))
    assert card.model_box.currentText() == "2026-01-01_101042_tiny  ·  step 21"
    assert card.source() == saved(42, 20)


@pytest.mark.parametrize("whole", [False, True])
def test_that_no_text_is_cut_off_in_large_text(same_model, qtbot, whole):
    theme.enlarge(2)
    try:
        pair = same_model.pair
        pair.set_scrolled_by_page(whole)
        same_model.compare({"top_k": 5}, {"temperature": 2.0})
        qtbot.wait(50)
        if whole:
            pair.resize(pair.minimumSizeHint().width(), 690)
            qtbot.wait(50)
            pair.resize(pair.width(), pair.minimumSizeHint().height())
            qtbot.wait(50)
            qtbot.waitUntil(lambda: pair.findChild(QWidget, "pair_scroll").verticalScrollBar().maximum() == 0)
        shown = [each for each in same_model.pair.findChildren(QLabel) if each.isVisible() and each.text()]
        assert len(shown) > 8
        qtbot.waitUntil(lambda: not [each for each in shown if each.height() < each.heightForWidth(each.width())])
        view, strip = same_model.pair.view, same_model.pair.view.strip
        qtbot.waitUntil(lambda: view.strip_scroll.geometry().bottom() < view.note.y())  # nothing covers the strip
        qtbot.waitUntil(lambda: all(strip.place(i).right() <= strip.width() for i in range(12)))
    finally:
        theme.enlarge(None)


def test_that_a_long_notice_in_large_text_takes_no_height_from_its_neighbours(same_model, qtbot):
    theme.enlarge(1.5)
    try:
        same_model.compare({"top_k": 5}, {"temperature": 2.0}, prompt="The old bell and the sea. " * 20)
        notice, view = same_model.pair.view.notice, same_model.pair.view
        qtbot.waitUntil(lambda: notice.isVisible() and notice.height() > 1.5 * notice.fontMetrics().height())
        for name in ("pair_card", "pair_choices"):
            card = view.findChild(QWidget, name)
            qtbot.waitUntil(lambda card=card: card.height() >= card.layout().totalMinimumHeightForWidth(card.width()))
    finally:
        theme.enlarge(None)
