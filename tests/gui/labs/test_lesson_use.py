"""Lessons in use: the content of a step, its questions, and the values that are kept and restored."""

import gc
import json

import pytest
import shiboken6
from pages.lab import shown_values
from pages.lesson import covered, in_sight, lesson_file, not_found, pointed, ring
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget

from gptstudio import formats, paths
from gptstudio.app import lesson_progress
from gptstudio.app.lesson_progress import LessonProgress, LessonRecord
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.inference.interventions import Component
from gptstudio.labs.lesson import shipped
from gptstudio.pointed_token import PointedToken

FIRST_PAGE = "learn"

LESSON = ("""
title = "Query"
try = "Set it."
page = "attention"
settings = { stage = "products", query = 2 }
point = "lab_attention_query"
check = { value = "query", equals = 5 }
[step.predict]
question = "Which word?"
choices = ["one", "starts"]
answer = "starts"
explanation = "Its vector is longer."
""", """
title = "Temperature"
try = "Lower it."
page = "sampling"
settings = { temperature = 1.0, top_k = "" }
check = { value = "top_probability", name = "Highest probability", at_least = 0.9 }
[step.predict]
question = "How large?"
number = "top_probability"
tolerance = 0.05
""", """
title = "Prompt"
tab = "generate"
settings = { prompt = "The bell", temperature = 0.3, max_new_tokens = 7 }
check = { value = "top_k", at_most = 20 }
""", """
title = "Model"
tab = "model"
settings = { preset = "gpt2-small" }
point = "model_totals"
""")


@pytest.fixture
def mine(tmp_path):
    return lesson_file(tmp_path / "mine.toml", *LESSON)


def begin(user, path):
    user.lesson.open(path)
    user.wait(user.lesson.next_button.isVisible)
    return user.lesson.runner


def dropped() -> list[str]:
    """Return the attributes of the program's valid objects that refer to objects that PySide considers deleted."""
    found = set()
    for owner in gc.get_objects():
        if not str(type(owner).__module__).startswith("gptstudio.") or not isinstance(owner, QObject):
            continue
        if not shiboken6.isValid(owner):
            continue
        for name, value in vars(owner).items():
            held = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
            if name != "centralLayout" and any(  # pyqtgraph's own, invalid from the start
                    isinstance(each, shiboken6.Object) and not shiboken6.isValid(each) for each in held):
                found.add(f"{type(owner).__name__}.{name}")
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(("first_language", "size"), [
    ("en", (1366, 768)), ("zh_CN", (1280, 800)), pytest.param("en", (1280, 800), marks=pytest.mark.release),
    pytest.param("zh_CN", (1366, 768), marks=pytest.mark.release),
])
def test_that_each_step_shows_the_control_it_points_at_and_its_result(window, user, first_language, size):
    """The steps of the shipped lessons are shown one after the other, without performing their tasks. The objects that
    Python refers to still exist after each lesson, although PySide invalidates those in a deleted dock."""
    window.resize(*size)
    before = dropped()
    for path in shipped(first_language):
        runner = begin(user, path)
        for index, step in enumerate(runner.lesson.steps):
            where = f"{path.stem}, {step.title}"
            assert runner.index == index, where
            user.wait(lambda runner=runner: runner.controls.spotlight.isVisible() and in_sight(pointed(runner)))
            if step.result:
                user.wait(lambda spot=runner.controls.spotlight: spot.beside and in_sight(spot.beside))
            assert in_sight(pointed(runner)), where
            user.wait(lambda runner=runner: covered(runner) == [])  # once the page has its layout
            card = QRect(runner.guide.mapTo(window, QPoint()), runner.guide.size())
            assert not ring(runner).intersects(card), where
            assert not_found(runner) == [], where
            assert runner.guide.notes.text() == "", where
            assert index not in runner.reached, f"{where}: reached before anything was done"
            user.click(runner.guide.next)
        assert runner.at_end
        user.click(runner.guide.next)
        assert user.lesson.runner is None
        del runner
        user.rest(0.02)
        assert set(dropped()) <= set(before), path.stem


