"""Sampling stages in their order: rows that can be dragged, with a slider and a number for each parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QApplication, QGridLayout, QLineEdit, QSizePolicy, QSlider, QWidget

from gptstudio.gpt.sampling import STAGES, USUAL_ORDER
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.stage import SamplerStage
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.canvas import Swatch
from gptstudio.gui.canvas.writing import draw_with, rounded
from gptstudio.gui.forms.controls import Fold
from gptstudio.gui.generate.stages import stage_texts
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import LEFT, aligned, fill, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, label, named, one_control, restyle

Order = tuple[str, ...]


def moved(order: Order, stage: str, gap: int) -> Order:
    """Return the order with a stage moved into a gap: 0 before the first, the number of stages after the last."""
    ahead = [each for each in order[:gap] if each != stage]
    return (*ahead, stage, *(each for each in order[gap:] if each != stage))


def shifted(order: Order, stage: str, by: int, shown: Sequence[str]) -> Order:
    """Return the order with a stage moved before (-1) or after (1) the next shown stage, if there is one."""
    at = shown.index(stage) + by
    if not 0 <= at < len(shown):
        return order
    return moved(order, stage, order.index(shown[at]) + (by > 0))


def paint_grip(painter: QPainter, place: QRectF) -> None:
    """Paint a drag handle: six dots."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_with(painter, Qt.PenStyle.NoPen, colour("muted", 0.7))
    size = place.width() * 0.32
    for row in range(3):
        for column in range(2):
            x = place.left() + column * (place.width() - size)
            painter.drawEllipse(QRectF(x, place.top() + row * (place.height() - size) / 2, size, size))
    painter.restore()


LEAST_SLIDER, LEAST_BESIDE_NAME, FIELD_SPACING = 64, 120, 6
"""Pixels: minimum usable length of a slider; the length that lets it stand beside its name; spacing of the parts."""


class _ShortLine(QLineEdit):
    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("50,257") + 22, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ParamSlider(QWidget):
    """Slider over the values that a stage declares; any other value of its field may be typed.

    Args:
        stage: the stage whose parameter it sets.
        prefix: prefix of the object names, if there is more than one slider for a stage.
    """

    turned = Signal()

    def __init__(self, stage: type[SamplerStage], prefix: str = "") -> None:
        super().__init__()
        one_control(self)
        title, name = tr(stage.label), prefix + stage.name
        self._stage, self._field = stage, stage_texts.FIELDS[stage.name]
        self._value = stage.off
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, title)
        self.slider.setRange(0, len(stage.slider) - 1)
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.number = named(_ShortLine(), f"{name}_number", title)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.caption = label(title, term=stage.name.replace("_", "-"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setHorizontalSpacing(FIELD_SPACING)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.caption, 0, 0)
        self._grid.addWidget(self.number, 0, 2)
        self._one_line: bool | None = None
        self.lay_out(0)
        self.slider.valueChanged.connect(lambda tick: self._take(stage.slider[tick]))
        self.number.editingFinished.connect(self.settle)

    def lay_out(self, name_width: int) -> None:
        """Lay out on one line, with the name in a width in pixels, or for 0 with the slider below name and number."""
        if name_width != self._grid.columnMinimumWidth(0):  # setting the same value again would cause endless layouts
            self._grid.setColumnMinimumWidth(0, name_width)
        if bool(name_width) != self._one_line:
            self._one_line = bool(name_width)
            self._grid.addWidget(self.slider, *((0, 1) if name_width else (1, 0, 1, 3)))

    def one_line_width(self, name_width: int) -> int:
        return name_width + LEAST_BESIDE_NAME + self.number.sizeHint().width() + 2 * FIELD_SPACING

    def two_lines_width(self) -> int:
        return self.caption.sizeHint().width() + self.number.sizeHint().width() + 2 * FIELD_SPACING

    def value(self) -> float | None:
        return self._value

    def set_value(self, value: float | None) -> None:
        """Show a value without emitting a signal."""
        self._value = value
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position(value))
        self.number.setText(self._text(value))

    def _take(self, value: float | None) -> None:
        self._value = value
        self.number.setText(self._text(value))
        self.turned.emit()

    def settle(self) -> None:
        """Take what was typed, as when the focus leaves the number."""
        if self.number.text() == self._text(self._value):
            return  # keeps the digits that are not shown
        try:
            value = self._read(self.number.text())
        except ValueError:
            value = self._value  # invalid input changes nothing
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.turned.emit()

    def _position(self, value: float | None) -> int:
        """Return the position of the nearest value; an end of the slider for a value beyond it."""
        values = self._stage.slider
        if value is None:
            return values.index(None)
        distances = [math.inf if each is None else abs(each - value) for each in values]
        return distances.index(min(distances))

    def _text(self, value: float | None) -> str:
        if value is None:
            return tr(self._field.empty)
        return stage_texts.value_text(value if self._field.kind == "int" else float(value))

    def _read(self, text: str) -> float | None:
        """Return the value of a text with a decimal point or comma, clamped to the range of the field.

        Raises:
            ValueError: it is not a number.
        """
        if self._field.optional and text.strip() in (self._text(None), "0", ""):
            return None
        low, high = self._field.low or 0, self._field.high or math.inf
        if self._field.kind == "int":
            return min(int(high), max(int(low), int(text.replace(",", ""))))
        return min(high, max(low, float(text.replace(",", "."))))


