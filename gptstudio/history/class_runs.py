"""Runs and guesses of a class, read from packed runs and reports. Imports no torch and no Qt.

The runs are shown in one table; nothing is unpacked or added. For each question of a lesson, the learners who chose
each answer are counted.
"""

from __future__ import annotations

import math
import os
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, NamedTuple

from gptstudio import files
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError, text_of
from gptstudio.history import archives
from gptstudio.history.archives import PIECE, ArchiveError
from gptstudio.history.comparison import differences, same_vocabulary
from gptstudio.history.guesses import Guess
from gptstudio.history.report.page import cut, loss_text, readable
from gptstudio.history.report.sections import OUTCOMES
from gptstudio.history.run_data import LONGEST_NAME, LearnerData, RunData, read_report
from gptstudio.history.run_history import History
from gptstudio.i18n import Message, joined, message, percent
from gptstudio.training import file_format
from gptstudio.training.run_folder import Record

MOST_OF_RECORD, LONGEST_LINE = 16 * PIECE, 16 * PIECE
"""Largest size of a run.json, and of a line of a log, in bytes."""


def read_packed(path: Path, progress: Progress = unwatched) -> tuple[Record, History]:
    """Return the record and the history of the run in a zip. Nothing is unpacked, and no checkpoint is read.

    Args:
        progress: called with the number of bytes of the log that were read; can cancel the work by raising an
            exception.

    Raises:
        ArchiveError: as for :func:`archives.unpack`.
        UserError: the run.json was changed, or was written by a newer version.
    """
    could_not = message("Could not open {path}", path=path.name)
    with archives.errors_as_messages(could_not), zipfile.ZipFile(path) as archive:
        _, entries = archives.checked(archive, path)
        if entries["run.json"].file_size > MOST_OF_RECORD:
            raise ArchiveError(message("{path} was not opened: its run.json is too large.", path=path.name))
        values = file_format.unsealed(archive.read(entries["run.json"]), f"{path.name}, run.json")
        record = Record.model_validate(file_format.upgrade(values, f"{path.name}, run.json"))
        history, log = History(), entries.get("journal.jsonl")
        if log:
            with archive.open(log) as file:
                done = 0
                for lines in _lines(file, path):
                    history.extend(lines)
                    done += sum(map(len, lines))
                    progress(done, log.file_size)
        return record, history


def _lines(file: IO[bytes], path: Path) -> Iterator[list[bytes]]:
    """Yield the complete lines of a log in lists. An incomplete line at the end is dropped."""
    rest = b""
    while block := file.read(PIECE):
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > LONGEST_LINE:
            raise ArchiveError(message("{path} was not opened: its log is damaged.", path=path.name))
        yield [line + b"\n" for line in lines]


ENDINGS = (".zip", ".html", ".htm")
MOST_FILES = 500
"""Largest number of files of a class; a folder with more was chosen by mistake."""


@dataclass(frozen=True)
class ClassRun:
    """One file of a class: its content, or the reason why it has none. ``name`` distinguishes it from the others.

    Attributes:
        data: figures of its run; None if it has none.
        lessons: learner, guesses and goals of a report without a run.
    """

    path: Path
    name: str
    data: RunData | None = None
    problem: str = ""
    lessons: LearnerData | None = None

    @property
    def found(self) -> LearnerData | None:
        """Content of the file, with or without a run; None if it could not be read."""
        return self.data or self.lessons


class ClassCell(NamedTuple):
    """Cell of the table: its text, its sort key, its tooltip, and its value in a file if that is not the text."""

    text: str
    order: float | str = ""
    tip: str = ""
    value: float | str | None = None


