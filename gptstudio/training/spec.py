"""What a run is asked to do: every setting with its label, unit, range and help. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from pydantic import field_validator

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, VOCAB_SIZE, GPTConfig
from gptstudio.gpt.sampling_params import STAGES, SamplingParams, Stage
from gptstudio.i18n import message


class TrainSpec(Spec):
    """One training run. Names and defaults are the seeds' (chapter 5)."""

    config: GPTConfig = PRESETS[DEFAULT_PRESET]
    text: tuple[str, ...] = setting(
        ("verdict",), "Text",
        "What to learn: verdict (The Verdict, Edith Wharton, 1908), story (ours), a file, or a folder of .txt and "
        ".md files. May be given several times.",
        panel=False,
    )
    epochs: int = setting(
        10, "Epochs", "How often the whole training text is read.", unit="times", low=1, high=100_000, step=1
    )
    steps: int | None = setting(
        None, "Steps", "Stop after this many steps instead. Empty: all epochs.", low=1, high=100_000_000, step=10,
        empty="all epochs",
    )
    batch_size: int = setting(
        2, "Batch", "How many windows of text are learned from in one step.", unit="windows",
        low=1, high=65_536, step=1,
    )
    accumulation: int = setting(
        1, "Batches per step",
        "How many batches' gradients are averaged for one step: a larger batch in the same memory.",
        unit="batches", low=1, high=65_536, step=1, group="Optimizer",
    )
    learning_rate: float = setting(
        4e-4, "Learning rate", "How far one step moves the weights; with a schedule, at its highest point.",
        low=0.0, high=10.0, step=1e-4,
    )
    schedule: Literal["constant", "cosine"] = setting(
        "constant", "Schedule", "cosine: the learning rate rises in a line, then falls along half a cosine.",
        group="Schedule",
    )
    warmup_steps: int = setting(
        20, "Warm-up", "With cosine: over so many steps the learning rate rises from nothing.",
        unit="steps", low=0, high=100_000_000, step=10, group="Schedule",
    )
    min_learning_rate: float = setting(
        4e-5, "Lowest rate", "With cosine: where the learning rate ends.", low=0.0, high=10.0, step=1e-5,
        group="Schedule",
    )
    weight_decay: float = setting(
        0.1, "Weight decay", "How strongly AdamW pulls every weight towards zero.", low=0.0, high=10.0, step=0.01,
        group="Optimizer",
    )
    beta1: float = setting(
        0.9, "Beta 1", "How much of its direction AdamW keeps from step to step.", low=0.0, high=0.999999, step=0.01,
        group="Optimizer",
    )
    beta2: float = setting(
        0.999, "Beta 2", "How much AdamW remembers of how large the gradients were.",
        low=0.0, high=0.999999, step=0.001, group="Optimizer",
    )
    gradient_clip: float = setting(
        0.0, "Gradient clip", "The longest gradient allowed; longer ones are shortened. 0: never.",
        low=0.0, high=1_000.0, step=0.5, group="Optimizer",
    )
    train_ratio: float = setting(
        0.90, "Training share", "The share of the text to learn from; the rest only tests what was learned.",
        low=0.01, high=0.99, step=0.05, group="Text",
    )
    split: Literal["characters", "documents"] = setting(
        "characters", "Split", "characters: the last part of the text tests what was learned; documents: the last of "
        "several texts do.", group="Text",
    )
    stride: int | None = setting(
        None, "Stride", "How far each window starts behind the one before. Empty: the context, so none overlap.",
        unit="tokens", low=1, high=131_072, step=16, empty="context", group="Text",
    )
    eval_freq: int = setting(
        5, "Evaluate every", "Both losses are measured, dropout off, every so many steps.",
        unit="steps", low=1, high=1_000_000, step=1, group="Measuring",
    )
    eval_iter: int = setting(
        5, "Evaluate on", "How many batches each of the two losses is measured on.",
        unit="batches", low=1, high=1_000_000, step=1, group="Measuring",
    )
    sample_prompt: str = setting(
        "Every effort moves you", "Sample prompt", "After each epoch the model goes on from here.", group="Measuring",
    )
    sample_tokens: int = setting(
        50, "Sample length", "How many tokens it writes.", unit="tokens", low=0, high=10_000, step=10,
        group="Measuring",
    )
    save_every_s: int | None = setting(
        30, "Save every, s",
        "A checkpoint after so many seconds, less often where saving itself takes long; the end of the run is saved in "
        "any case.",
        unit="s", low=1, high=1_000_000, step=10, empty="only at the end", group="Checkpoints",
    )
    save_every_epochs: int | None = setting(
        None, "Save every, epochs", "A checkpoint after every so many epochs. Empty: by time alone.",
        unit="epochs", low=1, high=100_000, step=1, empty="by time alone", group="Checkpoints",
    )
    keep_others: int = setting(
        0, "Keep besides", "Checkpoints kept besides the last and the one with the lowest validation loss.",
        unit="checkpoints", low=0, high=100_000, step=1, group="Checkpoints",
    )
    begin_with: str | None = setting(
        None, "Begin with",
        "The weights to go on from: a model that was brought in, a run, or a checkpoint. Its context may be longer. "
        "The seed then decides the order of the text and the dropout. Empty: fresh weights, drawn from the seed.",
        panel=False, empty="fresh weights", group="Fine-tuning",
    )
    freeze: tuple[sizing.Part, ...] = setting(
        (), "Freeze",
        "Parts of the model that training leaves as they are. With a tied output layer, token_embedding and "
        "output_layer are one matrix: either freezes both.",
        empty="nothing", group="Fine-tuning",
    )
    freeze_blocks: int = setting(
        0, "Freeze blocks", "The first so many blocks are left wholly as they are: attention, feed-forward and norms.",
        unit="blocks", low=0, high=1_000, step=1, group="Fine-tuning",
    )
    seed: int = setting(
        123, "Seed", "Where all chance starts: the same seed gives the same run.", low=0, high=2**63 - 1, step=1
    )
    device: str = setting("auto", "Device", "auto, cpu, cuda, cuda:1, mps.", panel=False)
    precision: Literal["auto", "fp32", "bf16"] = setting(
        "auto", "Precision", "bf16 computes in half the bits where the device is fast at it; weights stay in fp32.",
        group="Arithmetic",
    )
    reference: bool = setting(
        False, "Reference arithmetic",
        "Computes exactly as the book's code does, slower: the seeds' printed numbers come out to the last digit.",
        group="Arithmetic",
    )

    @field_validator("text", mode="before")
    @classmethod
    def _one_text_alone(cls, text: Any) -> Any:
        """One text may be given by itself, as in the records of earlier versions."""
        return (text,) if isinstance(text, str) else text

    @field_validator("freeze")
    @classmethod
    def _in_the_order_of_the_model(cls, freeze: tuple[sizing.Part, ...]) -> tuple[sizing.Part, ...]:
        """Each once: what freezes the same is the same."""
        return tuple(part for part in sizing.PARTS if part in freeze)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        config = values.get("config")
        if isinstance(config, GPTConfig):
            yield from vocabulary_problems(config)
            yield from _freezing_problems(config, values.get("freeze", ()), values.get("freeze_blocks", 0))
        yield from _beginning_problems(values.get("begin_with"))
        if values.get("text") == ():
            yield Problem("text", message("text is empty; allowed is verdict, story, or at least one file."))
        if values.get("reference") and values.get("precision") == "bf16":
            yield Problem(
                "precision", message("precision is 'bf16'; with reference arithmetic, allowed is fp32 or auto.")
            )
        if values.get("sample_prompt") == "" and values.get("sample_tokens"):
            yield Problem(
                "sample_prompt",
                message("sample_prompt is empty; allowed is a word or two, or a sample of 0 tokens."),
            )
        if values.get("schedule") == "cosine" and values.get("min_learning_rate", 0) > values.get("learning_rate", 0):
            yield Problem(
                "min_learning_rate",
                message(
                    "min_learning_rate is {lowest}; allowed is at most the learning rate, {rate}.",
                    lowest=f"{values['min_learning_rate']:g}", rate=f"{values['learning_rate']:g}",
                ),
            )

    @property
    def window_stride(self) -> int:
        return self.stride or self.config.context_length

    @property
    def tokens_per_step(self) -> int:
        return self.batch_size * self.accumulation * self.config.context_length

    @property
    def path(self) -> Literal["reference", "fast"]:
        return "reference" if self.reference else "fast"

    def uses_bf16(self, fast_bf16: bool) -> bool:
        """Whether matrices are multiplied in bf16: as asked, or where the device is fast at it."""
        return self.precision == "bf16" or (self.precision == "auto" and fast_bf16 and not self.reference)


