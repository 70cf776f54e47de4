"""Sections of a report, in order: results of the training, texts written by the model, and settings.

To add a section, write a function that takes a run and yields parts of a page, or nothing, and list it here.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

import gptstudio
from gptstudio.data import texts
from gptstudio.errors import UserError, text_of
from gptstudio.fields import Spec, fields_of
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.history.comparison import shown
from gptstudio.history.copied_words import copied_words
from gptstudio.history.exported_script import plans_of
from gptstudio.history.health_history import Quantity, reading
from gptstudio.history.report.page import (
    HALF,
    LEFT,
    RIGHT,
    WIDTH,
    Child,
    ReportChart,
    ReportCurve,
    ReportMark,
    cut,
    element,
    isolated,
    listed,
    loss_text,
    muted,
    row,
    table,
)
from gptstudio.history.report.reading import Reported, ReportedRun, Say
from gptstudio.history.run_history import RIBBONS, History, ProbeHistory, words_of_rate
from gptstudio.i18n import message, percent
from gptstudio.training.events import CheckpointSaved, CopiesFound, Outcome, SampleWritten
from gptstudio.training.run_code import train_command, without_folders
from gptstudio.training.spec import TrainSpec
from gptstudio.training.spec_problems import settings_in_use
from gptstudio.units import MB, bytes_text

Parts = Iterator[ET.Element]
SPLITS = {"characters": message("characters"), "documents": message("documents")}
OUTCOMES: dict[Outcome | None, str] = {
    "finished": message("Finished"), "stopped": message("Stopped"), "failed": message("Failed"),
    None: message("Not ended"),
}


def key_figures(run: ReportedRun) -> Parts:
    """Yield the key figures: progress and quality of the run."""
    say, history = run.say, run.history
    steps, best, copies = len(history.steps), history.best, [each for each in history.copies_found[-1:] if each.tokens]
    outcome = history.ended.outcome if history.ended else None
    pairs: list[tuple[str, Child]] = [
        (say(message("Best validation loss")), loss_text(best.val_loss) if best else "–"),
        *_per_byte(run),
        (say(message("Last validation loss")), _last(run, "val_loss")),
        (say(message("Last training loss")), _last(run, "train_loss")),
        (say(message("Steps")), _of_all(run)),
        (say(message("Tokens seen")), f"{int(history.steps['tokens_seen'][-1]):,}" if steps else "–"),
        (say(message("Training time")), duration(float(history.steps["elapsed_s"][-1]), say) if steps else "–"),
        (say(message("Parameters")), f"{sizing.parameter_count(run.record.spec.config):,}"),
        (say(message("Outcome")), say(OUTCOMES[outcome])),
    ]
    pairs += [(say(message("Copied from the training text")), percent(each.share)) for each in copies]
    yield listed(pairs)
    if best:
        yield muted(say(message(
            "Losses are in nats per token: how surprised the model is by the right next token. The lowest validation "
            "loss, {loss}, was measured after step {n}; random guessing would be {random}.",
            loss=loss_text(best.val_loss), n=f"{best.step + 1:,}",
            random=f"{math.log(run.record.spec.config.vocab_size):.2f}")))


def _per_byte(run: ReportedRun) -> Iterator[tuple[str, Child]]:
    """Yield the best validation loss in bits per byte, which is comparable between vocabularies."""
    best, divisor = run.history.best, run.history.nats_per_bit(1)
    if best and math.isfinite(divisor):
        yield run.say(message("The same in bits per byte")), f"{best.val_loss / divisor:.3f}"


def settings(run: ReportedRun) -> Parts:
    """Yield the settings, with marks on those that differ from their defaults; not those of another schedule or
    optimizer."""
    say, spec = run.say, without_folders(run.record.spec)
    preset = config_name(spec.config)
    named = say(message("a custom model")) if preset == OWN else preset
    yield muted(say(message(
        "The model is {preset}. Settings that differ from the defaults are in bold, with a dot in front.",
        preset=named)))
    heads = [say(message("Setting")), say(message("This run")), say(message("Default"))]
    base = PRESETS[DEFAULT_PRESET]
    for title, kind, values, usual in (
        (message("Model"), GPTConfig, spec.config, base), (message("Training"), TrainSpec, spec, TrainSpec()),
    ):
        yield element("h3", say(title))
        yield table(heads, _rows(run, kind, values, usual), "settings")


def text(run: ReportedRun) -> Parts:
    """Yield the name of the run's text, and its known properties."""
    say, record, size, started = run.say, run.record, run.text, run.history.started
    share, by = record.spec.train_ratio, record.spec.split
    split = message("{share} for training, the rest for validation (by {by})", share=f"{share:.0%}", by=SPLITS[by])
    name = isolated(run.words(texts.name_in_words(record.text_name)))
    pairs: list[tuple[str, Child]] = [(say(message("Name")), name)]
    if size:
        pairs += [
            (say(message("Characters")), f"{size.characters:,}"),
            (say(message("Tokens")), say(message(
                "{train} for training, {validation} for validation", train=f"{size.train_tokens:,}",
                validation=f"{size.val_tokens:,}"))),
        ]
    elif started:
        tokens = started.steps_per_epoch * started.tokens_per_step
        pairs.append((say(message("Training tokens per epoch")), f"{tokens:,}"))
    pairs += [(say(message("Split")), say(split)),
              (say(message("Digest (SHA-256)")), element("code", record.text_sha256[:64]))]
    yield listed(pairs, "plain")
    if not size:
        yield muted(say(message(
            "The text itself was not at hand when this report was written, or has changed since the run.")))


