"""The branches of a text: the map, walking on it, names, comparisons, and the requests to the page."""

from collections.abc import Callable, Iterator

import pytest
from messages import message
from pages.painted import stretch_place, tip_at, token_place
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton
from strips import usual
from trees import read

from gptstudio.app.text_document import TextDocument
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.branches.branches import Branches, TreeTitle
from gptstudio.gui.theme import DARK, LIGHT, colour, theme
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import ROOT, Tree
from gptstudio.training.model_source import UntrainedModel

KEYS = Qt.Key
TEXTS = (
    "Every effort moves you forward, and the painter was not at all surprised",
    "Every effort moves you forward, and the painter was not at all happy.",
    "Every effort moves you forward, and the painter was gone",
    "Every effort moves you back",
)


def write(tree: Tree, text: str) -> int:
    """Add each token with a probability that depends on its position, the first without one; return the key of the
    last."""
    key = ROOT
    for position, token in enumerate(GPT2.encode(text)):
        reading = read(token, position, 2.0**-position if position else None)
        key = tree.add(key, reading.model_copy(update={"text": GPT2.decode([token])}))
    return key


def tip(tree: Tree, text: str) -> int:
    key = tree.find(GPT2.encode(text))
    assert key is not None
    return key


@pytest.fixture
def tree() -> Tree:
    made = Tree("a model")
    for text in TEXTS:
        write(made, text)
    return made


class Signals:
    """The signals that a pane emitted, as (signal, values…)."""

    def __init__(self, pane: Branches):
        self.received: list[tuple] = []
        for name in ("went", *(f"{act}_requested" for act in ("rename", "remove", "save", "open", "export"))):
            getattr(pane, name).connect(lambda *values, name=name: self.received.append((name, *values)))

    def all(self) -> list[tuple]:
        received, self.received = self.received, []
        return received


@pytest.fixture
def pane(application, qtbot, tree) -> Iterator[Branches]:
    made = Branches(TextDocument())
    made.resize(650, 330)
    made.show_tree(tree, tip(tree, TEXTS[1]), 2)
    theme.dress(made)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    made.tree_view.setFocus()
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    usual()


@pytest.fixture
def signals(pane) -> Signals:
    return Signals(pane)


def press(pane: Branches, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget() or pane.tree_view, key, modifiers)
        QApplication.processEvents()  # a name is applied in the next turn of the event loop