# A question.


def test_that_a_task_is_hidden_until_a_guess_which_is_shown_beside_the_answer_or_skipped(
    window, user, mine, tmp_path
):
    """The Tab key moves through the answers to the question."""
    runner = begin(user, mine)
    assert user.find("lesson_question_text").text() == "First guess: Which word?"
    assert not user.find("lesson_try").isVisible()
    assert not user.find("lesson_check").isVisible()
    user.click(user.find("lesson_choice_1"))
    assert user.find("lesson_try").text() == "Try: Set it."
    assert user.lesson.reads("lesson_guess") == "You guessed: “one”."
    assert user.lesson.reads("lesson_explanation") == ""
    window.learn.page("attention").update_request(query=5)
    user.wait(lambda: 0 in runner.reached)
    assert user.lesson.reads("lesson_guess") == "You guessed “one”; it is “starts”."
    assert user.lesson.reads("lesson_explanation") == "Its vector is longer."
    user.click(runner.guide.next)
    user.find("lesson_guess_number").setFocus()
    user.qtbot.keyClicks(user.find("lesson_guess_number"), "much")
    user.press(Qt.Key.Key_Return)
    assert user.lesson.reads("lesson_guess_problem") == "Type a number, such as 0.5."
    user.find("lesson_guess_number").clear()
    user.qtbot.keyClicks(user.find("lesson_guess_number"), "95 %")
    user.click(user.find("lesson_guess_take"))
    window.learn.page("sampling").update_request(temperature=0.2)
    user.wait(lambda: 1 in runner.reached)
    assert user.lesson.reads("lesson_guess") == "✓ You guessed 0.95; it is 0.9129. Close enough."
    user.lesson.end()

    runner = begin(user, lesson_file(tmp_path / "again.toml", *LESSON))
    user.find("lesson_end").setFocus()
    reached = []
    for _ in range(4):
        user.press(Qt.Key.Key_Tab)
        reached.append(user.window.focusWidget().objectName())
    assert reached == ["lesson_choice_1", "lesson_choice_2", "lesson_guess_skip", "lesson_next"]

    user.click(user.find("lesson_guess_skip"))
    assert user.find("lesson_try").isVisible()
    window.learn.page("attention").update_request(query=5)
    user.wait(lambda: 0 in runner.reached)
    assert user.lesson.reads("lesson_guess") == "Right answer: “starts”."
    user.lesson.end()


POINTED = ("""
tab = "generate"
settings = { prompt = "The man", temperature = 1.0, max_new_tokens = 6 }
""", """
try = "Branch there."
tab = "generate"
[step.predict]
question = "Which one?"
token = "most_uncertain"
explanation = "Its entropy is the highest."
""")


