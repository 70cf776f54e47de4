"""Ring around one widget of the window."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QScrollArea, QStyle, QWidget

from gptstudio.app import preferences
from gptstudio.gui.appearance import ancestors
from gptstudio.gui.canvas.writing import draw_with
from gptstudio.gui.theme import colour

GAP, PEN, HALO, ROUND = 4, 3, 7, 8
NEAR = 4  # number of ancestors to search for labels around a widget
LEADING = 2  # free pixels above and below the letters of a label
ROOM = 24  # margin around the ring: for the arrow, and for the animation of the ring
SETTLES_MS = 1_000  # time in which a page may still be laid out after it is shown
MOVES = {
    QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange,
    QEvent.Type.LayoutRequest}


class Spotlight(QWidget):
    """Highlight that follows a widget, lets mouse events through, and is hidden while the widget is."""

    def __init__(self, root: QWidget):
        super().__init__(root)
        self.setObjectName("lesson_spotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._root, self._widget = root, None  # type: QWidget, QWidget | None
        self.beside: QWidget | None = None
        """Second widget to keep in view."""
        self._watched: list[QWidget] = []
        self._ring = QRectF()
        self._since = QElapsedTimer()
        self._settled = QTimer(self, singleShot=True, interval=0)  # once the page has been laid out
        self._settled.timeout.connect(self.bring_into_view)
        self._drawing_in = QVariantAnimation(self, startValue=float(ROOM), endValue=0.0)
        self._drawing_in.valueChanged.connect(self.update)
        self.hide()

    def point_at(self, widget: QWidget | None) -> None:
        """Ring a widget and scroll it into view; None removes the ring."""
        self._forget()
        self._widget = widget
        if widget is None:
            self.hide()
            return
        self._watch(widget)
        moves = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        self._drawing_in.setDuration(0 if preferences.current().reduced_motion else moves)
        self._drawing_in.start()
        self._since.start()
        self._settled.start()
        self._follow()

    def show_beside(self, widget: QWidget) -> None:
        """Scroll a second widget into view as well, as far as the ringed one stays visible."""
        self.beside = widget
        self._watch(widget)
        self._since.start()
        self._settled.start()

    def bring_into_view(self) -> None:
        """Scroll to both widgets; if they do not fit together, to the ringed one."""
        self._show_all(self.beside, self._widget)

    def show_outcome(self) -> None:
        """Scroll to both widgets again, since the change may have resized them; if they do not fit together, to the
        second one."""
        self._show_all(self._widget, self.beside)

    def _show_all(self, *widgets: QWidget | None) -> None:
        """Scroll to widgets in order, so that the last one is visible in any case."""
        for widget in widgets:
            if widget is not None and shiboken6.isValid(widget) and widget.isVisible():
                _show(widget, self._root)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVES:
            self._follow()
            shown = event.type() == QEvent.Type.Show and watched in (self._widget, self.beside)
            resized = event.type() == QEvent.Type.Resize
            if resized and watched is self._root:
                self._since.start()  # the page is laid out again
            if shown or (resized and self._since.elapsed() < SETTLES_MS):  # later, the user scrolls
                self._settled.start()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        out = float(self._drawing_in.currentValue() or 0.0)
        ring = self._ring.adjusted(-out, -out, out, out)
        for name, width in (("surface", HALO), ("accent", PEN)):  # a light edge makes the ring visible on any colour
            painter.setPen(QPen(colour(name), width))
            painter.drawRoundedRect(ring, ROUND, ROUND)
        draw_with(painter, QPen(colour("surface"), 1), colour("accent"))
        painter.drawPolygon(self._arrow())

    def _follow(self) -> None:
        seen = self._seen()
        if seen.isEmpty():
            self.hide()
            return
        inside = self._root.rect().adjusted(HALO, HALO, -HALO, -HALO)
        ring = _beside_texts(seen.adjusted(-GAP, -GAP, GAP, GAP) & inside, seen, self._labels())
        place = ring.adjusted(-ROOM, -ROOM, ROOM, ROOM) & self._root.rect()
        self._ring = QRectF(ring.translated(-place.topLeft()))
        self.setGeometry(place)
        if self.isHidden():
            self.show()
        self.raise_()
        self.update()

    def _labels(self) -> list[QRect]:
        """Return the rectangles of the labels around the widget, in window coordinates."""
        around = _ancestors(self._widget, self._root)[:NEAR] if self._widget else []
        found = around[-1].findChildren(QLabel) if around else []
        return [QRect(each.mapTo(self._root, QPoint()), each.size()).adjusted(0, LEADING, 0, -LEADING) for each in found
                if each.isVisible() and each.text() and not (self._widget and self._widget.isAncestorOf(each))]

    def _seen(self) -> QRect:
        """Return the visible part of the widget, in window coordinates; empty if there is none."""
        at = self._widget
        if at is None or not shiboken6.isValid(at) or not at.isVisible():
            return QRect()
        seen = QRect(QPoint(), at.size())  # widgets with painted cells have a rect() of their own
        while at is not self._root:
            parent = at.parentWidget()
            if parent is None or at.isWindow():
                return QRect()
            seen, at = seen.translated(at.pos()) & QRect(QPoint(), parent.size()), parent
        return seen

    def _arrow(self) -> QPolygonF:
        """Return an arrow next to the ring, at the position where it covers the least of texts and controls."""
        ring, size = self._ring, float(ROOM - HALO)
        middle = min(ring.center().y(), ring.top() + ROOM)
        ways = [
            (QPointF(ring.left() - PEN, middle), QPointF(-size, 0)),
            (QPointF(ring.left() + ROOM, ring.top() - PEN), QPointF(0, -size)),
            (QPointF(ring.left() + ROOM, ring.bottom() + PEN), QPointF(0, size)),
            (QPointF(ring.right() + PEN, middle), QPointF(size, 0))]
        inside = [way for way in ways if QRectF(self.rect()).contains(way[0] + way[1])] or ways
        arrows = [[tip, tip + back - _across(back), tip + back + _across(back)] for tip, back in inside]
        return QPolygonF(min(arrows, key=lambda corners: sum(not self._is_free(each) for each in _sampled(*corners))))

    def _is_free(self, point: QPointF) -> bool:
        """Return whether there is neither text nor a control at a point."""
        at = self._root.childAt(self.mapTo(self._root, point.toPoint()))
        if isinstance(at, QLabel):
            return not at.text()
        return at is None or at.focusPolicy() == Qt.FocusPolicy.NoFocus

    def _watch(self, widget: QWidget) -> None:
        for each in (widget, *_ancestors(widget, self._root)):
            if each not in self._watched:
                each.installEventFilter(self)
                self._watched.append(each)

    def _forget(self) -> None:
        for each in self._watched:
            if shiboken6.isValid(each):
                each.removeEventFilter(self)
        self._watched, self.beside = [], None
        self._drawing_in.stop()
        self._settled.stop()


def _across(back: QPointF) -> QPointF:
    """Return half of the base of an arrow of this direction."""
    return QPointF(back.y(), back.x()) / 2


def _sampled(tip: QPointF, left: QPointF, right: QPointF) -> list[QPointF]:
    """Return the corners of an arrow and the points halfway between them."""
    return [tip, left, right, (tip + left) / 2, (tip + right) / 2, (left + right) / 2]


def _show(widget: QWidget, root: QWidget) -> None:
    for area in _ancestors(widget, root):
        # Qt crashes on an empty scroll area; a widget outside the scrolled content needs no scrolling.
        if isinstance(area, QScrollArea) and (held := area.widget()) and held.isAncestorOf(widget):
            area.ensureWidgetVisible(widget, ROOM, ROOM)
            if widget.height() > area.viewport().height():  # its start, not its middle
                above = widget.mapTo(area.viewport(), QPoint(0, 0)).y()
                area.verticalScrollBar().setValue(area.verticalScrollBar().value() + above - ROOM)
            if widget.width() > area.viewport().width():
                before = widget.mapTo(area.viewport(), QPoint(0, 0)).x()
                area.horizontalScrollBar().setValue(area.horizontalScrollBar().value() + before - ROOM)


def _beside_texts(ring: QRect, seen: QRect, labels: list[QRect]) -> QRect:
    """Return a ring that does not touch the texts around the widget: it is moved closer on the side of each text."""
    reach, closest = PEN, seen.adjusted(-1, -1, 1, 1)
    for text in (each for each in labels if each.intersects(ring.adjusted(-reach, -reach, reach, reach))):
        if text.bottom() < seen.top():
            ring.setTop(max(ring.top(), text.bottom() + reach))
        elif text.top() > seen.bottom():
            ring.setBottom(min(ring.bottom(), text.top() - reach))
        elif text.right() < seen.left():
            ring.setLeft(max(ring.left(), text.right() + reach))
        elif text.left() > seen.right():
            ring.setRight(min(ring.right(), text.left() - reach))
    return ring | closest


def _ancestors(widget: QWidget, root: QWidget) -> list[QWidget]:
    """Return the ancestors of a widget, from near to far, up to the window."""
    return [each for each in ancestors(widget) if each is root or root.isAncestorOf(each)]
