"""``gptstudio runs``: what was trained so far. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.table import Table

from gptstudio import paths
from gptstudio.cli import output
from gptstudio.cli.arguments import Json
from gptstudio.errors import UserError
from gptstudio.gpt.config import config_name
from gptstudio.runs.folder import Summary, all_runs, summarise

STYLES = {"finished": "green", "failed": "red", "stopped": "yellow"}


def runs(*, json: Json = False) -> None:
    """List the runs that were trained so far, the newest first."""
    found = list(_summaries())
    if json:
        for summary in found:
            output.print_json(as_json(summary))
    elif found:
        output.results().print(_table(found))
    else:
        output.results().print(f"There are no runs yet in {paths.runs()}. Train one:  gptstudio train", soft_wrap=True)


def as_json(summary: Summary) -> dict[str, object]:
    """A run in one object."""
    record, saved = summary.record, summary.folder.checkpoints()
    return {
        "name": summary.folder.name,
        "path": str(summary.folder.path),
        "created": record.created.isoformat(),
        "text": record.text_name,
        "model": config_name(record.spec.config),
        "steps": summary.steps,
        "train_loss": summary.train_loss,
        "val_loss": summary.val_loss,
        "outcome": summary.outcome,
        "checkpoint": str(saved[-1]) if saved else None,
    }


def _summaries() -> Iterator[Summary]:
    """All runs that can be read; of the others it is told on stderr."""
    for run in all_runs():
        try:
            yield summarise(run)
        except UserError as error:
            output.note(str(error), "yellow")


def _table(found: list[Summary]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=True)  # the text's name gets what the others leave
    table.add_column("Run", style="bold", min_width=max(len(run.folder.name) for run in found))
    table.add_column("Text", ratio=1, overflow="ellipsis", no_wrap=True)
    for heading in ("Steps", "Train loss", "Val loss"):
        table.add_column(heading, justify="right", min_width=len(heading))
    table.add_column("End", min_width=len("not ended"))
    for run in found:
        losses = (_loss(run.train_loss), _loss(run.val_loss))
        end = f"[{STYLES.get(run.outcome, 'dim')}]{run.outcome}"
        table.add_row(run.folder.name, run.record.text_name, f"{run.steps:,}", *losses, end)
    return table


def _loss(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.3f}"
