"""The help window: contents and search on the left, a page of the manual on the right."""

from __future__ import annotations

import re
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QSplitter, QWidget

from gptstudio.app import manual
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import follow
from gptstudio.gui.fitting import Dialog, screen_of
from gptstudio.gui.help.contents import HelpContents
from gptstudio.gui.help.page_view import PageView
from gptstudio.gui.icons import SignIcon
from gptstudio.gui.language import language
from gptstudio.gui.term_cards import shown_in
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, named, permit

LETTERS, LINES, LETTERS_LEFT = 150, 50, 38
"""Size of the window at first, in letters and lines, and of the contents in it."""

SPACE = 12
UNNAMED_LAB = re.compile(r"\[\]\(lab:(\w+)\)")
"""A link to an experiment without a text."""


class HelpWindow(Dialog):
    """Shows one topic at a time, and the way back to those before. Links may give commands and open experiments."""

    lab_requested = Signal(str)

    def __init__(self, over: QWidget, actions: Actions) -> None:
        super().__init__(over)
        self.setObjectName("help_window")
        self.setWindowTitle(tr("GPT Studio manual"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._actions = actions
        self._topics: list[str] = []  # those that were shown, and after ``_place`` those to go forward to
        self._place = -1
        self.contents = HelpContents()
        self.page = named(PageView(), "help_page", tr("Page of the manual"))
        self.notice = Notice("help_notice", "notice")
        self.back = self._way("back", tr("Back"), -1, QKeySequence.StandardKey.Back)
        self.forward = self._way("forward", tr("Forward"), 1, QKeySequence.StandardKey.Forward)
        self._lay_out()
        self.contents.chosen.connect(self.show_topic)
        self.page.anchorClicked.connect(self._follow_link)
        QShortcut(QKeySequence.StandardKey.Find, self, self.contents.line.setFocus)
        self.contents.fill()
        follow(self, self._follow_appearance)
        theme.dress(self)
        self._fit(screen_of(over).availableSize())

    @property
    def topic(self) -> str:
        """The topic that is shown; empty before the first."""
        return self._topics[self._place] if self._topics else ""

    def show_topic(self, topic: str, words: list[str] | None = None) -> None:
        """Show a section from its heading on, with some words highlighted. One that there is not: its page."""
        topic = manual.find(topic, language.code).topic
        if topic != self.topic:
            self._topics = [*self._topics[:self._place + 1], topic]
            self._place = len(self._topics) - 1
        self._show(words or [])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.notice.setText("")

    def _show(self, words: list[str]) -> None:
        section = manual.find(self.topic, language.code)
        sections = manual.page(section.page, language.code)
        text = manual.markdown(section.page, language.code)
        self.page.show_markdown(UNNAMED_LAB.sub(lambda link: f"[{shown_in(link[1])}](lab:{link[1]})", text))
        self.page.scroll_to_heading(sections.index(section))
        self.page.mark(words)
        self.contents.show_topic(self.topic)
        self.notice.setText("")
        permit(self.back, "" if self._place > 0 else tr("There is nothing before this."))
        permit(self.forward, "" if self._place < len(self._topics) - 1 else tr("There is nothing after this."))

    def _go(self, steps: int) -> None:
        if 0 <= self._place + steps < len(self._topics):
            self._place += steps
            self._show([])

    def _follow_link(self, url: QUrl) -> None:
        """Do what a link says: nothing but what the manual itself may say, and pages of the web."""
        kind, name = url.scheme(), url.path()
        if kind == "command":
            self._give(name)
        elif kind == "lab":
            self.lab_requested.emit(name)
        elif kind in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif not kind:
            page = name.removesuffix(".md") or self.topic.partition("#")[0]
            self.show_topic(f"{page}#{url.fragment()}" if url.hasFragment() else page)

    def _give(self, name: str) -> None:
        """Give a command, or say why it is off."""
        action = self._actions.by_id.get(name)
        if action is None:
            return
        if action.isEnabled():
            self.notice.setText("")
            action.trigger()
            return
        why = action.toolTip() or tr("It has nothing to act on.")
        self.notice.setText(joined(" ", tr("“{command}” is off now.", command=action.text()), why))

    def _follow_appearance(self) -> None:
        """The same place, in other colours or another size."""
        if self._topics:
            self._show([])

    def _way(self, sign: str, words: str, steps: int, keys: QKeySequence.StandardKey) -> QPushButton:
        made = button(words, f"help_{sign}", role="icon", do=partial(self._go, steps))
        made.setIcon(SignIcon("earlier" if steps < 0 else "later"))
        made.setEnabled(False)
        QShortcut(keys, self, partial(self._go, steps))
        return made

    def _fit(self, room: QSize) -> None:
        """As large as is read easily, with the text size in force, and no larger than the screen."""
        self.ensurePolished()
        letter, line = self.fontMetrics().averageCharWidth(), self.fontMetrics().height()
        self.resize(min(letter * LETTERS, room.width() - 40), min(line * LINES, room.height() - 80))
        self._halves.setSizes([letter * LETTERS_LEFT, letter * (LETTERS - LETTERS_LEFT)])

    def _lay_out(self) -> None:
        ways = hbox(self.back, self.forward, FREE, spacing=4)
        right = holding(QWidget(), vbox(ways, self.notice, grows(self.page), spacing=8))
        halves = self._halves = QSplitter()
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(SPACE)
        halves.addWidget(self.contents)
        halves.addWidget(right)
        halves.setStretchFactor(1, 1)
        holding(self, vbox(grows(halves), margins=(SPACE, SPACE, SPACE, SPACE)))
