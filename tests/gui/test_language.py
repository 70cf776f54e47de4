"""The window in two languages, of which one is chosen for the next start."""

import gc
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import psutil
import pytest
from at_the_window import in_chinese
from pages.charts import ChartPage
from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QAction, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QTreeView,
    QWidget,
)
from shiboken6 import getCppPointer
from the_program import CHECKOUT, DRIVEN, PATIENCE_S

from gptstudio import paths
from gptstudio.app.state import PAGES, AppState
from gptstudio.errors import UserError
from gptstudio.gui import app
from gptstudio.gui import language as module
from gptstudio.gui import window as window_module
from gptstudio.gui.actions import Actions, Menus
from gptstudio.gui.charts.chart import Chart
from gptstudio.gui.language import CHINESE, ENGLISH, Language, language
from gptstudio.gui.model_names import display_name
from gptstudio.gui.runs.runs_tab import LastSample
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.gui.train.sample_text import SampleView
from gptstudio.gui.translation import joined, tr, tr_for_file
from gptstudio.gui.widgets.text_views import line_height
from gptstudio.i18n import LANGUAGES, message
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel

HAN = re.compile("[\u4e00-\u9fff]")
SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}")
"""Three consecutive English words."""
NAMES = re.compile(
    r"[-\w.:/]*(_own|weight|bias|scale|shift|SGD|Adam|Muon)[-\w.:/]*|CPU  ·.*|Ctrl\+.*|workshop|pocket|book|gpt2-.*"
    r"|GPT-2|GPT Studio.*"
    r"|Dropout|Beta [12]|Top-k|Top-p|Min-p|Typical-p|Logits?|Softmax|English|fp32|bf16|int8|UTF-8|CRLF|LF|The Verdict.*"
    r"|own \d\d:\d\d.*"
)
"""Names that are the same in both languages: presets, devices, weights, runs, and technical terms."""
TITLES = "The Verdict", "The Late Bell", "adamw, sgd, muon", "auto, on, off"
"""Titles of texts, and values of a setting, which are the same in both languages."""
TEXTS = {
    QWidget: ("windowTitle", "toolTip", "accessibleName", "accessibleDescription"),
    QLabel: ("text",),
    QAbstractButton: ("text",),
    QGroupBox: ("title",),
    QMenu: ("title",),
    QLineEdit: ("placeholderText",),
    QPlainTextEdit: ("placeholderText",),
    QTextEdit: ("placeholderText",),
    QComboBox: ("placeholderText",),
}
"""The properties with texts for users, by class. The content of a field is the user's."""
DATA = {"probe_box", "probe_bars", "probe_text", "probe_sample"}
"""Names of parts with prompts and tokens."""


@pytest.fixture(autouse=True)
def in_english(application, home) -> Iterator[None]:
    """End every test in English, without automatic garbage collection, as in a window that is open: a widget that
    Python collected while Qt listed all widgets crashed the process."""
    gc.disable()
    yield
    gc.disable()  # closing the window enabled it
    language.load(ENGLISH)
    gc.enable()


@pytest.fixture
def lived_in(user, whole_window):
    """The window after a run, a text, a comparison and a score, with all its pages created."""
    user.train.to_end(steps=6, eval_freq=2)
    user.generate.write(6)
    user.generate.choose(user.generate.text.given + 2)
    user.generate.draw_button.click()
    for page in PAGES:
        user.go_to(page)
        user.rest(0.02)
    user.wait(lambda: not (user.busy("pool") or user.texts.busy) and user.runs.listed_runs)
    user.panel.keep_memory()  # free memory changes by itself
    user.rest(0.1)
    return user.window


def texts_of(part: QWidget | QAction) -> dict[str, str]:
    """Return all texts for users of a widget or an action, by their property or place."""
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
    """Return whether a part is a button that Qt itself creates, with a name in Qt's initial language."""
    return isinstance(part, QAbstractButton) and isinstance(part.parent(), (QTabBar, QDockWidget))


def dump(user) -> dict[tuple[int, str], str]:
    """Return every text of the window, by its widget and its place there. The pages of the labs have tests of their
    own."""
    window = user.window
    learn = window.findChild(QWidget, "learn")
    parts = [part for part in window.findChildren(QWidget) if not _is_of(learn, part) and not _is_of_qt(part)
             and part.objectName() not in DATA]
    holders = [*parts, *{action for part in parts for action in part.actions()}]
    found = ((getCppPointer(each)[0], place, text) for each in holders for place, text in texts_of(each).items())
    return {(holder, place): text for holder, place, text in found if text}


