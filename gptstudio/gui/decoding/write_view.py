"""A text as it is written, token by token; below it, what could have come instead, and what went on inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from gptstudio.errors import UserError
from gptstudio.gpt import tokenizer
from gptstudio.gpt.sampling import Dials
from gptstudio.gui.decoding.asks import Answered, Look, Model, Refused
from gptstudio.gui.decoding.branches.branches import Branches
from gptstudio.gui.decoding.inside.attention import AttentionPane
from gptstudio.gui.decoding.inside.layers import LayersPane
from gptstudio.gui.decoding.inside.neighbours import NeighboursPane
from gptstudio.gui.decoding.manuscript import Manuscript
from gptstudio.gui.decoding.moment import Moment
from gptstudio.gui.decoding.stages.choices import Choices
from gptstudio.gui.decoding.strip.strip_menu import StripMenu
from gptstudio.gui.decoding.strip.token_strip import TokenStrip
from gptstudio.gui.decoding.strip.transport import Transport
from gptstudio.gui.widgets.parts import Notice, button, card, label, named, scrolling
from gptstudio.gui.words import tr
from gptstudio.records import tree_files
from gptstudio.runs.events import Ended, PhaseChanged, PromptRead, TextEnded, TokenDrawn, TokenRead, Warned

PHASES = {"loading": "Loading the model …", "generating": "Writing …"}
ENDINGS = {"end_of_text": "The model ended it, with <|endoftext|>.", "stop_text": "It came to the text to stop at."}


class WriteView(QWidget):
    """The strip of tokens above, the panes below. Fed by events; asks for more text, and questions."""

    write_requested = Signal(object, int, int)
    """Go on from these ids (a tuple), of which so many are on the screen, by so many tokens; 0: to the usual length."""

    asked = Signal(object)  # a Question

    def __init__(self, dials: Dials) -> None:
        super().__init__()
        self.manuscript = Manuscript()
        self.writing = False
        self._dials = dials
        self._seed = 0
        self._model: Model | None = None
        self._looked: Look | None = None  # the last question about a token whose logits are gone
        self._play = QTimer(self)
        self._play.timeout.connect(self._play_on)
        self._make_parts()
        self._connect()
        self._lay_out()
        self.show_all()

    # What the tab tells.

    def begin(self, model: Model, known: int = 0, seed: int = 0) -> None:
        """A text is about to come."""
        self.writing, self._seed = True, seed
        self.manuscript.begin(model, known)
        self.notice.setText("")

    def apply(self, messages: Sequence[Any]) -> None:
        """Takes all that came since the last paint, and paints once."""
        for message in messages:
            self._take(message)
        if messages:
            self.show_all()

    def reshape(self, dials: Dials) -> None:
        """The same token with other dials, from its logits."""
        self._dials = dials
        self.choices.reshape(dials)

    def text(self) -> str:
        """The shown text."""
        return tokenizer.decode([node.id for node in self.manuscript.path])

    def leave(self) -> None:
        """The window goes."""
        self._play.stop()

    # What happens.

    def _take(self, message: Any) -> None:
        match message:
            case PromptRead() | TokenRead() | TokenDrawn() | TextEnded():
                self.manuscript.take(message)
                if isinstance(message, PromptRead) and message.dropped:
                    self.notice.setText(
                        tr("The prompt is longer than the model's context: its first {n} tokens are not seen.",
                           n=f"{message.dropped:,}")
                    )
            case PhaseChanged():
                self.phase.setText(tr(PHASES.get(message.phase, "")))
            case Warned():
                self.notice.setText(tr(message.words))
            case Ended():
                self.writing = False
                self.manuscript.take(message)
                if message.outcome == "failed":
                    self._play.stop()
                    self.notice.setText(tr(message.words))
            case Answered() | Refused():
                self._take_answer(message)

    def _take_answer(self, message: Answered | Refused) -> None:
        for pane in self.insights:
            pane.take(message)
        if message.ask != self._looked:
            return
        self._looked = None
        if isinstance(message, Answered):
            self.manuscript.keep_logits(message.ask.ids, message.answer.logits)
        else:
            self.choices.show_nothing(message.words)

    # What the user does.

    def go(self, key: int) -> None:
        """Shows the branch through a node."""
        self.manuscript.go(key)
        self.show_all()

    def choose(self, position: int) -> None:
        """Puts the cursor on a token."""
        self.manuscript.choose(position)
        self._play.stop()
        self.show_all()

    def forward(self) -> None:
        """One token on: the next that is there, otherwise the model draws one."""
        path, cursor = self.manuscript.path, self.manuscript.scene.cursor
        if self.writing or not path:
            return
        if cursor is not None and cursor < len(path) - 1:
            self.manuscript.choose(cursor + 1)
            self.show_all()
        elif not self.manuscript.ending:
            self.write_requested.emit(tuple(node.id for node in path), len(path), 1)

    def back(self) -> None:
        cursor = self.manuscript.scene.cursor
        if cursor:
            self.choose(cursor - 1)

    def branch(self, token: int) -> None:
        """Another token where the cursor is: the text goes on from there."""
        cursor, path = self.manuscript.scene.cursor, self.manuscript.path
        if self.writing or cursor is None:
            return
        ids = (*(node.id for node in path[:cursor]), token)
        there = self.manuscript.scene.tree.find(ids)
        if there is not None and self.manuscript.scene.tree.children(there):
            self.go(there)  # it has been followed before
        else:
            self.write_requested.emit(ids, cursor, 0)

    def play(self) -> None:
        """Walks through the text and on, at the speed of the slider; or stops doing so."""
        if self._play.isActive():
            self._play.stop()
        elif self.manuscript.path:
            self._play.start(self.transport.interval_ms())
        self._show_transport()

    def undo(self) -> None:
        if not self.writing:
            self.manuscript.undo()
            self.show_all()

    def redo(self) -> None:
        if not self.writing:
            self.manuscript.redo()
            self.show_all()

    def _play_on(self) -> None:
        self._play.setInterval(self.transport.interval_ms())
        path, cursor = self.manuscript.path, self.manuscript.scene.cursor
        if self.manuscript.ending and cursor == len(path) - 1:
            self._play.stop()
            self._show_transport()
        else:
            self.forward()

    def _rename(self, key: int, name: str) -> None:
        self.manuscript.rename(key, name)
        self.show_all()

    def _remove(self, key: int) -> None:
        if not self.writing:
            self.manuscript.remove(key)
            self.show_all()

    # What is shown.

    def show_all(self) -> None:
        """The strip and the panes, as the manuscript is now."""
        script = self.manuscript
        path, cursor = script.path, script.scene.cursor
        self.strip.show_path(path, script.given)
        self.strip.mark(dict.fromkeys(script.forks(), "branches"))
        self.strip.choose(cursor)
        if cursor is not None:
            self._scroll_to(cursor)
        if not self.writing:
            drawn = len(path) - script.given
            words = tr("{n} new tokens. Click one.", n=f"{drawn:,}") if drawn else ""
            self.phase.setText(" ".join(filter(None, (tr(ENDINGS.get(script.ending, "")), words))))
        for made in (self.copy, self.export):
            made.setEnabled(bool(path))
        self._show_transport()
        self._show_choices()
        self.branches.show_tree(script.scene.tree, script.scene.tip if path else None, cursor)
        moment = Moment(script.scene.model, tuple(path), cursor, self.writing)
        for pane in self.insights:
            pane.show_moment(moment)

    def _show_choices(self) -> None:
        node = self.manuscript.chosen
        if node is None:
            self.choices.show_nothing(tr("The likeliest next tokens appear here."))
            return
        logits = self.manuscript.logits(node.position)
        ids = tuple(each.id for each in self.manuscript.path[: node.position + 1])
        if logits is not None:
            self.choices.show_choice(node.reading, logits, self._dials, ids[:-1], self._seed)
        elif node.reading.plain_probability is None:
            self.choices.show_nothing(tr("The model had nothing before this token to expect it from."))
        else:
            self.choices.show_nothing(tr("Asking the model again …"))
            self._look(ids)

    def _look(self, ids: tuple[int, ...]) -> None:
        model = self.manuscript.scene.model
        look = Look(model, ids) if model else None
        if look and look != self._looked and not self.writing:
            self._looked = look
            self.asked.emit(look)

    def _show_transport(self) -> None:
        script = self.manuscript
        self.transport.show_place(
            script.scene.cursor, len(script.path), self._play.isActive(),
            script.history.can_undo and not self.writing, script.history.can_redo and not self.writing,
        )

    def _scroll_to(self, position: int) -> None:
        place = self.strip.place_of(position)
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)

    # Files.

    def _say(self, words: str, problem: bool) -> None:
        self.notice.setText(words if problem else "")
        if not problem:
            self.phase.setText(words)

    def set_model(self, model: Model | None) -> None:
        """The model that is chosen beside it: whose saved trees are offered."""
        if model != self._model:
            self._model = model
            self._offer_saved()

    def _offer_saved(self) -> None:
        self.branches.show_saved(tree_files.saved_trees(self._model.source) if self._model else [])

    def _save(self, title: str) -> None:
        scene, model = self.manuscript.scene, self.manuscript.scene.model
        if model:
            self._tell(lambda: tree_files.save(scene.tree, title, model.source))
            self._offer_saved()

    def _export(self, path: Path) -> None:
        tree = self.manuscript.scene.tree
        self._tell(lambda: tree_files.write(tree, path.stem, path))

    def _open(self, path: Path) -> None:
        try:
            tree = tree_files.load(path)
        except UserError as error:
            self.notice.setText(str(error))
            return
        self.notice.setText("")
        self.manuscript.open(tree, self._model)
        self.show_all()
        if self._model and self._model.source.name != tree.model:
            self.notice.setText(
                tr("This was written by {model}. What is asked from here on, the model that is chosen now answers.",
                   model=tree.model)
            )

    def _tell(self, write: Callable[[], Path]) -> None:
        """Writes a file and says where, or why not."""
        try:
            self._say(tr("{names} is written.", names=write()), problem=False)
        except UserError as error:
            self._say(str(error), problem=True)

    # Putting together.

    def _make_parts(self) -> None:
        self.strip = TokenStrip()
        self.menu = StripMenu(self.strip)
        self.copy = button(tr("Copy"), "copy_text", tr("Copies the prompt and all new tokens as text"), role="quiet")
        self.export = button(tr("Export …"), "export_text", tr("The text with its colours and figures"), "quiet")
        self.transport = Transport()
        self.choices, self.branches = Choices(), Branches()
        self.attention, self.layers, self.neighbours = AttentionPane(), LayersPane(), NeighboursPane()
        self.insights = (self.attention, self.layers, self.neighbours)
        self.phase = label(role="muted", name="generate_phase")
        self.notice = Notice("generate_notice")
        self.panes = named(QTabWidget(), "write_panes", tr("Choices, branches, attention, layers, neighbours"))
        self.panes.setDocumentMode(True)
        self.panes.tabBar().setDrawBase(False)
        for pane, title in (
            (self.choices, tr("Choices")), (self.branches, tr("Branches")), (self.attention, tr("Attention")),
            (self.layers, tr("Layers")), (self.neighbours, tr("Neighbours")),
        ):
            self.panes.addTab(pane, title)

    def _connect(self) -> None:
        self.strip.chosen.connect(self.choose)
        self.menu.done.connect(self._say)
        self.copy.clicked.connect(self.menu.copy_text)
        self.export.clicked.connect(lambda: self.menu.open_for(None, _below(self.export)))
        self.choices.candidate_chosen.connect(self.branch)
        for signal, deed in (
            (self.transport.back_pressed, self.back), (self.transport.forward_pressed, self.forward),
            (self.transport.play_pressed, self.play), (self.transport.start_pressed, lambda: self.choose(0)),
            (self.transport.end_pressed, lambda: self.choose(len(self.manuscript.path) - 1)),
            (self.transport.undo_pressed, self.undo), (self.transport.redo_pressed, self.redo),
            (self.transport.colour_chosen, self.strip.colour_by),
            (self.branches.went, self.go), (self.branches.rename_requested, self._rename),
            (self.branches.remove_requested, self._remove), (self.branches.save_requested, self._save),
            (self.branches.open_requested, self._open), (self.branches.export_requested, self._export),
        ):
            signal.connect(deed)
        for pane in self.insights:
            pane.asked.connect(self.asked)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._text_card(), 4)
        layout.addWidget(self._panes_card(), 5)

    def _text_card(self) -> QWidget:
        frame, inside = card("text_card")
        head = QHBoxLayout()
        head.addWidget(label(tr("The text, token by token"), "heading"))
        head.addStretch(1)
        head.addWidget(self.phase)
        head.addWidget(self.copy)
        head.addWidget(self.export)
        inside.addLayout(head)
        self.strip_scroll = scrolling(self.strip, "strip_scroll")
        inside.addWidget(self.notice)
        inside.addWidget(self.strip_scroll, 1)
        inside.addWidget(self.transport)
        return frame

    def _panes_card(self) -> QWidget:
        frame, inside = card("panes_card")
        inside.setContentsMargins(6, 2, 6, 6)
        inside.addWidget(self.panes)
        return frame


def _below(widget: QWidget) -> QPoint:
    """The place on the screen where a menu of a button opens."""
    return widget.mapToGlobal(widget.rect().bottomLeft())