def reproduction(run: ReportedRun) -> Parts:
    """Yield the versions, and the command that repeats the training."""
    say, record, started = run.say, run.record, run.history.started
    pairs: list[tuple[str, Child]] = [
        (say(message("Run created")), f"{record.created:%Y-%m-%d %H:%M}"),
        (say(message("Trained with")), f"GPT Studio {record.version}"),
        (say(message("Report written with")), f"GPT Studio {gptstudio.__version__}"),
        (say(message("Folder")), isolated(run.name)),
    ]
    if started:
        device = f"{started.device}, {started.dtype}, {started.path}"
        pairs.append((say(message("Device and arithmetic")), isolated(device)))
    if record.initial_weights:
        pairs.append((say(message("Initial weights")), isolated(record.initial_weights.name)))
    if record.parent:
        pairs.append((say(message("Branch of")), isolated(say(message(
            "{run}, from step {n}", run=record.parent.name, n=f"{record.parent.step + 1:,}")))))
    yield listed(pairs, "plain")
    try:
        command = train_command(without_folders(record.spec))
    except UserError as error:
        yield muted(say(text_of(error)))
    else:
        yield element("p", say(message("This command trains the same model again, where the text is the same:")))
        yield element("pre", command[:20_000], class_="command")
    longer = record.spec.schedule == "cosine" and len(plans_of(each.event for each in run.history.starts)) > 1
    if run.history.learning_rates or record.parent or longer:
        yield muted(say(message(
            "The learning rate was changed by hand, the run was trained longer with a schedule, or it is a branch: the "
            "command does not repeat that. The Python script that Runs exports repeats the learning rates.")))


def duration(seconds: float, say: Say) -> str:
    """Return a duration as display text in hours, minutes and seconds."""
    if not math.isfinite(seconds):
        return "–"
    hours, rest = divmod(round(seconds), 3600)
    minutes, seconds = divmod(rest, 60)
    if hours:
        return say(message("{h} h {m} min", h=f"{hours:,}", m=minutes))
    return say(message("{m} min {s} s", m=minutes, s=seconds)) if minutes else say(message("{s} s", s=seconds))


