"""``gptstudio train``: a fresh model learns a text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import (
    SAME_MODEL,
    SAME_TRAINING,
    TRAINING,
    Json,
    ModelFlags,
    Preset,
    TrainFlags,
    called,
    train_spec_from,
)
from gptstudio.cli.fetch import with_text
from gptstudio.cli.signals import stopped_by_signals
from gptstudio.cli.terminal import Terminal
from gptstudio.gpt.config import DEFAULT_PRESET
from gptstudio.runs import texts
from gptstudio.runs.control import Control
from gptstudio.runs.events import Ended
from gptstudio.runs.executor import Sink
from gptstudio.runs.launch import launch
from gptstudio.runs.spec import TrainSpec

RunPath = Annotated[
    Path | None,
    Parameter(
        help="The folder to keep the run in, new or empty. Without it: a new one among your runs.",
        group=TRAINING, metavar="DIR", show_default=False,
    ),
]


def train(
    *,
    preset: Preset = DEFAULT_PRESET,
    model: ModelFlags = SAME_MODEL,
    training: TrainFlags = SAME_TRAINING,
    run: RunPath = None,
    json: Json = False,
) -> Ended:
    """Train a fresh model on a text.

    Ctrl-C stops after the step that it is in, and keeps what was learned.
    """
    spec = with_text(train_spec_from(preset, model, training))
    control = Control()
    if json:
        return train_into(output.json_lines(), spec, control, run)
    return train_here(Terminal(control), spec, control, run)


def train_here(terminal: Terminal, spec: TrainSpec, control: Control, run: Path | None = None) -> Ended:
    """Trains before the reader's eyes."""
    terminal.expect(f"{called(spec.config)} learns {texts.NAMES.get(spec.text, spec.text)}.")
    return train_into(terminal, spec, control, run)


def train_into(sink: Sink, spec: TrainSpec, control: Control, run: Path | None) -> Ended:
    """Trains, and can be stopped by Ctrl-C and by a reader who goes away."""
    with stopped_by_signals(control):
        return launch(spec, control, [output.while_read(sink, control)], run)
