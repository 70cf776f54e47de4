"""Runs as a user has them: launched, stopped, continued, and controlled from another thread."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from lessons import FEW, short_run, write_lesson

from gptstudio import devices, files
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import checkpoint, corpus, imported_models, launch, trainer
from gptstudio.training.control import Control
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    Event,
    MemoryRead,
    PhaseChanged,
    RunStarted,
    StepDone,
    StepReport,
    to_json,
)
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState, build_state

PAUSED = PhaseChanged(phase="paused")
DROPPING = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=8, n_heads=2, n_layers=2, drop_rate=0.2)


class Killed(BaseException):
    """As if the program were killed."""


def kill(*_: object) -> None:
    raise Killed


def break_weights(optimizer, *_) -> None:
    """An update that breaks the weights."""
    with torch.no_grad():
        optimizer.param_groups[0]["params"][0].fill_(float("nan"))


def after_step(step: int, do: Callable[[], object]) -> Callable[[Event], None]:
    """Return a sink that calls ``do`` once this step is reported."""

    def sink(event: Event) -> None:
        if isinstance(event, StepDone) and event.step == step:
            do()

    return sink


def journal_lines(run: RunFolder) -> list[str]:
    """Return the journal of a run as lines, without times, memory, step reports, and the events of starting and
    stopping."""
    passing = (RunStarted, PhaseChanged, MemoryRead, CheckpointSaved, StepReport, Ended)
    events = [event for event in run.events() if not isinstance(event, passing)]
    return [
        to_json(event.model_copy(update={"elapsed_s": 0.0}) if isinstance(event, StepDone) else event)
        for event in events
    ]


def train(spec: TrainSpec, path: Path, stop_at: int | None = None) -> RunFolder:
    """Return a run trained to its end, or stopped after a step."""
    control = Control()
    sinks = [] if stop_at is None else [after_step(stop_at, control.stop)]
    ended = launch.launch(spec, control, sinks, path)
    assert ended.outcome == ("finished" if stop_at is None else "stopped"), ended.message
    return RunFolder(path)


def continue_run(run: RunFolder, stop_at: int | None = None, start: Path | None = None) -> Ended:
    control = Control()
    return launch.resume(run, control, [] if stop_at is None else [after_step(stop_at, control.stop)], start)


def of(run: RunFolder, kind: type) -> list:
    return [event for event in run.events() if isinstance(event, kind)]


def steps(run: RunFolder) -> list[StepDone]:
    return of(run, StepDone)


def weights(run: RunFolder) -> dict[str, torch.Tensor]:
    """Return the last saved weights."""
    return checkpoint.load(run.newest_checkpoint()).state_dict()


def equal(ours: dict[str, torch.Tensor], theirs: dict[str, torch.Tensor]) -> bool:
    """Return whether all tensors are equal to the last bit."""
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in theirs)


def assert_same(ours: RunFolder, theirs: RunFolder) -> None:
    """Assert that both runs have the same journal, and weights equal to the last bit."""
    assert journal_lines(ours) == journal_lines(theirs)
    assert equal(weights(ours), weights(theirs))


def state_of(spec: TrainSpec) -> TrainState:
    """Return the state of training before the first step."""
    return build_state(spec, corpus.read(spec), devices.cpu(), spec.precision == "bf16")


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory) -> Callable[[TrainSpec], RunFolder]:
    """Return the run of a spec trained to its end: made once for all tests that compare with it, so none may
    change it."""
    made: dict[tuple[bytes, str], RunFolder] = {}

    def run(spec: TrainSpec) -> RunFolder:
        key = b"\0".join(Path(each).read_bytes() for each in spec.text), spec.model_dump_json(exclude={"text"})
        if key not in made:
            made[key] = train(spec, tmp_path_factory.mktemp("whole") / "run")
        return made[key]

    return run


@pytest.fixture(scope="module")
def stopped_once(few_tokens, tmp_path_factory) -> RunFolder:
    folder = tmp_path_factory.mktemp("stopped")
    config = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=4, n_heads=1, n_layers=1)
    spec = short_run(write_lesson(folder), config=config, steps=20, save_every_epochs=1, keep_others=5)
    return train(spec, folder / "run", stop_at=17)


@pytest.fixture
def stopped(stopped_once, tmp_path) -> RunFolder:
    """A run of 20 steps that was stopped, with the checkpoints of steps 11 and 17; a copy of one that is made once."""
    run = RunFolder(shutil.copytree(stopped_once.path, tmp_path / "run"))
    assert [path.name for path in run.checkpoints()] == ["step-000011", "step-000017"]
    return run


def seal(folder: Path) -> None:
    """Rewrite the digests of a checkpoint, as if it had been made with these contents."""
    every = checkpoint.WEIGHTS, checkpoint.RESUME, checkpoint.STATE, imported_models.ORIGIN
    names = [name for name in every if (folder / name).is_file()]
    (folder / checkpoint.SUMS).write_text("".join(f"{files.sha256(folder / name)}  {name}\n" for name in names))


class Steered:
    """A run on a separate thread, controlled from the test's thread. Waits for events of the run, never for a time."""

    def __init__(self, spec: TrainSpec, path: Path, control: Control | None = None):
        self.control, self.run = control or Control(), RunFolder(path)
        self.events: list[Event] = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=launch.launch, args=(spec, self.control, [self._take], path))

    def __enter__(self) -> "Steered":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.control.stop()
        self.join()

    def join(self) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive(), "the run does not end"

    def until(self, condition: Callable[[list[Event]], object]) -> None:
        with self._news:
            assert self._news.wait_for(lambda: condition(self.events), 60), "nothing came"

    def until_step(self, step: int) -> None:
        self.until(lambda events: any(isinstance(event, StepDone) and event.step >= step for event in events))

    def until_paused(self) -> None:
        self.until(lambda events: events and events[-1] == PAUSED)

    def of(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]

    def _take(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()


def breaks(monkeypatch, step: int, value: float) -> list[str]:
    """Multiply the loss of a step by ``value``. Return a list that then receives the beginning of its batch, as
    text."""
    real, begins = trainer.batch_loss, []

    def batch_loss(state, batch):
        loss = real(state, batch)
        if not state.model.training or state.progress.step - 1 != step:
            return loss
        begins.append(GPT2.decode(batch[0][0, :12].tolist()))
        return loss * value

    monkeypatch.setattr(trainer, "batch_loss", batch_loss)
    return begins