class ClassColumn(NamedTuple):
    """Column of the table: its heading, as a message, the meaning of the heading, and its cells."""

    heading: str
    help: str
    cells: list[ClassCell]


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the files themselves, and for folders all packed runs and reports in them and below, by name.

    Raises:
        UserError: there are too many files, or none.
    """
    found: dict[Path, None] = {}
    for path in paths:
        for each in _below(path) if os.path.isdir(path) else [path]:
            found[each] = None
            if len(found) > MOST_FILES:
                raise UserError(message(
                    "There are more than {n} files. Choose the folder of one class.", n=MOST_FILES))
    if not found:
        raise UserError(message("There are no packed runs (.zip) and no reports (.html) there."))
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder by name, without following links to other folders."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(place, name) for name in sorted(names)
                    if name.lower().endswith(ENDINGS) and not name.startswith("."))


def read(path: Path, progress: Progress = unwatched) -> ClassRun:
    """Read one file of a class. If it cannot be read, the result contains the error.

    Args:
        progress: called while the file is read; can cancel the work by raising an exception.
    """
    name = cut(readable(path.stem), LONGEST_NAME)
    try:
        if path.suffix.lower() == ".zip":
            record, history = read_packed(path, progress)
            found: LearnerData = RunData.of(record.title or path.stem, record, history)
        else:
            found = read_report(path)
        progress(1, 1)
    except UserError as error:
        return ClassRun(path, name, problem=text_of(error))
    except OSError as error:
        return ClassRun(path, name, problem=message(
            "It cannot be read: {why}.", why=error.strerror or error))
    except (ValueError, OverflowError):
        return ClassRun(path, name, problem=message("It contains numbers or texts that no run has."))
    run = found if isinstance(found, RunData) else None
    names = (found.learner.name if found.learner else "", run.name if run else "")
    shown = (cut(readable(" ".join(each.split())), LONGEST_NAME) for each in names)
    return ClassRun(path, next(filter(None, shown), name), run, lessons=None if run else found)


def with_names(runs: Sequence[ClassRun]) -> list[ClassRun]:
    """Return the runs with distinct names: equal names are extended by the names of the files, or by numbers."""
    named = _distinct(runs, lambda run, _: f"{run.name} ({cut(readable(run.path.name), LONGEST_NAME)})")
    return _distinct(named, lambda run, number: f"{run.name} {number}")


def _distinct(runs: Sequence[ClassRun], other: Callable[[ClassRun, int], str]) -> list[ClassRun]:
    counts: Counter[str] = Counter(run.name for run in runs)
    seen: Counter[str] = Counter()
    made = []
    for run in runs:
        seen[run.name] += 1
        made.append(replace(run, name=other(run, seen[run.name])) if counts[run.name] > 1 else run)
    return made


def columns(runs: Sequence[ClassRun]) -> list[ClassColumn]:
    """Return the table of a class: the settings that differ, the results, and the reasons for unreadable files."""
    good = [run.data for run in runs if run.data]
    settings = differences([each.record for each in good], [each.rates for each in good]) if good else []
    places = iter(range(len(good)))
    rows = [next(places) if run.data else None for run in runs]
    return [
        ClassColumn(message("Name"), message("Name of the learner, title of the run, or name of the file"), [
            ClassCell(run.name, run.name.casefold(), str(run.path)) for run in runs]),
        *_problems(runs),
        *(ClassColumn(each.label, each.help, [
            ClassCell("", math.inf) if row is None else _setting(each.values[row]) for row in rows])
          for each in settings),
        *_results(runs),
    ]


def _setting(value: str) -> ClassCell:
    """Return the cell of a setting, with a numeric sort key if it is a number."""
    digits = value.replace(",", "")
    try:
        return ClassCell(value, float(digits), value, int(digits) if digits.isdecimal() else float(digits))
    except ValueError:
        return ClassCell(value, value, value)


def _problems(runs: Sequence[ClassRun]) -> Iterator[ClassColumn]:
    if any(run.problem for run in runs):
        yield ClassColumn(message("Problem"), message("Why a file could not be read"), [
            ClassCell(run.problem, run.problem or "\uffff", run.problem) for run in runs])


def _results(runs: Sequence[ClassRun]) -> Iterator[ClassColumn]:
    data = [run.data for run in runs]
    yield ClassColumn(message("Best validation loss"), message("The lowest, in nats per token"), [
        ClassCell(
            loss_text(each.best.val_loss), each.best.val_loss,
            message("After step {n}", n=f"{each.best.step + 1:,}"), each.best.val_loss)
        if each and each.best else NOTHING for each in data])
    if not same_vocabulary(each.record for each in data if each):
        bits = [each.best.bits_per_byte(each.bytes_per_token[1]) if each and each.best else None for each in data]
        yield ClassColumn(message("Bits per byte"), message(
            "The lowest validation loss in bits per byte, which can be compared between vocabularies"), [
            NOTHING if each is None else ClassCell(loss_text(each), each, value=each) for each in bits])
    yield ClassColumn(message("Copied"), message(
        "Share of the last sample that occurs word for word in the training text"), [
        ClassCell(percent(each.copied_share), each.copied_share,
             message("Longest stretch: {n} tokens", n=f"{each.longest_copy or 0:,}"), each.copied_share)
        if each and each.copied_share is not None else NOTHING for each in data])
    yield from _learned([run.found for run in runs])
    yield from _ends(data)
    yield ClassColumn(message("Steps done"), message("Number of steps that the run has done"), [
        ClassCell(f"{each.steps:,}", each.steps, value=each.steps) if each else NOTHING for each in data])
    yield ClassColumn(message("Time (min)"), message("Training time in minutes"), [
        ClassCell(f"{each.elapsed_s / 60:,.1f}", each.elapsed_s, value=round(each.elapsed_s / 60, 3))
        if each and each.elapsed_s is not None else NOTHING for each in data])


def _ends(data: Sequence[RunData | None]) -> Iterator[ClassColumn]:
    """Yield the column of how the runs have ended, if not all have done all their steps."""
    if any(each and each.outcome != "finished" for each in data):
        yield ClassColumn(message("State"), message("Whether the run did all its steps"), [
            ClassCell(OUTCOMES[each.outcome], each.outcome or "") if each else NOTHING for each in data])


def _learned(found: Sequence[LearnerData | None]) -> Iterator[ClassColumn]:
    yield ClassColumn(message("Guesses"), message("Right guesses in lessons; packed runs contain none"), [
        _guessed(each) if each and any(lesson.guesses for lesson in each.guesses) else NOTHING for each in found])
    goals = [_reached(each) if each and each.goals_reached[1] else NOTHING for each in found]
    if any(each is not NOTHING for each in goals):
        yield ClassColumn(message("Goals"), message("Goals reached in lessons"), goals)
    words = [readable(each.learner.words) if each and each.learner else "" for each in found]
    if any(words):
        yield ClassColumn(message("What did you see?"), message("In the learner's own words"), [
            ClassCell(each, each.casefold() or "\uffff", each) for each in words])


def _reached(data: LearnerData) -> ClassCell:
    reached, count = data.goals_reached
    lines = [message("{lesson}: {n} of {count}; skipped: {skipped}", lesson=readable(each.lesson), n=each.count(
        "reached"), count=len(each.goals), skipped=each.count("skipped")) for each in data.guesses if each.goals]
    return ClassCell(message("{right} of {n}", right=reached, n=count), reached / count, joined("\n", *lines))


def _guessed(data: LearnerData) -> ClassCell:
    right, known = data.right_guesses
    lines = [f"{guess.question}: {guess.guess or '–'}" for each in data.guesses for guess in each.guesses]
    return ClassCell(message("{right} of {n}", right=right, n=known), right / known if known else -1.0,
                readable("\n".join(cut(line, 200) for line in lines[:40])))


NOTHING = ClassCell("–", math.inf, value="")
"""Cell for a missing value; sorted below all others."""


def write_csv(runs: Sequence[ClassRun], path: Path, say: Callable[[str], str] = str) -> None:
    """Save the table of a class as CSV, with numbers as numbers.

    Raises:
        UserError: the file cannot be written; no partial file is left.
    """
    found = columns(runs)
    files.save_csv(path, [[say(column.heading) for column in found], *(
        [_value(column.cells[row], say) for column in found] for row in range(len(runs)))])


def _value(cell: ClassCell, say: Callable[[str], str]) -> float | str:
    if cell.value is not None:
        return cell.value
    return say(cell.text) if isinstance(cell.text, Message) else cell.text


MOST_ANSWERS = 8
"""Largest number of rows for a question. More numbers are counted in ranges, more texts together."""
MOST_APART = 3
"""Largest number of right answers, including those within a question's tolerance, with rows of their own."""
SMALLEST = 1e-300
"""Numbers with a smaller difference count as equal."""


