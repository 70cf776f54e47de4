"""Destinations of output: results to stdout, everything else to stderr; a character never causes an error."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json
from rich import console

from gptstudio.training import events
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event
from gptstudio.training.executor import Sink

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


class Console(console.Console):
    """rich's, but a reader who has gone away (``| head``) is an error like any other, handled in one place."""

    def on_broken_pipe(self) -> None:
        raise  # rich calls this while it handles the BrokenPipeError


def results() -> Console:
    """The console of stdout."""
    return Console(highlight=False)


def notes() -> Console:
    """The console of stderr."""
    return Console(stderr=True, highlight=False)


def line(message: str, style: str = "") -> None:
    """One line on stdout, which the terminal alone may break."""
    results().print(message, style=style, markup=False, soft_wrap=True)


def progress(*columns: ProgressColumn) -> Progress:
    """A progress bar on stderr that leaves nothing behind; silent where stderr is no terminal."""
    from rich.progress import Progress

    console = notes()
    return Progress(*columns, console=console, transient=True, disable=not console.is_interactive)


def note(message: str, style: str = "") -> None:
    """One line on stderr, however the words were broken."""
    notes().print(" ".join(message.split()), style=style, markup=False, soft_wrap=True)


def show_every_character() -> None:
    """A stream that cannot write a character (LANG=C) shows a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(value: Mapping[str, Any]) -> None:
    """One line of JSON on stdout."""
    _write_line(to_json(value, inf_nan_mode="strings").decode())


def json_lines(*kinds: type[Event]) -> Sink:
    """A sink that prints events of these kinds as the journal has them; of all kinds if none are named.

    But where an error came from is kept to the journal: here it is shown with ``--debug`` only, on stderr.
    """

    def write(event: Event) -> None:
        if isinstance(event, Ended):
            event = event.model_copy(update={"details": ""})
        if not kinds or isinstance(event, kinds):
            _write_line(events.to_json(event))

    return write


def while_read(sink: Sink, control: Control) -> Sink:
    """``sink``, but when its reader has gone the run is stopped, and nothing more is written."""
    gone = False

    def guarded(event: Event) -> None:
        nonlocal gone
        try:
            if not gone:
                sink(event)
        except BrokenPipeError:
            gone = True
            control.stop()

    return guarded


def flush() -> None:
    """Flush stdout while a failure can still be reported. An app without a console has no stdout."""
    if sys.stdout:
        sys.stdout.flush()


def _write_line(line: str) -> None:
    """JSON is UTF-8, whatever the terminal's own encoding. What a terminal could take for a command is escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print("".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line), flush=True)