@in_chinese
def test_that_a_chinese_window_shows_no_english_and_a_problem_at_a_field_in_chinese(user, lived_in):
    chinese = dump(user)
    prose = user.generate.written() + "".join(each.toPlainText() for each in user.window.findChildren(SampleView))
    left = {text for text in chinese.values() if re.search("[A-Za-z]{3,}", text) and not HAN.search(text)}
    assert {text for text in left if not NAMES.fullmatch(text) and text.strip() not in prose} == set()
    mixed = {text for text in chinese.values() if HAN.search(text) and SENTENCE.search(text)}
    assert {text for text in mixed if not any(title in text for title in TITLES)} == set()

    user.go_to("train")
    user.type("config_emb_dim", "100")
    user.type("config_n_heads", "3")
    assert user.reads("config_emb_dim_problem") == "宽度（100）必须是注意力头数（3）的倍数，例如 99。"
    user.type("config_n_heads", "no")
    assert user.reads("config_n_heads_problem") == "注意力头：'no' 无效；必须是介于 1 和 1,024 之间的整数。"


def test_that_an_english_window_shows_no_chinese(user, lived_in):
    assert {text for text in dump(user).values() if HAN.search(text)} == {"简体中文"}


def test_that_messages_among_values_are_translated(application):
    language.load(CHINESE)
    inner = message("{m} min {s} s", m=3, s=20)
    outer = message("Estimated memory for training: {needed}; free: {free}.", needed=inner, free="1 GB")
    text = "预计训练需要 3 分 20 秒 内存，可用 1 GB。"
    assert tr(outer) == text
    assert tr(outer.source, needed=inner, free="1 GB") == text
    assert joined("  ·  ", outer, "a name", message("a number")) == f"{text}  ·  a name  ·  数"
    assert tr("a name") == "a name"


def places(text: str, *words: str) -> list[float]:
    """Return the positions at which words of a text begin on the screen, in pixels from the left."""
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(10_000)
    layout.endLayout()
    return [line.cursorToX(text.index(word))[0] for word in words]


@pytest.mark.parametrize("token", ["של", "عالم", "\U0001e900"], ids=["Hebrew", "Arabic", "Adlam"])
@pytest.mark.parametrize("sentence", ["{piece} was drawn, probability {p}", "Probability of “{piece}” {p}, was {p}"])
def test_that_right_to_left_tokens_do_not_reorder_a_sentence_and_files_have_no_marks(application, sentence, token):
    words = message(sentence, piece=token, p="3.36 %")
    for shown in (tr(words), joined("  ·  ", token, "was", "3.36 %")):
        first, last = ("3.36", "was") if "“" in shown else ("was", "3.36")
        assert places(shown, token, first, last) == sorted(places(shown, token, first, last))
    assert tr_for_file(words) == words
    assert tr_for_file("Goal: {goal}", goal=tr(words)) == f"Goal: {words}"
    assert tr(words.source, piece="the", p="3.36 %") == words.replace(token, "the")


def test_that_names_of_models_are_shown_in_chinese(application, tiny, tmp_path):
    language.load(CHINESE)
    saved = SavedModel(tmp_path / "a run" / "checkpoints" / "step-000359")
    live = LiveModel("a run")
    names = UntrainedModel(tiny).name, saved.name, live.name, live.name_after(3), live.name_after(-1)
    assert [display_name(name) for name in names] == [
        "自定义，未训练，种子 123", "a run，第 360 步", "a run，此刻的状态", "a run，第 4 步之后的状态",
        "a run，第一步之前",
    ]
    assert display_name("gpt2-small") == "gpt2-small"


def test_that_the_placeholder_of_samples_is_not_cut_off_in_chinese(qtbot, application):
    language.load(CHINESE)
    view = SampleView()
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    empty = view.document().size().height() - 2 * view.document().documentMargin()
    assert empty >= line_height(view.placeholderText(), view.font())


def test_that_two_lines_of_a_last_sample_are_in_view_in_chinese(application):
    language.load(CHINESE)
    sample = LastSample()
    words = tr("Last sample, step {n}:", n=4)
    assert sample.minimumSizeHint().height() >= 2 * line_height(words, sample.font())


def test_that_a_model_is_named_by_the_title_of_its_run_or_by_its_folder(application, study):
    run = study("mine")
    name = SavedModel(run.newest_checkpoint()).name
    assert display_name(name) == "mine, step 6"
    assert display_name(name, by_folder=True) == name == f"{run.name}, step 6"


