"""``gptstudio import``: import weights from elsewhere into the user's models."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import Json, switch
from gptstudio.cli.transfer import bar, stoppable
from gptstudio.cli.writing import harmless
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sizing import MB
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import model_source

if TYPE_CHECKING:  # the help can do without these
    from gptstudio.weights_io.download import Published
    from gptstudio.weights_io.importing import Found

FETCHING_STOPPED = "Cancelled. The partial download is kept; next time it continues from there."
STOPPED = "Cancelled. No model was imported."

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
        from gptstudio.cli.models import show_all

        show_all(json)
        return
    from gptstudio.weights_io import importing

    found, wanted, notes = _inspect(what, heads, name, json)
    if not (found.heads_read or heads or json):
        output.note(_guessed(found), "yellow")
    with stoppable(STOPPED) as control, bar(f"Importing {found.name}…", control) as progress:
        imported = importing.import_weights(found, wanted, progress, notes)
    if json:
        output.print_json(_as_json(imported, found))
        return
    if imported.name != wanted:
        output.note(
            f"The name {wanted!r} is already used, or is not valid on all systems. The model was imported as "
            f"{imported.name!r}.", "yellow")
    _print(imported, found)


def _inspect(what: str, heads: int | None, name: str | None, json: bool) -> tuple[Found, str, dict[str, str]]:
    """Return the weights to import, the model's name, and the details of its origin to record.

    Raises:
        UserError: it cannot be opened or downloaded.
    """
    from gptstudio.weights_io import download, importing

    published = next((each for each in download.PUBLISHED if each.name == what), None)
    if published is None:
        found = importing.inspect(Path(os.path.expanduser(what)), heads)
        return found, name or found.name, {}
    if os.path.exists(what) and not json:
        here = os.path.join(os.curdir, what)
        output.note(f"{what} means the published model. To import the local {what} instead, type {here}.", "yellow")
    found = importing.inspect(_fetched(published, json), heads)
    return found, name or published.name, {"source": published.repository}


def _fetched(published: Published, json: bool) -> Path:
    """Print the download size, and download the model.

    Raises:
        ExchangeError: no network, or the server sent something else.
        Stopped: by a signal.
    """
    from gptstudio.weights_io import download

    with stoppable(FETCHING_STOPPED) as control:
        sizes = download.sizes(published, control)
        if not json:
            output.note(_cost(published, sizes.total_bytes, sizes.to_fetch_bytes))
        with bar(f"Downloading {published.title}…", control) as progress:
            return download.fetch(published, progress, control)


def _cost(published: Published, total: int, missing: int) -> str:
    from gptstudio.weights_io import checksums, download, hub_messages

    size = f"{published.title}, {published.parameters:,} parameters, {total / MB:,.0f} MB"
    if not missing:
        return f"{size}: already on this computer."
    rest = "" if missing == total else f"; {(total - missing) / MB:,.0f} MB already downloaded"
    check = "" if checksums.known(published.repository) else f" {hub_messages.no_checksum()}"
    return f"{size}, from {download.endpoint()}{rest}.{check}"


def _guessed(found: Found) -> str:
    others = ", ".join(str(heads) for heads in found.possible_heads if heads != found.config.n_heads)
    return (
        f"The file does not say how many attention heads the model has. GPT Studio assumes {found.config.n_heads}, the "
        f"most likely number; with the wrong number the model generates nonsense. Other possible numbers: {others}. "
        "Choose one with --heads N."
    )


def _as_json(imported: model_source.ImportedModel, found: Found) -> dict[str, object]:
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


def _print(imported: model_source.ImportedModel, found: Found) -> None:
    config, name = found.config, quote(imported.name)
    output.line(f"{imported.name}: {_shape(config)}", "bold")
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


def _shape(config: GPTConfig) -> str:
    return (
        f"{sizing.parameter_count(config):,} parameters, context length {config.context_length:,}, width "
        f"{config.emb_dim:,}, heads {config.n_heads:,}, layers {config.n_layers:,}"
    )
