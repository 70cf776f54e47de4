"""The Texts tab: texts are opened, dropped, measured in the background, split, and used for training."""

import math
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QToolTip

from gptstudio import paths
from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.data import encodings, texts, tokens
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.actions import Actions
from gptstudio.gui.controllers.library import LibraryController
from gptstudio.gui.texts.texts_tab import COLUMNS, TextsTab
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.drop import FileDrop
from gptstudio.gui.widgets.text_views import SelectableTokens, characters
from gptstudio.training import corpus
from gptstudio.training.spec import TrainSpec

FIRST_PAGE = "texts"

STORY = "story"
SHIPPED = list(texts.SHIPPED)


@pytest.fixture
def state():
    return AppState()


@pytest.fixture
def tasks(application):
    made = TaskRunner()
    yield made
    assert made.finish(20_000)


def made_tab(state: AppState, tasks: TaskRunner, window: QMainWindow) -> TextsTab:
    """Return the tab, in a window whose command to open texts finds it."""
    actions = Actions(window, state)
    made = TextsTab(state, LibraryController(state, tasks, tasks), actions)
    window.go_to = lambda _: made
    return made


@pytest.fixture
def tab(application, qtbot, home, state, tasks, monkeypatch):
    """The visible tab, with its controller, without The Verdict; no task may remain after it is closed."""
    monkeypatch.delenv("GPTSTUDIO_TEXTS", raising=False)
    host = QMainWindow()
    made = made_tab(state, tasks, host)
    host.setCentralWidget(made)
    host.resize(1000, 800)
    theme.dress(host)
    host.show()
    made.wait = lambda: qtbot.waitUntil(lambda: not made.busy, timeout=20_000)
    made.wait()
    yield made
    made.leave()
    assert tasks.finish(20_000)
    host.close()
    host.deleteLater()


def write(folder: Path, **contents: str | bytes) -> list[str]:
    names = []
    for name, content in contents.items():
        path = folder / f"{name}.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        names.append(str(path))
    return names


def line(tab: TextsTab, name: str) -> list[str]:
    """Return the texts in the row of a text, without its name."""
    row = tab.table.names.index(name)
    return [tab.table.item(row, column).text() for column in range(1, len(COLUMNS))]


def figures(tab: TextsTab) -> list[str]:
    return [label.text() for label in tab.split.figures.values()]


def test_that_the_texts_on_this_computer_are_counted_shown_as_tokens_and_split(tab):
    assert tab.table.names == SHIPPED
    assert tab.table.ticked_names == (STORY,)
    content = texts.read(STORY).content
    ids = GPT2.encode(content)
    expected = [f"{len(content):,}", f"{len(ids):,}", f"{len(set(ids)):,}", f"{len(ids) / len(content):.3f}"]
    assert line(tab, STORY) == [*expected, "UTF-8", "LF"]
    tab.window().resize(900, 800)
    assert tab.table.columnWidth(0) >= tab.table.sizeHintForColumn(0), "the names are in view in full"

    ids = ids[:800]
    preview = tab.preview_card.text
    shown = preview.toPlainText().replace("\u2029", "\n")
    assert shown.replace("↵\n", "\n") == GPT2.decode(ids)
    at, tints = 0, []
    for id, (piece, _) in zip(ids[:100], characters(ids), strict=False):
        styles = [style_at(preview, place) for place in range(at, at + len(piece)) if piece[place - at] != "\n"]
        assert len(set(styles)) == 1
        assert styles[0][0].endswith(f"ID {id:,}")
        tints.append(styles[0][1])
        at += len(piece)
    assert tints == (tints[:2] * 50)
    assert len(set(tints)) == 2

    tab.split.box.setCurrentIndex(tab.split.box.findData("documents"))
    tab.wait()
    assert "there is only one" in tab.split.problem.text()
    assert not tab.train.isEnabled()
    assert tab.train.toolTip() == tab.split.problem.text()
    tab.split.box.setCurrentIndex(tab.split.box.findData("characters"))
    tab.wait()
    assert tab.train.isEnabled()
    assert not tab.split.problem.isVisible()
    tab.table.tick(STORY, False)
    tab.wait()
    assert not tab.train.isEnabled()
    assert figures(tab) == ["–"] * 6
    tab.table.tick(STORY, True)
    tab.wait()
    assert tab.train.isEnabled()


