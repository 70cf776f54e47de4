"""``gptstudio train``: a fresh model learns a text, or a run goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import (
    MODEL,
    SAME_MODEL,
    SAME_TRAINING,
    TRAINING,
    Json,
    ModelFlags,
    TrainFlags,
    called,
    switch,
    train_spec_from,
)
from gptstudio.cli.fetch import with_text
from gptstudio.cli.signals import stopped_by_signals
from gptstudio.cli.terminal import Terminal
from gptstudio.data import texts
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS
from gptstudio.training import launch, run_folder, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.executor import Sink
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.torchrun import join

StartingPreset = Annotated[
    str | None,
    Parameter(
        help="The model to start from. With --begin-with and without a preset: that model's own shape.", group=MODEL,
        choices=tuple(PRESETS), show_default=lambda _: DEFAULT_PRESET,
    ),
]
RunPath = Annotated[
    Path | None,
    Parameter(
        help="The folder to keep the run in, new or empty. Without it: a new one among your runs.",
        group=TRAINING, metavar="DIR", show_default=False,
    ),
]
Resume = Annotated[
    str | None,
    Parameter(
        help="Go on with this run, from its last checkpoint or from the one given, exactly as if it had never stopped. "
        "Takes no other setting but --device: on another one the last digits can differ.",
        group=TRAINING, metavar="RUN", show_default=False,
    ),
]
Anyway = Annotated[bool, switch("Train also where the free memory is not expected to suffice.")]
Shard = Annotated[
    bool,
    Parameter(
        help="With torchrun: every process holds a share of the model, for one that no single device holds.",
        group=TRAINING, negative=(), show_default=False,
    ),
]


def train(
    *,
    preset: StartingPreset = None,
    model: ModelFlags = SAME_MODEL,
    training: TrainFlags = SAME_TRAINING,
    run: RunPath = None,
    resume: Resume = None,
    shard: Shard = False,
    anyway: Anyway = False,
    json: Json = False,
) -> Ended:
    """Train a fresh model on a text, or one that begins with the weights of another, or go on with a run.

    Ctrl-C stops after the step that it is in, and keeps what was learned. Started by torchrun, several processes train
    the same model: torchrun --nproc-per-node=2 -m -- gptstudio train.
    """
    control = Control()
    temp_cleanup.clear()
    if resume is not None:
        device = training.given().get("device")
        if preset is not None or model.given() or training.given().keys() - {"device"} or run:
            raise UserError(
                "--resume goes on with what the run was asked for; leave the other settings out. Only --device may be "
                "given too."
            )
        strategy = join(shard)
        going_on, start = strategy.on_rank_zero(lambda: _find(resume))
        sink, title = _sink(json, control, strategy), f"Going on with {going_on.name}."
        return _steered(
            sink, control, title,
            lambda sinks, reading: launch.resume(going_on, control, sinks, start, anyway, strategy, reading, device),
        )
    asked = train_spec_from(preset, model, training)
    strategy = join(shard)
    spec = strategy.on_rank_zero(lambda: with_text(asked))
    return train_into(_sink(json, control, strategy), spec, control, run, anyway, strategy)


def train_into(
    sink: Sink, spec: TrainSpec, control: Control, run: Path | None = None, anyway: bool = False,
    strategy: Strategy = SINGLE_PROCESS,
) -> Ended:
    """Trains as ``spec`` asks, telling ``sink``."""
    names = ", ".join(texts.NAMES.get(text, text) for text in spec.text)
    begins = f", beginning with the weights of {spec.begin_with}," if spec.begin_with else ""
    title = f"{called(spec.config)}{begins} learns {names}."
    return _steered(
        sink, control, title,
        lambda sinks, reading: launch.launch(spec, control, sinks, run, anyway, strategy, reading),
    )


def _sink(json: bool, control: Control, strategy: Strategy) -> Sink:
    if not strategy.is_rank_zero:
        return lambda _: None
    return output.json_lines() if json else Terminal(control)


def _steered(sink: Sink, control: Control, title: str, train: Callable[[list[Sink], Progress], Ended]) -> Ended:
    """Trains, and can be stopped by Ctrl-C and by a reader who goes away."""
    reading = unwatched
    if isinstance(sink, Terminal):
        sink.expect(title)
        reading = sink.bar.reading
    with stopped_by_signals(control) as listener:
        return train([listener, output.while_read(sink, control)], reading)


def _find(name: str) -> tuple[RunFolder, Path | None]:
    """The run of that name or path, and the checkpoint to start from where one was named.

    Raises:
        UserError: there is no such run.
    """
    run = run_folder.find(name)
    if run:
        return run, None
    path = Path(os.path.expanduser(name)).absolute()
    run = run_folder.find(str(path.parent.parent))
    if run and path in run.checkpoints():
        return run, path
    raise UserError(f"There is no run '{name}'. gptstudio runs lists what there is; a run's folder will do as well.")
