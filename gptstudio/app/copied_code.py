"""Code that repeats what a page shows, as a command or as Python, and a message about it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gptstudio import spec_code
from gptstudio.app.state import AppState
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, config_name
from gptstudio.i18n import joined, message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.init_weights import name_in_spec
from gptstudio.training.model_source import LiveModel, LoadableModel, SavedModel, UntrainedModel
from gptstudio.training.run_code import IMPORT, config_code, train_code, train_command
from gptstudio.training.spec import TrainSpec

OF_THE_MODEL = ("device", "precision", "reference")
"""Settings for loading a model in Python."""
ONE_TEXT = "print(gs.decode(token.id for token in tokens))\n"
EACH_TEXT = """\
for sample in range({n}):
    print(gs.decode(token.id for token in tokens if token.sample == sample))
"""


def generate_command(spec: GenerateSpec, source: LoadableModel, kind: spec_code.Shell = "posix") -> str:
    """Return the command that generates a text, without options that have their default values.

    Args:
        source: the model, which the spec may name differently; an untrained model uses the seed of the spec.

    Raises:
        UserError: the prompt or another setting cannot be typed in this kind of shell.
    """
    words = []
    if isinstance(source, UntrainedModel):
        preset = config_name(source.config)
        base = DEFAULT_PRESET if preset == OWN else preset
        words += ["--model", base] if base != DEFAULT_PRESET else []
        words += spec_code.options(source.config, PRESETS[base])
    else:
        words += ["--model", str(name_in_spec(source))]
    words += spec_code.options(spec, GenerateSpec(), leave_out=("model", "order"))
    if spec.order != GenerateSpec().order:
        words += ["--order", ",".join(spec.order)]
    return spec_code.shell_line(["gptstudio", "generate", *words], kind)


def generate_code(spec: GenerateSpec, source: LoadableModel) -> str:
    """Return the Python code that generates a text; see :func:`generate_command`."""
    usual = GenerateSpec()
    of_the_model = spec_code.arguments(spec, usual, GenerateSpec.model_fields.keys() - set(OF_THE_MODEL))
    if isinstance(source, UntrainedModel):
        name = config_name(source.config)
        model = repr(name) if name != OWN else config_code(source.config)
        of_the_model |= {"seed": repr(source.seed)} if source.seed != UntrainedModel(source.config).seed else {}
    else:
        model = repr(name_in_spec(source))
    settings = spec_code.arguments(spec, usual, ("model", "prompt", *OF_THE_MODEL))
    load = spec_code.call("gs.load", model, **of_the_model)
    generate = spec_code.call("gs.generate", "model", repr(spec.prompt), **settings)
    end = ONE_TEXT if spec.samples == 1 else EACH_TEXT.format(n=spec.samples)
    return f"{IMPORT}model = {load}\ntokens = list({generate})\n{end}"


Kind = Literal["command", "python"]


class CopiedCode(NamedTuple):
    """Code for the clipboard, and a message that describes it."""

    text: str
    said: str


def copy_blocker(state: AppState) -> str | None:
    """Return the reason why nothing on this page can be copied as code, as a message; None if something can."""
    match state.page:
        case "train":
            return None if state.spec else message(
                "Some settings are invalid: see the settings here and in the Model panel.")
        case "generate":
            return _text_blocker(state)
        case "runs":
            return None if state.selected_run else message("Click a run in the list first.")
    return message("There is something to copy on Train, Generate and Runs.")


def _text_blocker(state: AppState) -> str | None:
    if state.generate_view != "write":
        return message("Only what Write generates can be copied as code. Choose Write first.")
    if not state.model:
        return message("Choose a model first.")
    if isinstance(state.model, LiveModel):
        return message("The model in training changes with every step. Choose one of its checkpoints or another model.")
    if isinstance(state.model, UntrainedModel) and not state.config:
        return message("The model settings are invalid: see the Model panel.")
    if isinstance(state.model, UntrainedModel) and state.model.config.vocabulary != "gpt2":
        return message(
            "This untrained model has a vocabulary of its own, which neither the command nor the Python code can make. "
            "Train the model first.")
    return None if state.generate_spec else message("Some settings are invalid: see the settings here.")


def copied_code(state: AppState, kind: Kind) -> CopiedCode:
    """Return the code for the current page. Call it only if :func:`copy_blocker` returns None.

    Raises:
        UserError: the command cannot be typed in this system's shell.
    """
    notes: list[str] = []
    if state.page == "generate":
        text, what = _text(state, kind), message("the model, the prompt and the parameters of this text")
    elif state.page == "runs" and state.selected_run:
        run = state.selected_run
        text, what = _training(run.record.spec, kind), message("the settings of {run}", run=run.title)
        if run.record.parent:
            notes.append(message("The run is a branch; the copy trains its settings from the start."))
    else:
        text, what = _training(state.spec or state.valid_spec, kind), message("the run that Start begins")
    said = message("Copied as a command: {what}.", what=what) if kind == "command" else message(
        "Copied as Python: {what}.", what=what)
    return CopiedCode(text, joined(" ", said, *notes))


def _training(spec: TrainSpec, kind: Kind) -> str:
    return train_code(spec) if kind == "python" else train_command(spec, spec_code.native_shell())


def _text(state: AppState, kind: Kind) -> str:
    source, spec = state.model_with_seed, state.generate_spec
    if not isinstance(source, (UntrainedModel, SavedModel)) or spec is None:
        raise RuntimeError("the command is off where there is no such model")
    return generate_code(spec, source) if kind == "python" else generate_command(spec, source, spec_code.native_shell())
