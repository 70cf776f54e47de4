"""Commands as a user gives them: the menu bar, the command palette, the list of keys, and the status bar."""

import threading

import pytest
from at_the_window import in_chinese
from pages.help import HelpPage
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton

import gptstudio
from gptstudio.app.state import PAGES
from gptstudio.gui import session
from gptstudio.gui.commands import COMMANDS
from gptstudio.gui.palette import Palette, ShortcutsDialog, matches
from gptstudio.gui.theme import DARK, theme
from gptstudio.history.comparison import shown_name

CTRL = Qt.KeyboardModifier.ControlModifier


def actions_of(menu: QMenu) -> list[QAction]:
    """Return the actions of a menu and of its submenus."""
    return [each for action in menu.actions()
            for each in (actions_of(action.menu()) if action.menu() else [action]) if not each.isSeparator()]


@pytest.fixture
def palette(user):
    made = Palette(user.window, user.window.actions_of, user.window.state)
    made.show()
    yield made
    made.close()
    made.deleteLater()


def rows(palette: Palette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def search(palette: Palette, words: str) -> list[str]:
    palette.line.setText(words)
    return rows(palette)


def picture(action: QAction) -> bytes:
    image = action.icon().pixmap(16, 16).toImage()
    return bytes(image.constBits())


def test_that_every_command_is_in_the_menu_bar_with_its_keys_and_its_function_or_a_reason(user, home, monkeypatch):
    menus = [action.menu() for action in user.window.menuBar().actions()]
    assert [menu.title() for menu in menus] == ["&File", "&Edit", "&Model", "&Run", "&View", "&Help"]
    there = {action.objectName().removesuffix("_action") for menu in menus for action in actions_of(menu)}
    assert COMMANDS.keys() - there == {"primary"}, "which is another way to give the others"

    assert user.window.actions_of["command_palette"].toolTip().endswith("(Ctrl+K)")

    dialog = ShortcutsDialog(user.window, user.window.actions_of)
    table = dialog.table
    shown = {table.item(row, 1).text(): (table.item(row, 0).text(), table.item(row, 2).text())
             for row in range(table.rowCount())}
    assert shown["Search commands…"] == ("Ctrl+K", "Anywhere")
    assert shown["Step"] == ("S, .", "Train")
    assert shown["Rename"] == ("F2", "Runs")
    assert len(shown) > 30
    assert table.horizontalHeader().defaultAlignment() & Qt.AlignmentFlag.AlignLeft, "as the cells below"
    assert all(each.icon().isNull() for each in dialog.findChildren(QPushButton))
    dialog.deleteLater()

    go_by_alt(user)
    action = user.window.actions_of["run_csv"]
    assert not action.isEnabled()
    assert action.toolTip() == "Select one or more runs with their check boxes first."
    assert user.window.menus.by_name["file"].toolTipsVisible()
    heading, named = "", list[tuple[str, str]]()
    for action in user.window.menus.by_name["run"].actions():
        if action.isSeparator():
            heading = action.text()
        else:
            named.append((heading, action.text()))
    assert len(named) == len(set(named)), "commands of the same name act on different pages"
    assert {"", "Generate", "Runs"} == {heading for heading, _ in named}

    actions = user.window.actions_of
    for _ in range(2):
        actions.lock("text_larger", "Locked by the lesson")
    actions.unlock("text_larger")
    assert not actions["text_larger"].isEnabled()
    assert actions["text_larger"].toolTip() == "Locked by the lesson"
    actions.unlock("text_larger")
    assert actions["text_larger"].isEnabled()
    actions.unlock("text_larger")
    assert actions["text_larger"].isEnabled()

    for page in PAGES:
        user.go_to(page)
    for command in COMMANDS.values():
        found, code = user.window, command.do.__code__
        for name in code.co_names if code.co_varnames[0] == "w" else ():
            if name != "setattr" and not callable(found):  # the arguments of the called function follow it
                found = getattr(found, name)

    text = home / "mine & yours.txt"
    text.write_text("I HAD always thought Jack Gisburn rather a cheap genius. " * 40)
    user.window.open_files([str(text)])
    user.wait(lambda: not user.texts.busy)
    menu = user.window.menus.by_name["recent"]
    menu.aboutToShow.emit()
    (entry,) = menu.actions()
    assert (entry.text(), entry.toolTip()) == ("mine && yours.txt", str(text))
    user.window.texts.table.remove(str(text))
    entry.trigger()
    assert str(text) in user.texts.names
    user.window.texts.table.remove(str(text))
    user.wait(lambda: str(text) not in user.texts.names)
    gone = (str(home / "gone.zip"), str(home / "gone.toml"), str(home / "gone.pth"))
    user.window.open_files([gone[0], str(text)])
    assert str(text) in user.texts.names
    user.wait(lambda: "gone.zip" in user.reads("runs_notice"))
    for each in gone:
        user.window.open_files([each])
    assert user.window.state.recent_files == (*reversed(gone), str(text))
    user.wait(lambda: "gone.zip" in user.reads("runs_notice"))
    user.find("open_weights_dialog").reject()
    left = session.of(user.window)
    user.window.state.recent_files = ()
    left.put_back(user.window)
    assert user.window.state.recent_files == (*reversed(gone), str(text))

    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    command = user.window.actions_of["check_updates"]
    for address, texts in (
        ("", "does not know where its releases are published"), ("http://plain.example", "must begin with https://"),
    ):
        monkeypatch.setenv("GPTSTUDIO_RELEASES", address)
        user.window.actions_of.update()
        assert not command.isEnabled()
        assert texts in command.toolTip()
    monkeypatch.setenv("GPTSTUDIO_RELEASES", "https://releases.example/gptstudio")
    user.window.actions_of.update()
    command.trigger()
    assert opened == ["https://releases.example/gptstudio"]


def go_by_alt(user) -> None:
    """Open the View menu by Alt and a letter, and choose Runs there."""
    menu = user.window.menus.by_name["view"]
    user.press(Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
    user.wait(menu.isVisible)
    while menu.activeAction() is not user.window.actions_of["go_runs"]:
        user.qtbot.keyClick(menu, Qt.Key.Key_Down)
    user.qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert user.window.state.page == "runs"


def test_that_menu_button_and_key_are_one_command_and_icons_follow_the_state_and_the_colours(user):
    user.train.prepare(steps=5000, eval_freq=1000)
    start = user.window.actions_of["start"]
    assert (start.text(), user.train.start_button.text()) == ("Start", "Start")
    start.trigger()
    user.wait(lambda: user.train.losses())
    assert (start.text(), user.train.start_button.text()) == ("Pause", "Pause")
    assert not user.window.actions_of["step"].isEnabled()
    assert user.window.actions_of["step"].toolTip() == user.train.step_button.toolTip()
    user.window.actions_of["stop"].trigger()
    user.train.wait_ended()
    assert not user.window.actions_of["stop"].isEnabled()

    commands = user.window.actions_of
    with_sign = [name for name in COMMANDS if not commands[name].icon().isNull()]
    assert {"start", "stop", "transport_undo", "open_texts", "run_delete", "command_palette"} <= set(with_sign)
    for name in with_sign:
        assert any(picture(commands[name])), name
    light = {name: picture(commands[name]) for name in ("start", "generate", "run_go_on")}
    assert light["start"] == light["generate"]
    user.train.begin(steps=100_000)
    user.wait(lambda: picture(commands["start"]) != light["start"])
    user.press(Qt.Key.Key_Escape)
    user.train.wait_ended()
    assert picture(commands["start"]) == light["start"]
    theme.use(DARK)
    assert picture(commands["start"]) != light["start"]


# The palette.


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [("", "anything", True), ("LEARN rate", "Learning rate", True), ("rate learn", "Learning rate", True),
     ("loss", "Learning rate", False)],
)
def test_that_a_text_is_found_by_its_words_in_any_order(query, text, found):
    assert matches(query, text) is found


def test_that_ctrl_k_opens_the_palette_which_finds_commands_settings_pages_terms_and_runs(user, study_once):
    found = []

    def type_into_it() -> None:
        opened = QApplication.activePopupWidget()
        for key in "TEXTS":  # to the palette, which passes them to the focused widget
            QTest.keyClick(opened.windowHandle(), Qt.Key[f"Key_{key}"])
        found.extend(rows(opened))
        QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Return)
        opened.close()

    QTimer.singleShot(100, type_into_it)
    user.press(Qt.Key.Key_K, CTRL)
    assert found[0] == "Texts   ·   Page"
    assert user.current == "texts"

    runs = [study_once(), study_once()]
    palette = Palette(user.window, user.window.actions_of, user.window.state)
    assert "Perplexity   ·   Term" in search(palette, "perplexity")
    assert palette.detail.text().startswith("e to the power of the loss")
    assert "Weight decay   ·   Setting" in search(palette, "weight decay")
    assert "Generate   ·   Page" in search(palette, "generate page")
    assert search(palette, "no such thing anywhere") == []
    assert palette.detail.text() == "Nothing found."
    found = search(palette, runs[0].name)  # with which the title of the other begins
    palette.list.setCurrentRow(found.index(f"{shown_name(runs[0])}   ·   Run"))
    palette.line.returnPressed.emit()
    user.wait(lambda: user.runs.current() and user.runs.current().path == runs[0].path)
    palette.deleteLater()


