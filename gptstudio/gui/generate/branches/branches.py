"""Pane "Branches": the tree of a branching text, the comparison of two branches, beam searches, and files of trees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QWidget,
)

from gptstudio.app.requests import Model, StrategyQuery
from gptstudio.app.state import AppState, Selection
from gptstudio.app.text_document import TextDocument, UndoHistory
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.branches import tree_texts
from gptstudio.gui.generate.branches.tree_texts import nats, title
from gptstudio.gui.generate.branches.tree_view import PICKED, TreeView
from gptstudio.gui.model_names import display_name
from gptstudio.gui.question import ends_of
from gptstudio.gui.save_as import report_saved, save_as
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import FREE, Flow, HeightForWidth, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    Notice,
    button,
    choice_box,
    label,
    named,
    plain,
    scrolling,
    set_blocker,
    set_entries,
)
from gptstudio.gui.widgets.tables import LEFT, RIGHT, RowTable, TableCell, copy_image, headings_of
from gptstudio.gui.widgets.text_views import ReadOnlyText, visible_lines
from gptstudio.i18n import message
from gptstudio.inference import tree_files
from gptstudio.inference.spec import BeamSpec
from gptstudio.inference.text_tree import ROOT, Branch, Node, Tree, figures, first_difference, shape
from gptstudio.inference.tree_files import SavedTree

if TYPE_CHECKING:
    from gptstudio.inference.beam_search import StrategyText

COLUMNS = (
    message("Strategy"), message("Log-probability (nats)"), message("Per token"), message("Repeats"),
    message("Text"))
NAMES = {"greedy": message("Greedy"), "beam": message("Beam search"), "sampling": message("Sampling")}
TIPS = {
    "greedy": message("Always the most likely token: a beam search of width 1."),
    "beam": message("The best text that the beam search found."),
    "sampling": message("One sample with the sampling settings and the seed of this page."),
}
COLUMN_TIPS = (
    "", message("Sum of the log-probabilities of its tokens under the model itself, without sampling stages"),
    message("The sum divided by the number of tokens"),
    message("Share of its sequences of 4 tokens that occurred in it before (seq-rep-4; Welleck et al., 2020)"), "")
SIDES = LEFT, RIGHT, RIGHT, RIGHT, LEFT
TEXT = len(COLUMNS) - 1


class StrategyTable(RowTable):
    """Table of the decoding strategies, with a row for each."""

    def __init__(self) -> None:
        super().__init__("strategy_table", tr("Decoding strategies side by side"), stretched=TEXT)

    def show_texts(self, texts: Sequence[StrategyText], tokenizer: Tokenizer) -> None:
        self.show_rows(headings_of(COLUMNS, SIDES, COLUMN_TIPS), [
            _row(text, visible_lines(tokenizer.decode(list(text.ids)))) for text in texts])
        self._fit()

    def row_height(self) -> int:
        return self.fontMetrics().height() + 12

    def _fit(self) -> None:
        super()._fit()
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 4)


def _row(text: StrategyText, written: str) -> list[TableCell]:
    values = (
        tr(NAMES[text.strategy]), nats(text.log_probability), nats(text.mean),
        "–" if text.repetition is None else percent(text.repetition), written.replace("\n", ""))
    tips = [*[tr(TIPS[text.strategy])] * TEXT, plain(written)]
    return [TableCell(*each) for each in zip(values, SIDES, tips, strict=True)]


def sentence(texts: Sequence[StrategyText]) -> str:
    """Return a sentence that sums up the table; empty without texts."""
    if not texts:
        return ""
    best = max(texts, key=lambda text: text.log_probability)
    sample = next(text for text in texts if text.strategy == "sampling")
    first = tr("The most probable of these texts is by: {name}.", name=tr(NAMES[best.strategy]))
    shares = best.repetition, sample.repetition
    if best is sample or shares[0] is None or shares[1] is None:
        return first
    return joined(
        " ", first, tr(
            "It repeats {share} of its sequences of 4 tokens, the sample {other}.", share=percent(shares[0]),
            other=percent(shares[1])),
        tr("The most probable text is often dull: people do not always choose the most expected word "
           "(Holtzman et al., 2020)."))


WIDTH, FIELDS_WIDTH = 760, 330
"""Widths in pixels at the default text size."""


SHOWN = 40
"""Maximum number of characters shown of the text before the start."""


def text_model(state: AppState) -> Model | None:
    """Return the model of the text, or else the chosen model."""
    return state.document.snapshot.model or state.loadable_model


class BeamDialog(Dialog):
    """Dialog with the settings of a beam search, which also compares decoding strategies."""

    search_requested = Signal(object, int, int, object)
    """Emitted to search from these ids (a tuple; None: from the prompt), with the number of tokens on the screen, the
    number to generate, and the settings (a BeamSpec)."""

    def __init__(self, over: QWidget, state: AppState, asks: Asks) -> None:
        super().__init__(over, "beam_dialog", tr("Beam search"))
        self.setModal(True)
        self._state, self._asking = state, Asking(asks, "strategies", self)
        self._shown_ids: tuple[int, ...] | None = None  # up to the chosen token; None if no token is chosen
        self._ids: tuple[int, ...] = ()  # these, or those of the prompt
        self._tokenizer: Tokenizer = GPT2  # of the model that continues the text
        self._why_not = ""
        self.start = label(name="beam_start", wrap=True)
        self.editor = SpecEditor(BeamSpec, "beam")
        self.editor.show_values(BeamSpec().shallow())
        self.table, self.words = StrategyTable(), Notice("strategy_words", "muted")
        self.search = button(tr("Search"), "beam_search", tr(
            "Grows the beams in the tree, step by step. You can stop and undo it."), "primary", self._search)
        self.compare = button(tr("Compare strategies"), "strategies_compare", tr(
            "Continues the same text with greedy decoding, this search and one sample."),
            do=self._compare)
        self.cancel = button(tr("Close"), "beam_close", tr("Closes this dialog"), do=self.close)
        self.editor.changed.connect(self._check)
        self._asking.changed.connect(self._show)
        self.finished.connect(self._asking.drop)
        self._lay_out()
        on_restyle(self, self._show)
        self._show()

    def begin(self) -> None:
        """Open the dialog for the text up to the chosen token or, if none is chosen, for the prompt."""
        self._asking.forget()
        self._why_not = " ".join(tr(each.message) for each in self._state.generate_problems)
        try:
            self._read_start()
        except UserError as error:
            self._ids, self._why_not = (), self._why_not or tr(text_of(error))
        self.start.setText(self._why_not)
        if self._ids:
            text = visible_lines(self._tokenizer.decode(self._ids)).replace("\n", "")
            text = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
            self.start.setText(tr("Searches for the most probable continuation of: {text}", text=text))
        self._show()
        self.open()
        self.editor.editors["width"].control.setFocus()

    def _read_start(self) -> None:
        """Read the IDs from which a search starts.

        Raises:
            UserError: the tokenizer of the model is not known or cannot read the prompt, or there is no text.
        """
        document, model = self._state.document, text_model(self._state)
        cursor = document.snapshot.cursor
        self._shown_ids = document.ids[: cursor + 1] if cursor is not None else None
        self._tokenizer = document.tokenizer if self._shown_ids else model.tokenizer if model else GPT2
        self._ids = self._shown_ids or tuple(self._tokenizer.encode(self._state.prompt))
        if not self._ids:
            raise UserError(message("There is no text to continue. Type a prompt first."))

    def _show(self) -> None:
        texts = self._asking.latest or ()
        self.table.show_texts(texts, self._tokenizer)
        self.table.setVisible(bool(texts))
        words = self._asking.problem or sentence(texts)
        self.words.setText(tr("Running the model…") if self._asking.waiting else words)
        self._check()
        self.adjustSize()

    def _check(self) -> None:
        problems = BeamSpec.labelled_problems(self.editor.values())
        self.editor.show_problems(problems)
        why_not = self._why_not or (tr("Correct the marked settings first.") if problems else "")
        set_blocker(self.search, why_not)
        set_blocker(self.compare, why_not or (
            tr("The strategies are being computed.") if self._asking.waiting else ""))

    def _search(self) -> None:
        self.close()
        beams = BeamSpec.make(self.editor.values())
        self.search_requested.emit(self._shown_ids, len(self._shown_ids or ()), beams.max_new_tokens, beams)

    def _compare(self) -> None:
        beams, spec, model = BeamSpec.make(self.editor.values()), self._state.generate_spec, text_model(self._state)
        if spec and model:
            spec = spec.but(max_new_tokens=beams.max_new_tokens, samples=1)
            self._asking.ask(StrategyQuery(replace(model, weights="fp32"), self._ids, spec, beams), again=True)
            self._show()

    def _lay_out(self) -> None:
        about = label(tr(
            "At each step, the most probable texts are kept; the next best are pruned, and shown in grey."),
            "muted", wrap=True)
        self.editor.setFixedWidth(round(FIELDS_WIDTH * theme.zoom))
        self.assemble(vbox(
            self.start, about, hbox(self.editor, FREE), self.table, self.words, FREE,
            hbox(self.compare, FREE, self.cancel, self.search), spacing=8, margins=(16, 16, 16, 16)))
        self.search.setDefault(True)
        self.setMinimumWidth(round(WIDTH * theme.zoom))
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)


LAST_CHARACTERS = 24
LEAST_LINES = 4


class BranchSide(QWidget):
    """One side of the comparison of two branches: a choice of the branch, its totals, and its text."""

    chosen = Signal()

    def __init__(self, name: str, words: str) -> None:
        super().__init__()
        self.box = choice_box(f"branches_pair_{name}", words, letters=8)
        self.box.currentIndexChanged.connect(self.chosen)
        self.sums = label(role="figure", name=f"branches_pair_{name}_sums", wrap=True)
        self.rest = label(role="muted", name=f"branches_pair_{name}_rest", wrap=True)
        self.text = _Text(f"branches_pair_{name}_text")
        with_layout(self, vbox(self.box, self.sums, self.rest, grows(self.text), spacing=4))

    @property
    def tip(self) -> int:
        """Key of the last token of the chosen branch."""
        return int(self.box.currentData())

    def offer(self, entries: list[tuple[str, int]], tip: int) -> None:
        """Fill the box with branches, given as pairs (label, key of the last token), and select ``tip``; emit no
        signal."""
        tips = [each for _, each in entries]
        set_entries(self.box, [words for words, _ in entries], tips.index(tip) if tip in tips else -1, tips)

    def show_nodes(self, nodes: list[Node], place: int | None, tokenizer: Tokenizer) -> None:
        """Show a text. ``place``: position of the first difference from the other side; None if there is none."""
        whole = figures(nodes)
        self.sums.setText(tree_texts.sums(whole))
        self.sums.setToolTip(plain(tree_texts.asked(whole)))
        rest = nodes[place:] if place is not None else []
        self.rest.setText(tr("From the first difference: {sums}", sums=tree_texts.sums(figures(rest))) if rest else "")
        self.text.write(nodes, len(nodes) if place is None else place, tokenizer)


class _Text(ReadOnlyText):
    """Text in which the first differing token is marked."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tr("Text of this branch"))
        self.document().setDocumentMargin(0)

    def write(self, nodes: list[Node], place: int, tokenizer: Tokenizer) -> None:
        """Write the shared beginning in grey, the token at ``place`` marked, and the rest."""
        self._tokenizer = tokenizer
        self.setMinimumHeight(LEAST_LINES * self.fontMetrics().height())
        cursor = self.emptied()
        self._insert(cursor, nodes[:place], "muted")
        self._insert(cursor, nodes[place : place + 1], "on_accent", "accent")
        seen = cursor.position()
        self._insert(cursor, nodes[place + 1 :], "text")
        cursor.setPosition(seen)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _insert(self, cursor: QTextCursor, nodes: list[Node], paint: str, back: str = "") -> None:
        style = QTextCharFormat()
        style.setForeground(colour(paint))
        if back:
            style.setBackground(colour(back))
        cursor.insertText(visible_lines(self._tokenizer.decode([node.id for node in nodes])), style)


