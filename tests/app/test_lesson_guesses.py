"""Guesses of a learner, as a report shows them."""

import pytest

from gptstudio.app import lesson_guesses, lesson_progress
from gptstudio.app.lesson_progress import LessonProgress, LessonRecord
from gptstudio.history.guesses import MOST_LESSONS, Guess
from gptstudio.labs import lesson
from gptstudio.pointed_token import PointedToken

LESSON = """
title = "Losses"
minutes = 5
[[step]]
title = "One"
text = "One"
tab = "train"
[step.predict]
question = "Which loss is lower?"
choices = ["training", "validation"]
answer = "training"
[[step]]
title = "Two"
text = "Two"
tab = "train"
[step.predict]
question = "How high is the loss?"
number = 10
tolerance = 1
[[step]]
title = "Three"
text = "Three"
tab = "train"
"""


@pytest.fixture
def own(home, tmp_path):
    """A lesson of the user's."""
    path = tmp_path / "losses.toml"
    path.write_text(LESSON, encoding="utf-8")
    return path


def keep(path, **record) -> None:
    key = lesson.key_of(path)
    lesson_progress.keep(LessonProgress().noted(key, LessonRecord(steps=3, **record)), [key])


def test_that_guesses_have_their_questions_and_are_marked_right_or_wrong(own):
    keep(own, furthest=2, guesses={1: 8.0, 0: "training"}, truths={0: "training", 1: 10.0})
    (found,) = lesson_guesses.read()
    assert found.lesson == "Losses"
    assert found.guesses == (
        Guess(question="Which loss is lower?", guess="training", answer="training", right=True),
        Guess(question="How high is the loss?", guess="8", answer="10", right=False))
    assert (found.right, found.known) == (1, 2)


def test_that_no_guess_and_one_without_an_answer_yet_are_not_counted(own):
    keep(own, guesses={0: None, 1: 9.5})
    (found,) = lesson_guesses.read()
    assert [(each.guess, each.answer, each.right) for each in found.guesses] == [("", "", None), ("9.5", "", None)]
    assert found.known == 0


def test_that_guesses_stay_when_their_lesson_is_missing_or_has_changed(own):
    keep(own, guesses={0: PointedToken(3, "␣cat"), 1: True}, truths={0: PointedToken(3, "␣cat")})
    own.write_text(LESSON + '[[step]]\ntitle = "Four"\ntext = "Four"\ntab = "train"\n', encoding="utf-8")
    for _ in range(2):
        (found,) = lesson_guesses.read()
        assert found.lesson == "losses"
        assert [(each.question, each.guess, each.right) for each in found.guesses] == [
            ("Step 1", "␣cat", None), ("Step 2", "True", None)]
        own.unlink(missing_ok=True)


def test_that_lessons_without_guesses_are_omitted_and_only_the_newest_are_shown(own, tmp_path):
    assert lesson_guesses.read() == ()
    keep(own, furthest=1)
    assert lesson_guesses.read() == ()
    records = {str(tmp_path / f"{number}.toml"): LessonRecord(steps=1, guesses={0: "a"}) for number in range(30)}
    lesson_progress.keep(LessonProgress(lessons=records), records)
    found = lesson_guesses.read()
    assert len(found) == MOST_LESSONS
    assert found[-1].lesson == "29"


def test_that_a_shipped_lesson_is_shown_in_the_language_of_the_report(home):
    path = lesson.shipped("en")[0]
    opened = lesson.load(path)
    asked = next(place for place, step in enumerate(opened.steps) if step.predict)
    record = LessonRecord(steps=len(opened.steps), guesses={asked: "x"})
    lesson_progress.keep(LessonProgress(lessons={lesson.key_of(path): record}), [lesson.key_of(path)])
    titles = [lesson_guesses.read(code)[0] for code in ("en", "zh_CN")]
    assert titles[0].lesson == opened.title
    assert titles[0].guesses[0].question == opened.steps[asked].predict.question
    assert titles[1].lesson != titles[0].lesson
