"""A text cut in two and tokenised, and what that means for a run, before anything is trained. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from gptstudio.fields import Problem, SpecError
from gptstudio.gpt import tokenizer
from gptstudio.runs import texts
from gptstudio.runs.spec import TrainSpec


@dataclass(frozen=True)
class Corpus:
    """Token ids to learn from and to test with, and the text that they came from."""

    train_ids: list[int]
    val_ids: list[int]
    text: texts.Text


@dataclass(frozen=True)
class Plan:
    """What a run will do, in numbers."""

    train_tokens: int
    val_tokens: int
    train_windows: int
    val_windows: int
    steps_per_epoch: int
    total_steps: int

    @property
    def epochs(self) -> int:
        """Epochs that are begun."""
        return -(-self.total_steps // self.steps_per_epoch)


def read(spec: TrainSpec) -> Corpus:
    """Splits by characters and then tokenises each part, as the seeds do (chapter 5.1.3).

    Raises:
        texts.TextError: the text cannot be read.
    """
    text = texts.read(spec.text)
    split = int(spec.train_ratio * len(text.content))
    return Corpus(tokenizer.encode(text.content[:split]), tokenizer.encode(text.content[split:]), text)


def windows(tokens: int, context: int, stride: int) -> int:
    """How many windows of ``context`` inputs with their targets, one position on, start in ``tokens``."""
    return len(range(0, tokens - context, stride))


def plan(spec: TrainSpec, corpus: Corpus) -> Plan:
    """The numbers of a run.

    Raises:
        SpecError: no batch to learn from, or no window to test with.
    """
    context, stride = spec.config.context_length, spec.window_stride
    train_tokens, val_tokens = len(corpus.train_ids), len(corpus.val_ids)
    train_windows, val_windows = windows(train_tokens, context, stride), windows(val_tokens, context, stride)
    problems = []
    if train_windows < spec.batch_size:
        problems.append(_too_short(spec, train_tokens, train_windows))
    if not val_windows:
        problems.append(_no_validation(spec, val_tokens))
    if problems:
        raise SpecError(problems)
    per_epoch = train_windows // spec.batch_size  # the last, smaller batch is dropped, as in the seeds
    return Plan(
        train_tokens, val_tokens, train_windows, val_windows, per_epoch, spec.steps or per_epoch * spec.epochs
    )


def _too_short(spec: TrainSpec, tokens: int, found: int) -> Problem:
    context = spec.config.context_length
    if not found:
        words = f"The training part of the text has {tokens:,} tokens, and one window needs {context + 1:,}. "
        return Problem("context_length", words + "Choose a longer text or a smaller context.")
    words = f"The training part of the text has {found:,} windows, and one batch needs {spec.batch_size:,}. "
    return Problem("batch_size", words + "Choose a smaller batch, context or stride, or a longer text.")


def _no_validation(spec: TrainSpec, tokens: int) -> Problem:
    return Problem(
        "train_ratio",
        f"The validation part of the text has {tokens:,} tokens, and one window needs "
        f"{spec.config.context_length + 1:,}: there would be no validation loss. "
        "Choose a smaller training share, a smaller context, or a longer text.",
    )
