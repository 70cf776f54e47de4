"""The Python interface: the features of the window and the command line, as functions that return values.

Use it as ``import gptstudio as gs``. The classes and the defaults are the same as on the command line. Torch is
imported only when a model is loaded.

>>> import gptstudio as gs
>>> tiny = gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)
>>> run = gs.train(gs.TrainSpec(config=tiny, text=("story",), steps=3, sample_tokens=5, device="cpu"))
>>> run.steps, run.outcome
(3, 'finished')
>>> model = gs.load(run, device="cpu")
>>> [token.id for token in gs.generate(model, "Every effort", max_new_tokens=3)] == [
...     token.id for token in gs.generate(model, "Every effort", max_new_tokens=3)]
True
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Unpack

from gptstudio.data import texts
from gptstudio.errors import UserError, shown
from gptstudio.fields import ALLOWED, Problem, SpecError, wrong_value
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import Weights
from gptstudio.i18n import message
from gptstudio.inference.loading import load_for_caller, source_from
from gptstudio.inference.score_stats import TextScore
from gptstudio.inference.spec import GenerateSettings, GenerateSpec
from gptstudio.training import launch, temp_cleanup
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, PromptRead, TokenDrawn, TokenRead
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.signals import stopped_by_signals
from gptstudio.training.spec import TrainSpec
from gptstudio.training.trained_run import TrainedRun

if TYPE_CHECKING:  # torch is imported only when a model is loaded
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.inference.next_token import Inspection

Source = str | os.PathLike[str] | GPTConfig
"""A model to load: the name or path of a run, a checkpoint, a preset or an imported model; the result of :func:`train`;
or a configuration, which gets random weights."""


class TrainingError(UserError):
    """Error for a failed run. ``ended`` is its last event, with the traceback of an unexpected error."""

    def __init__(self, ended: Ended):
        super().__init__(ended.message)
        self.ended = ended
        if not ended.user_error:
            self.add_note(ended.details)


def load(
    source: Source, *, device: str = "auto", precision: Weights = "fp32", reference: bool = False, seed: int = 123,
    best: bool = False, compile: bool = False,
) -> Decoder:
    """Load a model to generate with, to score texts with, or to inspect.

    Args:
        source: a run, a checkpoint, a preset, an imported model, or a :class:`GPTConfig`.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1`` or ``mps``.
        precision: type of the weights used to generate and score: ``fp32``, ``bf16`` or ``int8``.
        reference: compute exactly as the book's code does, which is slower.
        seed: seed of the random weights of a preset or a configuration.
        best: use the run's checkpoint with the lowest validation loss instead of the last one.
        compile: on a CUDA GPU, compile the model before its first token (``torch.compile``), which takes seconds.

    Returns:
        A decoder: ``model`` is the ``torch.nn.Module``, ``name`` the name of the model, and ``tokenizer`` its
            tokenizer.

    Raises:
        SpecError: a setting or the source is of the wrong type or out of range.
        UserError: the model does not exist or cannot be read, or there is not enough memory.

    >>> model = gs.load(gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1), device="cpu")
    >>> model.name, sum(weight.numel() for weight in model.model.parameters())
    ('own, untrained, seed 123', 1611744)
    """
    _check("source", source, (str, os.PathLike, GPTConfig), message("a name, a path or a GPTConfig"))
    _check("best", best, bool, ALLOWED["bool"])
    if best and isinstance(source, GPTConfig):
        raise UserError(message(
            "The best checkpoint is that of a run, but '{name}' is not a run.", name=UntrainedModel(source, seed).name))
    named: dict[str, Any] = {} if isinstance(source, GPTConfig) else {"model": os.fspath(source)}
    spec = GenerateSpec(
        seed=seed, device=device, precision=precision, reference=reference, compile=compile, **named)
    with _initial_torch():
        return load_for_caller(
            spec, UntrainedModel(source, seed) if isinstance(source, GPTConfig) else source_from(spec, {}, best))


def generate(model: Decoder | Source, prompt: str, **settings: Unpack[GenerateSettings]) -> Iterator[TokenDrawn]:
    """Continue a prompt, token by token.

    Args:
        model: a loaded model, or any ``source`` that :func:`load` accepts.
        settings: ``max_new_tokens``, ``seed``, ``temperature``, ``top_k`` and the other options of
            ``gptstudio generate``, with the same defaults.

    Returns:
        An iterator over the new tokens. Each has its ``text``, its ``id``, the ``probability`` with which it was drawn,
        and the ``alternatives``. A token can be part of a character: use ``model.tokenizer.decode`` to convert the ids
        to text. With ``samples``, the tokens of all texts are interleaved, and ``sample`` is the number of the text
        that a token belongs to.

    Raises:
        SpecError: a setting does not exist, is out of range, or is one of :func:`load`.
        UserError: the prompt is empty, or the model cannot read it.

    >>> tokens = list(gs.generate(model, "Every effort moves you", temperature=0.8, top_k=10, max_new_tokens=4, seed=5))
    >>> len(tokens), all(0 < token.probability <= 1 for token in tokens)
    (4, True)
    """
    values: dict[str, Any] = {"prompt": prompt, **settings}
    spec = GenerateSpec(**values)
    if wrong := sorted(settings.keys() - GenerateSettings.__annotations__):
        raise SpecError(Problem(name, message(
            "{name} is a setting of load; give it there, and pass the loaded model.", name=name)) for name in wrong)
    return _tokens(_loaded(model), spec)


def train(
    spec: TrainSpec, *, folder: str | os.PathLike[str] | None = None,
    on_event: Callable[[Event], object] | None = None, control: Control | None = None, anyway: bool = False,
) -> TrainedRun:
    """Train a model, and return the finished run. The run is listed in the window like any other.

    Ctrl-C, an interrupt of a notebook's kernel, or an error in ``on_event`` ends the run after the current step; it is
    raised again once the run is saved.

    Args:
        spec: the model, the text and the settings, with the names and defaults of ``gptstudio train``.
        folder: folder of the run, which must be new or empty; by default, a new one among the user's runs.
        on_event: called with each event: ``StepDone``, ``Evaluated``, ``SampleWritten`` and others.
        control: a new one, for stopping the run or setting its learning rate, from ``on_event`` or from another thread.
        anyway: train even if the estimated memory exceeds the free memory.

    Raises:
        TrainingError: the text cannot be read, the memory does not suffice, or the run failed.

    >>> losses = []
    >>> def watch(event):
    ...     if isinstance(event, gs.Evaluated):
    ...         losses.append(event.val_loss)
    >>> run = gs.train(gs.TrainSpec(config=model.model.cfg, text=("story",), steps=6, eval_freq=3), on_event=watch)
    >>> len(losses), run.val_loss == losses[-1], run.path.is_dir()
    (2, True, True)
    """
    control, run, called = control or Control(), TrainedRun(), _with_callers_torch(on_event)
    raised: list[BaseException] = []

    def take(event: Event) -> None:
        run.take(event)
        try:
            if not raised:
                called(event)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again after the run is saved
            raised.append(error)
            control.stop()

    _prepare(spec, control)
    with _initial_torch(), stopped_by_signals(control) as listener:
        ended = launch.launch(spec, control, [listener, take], Path(folder) if folder is not None else None, anyway)
    if listener.signal is not None:
        signal.raise_signal(listener.signal)  # with the previous handler, which ends most programs
    if raised:
        raise raised[0]
    if ended.outcome == "failed":
        raise TrainingError(ended)
    run.outcome = ended.outcome
    return run


def score(model: Decoder | Source, text: str, *, stride: int | None = None) -> TextScore:
    """Measure how surprising a text is to a model: bits per token and per byte, perplexity.

    Args:
        model: a loaded model, or any ``source`` that :func:`load` accepts.
        stride: number of tokens from one window to the next, for a text longer than the context; half of the context by
            default.

    Raises:
        UserError: the text has fewer than two tokens, or the model cannot read it.

    >>> found = gs.score(model, "Every effort moves you")
    >>> found.tokens, len(found.readings)
    (3, 4)
    >>> 40_000 < found.perplexity < 60_000  # hardly trained: as if all 50,257 tokens were equally probable
    True
    """
    from gptstudio.inference.scoring import score as read
    from gptstudio.torch_settings import each_within

    _check("text", text, str, ALLOWED["text"])
    _check("stride", stride, (Integral, NoneType), message("a whole number"))
    decoder = _loaded(model)
    found = TextScore(tokenizer=decoder.tokenizer)
    for event in each_within(read(text, lambda: decoder, Control(), stride, decoder.tokenizer)):
        match event:
            case PromptRead():
                found.model, found.context, found.stride = event.model, event.context, event.stride
            case TokenRead():
                found.readings.append(event)
                found.add([event])
    return found


def inspect(
    model: Decoder | Source, prompt: str, *, token: str | None = None, ablate: Sequence[str] = (),
    mean_over: str | os.PathLike[str] | None = None, attribution: bool = False,
) -> Inspection:
    """Show what a model predicts after a prompt, what changes when parts of it are ablated, and how much each part
    contributes.

    Args:
        model: a loaded model, or any ``source`` that :func:`load` accepts.
        token: the next token to examine, with its leading space: ``" cat"``. The most probable one if None.
        ablate: parts of the model to ablate: ``3.5`` is head 5 of layer 3, ``3.mlp`` the feed-forward network of layer
            3, both counted from 0; ``3.5=0.5`` halves the output, ``3.5=mean`` replaces it by its mean.
        mean_over: name or file of the text over which means are taken; the prompt if None.
        attribution: also compute the contribution of every head and feed-forward network to the token.

    Raises:
        UserError: the prompt is empty, or the model does not have the token or a part.

    >>> found = gs.inspect(model, "Every effort moves you", ablate=["0.1"])
    >>> best = found.candidates[0]
    >>> best.probability != best.changed_probability
    True
    >>> found = gs.inspect(model, "Every effort moves you", token=" cat", attribution=True)
    >>> sorted(str(component) for component, figures in found.effects.by_component())[:3]
    ['blocks.0.attn.head.0', 'blocks.0.attn.head.1', 'blocks.0.mlp']
    """
    from gptstudio.inference import next_token

    _check("prompt", prompt, str, ALLOWED["text"])
    _check("token", token, (str, NoneType), ALLOWED["text"])
    _check("mean_over", mean_over, (str, os.PathLike, NoneType), ALLOWED["text"])
    _check("ablate", ablate, Iterable, ALLOWED["texts"])
    ablate = (ablate,) if isinstance(ablate, str) else tuple(ablate)
    for part in ablate:
        _check("ablate", part, str, ALLOWED["texts"])
    _check("attribution", attribution, bool, ALLOWED["bool"])
    decoder, over = _loaded(model), None if mean_over is None else os.fspath(mean_over)
    with _initial_torch():
        return next_token.inspect(
            decoder.model, prompt, token, ablate, over, attribution, tokenizer=decoder.tokenizer)


def _check(name: str, value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Raise a SpecError if an argument has the wrong type."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise SpecError([wrong_value(name, shown(repr(value)), what)])


@contextmanager
def _initial_torch() -> Iterator[None]:
    """Context manager in which torch has its initial settings; the caller's are restored afterwards. Imports torch."""
    from gptstudio.torch_settings import initial

    with initial():
        yield


