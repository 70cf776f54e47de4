"""Sampling stages in their order: rows with a slider for each parameter, which can be dragged."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from gptstudio.gpt.sampling import STAGES, USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.swatch import Swatch
from gptstudio.gui.canvas.writing import rounded
from gptstudio.gui.forms.fold import Fold
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.generate.stages.param_slider import ParamSlider
from gptstudio.gui.generate.stages.stage_order import moved, paint_grip, shifted
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, fill, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import button, label

FIRST = ("temperature", "top_k", "top_p")
"""Stages that are shown also while the others are folded."""
SPACING = 6
"""Pixels between the rows."""
GRIP, GAP = 10, 4
"""Pixels: the width of the drag handle; from there to the slider."""


class ParamRow(QWidget):
    """Dragged by its grip or its name. Tells where it is dragged to, in pixels from the top of what it lies in."""

    dragged = Signal(int)
    dropped = Signal()
    shifted = Signal(int)
    """By the keyboard: -1 up, 1 down."""

    def __init__(self, stage: str, param: ParamSlider):
        super().__init__()
        self.param = param
        self._pressed: QPoint | None = None
        grip = Swatch(lambda painter, place, _: paint_grip(painter, QRectF(1, place.height() / 2 - 5, 6, 11)),
                      GRIP, 0, pixels=True, grows=True)
        grip.setCursor(Qt.CursorShape.OpenHandCursor)
        holding(self, hbox(grip, grows(param), spacing=GAP))
        drag = tr("Drag, or press Alt and an arrow key, to apply it earlier or later.")
        grip.setToolTip(drag)
        for part in (param.slider, param.number):  # the name has a card of its own
            part.setToolTip(stage_texts.help_of(stage))
            part.setAccessibleDescription(drag)
        for keys, by in (("Alt+Up", -1), ("Alt+Down", 1)):
            shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.shifted.emit, by))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pressed and (place - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self.dragged.emit(self.mapToParent(place).y())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._pressed = None
        self.dropped.emit()


class ParamList(QWidget):
    """Stack of sliders for the sampling parameters. Rows move by dragging the handle or name, or with Alt and arrow
    keys.

    ``turned`` is emitted when the user changes a parameter or moves a stage, not for :meth:`set_params`.
    """

    turned = Signal()

    def __init__(self, prefix: str = "", headed: bool = True) -> None:
        """Create the rows.

        Args:
            prefix: before the names of the controls, where there is more than one stack.
            headed: with a heading and the button that shows the stages which are seldom used; False if these are
                elsewhere.
        """
        super().__init__()
        self.fold = Fold(f"{prefix}more_stages", tr("More"), tr("Less"))
        self._head = hbox(grows(label(tr("Sampling"), "heading")), self.fold.button) if headed else None
        self._rows = {name: ParamRow(name, ParamSlider(stage, prefix)) for name, stage in STAGES.items()}
        self._order = USUAL_ORDER
        self._gap: int | None = None  # where a row that is dragged would be dropped
        self._dragged: str | None = None
        for name, each in self._rows.items():
            each.param.turned.connect(self._turned)
            each.dragged.connect(partial(self._drag, name))
            each.dropped.connect(partial(self._drop, name))
            each.shifted.connect(partial(self._shift, name))
        stages = joined(", ", *map(stage_texts.title, STAGES))
        self.usual = button(tr("Default order"), f"{prefix}usual_order", stages, "quiet",
                            lambda: self._put(USUAL_ORDER))
        self._lay_out()
        follow(self, self._fit)
        self.set_params(SamplingParams())

    def slider(self, stage: str) -> ParamSlider:
        return self._rows[stage].param

    def sampling_params(self) -> SamplingParams:
        return SamplingParams(order=self._order, **{name: each.param.value() for name, each in self._rows.items()})

    def set_params(self, sampling_params: SamplingParams) -> None:
        """Show values and an order without emitting a signal."""
        for stage, each in self._rows.items():
            each.param.set_value(getattr(sampling_params, stage))
        self._arrange(sampling_params.order)
        self.fold.fit()

    def order(self) -> tuple[str, ...]:
        return self._order

    def settle(self) -> None:
        for each in self._rows.values():
            each.param.settle()

    def _turned(self) -> None:
        self._show_idle()
        self.fold.fit(hides=False)
        self.turned.emit()

    def _drag(self, stage: str, y: int) -> None:
        self._dragged = stage
        above = [each for each in self._visible() if y > self._rows[each].geometry().center().y()]
        self._gap = self._order.index(above[-1]) + 1 if above else 0
        self.update()

    def _drop(self, stage: str) -> None:
        gap, self._gap, self._dragged = self._gap, None, None
        self.update()
        if gap is not None:
            self._put(moved(self._order, stage, gap))

    def _shift(self, stage: str, by: int) -> None:
        self._put(shifted(self._order, stage, by, self._visible()))

    def _put(self, order: tuple[str, ...]) -> None:
        if order != self._order:
            self._arrange(order)
            self.turned.emit()

    def _arrange(self, order: tuple[str, ...]) -> None:
        self._order = order
        parts = []
        for place, stage in enumerate(order):
            self._column.insertWidget(place, self._rows[stage])
            parts += [self._rows[stage].param.slider, self._rows[stage].param.number]
        for one, other in pairwise(parts):
            self.setTabOrder(one, other)
        self.usual.setVisible(order != USUAL_ORDER)
        self._show_idle()

    def _is_needed(self, stage: str) -> bool:
        return stage in FIRST or self.sampling_params().changes(stage)

    def _visible(self) -> list[str]:
        return [name for name in self._order if not self._rows[name].isHidden()]

    def _show_idle(self) -> None:
        sampling_params = self.sampling_params()
        for stage, each in self._rows.items():
            each.param.show_idle(not sampling_params.changes(stage))

    def _lay_out(self) -> None:
        self._column = vbox(spacing=SPACING)
        head = [self._head] if self._head else []
        # The inner column is still empty: PySide keeps an object for each item that it finds in a layout which is put
        # into another, also when Qt has deleted the item because its row moved.
        holding(self, vbox(*head, self._column, aligned(self.usual, LEFT), spacing=SPACING))
        fill(self._column, *self._rows.values())
        for name, row in self._rows.items():
            self.fold.add(row, partial(self._is_needed, name))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return handled

    def _fit(self) -> None:
        """Lay out all sliders on one line each or none, with names of equal width, so that the sliders are aligned."""
        params = [row.param for row in self._rows.values()]
        name = max(param.caption.sizeHint().width() for param in params)
        needed = GRIP + GAP + max(param.one_line_width(name) for param in params)
        for param in params:
            param.lay_out(name if needed <= self.width() else 0)

    def minimumSizeHint(self) -> QSize:
        rows = GRIP + GAP + max(each.param.two_lines_width() for each in self._rows.values())
        head = self._head.minimumSize().width() if self._head else 0
        return QSize(max(rows, head), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._gap is None or self._dragged is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken = QRectF(self._rows[self._dragged].geometry().adjusted(-2, -2, 2, 2))
        rounded(painter, taken, 4, colour("accent", 0.12))
        above = [each for each in self._order[: self._gap] if each in self._visible()]
        beside = self._rows[above[-1] if above else self._visible()[0]].geometry()
        edge = beside.bottom() + 1 + SPACING / 2 if above else beside.top() - SPACING / 2
        line = QRectF(beside.left(), min(edge, self.height() - 1.5) - 1.5, beside.width(), 3)
        rounded(painter, line, 1.5, colour("accent"))
