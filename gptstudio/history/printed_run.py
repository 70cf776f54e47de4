"""A printed run to hold one's own against. No torch."""

from __future__ import annotations

import json
from dataclasses import dataclass

from gptstudio import paths
from gptstudio.gpt.config import PRESETS
from gptstudio.training.spec import TrainSpec


@dataclass(frozen=True)
class Reference:
    """Published evaluations, as (step, training loss, validation loss), and their source."""

    source: str
    evaluations: list[tuple[int, float, float]]


def reference_for(spec: TrainSpec) -> Reference | None:
    """The printed run that was asked for the same; None for any other. Seed, arithmetic and how often one measures may
    differ: they move the curve by less than its noise. A fine-tuning is another run."""
    if spec.init_from is not None or spec.freeze or spec.freeze_blocks:
        return None
    printed = json.loads((paths.resources() / "reference" / "book_run.json").read_text(encoding="utf-8"))
    wanted = printed["settings"] | {"text": tuple(printed["settings"]["text"])}
    if spec.config != PRESETS[printed["preset"]] or any(getattr(spec, name) != value for name, value in wanted.items()):
        return None
    return Reference(printed["source"], [tuple(row) for row in printed["evaluations_step_train_val"]])
