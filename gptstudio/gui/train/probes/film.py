"""The readings of a probe prompt as a film: a picture for each, with bars, step and loss, in one GIF."""

from __future__ import annotations

import io

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from gptstudio.gpt import tokenizer
from gptstudio.gui.canvas.writing import LEFT, RIGHT, heading, rounded, write
from gptstudio.gui.theme import colour
from gptstudio.gui.train.probes.token_bars import ribbon_colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.history.probe_history import ProbeHistory
from gptstudio.history.run_history import History

WIDTH, HEIGHT, EDGE, ROW = 560, 260, 16, 30
MOST_FRAMES = 120
FRAME_MS, LAST_MS = 80, 2_000


def frames(probe: ProbeHistory, history: History) -> list[QImage]:
    """Return the pictures, at most 120, evenly spread over the readings, the first and the last among them."""
    count = min(probe.count, MOST_FRAMES)
    return [_frame(probe, history, int(index)) for index in np.linspace(0, probe.count - 1, count).round()]


def gif(pictures: list[QImage]) -> bytes:
    """Return pictures as a film that starts over at its end."""
    from PIL import Image

    made = [Image.frombytes("RGBA", (each.width(), each.height()), bytes(each.constBits())).convert("RGB").quantize(64)
            for each in pictures]
    written = io.BytesIO()
    durations = [FRAME_MS] * (len(made) - 1) + [LAST_MS]
    made[0].save(written, "GIF", save_all=True, append_images=made[1:], duration=durations, loop=0, optimize=False)
    return written.getvalue()


def _frame(probe: ProbeHistory, history: History, index: int) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGBA8888)
    image.fill(colour("surface"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QApplication.font()
        font.setPixelSize(15)
        painter.setFont(heading(font))
        prompt = " ".join(probe.readings[index].text.split("\n"))
        write(painter, QRectF(EDGE, EDGE, WIDTH - 2 * EDGE, 20), tr("“{prompt}” →", prompt=prompt),
              width=WIDTH - 2 * EDGE)
        painter.setFont(font)
        write(painter, QRectF(EDGE, EDGE + 22, WIDTH - 2 * EDGE, 20), _place(probe, history, index), LEFT, "muted")
        painter.setPen(Qt.PenStyle.NoPen)
        for row, each in enumerate(probe.candidates(index)):
            top = EDGE + 54 + row * ROW
            write(painter, QRectF(EDGE, top, 120, ROW), tokenizer.visible(each.id), width=116)
            most = WIDTH - 2 * EDGE - 120 - 80
            rounded(painter, QRectF(EDGE + 120, top + 5, max(2.0, most * each.probability), ROW - 10), 3,
                    ribbon_colour(each.ribbon))
            write(painter, QRectF(WIDTH - EDGE - 80, top, 80, ROW), percent(each.probability), RIGHT, "muted")
    return image


def _place(probe: ProbeHistory, history: History, index: int) -> str:
    """Return the step and the losses that were measured there."""
    step = probe.step(index)
    said = [tr("Step {n}", n=f"{step + 1:,}")]
    row = int(np.searchsorted(history.evaluations["step"], step, side="right")) - 1
    if row >= 0:
        said.append(tr("validation loss {loss}", loss=f"{history.evaluations['val_loss'][row]:.2f}"))
    return joined("  ·  ", *said)
