"""Names of runs that the user has not named: made from their settings. No torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from gptstudio.data import text_names, texts
from gptstudio.errors import UserError
from gptstudio.history.comparison import differences
from gptstudio.i18n import Message, joined, message
from gptstudio.training.run_folder import FROM_STEP, STAMPED, Record, RunFolder, all_runs

BETWEEN = " · "
LONGEST_TEXT = 28
"""Characters of the name of a text in the name of a run."""
LONGEST_VALUE = 16
SHORT: dict[str, Message] = {str(name): texts.TITLES[text] for text, name in texts.NAMES.items()}
"""Short names of the known texts, by their names."""
MOST_DIFFERENCES = 2
"""Maximum number of settings that are named because a run differs in them from an older one of the same name."""


def given_name(run: RunFolder, record: Record) -> str:
    """Return the name that the user gave a run: its title, or its folder's name; empty if both were made from its
    date."""
    automatic = record.parent and FROM_STEP.search(record.title) and STAMPED.match(record.title)
    if record.title and not automatic:
        return record.title
    return "" if STAMPED.match(run.name) else record.title or run.name


def shown_name(run: RunFolder) -> str:
    """Return the name of a run as lists show it: the one that the user gave, or a message made from its settings; the
    name of its folder if it cannot be read."""
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
    """Return what changes when the record of a run does."""
    try:
        return run.path, (run.path / "run.json").stat().st_mtime_ns
    except OSError:
        return run.path, 0


def made_names(runs: Iterable[tuple[RunFolder, Record]]) -> dict[Path, str]:
    """Return a name, as a message, for each run without a name from the user: its text, its number of layers and its
    learning rate. A newer run of the same name has the settings in which it differs from the oldest one as well, or a
    number if it differs in none that can be named shortly."""
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
        BETWEEN, _text(record.text_name), message("{n} layers", n=layers) if layers > 1 else message("1 layer"),
        f"{record.spec.learning_rate:.10g}")
    step = FROM_STEP.search(record.title) if record.parent else None
    return message("{run}, from step {n}", run=name, n=step["n"]) if step else name


def _text(name: str) -> str:
    several = text_names.OF_SEVERAL.fullmatch(name)
    shown = message("{n} texts", n=several["n"]) if several else SHORT.get(name) or text_names.in_words(name)
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[:LONGEST_TEXT - 1]}…"


def _differing(first: Record, record: Record) -> list[Message]:
    found = [(each.label, each.values[1]) for each in differences([first, record])]
    named = [joined(" ", label, value) for label, value in found if len(value) <= LONGEST_VALUE]
    return named[:MOST_DIFFERENCES]
