"""Sampling of a token from logits (book §5.3): each stage of the sampler is a class in its own file.

To add a stage, add a file and an entry in ``STAGES``: flags, JSON, checks, sliders and table columns are derived from
the class.
"""

from gptstudio.gpt.sampling.frequency_penalty import FrequencyPenalty
from gptstudio.gpt.sampling.min_p import MinP
from gptstudio.gpt.sampling.presence_penalty import PresencePenalty
from gptstudio.gpt.sampling.repetition_penalty import RepetitionPenalty
from gptstudio.gpt.sampling.stage import SamplerStage
from gptstudio.gpt.sampling.temperature import Temperature
from gptstudio.gpt.sampling.top_k import TopK
from gptstudio.gpt.sampling.top_p import TopP
from gptstudio.gpt.sampling.typical_p import TypicalP

STAGES: dict[str, type[SamplerStage]] = {
    stage.name: stage for stage in (
        RepetitionPenalty, FrequencyPenalty, PresencePenalty, Temperature, TopK, TopP, TypicalP, MinP,
    )
}
"""Stages by name."""

USUAL_ORDER = tuple(STAGES)