def test_that_the_verdict_is_available_where_it_is_installed(verdict, state, tasks):
    tab = made_tab(state, tasks, QMainWindow())
    assert tab.table.names == ["verdict", *SHIPPED]
    assert tab.table.ticked_names == ("verdict",)


def test_that_texts_are_opened_measured_and_used_for_training_and_a_guessed_encoding_is_reported(
    tab, state, home, qtbot, monkeypatch
):
    chosen = write(home, one="The cat sat.\r\n" * 400, two="Über den Wolken. ".encode("latin-1") * 300)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    qtbot.mouseClick(tab.open, Qt.MouseButton.LeftButton)
    tab.wait()
    assert tab.table.ticked_names == tuple(chosen), "the ready texts make room"
    assert line(tab, chosen[0])[0] == "5,600"
    assert line(tab, chosen[0])[4:] == ["UTF-8", "CRLF"]
    assert line(tab, chosen[1])[4:] == ["Windows-1252 ?", "none"]
    guess = tab.preview_card.guess
    assert not guess.isVisible()
    tab.table.selectRow(tab.table.names.index(chosen[1]))
    assert "two.txt is not valid UTF-8: byte 0 is 0xDC. Reading it as Windows-1252, which is a" in guess.text()
    assert guess.isVisible()
    qtbot.mouseClick(tab.train, Qt.MouseButton.LeftButton)
    assert (state.texts, state.train_values["split"], state.page) == (tuple(chosen), "characters", "train")


def test_that_windows_and_batches_are_those_of_the_run(tab, state, home):
    chosen = write(home, a="the cat sat. " * 900, b="a dog ran. " * 300, c="an owl flew. " * 100)
    tab.add(chosen)
    for split in ("characters", "documents"):
        spec = TrainSpec(text=tuple(chosen), split=split, batch_size=3, stride=20, train_ratio=0.8)
        tab.split.box.setCurrentIndex(tab.split.box.findData(split))
        state.use_spec(spec)
        tab.wait()
        plan = corpus.plan(spec, corpus.read(spec))
        numbers = (
            plan.train_tokens, plan.train_windows, plan.train_windows // 3,
            plan.val_tokens, plan.val_windows, math.ceil(plan.val_windows / 3),
        )
        assert figures(tab) == [f"{number:,}" for number in numbers]
        assert "80 % of the characters" in tab.split.words.text()
        state.train_values = {**state.train_values, "batch_size": "x"}
        assert figures(tab)[1:3] == ["–", "–"]


def test_that_a_folder_adds_its_texts_and_one_without_is_reported_as_are_its_bad_files(tab, home):
    (home / "folder").mkdir()
    tab.add([home / "folder"])
    assert "contains no .txt or .md files." in tab.notice.text()
    assert tab.notice.isVisible()
    write(home / "folder", b="two " * 40, a="one " * 40)
    tab.add([home / "folder"])
    tab.wait()
    assert [Path(name).name for name in tab.table.ticked_names] == ["a.txt", "b.txt"]
    assert not tab.notice.isVisible()
    tab.add([home / "folder"])
    assert tab.table.rowCount() == len(SHIPPED) + 2, "a text stands there once"

    (home / "usb").mkdir()
    picture = b"GIF\x00\x00\x00\x01\x02"
    write(home / "usb", **{"b": "two " * 40, "._b": b"\x00\x05\x16\x07", "new": b"", "picture": picture})
    tab.add([home / "usb"])
    tab.wait()
    assert [Path(name).name for name in tab.table.ticked_names] == ["a.txt", "b.txt", "b.txt"]
    assert tab.notice.isVisible()
    assert tab.notice.text() == (
        "Left out of the folder usb: ._b.txt (hidden), new.txt (empty), picture.txt (not a text).")
    assert tab.notice.property("role") == "notice", "not the red of an error: the texts were opened"


