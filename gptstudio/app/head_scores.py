"""Scores of all heads at the checkpoints of a run: when does a head appear? No torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gptstudio import devices
from gptstudio.app.tasks import Task, Work
from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.i18n import message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.model_source import SavedModel, load
from gptstudio.training.run_folder import RunFolder, step_of

HeadScore = Literal["induction", "previous", "duplicate", "effect"]


@dataclass(frozen=True)
class ScoresRequest:
    """Scores of the heads.

    Attributes:
        score: of :mod:`gptstudio.inference.induction`, or the effect of ablation on the last token of ``text``.
        text: of the effect.
    """

    score: HeadScore = "induction"
    text: str = ""


@dataclass(frozen=True, eq=False)
class CheckpointScores:
    """Scores at a step.

    Attributes:
        step: counted from 0.
        values: (L, H).
        named_from: the score from which a head is named after what it does; 0 for effects.
    """

    step: int
    values: Any
    named_from: float


def score_checkpoints(run: RunFolder, request: ScoresRequest) -> Work:
    """Score the heads of every checkpoint, the earliest first, on the CPU, one model in memory at a time. The items are
    :class:`CheckpointScores`, progress counts checkpoints."""

    def work(task: Task) -> None:
        measure, paths = _measure(request), run.checkpoints()
        if not paths:
            raise UserError(message("This run has no checkpoint yet. Its heads can be scored once one is saved."))
        for done, path in enumerate(paths):
            task.report(done, len(paths))
            model = load(SavedModel(path), devices.choose("cpu"), "reference")
            task.emit(CheckpointScores(step_of(path), *measure(model, task)))
        task.report(len(paths), len(paths))

    return work


def _measure(request: ScoresRequest) -> Callable[[Any, Task], tuple[Any, float]]:
    """Return what scores a model: to its scores (L, H), and from which one a head is named.

    Raises:
        UserError: an effect on the last token of a text that has fewer than two.
    """
    if request.score == "effect":
        *ids, token = tokenizer.encode(request.text) or [0]
        if not ids:
            raise UserError(message(
                "The text must have at least two tokens: the effect on the last one is measured, which the model "
                "predicts from those before it."))
        return lambda model, task: (_effect(model, ids, token, task), 0.0)

    def score(model: Any, task: Task) -> tuple[Any, float]:
        from gptstudio.inference.induction import induction

        found = induction(model, GenerateSpec().seed, task.control.check)
        return found.of(request.score), found.named_from  # type: ignore[arg-type]

    return score


def _effect(model: Any, ids: list[int], token: int, task: Task) -> Any:
    """(L, H) size of the change of the token's log-probability by ablation."""
    from gptstudio.inference.effects import effects
    from gptstudio.inference.generator import check_vocabulary

    check_vocabulary(model, [*ids, token])
    return abs(effects(model, ids, token, task.control.check).ablation[:, :-1])