def test_that_the_arrow_keys_move_through_the_hits_and_enter_shows_a_setting_or_a_term(user, palette):
    assert palette.list.currentRow() == 0
    QTest.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 1
    assert palette.detail.text()

    user.go_to("runs")
    search(palette, "weight decay")
    palette.line.returnPressed.emit()
    assert user.current == "train"
    assert QApplication.focusWidget() is user.find("train_weight_decay")
    assert user.find("train_weight_decay").isVisible()

    palette.show()
    search(palette, "perplexity term")
    palette.line.returnPressed.emit()
    assert not palette.isVisible()
    assert HelpPage(user).topic == "glossary#perplexity"


def test_that_the_palette_shows_the_control_of_every_setting_or_the_one_on_which_its_use_depends(user, palette):
    state = user.window.state
    for words, control in (
        ("layers", "config_n_layers"), ("weight decay", "train_weight_decay"), ("warm-up", "train_schedule"),
        ("nesterov", "train_optimizer"), ("freeze blocks", "weights"), ("temperature", "temperature"),
        ("typical", "typical_p"), ("new tokens", "generate_max_new_tokens"), ("samples", "generate_samples"),
    ):
        state.all_controls, state.unfolded_pages, state.generate_view = False, frozenset(), "score"
        user.go_to("learn")
        palette.show()
        found = search(palette, words)
        palette.list.setCurrentRow(next(row for row, each in enumerate(found) if each.endswith("Setting")))
        palette.line.returnPressed.emit()
        assert user.find(control).isVisible(), words
        assert QApplication.focusWidget() is user.find(control), words