def _rows(run: ReportedRun, kind: type[Spec], values: Spec, usual: Spec) -> Iterator[ET.Element]:
    used = settings_in_use(values.shallow()) if isinstance(values, TrainSpec) else set(kind.model_fields)
    for view in fields_of(kind):
        value, default = getattr(values, view.name), getattr(usual, view.name)
        if view.name not in used and value == default:
            continue
        ours, usually = (run.words(shown(view, each)) for each in (value, default))
        yield row(run.say(view.label), isolated(ours), usually, differs=value != default)


def _of_all(run: ReportedRun) -> str:
    started, done = run.history.started, run.history.last_step + 1
    return f"{done:,} / {started.total_steps:,}" if started else f"{done:,}"


def _last(run: ReportedRun, name: str) -> str:
    return loss_text(float(run.history.evaluations[name][-1])) if len(run.history.evaluations) else "–"


HIGHEST_LOSS = 25.0
"""Twice the loss of an untrained model: with higher losses, the rest of the curve would be a line at the bottom."""
MOST_ROWS = 60
"""Largest number of events and of warnings in a list; further ones are counted."""
SIDES = (
    (message("Learning rate"), "steps", "learning_rate", 1.0),
    (message("Gradient norm"), "steps", "gradient_norm", 1.0),
    (message("Tokens per second"), "steps", "tokens_per_second", 1.0),
    (message("Memory (MB)"), "memory", "used_bytes", MB),
)
"""Curves below the losses: title, table and column in the history, and unit."""
ENDS = {
    "finished": message("All steps were completed."), "stopped": message("The run was stopped."),
    "failed": message("The run ended with an error."),
}


def curves(run: ReportedRun) -> Parts:
    """Yield the losses, with marks for events, and the other curves."""
    say, history = run.say, run.history
    losses = loss_curves(history, say)
    chart = ReportChart(
        say(message("Loss (nats per token)")), losses, marks(run), say(message("Steps")), 300, HIGHEST_LOSS)
    if chart.is_empty:
        return
    yield chart.drawn()
    if any(curve.y.size and (curve.y > HIGHEST_LOSS).any() for curve in losses):
        yield muted(say(message("Losses above {n} are drawn at the upper edge.", n=f"{HIGHEST_LOSS:g}")))
    sides = (
        ReportChart(say(title), [ReportCurve(say(title), "side", 1 + table["step"], table[column] / unit)], (),
              say(message("Steps")), 130, width=HALF)
        for title, table, column, unit in ((words, getattr(history, name), column, unit)
                                           for words, name, column, unit in SIDES))
    yield element("div", *(side.drawn() for side in sides if not side.is_empty), class_="pairs")


def loss_curves(history: History, say: Say) -> list[ReportCurve]:
    """Return the loss curves of a run; empty before it has started."""
    return [
        ReportCurve(say(name), role, history.axes["step"].offset + table["step"], table[column])
        for name, role, table, column in (
            (message("Batch loss"), "batch", history.steps, "loss"),
            (message("Training loss"), "training", history.evaluations, "train_loss"),
            (message("Validation loss"), "validation", history.evaluations, "val_loss"))
    ] if history.axes else []


def marks(run: ReportedRun) -> list[ReportMark]:
    """Return the marks on the loss curves, positioned by number of steps."""
    say = run.say
    found = [ReportMark(each.step, say(label), say(tip)) for each in run.history.learning_rates
             for label, tip in [words_of_rate(each)]]
    found += [ReportMark(each.step + 1, say(each.label), say(each.message), "bad") for each in run.anomalies]
    found += [ReportMark(step, say(message("continued")), say(message("Continued after step {n}.", n=f"{step:,}")))
              for step in run.history.resumed]
    found += [ReportMark(
                  each.step + 1, "", say(message("A checkpoint was saved after step {n}.", n=f"{each.step + 1:,}")))
              for each in run.history.checkpoints[-500:]]
    return found


