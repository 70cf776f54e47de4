"""Texts about the checks of a lesson."""

from __future__ import annotations

from collections.abc import Sequence

from gptstudio.fields import FieldView
from gptstudio.gui.translation import joined, tr
from gptstudio.labs import lesson_places
from gptstudio.labs.lesson import Check, LessonStep, Value

REACHED, OPEN = "✓", "○"  # the signs before the words, so that colour is not the only one


def check_text(step: LessonStep, now: Value | None, reached: bool) -> str:
    """Return the state of a step's check as text; empty if it has none."""
    check = step.check
    if check is None:
        return ""
    name, target = name_of(step, check), _target(check)
    if reached:
        return tr("{sign} Goal reached. {name}: {target}.", sign=REACHED, name=name, target=target)
    if now is None and not _nothing(step, check):
        return tr("{sign} Goal not reached yet. {name}: no value yet; goal: {target}.", sign=OPEN, name=name,
                  target=target)
    return tr("{sign} Goal not reached yet. {name}: {now}; goal: {target}.", sign=OPEN, name=name,
              now=_nothing(step, check) if now is None else _shown(now), target=target)


def unmet_text(step: LessonStep, names: Sequence[str]) -> str:
    """Return what has to be set as the step began before its check counts; empty where there is nothing."""
    check = step.check
    return joined(" ", *(
        tr("This counts only while {name} is {value}.", name=name_of(step, Check(name)), value=_shown(check.when[name]))
        for name in names)) if check and names else ""


def name_of(step: LessonStep, check: Check) -> str:
    """Return the name of a value: the lesson's name for it, the label of its field, or its own name."""
    if check.name:
        return check.name
    named = {
        "validation_loss": tr("validation loss"), "training_loss": tr("training loss"), "step": tr("step"),
        "temperature": tr("temperature"), "top_k": tr("top-k"), "tokens": tr("tokens generated"),
        "parameters": tr("number of parameters")}
    if step.tab and check.value in named:
        return named[check.value]
    view = _field(step, check)
    return tr(view.label) if view else check.value.replace("_", " ")


def _field(step: LessonStep, check: Check) -> FieldView | None:
    """The field of the page or the tab that a check asks for; a figure has none."""
    place = lesson_places.TABS[step.tab] if step.tab else lesson_places.of_lab(step.page)
    return place.fields().get(check.value)


def _nothing(step: LessonStep, check: Check) -> str:
    """Return the meaning of an empty field, as in its editor; empty if it has none."""
    view = _field(step, check)
    return tr(view.empty) if view and view.empty else ""


def _target(check: Check) -> str:
    if check.equals is not None:
        return tr("{value}", value=_shown(check.equals))
    if check.at_least is not None and check.at_most is not None:
        return tr("from {low} to {high}", low=_shown(check.at_least), high=_shown(check.at_most))
    if check.at_least is not None:
        return tr("at least {value}", value=_shown(check.at_least))
    return tr("at most {value}", value=_shown(check.at_most if check.at_most is not None else ""))


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if isinstance(value, str):
        return tr(value) if value else tr("empty")
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"
