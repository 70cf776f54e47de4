"""Problems of settings that contradict each other, or that a range cannot exclude. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gptstudio.fields import Problem
from gptstudio.files import is_encodable
from gptstudio.gpt import sizing
from gptstudio.gpt.config import OWN_SIZES, PRESETS, VOCAB_SIZE, GPTConfig
from gptstudio.i18n import Message, message
from gptstudio.training.optimizers import OPTIMIZER_FIELDS, OPTIMIZERS

MOST_PROBES = 8

SCHEDULE_FIELDS = ("warmup_steps", "min_learning_rate")
"""Settings used only by the cosine schedule."""


COMPILED_REFERENCE = Problem("compile", message(
    "Compile is on, but reference arithmetic computes as the book's code does, which is not compiled; turn off one of "
    "the two."))


def setting_problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the problems of a run's settings; ``values`` contains only individually valid settings."""
    config = values.get("config")
    if isinstance(config, GPTConfig):
        yield from vocabulary_problems(config)
        yield from _freezing_problems(config, values.get("freeze", ()), values.get("freeze_blocks", 0))
        if config.vocabulary == "file" and not values.get("init_from", True):
            yield Problem("vocabulary", message(
                "Vocabulary is “{name}”, but there are no weights to begin with (init_from) that have one. Choose "
                "other weights, or another vocabulary.", name=message("from the weights")))
    yield from encoding_problems("sample_prompt", message("Sample prompt"), values.get("sample_prompt", ""))
    yield from _initial_weights_problems(values.get("init_from"))
    yield from _probe_problems(values.get("probes", ()))
    if values.get("text") == ():
        yield Problem("text", message("Text is empty; it must be verdict, story or at least one file."))
    if values.get("reference") and values.get("precision") == "bf16":
        yield Problem("precision", message("Precision is bf16; with reference arithmetic, it must be fp32 or auto."))
    if values.get("reference") and values.get("recompute_activations"):
        yield Problem("recompute_activations", message(
            "Recompute activations is on, but reference arithmetic computes as the book's code does, which keeps "
            "them; turn off one of the two."))
    if values.get("reference") and values.get("compile") == "on":
        yield COMPILED_REFERENCE
    if values.get("optimizer") == "sgd" and values.get("nesterov") and values.get("momentum") == 0:
        yield Problem("nesterov", message(
            "Nesterov momentum is on, but Momentum is 0; set Momentum above 0, or turn Nesterov momentum off."))
    if values.get("sample_prompt") == "" and values.get("sample_tokens"):
        yield Problem(
            "sample_prompt",
            message("Sample prompt is empty; enter a word or two, or set Sample length to 0."),
        )
    rates = [values[name] for name in ("min_learning_rate", "learning_rate") if name in values]
    if values.get("schedule") == "cosine" and rates != sorted(rates):
        lowest, rate = rates
        yield Problem("min_learning_rate", message(
            "Lowest rate ({lowest}) must not exceed the learning rate ({rate}).",
            lowest=f"{lowest:g}", rate=f"{rate:g}"))


def warmup_problems(schedule: str, warmup_steps: int, total_steps: int) -> Iterator[Problem]:
    """Yield a problem if the warm-up is not shorter than the run, because the learning rate would then never fall.

    This is checked only for new runs; existing runs can continue.
    """
    if schedule == "cosine" and warmup_steps >= total_steps:
        yield Problem("warmup_steps", message(
            "Warm-up ({warmup} steps) must be shorter than the run ({total} steps), or the learning rate only rises. "
            "Choose a shorter warm-up or more steps.", warmup=f"{warmup_steps:,}", total=f"{total_steps:,}"))


def settings_in_use(values: Mapping[str, Any]) -> set[str]:
    """Return the names of the settings in use: all except those of other schedules and other optimizers."""
    idle = set(OPTIMIZER_FIELDS) - set(OPTIMIZERS[values["optimizer"]].fields)
    if values["schedule"] != "cosine":
        idle |= set(SCHEDULE_FIELDS)
    return set(values) - idle


def unused_settings(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Message]:
    """Yield a sentence for each setting that differs from its default but has no effect in a run."""
    for name in sorted(set(values) - settings_in_use(values)):
        if values[name] != defaults[name].default:
            choice = "schedule" if name in SCHEDULE_FIELDS else "optimizer"
            yield message(
                "{setting} ({value}) has no effect: {choice} is {chosen}.", setting=message(defaults[name].title),
                value=f"{values[name]}", choice=message(defaults[choice].title), chosen=values[choice])


def vocabulary_problems(config: GPTConfig) -> Iterator[Problem]:
    """Yield a problem if the vocabulary size does not fit the tokenizer."""
    if config.vocabulary == "own" and config.vocab_size not in OWN_SIZES:
        yield Problem("vocab_size", message(
            "Tokens must be between {least} and {most} for a vocabulary of the text itself, not {size}.",
            size=f"{config.vocab_size:,}", least=f"{OWN_SIZES[0]:,}", most=f"{OWN_SIZES[-1]:,}"))
    if config.vocabulary == "gpt2" and config.vocab_size < VOCAB_SIZE:
        yield Problem(
            "vocab_size",
            message(
                "Tokens must be at least {least} for GPT-2's tokenizer to read text, not {size}.",
                size=f"{config.vocab_size:,}", least=f"{VOCAB_SIZE:,}",
            ),
        )


def _freezing_problems(config: GPTConfig, freeze: tuple[sizing.Part, ...], blocks: int) -> Iterator[Problem]:
    """Yield the problems of freezing: blocks that the model lacks, or nothing left to train."""
    if blocks > config.n_layers:
        yield Problem("freeze_blocks", message(
            "Freeze blocks is {blocks}; the model has {layers} blocks, so it must be at most {layers}.",
            blocks=f"{blocks:,}", layers=f"{config.n_layers:,}",
        ))
    elif not sizing.trained_count(config, freeze, blocks):
        yield Problem("freeze", message("Freeze leaves nothing to train; leave at least one part unfrozen."))


def encoding_problems(field: str, label: Message, text: str) -> Iterator[Problem]:
    """Yield a problem if a text cannot be encoded: some systems allow any bytes in an argument."""
    if not is_encodable(text):
        yield Problem(field, message(
            "{label} contains bytes that are not valid characters; enter it again.", label=label))


def _probe_problems(probes: tuple[str, ...]) -> Iterator[Problem]:
    if len(probes) > MOST_PROBES:
        yield Problem("probes", message(
            "Probe prompts: there are {n}; at most {most} can be recorded. Remove some.", n=len(probes),
            most=MOST_PROBES))
    for number, probe in enumerate(probes, 1):
        if not probe.strip():
            yield Problem("probes", message(
                "Probe prompt {n} is empty; enter a word or two, or remove the line.", n=number))
        elif not is_encodable(probe):
            yield Problem("probes", message(
                "Probe prompt {n} contains bytes that are not valid characters; enter it again.", n=number))


def _initial_weights_problems(name: str | None) -> Iterator[Problem]:
    if name in PRESETS:
        yield Problem("init_from", message(
            "Initial weights (init_from): '{name}' is a preset, which has no trained weights; choose an imported "
            "model, a run or a checkpoint, or leave empty.", name=name,
        ))
    elif name is not None and not name.strip():
        yield Problem("init_from", message(
            "Initial weights (init_from): the text is empty; name an imported model, a run or a checkpoint, or leave "
            "it out."
        ))
