"""A run shown from its log, read in pieces of any size, equals the run as it was shown during training."""

import math
import random
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import made_up
import pytest

from gptstudio.app.run_tasks import Follower
from gptstudio.app.shown_run import ShownRun
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import FILE, GPT2, Characters
from gptstudio.history import journal_reader, run_history
from gptstudio.history.columns import Columns
from gptstudio.history.health_history import HealthHistory
from gptstudio.history.journal_reader import Tail
from gptstudio.training import journal
from gptstudio.training.events import (
    CheckpointSaved,
    CopiesFound,
    Copy,
    Ended,
    Evaluated,
    Event,
    LearningRateChanged,
    MemoryRead,
    PartUpdate,
    PhaseChanged,
    ProbeReading,
    ProbesRead,
    SampleWritten,
    StepDone,
    StepReport,
    UpdatesRead,
    Warned,
)
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

started = partial(made_up.started, total_steps=2_000, steps_per_epoch=40)


class MadeUpRun:
    """The events of a made-up run, whose curves are drawn from random numbers."""

    def __init__(self, seed: int, memorises: bool = True, jumps: float = 0.01) -> None:
        self.random = random.Random(seed)
        self.memorises, self.jumps = memorises, jumps
        self.level = self.seconds = 0.0
        self.events: list[Event] = [started(), PhaseChanged(phase="loading"), PhaseChanged(phase="training")]

    def train(self, first: int, end: int) -> "MadeUpRun":
        for step in range(first, end):
            self.events += [*self._measured(step), *self._seldom(step)]
        return self

    def resume(self, first: int) -> "MadeUpRun":
        self.events += [Ended(outcome="stopped", message="Stopped."), started(first), PhaseChanged(phase="training")]
        return self

    def add(self, *events: Event) -> "MadeUpRun":
        self.events += events
        return self

    def _measured(self, step: int) -> Iterator[Event]:
        draw = self.random
        jumped = draw.random() < self.jumps
        self.level = max(0.0, self.level + (draw.choice([-1.0, 0.4, 2.0]) if jumped else 0.0))
        self.seconds += draw.random()
        loss = 2 + 8 * math.exp(-step / 200) + self.level + draw.gauss(0, 0.05)
        norm = draw.choice([9.0, math.nan]) if jumped else 1 + draw.random() / 10
        if draw.random() < 0.002:
            yield StepReport(step=step, loss_before=3.0, loss_after=2.5, gradient_norm=1.0, changes=[])
        yield StepDone(step=step, epoch=step // 40 + 1, loss=loss if draw.random() > 0.002 else math.inf,
                       learning_rate=1e-3, gradient_norm=norm, tokens_seen=32 * (step + 1), elapsed_s=self.seconds)
        if draw.random() < 0.01:
            yield Warned(message=f"before the evaluation of step {step}")
        if step % 5 == 0:
            rise = max(0, step - 400) / 300 if self.memorises else 0
            val = 4 + 6 * math.exp(-step / 100) + rise + draw.gauss(0, 0.01)
            train = 1 + 9 * math.exp(-step / 400)
            yield Evaluated(step=step, tokens_seen=32 * (step + 1), train_loss=train, val_loss=val)
            yield MemoryRead(used_bytes=10**9, peak_bytes=10**9 + draw.randrange(10**8), total_bytes=10**10,
                             run_peak_bytes=draw.randrange(10**8))

    def _seldom(self, step: int) -> Iterator[Event]:
        draw = self.random
        if step % 40 == 39:
            copied = draw.randrange(20)
            yield SampleWritten(step=step, epoch=step // 40, text=f"a sample\n龍 {step}")
            yield CopiesFound(step=step, tokens=20, copied=copied, longest=copied,
                              copies=(Copy(start=0, stop=5, tokens=copied),) if copied else ())
            yield UpdatesRead(step=step, parts=(PartUpdate(part="final_norm", weight_norm=draw.random()),))
            yield ProbesRead(step=step, tokens_seen=32 * (step + 1), probes=(
                ProbeReading(text="a", ids=(1,), probabilities=(draw.random(),), entropy_bits=1.0),))
        if step % 100 == 99:
            yield PhaseChanged(phase="saving")
            yield CheckpointSaved(step=step, path=f"/a/run/{step}", val_loss=3.0, model_only=step % 200 == 99)
            yield PhaseChanged(phase="training")
        if draw.random() < 0.005:
            yield LearningRateChanged(step=step + 1, learning_rate=draw.random())
        if draw.random() < 0.005:
            yield Warned(message=f"after step {step}")


FINISHED = Ended(outcome="finished", message="Finished.")
DIVERGED = Ended(outcome="failed", message="The loss is no number any more.", error="Diverged")
RUNS = {
    "finished, with jumps and overfitting": lambda: MadeUpRun(1).train(0, 1_500).add(FINISHED),
    "without either": lambda: MadeUpRun(2, memorises=False, jumps=0).train(0, 900).add(FINISHED),
    "diverged": lambda: MadeUpRun(3, jumps=0.1).train(0, 700).add(DIVERGED),
    "interrupted": lambda: MadeUpRun(4).train(0, 1_234),
    "resumed before it overfitted, and after": lambda: (
        MadeUpRun(5).train(0, 900).resume(300).train(300, 900).resume(850).train(850, 1_400).add(FINISHED)),
    "resumed behind its last sample": lambda: MadeUpRun(6).train(0, 800).resume(741).train(741, 760),
    "trained again from its beginning": lambda: MadeUpRun(7).train(0, 700).resume(0).train(0, 90),
    "paused": lambda: MadeUpRun(8).train(0, 400).add(PhaseChanged(phase="paused")),
    "stopped before its first step": lambda: MadeUpRun(9).add(Ended(outcome="stopped", message="Stopped.")),
}


def shown() -> ShownRun:
    return ShownRun(TrainSpec())


@cache
def grown(name: str) -> ShownRun:
    """Return a run whose events arrived one after the other."""
    return one_by_one(RUNS[name]().events)


@cache
def expected(name: str) -> dict[str, str]:
    return all_of(grown(name))


def one_by_one(events: list[Event]) -> ShownRun:
    run = shown()
    for event in events:
        run.take([event])
    return run


def read_on(run: ShownRun, follower: Follower) -> ShownRun:
    """Read a log as the window does, piece by piece, to its end."""
    while (grown := follower.look(pieces=2)).news:
        if grown.restarted:
            run.clear()
        run.take(grown.batches)
    return run


def all_of(run: ShownRun) -> dict[str, str]:
    """Return everything that is shown of a run as strings, in which NaN equals NaN."""
    metrics, history = run.metrics, dict(vars(run.history))
    for name, value in history.items():
        if isinstance(value, Columns):
            history[name] = {column: value[column].tolist() for column in value.names}
        if isinstance(value, HealthHistory):
            history[name] = [(table.layers, table.values.tolist()) for table in value.tables.values()]
    figures = {
        "metrics": (metrics.started, metrics.last, metrics.inspected, metrics.peak_bytes, metrics.run_peak_bytes),
        "speed": (metrics.tokens_per_second, metrics.mean_tokens_per_second, metrics.remaining_s, metrics.elapsed_s),
        "words": tuple(map(str, (run.phase, run.notice, run.saved))),
        "marks": [(each, str(each.tip)) for each in run.marks()], "anomalies": run.anomalies, "ended": run.ended,
        "rate": run.learning_rate, "checkpoints": run.checkpoints(),
    }
    return {name: repr(value) for name, value in (history | figures).items()}


@pytest.fixture
def short_pieces(monkeypatch) -> None:
    """Treat every log as long, and read it in pieces of a few hundred lines."""
    monkeypatch.setattr(journal_reader, "KEPT_FROM", 0)
    monkeypatch.setattr(Tail.read, "__defaults__", (50_000,))


def log_in(folder: Path) -> Path:
    folder.mkdir()
    return folder / "journal.jsonl"


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_that_a_run_is_shown_the_same_from_its_events_its_log_and_its_cache(tmp_path, short_pieces, monkeypatch, name):
    """Tries many small batches and a few large ones."""
    events, at_once = RUNS[name]().events, shown()
    at_once.take(events)
    assert all_of(at_once) == expected(name)
    for steps in (100, 200_000):
        log = log_in(tmp_path / f"{steps}")
        log.write_bytes(b"".join(map(journal.sealed, events)))
        with monkeypatch.context() as patch:
            patch.setattr(journal_reader, "MOST_STEPS", steps)
            assert all_of(read_on(shown(), Follower(RunFolder(log.parent)))) == expected(name), "from the log"
            patch.setattr(journal_reader, "parse", lambda lines: iter([pytest.fail("parsed again")] if lines else []))
            assert all_of(read_on(shown(), Follower(RunFolder(log.parent)))) == expected(name), "from what is kept"


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_that_a_run_that_is_still_written_continues_where_its_cache_ends(tmp_path, short_pieces, name):
    events, log = RUNS[name]().events, log_in(tmp_path / "run")
    half = len(events) // 2
    log.write_bytes(b"".join(map(journal.sealed, events[:half])))
    run_history.read(log)  # this also writes the cache
    run, follower = shown(), Follower(RunFolder(log.parent))
    assert all_of(read_on(run, follower)) == all_of(one_by_one(events[:half]))
    for end in range(half, len(events), 97):
        with log.open("ab") as file:
            file.write(b"".join(map(journal.sealed, events[end : end + 97])))
        read_on(run, follower)
    assert all_of(run) == expected(name)


@pytest.mark.slow
def test_that_the_runs_have_every_value_to_be_compared():
    """Ensures that the comparisons above are not vacuous."""
    seen = list(map(grown, RUNS))
    kinds = {mark.kind for run in seen for mark in run.anomalies}
    assert kinds == {"jump", "overfitting"}
    assert max(len(run.anomalies) for run in seen) > 5
    assert any("copied" in str(mark.tip) for run in seen for mark in run.marks())
    assert {str(run.phase) for run in seen} >= {"Training", "Paused", "Stopped."}


def test_that_overfitting_is_marked_once_although_it_is_found_again_after_a_resume():
    seen = one_by_one(MadeUpRun(1, jumps=0).train(0, 700).events)
    [mark] = seen.anomalies
    again = one_by_one(MadeUpRun(1, jumps=0).train(0, 700).resume(mark.step + 2).train(mark.step + 2, 700).events)
    assert [each.kind for each in again.anomalies] == ["overfitting"]


def test_that_a_run_is_shown_with_its_vocabulary_or_with_gpt_2s_where_it_cannot_be_read(tmp_path):
    assert ShownRun().tokenizer is GPT2
    own = Characters("abc")
    spec = TrainSpec(config=GPTConfig(vocabulary="characters", vocab_size=own.size))
    folder = RunFolder.create(spec, "a text", "0" * 64, tmp_path / "run", tokenizer=own)
    assert ShownRun(opened=folder).tokenizer == own
    (folder.path / FILE).unlink()
    assert ShownRun(opened=folder).tokenizer is GPT2
