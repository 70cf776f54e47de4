"""What the stages of sampling are called, and what they are set to, in a word or two. No torch."""

from __future__ import annotations

from gptstudio.fields import allowed, fields_of
from gptstudio.gpt.dials import STAGES, Dials, Stage
from gptstudio.gui.words import joined, tr
from gptstudio.runs.spec import GenerateSpec
from gptstudio.words import words

NAMES: dict[Stage, str] = {
    "repetition_penalty": words("Repetition"),
    "temperature": words("Temperature"),
    "top_k": words("Top-k"),
    "top_p": words("Top-p"),
    "min_p": words("Min-p"),
}
SHORT: dict[Stage, str] = {"repetition_penalty": words("Rep."), "temperature": words("Temp.")}
IN_TEXT: dict[Stage, str] = {
    "repetition_penalty": words("the repetition penalty"),
    "temperature": words("temperature"),
    "top_k": words("top-k"),
    "top_p": words("top-p"),
    "min_p": words("min-p"),
}
LISTED: dict[Stage, str] = IN_TEXT | {"repetition_penalty": words("repetition")}
_FIELDS = {view.name: view for view in fields_of(GenerateSpec) if view.name in STAGES}


def name(stage: Stage) -> str:
    return tr(NAMES[stage])


def short(stage: Stage) -> str:
    """For where there is no room."""
    return tr(SHORT.get(stage, NAMES[stage]))


def in_text(stage: Stage) -> str:
    """As it stands within a sentence."""
    return tr(IN_TEXT[stage])


def listed(stage: Stage) -> str:
    """As it stands in a row of several."""
    return tr(LISTED[stage])


def cut_by(stage: Stage) -> str:
    return tr("cut by {stage}", stage=in_text(stage))


def title(stage: Stage) -> str:
    """As the field is called."""
    return tr(_FIELDS[stage].label)


def help_of(stage: Stage) -> str:
    """What the stage does and what may be set."""
    view = _FIELDS[stage]
    return joined("\n", tr(view.help), tr("Allowed: {what}.", what=allowed(view)))


def setting(dials: Dials, stage: Stage) -> str:
    """What the stage is set to; that it is off, where it changes nothing."""
    if not dials.changes(stage):
        return tr("off")
    return f"{getattr(dials, stage):,.6g}"
