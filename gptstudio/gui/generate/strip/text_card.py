"""The card of the text on the Generate page: its tokens in colours, or as one reads it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gptstudio.app.blockers import uncertain_blocker
from gptstudio.app.state import AppState
from gptstudio.gui.appearance import follow
from gptstudio.gui.controllers.generation import CopiesController
from gptstudio.gui.generate.strip.strip_menu import StripMenu
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.generate.strip.transport import Transport
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import card, centred, grows, hbox, holding, stacked, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, permit, plain, scrolling
from gptstudio.gui.widgets.reading_text import ReadingText
from gptstudio.gui.widgets.tall import Tall
from gptstudio.history.copied_words import WHAT_COUNTS, copied_words
from gptstudio.i18n import message

LEAST_LINES = 7
"""Minimum number of lines of the font for which the text has space."""


ENDINGS = {"end_of_text": message("The model ended the text with <|endoftext|>."),
           "stop_text": message("The stop text was reached.")}
ON_FROM_AN_END = message("To continue, choose another token or press Generate.")


class TextCard(Tall):
    """Card that shows the text of the document. The strip and the transport emit the user's actions themselves."""

    text_wanted = Signal(int)
    """The number, from 0, of the text that is to be shown instead."""

    def __init__(self, state: AppState, copies: CopiesController) -> None:
        """``copies``: finds what of the text stands in the training text."""
        super().__init__()
        self._state, self._document, self._copies = state, state.document, copies
        self.strip, self.transport, self.reading = TokenStrip(), Transport(), ReadingText()
        self.menu = StripMenu(self.strip, passages=True)
        self.phase = label(role="muted", name="generate_phase", wrap=True)
        self.notice = Notice("generate_notice")
        self._welcome = label(role="muted", name="write_welcome", wrap=True)
        self._index = 0
        self._make_head()
        self._lay_out()
        state.on(self._show_transport, "playing")
        state.on(self._look_for_copies, "marks_copies")
        copies.changed.connect(self._show_copies)
        self.menu.failed.connect(self.notice.setText)
        self.menu.passage_wanted.connect(self._open_passage)
        self.passage.clicked.connect(self._open_chosen_passage)
        self.show_document()
        follow(self, self._show_transport)

    def show_document(self) -> None:
        """Show the text as it is now: the prompt's tokens and the others, with signs at some, and one chosen."""
        document = self._document
        path, cursor = document.path, document.snapshot.cursor
        self.strip.show_path(path, document.given, document.tokenizer)
        self.strip.mark(dict.fromkeys(document.forks(), "branches") | dict.fromkeys(document.by_hand(), "yours"))
        self.strip.choose(cursor)
        place = self.strip.place_of(cursor) if cursor is not None else None
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)
        for each in (self.read, self.copy, self.export):
            each.setVisible(bool(path))
            each.setEnabled(bool(path))
        self._show_page()
        self._look_for_copies()
        self._show_texts()
        self._show_transport()

    def say(self, words: str, problem: bool) -> None:
        """Show a message; ``problem``: whether it is one."""
        self.notice.setText(words if problem else "")
        if words and not problem:
            self.phase.setText(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_for_copies()

    def _show_page(self) -> None:
        """Show the welcome, the tokens, or the text to be read."""
        reads = self.read.isChecked()
        path = self.strip.path
        self._pages.setCurrentIndex(0 if not path else 2 if reads else 1)
        ids = [node.id for node in path] if reads else []
        self.reading.show_ids(ids, self._document.given, self.strip.copied, self.strip.tokenizer)

    def _look_for_copies(self) -> None:
        model = self._document.snapshot.model
        if not self.isVisible():  # nobody would see it, and a restored text must not slow the start
            return
        self._copies.look(model.source if model else None, self._document.ids, self._document.given)
        self._show_copies()

    def _show_copies(self) -> None:
        """Underline what was found, as far as it is the text that is shown, and say how much that is."""
        found, ids = self._copies.found, self._document.ids
        known = found.ids and not found.why_not and ids[: len(found.ids)] == found.ids
        copied: dict[int, int] = {}
        for each in found.stretches if known else ():
            for position in range(each.start, each.stop):
                copied[position] = max(copied.get(position, 0), each.stop - each.start)
        words = copied_words(found.share, found.longest) if known else message("Copied: –") if found.why_not else ""
        self.strip.underline(copied)
        self.transport.legend.show_copied(bool(copied))
        self.copied.setText(tr(words) if words else "")
        self.copied.setToolTip(plain(tr(found.why_not or WHAT_COUNTS)))
        self.copied.setVisible(bool(words))
        self.passage.setVisible(bool(copied))
        self._show_page()

    def _open_passage(self, position: int | None) -> None:
        if stretch := self._copies.found.at(position):
            self.notice.setText(tr(self._copies.open_passage(stretch)))

    def _open_chosen_passage(self) -> None:
        cursor = self._document.snapshot.cursor
        self._open_passage(cursor if cursor in self.strip.copied else None)

    def _show_texts(self) -> None:
        """Show which of the texts it is, and how it stands with it."""
        if self._state.generating == "write":
            for each in (self.earlier, self.later):
                permit(each, tr("The model is generating. Stop it first."))
            return
        document = self._document
        tree, drawn = document.snapshot.tree, len(document.path) - document.given
        tips = tree.texts()
        within = tree.leaf(document.snapshot.tip)  # it may be the beginning of a longer one
        self._show_number(tips.index(within) if within in tips else 0, len(tips))
        self.phase.setText(joined(" ", *filter(None, (
            tr(ENDINGS[document.ending]) if document.ending else "",
            tr("New tokens: {n}. Click one.", n=f"{drawn:,}") if drawn else "",
            tr("The Branches pane shows all {n} texts.", n=len(tips)) if len(tips) > 1 else "",
        ))))

    def _show_transport(self) -> None:
        document, idle = self._document, self._state.generating != "write"
        can_undo, can_redo = idle and document.history.can_undo, idle and document.history.can_redo
        ending = ENDINGS.get(document.ending)
        self.transport.show_place(
            document.snapshot.cursor, len(document.path), self._state.playing, can_undo, can_redo,
            joined(" ", tr(ending), tr(ON_FROM_AN_END)) if ending else "", tr(uncertain_blocker(self._state) or ""))
        self.transport.setVisible(bool(document.path) or can_undo or can_redo)

    def _show_number(self, index: int, count: int) -> None:
        """Show which of how many texts it is, from 0."""
        self._index = index
        self.title.setText(tr("Text {n} of {all}", n=index + 1, all=count) if count > 1 else tr("The text"))
        permit(self.earlier, "" if index > 0 else tr("This is the first text."))
        permit(self.later, "" if index < count - 1 else tr("This is the last text."))
        for each in (self.earlier, self.later):
            each.setVisible(count > 1)

    def welcome(self, words: str) -> None:
        self._welcome.setText(words)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.strip_scroll.setMinimumHeight(LEAST_LINES * self.fontMetrics().height())
        super().changeEvent(event)

    def _make_head(self) -> None:
        self.title = label("", "heading", "text_title")
        self.copied = label(role="muted", name="text_copied")
        self.passage = button(
            tr("Show passage"), "text_passage",
            tr("Opens the copied passage in Texts: that of the chosen token, or else the longest"), "quiet")
        self.passage.hide()
        self.earlier = IconButton("earlier", "text_earlier", tr("Previous text"))
        self.later = IconButton("later", "text_later", tr("Next text"))
        self.earlier.clicked.connect(lambda: self.text_wanted.emit(self._index - 1))
        self.later.clicked.connect(lambda: self.text_wanted.emit(self._index + 1))
        self.read = button(tr("Read"), "read_text", tr("Shows the text without colours, to be read"), "quiet",
                           self._show_page)
        self.read.setCheckable(True)
        self.copy = button(tr("Copy"), "copy_text", tr("Copies the prompt and all new tokens as text"), "quiet",
                           self.menu.copy_text)
        self.export = button(tr("Export…"), "export_text", tr("Exports the text with its colours and values"), "quiet",
                             lambda: self.menu.open_for(None, self.export.mapToGlobal(self.export.rect().bottomLeft())))

    def _lay_out(self) -> None:
        phase = hbox(grows(self.phase), self.copied, self.passage, self.read, self.copy, self.export,
                     margins=(8, 0, 0, 0))
        head = hbox(self.earlier, self.title, self.later, grows(phase))
        heading = label(tr("Watch a model generate text, and change its choices"), "heading", wrap=True)
        self.strip_scroll = scrolling(self.strip, "strip_scroll")
        self._pages = stacked(centred(QWidget(), heading, self._welcome, spacing=8), self.strip_scroll, self.reading)
        holding(self, vbox(card(head, self.notice, grows(self._pages), self.transport, name="text_card")))
