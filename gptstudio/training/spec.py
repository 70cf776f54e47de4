"""Settings of a training run, with labels, units, ranges and help texts. No torch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import field_validator

from gptstudio.devices import Device
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.training.optimizers import OPTIMIZER_FIELDS, OPTIMIZERS, OptimizerName, chosen
from gptstudio.training.optimizers.optimizer_kind import OptimizerKind
from gptstudio.training.spec_problems import setting_problems, settings_in_use, unused_settings

VALIDATION_PROBE = "<validation>"
"""Probe prompt that represents the beginning of the validation text."""
DEFAULT_PROBES = ("Every effort moves you", "I had always thought Jack G", VALIDATION_PROBE)


class TrainSpec(Spec):
    """Settings of a training run, with the names and defaults of the book (chapter 5)."""

    config: GPTConfig = PRESETS[DEFAULT_PRESET]
    text: tuple[str, ...] = setting(
        ("verdict",), "Text",
        "Training text: verdict (The Verdict, Edith Wharton, 1908); story, grimm or luxun (included with GPT Studio: "
        "English, German, Chinese); a file, or a folder of .txt and .md files. Can be given several times.",
        panel=False,
    )
    epochs: int = setting(
        10, "Epochs", "Number of passes over the whole training text.", unit="times", low=1, high=100_000, step=1
    )
    steps: int | None = setting(
        None, "Steps",
        "Stops after this many steps instead, or leave empty for all epochs.", low=1, high=100_000_000, step=10,
        empty="all epochs",
    )
    batch_size: int = setting(
        2, "Batch size", "Number of text windows in one step.", unit="windows",
        low=1, high=65_536, step=1,
    )
    accumulation: int = setting(
        1, "Batches per step",
        "Number of batches whose gradients are averaged for one step (gradient accumulation): a larger batch in the "
        "same memory.",
        unit="batches", low=1, high=65_536, step=1, group="Optimizer",
    )
    learning_rate: float = setting(
        4e-4, "Learning rate", "How far one step moves the weights; with a schedule, the highest value.",
        low=0.0, high=10.0, step=1e-4,
    )
    schedule: Literal["constant", "cosine"] = setting(
        "constant", "Schedule", "cosine: the learning rate rises linearly, then falls along half a cosine.",
        group="Schedule",
    )
    warmup_steps: int = setting(
        20, "Warm-up", "With cosine: number of steps over which the learning rate rises from zero.",
        unit="steps", low=0, high=100_000_000, step=10, group="Schedule",
    )
    min_learning_rate: float = setting(
        4e-5, "Lowest rate", "With cosine: the final learning rate.", low=0.0, high=10.0, step=1e-5,
        group="Schedule",
    )
    optimizer: OptimizerName = setting(
        "adamw", "Optimizer",
        "How a step follows from the gradients. adamw: as in the book; sgd: gradient descent with momentum, half the "
        "state; muon: Muon for the matrices inside the blocks, AdamW for all else. Each needs a learning rate of its "
        "own.",
        group="Optimizer", names={name: kind.label for name, kind in OPTIMIZERS.items()},
    )
    weight_decay: float = OPTIMIZER_FIELDS["weight_decay"]
    beta1: float = OPTIMIZER_FIELDS["beta1"]
    beta2: float = OPTIMIZER_FIELDS["beta2"]
    momentum: float = OPTIMIZER_FIELDS["momentum"]
    nesterov: bool = OPTIMIZER_FIELDS["nesterov"]
    l2_penalty: float = OPTIMIZER_FIELDS["l2_penalty"]
    muon_momentum: float = OPTIMIZER_FIELDS["muon_momentum"]
    matrix_rate_ratio: float = OPTIMIZER_FIELDS["matrix_rate_ratio"]
    gradient_clip: float = setting(
        0.0, "Gradient clip", "Largest gradient norm allowed; larger gradients are scaled down. 0: no clipping.",
        low=0.0, high=1_000.0, step=0.5, group="Optimizer",
    )
    train_ratio: float = setting(
        0.90, "Training share", "Share of the text used for training; the rest is used only for validation.",
        low=0.01, high=0.99, step=0.05, group="Text",
    )
    split: Literal["characters", "documents"] = setting(
        "characters", "Split",
        "characters: the last part of the text is held "
        "out for validation; documents: the last of several texts are.", group="Text",
    )
    stride: int | None = setting(
        None, "Stride", "How far the window moves each time, or leave empty for the context length (no overlap).",
        unit="tokens", low=1, high=131_072, step=16, empty="context", group="Text",
    )
    eval_freq: int | None = setting(
        None, "Evaluate every",
        "Number of steps between two measurements of both losses, with dropout off; or leave empty for 5, and for 15 "
        "where the model is narrower than GPT-2 and a step is short.",
        unit="steps", low=1, high=1_000_000, step=1, empty="automatic", group="Evaluation",
    )
    eval_iter: int = setting(
        5, "Batches per evaluation", "Number of batches on which each of the two losses is measured.",
        unit="batches", low=1, high=1_000_000, step=1, group="Evaluation",
    )
    health: bool = setting(
        True, "Health of the layers",
        "At each evaluation, measures the gradients, updates and activations of every layer. It changes nothing in the "
        "run.", group="Evaluation",
    )
    sample_prompt: str = setting(
        "Every effort moves you", "Sample prompt",
        "After each epoch, the model continues this text.", group="Evaluation",
    )
    sample_tokens: int = setting(
        50, "Sample length", "Number of tokens to generate.", unit="tokens", low=0, high=10_000, step=10,
        group="Evaluation",
    )
    probes: tuple[str, ...] = setting(
        DEFAULT_PROBES, "Probe prompts",
        "At each evaluation, the run records how probable every next token is. Up to eight prompts, one per line. "
        "<validation> stands for the first words of the validation text, whose next token is known.",
        group="Evaluation", empty="none",
    )
    save_every_s: int | None = setting(
        30, "Save every (s)",
        "Seconds between checkpoints; more if saving takes long. A new lowest validation loss is saved sooner.",
        unit="s", low=1, high=1_000_000, step=10, empty="only at the end", group="Checkpoints",
    )
    save_every_epochs: int | None = setting(
        None, "Save every (epochs)", "Number of epochs between checkpoints, or leave empty to save by time only.",
        unit="epochs", low=1, high=100_000, step=1, empty="by time only", group="Checkpoints",
    )
    keep_others: int = setting(
        0,
        "Extra checkpoints kept",
        "Checkpoints kept in addition to the last one and the one with the lowest validation loss.",
        unit="checkpoints", low=0, high=100_000, step=1, group="Checkpoints",
    )
    init_from: str | None = setting(
        None, "Initial weights",
        "Weights to start from: an imported model, a run or a checkpoint. Its context length may be longer. The seed "
        "then determines only the order of the text and the dropout. Leave empty for random weights, initialised from "
        "the seed.",
        panel=False, empty="random weights", group="Fine-tuning", formerly="begin_with",
    )
    freeze: tuple[sizing.Part, ...] = setting(
        (), "Freeze",
        "Parts of the model that training does not change. With a tied output layer, token_embedding and output_layer "
        "are one matrix: freezing either one freezes both.",
        empty="nothing", group="Fine-tuning",
    )
    freeze_blocks: int = setting(
        0, "Freeze blocks",
        "Number of blocks, from the first one on, that training does not change: attention, feed-forward network and "
        "norms.",
        unit="blocks", low=0, high=1_000, step=1, group="Fine-tuning",
    )
    seed: int = setting(
        123,
        "Random seed", "Seed for all random numbers: the same seed gives the same run.", low=0, high=2**63 - 1, step=1
    )
    device: str = setting("auto", "Device", "auto, cpu, cuda, cuda:1, mps.", panel=False)
    precision: Literal["auto", "fp32", "bf16"] = setting(
        "auto", "Precision",
        "bf16 computes with half the bits where the device is fast at it; the weights stay in fp32.",
        group="Arithmetic",
    )
    compile: Literal["auto", "on", "off"] = setting(
        "auto", "Compile",
        "on: PyTorch compiles the model before the first step, which takes some seconds and makes every step faster "
        "(torch.compile); auto: on a CUDA GPU, for runs long enough to pay for it.",
        group="Arithmetic", names={"on": message("on"), "off": message("off")},
    )
    recompute_activations: bool = setting(
        False, "Recompute activations",
        "Keeps only the input of each block and computes the rest again when its gradients are computed (gradient "
        "checkpointing): much less memory, about a third more time, the same results.",
        group="Arithmetic",
    )
    reference: bool = setting(
        False, "Reference arithmetic",
        "Computes exactly as the book's code does, slower: reproduces the book's printed numbers exactly.",
        group="Arithmetic",
    )

    @field_validator("text", mode="before")
    @classmethod
    def _paths_as_texts(cls, text: Any) -> Any:
        """Accept paths instead of strings, and a single file instead of a list."""
        return tuple(map(_as_text, text if isinstance(text, (list, tuple)) else (text,)))

    @field_validator("init_from", mode="before")
    @classmethod
    def _path_as_text(cls, init_from: Any) -> Any:
        return _as_text(init_from)

    @field_validator("probes")
    @classmethod
    def _each_once(cls, probes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(probes))

    @field_validator("freeze")
    @classmethod
    def _in_the_order_of_the_model(cls, freeze: tuple[sizing.Part, ...]) -> tuple[sizing.Part, ...]:
        """Sort the parts and remove duplicates, so that specs that freeze the same parts are equal."""
        return tuple(part for part in sizing.PARTS if part in freeze)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        return setting_problems(values)

    @property
    def evaluation_interval(self) -> int:
        """Number of steps between two evaluations: 5 as in the book, but 15 for small models, where evaluations would
        follow each other too quickly to be seen and take a fifth of the time."""
        return self.eval_freq or (15 if self.config.emb_dim < PRESETS["book"].emb_dim else 5)

    @property
    def window_stride(self) -> int:
        return self.stride or self.config.context_length

    @property
    def tokens_per_step(self) -> int:
        return self.batch_size * self.accumulation * self.config.context_length

    @property
    def chosen_optimizer(self) -> OptimizerKind:
        """Optimizer with its settings."""
        return chosen(self.optimizer, self.shallow())

    @classmethod
    def make_used(cls, values: Mapping[str, Any]) -> TrainSpec:
        """Return a spec with these values, but with defaults for settings that the schedule or optimizer does not use.

        Raises:
            SpecError: values are invalid; it lists every problem.
        """
        used = settings_in_use(values)
        return cls.make({name: value for name, value in values.items() if name in used})

    @property
    def unused_settings(self) -> tuple[Message, ...]:
        """Sentences on the changed settings that have no effect with this schedule and optimizer."""
        return tuple(unused_settings(self.shallow(), type(self).model_fields))

    @property
    def path(self) -> Literal["reference", "fast"]:
        return "reference" if self.reference else "fast"

    def dtype(self, device: Device) -> str:
        """Return the dtype of matrix products on a device: bf16, fp32, or tf32 on a CUDA GPU."""
        if self.uses_bf16(device.fast_bf16):
            return "bf16"
        return "tf32" if device.kind == "cuda" and not self.reference else "fp32"

    def uses_bf16(self, fast_bf16: bool) -> bool:
        """Return whether matrix products are in bf16: if requested, or automatically if the device is fast at it."""
        return self.precision == "bf16" or (self.precision == "auto" and fast_bf16 and not self.reference)


def _as_text(path: Any) -> Any:
    return os.fspath(path) if isinstance(path, os.PathLike) else path
