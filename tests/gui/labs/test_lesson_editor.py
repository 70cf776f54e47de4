"""Writing a lesson in the window: recorded, completed with texts, tried, saved, and opened again."""

import tomllib
from unittest.mock import patch

import pytest
import tomli_w
from PySide6.QtWidgets import QFileDialog

from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.learn.lessons.editor import LessonEditor, draft
from gptstudio.gui.theme import theme
from gptstudio.labs import lesson

FIRST_PAGE = "learn"


@pytest.fixture
def editor(user):
    user.go_to("learn")
    user.window.learn.open("sampling")
    user.wait(lambda: user.window.learn.current.answer is not None)
    user.window.actions_of["write_lesson"].trigger()
    made = user.window.lesson_editor
    yield made
    made.close()


def test_that_text_boxes_grow_with_the_text_size(user, editor):
    for size in (2.0, 1.0):
        theme.enlarge(size)
        user.wait(lambda: all(
            lines <= (box.height() - 4) / box.fontMetrics().lineSpacing() <= lines + 1
            for box, lines in ((editor.text, 6), (editor.settings, 3), (editor.answers, 3))))


def record(user, editor) -> None:
    user.click(editor.record_button)
    user.rest(0.1)


def test_that_recorded_actions_become_steps_with_goals_and_the_lesson_can_be_tried(user, editor):
    record(user, editor)
    page = user.window.learn.current
    page.update_request(temperature=3.0)
    user.wait(lambda: len(editor.values["step"]) == 1)
    page.update_request(temperature=4.0)
    user.wait(lambda: editor.values["step"][0]["check"] == {"value": "temperature", "at_least": 4.0})
    user.window.state.select_model(GPTConfig(context_length=64, emb_dim=64, n_heads=4, n_layers=2))
    user.wait(lambda: len(editor.values["step"]) == 2)
    user.click(editor.record_button)
    assert [step.get("page") or step["tab"] for step in editor.values["step"]] == ["sampling", "model"]
    user.wait(lambda: "Step 1: text is empty" in editor.notice.text())
    assert not editor.try_button.isEnabled()
    editor.title.setFocus()
    user.qtbot.keyClicks(editor.title, "Mine")
    for row in range(2):
        editor.steps.setCurrentRow(row)
        editor.text.insertPlainText("Read\N{NO-BREAK SPACE}this.")
    assert editor.values["step"][1]["text"] == "Read\N{NO-BREAK SPACE}this."
    editor.steps.setCurrentRow(0)
    user.qtbot.keyClicks(editor.question, "Which one?")
    user.qtbot.keyClicks(editor.answers, "pizza\rcloser")
    user.qtbot.keyClicks(editor.answer, "pizza")
    user.wait(editor.try_button.isEnabled)
    assert editor.notice.text() == ""
    user.click(editor.try_button)
    runner = user.window.lessons.runner
    assert runner.lesson.title == "Mine"
    predict = runner.lesson.steps[0].predict
    assert (predict.choices, predict.answer) == (("pizza", "closer"), "pizza")
    user.lesson.end()


def test_that_a_run_a_text_and_its_sampling_settings_become_steps_of_their_pages(user, editor, tiny):
    user.panel.select(tiny)
    user.go_to("train")
    user.train.prepare(steps=1)
    record(user, editor)
    user.train.run_to_end()
    user.wait(lambda: len(editor.values["step"]) == 1)
    user.go_to("generate")
    user.rest(0.1)
    for number, (name, value) in enumerate((("top_k", ""), ("temperature", "2"), ("top_k", "5")), 2):
        user.generate.set_parameter(name, value)
        user.wait(lambda number=number: len(editor.values["step"]) == number)
    user.generate.write(3)
    user.wait(lambda: len(editor.values["step"]) == 5)
    user.click(editor.record_button)
    found = [(step["tab"], step.get("settings"), step["check"]) for step in editor.values["step"]]
    assert found == [
        ("train", None, {"value": "step", "at_least": 1}),
        ("generate", {"temperature": 1.0, "top_k": 50}, {"value": "top_k", "equals": ""}),
        ("generate", {"temperature": 1.0, "top_k": ""}, {"value": "temperature", "at_least": 2.0}),
        ("generate", {"temperature": 2.0, "top_k": ""}, {"value": "top_k", "equals": 5}),
        ("generate", {"temperature": 2.0, "top_k": 5}, {"value": "tokens", "at_least": 3})]
    editor.values["title"] = "Mine"
    for step in editor.values["step"]:
        step["text"] = "Read this."
    goal = lesson.parse(tomli_w.dumps(editor.values).encode(), "").steps[1].check
    assert [goal.reached(value) for value in (None, 5)] == [True, False]


def test_that_a_lesson_that_is_opened_and_saved_is_unchanged(user, editor, tmp_path):
    for path in (path for code in ("en", "zh_CN") for path in lesson.shipped(code)):
        editor.open_file(path)
        for row in range(editor.steps.count()):
            editor.steps.setCurrentRow(row)
            editor.explanation.textEdited.emit("")  # as typing does: the form is applied to the step
        saved = tmp_path / f"{path.parent.name} {path.name}"
        with patch.object(QFileDialog, "getSaveFileName", return_value=(str(saved), "")):
            user.wait(editor.save_button.isEnabled)
            user.click(editor.save_button)
        assert lesson.load(saved) == lesson.load(path), path


