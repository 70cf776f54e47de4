"""Sections of a report about what was asked for: key figures, settings, text, and how to train the same again."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import gptstudio
from gptstudio.data import text_names
from gptstudio.errors import UserError, text_of
from gptstudio.field_view import FieldView
from gptstudio.fields import Spec, fields_of
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, GPTConfig, config_name
from gptstudio.history.comparison import shown
from gptstudio.history.report.page import Child, element, isolated, listed, table
from gptstudio.history.report.reading import ReportedRun, Say
from gptstudio.i18n import message, percent
from gptstudio.training.run_code import train_command, without_folders
from gptstudio.training.spec import TrainSpec

Parts = Iterator[ET.Element]
SPLITS = {"characters": message("characters"), "documents": message("documents")}
OUTCOMES = {
    "finished": message("Finished"), "stopped": message("Stopped"), "failed": message("Failed"),
    None: message("Not ended"),
}


def key_figures(run: ReportedRun) -> Parts:
    """Yield how far the run came, and how well."""
    say, history = run.say, run.history
    steps, best, copies = len(history.steps), history.best, [each for each in history.copies_found[-1:] if each.tokens]
    outcome = history.ended.outcome if history.ended else None
    pairs: list[tuple[str, Child]] = [
        (say(message("Best validation loss")), _loss(best.val_loss) if best else "–"),
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
        yield element("p", say(message(
            "Losses are in nats per token: how surprised the model is by the right next token. The lowest validation "
            "loss, {loss}, was measured after step {n}; random guessing would be {random}.",
            loss=_loss(best.val_loss), n=f"{best.step + 1:,}",
            random=f"{math.log(run.record.spec.config.vocab_size):.2f}")), class_="muted")


def _per_byte(run: ReportedRun) -> Iterator[tuple[str, Child]]:
    """Yield the best validation loss in bits per byte, which is comparable between vocabularies."""
    best, divisor = run.history.best, run.history.nats_per_bit(1)
    if best and math.isfinite(divisor):
        yield run.say(message("The same in bits per byte")), f"{best.val_loss / divisor:.3f}"


def settings(run: ReportedRun) -> Parts:
    """Yield all settings, those that are not at their defaults marked."""
    say, spec = run.say, without_folders(run.record.spec)
    preset = config_name(spec.config)
    named = say(message("a custom model")) if preset == OWN else preset
    yield element("p", say(message(
        "The model is {preset}. Settings that differ from the defaults are in bold, with a dot in front.",
        preset=named)), class_="muted")
    heads = [say(message("Setting")), say(message("This run")), say(message("Default"))]
    base = PRESETS[DEFAULT_PRESET]
    for title, kind, values, usual in (
        (message("Model"), GPTConfig, spec.config, base), (message("Training"), TrainSpec, spec, TrainSpec()),
    ):
        yield element("h3", say(title))
        yield table(heads, _rows(run, kind, values, usual))


def text(run: ReportedRun) -> Parts:
    """Yield which text the run has learned from, and what is known of it."""
    say, record, size, started = run.say, run.record, run.text, run.history.started
    share, by = record.spec.train_ratio, record.spec.split
    split = message("{share} for training, the rest for validation (by {by})", share=f"{share:.0%}", by=SPLITS[by])
    name = isolated(run.words(text_names.in_words(record.text_name)))
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
        yield element("p", say(message(
            "The text itself was not at hand when this report was written, or has changed since the run.")),
            class_="muted")


def reproduction(run: ReportedRun) -> Parts:
    """Yield the versions, and the command that trains the same."""
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
        yield element("p", say(text_of(error)), class_="muted")
    else:
        yield element("p", say(message("This command trains the same model again, where the text is the same:")))
        yield element("pre", command[:20_000], class_="command")
    if run.history.learning_rates or record.parent:
        yield element("p", say(message(
            "The learning rate was changed by hand, or the run is a branch: the command does not repeat that. The "
            "Python script that Runs exports repeats changes of the learning rate.")), class_="muted")


def duration(seconds: float, say: Say) -> str:
    """Return a time as people read it."""
    if not math.isfinite(seconds):
        return "–"
    hours, rest = divmod(round(seconds), 3600)
    minutes, seconds = divmod(rest, 60)
    if hours:
        return say(message("{h} h {m} min", h=f"{hours:,}", m=minutes))
    return say(message("{m} min {s} s", m=minutes, s=seconds)) if minutes else say(message("{s} s", s=seconds))


def _rows(run: ReportedRun, kind: type[Spec], values: Spec, usual: Spec) -> Iterator[tuple[list[Child], str]]:
    for view in fields_of(kind):
        value, default = getattr(values, view.name), getattr(usual, view.name)
        differs = value != default
        cells: list[Child] = [run.say(view.label), isolated(_value(run, view, value)), _value(run, view, default)]
        yield cells, "differs" if differs else ""


def _value(run: ReportedRun, view: FieldView, value: Any) -> str:
    return ", ".join(value) if view.kind == "texts" and value else run.words(shown(view, value))


def _of_all(run: ReportedRun) -> str:
    started, done = run.history.started, run.history.last_step + 1
    return f"{done:,} / {started.total_steps:,}" if started else f"{done:,}"


def _last(run: ReportedRun, name: str) -> str:
    return _loss(float(run.history.evaluations[name][-1])) if len(run.history.evaluations) else "–"


def _loss(loss: float) -> str:
    return f"{loss:.3f}" if abs(loss) < 1e6 else f"{loss:.3g}"
