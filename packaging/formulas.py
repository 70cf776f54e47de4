"""Write resources/formulas.json: the typeset formulas of the experiments' pages.

    python packaging/formulas.py

Makes every page off screen and typesets the LaTeX of its formulas with ziamath, which would be too slow in the window.
A test compares the file with the pages.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from itertools import count
from pathlib import Path
from unittest.mock import patch
from xml.etree.ElementTree import Element

from ziamath.config import config
from ziamath.zmath import Latex

from gptstudio.gui.learn.kit import formula
from gptstudio.gui.learn.kit.formula import COMMAND, SIZE, SYMBOL, Drawing, Glyph, Outlines, outlines_of

DECIMALS = 3
"""Decimal places of a coordinate: enough for the same pixels as with exact ones, even at 400 %."""
Drawings = dict[str, Drawing]


def of_pages() -> Drawings:
    """Return the drawing of each formula on all pages, by its LaTeX; a QApplication must exist."""
    from gptstudio.labs.catalogue import ENTRIES, load

    found: Drawings = {}

    def outlines(latex: str) -> Outlines:
        found[latex] = typeset(latex)
        return outlines_of(latex, found[latex])

    with patch.object(formula, "outlines", outlines):
        for name in ENTRIES:
            import_module(f"gptstudio.gui.learn.{name}").Page(load(name), None).deleteLater()  # it computes nothing
    return found


def typeset(latex: str) -> Drawing:
    """Return the drawing of a formula. Each linked symbol is typeset in its own colour, by which it is identified
    afterwards.

    Raises:
        ValueError: the formula cannot be typeset, or contains an unknown command.
    """
    config.svg2 = False  # write every outline in place, without references
    numbers = count(1)
    try:
        made = Latex(SYMBOL.sub(lambda _: rf"\textcolor{{{_colour(next(numbers))}}}", latex), SIZE)
    except Exception as wrong:
        raise ValueError(f"this formula cannot be set: {latex}") from wrong
    if "\\" in made.mathmlstr():
        raise ValueError(f"this formula has a command that is not known: {latex}")
    svg = made.svgxml()
    parts: dict[str, list[Glyph]] = {_colour(number): [] for number in range(next(numbers))}
    for colour, path in _paths(svg):
        parts.get(colour, parts[_colour(0)]).append(_glyph(path))
    left, top, width, height = map(float, svg.attrib["viewBox"].split())
    return Drawing((left, top, width, height), list(parts.values()))


def _colour(number: int) -> str:
    return f"#{number:06x}"


def _paths(element: Element, inherited: str = "") -> Iterator[tuple[str, str]]:
    """Yield colour and SVG path of each outline below an element; a frame becomes the outline of its line."""
    fill, stroke = element.get("fill", inherited), element.get("stroke")
    if element.tag in ("svg", "g"):
        for child in element:
            yield from _paths(child, fill)
    elif element.tag == "path" and stroke is None:
        yield fill, element.attrib["d"]
    elif element.tag == "rect":
        x, y, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
        line = float(element.get("stroke-width", "1")) if stroke else 0.0
        outside = _rectangle(x - line / 2, y - line / 2, width + line, height + line)
        inside = _rectangle(x + line / 2, y + height - line / 2, width - line, line - height)  # in opposite direction
        yield stroke or fill, f"{outside} {inside}" if stroke else outside
    else:
        raise ValueError(f"an outline of a formula is drawn as {element.tag}")


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M {x} {y} L {x + width} {y} L {x + width} {y + height} L {x} {y + height} Z"


def _glyph(path: str) -> Glyph:
    """Return an SVG path with rounded coordinates, moved to (0, 0)."""
    commands = [(command, [float(number) for number in numbers.split()]) for command, numbers in COMMAND.findall(path)]
    origin = commands[0][1]
    parts = [
        " ".join([command, *(_rounded(number - origin[i % 2]) for i, number in enumerate(numbers))])
        for command, numbers in commands
    ]
    return Glyph(" ".join(parts), *(float(_rounded(number)) for number in origin))


def _rounded(number: float) -> str:
    return f"{round(number, DECIMALS) + 0.0:.12g}"  # avoids -0


def as_json(drawings: Drawings) -> str:
    """Return the drawings as JSON, with each outline only once, since letters occur in many formulas."""
    glyphs = {_name(glyph): glyph.path for each in drawings.values() for part in each.parts for glyph in part}
    formulas = {
        latex: {
            "box": " ".join(map(_rounded, each.box)),
            "parts": [[f"{_name(glyph)} {_rounded(glyph.x)} {_rounded(glyph.y)}" for glyph in part]
                      for part in each.parts],
        }
        for latex, each in drawings.items()
    }
    return json.dumps({"formulas": formulas, "glyphs": glyphs}, indent=1, sort_keys=True) + "\n"


def _name(glyph: Glyph) -> str:
    """Return a name that depends only on the outline, so that a changed outline changes one place in the file."""
    return sha256(glyph.path.encode()).hexdigest()[:8]


def main() -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from places import ROOT

    from gptstudio.gui.app import make_app

    make_app()
    Path(ROOT / "resources" / "formulas.json").write_text(as_json(of_pages()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
