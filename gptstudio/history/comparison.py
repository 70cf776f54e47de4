"""Differences between runs, names derived from them, and the book's printed run for comparison. Imports no torch."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from gptstudio import paths
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.fields import FieldView, Spec, fields_of
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.i18n import Message, joined, message
from gptstudio.training.run_folder import FROM_STEP, STAMPED, Record, RunFolder, all_runs
from gptstudio.training.spec import TrainSpec


@dataclass(frozen=True)
class DifferingSetting:
    """A setting that differs between runs.

    Attributes:
        field: name in a spec: ``learning_rate``, or ``config.n_layers``.
        values: values for display, one for each run.
        help: effect of the setting; empty for the text.
    """

    field: str
    label: str
    unit: str
    values: tuple[str, ...]
    help: str = dataclasses.field(default="", compare=False)


Rates = Sequence[tuple[int, float]]
"""Learning rates that were set during a run, each with the first step that used it, counted from 0."""


def differences(records: Sequence[Record], rates: Sequence[Rates] = ()) -> list[DifferingSetting]:
    """Return the settings that differ between these runs: the text first, then settings of the model, then of training.

    Args:
        rates: changed learning rates of each run; empty: none was changed.
    """
    rows = [_text(records), *_rows("config.", GPTConfig, [record.spec.config for record in records])]
    rows += [row for row in _rows("", TrainSpec, [record.spec for record in records]) if row.field != "text"]
    rows = [_with_changes(row, rates) if row.field == "learning_rate" and rates else row for row in rows]
    return [row for row in rows if len(set(row.values)) > 1]


DIFFERENT_TEXTS = message("Different texts: the losses cannot be compared.")
"""Shown next to the losses of runs that were not trained and evaluated on the same text."""


def same_text(records: Iterable[Record]) -> bool:
    """Return whether all runs have the same text, compared by content."""
    return len({record.text_sha256 for record in records}) < 2


def same_vocabulary(records: Iterable[Record]) -> bool:
    """Return whether the losses per token of all runs refer to the same tokens."""
    return len({(record.tokenizer_sha256, record.spec.config.vocabulary) for record in records}) < 2


def shown(view: FieldView, value: Any) -> str:
    """Return the value of a setting as display text, without its unit."""
    if value is None or value == ():
        return message(view.empty) if view.empty else message("none")
    if view.kind == "choices":
        return joined(", ", *map(message, value))
    if view.kind == "texts":
        return joined(", ", *(texts.TITLES.get(each, each) for each in value))
    if isinstance(value, bool):
        return message("yes") if value else message("no")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.10g}"  # as typed: 0.1, 0.0004, 4e-05
    return message(view.names.get(value, value)) if view.kind == "choice" else str(value)


def _rows(prefix: str, kind: type[Spec], specs: Sequence[Spec]) -> list[DifferingSetting]:
    """Return the settings that differ, and always the learning rate, which may have been changed during a run."""
    rows = []
    for view in fields_of(kind):
        values = [getattr(spec, view.name) for spec in specs]
        if view.name == "learning_rate" or any(value != values[0] for value in values):
            values_shown = tuple(shown(view, value) for value in values)
            rows.append(DifferingSetting(prefix + view.name, view.label, view.unit, values_shown, view.help))
    return rows


def _with_changes(row: DifferingSetting, rates: Sequence[Rates]) -> DifferingSetting:
    values = []
    for value, changes in zip(row.values, rates, strict=True):
        for step, rate in changes:
            value = message("{before}, then {rate} from step {n}", before=value, rate=f"{rate:.10g}", n=f"{step + 1:,}")
        values.append(value)
    return replace(row, values=tuple(values))


def _text(records: Sequence[Record]) -> DifferingSetting:
    """Return the row of the text, compared by content: one text may be in two places, and two may have one name."""
    names = [name for name, _ in {(record.text_name, record.text_sha256) for record in records}]
    shown = [texts.name_in_words(record.text_name) for record in records]
    values = [
        name if names.count(record.text_name) == 1 else joined("", name, f" ({record.text_sha256[:8]})")
        for name, record in zip(shown, records, strict=True)
    ]
    alike = same_text(records)
    return DifferingSetting(
        "text", message("Text"), "", (shown[0],) * len(records) if alike else tuple(values)
    )


BETWEEN = " · "
LONGEST_TEXT = 28
"""Largest number of characters of a text's name in the name of a run."""
LONGEST_VALUE = 20
SHORT: dict[str, Message] = {str(name): texts.TITLES[text] for text, name in texts.NAMES.items()}
"""Short names of the known texts, by their names."""
MOST_DIFFERENCES = 2
"""Largest number of settings in a name to distinguish a run from an older one of the same name."""


