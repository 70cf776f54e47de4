"""``gptstudio import`` and ``gptstudio export``: import weights from other programs, and export models to them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich import box
from rich.table import Table
from rich.text import Text

from gptstudio.cli import output
from gptstudio.cli.arguments import Best, Json, check_used, shape_of, switch
from gptstudio.cli.output import bar, harmless, stoppable
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference.loading import source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint_files, imported_models, model_source
from gptstudio.units import MB, bytes_text
from gptstudio.weights_io.exporting import FORMATS

if TYPE_CHECKING:
    from gptstudio.weights_io.download import Published
    from gptstudio.weights_io.importing import FoundModel

DOWNLOAD_STOPPED = "Cancelled. The partial download is kept; next time it continues from there."
EXPORT_STOPPED = "Cancelled. Nothing was saved."
IMPORT_STOPPED = "Cancelled. No model was imported."

What = Annotated[
    str,
    Parameter(
        help="A .pth file of the book's code, a GPT-2 folder or file in Hugging Face format, a checkpoint, "
        "or the name of a published GPT-2, which is downloaded.", show_default=False,
    ),
]
Heads = Annotated[
    int | None,
    Parameter(help="The number of attention heads, if the file does not say.", metavar="N", show_default=False),
]
Name = Annotated[
    str | None,
    Parameter(help="A name for the model; by default, the name it already has.", metavar="TEXT", show_default=False),
]
List = Annotated[bool, switch("List the published models you can download and the models you have imported.")]


def import_(
    what: What = "", /, *, heads: Heads = None, name: Name = None, list: List = False, json: Json = False
) -> None:
    """Import weights: a file of the book's code, a Hugging Face folder, or a published GPT-2 by name."""
    if list or not what:
        check_used({what: what and list}, beside="--list")
        check_used({"--heads": heads, "--name": name}, needed="a file or the name of a published model")
        list_models(json)
        return
    from gptstudio.weights_io import importing

    found, wanted, notes = _inspect(what, heads, name, json)
    if not (found.heads_read or heads or json):
        output.note(_guessed(found), "yellow")
    with stoppable(IMPORT_STOPPED) as control, bar(f"Importing {found.name}…", control) as progress:
        imported = importing.import_weights(found, wanted, progress, notes)
    if json:
        output.print_json(_as_json(imported, found))
        return
    if imported.name != wanted:
        output.note(
            f"The name {wanted!r} is already used, or is not valid on all systems. The model was imported as "
            f"{imported.name!r}.", "yellow")
    _print(imported, found)


def _inspect(what: str, heads: int | None, name: str | None, json: bool) -> tuple[FoundModel, str, dict[str, str]]:
    """Return the weights to import, the model's name, and details of its origin to record.

    Raises:
        UserError: the weights cannot be opened or downloaded.
    """
    from gptstudio.weights_io import download, importing

    there = os.path.exists(what)
    published = next(
        (each for each in download.PUBLISHED if what == each.name or (what == each.repository and not there)), None)
    if published is None:
        found = importing.inspect(Path(os.path.expanduser(what)), heads)
        return found, name or found.name, {}
    if there and not json:
        here = os.path.join(os.curdir, what)
        output.note(f"{what} means the published model. To import the local {what} instead, type {here}.", "yellow")
    found = importing.inspect(_fetched(published, json), heads)
    return found, name or published.name, {"source": published.repository}


def _fetched(published: Published, json: bool) -> Path:
    """Print the download size, and download the model.

    Raises:
        ExchangeError: there is no network, or the server sent a different file.
        Stopped: a signal arrived.
    """
    from gptstudio.weights_io import download

    with stoppable(DOWNLOAD_STOPPED) as control:
        sizes = download.sizes(published, control)
        if not json:
            output.note(_cost(published, sizes.total_bytes, sizes.to_fetch_bytes))
        with bar(f"Downloading {published.title}…", control) as progress:
            return download.fetch(published, progress, control)


