"""Events as text in a terminal, and the progress bar of a training."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, assert_never

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from gptstudio.cli import output
from gptstudio.cli.output import TextPrinter, one_line
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, Tokenizer
from gptstudio.history.copied_words import last_sample_words
from gptstudio.i18n import percent
from gptstudio.training import run_folder
from gptstudio.training.control import Control
from gptstudio.training.events import (
    ActivationsRead,
    BeamStep,
    CheckpointSaved,
    CopiesFound,
    Ended,
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    PhaseChanged,
    ProbesRead,
    PromptRead,
    RunStarted,
    SampleWritten,
    StepDone,
    StepReport,
    TextEnded,
    TokenDrawn,
    TokenRead,
    UpdatesRead,
    Warned,
)
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.units import bytes_text

if TYPE_CHECKING:
    from gptstudio.history.anomalies import AnomalyDetector
    from gptstudio.history.health_history import HealthWatch

class RunProgress:
    """Progress of a run for an interactive console; on others it prints nothing, and the lines of the evaluations
    show the progress."""

    def __init__(self, console: Console, control: Control) -> None:
        self.phase = "starting"
        self.metrics = RunMetrics()
        self._control = control
        self._moves = console.is_interactive
        self._epochs = 0
        self._progress = _Narrow(
            BarColumn(bar_width=None), _whole("{task.fields[count]}"), _whole("{task.fields[losses]}"),
            _StateColumn(self), console=console, expand=True, transient=True,
        )
        self._task = self._progress.add_task("", total=None, count="", losses="", speed="")

    @property
    def state(self) -> str:
        """Current phase, or ``stopping`` once Ctrl-C was pressed."""
        return "stopping" if self._control.stopping else self.phase

    def show(self) -> None:
        if self._moves:
            self._progress.start()

    def hide(self) -> None:
        if self._moves:
            self._progress.stop()

    def take(self, event: Event) -> None:
        """Show the progress after the next event of a run."""
        self.metrics.take(event)
        match event:
            case RunStarted():
                self._epochs = -(-event.total_steps // event.steps_per_epoch)
                self._change(total=event.total_steps, completed=0, count="")
            case PhaseChanged():
                self.phase = event.phase
            case StepDone():
                total = int(self._progress.tasks[0].total or 0)
                count = f"{event.step + 1:,}/{total:,} · epoch {event.epoch:,}/{self._epochs:,}"
                self._change(completed=event.step + 1, count=count, speed=self.speed)
            case Evaluated():
                self._change(losses=f"train {event.train_loss:.3f} val {event.val_loss:.3f}")
            case Ended():
                self.hide()

    def reading(self, done: int, total: int) -> None:
        """Show the number of bytes of the text that have been tokenised; nothing while ``total`` is 0."""
        if total:
            self.phase = "tokenising"
            self._change(total=total, completed=done, count=f"{done / 2**20:,.0f}/{total / 2**20:,.0f} MB")

    @property
    def speed(self) -> str:
        """Speed and remaining time; empty while unknown."""
        remaining = self.metrics.remaining_s
        if math.isnan(remaining):
            return ""
        return f"{self.metrics.tokens_per_second:,.0f} tok/s · {clock(remaining)} left"

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
    """Column with the speed, or with the current phase if not training. Redrawn ten times a second, to show Ctrl-C
    before the step ends."""

    def __init__(self, bar: RunProgress) -> None:
        super().__init__(Column(no_wrap=True))
        self._bar = bar

    def render(self, task: Task) -> Text:
        state = self._bar.state
        if state == "training":
            return Text(task.fields["speed"], "dim")
        return Text(state, "yellow" if state == "stopping" else "dim")


def clock(seconds: float) -> str:
    """Return a duration as 0:07, 12:34 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


INDENT = (0, 0, 0, 2)


