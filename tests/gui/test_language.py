"""The window in two languages, changed while it lives."""

import gc
import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from pages.charts import ChartPage
from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMessageBox,
    QPushButton,
    QTabBar,
    QTreeView,
    QWidget,
)
from shiboken6 import getCppPointer

from gptstudio import paths
from gptstudio.app.state import PAGES, AppState
from gptstudio.errors import UserError
from gptstudio.gui import language as module
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import appearance
from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.language import CHINESE, ENGLISH, Language, language
from gptstudio.gui.menus import Menus
from gptstudio.gui.model_names import display_name
from gptstudio.gui.retranslation import TEXTS
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.gui.translation import joined, recall, retranslated, tr
from gptstudio.i18n import LANGUAGES, message
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel
from gptstudio.training.spec import TrainSpec

HAN = re.compile("[\u4e00-\u9fff]")
SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}")
"""Three English words on end."""
NAMES = re.compile(
    r"[-\w.:/]*(_own|weight|bias|scale|shift|SGD|Adam|Muon)[-\w.:/]*|CPU  ·.*|Ctrl\+.*|workshop|book|gpt2-.*"
    r"|GPT Studio.*"
    r"|Dropout|Beta [12]|Top-k|Top-p|Min-p|Typical-p|Logits?|Softmax|English|fp32|bf16|int8|UTF-8|CRLF|LF|The Verdict.*"
    r"|own \d\d:\d\d.*"
)
"""What is called the same in both languages: presets, devices, weights, names of runs, and the field's own words."""
TITLES = "The Verdict", "The Late Bell", "adamw, sgd, muon", "auto, on, off"
"""Titles of texts, and values of a setting, which are the same in both languages."""
DATA = {"probe_box", "probe_bars", "probe_text", "probe_sample"}
"""Names of parts with prompts and tokens."""


@pytest.fixture(autouse=True)
def in_english(application, home) -> Iterator[None]:
    """Begin every test in English, without automatic garbage collection, as in a window that is open: a widget that
    Python collected while Qt listed all widgets crashed the process."""
    gc.disable()
    yield
    gc.disable()  # closing the window enabled it
    language.switch(ENGLISH)
    gc.enable()


@pytest.fixture
def lived_in(user, whole_window):
    """The window after a run, a text, a comparison and a score, with all its pages made."""
    user.train.to_end(steps=6, eval_freq=2)
    user.generate.write(6)
    user.generate.choose(user.generate.text.given + 2)
    user.generate.draw_button.click()
    for page in PAGES:
        user.go_to(page)
        user.rest(0.2)
    user.wait(lambda: not (user.busy("pool") or user.texts.busy) and user.runs.listed_runs)
    user.panel.keep_memory()  # what is free of it changes by itself
    user.rest(0.1)
    return user.window


def texts_of(part: QWidget | QAction) -> dict[str, str]:
    """All texts of a widget or an action that are for people, by where they stand."""
    if isinstance(part, QAction):
        return {"text": part.text(), "tip": part.toolTip()}
    found = {name: getattr(part, name)() for kind, names in TEXTS.items() if isinstance(part, kind) for name in names}
    if isinstance(part, QTabBar):
        found |= {f"tab {n}": part.tabText(n) for n in range(part.count())}
    if isinstance(part, QComboBox):
        found |= {f"entry {n}": part.itemText(n) for n in range(part.count())}
        found |= {f"tip {n}": part.itemData(n, Qt.ItemDataRole.ToolTipRole) or "" for n in range(part.count())}
    if isinstance(part, QHeaderView) and part.model():
        heading = part.model().headerData
        found |= {f"heading {n}": str(heading(n, part.orientation()) or "") for n in range(part.count())}
    if isinstance(part, Chart):
        found |= {side: part.plot.getAxis(side).labelText for side in ("left", "bottom", "top")}
        found |= {f"legend {n}": words.text for n, (_, words) in enumerate(part.plot.getPlotItem().legend.items)}
        found |= ChartPage(part).labels()
    return found


def _is_of(page: QWidget, part: QObject | None) -> bool:
    return part is not None and (part is page or _is_of(page, part.parent()))


