"""Help window: contents and search on the left, a page of the manual on the right.

A page is rendered from Markdown in the theme's colors and text size.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QDesktopServices,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from gptstudio import paths
from gptstudio.app import manual
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import Dialog, on_restyle, screen_of
from gptstudio.gui.language import language
from gptstudio.gui.term_cards import shown_in
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.icons import SignIcon
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, stacked, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, named, set_blocker

TOPIC = Qt.ItemDataRole.UserRole
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class HelpContents(QWidget):
    """Contents and search of the manual; emits the chosen topic, with the search words that found it."""

    chosen = Signal(str, list)  # topic, words

    def __init__(self) -> None:
        super().__init__()
        self.line = named(QLineEdit(), "help_search", tr("Search the manual"))
        self.line.setPlaceholderText(tr("Search the manual"))
        self.line.setClearButtonEnabled(True)
        self.tree = named(QTreeWidget(), "help_contents", tr("Contents"))
        self.tree.setHeaderHidden(True)
        self.hits = named(QListWidget(), "help_hits", tr("Found"))
        self.hits.setWordWrap(True)
        self.nothing = Notice("help_nothing", "muted")
        self._items: dict[str, QTreeWidgetItem] = {}
        self.stack = stacked(self.tree, self.hits)
        with_layout(self, vbox(self.line, self.nothing, grows(self.stack), spacing=8))
        self.line.textChanged.connect(lambda _: self.search())
        self.line.returnPressed.connect(self._choose_hit)
        self.line.installEventFilter(self)
        self.hits.itemClicked.connect(lambda _: self._choose_hit())
        self.hits.itemActivated.connect(lambda _: self._choose_hit())
        self.tree.currentItemChanged.connect(self._choose_item)

    @property
    def words(self) -> list[str]:
        return self.line.text().split()

    def fill(self) -> None:
        with QSignalBlocker(self.tree):
            self.tree.clear()
            self._items = {}
            for name in manual.PAGES:
                first, *sections = manual.page(name, language.code)
                top = self._item(first)
                self.tree.addTopLevelItem(top)
                top.addChildren([self._item(section) for section in sections])
        self.search()

    def show_topic(self, topic: str) -> None:
        with QSignalBlocker(self.tree):
            self._items[topic.partition("#")[0]].setExpanded(True)
            self.tree.setCurrentItem(self._items[topic])
            self.tree.scrollToItem(self._items[topic])

    def search(self) -> None:
        """List the sections that contain all search words; without words, show the contents."""
        hits = manual.search(self.line.text(), language.code)
        self.hits.clear()
        for hit in hits:
            where = hit.section.title if hit.section.level == 1 else joined(" › ", hit.page_title, hit.section.title)
            entry = QListWidgetItem(joined("\n", where, hit.snippet))
            entry.setData(TOPIC, hit.section.topic)
            self.hits.addItem(entry)
        self.hits.setCurrentRow(0 if hits else -1)
        self.stack.setCurrentWidget(self.hits if self.words else self.tree)
        self.nothing.setText(tr("Nothing found.") if self.words and not hits else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Send the arrow and page keys from the search line to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in MOVES:
            (self.hits if self.words else self.tree).keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _choose_hit(self) -> None:
        item = self.hits.currentItem()
        if item and self.words:
            self.chosen.emit(item.data(TOPIC), self.words)

    def _choose_item(self, item: QTreeWidgetItem | None) -> None:
        if item:
            self.chosen.emit(item.data(0, TOPIC), [])

    def _item(self, section: manual.Section) -> QTreeWidgetItem:
        made = self._items[section.topic] = QTreeWidgetItem([section.title])
        made.setData(0, TOPIC, section.topic)
        made.setToolTip(0, section.title)
        return made


PICTURES = "pictures"
"""Folder of the manual's pictures; pictures are loaded only from there."""

HEADINGS = {1: 1.6, 2: 1.25, 3: 1.08}
"""Font size of headings by level, relative to the text."""

ABOVE_HEADINGS, BELOW_BLOCKS, EDGE = 18, 8, 18
CODE, CODE_SIZE = QTextFormat.Property.BlockCodeLanguage.value, 0.9
"""Property of a block of code, and its font size relative to the text."""

LINE_PERCENT = 130
"""Height of a line, in percent."""