def _with_callers_torch(function: Callable[[Event], object] | None) -> Callable[[Event], None]:
    """Wrap a caller's function, or None, so that it runs with torch's current settings."""
    from gptstudio.torch_settings import CallersSettings

    settings = CallersSettings()

    def called(event: Event) -> None:
        if function:
            with settings.applied():
                function(event)

    return called


def _loaded(model: Decoder | Source) -> Decoder:
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.inference.decoders import for_text

    return for_text(model if isinstance(model, Decoder) else load(model))


def _tokens(decoder: Decoder, spec: GenerateSpec) -> Iterator[TokenDrawn]:
    from gptstudio.inference import generator
    from gptstudio.torch_settings import each_within

    for event in each_within(generator.generate(spec, lambda: decoder, Control(), known=None)):
        if isinstance(event, TokenDrawn):
            yield event


def _prepare(spec: TrainSpec, control: Control) -> None:
    """Check the arguments of a run, remove old temporary files, and download The Verdict if the spec needs it and it is
    missing.

    Raises:
        SpecError: the spec is not a TrainSpec.
        UserError: the control is that of a run that has ended.
        TextNotHere: there is no network, or the downloaded file is a different one.
    """
    _check("spec", spec, TrainSpec, "TrainSpec")
    if control.closed:
        raise UserError(message("The Control is that of a run that has ended. Give each run its own."))
    temp_cleanup.clear()
    if texts.VERDICT in spec.text and texts.locate(texts.VERDICT) is None:
        texts.fetch_verdict()
