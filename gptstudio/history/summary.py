"""Summaries of runs, one line of a list each. Only lines added to a journal since the last read are read. No torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import config_name
from gptstudio.history.comparison import given_name, made_names
from gptstudio.history.journal_reader import JournalPosition, JournalReader
from gptstudio.history.run_history import Best, History
from gptstudio.training.events import Copy, LearningRateChanged, Outcome
from gptstudio.training.run_folder import Record, RunFolder


class RunFigures(BaseModel, frozen=True, ser_json_inf_nan="strings"):
    """Summary of a journal up to a position in it. Losses are in nats per token, from the last evaluation.

    ``health`` has, for each quantity measured on the layers, the lowest and the highest value over the layers at the
    last evaluation. ``copied_share`` (0 to 1) and ``longest_copy`` (tokens) are from the last sample, None if it was
    not searched for copied stretches. ``sample`` is the beginning of its text, ``sample_copies`` are the copied
    stretches in it. ``outcome`` is None while the run is running, and if it was interrupted. ``rates`` are the learning
    rates that were set during the run, each with its first step. ``val_bytes_per_token`` is the mean number of bytes
    per token of the validation text, 0 if the log lacks it.
    """

    place: JournalPosition = JournalPosition()
    total_steps: int = 0
    steps: int = 0
    train_loss: float | None = None
    val_loss: float | None = None
    best: Best | None = None
    copied_share: float | None = None
    longest_copy: int | None = None
    sample: str = ""
    sample_step: int = 0
    sample_copies: tuple[Copy, ...] = ()
    health: dict[str, tuple[float, float]] = Field(default_factory=dict)
    outcome: Outcome | None = None
    rates: tuple[tuple[int, float], ...] = ()
    val_bytes_per_token: float = 0.0

    @property
    def best_bits_per_byte(self) -> float | None:
        """The lowest validation loss in bits per byte, which is comparable between vocabularies; None if unknown."""
        return self.best.bits_per_byte(self.val_bytes_per_token) if self.best else None

    def begin_news(self) -> History:
        """Return a history for further lines, with what decides which learning rates they keep."""
        news = History()
        news.last_step = self.steps - 1
        news.learning_rates = [LearningRateChanged(step=step, learning_rate=rate) for step, rate in self.rates]
        return news

    def after(self, news: History, place: JournalPosition) -> RunFigures:
        """Return the figures after further lines were read into ``news``, which :meth:`begin_news` returned."""
        last = {name: float(news.evaluations[name][-1]) for name in LOSSES} if len(news.evaluations) else {}
        copies = news.copies_found[-1:]
        last |= {"copied_share": copies[0].share, "longest_copy": copies[0].longest} if copies else {}
        last |= self._sample_after(news)
        bests = [best for best in (self.best, news.best) if best]
        has_progress = news.started is not None or len(news.steps) > 0
        return self.model_copy(update={
            "place": place,
            "rates": tuple((each.step, each.learning_rate) for each in news.learning_rates),
            "health": self.health | news.health.last_ranges(),
            "total_steps": news.started.total_steps if news.started else self.total_steps,
            "val_bytes_per_token": news.started.bytes_per_token[1] if news.started else self.val_bytes_per_token,
            "steps": max(self.steps, news.last_step + 1),
            "best": min(bests, key=lambda best: best.val_loss, default=None),
            "outcome": news.ended.outcome if news.ended else None if has_progress else self.outcome,
            **last,
        })

    def _sample_after(self, news: History) -> dict[str, Any]:
        """Return the changed fields of the last sample. Its copied stretches may be read later than its text."""
        changed: dict[str, Any] = {}
        step = self.sample_step
        if sample := next(reversed(news.samples), None):
            step = sample.step
            changed = {"sample": sample.text[:SAMPLE_SHOWN], "sample_step": step, "sample_copies": ()}
        found = next((each for each in reversed(news.copies_found) if each.step == step), None)
        if found:
            changed["sample_copies"] = tuple(each for each in found.copies if each.start < SAMPLE_SHOWN)
        return changed


LOSSES = ("train_loss", "val_loss")
SAMPLE_SHOWN = 600
"""Number of characters of the last sample in a summary: a list shows its beginning."""


RunState = Literal["live", "finished", "stopped", "failed", "interrupted"]


@dataclass(frozen=True)
class RunSummary:
    """One run in a list of runs.

    Attributes:
        state: outcome of the run; without one, ``live`` if a process is writing the run, otherwise ``interrupted``.
        preset: name of the configuration, or 'own'.
        made_name: name made from its settings, as a message; empty if the user has named the run.
        size_bytes: size of all its files.
        saved: whether it has a checkpoint.
        resumable: whether it has one with the optimizer state, from which it can continue.
    """

    folder: RunFolder
    record: Record
    figures: RunFigures
    state: RunState
    parameters: int
    size_bytes: int
    saved: bool
    resumable: bool
    made_name: str = ""

    @property
    def path(self) -> Path:
        return self.folder.path

    @property
    def title(self) -> str:
        """Name given by the user, or a message made from the settings."""
        return given_name(self.folder, self.record) or self.made_name or self.folder.name

    @property
    def preset(self) -> str:
        return config_name(self.record.spec.config)


class _Known(BaseModel):
    """Cache between program starts: the summary of each journal, by its path. A file of an older version lacks some
    fields, so its journals are read again."""

    version: Literal[7]
    figures: dict[str, RunFigures] = Field(default_factory=dict)


class Summaries:
    """Summaries of runs. ``file`` stores the position up to which each journal was read, and its figures.

    The file is only a cache: if it is missing, damaged or cannot be written, journals are read again.
    """

    def __init__(self, file: Path):
        self._file = file
        self._figures = _remembered(file)
        self._names: dict[Path, str] = {}

    def of(self, run: RunFolder) -> RunSummary:
        """Return the current summary of a run.

        Raises:
            UserError: this is not the folder of a run.
        """
        record = run.record()
        live = run.written_elsewhere  # before the journal is read: a run that ends in between has an outcome there
        key = os.path.abspath(run.path)
        figures = self._figures[key] = _up_to_now(self._figures.get(key, RunFigures()), run.journal_path)
        name = self._names.get(run.path) or made_names([(run, record)]).get(run.path, "")
        state = figures.outcome or ("live" if live else "interrupted")
        return RunSummary(
            run, record, figures, state, sizing.parameter_count(record.spec.config), size(run.path),
            bool(run.checkpoints()), bool(run.full_checkpoints()), name)

    def of_all(
        self, runs: Iterable[RunFolder], unreadable: Callable[[UserError], None] = lambda _: None
    ) -> list[RunSummary]:
        """Return the summaries of the readable runs; call ``unreadable`` for each other run, and forget all else."""
        found = []
        for run in runs:
            try:
                found.append(self.of(run))
            except UserError as error:
                unreadable(error)
        kept = {os.path.abspath(summary.folder.path) for summary in found}
        self._figures = {path: figures for path, figures in self._figures.items() if path in kept}
        self._remember()
        self._names = made_names((each.folder, each.record) for each in found)
        return [replace(each, made_name=self._names.get(each.folder.path, "")) for each in found]

    def _remember(self) -> None:
        if self._figures != _remembered(self._file):
            with suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
                files.write_whole(self._file, _Known(version=7, figures=self._figures).model_dump_json().encode())


def size(folder: Path) -> int:
    """Return the number of bytes of all files below a folder, without files that are removed in the meantime."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


def _up_to_now(figures: RunFigures, journal: Path) -> RunFigures:
    reader = JournalReader(journal, figures.place)
    while (found := reader.read()).news or found.restarted:
        figures = RunFigures() if found.restarted else figures
        news = figures.begin_news()
        for batch in found.batches:
            news.take(batch)
        figures = figures.after(news, reader.place)
    return figures


def _remembered(file: Path) -> dict[str, RunFigures]:
    try:
        return _Known.model_validate_json(file.read_bytes()).figures
    except (OSError, ValidationError):
        return {}
