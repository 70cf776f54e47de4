"""A text as a file: reading it back gives exactly the model's output, for every kind of token."""

import csv
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pages.painted import harmless_texts
from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QAction, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog
from strips import NASTY, TEXT, discard, nodes, path, usual

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.canvas.tint import SCALES, ink_on, shade
from gptstudio.gui.generate.strip import token_strip
from gptstudio.gui.generate.strip.token_strip import StripMenu, TokenStrip
from gptstudio.gui.theme import DARK, LIGHT, theme

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    '"><script>alert(1)</script><img src=x onerror=alert(1)><iframe src="http://a.example"> ]]> &lt;&#0; '
    "' onload='alert(1)\x00\x07\x1b\ufffe <!-- </title></bdi></span> javascript:alert(1)"
)
HALVES = [*range(188, 256), 50_256]


@pytest.fixture(autouse=True)
def light(application):
    usual()


@pytest.fixture
def odd_nodes():
    return nodes([*GPT2.encode(TEXT + NASTY), *HALVES])


@pytest.fixture
def strip(odd_nodes):
    made = TokenStrip()
    made.resize(500, 300)
    theme.dress(made)
    made.show()
    made.show_path(odd_nodes, 4)
    yield made
    discard(made)


class Page(HTMLParser):
    """Parse a page into its tokens with their attributes, and every opened tag."""

    def __init__(self, text: str):
        super().__init__()
        self.tokens: list[dict[str, str]] = []
        self.opened: list[str] = []
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "all that was opened was closed"

    def handle_starttag(self, tag, attributes):
        self.opened.append(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag not in ("br", "meta"):
            self._open.append(tag)
        if "title" in dict(attributes):
            self.tokens.append({**dict(attributes), "text": "", "breaks": ""})
        if tag == "br":
            self.tokens[-1]["breaks"] = "br"

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] == ["bdi"]:
            self.tokens[-1]["text"] += data


def style(token: dict[str, str]) -> dict[str, str]:
    return dict(part.split(":") for part in token["style"].split(";"))


@pytest.mark.parametrize("colour_by", ["surprise", "entropy", "rank"])
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_page_has_every_token_with_its_colour_and_its_figures(tmp_path, strip, odd_nodes, colour_by, colours):
    theme.use(colours)
    strip.colour_by(colour_by)
    token_strip.write_html(tmp_path / "text.html", strip)
    page = Page((tmp_path / "text.html").read_text("utf-8"))
    assert [token["text"] for token in page.tokens] == [GPT2.visible(node.id) for node in odd_nodes]
    ends = [node.reading.text.endswith("\n") for node in odd_nodes]
    blank = [node.reading.text.strip("\n") == "" for node in odd_nodes[1:]]
    for node, token, end, more in zip(odd_nodes, page.tokens, ends, [*blank, True], strict=True):
        share = SCALES[colour_by].share_of(node.reading)
        assert token["title"] == strip.boxes[node.position].tip
        assert bool(token["breaks"]) == (end and not more)
        assert ("border-bottom" in style(token)) == (node.position < 4)
        if share is not None:
            assert style(token)["background"] == shade(share).name()
            assert style(token)["color"] == ink_on(shade(share)).name()
    assert set(page.opened) == {"html", "head", "meta", "title", "body", "p", "span", "bdi", "br"}
    assert page.opened.count("bdi") == len(odd_nodes)


def test_that_the_page_explains_its_colours_loads_nothing_external_and_no_text_becomes_a_part_of_it(tmp_path, strip):
    token_strip.write_html(tmp_path / "text.html", strip)
    text = (tmp_path / "text.html").read_text("utf-8")
    assert not any(word in text for word in ("http", "src=", "url(", "@import", "<script", "<link"))
    assert "Surprisal: 0 bits <" in text
    assert "> 12 bits or more" in text
    assert text.startswith("<!DOCTYPE html>")
    strip.colour_by("none")
    token_strip.write_html(tmp_path / "plain.html", strip)
    assert "bits or more" not in (tmp_path / "plain.html").read_text("utf-8")

    hostile = nodes(GPT2.encode(HOSTILE))
    strip.show_path(hostile, 4)
    for scale in SCALES:
        strip.colour_by(scale)
        token_strip.write_html(tmp_path / "text.html", strip)
        page = Page((tmp_path / "text.html").read_text("utf-8"))
        assert set(page.opened) <= {"html", "head", "meta", "title", "body", "p", "span", "bdi", "br"}
        assert page.attributes <= {"charset", "style", "dir", "title"}
        assert [token["text"] for token in page.tokens] == [GPT2.visible(node.id) for node in hostile]
    token_strip.write_svg(tmp_path / "strip.svg", strip)
    texts = harmless_texts(tmp_path / "strip.svg")
    assert {box.text.strip() for box in strip.boxes} <= texts


@pytest.mark.parametrize("name", list(SCALES))
def test_that_the_drawing_is_well_formed_and_has_the_tokens_the_colours_and_the_legend(tmp_path, strip, name):
    strip.colour_by(name)
    strip.mark({9: "branches", 11: "differs"})
    token_strip.write_svg(tmp_path / "strip.svg", strip)
    root = ET.parse(tmp_path / "strip.svg").getroot()
    written = {(each.text or "").strip() for each in root.iter(f"{SVG}text")}
    assert {box.text for box in strip.boxes} <= written
    assert set(filter(None, (SCALES[name].low, SCALES[name].high, "prompt"))) <= written
    fills = {each.get("fill") for each in root.iter(f"{SVG}g")}
    values = [SCALES[name].share_of(node.reading) for node in strip.path]
    assert {shade(value).name() for value in values if value is not None} <= fills


