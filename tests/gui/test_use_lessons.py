"""Lessons in use: a goal is reached only by the action that the step requires."""

import pytest
from pages.lesson import lesson_file, value
from PySide6.QtCore import Qt

from gptstudio import paths
from gptstudio.app import lesson_progress
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui import session
from gptstudio.gui.generate.generate_tab import GenerateTab
from gptstudio.gui.learn.kit.matrix import Cell
from gptstudio.i18n import ENGLISH
from gptstudio.labs.lesson import SHIPPED, shipped

FIRST_PAGE = "learn"
ALL_WORDS = True

TRAINS = ("""
tab = "train"
check = { value = "step", at_least = 1 }
""", """
tab = "generate"
settings = { prompt = "The bell", temperature = 0, max_new_tokens = 4 }
check = { value = "tokens", at_least = 3 }
""")

SETS = ("""
tab = "model"
settings = { context_length = 16 }
""", """
tab = "train"
settings = { steps = 7 }
""", """
tab = "generate"
settings = { prompt = "The bell", temperature = 0 }
""")


@pytest.fixture
def begin(user, tmp_path):
    """Start a shipped lesson, or one with these steps, at a step counted from 1."""

    def start(lesson: str | tuple[str, ...], step: int = 1):
        user.window.learning.open_lesson(
            shipped("en")[SHIPPED.index(lesson)] if isinstance(lesson, str) else
            lesson_file(tmp_path / "mine.toml", *lesson))
        runner = user.window.lessons.runner
        user.wait(runner.guide.next.isVisible)
        runner.show_step(step - 1)
        return runner

    return start


def fill_row(user, matrix, row: int, number: str) -> None:
    """Type a number into each cell of a row of a matrix, with a double click, and then Tab from cell to cell."""
    user.qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(row, 0)).center())
    user.qtbot.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.rect(Cell(row, 0)).center())
    for _ in range(3):
        user.qtbot.keyClicks(user.window.focusWidget(), number)
        user.press(Qt.Key.Key_Tab)
    user.press(Qt.Key.Key_Escape)


def test_that_typing_into_a_row_does_not_make_its_word_the_query_and_another_word_is_not_the_goal(user, begin):
    runner = begin("attention-from-nothing")
    page = user.window.learn.page("attention")
    user.wait(lambda: page.answer)
    fill_row(user, page.board("products").matrix("inputs"), 2, "2")
    assert page.request.inputs[2] == (2, 2, 2)
    assert page.request.query == 2
    user.wait(lambda: 0 in runner.reached)

    user.lesson.end()
    runner = begin("attention-from-nothing")
    page = user.window.learn.page("attention")
    user.wait(lambda: page.answer)
    inputs = page.board("products").matrix("inputs")
    user.qtbot.mouseClick(inputs, Qt.MouseButton.LeftButton, pos=_name(inputs))
    assert page.request.query == 3
    fill_row(user, inputs, 2, "1.7")
    assert value(runner) > 0.5
    user.rest(0.2)
    assert runner.reached == set()
    assert "Query" in runner.guide.notes.text()
    page.controls.editors["query"].set_value(2)
    fill_row(user, inputs, 2, "2")
    user.wait(lambda: 0 in runner.reached)
    assert runner.guide.notes.text() == ""