@dataclass(frozen=True)
class ClassAnswer:
    """An answer, as text or a message, the number of learners who gave it, and whether it is right; ``given`` is False
    for learners who did not guess."""

    text: str
    count: int
    right: bool = False
    given: bool = True


@dataclass(frozen=True)
class ClassQuestion:
    """A question of a lesson.

    Attributes:
        answers: numbers in ascending order, other answers by the number of learners who gave them.
        right, wrong: number of learners with a right guess, and with a wrong guess.
    """

    lesson: str
    question: str
    answers: tuple[ClassAnswer, ...]
    right: int
    wrong: int

    @property
    def asked(self) -> int:
        """Number of learners who were asked, including those who did not guess."""
        return sum(answer.count for answer in self.answers)


def questions(runs: Iterable[ClassRun]) -> list[ClassQuestion]:
    """Return the questions that the learners of a class were asked, the one with the most wrong guesses first. Each
    report of a learner contains all guesses so far: they count once, with the last report that has a guess."""
    found: defaultdict[tuple[str, str], dict[str | int, Guess]] = defaultdict(dict)
    for number, run in enumerate(runs):
        learner = run.found.learner if run.found else None
        author = learner.id if learner and learner.id else number
        for lesson in run.found.guesses if run.found else ():
            for guess in lesson.guesses:
                of_learners = found[readable(lesson.lesson), readable(guess.question)]
                if guess.guess or author not in of_learners:
                    of_learners[author] = guess
    made = [_counted(*key, list(guesses.values())) for key, guesses in found.items()]
    return sorted(made, key=lambda each: (-each.wrong, each.right))


