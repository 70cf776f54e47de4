"""Names of the sampling stages, and their settings in a word or two. No torch."""

from __future__ import annotations

from gptstudio.fields import allowed, fields_of
from gptstudio.gpt.sampling_params import STAGES, SamplingParams, Stage
from gptstudio.gui.translation import joined, tr
from gptstudio.i18n import message
from gptstudio.training.spec import GenerateSpec

NAMES: dict[Stage, str] = {
    "repetition_penalty": message("Repetition"),
    "temperature": message("Temperature"),
    "top_k": message("Top-k"),
    "top_p": message("Top-p"),
    "min_p": message("Min-p"),
}
SHORT: dict[Stage, str] = {"repetition_penalty": message("Rep."), "temperature": message("Temp.")}
IN_TEXT: dict[Stage, str] = {
    "repetition_penalty": message("the repetition penalty"),
    "temperature": message("temperature"),
    "top_k": message("top-k"),
    "top_p": message("top-p"),
    "min_p": message("min-p"),
}
LISTED: dict[Stage, str] = IN_TEXT | {"repetition_penalty": message("repetition")}
_FIELDS = {view.name: view for view in fields_of(GenerateSpec) if view.name in STAGES}


def name(stage: Stage) -> str:
    return tr(NAMES[stage])


def short(stage: Stage) -> str:
    """Return the name of a stage for narrow places."""
    return tr(SHORT.get(stage, NAMES[stage]))


def in_text(stage: Stage) -> str:
    """As it stands within a sentence."""
    return tr(IN_TEXT[stage])


def listed(stage: Stage) -> str:
    """As it stands in a row of several."""
    return tr(LISTED[stage])


def cut_by(stage: Stage) -> str:
    return tr("removed by {stage}", stage=in_text(stage))


def title(stage: Stage) -> str:
    """As the field is called."""
    return tr(_FIELDS[stage].label)


def help_of(stage: Stage) -> str:
    """Return the description of a stage and its allowed values."""
    view = _FIELDS[stage]
    return joined("\n", tr(view.help), tr("Allowed: {what}.", what=allowed(view)))


def setting(sampling_params: SamplingParams, stage: Stage) -> str:
    """Return the setting of a stage; "off" if it has no effect."""
    if not sampling_params.changes(stage):
        return tr("off")
    return f"{getattr(sampling_params, stage):,.6g}"