class PageView(QTextBrowser):
    """View of one page at a time. A click on a link only emits ``anchorClicked``; nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # for a constant width of pictures
        self.document().setDocumentMargin(EDGE)

    def show_markdown(self, text: str) -> None:
        """Show a page from its top."""
        self.setExtraSelections([])
        document = self.document()
        document.clear()
        document.setDefaultFont(self.font())
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        whole = QTextCursor(document)
        whole.beginEditBlock()  # one layout, at the end
        self._set_blocks(document)
        self._set_tables(document)
        whole.endEditBlock()
        self._fit()
        self.verticalScrollBar().setValue(0)

    def scroll_to_heading(self, number: int) -> None:
        """Scroll to a heading, counted from 0."""
        headings = [block for block in _blocks(self.document()) if block.blockFormat().headingLevel()]
        if number < len(headings):
            self.document().size()  # lays out the document to the end, so that the scroll bar has its range
            top = self.document().documentLayout().blockBoundingRect(headings[number]).top()
            self.verticalScrollBar().setValue(round(top) - BELOW_BLOCKS if number else 0)

    def mark(self, words: list[str]) -> None:
        marked = []
        for word in words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = cursor
                selection.format.setBackground(colour("amber", 0.35))
                marked.append(selection)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marked)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the manual, reduced to the width of the page if necessary; None for anything else."""
        image = QImage(str(paths.resources() / "manual" / PICTURES / Path(QUrl(name).path()).name))
        if kind != QTextDocument.ResourceType.ImageResource.value or image.isNull():
            return None
        width = min(self.viewport().width() - 2 * EDGE, image.width())
        ratio = self.devicePixelRatioF()
        scaled = image.scaledToWidth(round(max(width, 1) * ratio), Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Scroll sideways only if a page is too wide: Qt makes some tables a pixel wider than the page."""
        policy, beyond = Qt.ScrollBarPolicy, self.document().size().width() - self.viewport().width()
        self.setHorizontalScrollBarPolicy(policy.ScrollBarAsNeeded if beyond > 1 else policy.ScrollBarAlwaysOff)

    def _set_blocks(self, document: QTextDocument) -> None:
        """Set the sizes of headings, the space between paragraphs, and the background of code."""
        small = QTextCharFormat()
        small.setFontPointSize(self.font().pointSizeF() * CODE_SIZE)
        for block in _blocks(document):
            cursor, form = QTextCursor(block), block.blockFormat()
            level = form.headingLevel()
            if form.hasProperty(CODE):
                form.setBackground(colour("line", 0.45))
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(small)
            else:
                if not _has_picture(block):
                    form.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
                form.setTopMargin(ABOVE_HEADINGS if level > 1 else 0)
                form.setBottomMargin(0 if cursor.currentTable() else BELOW_BLOCKS)
            cursor.setBlockFormat(form)
            if level:
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                size = cursor.charFormat()
                size.clearProperty(QTextCharFormat.Property.FontSizeAdjustment.value)
                size.setFontPointSize(self.font().pointSizeF() * HEADINGS[min(level, 3)])
                cursor.setCharFormat(size)

    def _set_tables(self, document: QTextDocument) -> None:
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setBorder(1)
                form.setBorderCollapse(True)
                form.setBorderBrush(QBrush(colour("line")))
                form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setCellPadding(5)
                form.setCellSpacing(0)
                form.setBottomMargin(BELOW_BLOCKS)
                frame.setFormat(form.toTableFormat())


def _has_picture(block: QTextBlock) -> bool:
    return any(each.fragment().charFormat().isImageFormat() for each in block)  # type: ignore[attr-defined]


def _blocks(document: QTextDocument) -> list[QTextBlock]:
    return [document.findBlockByNumber(number) for number in range(document.blockCount())]


LETTERS, LINES, LETTERS_LEFT = 150, 50, 38
"""Initial size of the window, in letters and lines, and width of the contents, in letters."""

SPACE = 12
UNNAMED_LAB = re.compile(r"\[\]\(lab:(\w+)\)")
"""A link to an experiment without a text."""


class HelpWindow(Dialog):
    """Window that shows one topic at a time, with a history. Links may trigger commands and open experiments."""

    lab_requested = Signal(str)

    def __init__(self, over: QWidget, actions: Actions) -> None:
        super().__init__(over, "help_window", tr("GPT Studio manual"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._actions = actions
        self._topics: list[str] = []  # history; Forward leads to those after ``_place``
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
        on_restyle(self, self._follow_appearance)
        self._fit(screen_of(over).availableSize())

    @property
    def topic(self) -> str:
        """Topic that is shown; empty before the first."""
        return self._topics[self._place] if self._topics else ""

    def show_topic(self, topic: str, words: list[str] | None = None) -> None:
        """Show the page of a section at its heading, with some words highlighted; for an unknown section, show its
        page."""
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
        set_blocker(self.back, "" if self._place > 0 else tr("There is nothing before this."))
        set_blocker(self.forward, "" if self._place < len(self._topics) - 1 else tr("There is nothing after this."))

    def _go(self, steps: int) -> None:
        if 0 <= self._place + steps < len(self._topics):
            self._place += steps
            self._show([])

    def _follow_link(self, url: QUrl) -> None:
        """Follow a link to a command, an experiment, a web page, or a topic of the manual; ignore all others."""
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
        """Trigger a command, or show the reason why it is disabled."""
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
        """Show the topic again in the current colours and text size."""
        if self._topics:
            self._show([])

    def _way(self, sign: str, words: str, steps: int, keys: QKeySequence.StandardKey) -> QPushButton:
        made = button(words, f"help_{sign}", role="icon", do=partial(self._go, steps))
        made.setIcon(SignIcon("earlier" if steps < 0 else "later"))
        made.setEnabled(False)
        QShortcut(keys, self, partial(self._go, steps))
        return made

    def _fit(self, room: QSize) -> None:
        """Set a size that is easy to read at the current text size, no larger than the screen."""
        self.ensurePolished()
        letter, line = self.fontMetrics().averageCharWidth(), self.fontMetrics().height()
        self.resize(min(letter * LETTERS, room.width() - 40), min(line * LINES, room.height() - 80))
        self._halves.setSizes([letter * LETTERS_LEFT, letter * (LETTERS - LETTERS_LEFT)])

    def _lay_out(self) -> None:
        ways = hbox(self.back, self.forward, FREE, spacing=4)
        right = with_layout(QWidget(), vbox(ways, self.notice, grows(self.page), spacing=8))
        halves = self._halves = QSplitter()
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(SPACE)
        halves.addWidget(self.contents)
        halves.addWidget(right)
        halves.setStretchFactor(1, 1)
        self.assemble(vbox(grows(halves), margins=(SPACE, SPACE, SPACE, SPACE)))
