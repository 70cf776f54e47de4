"""``gptstudio train`` and ``gptstudio find-rate``: train a model on a text, continue a run, or find a learning rate.

The Verdict does not ship with the program: it is downloaded here, or replaced by the included story if there is no
network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TextColumn

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
from gptstudio.cli.terminal import Terminal
from gptstudio.data import texts
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS
from gptstudio.training import launch, run_folder, temp_cleanup
from gptstudio.training.branching import Changes
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.executor import Sink
from gptstudio.training.rate_test import STEPS, RateTest
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.signals import stopped_by_signals
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Strategy
from gptstudio.training.torchrun import join


def with_text(spec: TrainSpec) -> TrainSpec:
    """Return ``spec`` with texts that are on this computer: The Verdict is downloaded, or replaced by the included
    story."""
    if texts.VERDICT not in spec.text or texts.locate(texts.VERDICT) is not None:
        return spec
    try:
        fetch()
    except texts.TextNotHere as error:
        output.note(f"{error} Training on that story for now.", "yellow")
        instead = (texts.STORY if text == texts.VERDICT else text for text in spec.text)
        return spec.but(text=tuple(dict.fromkeys(instead)))  # the story only once, even if it was also requested
    return spec


def fetch() -> None:
    """Download The Verdict, with a progress bar on stderr if it is a terminal.

    Raises:
        texts.TextNotHere: there is no network, or the server sent another file.
    """
    with output.progress(TextColumn("Downloading The Verdict…"), BarColumn(), DownloadColumn()) as bar:
        task = bar.add_task("")
        texts.fetch_verdict(lambda done, total: bar.update(task, completed=done, total=total or None))


StartingPreset = Annotated[
    str | None,
    Parameter(
        help="The preset to start from. With --init-from and without a preset, the configuration of that "
        "model is used.", group=MODEL,
        choices=tuple(PRESETS), show_default=lambda _: DEFAULT_PRESET,
    ),
]
RunPath = Annotated[
    Path | None,
    Parameter(
        help="The folder for the run, new or empty. By default, a new folder among your runs.",
        group=TRAINING, metavar="DIR", show_default=False,
    ),
]
Resume = Annotated[
    str | None,
    Parameter(
        help="Continue this run from its last checkpoint, or from the given checkpoint, exactly as if it "
        "had never stopped. Accepts no other setting except --device, where the last digits may differ, and --epochs "
        "or --steps: more of them than before train a run longer.",
        group=TRAINING, metavar="RUN", show_default=False,
    ),
]
Branch = Annotated[
    str | None,
    Parameter(
        help="Continue from the last checkpoint of this run, or from the given checkpoint, as a new run; the other run "
        "does not change. Accepts --learning-rate, --epochs or --steps (in all), and --device. If nothing is changed, "
        "the new run takes the steps of the other one again.",
        group=TRAINING, metavar="RUN", show_default=False,
    ),
]
InitBest = Annotated[bool, switch(
    "Begin with the checkpoint of the run named by --init-from that has the lowest validation loss, instead of its "
    "last.", group=TRAINING)]
Anyway = Annotated[bool, switch("Train even if the estimated memory exceeds the free memory.")]
Shard = Annotated[bool, switch(
    "With torchrun: split the model across the processes, for a model too large for any single device.",
    group=TRAINING)]

NO_OTHER_SETTING = (
    "--resume continues a run with its original settings. Leave out all other settings except --device, --epochs and "
    "--steps.",
    "--branch continues from a run with its original settings. Leave out all other settings except --learning-rate, "
    "--epochs, --steps and --device.",
)
"""Error messages about settings that --resume and --branch do not accept."""


def train(
    *,
    preset: StartingPreset = None,
    model: ModelFlags = SAME_MODEL,
    training: TrainFlags = SAME_TRAINING,
    run: RunPath = None,
    resume: Resume = None,
    branch: Branch = None,
    init_best: InitBest = False,
    shard: Shard = False,
    anyway: Anyway = False,
    json: Json = False,
) -> Ended:
    """Train a new model on a text, start from the weights of another model, or continue a run.

    Ctrl-C stops after the current step and saves the model. Started with torchrun, several processes train the same
    model: torchrun --nproc-per-node=2 -m -- gptstudio train.
    """
    control = Control()
    temp_cleanup.clear()
    if resume is not None or branch is not None:
        if preset is not None or model.given() or run or init_best or (
                resume is not None and branch is not None):
            raise UserError(NO_OTHER_SETTING[branch is not None])
        return _continue_run(resume, branch, training.given(), control, anyway, json, join(shard))
    asked = train_spec_from(preset, model, training, init_best)
    strategy = join(shard)
    spec = strategy.on_rank_zero(lambda: with_text(asked))
    return train_into(_sink(json, control, strategy), spec, control, run, anyway, strategy)


def _continue_run(
    resume: str | None, branch: str | None, given: Mapping[str, Any], control: Control, anyway: bool, json: bool,
    strategy: Strategy,
) -> Ended:
    """Resume a run, or branch off it."""
    longer: dict[str, int] = {name: given[name] for name in ("epochs", "steps") if name in given}
    taken = {"device", *longer} | ({"learning_rate"} if branch is not None else set())
    if given.keys() - taken:
        raise UserError(NO_OTHER_SETTING[branch is not None])
    run, start = strategy.on_rank_zero(lambda: _find(branch or resume or ""))
    sink, device = _sink(json, control, strategy), given.get("device")
    if branch is None:
        return _steered(sink, control, f"Continuing {run.name}.", lambda sinks, reading: launch.resume(
            run, control, sinks, start, anyway, strategy, reading, device, longer))
    changes = Changes(given.get("learning_rate"), longer)
    return _steered(sink, control, f"Branching off {run.name}.", lambda sinks, reading: launch.branch(
        run, start, control, sinks, changes, anyway, strategy, reading, device))


def train_into(
    sink: Sink, spec: TrainSpec, control: Control, run: Path | None = None, anyway: bool = False,
    strategy: Strategy = SINGLE_PROCESS,
) -> Ended:
    """Train with the settings of ``spec``, and send the events to ``sink``."""
    names = ", ".join(texts.NAMES.get(text, text) for text in spec.text)
    weights = f", starting from the weights of {spec.init_from}" if spec.init_from else ""
    title = f"Model: {called(spec.config)}{weights}. Training text: {names}."
    return _steered(
        sink, control, title,
        lambda sinks, reading: launch.launch(spec, control, sinks, run, anyway, strategy, reading),
    )


def _sink(json: bool, control: Control, strategy: Strategy) -> Sink:
    if not strategy.is_rank_zero:
        return lambda _: None
    return output.json_lines() if json else Terminal(control)


def _steered(sink: Sink, control: Control, title: str, train: Callable[[list[Sink], Progress], Ended]) -> Ended:
    """Train until the end, Ctrl-C, or a closed stdout."""
    reading = unwatched
    if isinstance(sink, Terminal):
        sink.expect(title)
        reading = sink.bar.reading
    with stopped_by_signals(control) as listener:
        return train([listener, output.while_read(sink, control)], reading)


def _find(name: str) -> tuple[RunFolder, Path | None]:
    """Return the run with a name or path, and the checkpoint to start from if one was given.

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
    raise UserError(
        f"There is no run '{name}'. Use gptstudio runs to list your runs, or give the path of a run's folder.")


