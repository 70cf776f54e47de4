"""The strip of tokens: the places and content of the boxes, how one is chosen, and that long texts cost no more."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QToolTip
from strips import NASTY, TEXT, discard, nodes, path, usual

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.tint import LEVELS, SCALES, ink_on, luminance, shade
from gptstudio.gui.canvas.tokens import BoxPainter, StripLayout, TokenBox, rich
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.theme import DARK, LIGHT, colour, theme
from gptstudio.gui.translation import percent
from gptstudio.gui.widgets.parts import scrolling
from gptstudio.inference.text_tree import Node

FIRST_PAGE = "generate"

KEY, REASON = Qt.Key, QContextMenuEvent.Reason


@pytest.fixture
def strip(application):
    """The strip in a window of its own, 400 pixels wide."""
    usual()
    made = TokenStrip()
    made.setAutoFillBackground(True)
    made.resize(400, 300)
    theme.dress(made)
    made.show()
    yield made
    discard(made)


@pytest.fixture
def signals(strip):
    positions = []
    strip.chosen.connect(positions.append)
    return positions


def places(strip: TokenStrip) -> list[QRectF]:
    return [strip.place_of(box.position) for box in strip.boxes]


def picture(strip: TokenStrip) -> QImage:
    QApplication.processEvents()
    return strip.grab().toImage()


def corner(strip: TokenStrip, position: int) -> str:
    """Return the colour inside a box, left of its text."""
    place = strip.place_of(position)
    return picture(strip).pixelColor(round(place.left() + 2), round(place.center().y())).name()


def window(strip: TokenStrip) -> str:
    return strip.palette().window().color().name()


# Positions of the boxes.


def test_that_there_is_a_box_for_each_token_in_its_place_with_visible_white_space_and_none_after_clearing(strip):
    text = path()
    strip.show_path(text, 4)
    assert [(box.position, box.node.id) for box in strip.boxes] == list(enumerate(GPT2.encode(TEXT)))
    assert [box.text for box in strip.boxes[:4]] == ["I", "␣H", "AD", "␣always"]
    assert [box.prompt for box in strip.boxes[:6]] == [True] * 4 + [False] * 2
    assert strip.path == text
    strip.show_path(text, 2)
    assert [box.prompt for box in strip.boxes[:4]] == [True, True, False, False]
    strip.choose(3)
    strip.clear()
    assert (strip.boxes, strip.current, strip.place_of(0), strip.words(0)) == ([], None, None, "")
    picture(strip)


@pytest.mark.parametrize("text", [TEXT, NASTY])
def test_that_boxes_are_in_reading_order_inside_the_strip_and_never_overlap(strip, text):
    strip.show_path(path(text), 4)
    for width in (900, 400, 120, 60):
        strip.resize(width, 300)
        QApplication.processEvents()
        laid = places(strip)
        for one, other in pairwise(laid):
            assert other.top() > one.bottom() or (other.top() == one.top() and other.left() > one.right())
        assert min(place.left() for place in laid) >= 0
        assert max(place.right() for place in laid) <= width
        assert max(place.bottom() for place in laid) <= strip.minimumHeight()
        assert min(place.width() for place in laid) > 5


def test_that_a_line_end_ends_the_line_and_several_are_shown_side_by_side(strip):
    strip.resize(2_000, 300)
    strip.show_path(path("one\n\n\n\ntwo\nthree"), 2)
    lines: dict[float, str] = {}
    for box, place in zip(strip.boxes, places(strip), strict=True):
        lines[place.top()] = lines.get(place.top(), "") + box.text
    assert list(lines.values()) == ["one↵↵↵↵", "two↵", "three"]


def test_that_a_text_in_parts_has_the_same_layout_as_the_whole_text(strip, qtbot):
    """This also applies when another branch arrives, and when earlier tokens are delivered again."""
    whole, other, random = path(TEXT * 3), path(TEXT[:60] + NASTY), np.random.default_rng(1)
    for text in (whole, other, whole):
        for end in sorted(random.integers(0, len(text), 12).tolist()):
            strip.show_path(text[:end], 4)
        strip.show_path(text, 4)
        again = TokenStrip("again")
        qtbot.addWidget(again)
        again.resize(strip.size())
        theme.dress(again)
        again.show()
        again.show_path(text, 4)
        assert places(strip) == places(again)
        assert strip.boxes == again.boxes


def test_that_the_common_part_of_two_texts_is_not_laid_out_again_but_later_figures_are_shown(strip):
    text = path(TEXT * 3)
    strip.show_path(text, 4)
    kept = strip.boxes[:20]
    strip.show_path([*text[:20], *nodes([0, 1, 2] * 7)[20:]], 4)
    assert all(one is other for one, other in zip(strip.boxes, kept, strict=False))
    assert strip.boxes[20].node.id != text[20].id
    bare = [node.reading.model_copy(update={"plain_probability": None}) for node in path()]
    strip.show_path([type(node)(node.key, node.parent, each) for node, each in zip(path(), bare, strict=True)], 4)
    assert "surprisal" not in strip.words(9)
    strip.show_path(path(), 4)
    assert "surprisal" in strip.words(9)


def test_that_larger_text_makes_larger_boxes(strip):
    strip.show_path(path(), 4)
    before = strip.place_of(0)
    theme.enlarge(2)
    QApplication.processEvents()
    after = strip.place_of(0)
    assert after.height() == pytest.approx(2 * before.height(), rel=0.15)
    assert after.width() > 1.5 * before.width()


# Choosing.


def test_that_every_point_of_the_strip_belongs_to_its_box_and_a_click_chooses_it(strip, signals, qtbot):
    strip.show_path(path(), 4)
    for position in (0, 3, 4, 12, len(strip.boxes) - 1):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.place_of(position).center().toPoint())
        assert strip.current == position
    last = strip.place_of(12)
    for beside in (QPoint(399, 299), QPoint(1, 1), QPoint(round(last.right()) + 1, round(last.bottom()) + 3)):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=beside)
    assert signals == [0, 3, 4, 12, len(strip.boxes) - 1]
    strip.show_path(path(TEXT + NASTY), 4)
    QApplication.processEvents()
    laid = places(strip)
    for x in range(1, 400, 9):
        for y in range(1, strip.height(), 7):
            signals.clear()
            qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
            assert signals == [i for i, place in enumerate(laid) if place.contains(QPointF(x, y))]


def test_that_the_arrow_keys_move_through_the_text_and_its_lines(strip, signals, qtbot):
    strip.show_path(path(), 4)
    strip.choose(5)
    last = len(strip.boxes) - 1
    for key, expected in ((KEY.Key_Right, 6), (KEY.Key_Left, 5), (KEY.Key_Home, 0), (KEY.Key_End, last)):
        qtbot.keyClick(strip, key)
        assert strip.current == expected
    assert signals == [6, 5, 0, last]
    for key in (KEY.Key_Right, KEY.Key_End, KEY.Key_Down):
        qtbot.keyClick(strip, key)
    assert signals == [6, 5, 0, last], "there is nothing behind the end"
    qtbot.keyClick(strip, KEY.Key_Up)
    over, under = strip.place_of(strip.current), strip.place_of(last)
    assert 0 < under.top() - over.top() < 2 * under.height()
    assert over.left() <= under.center().x()
    strip.choose(1)
    qtbot.keyClick(strip, KEY.Key_Down)
    one, below = strip.place_of(1), strip.place_of(strip.current)
    assert below.top() > one.top()
    assert below.left() <= one.center().x() <= below.right() + 5
    qtbot.keyClick(strip, KEY.Key_Up)
    qtbot.keyClick(strip, KEY.Key_Up)
    assert strip.place_of(strip.current).top() == one.top()


def test_that_the_first_key_chooses_the_newest_token_and_other_keys_none_and_the_program_emits_no_signal(
    strip, signals, qtbot
):
    strip.show_path(path(), 4)
    strip.choose(6)
    assert signals == []
    assert strip.accessibleDescription() == strip.boxes[6].tip
    strip.choose(None)
    assert strip.accessibleDescription() == ""
    strip.clear()
    qtbot.keyClick(strip, KEY.Key_Left)
    strip.show_path(path(), 4)
    for key in (KEY.Key_A, KEY.Key_Space):
        qtbot.keyClick(strip, key)
    qtbot.keyClick(strip, KEY.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert signals == []
    qtbot.keyClick(strip, KEY.Key_Left)
    assert signals == [len(strip.boxes) - 1]


def test_that_a_right_click_requests_a_menu_for_its_token_and_chooses_nothing(strip, signals, qtbot):
    asked = []
    strip.menu_requested.connect(lambda position, place: asked.append((position, place)))
    strip.show_path(path(), 4)
    inside, outside = strip.place_of(7).center().toPoint(), QPoint(399, 299)
    for point in (inside, outside):
        qtbot.mouseClick(strip, Qt.MouseButton.RightButton, pos=point)
        QApplication.sendEvent(strip, QContextMenuEvent(REASON.Mouse, point, strip.mapToGlobal(point)))
    assert asked == [(7, strip.mapToGlobal(inside)), (None, strip.mapToGlobal(outside))]
    assert signals == []
    strip.choose(3)
    QApplication.sendEvent(strip, QContextMenuEvent(REASON.Keyboard, inside, strip.mapToGlobal(inside)))
    assert asked[-1][0] == 3
    assert QRect(strip.mapToGlobal(QPoint(0, 0)), strip.size()).contains(asked[-1][1])


# Content of the boxes.


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["surprise", "entropy", "rank"])
def test_that_a_box_has_the_colour_of_its_value(strip, name, colours):
    theme.use(colours)
    strip.show_path(path(), 4)
    strip.colour_by(name)
    for node in strip.path[1:12]:
        plain, rank = node.reading.plain_probability, node.reading.rank
        share = {"surprise": -np.log2(plain) / 12, "entropy": node.reading.plain_entropy_bits / 12,
                 "rank": np.log10(rank) / 4}[name]
        assert corner(strip, node.position) == shade(share).name()


def test_that_an_unpredicted_token_has_no_colour_and_an_impossible_one_that_of_the_end(strip):
    strip.show_path(path(), 4)
    assert corner(strip, 0) == window(strip)
    assert "made no prediction for it" in strip.words(0)
    text = path()
    text[9] = type(text[9])(9, 8, text[9].reading.model_copy(update={"plain_probability": 0.0}))
    strip.show_path(text, 4)
    assert "surprisal ∞ bits" in strip.words(9)
    assert corner(strip, 9) == shade(1.0).name()


def test_that_without_colours_the_prompt_and_the_new_tokens_still_differ(strip):
    strip.colour_by("none")
    strip.show_path(path(), 4)
    prompt, new = {corner(strip, i) for i in range(4)}, {corner(strip, i) for i in range(4, 9)}
    assert len(prompt) == len(new) == 1
    assert prompt != new


@pytest.mark.parametrize("name", list(SCALES))
def test_that_the_prompt_has_a_line_under_it_in_any_colours(strip, name):
    strip.colour_by(name)
    strip.show_path(path(), 4)
    image = picture(strip)
    for box in strip.boxes[:8]:
        place = strip.place_of(box.position)
        below = range(round(place.bottom()) + 2, round(place.bottom()) + 6)
        lined = any(image.pixelColor(round(place.center().x()), y) == colour("muted") for y in below)
        assert lined == box.prompt


def test_that_tokens_after_the_chosen_one_are_hollow_on_request(strip):
    text = path()
    strip.show_path(text, 4)
    assert corner(strip, 12) == shade(SCALES["surprise"].share_of(text[12].reading)).name()
    strip.choose(8)
    assert corner(strip, 12) == window(strip)
    assert corner(strip, 7) == shade(SCALES["surprise"].share_of(text[7].reading)).name()
    strip.choose(12)
    assert corner(strip, 12) == shade(SCALES["surprise"].share_of(text[12].reading)).name()
    strip.choose(8)
    strip.dims_ahead = False
    assert corner(strip, 12) == shade(SCALES["surprise"].share_of(text[12].reading)).name()


def test_that_changes_with_the_choice_are_painted_again(strip, monkeypatch):
    """Only some lines are painted again: they must be all that have changed."""
    strip.show_path(path(TEXT * 2), 4)
    again: list[QRect] = []
    monkeypatch.setattr(strip, "update", lambda *area: again.append(QRect(*area) if area else strip.rect()))
    before = picture(strip)
    for position in (30, 5, 31, None, 12, 40, 39):
        again.clear()
        strip.choose(position)
        after = picture(strip)
        for y in range(after.height()):
            if not any(area.top() <= y <= area.bottom() for area in again):
                assert all(before.pixel(x, y) == after.pixel(x, y) for x in range(0, 400, 3))
        before = after


@pytest.mark.parametrize(("kind", "paint", "expected"), [
    ("branches", "accent", "Another branch has a different token here."),
    ("differs", "amber", "The other text has a different token here."),
    ("yours", "accent", "You chose this token."),
])
def test_that_a_mark_is_a_sign_at_its_box_and_is_described_on_hover(strip, kind, paint, expected):
    strip.show_path(path(), 4)
    bare, words = picture(strip), strip.words(9)
    strip.mark({9: kind})
    place = strip.place_of(9)
    marked = picture(strip)
    changed = [(x, y) for x in range(400) for y in range(strip.height()) if marked.pixel(x, y) != bare.pixel(x, y)]
    assert changed
    assert all(abs(x - place.right()) < 9 and abs(y - place.top()) < 9 for x, y in changed)
    assert any(marked.pixelColor(x, y) == colour(paint) for x, y in changed)
    assert strip.words(9).removeprefix(words).strip() == expected
    strip.mark({})
    assert strip.words(9) == words


def test_that_the_token_under_the_pointer_is_reported_and_its_figures_are_shown(strip, qtbot):
    signals = []
    strip.pointed.connect(signals.append)
    strip.show_path(path(), 4)
    for position in (9, 9, 3):
        qtbot.mouseMove(strip, strip.place_of(position).center().toPoint())
    strip.leaveEvent(QEvent(QEvent.Type.Leave))
    assert signals == [9, 3, None]
    text = path()
    strip.show_path(text, 4)
    drawn = text[9].reading
    assert strip.words(9).split("\n") == [
        f"{GPT2.visible(drawn.id)}   ID {drawn.id:,}",
        "Position 9, sampled by the model",
        f"Probability {percent(drawn.plain_probability)}, surprisal {-np.log2(drawn.plain_probability):.2f} bits",
        f"Rank {drawn.rank:,}",
        f"Entropy here: {drawn.plain_entropy_bits:.2f} bits",
        f"Sampled with probability {percent(drawn.probability)}, after sampling settings",
        "Time: 21.3 ms",
    ]
    assert "in the prompt" in strip.words(2)
    centre = strip.place_of(9).center().toPoint()
    QApplication.sendEvent(strip, QHelpEvent(QEvent.Type.ToolTip, centre, strip.mapToGlobal(centre)))
    assert QToolTip.text() == rich(strip.words(9))
    QToolTip.hideText()


def test_that_a_token_of_any_kind_is_painted_and_one_that_looks_like_markup_shown_literally(strip):
    """Half characters, control characters, right-to-left text, and ids that no token has."""
    strip.show_path(nodes([*range(188, 256), *GPT2.encode(NASTY), 50_256], 2), 2)
    for name in SCALES:
        strip.colour_by(name)
        picture(strip)
    assert strip.boxes[-1].text == "<|endoftext|>"
    assert all(text.isprintable() and text for text in (box.text for box in strip.boxes))
    strip.show_path(path("<b>&amp;<img src=x>\u202e"), 0)
    for box in strip.boxes:
        document = QTextDocument()
        document.setHtml(rich(box.tip))
        assert document.toPlainText().replace("\xa0", " ") == box.tip


def test_that_a_token_longer_than_the_strip_is_elided(strip, monkeypatch):
    painted = []
    real = BoxPainter._write  # noqa: SLF001 - the space of a painter is not public

    def write(self, text, place):
        painted.append((text, place.width(), self._room))
        real(self, text, place)

    monkeypatch.setattr(BoxPainter, "_write", write)
    strip.resize(150, 200)
    strip.show_path(path("-" * 64), 0)
    picture(strip)
    image = picture(strip)
    assert painted[0][1] == painted[0][2], "it takes the whole line"
    inside = strip.place_of(0)
    assert image.pixelColor(round(inside.right()) - 2, round(inside.center().y())).name() == corner(strip, 0)


# The colours.


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_that_text_is_readable_on_every_colour_and_colours_are_ordered_by_lightness(application, colours):
    theme.use(colours)
    lights = []
    for level in range(LEVELS):
        paint = shade(level / (LEVELS - 1))
        one, other = sorted((luminance(paint), luminance(ink_on(paint))))
        assert (other + 0.05) / (one + 0.05) >= 4.5
        lights.append(luminance(paint))
    ordered = sorted(lights, reverse=colours is LIGHT)
    assert lights == ordered
    assert len(set(lights)) > 200
    theme.use(LIGHT)


def test_that_values_beyond_the_scale_have_the_colour_of_its_end(application):
    bits = SCALES["surprise"]
    assert [bits.share_of(node.reading) for node in path()[:1]] == [None]
    rare = path()[9].reading.model_copy(update={"plain_probability": 1e-30, "rank": 50_257, "plain_entropy_bits": 15.6})
    sure = rare.model_copy(update={"plain_probability": 1.0, "rank": 1, "plain_entropy_bits": 0.0})
    for name in ("surprise", "entropy", "rank"):
        assert (SCALES[name].share_of(sure), SCALES[name].share_of(rare)) == (0.0, 1.0)


# Long texts.


def of_tokens(count: int) -> list[Node]:
    few = path(TEXT, 4)
    ids = [node.id for node in few if "\n" not in node.reading.text]
    return [few[0], *(
        Node(i, i - 1, few[5].reading.model_copy(update={"position": i, "id": ids[i % len(ids)]}))
        for i in range(1, count))]


@pytest.fixture
def placed(monkeypatch) -> list[int]:
    """Return the indices of the boxes whose rectangles were computed."""
    made, place = [], StripLayout.place
    monkeypatch.setattr(StripLayout, "place", lambda self, index: made.append(index) or place(self, index))
    return made


def test_that_keys_the_pointer_and_another_choice_read_few_boxes_of_a_long_text(strip, qtbot, placed):
    strip.show_path(of_tokens(5_000), 4)
    strip.choose(4_000)
    there = strip.place(3_000).center()
    for act in (
        lambda: qtbot.keyClick(strip, Qt.Key.Key_Left), lambda: qtbot.keyClick(strip, Qt.Key.Key_Up),
        lambda: qtbot.keyClick(strip, Qt.Key.Key_End), lambda: strip.item_at(there), lambda: strip.choose(7),
    ):
        placed.clear()
        act()
        assert len(placed) < 100


def test_that_one_more_token_measures_one_box_and_another_width_none(strip, monkeypatch):
    long, made, of = of_tokens(2_000), [], TokenBox.of
    strip.show_path(long[:-1], 4)
    monkeypatch.setattr(TokenBox, "of", lambda *args: made.append(args[0]) or of(*args))
    strip.show_path(long, 4)
    assert made == [long[-1]]
    monkeypatch.setattr(TokenBox, "begins_line", lambda *_: pytest.fail("measured again"))
    for width in (500, 333):
        strip.resize(width, 400)
        assert all(place.right() <= width for place in places(strip))
    lines = len({place.top() for place in places(strip)})
    strip.resize(1_000, 400)
    assert len({place.top() for place in places(strip)}) < lines / 2


def test_that_only_the_visible_part_of_a_long_text_is_painted(application, qtbot, monkeypatch):
    strip, painted = TokenStrip(), []
    area = scrolling(strip, "strip_scroll")
    qtbot.addWidget(area)
    area.resize(400, 300)
    theme.dress(area)
    area.show()
    long = of_tokens(5_000)
    strip.show_path(long, 4)
    QApplication.processEvents()
    real = BoxPainter.box

    def box(self, box, place, ahead):
        painted.append(box.position)
        real(self, box, place, ahead)

    monkeypatch.setattr(BoxPainter, "box", box)
    bar = area.verticalScrollBar()
    for value in (bar.maximum() // 2, bar.maximum(), 0):
        painted.clear()
        bar.setValue(value)
        QApplication.processEvents()
        seen = strip.visibleRegion().boundingRect()
        visible = {i for i, place in enumerate(places(strip)) if place.intersects(QRectF(seen))}
        assert visible <= set(painted)
        assert len(painted) < 2 * len(visible)