class BranchPair(QWidget):
    """Comparison of two branches of a tree, chosen in two boxes."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._tree = Tree()
        self.words = label(role="muted", name="branches_pair_words", wrap=True)
        self.back = button(tr("Back to the tree"), "branches_pair_back")
        self.back.clicked.connect(self.closed)
        self.sides = (BranchSide("left", tr("Left branch")), BranchSide("right", tr("Right branch")))
        for side in self.sides:
            side.chosen.connect(self._show)
        on_restyle(self, self._show)
        whole = with_layout(HeightForWidth(), vbox(
            hbox(grows(self.words), self.back), grows(hbox(*map(grows, self.sides), spacing=16))))
        with_layout(self, vbox(scrolling(whole, "branches_pair_scroll")))

    def show_branches(self, tree: Tree, branches: list[Branch], tips: tuple[int, int]) -> None:
        """Offer the branches of a tree. ``tips``: keys of the last tokens of the two to select."""
        self._tree = tree
        entries = [(self._entry(branch, row), branch.tip) for row, branch in enumerate(branches)]
        for side, tip in zip(self.sides, tips, strict=True):
            side.offer(entries, tip)
        self._show()

    def clear(self) -> None:
        """Show no branches, and release the tree, which may change."""
        self._tree = Tree()
        for side in self.sides:
            side.offer([], -1)

    @property
    def tips(self) -> tuple[int, int]:
        one, other = self.sides
        return one.tip, other.tip

    def _show(self) -> None:
        if not all(side.box.count() for side in self.sides):
            return
        one, other = (self._tree.path(tip) for tip in self.tips)
        place = first_difference(one, other)
        tokenizer = self._tree.tokenizer
        self.words.setText(_parting(one, other, place, tokenizer))
        for side, nodes in zip(self.sides, (one, other), strict=True):
            side.show_nodes(nodes, place, tokenizer)

    def _entry(self, branch: Branch, row: int) -> str:
        end = self._tree.tokenizer.decode(self._tree.ids(branch.tip)[-LAST_CHARACTERS:])[-LAST_CHARACTERS:]
        return joined("   …", tree_texts.title(branch, row), visible_lines(end).replace("\n", ""))


def _parting(one: list[Node], other: list[Node], place: int | None, tokenizer: Tokenizer) -> str:
    if place is None:
        return tr("The two branches are the same.")
    # both have this position, because each is a whole branch
    words = [f"“{tokenizer.visible(nodes[place].id)}”" for nodes in (one, other)]
    return tr("Shared tokens: {n}; then {one} and {other}.", n=f"{place:,}", one=words[0], other=words[1])


OFFERED = 20
"""Maximum number of saved trees in the menu, the newest first."""
TITLE_TOKENS, TITLE_CHARACTERS = 20, 40
"""Maximum numbers of tokens and characters of the proposed title, which is the beginning of the text."""
ONE = message("Only one branch so far. To add one, select a token in the text, then another candidate under Choices.")
KEYS = message("Arrow keys move, Enter opens, Ctrl+click selects for comparison, F2 renames, Delete removes.")
SHORT_FORMAT = QLocale.FormatType.ShortFormat


class TreeTitle(Dialog):
    """Dialog for the title of a tree. ``proposed``: initial title; ``taken``: titles of trees that would be
    replaced."""

    def __init__(self, over: QWidget, proposed: str, taken: Collection[str]) -> None:
        super().__init__(over, "tree_save_question", tr("Save tree"))
        self._taken = taken
        self.field = named(QLineEdit(proposed), "tree_title", tr("Title"))
        self.field.setMaxLength(tree_files.LONGEST_TITLE)
        self.field.setMinimumWidth(TITLE_CHARACTERS * self.fontMetrics().averageCharWidth())
        self.field.selectAll()
        self.notice = label(role="notice", name="tree_title_notice", wrap=True)
        self.save = button(tr("Save"), "tree_save_title", role="primary", do=self.accept)
        self.field.textChanged.connect(self._look)
        self.assemble(vbox(
            label(tr("Title"), buddy=self.field), self.field, self.notice, ends_of(self, self.save), spacing=12,
            margins=(16, 16, 16, 16)))
        self._look()

    @property
    def title(self) -> str:
        return tree_files.cleaned(self.field.text())

    def _look(self) -> None:
        taken = self.title in self._taken
        self.notice.setText(tr("A tree with this title already exists and will be replaced.") if taken else "")
        self.save.setText(tr("Replace") if taken else tr("Save"))
        set_blocker(self.save, "" if self.field.text().strip() else tr("Enter a title first."))


class Branches(QWidget):
    """Pane with the tree of a document and the branch that is shown."""

    save_requested = Signal(str)  # a title
    open_requested = Signal(object)  # Path
    export_requested = Signal()

    def __init__(self, document: TextDocument) -> None:
        super().__init__()
        self.setObjectName("branches")
        self._document = document
        self._tree = Tree()
        self._shown_tree: tuple[Tree, int | None, int | None] = (self._tree, None, None)
        self.saved: Sequence[SavedTree] = ()
        """Saved trees that can be opened, the newest first."""
        self._titles: dict[str, str] = {}  # title under which a text was saved, by its beginning
        self.tree_view, self.pair = TreeView(), BranchPair()
        self._make_buttons()
        self._connect()
        self._lay_out()
        self._offer()

    def show_selection(self, _selection: Selection) -> None:
        """Show the current tree of the document."""
        snapshot = self._document.snapshot
        self.show_tree(snapshot.tree, snapshot.tip if self._document.path else None, snapshot.cursor)

    def show_tree(self, tree: Tree, tip: int | None, cursor: int | None) -> None:
        """Show a tree. ``tip``: key of the last token of the shown branch; ``cursor``: position of the chosen token in
        it."""
        self._shown_tree = tree, tip, cursor
        self._show_tree()

    def _show_tree(self) -> None:
        if not self.isVisible():  # a growing text changes often
            return
        tree, tip, cursor = self._shown_tree
        if any(node.beam for node in tree.nodes.values()):
            tree = tree.copy()  # a search may remove candidates before the next paint
        self._tree = tree
        path = tree.path(tip) if tip in tree.nodes else []
        chosen = path[cursor].key if cursor is not None and cursor < len(path) else None
        self.pruned.setVisible(any(node.pruned for node in tree.nodes.values()))
        shown = tree if self.pruned.isChecked() else tree.without_pruned(path[-1].key if path else ROOT)
        self.tree_view.show_tree(shown, path[-1].key if path else None, chosen)
        if self.comparing:
            self._compare_again()
        self._offer()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_tree()

    @property
    def comparing(self) -> bool:
        return self._pages.currentWidget() is self.pair

    def compare(self) -> None:
        """Show two branches side by side: the picked ones or, if these are not two, also the shown one, the marked one,
        and the first ones."""
        picked = self.tree_view.picked
        further = [branch for branch in (self.tree_view.marked_branch, *self.tree_view.branches) if branch]
        shown = [self.tree_view.shown_branch] if self.tree_view.shown_branch else []
        first = picked if len(picked) == len(PICKED) else [*(branch.tip for branch in shown), *picked]
        one, other, *_ = dict.fromkeys([*first, *(branch.tip for branch in further)])
        self._compare((one, other))
        self.pair.sides[1].box.setFocus()

    def save(self) -> None:
        beginning = self._beginning()
        titles = {saved.title for saved in self.saved}
        question = TreeTitle(self, self._titles.get(beginning, beginning), titles)
        if question.exec():
            self._titles[beginning] = question.title
            self.save_requested.emit(question.title)
        question.deleteLater()

    def open_other(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a tree"), "", tr("Tree (*.json)"))
        if path:
            self.open_requested.emit(Path(path))

    def _compare(self, tips: tuple[int, int]) -> None:
        self.pair.show_branches(self._tree, self.tree_view.branches, tips)
        self._pages.setCurrentWidget(self.pair)

    def _compare_again(self) -> None:
        """Compare the same two branches in the changed tree; go back to the tree if one is missing."""
        tips = [self._tree.leaf(tip) for tip in self.pair.tips if tip in self._tree.nodes]
        if len(set(tips)) == len(PICKED):
            self.pair.show_branches(self._tree, shape(self._tree).branches, (tips[0], tips[1]))
        else:
            self._back()

    def _back(self) -> None:
        self._pages.setCurrentWidget(self._tree_page)
        self.pair.clear()
        self.tree_view.setFocus()

    def _beginning(self) -> str:
        """Return the beginning of the shown text, the default title of a tree."""
        branch = self.tree_view.shown_branch
        ids = self._tree.ids(branch.tip)[:TITLE_TOKENS] if branch else []
        return " ".join(self._tree.tokenizer.decode(ids).split())[:TITLE_CHARACTERS].rstrip()

    def _offer(self) -> None:
        branches, marked = self.tree_view.branches, self.tree_view.marked_branch
        going = self.tree_view.removable
        no_text = "" if branches else tr("There is no text yet. Generate one first.")
        set_blocker(self.name_button, no_text or ("" if marked is not None else tr("Select a branch first.")))
        set_blocker(self.remove_button, no_text or ("" if going else tr(
            "Select a branch after a fork. The beginning that all branches share cannot be removed.")),
            plain(tr("Removes {what} from here on (Delete). You can undo this.", what=self._named(going)))
            if going else "")
        set_blocker(self.compare_button, no_text or ("" if len(branches) > 1 else tr(ONE)))
        for each in (self.save_button, self.export_button):
            set_blocker(each, no_text)
        self.hint.setVisible(bool(branches))
        self.hint.setText(tr(KEYS) if len(branches) > 1 else tr(ONE))

    def _named(self, branches: list[Branch]) -> str:
        rows = {branch.tip: row for row, branch in enumerate(self.tree_view.branches)}
        names = [title(branch, rows[branch.tip]) for branch in branches]
        return names[0] if len(names) == 1 else tr("{name} and {n} more", name=names[0], n=len(names) - 1)

    def _fill_menu(self) -> None:
        """Fill the menu with the saved trees, when it is opened."""
        self._menu.clear()
        for saved in self.saved[:OFFERED]:
            when = QLocale().toString(QDateTime.fromSecsSinceEpoch(int(saved.saved.timestamp())), SHORT_FORMAT)
            action = self._menu.addAction(f"{saved.title}   ({when})".replace("&", "&&"))
            action.triggered.connect(lambda _, path=saved.path: self.open_requested.emit(path))
        if self.saved:
            self._menu.addSeparator()
        self._menu.addAction(tr("Another file…")).triggered.connect(self.open_other)

    def _show_menu(self, where: QPoint) -> None:
        branch = self.tree_view.marked_branch
        if branch is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, act, possible in (
            (tr("Open branch"), self.tree_view.go, True), (tr("Rename"), self.tree_view.name, True),
            (tr("Select to compare"), lambda: self.tree_view.pick(branch), len(self.tree_view.branches) > 1),
            (tr("Copy text"), lambda: self._copy(branch.tip), True),
            (tr("Copy image"), lambda: copy_image(self.tree_view), True),
            (tr("Copy table"), self.tree_view.copy_table, True),
            (tr("Remove"), self.tree_view.remove, bool(self.tree_view.removable)),
        ):
            action = menu.addAction(text)
            action.setEnabled(possible)
            action.triggered.connect(act)
        menu.popup(where)

    def _copy(self, tip: int) -> None:
        QGuiApplication.clipboard().setText(self._tree.tokenizer.decode(self._tree.ids(tip)))

    def _make_buttons(self) -> None:
        self.name_button = button(
            tr("Rename"), "branch_rename", tr("Renames the selected branch (F2)."), do=lambda: self.tree_view.name())
        self.remove_button = button(tr("Remove"), "branch_remove", do=self.tree_view.remove)
        self.compare_button = button(tr("Compare"), "branch_compare", tr(
            "Compares two branches side by side: the two selected with Ctrl+click, or the displayed and the selected "
            "one."), do=self.compare)
        self.save_button = button(
            tr("Save tree…"), "tree_save", tr("Saves all branches in the model's run folder."), do=self.save)
        self.open_button = button(tr("Open tree"), "tree_open", tr("Opens branches that you saved before."))
        self.export_button = button(
            tr("Export JSON…"), "tree_export", tr("Saves all branches to a file of your choice."),
            do=self.export_requested.emit)
        self.beam_button = button(tr("Beam search…"), "branch_beams", tr(
            "Searches for the most probable continuation of the chosen token, and compares decoding strategies."))
        set_blocker(self.beam_button, tr("No model is available here."))  # until there is one
        self.pruned = named(QCheckBox(tr("Pruned")), "branch_pruned", tr("Show pruned beams"))
        self.pruned.setToolTip(tr("Shows what a beam search has pruned, in grey."))
        self.pruned.setChecked(True)
        self.hint = label(role="muted", name="branches_hint", wrap=True)
        self._menu = QMenu(self.open_button)
        self.open_button.setMenu(self._menu)

    def _connect(self) -> None:
        self._menu.aboutToShow.connect(self._fill_menu)
        self.pruned.toggled.connect(self._show_tree)
        self.pair.closed.connect(self._back)
        self.went, self.remove_requested = self.tree_view.went, self.tree_view.removed
        self.rename_requested = self.tree_view.renamed
        self.tree_view.marked.connect(self._offer)
        self.tree_view.copied.connect(self._copy)
        self.tree_view.menu_wanted.connect(self._show_menu)

    def _lay_out(self) -> None:
        buttons = Flow(
            self.name_button, self.remove_button, self.compare_button, self.save_button, self.open_button,
            self.export_button, self.beam_button, self.pruned)
        self._tree_page = with_layout(QWidget(), vbox(buttons, grows(self.tree_view), self.hint, spacing=8))
        self._pages = stacked(self._tree_page, self.pair)
        with_layout(self, vbox(self._pages))


class TreeDocuments(QObject):
    """Controller that opens and saves the tree of the document."""

    opened = Signal()
    """Emitted when another tree has been opened."""
    said = Signal(str, bool)
    """Emitted with a message, and True for a problem."""
    attributed = Signal(str)
    """Emitted when a text is shown: with a message about the model that generated it, if that is not the chosen one."""

    def __init__(self, branches: Branches, document: TextDocument) -> None:
        super().__init__(branches)
        self.model: Model | None = None
        """The chosen model; its saved trees are offered."""
        self._branches, self._document = branches, document
        branches.save_requested.connect(self._save)
        branches.export_requested.connect(self._export)

    def set_model(self, model: Model | None) -> None:
        if model != self.model:
            self.model = model
            self._offer()

    def open(self, path: Path) -> None:
        try:
            tree = self.load(path)
        except UserError as error:
            self.said.emit(tr(text_of(error)), True)
            return
        self._document.open(tree, self.model)
        self.opened.emit()
        self._show_author(tree)

    def load(self, path: Path) -> Tree:
        """Return the tree of a file, for the chosen model.

        Raises:
            UserError: the file cannot be opened, or not for this model.
        """
        return tree_files.load(path, self.model.tokenizer if self.model else GPT2)

    def restore(self, tree: Tree, tip: int) -> None:
        """Show a tree from the last session, with no token chosen and nothing to undo. ``tip``: index of a node in the
        order of the keys."""
        self._document.open(tree, self.model)
        if 0 <= tip < len(tree.nodes):
            self._document.switch_to(sorted(tree.nodes)[tip])
        self._document.choose(None)
        self._document.history = UndoHistory(self._document.snapshot.copy())
        self.opened.emit()
        self._show_author(tree)

    def _show_author(self, tree: Tree) -> None:
        other = self.model and self.model.source.name != tree.model
        words = tr("This text was generated by {model}. From here on, the model selected now is used.",
                   model=display_name(tree.model))
        self.attributed.emit(words if other else "")

    def _offer(self) -> None:
        self._branches.saved = tree_files.saved_trees(self.model.source) if self.model else ()

    def _save(self, title: str) -> None:
        snapshot, model = self._document.snapshot, self._document.snapshot.model
        if model:
            try:
                path = tree_files.save(snapshot.tree, title, model.source)
            except UserError as error:
                self.said.emit(tr(text_of(error)), True)
            else:
                self.said.emit("", False)
                report_saved(self._branches, path)
            self._offer()

    def _export(self) -> None:
        tree = self._document.snapshot.tree
        save_as(self._branches, "tree.json", lambda path: tree_files.write(tree, path.stem, path),
                lambda words: self.said.emit(words, bool(words)))
