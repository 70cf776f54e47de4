"""Writing of a report: one HTML file that asks no network, runs nothing, and is whole or not there."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import gptstudio
from gptstudio import files, paths
from gptstudio.history.report import sections
from gptstudio.history.report.page import cut, element, isolated, written
from gptstudio.history.report.reading import Reported, ReportedRun
from gptstudio.history.run_data import data_of, to_html
from gptstudio.i18n import message

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content security policy of the page: nothing is fetched, and no script runs."""
LONGEST_TITLE = 200


def write(run: Reported, path: Path) -> int:
    """Write the report; return its size in bytes.

    Raises:
        UserError: it cannot be written; nothing of it is left.
    """
    data = html(run).encode()
    files.save_whole(path, data)
    return len(data)


def html(run: Reported) -> str:
    """Return the page, under the name of the learner where it is handed in, otherwise of the run."""
    say, name = run.say, run.learner.name if run.learner else ""
    title = cut(name or run.title, LONGEST_TITLE)
    head = element(
        "head", element("meta", charset="utf-8"), element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"GPT Studio {gptstudio.__version__}"), element("title", title),
        element("style", (paths.resources() / "report.css").read_text(encoding="utf-8")))
    now = f"{datetime.now():%Y-%m-%d %H:%M}"
    created = say(message(
        "Report of a training run of {created}, written on {now}", created=f"{run.record.created:%Y-%m-%d %H:%M}",
        now=now) if isinstance(run, ReportedRun) else message("Report of lessons, written on {now}", now=now))
    foot = say(message(
        "Written by GPT Studio {version}. This page loads nothing from the network and runs no scripts. It contains "
        "the figures of the run as data, which Class view in GPT Studio reads.", version=gptstudio.__version__))
    main = element(
        "main", element("header", element("h1", isolated(title, LONGEST_TITLE)),
                        element("p", isolated(run.title, LONGEST_TITLE)) if name and run.title else None,
                        element("p", created, class_="muted")),
        *sections.written(run), element("footer", foot))
    page = element("html", head, element("body", main), lang=run.language.replace("_", "-"))
    return "<!DOCTYPE html>\n" + written(page).replace("</body>", to_html(data_of(run)) + "</body>", 1)
