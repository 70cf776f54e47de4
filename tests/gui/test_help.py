"""Help as a user asks for it: F1 at a control, search, links, the glossary, a report of a problem, about."""

import re
import time
import tomllib
import zipfile
from pathlib import Path

import pytest
from at_the_window import in_chinese
from made_up import started
from pages.help import HelpPage
from pages.saved import SavedPage
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox, QWhatsThis, QWidget

from gptstudio import log, paths
from gptstudio.app import about, manual
from gptstudio.app.run_extent import RunExtent
from gptstudio.app.state import PAGES
from gptstudio.gui.commands import COMMANDS
from gptstudio.gui.help.dialogs import AboutDialog, ReportDialog
from gptstudio.gui.language import CHINESE, ENGLISH
from gptstudio.gui.longer_dialog import LongerDialog
from gptstudio.gui.palette import ShortcutsDialog
from gptstudio.gui.preferences_dialog import PreferencesDialog
from gptstudio.gui.runs.sweeps import SweepDialog
from gptstudio.gui.theme import DARK, theme
from gptstudio.labs.catalogue import ENTRIES
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

F1, ALT, SHIFT = Qt.Key.Key_F1, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")


@pytest.fixture
def help_page(user) -> HelpPage:
    return HelpPage(user)


# The manual.


def test_that_both_languages_have_the_same_pages_with_the_same_sections():
    for name in manual.PAGES:
        english, chinese = manual.page(name, ENGLISH), manual.page(name, CHINESE)
        assert [(each.topic, each.level) for each in chinese] == [(each.topic, each.level) for each in english]
        assert len({each.anchor for each in english}) == len(english), name
    for folder in (ENGLISH, CHINESE):
        written = {path.stem for path in (paths.resources() / "manual" / folder).glob("*.md")}
        assert written == set(manual.PAGES) - {manual.GLOSSARY}


@pytest.mark.parametrize("code", [ENGLISH, CHINESE])
def test_that_every_link_and_every_picture_of_the_manual_exists(code):
    topics = {each.topic for name in manual.PAGES for each in manual.page(name, ENGLISH)}
    wrong = []
    for name in manual.PAGES:
        for picture, target in LINK.findall(manual.markdown(name, code)):
            kind, _, rest = target.partition(":")
            place, _, anchor = target.partition("#")
            page = place.removesuffix(".md") or name
            right = (
                not QImage(str(paths.resources() / "manual" / code / target)).isNull() if picture
                else rest in COMMANDS if kind == "command" else rest in ENTRIES if kind == "lab"
                else (f"{page}#{anchor}" if anchor else page) in topics)
            wrong += [] if right else [f"{name}: {target}"]
    assert wrong == []


def test_that_every_control_named_in_a_section_exists_and_every_dialog_leads_to_a_section(user):
    table = tomllib.loads((paths.resources() / "controls.toml").read_text(encoding="utf-8"))
    known = {name for names in table.values() for name in names} | COMMANDS.keys()
    made = every_dialog(user)
    dialogs = {each.objectName() for each in made}
    assert manual.control_topics().keys() - known - dialogs == set()

    help_of = user.window.help.topic_of
    expected = {"train": "training", "generate": "decoding", "runs": "runs", "texts": "texts", "learn": "learn"}
    for page in PAGES:
        user.go_to(page)
        assert help_of(user.window.tabs.bar) == expected[page]
    for dialog in made:
        assert manual.topic_of([dialog.objectName()]), dialog.objectName()


def every_dialog(user) -> list[QDialog]:
    weights = user.window.weights
    window, state = user.window, user.window.state
    extent = RunExtent(RunFolder(Path()), "", TrainSpec(), started(), 9)
    return [weights.opening, weights.downloads, weights.models, weights.exports, window.class_view,
            window.hand_in_dialog, window.lesson_editor, window.train.rate_dialog,
            user.generate.view.beam_dialog,
            ShortcutsDialog(window, window.actions_of), ReportDialog(window, state),
            AboutDialog(window),
            PreferencesDialog(window, window.actions_of, state), LongerDialog(window, extent, print),
            SweepDialog(window, window.sweeps, TrainSpec(), RunFolder(paths.runs() / "run"))]


def activate(window: QWidget, user) -> None:
    window.activateWindow()
    user.wait(lambda: QApplication.activeWindow() is window)


# F1.