def happenings(run: ReportedRun) -> Parts:
    """Yield a table of the decisions made during the run, and their results."""
    found, say = sorted(_decisions(run), key=lambda each: each[0]), run.say
    if not found:
        return
    yield table([say(message("After step")), say(message("What happened"))], [
        row(f"{step:,}" if step else say(message("Start")), words) for step, words in found[:MOST_ROWS]])
    yield from _more(found, say)


def _more(found: Sequence[object], say: Say) -> Parts:
    """Yield the number of events that a list leaves out."""
    if (more := len(found) - MOST_ROWS) > 0:
        yield muted(say(message("and {n} more", n=f"{more:,}")))


def _decisions(run: ReportedRun) -> list[tuple[int, str]]:
    say, history = run.say, run.history
    found = [(each.step, say(message(
        "The learning rate was set to {rate}.", rate=f"{each.learning_rate:g}"))) for each in history.learning_rates]
    found += [(step, say(message("The run was paused, and resumed."))) for step in history.paused]
    total = 0
    for start in history.starts:
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
    """Yield the warnings of the run, and the error that ended it."""
    say, history = run.say, run.history
    rows = [row(f"{note.step + 1:,}", isolated(run.words(note.message), 1_000)) for note in history.notes[:MOST_ROWS]]
    if history.ended and history.ended.outcome == "failed":
        error = isolated(run.words(history.ended.message), 1_000)
        rows.append(row(f"{history.last_step + 1:,}", error, differs=True))
    if rows:
        yield table([say(message("After step")), say(message("Warning"))], rows)
    yield from _more(history.notes, say)


MOST_SAMPLES, LONGEST_SAMPLE, MOST_COPIES = 6, 2_500, 5
MOST_PROBES, MOST_FRAMES, STRIP = 5, 48, 110
"""Largest number of probe prompts, and of readings of each; height of a strip in units of the drawing."""
T = TypeVar("T")


def samples(run: ReportedRun) -> Parts:
    """Yield a few samples, from the first to the last, with their copied stretches underlined."""
    say, found = run.say, {each.step: each for each in run.history.copies_found}
    if not run.history.samples:
        return
    yield muted(say(message(
        "The model continued the sample prompt after each epoch; {shown} of {n} samples are shown. Underlined: "
        "stretches of at least five tokens that occur word for word in the training text.",
        shown=min(len(run.history.samples), MOST_SAMPLES), n=f"{len(run.history.samples):,}")))
    for sample in spread(run.history.samples, MOST_SAMPLES):
        when = say(message("After step {n}, epoch {epoch}", n=f"{sample.step + 1:,}", epoch=f"{sample.epoch:,}"))
        yield element("figure", element("figcaption", element("b", when), _copied(run, found.get(sample.step))),
                      element("blockquote", *_underlined(sample, found.get(sample.step)), dir="auto"), class_="sample")


def memorisation(run: ReportedRun) -> Parts:
    """Yield the copied share of the samples, and the longest copies."""
    say, history = run.say, run.history
    copies = history.copies
    chart = ReportChart(say(message("Copied share of each sample (%)")), [
        ReportCurve(say(message("Copied")), "validation", 1 + copies["step"], copies["copied_percent"])],
        x_title=say(message("Steps")), height=130)
    if len(copies) > 1 and not chart.is_empty:
        yield chart.drawn()
    by_step = {each.step: each for each in history.samples}
    longest = sorted(
        ((copy.tokens, found.step, by_step[found.step].text[copy.start : copy.stop])
         for found in history.copies_found if found.step in by_step for copy in found.copies), reverse=True)
    rows = [row(f"{tokens:,}", f"{step + 1:,}", isolated(" ".join(words.split()), 400))
            for tokens, step, words in longest[:MOST_COPIES]]
    if rows:
        yield element("h3", say(message("Longest copied stretches")))
        yield table([say(message("Tokens")), say(message("After step")), say(message("Text"))], rows)


