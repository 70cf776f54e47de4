"""The models that were used last, so that the next request need not load them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from gptstudio import devices
from gptstudio.app.requests import Model, ModelRequest
from gptstudio.app.tasks import Task, Work
from gptstudio.training.control import Control, Stopped
from gptstudio.training.model_source import LiveModel, SavedModel, TextTable, UntrainedModel

RETRY_S = 0.05
"""Interval in seconds at which a wait for a snapshot checks for cancellation."""

Snapshot = Callable[[], Future[Any]]
"""Asks for a copy of the model that is in training."""


class ModelCache:
    """Holds the models that the last request needed. Its work is done on the queue of the model, one after the other.

    Attributes:
        snapshot: asks for a copy of the model that is in training; set by whoever trains.
    """

    def __init__(self) -> None:
        self._decoders: dict[Model, Any] = {}
        self.snapshot: Snapshot = _no_snapshot

    def work(self, request: ModelRequest) -> Work:
        """Return the work of a request. What is a stream has its events as items."""
        return lambda task: request.run(
            _Loaded(self._decoders, request.models, task.control, self.snapshot), task)

    def release_untrained(self, _task: Task) -> None:
        """Release the models with random weights: a lab's may have 622 MB, and is made anew in a second or two."""
        for model in [each for each in self._decoders if isinstance(each.source, UntrainedModel)]:
            del self._decoders[model]
        devices.return_freed_memory()


class _Loaded:
    """:class:`gptstudio.app.requests.LoadedModels`."""

    def __init__(
        self, decoders: dict[Model, Any], needed: tuple[Model, ...], control: Control, snapshot: Snapshot
    ) -> None:
        self._decoders, self._needed, self._control, self._snapshot = decoders, needed, control, snapshot

    def renew(self, model: Model) -> None:
        if isinstance(model.source, LiveModel):
            self._decoders.pop(model, None)

    def decoder(self, model: Model, for_text: bool = True) -> Any:
        from gptstudio.training.model_source import check_text

        for other in [each for each in self._decoders if each not in self._needed]:
            del self._decoders[other]
        if for_text:
            check_text(model.source)
        if model not in self._decoders:
            self._decoders[model] = self._load(model)
        if for_text:
            self._decoders[model].tokenizer = model.tokenizer
        return self._decoders[model]

    def _load(self, model: Model) -> Any:
        from gptstudio.gpt.decoder import Decoder
        from gptstudio.inference.ngram_decoder import NgramDecoder
        from gptstudio.training.model_source import load, load_snapshot

        source = model.source
        if isinstance(source, TextTable):
            return NgramDecoder.load(source, lambda *_: self._control.check())
        device = devices.choose(model.device)
        if isinstance(source, (UntrainedModel, SavedModel)):
            return Decoder(load(source, device, model.path), source.name, model.weights)
        taken = _await(self._snapshot(), self._control)
        return Decoder(load_snapshot(taken, device, model.path), source.name_after(taken.step), model.weights)


def _no_snapshot() -> Future[Any]:
    nothing_runs = Control()
    nothing_runs.close()
    return nothing_runs.snapshot()


def _await(look: Future[Any], control: Control) -> Any:
    """Return the snapshot.

    Raises:
        Stopped: the wait was cancelled.
        UserError: the run ended before it could answer.
    """
    while not control.stopping:
        try:
            return look.result(timeout=RETRY_S)
        except TimeoutError:
            continue
    look.cancel()
    raise Stopped
