"""Quantities for colouring tokens, on one scale that is ordered with any colour vision. No torch.

The scale is matplotlib's "magma" (Smith and van der Walt, 2015), whose lightness changes evenly from end to end; its
darkest eighth is omitted, since boxes in it would look like holes. Expected tokens have a colour near the background,
and unexpected ones stand out: the scale runs from dark to light in the dark theme, and vice versa in the light one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from PySide6.QtGui import QColor

from gptstudio.gpt.sampling.sampler import surprise_bits
from gptstudio.gui.theme import DARK, theme
from gptstudio.i18n import message
from gptstudio.inference.text_tree import Reading

MAGMA = ("#1d1147", "#51127c", "#822681", "#b6377a", "#e65164", "#fb8861", "#fec287", "#fcfdbf")
"""Colours of the scale, evenly spaced: at one eighth from its dark end, at two eighths, and so on to its light end."""
LEVELS = 256

MOST_BITS = 12
MOST_RANK = 10_000
MOST_CHANGE = 4
"""Bits, in either direction."""
DIVERGING_LIGHT = ("#004f80", "#7fb3d8", "#f6f7f9", "#e8a872", "#9a4300")
DIVERGING_DARK = ("#a5dcff", "#2f75a8", "#2d343e", "#a8652a", "#ffc48a")
"""Colours from less to more, through the background colour: blue and orange, which can be distinguished with any colour
vision (Okabe and Ito, 2008)."""


class TintScale(NamedTuple):
    """Quantity by which tokens can be coloured.

    Attributes:
        words: its name.
        low, high: labels of its ends, with units; empty without colours.
        help: explanation.
        value: returns the value of a token, in the scale's unit; None if the model made no prediction for it.
        share: returns the position of a value, from 0 to 1.
        diverging: zero is in the middle of the scale.
    """

    words: str
    low: str
    high: str
    help: str
    value: Callable[[Reading], float | None]
    share: Callable[[float], float]
    diverging: bool = False

    def shade(self, share: float) -> QColor:
        return shade(share, self.diverging)

    def share_of(self, reading: Reading) -> float | None:
        value = self.value(reading)
        return None if value is None else min(1.0, max(0.0, self.share(value)))


def surprise(reading: Reading) -> float | None:
    """Return the surprisal in bits: -log2 of the token's probability in the model, before sampling parameters."""
    return None if reading.plain_probability is None else surprise_bits(reading.plain_probability)


SCALES = {
    "surprise": TintScale(
        message("Surprisal"), message("0 bits"), message("{n} bits or more", n=MOST_BITS),
        message(
            "How unexpected the token was to the model: 0 bits if the model was certain of it, 1 bit more each time "
            "the probability halves. Before any sampling settings."
        ),
        surprise, lambda bits: bits / MOST_BITS,
    ),
    "entropy": TintScale(
        message("Entropy"), message("0 bits"), message("{n} bits or more", n=MOST_BITS),
        message(
            "How uncertain the model was, whichever token came next: 0 bits if it was certain, 1 bit if two tokens "
            "were equally likely. Before any sampling settings."
        ),
        lambda reading: reading.plain_entropy_bits, lambda bits: bits / MOST_BITS,
    ),
    "rank": TintScale(
        message("Rank"), message("1st"), message("{n}th or later", n=f"{MOST_RANK:,}"),
        message(
            "The token's rank among all tokens; 1 is the most likely. Coloured on a logarithmic scale."
        ),
        lambda reading: reading.rank, lambda rank: math.log(rank, MOST_RANK),
    ),
    "change": TintScale(
        message("Change of surprisal"), message("{n} bits less", n=MOST_CHANGE),
        message("{n} bits more", n=MOST_CHANGE),
        message(
            "How much more surprising the token is with the changes set in What if. No colour where nothing is changed "
            "there."
        ),
        lambda _: None, lambda bits: 0.5 + bits / (2 * MOST_CHANGE), diverging=True,
    ),
    "attention": TintScale(
        message("Attention"), message("none"), message("most of all"),
        message(
            "How much the token under the pointer, or the chosen one, attends to each token: a head, the mean of a "
            "layer or rollout, as set in the pane Attention. No colour where it cannot look."
        ),
        lambda _: None, lambda share: share**0.5,
    ),
    "none": TintScale(message("None"), "", "", message("No colours, only the text."), lambda _: None, lambda _: 0.0),
}
"""Scales by the name that :meth:`gptstudio.gui.generate.strip.token_strip.TokenStrip.colour_by` takes."""


def shade(share: float, diverging: bool = False) -> QColor:
    """Return the colour of a position on the scale, 0 to 1, in the current theme."""
    dark = theme.colours is DARK
    stops = (DIVERGING_DARK if dark else DIVERGING_LIGHT) if diverging else MAGMA if dark else MAGMA[::-1]
    return ramp(stops)[round(min(1.0, max(0.0, share)) * (LEVELS - 1))]


def ink_on(paint: QColor) -> QColor:
    """Return black or white, whichever has more contrast: at least 4.5 to 1 on any colour."""
    return _ink(paint.rgb())


def luminance(paint: QColor) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (paint.redF(), paint.greenF(), paint.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_BLACK, _WHITE = QColor("#000000"), QColor("#ffffff")
_EVEN = math.sqrt(1.05 * 0.05) - 0.05
"""Luminance at which black and white have the same contrast, 4.58 to 1."""


@cache
def _ink(rgb: int) -> QColor:
    """Return black or white for a colour; cached, since a strip needs hundreds of them in every frame."""
    return _BLACK if luminance(QColor(rgb)) > _EVEN else _WHITE


@cache
def ramp(stops: tuple[str, ...]) -> tuple[QColor, ...]:
    """Return the colours of a whole scale from evenly spaced ones."""
    paints = [QColor(value) for value in stops]
    places = [level / (LEVELS - 1) * (len(paints) - 1) for level in range(LEVELS)]
    return tuple(mixed(paints[int(at)], paints[min(int(at) + 1, len(paints) - 1)], at % 1) for at in places)


def mixed(ground: QColor, over: QColor, share: float) -> QColor:
    """Return a blend of two colours, with ``share`` of the second."""
    pairs = (ground.red(), over.red()), (ground.green(), over.green()), (ground.blue(), over.blue())
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))