class GenerateSpec(Spec):
    """One continuation of a prompt (seeds 5.3). What its :class:`SamplingParams` hold may be turned while it runs."""

    model: str = setting(
        DEFAULT_PRESET, "Model", "A run, a checkpoint, or a preset (built fresh from the seed).", panel=False
    )
    prompt: str = setting("Every effort moves you", "Prompt", "The text to go on from.", panel=False)
    max_new_tokens: int = setting(
        50, "New tokens", "How many tokens to write.", unit="tokens", low=1, high=100_000, step=10
    )
    temperature: float = setting(
        1.0, "Temperature", "Divides the logits: below 1 surer, above 1 bolder, 0 always the likeliest token.",
        low=0.0, high=100.0, step=0.1,
    )
    top_k: int | None = setting(
        50, "Top-k", "Draw only from this many of the likeliest tokens. Empty: from all.",
        unit="tokens", low=1, high=1_000_000, step=1, empty="all",
    )
    top_p: float = setting(
        1.0, "Top-p", "Draw only from the smallest set of likeliest tokens whose probabilities reach this together.",
        low=0.0, high=1.0, step=0.05,
    )
    min_p: float = setting(
        0.0, "Min-p", "Draw only from tokens that are at least this share as likely as the likeliest.",
        low=0.0, high=1.0, step=0.01,
    )
    repetition_penalty: float = setting(
        1.0, "Repetition penalty", "Above 1: tokens that are in the text already become less likely.",
        low=0.01, high=100.0, step=0.05,
    )
    order: tuple[str, ...] = setting(
        STAGES, "Order", "The stages of sampling in the order in which they work, each of them once.", panel=False
    )
    stop_at_end: bool = setting(
        True, "Stop at <|endoftext|>", "The text ends where the model ends it, with <|endoftext|>."
    )
    stop_text: str = setting(
        "", "Stop at", "The text ends once this has been written. Empty: nowhere.", empty="nowhere"
    )
    samples: int = setting(
        1, "Samples", "How many texts to write at once, in one pass of the model for each token.",
        unit="texts", low=1, high=64, step=1,
    )
    seed: int = setting(123, "Seed", "Where chance starts: the same seed draws the same text.",
                        low=0, high=2**63 - 1, step=1)
    device: str = setting("auto", "Device", "auto, cpu, cuda, cuda:1, mps.", panel=False)
    precision: sizing.Weights = setting(
        "fp32", "Precision",
        "fp32 decodes with the weights as they are. bf16 and int8 round a copy of them to half and a quarter of the "
        "bits: faster on a processor, and no longer exactly this model. Attention, layers and neighbours are read in "
        "fp32.",
    )
    reference: bool = setting(
        False, "Reference arithmetic", "Computes exactly as the book's code does, slower.", panel=False
    )

    @field_validator("order", mode="before")
    @classmethod
    def _one_after_the_other(cls, order: Any) -> Any:
        """May be given in one word, as on the command line: top_k,temperature,…"""
        parts = (order,) if isinstance(order, str) else order
        return tuple(name.strip() for part in parts for name in part.split(",")) if _are_texts(parts) else order

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        order = values.get("order", STAGES)
        if sorted(order) != sorted(STAGES):
            yield Problem("order", message(
                "order is {order}; allowed is each of {stages} once.", order=",".join(order), stages=", ".join(STAGES)
            ))
        if values.get("reference") and values.get("precision", "fp32") != "fp32":
            yield Problem("precision", message(
                "precision is {precision}; with reference arithmetic, allowed is fp32.", precision=values["precision"]
            ))

    @property
    def sampling_params(self) -> SamplingParams:
        return SamplingParams(
            self.temperature, self.top_k, self.top_p, self.min_p, self.repetition_penalty,
            cast(tuple[Stage, ...], self.order),
        )

    @property
    def path(self) -> Literal["reference", "fast"]:
        return "reference" if self.reference else "fast"


