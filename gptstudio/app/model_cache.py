"""The models that were used last, so that the next request need not load them; and the work that uses them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from gptstudio import devices
from gptstudio.app.lab_request import LabRequest
from gptstudio.app.requests import (
    AttentionQuery,
    Compare,
    LensQuery,
    Model,
    ModelQuery,
    NeighbourAnswer,
    NeighbourQuery,
    Question,
    ReadingQuery,
    Request,
    Score,
    Write,
)
from gptstudio.app.tasks import Task, Work
from gptstudio.inference.finite import check_finite
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import Event, Outcome
from gptstudio.training.executor import Stream, execute
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel, untrained

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

    def write(self, request: Write) -> Work:
        """Generate a text; the items are its events."""
        return lambda task: execute(self._loaded(request, task).write(request), [task.emit])

    def score(self, request: Score) -> Work:
        """Read a text; the items are its events."""
        return lambda task: execute(self._loaded(request, task).score(request), [task.emit])

    def compare(self, request: Compare) -> Work:
        """Generate two texts by turns; the items are pairs of a side, 0 or 1, and an event of it. The end of both is
        an event of side 0."""

        def work(task: Task) -> None:
            loaded = self._loaded(request, task)
            right = loaded.write(request.right, beside=request.right.model == request.left.model)
            both: Any = _by_turns([loaded.write(request.left), right])
            execute(both, [lambda each: task.emit(each if isinstance(each, tuple) else (0, each))])

        return work

    def answer(self, request: Question) -> Work:
        """Answer a question about a model."""
        return lambda task: self._loaded(request, task).answer(request, task)

    def answer_lab(self, request: LabRequest) -> Work:
        """Answer a lab that is about a model."""
        return lambda task: self._loaded(request, task).answer_lab(request)

    def release_untrained(self, _task: Task) -> None:
        """Release the models with random weights: a lab's may have 622 MB, and is made anew in a second or two."""
        for model in [each for each in self._decoders if isinstance(each.source, UntrainedModel)]:
            del self._decoders[model]
        devices.return_freed_memory()

    def _loaded(self, request: Request | LabRequest, task: Task) -> _LoadedModels:
        return _LoadedModels(self._decoders, models_of(request), task.control, self.snapshot)


def models_of(request: Request | LabRequest) -> tuple[Model, ...]:
    """The models that a request needs at once."""
    match request:
        case LabRequest():
            return (_model_of(request),)
        case Compare():
            return request.left.model, request.right.model
        case NeighbourQuery():
            return (request.model, *_before(request.model))
        case _:
            return (request.model,)


class _LoadedModels:
    """Context of one job: the models it needs, each loaded on first use."""

    def __init__(self, decoders: dict[Model, Any], needed: Sequence[Model], control: Control, snapshot: Snapshot):
        self._decoders, self._needed, self._control, self._snapshot = decoders, needed, control, snapshot

    def write(self, request: Write, beside: bool = False) -> Stream:
        """A text. ``beside`` another of the same model: with keys and values of its own."""
        from gptstudio.inference import beam_search
        from gptstudio.inference.generator import generate

        def open_decoder() -> Any:
            shared = self.decoder(request.model)
            return shared.sibling() if beside else shared

        if request.refresh and not beside:
            self._renew(request.model)
        if request.beams:
            return beam_search.stream(
                request.spec, request.beams, open_decoder, self._control, request.ids, request.known)
        return generate(request.spec, open_decoder, self._control, request.ids, request.known)

    def score(self, request: Score) -> Stream:
        from gptstudio.inference.scoring import score

        self._renew(request.model)
        return score(request.text, lambda: self.decoder(request.model), self._control)

    def _renew(self, model: Model) -> None:
        """A model in training has learned on since: it is copied again."""
        if isinstance(model.source, LiveModel):
            self._decoders.pop(model, None)

    def answer_lab(self, request: LabRequest) -> Any:
        model = _model_of(request)
        self._control.check()
        self._renew(model)
        return request.find(self.decoder(model, for_text=False).model)

    def answer(self, request: Question, task: Task) -> Any:
        from gptstudio.inference import interpret
        from gptstudio.inference.generator import read, token_read

        self._control.check()
        decoder = self.decoder(request.model, for_text=not isinstance(request, ModelQuery) or request.for_text)
        match request:
            case ReadingQuery():
                *text, token = request.ids
                if not text:
                    return next(read(decoder, [token]))
                logits = decoder.next_logits([text])[0]  # from as many tokens as when it was drawn
                return token_read(logits.cpu().numpy(), token, len(text))
            case AttentionQuery():
                attention = interpret.attention(decoder.model, request.ids, request.layer, check=self._control.check)
                check_finite(attention.scores)
                _ = attention.overview  # kept, so that the window does not compute it
                return attention
            case LensQuery():
                lens = interpret.logit_lens(decoder.model, request.ids, check=self._control.check)
                check_finite(lens.probabilities)
                return lens
            case NeighbourQuery():
                after = interpret.neighbours(decoder.model, request.token)
                check_finite(after.cosines)
                untrained = [self.decoder(model).model for model in _before(request.model)]
                before = [interpret.neighbours(model, request.token) for model in untrained]
                return NeighbourAnswer(before[0] if before else None, after)
            case ModelQuery():
                return request.find(decoder.model, task)

    def decoder(self, model: Model, for_text: bool = True) -> Any:
        """Return the model, from the cache or loaded; models that this job does not need are removed first.

        Args:
            for_text: it is to read or write a text, for which it needs GPT-2's vocabulary.

        Raises:
            UserError: it cannot be loaded, or there is not enough memory.
            Stopped: while waiting for a copy of the model in training.
        """
        from gptstudio.gpt.decoder import Decoder
        from gptstudio.training.model_source import check_text

        for other in [each for each in self._decoders if each not in self._needed]:
            del self._decoders[other]
        if for_text:
            check_text(model.source)
        if model not in self._decoders:
            self._decoders[model] = Decoder(*self._load(model), model.weights)
        return self._decoders[model]

    def _load(self, model: Model) -> tuple[Any, str]:
        from gptstudio import devices
        from gptstudio.training.model_source import load, load_snapshot

        source, device = model.source, devices.choose(model.device)
        if isinstance(source, (UntrainedModel, SavedModel)):
            return load(source, device, model.path), source.name
        taken = _await(self._snapshot(), self._control)
        return load_snapshot(taken, device, model.path), source.name_after(taken.step)


def _model_of(task: LabRequest) -> Model:
    if task.source is None:
        raise RuntimeError("a lab about a model was asked without one")
    return Model(task.source, task.device, "reference")


def _before(model: Model) -> list[Model]:
    """The same model before it learned anything, where it is known how it began."""
    began = untrained(model.source)
    return [replace(model, source=began)] if began else []


def _by_turns(streams: Sequence[Stream]) -> Generator[tuple[int, Event], None, Outcome]:
    """One event of each side after the other, until both have ended."""
    going = dict(enumerate(streams))
    outcome: Outcome = "finished"
    while going:
        for side, stream in list(going.items()):
            try:
                yield side, next(stream)
            except StopIteration as end:
                del going[side]
                outcome = end.value if end.value != "finished" else outcome
    return outcome


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
