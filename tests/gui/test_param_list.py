"""The parameters of sampling: their ranges, their order, and their appearance when they have no effect."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from gptstudio.gpt.sampling import STAGES, USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.generate.stages.param_list import ParamList, ParamSlider
from gptstudio.gui.theme import colour, theme
from gptstudio.inference.spec import GenerateSpec

ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
OTHER = (
    "temperature", "presence_penalty", "top_k", "typical_p", "min_p", "frequency_penalty", "top_p",
    "repetition_penalty",
)


@pytest.fixture
def stack(application, qtbot):
    """All sampling parameters, as wide as in the side card; ``emitted`` records their values at each signal."""
    made = ParamList("left_")
    made.fold.button.click()
    theme.dress(made)
    made.resize(250, made.sizeHint().height())
    made.show()
    qtbot.waitExposed(made)
    made.emitted = []
    made.turned.connect(lambda: made.emitted.append(made.sampling_params()))
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def usual_size(application):
    yield
    if theme.zoom != 1:
        theme.enlarge(None)


def row(stack: ParamList, stage: str):
    return stack.slider(stage).parentWidget()


def drag(stack: ParamList, stage: str, y: int) -> None:
    """Drag a row by its grip to ``y`` pixels from the top of the stack, without releasing the button."""
    start = QPoint(3, row(stack, stage).height() // 2)
    QTest.mousePress(row(stack, stage), LEFT, pos=start)
    for step in (0.5, 1.0):
        end = row(stack, stage).mapFromParent(QPoint(3, y))
        QTest.mouseMove(row(stack, stage), start + (end - start) * step)


def drop(stack: ParamList, stage: str) -> None:
    QTest.mouseRelease(row(stack, stage), LEFT)


def shown(stack: ParamList) -> tuple[str, ...]:
    """Return the stages in their visual order from the top down."""
    return tuple(sorted(USUAL_ORDER, key=lambda stage: row(stack, stage).y()))


def test_that_the_usual_order_is_first_and_is_restored_by_one_click(stack):
    assert stack.sampling_params() == SamplingParams()
    assert shown(stack) == stack.sampling_params().order == USUAL_ORDER
    assert not stack.usual.isVisible()
    stack.set_params(SamplingParams(temperature=1.3, order=OTHER))
    assert stack.usual.isVisible()
    QTest.mouseClick(stack.usual, LEFT)
    assert stack.emitted == [SamplingParams(temperature=1.3)]
    assert not stack.usual.isVisible()


def test_that_values_are_shown_without_a_signal_also_if_they_are_finer_than_the_sliders(stack):
    settings = (
        SamplingParams(temperature=0.85, top_k=40, top_p=0.95, min_p=0.07, repetition_penalty=1.2, order=OTHER),
        SamplingParams(), SamplingParams(temperature=0.0, top_k=1, top_p=0.0, min_p=1.0, repetition_penalty=0.5),
        SamplingParams(typical_p=0.2, frequency_penalty=-0.35, presence_penalty=1.5),
    )
    for sampling_params in settings:
        stack.set_params(sampling_params)
        assert stack.sampling_params() == sampling_params
        QApplication.processEvents()
        assert shown(stack) == sampling_params.order
    assert stack.emitted == []
    sampling_params = SamplingParams(temperature=0.123, top_k=40_000, top_p=0.987, min_p=0.0123, repetition_penalty=3.5)
    stack.set_params(sampling_params)
    stack.settle()
    assert stack.sampling_params() == sampling_params
    assert stack.emitted == []


def test_that_each_row_can_be_dragged_to_any_place(stack):
    for stage in USUAL_ORDER:
        for place in range(len(USUAL_ORDER)):
            stack.set_params(SamplingParams())
            QApplication.processEvents()
            rows = [row(stack, each).geometry() for each in USUAL_ORDER]
            down = place > USUAL_ORDER.index(stage)
            drag(stack, stage, rows[place].bottom() - 2 if down else rows[place].top() + 2)
            drop(stack, stage)
            wanted = [each for each in USUAL_ORDER if each != stage]
            wanted.insert(place, stage)
            QApplication.processEvents()
            assert shown(stack) == stack.sampling_params().order == tuple(wanted)
    assert len(stack.emitted) == 8 * 7, "once for each that moved"


def test_that_a_mark_shows_where_a_row_will_be_dropped_and_a_click_moves_nothing(stack):
    QTest.mouseClick(row(stack, "top_p"), LEFT, pos=QPoint(3, 8))
    assert stack.sampling_params().order == USUAL_ORDER
    assert stack.emitted == []

    def marked() -> bool:
        picture = stack.grab().toImage()
        gap = row(stack, "top_k").geometry().top() - 3
        return picture.pixelColor(120, gap).name() == colour("accent").name()

    assert not marked()
    drag(stack, "min_p", row(stack, "top_k").geometry().top() + 2)
    assert marked()
    assert stack.sampling_params().order == USUAL_ORDER, "not before it is let go"
    drop(stack, "min_p")
    wanted = [stage for stage in USUAL_ORDER if stage != "min_p"]
    wanted.insert(wanted.index("top_k"), "min_p")
    assert stack.sampling_params().order == tuple(wanted)
    QApplication.processEvents()
    assert not marked()


@pytest.mark.parametrize("part", ["slider", "number"])
def test_that_alt_and_the_arrows_move_a_stage_which_keeps_the_focus(stack, qtbot, part):
    stack.activateWindow()
    control = getattr(stack.slider("top_k"), part)
    control.setFocus()
    value = stack.slider("top_k").value()
    places = []
    for key in (Qt.Key.Key_Down,) * 4 + (Qt.Key.Key_Up,) * 8:
        QTest.keyClick(control, key, ALT)
        places.append(stack.sampling_params().order.index("top_k"))
        assert QApplication.focusWidget() is control
    assert places == [5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0, 0], "the ends hold"
    assert len(stack.emitted) == 10
    assert stack.slider("top_k").value() == value


def test_that_tab_follows_the_order_of_the_parameters(stack):
    stack.activateWindow()
    stack.set_params(SamplingParams(order=OTHER))
    stack.slider("temperature").slider.setFocus()
    walked = []
    for _ in range(16):
        walked.append(QApplication.focusWidget().objectName())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert walked == [f"left_{stage}{part}" for stage in OTHER for part in ("", "_number")]


def test_that_stages_without_effect_are_muted(stack):
    def muted() -> list[str]:
        return [stage for stage in USUAL_ORDER if stack.slider(stage).caption.property("role") == "muted"]

    assert muted() == list(USUAL_ORDER)
    stack.slider("temperature").slider.setValue(30)
    stack.slider("min_p").slider.setValue(3)
    assert muted() == [stage for stage in USUAL_ORDER if stage not in ("temperature", "min_p")]
    stack.set_params(SamplingParams(
        temperature=0.0, top_k=50, top_p=0.9, min_p=0.1, repetition_penalty=1.1, typical_p=0.9, frequency_penalty=0.1,
        presence_penalty=-0.1,
    ))
    assert muted() == []


@pytest.mark.parametrize(
    ("stage", "typed", "shown", "value"),
    [
        ("top_p", "0,9", "0.90", 0.9), ("top_p", "7", "1.00", 1.0), ("top_p", "-1", "0.00", 0.0),
        ("min_p", "0.05", "0.05", 0.05), ("min_p", "0.051", "0.051", 0.051), ("min_p", "x", "1.00", 1.0),
        ("top_p", "0.999", "0.999", 0.999),
        ("repetition_penalty", "1.25", "1.25", 1.25), ("repetition_penalty", "0", "0.01", 0.01),
        ("repetition_penalty", "999", "100.00", 100.0), ("temperature", "5", "5.00", 5.0),
        ("frequency_penalty", "-0.5", "-0.50", -0.5), ("presence_penalty", "-3", "-2.00", -2.0),
        ("temperature", "0,5", "0.50", 0.5), ("temperature", "101", "100.00", 100.0),
        ("temperature", "-1", "0.00", 0.0), ("temperature", "warm", "1.00", 1.0), ("temperature", "nan", "0.00", 0.0),
        ("temperature", "", "1.00", 1.0), ("top_k", "7", "7", 7), ("top_k", "0", "all", None),
        ("top_k", "all", "all", None), ("top_k", "", "all", None), ("top_k", "1,000", "1,000", 1000),
        ("top_k", "99999999", "1,000,000", 1_000_000), ("top_k", "few", "1", 1), ("top_k", "-4", "1", 1),
    ],
)  # fmt: skip
def test_that_readable_values_are_clipped_to_the_range_of_the_field(application, qtbot, stage, typed, shown, value):
    param = ParamSlider(STAGES[stage])
    qtbot.addWidget(param)
    theme.dress(param)
    param.set_value(1)
    told = []
    param.turned.connect(lambda: told.append(param.value()))
    param.number.selectAll()
    qtbot.keyClick(param.number, Qt.Key.Key_Delete)
    qtbot.keyClicks(param.number, typed)
    qtbot.keyClick(param.number, Qt.Key.Key_Return)
    assert (param.number.text(), param.value()) == (shown, value)
    assert told == ([value] if value != 1 else [])


def test_that_other_stages_are_shown_on_request_or_when_they_have_an_effect(application, qtbot):
    made = ParamList()
    qtbot.addWidget(made)
    first = ["temperature", "top_k", "top_p"]

    def visible() -> list[str]:
        return [stage for stage in USUAL_ORDER if not row(made, stage).isHidden()]

    assert visible() == first
    made.set_params(SamplingParams(typical_p=0.5))
    assert visible() == [*first, "typical_p"]
    made.slider("typical_p").slider.setValue(100)
    assert "typical_p" in visible(), "it does not vanish under the pointer"
    made.fold.button.click()
    assert visible() == list(USUAL_ORDER)
    made.slider("min_p").slider.setValue(10)
    made.fold.button.click()
    assert visible() == [*first, "min_p"]


def test_that_every_position_of_a_slider_is_a_valid_value_and_every_control_describes_its_function(stack):
    for stage in USUAL_ORDER:
        param, values = stack.slider(stage), []
        for tick in range(param.slider.maximum() + 1):
            param.slider.setValue(tick)
            sampling_params = stack.sampling_params()
            assert GenerateSpec.make(**sampling_params.shallow()).sampling_params == sampling_params
            values.append(float("inf") if param.value() is None else param.value())
            param.set_value(param.value())
            if stage != "top_k":  # where a tenth of a doubling is less than one, some positions are the same
                assert param.slider.value() == tick
        assert values == sorted(values)
        stack.set_params(SamplingParams())
        assert GenerateSpec.model_fields[stage].description in param.slider.toolTip() == param.number.toolTip()
        assert param.slider.objectName() == f"left_{stage}"
        assert param.number.objectName() == f"left_{stage}_number"
        assert param.slider.accessibleName() == param.number.accessibleName() == param.caption.text()


@pytest.fixture
def card(application):
    """The container of the parameters."""
    made = QWidget()
    made.stack = ParamList()
    made.stack.fold.button.click()
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made.stack)
    theme.dress(made)
    made.show()
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize(
    ("zoom", "width", "lines"), [(1, 0, 2), (1, 250, 2), (1, 420, 1), (2, 0, 2), (2, 480, 1), (2, 500, 1)]
)
def test_that_nothing_is_cut_off_at_any_text_size(card, zoom, width, lines):
    theme.enlarge(zoom)
    stack = card.stack
    for _ in range(3):  # the change to two lines makes it taller
        card.resize(max(width, stack.minimumSizeHint().width()), stack.sizeHint().height())
        QApplication.processEvents()
    for label in stack.findChildren(QLabel):
        assert label.width() >= label.minimumSizeHint().width(), label.text()
    assert stack.rect().contains(stack.childrenRect())
    for stage in USUAL_ORDER:
        param = stack.slider(stage)
        name, slider, number = (part.geometry() for part in (param.caption, param.slider, param.number))
        assert all(param.rect().contains(part) for part in (name, slider, number))
        assert not any(a.intersects(b) for a, b in ((name, slider), (name, number), (slider, number)))
        assert slider.width() >= (120 if lines == 1 else 60)
        assert lines == (1 if slider.left() > name.right() else 2)
    lefts = {stack.slider(stage).slider.mapTo(stack, QPoint()).x() for stage in USUAL_ORDER}
    assert len(lefts) == 1, "the sliders stand below each other"
