"""The row of controls above the strip (step, play, colour, undo): its layout and accessibility."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from strips import discard, usual

from gptstudio.gui.canvas.tint import SCALES
from gptstudio.gui.generate.strip.text_card import FASTEST, TICKS, Transport
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.gui.widgets.icons import SIGNS, IconButton

BUTTONS = ("start", "back", "play", "forward", "end", "uncertain", "undo", "redo")


@pytest.fixture
def transport(application):
    """The row in a page of 640 pixels, as next to the settings in a window of 1,280."""
    usual()
    page, made = QWidget(), Transport()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made)
    layout.addStretch(1)
    page.resize(640, 400)
    theme.dress(page)
    page.show()
    yield made
    discard(page)


def enabled(transport: Transport) -> str:
    return " ".join(name for name in BUTTONS if getattr(transport, name).isEnabled())


def ink(button: IconButton) -> int:
    """Return the number of painted points of a button's icon."""
    image = button.icon().pixmap(button.iconSize()).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    return int((np.frombuffer(image.constBits(), np.uint32) >> 24 > 0).sum())


def test_that_each_button_emits_its_signal_and_has_a_description_and_a_tooltip(transport, qtbot):
    pressed = []
    for name in BUTTONS:
        getattr(transport, name).clicked.connect(lambda _, name=name: pressed.append(name))
    transport.show_place(2, 5, playing=False, can_undo=True, can_redo=True)
    for name in BUTTONS:
        qtbot.mouseClick(getattr(transport, name), Qt.MouseButton.LeftButton)
    assert pressed == list(BUTTONS)
    transport.show_place(3, 9, playing=False, can_undo=True, can_redo=True)
    for control in (*(getattr(transport, name) for name in BUTTONS), transport.slider, transport.colours):
        assert control.objectName().startswith("transport_")
        assert control.accessibleName()
    for name, key in (("back", "Left"), ("forward", "Right or S"), ("start", "Home"), ("end", "End"), ("play", "P"),
                      ("undo", "Ctrl+Z"), ("redo", "Ctrl+Shift+Z")):
        assert f"({key})" in getattr(transport, name).toolTip()


PLACES = [
    ((None, 0, False, False, False), "", ""),
    ((None, 0, False, False, True), "", "redo"),
    ((None, 54, False, False, False), "54 tokens", "start play forward uncertain"),
    ((None, 1, False, False, False), "1 token", "start play forward uncertain"),
    ((0, 54, False, True, False), "Position 0  ·  54 tokens", "play forward end uncertain undo"),
    ((11, 54, False, True, True), "Position 11  ·  54 tokens", "start back play forward end uncertain undo redo"),
    ((53, 54, False, False, False), "Position 53  ·  54 tokens", "start back play forward uncertain"),
    ((1_233, 5_678, True, False, False), "Position 1,233  ·  5,678 tokens", "start back play forward end uncertain"),
]


def test_that_the_position_is_shown_and_only_possible_actions_are_enabled(transport):
    for place, words, on in PLACES:
        transport.show_place(*place)
        assert transport.place.text() == words
        assert enabled(transport) == on, words


def test_that_play_pauses_and_forward_announces_when_the_model_would_write_and_is_disabled_where_it_cannot(transport):
    shown = []
    for playing in (False, True, False):
        transport.show_place(3, 9, playing, can_undo=False, can_redo=False)
        play = transport.play
        shown.append((play.sign, play.accessibleName(), play.toolTip(), play.icon().pixmap(16).toImage()))
    assert [each[:2] for each in shown] == [("play", "Play"), ("pause", "Pause"), ("play", "Play")]
    assert shown[0][2:] == shown[2][2:]
    assert shown[0][2] != shown[1][2]
    assert shown[0][3] != shown[1][3]

    for cursor, words in ((3, "next token"), (8, "Generates one more token (S)")):
        transport.show_place(cursor, 9, playing=False, can_undo=False, can_redo=False)
        assert words in transport.forward.toolTip()
    words = "The model ended it. To go on, choose another token."
    transport.show_place(8, 9, playing=False, can_undo=True, can_redo=False, ended=words)
    assert enabled(transport) == "start back uncertain undo"
    assert transport.forward.toolTip() == transport.play.toolTip() == words
    transport.show_place(7, 9, playing=False, can_undo=True, can_redo=False, ended=words)
    assert enabled(transport) == "start back play forward end uncertain undo"
    assert words not in transport.forward.toolTip() + transport.play.toolTip()


def test_that_the_speed_ranges_from_one_token_a_second_to_fifty_by_equal_factors(transport):
    slider, speeds = transport.slider, []
    for tick in range(TICKS + 1):
        slider.setValue(tick)
        speeds.append(1000 / transport.interval_ms())
        assert transport.speed.text() == f"{50 ** (tick / TICKS):.0f} tokens/s"
    assert (speeds[0], speeds[-1]) == (1, FASTEST)
    factors = [later / one for one, later in pairwise(speeds)]
    assert factors == pytest.approx([50 ** (1 / TICKS)] * TICKS, rel=0.05)


def test_that_colours_are_chosen_by_name_and_explained_by_the_legend(transport):
    chosen, legend = [], transport.legend
    transport.colour_chosen.connect(chosen.append)
    assert transport.colouring() == "surprise"
    for name, low, high in (("entropy", "0 bits", "12 bits or more"), ("rank", "1st", "10,000th or later")):
        transport.colours.setCurrentIndex(transport.colours.findData(name))
        assert (legend.low.text(), legend.high.text(), transport.colouring()) == (low, high, name)
        assert legend.toolTip() == SCALES[name].help
    transport.colours.setCurrentIndex(transport.colours.findData("none"))
    assert legend.low.isHidden()
    assert legend.high.isHidden()
    assert chosen == ["entropy", "rank", "none"]


def test_that_it_fits_into_two_lines_does_not_move_along_the_text_and_is_not_cut_off_at_twice_its_size(transport):
    transport.show_place(0, 1_024, playing=False, can_undo=True, can_redo=True)
    QApplication.processEvents()
    held = [part for part in transport.children() if isinstance(part, QWidget)]
    assert all(transport.rect().contains(part.geometry()) for part in held)
    assert len({part.geometry().center().y() for part in held}) == 2
    before = [part.geometry() for part in held]
    for cursor in (9, 99, 1_023):
        transport.show_place(cursor, 1_024, playing=True, can_undo=True, can_redo=True)
        transport.slider.setValue(cursor % TICKS)
        QApplication.processEvents()
        assert [part.geometry() for part in held] == before

    before = transport.play.iconSize().height(), transport.slider.width()
    theme.enlarge(2)
    transport.show_place(1_000, 1_024, playing=False, can_undo=True, can_redo=True)
    QApplication.processEvents()
    assert all(transport.rect().contains(part.geometry()) for part in held)
    assert transport.play.iconSize().height() > 1.7 * before[0]
    assert transport.slider.width() > 1.7 * before[1]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_that_every_icon_is_painted_in_the_colour_of_the_text(transport, qtbot, colours):
    theme.use(colours)
    pictures = set()
    for sign in SIGNS:
        button = IconButton(sign, sign, sign)
        qtbot.addWidget(button)
        theme.dress(button)
        image = button.icon().pixmap(64, 64).toImage()  # so large that the thinnest stroke is opaque
        image = image.convertToFormat(QImage.Format.Format_ARGB32)
        points = Counter(np.frombuffer(image.constBits(), np.uint32).tolist())
        most = QColor.fromRgba(max((each for each in points if each >> 24 == 255), key=points.get)).name()
        assert most == colours.text
        assert ink(button) > 20
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == len(SIGNS)