def test_that_a_guess_can_be_a_token_of_the_text_by_mouse_and_by_keys(window, user, tmp_path, tiny):
    user.panel.select(tiny)
    runner = begin(user, lesson_file(tmp_path / "pointed.toml", *POINTED))
    user.click(runner.guide.next)
    guess, reads, strip = user.find("lesson_guess_take"), user.lesson.reads, user.generate.strip
    assert reads("lesson_guess_token") == "There is no text yet. Generate one first, and then click a token in it."
    user.wait(lambda: pointed(runner) is user.generate.go_button)
    assert not guess.isVisible()
    user.click(user.find("lesson_generate"))
    user.generate.wait_ended()
    user.wait(lambda: pointed(runner) is strip)
    assert reads("lesson_guess_token") == "Click a token in the text, or choose one with the arrow keys."
    assert guess.isVisible()
    assert not user.find("lesson_generate").isVisible()
    assert not guess.isEnabled()  # the newest token was not chosen by the user
    path = user.generate.text.path
    most = max(path[2:], key=lambda node: node.reading.plain_entropy_bits).position
    user.click(strip, strip.place_of(most).center().toPoint())
    right = f"“{GPT2.visible(path[most].id)}” at position {most}"
    assert reads("lesson_guess_token") == f"Chosen: {right}"
    user.press(Qt.Key.Key_Left)
    other = f"“{GPT2.visible(path[most - 1].id)}” at position {most - 1}"
    assert reads("lesson_guess_token") == f"Chosen: {other}"
    guess.setFocus()
    user.press(Qt.Key.Key_Space)
    assert reads("lesson_guess") == f"You guessed {other}; it is {right}."
    assert reads("lesson_explanation") == "Its entropy is the highest."
    assert not user.find("lesson_guess_token").isVisible()
    assert user.find("lesson_try").isVisible()
    record = lesson_progress.read().of(str(tmp_path / "pointed.toml"), 2)
    assert record.guesses == {1: PointedToken(most - 1, GPT2.visible(path[most - 1].id))}
    runner.record = record.model_copy(update={"guesses": {}})
    runner.show_step(1)
    user.generate.choose(most)
    user.click(guess)
    assert reads("lesson_guess") == f"✓ You guessed {right}, and that is right."
    user.lesson.end()


def test_that_the_pointed_control_and_its_result_are_shown_in_a_smaller_window(window, user):
    window.resize(1280, 800)
    runner = begin(user, shipped("en")[1])
    spot = runner.controls.spotlight
    user.wait(lambda: spot.isVisible() and spot.beside and in_sight(pointed(runner)) and in_sight(spot.beside))
    window.resize(1120, 480)
    user.wait(lambda: not in_sight(spot.beside))  # the two do not both fit
    user.wait(lambda: in_sight(pointed(runner)))
    user.click(user.find("lesson_choice_1"))
    window.learn.page("attention").update_request(inputs=((0.43, 0.15, 0.89), (0.55, 0.87, 0.66), (5.0, 5.0, 5.0),
                                                (0.22, 0.58, 0.33), (0.77, 0.25, 0.1), (0.05, 0.8, 0.55)))
    user.wait(lambda: 0 in runner.reached and in_sight(spot.beside))
    user.lesson.end()


# Progress.


def test_that_a_skipped_step_does_not_count_as_done_and_the_lesson_can_be_continued(window, user, mine):
    runner = begin(user, mine)
    user.click(user.find("lesson_choice_2"))
    window.learn.page("attention").update_request(query=5)
    user.wait(lambda: 0 in runner.reached)
    user.click(runner.guide.next)
    user.click(runner.guide.next)
    assert runner.guide.progress.accessibleDescription() == "Skipped steps: 2"
    user.lesson.end()
    record = lesson_progress.read().of(str(mine), 4)
    assert (record.step, record.done, record.skipped, record.goals) == (2, 1, {1}, {0: 5.0})
    runner = begin(user, mine)
    assert runner.reached == set()
    assert user.find("lesson_resume").text() == "Continue at step 3"
    user.click(user.find("lesson_resume"))
    assert (runner.index, runner.reached) == (2, {0})
    assert not user.find("lesson_resume").isVisible()
    user.click(runner.guide.next)
    user.click(runner.guide.next)
    lines = user.find("lesson_text").text().splitlines()
    assert lines == [
        "✓ 1. Query  ·  Query: 5", "Which word? ✓ You guessed “starts”, and that is right.", "",
        "– 2. Temperature  ·  skipped; goal: Highest probability, at least 0.9", "",
        "– 3. Prompt  ·  skipped; goal: top-k, at most 20", "", "4. Model"]
    assert "Goals reached: 1 of 3. Skipped: 2. Right guesses: 1 of 2." in user.find("lesson_try").text()
    user.click(runner.guide.next)
    assert user.lesson.runner is None


