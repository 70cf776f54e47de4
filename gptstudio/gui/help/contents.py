"""The left side of the help window: all pages and sections, and what a search finds."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from gptstudio.app import manual
from gptstudio.gui.language import language
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import grows, holding, stacked, vbox
from gptstudio.gui.widgets.parts import Notice, named

TOPIC = Qt.ItemDataRole.UserRole
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class HelpContents(QWidget):
    """Says which topic is wanted, and which words it was found by."""

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
        self.hits.setSpacing(4)
        self.nothing = Notice("help_nothing", "muted")
        self._items: dict[str, QTreeWidgetItem] = {}
        self.stack = stacked(self.tree, self.hits)
        holding(self, vbox(self.line, self.nothing, grows(self.stack), spacing=8))
        self.line.textChanged.connect(lambda _: self.search())
        self.line.returnPressed.connect(self._choose_hit)
        self.line.installEventFilter(self)
        self.hits.itemClicked.connect(lambda _: self._choose_hit())
        self.hits.itemActivated.connect(lambda _: self._choose_hit())
        self.tree.currentItemChanged.connect(self._choose_item)

    @property
    def words(self) -> list[str]:
        """The words that are searched for."""
        return self.line.text().split()

    def fill(self) -> None:
        """List all pages."""
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
        """Mark where one is."""
        with QSignalBlocker(self.tree):
            self._items[topic.partition("#")[0]].setExpanded(True)
            self.tree.setCurrentItem(self._items[topic])
            self.tree.scrollToItem(self._items[topic])

    def search(self) -> None:
        """List the sections with all words; with none, the contents."""
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
        """The keys that move in the list go there from the line."""
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
