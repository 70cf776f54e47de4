#!/usr/bin/env python3
"""Draw the program's icon again from resources/icons/gptstudio.svg, for all systems:

    .venv/bin/python packaging/icons.py

    resources/icons/gptstudio/16.png ... 512.png    the menus of Linux, and the window itself
    resources/icons/gptstudio.ico                   Windows
    resources/icons/gptstudio.icns                  macOS

The files are part of the source, so that making an installer does not need Qt. Qt draws them, since it comes with the
program and draws the window's own icons. Both container formats are a header followed by PNG files, so they are written
here.
"""

import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"
SVG = ICONS / "gptstudio.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""Widths in the hicolor theme, in pixels."""

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS = {b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512,
              b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512}
"""macOS type of each width; ic11 to ic14 are for screens with two pixels per point."""


def main() -> int:
    """Write all icon files."""
    pngs = {size: png(draw(size)) for size in SIZES}
    (ICONS / "gptstudio").mkdir(exist_ok=True)
    for size, data in pngs.items():
        (ICONS / "gptstudio" / f"{size}.png").write_bytes(data)
    (ICONS / "gptstudio.ico").write_bytes(ico(pngs))
    (ICONS / "gptstudio.icns").write_bytes(icns(pngs))
    return 0


def draw(size: int) -> QImage:
    """Return the icon on a transparent background, ``size`` pixels wide and high."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    return image


def png(image: QImage) -> bytes:
    """Return an image as the bytes of a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs type Qt's str as bytes
    return bytes(data.data())


def ico(pngs: Mapping[int, bytes]) -> bytes:
    """Return an ICO file: a count, an entry of 16 bytes for each image, and the images."""
    head, body = struct.pack("<HHH", 0, 1, len(ICO_SIZES)), b""
    first = len(head) + 16 * len(ICO_SIZES)
    for size in ICO_SIZES:
        width = size % 256  # 256 is written as 0
        head += struct.pack("<BBBBHHII", width, width, 0, 0, 1, 32, len(pngs[size]), first + len(body))
        body += pngs[size]
    return head + body


def icns(pngs: Mapping[int, bytes]) -> bytes:
    """Return an ICNS file: its length, then type, length and bytes of each image, all big-endian."""
    body = b"".join(kind + struct.pack(">I", 8 + len(pngs[size])) + pngs[size] for kind, size in ICNS_KINDS.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    sys.exit(main())
