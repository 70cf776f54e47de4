"""The Python interface: what the window and the command line do, as functions that return values.

Use it as ``import gptstudio as gs``. All objects are those of the command line, which has the same defaults. No torch
until a model is loaded.

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gptstudio.data import texts
from gptstudio.errors import UserError, shown
from gptstudio.fields import ALLOWED, Problem, SpecError
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

if TYPE_CHECKING:  # torch waits until a model is loaded
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.inference.next_token import Inspection

Source = str | os.PathLike[str] | GPTConfig
"""A model that can be loaded: a run, a checkpoint, a preset or an imported model, by name or path; the result of
:func:`train`; or a configuration, for random weights."""


class TrainingError(UserError):
    """A run that failed. ``ended`` is its last event, with the traceback of an unexpected error."""

    def __init__(self, ended: Ended):
        super().__init__(ended.message)
        self.ended = ended
        if not ended.user_error:
            self.add_note(ended.details)


def load(
    source: Source, *, device: str = "auto", precision: Weights = "fp32", reference: bool = False, seed: int = 123,
    best: bool = False, compile: bool = False,
) -> Decoder:
    """Load a model, to generate with it, to score texts, or to inspect it.

    Args:
        source: a run, a checkpoint, a preset, an imported model, or a :class:`GPTConfig`.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1`` or ``mps``.
        precision: ``fp32``, ``bf16`` or ``int8``: of the weights with which it generates and scores.
        reference: compute exactly as the book's code does, slower.
        seed: for the random weights of a preset or a configuration.
        best: take the checkpoint of a run with the lowest validation loss instead of its last.
        compile: on a CUDA GPU, compile the model before its first token (``torch.compile``), which takes seconds.

    Returns:
        A decoder; its ``model`` is the ``torch.nn.Module``, its ``name`` what the model is called, and its
        ``tokenizer`` how it reads text.

    Raises:
        SpecError: a setting or the source is of the wrong type or out of range.
        UserError: there is no such model, it cannot be read, or there is not enough memory.

    >>> model = gs.load(gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1), device="cpu")
    >>> model.name, sum(weight.numel() for weight in model.model.parameters())
    ('own, untrained, seed 123', 1611744)
    """
    settings: dict[str, Any] = {"seed": seed, "device": device, "precision": precision, "reference": reference}
    settings["compile"] = compile
    _check("source", source, (str, os.PathLike, GPTConfig), message("a name, a path or a GPTConfig"))
    if isinstance(source, GPTConfig):
        spec = GenerateSpec(**settings)
        with _initial_torch():
            return load_for_caller(spec, UntrainedModel(source, seed))
    spec = GenerateSpec(**settings, model=os.fspath(source))
    with _initial_torch():
        return load_for_caller(spec, source_from(spec, {}, best))


def generate(model: Decoder | Source, prompt: str, **settings: Unpack[GenerateSettings]) -> Iterator[TokenDrawn]:
    """Continue a prompt, token by token.

    Args:
        model: a loaded model, or what :func:`load` takes.
        settings: ``max_new_tokens``, ``seed``, ``temperature``, ``top_k`` and the other options of
            ``gptstudio generate``, with the same defaults.

    Returns:
        An iterator; each token has its ``text``, its ``id``, the ``probability`` with which it was drawn, and the
        ``alternatives``. Tokens can be parts of characters: ``model.tokenizer.decode`` makes a
        text of their ids. With
        ``samples``, the tokens of all texts take turns, and ``sample`` says whose each is.

    Raises:
        SpecError: a setting that does not exist or is out of range.
        UserError: an empty prompt, or one that the model cannot read.

    >>> tokens = list(gs.generate(model, "Every effort moves you", temperature=0.8, top_k=10, max_new_tokens=4, seed=5))
    >>> len(tokens), all(0 < token.probability <= 1 for token in tokens)
    (4, True)
    """
    values: dict[str, Any] = {"prompt": prompt, **settings}
    spec = GenerateSpec(**values)
    return _tokens(_loaded(model), spec)


def train(
    spec: TrainSpec, *, folder: str | os.PathLike[str] | None = None,
    on_event: Callable[[Event], object] | None = None, control: Control | None = None, anyway: bool = False,
) -> TrainedRun:
    """Train a model, and return its run when that has ended. The run is listed in the window like any other.

    Ctrl-C, or an interrupt of the notebook's kernel, ends the run after the step that it is in and saves it, and is
    raised then; so is an error of ``on_event``.

    Args:
        spec: the model, the text and the settings; the options of ``gptstudio train``, with the same defaults.
        folder: folder of the run, new or empty; a new one among the user's runs if not given.
        on_event: called with each event: ``StepDone``, ``Evaluated``, ``SampleWritten`` and others.
        control: stops the run, or sets its learning rate, from ``on_event`` or from another thread.
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
    control, run, raised, called = control or Control(), TrainedRun(), list[Exception](), _with_callers_torch(on_event)

    def take(event: Event) -> None:
        run.take(event)
        try:
            if not raised:
                called(event)
        except Exception as error:  # noqa: BLE001 - every error is raised once the run is saved
            raised.append(error)
            control.stop()

    _prepare(spec)
    with _initial_torch(), stopped_by_signals(control) as listener:
        ended = launch.launch(spec, control, [listener, take], Path(folder) if folder is not None else None, anyway)
    if listener.signal is not None:
        signal.raise_signal(listener.signal)  # with the handler that was there before: in most programs it ends them
    if raised:
        raise raised[0]
    if ended.outcome == "failed":
        raise TrainingError(ended)
    run.outcome = ended.outcome
    return run