def probes(run: ReportedRun) -> Parts:
    """Yield, for each probe prompt, a strip of the probabilities of its next token, reading by reading."""
    say, readings = run.say, run.history.probes
    count = max((len(each.probes) for each in readings), default=0)
    if not count:
        return
    yield muted(say(message(
        "The most probable next tokens of each probe prompt, from the first reading to the last. The height of a "
        "colour is the probability of its token; what is left above belongs to all other tokens.")))
    for place in range(min(count, MOST_PROBES)):
        probe = ProbeHistory(run.history, place)
        probe.update()
        yield _strip(run, probe)


def _strip(run: ReportedRun, probe: ProbeHistory) -> ET.Element:
    frames = spread(range(probe.count), MOST_FRAMES)
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(frames))
    drawing = element("svg", element("title", run.say(message("Probe prompt"))), viewBox=f"0 0 {WIDTH} {STRIP + 24}",
                      role="img")
    for place, frame in enumerate(frames):
        tops = [0.0, *(float(probe.table[f"top{ribbon}"][frame]) for ribbon in range(RIBBONS))]
        for ribbon, (low, high) in enumerate(pairwise(tops)):
            if high > low:
                drawing.append(element(
                    "rect", x=round(LEFT + place * wide, 1), width=max(1.0, round(wide - 1, 1)),
                    y=round(STRIP * (1 - min(high, 1)), 1), height=round(STRIP * (min(high, 1) - low), 1),
                    class_=f"ribbon r{ribbon}"))
        if place % max(1, len(frames) // 6) == 0:
            drawing.append(element("text", f"{probe.step(frame) + 1:,}", x=LEFT + (place + 0.5) * wide, y=STRIP + 16,
                                   class_="middle"))
    for share in (0, 0.5, 1):
        drawing.append(element("text", f"{share:.0%}", x=LEFT - 7, y=STRIP * (1 - share) + (10 if share == 1 else 4),
                               class_="end"))
    last = probe.readings[-1]
    names = [element("span", element("i", class_=f"key r{ribbon}"), isolated(run.tokenizer.visible(id)))
             for ribbon, id in enumerate(probe.tokens) if id is not None]
    true = None if last.true_id is None else element("span", run.say(message(
        "in the text: {token}, rank {rank} at the end", token=run.tokenizer.visible(last.true_id),
        rank=f"{last.true_rank:,}" if last.true_rank else "–")), class_="muted")
    prompt = next((each.text for each in reversed(probe.readings) if each.text), "")
    return element("figure", element("figcaption", element("b", isolated(prompt)), *names, true), drawing,
                   class_="chart")


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return at most ``most`` items, evenly spaced, including the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[int(each)] for each in np.linspace(0, len(items) - 1, most).round()]


def _underlined(sample: SampleWritten, found: CopiesFound | None) -> Iterator[Child]:
    """Yield the text of a sample, with its copied stretches as elements. Invalid positions are ignored."""
    text, at = cut(sample.text, LONGEST_SAMPLE), 0
    for copy in sorted(found.copies if found else (), key=lambda copy: copy.start):
        start, stop = max(copy.start, at), min(copy.stop, len(text), LONGEST_SAMPLE)
        if start < stop:
            yield text[at:start]
            yield element("u", text[start:stop])
            at = stop
    yield text[at:]


def _copied(run: ReportedRun, found: CopiesFound | None) -> ET.Element | None:
    if not found or not found.tokens:
        return None
    return element("span", run.say(copied_words(found.share, found.longest)), class_="muted")


QUANTITIES: dict[Quantity, str] = {
    "update_ratio": message("Update ratio"), "gradient_norm": message("Gradient norm"),
    "weight_norm": message("Weight norm"), "dead_units": message("Dead units (%)"),
    "attention_entropy": message("Attention entropy (bits)"), "logits": message("Logits"),
}


