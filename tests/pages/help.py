"""The help window: contents and search on the left, a page of the manual on the right."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gptstudio.gui.help.help_window import HelpWindow
from pages.page import Named, Page


class HelpPage(Page):
    """The help window, which a command or a key opens."""

    line, tree, hits, page = Named("help_search"), Named("help_contents"), Named("help_hits"), Named("help_page")
    back, forward = Named("help_back"), Named("help_forward")

    @property
    def made(self) -> bool:
        """True if a help window exists, visible or not."""
        return bool(self.user.window.findChildren(HelpWindow))

    @property
    def opened(self) -> bool:
        return any(each.isVisible() for each in self.user.window.findChildren(HelpWindow))

    def show(self, topic: str) -> None:
        """Open a topic as a hover card does, and wait until the window is active."""
        self.user.window.state.help_requested.emit(topic)
        self.user.wait(lambda: QApplication.activeWindow() is self.widget)

    @property
    def widget(self) -> Any:
        (shown,) = [each for each in self.user.window.findChildren(HelpWindow) if each.isVisible()]
        return shown

    @property
    def topic(self) -> str:
        return self.widget.topic

    @property
    def top_line(self) -> str:
        """The text of the first visible paragraph."""
        margin = self.page.document().documentMargin()
        cursor = self.page.cursorForPosition(QPointF(margin + 5, 20).toPoint())
        return cursor.block().text()

    @property
    def highlighted(self) -> set[str]:
        return {each.cursor.selectedText() for each in self.page.extraSelections()}

    def search(self, words: str) -> list[str]:
        """Type into the search field, and return the titles of the hits."""
        self.line.clear()
        QTest.keyClicks(self.line, words) if words.isascii() else self.line.setText(words)
        return [self.hits.item(row).text().split("\n")[0] for row in range(self.hits.count())]

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the window; the focused widget receives it."""
        QTest.keyClick(self.widget.windowHandle(), key, modifiers)

    def colour_of(self, link: str) -> str:
        return self._cursor_of(link).charFormat().foreground().color().name()

    def follow(self, address: str) -> None:
        """Activate a link with this address, whether or not the page has one."""
        self.page.anchorClicked.emit(QUrl(address))

    def click(self, link: str) -> None:
        """Scroll to a link, and click it."""
        cursor = self._cursor_of(link)
        self.page.setTextCursor(cursor)
        self.page.ensureCursorVisible()
        place = self.page.cursorRect(cursor).center()
        place.setX(place.x() - 3)
        assert self.page.anchorAt(place) == link
        QTest.mouseClick(self.page.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def _cursor_of(self, link: str) -> QTextCursor:
        """Return a cursor after the first letter of a link."""
        block = self.page.document().begin()
        while block.isValid():
            for each in block:
                if each.fragment().charFormat().anchorHref() == link:
                    cursor = QTextCursor(block)
                    cursor.setPosition(each.fragment().position() + 1)
                    return cursor
            block = block.next()
        raise AssertionError(f"there is no link to {link}")
