"""Attention on the text, and the strip from the embedding to the logits, on the Generate page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu

from gptstudio import devices
from gptstudio.training import model_source
from pages.page import Inside, Named, Page


class TextAttentionPage(Page):
    """The controls, the answer, and the display of the text."""

    place = "generate"
    on, source, arcs = Named("attention_on_text"), Named("attention_source"), Named("attention_arcs")
    colours, strip, flow = Named("transport_colours"), Named("token_strip"), Named("flow_strip")
    answer, query = Inside("attention.on_text.asking.latest"), Inside("attention.on_text.asking.query")
    layer, head = Named("attention_layer"), Named("attention_head")
    neighbours_answer = Inside("neighbours.answer")

    def hover(self, position: int) -> None:
        """Move the pointer onto a token of the text."""
        point = self.strip.place_of(position).center()
        event = QMouseEvent(QEvent.Type.MouseMove, point, self.strip.mapToGlobal(point), Qt.MouseButton.NoButton,
                            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self.strip, event)

    def leave(self) -> None:
        """Move the pointer away from the text."""
        QApplication.sendEvent(self.strip, QEvent(QEvent.Type.Leave))

    def shares(self) -> list[float | None]:
        """Return the position of each token on the colour scale; None where it has none."""
        return [self.strip.scale_in_force.share_of(box.node.reading) for box in self.strip.boxes]

    def colours_above(self) -> int:
        """Return the number of colours between the upper edge and the first line of the text."""
        picture = self.strip.grab().toImage()
        high = round(self.strip.place_of(0).top()) - 5  # room for a ring around a box
        return len({picture.pixel(x, y) for x in range(picture.width()) for y in range(high)})

    def wait_for(self, kind: str) -> None:
        self.user.wait(lambda: self.answer is not None and self.query.source.kind == kind)

    def click_stage(self, index: int) -> None:
        """Click a box between embedding and logits."""
        place = self.flow.place(index).center().toPoint()
        self.user.qtbot.mouseClick(self.flow.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def choose_experiment(self, title: str) -> None:
        """Choose an experiment from the context menu of the stage with the keyboard focus."""
        place = QPoint(1, 1)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, self.flow.mapToGlobal(place))
        QApplication.sendEvent(self.flow.viewport(), event)
        menu = self.flow.findChild(QMenu, "flow_strip_menu")
        next(each for each in menu.actions() if title in each.text()).trigger()
        menu.close()

    def model(self) -> Any:
        """Return the model that wrote the text, loaded again."""
        source = self.user.generate.text.snapshot.model.source
        return model_source.load(source, devices.choose("cpu"), "fast").eval()

    def point_at_stage(self, index: int) -> str:
        """Move the pointer onto a box, and return its tooltip."""
        point = QPointF(self.flow.place(index).center())
        event = QMouseEvent(QEvent.Type.MouseMove, point, self.flow.viewport().mapToGlobal(point),
                            Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self.flow.viewport(), event)
        return self.flow.tip(index)
