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
    """It is there once a command or a key has opened it."""

    line, tree, hits, page = Named("help_search"), Named("help_contents"), Named("help_hits"), Named("help_page")
    back, forward = Named("help_back"), Named("help_forward")

    @property
    def made(self) -> bool:
        """Whether there is a help window, shown or not."""
        return bool(self.user.window.findChildren(HelpWindow))

    @property
    def opened(self) -> bool:
        return any(each.isVisible() for each in self.user.window.findChildren(HelpWindow))

    def show(self, topic: str) -> None:
        """Opens it as a hover card does, and waits until it has the keyboard."""
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
        """The text at the top of what is in sight."""
        margin = self.page.document().documentMargin()
        cursor = self.page.cursorForPosition(QPointF(margin + 5, 20).toPoint())
        return cursor.block().text()

    @property
    def highlighted(self) -> set[str]:
        return {each.cursor.selectedText() for each in self.page.extraSelections()}

    def search(self, words: str) -> list[str]:
        """Types into the search field; the places that are listed."""
        self.line.clear()
        QTest.keyClicks(self.line, words) if words.isascii() else self.line.setText(words)
        return [self.hits.item(row).text().split("\n")[0] for row in range(self.hits.count())]

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """A key, which goes to whatever has the focus in it."""
        QTest.keyClick(self.widget.windowHandle(), key, modifiers)

    def colour_of(self, link: str) -> str:
        return self._cursor_of(link).charFormat().foreground().color().name()

    def follow(self, address: str) -> None:
        """What a click on such a link would do, if a page had one."""
        self.page.anchorClicked.emit(QUrl(address))

    def click(self, link: str) -> None:
        """Brings a link into sight, and clicks it."""
        cursor = self._cursor_of(link)
        self.page.setTextCursor(cursor)
        self.page.ensureCursorVisible()
        place = self.page.cursorRect(cursor).center()
        place.setX(place.x() - 3)
        assert self.page.anchorAt(place) == link
        QTest.mouseClick(self.page.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def _cursor_of(self, link: str) -> QTextCursor:
        """A cursor behind the first letter of a link."""
        block = self.page.document().begin()
        while block.isValid():
            for each in block:
                if each.fragment().charFormat().anchorHref() == link:
                    cursor = QTextCursor(block)
                    cursor.setPosition(each.fragment().position() + 1)
                    return cursor
            block = block.next()
        raise AssertionError(f"there is no link to {link}")
