"""What the stages of sampling are called, and what they are set to, in a word or two. No torch."""

from __future__ import annotations

from gptstudio.fields import allowed, fields_of
from gptstudio.gpt.sampling import STAGES, Dials, Stage
from gptstudio.gui.words import tr
from gptstudio.runs.spec import GenerateSpec

NAMES: dict[Stage, str] = {
    "repetition_penalty": "Repetition",
    "temperature": "Temperature",
    "top_k": "Top-k",
    "top_p": "Top-p",
    "min_p": "Min-p",
}
SHORT: dict[Stage, str] = {"repetition_penalty": "Rep.", "temperature": "Temp."}
IN_TEXT: dict[Stage, str] = {
    "repetition_penalty": "the repetition penalty",
    "temperature": "temperature",
    "top_k": "top-k",
    "top_p": "top-p",
    "min_p": "min-p",
}
_FIELDS = {view.name: view for view in fields_of(GenerateSpec) if view.name in STAGES}


def name(stage: Stage) -> str:
    return tr(NAMES[stage])


def short(stage: Stage) -> str:
    """For where there is no room."""
    return tr(SHORT.get(stage, NAMES[stage]))


def in_text(stage: Stage) -> str:
    """As it stands within a sentence."""
    return tr(IN_TEXT[stage])


def cut_by(stage: Stage) -> str:
    return tr("cut by {stage}", stage=in_text(stage))


def title(stage: Stage) -> str:
    """As the field is called."""
    return tr(_FIELDS[stage].label)


def help_of(stage: Stage) -> str:
    """What the stage does and what may be set."""
    view = _FIELDS[stage]
    return tr(view.help) + "\n" + tr("Allowed: {what}.", what=allowed(view))


def setting(dials: Dials, stage: Stage) -> str:
    """What the stage is set to; that it is off, where it changes nothing."""
    if not dials.changes(stage):
        return tr("off")
    return f"{getattr(dials, stage):,.6g}"