class Terminal:
    """Sink that displays a run: a bar and lines for a training, each token for a generated text.

    The caller reports the cause of a failure, on stderr.
    """

    def __init__(self, control: Control, tokenizer: Tokenizer = GPT2) -> None:
        """``tokenizer``: tokenizer of the model that generates."""
        self._tokenizer = tokenizer
        self.console = output.results()
        self.bar = RunProgress(self.console, control)
        self.metrics = self.bar.metrics
        self.writing = TextPrinter(self.console)
        self._copies: list[CopiesFound] = []  # of the last sample
        self.saved = False
        self.title = ""
        self.ends: list[TextEnded] = []

    @cached_property
    def _anomalies(self) -> AnomalyDetector:
        """Detector of anomalies; made with the first event, since it imports numpy, which the help does not need."""
        from gptstudio.history.anomalies import AnomalyDetector

        return AnomalyDetector()

    @cached_property
    def _health(self) -> HealthWatch:
        """Monitor of the health of the layers; made with the first event, like the detector above."""
        from gptstudio.history.health_history import HealthWatch

        return HealthWatch()

    def __call__(self, event: Event) -> None:
        self.bar.take(event)
        self._show(event)
        anomaly = self._anomalies.update(event)
        if isinstance(event, CopiesFound):
            self._copies = [event]
        if anomaly:
            more = self._copies if anomaly.kind == "overfitting" else []
            self._line(" ".join([anomaly.message, *map(last_sample_words, more)]), "yellow")
        for reading in self._health.update(event):
            self._line(f"Step {reading.step + 1:,}: {reading.message}", "yellow")

    def _show(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._started(event)
            case PhaseChanged(phase="compiling"):
                self._line("Compiling the model, which takes some seconds.")
            case PhaseChanged() | StepDone() | MemoryRead():
                pass  # shown by the bar, or summarised at the end
            case Evaluated():
                self._evaluated(event)
            case SampleWritten():
                self._sample(event.text)
            case CheckpointSaved():
                self.saved = True
            case LearningRateChanged():
                self._line(f"Learning rate changed to {event.learning_rate:g} from step {event.step + 1:,}.")
            case StepReport() | CopiesFound() | ProbesRead() | UpdatesRead() | ActivationsRead():
                self._show_measured(event)
            case Warned():
                output.note(event.message, "yellow")
            case Ended():
                self._ended(event)
            case _:
                self._show_text(event)

    def _show_measured(self, event: StepReport | CopiesFound | ProbesRead | UpdatesRead | ActivationsRead) -> None:
        match event:
            case StepReport():
                losses = f"loss on its batch {event.loss_before:.3f} before the step, {event.loss_after:.3f} after"
                self._line(f"Step {event.step + 1:,}: {losses}.")
            case CopiesFound(copied=0) | ProbesRead() | UpdatesRead() | ActivationsRead():
                pass  # for the health, only problems are printed
            case CopiesFound():
                self._line(
                    f"  {percent(event.share)} copied from the training text; longest stretch: {event.longest:,} "
                    "tokens")

    def _show_text(self, event: PromptRead | TokenDrawn | TokenRead | BeamStep | TextEnded) -> None:
        match event:
            case PromptRead():
                self._prompt(event)
            case TokenDrawn():
                self.writing.add(self._tokenizer.token_bytes(event.id), event.sample)
            case TokenRead() | BeamStep():
                pass  # tokens of the prompt are displayed already; a search shows only its end
            case TextEnded():
                self.ends.append(event)
            case _:
                assert_never(event)

    def expect(self, title: str) -> None:
        """Show that a training is about to start, while torch is still loading."""
        self.title = title
        self.bar.show()

    def _started(self, run: RunStarted) -> None:
        self._line(self.title, "bold")
        self._line(f"{run.parameters:,} parameters on {run.device}, {run.dtype}, {run.path} arithmetic")
        self._line(
            f"Steps: {run.total_steps:,}; tokens per step: {run.tokens_per_step:,}; steps per epoch: "
            f"{run.steps_per_epoch:,}")
        if run.predicted_bytes:
            time = f", time {clock(run.predicted_s)}" if run.predicted_s and not run.first_step else ""
            self._line(f"Estimated for training: memory {bytes_text(run.predicted_bytes)}{time}")
        if run.first_step:
            self._line(f"Continuing from step {run.first_step:,}")
        self._line(f"Run folder: {run.run}")
        self._line("")

    def _evaluated(self, losses: Evaluated) -> None:
        """Print an evaluation as in the book (§5.2); in a reference run, steps are counted from 0, as there."""
        run = self.metrics.started
        epoch = losses.step // run.steps_per_epoch + 1 if run else 1
        step = losses.step + (run is None or run.path != "reference")
        self._line(
            f"Ep {epoch} (Step {step:06d}): Train loss {losses.train_loss:.3f}, Val loss {losses.val_loss:.3f}",
            "bold",
        )

    def _sample(self, text: str) -> None:
        message = Text(one_line(text), "italic cyan")
        if self.console.is_terminal:
            self.console.print(Padding(message, INDENT))
        else:
            self._line("  " + message.plain)

    def _prompt(self, prompt: PromptRead) -> None:
        output.note_prompt([piece.id for piece in prompt.pieces], prompt.dropped, self._tokenizer)
        self.writing.prompt(b"".join(self._tokenizer.token_bytes(piece.id) for piece in prompt.pieces))

    def _ended(self, end: Ended) -> None:
        self.writing.close()
        for text in sorted(self.ends, key=lambda end: end.sample):  # printed after the text, not in the middle of it
            output.note(_why_it_ended(text, self.writing.texts))
        if end.outcome == "failed":
            return
        if self.metrics.started and self.metrics.last:
            self._sum_up(self.metrics.started, self.metrics.last, end)
        elif end.outcome == "stopped":
            output.note(end.message)

    def _sum_up(self, run: RunStarted, last: StepDone, end: Ended) -> None:
        done, of = last.step + 1, "" if end.outcome == "finished" else f" of {run.total_steps:,}"
        name = quote(_model_name(Path(run.run)))
        self._line("")
        self._line(
            f"{end.outcome.capitalize()}. Steps: {done:,}{of}; time: {clock(last.elapsed_s)}; mean tokens/s: "
            f"{self.metrics.mean_tokens_per_second:,.0f}; peak memory for training: "
            f"{bytes_text(self.metrics.run_peak_bytes)}.",
            "bold",
        )
        if self.saved:
            self._line(f"Generate with it:  gptstudio generate --model {name}", "green")
            if end.outcome == "stopped":
                self._line(f"Continue it:  gptstudio train --resume {name}", "green")

    def _line(self, message: str, style: str = "") -> None:
        self.console.print(Text(message, style), soft_wrap=True)


def _why_it_ended(end: TextEnded, texts: int) -> str:
    which = "Text generation" if texts == 1 else f"Text {end.sample + 1}"
    why = {"end_of_text": f"with {END_OF_TEXT}", "stop_text": "with the stop text"}[end.reason]
    return f"{which} ended at position {end.position:,}, {why}."


def _model_name(run: Path) -> str:
    """Return the argument of ``generate --model`` for this run: its name if it is among the user's runs, else its
    path."""
    found = run_folder.find(run.name)
    return run.name if found and found.path == run else str(run)
