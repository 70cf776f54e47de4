"""Export of HTML pages to PDF: A4, dark on white in every theme."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QBuffer, QMarginsF, QUrl
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QPageLayout,
    QPageSize,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from gptstudio import files
from gptstudio.history.report.page import written

MARGIN_MM, DPI, POINTS = 18.0, 300, 10.5
"""Margins of a page in millimetres, resolution of the printer in dots per inch, and size of the text in points."""
STYLE = """
body { color: #1d2330; } h1 { font-size: 20pt; } h2 { font-size: 12.5pt; } .muted { color: #5b6475; }
td { padding: 3px 10px 3px 0; }
"""


def save(body: ET.Element, title: str, path: Path, images: Mapping[str, QImage] | None = None) -> None:
    """Write an HTML page to a PDF file.

    Args:
        body: HTML elements that QTextDocument supports.
        images: images by the names used in the page.

    Raises:
        UserError: the file cannot be written; no partial file remains.
    """
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    printer = QPdfWriter(buffer)
    printer.setResolution(DPI)
    printer.setTitle(title)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    printer.setPageMargins(QMarginsF(*4 * [MARGIN_MM]), QPageLayout.Unit.Millimeter)
    document = QTextDocument()
    document.setDocumentMargin(0)
    font = QGuiApplication.font()
    font.setPointSizeF(POINTS)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(STYLE)
    for name, image in (images or {}).items():
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
    document.setHtml(written(body))
    dots = QGuiApplication.primaryScreen().logicalDotsPerInch()  # the resolution in which Qt lays out a document
    document.setPageSize(printer.pageLayout().paintRect(QPageLayout.Unit.Inch).size() * dots)
    _keep_headings(document)
    document.print_(printer)
    buffer.close()
    files.save_whole(path, bytes(buffer.data().data()))


def _keep_headings(document: QTextDocument) -> None:
    """Insert a page break before each heading that would otherwise be the last line of a page."""
    layout, height = document.documentLayout(), document.pageSize().height()

    def page(block: QTextBlock) -> int:
        return int(layout.blockBoundingRect(block).bottom() // height)

    block = document.begin()
    while block.next().isValid():
        style = block.blockFormat()
        if style.headingLevel() and page(block) < page(block.next()):
            style.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(block).setBlockFormat(style)
        block = block.next()
