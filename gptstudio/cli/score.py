"""``gptstudio score``: how surprising a text is to a model, as JSON lines or as readable figures."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich import box
from rich.cells import cell_len
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.table import Table
from rich.text import Text

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event, PromptRead, TokenRead, Warned
from gptstudio.training.executor import execute
from gptstudio.training.signals import stopped_by_signals

if TYPE_CHECKING:
    from gptstudio.inference.score_stats import ScoreStats

BEFORE = 24
"""Width in columns of the text before a token."""
HUGE = 1e9
"""Figure from which only its size is shown: the perplexity of a model that diverged can have 300 digits."""
NOTHING = PromptRead(pieces=[], dropped=0, model="")


def as_json(totals: ScoreStats, prompt: PromptRead, outcome: str) -> dict[str, object]:
    """Return the totals over all tokens. Bits are infinite if the model gave a token zero probability. Context and
    stride are null if the text was read in one window."""
    return {
        "event": "scored",
        "outcome": outcome,
        "model": prompt.model,
        "context": prompt.context,
        "stride": prompt.stride,
        "tokens": totals.tokens,
        "bytes": totals.bytes,
        "bits": totals.bits,
        "bits_per_token": totals.bits_per_token,
        "bits_per_byte": totals.bits_per_byte,
        "perplexity": totals.perplexity,
        "guessing_bits_per_token": totals.guessing_bits,
        "worst": [reading.position for reading in totals.worst],
    }


class JsonLines:
    """Sink that prints each token in the format of the journal, and the totals as the last line."""

    def __init__(self, tokenizer: Tokenizer = GPT2) -> None:
        from gptstudio.inference.score_stats import ScoreStats

        self._totals, self._prompt = ScoreStats(tokenizer=tokenizer), NOTHING
        self._print = output.json_lines(TokenRead)

    def __call__(self, event: Event) -> None:
        self._print(event)
        match event:
            case PromptRead():
                self._prompt = event
            case TokenRead():
                self._totals.add([event])
            case Ended() if event.outcome != "failed" and self._totals.tokens:
                output.print_json(as_json(self._totals, self._prompt, event.outcome))


class ScoreReport:
    """Sink with readable output: a progress bar while the text is read, then the figures and the most surprising
    tokens."""

    def __init__(self, tokenizer: Tokenizer = GPT2) -> None:
        from gptstudio.inference.score_stats import ScoreStats

        self._console = output.results()
        self._totals, self._prompt = ScoreStats(tokenizer=tokenizer), NOTHING
        self._bar = output.progress(TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), TextColumn("tokens"))
        self._task = self._bar.add_task("", total=None)

    def __call__(self, event: Event) -> None:
        match event:
            case PromptRead():
                self._prompt = event
                self._bar.update(self._task, total=len(event.pieces))
                self._bar.start()
            case TokenRead():
                self._totals.add([event])
                self._bar.advance(self._task)
            case Warned():
                output.note(event.message, "yellow")
            case Ended():
                self._bar.stop()
                self._end(event)

    def _end(self, end: Ended) -> None:
        """Print the results; the caller reports the cause of a failure."""
        if end.outcome == "stopped":
            of = f" The results cover only the first {self._totals.tokens + 1:,} tokens." if self._totals.tokens else ""
            output.note(f"{end.message}{of}", "yellow")
        if end.outcome != "failed" and self._totals.tokens:
            output.line(f"Model: {self._prompt.model}", "bold")
            if self._prompt.stride:
                output.line(f"Windows of {self._prompt.context:,} tokens, stride {self._prompt.stride:,}")
            self._console.print(_figures(self._totals, self._prompt))
            self._console.print(_worst(self._totals, [piece.id for piece in self._prompt.pieces]))


def _figures(totals: ScoreStats, prompt: PromptRead) -> Table:
    apart = prompt.stride is not None and prompt.stride == prompt.context
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column("")
    table.add_column("", justify="right", style="bold", no_wrap=True)
    table.add_column("", style="dim")
    for name, figure, message in (
        ("Tokens", f"{totals.tokens:,}",
        f"all except the first{' of each window' if apart else ''}, which has no context"),
        ("Bytes", f"{totals.bytes:,}", "of these tokens, in UTF-8"),
        ("Total bits", _bits(totals.bits), "surprisal of all tokens together"),
        ("Bits per token", _bits(totals.bits_per_token),
        f"random guessing among {totals.tokenizer.size:,} tokens: {totals.guessing_bits:.2f}"),
        ("Bits per byte", _bits(totals.bits_per_byte), "stored as plain text: 8"),
        ("Perplexity", _bits(totals.perplexity), "like choosing among this many equally likely tokens"),
    ):
        table.add_row(name, figure, message)
    return table


def _worst(totals: ScoreStats, ids: list[int]) -> Table:
    """Return a table of the most surprising tokens, each within its surrounding text."""
    from gptstudio.inference.score_stats import surprise, surroundings

    table = Table(
        box=box.SIMPLE_HEAD, title=f"Most surprising tokens ({len(totals.worst)})", title_justify="left",
        title_style="bold",
    )
    figures = [(f"{each.position:,}", _bits(surprise(each)), f"{each.rank:,}") for each in totals.worst]
    for heading, column in zip(("Position", "Bits", "Rank"), zip(*figures, strict=True), strict=True):
        table.add_column(heading, justify="right", min_width=max(map(len, column)), no_wrap=True)
    table.add_column("Token", no_wrap=True, min_width=6)
    table.add_column("In the text")  # the only one that a narrow terminal makes narrower
    for reading, row in zip(totals.worst, figures, strict=True):
        before, after = surroundings(ids, reading.position, tokenizer=totals.tokenizer)
        token = totals.tokenizer.visible(reading.id)
        inside = Text.assemble(
            (_end_of(before), "dim"), (token, "bold reverse"), (after, "dim"), no_wrap=True, overflow="ellipsis")
        table.add_row(*row, Text(token, "bold"), inside)
    return table


def _end_of(text: str) -> str:
    """Return the end of a text, cut or padded to a fixed width."""
    while cell_len(text) > BEFORE:
        text = text[1:]
    return " " * (BEFORE - cell_len(text)) + text


def _bits(bits: float) -> str:
    return "infinite" if math.isinf(bits) else f"{bits:,.2f}" if bits < HUGE else f"{bits:.3g}"


STDIN = "-"

File = Annotated[
    str, Parameter(help=f"A text file, or {STDIN} to read from standard input.", allow_leading_hyphen=True)
]
Stride = Annotated[int | None, Parameter(help=(
    "Tokens from one window to the next, for a text longer than the context. Smaller: more context for each token, a "
    "lower perplexity, and more work. From 1 to the context length; by default, half of it."), show_default=False)]


def score(
    file: File,
    /,
    *,
    stride: Stride = None,
    best: Best = False,
    scoring: ScoreFlags = SAME_SCORE,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> Ended:
    """Score how surprising a text is to a model: bits per token and byte, perplexity, the most surprising
    tokens.

    A preset is an untrained model, initialised from the random seed; the model options change it.
    """
    spec = GenerateSpec.make(scoring.given())
    origin, text = source_from(spec, model.given(), best), _text_of(file)
    from gptstudio.inference.scoring import score as score_text

    control = Control()  # for Ctrl-C, and for a closed stdout
    tokenizer = model_source.tokenizer_of(origin)
    sink = output.while_read(JsonLines(tokenizer) if json else ScoreReport(tokenizer), control)
    with stopped_by_signals(control):
        return execute(score_text(text, lambda: load_decoder(spec, origin), control, stride, tokenizer), [sink])


def _text_of(file: str) -> str:
    """Return the content of a file or of standard input.

    Raises:
        UserError: the content is not text.
    """
    if file == STDIN:
        return _typed()
    if file.startswith("-") and not os.path.exists(file):
        raise UserError(f"Unknown argument: {file}. Run gptstudio score --help to see what is available.")
    return texts.read(file).content


def _typed() -> str:
    """Return the content of standard input.

    Raises:
        UserError: the content is not UTF-8.
    """
    if sys.stdin.isatty():
        output.note("Type a text. To finish, press Ctrl-D on an empty line.")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            f"Standard input is not valid UTF-8: byte {error.start:,} is 0x{error.object[error.start]:02X}. Save the "
            "text to a file instead; the encoding of files is detected."
        ) from None
