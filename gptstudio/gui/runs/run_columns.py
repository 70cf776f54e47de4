"""Columns of the list of runs, and the states of a run as it names them."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from gptstudio.app.state import RunEntry
from gptstudio.data.texts import name_in_words
from gptstudio.gui.translation import joined, size, tr
from gptstudio.i18n import Message, message

NAME, CREATED, TEXT = 0, 1, 3
STATE = message("State")

STATES = {
    "live": (message("Live"), "good", message("Training is in progress.")),
    "finished": (message("Finished"), "text", message("All steps are completed.")),
    "stopped": (message("Stopped"), "text", message("Stopped before the last step. You can continue from there.")),
    "failed": (message("Failed"), "bad", message("Ended with an error. You can continue from the last checkpoint.")),
    "interrupted": (message("Interrupted"), "amber",
                    message("Interrupted without a proper end. You can continue from the last checkpoint.")),
}
"""Name, colour and explanation of each state."""


class ListColumn(NamedTuple):
    """A column: its heading and its meaning, what is shown, by what it is sorted, the tip of a cell, and how wide.

    Sorted by words or floats: Qt would cut whole numbers down to 32 bits.
    """

    heading: str
    help: str
    words: Callable[[RunEntry], str]
    order: Callable[[RunEntry], str | float]
    tip: Callable[[RunEntry], str]
    widest: str
    right: bool = False


def title_of(run: RunEntry) -> str:
    """Return the name of a run: the user's, or in the user's language the one made of its settings."""
    title = run.summary.title
    return tr(title) if isinstance(title, Message) else title


def _best(run: RunEntry) -> str:
    best = run.summary.figures.best
    return f"{best.val_loss:.3f}" if best else "–"


def _best_tip(run: RunEntry) -> str:
    best = run.summary.figures.best
    if not best:
        return tr("Not evaluated yet.")
    words = tr("Lowest validation loss, in nats per token, at step {n}", n=f"{best.step + 1:,}")
    bits = run.summary.figures.best_bits_per_byte
    return words if bits is None else joined("\n", words, tr("{bits} bits per byte of the text", bits=f"{bits:.3f}"))


def _best_order(run: RunEntry) -> float:
    return run.summary.figures.best.val_loss if run.summary.figures.best else math.inf


def _when(run: RunEntry) -> str:
    """Month, day and time; of earlier years the date."""
    created = run.summary.record.created.astimezone()
    return f"{created:%m-%d %H:%M}" if created.year == datetime.now().year else f"{created:%Y-%m-%d}"


def _millions(count: int) -> str:
    return f"{count / 1e6:,.1f} M"


COLUMNS = (
    ListColumn(
        message("Run"), message("The name; F2 changes it. The check box draws the curves of the run below."),
        lambda run: title_of(run), lambda run: title_of(run).lower(), lambda run: str(run.path), "",
    ),
    ListColumn(
        message("Created"), message("Month, day and time at which training began"),
        lambda run: _when(run), lambda run: run.summary.record.created.timestamp(),
        lambda run: f"{run.summary.record.created.astimezone():%Y-%m-%d %H:%M:%S}", "11-20 23:59",
    ),
    ListColumn(
        message("Preset"), message("The preset that the model has the size of; “own” if it is none of them"),
        lambda run: tr(run.summary.preset), lambda run: run.summary.preset, lambda _: "", "gpt2-medium",
    ),
    ListColumn(
        message("Text"), message("The text on which the model was trained"),
        lambda run: tr(name_in_words(run.summary.record.text_name)), lambda run: run.summary.record.text_name,
        lambda run: tr(name_in_words(run.summary.record.text_name)), "The Verdict",
    ),
    ListColumn(
        message("Parameters"), message("Number of weights and biases of the model, in millions"),
        lambda run: _millions(run.summary.parameters), lambda run: float(run.summary.parameters),
        lambda run: f"{run.summary.parameters:,}", "1,637.8 M", right=True,
    ),
    ListColumn(
        message("Best val."), message("Lowest validation loss of all evaluations, in nats per token; lower is better"),
        _best, _best_order, _best_tip, "10.825", right=True,
    ),
    ListColumn(
        STATE, message("In progress, finished, stopped, failed or interrupted"),
        lambda run: tr(STATES[run.state][0]), lambda run: run.state, lambda run: tr(STATES[run.state][2]),
        message("Interrupted"),
    ),
    ListColumn(
        message("Size"), message("All files of the run on disk"),
        lambda run: size(run.summary.size_bytes), lambda run: float(run.summary.size_bytes), lambda _: "",
        "999.9 MB", right=True,
    ),
)
