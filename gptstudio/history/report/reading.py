"""Reading of a run for a report: its record, history, events and anomalies, and guesses. Imports no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.history import run_history
from gptstudio.history.anomalies import Anomaly, AnomalyDetector
from gptstudio.history.guesses import Learner, LessonGuesses
from gptstudio.history.run_history import History, batches_in
from gptstudio.i18n import ENGLISH, Message
from gptstudio.training import run_text
from gptstudio.training.run_folder import Record, RunFolder

Say = Callable[[str], str]
"""Function that translates a message."""


@dataclass(frozen=True)
class TextSize:
    """Size of a run's text, and of its training and validation parts."""

    characters: int
    train_tokens: int
    val_tokens: int


@dataclass(frozen=True, kw_only=True)
class Reported:
    """Guesses and goals of a learner in lessons, and the report's language. ``learner``: None if not handed in."""

    guesses: tuple[LessonGuesses, ...] = ()
    learner: Learner | None = None
    say: Say = str
    language: str = ENGLISH

    @property
    def title(self) -> str:
        return ""


@dataclass(frozen=True)
class ReportedRun(Reported):
    """A run, with guesses and goals. ``text``: None if the text is no longer available."""

    name: str
    record: Record
    history: History
    anomalies: tuple[Anomaly, ...] = ()
    text: TextSize | None = None
    tokenizer: Tokenizer = GPT2

    @property
    def title(self) -> str:
        return self.record.title or self.name

    def words(self, text: str) -> str:
        """Translate a message to the language of the report; return any other text unchanged."""
        return self.say(text) if isinstance(text, Message) else text


def read(
    folder: RunFolder, guesses: tuple[LessonGuesses, ...] = (), say: Say = str, language: str = ENGLISH,
    progress: Progress = unwatched, learner: Learner | None = None,
) -> ReportedRun:
    """Read a run for a report.

    Args:
        learner: the learner who hands in the report; None if it is not handed in.
        progress: called while the run is read; can cancel the work by raising an exception.

    Raises:
        UserError: this is not the folder of a run, or its log cannot be read.
    """
    record, history = folder.record(), run_history.read(folder.journal_path, progress)
    return ReportedRun(folder.name, record, history, tuple(find_anomalies(history, progress)),
                       size_of_text(folder, progress), folder.tokenizer(), guesses=guesses, learner=learner,
                       say=say, language=language)


def find_anomalies(history: History, progress: Progress = unwatched) -> Iterator[Anomaly]:
    """Yield the anomalies in a history, in order."""
    detector = AnomalyDetector()
    for batch in batches_in(history):
        yield from (found.anomaly for found in detector.take(batch))
        progress(int(batch.steps[-1, 0]) + 1, history.last_step + 1)


def size_of_text(run: RunFolder, progress: Progress = unwatched) -> TextSize | None:
    """Return the size of a run's text; None if the text is missing or has changed."""
    with suppress(UserError, OSError):
        characters = sum(text.characters for _, text in run_text.texts_of(run, progress))
        ids = run_text.corpus_of(run, progress)
        return TextSize(characters, len(ids.train_ids), len(ids.val_ids))
    return None
