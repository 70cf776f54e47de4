"""The Verdict does not ship with the program: here it is fetched, and without a network the story stands in."""

from __future__ import annotations

from rich.progress import BarColumn, DownloadColumn, TextColumn

from gptstudio.cli import output
from gptstudio.data import texts
from gptstudio.training.spec import TrainSpec


def with_text(spec: TrainSpec) -> TrainSpec:
    """``spec`` with a text that is on this computer."""
    if texts.VERDICT not in spec.text or texts.locate(texts.VERDICT) is not None:
        return spec
    try:
        fetch()
    except texts.TextNotHere as error:
        output.note(f"{error} Training on that story for now.", "yellow")
        instead = (texts.STORY if text == texts.VERDICT else text for text in spec.text)
        return spec.but(text=tuple(dict.fromkeys(instead)))  # the story once, also if it was asked for as well
    return spec


def fetch() -> None:
    """Download The Verdict, with a bar on stderr where that is a terminal.

    Raises:
        texts.TextNotHere: there is no network, or something else came.
    """
    with output.progress(TextColumn("Downloading The Verdict…"), BarColumn(), DownloadColumn()) as bar:
        task = bar.add_task("")
        texts.fetch_verdict(lambda done, total: bar.update(task, completed=done, total=total or None))