def test_that_a_finished_lesson_opens_with_its_results_and_its_progress_in_the_list_leads_to_the_next(
    window, user, mine
):
    runner = begin(user, mine)
    user.click(user.find("lesson_choice_2"))
    window.learn.page("attention").update_request(query=5)
    user.wait(lambda: 0 in runner.reached)
    for _ in range(5):
        user.click(runner.guide.next)
    assert user.lesson.runner is None
    page = window.state.page
    runner = begin(user, mine)
    assert runner.at_end
    assert window.state.page == page, "nothing is changed by looking back"
    assert user.find("lesson_text").text().splitlines()[:2] == [
        "✓ 1. Query  ·  Query: 5", "Which word? ✓ You guessed “starts”, and that is right."]
    user.click(user.find("lesson_again"))
    assert (runner.index, runner.reached) == (0, set())
    assert not user.find("lesson_again").isVisible()
    assert user.find("lesson_choice_2").isVisible(), "its question is asked once more"
    user.lesson.end()
    assert window.learning.record_of(mine).goals == {0: 5.0}, "what was reached stays"

    # The list shows the progress, and the summary leads to the next lesson.
    first, *_ = shipped("en")
    runner = begin(user, first)
    user.click(runner.guide.next)
    user.click(runner.guide.next)
    user.lesson.end()
    lengths = [item.text(1) for item in window.learn.contents.lines[:2]]
    assert lengths == ["0 of 9", "45 min"]
    record = LessonRecord(steps=9, step=8, furthest=8, finished=True)
    lesson_progress.keep(LessonProgress().noted("from-text-to-tensors", record), ["from-text-to-tensors"])
    del window.learning.progress
    window.learn.offer_lessons()
    assert window.learn.contents.lines[0].text(1) == "✓ done"
    runner = begin(user, first)
    assert runner.at_end
    user.click(user.find("lesson_again"))
    assert not user.find("lesson_resume").isVisible()
    runner.show_step(8)
    user.click(runner.guide.next)
    user.click(user.find("lesson_following"))
    user.wait(lambda: user.lesson.runner and user.lesson.title == "Attention from scratch")
    assert window.learning.record_of(first).complete, "going through it again, without its goals, undoes nothing"
    user.lesson.end()


@pytest.mark.parametrize("text", [
    "", "[]", "{", '{"version": 99, "lessons": {}}', '{"lessons": {"a": {"steps": 3, "step": 7}}}',
    '{"lessons": {"a": {"steps": 3, "goals": {"0": NaN}}}}', '{"lessons": {"a": {"steps": "3"}}}', "[" * 5000])
def test_that_an_invalid_progress_file_counts_as_no_progress(home, text):
    paths.lesson_progress().write_text(text, encoding="utf-8")
    assert lesson_progress.read() == LessonProgress()


def test_that_progress_is_read_as_written(home):
    record = LessonRecord(steps=5, step=2, furthest=3, goals={0: 1.5, 1: True, 2: "before"}, skipped=frozenset({3}),
                          guesses={0: None, 2: "a"}, truths={2: "b"})
    lesson_progress.keep(LessonProgress().noted("x", record), ["x"])
    assert json.loads(paths.lesson_progress().read_text(encoding="utf-8"))["version"] == formats.LESSON_PROGRESS
    assert lesson_progress.read().of("x", 5) == record
    assert lesson_progress.read().of("x", 6) is None


def test_that_the_progress_of_another_window_is_kept(window, user, mine):
    other = LessonRecord(steps=2, step=1, finished=True)
    runner = begin(user, mine)
    saved = lesson_progress.read().noted("other", other)  # as another window does
    paths.lesson_progress().write_text(saved.model_dump_json(), encoding="utf-8")
    user.click(runner.guide.next)
    user.lesson.end()
    assert list(lesson_progress.read().lessons) == ["other", str(mine)]
    assert lesson_progress.read().lessons["other"] == window.learning.progress.lessons["other"] == other


# Restored settings.