def test_that_a_text_opened_again_is_read_again_and_a_bad_one_is_reported_in_its_row_beside_valid_ones(tab, home):
    [name] = write(home, mine=b"")
    tab.add([name])
    tab.wait()
    assert "is empty" in line(tab, name)[0]
    write(home, mine="the cat sat. " * 40)
    tab.add([name])
    tab.wait()
    assert line(tab, name)[0] == "520"
    assert tab.train.isEnabled()
    write(home, mine="the cat sat. " * 50)
    tab.add([name])
    tab.wait()
    assert line(tab, name)[0] == "650"
    assert figures(tab)[0] == f"{len(GPT2.encode(('the cat sat. ' * 50)[:585])):,}"

    # Bad texts beside a good one.
    tab.table.selectRow(tab.table.names.index(name))
    tab.remove.click()
    good, bad = write(home, good="the cat sat. " * 400, bad=b"a\x00b")
    tab.add([bad, good, str(home / "missing.txt")])
    tab.wait()
    assert "is not a text file: it has a zero byte at position 1" in line(tab, bad)[0]
    assert "does not exist" in line(tab, str(home / "missing.txt"))[0]
    assert line(tab, good)[0] == "5,200"
    assert not tab.train.isEnabled()
    for name in (bad, str(home / "missing.txt")):
        tab.table.selectRow(tab.table.names.index(name))
        tab.remove.click()
    tab.wait()
    assert tab.table.names == [*SHIPPED, good]
    assert tab.train.isEnabled()


@pytest.mark.parametrize("shown_again", [
    pytest.param(lambda tab: (tab.hide(), tab.show()), id="page"),
    pytest.param(lambda tab: QApplication.sendEvent(tab, QEvent(QEvent.Type.ActivationChange)), id="window"),
])
def test_that_a_text_that_another_program_changed_or_deleted_is_read_again(tab, home, qtbot, shown_again):
    changed, deleted = names = write(home, changed="the cat sat. " * 40, deleted="the cat sat. " * 40)
    tab.add(names)
    tab.wait()
    tab.window().activateWindow()
    qtbot.waitUntil(tab.isActiveWindow)
    write(home, changed="the cat sat. " * 50)
    Path(deleted).unlink()
    shown_again(tab)
    tab.wait()
    assert tab.table.names[-2:] == names
    assert line(tab, changed)[0] == "650"
    assert "does not exist" in line(tab, deleted)[0]
    assert "does not exist" in tab.split.problem.text()
    assert not tab.train.isEnabled()
    write(home, deleted="the cat sat. " * 60)
    shown_again(tab)
    tab.wait()
    assert line(tab, deleted)[0] == "780"
    assert tab.table.columnSpan(tab.table.names.index(deleted), 1) == 1
    assert tab.train.isEnabled()


@pytest.mark.skipif(os.name == "nt", reason="names are characters there")
def test_that_a_name_of_no_text_is_shown_and_refused(tab, home):
    (home / "folder").mkdir()
    file = os.fsencode(home / "folder") + b"/\xff.txt"
    with open(file, "wb") as handle:
        handle.write(b"the cat sat. " * 40)
    tab.add([home / "folder"])
    tab.wait()
    assert tab.table.ticked_names == (os.fsdecode(file),)
    assert "contains bytes that are not valid characters" in line(tab, os.fsdecode(file))[0]