def _is_of_qt(part: QWidget) -> bool:
    """Buttons that Qt itself makes, and names in the language in which it begins."""
    return isinstance(part, QAbstractButton) and isinstance(part.parent(), (QTabBar, QDockWidget))


def dump(user) -> dict[tuple[int, str], str]:
    """Every text of the window, by its widget and its place there, once what is hidden has caught up. The pages of the
    labs have tests of their own."""
    window = user.window
    for part in window.findChildren(QWidget):
        appearance.catch_up(part)
    learn = window.findChild(QWidget, "learn")
    parts = [part for part in window.findChildren(QWidget) if not _is_of(learn, part) and not _is_of_qt(part)
             and part.objectName() not in DATA]
    holders = [*parts, *{action for part in parts for action in part.actions()}]
    found = ((getCppPointer(each)[0], place, text) for each in holders for place, text in texts_of(each).items())
    return {(holder, place): text for holder, place, text in found if text}


def test_that_all_the_window_changes_its_language_and_back(user, lived_in):
    before = dump(user)
    language.switch(CHINESE)
    chinese = dump(user)
    assert before.keys() == chinese.keys()
    prose = user.generate.written()
    left = {text for text in chinese.values() if re.search("[A-Za-z]{3,}", text) and not HAN.search(text)}
    assert {text for text in left if not NAMES.fullmatch(text) and text.strip() not in prose} == set()
    mixed = {text for text in chinese.values() if HAN.search(text) and SENTENCE.search(text)}
    assert {text for text in mixed if not any(title in text for title in TITLES)} == set()
    language.switch(ENGLISH)
    after = dump(user)
    assert {place: (text, after[place]) for place, text in before.items() if after[place] != text} == {}


def test_that_what_was_chosen_and_typed_stays(user):
    user.train.prepare(learning_rate=3e-4, schedule="cosine")
    user.generate.prompt.setPlainText("Start Stop Training")
    user.panel.device_box.setFocus()
    user.train.x_box.setCurrentIndex(1)
    told = []
    for box in user.window.findChildren(QComboBox):
        box.currentIndexChanged.connect(told.append)
        box.currentTextChanged.connect(told.append)
    user.window.state.on(lambda: told.append("changed"), "spec", "config", "sampling_params")
    spec, chosen = user.train.spec, {box: box.currentIndex() for box in user.window.findChildren(QComboBox)}
    for code in (CHINESE, ENGLISH):
        language.switch(code)
        assert told == []
        assert user.train.spec == spec
        assert {box: box.currentIndex() for box in chosen} == chosen
        assert user.train.editor("schedule").value() == "cosine"
        assert user.generate.prompt.toPlainText() == "Start Stop Training"


def test_that_a_run_goes_on_in_another_language(user):
    user.train.begin(steps=60, eval_freq=5)
    language.switch(CHINESE)
    user.train.wait_ended()
    assert user.train.last.step == 59
    assert user.train.reads("phase") == "已完成并保存。可在“生成”页试用。"
    assert user.train.start_button.text() == "开始"


def test_that_a_problem_at_a_field_is_said_in_both_languages(user):
    user.type("config_emb_dim", "100")
    user.type("config_n_heads", "3")
    assert user.reads("config_emb_dim_problem").startswith("Width (100) must be a multiple of Heads (3)")
    language.switch(CHINESE)
    said = user.reads("config_emb_dim_problem")
    assert said == "宽度（100）必须是注意力头数（3）的倍数，例如 99。"
    user.type("config_n_heads", "no")
    assert user.reads("config_n_heads_problem") == "n_heads 为 'no'；必须是介于 1 和 1,024 之间的整数。"
    language.switch(ENGLISH)
    assert user.reads("config_n_heads_problem") == ("n_heads is 'no'; it must be a whole number between 1 and 1,024.")


def test_that_a_page_made_in_chinese_can_be_read_in_english(application, qtbot):
    language.switch(CHINESE)
    editor = SpecEditor(TrainSpec, "made")
    qtbot.addWidget(editor)
    assert editor.editors["batch_size"].caption.text() == "批次大小"
    language.switch(ENGLISH)
    assert editor.editors["batch_size"].caption.text() == "Batch size"
    assert editor.editors["batch_size"].toolTip() == (
        "Number of text windows in one step.\nAllowed: a whole number between 1 and 65,536."
    )


