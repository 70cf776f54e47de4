"""The main job without a window: train the default model on the default text, then let it write."""

from __future__ import annotations

from gptstudio.cli import output
from gptstudio.cli.fetch import with_text
from gptstudio.cli.generate import generate_from
from gptstudio.cli.terminal import Terminal
from gptstudio.cli.train import train_into
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.events import Ended
from gptstudio.training.spec import TrainSpec


def train_and_generate(why: str) -> Ended:
    """Print in one line why there is no window, then train and generate in the terminal."""
    output.note(
        f"{why} Training and generating in the terminal instead. Run gptstudio --help to see the other commands.")
    control = Control()
    terminal = Terminal(control)
    ended = train_into(terminal, with_text(TrainSpec()), control)
    if ended.outcome != "finished" or terminal.metrics.started is None:
        return ended
    terminal.console.print()
    return generate_from(GenerateSpec(), model_source.resolve(terminal.metrics.started.run))
