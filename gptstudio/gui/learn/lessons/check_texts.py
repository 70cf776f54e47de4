"""Texts about the goals and questions of a lesson, and its results."""

from __future__ import annotations

from collections.abc import Sequence

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.fields import FieldView
from gptstudio.gui.translation import joined, tr
from gptstudio.labs.lesson import Check, Guess, Lesson, LessonStep, Predict, Value
from gptstudio.pointed_token import PointedToken

REACHED, OPEN, SKIPPED = "✓", "○", "–"  # signs before texts, so that colour is not the only distinction


def check_text(step: LessonStep, now: Value | None, reached: bool) -> str:
    """Return the state of a step's check as text; empty if it has none. ``now``: current value; for a reached goal, the
    value with which it was reached."""
    check = step.check
    if check is None:
        return ""
    words = {"sign": REACHED if reached else OPEN, "name": name_of(step, check), "target": _target(step, check)}
    if reached and (now is None or check.equals is not None):
        return tr("{sign} Goal reached. {name}: {target}.", **words)
    value = _nothing(step, check) if now is None else _shown(now)
    if reached:
        return tr("{sign} Goal reached. {name}: {now}; goal: {target}.", now=value, **words)
    if not value:
        return tr("{sign} Goal not reached yet. {name}: no value yet; goal: {target}.", **words)
    return tr("{sign} Goal not reached yet. {name}: {now}; goal: {target}.", now=value, **words)


def goal_text(step: LessonStep) -> str:
    """Return the goal of a step: a value and its target; empty if it has none."""
    return tr("{name}: {value}", name=name_of(step, step.check), value=_target(step, step.check)) if step.check else ""


def unmet_text(step: LessonStep, names: Sequence[str]) -> str:
    """Return the conditions that must be restored before the check of a step counts; empty if there are none."""
    check = step.check
    return joined(" ", *(
        tr("This counts only while {name} is {value}.", name=name_of(step, each), value=_target(step, each))
        for each in (Check(name, equals=check.when[name]) for name in names))) if check and names else ""


def guess_text(predict: Predict, guess: Guess | None, truth: Guess | None) -> str:
    """Return the guess, with the right answer once it is known; empty if there is neither."""
    guessed, true = _answer(guess), _answer(truth)
    if truth is None:
        return tr("You guessed: {guess}.", guess=guessed) if guess is not None else ""
    if guess is None:
        return tr("Right answer: {truth}.", truth=true)
    if guess == truth:
        return tr("{sign} You guessed {guess}, and that is right.", sign=REACHED, guess=guessed)
    if predict.is_right(guess, truth):
        return tr("{sign} You guessed {guess}; it is {truth}. Close enough.", sign=REACHED, guess=guessed, truth=true)
    return tr("You guessed {guess}; it is {truth}.", guess=guessed, truth=true)


def summary_text(lesson: Lesson, record: LessonRecord) -> str:
    """Return the steps of a lesson with the goals and guesses, including the learner's values."""
    return joined("\n\n", *(joined("\n", *_lines(lesson, record, index)) for index in range(len(lesson.steps))))


def tally_text(lesson: Lesson, record: LessonRecord) -> str:
    """Return the number of goals reached, and the number of right guesses."""
    goals = sum(step.check is not None for step in lesson.steps)
    asked = [index for index, step in enumerate(lesson.steps) if step.predict]
    right = sum(is_right(lesson.steps[index], record, index) for index in asked)
    return joined(" ", *filter(None, [
        tr("Goals reached: {n} of {count}.", n=len(record.goals), count=goals) if goals else "",
        tr("Skipped: {n}.", n=len(record.skipped)) if record.skipped else "",
        tr("Right guesses: {n} of {count}.", n=right, count=len(asked)) if asked else ""]))


def is_right(step: LessonStep, record: LessonRecord, index: int) -> bool:
    """Return whether the guess of a step was right; False if it is unknown."""
    guess, truth = record.guesses.get(index), record.truths.get(index)
    return step.predict is not None and guess is not None and truth is not None and step.predict.is_right(guess, truth)


def _lines(lesson: Lesson, record: LessonRecord, index: int) -> list[str]:
    step, found = lesson.steps[index], []
    if step.check and index in record.goals:
        found.append(tr("{sign} {n}. {title}  ·  {name}: {now}", sign=REACHED, n=index + 1, title=step.title,
                        name=name_of(step, step.check), now=_shown(record.goals[index])))
    elif step.check:
        found.append(tr("{sign} {n}. {title}  ·  skipped; goal: {name}, {target}", sign=SKIPPED, n=index + 1,
                        title=step.title, name=name_of(step, step.check), target=_target(step, step.check)))
    else:
        found.append(tr("{n}. {title}", n=index + 1, title=step.title))
    if step.predict and (words := guess_text(step.predict, record.guesses.get(index), record.truths.get(index))):
        found.append(tr("{question} {guess}", question=step.predict.question, guess=words))
    return found


def token_text(token: PointedToken) -> str:
    """Return the description of a token: its text and its position."""
    return tr("“{token}” at position {n}", token=token.text, n=f"{token.position:,}")


def _answer(value: Guess | None) -> str:
    """Return an answer as text: a choice as in the lesson, a formatted number, or a token with its position."""
    if isinstance(value, PointedToken):
        return token_text(value)
    if isinstance(value, str):
        return value if "“" in value else tr("“{choice}”", choice=value)
    return "" if value is None else _shown(value)


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
    """Return the field of the page or tab that a check uses; None for a figure."""
    return step.place.fields().get(check.value)


def _nothing(step: LessonStep, check: Check) -> str:
    """Return the meaning of an empty field, as in its editor; empty if it has none."""
    view = _field(step, check)
    return tr(view.empty) if view and view.empty else ""


def _target(step: LessonStep, check: Check) -> str:
    if check.equals is not None:
        return tr("{value}", value=_shown(check.equals) or _nothing(step, check))
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