def test_that_the_drawing_looks_like_the_strip(tmp_path, strip):
    token_strip.write_svg(tmp_path / "strip.svg", strip)
    drawing = QSvgRenderer(str(tmp_path / "strip.svg"))
    box = drawing.viewBoxF()
    assert box.width() >= strip.width()
    assert box.height() > strip.sizeHint().height()
    image = QImage(round(box.width()), round(box.height()), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    for node in strip.path[1:20]:
        place = strip.place_of(node.position)
        inside = image.pixelColor(round(place.left()) + 3, round(place.center().y()))
        assert inside.name() == shade(SCALES["surprise"].share_of(node.reading)).name()
    assert image.pixelColor(1, 1).name() == theme.colours.surface


def test_that_the_table_has_each_position_with_its_most_probable_tokens_and_the_chosen_one(tmp_path, strip, odd_nodes):
    token_strip.write_csv(tmp_path / "table.csv", strip)
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == token_strip.COLUMNS
    for node in odd_nodes:
        mine = [row for row in rows if int(row["position"]) == node.position]
        (chosen,) = [row for row in mine if row["chosen"] == "1"]
        assert int(chosen["id"]) == node.id
        token = GPT2.visible(node.id)
        assert chosen["token"] == (f"'{token}" if token.startswith(files.FORMULA) else token)
        if node.position < 4:
            assert len(mine) == 1
            assert chosen["after"] == ""
            assert chosen["rank"] == ("" if node.position == 0 else str(node.reading.rank))
            continue
        others = node.reading.alternatives
        assert [int(row["id"]) for row in mine][:10] == [each.id for each in others]
        for row, each in zip(mine, others, strict=False):
            assert (float(row["logit"]), float(row["probability"]), float(row["after"])) == (
                each.logit, each.probability, each.after
            )
        assert [int(row["rank"]) for row in mine][:10] == list(range(1, 11))
        assert int(chosen["rank"]) == node.reading.rank
        assert float(chosen["probability"]) == node.reading.plain_probability
        assert float(chosen["after"]) == node.reading.probability
        assert len(mine) == (10 if node.id in [each.id for each in others] else 11)
    assert {len([row for row in rows if int(row["position"]) == node.position]) for node in odd_nodes} == {1, 10, 11}


@pytest.mark.parametrize("kind", ["html", "svg", "csv"])
def test_that_a_failing_disk_is_reported_and_leaves_nothing(tmp_path, strip, kind):
    write = getattr(token_strip, f"write_{kind}")
    with pytest.raises(UserError, match=r"Could not save .*: No such file or directory\. Choose another location"):
        write(tmp_path / "nowhere" / f"text.{kind}", strip)
    (tmp_path / "taken").mkdir()
    with pytest.raises(UserError, match="Could not save"):
        write(tmp_path / "taken", strip)
    assert [each.name for each in tmp_path.iterdir()] == ["taken"]


# The menu.


@pytest.fixture
def menu(strip):
    made = StripMenu(strip)
    yield made
    made.close()


@pytest.fixture
def failure_messages(menu):
    words = []
    menu.failed.connect(words.append)
    return words


def action(menu: StripMenu, name: str) -> QAction:
    return menu.findChild(QAction, f"strip_{name}")


def test_that_a_right_click_offers_the_id_of_its_token_and_the_text_in_colours_and_nothing_without_one(menu, strip):
    strip.menu_requested.emit(7, QPoint(5, 5))
    assert menu.isVisible()
    assert f"({strip.boxes[7].node.id:,})" in menu.copy_id.text()
    menu.copy_id.trigger()
    assert QGuiApplication.clipboard().text() == str(strip.boxes[7].node.id)
    strip.menu_requested.emit(None, QPoint(5, 5))
    assert not menu.copy_id.isEnabled()

    strip.show_path(path(), 4)
    action(menu, "copy_text").trigger()
    assert QGuiApplication.clipboard().text() == TEXT
    action(menu, "copy_html").trigger()
    copied: QMimeData = QGuiApplication.clipboard().mimeData()
    assert copied.text() == TEXT
    assert [token["text"] for token in Page(copied.html()).tokens] == [box.text for box in strip.boxes]
    menu.close()
    strip.clear()
    strip.menu_requested.emit(None, QPoint(5, 5))
    assert not menu.isVisible()


@pytest.mark.parametrize("kind", ["html", "svg", "csv"])
def test_that_it_saves_to_the_chosen_path_and_reports_the_result(menu, failure_messages, tmp_path, monkeypatch, kind):
    chosen = {"path": str(tmp_path / "mine")}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (chosen["path"], ""))
    action(menu, f"save_{kind}").trigger()
    written = tmp_path / f"mine.{kind}"
    assert written.stat().st_size > 1_000
    assert failure_messages == [""]
    chosen["path"] = ""
    action(menu, f"save_{kind}").trigger()
    assert len(failure_messages) == 1, "nobody chose a place"
    chosen["path"] = str(tmp_path / "nowhere" / "mine")
    action(menu, f"save_{kind}").trigger()
    words = failure_messages[-1]
    assert str(Path("nowhere") / f"mine.{kind}") in words