def find_rate(
    *,
    preset: StartingPreset = None,
    model: ModelFlags = SAME_MODEL,
    training: TrainFlags = SAME_TRAINING,
    init_best: InitBest = False,
    json: Json = False,
) -> None:
    """Find a learning rate by training a copy of the model for up to 60 steps with a rate that grows from 1e-6 to 1
    (learning-rate range test). Nothing is saved. Accepts the settings of train; its learning rate and schedule are not
    used.
    """
    spec = with_text(train_spec_from(preset, model, training, init_best))
    for unused in spec.unused_settings:
        output.note(unused, "yellow")
    from gptstudio.training.learning_rate_finder import find_learning_rate  # imports torch

    with output.stoppable() as control:
        if json:
            _print_json(find_learning_rate(
                spec, control, lambda point: output.print_json({"event": "rate_tested", **asdict(point)})))
            return
        with output.progress(TextColumn("Testing learning rates…"), BarColumn(), MofNCompleteColumn()) as bar:
            task = bar.add_task("", total=STEPS)
            test = find_learning_rate(spec, control, lambda _: bar.advance(task))
    output.line(f"Model: {called(spec.config)}. Optimizer: {spec.chosen_optimizer.label}. Steps: {len(test.points)}.")
    _show(test)


def _show(test: RateTest) -> None:
    """Print every fourth step, the suggested range, and the option for the suggested rate."""
    for point, mean in [*zip(test.points, test.means, strict=True)][::4]:
        output.line(f"  rate {point.rate:9.2e}   loss {point.loss:8.4f}   average {mean:8.4f}")
    low, high = test.band
    how = "ended because the loss diverged" if test.diverged else "reached the highest rate"
    output.line(
        f"The test {how}. Averaged over five steps, the loss falls most steeply at {test.steepest.rate:.2g} and is "
        f"lowest at {test.minimum.rate:.2g}. Choose a rate between {low:.2g} and {high:.2g}."
    )
    output.line(f"Suggested: --learning-rate {test.suggestion:g}", "bold")


def _print_json(test: RateTest) -> None:
    low, high = test.band
    output.print_json({
        "event": "rate_found", "suggestion": test.suggestion, "low": low, "high": high, "steps": len(test.points),
        "steepest": test.steepest.rate, "minimum": test.minimum.rate, "diverged": test.diverged,
    })