def test_that_words_alike_in_one_language_stay_apart_in_the_other(application, qtbot):
    """Two sentences of the same Chinese come back as what each of them was."""
    both = QLabel(tr("Repetition")), QLabel(tr("Rep."))
    for made in both:
        qtbot.addWidget(made)
    language.switch(CHINESE)
    assert [made.text() for made in both] == ["重复惩罚", "重复惩罚"]
    language.switch(ENGLISH)
    assert [made.text() for made in both] == ["Repetition", "Rep."]


def test_that_boxes_have_room_for_their_words_in_either_language(application, qtbot):
    language.switch(CHINESE)
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItems([tr("over epochs"), tr("over steps")])
    theme.dress(box)
    box.show()
    narrow = box.sizeHint().width()
    language.switch(ENGLISH)
    assert box.sizeHint().width() >= narrow + 10


def test_that_what_nobody_said_stays(application, qtbot):
    name, field, made = QLabel("my run of today"), QLineEdit("Training"), QPushButton(tr("Stop"))
    field.setPlaceholderText(tr("Training"))
    for each in (name, field, made):
        qtbot.addWidget(each)
    language.switch(CHINESE)
    assert (name.text(), field.text(), field.placeholderText()) == ("my run of today", "Training", "训练")
    assert made.text() == "停止"


def test_that_values_are_said_anew_too(application):
    inner = tr("{m} min {s} s", m=3, s=20)
    outer = tr("Estimated memory for training: {needed}; free: {free}.", needed=inner, free="1 GB")
    both = joined("  ·  ", outer, "a name", message("a number"))
    language.switch(CHINESE)
    assert retranslated(both) == "预计训练需要 3 分 20 秒 内存，可用 1 GB。  ·  a name  ·  数"
    assert retranslated(str(both)) == retranslated(both)
    assert retranslated("a name") == "a name"


def test_that_counters_do_not_crowd_out_what_stays(application):
    kept, filled = tr("Stop"), tr("Allowed: {what}.", what="this")
    for n in range(5_000):
        tr("Step {n}", n=n)
    assert recall(str(kept)) == "Stop"
    assert recall(str(filled)) == filled
    assert recall("Step 4999") == "Step 4999"
    assert recall("Step 1") is None


def test_that_names_of_models_are_said_in_chinese(application, tiny, tmp_path):
    language.switch(CHINESE)
    saved = SavedModel(tmp_path / "a run" / "checkpoints" / "step-000359")
    live = LiveModel("a run")
    names = UntrainedModel(tiny).name, saved.name, live.name, live.name_after(3), live.name_after(-1)
    assert [display_name(name) for name in names] == [
        "own，未训练，种子 123", "a run，第 360 步", "a run，此刻的状态", "a run，第 4 步之后的状态",
        "a run，第一步之前",
    ]
    assert display_name("gpt2-small") == "gpt2-small"


# Which language it is.


@pytest.fixture
def unasked(monkeypatch) -> None:
    """Nobody asks for a language by the environment."""
    monkeypatch.delenv("GPTSTUDIO_LANG")


def begun(monkeypatch, system: QLocale.Language = QLocale.Language.English) -> str:
    """The language in which the program would begin on such a system."""
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(system)))
    made = Language()
    try:
        made.begin()
        return made.code
    finally:
        made.switch(ENGLISH)


