"""Pages, lessons and hovers, repeated many times: no objects accumulate, and deleted pages receive no more signals."""

import gc
import weakref
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from left_behind import behind, living, no_more
from pages.learn import QUICK
from pages.painted import hover
from PySide6.QtCore import SIGNAL, QCoreApplication, QEvent, QObject, QPropertyAnimation
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.model import GPTModel
from gptstudio.gui.appearance import followers
from gptstudio.gui.forms.field import NumberBox
from gptstudio.gui.language import language
from gptstudio.gui.learn.kit.formula import Formula, Link
from gptstudio.gui.learn.kit.matrix import Cell, Matrix
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.labs.lab import Example
from gptstudio.labs.lesson import Lesson, shipped
from gptstudio.labs.ngrams import NgramsRequest


@pytest.fixture
def learner(user, monkeypatch):
    """The user, who has opened all pages that answer at once. The table of n-grams generates few tokens."""
    few = Example("Few", NgramsRequest(new_tokens=2))
    monkeypatch.setattr("gptstudio.labs.ngrams.LAB", replace(load("ngrams"), examples=(few,)))
    user.go_to("learn")
    open_all(user)
    return user


def open_all(user, turn: int = 0) -> None:
    """Open every page in turn, then another tab."""
    user.go_to("learn")
    for name in QUICK:
        user.learn.answered(name)
    user.go_to("train")
    user.wait(lambda: not user.window.findChildren(QPropertyAnimation))  # the animation of the panel that opens


def change(user, turn: int) -> None:
    """Change every number of a page, and reset it to the book; another page each time."""
    user.go_to("learn")
    user.learn.open(QUICK[turn % len(QUICK)])
    for editor in user.learn.current.controls.editors.values():
        if isinstance(editor.control, NumberBox):
            editor.control.stepBy(1)
    user.learn.answered()
    user.learn.current.reset()
    user.learn.answered()


def point(user, turn: int) -> None:
    """Point at each matrix and each formula of the open page."""
    page = user.learn.current
    for matrix in page.findChildren(Matrix):
        if matrix.values.size:
            hover(matrix, Cell(0, 0))
            hover(matrix, None)
    for formula in page.findChildren(Formula):
        for key in formula.keys:
            hover(formula, key)
        hover(formula, None)


def teach(user, turn: int) -> None:
    """Start a lesson, continue it, and end it."""
    user.lesson.open(shipped(language.code)[0])
    user.lesson.runner.next()
    user.learn.answered()
    user.lesson.end()


def object_counts(window) -> dict[str, int]:
    """Return the counts of the objects that could accumulate."""
    counts = behind(window, QWidget, Link, Lesson)  # which first deletes the objects scheduled for deletion
    return counts | {"hear of the theme": receiver_count(theme), "follow theme and language": len(followers)}


def receiver_count(sender: QObject) -> int:
    return sender.receivers(SIGNAL("changed()"))


def test_that_repeating_all_actions_many_times_leaves_no_more_than_a_few_times(learner):
    actions = ((open_all, 0, 3), (change, len(QUICK), len(QUICK)), (point, 1, 3), (teach, 1, 3))
    for act, first, _ in actions:
        for turn in range(first):
            act(learner, turn)
    before = object_counts(learner.window)
    for act, _, times in actions:
        for turn in range(times):
            act(learner, turn)
    no_more(before, object_counts(learner.window))


def test_that_deleted_pages_receive_no_more_signals(application, learning, small_greedy_model):
    def make() -> dict[str, weakref.ref]:
        pages = {name: import_module(f"gptstudio.gui.learn.{name}").Page(load(name), learning) for name in ENTRIES}
        for page in pages.values():
            page.update_request()
            page.deleteLater()
        return {name: weakref.ref(page) for name, page in pages.items()}

    make()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    before = receiver_count(theme), len(followers)
    gone = make()
    assert len(followers) >= before[1] + len(ENTRIES)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert (receiver_count(theme), len(followers)) == before
    assert [name for name, page in gone.items() if page()] == []
    for look in (DARK, LIGHT):
        theme.use(look)


def test_that_the_model_of_an_experiment_is_released_when_it_is_left(user, small_greedy_model):
    """GPT-2 small with random weights would take 622 MB. The user leaves it for another experiment and for another
    page."""
    others = models_in_memory()  # of earlier tests
    user.go_to("learn")
    user.learn.answered("generate")
    assert models_in_memory() - others == 1
    user.learn.open("tokens")
    user.wait(lambda: not user.busy("model"))
    assert models_in_memory() - others == 0
    user.learn.open("generate")
    user.learn.current.update_request(new_tokens=2)
    user.learn.answered()
    assert len(user.learn.current.answer.steps) == 2, "it is made again when it is asked"
    assert models_in_memory() - others == 1
    user.go_to("train")
    user.wait(lambda: not user.busy("model"))
    assert models_in_memory() - others == 0


def models_in_memory() -> int:
    gc.collect()
    return len(living(GPTModel))


def test_that_the_models_and_answers_of_outdated_questions_are_released(user):
    """Rows of 50,000 tokens and 1,024 numbers take 200 MB: only the newest answer is kept."""
    learn, seen = user.learn, []
    user.go_to("learn")
    learn.answered("embeddings")
    learn.current.asking.changed.connect(lambda: seen.append(weakref.ref(learn.current.answer)))
    for width in (50, 51, 52):
        learn.current.update_request(vocabulary=50_257, width=width)
        learn.answered()
    gc.collect()
    assert len(seen) == 3
    assert sum(each() is not None for each in seen) == 1


def filled_matrix() -> Matrix:
    made = Matrix("gone", "gone", editable=True)
    made.show_values(np.ones((3, 3)))
    return made


@pytest.mark.parametrize("make", [filled_matrix, lambda: Formula("gone", r"L(N) = L_\infty + a \, N^{-b}", "gone")])
def test_that_nothing_remains_of_many_matrices_and_formulas(application, make):
    gone = [weakref.ref(make()) for _ in range(200)]
    gc.collect()
    assert [each for each in gone if each() is not None] == []