FIRST = ("temperature", "top_k", "top_p")
"""Stages that stay visible while the others are folded."""
SPACING = 6
"""Pixels between the rows."""
GRIP, GAP = 10, 4
"""Pixels: width of the drag handle; gap between handle and slider."""


class ParamRow(QWidget):
    """Row that can be dragged by its handle or name. ``dragged`` emits the y position of the pointer, in pixels of the
    parent."""

    dragged = Signal(int)
    dropped = Signal()
    shifted = Signal(int)
    """Emitted by the keyboard: -1 moves the stage up, 1 down."""

    def __init__(self, stage: str, param: ParamSlider):
        super().__init__()
        self.param = param
        self._pressed: QPoint | None = None
        grip = Swatch(lambda painter, place, _: paint_grip(painter, QRectF(1, place.height() / 2 - 5, 6, 11)),
                      GRIP, 0, pixels=True, grows=True)
        grip.setCursor(Qt.CursorShape.OpenHandCursor)
        with_layout(self, hbox(grip, grows(param), spacing=GAP))
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
    """Stack of sliders for the sampling parameters. Rows can be dragged by handle or name, or moved with Alt and arrow
    keys.

    ``turned`` is emitted when the user changes a parameter or moves a stage, not for :meth:`set_params`.
    """

    turned = Signal()

    def __init__(self, prefix: str = "", headed: bool = True) -> None:
        """Create the rows.

        Args:
            prefix: prefix of the object names, if there is more than one stack.
            headed: include a heading and the button that shows the rarely used stages; False if these are elsewhere.
        """
        super().__init__()
        self.fold = Fold(f"{prefix}more_stages", tr("More"), tr("Less"))
        self._head = hbox(grows(label(tr("Sampling"), "heading")), self.fold.button) if headed else None
        self._rows = {name: ParamRow(name, ParamSlider(stage, prefix)) for name, stage in STAGES.items()}
        self._order = USUAL_ORDER
        self._gap: int | None = None  # where the dragged row would be dropped
        self._dragged: str | None = None
        for name, each in self._rows.items():
            each.param.turned.connect(self._turned)
            each.dragged.connect(partial(self._drag, name))
            each.dropped.connect(partial(self._drop, name))
            each.shifted.connect(
                lambda by, name=name: self._put(shifted(self._order, name, by, self._visible())))
        stages = joined(", ", *map(stage_texts.title, STAGES))
        self.usual = button(tr("Default order"), f"{prefix}usual_order", stages, "quiet",
                            lambda: self._put(USUAL_ORDER))
        self._lay_out()
        on_restyle(self, self._fit)
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
        """Show in grey which parameters have no effect; they can still be changed."""
        sampling_params = self.sampling_params()
        for stage, each in self._rows.items():
            for part in (each.param.caption, each.param.slider, each.param.number):
                restyle(part, role="" if sampling_params.changes(stage) else "muted")

    def _lay_out(self) -> None:
        self._column = vbox(spacing=SPACING)
        head = [self._head] if self._head else []
        # The inner column must still be empty: PySide keeps an object for each item of a layout that is put into
        # another, even after Qt has deleted the item because its row moved.
        with_layout(self, vbox(*head, self._column, aligned(self.usual, LEFT), spacing=SPACING))
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
        """Lay out either all sliders on one line, with names of equal width to align the sliders, or all on two
        lines."""
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
