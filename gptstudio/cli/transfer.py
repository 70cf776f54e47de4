"""Bytes that come or go: a bar on stderr where that is a terminal, and Ctrl-C that leaves nothing half done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from gptstudio.cli import output
from gptstudio.data import encodings
from gptstudio.gpt.sizing import MB
from gptstudio.training.control import Control, Stopped
from gptstudio.training.signals import stopped_by_signals


@contextmanager
def stoppable(message: str) -> Iterator[Control]:
    """Within, a signal stops what looks at the control. Then ``words`` are said.

    Raises:
        Stopped: it was.
    """
    control = Control()
    try:
        with stopped_by_signals(control):
            yield control
    except Stopped:
        output.note(message)
        raise


@contextmanager
def bar(title: str, control: Control) -> Iterator[encodings.Progress]:
    """Show a progress bar; each update checks the control.

    Raises:
        Stopped: by the control.
    """
    columns = TextColumn(title, markup=False), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn()
    with output.progress(*columns) as progress:
        task = progress.add_task("", total=None, count="")

        def update(done: int, total: int) -> None:
            control.check()
            progress.update(task, completed=done, total=total or None, count=f"{done / MB:,.0f}/{total / MB:,.0f} MB")

        yield update
