"""Questions of a lab's page whose answers take longer than a frame, and their answers. No torch.

The newest question wins: a page drops an answer to any question but its last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gptstudio.fields import Spec
from gptstudio.gui.worker import Job, Post, attempt
from gptstudio.training.control import Control
from gptstudio.training.model_source import LiveModel, ModelSource

if TYPE_CHECKING:
    from gptstudio.labs.lab import Lab


@dataclass(frozen=True, eq=False)
class LabTask:
    """One question, and the model that its answer needs, where it needs one.

    Attributes:
        device: where the model is to compute.
    """

    lab: Lab
    request: Spec
    source: ModelSource | None = None
    device: str = "auto"

    def same_as(self, other: LabTask) -> bool:
        """Return whether the answer would be the same. A model in training changes between two questions."""
        if isinstance(self.source, LiveModel):
            return False
        return (self.lab, self.request) == (other.lab, other.request) and (self.source, self.device) == (
            other.source, other.device)

    def find(self, model: Any = None) -> LabAnswer:
        """Return the answer, or a message why there is none."""
        return attempt(
            lambda: LabAnswer(self, self.lab.answer(self.request, *([model] if self.source else []))),
            lambda words: LabAnswer(self, words=words),
        )


@dataclass(frozen=True)
class LabAnswer:
    """The answer; ``words`` say why there is none."""

    task: LabTask
    answer: Any = None
    words: str = ""


def lab_job(task: LabTask, control: Control) -> Job:
    """Answers on a worker, unless a newer question has come since."""

    def work(post: Post) -> None:
        if not control.stopping:
            post(task.find())

    return work
