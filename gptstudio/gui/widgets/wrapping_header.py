"""Headings of a table in up to two lines, so that a long heading does not make its column wide."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView


class WrappingHeader(QHeaderView):
    """Horizontal header that breaks each heading where its two lines are shortest."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setSectionsClickable(True)

    def sectionSizeFromContents(self, section: int) -> QSize:
        size, letters = super().sectionSizeFromContents(section), self.fontMetrics()
        words = str(self.model().headerData(section, self.orientation()) or "").split(" ")
        whole = letters.horizontalAdvance(" ".join(words))
        lines = [[" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words))]
        two = min((max(map(letters.horizontalAdvance, each)) for each in lines), default=whole)
        return QSize(size.width() - whole + two + 1, size.height() + letters.lineSpacing() * bool(lines))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        option.textAlignment |= Qt.TextFlag.TextWordWrap
