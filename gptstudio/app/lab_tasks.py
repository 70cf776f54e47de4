"""Work of tasks that answer the questions of experiments, some of which train models first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gptstudio.app.requests import LoadedModels, Model, ModelRequest
from gptstudio.app.tasks import Task
from gptstudio.app.training_tasks import give_way
from gptstudio.fields import Spec
from gptstudio.training.model_source import LiveModel, ModelSource

if TYPE_CHECKING:
    from gptstudio.data.encodings import Progress
    from gptstudio.labs.lab import Lab


@dataclass(frozen=True, eq=False)
class LabRequest(ModelRequest):
    """Question of an experiment, with the model that its answer needs, if any.

    Attributes:
        device: device on which the model computes.
    """

    lab: Lab
    request: Spec
    source: ModelSource | None = None
    device: str = "auto"

    def __eq__(self, other: object) -> bool:
        """Return whether the answer would be the same. A model in training changes between two questions."""
        return isinstance(other, LabRequest) and not isinstance(self.source, LiveModel) and (
            (self.lab, self.request, self.source, self.device)
            == (other.lab, other.request, other.source, other.device))

    __hash__ = None  # type: ignore[assignment]

    @property
    def models(self) -> tuple[Model, ...]:
        return (Model(self.source, self.device, "reference"),) if self.source else ()

    def run(self, loaded: LoadedModels, task: Task) -> Any:
        """Return the answer of a lab about a model."""
        (model,) = self.models
        task.control.check()
        loaded.renew(model)
        return self.find(loaded.decoder(model, for_text=False).model)

    def find(self, model: Any = None, progress: Progress | None = None) -> Any:
        """Return the answer.

        Args:
            progress: called with the progress, if the lab reports it.

        Raises:
            UserError: there is no answer.
        """
        watched = {"progress": progress} if progress and self.lab.watched else {}
        return self.lab.answer(self.request, *([model] if self.source else []), **watched)


def train_for_lab(task: Task, request: LabRequest) -> Any:
    """Return the answer of a lab that trains models. Each step is reported; the work ends if the task is cancelled."""
    give_way()
    return request.find(progress=task.report)
