"""Differences between runs: settings that are not the same in all, and changes made while they ran. No torch."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gptstudio.data import text_names
from gptstudio.field_view import FieldView
from gptstudio.fields import Spec, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import joined, message
from gptstudio.training.run_folder import Record
from gptstudio.training.spec import TrainSpec


@dataclass(frozen=True)
class DifferingSetting:
    """One setting that differs.

    Attributes:
        field: where it stands in a spec: ``learning_rate``, or ``config.n_layers``.
        values: as people read them, one for each run.
        help: what the setting does; empty for the text.
    """

    field: str
    label: str
    unit: str
    values: tuple[str, ...]
    help: str = dataclasses.field(default="", compare=False)


Rates = Sequence[tuple[int, float]]
"""Learning rates that were set while a run went on, each with the step from which it held, counted from 0."""


def differences(records: Sequence[Record], rates: Sequence[Rates] = ()) -> list[DifferingSetting]:
    """The settings that differ between these runs, the text first, then the model's, then those of training.

    Args:
        rates: for each run; without them none was changed.
    """
    rows = [_text(records), *_rows("config.", GPTConfig, [record.spec.config for record in records])]
    rows += [row for row in _rows("", TrainSpec, [record.spec for record in records]) if row.field != "text"]
    rows = [_with_changes(row, rates) if row.field == "learning_rate" and rates else row for row in rows]
    return [row for row in rows if len(set(row.values)) > 1]


DIFFERENT_TEXTS = message("Different texts: the losses cannot be compared.")
"""Stands beside the losses of runs that were not trained and evaluated on the same text."""


def same_text(records: Iterable[Record]) -> bool:
    """Return whether all runs have the same text, by its content."""
    return len({record.text_sha256 for record in records}) < 2


def same_vocabulary(records: Iterable[Record]) -> bool:
    """Return whether the losses per token of all runs are of the same tokens."""
    return len({(record.tokenizer_sha256, record.spec.config.vocabulary) for record in records}) < 2


def shown(view: FieldView, value: Any) -> str:
    """A setting's value as people read it, without its unit."""
    if value is None or value == ():
        return message(view.empty) if view.empty else message("none")
    if view.kind == "choices":
        return ", ".join(value)
    if isinstance(value, bool):
        return message("yes") if value else message("no")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.10g}"  # as it was typed: 0.1, 0.0004, 4e-05
    return str(value)


def _rows(prefix: str, kind: type[Spec], specs: Sequence[Spec]) -> list[DifferingSetting]:
    """The settings that differ, and the learning rate, which may have been changed during a run."""
    rows = []
    for view in fields_of(kind):
        values = [getattr(spec, view.name) for spec in specs]
        if view.name == "learning_rate" or any(value != values[0] for value in values):
            texts = tuple(shown(view, value) for value in values)
            rows.append(DifferingSetting(prefix + view.name, view.label, view.unit, texts, view.help))
    return rows


def _with_changes(row: DifferingSetting, rates: Sequence[Rates]) -> DifferingSetting:
    values = []
    for value, changes in zip(row.values, rates, strict=True):
        for step, rate in changes:
            value = message("{before}, then {rate} from step {n}", before=value, rate=f"{rate:.10g}", n=f"{step + 1:,}")
        values.append(value)
    return replace(row, values=tuple(values))


def _text(records: Sequence[Record]) -> DifferingSetting:
    """By content: the same text may lie elsewhere, and texts of one name may differ."""
    texts = {(record.text_name, record.text_sha256) for record in records}
    names = [name for name, _ in texts]
    shown = [text_names.in_words(record.text_name) for record in records]
    values = [
        name if names.count(record.text_name) == 1 else joined("", name, f" ({record.text_sha256[:8]})")
        for name, record in zip(shown, records, strict=True)
    ]
    alike = same_text(records)
    return DifferingSetting(
        "text", message("Text"), "", (shown[0],) * len(records) if alike else tuple(values)
    )
