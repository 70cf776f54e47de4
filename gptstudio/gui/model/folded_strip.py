"""Strip at the side of the window with the name and parameters of the model; a click opens or folds the Model panel."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from gptstudio.app.derived import model_panel_is_open
from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gpt.config import OWN, config_name
from gptstudio.gui.icons import SignIcon
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named

WIDTH = 40
"""Pixels, unless larger text needs more."""


class FoldedStrip(QAbstractButton):
    """Upright strip, read from top to bottom."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        named(self, "model_strip", tr("Model panel"))
        self._state = state
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        state.on(self._show, "config", "page", "unfolded_pages", "all_controls")
        self._show()

    def sizeHint(self) -> QSize:
        side = max(WIDTH, self.fontMetrics().height() + 14)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _show(self) -> None:
        config = self._state.config
        if config:
            name, total = config_name(config), f"{sizing.parameter_count(config):,}"
            shown = tr(OWN) if name == OWN else name
            self.setText(tr("{name}  ·  {total} parameters", name=shown, total=total))
        else:
            self.setText(tr("Model"))
        self.setAccessibleName(tr("Model panel: {model}", model=self.text()))
        opened = model_panel_is_open(self._state)
        self._icon = SignIcon("earlier" if opened else "later")
        self.setToolTip(tr("Folds the Model panel (Ctrl+M)") if opened else tr("Opens the Model panel (Ctrl+M)"))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = self.width()
        if self.hasFocus() or self.underMouse():
            painter.fillRect(self.rect(), colour("line", 0.5))
        mode = QIcon.Mode.Normal
        self._icon.paint(painter, QRect(QPoint((side - 16) // 2, 8), QSize(16, 16)), mode=mode)
        painter.translate(side, 32)
        painter.rotate(90)
        room = QRect(0, 0, self.height() - 40, side)
        painter.setPen(colour("accent" if self.hasFocus() else "text"))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
