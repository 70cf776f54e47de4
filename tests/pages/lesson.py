"""A lesson in the window: its card, its ring, and the controls that it names."""

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.learn.lessons.runner import Runner


def lesson_file(path: Path, *steps: str) -> Path:
    """Write a lesson of these steps, each given as lines of TOML; a missing title or text is added."""
    lines = ['title = "Mine"', "minutes = 3"]
    for step in steps:
        named = {line.split(" = ")[0] for line in step.splitlines()}
        filled = [line for name, line in (("title", 'title = "Step"'), ("text", 'text = "Read."')) if name not in named]
        lines += ["[[step]]", *filled, step.strip()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def not_found(runner: Runner) -> list[str]:
    """Return the names in the current step that the window does not have."""
    return runner.controls.missing


def value(runner: Runner) -> float | None:
    """Return the value by which the goal of the current step is measured."""
    return runner.targets.value(runner.step)


def ring(runner: Runner) -> QRect | None:
    """Return the rectangle of the ring in the window; None if it is hidden."""
    spot = runner.controls.spotlight
    return spot._ring.translated(QPointF(spot.pos())).toRect() if spot.isVisible() else None


def arrow(spotlight: Spotlight) -> QRect:
    """Return the rectangle of the arrow beside the ring, in the window."""
    return spotlight._arrow().boundingRect().translated(QPointF(spotlight.pos())).toAlignedRect()


def pointed(runner: Runner) -> QWidget | None:
    """Return the widget that the ring surrounds."""
    return runner.controls.spotlight._widget


def in_sight(widget: QWidget) -> bool:
    """Return whether all of a widget is visible in its window, or, if it is larger than its scroll area, whether it
    fills the area."""
    seen, room, at = QRect(QPoint(), widget.size()), widget.size(), widget
    while at.parentWidget() and not at.isWindow():
        parent = at.parentWidget()
        if isinstance(parent.parentWidget(), QScrollArea):
            room = room.boundedTo(parent.size())
        seen, at = seen.translated(at.pos()) & QRect(QPoint(), parent.size()), parent
    return widget.isVisible() and seen.size() == room


def covered(runner: Runner) -> list[str]:
    """Return the texts of the labels that the line of the ring overlaps."""
    line = ring(runner)
    inner = line.adjusted(2, 2, -2, -2)
    labels = runner.controls.spotlight.parentWidget().findChildren(QLabel)
    places = {each: QRect(each.mapTo(each.window(), QPoint()), each.size()).adjusted(0, 3, 0, -3)
              for each in labels if each.isVisible() and each.text()}
    return [each.text() for each, place in places.items()
            if place.intersects(line) and not inner.contains(place) and not pointed(runner).isAncestorOf(each)
            and each is not pointed(runner) and in_sight(each)]
