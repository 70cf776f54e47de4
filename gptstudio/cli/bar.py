"""The progress bar of a training: step, epoch, losses, speed, time left."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated, RunStarted, StepDone
from gptstudio.training.run_metrics import RunMetrics


class Bar:
    """Moves where the console can; elsewhere it is silent, and the lines of the evaluations tell how far it is."""

    def __init__(self, console: Console, control: Control, metrics: RunMetrics) -> None:
        self.phase = "starting"
        self._control, self._metrics = control, metrics
        self._moves = console.is_interactive
        self._epochs = 0
        self._progress = _Narrow(
            BarColumn(bar_width=None), _whole("{task.fields[count]}"), _whole("{task.fields[losses]}"),
            _StateColumn(self), console=console, expand=True, transient=True,
        )
        self._task = self._progress.add_task("", total=None, count="", losses="", speed="")

    @property
    def state(self) -> str:
        """The phase; ``stopping`` from the moment that Ctrl-C is pressed."""
        return "stopping" if self._control.stopping else self.phase

    def show(self) -> None:
        if self._moves:
            self._progress.start()

    def hide(self) -> None:
        if self._moves:
            self._progress.stop()

    def started(self, run: RunStarted) -> None:
        self._epochs = -(-run.total_steps // run.steps_per_epoch)
        self._change(total=run.total_steps, completed=0, count="")

    def reading(self, done: int, total: int) -> None:
        """Show the bytes of the text that are tokenised; nothing while ``total`` is 0."""
        if total:
            self.phase = "tokenising"
            self._change(total=total, completed=done, count=f"{done / 2**20:,.0f}/{total / 2**20:,.0f} MB")

    def step(self, done: StepDone) -> None:
        total = int(self._progress.tasks[0].total or 0)
        count = f"{done.step + 1:,}/{total:,} · epoch {done.epoch:,}/{self._epochs:,}"
        self._change(completed=done.step + 1, count=count, speed=self.speed)

    def evaluated(self, losses: Evaluated) -> None:
        self._change(losses=f"train {losses.train_loss:.3f} val {losses.val_loss:.3f}")

    @property
    def speed(self) -> str:
        """Speed and remaining time; empty while they are not known."""
        remaining = self._metrics.remaining_s
        if math.isnan(remaining):
            return ""
        return f"{self._metrics.tokens_per_second:,.0f} tok/s · {clock(remaining)} left"

    def _change(self, **fields: Any) -> None:
        self._progress.update(self._task, **fields)


class _Narrow(Progress):
    """Progress bar that leaves room for the ^C that the terminal prints after it."""

    def get_renderables(self) -> Iterator[RenderableType]:
        yield _WithMargin(self.make_tasks_table(self.tasks))


class _WithMargin(Constrain):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from console.render(self.renderable, options.update_width(options.max_width - 3))


def _whole(text: str) -> TextColumn:
    return TextColumn(text, table_column=Column(no_wrap=True))


class _StateColumn(ProgressColumn):
    """Speed, or the current phase if not training. Redrawn ten times a second, to show Ctrl-C before the step ends."""

    def __init__(self, bar: Bar) -> None:
        super().__init__(Column(no_wrap=True))
        self._bar = bar

    def render(self, task: Task) -> Text:
        state = self._bar.state
        if state == "training":
            return Text(task.fields["speed"], "dim")
        return Text(state, "yellow" if state == "stopping" else "dim")


def clock(seconds: float) -> str:
    """0:07, 12:34 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
