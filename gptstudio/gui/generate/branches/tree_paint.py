"""Painting of the map of a branching text. Contains no logic besides appearance."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gptstudio.gui.canvas.writing import CENTRE, RIGHT, rounded, write
from gptstudio.gui.generate.branches.tree_places import Piece
from gptstudio.gui.generate.branches.tree_scene import Frame, Scene
from gptstudio.gui.generate.branches.tree_texts import bits, title
from gptstudio.gui.model_names import display_name
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import tr
from gptstudio.i18n import message
from gptstudio.inference.branches import Branch

PICKED = "AB"
ROUND = 5.0
EMPTY = message("No text yet. Generate one first; each time you choose another candidate, a new branch appears here.")
MIDDLE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def paint(painter: QPainter, scene: Scene, seen: QRectF) -> None:
    frame = scene.frame
    if not scene.shape.branches:
        write(painter, QRectF(frame.line, 0, frame.width - 2 * frame.line, frame.height), tr(EMPTY), MIDDLE, "muted")
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_map(painter, scene, seen)
    _paint_list(painter, scene, seen)
    _paint_heading(painter, scene)
    painter.setPen(colour("line"))
    painter.drawLine(QPointF(frame.list_left, 0), QPointF(frame.list_left, frame.height))


def _paint_map(painter: QPainter, scene: Scene, seen: QRectF) -> None:
    frame = scene.frame
    painter.save()
    painter.setClipRect(frame.map)
    boxes = [scene.box(index) for index in range(len(scene.places))]
    for shown in (False, True):  # the shown branch above all others
        for index, stretch in enumerate(scene.shape.stretches):
            if stretch.before is not None and (index in scene.shown) == shown:
                _paint_fork(painter, boxes[stretch.before], boxes[index], frame, shown)
    visible = frame.map.intersected(seen)
    for index, box in enumerate(boxes):
        if box.intersects(visible):
            _paint_stretch(painter, scene, index, box)
    _paint_beyond(painter, scene, boxes)
    painter.restore()


def _paint_beyond(painter: QPainter, scene: Scene, boxes: list[QRectF]) -> None:
    """An arrow in a row that is out of view altogether, towards the side where it goes on."""
    area = scene.frame.map
    for row in range(len(scene.shape.branches)):
        mine = [box for stretch, box in zip(scene.shape.stretches, boxes, strict=True) if stretch.row == row]
        if all(box.left() >= area.right() for box in mine):
            arrow, side = "›", Qt.AlignmentFlag.AlignRight
        elif all(box.right() <= area.left() for box in mine):
            arrow, side = "‹", Qt.AlignmentFlag.AlignLeft
        else:
            continue
        painter.setPen(colour("muted"))
        where = QRectF(area.left(), mine[0].top(), area.width(), mine[0].height()).adjusted(6, 0, -6, 0)
        painter.drawText(where, side | Qt.AlignmentFlag.AlignVCenter, arrow)


def _paint_fork(painter: QPainter, one: QRectF, other: QRectF, frame: Frame, shown: bool) -> None:
    """A line that leaves a stretch at its right, goes down, and enters another at its left."""
    start, end = QPointF(one.right(), one.center().y()), QPointF(other.left(), other.center().y())
    if end.y() < 0 or start.y() > frame.height or end.x() < 0 or start.x() > frame.list_left:
        return
    path = QPainterPath(start)
    if end.y() > start.y():
        middle, bend = (start.x() + end.x()) / 2, min(ROUND, (end.x() - start.x()) / 2)
        path.lineTo(middle - bend, start.y())
        path.quadTo(middle, start.y(), middle, start.y() + bend)
        path.lineTo(middle, end.y() - bend)
        path.quadTo(middle, end.y(), middle + bend, end.y())
    path.lineTo(end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour("accent"), 2.2) if shown else QPen(colour("muted", 0.6), 1.3))
    painter.drawPath(path)


def _paint_stretch(painter: QPainter, scene: Scene, index: int, box: QRectF) -> None:
    shown, marked = index in scene.shown, index == scene.mark
    last = scene.tree.nodes[scene.shape.stretches[index].keys[-1]]
    fill, edge = (colour("accent", 0.14), colour("accent", 0.55)) if shown else (colour("window"), colour("line"))
    left = last.pruned and not shown
    style = Qt.PenStyle.DashLine if left else Qt.PenStyle.SolidLine
    rounded(painter, box, ROUND, None if left else fill, QPen(edge, 1.2, style))
    ink = "text" if shown or (last.beam and not last.pruned) else "muted"
    place = scene.places[index]
    for piece in place.pieces:
        _paint_piece(painter, piece, scene.piece(index, piece), ink, _holds(scene, index, piece))
    if place.note:
        painter.setPen(colour("muted"))
        painter.drawText(box.adjusted(0, 0, -scene.frame.pad, 0), RIGHT, place.note)
    if marked and (scene.focused or scene.shape.places.get(scene.cursor if scene.cursor is not None else -1) != index):
        pen = QPen(colour("accent"), 2.0) if scene.focused else QPen(colour("muted"), 1.2)
        rounded(painter, box.adjusted(-2.5, -2.5, 2.5, 2.5), ROUND + 2, edge=pen)


def _paint_piece(painter: QPainter, piece: Piece, place: QRectF, ink: str, chosen: bool) -> None:
    if chosen:
        rounded(painter, place.adjusted(-1.5, 0, 1.5, 0), 3, colour("accent"))
    painter.setPen(colour("on_accent" if chosen else "muted" if piece.left_out else ink))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, piece.text)


def _holds(scene: Scene, index: int, piece: Piece) -> bool:
    """Return whether the chosen token is this one, or one of those that it stands for."""
    if scene.cursor is None or scene.shape.places.get(scene.cursor) != index:
        return False
    keys = scene.shape.stretches[index].keys
    place = keys.index(piece.key)
    return scene.cursor in keys[place : place + piece.tokens]


def _paint_list(painter: QPainter, scene: Scene, seen: QRectF) -> None:
    frame = scene.frame
    painter.save()
    painter.setClipRect(QRectF(frame.list_left, frame.heading, frame.width, frame.height))
    for row, branch in enumerate(scene.shape.branches):
        rect = scene.row_rect(row)
        if rect.intersects(seen):
            _paint_row(painter, scene, row, branch, rect)
    painter.restore()


def _paint_row(painter: QPainter, scene: Scene, row: int, branch: Branch, rect: QRectF) -> None:
    frame = scene.frame
    if row == scene.row:
        painter.fillRect(rect, colour("accent", 0.14))
    left = rect.left() + frame.pad * 1.5
    if branch.tip in scene.picked:
        left += _paint_badge(painter, PICKED[scene.picked.index(branch.tip)], left, rect, frame)
    name = painter.fontMetrics().elidedText(
        title(branch, row), Qt.TextElideMode.ElideRight, max(0, round(rect.left() + frame.name_width - left)))
    _write(painter, name, rect, left, "text" if branch.name or row == scene.row else "muted")
    if frame.has_tokens:
        _write(painter, f"{branch.figures.tokens:,}", rect, frame.tokens_right, "text", right=True)
    _write(painter, bits(branch.figures.mean_bits), rect, frame.bits_right, "text", right=True)


def _paint_badge(painter: QPainter, letter: str, left: float, rect: QRectF, frame: Frame) -> float:
    """Paint a letter in a disc, and return the width that it takes."""
    size = frame.line
    disc = QRectF(left, rect.center().y() - size / 2, size, size)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    painter.drawEllipse(disc)
    write(painter, disc, letter, CENTRE, "on_accent")
    return size + frame.pad


def _paint_heading(painter: QPainter, scene: Scene) -> None:
    frame = scene.frame
    rect = QRectF(0, 0, frame.width, frame.heading)
    painter.setPen(colour("line"))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    count = len(scene.shape.branches)
    branches = tr("1 branch") if count == 1 else tr("{n} branches", n=f"{count:,}")
    tokens = tr("{n} tokens", n=f"{len(scene.tree.nodes):,}")
    said = "  ·  ".join(filter(None, (branches, tokens, display_name(scene.tree.model))))
    room = max(0, round(frame.list_left - 2 * frame.pad))
    said = painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room)
    _write(painter, said, rect, frame.pad, "muted")
    _write(painter, tr("Branch"), rect, frame.list_left + frame.pad * 1.5, "muted")
    if frame.has_tokens:
        _write(painter, tr("Tokens"), rect, frame.tokens_right, "muted", right=True)
    _write(painter, frame.bits_heading, rect, frame.bits_right, "muted", right=True)


def _write(painter: QPainter, text: str, rect: QRectF, x: float, paint: str, right: bool = False) -> None:
    """In the middle of the height of ``rect``, from ``x`` on or up to it."""
    painter.setPen(QColor(colour(paint)))
    where = QRectF(rect.left() - 1000 if right else x, rect.top(), 0, rect.height())
    where.setRight(x if right else rect.right() + 1000)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(where, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