def score(model: Decoder | Source, text: str, *, stride: int | None = None) -> TextScore:
    """Measure how surprising a text is to a model: bits per token and per byte, perplexity.

    Args:
        model: a loaded model, or what :func:`load` takes.
        stride: tokens from one window to the next, for a text longer than the context; half of the context if not
            given.

    Raises:
        UserError: a text with fewer than two tokens, or one that the model cannot read.

    >>> found = gs.score(model, "Every effort moves you")
    >>> found.tokens, len(found.readings)
    (3, 4)
    >>> 40_000 < found.perplexity < 60_000  # hardly trained: as if all 50,257 tokens were equally probable
    True
    """
    from gptstudio.inference.scoring import score as read
    from gptstudio.torch_settings import each_within

    _check("text", text, str, ALLOWED["text"])
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
    """Show what a model predicts after a prompt, what changes without some of its parts, and what each contributes.

    Args:
        model: a loaded model, or what :func:`load` takes.
        token: the next token that is asked about, with the space before it: ``" cat"``. The most probable one if None.
        ablate: parts whose output is changed: ``3.5`` is head 5 of layer 3, ``3.mlp`` the feed-forward network of
            layer 3, both counted from 0; ``3.5=0.5`` halves the output, ``3.5=mean`` replaces it by its mean.
        mean_over: name or file of the text that means are taken over; the prompt if None.
        attribution: also compute what every head and feed-forward network contributes to the token.

    Raises:
        UserError: an empty prompt, or a token or a part that the model does not have.

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
    decoder, over = _loaded(model), None if mean_over is None else os.fspath(mean_over)
    with _initial_torch():
        return next_token.inspect(
            decoder.model, prompt, token, ablate, over, attribution, tokenizer=decoder.tokenizer)


def _check(name: str, value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Refuse an argument of another type, with a SpecError."""
    if not isinstance(value, kind):
        raise SpecError([Problem(name, message(
            "{name} is {value}; it must be {what}.", name=name, value=shown(repr(value)), what=what))])


@contextmanager
def _initial_torch() -> Iterator[None]:
    """Context manager: torch has its initial settings; the caller's are restored afterwards. Imports torch."""
    from gptstudio.torch_settings import initial

    with initial():
        yield


def _with_callers_torch(function: Callable[[Event], object] | None) -> Callable[[Event], None]:
    """Return a caller's function as one that runs with the settings that torch has now; without one, do nothing."""
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

    prompt = decoder.tokenizer.encode(spec.prompt)
    for event in each_within(generator.generate(spec, lambda: decoder, Control(), prompt, len(prompt))):
        if isinstance(event, TokenDrawn):
            yield event


def _prepare(spec: TrainSpec) -> None:
    """Download The Verdict where a spec asks for it and it is not here.

    Raises:
        SpecError: it is none.
        TextNotHere: there is no network, or something else came.
    """
    _check("spec", spec, TrainSpec, "TrainSpec")
    temp_cleanup.clear()
    if texts.VERDICT in spec.text and texts.locate(texts.VERDICT) is None:
        texts.fetch_verdict()
