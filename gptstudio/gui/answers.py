"""Answers of the worker for short tasks (``background``), requested by the window and applied by the tabs.

The newest request wins: an answer carries the number of its request, and an older one is dropped.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import ValidationError

from gptstudio import paths
from gptstudio.data import texts
from gptstudio.devices import Broken, Device
from gptstudio.errors import UserError
from gptstudio.fields import Problem, SpecError
from gptstudio.gpt.config import PRESETS
from gptstudio.gui.worker import Job, Post, attempt
from gptstudio.i18n import message
from gptstudio.training import corpus, init_weights, run_folder, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.cost_history import Speed
from gptstudio.training.events import Ended, Event, Warned, from_json
from gptstudio.training.executor import reported
from gptstudio.training.forecast import SHORTEST_CONTEXT
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

TAIL_BYTES = 65_536
"""More than the last line of a journal, even where it carries an error with all its details."""


@dataclass(frozen=True)
class DevicesFound:
    devices: list[Device]
    broken: list[Broken] = field(default_factory=list)


@dataclass(frozen=True)
class TextChecked:
    """Plan of a run on this text, or the problems that prevent it.

    Attributes:
        missing: the text is not on disk, but can be downloaded.
        fitting_context: if the text is too short for the context length, a shorter one that fits.
    """

    request: int
    plan: corpus.Plan | None = None
    text_name: str = ""
    problems: tuple[Problem, ...] = ()
    missing: bool = False
    fitting_context: int | None = None


@dataclass(frozen=True)
class Fetching:
    """Bytes of The Verdict so far."""

    done: int
    total: int


@dataclass(frozen=True)
class Fetched:
    """The Verdict is here, or the words why not."""

    problem: str = ""


@dataclass(frozen=True)
class Calibrated:
    """Speed of this kind of work on a device; None if it could not be measured."""

    spec: TrainSpec
    device: Device
    speed: Speed | None


def calibrate(spec: TrainSpec, device: Device, control: Control) -> Job:
    """Takes a few real steps, unless it is stopped before."""

    def job(post: Post) -> None:
        from gptstudio.training.calibration import calibrate

        with suppress(UserError, RuntimeError, MemoryError):  # no time is told then, which is no news
            post(Calibrated(spec, device, None if control.stopping else calibrate(spec, device, control)))

    return job


@dataclass(frozen=True)
class Interrupted:
    """Newest run, which has no end and which no process writes: the program was killed, or the computer shut down."""

    run: RunFolder


def find_interrupted(post: Post) -> None:
    for run in run_folder.all_runs()[:1]:
        if run.checkpoints() and not run.written_elsewhere and not isinstance(_last_event(run), Ended):
            post(Interrupted(run))


def _last_event(run: RunFolder) -> Event | None:
    """The last event in a journal, from its last lines alone."""
    with suppress(OSError, ValidationError, IndexError), run.journal_path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
        return from_json(file.readlines()[-1])
    return None


def check_home(post: Post) -> None:
    """Says where nothing can be kept, before an hour was spent on it; clears what killed programs left half written."""
    home = paths.user_data()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        post(Warned(message=message(
            "Nothing can be saved: the folder {path} is not writable ({why}). You can view everything, but no run and "
            "no model is saved. Set GPTSTUDIO_HOME to a writable folder and restart.",
            path=home, why=error.strerror or error,
        )))
    else:
        temp_cleanup.clear()


def find_devices(post: Post) -> None:
    """Find the devices. Imports torch, on the thread of the worker for short tasks."""
    from gptstudio import devices

    post(DevicesFound(devices.find(), devices.broken()))


def check_text_file(spec: TrainSpec, request: int) -> Job:
    """Looks for the weights to begin with, reads and tokenises the text, and plans the run."""

    def looked() -> TextChecked:
        text = None
        try:
            init_weights.find(spec)
            text = corpus.read(spec)
            return TextChecked(request, corpus.plan(spec, text), text.text.name)
        except SpecError as error:
            fitting = _fitting_context(spec, text) if text else None
            return TextChecked(request, problems=tuple(error.problems), fitting_context=fitting)
        except texts.TextNotHere as error:
            return TextChecked(request, problems=(Problem("text", reported(error)),), missing=True)

    return lambda post: post(attempt(looked, lambda words: TextChecked(request, problems=(Problem("text", words),))))


def _fitting_context(spec: TrainSpec, text: corpus.Corpus) -> int | None:
    """The longest context for which the text suffices: no longer than the book's, else half of it, and so on."""
    context = min(PRESETS["book"].context_length, spec.config.context_length // 2)
    while context >= SHORTEST_CONTEXT:
        with suppress(SpecError):
            corpus.plan(spec.but(config=spec.config.but(context_length=context)), text)
            return context
        context //= 2
    return None


def fetch_verdict(control: Control) -> Job:
    """Downloads The Verdict, unless it is stopped in between."""

    def job(post: Post) -> None:
        def progress(done: int, total: int) -> None:
            if control.stopping:
                raise UserError("The download was cancelled.")
            post(Fetching(done, total))

        def fetched() -> Fetched:
            texts.fetch_verdict(progress)
            return Fetched()

        post(attempt(fetched, Fetched))

    return job
