"""``gptstudio runs``: a list of the runs, or the measurements of one of them, from its log. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich import box
from rich.markup import escape
from rich.table import Table

from gptstudio import files, paths
from gptstudio.cli import output
from gptstudio.cli.arguments import Json
from gptstudio.cli.output import one_line
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.i18n import percent
from gptstudio.training import run_folder
from gptstudio.training.events import ActivationsRead, CopiesFound, ProbesRead, UpdatesRead
from gptstudio.training.run_folder import RunFolder, all_runs

if TYPE_CHECKING:
    from gptstudio.history.run_history import History
    from gptstudio.history.summary import RunSummary

STYLES = {"finished": "green", "failed": "red", "stopped": "yellow"}


RunName = Annotated[
    str | None,
    Parameter(help="A run, by its name or its folder: show what it measured at its evaluations: probe prompts, copied "
              "passages and, with --json, the health of its layers.", metavar="RUN", show_default=False),
]


def runs(name: RunName = None, /, *, json: Json = False) -> None:
    """List your runs, the newest first, or show one of them."""
    from gptstudio.history.summary import Summaries  # imports numpy, which the help does not need

    if name is not None:
        _show_one(name, json)
        return
    files.check_folder(paths.runs())
    found = Summaries(paths.summaries()).of_all(all_runs(), lambda error: output.note(str(error), "yellow"))
    if json:
        for summary in found:
            output.print_json(as_json(summary))
    elif found:
        _print_table(found)
    else:
        output.line(f"No runs yet in {paths.runs()}. Start one:  gptstudio train")


def _show_one(name: str, json: bool) -> None:
    from gptstudio.history.summary import Summaries

    run = run_folder.find(name)
    if run is None:
        raise UserError(f"There is no run '{name}'. Use gptstudio runs to list your runs, or give the path of a run's "
                        "folder.")
    summary = Summaries(paths.summaries()).of(run)
    if json:
        output.print_json(as_json(summary) | _measured(run))
    else:
        _print_table([summary])
        _show_measured(run)


def as_json(summary: RunSummary) -> dict[str, object]:
    """Return a run as one JSON object."""
    record, figures, saved = summary.record, summary.figures, summary.folder.checkpoints()
    return {
        "name": summary.folder.name,
        "title": record.title,
        "path": str(summary.folder.path.absolute()),
        "created": record.created.isoformat(),
        "text": record.text_name,
        "model": summary.preset,
        "parameters": summary.parameters,
        "steps": figures.steps,
        "train_loss": figures.train_loss,
        "val_loss": figures.val_loss,
        "best_val_loss": figures.best.val_loss if figures.best else None,
        "best_bits_per_byte": figures.best_bits_per_byte,
        "best_step": figures.best.step if figures.best else None,
        "copied_share": figures.copied_share,
        "longest_copy": figures.longest_copy,
        "health": figures.health,
        "outcome": summary.state,
        "bytes": summary.size_bytes,
        "checkpoint": str(saved[-1].absolute()) if saved else None,
        "parent": {"run": record.parent.run, "title": record.parent.title, "step": record.parent.step}
        if record.parent else None,
    }


def _print_table(found: list[RunSummary]) -> None:
    """Print a table of runs. If it is too wide, leave out the texts, and then fold long names."""
    console = output.results()
    table = _table(found, with_text=True)
    if output.width_of(table).minimum > console.width:
        table = _table(found, with_text=False)
    else:
        table.expand = True  # the column of texts gets the remaining width
    console.print(table)


def _table(found: list[RunSummary], with_text: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    name_width = max(len(run.folder.name) for run in found) if with_text else None
    table.add_column("Run", style="bold", overflow="fold", width=name_width)
    if with_text:
        table.add_column("Text", ratio=1, min_width=5, overflow="ellipsis", no_wrap=True)
    for heading in ("Steps", "Train", "Val", "Best"):
        table.add_column(heading, justify="right", min_width=5, no_wrap=True)
    table.add_column("End", min_width=len("interrupted"), no_wrap=True)
    for run in found:
        figures = run.figures
        losses = (figures.train_loss, figures.val_loss, figures.best.val_loss if figures.best else None)
        name = run.folder.name + (f"\n{escape(run.record.title)}" if run.record.title else "")
        if parent := run.record.parent:
            begun = escape(f"from {parent.name}, step {parent.step + 1:,}")
            name += f"\n[dim]{begun}[/]"
        text = [escape(run.record.text_name)] if with_text else []
        state = f"[{STYLES.get(run.state, 'dim')}]{run.state}"
        table.add_row(name, *text, f"{figures.steps:,}", *map(_loss, losses), state)
    return table


def _loss(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.3f}"


SHOWN = 10
"""Number of evaluations of a probe prompt to show in the terminal: the first, the last, and some in between."""
MEASURED = {"probes": ProbesRead, "copies": CopiesFound, "updates": UpdatesRead, "activations": ActivationsRead}


def _measured(run: RunFolder) -> dict[str, list[object]]:
    """Return everything that a run measured in addition to its losses, by kind, as in its log; steps count from 0, and
    -1 is before the first."""
    kept: dict[str, list[object]] = {name: [] for name in MEASURED}
    for event in run.events():
        for name, kind in MEASURED.items():
            if isinstance(event, kind):
                kept[name].append(event.model_dump(mode="json", exclude={"event"}))
    return kept


def _show_measured(run: RunFolder) -> None:
    """Print how the prediction of the next token changed for each probe prompt, and how much the samples copied."""
    from gptstudio.history.run_history import read

    history = read(run.journal_path)
    for line in (*_probes(history, run.tokenizer()), *_copies(history)):
        output.line(line)


def _probes(history: History, tokenizer: Tokenizer) -> Iterator[str]:
    import numpy as np

    from gptstudio.history.run_history import ProbeHistory

    prompts = history.probes[0].probes if history.probes else ()
    for number, prompt in enumerate(prompts):
        probe = ProbeHistory(history, number)
        probe.update()
        yield f"\n{one_line(prompt.text)} …"
        for index in np.unique(np.linspace(0, probe.count - 1, SHOWN).round().astype(int)).tolist():
            best = "  ".join(
                f"{tokenizer.visible(each.id)} {percent(each.probability)}" for each in probe.candidates(index, 4))
            bits = probe.readings[index].entropy_bits
            yield f"  step {probe.step(index) + 1:>6,}  {bits:4.1f} bits  {best}"


def _copies(history: History) -> Iterator[str]:
    if history.copies_found:
        yield "\nCopied from the training text"
    for found in history.copies_found:
        yield f"  step {found.step + 1:>6,}  {found.share:4.0%}  longest: {found.longest:,} tokens"
