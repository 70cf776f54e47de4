"""The command that trains a run once more, as it is typed. No torch."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import PureWindowsPath
from typing import Any

from gptstudio.fields import LISTS, FieldView, fields_of
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.list_text import write_list
from gptstudio.training.spec import TrainSpec


def without_folders(spec: TrainSpec) -> TrainSpec:
    """Return a spec that names its files without their folders, which are of one computer and its user alone."""
    text = tuple(_name(each) for each in spec.text)
    start = spec.init_from if spec.init_from is None else _name(spec.init_from)
    return spec.model_copy(update={"text": text, "init_from": start})


def train_command(spec: TrainSpec) -> str:
    """Return the command; what is at its default is left out."""
    preset = config_name(spec.config)
    base = PRESETS[DEFAULT_PRESET if preset == OWN else preset]
    words = ["gptstudio", "train", "--preset", DEFAULT_PRESET if preset == OWN else preset]
    for view in fields_of(GPTConfig):
        words += _flag(view, getattr(spec.config, view.name), getattr(base, view.name))
    for view in fields_of(TrainSpec):
        if view.name != "epochs" or spec.steps is None:  # only one of them may be given
            words += _flag(view, getattr(spec, view.name), view.default)
    return shlex.join(words)


def _flag(view: FieldView, value: Any, usual: Any) -> Iterator[str]:
    if value == usual:
        return
    name = f"--{view.name.replace('_', '-')}"
    if isinstance(value, bool):
        yield name if value else f"--no-{view.name.replace('_', '-')}"
        return
    if view.kind == "texts":
        values = list(value)
    elif view.kind == "choices":
        values = [",".join(value)]
    else:
        values = ["none" if value is None else write_list(value) if view.kind in LISTS else str(value)]
    for each in values:  # what begins with a hyphen would be taken for a flag
        yield from (f"{name}={each}",) if each.startswith("-") else (name, each)


def _name(path: str) -> str:
    """Return the last part of a path, of whichever system."""
    return PureWindowsPath(path).name or path