def _counted(lesson: str, question: str, guesses: Sequence[Guess]) -> ClassQuestion:
    given = [guess for guess in guesses if guess.guess]
    right = {guess.guess for guess in given if guess.right}
    truths = {guess.answer for guess in guesses if guess.answer}
    if len(truths) == 1:  # otherwise the answer depends on the model of each learner
        right |= truths
    counts = Counter(guess.guess for guess in given)
    texts = [*counts, *sorted(right - counts.keys())]
    numbers = {text: number for text in texts if (number := _number(text)) is not None}
    span = max(numbers.values(), default=0.0) - min(numbers.values(), default=0.0)
    many = len(texts) > MOST_ANSWERS
    if len(numbers) < len(texts) or (many and not SMALLEST < span < math.inf):
        answers = _as_texts(texts, counts, right)
    elif not many:
        answers = [ClassAnswer(text, counts[text], text in right) for text in sorted(texts, key=numbers.__getitem__)]
    else:
        answers = _in_ranges(numbers, counts, right)
    if none := len(guesses) - len(given):
        answers.append(ClassAnswer(message("No guess"), none, given=False))
    results = [guess.right for guess in given]
    return ClassQuestion(lesson, question, tuple(answers), results.count(True), results.count(False))


def _as_texts(texts: Sequence[str], counts: Counter[str], right: set[str]) -> list[ClassAnswer]:
    """Return the most frequent answers, all right ones, and the sum of the others."""
    ranked = sorted(texts, key=lambda text: -counts[text])
    kept = [text for place, text in enumerate(ranked) if place < MOST_ANSWERS or text in right][:2 * MOST_ANSWERS]
    answers = [ClassAnswer(readable(text), counts[text], text in right) for text in kept]
    rest = sum(counts.values()) - sum(counts[text] for text in kept)
    return [*answers, *([ClassAnswer(message("Other answers"), rest)] if rest else [])]


def _in_ranges(numbers: dict[str, float], counts: Counter[str], right: set[str]) -> list[ClassAnswer]:
    """Return the numbers of guesses in ranges with round limits, including the lower one; a few right answers have rows
    of their own between the ranges."""
    low, high = min(numbers.values()), max(numbers.values())
    least = (high - low) / MOST_ANSWERS
    unit = 10.0 ** math.floor(math.log10(least))
    step = next((unit * factor for factor in (1, 2, 2.5, 5) if unit * factor >= least), 10 * unit)
    first, apart = math.floor(low / step), right if len(right) <= MOST_APART else set[str]()
    inside, rights = Counter[int](), set[int]()
    for text, number in numbers.items():
        place = math.floor(number / step) - first
        inside[place] += 0 if text in apart else counts[text]
        if text in right - apart:
            rights.add(place)
    rows = [(numbers[text], ClassAnswer(text, counts[text], True)) for text in apart]
    for place in range(max(inside) + 1):
        one, other = (step * (first + place + more) for more in (0, 1))
        words = message("{low} to {high}", low=f"{one:.5g}", high=f"{other:.5g}")
        rows.append((one, ClassAnswer(words, inside[place], place in rights)))
    return [answer for _, answer in sorted(rows, key=lambda row: (row[0], not row[1].right))]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