def test_that_f1_opens_the_section_of_a_control_and_of_a_dialog_and_shift_f1_of_the_next_click(user, help_page):
    assert not help_page.made, "nothing is made before it is asked for"
    user.train.prepare()
    user.train.start_button.setFocus()
    user.press(F1)
    assert help_page.topic == "training#start-pause-step-stop"
    assert help_page.top_line == "Start, pause, step, stop"
    assert help_page.widget.windowTitle() == "GPT Studio manual"
    user.wait(lambda: QApplication.activeWindow() is help_page.widget)
    help_page.press(Qt.Key.Key_Escape)
    assert not help_page.opened
    activate(user.window, user)
    user.find("preset").setFocus()
    user.press(F1)
    assert help_page.topic == "model#preset"
    first = help_page.widget
    activate(user.window, user)
    user.find("config_drop_rate").setFocus()
    user.press(F1)
    assert (help_page.topic, help_page.widget) == ("model#dropout-bias-tied-weights", first)

    assert not user.find("stop").isEnabled()
    for name, topic in (("chart_x", "training#loss"), ("stop", "training#start-pause-step-stop")):
        activate(user.window, user)
        user.press(F1, SHIFT)
        assert QWhatsThis.inWhatsThisMode()
        place = user.find(name).mapTo(user.window, user.find(name).rect().center())
        QTest.mouseClick(user.window.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
        assert not QWhatsThis.inWhatsThisMode()
        assert help_page.topic == topic, "of one that is off too"
        assert QApplication.activePopupWidget() is None

    for dialog, topic in (
        (user.window.weights.models, "weights#imported-models"),
        (user.window.train.rate_dialog, "training#find-a-learning-rate"),
        (user.window.lesson_editor, "lessons#in-the-window"),
    ):
        dialog.show()
        activate(dialog, user)
        QTest.keyClick(dialog.windowHandle(), F1)
        assert help_page.topic == topic
        dialog.close()
        help_page.widget.close()
    activate(user.window, user)

    seen = []

    def look(question: QDialog) -> None:
        activate(question, user)
        QTest.keyClick(question.windowHandle(), F1)
        seen.append((help_page.topic, help_page.widget.parent() is question))
        help_page.widget.close()

    user.answer("Close", look)
    user.window.actions_of["about"].trigger()
    assert seen == [("files", True)]
    help_page.show("runs")
    assert help_page.widget.parent() is user.window


def test_that_a_question_leads_to_the_section_of_the_command_that_asks(user, help_page, study):
    topics = []

    def look(question: QDialog) -> None:
        activate(question, user)
        QTest.keyClick(question.windowHandle(), F1)
        topics.append(help_page.topic)
        help_page.widget.close()
        activate(question, user)
        QTest.keyClick(question.windowHandle(), F1, SHIFT)
        cancel = question.button(QMessageBox.StandardButton.Cancel)
        place = cancel.mapTo(question, cancel.rect().center())
        QTest.mouseClick(question.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
        topics.append(help_page.topic)
        help_page.widget.close()
        assert question.isVisible(), "a click that asks what something is does nothing else"

    user.runs.choose(study(title="mine"))
    user.answer("Cancel", look)
    user.window.actions_of["run_delete"].trigger()
    assert topics == ["runs#open-continue-run-again"] * 2
    topics.clear()
    user.go_to("train")
    user.train.begin(steps=100_000)
    user.answer("Cancel", look)
    user.window.close()
    assert topics == ["training#start-pause-step-stop"] * 2
    user.window.training.stop()
    user.train.wait_ended()


# Navigation.


def test_that_a_search_finds_words_on_all_pages_and_enter_opens_the_hit(user, help_page):
    help_page.show("getting_started")
    assert help_page.search("no such thing anywhere") == []
    assert help_page.reads("help_nothing") == "Nothing found."
    found = help_page.search("fsdp")
    assert found == ["Training on a GPU server › Several GPUs"]
    found = help_page.search("overfitting")
    assert found[0] == "Glossary › Overfitting", "headings first"
    assert "Training › Loss" in found
    help_page.press(Qt.Key.Key_Down)
    assert help_page.hits.currentRow() == 1
    help_page.search("fsdp")
    help_page.press(Qt.Key.Key_Return)
    assert help_page.topic == "gpu_server#several-gpus"
    assert help_page.highlighted == {"FSDP"}
    help_page.line.clear()
    assert help_page.tree.isVisible()
    assert help_page.tree.currentItem().text(0) == "Several GPUs"


def test_that_links_open_sections_commands_experiments_and_web_pages_and_back_follows(user, help_page, monkeypatch):
    help_page.show("getting_started")
    assert not help_page.back.isEnabled()
    help_page.click("training.md#loss")
    assert (help_page.topic, help_page.top_line) == ("training#loss", "Loss")
    help_page.click("glossary.md#cross-entropy")
    assert help_page.top_line == "Cross-entropy loss"
    help_page.click("#nat")
    assert help_page.topic == "glossary#nat"
    user.click(help_page.back)
    help_page.press(Qt.Key.Key_Left, ALT)
    assert help_page.topic == "training#loss"
    user.click(help_page.forward)
    assert help_page.topic == "glossary#cross-entropy"
    assert help_page.tree.currentItem().text(0) == "Cross-entropy loss"

    for topic, shown in (("runs#no-such", "runs"), ("no_such#x", "getting_started"), ("", "getting_started")):
        help_page.show(topic)
        assert help_page.topic == shown

    user.window.actions_of["show_glossary"].trigger()
    assert help_page.topic == "glossary"
    titles = [each.title.casefold() for each in manual.page("glossary", ENGLISH)[1:]]
    assert titles == sorted(titles)
    assert len(titles) >= 60

    help_page.show("getting_started")
    help_page.click("command:go_generate")
    assert user.current == "generate"
    actions = user.window.actions_of
    actions.lock("start", "Locked by your instructor")
    help_page.click("command:start")
    assert help_page.reads("help_notice") == "“Start” is off now. Locked by your instructor"
    assert not user.window.state.running
    actions.unlock("start")
    help_page.follow("command:no_such_command")
    help_page.follow("file:///etc/passwd")
    assert help_page.topic == "getting_started"

    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    help_page.show("glossary#perplexity")
    assert "Shown in the experiment “Loss”" in help_page.page.toPlainText()
    help_page.click("lab:loss")
    assert user.current == "learn"
    assert user.window.learn.current is user.window.learn.page("loss")
    for address in ("https://example.org/", "file:///etc/passwd", "ftp://example.org/"):
        help_page.follow(address)
    assert opened == ["https://example.org/"]
    view = help_page.page
    assert view.loadResource(2, QUrl("../pictures/runs.png")).width() > 100
    for name in ("../pictures/../../gpt2/NOTICE", "file:///etc/passwd", "https://example.org/pictures/x.png"):
        assert view.loadResource(2, QUrl(name)) is None, name


@in_chinese
def test_that_the_manual_is_in_chinese_and_follows_the_colours(user, help_page):
    help_page.show("training#loss")
    assert help_page.widget.windowTitle() == "GPT Studio 手册"
    assert (help_page.topic, help_page.top_line) == ("training#loss", "损失")
    bar = help_page.page.horizontalScrollBar()
    assert (bar.isVisible(), bar.maximum() <= 1) == (False, True), "Qt makes tables a pixel wider than the page"
    assert "术语表 › 困惑度（Perplexity）" in help_page.search("困惑度")
    assert "术语表 › 困惑度（Perplexity）" in help_page.search("perplexity"), "terms are found in English too"
    theme.use(DARK)
    theme.enlarge(1.3)
    assert help_page.top_line == "损失"
    assert help_page.colour_of("glossary.md#cross-entropy") == theme.colours.accent


# Report and about.


@pytest.mark.parametrize(("text", "clean"), [
    ("/home/ada/x and /home/adam", "~/x and /home/adam"), ("ada, adam, ADA", "USER, adam, ADA"), ("", "")])
def test_that_only_the_users_own_name_and_folder_are_replaced(text, clean, monkeypatch):
    monkeypatch.setattr("pathlib.Path.home", lambda: paths.Path("/home/ada"))
    monkeypatch.setattr("getpass.getuser", lambda: "ada")
    assert about.without_names(text) == clean


def test_that_about_names_each_library_that_the_program_needs():
    project = tomllib.loads((paths.resources().parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}
    assert about.LIBRARIES.keys() == needed
    assert all(each.version and each.licence for each in about.libraries())


def test_that_a_report_contains_what_it_shows_and_omits_unticked_parts(user, home, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    user.window.actions_of["show_log_folder"].trigger()
    assert opened == [str(paths.logs())]
    assert paths.logs().is_dir()

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "no" / "r.zip"), ""))
    dialog = ReportDialog(user.window, user.window.state)
    dialog.show()
    user.click(dialog.save)
    assert dialog.said.text().startswith("Could not save")
    for box in dialog.boxes.values():
        box.setChecked(False)
    assert not dialog.save.isEnabled()
    dialog.deleteLater()
    user.rest(0.01)

    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path / "ada")
    monkeypatch.setattr("getpass.getuser", lambda: "lovelace")
    log.write_down()
    log.logger.info("opened %s for lovelace", tmp_path / "ada" / "text.txt")
    target = tmp_path / "report.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    dialog = ReportDialog(user.window, user.window.state)
    dialog.show()
    shown = dialog.text.toPlainText()
    assert "opened ~/text.txt for USER" in shown.replace("\\", "/")
    assert "lovelace" not in shown
    assert '"emb_dim": 256' in shown
    user.click(dialog.boxes["system.txt"])
    assert "system.txt" not in dialog.text.toPlainText()
    with monkeypatch.context() as clock:
        clock.setattr("zipfile.time.localtime", lambda *args: time.gmtime(0))  # an empty battery sets it to 1970
        user.click(dialog.save)
    with zipfile.ZipFile(target) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert texts.keys() == {"versions.txt", "settings.json", "gptstudio.log"}
    together = "\n\n".join(f"=== {name}\n{text.strip()}" for name, text in texts.items())
    assert together == dialog.text.toPlainText()
    notice = SavedPage(user, "report")
    assert notice.words == f"Saved {target}. You can send it to the person who helps you."
    user.click(dialog.hide_names)
    assert "for lovelace" in dialog.text.toPlainText()
    dialog.close()

    try:
        raise KeyError("a rare one")
    except KeyError as error:
        log.unexpected(error)
    user.wait(lambda: user.find("error_bar_report").isVisible())
    shown = []
    user.answer("Close", lambda dialog: shown.append(dialog.text.toPlainText()))
    user.click(user.find("error_bar_report"))
    assert "KeyError: 'a rare one'" in shown[0]