# Keys, about, releases, and the status bar.


def test_that_about_and_the_status_bar_show_versions_the_device_and_the_running_task(user, home):
    texts = []
    user.answer("Close", lambda box: texts.extend(each.text() for each in box.findChildren(QLabel)))
    user.window.actions_of["about"].trigger()
    assert f"GPT Studio {gptstudio.__version__}" in texts
    assert str(home / "runs") in texts
    assert any("Sebastian Raschka" in each and "Wharton" in each and "OpenAI" in each for each in texts)

    release = threading.Event()

    def work(task) -> None:
        while not release.wait(0.01):
            task.report(1, 4)

    assert user.reads("status_device").startswith("CPU: ")
    assert not user.find("status_cancel").isVisible()
    user.window.tasks.run(work, title="Copying a long file")
    user.wait(lambda: user.reads("status_task") == "Copying a long file" and user.find("status_progress").isVisible())
    assert (user.find("status_progress").value(), user.find("status_progress").maximum()) == (1, 4)
    user.click(user.find("status_cancel"))
    user.wait(lambda: not user.find("status_cancel").isVisible())

    user.window.tasks.run(lambda _: release.wait(30), title="Training", queue="training")
    user.go_to("train")
    user.wait(lambda: user.reads("status_task") == "Training")
    assert not user.find("status_cancel").isVisible(), "Train has a button that stops it"
    user.go_to("runs")
    assert user.find("status_cancel").isVisible()
    release.set()
    user.wait(lambda: not user.busy())

    release.clear()
    user.go_to("generate")
    user.window.tasks.run(lambda _: release.wait(30), title="Scoring a text", queue="model")
    user.wait(lambda: user.find("status_cancel").isVisible())  # the button that stops it is in another view
    release.set()


@in_chinese
def test_that_commands_are_in_chinese_and_menus_open_by_a_letter(user):
    go_by_alt(user)
    assert user.window.actions_of["start"].text() == user.train.start_button.text() == "开始"
    assert user.window.menus.by_name["help"].title() == "帮助(&H)"
    palette = Palette(user.window, user.window.actions_of, user.window.state)
    assert search(palette, "weight decay") == ["权重衰减   ·   设置", "L2 惩罚   ·   设置"], (
        "names in code are found in any language, also torch's")
    palette.deleteLater()
