"""Titles and names from files and users are shown literally everywhere in the window, and never as HTML."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QHeaderView,
    QLabel,
    QTextEdit,
    QTreeView,
    QWidget,
)

from gptstudio import paths
from gptstudio.inference import tree_files
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS

FIRST_PAGE = "learn"
ALL_WORDS = True

HOSTILE = "<img src=x>"
TOP = QModelIndex()
TIP = Qt.ItemDataRole.ToolTipRole

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no names of files with < in them")


class Seen:
    """The places where the hostile words were shown literally, and those where they were taken for HTML."""

    def __init__(self) -> None:
        self.plain: set[str] = set()
        self.taken: set[str] = set()

    def look(self, *_: object) -> None:
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                for part in (window, *window.findChildren(QWidget)):
                    if part.isVisible():
                        self._look_at(part)

    def new(self) -> set[str]:
        """Return the places that have shown the words since the last call."""
        self.look()
        assert self.taken == set()
        found, self.plain = self.plain, set()
        return found

    def _look_at(self, part: QWidget) -> None:
        where = part.objectName() or type(part).__name__
        for tip in (part.toolTip(), *(action.toolTip() for action in part.actions())):
            self._tip(f"{where}, tip", tip)
        if isinstance(part, QLabel):
            plain = part.textFormat() == Qt.TextFormat.PlainText
            self._note(where, part.text(), ("&lt;img" if plain else "<img") in part.text())
        elif isinstance(part, QTextEdit):
            self._note(where, part.toPlainText(), "<img" in part.toHtml())
        elif isinstance(part, QComboBox):
            self._model(where, part.model())
        elif isinstance(part, QGraphicsView) and part.scene():
            for item in part.scene().items():
                self._tip(f"{where}, {type(item).__name__}, tip", item.toolTip())
                if isinstance(item, QGraphicsTextItem):
                    self._note(f"{where}, {type(item).__name__}", item.toPlainText(), "<img" in item.toHtml())
        elif isinstance(part, QAbstractItemView) and not isinstance(part, QHeaderView) and part.model():
            self._model(where, part.model(), isinstance(part, QTreeView))

    def _model(self, where: str, model: QAbstractItemModel, tree: bool = False) -> None:
        for index in _all(model, tree):
            self._note(where, str(index.data()), False)
            self._tip(f"{where}, tip", str(index.data(TIP) or ""))

    def _tip(self, where: str, tip: str) -> None:
        self._note(where, tip, "<img" in tip)  # Qt takes a tooltip with a tag in it for HTML

    def _note(self, where: str, words: str, taken: bool) -> None:
        if taken:
            self.taken.add(f"{where}: {words}")
        elif "<img" in words or "&lt;img" in words:
            self.plain.add(where)


def _all(model: QAbstractItemModel, tree: bool, parent: QModelIndex = TOP) -> Iterator[QModelIndex]:
    for row in range(model.rowCount(parent)):
        for column in range(model.columnCount(parent)):
            yield model.index(row, column, parent)
        if tree:
            yield from _all(model, tree, model.index(row, 0, parent))


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def model(home, tmp_path, tiny) -> Path:
    """The path of an imported model whose name and origin are hostile."""
    path = FORMATS["book"].export(UntrainedModel(tiny), tmp_path / "theirs.pth")
    made = importing.import_weights(importing.inspect(path, tiny.n_heads), "theirs", notes={"source": HOSTILE}).path
    return made.rename(made.with_name(HOSTILE))


@pytest.fixture
def text(home) -> Path:
    file = paths.texts() / f"{HOSTILE}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"Every {HOSTILE} moves you forward. " * 40, encoding="utf-8")
    return file


def test_that_a_run_and_its_text_are_shown_literally(user, study, text, seen):
    run = study(title=HOSTILE, text=str(text), path=paths.runs() / HOSTILE)
    user.runs.show(study(title=f"{HOSTILE} again"), run)
    assert seen.new() >= {"run_list", "run_list, tip", "run_table", "run_table, tip"}
    user.answer("Cancel", seen.look)
    user.runs.act("delete")
    assert seen.new() >= {"qt_msgbox_label", "qt_msgbox_informativelabel"}
    user.runs.act("again")
    user.wait(lambda: user.current == "train")
    assert seen.new() >= {"text"}


def test_that_a_run_with_absurd_figures_and_an_unnamed_text_opens(user, study_once):
    absurd = {}, {"steps_per_epoch": 0}, {"total_steps": 2**53}, {"tokens_per_step": 2**53}, {"first_step": 10**18}
    runs = [study_once(title="theirs") for _ in absurd]
    for run, changes in zip(runs, absurd, strict=True):
        run.write(run.record().model_copy(update={"text_name": ""}))
        started, *others = run.journal_path.read_bytes().splitlines(keepends=True)
        values = json.loads(started) | changes
        del values["crc32"]  # as in a journal of version 0.1, whose lines have no checksum
        run.journal_path.write_bytes(b"".join([json.dumps(values).encode(), b"\n", *others]))
    user.runs.show(*runs)
    for run in runs:
        user.runs.open(run)
        user.wait(lambda run=run: user.train.run == run and user.train.losses() and not user.busy())


def test_that_a_text_and_a_lesson_are_shown_literally(user, text, seen, tmp_path):
    missing = text.with_name(f"{HOSTILE} nowhere.txt")
    user.go_to("texts")
    for file in (text, missing):
        user.window.texts.add([str(file)])
        user.wait(lambda: not user.texts.busy)
    assert seen.new() >= {"texts_table", "texts_table, tip", "train_on_these, tip"}
    user.window.texts.table.tick(str(missing), False)
    user.wait(lambda: user.find("train_on_these").isEnabled())
    user.click(user.find("train_on_these"))
    assert seen.new() >= {"text"}

    file = tmp_path / f"{HOSTILE}.toml"
    file.write_text(
        f'title = "{HOSTILE}"\nminutes = 1\nabout = "{HOSTILE}"\n\n'
        f'[[step]]\ntitle = "{HOSTILE}"\ntext = "{HOSTILE}"\ntry = "{HOSTILE}"\ntab = "train"\n'
        f'check = {{ value = "step", name = "{HOSTILE}", at_least = 3 }}\n', encoding="utf-8",
    )
    user.lesson.open(file)
    user.wait(user.find("lesson_check").isVisible)
    assert seen.new() >= {"lesson_check", "lesson_name", "lesson_text", "lesson_title", "lesson_try"}
    user.lesson.end()
    file.write_text(f'title = "{HOSTILE}"\n"{HOSTILE}" = 1', encoding="utf-8")
    user.lesson.open(file)
    assert seen.new() >= {"learn_notice"}


@pytest.mark.parametrize("first_page", ["train"])
def test_that_a_model_is_shown_literally(model, user, seen):
    user.dialogs.choose("models")
    models = user.dialogs.models
    user.wait(lambda: not models.busy and models.table.rowCount())
    assert seen.new() >= {"models_table", "models_table, tip", "weights"}
    user.answer("Cancel", seen.look)
    user.click(models.trash)
    assert seen.new() >= {"qt_msgbox_label", "qt_msgbox_informativelabel"}
    models.close()
    user.go_to("generate")
    for view, places in enumerate(({"model"}, {"left_model", "left_model, tip"}, {"model"})):
        user.generate.switch_to(view)
        assert seen.new() >= places
    user.dialogs.choose("export")
    assert seen.new() >= {"export_model"}
    user.dialogs.look_at(model)
    assert seen.new() >= {"open_weights_title", "open_weights_path", "open_weights_path, tip"}


def test_that_a_text_and_its_branches_are_shown_literally(writer, seen):
    writer.generate.write(3, HOSTILE)
    writer.generate.choose(4)
    writer.generate.branch(11)
    writer.generate.wait_idle()
    writer.generate.open_pane("branches")
    branches = writer.generate.pane("branches")
    branches.rename_requested.emit(branches.tree_view.branches[-1].tip, HOSTILE)
    writer.generate.save_tree(HOSTILE)
    (saved,) = tree_files.saved_trees(writer.generate.source)
    assert saved.title == HOSTILE
    writer.generate.open_tree(saved.path)
    writer.wait(lambda: branches.tree_view.branches)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right):
        branches.tree_view.walk(key)
        seen.look()
    assert seen.new() >= {"branch_remove, tip"}
    writer.click(writer.find("branch_compare"))
    assert seen.new() >= {"branches_pair_left", "branches_pair_left_text"}