def click(pane: Branches, where: QPoint, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(pane.tree_view.viewport(), Qt.MouseButton.LeftButton, modifiers, where)


def row_rect(pane: Branches, row: int) -> QRect:
    return pane.tree_view.visualRect(pane.tree_view.model_.at(row))


def row_of(pane: Branches, row: int) -> QPoint:
    return row_rect(pane, row).center()


def marked(pane: Branches) -> str:
    """Return the text of the stretch that the arrow keys have marked."""
    model = pane.tree_view.model()
    return GPT2.decode([model.tree.nodes[key].id for key in model.shape.stretches[pane.tree_view.mark].keys])


def written(pane: Branches) -> list[str]:
    """Return the text of each stretch of the tree."""
    view = pane.tree_view
    return ["".join(token.text for token in tokens)
            for row in range(len(view.branches)) for _, tokens in view.boxes(row)]


# The tree.


def test_that_each_branch_is_a_row_below_the_one_from_which_it_splits_and_the_shown_one_is_highlighted(pane):
    pane.resize(1000, 330)
    assert written(pane)[0] == "Every effort moves you"
    assert [text for text in written(pane) if text in (" back", " gone", " not at all", " surprised", " happy.")] == [
        " not at all", " surprised", " happy.", " gone", " back",
    ]
    model = pane.tree_view.model()
    assert [model.parent(model.at(row)).internalId() for row in (1, 2, 3)] == [0, 0, 0]
    assert [model.cells(row)[2] for row in range(4)] == ["0", "13", "10", "4"], "where each parts"
    boxes = [stretch_place(pane.tree_view, index) for index in range(len(written(pane)))]
    assert not any(one.intersects(other) for one in boxes for other in boxes if one is not other)
    assert all(box.isValid() for box in boxes)
    keys = [key for index in sorted(pane.tree_view.shown) for key in model.shape.stretches[index].keys]
    assert GPT2.decode([model.tree.nodes[key].id for key in keys]) == TEXTS[1]
    assert model.shown_row == 1
    assert model.tree.nodes[pane.tree_view.chosen].position == 2


def test_that_pointing_at_a_branch_shows_its_name_its_length_and_its_surprise(pane, tree):
    words = tip_at(pane.tree_view.viewport(), row_rect(pane, 1).center())
    count = len(GPT2.encode(TEXTS[1]))
    bits = sum(range(count))
    assert f"Branch 2\n{count} tokens · {bits:.1f} bits · {bits / (count - 1):.2f} per token" in words
    assert f"cover {count - 1} of these" in words
    assert TEXTS[1] in words
    assert pane.tree_view.accessibleDescription().startswith("Branch 1, positions 0 to 3")


def test_that_a_long_stretch_shows_its_beginning_and_end_and_counts_the_rest(pane, tree, signals):
    write(tree, TEXTS[3] + " and forth" * 40 + " for ever.")
    pane.show_tree(tree, tip(tree, TEXTS[3]), 0)
    view = pane.tree_view
    [text] = [text for text in written(pane) if text.endswith("ever.")]
    [token] = [token for _, tokens in view.boxes(3) for token in tokens if token.left_out]
    assert text.startswith(" back and forth")
    shown = GPT2.encode(text.replace(token.text, ""))
    assert len(shown) + len(token.keys) == len(GPT2.encode(" back" + " and forth" * 40 + " for ever."))
    left = view.visualRect(view.model().at(3, 1)).left()
    click(pane, QPoint(round(left + token.left + token.width / 2), row_rect(pane, 3).center().y()))
    assert signals.all() == [("went", token.keys[0])]


@pytest.mark.parametrize(
    ("text", "shown"),
    [(" 🌳 tree", " 🌳 tree"), (" שלום", " שלום"), ("\x00\x07", "⟨U+0000⟩⟨U+0007⟩"), ("\n\n\t", "↵↵⇥")],
)
def test_that_any_text_can_be_read_in_the_tree(pane, tree, text, shown):
    write(tree, TEXTS[3] + text)
    pane.show_tree(tree, None, None)
    assert " back" + shown in written(pane)
    assert not pane.grab().isNull()


def test_that_half_a_character_and_an_id_beyond_the_vocabulary_are_shown_as_such(pane, tree):
    [half, *_] = GPT2.encode("🌳")
    at = tree.add(tip(tree, TEXTS[3]), read(half, 5).model_copy(update={"text": "\ufffd"}))
    tree.add(at, read(50_300, 6).model_copy(update={"text": ""}))
    pane.show_tree(tree, None, None)
    assert " back⟨F0 9F⟩<id 50300>" in written(pane)


def test_that_the_pane_explains_how_to_create_a_second_branch_and_then_the_keys(pane):
    alone = Tree("a model")
    end = write(alone, TEXTS[3])
    assert message("arrow_keys_walk") in pane.hint.text()
    pane.show_tree(alone, end, 0)
    assert pane.hint.text().startswith(message("branch_far"))
    assert not pane.compare_button.isEnabled()
    pane.show_tree(Tree(), ROOT, None)
    assert not pane.hint.isVisible()


def test_that_without_a_text_only_an_old_one_can_be_opened(application, qtbot):
    pane = Branches(TextDocument())
    qtbot.addWidget(pane)
    theme.dress(pane)
    pane.show()
    pane.show_tree(Tree(), ROOT, None)
    assert not pane.grab().isNull()
    enabled = [button.objectName() for button in pane.findChildren(QPushButton)
               if button.isEnabled() and button.isVisible()]
    assert enabled == ["tree_open"]
    press(pane, KEYS.Key_Right, KEYS.Key_Down, KEYS.Key_Return, KEYS.Key_F2, KEYS.Key_Delete, KEYS.Key_Space)


def test_that_a_hidden_pane_does_nothing_until_it_is_shown(pane, tree):
    pane.hide()
    before = pane.tree_view.model().shape
    tree.remove(tip(tree, TEXTS[3]))
    write(tree, "Every effort ends")
    pane.show_tree(tree, tip(tree, "Every effort ends"), 1)
    pane.resize(700, 300)
    theme.enlarge(1.2)
    assert pane.tree_view.model().shape is before
    pane.show()
    assert [tree.ids(branch.tip) for branch in pane.tree_view.branches] == [tree.ids(leaf) for leaf in tree.leaves()]


# Walking.


def test_that_a_click_goes_to_its_token_or_on_a_row_to_the_end_of_its_branch_and_elsewhere_nowhere(pane, tree, signals):
    back = tip(tree, "Every effort moves you back")
    for where, expected in (
        (token_place(pane.tree_view, back).center().toPoint(), [("went", back)]),
        (row_of(pane, 2), [("went", tip(tree, TEXTS[2]))]),
        (QPoint(40, pane.tree_view.viewport().height() - 30), []),
    ):
        click(pane, where)
        assert signals.all() == expected


def test_that_the_arrow_keys_walk_along_the_text_and_from_branch_to_branch_and_enter_goes_to_the_mark(
    pane, tree, signals
):
    assert marked(pane) == "Every effort moves you"
    for key, text in (
        (KEYS.Key_Left, "Every effort moves you"), (KEYS.Key_Up, "Every effort moves you"),
        (KEYS.Key_Right, " forward, and the painter was"), (KEYS.Key_Right, " not at all"),
        (KEYS.Key_Right, " happy."), (KEYS.Key_Down, " gone"), (KEYS.Key_Down, " back"), (KEYS.Key_Down, " back"),
        (KEYS.Key_Right, " back"), (KEYS.Key_Up, " gone"), (KEYS.Key_Left, " forward, and the painter was"),
        (KEYS.Key_Down, " happy."), (KEYS.Key_Up, "Every effort moves you"),
    ):
        press(pane, key)
        assert marked(pane) == text
    assert signals.all() == []
    press(pane, KEYS.Key_Right, KEYS.Key_Right, KEYS.Key_Return)
    assert signals.all() == [("went", tip(tree, "Every effort moves you forward, and the painter was not"))]


def test_that_the_mark_follows_the_shown_branch_stays_while_the_text_only_grows_and_is_always_visible(pane, tree):
    pane.show_tree(tree, tip(tree, TEXTS[2]), len(tree.path(tip(tree, TEXTS[2]))) - 1)
    assert marked(pane) == " gone"
    press(pane, KEYS.Key_Down)
    write(tree, TEXTS[0] + " again")
    pane.show_tree(tree, tip(tree, TEXTS[2]), len(tree.path(tip(tree, TEXTS[2]))) - 1)
    assert marked(pane) == " back"

    for number in range(40):
        write(tree, f"Every effort moves you back {number} " + "and forth " * number)
    pane.show_tree(tree, tip(tree, TEXTS[0]), 0)
    for _ in range(45):
        press(pane, KEYS.Key_Down)
        assert pane.tree_view.viewport().rect().contains(row_of(pane, row_marked(pane)))
    assert row_marked(pane) == 42
    pane.resize(500, 280)
    assert pane.tree_view.viewport().rect().contains(row_of(pane, row_marked(pane)))


def row_marked(pane: Branches) -> int:
    return pane.tree_view.branches.index(pane.tree_view.marked_branch)


# Names.


def editor(pane: Branches) -> QLineEdit | None:
    """Return the field in which a name is typed, or None if it is closed."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return pane.tree_view.viewport().findChild(QLineEdit, "branch_name")


def test_that_f2_names_the_marked_branch_in_place_or_removes_its_name(pane, tree, signals):
    press(pane, *[KEYS.Key_Down] * 3, KEYS.Key_F2)
    assert editor(pane).hasFocus()
    assert editor(pane).placeholderText() == "Branch 4"
    QTest.keyClicks(editor(pane), "back home")
    press(pane, KEYS.Key_Return)
    assert signals.all() == [("rename_requested", tip(tree, TEXTS[3]), "back home")]
    assert editor(pane) is None
    assert pane.tree_view.hasFocus()
    tree.rename(tip(tree, TEXTS[3]), "back home")
    pane.show_tree(tree, tip(tree, TEXTS[1]), 2)
    assert tip_at(pane.tree_view.viewport(), row_rect(pane, 3).center()).startswith("back home\n")
    tree.rename(tip(tree, "Every effort"), "first")
    pane.show_tree(tree, tip(tree, TEXTS[0]), 0)
    press(pane, KEYS.Key_F2, KEYS.Key_Backspace, KEYS.Key_Return)
    assert signals.all() == [("rename_requested", tip(tree, "Every effort"), "")]


def test_that_escape_and_enter_without_typing_keep_the_name(pane, tree, signals):
    tree.rename(tip(tree, TEXTS[0]), "first")
    pane.show_tree(tree, tip(tree, TEXTS[1]), 2)
    QTest.mouseDClick(pane.tree_view.viewport(), Qt.MouseButton.LeftButton, pos=row_of(pane, 0))
    assert editor(pane).text() == "first"
    signals.all()
    QTest.keyClicks(editor(pane), "another")
    press(pane, KEYS.Key_Escape)
    QTest.mouseClick(pane.name_button, Qt.MouseButton.LeftButton)
    press(pane, KEYS.Key_Return)
    assert signals.all() == []
    assert editor(pane) is None


def test_that_a_name_stays_being_edited_while_the_model_writes_until_its_branch_is_removed(pane, tree, signals):
    pane.tree_view.name(pane.tree_view.branches[1])
    QTest.keyClicks(editor(pane), "my")
    grown = write(tree, TEXTS[1] + " And so it")
    write(tree, TEXTS[0] + " again")
    write(tree, TEXTS[0] + " once more")
    pane.show_tree(tree, grown, None)
    QTest.keyClicks(editor(pane), " own")
    assert row_rect(pane, 2).contains(editor(pane).geometry().center()), "its row has moved"
    press(pane, KEYS.Key_Return)
    assert signals.all() == [("rename_requested", grown, "my own")]
    pane.tree_view.name(pane.tree_view.branches[-1])
    assert editor(pane) is not None
    tree.remove(tip(tree, TEXTS[3]))
    pane.show_tree(tree, tip(tree, TEXTS[1]), 2)
    assert editor(pane) is None
    assert signals.all() == []


# Removing.


def test_that_delete_requests_the_removal_of_the_marked_stretch_but_never_of_the_common_beginning(pane, signals, tree):
    assert not pane.remove_button.isEnabled()
    press(pane, KEYS.Key_Delete)
    assert signals.all() == []
    press(pane, KEYS.Key_Down)
    assert pane.remove_button.isEnabled()
    press(pane, KEYS.Key_Up)
    press(pane, KEYS.Key_Right, KEYS.Key_Right, KEYS.Key_Delete)
    not_at_all = tip(tree, "Every effort moves you forward, and the painter was not")
    assert signals.all() == [("remove_requested", not_at_all)]
    assert pane.remove_button.toolTip().startswith("Removes Branch 1 and 1 more")
    tree.remove(not_at_all)
    pane.show_tree(tree, tip(tree, TEXTS[2]), 2)
    assert len(pane.tree_view.branches) == 2


# Comparing.


def shown_pair(pane: Branches) -> list[str]:
    return [side.text.toPlainText() for side in pane.pair.sides]


def lit(pane: Branches) -> list[str]:
    """Return the highlighted text of each side."""
    found = []
    for side in pane.pair.sides:
        found.append("")
        block = side.text.document().begin()
        while block.isValid():
            parts = block.begin()
            while not parts.atEnd():
                style = parts.fragment().charFormat()
                found[-1] += parts.fragment().text() if style.background().color() == colour("accent") else ""
                parts += 1
            block = block.next()
    return found


def test_that_two_branches_picked_with_ctrl_are_shown_side_by_side(pane, tree, signals):
    for row in (2, 0):
        click(pane, row_of(pane, row), Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(pane.compare_button, Qt.MouseButton.LeftButton)
    assert pane.comparing
    assert shown_pair(pane) == [TEXTS[2], TEXTS[0]]
    assert lit(pane) == [" gone", " not"]
    same = len(GPT2.encode("Every effort moves you forward, and the painter was"))
    assert pane.pair.words.text() == f"Shared tokens: {same}; then “␣gone” and “␣not”."
    assert signals.all() == []


def test_that_both_sides_show_their_tokens_and_surprise_and_other_branches_can_be_chosen(pane, tree):
    pane.compare()
    for side, text, place in zip(pane.pair.sides, (TEXTS[1], TEXTS[0]), (13, 13), strict=True):
        path = tree.path(tip(tree, text))
        assert place == len(path) - len(GPT2.encode(text[text.index(" all") + 4 :]))
        for words, nodes in ((side.sums.text(), path), (side.rest.text(), path[place:])):
            total, asked = sum(node.position for node in nodes), sum(node.position > 0 for node in nodes)
            tokens = "1 token" if len(nodes) == 1 else f"{len(nodes)} tokens"
            assert words.endswith(f"{tokens} · {total:.1f} bits · {total / asked:.2f} per token")
        assert message("first_text") in side.sums.toolTip()
    one, other = pane.pair.sides
    other.box.setCurrentIndex(3)
    assert shown_pair(pane) == [TEXTS[1], TEXTS[3]]
    assert lit(pane) == [" forward", " back"]
    one.box.setCurrentIndex(3)
    assert pane.pair.words.text() == message("these_same")
    assert lit(pane) == ["", ""]


def test_that_the_shown_branch_is_compared_with_the_marked_or_the_single_picked_one_and_of_three_the_last_two_stay(
    pane, tree
):
    press(pane, *[KEYS.Key_Down] * 3)
    for picked in ([], [tip(tree, TEXTS[3])]):
        assert pane.tree_view.picked == picked
        pane.compare()
        assert shown_pair(pane) == [TEXTS[1], TEXTS[3]]
        QTest.mouseClick(pane.pair.back, Qt.MouseButton.LeftButton)
        assert not pane.comparing
        assert pane.tree_view.hasFocus()
        press(pane, KEYS.Key_Space)
    assert pane.tree_view.picked == [], "it can be unpicked"
    for row in (0, 1, 2):
        click(pane, row_of(pane, row), Qt.KeyboardModifier.ControlModifier)
    assert pane.tree_view.picked == [tip(tree, TEXTS[1]), tip(tree, TEXTS[2])]


def test_that_a_picked_branch_stays_picked_while_it_grows_and_not_when_it_is_removed(pane, tree):
    for row in (2, 3):
        click(pane, row_of(pane, row), Qt.KeyboardModifier.ControlModifier)
    grown = write(tree, TEXTS[2] + " for good")
    tree.remove(tip(tree, TEXTS[3]))
    pane.show_tree(tree, grown, None)
    assert pane.tree_view.picked == [grown]


def test_that_the_comparison_grows_with_its_branches_and_ends_when_one_is_removed(pane, tree):
    pane.compare()
    grown = write(tree, TEXTS[1] + " So it went")
    write(tree, TEXTS[3] + " again")
    pane.show_tree(tree, grown, None)
    assert shown_pair(pane) == [TEXTS[1] + " So it went", TEXTS[0]]
    tree.remove(tip(tree, TEXTS[0]))
    pane.show_tree(tree, grown, None)
    assert not pane.comparing
    assert pane.tree_view.isVisible()
    assert len(pane.tree_view.branches) == 3


def test_that_a_comparison_is_repainted_in_other_colours(pane, tree):
    pane.compare()
    theme.use(DARK)
    assert lit(pane) == [" happy", " surprised"]
    pane.pair.back.click()
    tree.remove(tip(tree, "Every effort"))
    theme.use(LIGHT)
    assert not pane.comparing, "and what is gone is not asked for"


# Files.


def answer(before: Callable[[TreeTitle], object], button: str) -> None:
    """Call ``before`` with the next question for a title, and click this button of it."""

    def act() -> None:
        question = QApplication.activeModalWidget()
        before(question)
        ends = sorted(question.findChildren(QPushButton), key=lambda each: each.x())
        assert [each.property("role") == "primary" for each in ends] == [False, True], "the last one answers"
        [wanted] = [each for each in question.findChildren(QPushButton) if each.text().replace("&", "") == button]
        QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, act)


def test_that_a_tree_is_saved_under_a_title_that_begins_like_its_text_and_a_used_one_is_reported(pane, tree, signals):
    proposed = []
    answer(lambda question: proposed.append(question.field.text()), "Save")
    pane.save_button.click()
    answer(lambda question: question.field.setText("  the  painter "), "Save")
    pane.save_button.click()
    answer(lambda question: proposed.append(question.field.text()), "Cancel")
    pane.save_button.click()
    assert proposed == ["Every effort moves you forward, and the", "the painter"]
    assert signals.all() == [("save_requested", proposed[0]), ("save_requested", "the painter")]

    fresh = UntrainedModel(PRESETS["gpt2-small"])
    tree_files.save(tree, "the painter", fresh)
    pane.saved = tree_files.saved_trees(fresh)
    words = []

    def look(question: TreeTitle) -> None:
        for text in ("the painter", "another", " "):
            question.field.setText(text)
            words.append((question.save.text(), question.notice.text()[:28], question.save.isEnabled()))
        question.field.setText("the painter")

    answer(look, "Replace")
    pane.save()
    assert words == [("Replace", "A tree with this title alrea", True), ("Save", "", True), ("Save", "", False)]
    assert signals.all() == [("save_requested", "the painter")]


def test_that_saved_trees_are_in_the_menu_the_newest_first_and_any_path_can_be_chosen(
    pane, tree, signals, monkeypatch, home
):
    fresh = UntrainedModel(PRESETS["gpt2-small"])
    paths = [tree_files.save(tree, title, fresh) for title in ("one & two", "three")]
    pane.saved = tree_files.saved_trees(fresh)
    menu = pane.open_button.menu()
    menu.aboutToShow.emit()
    entries = [action.text().split("   ")[0] for action in menu.actions() if action.text()]
    assert entries == ["three", "one && two", "Another file…"]
    menu.actions()[1].trigger()
    assert signals.all() == [("open_requested", paths[0])]

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(home / "a.json"), ""))
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    pane.export_button.click()
    assert signals.all() == [("open_requested", home / "a.json"), ("export_requested",)]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: ("", ""))
    pane.open_other()
    assert signals.all() == []


def test_that_the_text_of_a_branch_can_be_copied_and_a_right_click_offers_the_actions_on_it(pane, tree, signals):
    press(pane, *[KEYS.Key_Down] * 3)
    press(pane, KEYS.Key_C, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == TEXTS[3]
    QGuiApplication.clipboard().clear()
    where = token_place(pane.tree_view, tip(tree, TEXTS[3])).center().toPoint()
    QTest.mouseClick(pane.tree_view.viewport(), Qt.MouseButton.RightButton, pos=where)
    pane.tree_view.menu_wanted.emit(pane.tree_view.viewport().mapToGlobal(where))
    menu = QApplication.activePopupWidget()
    operations = {action.text(): action for action in menu.actions()}
    assert all(act.isEnabled() for act in operations.values())
    operations["Open branch"].trigger()
    operations["Remove"].trigger()
    operations["Copy text"].trigger()
    menu.close()
    assert signals.all() == [("went", tip(tree, TEXTS[3])), ("remove_requested", tip(tree, TEXTS[3]))]
    assert QGuiApplication.clipboard().text() == TEXTS[3]


# Sizes.


@pytest.mark.parametrize("zoom", [0.6, 1, 2, 3])
def test_that_names_texts_and_bits_have_room_at_every_text_size(pane, zoom):
    theme.enlarge(zoom)
    QApplication.processEvents()
    view = pane.tree_view
    assert pane.minimumSizeHint().width() <= 650
    assert view.columnWidth(1) >= view.viewport().width() / 4
    assert view.columnWidth(0) > 3 * view.line
    assert view.header().textElideMode() == Qt.TextElideMode.ElideRight
    summary = view.model().headerData(1, Qt.Orientation.Horizontal)
    assert view.model().headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == summary
    assert sum(map(view.columnWidth, range(5))) <= view.viewport().width()
    pane.compare()
    QApplication.processEvents()
    assert not pane.grab().isNull()


def test_that_a_thousand_tokens_in_sixty_branches_are_all_in_the_tree(pane):
    tree = Tree("a model")
    for number in range(60):
        write(tree, "Every effort" + " moves" * (number % 7) + f" {number}" + " on" * 17)
    assert len(tree.nodes) > 1000
    pane.show_tree(tree, list(tree.leaves())[30], 3)
    assert len(pane.tree_view.branches) == 60
    bar = pane.tree_view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert pane.tree_view.viewport().rect().contains(row_of(pane, 59))
    assert not pane.grab().isNull()
