"""``gptstudio score``: how surprising a text is to a model."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.executor import execute
from gptstudio.training.signals import stopped_by_signals

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
    from gptstudio.cli.score_report import Lines, Report  # brings numpy, which the help can do without
    from gptstudio.inference.scoring import score as score_text

    control = Control()  # for Ctrl-C, and for a reader who goes away
    tokenizer = model_source.tokenizer_of(origin)
    sink = output.while_read(Lines(tokenizer) if json else Report(tokenizer), control)
    with stopped_by_signals(control):
        return execute(score_text(text, lambda: load_decoder(spec, origin), control, stride, tokenizer), [sink])


def _text_of(file: str) -> str:
    """Return the content of a file or of standard input.

    Raises:
        UserError: it is not text.
    """
    if file == STDIN:
        return _typed()
    if file.startswith("-"):
        raise UserError(f"Unknown argument: {file}. Run gptstudio score --help to see what is available.")
    return texts.read(file).content


def _typed() -> str:
    """Return the content of standard input.

    Raises:
        UserError: it is not UTF-8.
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
