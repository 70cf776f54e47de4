"""Readability of the texts in a window: contrast as painted, and texts that are cut off."""

import numpy as np
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPushButton, QWidget


def luminances(colours: np.ndarray) -> np.ndarray:
    """Return the relative luminances of colours (0xRRGGBB), as WCAG 2.2 defines them."""
    parts = (colours[:, None] >> np.array([16, 8, 0], np.uint32) & 0xFF) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrasts(colours: np.ndarray, other: int) -> np.ndarray:
    """Return the contrast of each colour with another one."""
    one, two = luminances(colours), luminances(np.array([other], np.uint32))
    return (np.maximum(one, two) + 0.05) / (np.minimum(one, two) + 0.05)


def contrast(one: QColor, other: QColor) -> float:
    return float(contrasts(np.array([one.rgb() & 0xFFFFFF], np.uint32), other.rgb() & 0xFFFFFF)[0])


def with_words(window: QWidget) -> list[QWidget]:
    """Return the labels, buttons and boxes with texts that are visible and enabled."""
    found = (each for kind in (QLabel, QAbstractButton, QComboBox) for each in window.findChildren(kind))
    return [each for each in found if each.isVisible() and each.isEnabled() and words_of(each) and part_seen(each)]


def words_of(widget: QWidget) -> str:
    return widget.currentText() if isinstance(widget, QComboBox) else widget.text().strip()


def part_seen(widget: QWidget) -> bool:
    """Return whether the whole widget is visible, with no part scrolled away."""
    return widget.visibleRegion().boundingRect() == widget.rect()


def painted_contrast(picture: QImage, window: QWidget, widget: QWidget) -> float:
    """Return the largest contrast of any pixel with the background; in thin letters, few pixels have the full
    colour."""
    ratio = picture.devicePixelRatio()
    corner = widget.mapTo(window, QPoint(0, 0))
    place = QRect(*(round(each * ratio) for each in (corner.x(), corner.y(), widget.width(), widget.height())))
    part = picture.copy(place.intersected(picture.rect())).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(part.constBits(), np.uint32) & 0xFFFFFF
    begins = np.flatnonzero(np.diff(pixels, prepend=~pixels[:1]))  # of stretches of one colour, which are few
    colours, numbers = np.unique(pixels[begins], return_inverse=True)
    counts = np.bincount(numbers, np.diff(begins, append=len(pixels)))
    return float(contrasts(colours, colours[counts.argmax()]).max())


def poorly_read(window: QWidget, least: float = 4.5) -> list[str]:
    """Return the texts whose contrast is below ``least``, with their contrast."""
    picture = window.grab().toImage()
    findings = []
    for widget in with_words(window):
        found = painted_contrast(picture, window, widget)
        if found < least:
            findings.append(f"{widget.objectName() or type(widget).__name__} '{words_of(widget)[:40]}': {found:.2f}")
    return findings


def cut_off(window: QWidget) -> list[str]:
    """Return the buttons and labels that are smaller than their texts need."""
    findings = []
    for widget in with_words(window):
        needed = widget.sizeHint()
        height = widget.heightForWidth(widget.width()) if isinstance(widget, QLabel) and widget.wordWrap() else -1
        wide = isinstance(widget, QPushButton) or (isinstance(widget, QLabel) and not widget.wordWrap())
        narrow = wide and widget.width() < needed.width()
        low = widget.height() < (height if height >= 0 else needed.height()) and wide
        if narrow or low or (height >= 0 and widget.height() < height):
            findings.append(f"{widget.objectName()} '{words_of(widget)[:40]}': {widget.size().toTuple()} of "
                        f"{needed.toTuple()}, {height} high")
    return findings
