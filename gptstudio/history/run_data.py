"""Figures of a run in a report, for the class view: strictly validated when read, and never parsed as HTML. No torch.

They are JSON in a ``template`` element, which no browser shows or runs. Characters with a meaning in HTML are escaped
in the JSON, so the element can be found by its tags alone.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gptstudio import formats
from gptstudio.errors import UserError
from gptstudio.history.columns import Axis, Columns, rows_that_matter
from gptstudio.history.guesses import MOST_LESSONS, Learner, LessonGuesses
from gptstudio.history.report.page import readable
from gptstudio.history.report.reading import Reported, ReportedRun
from gptstudio.history.run_history import Best, History
from gptstudio.i18n import message
from gptstudio.training.events import Count, Outcome
from gptstudio.training.file_format import digest_of
from gptstudio.training.run_code import without_folders
from gptstudio.training.run_folder import Record

BEGIN, END = '<template id="gptstudio-run-data">', "</template>"
ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters with a meaning in HTML, and their escapes in JSON."""
MOST_BYTES = 8 * 2**20
"""Largest report that is read, in bytes; reports are written with less than 3 MB."""
LONGEST_NAME, RANGES, MOST_POINTS = 200, 300, 2_000
"""Largest number of characters in a name; number of ranges of a curve, of which the highest and the lowest point are
kept; largest number of points of a curve."""
CURVES = {
    "steps": ("step", "tokens_seen", "elapsed_s", "loss", "learning_rate", "gradient_norm", "tokens_per_second"),
    "evaluations": ("step", "tokens_seen", "elapsed_s", "train_loss", "val_loss"),
    "memory": ("step", "tokens_seen", "elapsed_s", "used_bytes"),
}
"""Stored columns of each table of a history. ``DECIDING`` has the column of each that determines the stored rows."""
DECIDING = {"steps": "loss", "evaluations": "val_loss", "memory": "used_bytes"}
LONGEST_SAMPLE = 600
"""Largest number of characters of a sample."""
Finite = Annotated[float, Field(allow_inf_nan=False)]
Size = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Points = Annotated[tuple[Finite | None, ...], Field(max_length=MOST_POINTS)]


