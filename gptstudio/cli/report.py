"""``gptstudio report`` and ``gptstudio class``: a run as a page, and the runs of a class in a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.markup import escape
from rich.table import Table

from gptstudio.cli import output
from gptstudio.cli.arguments import Json, user_path
from gptstudio.cli.output import bar, harmless, stoppable
from gptstudio.errors import UserError
from gptstudio.training import run_folder
from gptstudio.units import bytes_text

if TYPE_CHECKING:  # imports numpy, which the help does not need
    from gptstudio.history.class_runs import ClassRun

STOPPED = "Cancelled. Nothing was saved."

Run = Annotated[str, Parameter(help="The name of a run, or the path of its folder.", metavar="RUN")]
File = Annotated[Path, Parameter(
    help="The HTML file to write.", metavar="FILE.html", converter=user_path)]
Paths = Annotated[Path, Parameter(
    help="A folder, or several files: reports (.html) and packed runs (.zip).", metavar="FOLDER", converter=user_path)]
Csv = Annotated[Path | None, Parameter(
    help="Write the table to this file, too.", metavar="FILE.csv", show_default=False, converter=user_path)]


def report(name: Run, path: File, /, *, json: Json = False) -> None:
    """Write a report of a run: one HTML file with curves, samples, settings and events."""
    from gptstudio.app import lesson_guesses
    from gptstudio.history.report import reading, writing

    folder = run_folder.find(name)
    if not folder:
        raise UserError(f"There is no run called {name}. See which there are:  gptstudio runs")
    with stoppable(STOPPED) as control, bar(f"Reading {folder.name}…", control) as progress:
        size = writing.write(reading.read(folder, lesson_guesses.read(), progress=progress), path)
    if json:
        output.print_json({"run": folder.name, "path": str(path), "bytes": size})
    else:
        output.line(f"{folder.name}: {bytes_text(size)} in {path}")


def class_(*paths: Paths, csv: Csv = None, json: Json = False) -> None:
    """Compare the runs of a class, from their reports or packed runs. They are not added to your runs."""
    from gptstudio.history import class_runs
    from gptstudio.history.comparison import DIFFERENT_TEXTS, same_text

    if not paths:
        raise UserError("Name the folder with the reports or packed runs of a class.")
    if missing := [each for each in paths if not each.exists()]:
        raise UserError(f"{missing[0]} does not exist.")
    with stoppable("Cancelled.") as control:
        found = [class_runs.read(path, lambda *_: control.check()) for path in class_runs.files_in(paths)]
    runs = class_runs.with_names(found)
    if csv:
        class_runs.write_csv(runs, csv)
    if json:
        for run in runs:
            output.print_json(as_json(run))
        return
    table = Table(box=box.SIMPLE_HEAD)
    columns = class_runs.columns(runs)
    for column in columns:
        table.add_column(column.heading)
    rows = [[escape(harmless(column.cells[row].text)) for column in columns] for row in range(len(runs))]
    for cells in rows:
        table.add_row(*cells)
    console = output.results()
    if output.width_of(table).maximum <= console.width:
        console.print(table)
    else:  # too narrow: a table would break words and numbers
        for cells in rows:
            console.print(f"[bold]{cells[0]}[/]")
            for column, text in zip(columns[1:], cells[1:], strict=True):
                console.print(f"  {column.heading}: {' '.join(text.split())}", soft_wrap=False)
    if not same_text(run.data.record for run in runs if run.data):
        output.note(DIFFERENT_TEXTS, "yellow")


def as_json(run: ClassRun) -> dict[str, Any]:
    """Return a run of a class as one JSON object."""
    found: dict[str, Any] = {"name": run.name, "file": str(run.path), "problem": run.problem or None}
    if run.found:
        found |= run.found.model_dump(mode="json", exclude={"curves", "kind", "version", "name"})
    return found
