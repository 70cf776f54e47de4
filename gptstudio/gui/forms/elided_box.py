"""Combo box whose current entry is elided if it is too long."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ElidedBox(QComboBox):
    """Combo box with the width of this many letters, independent of the length of its entries."""

    def __init__(self, letters: int):
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """As Qt paints it, which would cut the words off."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        dots = Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(self.currentText(), dots, room.width())
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
