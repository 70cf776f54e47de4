"""Questions about two prompts, and about the induction heads of a model. No torch until they are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gptstudio.app.requests import ModelQuery
from gptstudio.app.tasks import Task
from gptstudio.inference.prompt_pair import Kind, PromptPair


@dataclass(frozen=True)
class PatchQuery(ModelQuery):
    """Request for activation patching. Answer: :class:`gptstudio.inference.patching.Patching`."""

    pair: PromptPair
    kind: Kind = "resid"
    answer: int | None = None
    wrong: int | None = None

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.patching import patch

        return patch(model, self.pair, self.kind, self.answer, self.wrong, task.control.check, task.report)


@dataclass(frozen=True)
class InductionQuery(ModelQuery):
    """Request for the scores of all heads. Answer: :class:`gptstudio.inference.induction.Induction`."""

    seed: int = 0

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.induction import induction

        return induction(model, self.seed, task.control.check)
