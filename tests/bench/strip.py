"""The cost of a long text on the strip of tokens: a frame of scrolling, another colour, and each token that is added.

    python tests/bench/strip.py [rounds] [tokens ...]

On real widgets off screen, in a scroll area of 650 x 690 pixels as on the Generate page and of 1,500 x 700. A frame is
the change and all painting that follows from it. The rounds are repeated, and their median is reported with the lowest
and the highest: in wall-clock time and, because other programs may be using the machine, in processor time of this
process. At 60 frames a second, each may take 16.7 ms.
"""

from __future__ import annotations

import os
import sys

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from chart import report, timed
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.parts import scrolling
from gptstudio.inference.text_tree import Node
from gptstudio.training.events import TokenDrawn

SIZES = ((650, 690), (1500, 700))
FRAMES = 120
COLOURS = ("entropy", "rank", "none", "surprise")
TEXT = "The height of his glory -- that was what the women called it; \"I can hear Mrs. Thwing\" last Chicago sitter,\n"


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 3
    lengths = tuple(map(int, sys.argv[2:])) or (1_000, 5_000, 100_000)
    theme.follow_system(QApplication(sys.argv[:1]))
    for tokens in lengths:
        for width, height in SIZES:
            area, strip, path = shown(tokens, width, height)
            print(f"{tokens:,} tokens, {width} x {height} pixels")
            report("opened", rounds, lambda strip=strip, path=path: opened(strip, path))
            report("another width", rounds, lambda area=area: resized(area))
            report("a key, painted", rounds, lambda strip=strip: walked(strip))
            report("a frame of scrolling", rounds, lambda area=area: scrolled(area))
            report("a frame of recolouring", rounds, lambda strip=strip: recoloured(strip))
            report("a token more", rounds, lambda area=area, path=path: grown(area, path))
            report("told of it, unpainted", rounds, lambda strip=strip, path=path: updated_only(strip, path))
            area.close()
            area.deleteLater()


def shown(tokens: int, width: int, height: int) -> tuple[QScrollArea, TokenStrip, list[Node]]:
    """Return a visible strip, and a path that continues beyond the tokens that it shows."""
    path, strip = nodes(tokens + FRAMES), TokenStrip()
    area = scrolling(strip, "strip_scroll")
    area.resize(width, height)
    area.show()
    strip.show_path(path[:tokens], 20)
    QApplication.processEvents()
    return area, strip, path


def nodes(count: int) -> list[Node]:
    """Return a text with the surprisal of a trained model: few bits for most tokens, many for some."""
    ids, random = GPT2.encode(TEXT), np.random.default_rng(1)
    bits = np.minimum(15, random.gamma(1.2, 2.5, count)).tolist()
    return [
        Node(i, i - 1, TokenDrawn(
            position=i, id=ids[i % len(ids)], text=GPT2.decode([ids[i % len(ids)]]),
            plain_probability=2 ** -bits[i], rank=1 + int(2 ** (bits[i] / 2)), plain_entropy_bits=bits[-i],
            probability=0.5, entropy_bits=2.0, random_number=0.5, took_s=0.02, sampling_params=SamplingParams(top_k=50),
            alternatives=[],
        ))
        for i in range(count)
    ]


def opened(strip: TokenStrip, path: list[Node]) -> np.ndarray:
    """Measure showing the same text again on an empty strip."""
    nodes = path[:-FRAMES]
    strip.clear()
    return timed(lambda _: (strip.show_path(nodes, 20), QApplication.processEvents()), 1)


def resized(area: QScrollArea) -> np.ndarray:
    width = area.width()
    took = timed(lambda number: (area.resize(width - 60 + 30 * number, area.height()), QApplication.processEvents()), 3)
    area.resize(width, area.height())
    return took


def walked(strip: TokenStrip) -> np.ndarray:
    return timed(lambda _: (QTest.keyClick(strip, Qt.Key.Key_Left), QApplication.processEvents()), FRAMES)


def scrolled(area: QScrollArea) -> np.ndarray:
    bar = area.verticalScrollBar()

    def frame(number: int) -> None:
        bar.setValue(number * 40 % bar.maximum())
        QApplication.processEvents()

    return timed(frame, FRAMES)


def recoloured(strip: TokenStrip) -> np.ndarray:
    return timed(lambda number: (strip.colour_by(COLOURS[number % 4]), QApplication.processEvents()), FRAMES)


def grown(area: QScrollArea, path: list[Node]) -> np.ndarray:
    """Measure added tokens with the newest visible, as during generation."""
    strip, bar = area.widget(), area.verticalScrollBar()
    strip.show_path(path[:-FRAMES], 20)
    strip.choose(None)
    QApplication.processEvents()

    def frame(number: int) -> None:
        add(strip, path, number)
        bar.setValue(bar.maximum())
        QApplication.processEvents()

    return timed(frame, FRAMES)


def updated_only(strip: TokenStrip, path: list[Node]) -> np.ndarray:
    strip.show_path(path[:-FRAMES], 20)
    return timed(lambda number: add(strip, path, number), FRAMES)


def add(strip: TokenStrip, path: list[Node], number: int) -> None:
    end = len(path) - FRAMES + 1 + number
    strip.show_path(path[:end], 20)
    strip.choose(end - 1)


if __name__ == "__main__":
    main()
