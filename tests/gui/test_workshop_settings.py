"""The window on a computer that an instructor has set up: the pages that open, the choices that are offered, and the
controls that cannot be reached."""

import sys
from pathlib import Path

import pytest
from at_the_window import in_chinese
from pages.lesson import lesson_file
from pages.painted import drop
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from gptstudio import paths, settings, settings_file
from gptstudio.app import computer_check
from gptstudio.data.texts import NAMES
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gui.language import CHINESE, ENGLISH, has_chinese_font, language
from gptstudio.gui.learn.learn_tab import read_head
from gptstudio.gui.session import GenerateSession, Session
from gptstudio.gui.theme import theme
from gptstudio.inference.spec import GenerateSpec
from gptstudio.labs.lesson import shipped, widget_tree
from gptstudio.training.model_source import newest_of_each_run
from gptstudio.training.spec import TrainSpec

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

import controls as packaged

CTRL = Qt.KeyboardModifier.ControlModifier
WHY = "Locked by your instructor"
NO_DOWNLOAD = 'lock = ["download_weights", "fetch_verdict"]'


@pytest.fixture
def computer(request, home, monkeypatch) -> Path:
    """Write the settings of the computer from the test's parameter, and return their file."""
    file = home / "settings.toml"
    file.write_text(request.param, encoding="utf-8")
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(file))
    return file


def of_computer(text: str):
    return pytest.mark.parametrize("computer", [text], indirect=True)


def tip_of(widget: QWidget) -> str:
    """Return the tooltip of a widget."""
    middle = QPoint(widget.width() // 2, widget.height() // 2)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, middle, widget.mapToGlobal(middle)))
    return QToolTip.text()


def press_on(user, widget: QWidget) -> None:
    user.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("text", "chosen", "asked", "expected"), [
    ('language = "zh_CN"', "", "", CHINESE),
    ('language = "zh_CN"', ENGLISH, "", ENGLISH),
    ('language = "zh_CN"\nlock = ["language_menu"]', ENGLISH, "", CHINESE),
    ('language = "en"\nhide = ["view_menu"]', CHINESE, "", ENGLISH),
    ('language = "zh_CN"\nlock = ["language_menu"]', "", ENGLISH, ENGLISH),
    ('lock = ["language_menu"]', CHINESE, "", CHINESE),
])
def test_that_the_language_is_the_computers_unless_the_user_chose_another(
    application, home, monkeypatch, text, chosen, asked, expected
):
    if not has_chinese_font():
        pytest.skip("no font here has Chinese characters")
    (home / "settings.toml").write_text(text)
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(home / "settings.toml"))
    monkeypatch.setenv("GPTSTUDIO_LANG", asked)
    if chosen:
        paths.language().write_text(chosen)
    try:
        language.begin()
        assert language.code == expected
    finally:
        language.load(ENGLISH)


@of_computer('lesson = "attention-from-nothing"\ntexts = "ours"')
def test_that_the_lesson_opens_with_the_window_unless_one_is_requested_and_the_texts_are_offered(
    computer, qtbot, user, home
):
    user.wait(lambda: user.lesson.runner)
    assert user.lesson.title == "Attention from scratch"
    assert user.find("lesson_guide").isVisible()

    user.lesson.end()
    user.window.settings_locks.begin()
    user.lesson.open(shipped(ENGLISH)[2])  # as the command line does, at the same time
    qtbot.wait(50)
    assert user.lesson.title == "Train and decode a GPT"

    # The texts of the folder.
    user.lesson.end()
    user.go_to("train")
    (home / "ours").mkdir()
    for name in ("b.txt", "a.md"):
        (home / "ours" / name).write_text("the cat sat on the mat. " * 200)
    user.window.settings_locks.begin()  # the folder was filled after the window had read it
    box = user.train.text_box
    user.wait(lambda: box.findText("b.txt") >= 0)
    assert [box.itemText(place) for place in range(len(NAMES), box.count())] == ["a.md", "b.txt", "Choose a file…"]
    user.choose(box, "b.txt")
    assert user.train.texts == (str(home / "ours" / "b.txt"),)
    user.train.use_text("mine.txt")
    assert [box.itemText(place) for place in range(len(NAMES), box.count())][:3] == ["a.md", "b.txt", "mine.txt"]
    user.go_to("texts")
    assert [Path(name).name for name in user.texts.names][-2:] == ["a.md", "b.txt"]
    assert not {"a.md", "b.txt"} & {Path(name).name for name in user.texts.ticked}