# The choice of the language.


@pytest.fixture
def no_language_set(monkeypatch) -> None:
    """Remove the language from the environment."""
    monkeypatch.delenv("GPTSTUDIO_LANG")


def begun(monkeypatch, system: QLocale.Language = QLocale.Language.English) -> str:
    """Return the language in which the program would start on a system in this language."""
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(system)))
    made = Language()
    try:
        made.begin()
        return made.code
    finally:
        made.load(ENGLISH)


def test_that_the_first_start_follows_the_system(application, no_language_set, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    assert begun(monkeypatch) == ENGLISH
    assert begun(monkeypatch, QLocale.Language.Chinese) == CHINESE
    assert begun(monkeypatch, QLocale.Language.German) == ENGLISH


def test_that_a_chosen_language_applies_at_the_next_start(application, no_language_set, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    language.choose(CHINESE)
    assert (language.code, language.next) == (ENGLISH, CHINESE)
    assert begun(monkeypatch) == CHINESE
    language.choose(ENGLISH)
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH


def test_that_the_environment_overrides_every_choice(application, home, monkeypatch):
    paths.language().write_text("zh_CN")
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH
    monkeypatch.setenv("GPTSTUDIO_LANG", CHINESE)
    assert begun(monkeypatch) == CHINESE
    monkeypatch.setenv("GPTSTUDIO_LANG", "tlh")
    assert begun(monkeypatch) == ENGLISH


def test_that_a_damaged_choice_is_ignored(application, no_language_set, home, monkeypatch):
    paths.language().write_bytes(b"\xff\xfe\x00")
    assert begun(monkeypatch) == ENGLISH


def test_that_a_choice_that_cannot_be_written_is_refused(application, home, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    paths.language().mkdir()  # a folder in place of the file
    with pytest.raises(UserError, match=r"could not be kept for the next start: .*language\.txt could not"):
        language.choose(CHINESE)
    assert language.next == ENGLISH


def test_that_a_missing_chinese_font_is_reported_with_a_remedy(application, no_language_set, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: False)
    with pytest.raises(UserError, match=r"needs a font with Chinese characters[\s\S]*需要安装含有汉字的字体"):
        language.choose(CHINESE)
    assert (language.next, paths.language().exists()) == (ENGLISH, False)
    assert begun(monkeypatch, QLocale.Language.Chinese) == ENGLISH


def test_that_a_missing_translation_is_reported(application, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    with pytest.raises(UserError, match=r"Could not read the translation file .*gptstudio_zh_CN\.qm\."):
        language.choose(CHINESE)
    assert language.next == ENGLISH


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


def test_that_the_menu_chooses_the_language_of_the_next_start(menu, no_language_set, monkeypatch):
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)
    assert [action.text() for action in menu.languages.values()] == ["English", "简体中文"]
    assert menu.languages[ENGLISH].isChecked()
    menu.languages[CHINESE].trigger()
    assert (language.code, language.next) == (ENGLISH, CHINESE)
    assert (menu.title(), menu.larger.text()) == ("&View", "Larger text")
    assert menu.languages[CHINESE].isChecked()
    menu.languages[ENGLISH].trigger()
    assert language.next == ENGLISH


def test_that_the_menu_names_the_missing_font(menu, monkeypatch):
    shown = []
    monkeypatch.setattr(module, "has_chinese_font", lambda: False)
    monkeypatch.setattr(QMessageBox, "information", lambda over, title, text: shown.append(text))
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


def test_that_chosen_colours_stay_when_the_system_changes(menu, application):
    menu.colours["light"].trigger()
    application.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.colours is LIGHT
    menu.colours["system"].trigger()


def test_that_the_dialog_for_files_is_chinese_too(application, qtbot):
    language.load(CHINESE)
    dialog = QFileDialog(None, tr("Open"), "", "*.txt")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    words = [each.text() for each in dialog.findChildren(QLabel) if each.text()]
    words += [dialog.findChild(QTreeView).model().headerData(n, Qt.Orientation.Horizontal) for n in range(4)]
    assert [each for each in words if each.isascii()] == []
    assert "大小" in words


# The next start.


@pytest.fixture
def chosen(user, no_language_set, monkeypatch) -> Callable[[str], str]:
    """Return a function that chooses a language in the menu, and returns the text of the notice, empty while it is
    hidden."""
    monkeypatch.setattr(module, "has_chinese_font", lambda: True)

    def choose(code: str) -> str:
        user.window.actions_of[f"language_{code}"].trigger()
        return user.reads("language_notice") if user.find("language_notice").isVisible() else ""

    return choose


def test_that_a_notice_in_both_languages_reports_a_different_next_language_or_that_it_has_no_effect(
    user, chosen, monkeypatch
):
    assert chosen(ENGLISH) == ""
    assert chosen(CHINESE) == "语言将在下次启动时变为简体中文。\nThe language changes to 简体中文 at the next start."
    assert user.find("language_notice_restart").text() == "Restart now"
    assert chosen(ENGLISH) == ""
    chosen(CHINESE)
    user.click(user.find("language_notice_close"))
    assert not user.find("language_notice").isVisible()
    assert language.next == CHINESE

    # The environment overrides the choice.
    monkeypatch.setenv("GPTSTUDIO_LANG", ENGLISH)
    assert "no effect while the environment variable GPTSTUDIO_LANG" in chosen(CHINESE)
    assert not user.find("language_notice_restart").isVisible()


def test_that_restart_asks_like_quit_during_training(user, chosen, monkeypatch):
    asked, answers = [], iter([False, True])
    monkeypatch.setattr(window_module, "confirmed", lambda *words: asked.append(words[2]) or next(answers))
    user.train.begin(steps=1_000_000)
    chosen(CHINESE)
    user.click(user.find("language_notice_restart"))
    assert asked == ["Training is running"]
    assert user.train.running
    assert not user.window.language_notice.restarts
    user.click(user.find("language_notice_restart"))
    assert user.window.language_notice.restarts
    assert not user.window.isVisible()


@pytest.mark.parametrize(("frozen", "arguments"), [(False, ["-X", "dev", "-m", "gptstudio"]), (True, [])])
def test_that_the_program_restarts_with_its_original_arguments(application, monkeypatch, frozen, arguments):
    started = []
    monkeypatch.setattr(sys, "argv", ["any", "--lesson", "mine.toml"])
    monkeypatch.setattr(sys, "orig_argv", ["python", *arguments, "--lesson", "mine.toml"])
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    monkeypatch.setattr(app.QProcess, "startDetached", lambda *how: started.append(how) or (True, 1))
    monkeypatch.setenv("PYINSTALLER_RESET_ENVIRONMENT", "")
    app.start_again()
    assert started == [(sys.executable, [*arguments, "--lesson", "mine.toml"], "")]
    assert os.environ["PYINSTALLER_RESET_ENVIRONMENT"] == "1"


RESTARTED = DRIVEN + """
from gptstudio.gui import app
from gptstudio.gui import language as module
from gptstudio.gui import window as window_module
module.has_chinese_font = lambda: True

class Twice(Driven):
    def begin(self):
        code = module.language.code
        said = f"{code} {self.state.page} {self.generate.prompt.toPlainText()} {sys.argv[1:]} {os.getpid()}\\n"
        with (Path(os.environ["GPTSTUDIO_HOME"]) / "starts.txt").open("a", encoding="utf-8") as file:
            file.write(said)
        if code == "en":
            self.state.show_page("generate")
            self.generate.prompt.setPlainText("A prompt.")
            self.actions_of["language_zh_CN"].trigger()
            QTimer.singleShot(100, self.language_notice.restart.click)
        else:
            QTimer.singleShot(100, self.close)

app.MainWindow = Twice
from gptstudio.__main__ import main
sys.exit(main([]))
"""


@pytest.mark.slow
def test_that_restart_now_opens_the_window_again_in_the_chosen_language(program):
    home = paths.user_data() / "home"
    script = home.with_name("driven.py")
    script.write_text(RESTARTED, encoding="utf-8")
    begin = f"import sys; sys.argv[1:] = ['--mine']; sys.orig_argv = ['python', {str(script)!r}, '--mine']\n"
    first = program(begin + RESTARTED, GPTSTUDIO_LANG="", PYTHONPATH=str(CHECKOUT))
    assert first.end() == 0, first.output
    end = time.monotonic() + PATIENCE_S
    while len(starts := (home / "starts.txt").read_text(encoding="utf-8").splitlines()) < 2:
        assert time.monotonic() < end, first.output
        time.sleep(0.05)
    words, _, second = starts[1].rpartition(" ")
    assert starts[0] == f"en train Every effort moves you ['--mine'] {first.pid}"
    assert words == "zh_CN generate A prompt. ['--mine']"
    while psutil.pid_exists(int(second)):
        assert time.monotonic() < end, first.output
        time.sleep(0.05)
    assert "Traceback" not in first.output
