"""Answers of the experiments off the window's thread, also those that train models first: each is a task's work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gptstudio.app.lab_request import LabRequest
from gptstudio.app.tasks import Task, Work
from gptstudio.app.training_tasks import give_way

if TYPE_CHECKING:
    from gptstudio.labs.lab import Progress


def answer_lab(request: LabRequest) -> Work:
    """Answer a lab that needs no model."""
    return lambda _: request.find()


def train_for_lab(request: LabRequest) -> Work:
    """Answer a lab that trains models for it: each step is reported, and ends the work if the task was cancelled."""

    def work(task: Task) -> Any:
        def watch(progress: Progress) -> None:
            task.report(progress.done, progress.total)

        give_way()
        return request.find(watch=watch)

    return work