@of_computer(NO_DOWNLOAD)
def test_that_no_control_starts_a_download_where_it_is_locked(computer, user, monkeypatch):
    window, asked = user.window, []
    monkeypatch.setattr(window.training.text_check, "fetch_verdict", lambda: asked.append("verdict"))
    menu, download = user.window.menus.by_name["model"], user.window.actions_of["download_weights"]
    menu.popup(window.mapToGlobal(QPoint(0, 0)))
    entry = menu.actionGeometry(download).center()
    user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=entry)
    menu.close()
    assert download.toolTip() == WHY
    box = user.panel.weights_box
    last = box.count() - 1
    assert not box.model().flags(box.model().index(last, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert box.itemData(last, Qt.ItemDataRole.ToolTipRole) == WHY
    box.setFocus()
    user.press(Qt.Key.Key_End)
    box.hidePopup()
    box.activated.emit(last)
    user.dialogs.choose("models")
    other = user.find("models_download")
    user.wait(other.isVisible)
    press_on(user, other)
    assert tip_of(other) == WHY
    other.click()  # also if the button were pressed by other means
    user.dialogs.models.reject()
    assert not user.dialogs.made("downloads")
    fetch = user.train.fetch_button
    user.train.widget.text_plan.instead.show()
    press_on(user, fetch)
    fetch.setFocus()
    user.press(Qt.Key.Key_Space)
    user.press(Qt.Key.Key_Return, CTRL)
    assert asked == []


@of_computer('lock = ["model_menu", "open_texts", "lab_list", "run_import"]')
def test_that_locked_functions_accept_no_dropped_files(computer, user, home):
    weights, text, lesson = home / "model.safetensors", home / "mine.txt", home / "lesson.toml"
    weights.write_bytes(b"")
    text.write_text("some words " * 50)
    lesson.write_text(shipped(ENGLISH)[0].read_text(encoding="utf-8"), encoding="utf-8")
    packed = home / "packed.zip"
    packed.write_bytes(b"")
    for file in (weights, text, lesson, packed):
        QToolTip.hideText()
        drop(user.window, file)
        assert QToolTip.text() == WHY
    assert user.current == "train"
    assert not user.dialogs.made("opening")
    assert user.lesson.runner is None
    assert str(text) not in user.texts.names


@of_computer("""lock = ["start", "step", "stop", "preset", "view_menu", "train_seed"]
hide = ["reset", "train_more"]""")
def test_that_locked_controls_ignore_mouse_and_keys_also_after_a_lesson_that_locked_them(computer, user):
    window, train = user.window, user.train
    train.prepare()
    assert train.start_button.isEnabled()
    seed, larger = user.find("train_seed"), window.font().pointSizeF()
    press_on(user, train.start_button)
    press_on(user, train.step_button)
    assert not train.reset_button.isVisible()
    before = seed.value()
    for control in (train.start_button, train.step_button, seed, user.find("preset")):
        control.setFocus()
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_S, Qt.Key.Key_Period, Qt.Key.Key_Up):
            user.press(key)
        assert tip_of(control) == WHY
    user.press(Qt.Key.Key_Return, CTRL)
    user.press(Qt.Key.Key_Plus, CTRL)
    assert not train.running
    assert seed.value() == before
    assert window.actions_of["text_larger"].toolTip() == WHY
    assert window.font().pointSizeF() == larger

    # A lesson restores nothing that the computer locks.
    user.lesson.open(shipped(ENGLISH)[2])
    lesson = user.lesson.runner
    lesson.show_step(next(n for n, step in enumerate(lesson.lesson.steps) if "train_seed" in step.lock))
    rate, seed = user.find("train_learning_rate"), user.find("train_seed")
    assert tip_of(rate) == "Locked by the lesson"
    user.lesson.end()
    before = seed.value()
    seed.setFocus()
    user.press(Qt.Key.Key_Up)
    assert seed.value() == before
    assert tip_of(seed) == WHY
    assert not user.find("train_more").isVisible()
    rate.setFocus()
    user.press(Qt.Key.Key_Up)
    assert rate.value() != 0.0004


@of_computer("""lock = [
    "stop", "transport_play", "transport_undo", "temperature", "run_delete", "run_talk", "runs_memory_all",
    "lab_attention_seed", "lab_attention_rate",
]""")
def test_that_the_keys_of_train_and_generate_and_controls_that_are_created_later_are_locked_too(computer, user):
    user.train.begin(steps=5000, eval_freq=1000)
    user.press(Qt.Key.Key_Escape)
    user.rest(0.2)
    assert user.train.running
    user.window.training.stop()
    user.train.wait_ended()

    user.generate.write(4)
    user.generate.go_button.setFocus()
    path = list(user.generate.text.path)
    user.press(Qt.Key.Key_P)
    user.press(Qt.Key.Key_Z, CTRL)
    assert not user.generate.playing
    assert list(user.generate.text.path) == path
    user.generate.forward_button.setFocus()
    place = user.generate.text.chosen
    user.press(Qt.Key.Key_Comma)  # which is not locked
    assert user.generate.text.chosen is not place

    user.go_to("runs")
    user.wait(lambda: user.runs.listed_runs)
    user.find("run_list").setFocus()
    user.find("run_list").selectRow(0)
    user.wait(user.window.findChild(QAction, "run_open_action").isEnabled)
    delete = user.window.findChild(QAction, "run_delete_action")
    assert not delete.isEnabled()
    assert delete.toolTip() == WHY
    user.press(Qt.Key.Key_Delete)
    assert QApplication.activeModalWidget() is None
    assert tip_of(user.find("run_talk")) == WHY
    user.runs.compare.curve_actions["memory"].setChecked(True)
    assert tip_of(user.find("runs_memory_all")) == WHY
    user.go_to("learn")
    user.learn.open("attention")
    assert tip_of(user.find("lab_attention_seed")) == WHY


@of_computer(
    'lock = ["train_seed", "config_n_layers", "temperature", "generate_seed"]\nhide = ["train_weight_decay"]'
)
def test_that_locked_fields_keep_their_values_when_forms_are_filled(computer, user):
    state, window = user.state, user.window
    other = TrainSpec(
        config=GPTConfig(context_length=64, emb_dim=32, n_heads=4, n_layers=7), epochs=3, seed=5, weight_decay=0.7,
        text=("story",),
    )

    def kept() -> None:
        assert (state.spec.epochs, state.spec.config.emb_dim, state.texts) == (3, 32, ("story",))
        assert (state.spec.seed, state.spec.config.n_layers, state.spec.weight_decay) == before

    before = (state.spec.seed, state.spec.config.n_layers, state.spec.weight_decay)
    assert before != (other.seed, other.config.n_layers, other.weight_decay)
    window.training.run_again(other)
    kept()
    state.use_spec(TrainSpec())
    writing = GenerateSession(spec=GenerateSpec(temperature=1.7, top_k=9, seed=8, max_new_tokens=7))
    Session(
        geometry="", tab="train", colours="light", zoom=theme.zoom, config=other.config, spec=other, writing=writing
    ).put_back(window)
    kept()
    assert (state.sampling_params.top_k, state.generate_values["max_new_tokens"]) == (9, 7)
    assert (state.sampling_params.temperature, state.generate_values["seed"]) == (
        GenerateSpec().temperature, GenerateSpec().seed
    )


@of_computer('lock = ["settings_card", "model_dock"]')
def test_that_a_locked_group_keeps_the_values_of_all_its_fields(computer, user):
    before = user.state.train_values, user.state.config
    user.window.training.run_again(TrainSpec(config=PRESETS["book"], epochs=3, seed=5, text=("story",)))
    assert (user.state.train_values, user.state.config) == before
    assert user.state.texts == ("story",)


def begin_step(user, home, text: str):
    """Open a lesson of one step in the folder of the settings, and return its runner."""
    user.lesson.open(lesson_file(home / "mine.toml", text))
    return user.lesson.runner


ASKS = """
tab = "model"
settings = { preset = "gpt2-medium" }
try = "Choose gpt2-medium."
point = "preset"
check = { value = "parameters", at_least = 300_000_000 }
"""


@of_computer('lock = ["preset", "start", "train_learning_rate", "text", "prompt"]')
def test_that_a_lesson_requires_nothing_locked_and_names_the_locked_values_that_it_leaves(computer, user, home):
    config = user.state.config
    lesson = begin_step(user, home, ASKS)
    assert user.state.config == config
    assert "Your instructor has locked what this step asks you to use." in lesson.guide.notes.text()
    assert not lesson.guide.task.isVisible()
    assert not lesson.guide.check.isVisible()
    assert not lesson.is_open

    before = user.state.texts, user.state.train_values["learning_rate"], user.state.prompt
    for step, held in (
        ('tab = "train"\nsettings = { text = ["story"], learning_rate = 0.5, epochs = 3 }', "Text, Learning rate"),
        ('tab = "generate"\nsettings = { prompt = "The bell" }', "Prompt"),
    ):
        lesson = begin_step(user, home, step)
        assert (user.state.texts, user.state.train_values["learning_rate"], user.state.prompt) == before
        for name in held.split(", "):
            assert name in lesson.guide.notes.text()

    lesson = begin_step(user, home, 'tab = "train"\ncheck = { value = "validation_loss", at_most = 9 }')
    assert not lesson.is_open, "no run can be started"
    assert "locked" in lesson.guide.notes.text()

    user.state.train_values = {**user.state.train_values, "learning_rate": 0.007, "epochs": 2}
    user.lesson.open(shipped(ENGLISH)[2])
    lesson = user.lesson.runner
    lesson.show_step(next(n for n, step in enumerate(lesson.lesson.steps) if "learning_rate" in step.settings))
    assert user.state.train_values["epochs"] == 10
    assert user.state.train_values["learning_rate"] == 0.007


@of_computer('lesson = "mine.toml"\ntexts = "texts"')
def test_that_the_text_of_a_lesson_is_found_beside_it_or_in_the_folder_and_reported_if_missing(computer, user, home):
    trains = 'tab = "train"\nsettings = { text = ["ours.txt"] }'
    lesson = begin_step(user, home, trains)
    assert user.state.texts == ("verdict",)
    assert "“ours.txt” is neither beside the lesson nor" in lesson.guide.notes.text()
    check = next(each for each in computer_check.check(settings.in_force()) if each.name == "Lesson")
    [fault] = [fault for fault in check.faults if "ours.txt" in fault.what]
    assert "the text ours.txt of the lesson is neither beside it nor in the folder for texts." in fault.what
    for place in ("texts", "."):
        text = home / place / "ours.txt"
        text.parent.mkdir(exist_ok=True)
        text.write_text("the cat sat on the mat. " * 200)
        lesson = begin_step(user, home, trains)
        assert user.state.texts == (str(text),)
        assert lesson.guide.notes.text() == ""
        user.lesson.end()
        text.unlink()


@of_computer('lesson = "mine.toml"')
def test_that_the_lesson_of_the_computer_is_listed_first_and_can_be_opened_again(computer, user, home):
    lesson_file(home / "mine.toml", 'tab = "train"')
    user.window.settings_locks.begin()
    user.wait(lambda: user.lesson.runner)
    user.lesson.end()
    user.window.go_to("learn")
    first, second, *_ = user.learn.contents.lines
    assert (first.text(0), second.text(0)) == ("Mine", read_head(shipped(ENGLISH)[0]).words)
    contents = user.learn.contents
    user.click(contents.viewport(), contents.visualItemRect(first).center())
    assert user.lesson.title == "Mine"


@of_computer('lock = ["generate_tab"]\nhide = ["runs_tab"]')
def test_that_no_control_opens_a_locked_page(computer, user):
    window = user.window
    names = dict(zip(("train", "generate", "runs", "texts", "learn"), range(5), strict=True))
    assert not window.tabs.bar.isTabEnabled(names["generate"])
    assert window.tabs.bar.tabToolTip(names["generate"]) == WHY
    assert not window.tabs.bar.isTabVisible(names["runs"])
    for key in (Qt.Key.Key_3, Qt.Key.Key_4):
        user.press(key, CTRL)
        assert user.current == "train"
    user.qtbot.mouseClick(
        window.tabs.bar, Qt.MouseButton.LeftButton, pos=window.tabs.bar.tabRect(names["generate"]).center()
    )
    assert user.current == "train"
    user.train.to_end(steps=2, eval_freq=2)
    window.library.generate_with(newest_of_each_run()[0].path)
    assert user.current == "train"
    user.lesson.open(shipped(ENGLISH)[2])  # which opens Generate towards its end
    lesson = user.lesson.runner
    lesson.show_step(next(n for n, step in enumerate(lesson.lesson.steps) if step.tab == "generate"))
    assert user.current == "train"
    assert user.find("lesson_notes").text() == "This step is on a page that your instructor has locked."


@of_computer('lock = ["train_seed", "language_en", "generate_tab"]')
@in_chinese
def test_that_locks_apply_in_a_chinese_window(computer, user):
    seed = user.find("train_seed")
    before = seed.value()
    seed.setFocus()
    user.press(Qt.Key.Key_Up)
    assert seed.value() == before
    assert not user.window.actions_of["language_en"].isEnabled()
    assert not user.window.tabs.bar.isTabEnabled(1)
    assert user.window.tabs.bar.tabToolTip(1) == user.window.actions_of["language_en"].toolTip() == "已被教师锁定"


@of_computer("""lock = ["strat", "reset"]
texts = "nowhere"
colour = "red"
language = "en"
hide = ["model_menu"]""")
def test_that_a_faulty_file_is_reported_once_the_rest_applies_and_the_view_menu_names_it(computer, user, home):
    assert user.reads("settings_problem").split("\n") == [
        f"The settings of this computer contain errors; the valid ones are applied. In {computer}:",
        "line 1: lock contains 'strat', which is not a control; similar: start.",
        f"line 2: the folder {home / 'nowhere'} for texts does not exist.",
        "line 3: 'colour' is not part of the settings; the parts are language, lesson, texts, hand_in, train, "
        "reset, lock, hide, releases.",
    ]
    assert tip_of(user.find("reset")) == WHY
    user.click(user.find("settings_problem_close"))
    user.window.settings_locks.begin()
    user.wait(lambda: not user.busy("pool"))
    user.rest(0.1)
    assert not user.window.settings_locks.notice.isVisible()

    # The view menu names the file; a hidden menu disables its commands.
    line = user.window.menus.by_name["view"].actions()[-1]
    assert line.text() == f"Settings of this computer: {computer}"
    assert not line.isEnabled()

    menu = user.find("model_menu")
    assert isinstance(menu, QMenu)
    assert not menu.menuAction().isVisible()
    user.dialogs.choose("open_file")
    user.dialogs.choose("download")
    assert QApplication.activeModalWidget() is None
    assert not user.dialogs.made("downloads")


def test_that_without_settings_nothing_is_locked_and_the_list_of_controls_matches_the_window(user, small_greedy_model):
    """If it does not match, run python packaging/controls.py."""
    window = user.window
    assert not window.settings_locks.notice.isVisible()
    assert all(window.tabs.bar.isTabEnabled(place) for place in range(5))
    assert not window.findChild(QAction, "settings_file_action")
    assert user.dialogs.entry("download").isEnabled()
    assert user.lesson.runner is None
    assert packaged.of_window(window) == settings_file.controls()
    assert packaged.widgets_of(window) == widget_tree()
