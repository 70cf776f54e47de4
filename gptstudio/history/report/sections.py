"""The sections of a report in their order. One more is a function that takes a run and yields parts of a page, none
where there is nothing to say, and a line here."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

from gptstudio.history.report import about_health, about_run, about_samples, about_training
from gptstudio.history.report.about_run import Parts
from gptstudio.history.report.page import Child, element, isolated, table
from gptstudio.history.report.reading import ReportedRun
from gptstudio.i18n import message


def guesses(run: ReportedRun) -> Parts:
    """Yield what the learner has guessed in lessons, and whether it was right."""
    say = run.say
    verdicts = {True: say(message("right")), False: say(message("not quite")), None: "–"}
    for lesson in run.guesses:
        yield element("h3", isolated(lesson.lesson))
        rows: list[tuple[list[Child], str]] = [
            ([isolated(each.question, 500), isolated(each.guess or "–"), isolated(each.answer or "–"),
              verdicts[each.right]], "") for each in lesson.guesses]
        yield table(
            [say(message("Question")), say(message("Guess")), say(message("Answer")), say(message("Result"))], rows)


SECTIONS: tuple[tuple[str, str, Callable[[ReportedRun], Parts]], ...] = (
    ("figures", message("Key figures"), about_run.key_figures),
    ("curves", message("Curves"), about_training.curves),
    ("samples", message("Samples"), about_samples.samples),
    ("memorisation", message("Memorisation"), about_samples.memorisation),
    ("probes", message("Probe prompts"), about_samples.probes),
    ("health", message("Health of the layers"), about_health.health),
    ("guesses", message("Guesses in lessons"), guesses),
    ("happenings", message("What happened"), about_training.happenings),
    ("warnings", message("Warnings"), about_training.warnings),
    ("settings", message("Settings"), about_run.settings),
    ("text", message("Text"), about_run.text),
    ("reproduction", message("Versions, and how to reproduce"), about_run.reproduction),
)
"""Name of the anchor, heading, and function of each section."""


def written(run: ReportedRun) -> Iterator[ET.Element]:
    """Yield the sections that have something to say."""
    for name, heading, parts in SECTIONS:
        found = list(parts(run))
        if found:
            yield element("section", element("h2", run.say(heading)), *found, id=name)
