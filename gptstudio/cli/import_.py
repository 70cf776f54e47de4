"""``gptstudio import``: weights of somebody else among one's own models."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import Json, switch
from gptstudio.cli.transfer import bar, stoppable
from gptstudio.gpt import sizing
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gpt.sizing import MB
from gptstudio.training import model_source

if TYPE_CHECKING:  # the help can do without these
    from gptstudio.weights_io.download import Published
    from gptstudio.weights_io.importing import Found

FETCHING_STOPPED = "Stopped. What has come is kept, and the next time goes on from there."
STOPPED = "Stopped. No model was brought in."

What = Annotated[
    str,
    Parameter(
        help="A .pth file of the book's code, a folder or file of a GPT-2 in Hugging Face's format, a checkpoint; or "
        "the name of a published GPT-2, which is fetched.", show_default=False,
    ),
]
Heads = Annotated[
    int | None,
    Parameter(help="How many attention heads it has, where the file does not say.", metavar="N", show_default=False),
]
Name = Annotated[
    str | None,
    Parameter(help="What to call it; else as it is called where it comes from.", metavar="TEXT", show_default=False),
]
List = Annotated[bool, switch("List the published models that can be fetched, and those that you brought in.")]


def import_(
    what: What = "", /, *, heads: Heads = None, name: Name = None, list: List = False, json: Json = False
) -> None:
    """Bring in weights: a file of the book's code, a Hugging Face folder, or a published GPT-2 by its name."""
    if list or not what:
        from gptstudio.cli.models import show_all

        show_all(json)
        return
    from gptstudio.weights_io import importing

    found, wanted, notes = _look(what, heads, name, json)
    if not (found.heads_read or heads or json):
        output.note(_guessed(found), "yellow")
    with stoppable(STOPPED) as control, bar(f"Bringing in {found.name}", control) as tell:
        imported = importing.import_weights(found, wanted, tell, notes)
    if json:
        output.print_json(_as_json(imported, found))
        return
    if imported.name != wanted:
        output.note(f"{wanted!r} is taken, or is no name on some systems: it is called {imported.name!r}.", "yellow")
    _tell(imported, found)


def _look(what: str, heads: int | None, name: str | None, json: bool) -> tuple[Found, str, dict[str, str]]:
    """What is to be brought in, what it is to be called, and what is to be remembered of where it came from.

    Raises:
        UserError: it cannot be opened or fetched.
    """
    from gptstudio.weights_io import download, importing

    published = next((each for each in download.PUBLISHED if each.name == what), None)
    if published is None:
        found = importing.inspect(Path(os.path.expanduser(what)), heads)
        return found, name or found.name, {}
    if os.path.exists(what) and not json:
        here = os.path.join(os.curdir, what)
        output.note(f"{what} is the published model. To open the {what} that lies here, write {here}.", "yellow")
    found = importing.inspect(_fetched(published, json), heads)
    return found, name or published.name, {"source": published.repository}


def _fetched(published: Published, json: bool) -> Path:
    """Says what it costs, and fetches it.

    Raises:
        ExchangeError: no network, or something else came.
        Stopped: by a signal.
    """
    from gptstudio.weights_io import download

    with stoppable(FETCHING_STOPPED) as control:
        sizes = download.sizes(published, control)
        if not json:
            output.note(_cost(published, sizes.total_bytes, sizes.to_fetch_bytes))
        with bar(f"Fetching {published.title}", control) as tell:
            return download.fetch(published, tell, control)


def _cost(published: Published, total: int, missing: int) -> str:
    from gptstudio.weights_io import checksums, download, hub_messages

    size = f"{published.title}, {published.parameters:,} parameters, {total / MB:,.0f} MB"
    if not missing:
        return f"{size}: on this computer already."
    rest = "" if missing == total else f"; {(total - missing) / MB:,.0f} MB are here already"
    check = "" if checksums.known(published.repository) else f" {hub_messages.no_checksum()}"
    return f"{size}, from {download.endpoint()}{rest}.{check}"


def _guessed(found: Found) -> str:
    others = ", ".join(str(heads) for heads in found.possible_heads if heads != found.config.n_heads)
    return (
        f"The file does not say how many heads the model has. It is opened with {found.config.n_heads}, the likely "
        f"number; with a wrong one it writes nonsense. Possible as well: {others}. Choose with --heads N."
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
        "possible_heads": found.possible_heads,
    }


def _tell(imported: model_source.ImportedModel, found: Found) -> None:
    config, name = found.config, quote(imported.name)
    _line(f"{imported.name}: {_shape(config)}", "bold")
    if found.stored != "fp32":
        _line(f"Its numbers were {found.stored}; this copy holds them in fp32.")
    _line(f"Kept in {imported.path}")
    if config.vocab_size >= VOCAB_SIZE:  # else nobody here knows what its tokens mean
        _line(f"Let it write:  gptstudio generate --model {name}", "green")
        _line(f"Train it further:  gptstudio train --begin-with {name}", "green")


def _shape(config: GPTConfig) -> str:
    return (
        f"{sizing.parameter_count(config):,} parameters, context {config.context_length:,}, width {config.emb_dim:,}, "
        f"{config.n_heads:,} heads, {config.n_layers:,} layers"
    )


def _line(message: str, style: str = "") -> None:
    output.results().print(message, style=style, markup=False, soft_wrap=True)
