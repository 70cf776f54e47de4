"""Training runs as code: the command and the Python code that repeat a run. No torch."""

from __future__ import annotations

from pathlib import PureWindowsPath

from gptstudio import spec_code
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.training.spec import TrainSpec

IMPORT = "import gptstudio as gs\n\n"


def without_folders(spec: TrainSpec) -> TrainSpec:
    """Return the spec with file names without folders, since paths depend on the computer and the user."""
    text = tuple(_name(each) for each in spec.text)
    start = spec.init_from if spec.init_from is None else _name(spec.init_from)
    return spec.model_copy(update={"text": text, "init_from": start})


def train_command(spec: TrainSpec, kind: spec_code.Shell = "posix") -> str:
    """Return the command, without settings at their defaults.

    Raises:
        UserError: a setting cannot be written in this kind of shell.
    """
    preset = config_name(spec.config)
    base = DEFAULT_PRESET if preset == OWN else preset
    # with initial weights and without a preset, the configuration of the weights would be the base
    words = ["--preset", base] if base != DEFAULT_PRESET or spec.init_from is not None else []
    # characters are counted in the text, unless the initial weights have them
    counted = ("vocab_size",) if spec.config.vocabulary == "characters" and spec.init_from is None else ()
    words += spec_code.options(spec.config, PRESETS[base], leave_out=counted)
    # steps and epochs cannot both be given; with steps, epochs have no effect
    words += spec_code.options(spec, TrainSpec(), leave_out=() if spec.steps is None else ("epochs",))
    return spec_code.shell_line(["gptstudio", "train", *words], kind)


def train_code(spec: TrainSpec) -> str:
    """Return the Python code, without settings at their defaults."""
    config = {} if spec.config == PRESETS[DEFAULT_PRESET] else {"config": config_code(spec.config)}
    made = spec_code.call("gs.TrainSpec", **config, **spec_code.arguments(spec, TrainSpec()))
    return f"{IMPORT}spec = {made}\nrun = gs.train(spec)\nprint(run.path, run.val_loss)\n"


def config_code(config: GPTConfig) -> str:
    """Return the Python code of a configuration; a preset is referred to by name."""
    preset = config_name(config)
    if preset != OWN:
        return f"gs.PRESETS[{preset!r}]"
    return spec_code.call("gs.GPTConfig", **spec_code.arguments(config, GPTConfig()))


def _name(path: str) -> str:
    """Return the last part of a path of any operating system."""
    return PureWindowsPath(path).name or path
