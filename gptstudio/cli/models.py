"""Models that can be downloaded by name, and imported models. Uses no network."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from gptstudio.cli import output
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.training import checkpoint_files, imported_models
from gptstudio.weights_io import download
from gptstudio.weights_io.download import Published


def show_all(json: bool) -> None:
    """Both lists: as tables, or an object a line."""
    published = [_published(each) for each in download.PUBLISHED]
    imported = [_imported(path) for path in imported_models.all_models()]
    if json:
        for each in published + imported:
            output.print_json(each)
        return
    console = output.results()
    console.print(_table("Published", published, "Source", "repository"))
    if imported:
        console.print(_table("Imported", imported, "Source", "source"))
    output.line("Import one:  gptstudio import NAME", "green")


def _published(model: Published) -> dict[str, Any]:
    return {
        "kind": "published", "name": model.name, "title": model.title, "repository": model.repository,
        "parameters": model.parameters, "fetched": download.cached(model) is not None,
    }


def _imported(model: Path) -> dict[str, Any]:
    """Return the row of an imported model. A damaged one has no parameter count, or no origin."""
    parameters = None
    with suppress(UserError):
        parameters = sizing.parameter_count(checkpoint_files.read_state(model).config)
    return {
        "kind": "imported", "name": model.name, "path": str(model),
        "source": imported_models.origin(model).get("source"),
        "parameters": parameters, "bytes": checkpoint_files.size(model),
    }


def _table(title: str, models: Sequence[dict[str, Any]], heading: str, place: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(title, style="bold", min_width=16)
    table.add_column("Parameters", justify="right", no_wrap=True)
    table.add_column(heading)
    table.add_column("")
    for model in models:
        count = "" if model["parameters"] is None else f"{model['parameters']:,}"
        state = "downloaded" if model.get("fetched") else ""
        table.add_row(Text(model["name"]), count, Text(model[place] or ""), Text(state, "dim"))
    return table
