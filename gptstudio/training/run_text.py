"""Access to the training text of a run. No torch."""

from __future__ import annotations

from gptstudio.data import ngram, texts
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.data.texts import Text, TextError
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.training import corpus, run_folder
from gptstudio.training.model_source import ImportedModel, LiveModel, ModelSource, SavedModel, TextNgrams
from gptstudio.training.run_folder import RunFolder


class NoTrainingText(UserError):
    """The training text of a model is unknown or cannot be searched."""


def run_of(source: ModelSource | None) -> RunFolder:
    """Return the run that trained a model.

    Raises:
        NoTrainingText: no run trained it, or the run was deleted.
    """
    run = None
    if isinstance(source, ImportedModel):
        raise NoTrainingText(message("The text that an imported model was trained on is not known."))
    if isinstance(source, TextNgrams):
        run = run_folder.find(str(source.folder))
    elif isinstance(source, SavedModel):
        run = run_folder.find(str(source.run_path))
    elif isinstance(source, LiveModel):
        run = run_folder.find(source.run)
    elif source:
        raise NoTrainingText(message("This model is untrained: it has read no text."))
    if not run:
        raise NoTrainingText(message(
            "The run that trained this model was not found, so its training text is not known."))
    return run


def texts_of(run: RunFolder, progress: Progress = unwatched) -> list[tuple[str, Text]]:
    """Return the texts of a run, each with its name in the list of texts.

    Raises:
        UserError: the run or a text cannot be read, or a text has changed.
    """
    record = run.record()
    found = texts.read_named(texts.find_moved(record.spec.text, record.text_sha256, progress), progress)
    _check(run, texts.combined([text for _, text in found]).sha256, record.text_sha256)
    return found


def key_of(run: RunFolder) -> tuple[object, ...]:
    """Return a key that is equal for runs with the same training text and tokenizer.

    Raises:
        UserError: the run cannot be read.
    """
    record = run.record()
    return record.text_sha256, record.tokenizer_sha256, record.spec.split, record.spec.train_ratio


def corpus_of(run: RunFolder, progress: Progress = unwatched) -> corpus.Corpus:
    """Return the tokens that a run was trained and validated on.

    Raises:
        UserError: as for :func:`texts_of`.
    """
    record = run.record()
    read = corpus.read(corpus.located(record.spec, record.text_sha256, progress), progress, run.tokenizer())
    _check(run, read.text.sha256, record.text_sha256)
    return read


def searchable(run: RunFolder, progress: Progress = unwatched) -> corpus.Corpus:
    """Return the tokens of a run as :func:`corpus_of` does, if the text is short enough to be searched while a user
    waits.

    Raises:
        UserError: as for :func:`texts_of`, or the text is too long.
    """
    read = corpus_of(run, progress)
    most = min(ngram.MOST_INDEXED, ngram.MOST_TOKENS)
    if len(read.train_ids) > most:
        raise NoTrainingText(message(
            "The training text has {n} tokens. Texts of up to {most} tokens are searched.",
            n=f"{len(read.train_ids):,}", most=f"{most:,}"))
    return read


def _check(run: RunFolder, digest: str, recorded: str) -> None:
    if digest != recorded:
        raise TextError(message("The training text has changed since the run {run} was trained on it.", run=run.name))
