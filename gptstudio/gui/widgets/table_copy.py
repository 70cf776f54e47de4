"""Tables that can be copied: as text with tabs for a spreadsheet, or as an image."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QTableView, QWidget

from gptstudio import files
from gptstudio.gui.translation import tr


def offer_copy(table: QTableView) -> None:
    """Let a table be copied by its context menu, where it has no other, and by the keys."""
    for words, keys, do in (
        (tr("Copy table"), QKeySequence.StandardKey.Copy, copy_table), (tr("Copy image"), None, copy_image),
    ):
        _add(table, words, keys, do)
    if table.contextMenuPolicy() == Qt.ContextMenuPolicy.DefaultContextMenu:
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def copy_table(table: QTableView) -> None:
    """Copy heads and rows as they are shown."""
    QGuiApplication.clipboard().setText(files.tab_separated(rows_of(table)))


def copy_image(widget: QWidget) -> None:
    """Copy what is in sight."""
    QGuiApplication.clipboard().setPixmap(widget.grab())


def rows_of(table: QTableView) -> Iterator[list[str]]:
    """Yield the heads, then the texts of each row; hidden columns are left out."""
    model = table.model()
    columns = [column for column in range(model.columnCount()) if not table.isColumnHidden(column)]
    yield [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]
    for row in range(model.rowCount()):
        yield [str(model.index(row, column).data() or "") for column in columns]


def _add(
    table: QTableView, words: str, keys: QKeySequence.StandardKey | None, do: Callable[[QTableView], None]
) -> None:
    action = QAction(words, table)
    if keys is not None:
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda: do(table))
    table.addAction(action)
