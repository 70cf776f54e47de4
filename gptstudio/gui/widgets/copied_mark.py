"""Look of text that is copied from the training text, wherever it is shown."""

from PySide6.QtGui import QTextCharFormat

from gptstudio.gui.theme import colour


def mark_copied(style: QTextCharFormat) -> None:
    """Underline and tint text of a format."""
    style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    style.setUnderlineColor(colour("amber"))
    style.setBackground(colour("amber", 0.16))
