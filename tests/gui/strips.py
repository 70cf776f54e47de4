"""Texts in the form that the strip of tokens takes, with figures like those of a trained model."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.theme import LIGHT, theme
from gptstudio.inference.generator import draw, token_read
from gptstudio.inference.text_tree import Node
from gptstudio.training.events import TokenDrawn, TokenRead

TEXT = "I HAD always thought Jack Gisburn rather a cheap genius\n\n--though a good fellow enough\nso it was no surprise"
NASTY = (
    "\x00\x07\u202e <b>&amp;\"'\ttab\r\n {x} </script>]]> שלום عالم 漢字 👩\u200d👩\u200d👧 e\u0301 \ufeff"
    + "-" * 64 + "."
)
VOCABULARY = 50_257


def discard(widget: QWidget) -> None:
    """Delete a widget with its children, and restore the theme."""
    widget.close()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    usual()


def usual() -> None:
    """Restore the initial theme; set it only where it differs, since that takes a while."""
    if (theme.colours, theme.zoom) != (LIGHT, 1.0):
        theme.use(LIGHT)
        theme.enlarge(None)


def path(text: str = TEXT, new_from: int = 4, seed: int = 1) -> list[Node]:
    return nodes(GPT2.encode(text), new_from, seed)


def nodes(ids: Sequence[int], new_from: int = 4, seed: int = 1) -> list[Node]:
    """Return nodes with random logits, in which the tokens themselves are raised by different amounts."""
    return list(_made(tuple(ids), new_from, seed))


@cache
def _made(ids: tuple[int, ...], new_from: int, seed: int) -> tuple[Node, ...]:
    random, made = np.random.default_rng(seed), []
    for position, token in enumerate(ids):
        logits = random.normal(0, 2, VOCABULARY).astype(np.float32)
        logits[token] = random.uniform(2, 18)
        if position == 0:
            nothing = dict.fromkeys(("plain_probability", "rank", "plain_entropy_bits"))
            reading = TokenRead(position=0, id=token, text=GPT2.decode([token]), **nothing)
        elif position < new_from:
            reading = token_read(logits, token, position)
        else:
            reading = _drawn(logits, token, position)
        made.append(Node(position, position - 1, reading.model_copy(update={"logits": None})))
    return tuple(made)


def _drawn(logits: np.ndarray, token: int, position: int) -> TokenDrawn:
    """Return a draw whose random number selects this token."""
    sampling_params = SamplingParams(temperature=0.9)
    edges = np.cumsum(sampler.distribution(logits, sampling_params).probabilities)
    middle = (edges[token] + (edges[token - 1] if token else 0)) / 2 / edges[-1]
    drawn = draw(logits, sampling_params, range(position), middle, took_s=0.0213)
    assert drawn.id == token
    return drawn
