"""A page of the manual, set from Markdown in the theme's colours and text size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from gptstudio import paths
from gptstudio.gui.theme import colour

PICTURES = "pictures"
"""The folder of the manual's pictures; whatever a page names is looked for there alone."""

HEADINGS = {1: 1.6, 2: 1.25, 3: 1.08}
"""Size of headings by level, in sizes of the text."""

ABOVE_HEADINGS, BELOW_BLOCKS, EDGE = 18, 8, 18
CODE, CODE_SIZE = QTextFormat.Property.BlockCodeLanguage.value, 0.9
"""The property of a block of code, and the size of its letters."""

LINES = 130
"""Height of a line, in percent."""


class PageView(QTextBrowser):
    """Shows one page at a time. Links are left to whoever listens to ``anchorClicked``; nothing is ever fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that pictures know their room
        self.document().setDocumentMargin(EDGE)

    def show_markdown(self, text: str) -> None:
        """Show a page from its top."""
        self.setExtraSelections([])
        document = self.document()
        document.clear()
        document.setDefaultFont(self.font())
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        whole = QTextCursor(document)
        whole.beginEditBlock()  # it is laid out once, at the end
        self._set_blocks(document)
        self._set_tables(document)
        whole.endEditBlock()
        self.verticalScrollBar().setValue(0)

    def scroll_to_heading(self, number: int) -> None:
        """Bring a heading to the top, counted from 0."""
        headings = [block for block in _blocks(self.document()) if block.blockFormat().headingLevel()]
        if number < len(headings):
            self.document().size()  # laid out to the end, so that the scroll bar has its range
            top = self.document().documentLayout().blockBoundingRect(headings[number]).top()
            self.verticalScrollBar().setValue(round(top) - BELOW_BLOCKS if number else 0)

    def mark(self, words: list[str]) -> None:
        """Highlight all places where one of these words is found."""
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
        """Return a picture of the manual, as wide as fits; anything else is not loaded."""
        image = QImage(str(paths.resources() / "manual" / PICTURES / Path(QUrl(name).path()).name))
        if kind != QTextDocument.ResourceType.ImageResource.value or image.isNull():
            return None
        width = min(self.viewport().width() - 2 * EDGE, image.width())
        ratio = self.devicePixelRatioF()
        scaled = image.scaledToWidth(round(max(width, 1) * ratio), Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def _set_blocks(self, document: QTextDocument) -> None:
        """Sizes of headings, space between paragraphs, and frames around code."""
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
                    form.setLineHeight(LINES, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
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
    block, found = document.begin(), []
    while block.isValid():
        found.append(block)
        block = block.next()
    return found
