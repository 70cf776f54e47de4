"""Names of the sampling stages in the user's language, and short texts of their settings. No torch."""

from __future__ import annotations

from gptstudio.fields import allowed, fields_of
from gptstudio.gpt.sampling import STAGES
from gptstudio.gpt.sampling.params import SamplingFields, SamplingParams
from gptstudio.gui.translation import joined, tr

FIELDS = {view.name: view for view in fields_of(SamplingFields)}


def name(stage: str) -> str:
    return tr(STAGES[stage].label)


def short(stage: str) -> str:
    return tr(STAGES[stage].short)


def in_text(stage: str) -> str:
    return tr(STAGES[stage].phrase)


def title(stage: str) -> str:
    return tr(FIELDS[stage].label)


def help_of(stage: str) -> str:
    """Return the description of a stage and its allowed values."""
    view = FIELDS[stage]
    return joined("\n", tr(view.help), tr("Allowed: {what}.", what=allowed(view)))


def setting(sampling_params: SamplingParams, stage: str) -> str:
    """Return the setting of a stage; "off" if it has no effect."""
    if not sampling_params.changes(stage):
        return tr("off")
    return f"{getattr(sampling_params, stage):,.6g}"
