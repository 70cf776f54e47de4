"""A lesson in the window: its card, its ring, and what it looks for."""

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from gptstudio.gui.learn.lessons.runner import Runner


def lesson_file(path: Path, *steps: str) -> Path:
    """Writes a lesson of these steps, each the lines of its TOML. A title and a text need not be among them."""
    lines = ['title = "Mine"', "minutes = 3"]
    for step in steps:
        named = {line.split(" = ")[0] for line in step.splitlines()}
        filled = [line for name, line in (("title", 'title = "Step"'), ("text", 'text = "Read."')) if name not in named]
        lines += ["[[step]]", *filled, step.strip()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def not_found(runner: Runner) -> list[str]:
    """The names in this step that the window does not have."""
    return runner.controls.missing


def value(runner: Runner) -> float | None:
    """What the goal of this step is measured by."""
    return runner.attempt.value(runner.index)


def ring(runner: Runner) -> QRect | None:
    """Where the ring is, in the window."""
    spot = runner.controls.spotlight
    return spot._ring.translated(QPointF(spot.pos())).toRect() if spot.isVisible() else None


def pointed(runner: Runner) -> QWidget | None:
    """What the ring is around."""
    return runner.controls.spotlight._widget


def in_sight(widget: QWidget) -> bool:
    """Whether all of a widget is seen in its window; of one that is larger than what it scrolls in, that this is full
    of it."""
    seen, room, at = QRect(QPoint(), widget.size()), widget.size(), widget
    while at.parentWidget() and not at.isWindow():
        parent = at.parentWidget()
        if isinstance(parent.parentWidget(), QScrollArea):
            room = room.boundedTo(parent.size())
        seen, at = seen.translated(at.pos()) & QRect(QPoint(), parent.size()), parent
    return widget.isVisible() and seen.size() == room


def covered(runner: Runner) -> list[str]:
    """Labels that the line of the ring is drawn over."""
    line = ring(runner)
    inner = line.adjusted(2, 2, -2, -2)
    labels = runner.controls.spotlight.parentWidget().findChildren(QLabel)
    places = {each: QRect(each.mapTo(each.window(), QPoint()), each.size()).adjusted(0, 3, 0, -3)
              for each in labels if each.isVisible() and each.text()}
    return [each.text() for each, place in places.items()
            if place.intersects(line) and not inner.contains(place) and not pointed(runner).isAncestorOf(each)
            and each is not pointed(runner) and in_sight(each)]