def _name(matrix):
    """Return the middle of the third row's name."""
    place = matrix.rect(Cell(2, 0)).center()
    place.setX(matrix.rect(Cell(2, 0)).left() // 2)
    return place


def test_that_earlier_runs_and_texts_do_not_count_and_a_killed_lesson_continues_with_its_goals(
    user, begin, start_again
):
    user.train.to_end(steps=3)
    runner = begin(TRAINS)
    user.rest(0.2)
    assert runner.reached == set()
    assert "before the lesson" in runner.guide.notes.text()
    user.click(user.window.train.start)
    user.wait(lambda: not user.window.state.running and 0 in runner.reached)
    assert runner.guide.notes.text() == ""

    user.lesson.end()
    window = user.window
    user.go_to("generate")
    user.generate.set_parameter("temperature", "0")
    user.generate.begin(4, "The bell")
    user.generate.wait_ended()
    runner = begin(TRAINS, 2)
    user.rest(0.2)
    assert runner.reached == set()
    user.click(window.generate.go)
    user.wait(lambda: 1 in runner.reached)

    user.lesson.end()
    runner = begin(TRAINS)
    user.train.to_end(steps=3)
    user.wait(lambda: 0 in runner.reached)
    learning = user.window.learning
    learning.note_progress(learning.record.model_copy(update={"goals": {}}))  # killed just before it was reached
    runner = start_again()
    assert "before the lesson" not in runner.guide.notes.text()
    user.wait(lambda: 0 in runner.reached)
    runner = start_again()
    assert runner.reached == {0}
    user.wait(runner.guide.next.isVisible)
    user.click(runner.guide.next)
    runner = start_again()
    assert runner.index == 1
    assert runner.reached == {0}
    assert not runner.guide.resume.isVisible()
    user.lesson.end()
    user.window.learning.resume_interrupted(ENGLISH)
    assert user.window.lessons.runner is None, "an ended lesson is not open at the next start"


@pytest.mark.parametrize(("continues", "steps", "restored"), [(True, 11, 11), (False, 11, 11), (False, 0, 7)])
def test_that_settings_before_a_lesson_during_which_the_program_was_killed_are_restored(
    user, begin, tmp_path, continues, steps, restored
):
    state, learning = user.window.state, user.window.learning
    user.train.set(steps=11, seed=5)
    user.type("config_context_length", "24")
    user.go_to("generate")
    user.generate.set_parameter("temperature", "1.5")
    before = (state.spec, state.generate_spec)
    state.train_values = {**state.train_values, "steps": steps}
    begin(SETS)
    for step in range(2):
        user.click(user.window.lessons.runner.guide.next)
        user.wait(lambda step=step: user.window.lessons.runner.index == step + 1)
    user.train.set(seed=6)  # which the lesson does not set, so it stays
    assert (state.spec.steps, state.spec.config.context_length, state.prompt) == (7, 16, "The bell")
    killed, progress = session.of(user.window), paths.lesson_progress().read_bytes()
    user.lesson.end()

    paths.lesson_progress().write_bytes(progress)
    del learning.progress
    if not continues:
        (tmp_path / "mine.toml").unlink()
    killed.put_back(user.window)
    assert state.spec.steps == 7
    learning.resume_interrupted(ENGLISH)
    if continues:
        assert user.window.lessons.runner.index == 2
        user.lesson.end()
    assert (state.spec, state.generate_spec) == (before[0].but(seed=6, steps=restored), before[1])
    assert lesson_progress.read().before is None


@pytest.fixture
def start_again(user):
    """End the lesson, and continue from the disk, as the next start does after the program was killed."""

    def start():
        left = paths.lesson_progress().read_bytes()
        user.lesson.end()
        paths.lesson_progress().write_bytes(left)
        del user.window.learning.progress
        user.window.learning.resume_interrupted(ENGLISH)
        return user.window.lessons.runner

    return start


# Places of a step.


def test_that_a_step_opens_its_view_but_keeps_a_running_one_and_generating_with_a_run_opens_that_which_writes(
    user, begin, study, monkeypatch
):
    for lesson, step in (
        ("attention-from-nothing", 10), ("train-and-decode", 8), ("train-and-decode", 9), ("train-and-decode", 10),
    ):
        user.generate.turn_to_view(2)
        user.go_to("train")
        runner = begin(lesson, step)
        pointed = user.find(runner.step.point)
        user.wait(lambda runner=runner, pointed=pointed: pointed.isVisible() and runner.controls.spotlight.isVisible())
        assert user.generate.view.card.isVisible(), (lesson, step)
        assert runner.guide.notes.text() == "", (lesson, step)
        user.lesson.end()

    run = study(title="mine")
    user.generate.turn_to_view(1)
    user.runs.choose(run)
    user.click(user.find("run_talk"))
    user.wait(lambda: user.current == "generate")
    assert user.generate.view.card.isVisible()
    assert user.window.focusWidget() is user.generate.prompt

    user.train.to_end(steps=3)
    user.generate.turn_to_view(2)
    monkeypatch.setattr(GenerateTab, "busy", True)
    runner = begin("train-and-decode", 8)
    assert user.generate.score_text.isVisible()
    assert "The model is busy in another view." in runner.guide.notes.text()
    monkeypatch.undo()


def test_that_the_merges_of_a_word_that_left_the_text_are_removed(user):
    window = user.window
    user.go_to("learn")
    window.learn.open("tokens")
    page = window.learn.page("tokens")
    user.wait(lambda: page.answer and page.ladder.accessibleDescription())
    page.editor.setFocus()
    user.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    user.press(Qt.Key.Key_Delete)
    user.wait(lambda: not page.ladder.accessibleDescription())
    user.qtbot.keyClicks(page.editor, "unbelievably")
    user.wait(lambda: page.answer.word == "unbelievably" and page.ladder.accessibleDescription())


def test_that_the_last_step_of_attention_requires_its_view_and_not_only_a_text(user, begin):
    user.window.state.config = GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=2, drop_rate=0.0)
    runner = begin("attention-from-nothing", step=10)
    last = runner.index
    user.generate.write(12, "Your journey starts with one step")
    assert last not in runner.reached
    user.generate.open_pane("attention")
    pane = user.window.generate.attention
    user.wait(lambda: pane.answer is not None)
    for step in range(4):
        user.click(pane.step.button(step))
    user.wait(lambda: last in runner.reached)
