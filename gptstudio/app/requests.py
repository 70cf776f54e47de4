"""Requests to models: texts, a score, a comparison, and questions about the internals of a model.

Each request runs itself with the models that :class:`ModelCache` loads for it, so that a new kind needs only a class
here. Torch is imported when a request runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from gptstudio import devices
from gptstudio.gpt.memory import Weights
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.flow import AttentionSource
from gptstudio.inference.interventions import Interventions
from gptstudio.inference.prompt_pair import Kind, PromptPair
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import Event, Outcome
from gptstudio.training.executor import Stream, execute
from gptstudio.training.model_source import (
    LiveModel,
    ModelSource,
    SavedModel,
    TextNgrams,
    UntrainedModel,
    tokenizer_of,
    untrained,
)

if TYPE_CHECKING:
    from gptstudio.app.tasks import Task, Work

@dataclass(frozen=True)
class Model:
    """Model to load, with the device, code path and precision that it runs with."""

    source: ModelSource
    device: str = "auto"
    path: Literal["reference", "fast"] = "fast"
    weights: Weights = "fp32"

    @property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer of the model.

        Raises:
            UserError: its file cannot be read, or the model is untrained and its vocabulary comes from an unknown text.
        """
        return tokenizer_of(self.source)


class ModelRequest(ABC):
    """Request that needs models."""

    @property
    @abstractmethod
    def models(self) -> tuple[Model, ...]:
        """All models that are needed at the same time."""

    @abstractmethod
    def run(self, loaded: LoadedModels, task: Task, /) -> Any:
        """Return the answer to a question, or emit the events of a stream as items of the task.

        Raises:
            UserError: there is no answer.
            Stopped: the task was cancelled.
        """


@dataclass(frozen=True)
class Write(ModelRequest):
    """Request for a text, answered by a stream of events.

    Attributes:
        ids: tokens to continue, instead of the spec's prompt.
        known: number of tokens that are already displayed.
        refresh: whether to copy the current state of a model in training again.
        beams: settings of a search for the most probable text, instead of sampling.
    """

    spec: GenerateSpec
    source: ModelSource
    ids: tuple[int, ...] | None = None
    known: int = 0
    refresh: bool = True
    beams: BeamSpec | None = None

    @property
    def model(self) -> Model:
        return Model(self.source, self.spec.device, self.spec.path, self.spec.precision)

    @property
    def models(self) -> tuple[Model, ...]:
        return (self.model,)

    def run(self, loaded: LoadedModels, task: Task) -> None:
        execute(self.stream(loaded, task.control), [task.emit])

    def stream(
        self, loaded: LoadedModels, control: Control, beside: bool = False, models: Sequence[Model] = ()
    ) -> Stream:
        """Return the stream of events.

        Args:
            beside: another text uses the same model, so use separate keys and values.
            models: the models of other texts that begin with the same tokens of a long prompt, so that they have the
                same positions and random numbers.
        """
        from gptstudio.inference import beam_search
        from gptstudio.inference.generator import KEPT, generate

        def open_decoder() -> Any:
            shared = loaded.decoder(self.model)
            return shared.sibling() if beside else shared

        if self.refresh and not beside:
            loaded.renew(self.model)
        if self.beams:
            return beam_search.stream(self.spec, self.beams, open_decoder, control, self.ids, self.known)
        return generate(
            self.spec, open_decoder, control, self.ids, self.known,
            kept=lambda: max([KEPT, *(loaded.decoder(each).context for each in models)]))


@dataclass(frozen=True)
class Compare(ModelRequest):
    """Request for two texts from one prompt, generated in alternation. The items are pairs of a side, 0 or 1, and an
    event of that side; the end of both is an event of side 0."""

    left: Write
    right: Write

    @property
    def models(self) -> tuple[Model, ...]:
        return self.left.model, self.right.model

    def run(self, loaded: LoadedModels, task: Task) -> None:
        beside = self.right.model == self.left.model
        both: Any = _by_turns([
            self.left.stream(loaded, task.control, models=self.models),
            self.right.stream(loaded, task.control, beside, self.models)])
        execute(both, [lambda each: task.emit(each if isinstance(each, tuple) else (0, each))])


@dataclass(frozen=True)
class OneModelRequest(ModelRequest):
    """Request that needs one model."""

    model: Model

    @property
    def models(self) -> tuple[Model, ...]:
        return (self.model,)


@dataclass(frozen=True)
class Score(OneModelRequest):
    """Request for the surprisal of each token of a text, answered by a stream of events."""

    text: str

    def run(self, loaded: LoadedModels, task: Task) -> None:
        from gptstudio.inference.scoring import score

        loaded.renew(self.model)
        stream = score(self.text, lambda: loaded.decoder(self.model), task.control, tokenizer=self.model.tokenizer)
        execute(stream, [task.emit])