def given_name(run: RunFolder, record: Record) -> str:
    """Return the name that the user gave a run: its title or its folder's name; empty if both are made from its
    date."""
    automatic = record.parent and FROM_STEP.search(record.title) and STAMPED.match(record.title)
    if record.title and not automatic:
        return record.title
    return "" if STAMPED.match(run.name) else record.title or run.name


def shown_name(run: RunFolder) -> str:
    """Return the display name of a run: the one that the user gave, or a message made from its settings; the name of
    its folder if it cannot be read."""
    record = _record(*_version(run))
    if record is None:
        return run.name
    return given_name(run, record) or _names(tuple(map(_version, all_runs()))).get(run.path) or _base(record)


@lru_cache(maxsize=4096)
def _record(folder: Path, _changed_ns: int) -> Record | None:
    try:
        return RunFolder(folder).record()
    except UserError:
        return None


@lru_cache(maxsize=1)
def _names(runs: tuple[tuple[Path, int], ...]) -> dict[Path, str]:
    found = ((RunFolder(each[0]), _record(*each)) for each in runs)
    return made_names((run, record) for run, record in found if record)


def _version(run: RunFolder) -> tuple[Path, int]:
    """Return a key that changes with the record of a run."""
    try:
        return run.path, (run.path / "run.json").stat().st_mtime_ns
    except OSError:
        return run.path, 0


def made_names(runs: Iterable[tuple[RunFolder, Record]]) -> dict[Path, str]:
    """Return a name, as a message, for each run that the user has not named: its text, number of layers and learning
    rate. A newer run of the same name also has the settings that differ from the oldest one, or a number if no
    difference can be named briefly."""
    oldest: dict[str, Record] = {}
    counts: Counter[str] = Counter()
    names: dict[Path, str] = {}
    unnamed = [(run, record) for run, record in runs if not given_name(run, record)]
    for run, record in sorted(unnamed, key=lambda each: (each[1].created.timestamp(), str(each[0].path))):
        name = _base(record)
        first = oldest.setdefault(name, record)
        if first is not record:
            name = joined(BETWEEN, name, *_differing(first, record))
        counts[name] += 1
        names[run.path] = message("{name} ({n})", name=name, n=counts[name]) if counts[name] > 1 else name
    return names


def _base(record: Record) -> Message:
    layers = record.spec.config.n_layers
    name = joined(
        BETWEEN, _short_text(record.text_name), message("{n} layers", n=layers) if layers > 1 else message("1 layer"),
        f"{record.spec.learning_rate:.10g}")
    step = FROM_STEP.search(record.title) if record.parent else None
    return message("{run}, from step {n}", run=name, n=step["n"]) if step else name


def _short_text(name: str) -> str:
    several = texts.OF_SEVERAL.fullmatch(name)
    shown = message("{n} texts", n=several["n"]) if several else SHORT.get(name) or texts.name_in_words(name)
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[:LONGEST_TEXT - 1]}…"


def _differing(first: Record, record: Record) -> list[Message]:
    found = [(each.label, each.values[1]) for each in differences([first, record])]
    named = [joined(" ", message(label), value) for label, value in found if len(value) <= LONGEST_VALUE]
    return named[:MOST_DIFFERENCES]


@dataclass(frozen=True)
class Reference:
    """Published evaluations, as (step, training loss, validation loss), and their source."""

    source: str
    evaluations: list[tuple[int, float, float]]


def reference_for(spec: TrainSpec) -> Reference | None:
    """Return the printed run with the same settings; None if there is none. Seed, arithmetic and evaluation interval
    may differ: they move the curve by less than its noise. Fine-tuning never matches."""
    if spec.init_from is not None or spec.freeze or spec.freeze_blocks:
        return None
    printed = json.loads((paths.resources() / "reference" / "book_run.json").read_text(encoding="utf-8"))
    wanted = printed["settings"] | {"text": tuple(printed["settings"]["text"])}
    if spec.config != PRESETS[printed["preset"]] or any(getattr(spec, name) != value for name, value in wanted.items()):
        return None
    return Reference(printed["source"], [tuple(row) for row in printed["evaluations_step_train_val"]])
