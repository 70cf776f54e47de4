"""Guesses of a class: how many learners chose each answer of each question. No torch, no Qt."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gptstudio.history.class_runs import ClassRun
from gptstudio.history.guesses import Guess
from gptstudio.history.report.page import readable
from gptstudio.i18n import message

MOST_ANSWERS = 8
"""Rows of a question. More numbers are counted in ranges, more texts together."""
MOST_APART = 3
"""Right answers, with those within the tolerance of a question, that are counted apart from the ranges."""
SMALLEST = 1e-300
"""Difference of numbers below which these are the same."""
Keyed = tuple[str, str]


@dataclass(frozen=True)
class ClassAnswer:
    """An answer, as text or a message: how many learners gave it, and whether it is right; ``given``: False for those
    who did not guess."""

    text: str
    count: int
    right: bool = False
    given: bool = True


@dataclass(frozen=True)
class ClassQuestion:
    """A question of a lesson.

    Attributes:
        answers: numbers in ascending order, other answers by how many learners gave them.
        right, wrong: number of learners whose guess was right, and of those whose guess was wrong.
    """

    lesson: str
    question: str
    answers: tuple[ClassAnswer, ...]
    right: int
    wrong: int

    @property
    def asked(self) -> int:
        """Number of learners who were asked, also of those who did not guess."""
        return sum(answer.count for answer in self.answers)


def questions(runs: Iterable[ClassRun]) -> list[ClassQuestion]:
    """Return the questions that the learners of a class were asked, the one that most got wrong first."""
    found: defaultdict[Keyed, list[Guess]] = defaultdict(list)
    for run in runs:
        for lesson in run.data.guesses if run.data else ():
            for guess in lesson.guesses:
                found[readable(lesson.lesson), readable(guess.question)].append(guess)
    made = [_counted(*key, guesses) for key, guesses in found.items()]
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
    """Return the most frequent answers and all right ones, and the others together."""
    ranked = sorted(texts, key=lambda text: -counts[text])
    kept = [text for place, text in enumerate(ranked) if place < MOST_ANSWERS or text in right][:2 * MOST_ANSWERS]
    answers = [ClassAnswer(readable(text), counts[text], text in right) for text in kept]
    rest = sum(counts.values()) - sum(counts[text] for text in kept)
    return [*answers, *([ClassAnswer(message("Other answers"), rest)] if rest else [])]


def _in_ranges(numbers: dict[str, float], counts: Counter[str], right: set[str]) -> list[ClassAnswer]:
    """Return the numbers of guesses in ranges with round ends, which include their lower one; few right answers have
    rows of their own between these."""
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
