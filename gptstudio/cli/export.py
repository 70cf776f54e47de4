"""``gptstudio export``: a model as other programs open it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import Best, Json
from gptstudio.cli.transfer import bar, stoppable
from gptstudio.gpt.sizing import MB
from gptstudio.training import model_source
from gptstudio.weights_io.exporting import export_book, export_huggingface

STOPPED = "Cancelled. Nothing was saved."

Target = Annotated[Path, Parameter(help="Where to save it: a folder for huggingface, a file for book.")]
Model = Annotated[
    str, Parameter(help="An imported model, a run, a checkpoint, or a preset (with random weights).", metavar="TEXT")
]
To = Annotated[
    Literal["huggingface", "book"],
    Parameter(help=
    "huggingface: a folder for transformers and other programs that read its format. book: a state dict for the book's "
    "code."),
]
Replace = Annotated[bool, Parameter(help="Replace an existing export.", negative=(), show_default=False)]


def export(
    path: Target, /, *, model: Model, to: To, best: Best = False, replace: Replace = False, json: Json = False
) -> None:
    """Export a model for other programs."""
    origin = model_source.resolve(model_source.best_of_run(model) if best else model)
    write = export_huggingface if to == "huggingface" else export_book
    with stoppable(STOPPED) as control, bar(f"Saving {path.name}…", control) as progress:
        made = write(origin, path, progress, replace)
    size = sum(file.stat().st_size for file in ([made] if made.is_file() else made.iterdir()))
    if json:
        output.print_json({"model": origin.name, "to": to, "path": str(made), "bytes": size})
        return
    output.line(f"{origin.name}: {size / MB:,.1f} MB in {made}")
    output.line(_how_to_open(to, made), "green")


def _how_to_open(to: str, made: Path) -> str:
    """A line of Python that opens it."""
    if to == "huggingface":
        return f"Open it with:  transformers.AutoModelForCausalLM.from_pretrained({str(made)!r})"
    return f"Open it with:  model.load_state_dict(torch.load({str(made)!r}, weights_only=True))"