def _are_texts(parts: Any) -> bool:
    return isinstance(parts, (tuple, list)) and all(isinstance(part, str) for part in parts)


def vocabulary_problems(config: GPTConfig) -> Iterator[Problem]:
    """A model that reads text needs a row for every token of the tokenizer."""
    if config.vocab_size < VOCAB_SIZE:
        yield Problem(
            "vocab_size",
            message(
                "vocab_size is {size}; to read text, GPT-2's tokenizer needs at least {least}.",
                size=f"{config.vocab_size:,}", least=f"{VOCAB_SIZE:,}",
            ),
        )


def _freezing_problems(config: GPTConfig, freeze: tuple[sizing.Part, ...], blocks: int) -> Iterator[Problem]:
    """Only what is there can be frozen, and something has to be left to train."""
    if blocks > config.n_layers:
        yield Problem("freeze_blocks", message(
            "freeze_blocks is {blocks}; the model has {layers} blocks, so allowed is at most {layers}.",
            blocks=f"{blocks:,}", layers=f"{config.n_layers:,}",
        ))
    elif not sizing.trained_count(config, freeze, blocks):
        yield Problem("freeze", message("freeze leaves nothing to train; allowed is to leave out at least one part."))


def _beginning_problems(name: str | None) -> Iterator[Problem]:
    if name in PRESETS:
        yield Problem("begin_with", message(
            "begin_with is '{name}', a preset, which has no weights of its own; allowed is a model that was brought "
            "in, a run, a checkpoint, or nothing.", name=name,
        ))
    elif name is not None and not name.strip():
        yield Problem("begin_with", message(
            "begin_with is empty; allowed is a model that was brought in, a run, a checkpoint, or nothing."
        ))
