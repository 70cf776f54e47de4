"""The dials of sampling: what they take, the order they stand in, and how they look when they change nothing."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from gptstudio.gpt.sampling_params import STAGES, SamplingParams
from gptstudio.gui.decoding.stages.param_list import ParamList
from gptstudio.gui.decoding.stages.param_slider import min_p_slider, repetition_slider, top_p_slider
from gptstudio.gui.theme import colour, theme
from gptstudio.training.spec import GenerateSpec

ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
OTHER = ("temperature", "top_k", "min_p", "top_p", "repetition_penalty")


@pytest.fixture
def stack(application, qtbot):
    """Somebody's dials, as wide as in the side card, listened to."""
    made = ParamList("left_")
    theme.dress(made)
    made.resize(250, made.sizeHint().height())
    made.show()
    qtbot.waitExposed(made)
    made.told = []
    made.turned.connect(lambda: made.told.append(made.sampling_params()))
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def usual_size(application):
    yield
    if theme.zoom != 1:
        theme.enlarge(None)


def row(stack: ParamList, stage: str):
    return getattr(stack, stage).parentWidget()


def drag(stack: ParamList, stage: str, y: int) -> None:
    """Takes a row by its grip, to ``y`` pixels from the top of the stack; does not let go."""
    start = QPoint(3, row(stack, stage).height() // 2)
    QTest.mousePress(row(stack, stage), LEFT, pos=start)
    for step in (0.5, 1.0):
        end = row(stack, stage).mapFromParent(QPoint(3, y))
        QTest.mouseMove(row(stack, stage), start + (end - start) * step)


def drop(stack: ParamList, stage: str) -> None:
    QTest.mouseRelease(row(stack, stage), LEFT)


def shown(stack: ParamList) -> tuple[str, ...]:
    """The stages from the top down, as one sees them."""
    return tuple(sorted(STAGES, key=lambda stage: row(stack, stage).y()))


def test_that_the_usual_order_stands_first_and_changes_nothing(stack):
    assert stack.sampling_params() == SamplingParams()
    assert shown(stack) == stack.order() == STAGES
    assert not stack.usual.isVisible()


def test_that_values_are_shown_without_telling(stack):
    settings = SamplingParams(0.85, 40, 0.95, 0.07, 1.2, OTHER), SamplingParams(), SamplingParams(0.0, 1, 0.0, 1.0, 0.5)
    for sampling_params in settings:
        stack.set_params(sampling_params)
        assert stack.sampling_params() == sampling_params
        QApplication.processEvents()
        assert shown(stack) == sampling_params.order
    assert stack.told == []


def test_that_values_finer_than_the_sliders_stay_what_they_are(stack):
    sampling_params = SamplingParams(0.123, 40_000, 0.987, 0.0123, 3.5)
    stack.set_params(sampling_params)
    stack.settle()
    assert stack.sampling_params() == sampling_params
    assert stack.told == []


def test_that_each_row_can_be_dragged_to_any_place(stack):
    for stage in STAGES:
        for place in range(len(STAGES)):
            stack.set_params(SamplingParams())
            QApplication.processEvents()
            rows = [row(stack, each).geometry() for each in STAGES]
            down = place > STAGES.index(stage)
            drag(stack, stage, rows[place].bottom() - 2 if down else rows[place].top() + 2)
            drop(stack, stage)
            wanted = [each for each in STAGES if each != stage]
            wanted.insert(place, stage)
            QApplication.processEvents()
            assert shown(stack) == stack.order() == tuple(wanted)
    assert len(stack.told) == 20, "once for each that moved"


def test_that_a_mark_shows_where_a_row_will_be_dropped(stack):
    def marked() -> bool:
        picture = stack.grab().toImage()
        gap = row(stack, "top_k").geometry().top() - 3
        return picture.pixelColor(120, gap).name() == colour("accent").name()

    assert not marked()
    drag(stack, "min_p", row(stack, "top_k").geometry().top() + 2)
    assert marked()
    assert stack.order() == STAGES, "not before it is let go"
    drop(stack, "min_p")
    assert stack.order() == ("repetition_penalty", "temperature", "min_p", "top_k", "top_p")
    QApplication.processEvents()
    assert not marked()


def test_that_a_click_on_a_row_moves_nothing(stack):
    QTest.mouseClick(row(stack, "top_p"), LEFT, pos=QPoint(3, 8))
    assert stack.order() == STAGES
    assert stack.told == []


@pytest.mark.parametrize("part", ["slider", "number"])
def test_that_alt_and_the_arrows_move_a_stage_and_the_focus_stays_on_it(stack, qtbot, part):
    stack.activateWindow()
    control = getattr(stack.top_k, part)
    control.setFocus()
    value = stack.top_k.value()
    places = []
    for key in (Qt.Key.Key_Down,) * 3 + (Qt.Key.Key_Up,) * 5:
        QTest.keyClick(control, key, ALT)
        places.append(stack.order().index("top_k"))
        assert QApplication.focusWidget() is control
    assert places == [3, 4, 4, 3, 2, 1, 0, 0], "the ends hold"
    assert len(stack.told) == 6
    assert stack.top_k.value() == value


def test_that_the_usual_order_is_one_press_away(stack):
    stack.set_params(SamplingParams(1.3, order=OTHER))
    assert stack.usual.isVisible()
    QTest.mouseClick(stack.usual, LEFT)
    assert stack.told == [SamplingParams(1.3)]
    assert not stack.usual.isVisible()


def test_that_tab_walks_through_the_dials_as_they_stand(stack):
    stack.activateWindow()
    stack.set_params(SamplingParams(order=OTHER))
    stack.temperature.slider.setFocus()
    walked = []
    for _ in range(10):
        walked.append(QApplication.focusWidget().objectName())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert walked == [f"left_{stage}{part}" for stage in OTHER for part in ("", "_number")]


def test_that_stages_that_change_nothing_are_muted(stack):
    def muted() -> list[str]:
        return [stage for stage in STAGES if getattr(stack, stage).caption.property("role") == "muted"]

    assert muted() == list(STAGES)
    stack.temperature.slider.setValue(30)
    stack.min_p.slider.setValue(3)
    assert muted() == ["repetition_penalty", "top_k", "top_p"]
    stack.set_params(SamplingParams(0.0, 50, 0.9, 0.1, 1.1))
    assert muted() == []


@pytest.mark.parametrize(
    ("make", "typed", "shown", "value"),
    [
        (top_p_slider, "0,9", "0.90", 0.9), (top_p_slider, "7", "1.00", 1.0), (top_p_slider, "-1", "0.00", 0.0),
        (min_p_slider, "0.05", "0.05", 0.05), (min_p_slider, "0.051", "0.05", 0.051), (min_p_slider, "x", "1.00", 1.0),
        (repetition_slider, "1.25", "1.25", 1.25), (repetition_slider, "0", "0.50", 0.5),
        (repetition_slider, "9", "2.00", 2.0),
    ],
)  # fmt: skip
def test_that_a_dial_takes_what_can_be_read_and_keeps_the_rest_out(application, qtbot, make, typed, shown, value):
    dial = make("A dial")
    qtbot.addWidget(dial)
    theme.dress(dial)
    dial.set_value(1.0)
    told = []
    dial.turned.connect(lambda: told.append(dial.value()))
    dial.number.setText(typed)
    qtbot.keyClick(dial.number, Qt.Key.Key_Return)
    dial.settle()
    assert (dial.number.text(), dial.value()) == (shown, value)
    assert told == ([value] if value != 1 else [])


def test_that_every_position_of_a_slider_is_a_value_that_can_be_used(stack):
    for stage in STAGES:
        dial, values = getattr(stack, stage), []
        for tick in range(dial.slider.maximum() + 1):
            dial.slider.setValue(tick)
            sampling_params = stack.sampling_params()
            assert GenerateSpec.make(**sampling_params._asdict()).sampling_params == sampling_params
            values.append(dial.value() or (float("inf") if stage == "top_k" else 0))
            dial.set_value(dial.value())
            if stage != "top_k":  # where a tenth of a doubling is less than one, some positions are the same
                assert dial.slider.value() == tick
        assert values == sorted(values)
        stack.set_params(SamplingParams())


def test_that_every_control_says_what_it_does(stack):
    for stage in STAGES:
        dial = getattr(stack, stage)
        assert GenerateSpec.model_fields[stage].description in dial.toolTip()
        assert dial.slider.objectName() == f"left_{stage}"
        assert dial.number.objectName() == f"left_{stage}_number"
        assert dial.slider.accessibleName() == dial.number.accessibleName() == dial.caption.text()


@pytest.fixture
def card(application):
    """What the dials lie in."""
    made = QWidget()
    made.stack = ParamList()
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made.stack)
    theme.dress(made)
    made.show()
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize(
    ("zoom", "width", "lines"), [(1, 0, 2), (1, 250, 1), (1, 420, 1), (2, 0, 2), (2, 250, 2), (2, 480, 1)]
)
def test_that_nothing_is_cut_off_at_any_text_size(card, zoom, width, lines):
    theme.enlarge(zoom)
    stack = card.stack
    for _ in range(3):  # to turn into two lines makes it higher
        card.resize(max(width, stack.minimumSizeHint().width()), stack.sizeHint().height())
        QApplication.processEvents()
    for label in stack.findChildren(QLabel):
        assert label.width() >= label.minimumSizeHint().width(), label.text()
    assert stack.rect().contains(stack.childrenRect())
    for stage in STAGES:
        dial = getattr(stack, stage)
        name, slider, number = (part.geometry() for part in (dial.caption, dial.slider, dial.number))
        assert all(dial.rect().contains(part) for part in (name, slider, number))
        assert not any(a.intersects(b) for a, b in ((name, slider), (name, number), (slider, number)))
        assert slider.width() >= 60
        assert lines == (1 if slider.left() > name.right() else 2)
    lefts = {getattr(stack, stage).slider.mapTo(stack, QPoint()).x() for stage in STAGES}
    assert len(lefts) == 1, "the sliders stand below each other"
