"""Runs that consist only of events, for reports."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from made_up import evaluated, started, step_done

from gptstudio.gpt.tokenizer import GPT2
from gptstudio.history.report import reading
from gptstudio.history.report.reading import ReportedRun
from gptstudio.training.events import (
    CheckpointSaved,
    CopiesFound,
    Copy,
    Ended,
    Event,
    LearningRateChanged,
    PartUpdate,
    PhaseChanged,
    ProbeReading,
    ProbesRead,
    SampleWritten,
    UpdatesRead,
    Warned,
)
from gptstudio.training.journal import Journal
from gptstudio.training.run_folder import Record, RunFolder
from gptstudio.training.spec import TrainSpec

STARTED = started(run="/home/anna/runs/x", total_steps=20)
EFFORT = GPT2.encode(" effort")[0]
SAMPLE = "Every effort moves you to the old stories"


def events(text: str = SAMPLE) -> list[Event]:
    """Return the events of a run that was paused, stopped after ten steps, continued from the eighth, and extended."""
    def part(first: int, stop: int) -> list[Event]:
        return [each for number in range(first, stop) for each in (
            step_done(number, 10 / (number + 1)), evaluated(number, 9 / (number + 1), 5 + number % 3))]

    found = CopiesFound(step=7, tokens=8, copied=4, longest=4, copies=(Copy(start=26, stop=41, tokens=4),))
    probe = ProbeReading(text="Every effort", ids=(EFFORT, 345), probabilities=(0.5, 0.25), entropy_bits=2.0,
                         true_id=EFFORT, true_probability=0.5, true_rank=1)
    health = UpdatesRead(step=5, tokens_seen=192, parts=(
        PartUpdate(part="attention", block=0, gradient_norm=1.0, weight_norm=10.0, update_ratio=1e-3),))
    return [
        STARTED, *part(0, 6), health, *part(6, 7), LearningRateChanged(step=7, learning_rate=0.02), *part(7, 8),
        SampleWritten(step=7, epoch=2, text=text), found,
        ProbesRead(step=7, tokens_seen=256, probes=(probe,)),
        PhaseChanged(phase="paused"), PhaseChanged(phase="training"), Warned(message=text),
        CheckpointSaved(step=7, path="/x/step-7", val_loss=5.0, best=True), *part(8, 10),
        Ended(outcome="stopped", message=""),
        STARTED.model_copy(update={"first_step": 8, "total_steps": 40}), *part(8, 12),
        Ended(outcome="finished", message=""),
    ]


def record(title: str = "A run", **changes: Any) -> Record:
    return Record(title=title, created=datetime(2026, 11, 20, 12, tzinfo=UTC), spec=TrainSpec.make(changes),
                  text_name="A text", text_sha256="ab" * 32)


def folder(path: Path, title: str = "A run", run_events: list[Event] | None = None, **changes: Any) -> RunFolder:
    """Write a run's folder with a journal."""
    made = RunFolder(path)
    made.write(record(title, **changes))
    journal = Journal(made.journal_path)
    for event in events() if run_events is None else run_events:
        journal(event)
    journal.close()
    return made


def reported(path: Path, **changes: Any) -> ReportedRun:
    return reading.read(folder(path, **changes))


class Page(HTMLParser):
    """A parsed HTML page: its elements, their attributes, and the texts in them."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.underlined = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements are closed in the order in which they were opened"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "template" not in self.open:
            self.texts.append(data)
        if "u" in self.open:
            self.underlined += data

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def headings(self) -> list[str | None]:
        return [attributes.get("id") for tag, attributes in self.tags if tag == "section"]
