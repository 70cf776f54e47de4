"""A card that shows a text: its tokens in colours, or as one reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from gptstudio.gui.generate.strip.reading_text import ReadingText
from gptstudio.gui.generate.strip.strip_menu import StripMenu
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.generate.strip.transport import Transport
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.icon_button import IconButton
from gptstudio.gui.widgets.layouts import card, centred, grows, hbox, holding, stacked, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, permit, scrolling
from gptstudio.gui.widgets.tall import Tall
from gptstudio.inference.text_tree import Node

LEAST_LINES = 7
"""Minimum number of lines of the font for which the text has space."""


class TextCard(Tall):
    """Card that shows a text. The strip and the transport emit the user's actions themselves."""

    text_wanted = Signal(int)
    """The number, from 0, of the text that is to be shown instead."""

    def __init__(self) -> None:
        super().__init__()
        self.strip, self.transport, self.reading = TokenStrip(), Transport(), ReadingText()
        self._given = 0
        self.menu = StripMenu(self.strip, passages=True)
        self.phase = label(role="muted", name="generate_phase", wrap=True)
        self.notice = Notice("generate_notice")
        self._welcome = label(role="muted", name="write_welcome", wrap=True)
        self._index = 0
        self._make_head()
        self._lay_out()
        self.show_texts(0, 1)

    def show_path(self, path: Sequence[Node], given: int, marks: Mapping[int, str], cursor: int | None) -> None:
        """The tokens, the first ``given`` of them the prompt's, with signs at some, and one of them chosen."""
        self.strip.show_path(path, given)
        self.strip.mark(marks)
        self.strip.choose(cursor)
        place = self.strip.place_of(cursor) if cursor is not None else None
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)
        for each in (self.read, self.copy, self.export):
            each.setVisible(bool(path))
            each.setEnabled(bool(path))
        self._given = given
        self._show_page()

    def _show_page(self) -> None:
        """Show the welcome, the tokens, or the text to be read."""
        reads = self.read.isChecked()
        path = self.strip.path
        self._pages.setCurrentIndex(0 if not path else 2 if reads else 1)
        ids = [node.id for node in path] if reads else []
        self.reading.show_ids(ids, self._given, self.strip.copied)

    def show_copies(self, copied: Mapping[int, int], words: str, tip: str) -> None:
        """Underline the copied tokens, by their positions with the length of their stretch, and say how many they
        are."""
        self.strip.underline(copied)
        self.transport.legend.show_copied(bool(copied))
        self.copied.setText(words)
        self.copied.setToolTip(tip)
        self.copied.setVisible(bool(words))
        self.passage.setVisible(bool(copied))
        self._show_page()

    def show_texts(self, index: int, count: int) -> None:
        """Which of how many texts is shown, from 0."""
        self._index = index
        self.title.setText(tr("Text {n} of {all}", n=index + 1, all=count) if count > 1 else tr("The text"))
        permit(self.earlier, "" if index > 0 else tr("This is the first text."))
        permit(self.later, "" if index < count - 1 else tr("This is the last text."))
        for each in (self.earlier, self.later):
            each.setVisible(count > 1)

    def lock(self) -> None:
        for each in (self.earlier, self.later):
            permit(each, tr("The model is generating. Stop it first."))

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
                     margins=(6, 0, 0, 0))
        head = hbox(self.earlier, self.title, self.later, grows(phase))
        heading = label(tr("Watch a model generate text, and change its choices"), "heading", wrap=True)
        self.strip_scroll = scrolling(self.strip, "strip_scroll")
        self._pages = stacked(centred(QWidget(), heading, self._welcome, spacing=6), self.strip_scroll, self.reading)
        holding(self, vbox(card(head, self.notice, grows(self._pages), self.transport, name="text_card")))
