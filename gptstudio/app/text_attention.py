"""Question about attention over a whole text. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gptstudio.app.requests import ModelQuery
from gptstudio.app.tasks import Task
from gptstudio.inference.flow import AttentionSource


@dataclass(frozen=True)
class TextAttentionQuery(ModelQuery):
    """Request for how much each of these tokens attends to each. Answer:
    :class:`gptstudio.inference.flow.TextAttention`."""

    ids: tuple[int, ...]
    source: AttentionSource

    def find(self, model: Any, task: Task, /) -> Any:
        from gptstudio.inference.rollout import text_attention

        return text_attention(model, self.ids, self.source, task.control.check)
