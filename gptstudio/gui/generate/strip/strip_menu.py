"""Context menu of the token strip: copy the text, or save it with the model's candidates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from gptstudio.gui.generate.strip import strip_files
from gptstudio.gui.generate.strip.token_strip import TokenStrip
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import menu_action
from gptstudio.gui.widgets.save_as import save_as


class StripMenu(QMenu):
    """Opens where the strip asks for it. ``failed``: why a file was not written; empty if it was."""

    failed = Signal(str)
    passage_wanted = Signal(int)
    """The position of a copied token whose passage is to be shown."""

    def __init__(self, strip: TokenStrip, passages: bool = False):
        """Make the menu of a strip. ``passages``: copied ones can be opened."""
        super().__init__(strip)
        self.setObjectName(f"{strip.objectName()}_menu")
        self._strip = strip
        self._token: int | None = None
        self._position: int | None = None
        self.setToolTipsVisible(True)
        self._add("copy_text", tr("Copy text"), self.copy_text)
        self.copy_id = self._add("copy_id", tr("Copy this token's ID"), lambda: self._copy(str(self._token)))
        self.open_passage = self._add("open_passage", tr("Open the copied passage in Texts"), self._want_passage)
        self.open_passage.setVisible(passages)
        self._add("copy_html", tr("Copy with colours (HTML)"), self._copy_html)
        self._add("copy_image", tr("Copy image"), strip.copy_image)
        self._add("copy_table", tr("Copy table"), strip.copy_table)
        self.addSeparator()
        self._add("save_html", tr("Save as HTML…"), lambda: self._save(
            "text.html", lambda path: strip_files.write_html(
                path, strip.path, strip.new_from, strip.scale_in_force, strip.copied, strip.tokenizer)))
        self._add("save_svg", tr("Save as SVG…"), lambda: self._save(
            "text.svg", lambda path: strip_files.write_svg(path, strip)))
        self._add("save_csv", tr("Save probabilities as CSV…"), lambda: self._save(
            "text.csv", lambda path: strip_files.write_csv(path, strip.path, strip.tokenizer)))
        strip.menu_requested.connect(self.open_for)

    def open_for(self, position: int | None, place: QPoint) -> None:
        """For the token at a position of the text, or for the text alone; not where there is none."""
        if not self._strip.boxes:
            return
        self._position = position
        copied = position is not None and position in self._strip.copied
        self.open_passage.setEnabled(copied)
        self.open_passage.setToolTip("" if copied else tr("Choose a token that is underlined as copied first."))
        self._token = next((node.id for node in self._strip.path if node.position == position), None)
        known = self._token is not None
        words = tr("Copy this token's ID ({id})", id=f"{self._token:,}") if known else tr("Copy this token's ID")
        self.copy_id.setText(words)
        self.copy_id.setEnabled(known)
        self.popup(place)

    def _add(self, name: str, words: str, handler: Callable[[], None]) -> QAction:
        action = menu_action(self, words)
        action.setObjectName(f"strip_{name}")
        action.triggered.connect(lambda: handler())
        return action

    def _want_passage(self) -> None:
        if self._position is not None:
            self.passage_wanted.emit(self._position)

    def copy_text(self) -> None:
        self._copy(self._text())

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _copy_html(self) -> None:
        data, strip = QMimeData(), self._strip
        data.setHtml(strip_files.as_html(
            strip.path, strip.new_from, strip.scale_in_force, strip.copied, strip.tokenizer))
        data.setText(self._text())
        QGuiApplication.clipboard().setMimeData(data)

    def _text(self) -> str:
        return self._strip.tokenizer.decode([node.id for node in self._strip.path])

    def _save(self, name: str, write: Callable[[Path], None]) -> None:
        save_as(self._strip, name, write, self.failed.emit)