def health(run: ReportedRun) -> Parts:
    """Yield the reading of each quantity at the last evaluation, and its range over the layers at each evaluation."""
    say, tables = run.say, run.history.health
    found = [(name, words, each) for name, words in QUANTITIES.items() if (each := reading(tables, name))]
    if not found:
        return
    yield table([say(message("Quantity")), say(message("At the last evaluation"))], [
        row(say(words), isolated(say(each.message), 600), differs=each.level == "bad") for _, words, each in found])
    yield muted(say(message(
        "The curves are the lowest and the highest value over the layers. The rules are rules of thumb.")))
    charts = (_chart(run, name, words) for name, words, _ in found if name != "logits")
    yield element("div", *(chart.drawn() for chart in charts if not chart.is_empty), class_="pairs")


def _chart(run: ReportedRun, name: Quantity, words: str) -> ReportChart:
    layers, say = run.history.health[name], run.say
    steps, values = 1 + layers.place("step"), layers.values
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    return ReportChart(say(words), [
        ReportCurve(say(message("lowest")), "training", steps, lowest),
        ReportCurve(say(message("highest")), "validation", steps, highest)], (), say(message("Steps")), 130, width=HALF)


def own_words(run: Reported) -> Parts:
    """Yield the learner's observations in their own words."""
    if run.learner and run.learner.words:
        yield element("blockquote", run.learner.words, dir="auto", class_="words")


def goals(run: Reported) -> Parts:
    """Yield the goals of lessons, with their states."""
    say = run.say
    states = {"reached": say(message("reached")), "skipped": say(message("skipped")), "open": "–"}
    for lesson in run.guesses:
        if lesson.goals:
            yield element("h3", isolated(lesson.lesson))
            yield muted(say(message(
                "Goals reached: {n} of {count}.", n=lesson.count("reached"), count=len(lesson.goals))))
            yield table([say(message("Step")), say(message("Goal"))], [
                row(isolated(each.step), states[each.state]) for each in lesson.goals])


def guesses(run: Reported) -> Parts:
    """Yield the learner's guesses in lessons, and whether they were right."""
    say = run.say
    verdicts = {True: say(message("right")), False: say(message("not quite")), None: "–"}
    for lesson in run.guesses:
        if not lesson.guesses:
            continue
        yield element("h3", isolated(lesson.lesson))
        yield table(
            [say(message("Question")), say(message("Guess")), say(message("Answer")), say(message("Result"))],
            [row(isolated(each.question, 500), isolated(each.guess or "–"), isolated(each.answer or "–"),
                 verdicts[each.right]) for each in lesson.guesses])


OWN_WORDS = ("words", message("What did you see?"), own_words)
LESSONS: tuple[tuple[str, str, Callable[[Reported], Parts]], ...] = (
    ("guesses", message("Guesses in lessons"), guesses),
    ("goals", message("Goals in lessons"), goals),
)
SECTIONS: tuple[tuple[str, str, Callable[[ReportedRun], Parts]], ...] = (
    OWN_WORDS,
    ("figures", message("Key figures"), key_figures),
    ("curves", message("Curves"), curves),
    ("samples", message("Samples"), samples),
    ("memorisation", message("Memorisation"), memorisation),
    ("probes", message("Probe prompts"), probes),
    ("health", message("Health of the layers"), health),
    *LESSONS,
    ("happenings", message("What happened"), happenings),
    ("warnings", message("Warnings"), warnings),
    ("settings", message("Settings"), settings),
    ("text", message("Text"), text),
    ("reproduction", message("Versions, and how to reproduce"), reproduction),
)
"""Anchor name, heading, and function of each section."""


def written(run: Reported) -> Iterator[ET.Element]:
    """Yield the sections with content."""
    made = [(name, heading, parts(run)) for name, heading, parts in SECTIONS] if isinstance(run, ReportedRun) else [
        (name, heading, parts(run)) for name, heading, parts in (OWN_WORDS, *LESSONS)]
    for name, heading, parts in made:
        found = list(parts)
        if found:
            yield element("section", element("h2", run.say(heading)), *found, id=name)
