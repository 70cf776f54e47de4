"""Curves of runs in a comparison: their kinds, their charts, and their styles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from gptstudio.gui.charts.curve import Series
from gptstudio.gui.charts.style import CurveStyle, overlay
from gptstudio.gui.translation import percent, size
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.units import MB

AXES = {
    "step": message("Steps"), "epoch": message("Epochs"), "tokens": message("Tokens"), "minutes": message("Minutes"),
}
"""Names of the x axes, by their keys in ``History.axes``."""
CAPTIONS = {
    "loss": message("Loss (nats per token)"), "learning_rate": message("Learning rate"),
    "gradient_norm": message("Gradient norm"),
    "speed": message("Tokens per second"), "memory": message("Memory (MB)"),
    "copied": message("Copied from the training text (%)"),
}
"""Captions of the charts, by the charts' names."""
SCALES = {"nats": message("nats per token"), "bits": message("bits per byte")}
"""Units of the loss, by name."""
WHY_BYTES = message(
    "Unit of the loss. Losses per token of different vocabularies cannot be compared: longer tokens are harder to "
    "predict, but there are fewer of them. Bits per byte of the text can be.")
PER_BYTE = message("Loss (bits per byte)")

STANDS_OUT, PALE = 1.6, 0.45
"""Width factor of a highlighted curve, and opacity factor of the others."""

WORDS: dict[str, Callable[[float], str]] = {
    "loss": lambda loss: "–" if loss != loss else f"{loss:.3f}", "memory": lambda mb: size(mb * MB),
    "copied": lambda copied: percent(copied / 100),
}
"""Formats of the values of charts that do not show plain numbers."""


@dataclass(frozen=True)
class CurveKind:
    """Column of a run's history as a curve: its name, its chart, and its line style. ``dots``: draws a dot at each of
    its few points. ``text``: for a loss, whether it is on the training text (0) or the validation text (1)."""

    words: str
    tip: str
    chart: str
    table: str
    column: str
    divisor: float = 1.0
    width: float = 1.5
    opacity: float = 1.0
    smooth: bool = True
    dots: bool = False
    shown: bool = False
    text: int | None = None


KINDS = {
    "val_loss": CurveKind(message("Validation loss"), message("On the held-out text, dropout off"),
                     "loss", "evaluations", "val_loss", width=2.2, shown=True, text=1),
    "train_loss": CurveKind(message("Training loss"), message("On some training batches, dropout off"),
                       "loss", "evaluations", "train_loss", opacity=0.65, text=0),
    "step_loss": CurveKind(message("Batch loss"), message("On each step's own batch, dropout on"),
                      "loss", "steps", "loss", width=1, opacity=0.45, text=0),
    "learning_rate": CurveKind(message("Learning rate"), message("How far each step moves the weights"),
                          "learning_rate", "steps", "learning_rate", smooth=False),
    "gradient_norm": CurveKind(message("Gradient norm"), message("Norm of each step's gradient"),
                          "gradient_norm", "steps", "gradient_norm"),
    "speed": CurveKind(message("Tokens/s"), message("Training tokens processed per second"),
                  "speed", "steps", "tokens_per_second"),
    "memory": CurveKind(message("Memory"), message("Device memory that the program uses"),
                   "memory", "memory", "used_bytes", divisor=MB, smooth=False),
    "copied": CurveKind(message("Copied (%)"), message(
        "Share of each sample's tokens in stretches of five or more that occur word for word in the training text"),
                   "copied", "copies", "copied_percent", smooth=False, dots=True),
}
"""Curves of a run by name. The first visible one represents its run in the legend."""


IN_VIEW = 2.3
"""Multiple of the loss of an untrained model up to which the axis follows a run that diverges: beyond, the rest of the
curve would be a line at the bottom."""


def series_of(history: History, name: str, scale: str = "nats") -> Series:
    """Return the points of a curve, which grow with the history. ``scale``: of the loss, a key of ``SCALES``."""
    kind = KINDS[name]
    return Series(getattr(history, kind.table), kind.column, history.axes, divisor_of(history, kind, scale))


def divisor_of(history: History, kind: CurveKind, scale: str) -> Callable[[], float]:
    """Return a function that returns the divisor of a curve on a scale."""
    per_byte = scale == "bits" and kind.text is not None
    return lambda: history.nats_per_bit(kind.text or 0) if per_byte else kind.divisor


@dataclass(frozen=True)
class Overlaid:
    """Run overlaid on others: its folder, its name, and the index of its colour. ``raised``: whether it is highlighted,
    with the others pale; None: no run is."""

    path: Path
    title: str
    number: int
    raised: bool | None = None

    def look(self, kind: CurveKind) -> CurveStyle:
        look = replace(overlay(self.number, kind.width), opacity=kind.opacity, dots=kind.dots)
        if self.raised is None:
            return look
        return replace(look, width=STANDS_OUT * look.width, raised=True) if self.raised else replace(
            look, opacity=PALE * look.opacity)


def key(path: Path, name: str) -> str:
    return f"{path}|{name}"
