"""Names of the controls that a lesson's step uses, and of what contains each control of the window. No Qt, no torch."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

from gptstudio import paths
from gptstudio.gpt.sampling import STAGES
from gptstudio.labs.lesson import LessonStep
from gptstudio.labs.lesson_places import PRESET

RUN_VALUES = ("validation_loss", "training_loss", "step")
"""Values of a run that a goal can ask for."""
MADE_BY = {
    **dict.fromkeys(RUN_VALUES, "start"), "tokens": "generate", "changes": "what_if_map",
    "attention_steps": "attention", "parameters": "model_dock",
}
"""Names of the controls without which the value of a goal on a tab does not change."""
OF_A_TEXT = ("changes", "attention_steps")
"""Values on Generate that need a generated text."""
OWN_NAMES = {"text": "text", "prompt": "prompt", PRESET: "preset", **{name: name for name in STAGES}}
"""Names of the controls of settings that have no prefix of their place."""
PREFIXES = {"train": "train_", "generate": "generate_", "model": "config_"}
ROOMS = {"train": "train_scroll", "generate": "generate_scroll", "runs": "runs_scroll", "texts": "texts_scroll",
         "learn": "learn_scroll"}
"""Names of the widgets that contain each page."""


MADE_LATER = re.compile("attention_head_|run_swatch_|tree_node_|lab_[a-z]+_figure_[0-9]+$")
"""Names of widgets that depend on the model, the runs or the answer at hand; they are not in :func:`tree`."""


@cache
def tree() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the names of all widgets and commands of the window, each with the names of what directly contains it."""
    found: dict[str, dict[str, list[str]]] = json.loads((paths.resources() / "widgets.json").read_text("utf-8"))
    return found


def around(name: str) -> set[str]:
    """Return the names of everything that contains a widget or a command; a lock on one of them applies to it."""
    found, left = set[str](), [name]
    while left:
        each = left.pop()
        more = {*tree()["widgets"].get(each, ()), *tree()["commands"].get(each, ())} - found
        found |= more
        left += more
    return found


def control_of(step: LessonStep, value: str) -> str:
    """Return the name of the control of a setting of a step's place, or of what makes a value of its tab."""
    if step.page:
        return f"lab_{step.page}_{value}"
    return MADE_BY.get(value) or OWN_NAMES.get(value) or PREFIXES.get(step.tab, "") + value


def is_elsewhere(step: LessonStep, name: str) -> bool:
    """Return whether a widget is on another page than the step's. The Model panel stands beside every page."""
    places = {name, *around(name)}
    if step.page and ROOMS["learn"] in places and any(each.startswith("lab_") for each in places - {name}):
        return f"lab_{step.page}" not in places
    own = ROOMS["learn"] if step.page else ROOMS.get(step.tab)
    return bool(own and places & set(ROOMS.values())) and own not in places