class LearnerData(BaseModel):
    """Work of a learner in lessons. ``learner``: None in a report that was not handed in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["gptstudio lessons", "gptstudio run"] = "gptstudio lessons"
    version: Annotated[int, Field(ge=1, le=formats.REPORT)] = formats.REPORT
    learner: Learner | None = None
    guesses: Annotated[tuple[LessonGuesses, ...], Field(max_length=MOST_LESSONS)] = ()

    @property
    def right_guesses(self) -> tuple[int, int]:
        """Number of right guesses, and of guesses known to be right or wrong."""
        return sum(each.right for each in self.guesses), sum(each.known for each in self.guesses)

    @property
    def goals_reached(self) -> tuple[int, int]:
        """Number of goals reached, and of all goals."""
        return sum(each.count("reached") for each in self.guesses), sum(len(each.goals) for each in self.guesses)


class RunData(LearnerData):
    """Figures of a run. Losses are in nats per token; a figure that is missing or not finite is None.

    Attributes:
        samples: beginnings of the first and the last sample.
        rates: learning rates that were set by hand, each with its first step, counted from 0.
        epoch_tokens: number of tokens of an epoch.
        bytes_per_token: mean bytes per token of the training text and of the validation text; 0 in earlier versions.
        curves: thinned columns of each table of a history.
    """

    kind: Literal["gptstudio run"] = "gptstudio run"
    name: Annotated[str, Field(max_length=LONGEST_NAME + 1)]
    record: Record
    steps: Count = 0
    total_steps: Count = 0
    outcome: Outcome | None = None
    elapsed_s: Finite | None = None
    best: Best | None = None
    copied_share: Annotated[float, Field(ge=0, le=1)] | None = None
    longest_copy: Count | None = None
    epoch_tokens: Count = 0
    bytes_per_token: tuple[Size, Size] = (0.0, 0.0)
    rates: Annotated[tuple[tuple[Count, Finite], ...], Field(max_length=1_000)] = ()
    samples: Annotated[tuple[Annotated[str, Field(max_length=LONGEST_SAMPLE)], ...], Field(max_length=2)] = ()
    curves: dict[str, dict[str, Points]] = {}

    @model_validator(mode="after")
    def _whole_tables(self) -> Self:
        for name, columns in self.curves.items():
            if tuple(columns) != CURVES.get(name) or len({len(each) for each in columns.values()}) > 1:
                raise ValueError("not the columns of a table")
            steps = [value for value in columns["step"] if value is not None]
            if len(steps) < len(columns["step"]) or steps != sorted(steps):
                raise ValueError("steps out of order")
        return self

    @classmethod
    def of(cls, name: str, record: Record, history: History, guesses: tuple[LessonGuesses, ...] = (),
           learner: Learner | None = None) -> RunData:
        """Collect the figures of a run."""
        started, copies, steps = history.started, history.copies_found[-1:], history.steps
        ends = history.samples[:1] + history.samples[1:][-1:]
        return cls(
            name=name[:LONGEST_NAME], record=_short(record), steps=history.last_step + 1, guesses=guesses,
            learner=learner, samples=tuple(readable(each.text[:LONGEST_SAMPLE]) for each in ends),
            total_steps=started.total_steps if started else 0, outcome=history.ended.outcome if history.ended else None,
            elapsed_s=_number(float(steps["elapsed_s"][-1])) if len(steps) else None, best=history.best,
            copied_share=_number(copies[0].share) if copies else None,
            longest_copy=copies[0].longest if copies else None,
            epoch_tokens=started.steps_per_epoch * started.tokens_per_step if started else 0,
            bytes_per_token=history.bytes_per_token,
            rates=tuple((each.step, each.learning_rate) for each in history.learning_rates[:1_000]
                        if math.isfinite(each.learning_rate)),
            curves={table: _thin(getattr(history, table), table) for table in CURVES})

    def history(self) -> History:
        """Return the curves as a history, for charts."""
        made = History()
        made.bytes_per_token = self.bytes_per_token
        for name, columns in self.curves.items():
            table: Columns = getattr(made, name)
            rows = np.full((len(columns["step"]), len(table.names)), np.nan)
            for column, values in columns.items():
                rows[:, table.names.index(column)] = [math.nan if each is None else each for each in values]
            table.extend(rows)
        made.axes.update(step=Axis("step", offset=1), tokens=Axis("tokens_seen"), minutes=Axis("elapsed_s", 60))
        if self.epoch_tokens:
            made.axes["epoch"] = Axis("tokens_seen", self.epoch_tokens)
        return made


def data_of(report: Reported) -> LearnerData:
    """Return the data to store in a report: a :class:`RunData` if it is about a run."""
    if isinstance(report, ReportedRun):
        return RunData.of(report.title, report.record, report.history, report.guesses, report.learner)
    return LearnerData(learner=report.learner, guesses=report.guesses)


def to_html(data: LearnerData) -> str:
    """Return the figures as an element of a page."""
    values = data.model_dump(mode="json")
    sealed = {"data": values, "sha256": digest_of(values)}
    text = json.dumps(sealed, separators=(",", ":"), ensure_ascii=False)
    for char, escaped in ESCAPED.items():
        text = text.replace(char, escaped)
    return f"{BEGIN}{text}{END}"


def read_report(path: Path) -> LearnerData:
    """Read the figures in a report: a :class:`RunData` if it is about a run.

    Raises:
        UserError: the file is too large, not a report, cut off, changed, or from a newer version.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        page = file.read(MOST_BYTES + 1)
    if len(page) > MOST_BYTES:
        raise UserError(message("It is too large for a report: more than {n} MB.", n=MOST_BYTES // 2**20))
    parts = page.split(BEGIN.encode())
    if len(parts) != 2:
        is_ours = b'content="GPT Studio' in page[:4_000]
        raise UserError(message("It is cut off: copy or send the report again.") if is_ours and len(parts) == 1 else
                        message("It is no report of GPT Studio."))
    text, end, _ = parts[1].partition(END.encode())
    if not end:
        raise UserError(message("It is cut off: copy or send the report again."))
    try:
        sealed = json.loads(text, parse_constant=_refuse)
        values, digest = sealed["data"], sealed["sha256"]
        changed = digest != digest_of(values)
        newer = formats.is_newer(values.get("version"), formats.REPORT)
        if not changed and not newer:
            return (LearnerData if values.get("kind") == "gptstudio lessons" else RunData).model_validate(values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UserError, ValidationError) as error:
        raise UserError(message("The data in it cannot be read: they are damaged, or were changed.")) from error
    raise UserError(message("The data in it were changed since it was written (wrong checksum).") if changed else
                    message("It was written by a newer version of GPT Studio. Update GPT Studio to read it."))


def _short(record: Record) -> Record:
    """Return a record with long texts cut, and without folders."""
    return record.model_copy(update={
        "title": record.title[:LONGEST_NAME], "text_name": record.text_name[:LONGEST_NAME],
        "text_sha256": record.text_sha256[:64], "spec": without_folders(record.spec)})


def _thin(table: Columns, name: str) -> dict[str, Any]:
    rows = rows_that_matter(table[DECIDING[name]], RANGES)
    return {column: tuple(_number(each) for each in table[column][rows].tolist()) for column in CURVES[name]}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number in JSON")