def test_that_the_first_start_follows_the_system(application, unasked, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    assert begun(monkeypatch) == ENGLISH
    assert begun(monkeypatch, QLocale.Language.Chinese) == CHINESE
    assert begun(monkeypatch, QLocale.Language.German) == ENGLISH


def test_that_what_was_chosen_counts_the_next_time(application, unasked, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    language.use(CHINESE)
    assert begun(monkeypatch) == CHINESE
    language.use(ENGLISH)
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH


def test_that_the_environment_decides_over_all(application, home, monkeypatch):
    paths.language().write_text("zh_CN")
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH
    monkeypatch.setenv("GPTSTUDIO_LANG", CHINESE)
    assert begun(monkeypatch) == CHINESE
    monkeypatch.setenv("GPTSTUDIO_LANG", "tlh")
    assert begun(monkeypatch) == ENGLISH


def test_that_a_damaged_choice_is_no_choice(application, unasked, home, monkeypatch):
    paths.language().write_bytes(b"\xff\xfe\x00")
    assert begun(monkeypatch) == ENGLISH


def test_that_a_folder_that_cannot_be_written_costs_only_the_memory_of_it(application, home, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    paths.language().mkdir()  # a folder in the file's place
    language.use(CHINESE)
    assert language.code == CHINESE


def test_that_without_a_chinese_font_it_is_said_what_to_do(application, unasked, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: False)
    with pytest.raises(UserError, match=r"needs a font with Chinese characters[\s\S]*需要安装含有汉字的字体"):
        language.use(CHINESE)
    assert language.code == ENGLISH
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH


def test_that_a_missing_translation_is_said(application, tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    with pytest.raises(UserError, match=r"Could not read the translation file .*gptstudio_zh_CN\.qm\."):
        language.switch(CHINESE)
    assert language.code == ENGLISH


# The menu.


@pytest.fixture
def menu(application, qtbot) -> SimpleNamespace:
    """The View menu of a window without pages, and its entries."""
    window, state = QMainWindow(), AppState()
    actions = Actions(window, state)
    menus = window.menus = Menus(window, actions, state, print)
    qtbot.addWidget(window)
    return SimpleNamespace(
        menus=menus, title=menus.by_name["view"].title, larger=actions["text_larger"],
        smaller=actions["text_smaller"], usual=actions["text_usual"],
        languages={code: actions[f"language_{code}"] for code in LANGUAGES},
        colours={name: actions[f"colours_{name}"] for name in ("system", "light", "dark")},
    )


def test_that_the_menu_changes_the_language(menu, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    assert [action.text() for action in menu.languages.values()] == ["English", "简体中文"]
    assert menu.languages[ENGLISH].isChecked()
    menu.languages[CHINESE].trigger()
    assert language.code == CHINESE
    assert (menu.title(), menu.larger.text()) == ("视图(&V)", "放大文字")
    assert [action.text() for action in menu.languages.values()] == ["English", "简体中文"]
    menu.languages[ENGLISH].trigger()
    assert (menu.title(), menu.larger.text()) == ("&View", "Larger text")


def test_that_the_menu_says_which_font_is_missing(menu, monkeypatch):
    shown = []
    monkeypatch.setattr(module, "has_chinese_font", lambda: False)
    monkeypatch.setattr(QMessageBox, "information", lambda over, title, said: shown.append(said))
    menu.languages[CHINESE].trigger()
    assert "Noto Sans CJK" in shown[0]
    assert menu.languages[ENGLISH].isChecked()
    assert not menu.languages[CHINESE].isChecked()


def test_that_the_menu_sets_text_size_and_colours(menu):
    menu.larger.trigger()
    assert theme.zoom == pytest.approx(1.1)
    menu.smaller.trigger()
    assert theme.zoom == pytest.approx(1)
    menu.larger.trigger()
    menu.usual.trigger()
    assert theme.zoom == 1
    menu.colours["dark"].trigger()
    assert theme.colours is DARK
    assert [name for name, action in menu.colours.items() if action.isChecked()] == ["dark"]
    menu.colours["light"].trigger()
    assert theme.colours is LIGHT
    menu.colours["system"].trigger()
    assert theme.scheme == "system"


def test_that_colours_chosen_stay_whatever_the_system_does(menu, application):
    menu.colours["light"].trigger()
    application.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.colours is LIGHT
    menu.colours["system"].trigger()


def test_that_the_dialog_for_files_is_chinese_too(qtbot):
    language.switch(CHINESE)
    dialog = QFileDialog(None, tr("Open"), "", "*.txt")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    words = [each.text() for each in dialog.findChildren(QLabel) if each.text()]
    words += [dialog.findChild(QTreeView).model().headerData(n, Qt.Orientation.Horizontal) for n in range(4)]
    assert [each for each in words if each.isascii()] == []
    assert "大小" in words
