"""What the two heavy workers do: train, and decode. Each job pours a run into its worker's inbox."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from gptstudio.gui.worker import Job, Post
from gptstudio.runs.control import Control
from gptstudio.runs.events import Ended, PhaseChanged, RunStarted
from gptstudio.runs.executor import Stream
from gptstudio.runs.folder import RunFolder
from gptstudio.runs.launch import launch, resume
from gptstudio.runs.source import Kept, Live, ModelSource
from gptstudio.runs.spec import GenerateSpec, TrainSpec

ASK_AGAIN_S = 0.05
"""How soon a wait for a snapshot hears that it is to stop."""


def training(spec: TrainSpec, control: Control, anyway: bool = False) -> Job:
    """One training run, from the text to the last checkpoint."""

    def job(post: Post) -> None:
        launch(spec, control, [post], anyway=anyway)

    return job


def resuming(run: RunFolder, control: Control, tell_journal: bool) -> Job:
    """A run goes on from its last checkpoint. ``tell_journal``: what happened so far is told first."""

    def job(post: Post) -> None:
        for event in run.events() if tell_journal else ():
            if isinstance(event, RunStarted):
                post(event.model_copy(update={"run": str(run.path)}))  # which may have been moved since
            elif not isinstance(event, (Ended, PhaseChanged)):
                post(event)
        resume(run, control, [post])

    return job


class Shelf:
    """The last model that was decoded with, so that the next text need not load it. Lives on the decoding thread."""

    def __init__(self) -> None:
        self._key: object = None
        self._model: Any = None

    def decoding(
        self, spec: GenerateSpec, source: ModelSource, control: Control, snapshot: Callable[[], Future[Any]]
    ) -> Job:
        """Loads the model where it is not on the shelf, and writes. ``snapshot``: of the model that is in training."""

        def job(post: Post) -> None:
            from gptstudio.runs.executor import execute
            from gptstudio.runs.generator import generate

            if isinstance(source, Live):
                stream = self._as_it_is_now(spec, source, control, snapshot)
            else:
                stream = generate(spec, source.name, lambda: self._take(spec, source), control)
            execute(stream, [post])

        return job

    def _as_it_is_now(
        self, spec: GenerateSpec, source: Live, control: Control, snapshot: Callable[[], Future[Any]]
    ) -> Stream:
        """Each text has a copy of its own: the model in training is another after every step."""
        from gptstudio import devices
        from gptstudio.runs.generator import generate
        from gptstudio.runs.source import load_snapshot

        yield PhaseChanged(phase="loading")
        self._key = self._model = None  # makes room
        taken = _await(snapshot(), control)
        if taken is None:
            return "stopped"
        device = devices.choose(spec.device)
        name = source.name_after(taken.step)
        return (yield from generate(spec, name, lambda: load_snapshot(taken, device, spec.path), control))

    def _take(self, spec: GenerateSpec, source: Kept) -> Any:
        from gptstudio import devices
        from gptstudio.runs.source import load

        key = (source, spec.device, spec.path)
        if key != self._key:
            self._key = self._model = None  # the old model goes before the new one comes
            self._model = load(source, devices.choose(spec.device), spec.path)
            self._key = key
        return self._model


def _await(look: Future[Any], control: Control) -> Any:
    """The snapshot; None where somebody stopped waiting for it.

    Raises:
        UserError: the run ended before it could answer.
    """
    while not control.stopping:
        try:
            return look.result(timeout=ASK_AGAIN_S)
        except TimeoutError:
            continue
    look.cancel()
    return None
