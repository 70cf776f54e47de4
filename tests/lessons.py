"""A text that is learned quickly, and a training run on it that takes a fraction of a second."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from gptstudio.data import texts
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.history import run_history
from gptstudio.training import corpus, executor, spec_problems
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, Event
from gptstudio.training.executor import Sink
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

TINY = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)
FEW = 6_200
"""Number of tokens sufficient for the lesson and for the beginnings of samples."""


@dataclass
class Run:
    """A run as a sink received it."""

    folder: RunFolder
    events: list[Event] = field(default_factory=list)

    def of(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def ended(self) -> Ended:
        last = self.events[-1]
        assert isinstance(last, Ended)
        return last


def losses(run: RunFolder) -> list[float]:
    """Return the loss of each step of a run."""
    return run_history.read(run.journal_path).steps["loss"].tolist()


def write_lesson(folder: Path, times: int = 30) -> Path:
    """Write a text that repeats one sentence, and return its path."""
    file = folder / "lesson.txt"
    file.write_text("the cat sat on the mat, and the dog sat on the cat. " * times, encoding="utf-8")
    return file


def short_run(text: Path, /, **changes) -> TrainSpec:
    """Return the settings of a short run on a text, with some changed."""
    defaults = {
        "config": TINY, "text": str(text), "steps": 12, "learning_rate": 1e-2, "sample_tokens": 3, "eval_iter": 1,
        "eval_freq": 5, "precision": "fp32", "device": "cpu",
    }
    return TrainSpec.make(defaults, **changes)


WINDOW: dict[str, int] = {}
"""Fields in which the tiny model of the window's tests differs from ``TINY``."""


@pytest.fixture(scope="module")
def few_tokens() -> Iterator[None]:
    """Allow a vocabulary of ``FEW`` tokens, which tiny models use: with all of GPT-2's, the last layer and the files
    take most of their time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spec_problems, "VOCAB_SIZE", FEW)
        yield


@pytest.fixture(scope="module")
def common_words(few_tokens, tmp_path_factory) -> Iterator[None]:
    """Use ``FEW`` tokens in the window's tiny models too, with a story reduced to these tokens."""
    whole = texts.locate

    def locate(text: str) -> Path | None:
        return story if text == texts.STORY else whole(text)

    story = tmp_path_factory.mktemp("common") / "story.txt"
    story.write_text(_without_rare_words(texts.read(texts.STORY).content), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "locate", locate)
        patch.setitem(WINDOW, "vocab_size", FEW)
        yield


def _without_rare_words(text: str) -> str:
    ids = GPT2.encode(text)
    while max(ids) >= FEW:  # the remaining parts may be joined to other tokens
        ids = GPT2.encode(GPT2.decode([each for each in ids if each < FEW]))
    return GPT2.decode(ids)


def tiny_config() -> GPTConfig:
    """Return the tiny model of the window's tests: with all of GPT-2's vocabulary, or that of ``common_words``."""
    return TINY.but(**WINDOW)


@pytest.fixture
def lesson(tmp_path) -> Path:
    return write_lesson(tmp_path)


@pytest.fixture
def tiny_spec(lesson, request) -> Callable[..., TrainSpec]:
    """Return a function that makes the settings of a short run on the lesson, with some changed."""
    few = {"config": TINY.but(vocab_size=FEW)} if "few_tokens" in request.fixturenames else {}
    return partial(short_run, lesson, **few)


@pytest.fixture
def study(tmp_path, tiny_spec) -> Callable[..., Run]:
    """Return a function that trains on the lesson to the end, and returns the run with its events."""

    def run(name: str = "run", control: Control | None = None, sinks: list[Sink] | None = None, **changes) -> Run:
        from gptstudio.training import trainer

        spec = tiny_spec(**changes)
        text = corpus.read(spec)
        folder = RunFolder.create(spec, text.text.name, text.text.sha256, tmp_path / name)
        done = Run(folder)
        stream = trainer.train(spec, text, folder, control or Control())
        executor.execute(stream, [done.events.append, *(sinks or [])])
        return done

    return run