def _cost(published: Published, total: int, missing: int) -> str:
    from gptstudio.weights_io import download, hub

    size = f"{published.title}, {published.parameters:,} parameters, {total / MB:,.0f} MB"
    if not missing:
        return f"{size}: already on this computer."
    rest = "" if missing == total else f"; {(total - missing) / MB:,.0f} MB already downloaded"
    check = "" if published.repository in download.CHECKSUMS else f" {hub.no_checksum()}"
    return f"{size}, from {hub.host()}{rest}.{check}"


def _guessed(found: FoundModel) -> str:
    others = ", ".join(str(heads) for heads in found.possible_heads if heads != found.config.n_heads)
    return (
        f"The file does not say how many attention heads the model has. GPT Studio assumes {found.config.n_heads}, the "
        f"most likely number; with the wrong number the model generates nonsense. Other possible numbers: {others}. "
        "Choose one with --heads N."
    )


def _as_json(imported: model_source.ImportedModel, found: FoundModel) -> dict[str, object]:
    return {
        "name": imported.name,
        "path": str(imported.path),
        "kind": found.kind,
        "config": found.config.model_dump(),
        "parameters": sizing.parameter_count(found.config),
        "stored": found.stored,
        "heads_read": found.heads_read,
        "left_out": found.left_out,
        "possible_heads": found.possible_heads,
    }


def _print(imported: model_source.ImportedModel, found: FoundModel) -> None:
    config, name = found.config, quote(imported.name)
    output.line(f"{imported.name}: {sizing.parameter_count(config):,} parameters, {shape_of(config)}", "bold")
    if found.stored != "fp32":
        output.line(f"The original weights are stored in {found.stored}; this copy is in fp32.")
    if found.left_out:
        output.line(f"Left out, since a language model does not need them: {', '.join(map(harmless, found.left_out))}.")
    output.line(f"Saved {imported.path}")
    if not model_source.reads_text(config):
        output.line(f"Its vocabulary of {config.vocab_size:,} tokens is not GPT-2's: it is for experiments, and can "
                    "neither read nor write text.")
    else:
        if found.tokenizer != GPT2:
            output.line(f"Its tokenizer is its own: {found.tokenizer.name}")
        output.line(f"Generate with it:  gptstudio generate --model {name}", "green")
        output.line(f"Train it further:  gptstudio train --init-from {name}", "green")


def list_models(json: bool) -> None:
    """Print the published and the imported models: as tables, or as one JSON object per line."""
    from gptstudio.weights_io import download

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
    from gptstudio.weights_io import download

    return {
        "kind": "published", "name": model.name, "title": model.title, "repository": model.repository,
        "parameters": model.parameters, "fetched": download.cached(model) is not None,
    }


def _imported(model: Path) -> dict[str, Any]:
    """Return the row of an imported model. If it is damaged, the parameter count or the origin is missing."""
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
    def written(origin: model_source.LoadableModel) -> tuple[model_source.LoadableModel, Path, str]:
        lacks = FORMATS[to].lacks(origin)  # read before anything is written
        return origin, FORMATS[to].export(origin, path, progress, replace), lacks

    chosen = source_from(GenerateSpec(model=model), {}, best)
    with stoppable(EXPORT_STOPPED) as control, bar(f"Saving {path.name}…", control) as progress:
        origin, made, lacks = model_source.reading(chosen, model, written)
    size = sum(file.stat().st_size for file in ([made] if made.is_file() else made.iterdir()))
    if json:
        output.print_json({"model": origin.name, "to": to, "path": str(made), "bytes": size})
        return
    output.line(f"{origin.name}: {bytes_text(size)} in {made}")
    if lacks:
        output.note(lacks, "yellow")
    beside = FORMATS[to].companion(made)
    if beside and beside.exists():
        output.line(f"Its tokenizer: {beside}")
    output.line(f"Open it with:  {FORMATS[to].how_to_open(made)}", "green")
