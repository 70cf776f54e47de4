"""Questions about two prompts, and about the induction heads of a model. No torch until they are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gptstudio import devices
from gptstudio.app.requests import ModelQuery
from gptstudio.app.tasks import Task
from gptstudio.i18n import message
from gptstudio.inference.prompt_pair import Kind, PromptPair


@dataclass(frozen=True)
class PatchQuery(ModelQuery):
    """Request for activation patching. Answer: :class:`gptstudio.inference.patching.Patching`."""

    pair: PromptPair
    kind: Kind = "resid"
    answer: int | None = None
    wrong: int | None = None

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.patched_runs import patch_bytes
        from gptstudio.inference.patching import patch

        needed, device = patch_bytes(model.cfg, len(self.pair.clean)), devices.choose(self.model.device)
        devices.check_memory(needed, device, message("to copy activations between two prompts"))
        return patch(model, self.pair, self.kind, self.answer, self.wrong, task.control.check, task.report)


@dataclass(frozen=True)
class InductionQuery(ModelQuery):
    """Request for the scores of all heads. Answer: :class:`gptstudio.inference.induction.Induction`."""

    seed: int = 0
    for_text: ClassVar[bool] = False

    def find(self, model: Any, task: Task) -> Any:
        from gptstudio.inference.induction import induction

        return induction(model, self.seed, task.control.check)