def test_that_steps_are_moved_deleted_and_kept_as_a_draft(user, editor):
    asked = []
    for words in ("one", "two", "three"):
        user.click(editor.add_button)
        editor.step_title.selectAll()
        user.qtbot.keyClicks(editor.step_title, words)
    assert [each.isEnabled() for each in (editor.up, editor.down, editor.delete)] == [True, False, True]
    user.click(editor.up)
    editor.steps.setCurrentRow(0)
    assert [each.isEnabled() for each in (editor.up, editor.down, editor.delete)] == [False, True, True]
    user.click(editor.delete)
    user.qtbot.keyClicks(editor.text, "Read this.")
    user.answer("Cancel", lambda question: asked.append(question.text()))
    user.click(editor.delete)
    assert asked == ["Delete step 1 with its texts? It cannot be restored."], "only for a step with texts"
    editor.close()
    assert [step["title"] for step in tomllib.loads(draft().read_text())["step"]] == ["three", "two"]


def test_that_a_title_typed_before_any_step_is_kept(user, editor):
    user.qtbot.keyClicks(editor.title, "Mine")
    editor.minutes.setValue(7)
    editor.close()
    kept = tomllib.loads(draft().read_text())
    assert (kept["title"], kept["minutes"]) == ("Mine", 7)


@pytest.mark.parametrize("check", [
    {"value": "temperature", "at_least": 1, "at_most": 2}, {"value": "prompt", "equals": "5"},
    {"value": "prompt", "equals": " a cat "}, {"value": "top_k", "equals": 5},
])
def test_that_a_goal_that_the_form_shows_in_part_is_kept_while_other_fields_change(user, editor, tmp_path, check):
    (tmp_path / "mine.toml").write_text(tomli_w.dumps({"step": [{"page": "sampling", "check": check}]}))
    editor.open_file(tmp_path / "mine.toml")
    user.qtbot.keyClicks(editor.step_title, "Goal")
    assert editor.values["step"][0]["check"] == check
    editor.goal.selectAll()
    user.qtbot.keyClicks(editor.goal, "2")
    assert editor.values["step"][0]["check"] == {**check, "equals" if "equals" in check else "at_least": 2}


def test_that_settings_that_are_not_toml_yet_are_shown_again_as_they_were_typed(user, editor):
    for _ in range(2):
        user.click(editor.add_button)
    typed = "top_k = 5\ntemperature ="
    user.qtbot.keyClicks(editor.settings, typed.replace("\n", "\r"))
    for row in range(2):
        editor.steps.setCurrentRow(row)
    assert editor.settings.toPlainText() == typed
    user.wait(lambda: "Step 2" in editor.notice.text())


def test_that_a_damaged_draft_is_kept_beside_and_reported(user):
    draft().write_bytes(b"title = \xff [")
    user.window.actions_of["write_lesson"].trigger()
    editor = user.window.lesson_editor
    user.click(editor.add_button)
    user.wait(lambda: "Step 1" in editor.notice.text())
    assert "Cannot read" in editor.notice.text()
    assert draft().with_name("lesson_draft.toml.aside").read_bytes() == b"title = \xff ["
    editor.close()


def test_that_opening_another_lesson_asks_before_it_replaces_one_that_was_not_saved(user, editor, monkeypatch):
    asked, answers, path = [], [False, False, True], lesson.shipped("en")[0]
    monkeypatch.setattr(f"{LessonEditor.__module__}.confirmed", lambda *words: asked.append(words) or answers.pop(0))
    user.wait(lambda: editor.notice.text().startswith("The lesson has no steps yet."))
    assert not any(each.isEnabled() for each in (editor.up, editor.down, editor.delete))
    with patch.object(QFileDialog, "getOpenFileName", return_value=(str(path), "")):
        user.click(editor.open_button)
        assert editor.steps.count() > 1, "there was nothing to replace"
        user.click(editor.open_button)
        assert not asked
        user.qtbot.keyClicks(editor.step_title, "x")
        user.click(editor.open_button)
    user.click(editor.new_button)
    assert [words[2] for words in asked] == ["Open", "New lesson"]
    assert editor.step_title.text().endswith("x")
    user.click(editor.new_button)
    assert editor.steps.count() == 0
    assert editor.title.text() == ""


def test_that_a_file_that_is_not_toml_changes_nothing_and_one_of_wrong_types_opens_with_its_problems(
    user, editor, tmp_path
):
    user.click(editor.add_button)
    (tmp_path / "bad.toml").write_bytes(b"\xff\x00 = [")
    editor.open_file(tmp_path / "bad.toml")
    assert "Cannot read" in editor.notice.text()
    assert len(editor.values["step"]) == 1

    # Values of wrong types.
    (tmp_path / "odd.toml").write_text("""
title = 3
minutes = "long"
step = [
    { title = 4, text = 5, page = 6, check = 7, settings = 8, predict = { choices = 9, number = [1] } },
    { predict = [] },
]
""")
    editor.open_file(tmp_path / "odd.toml")
    user.wait(lambda: "Step 1" in editor.notice.text())
    for row in range(2):
        editor.steps.setCurrentRow(row)
        editor.explanation.textEdited.emit("")
    user.wait(lambda: "text is empty" in editor.notice.text())
    assert not editor.save_button.isEnabled()