def test_that_a_lesson_restores_its_settings_and_panels_and_leaves_the_users_other_changes(window, user, mine):
    state = window.state
    state.prompt = "My own prompt"
    page = user.learn.open("attention")
    page.update_request(stage="mask", query=3)
    state.page = "runs"
    before = state.config_values, state.sampling_params, state.generate_values["max_new_tokens"]
    values = shown_values(page)
    runner = begin(user, mine)
    runner.next()
    runner.next()
    assert (state.prompt, state.sampling_params.temperature) == ("The bell", 0.3)
    user.generate.set_parameter("top_k", "9")
    state.generate_values = {**state.generate_values, "seed": 77}
    runner.next()
    assert state.page == "train"
    user.lesson.end()
    assert (state.config_values, state.sampling_params, state.generate_values["max_new_tokens"]) == before
    assert state.prompt == "My own prompt"
    assert state.generate_values["seed"] == 77  # of none of the steps
    assert shown_values(page) == values
    assert state.unfolded_pages == {"train"}

    state.unfolded_pages = frozenset()
    runner = begin(user, mine)
    runner.show_step(3)
    user.wait(lambda: in_sight(user.find("model_totals")))
    runner.back()
    assert state.unfolded_pages == frozenset()
    user.lesson.end()


def test_that_the_settings_of_a_run_are_restored_when_it_has_ended(window, user, tmp_path, tiny):
    path = lesson_file(tmp_path / "runs.toml", """
tab = "train"
settings = { text = ["story"], steps = 400, learning_rate = 0.002, eval_freq = 2, eval_iter = 1, sample_tokens = 0 }
check = { value = "step", at_least = 2 }
""")
    user.panel.select(tiny)
    state = window.state
    before, texts = state.train_values, state.texts
    runner = begin(user, path)
    user.wait(lambda: window.train.start.isEnabled())
    user.click(window.train.start)
    user.wait(lambda: 0 in runner.reached)
    user.lesson.end()
    assert state.train_values["learning_rate"] == 0.002
    window.training.stop()
    user.wait(lambda: not state.running)
    assert (state.train_values, state.texts) == (before, texts)


# Parts that are created when first shown.


WHAT_IF = ("""
title = "Prompt"
tab = "generate"
settings = { prompt = "The man", max_new_tokens = 3 }
point = "generate"
""", """
title = "What if"
tab = "generate"
try = "Switch two parts off."
point = "what_if_map"
check = { value = "changes", at_least = 2 }
""")


FOLDED = ("""
title = "Parameter"
tab = "generate"
point = "min_p"
""", """
title = "Setting"
tab = "generate"
point = "generate_seed"
""", """
title = "Pane"
tab = "generate"
point = "neighbours"
""")


def test_that_a_step_unfolds_its_control_and_opens_a_pane_that_is_not_created_yet(window, user, tmp_path, tiny):
    window.resize(1280, 800)
    runner = begin(user, lesson_file(tmp_path / "folded.toml", *FOLDED))
    for name in ("min_p", "generate_seed", "neighbours"):
        user.wait(lambda name=name: pointed(runner) and user.find(name).isVisible())
        user.wait(lambda: in_sight(pointed(runner)))
        if name != "neighbours":
            user.click(runner.guide.next)
    user.lesson.end()
    assert user.generate.open_pane_name == "choices"

    window.resize(1280, 800)
    user.panel.select(tiny)
    runner = begin(user, lesson_file(tmp_path / "what_if.toml", *WHAT_IF))
    assert window.findChild(QWidget, "what_if_map") is None
    user.click(user.generate.go_button)
    user.generate.wait_ended()
    user.click(runner.guide.next)
    user.wait(lambda: pointed(runner) is not None and pointed(runner).objectName() == "what_if_map")
    user.wait(lambda: in_sight(pointed(runner)))
    user.what_if.open()
    user.what_if.switch(Component(0))
    assert 1 not in runner.reached
    user.what_if.switch(Component(0, 0))
    user.wait(lambda: 1 in runner.reached)
    user.lesson.end()
