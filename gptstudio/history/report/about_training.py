"""Sections of a report about the course of the training: curves, what happened, warnings."""

from __future__ import annotations

from gptstudio.gpt.sizing import MB, bytes_text
from gptstudio.history.report.about_run import Parts
from gptstudio.history.report.curves import HALF, Chart, Curve, Mark
from gptstudio.history.report.page import Child, element, isolated, table
from gptstudio.history.report.reading import ReportedRun, Say
from gptstudio.history.run_history import History
from gptstudio.i18n import message
from gptstudio.training.events import CheckpointSaved

HIGHEST_LOSS = 25.0
"""Twice the loss of an untrained model: beyond, the rest of the curve would be a line at the bottom."""
MOST_ROWS = 60
"""Of things that happened, and of warnings; further ones are counted."""
SIDES = (
    (message("Learning rate"), "steps", "learning_rate", 1.0),
    (message("Gradient norm"), "steps", "gradient_norm", 1.0),
    (message("Tokens per second"), "steps", "tokens_per_second", 1.0),
    (message("Memory (MB)"), "memory", "used_bytes", MB),
)
"""Curves below the losses: title, table and column of the history, and unit."""
ENDS = {
    "finished": message("All steps were completed."), "stopped": message("The run was stopped."),
    "failed": message("The run ended with an error."),
}
LABELS = {"jump": message("jump"), "overfitting": message("overfitting")}


def curves(run: ReportedRun) -> Parts:
    """Yield the losses with what happened to them, and the other curves."""
    say, history = run.say, run.history
    losses = loss_curves(history, say)
    chart = Chart(say(message("Loss (nats per token)")), losses, marks(run), say(message("Steps")), 300, HIGHEST_LOSS)
    if chart.is_empty:
        return
    yield chart.drawn()
    if any(curve.y.size and (curve.y > HIGHEST_LOSS).any() for curve in losses):
        yield element("p", say(message("Losses above {n} are drawn at the upper edge.", n=f"{HIGHEST_LOSS:g}")),
                      class_="muted")
    sides = (
        Chart(say(title), [Curve(say(title), "side", 1 + table["step"], table[column] / unit)], (),
              say(message("Steps")), 130, width=HALF)
        for title, table, column, unit in ((words, getattr(history, name), column, unit)
                                           for words, name, column, unit in SIDES))
    yield element("div", *(side.drawn() for side in sides if not side.is_empty), class_="pairs")


def loss_curves(history: History, say: Say) -> list[Curve]:
    """Return the losses of a run; none where it has no steps."""
    return [
        Curve(say(name), role, history.axes["step"].offset + table["step"], table[column])
        for name, role, table, column in (
            (message("Batch loss"), "batch", history.steps, "loss"),
            (message("Training loss"), "training", history.evaluations, "train_loss"),
            (message("Validation loss"), "validation", history.evaluations, "val_loss"))
    ] if history.axes else []


def marks(run: ReportedRun) -> list[Mark]:
    """Return the marks on the curve of the losses, by number of steps."""
    say = run.say
    found = [Mark(each.step, say(message("rate {rate}", rate=f"{each.learning_rate:g}")), say(message(
        "From step {n} on, the learning rate is {rate}.", n=f"{each.step + 1:,}", rate=f"{each.learning_rate:g}")))
        for each in run.history.learning_rates]
    found += [Mark(each.step + 1, say(LABELS[each.kind]), say(each.message), "bad") for each in run.anomalies]
    found += [Mark(step, say(message("continued")), say(message("Continued after step {n}.", n=f"{step:,}")))
              for step in run.history.resumed]
    found += [Mark(each.step + 1, "", say(message("A checkpoint was saved after step {n}.", n=f"{each.step + 1:,}")))
              for each in run.history.checkpoints[-500:]]
    return found


def happenings(run: ReportedRun) -> Parts:
    """Yield a table of what was decided while the run went on, and of what followed."""
    rows = sorted(_decisions(run), key=lambda row: row[0])
    if not rows:
        return
    say = run.say
    yield table([say(message("After step")), say(message("What happened"))], [
        ([f"{step:,}" if step else say(message("Start")), words], "") for step, words in rows[:MOST_ROWS]])
    if (more := len(rows) - MOST_ROWS) > 0:
        yield element("p", say(message("and {n} more", n=f"{more:,}")), class_="muted")


def _decisions(run: ReportedRun) -> list[tuple[int, str]]:
    say, history = run.say, run.history
    found = [(each.step, say(message(
        "The learning rate was set to {rate}.", rate=f"{each.learning_rate:g}"))) for each in history.learning_rates]
    found += [(step, say(message("The run was paused, and resumed."))) for step in run.happened.paused]
    total = 0
    for start in run.happened.starts:
        found.append((start.event.first_step, _start(run, start.event.first_step, start.before)))
        if 0 < total < start.event.total_steps:
            found.append((start.event.first_step, say(message(
                "The run was made longer: {total} steps in all instead of {former}.",
                total=f"{start.event.total_steps:,}", former=f"{total:,}"))))
        total = start.event.total_steps
    found += [(each.step + 1, say(each.message)) for each in run.anomalies]
    saved = history.checkpoints
    kept = [*[each for each in saved if each.best][-1:], *saved[-1:]]
    found += [(each.step + 1, _checkpoint(run, each)) for each in dict.fromkeys(kept)]
    if history.ended:
        found.append((history.last_step + 1, say(ENDS[history.ended.outcome])))
    return found


def _start(run: ReportedRun, first: int, before: int) -> str:
    if not first:
        return run.say(message("The run was started."))
    if before > first:
        return run.say(message(
            "The run was continued from its checkpoint after step {n}; the {lost} steps after it were done again.",
            n=f"{first:,}", lost=f"{before - first:,}"))
    return run.say(message("The run was stopped, and continued."))


def _checkpoint(run: ReportedRun, saved: CheckpointSaved) -> str:
    size = bytes_text(saved.bytes)
    return run.say(message("The checkpoint with the lowest validation loss was saved ({size}).", size=size)
                   if saved.best else message("The last of {n} checkpoints was saved ({size}).",
                                              n=f"{len(run.history.checkpoints):,}", size=size))


def warnings(run: ReportedRun) -> Parts:
    """Yield what the run has warned of, and the error that ended it."""
    say, history = run.say, run.history
    rows: list[tuple[list[Child], str]] = [
        ([f"{note.step + 1:,}", isolated(run.words(note.message), 1_000)], "") for note in history.notes[:MOST_ROWS]]
    if history.ended and history.ended.outcome == "failed":
        rows.append(([f"{history.last_step + 1:,}", isolated(run.words(history.ended.message), 1_000)], "differs"))
    if rows:
        yield table([say(message("After step")), say(message("Warning"))], rows)
    if (more := len(history.notes) - MOST_ROWS) > 0:
        yield element("p", say(message("and {n} more", n=f"{more:,}")), class_="muted")
