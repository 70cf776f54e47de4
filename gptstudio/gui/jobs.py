"""What the two heavy workers do: train, and decode. Each job pours a run into its worker's inbox."""

from __future__ import annotations

from typing import Any

from gptstudio.gui.worker import Job, Post
from gptstudio.runs.control import Control
from gptstudio.runs.launch import launch
from gptstudio.runs.source import ModelSource
from gptstudio.runs.spec import GenerateSpec, TrainSpec


def training(spec: TrainSpec, control: Control) -> Job:
    """One training run, from the text to the last checkpoint."""

    def job(post: Post) -> None:
        launch(spec, control, [post])

    return job


class Shelf:
    """The last model that was decoded with, so that the next text need not load it. Lives on the decoding thread."""

    def __init__(self) -> None:
        self._key: object = None
        self._model: Any = None

    def decoding(self, spec: GenerateSpec, source: ModelSource, control: Control) -> Job:
        """Loads the model where it is not on the shelf, and writes."""

        def job(post: Post) -> None:
            from gptstudio.runs.executor import execute
            from gptstudio.runs.generator import generate

            execute(generate(spec, source.name, lambda: self._take(spec, source), control), [post])

        return job

    def _take(self, spec: GenerateSpec, source: ModelSource) -> Any:
        from gptstudio import devices
        from gptstudio.runs.source import load

        key = (source, spec.device, spec.path)
        if key != self._key:
            self._key = self._model = None  # the old model goes before the new one comes
            self._model = load(source, devices.choose(spec.device), spec.path)
            self._key = key
        return self._model