@dataclass(frozen=True)
class ModelQuery(OneModelRequest):
    """Question about the internals of a model."""

    for_text: ClassVar[bool] = True
    """True if it is about a text, for which the vocabulary of the model must be known."""

    def run(self, loaded: LoadedModels, task: Task) -> Any:
        task.control.check()
        return self.find(loaded.decoder(self.model, self.for_text).model, task)

    @abstractmethod
    def find(self, model: Any, task: Task, /) -> Any:
        """Return the answer of a loaded :class:`gptstudio.gpt.model.GPTModel`."""


@dataclass(frozen=True)
class ReadingQuery(OneModelRequest):
    """Request for the model's prediction of the last of these tokens. Answer: a TokenRead with logits."""

    ids: tuple[int, ...]

    def run(self, loaded: LoadedModels, task: Task) -> Any:
        from gptstudio.inference.generator import read, token_read

        task.control.check()
        decoder, (*text, token) = loaded.decoder(self.model), self.ids
        if not text:
            return next(read(decoder, [token]))
        logits = decoder.next_logits([text])[0]  # from the same number of tokens as when it was drawn
        return token_read(logits.cpu().numpy(), token, len(text), decoder.tokenizer)


@dataclass(frozen=True)
class AttentionQuery(ModelQuery):
    """Request for a layer's attention over these tokens. Answer: :class:`gptstudio.inference.interpret.Attention`."""

    ids: tuple[int, ...]
    layer: int

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference import interpret

        attention = interpret.attention(model, self.ids, self.layer, check=task.control.check)
        check_finite(attention.scores)
        _ = attention.overview  # computed here and cached, so that the window does not compute it
        return attention


@dataclass(frozen=True)
class LensQuery(ModelQuery):
    """Request for the prediction after each layer. Answer: :class:`gptstudio.inference.interpret.LogitLens`."""

    ids: tuple[int, ...]

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference import interpret

        lens = interpret.logit_lens(model, self.ids, check=task.control.check)
        check_finite(lens.probabilities)
        return lens


@dataclass(frozen=True)
class NeighbourAnswer:
    """Two :class:`gptstudio.inference.interpret.Neighbours`: of the model before training, and in its current state.

    ``before`` is None if the model is untrained, or its initial weights are unknown.
    """

    before: Any
    after: Any


@dataclass(frozen=True)
class NeighbourQuery(ModelQuery):
    """Request for the tokens nearest to this one. Answer: :class:`NeighbourAnswer`."""

    token: int

    @property
    def models(self) -> tuple[Model, ...]:
        began = untrained(self.model.source)
        return (self.model, *([replace(self.model, source=began)] if began else []))

    def run(self, loaded: LoadedModels, task: Task) -> Any:
        task.control.check()
        after, *before = (self.find(loaded.decoder(each).model, task) for each in self.models)
        return NeighbourAnswer(before[0] if before else None, after)

    def find(self, model: Any, _task: Task) -> Any:
        from gptstudio.inference import interpret

        found = interpret.neighbours(model, self.token)
        check_finite(found.cosines)
        return found


@dataclass(frozen=True)
class TextAttentionQuery(ModelQuery):
    """Request for the attention between all pairs of these tokens. Answer:
    :class:`gptstudio.inference.flow.TextAttention`."""

    ids: tuple[int, ...]
    source: AttentionSource

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.interpret import text_attention

        return text_attention(model, self.ids, self.source, task.control.check)


@dataclass(frozen=True)
class ComponentsQuery(ModelQuery):
    """Request for the components of a model. Answer: its :class:`gptstudio.gpt.config.GPTConfig`."""

    def find(self, model: Any, _task: Task) -> Any:
        return model.cfg


@dataclass(frozen=True)
class ChangedReadingQuery(ModelQuery):
    """Request for the model's reading of a text with interventions, and its prediction of the token at a position.
    Answer: :class:`gptstudio.inference.intervening.ChangedReading`."""

    ids: tuple[int, ...]
    position: int
    interventions: Interventions

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.intervening import read_changed

        return read_changed(
            model, self.ids, self.position, self.interventions, task.control.check, self.model.tokenizer)


@dataclass(frozen=True)
class ChangedTextsQuery(ModelQuery):
    """Request for two continuations of a text, without and with interventions. Answer:
    :class:`gptstudio.inference.intervening.ChangedTexts`."""

    ids: tuple[int, ...]
    spec: GenerateSpec
    interventions: Interventions

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.intervening import continue_changed

        return continue_changed(
            model, self.ids, self.spec, self.interventions, task.control, task.report, self.model.tokenizer)


