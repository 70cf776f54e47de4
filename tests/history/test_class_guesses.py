"""Guesses of a class: the number of learners for each answer to a question."""

from pathlib import Path

import pytest
from reported import reported

from gptstudio.history.class_runs import ClassRun, questions
from gptstudio.history.guesses import Guess, Learner, LessonGuesses
from gptstudio.history.run_data import LearnerData, RunData


@pytest.fixture
def learner(tmp_path):
    """Return a function that makes a learner of the lesson "Mine" with one guess for each question."""
    run = reported(tmp_path / "run")

    def make(**guesses: tuple[str, str]) -> ClassRun:
        given = tuple(Guess(question=question, guess=guess, answer=answer, right=guess == answer if guess else None)
                      for question, (guess, answer) in guesses.items())
        data = RunData.of("x", run.record, run.history, (LessonGuesses(lesson="Mine", guesses=given),))
        return ClassRun(Path("x"), "x", data)

    return make


def rows(question) -> list[tuple[str, int, bool]]:
    return [(str(each.text), each.count, each.right) for each in question.answers]


def test_that_the_question_with_the_most_wrong_answers_is_first(learner):
    found = questions([
        learner(easy=("a", "a"), hard=("b", "a")), learner(easy=("b", "a"), hard=("b", "a")),
        ClassRun(Path("broken"), "broken", problem="It is cut off.")])
    assert [each.question for each in found] == ["hard", "easy"]
    assert [(each.right, each.wrong) for each in found] == [(0, 2), (1, 1)]


def test_that_guesses_without_a_run_count(learner):
    run = learner(q=("a", "c"))
    lessons = ClassRun(Path("y"), "y", lessons=LearnerData(guesses=run.data.guesses))
    (question,) = questions([run, lessons])
    assert rows(question) == [("a", 2, False), ("c", 0, True)]


def test_that_several_reports_of_a_learner_count_once_with_the_last_guess(learner):
    def handed_in(identifier: str, guess: str) -> ClassRun:
        guesses = learner(q=(guess, "c")).data.guesses
        by = Learner(name="Li", id=identifier)
        return ClassRun(Path("x"), "x", lessons=LearnerData(learner=by, guesses=guesses))

    (question,) = questions([
        handed_in("1", "a"), handed_in("2", "a"), handed_in("1", "b"), handed_in("1", ""), handed_in("", "a"),
        handed_in("", "a")])
    assert rows(question) == [("a", 3, False), ("b", 1, False), ("c", 0, True)]


def test_that_the_right_answer_is_marked_even_if_nobody_gave_it(learner):
    (question,) = questions([learner(q=(guess, "c")) for guess in ("a", "b", "b", "")])
    assert rows(question) == [("b", 2, False), ("a", 1, False), ("c", 0, True), ("No guess", 1, False)]
    assert question.asked == 4


def test_that_few_numbers_are_listed_in_their_order(learner):
    (question,) = questions([learner(q=(guess, "4")) for guess in ("10", "4", "4", "2.5")])
    assert rows(question) == [("2.5", 1, False), ("4", 2, True), ("10", 1, False)]


def test_that_many_numbers_are_counted_in_ranges_with_the_right_one_between_them(learner):
    (question,) = questions([learner(q=(f"{number}", "4")) for number in range(12)])
    assert rows(question)[:4] == [("0 to 2", 2, False), ("2 to 4", 2, False), ("4", 1, True), ("4 to 6", 1, False)]
    assert question.asked == 12


def test_that_answers_that_depend_on_the_model_are_right_for_those_who_gave_them(learner):
    (question,) = questions([learner(q=("7", "7")), learner(q=("5", "9")), learner(q=("6", "8"))])
    assert rows(question) == [("5", 1, False), ("6", 1, False), ("7", 1, True)]


@pytest.mark.parametrize("numbers", [
    [f"{sign}1e308" for sign in ("", "-")] + [str(number) for number in range(9)],
    [f"{number}e-324" for number in range(5, 100, 5)], ["1" + "0" * number for number in range(12)],
    [f"1.{'0' * number}" for number in range(12)],
], ids=["huge", "tiny", "powers", "equal"])
def test_that_no_number_in_a_file_breaks_the_ranges(learner, numbers):
    (question,) = questions([learner(q=(number, "3")) for number in numbers])
    assert question.asked == len(numbers)
    assert len(question.answers) <= 12
