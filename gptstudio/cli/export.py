"""``gptstudio export``: a model as other programs open it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import Best, Json
from gptstudio.cli.transfer import bar, stoppable
from gptstudio.gpt.sizing import MB
from gptstudio.training import model_source
from gptstudio.weights_io.exporting import FORMATS

STOPPED = "Cancelled. Nothing was saved."

if TYPE_CHECKING:
    FormatName = str
else:
    FormatName = Literal[tuple(FORMATS)]

FOLDERS = ", ".join(each.name for each in FORMATS.values() if each.files)
FILES = ", ".join(each.name for each in FORMATS.values() if not each.files)

Target = Annotated[Path, Parameter(help=f"Where to save it: a folder for {FOLDERS}; a file for {FILES}.")]
Model = Annotated[
    str, Parameter(help="An imported model, a run, a checkpoint, or a preset (with random weights).", metavar="TEXT")
]
To = Annotated[FormatName, Parameter(help=" ".join(f"{each.name}: {each.brief}." for each in FORMATS.values()))]
Replace = Annotated[bool, Parameter(help="Replace an existing export.", negative=(), show_default=False)]


def export(
    path: Target, /, *, model: Model, to: To, best: Best = False, replace: Replace = False, json: Json = False
) -> None:
    """Export a model for other programs."""
    origin = model_source.resolve(model_source.best_of_run(model) if best else model)
    with stoppable(STOPPED) as control, bar(f"Saving {path.name}…", control) as progress:
        made = FORMATS[to].export(origin, path, progress, replace)
    size = sum(file.stat().st_size for file in ([made] if made.is_file() else made.iterdir()))
    if json:
        output.print_json({"model": origin.name, "to": to, "path": str(made), "bytes": size})
        return
    output.line(f"{origin.name}: {size / MB:,.1f} MB in {made}")
    if lacks := FORMATS[to].lacks(origin):
        output.note(lacks, "yellow")
    beside = FORMATS[to].beside(made)
    if beside and beside.exists():
        output.line(f"Its tokenizer: {beside}")
    output.line(f"Open it with:  {FORMATS[to].how_to_open(made)}", "green")