def test_that_files_dropped_on_the_window_are_opened(tab, home):
    window = tab.window()
    FileDrop(window, tab.add)
    data, buttons, keys = QMimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    [name] = write(home, dropped="the cat sat. " * 40)
    data.setUrls([QUrl.fromLocalFile(name)])
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    tab.wait()
    assert tab.table.ticked_names == (name,)
    words = QMimeData()
    words.setText("words are not a file")
    other = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, words, buttons, keys)
    other.ignore()
    QApplication.sendEvent(window, other)
    assert not other.isAccepted()


def test_that_tints_and_tooltips_of_the_preview_fit_characters_of_two_utf_16_units(qtbot):
    preview = SelectableTokens("preview")
    qtbot.addWidget(preview)
    preview.resize(400, 300)
    preview.show()
    preview.show_ids(GPT2.encode("😀 a"))
    first, last = style_at(preview, 0), style_at(preview, 3)
    assert preview.toPlainText() == "😀 a"
    assert style_at(preview, 2) == last
    assert "one character in" in first[0]
    assert last[0].endswith(f"ID {GPT2.encode(' a')[0]:,}")
    assert first[1] != last[1]


def style_at(preview: SelectableTokens, place: int) -> tuple[str, int]:
    """Return the tooltip and the tint of the character at a position of the document."""
    cursor = preview.textCursor()
    cursor.setPosition(place + 1)  # the tooltip is that of the character before
    preview.setTextCursor(cursor)
    point = preview.cursorRect().center()
    QApplication.sendEvent(preview.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, preview.mapToGlobal(point)))
    block = preview.document().findBlock(place)
    [tint] = {each.format.background().color().rgba() for each in block.layout().formats()
              if each.start <= place - block.position() < each.start + each.length}
    return QToolTip.text(), tint


@pytest.mark.parametrize("text", ["北京是😀。", "a\r\nb\tc\n\nd", "👩\u200d🔬 e\u0301"])
def test_that_a_character_of_several_tokens_is_shown_whole(text):
    ids = GPT2.encode(text)
    parts = list(characters(ids))
    assert [each for _, taken in parts for each in taken] == ids
    assert "\ufffd" not in "".join(shown for shown, _ in parts)
    assert all(GPT2.decode(taken) in text for _, taken in parts)
    cut = list(characters(GPT2.encode("a 😀")[:-1]))  # the beginning of a character is left out
    assert "".join(shown for shown, _ in cut).strip() == "a"


@pytest.fixture
def slow_text(tab, home, monkeypatch):
    """A text whose tokenising waits in the middle until an event is set."""
    monkeypatch.setattr(encodings, "BLOCK", 1000)
    monkeypatch.setattr(tokens, "KEPT_FROM", 10_000)
    at_it, proceed, encode = threading.Event(), threading.Event(), tokens.encode

    def slowly(*given):
        at_it.set()
        assert proceed.wait(20)
        return encode(*given)

    monkeypatch.setattr(tokens, "encode", slowly)
    [name] = write(home, slow="the cat sat on the mat. " * 2000)
    yield name, at_it, proceed
    proceed.set()


def test_that_a_removed_text_is_not_read_to_its_end_and_tokenising_is_shown_cancelled_and_restarted(
    tab, slow_text, qtbot
):
    name, at_it, proceed = slow_text
    tab.add([name])
    qtbot.waitUntil(at_it.is_set)
    tab.table.selectRow(tab.table.names.index(name))
    tab.remove.click()
    proceed.set()
    tab.wait()
    assert tab.table.names == SHIPPED
    assert list(paths.tokens().iterdir()) == []
    assert not tab.work.isVisible()

    # Cancelled and restarted. The table stays where it is.
    tab.resize(1000, 700)
    qtbot.wait(50)
    place = tab.table.mapTo(tab, QPoint(0, 0))
    at_it.clear()
    proceed.clear()
    shown = []
    tab.progress.valueChanged.connect(shown.append)
    tab.add([name])
    qtbot.waitUntil(at_it.is_set)
    qtbot.waitUntil(tab.work.isVisible)
    qtbot.wait(50)
    assert tab.table.mapTo(tab, QPoint(0, 0)) == place
    assert not tab.train.isEnabled()
    tab.cancel.click()
    proceed.set()
    tab.wait()
    assert tab.cancel.text() == tab.cancel.accessibleName() == "Continue"
    assert tab.doing.text() == "Stopped. Texts without values have not been read."
    assert line(tab, name)[0] == "–"
    assert list(paths.tokens().iterdir()) == []
    tab.cancel.click()
    tab.wait()
    assert line(tab, name)[0] == "48,000"
    assert not tab.work.isVisible()
    assert 48_000 in shown, "to the end"


