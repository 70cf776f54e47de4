"""Tokenised texts, split for training and validation, and the plan of a run that follows from them. No torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from gptstudio.data import texts, tokens, vocabulary
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.data.texts import Label, Text
from gptstudio.data.tokens import Tokens, type_of
from gptstudio.errors import text_of
from gptstudio.fields import Problem, SpecError
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, TokenizerError
from gptstudio.i18n import message
from gptstudio.training.spec import VALIDATION_PROBE, TrainSpec
from gptstudio.training.spec_problems import warmup_problems

TokenIds = Tokens | Sequence[int]
Document = list[tokens.Ids]
"""Token ids of one text, or of a part of it, in one or more pieces."""


@dataclass(frozen=True)
class Corpus:
    """Token ids for training and validation, the label of their text, notes for the user, and the tokenizer."""

    train_ids: TokenIds
    val_ids: TokenIds
    text: Label
    notes: tuple[str, ...] = ()
    tokenizer: Tokenizer = GPT2

    @cached_property
    def bytes_per_token(self) -> tuple[float, float]:
        """Mean bytes per token of the training text and of the validation text; 0 for an empty one."""
        one, other = (
            tokens.byte_count(ids, self.tokenizer) / len(ids) if len(ids) else 0.0  # type: ignore[arg-type]
            for ids in (self.train_ids, self.val_ids))
        return one, other


@dataclass(frozen=True)
class Plan:
    """Numbers of a run's plan."""

    train_tokens: int
    val_tokens: int
    train_windows: int
    val_windows: int
    steps_per_epoch: int
    total_steps: int

    @property
    def epochs(self) -> int:
        """Number of epochs, including an incomplete last one."""
        return -(-self.total_steps // self.steps_per_epoch)


def read(spec: TrainSpec, progress: Progress = unwatched, tokenizer: Tokenizer | None = None) -> Corpus:
    """Read and tokenise the texts, and split them according to ``spec.split``.

    One text split by characters gives the book's IDs (§5.1.3): each part is encoded separately. Several texts are
    joined with ``<|endoftext|>`` between them, as chapter 2.4 does for unrelated texts; that token does not count as a
    character.

    Args:
        progress: called with the number of tokenised bytes and their total; can raise to cancel.
        tokenizer: tokenizer to use; None for that of the model's configuration, made from the text if needed.

    Raises:
        texts.TextError: a text cannot be read.
        TokenizerError: the tokenizer has no token for a character of a text.
        SpecError: there is only one text, but the split is by documents.
    """
    left_out = list[str]()
    found = texts.read_all(spec.text, progress, left_out.append)
    if spec.split == "documents" and len(found) < 2:
        raise SpecError([Problem("split", message(
            "split is 'documents', but there is only one document, {name}. Add another text, or split by characters.",
            name=found[0].name))])
    tokenizer = tokenizer or _made(spec, found)
    ids, done, total = [], 0, sum(text.size for text in found)
    for text in found:
        ids.append(tokens.of(text, tokenizer, _beyond(done, total, progress)))
        done += text.size
    if spec.split == "documents":
        count = texts_to_learn_from([text.characters for text in found], spec.train_ratio)
        train, validation = [[each] for each in ids[:count]], [[each] for each in ids[count:]]
    else:
        train, validation = _by_characters(found, ids, spec.train_ratio, tokenizer)
    notes = (*left_out, *(text.guess for text in found if text.guess), *_unknown(ids, tokenizer))
    return Corpus(_joined(train, tokenizer), _joined(validation, tokenizer), texts.combined(found), notes, tokenizer)


def _unknown(ids: Document, tokenizer: Tokenizer) -> Iterator[str]:
    """Yield a note if a text has characters that are not in the vocabulary, which is then that of another text."""
    if count := sum(tokens.count_of(each, tokenizer.unknown) for each in ids):
        yield message(
            "Characters of the text that are not in the vocabulary of the model: {n}. It reads each of them as �, so "
            "the bits per byte cannot be compared with those of other models.", n=f"{count:,}")


def fitting(spec: TrainSpec, tokenizer: Tokenizer) -> TrainSpec:
    """Return the spec with the actual size of a vocabulary made from the text. ``tokenizer``: that of the text."""
    made = spec.config.vocabulary == tokenizer.kind in ("own", "characters") and spec.init_from is None
    if not made or spec.config.vocab_size == tokenizer.size:
        return spec
    return spec.but(config=spec.config.but(vocab_size=tokenizer.size))


def _made(spec: TrainSpec, found: Sequence[Text]) -> Tokenizer:
    """Return the tokenizer for random weights: GPT-2's, byte pairs of the training part, or all characters."""
    kind = spec.config.vocabulary
    parts: Iterable[str] = (block for text in found for block, _ in text.blocks())
    if kind == "own":
        characters = [text.characters for text in found]
        if spec.split == "documents":
            most = sum(characters[: texts_to_learn_from(characters, spec.train_ratio)])
        else:
            most = int(spec.train_ratio * sum(characters))
        parts = _first(parts, most)
    return vocabulary.make(kind, spec.config.vocab_size, parts)


def _first(blocks: Iterable[str], characters: int) -> Iterator[str]:
    for block in blocks:
        yield block[:characters]
        characters -= len(block)
        if characters <= 0:
            return


def located(spec: TrainSpec, sha256: str, progress: Progress = unwatched) -> TrainSpec:
    """Return the spec of a run with the current locations of its texts.

    Raises:
        texts.TextError: a text was not found; the message lists the searched places.
    """
    return spec.model_copy(update={"text": texts.find_moved(spec.text, sha256, progress)})


def _beyond(done: int, total: int, progress: Progress) -> Progress:
    """Return a progress callback for one text that reports the progress over all texts."""
    return lambda read, _: progress(done + read, total)


def windows(tokens: int, context: int, stride: int) -> int:
    """Return the number of windows of ``context`` inputs, with targets shifted by one, that start in ``tokens``."""
    return len(range(0, tokens - context, stride))


def texts_to_learn_from(characters: Sequence[int], ratio: float) -> int:
    """Return the number of texts to train on, from the first one, if whole texts are held out for validation. Their
    share of all ``characters`` is as close to ``ratio`` as possible; at least one text is in each part."""
    ends = list(accumulate(characters))
    return min(range(1, len(ends)), key=lambda count: abs(ends[count - 1] - ratio * ends[-1]))


def plan_new_run(spec: TrainSpec, corpus: Corpus) -> Plan:
    """Return the plan of a new run.

    Raises:
        SpecError: as for :func:`plan`, or the warm-up is not shorter than the run, or a prompt cannot be encoded.
    """
    made = plan(spec, corpus)
    problems = [*warmup_problems(spec.schedule, spec.warmup_steps, made.total_steps), *_prompt_problems(spec, corpus)]
    if problems:
        raise SpecError(problems)
    return made


def _prompt_problems(spec: TrainSpec, corpus: Corpus) -> Iterator[Problem]:
    """Yield the problem of each prompt with characters for which the vocabulary has no token."""
    for field, prompt in (("sample_prompt", spec.sample_prompt), *(("probes", probe) for probe in spec.probes)):
        try:
            if prompt != VALIDATION_PROBE:
                corpus.tokenizer.encode(prompt)
        except TokenizerError as error:
            yield Problem(field, message("“{prompt}”: {why}", prompt=prompt, why=text_of(error)))


def plan(spec: TrainSpec, corpus: Corpus) -> Plan:
    """Return the plan of a run.

    Raises:
        SpecError: the text is too short for a training batch or a validation window.
    """
    context, stride = spec.config.context_length, spec.window_stride
    train_tokens, val_tokens = len(corpus.train_ids), len(corpus.val_ids)
    train_windows, val_windows = windows(train_tokens, context, stride), windows(val_tokens, context, stride)
    problems = []
    if train_windows < spec.batch_size * spec.accumulation:
        problems.append(_too_short(spec, train_tokens, train_windows))
    if not val_windows:
        problems.append(Problem("train_ratio", message(
            "The validation part of the text has {n} tokens, but one window needs {needed}: there would be no "
            "validation loss. Choose a smaller training share, a shorter context length or a longer text.",
            n=f"{val_tokens:,}", needed=f"{context + 1:,}")))
    if problems:
        raise SpecError(problems)
    # The last, smaller batch is dropped, as in the book, and so are batches that do not fill a step.
    per_epoch = train_windows // spec.batch_size // spec.accumulation
    return Plan(train_tokens, val_tokens, train_windows, val_windows, per_epoch, spec.steps or per_epoch * spec.epochs)


def _by_characters(
    found: list[Text], ids: Document, ratio: float, tokenizer: Tokenizer
) -> tuple[list[Document], list[Document]]:
    """Split the texts after a share of their characters, possibly within a text; return both parts."""
    documents, at = [[each] for each in ids], int(ratio * sum(text.characters for text in found))
    for i, text in enumerate(found):
        if at < text.characters:
            before, behind = tokens.cut(text, ids[i], at, tokenizer)
            return [*documents[:i], before], [behind, *documents[i + 1 :]]
        at -= text.characters
    return documents, []


def _joined(documents: list[Document], tokenizer: Tokenizer) -> Tokens:
    """Return the concatenated texts, separated by the end-of-text token if the tokenizer has one."""
    between = [] if tokenizer.end is None else [np.array([tokenizer.end], type_of(tokenizer.size))]
    parts: Document = []
    for document in documents:
        if any(len(part) for part in document):
            parts += [*between, *document] if parts else document
    return Tokens(parts)


def _too_short(spec: TrainSpec, tokens: int, found: int) -> Problem:
    context = spec.config.context_length
    if not found:
        return Problem("context_length", message(
            "The training part of the text has {n} tokens, but one window needs {needed}. Choose a longer text or a "
            "shorter context length.",
            n=f"{tokens:,}", needed=f"{context + 1:,}",
        ))
    return Problem("batch_size", message(
        "The training part of the text has {n} windows, but one step needs {needed}. Choose a smaller batch size, "
        "context length or stride, or a longer text.",
        n=f"{found:,}", needed=f"{spec.batch_size * spec.accumulation:,}",
    ))