@dataclass(frozen=True)
class EffectsQuery(ModelQuery):
    """Request for every component's effect on the last of these tokens, predicted from the tokens before it. Answer:
    :class:`gptstudio.inference.next_token.Effects`."""

    ids: tuple[int, ...]

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.next_token import effects, effects_bytes

        *text, token = self.ids
        device = devices.choose(self.model.device)
        devices.check_memory(
            effects_bytes(model.cfg, len(text)), device, message("to compute what every part of the model does"))
        return effects(model, text, token, task.control.check, task.report)


@dataclass(frozen=True)
class PatchQuery(ModelQuery):
    """Request for activation patching. Answer: :class:`gptstudio.inference.patching.Patching`."""

    pair: PromptPair
    kind: Kind = "resid"
    answer: int | None = None
    wrong: int | None = None

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.patching import patch, patch_bytes

        needed, device = patch_bytes(model.cfg, len(self.pair.clean)), devices.choose(self.model.device)
        devices.check_memory(needed, device, message("to copy activations between two prompts"))
        return patch(model, self.pair, self.kind, self.answer, self.wrong, task.control.check, task.report)


@dataclass(frozen=True)
class InductionQuery(ModelQuery):
    """Request for the induction scores of all heads. Answer: :class:`gptstudio.inference.induction.Induction`."""

    seed: int = 0
    for_text: ClassVar[bool] = False

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.induction import induction

        return induction(model, self.seed, task.control.check)


@dataclass(frozen=True)
class StrategyQuery(ModelQuery):
    """Request for texts of several decoding strategies. Answer: a tuple of
    :class:`gptstudio.inference.beam_search.StrategyText`, computed in the precision of the weights.

    Attributes:
        ids: tokens to continue.
        spec: length, seed, sampling parameters, and the conditions for the end of a text.
    """

    ids: tuple[int, ...]
    spec: GenerateSpec
    beams: BeamSpec

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.gpt.decoder import Decoder
        from gptstudio.inference import beam_search, generator

        decoder = Decoder(model, tokenizer=self.model.tokenizer)
        generator.check_vocabulary(model.cfg, self.ids, decoder.tokenizer)
        generator.check_free_space(model.cfg, self.beams.width, self.spec.device)
        return tuple(beam_search.compare(decoder, self.ids, self.spec, self.beams, task.control.check))


def _by_turns(streams: Sequence[Stream]) -> Generator[tuple[int, Event], None, Outcome]:
    """Yield events of the streams in alternation, each with its side, until all streams have ended."""
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


RETRY_S = 0.05
"""Seconds between checks for cancellation while waiting for a snapshot."""

Snapshot = Callable[[], Future[Any]]
"""Function that requests a copy of the model in training."""


class ModelCache:
    """Cache of the models that the last request needed, so that the next one need not load them.

    Its work runs on the queue of the model, one request after the other.

    Attributes:
        snapshot: requests a copy of the model in training; set by the code that trains.
    """

    def __init__(self) -> None:
        self._decoders: dict[Model, Any] = {}
        self.snapshot: Snapshot = _no_snapshot

    def work(self, request: ModelRequest) -> Work:
        """Return the work of a request. The events of a stream become items of the task."""
        return lambda task: request.run(
            LoadedModels(self._decoders, request.models, task.control, self.snapshot), task)

    def release_untrained(self, _task: Task) -> None:
        """Release the models with random weights: one of a lab may take 622 MB, and can be made again in a second or
        two."""
        for model in [each for each in self._decoders if isinstance(each.source, UntrainedModel)]:
            del self._decoders[model]
        devices.return_freed_memory()


class LoadedModels:
    """Models that one request needs, each loaded on first use."""

    def __init__(
        self, decoders: dict[Model, Any], needed: tuple[Model, ...], control: Control, snapshot: Snapshot
    ) -> None:
        self._decoders, self._needed, self._control, self._snapshot = decoders, needed, control, snapshot

    def renew(self, model: Model) -> None:
        """Discard the copy of a model in training, which has learned since."""
        if isinstance(model.source, LiveModel):
            self._decoders.pop(model, None)

    def decoder(self, model: Model, for_text: bool = True) -> Any:
        """Return a :class:`gptstudio.gpt.decoder.Decoder`, from the cache or newly loaded; first remove the models that
        this request does not need.

        Args:
            for_text: whether the model reads or writes a text, for which its vocabulary must be known.

        Raises:
            UserError: the model cannot be loaded, or there is not enough memory.
            Stopped: the task was cancelled while waiting for a copy of the model in training.
        """
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
        from gptstudio.inference.decoders import NgramDecoder
        from gptstudio.training.model_source import load, load_snapshot

        source = model.source
        if isinstance(source, TextNgrams):
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
    """Wait for the snapshot and return it.

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
