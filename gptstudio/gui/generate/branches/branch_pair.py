"""Two branches of a text beside each other: what they share, where they part, and what each comes to."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QFrame, QTextEdit, QWidget

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.appearance import follow
from gptstudio.gui.generate.branches import tree_texts
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label, named, plain, scrolling, set_entries
from gptstudio.gui.widgets.tall import Tall
from gptstudio.gui.widgets.token_text import visible_lines
from gptstudio.inference.text_tree import Branch, Node, Tree, figures, first_difference

LAST_CHARACTERS = 24
LEAST_LINES = 4


class Side(QWidget):
    """One of the two: which branch, what it comes to, and its text."""

    chosen = Signal()

    def __init__(self, name: str, words: str) -> None:
        super().__init__()
        self.box = named(QComboBox(), f"branches_pair_{name}", words)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(8)
        self.box.currentIndexChanged.connect(self.chosen)
        self.sums = label(role="figure", name=f"branches_pair_{name}_sums", wrap=True)
        self.rest = label(role="muted", name=f"branches_pair_{name}_rest", wrap=True)
        self.text = _Text(f"branches_pair_{name}_text")
        holding(self, vbox(self.box, self.sums, self.rest, grows(self.text), spacing=4))

    @property
    def tip(self) -> int:
        """The last token of the chosen branch."""
        return int(self.box.currentData())

    def offer(self, entries: list[tuple[str, int]], tip: int) -> None:
        """Fill the box with branches: labels, and keys of their last tokens. Selects ``tip``; emits no signal."""
        tips = [each for _, each in entries]
        set_entries(self.box, [words for words, _ in entries], tips.index(tip) if tip in tips else -1, tips)

    def show_nodes(self, nodes: list[Node], place: int | None, tokenizer: Tokenizer) -> None:
        """A text, and the position from which on it is another than that beside it."""
        whole = figures(nodes)
        self.sums.setText(tree_texts.sums(whole))
        self.sums.setToolTip(plain(tree_texts.asked(whole)))
        rest = nodes[place:] if place is not None else []
        self.rest.setText(tr("From the first difference: {sums}", sums=tree_texts.sums(figures(rest))) if rest else "")
        self.text.write(nodes, len(nodes) if place is None else place, tokenizer)


class _Text(QTextEdit):
    """Read only; the first token that differs is marked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._tokenizer: Tokenizer = GPT2
        named(self, name, tr("Text of this branch"))
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)

    def write(self, nodes: list[Node], place: int, tokenizer: Tokenizer) -> None:
        """The shared beginning quietly, the token at ``place`` marked, and the rest."""
        self._tokenizer = tokenizer
        self.setMinimumHeight(LEAST_LINES * self.fontMetrics().height())
        self.clear()
        cursor = QTextCursor(self.document())
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
        self.sides = (Side("left", tr("Left branch")), Side("right", tr("Right branch")))
        for side in self.sides:
            side.chosen.connect(self._show)
        follow(self, self._show)
        whole = holding(Tall(), vbox(
            hbox(grows(self.words), self.back), grows(hbox(*map(grows, self.sides), spacing=16))))
        holding(self, vbox(scrolling(whole, "branches_pair_scroll")))

    def show_branches(self, tree: Tree, branches: list[Branch], tips: tuple[int, int]) -> None:
        """Branches to choose from, and the last tokens of the two to begin with."""
        self._tree = tree
        entries = [(self._entry(branch, row), branch.tip) for row, branch in enumerate(branches)]
        for side, tip in zip(self.sides, tips, strict=True):
            side.offer(entries, tip)
        self._show()

    def clear(self) -> None:
        """Show none, and keep nothing of the tree, which may change."""
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
    # neither ends before: each is a whole branch
    words = [f"“{tokenizer.visible(nodes[place].id)}”" for nodes in (one, other)]
    return tr("Shared tokens: {n}; then {one} and {other}.", n=f"{place:,}", one=words[0], other=words[1])
