"""Arguments of the commands: flags made from the fields of the specs, and the specs made from the flags.

Name, help, range and default of a flag are defined only in the spec. A flag passes the typed value to the spec for
validation, so that the command line has the same error messages as the window, and reports all problems at once.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from cyclopts import Group, Parameter, Token
from pydantic import BaseModel, ConfigDict, create_model

from gptstudio.errors import UserError
from gptstudio.fields import LISTS, FieldView, Problem, Spec, SpecError, fields_of, read_list, write_list
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.spec_code import NONE
from gptstudio.training import model_source
from gptstudio.training.spec import TrainSpec

METAVARS = {
    "int": "N", "float": "X", "text": "TEXT", "texts": "TEXT", "ints": "N,N", "numbers": "X,X", "matrix": "X,X;X,X",
    "choices": "NAME,NAME",
}

T = TypeVar("T", bound="Flags")
HUGE = 10**9
"""Bounds from this value on only prevent overflow, so the help does not show them."""


class Flags(BaseModel):
    """Flags of one spec; None if not given."""

    model_config = ConfigDict(frozen=True)
    views: ClassVar[Sequence[FieldView]] = ()

    def given(self) -> dict[str, Any]:
        """Return the value of each given flag, by field name."""
        typed = {view: getattr(self, view.name) for view in self.views}
        return {view.name: _value(view, text) for view, text in typed.items() if text is not None}


def flags_of(
    spec: type[Spec], group: Group, only: tuple[str, ...] = (), defaults: bool = True
) -> Callable[[type[T]], type[T]]:
    """Return a decorator that gives a subclass of :class:`Flags` one flag for each field of ``spec``.

    Args:
        only: fields to include; all if empty.
        defaults: whether the help shows the spec's defaults; False if they depend on a preset.
    """

    def decorate(cls: type[T]) -> type[T]:
        views = [view for view in fields_of(spec) if not only or view.name in only]
        hints: dict[str, Any] = {view.name: (_hint(view, group, defaults), None) for view in views}
        made = create_model(cls.__name__, __base__=cls, __doc__=cls.__doc__, **hints)
        made.views = views
        return Parameter(name="*")(made)

    return decorate


def user_path(_type: object, tokens: Sequence[Token]) -> Path:
    """Return a path from the command line, with the home folder for ``~``, which shells keep in ``--csv=~/a.csv``."""
    return Path(os.path.expanduser(tokens[0].value))


def _hint(view: FieldView, group: Group, default: bool) -> Any:
    typed: Any = {"bool": bool, "texts": tuple[str, ...]}.get(view.kind, str)
    return Annotated[
        typed | None,
        Parameter(
            help=_help(view),
            alias=f"--{view.formerly.replace('_', '-')}" if view.formerly else None,
            group=group,
            choices=view.choices if view.kind == "choice" and not view.typed else None,
            metavar=view.typed or METAVARS.get(view.kind),
            negative_iterable=(),
            allow_leading_hyphen=view.kind in LISTS,  # the first of several numbers may be negative
            show_default=_shown(view.default) if default else False,
        ),
    ]


def _help(view: FieldView) -> str:
    message = view.help.replace("leave empty", f"'{NONE}'") if view.optional else view.help
    if view.kind == "choices":
        return f"{message} A comma-separated list of: {', '.join(view.choices)}."
    if view.kind == "texts" and view.empty:
        return f"{message.replace(', one per line', '')} Can be given several times. '{NONE}' for an empty list."
    if view.low is None or view.kind not in ("int", "float"):
        return message
    if view.high is None or view.high >= HUGE:
        return f"{message} At least {_number(view.low)}."
    return f"{message} From {_number(view.low)} to {_number(view.high)} {view.unit}".rstrip() + "."


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,}"


def _shown(default: Any) -> str | bool:
    if isinstance(default, bool) or default in ("", ()):
        return "yes" if default else False
    if isinstance(default, tuple):
        if not isinstance(default[0], str):
            return write_list(default)
        return (shlex.join if any(" " in each for each in default) else ",".join)(default)
    return NONE if default is None else f"{default}"


def check_used(options: Mapping[str, object], *, beside: str = "", needed: str = "") -> None:
    """Check that none of these options is given, because it would have no effect ``beside`` another one, or without the
    one that is ``needed``.

    Raises:
        UserError: some are given.
    """
    given = ", ".join(name for name, value in options.items() if value)
    if given and beside:
        raise UserError(f"{given} would have no effect together with {beside}. Leave out one or the other.")
    if given:
        raise UserError(f"{given} has no effect without {needed}. Add {needed}, or leave out {given}.")


def _value(view: FieldView, typed: Any) -> Any:
    """Convert the typed text: numbers become numbers, as the spec's messages show them; everything else stays text.
    ``--top-k none`` samples from all tokens, as an empty text does, ``--probes none`` records none."""
    if view.optional and (typed == NONE or (typed == "" and view.kind in ("int", "float"))):
        return None
    if view.kind == "texts" and view.empty and typed == (NONE,):
        return ()
    if view.kind in LISTS:
        return read_list(view.kind, typed)
    for kind in (int, float) if view.kind in ("int", "float") else ():
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


# In the order of the help.
GENERATING = Group.create_ordered("Text generation")
READING = Group.create_ordered("Model and device")
MODEL = Group.create_ordered("Model configuration", help="Each option changes one value of the preset.")
TRAINING = Group.create_ordered("Training")
WINDOW = Group.create_ordered("Window")
OUTPUT = Group.create_ordered("Output")


@flags_of(GPTConfig, MODEL, defaults=False)
class ModelFlags(Flags):
    """Shape of the model."""


@flags_of(TrainSpec, TRAINING)
class TrainFlags(Flags):
    """Training settings."""


@flags_of(TrainSpec, TRAINING, only=("batch_size", "optimizer", "momentum"))
class BatchFlags(Flags):
    """Training settings that affect memory."""


@flags_of(GenerateSpec, GENERATING)
class GenerateFlags(Flags):
    """Text generation settings."""


@flags_of(GenerateSpec, READING, only=("model", "seed", "device", "precision", "reference"))
class ScoreFlags(Flags):
    """Model and device settings for scoring a text."""


@flags_of(GenerateSpec, READING, only=("model", "seed", "device", "reference"))
class InspectFlags(Flags):
    """Model and device settings for inspecting a model, which is computed with its weights as they are."""


@flags_of(BeamSpec, GENERATING)
class BeamFlags(Flags):
    """Settings of a beam search."""


@flags_of(GenerateSpec, GENERATING, only=tuple(
    name for name in GenerateSpec.model_fields if name not in ("samples", "max_new_tokens")))
class SearchFlags(Flags):
    """Text generation settings of a single text, except its length."""


def switch(message: str, group: Group = OUTPUT) -> Parameter:
    """Return the parameter of a flag without a value."""
    return Parameter(help=message, group=group, negative=(), show_default=False)


# Defaults: the preset and the specs unchanged.
SAME_MODEL, SAME_TRAINING, SAME_BATCH = ModelFlags(), TrainFlags(), BatchFlags()
SAME_TEXT, SAME_SCORE, SAME_INSPECTION = GenerateFlags(), ScoreFlags(), InspectFlags()
SAME_BEAMS, SAME_SEARCH = BeamFlags(), SearchFlags()

Preset = Annotated[str, Parameter(help="The preset to start from.", group=MODEL, choices=tuple(PRESETS))]
Best = Annotated[bool, Parameter(help=(
    "Use the run's checkpoint with the lowest validation loss instead of its last."), negative=(), show_default=False)]
Json = Annotated[bool, switch("Print one JSON object per line, and nothing else.")]
Debug = Annotated[bool, switch("Show where in the program an error occurred (traceback).")]


def called(config: GPTConfig) -> str:
    """Return the name of the preset that equals a configuration, or "Custom model"."""
    name = config_name(config)
    return "Custom model" if name == OWN else name


def shape_of(config: GPTConfig) -> str:
    """Return the shape of a model in words."""
    return (
        f"context length {config.context_length:,}, width {config.emb_dim:,}, heads {config.n_heads:,}, layers "
        f"{config.n_layers:,}")


def train_spec_from(preset: str | None, model: Flags, training: Flags, init_best: bool = False) -> TrainSpec:
    """Return the spec defined by the flags of ``train``.

    The model's flags change the preset; if none is given, the configuration of the initial weights, or else the default
    preset. ``init_best``: start from a run's best weights, not its last.

    Raises:
        SpecError: with every problem, of the model and of the training.
        UserError: the model with the initial weights does not exist, or an option would have no effect.
    """
    values, changes = training.given(), model.given()
    if init_best:
        check_used({"--init-best": values.get("init_from") is None}, needed="--init-from")
        values["init_from"] = model_source.best_of_run(values["init_from"])
    if changes.get("vocabulary") == "characters" and values.get("init_from") is None:
        check_used({"--vocab-size": "vocab_size" in changes}, beside="--vocabulary characters")
    base = _base(preset, values.get("init_from"))
    shape = base.changed_values(changes)
    problems = GPTConfig.problems(shape)
    problems += TrainSpec.problems(values | ({} if problems else {"config": GPTConfig.make(shape)}))
    if "epochs" in values and values.get("steps") is not None:
        problems.append(Problem("steps", "Set either steps or epochs, not both."))
    if problems:
        raise SpecError(problems)
    return TrainSpec.make(values, config=GPTConfig.make(shape))


def _base(preset: str | None, init_from: str | None) -> GPTConfig:
    """Return the base configuration. A preset as initial weights is rejected by the spec."""
    if preset is None and init_from is not None and init_from not in PRESETS:
        return model_source.config_of(model_source.resolve(init_from))
    return PRESETS[preset or DEFAULT_PRESET]
