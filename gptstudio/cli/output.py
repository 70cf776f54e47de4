"""Output of the commands: results go to stdout, everything else to stderr; a character never causes an error.

Text is written token by token; an incomplete character waits for its remaining bytes. Transfers have a progress bar on
stderr if it is a terminal, and can be cancelled with Ctrl-C.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json
from rich import console
from rich.measure import Measurement
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from gptstudio.data import encodings
from gptstudio.training import events
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import Ended, Event
from gptstudio.training.executor import Sink
from gptstudio.training.signals import stopped_by_signals
from gptstudio.units import MB

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

    from gptstudio.gpt.tokenizer import Tokenizer

NOT_PLAIN = re.compile(r"[^ -~]")


class Console(console.Console):
    """Console of rich that raises the error of a closed pipe (``| head``), so that it is handled in one place."""

    def on_broken_pipe(self) -> None:
        raise  # rich calls this while handling the BrokenPipeError


def results() -> Console:
    """Return the console of stdout."""
    return Console(highlight=False)


def notes() -> Console:
    """Return the console of stderr."""
    return Console(stderr=True, highlight=False)


def line(message: str, style: str = "") -> None:
    """Print one line on stdout, which is wrapped only by the terminal."""
    results().print(message, style=style, markup=False, soft_wrap=True)


def width_of(table: Table) -> Measurement:
    """Return the least and the full width of a table in characters, regardless of the terminal."""
    console = results()
    return Measurement.get(console, console.options.update(max_width=10_000), table)


def progress(*columns: ProgressColumn) -> Progress:
    """Return a progress bar on stderr that is erased at the end; silent if stderr is not a terminal."""
    from rich.progress import Progress

    console = notes()
    return Progress(*columns, console=console, transient=True, disable=not console.is_interactive)


def note(message: str, style: str = "") -> None:
    """Print one line on stderr; line breaks in the text become spaces."""
    notes().print(" ".join(message.split()), style=style, markup=False, soft_wrap=True)


def note_prompt(ids: Sequence[int], dropped: int, tokenizer: Tokenizer) -> None:
    """Print a line on stderr if the model did not read the first ``dropped`` tokens of a prompt, and one if characters
    of it are not in the vocabulary."""
    from gptstudio.inference.generator import about_unknown

    if dropped > 0:
        note(f"The prompt is longer than the context length. Tokens left out at its beginning: {dropped:,}.")
    if warning := about_unknown(ids, tokenizer):
        note(warning, "yellow")


def show_every_character() -> None:
    """Make streams that cannot encode a character (LANG=C) write a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(value: Mapping[str, Any]) -> None:
    """Print one line of JSON on stdout."""
    _write_line(to_json(value, inf_nan_mode="strings").decode())


def json_lines(*kinds: type[Event]) -> Sink:
    """Return a sink that prints events of these kinds in the format of the journal; of all kinds if none are given.

    The traceback of an error is omitted: only ``--debug`` shows it, on stderr.
    """

    def write(event: Event) -> None:
        if isinstance(event, Ended):
            event = event.model_copy(update={"details": ""})
        if not kinds or isinstance(event, kinds):
            _write_line(events.to_json(event))

    return write


_lost: list[OSError] = []
"""Errors of stdout during a run; the run continues without printing."""


def while_read(sink: Sink, control: Control) -> Sink:
    """Wrap ``sink`` so that a closed stdout stops the run and ends all output. Other errors of stdout, such as a full
    disk, are raised again by :func:`flush`."""
    gone = False

    def guarded(event: Event) -> None:
        nonlocal gone
        try:
            if not gone:
                sink(event)
        except BrokenPipeError:
            gone = True
            control.stop()
        except OSError as error:
            _lost.append(error)
            raise

    return guarded


def flush() -> None:
    """Flush stdout while a failure can still be reported. A program without a console has no stdout.

    Raises:
        OSError: stdout, or a part of it, could not be written.
    """
    if sys.stdout:
        sys.stdout.flush()
    if _lost:
        error = _lost[0]
        _lost.clear()
        raise error


def _write_line(line: str) -> None:
    """Print JSON as UTF-8, regardless of the terminal's encoding. Control sequences of terminals are escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(NOT_PLAIN.sub(_escaped, line), flush=True)


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


class TextPrinter:
    """Printer of a prompt and then of each token; on a terminal, the prompt is dim.

    Of several texts generated at once, the first is printed token by token, and the others at the end.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._prompt = ""
        self._begun = False
        self._others: dict[int, bytes] = {}

    @property
    def texts(self) -> int:
        """Number of texts begun."""
        return self._begun + len(self._others)

    def prompt(self, data: bytes) -> None:
        self._begun = True
        self._prompt = data.decode("utf-8", "replace")
        self._show(self._prompt, "dim")

    def add(self, data: bytes, sample: int = 0) -> None:
        """Add the bytes of one token, which may end within a character."""
        if sample:
            self._others[sample] = self._others.get(sample, b"") + data
        else:
            self._show(self._decoder.decode(data))

    def close(self) -> None:
        """Replace an incomplete character by U+FFFD, and end the line."""
        if self._begun:
            self._show(self._decoder.decode(b"", final=True) + "\n")
        for data in self._others.values():
            self._show("\n" + self._prompt, "dim")
            self._show(data.decode("utf-8", "replace") + "\n")

    def _show(self, text: str, style: str = "") -> None:
        if self._console.is_terminal:
            text = harmless(text)
        self._console.print(text, style=style, end="", markup=False, soft_wrap=True)


def harmless(text: str) -> str:
    """Return a text without control characters, which could move the cursor or ring the bell; untrained models generate
    them."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def one_line(text: str) -> str:
    """Return a text in one line, without control characters."""
    return " ".join(harmless(text).split())


@contextmanager
def stoppable(message: str = "") -> Iterator[Control]:
    """Context manager in which a signal stops work that checks the control; ``message``, if any, is then printed."""
    control = Control()
    try:
        with stopped_by_signals(control):
            yield control
    except Stopped:
        if message:
            note(message)
        raise


@contextmanager
def bar(title: str, control: Control) -> Iterator[encodings.Progress]:
    """Context manager that shows a progress bar; each update checks the control.

    Raises:
        Stopped: the control was stopped.
    """
    columns = TextColumn(title, markup=False), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn()
    with progress(*columns) as shown:
        task = shown.add_task("", total=None, count="")

        def update(done: int, total: int) -> None:
            control.check()
            shown.update(task, completed=done, total=total or None, count=f"{done / MB:,.0f}/{total / MB:,.0f} MB")

        yield update
