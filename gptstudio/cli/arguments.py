"""Arguments of the commands: the flags of each spec, and the specs that they describe."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from gptstudio.cli.flags import Flags, flags_of
from gptstudio.fields import Problem, SpecError
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.inference.spec import BeamSpec, GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.spec import TrainSpec

# In the order in which the help shows them.
GENERATING = Group.create_ordered("Text generation")
READING = Group.create_ordered("Model and device")
MODEL = Group.create_ordered("Model configuration", help="Each option changes one value of the preset.")
TRAINING = Group.create_ordered("Training")
WINDOW = Group.create_ordered("Window")
OUTPUT = Group.create_ordered("Output")


@flags_of(GPTConfig, MODEL, defaults=False)
class ModelFlags(Flags):
    """The shape of the model."""


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


@flags_of(BeamSpec, GENERATING)
class BeamFlags(Flags):
    """Settings of a beam search."""


@flags_of(GenerateSpec, GENERATING, only=tuple(
    name for name in GenerateSpec.model_fields if name not in ("samples", "max_new_tokens")))
class SearchFlags(Flags):
    """Text generation settings of one text, but for its length."""


def switch(message: str) -> Parameter:
    """A flag that is given or not."""
    return Parameter(help=message, group=OUTPUT, negative=(), show_default=False)


# Nothing given: the preset and the spec as they are.
SAME_MODEL, SAME_TRAINING, SAME_BATCH = ModelFlags(), TrainFlags(), BatchFlags()
SAME_TEXT, SAME_SCORE = GenerateFlags(), ScoreFlags()
SAME_BEAMS, SAME_SEARCH = BeamFlags(), SearchFlags()

Preset = Annotated[str, Parameter(help="The preset to start from.", group=MODEL, choices=tuple(PRESETS))]
Best = Annotated[bool, Parameter(help=(
    "Use the run's checkpoint with the lowest validation loss instead of its last."), negative=(), show_default=False)]
Json = Annotated[bool, switch("Print one JSON object per line, and nothing else.")]
Debug = Annotated[bool, switch("Show where in the program an error occurred (traceback).")]


def config_from(preset: str = DEFAULT_PRESET, model: Flags | None = None) -> GPTConfig:
    """The preset with what the flags change.

    Raises:
        SpecError: with every problem.
    """
    return PRESETS[preset].but(**(model.given() if model else {}))


def called(config: GPTConfig) -> str:
    """The name of the preset that this is, or words for any other."""
    name = config_name(config)
    return "Custom model" if name == OWN else name


def train_spec_from(preset: str | None, model: Flags, training: Flags, init_best: bool = False) -> TrainSpec:
    """The spec that the flags of ``train`` mean. The model's flags change the preset; where none is named, the model
    whose weights it begins with; or else the default preset. ``init_best``: these are a run's best, not its last.

    Raises:
        SpecError: with every problem, of the model and of the training.
        UserError: there is no such model to begin with.
    """
    values = training.given()
    if init_best:
        values["init_from"] = model_source.best_of_run(values.get("init_from") or "")
    base = _base(preset, values.get("init_from"))
    shape = base.changed_values(model.given())
    problems = GPTConfig.problems(shape)
    problems += TrainSpec.problems(values | ({} if problems else {"config": GPTConfig.make(shape)}))
    if "epochs" in values and values.get("steps") is not None:
        problems.append(Problem("steps", "Set either steps or epochs, not both."))
    if problems:
        raise SpecError(problems)
    return TrainSpec.make(values, config=GPTConfig.make(shape))


def _base(preset: str | None, init_from: str | None) -> GPTConfig:
    """A preset as a model to begin with is for the spec to refuse."""
    if preset is None and init_from is not None and init_from not in PRESETS:
        return model_source.config_of(model_source.resolve(init_from))
    return PRESETS[preset or DEFAULT_PRESET]
