"""Settings of text generation and beam search, with labels, units, ranges and help texts. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypedDict

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.config import DEFAULT_PRESET
from gptstudio.gpt.memory import Weights
from gptstudio.gpt.sampling.params import SamplingFields, SamplingParams
from gptstudio.i18n import message
from gptstudio.training.spec_problems import COMPILED_REFERENCE, encoding_problems


class _Prompt(Spec):
    model: str = setting(
        DEFAULT_PRESET, "Model",
        "A run, a checkpoint, or a preset (random weights, initialised from the seed).", panel=False
    )
    prompt: str = setting("Every effort moves you", "Prompt", "The text to continue.", panel=False)
    max_new_tokens: int = setting(
        50, "New tokens", "Number of tokens to generate.", unit="tokens", low=1, high=100_000, step=10
    )


class GenerateSpec(SamplingFields, _Prompt):
    """Settings for continuing a prompt (book §5.3). The sampling parameters can be changed during generation."""

    stop_at_end: bool = setting(True, "Stop at <|endoftext|>", "The text ends when the model generates <|endoftext|>.")
    stop_text: str = setting("", "Stop at", "Stop once this text has been generated, or leave empty.", empty="never")
    samples: int = setting(
        1, "Samples", "Number of texts to generate at once, in one pass of the model per token.",
        unit="texts", low=1, high=64, step=1,
    )
    seed: int = setting(
        123, "Random seed",
        "Seed for sampling, and for the weights of an untrained model: the same seed gives the same result.",
        low=0, high=2**63 - 1, step=1)
    device: str = setting("auto", "Device", "auto, cpu, cuda, cuda:1, mps.", panel=False)
    precision: Weights = setting(
        "fp32", "Precision",
        "fp32 generates with the weights as they are. bf16 and int8 round a copy of them to half and a quarter of the "
        "bits: faster on a CPU, but no longer exactly this model. Attention, layers and neighbours always use fp32.",
    )
    compile: bool = setting(
        False, "Compile",
        "On a CUDA GPU, PyTorch compiles the model before the first token, which takes some seconds and makes every "
        "token faster (torch.compile).", panel=False
    )
    reference: bool = setting(
        False, "Reference arithmetic", "Computes exactly as the book's code does, slower.", panel=False
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        yield from super().relations(values)
        yield from encoding_problems("stop_text", message("Stop at"), values.get("stop_text", ""))
        if values.get("reference") and values.get("precision", "fp32") != "fp32":
            yield Problem("precision", message(
                "Precision is {precision}; with reference arithmetic, it must be fp32.", precision=values["precision"]
            ))
        if values.get("reference") and values.get("compile"):
            yield COMPILED_REFERENCE

    @property
    def sampling_params(self) -> SamplingParams:
        return SamplingParams(**{name: getattr(self, name) for name in SamplingFields.model_fields})

    @property
    def path(self) -> Literal["reference", "fast"]:
        return "reference" if self.reference else "fast"


class GenerateSettings(TypedDict, total=False):
    """Settings of text generation as keyword arguments; a test compares them with :class:`GenerateSpec`."""

    max_new_tokens: int
    seed: int
    samples: int
    stop_at_end: bool
    stop_text: str
    temperature: float
    top_k: int | None
    top_p: float
    min_p: float
    typical_p: float
    repetition_penalty: float
    frequency_penalty: float
    presence_penalty: float
    order: tuple[str, ...]


class BeamSpec(Spec):
    """Settings of a beam search."""

    width: int = setting(
        4, "Beam width", "Number of texts that are kept at each step; 1 is greedy decoding.", low=1, high=8, step=1)
    length_penalty: float = setting(
        0.0, "Length penalty",
        "Texts are compared by the sum of their log-probabilities, divided by their length to the power of this value: "
        "0 compares the sums, 1 the means per token. It matters only where texts end by themselves.",
        low=0.0, high=2.0, step=0.1)
    max_new_tokens: int = setting(
        20, "New tokens", "Number of tokens to generate.", unit="tokens", low=1, high=1_000, step=10)
