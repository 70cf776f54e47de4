"""``gptstudio settings``: what is set for all users of this computer, and what is wrong with it. No Qt, no torch."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.table import Table
from rich.text import Text

from gptstudio import paths, settings_file
from gptstudio import settings as computer
from gptstudio.cli import output
from gptstudio.cli.arguments import Json, switch
from gptstudio.errors import Fault, UserError
from gptstudio.i18n import ENGLISH

WRONG = 2
"""The exit code where a file has mistakes."""

Which = Annotated[Path | None, Parameter(help="The file to check; by default, the file in use.")]
Controls = Annotated[bool, switch("List the names of all controls that can be locked or hidden.")]


def settings(file: Which = None, *, controls: Controls = False, json: Json = False) -> int:
    """Show and check the settings for all users of this computer."""
    if controls:
        _print_controls(json)
        return 0
    found = computer.load(file) if file else computer.in_force()
    faults = sorted((*found.faults, *found.missing_paths(), *_in_the_lesson(found)))
    _print_json(found, faults) if json else _print(found, faults)
    return WRONG if faults else 0


def _in_the_lesson(found: computer.Settings) -> list[Fault]:
    """Return the problem that keeps the lesson from opening, if there is a file."""
    from gptstudio.labs.lesson import load  # which loads numpy, as long as all else takes

    path = found.lesson_file(ENGLISH)
    if path and path.is_file():
        try:
            load(path)
        except UserError as error:
            return [Fault(found.lines["lesson"], str(error))]
    return []


def _values(found: computer.Settings) -> dict[str, Any]:
    """Return the settings that are set, keyed as in the file."""
    return {key: value for key in computer.KEYS if (value := getattr(found, key))}


def _print(found: computer.Settings, faults: list[Fault]) -> None:
    console = output.results()
    if not found.file:
        console.print("No settings file is in use. GPT Studio looks for one at:")
        for place in paths.settings():
            output.line(f"  {place}")
        return
    output.line(str(found.file), "bold")
    console.print(_table(
        (name, ", ".join(value) if isinstance(value, tuple) else str(value)) for name, value in _values(found).items()
    ))
    for fault in faults:
        output.line(fault.message(), "red")
    if not faults:
        console.print("No problems found in this file.", style="green")


def _print_json(found: computer.Settings, faults: list[Fault]) -> None:
    output.print_json({
        "file": found.file and str(found.file), **_values(found),
        "faults": [{"line": fault.line or None, "message": str(fault.what)} for fault in faults],
    })


def _print_controls(json: bool) -> None:
    if json:
        for heading, names in settings_file.controls().items():
            for name, message in names.items():
                output.print_json({"place": heading, "name": name, "control": message})
        return
    console = output.results()
    for heading, names in settings_file.controls().items():
        console.print(Text(heading, "bold"))
        console.print(_table(names.items()))


def _table(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, message in rows:
        table.add_row(Text(name), Text(message))
    return table
