"""All commands, the reporting of errors (one line on stderr and an exit code), and training and generating without a
window."""

from __future__ import annotations

import shlex
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from gptstudio import __version__
from gptstudio.cli import output
from gptstudio.cli.arguments import WINDOW, Debug, check_used, user_path
from gptstudio.cli.generate import beam, generate, generate_from
from gptstudio.cli.inspect import induction, inspect, patch
from gptstudio.cli.lab import lab
from gptstudio.cli.report import class_, report
from gptstudio.cli.runs import runs
from gptstudio.cli.score import score
from gptstudio.cli.settings import settings
from gptstudio.cli.size import size
from gptstudio.cli.sweep import sweep
from gptstudio.cli.terminal import Terminal
from gptstudio.cli.train import find_rate, train, train_into, with_text
from gptstudio.cli.weights import export, import_
from gptstudio.errors import UserError
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source, signals
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import Ended
from gptstudio.training.executor import reported
from gptstudio.training.spec import TrainSpec
from gptstudio.training.torchrun import reports_its_error

FAILED, USER_ERROR = 1, 2
"""Exit codes: a failure of the program, and an error that the user can correct. A command stopped by a signal, or by a
closed stdout, has its own exit code."""

EVERYWHERE = {"--debug", "--no-debug", "--lesson", "--help", "-h", "--version", "--"}
"""Flags of all commands, and the marker for the end of the flags."""

Tokens = Annotated[str, Parameter(show=False, allow_leading_hyphen=True)]

Lesson = Annotated[Path | None, Parameter(
    help="Open the window with this lesson (a file).", group=WINDOW, converter=user_path)]

HELP = "Build a GPT-2, train it, and watch it choose every token. Without a command, the window opens."


def build() -> App:
    """Return the command line, without the commands that need the window."""
    app = App(
        name="gptstudio", help=HELP, version=__version__, help_format="plaintext", result_action="return_value",
        suppress_keyboard_interrupt=False, console=output.results(),
    )
    commands: tuple[Callable[..., Any], ...] = (
        train, sweep, find_rate, generate, beam, score, inspect, patch, induction, size, runs, report, class_, import_,
        export, lab, settings)
    for place, command in enumerate(commands):
        app.command(command, sort_key=place)
    return app


def run(app: App, otherwise: Callable[[Path | None], Any], argv: Sequence[str] | None = None) -> int:
    """Run the command in ``argv``, or ``otherwise`` if there is none except perhaps a lesson, and return the exit code.

    Shows a traceback only with ``--debug``.
    """
    output.show_every_character()
    debugging = False

    @app.meta.default
    def everything(*tokens: Tokens, debug: Debug = False, lesson: Lesson = None) -> Any:
        nonlocal debugging
        debugging = debug
        if tokens:
            check_used({"--lesson": lesson}, beside="a command")
        return app(tokens, exit_on_error=False, print_error=False) if tokens else otherwise(lesson)

    words = sys.argv[1:] if argv is None else list(argv)
    try:
        result = (app if _is_plain(app, words) else app.meta)(words, exit_on_error=False, print_error=False)
        output.flush()
        return _code(result, debugging)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - every error is reported, and becomes the exit code
        return exit_code_of(error, debugging)


def _is_plain(app: App, words: list[str]) -> bool:
    """Return whether the words are a command with only its own arguments: then the flags shared by all commands need
    not be parsed, which takes as long as parsing the command."""
    return bool(words) and words[0] in app and not EVERYWHERE.intersection(word.partition("=")[0] for word in words)


def _code(result: Any, debugging: bool) -> int:
    """Return the exit code for the result of a command."""
    if not isinstance(result, Ended):
        return result if isinstance(result, int) else 0
    if result.outcome == "stopped":
        return signals.exit_code()
    if result.outcome == "finished":
        return 0
    if not reports_its_error():
        return signals.exit_code()
    if debugging:
        sys.stderr.write(result.details)
    output.note(result.message, "red")
    if result.instead:
        output.note(f"Continue from it:  gptstudio train --resume {shlex.quote(result.instead)}")
    return USER_ERROR if result.user_error else FAILED


def exit_code_of(error: BaseException, debugging: bool = False) -> int:
    """Report an error in one line and return its exit code."""
    if isinstance(error, (KeyboardInterrupt, BrokenPipeError, Stopped)) or not reports_its_error():
        return signals.exit_code()
    if debugging:
        traceback.print_exception(error)
    match error:
        case UnusedCliTokensError():
            message = (
                f"Unknown argument: {' '.join(error.unused_tokens or [])}. Run gptstudio --help to see what is "
                "available."
            )
        case UserError() | CycloptsError():
            message = str(error)
        case _:
            output.note(reported(error), "red")
            return FAILED
    output.note(message, "red")
    return USER_ERROR


def train_and_generate(why: str) -> Ended:
    """Print a line about the missing window, then train and generate in the terminal."""
    output.note(
        f"{why} Training and generating in the terminal instead. Run gptstudio --help to see the other commands.")
    control = Control()
    terminal = Terminal(control)
    ended = train_into(terminal, with_text(TrainSpec()), control)
    if ended.outcome != "finished" or terminal.metrics.started is None:
        return ended
    terminal.console.print()
    return generate_from(GenerateSpec(), model_source.resolve(terminal.metrics.started.run))