def test_that_a_built_in_text_has_its_title_while_it_is_read(tab, slow_text, qtbot):
    _, at_it, proceed = slow_text
    tab.add([texts.GRIMM])
    qtbot.waitUntil(at_it.is_set)
    qtbot.waitUntil(tab.work.isVisible)
    title = "Two tales in German, Brothers Grimm, 1857"
    qtbot.waitUntil(lambda: tab.doing.text().startswith((f"Reading {title}", f"Tokenising {title}")))
    proceed.set()
    tab.wait()


def test_that_changes_during_the_reading_of_texts_are_processed_afterwards(tab, state, slow_text, home, qtbot):
    name, at_it, proceed = slow_text
    tab.add([name])
    qtbot.waitUntil(at_it.is_set)
    [other] = write(home, other="a dog ran. " * 40)
    tab.add([other])
    state.use_spec(TrainSpec(train_ratio=0.5))
    proceed.set()
    qtbot.waitUntil(tab.train.isEnabled, timeout=20_000)
    expected = corpus.read(TrainSpec(text=(name, other), train_ratio=0.5))
    assert figures(tab)[0] == f"{len(expected.train_ids):,}"


def test_that_closing_ends_the_current_work(tab, tasks, slow_text, qtbot):
    name, at_it, proceed = slow_text
    tab.add([name])
    qtbot.waitUntil(at_it.is_set)
    tab.leave()
    proceed.set()
    assert tasks.finish(20_000)
    assert list(paths.tokens().iterdir()) == []
    assert line(tab, name)[0] == "–"


def test_that_a_tab_that_was_never_shown_reads_nothing(state, tasks, home):
    tab = made_tab(state, tasks, QMainWindow())
    state.use_spec(TrainSpec(train_ratio=0.5))
    tab.add(write(home, one="the cat"))
    assert not tasks.busy()


def test_that_the_list_is_as_high_as_its_texts_and_the_page_needs_no_scrolling(user, home):
    user.window.resize(1920, 1040)
    user.go_to("texts")
    user.wait(lambda: not user.texts.busy)
    table = user.texts.widget.table
    user.wait(lambda: table.viewport().height() < 5 * table.rowHeight(0))
    files = [home / f"text {number}.txt" for number in range(20)]
    for file in files:
        file.write_text("Every effort moves you.\n")
    user.window.open_files([str(file) for file in files])
    user.wait(lambda: not user.texts.busy)
    user.wait(lambda: table.viewport().height() > 9 * table.rowHeight(0))
    user.window.resize(1024, 700)
    user.wait(lambda: user.find("texts_scroll").verticalScrollBar().maximum() == 0)


def test_that_large_text_needs_no_scrolling_sideways(user):
    user.go_to("texts")
    user.wait(lambda: not user.texts.busy)
    assert user.texts.widget.halves.orientation() == Qt.Orientation.Horizontal
    theme.enlarge(2)
    left, right = (user.find(f"texts_{part}_tokens") for part in ("train", "val"))
    right.setText("123,456,789")  # wider than the heading
    user.window.resize(800, 700)
    user.rest(0.2)
    assert right.x() - left.geometry().right() > 1.5 * right.fontMetrics().horizontalAdvance(" ")
    assert user.find("texts_scroll").horizontalScrollBar().maximum() == 0
    assert user.texts.widget.halves.orientation() == Qt.Orientation.Vertical
