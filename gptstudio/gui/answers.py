"""What the desk worker answers with: work of moments, asked by the window, applied by the tabs.

The newest ask wins: an answer carries the number of its ask, and an older one is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.devices import Device
from gptstudio.errors import UserError
from gptstudio.fields import Problem, SpecError
from gptstudio.gui.worker import Job, Post
from gptstudio.runs import corpus, texts
from gptstudio.runs.control import Control
from gptstudio.runs.executor import in_words
from gptstudio.runs.spec import TrainSpec


@dataclass(frozen=True)
class DevicesFound:
    devices: list[Device]


@dataclass(frozen=True)
class TextLooked:
    """What a run on this text will do, or why it cannot. ``missing``: the text could be fetched."""

    ask: int
    plan: corpus.Plan | None = None
    text_name: str = ""
    problems: tuple[Problem, ...] = ()
    missing: bool = False


@dataclass(frozen=True)
class Fetching:
    """Bytes of The Verdict so far."""

    done: int
    total: int


@dataclass(frozen=True)
class Fetched:
    """The Verdict is here, or the words why not."""

    problem: str = ""


def find_devices(post: Post) -> None:
    """Imports torch, on the desk's thread."""
    from gptstudio import devices

    post(DevicesFound(devices.find()))


def look_at_text(spec: TrainSpec, ask: int) -> Job:
    """Reads and tokenises the text, and plans the run."""

    def job(post: Post) -> None:
        try:
            text = corpus.read(spec)
            post(TextLooked(ask, corpus.plan(spec, text), text.text.name))
        except SpecError as error:
            post(TextLooked(ask, problems=tuple(error.problems)))
        except Exception as error:  # also a fault of ours has to be said, or the window would wait for ever
            missing = isinstance(error, texts.TextNotHere)
            post(TextLooked(ask, problems=(Problem("text", in_words(error)),), missing=missing))

    return job


def fetch_verdict(control: Control) -> Job:
    """Downloads The Verdict, unless it is stopped in between."""

    def job(post: Post) -> None:
        def progress(done: int, total: int) -> None:
            if control.stopping:
                raise UserError("The download was stopped.")
            post(Fetching(done, total))

        try:
            texts.fetch_verdict(progress)
            post(Fetched())
        except Exception as error:
            post(Fetched(in_words(error)))

    return job
