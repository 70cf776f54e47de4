"""The sections of a report in their order. One more is a function that takes a run and yields parts of a page, none
where there is nothing to say, and a line here."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

from gptstudio.history.report import about_health, about_run, about_samples, about_training
from gptstudio.history.report.about_run import Parts
from gptstudio.history.report.page import Child, element, isolated, table
from gptstudio.history.report.reading import Reported, ReportedRun
from gptstudio.i18n import message


def own_words(run: Reported) -> Parts:
    """Yield what the learner has seen, in their own words."""
    if run.learner and run.learner.words:
        yield element("blockquote", run.learner.words, dir="auto")


def goals(run: Reported) -> Parts:
    """Yield the goals of lessons, with those that were reached and those that were skipped."""
    say = run.say
    states = {"reached": say(message("reached")), "skipped": say(message("skipped")), "open": "–"}
    for lesson in run.guesses:
        if lesson.goals:
            yield element("h3", isolated(lesson.lesson))
            yield element("p", say(message(
                "Goals reached: {n} of {count}.", n=lesson.count("reached"), count=len(lesson.goals))), class_="muted")
            rows: list[tuple[list[Child], str]] = [
                ([isolated(each.step), states[each.state]], "") for each in lesson.goals]
            yield table([say(message("Step")), say(message("Goal"))], rows)


def guesses(run: Reported) -> Parts:
    """Yield what the learner has guessed in lessons, and whether it was right."""
    say = run.say
    verdicts = {True: say(message("right")), False: say(message("not quite")), None: "–"}
    for lesson in run.guesses:
        if not lesson.guesses:
            continue
        yield element("h3", isolated(lesson.lesson))
        rows: list[tuple[list[Child], str]] = [
            ([isolated(each.question, 500), isolated(each.guess or "–"), isolated(each.answer or "–"),
              verdicts[each.right]], "") for each in lesson.guesses]
        yield table(
            [say(message("Question")), say(message("Guess")), say(message("Answer")), say(message("Result"))], rows)


OWN_WORDS = ("words", message("What did you see?"), own_words)
LESSONS: tuple[tuple[str, str, Callable[[Reported], Parts]], ...] = (
    ("guesses", message("Guesses in lessons"), guesses),
    ("goals", message("Goals in lessons"), goals),
)
SECTIONS: tuple[tuple[str, str, Callable[[ReportedRun], Parts]], ...] = (
    OWN_WORDS,
    ("figures", message("Key figures"), about_run.key_figures),
    ("curves", message("Curves"), about_training.curves),
    ("samples", message("Samples"), about_samples.samples),
    ("memorisation", message("Memorisation"), about_samples.memorisation),
    ("probes", message("Probe prompts"), about_samples.probes),
    ("health", message("Health of the layers"), about_health.health),
    *LESSONS,
    ("happenings", message("What happened"), about_training.happenings),
    ("warnings", message("Warnings"), about_training.warnings),
    ("settings", message("Settings"), about_run.settings),
    ("text", message("Text"), about_run.text),
    ("reproduction", message("Versions, and how to reproduce"), about_run.reproduction),
)
"""Name of the anchor, heading, and function of each section."""


def written(run: Reported) -> Iterator[ET.Element]:
    """Yield the sections that have something to say."""
    made = [(name, heading, parts(run)) for name, heading, parts in SECTIONS] if isinstance(run, ReportedRun) else [
        (name, heading, parts(run)) for name, heading, parts in (OWN_WORDS, *LESSONS)]
    for name, heading, parts in made:
        found = list(parts)
        if found:
            yield element("section", element("h2", run.say(heading)), *found, id=name)
