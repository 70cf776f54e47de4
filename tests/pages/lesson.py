"""A lesson in the window: its card, its ring, and what it looks for."""

from PySide6.QtCore import QPointF, QRect

from gptstudio.gui.learn.lessons.runner import Runner


def not_found(runner: Runner) -> list[str]:
    """The names in this step that the window does not have."""
    return [name for name, _ in runner._missing]


def value(runner: Runner) -> float | None:
    """What the goal of this step is measured by."""
    return runner.attempt.value(runner.index)


def ring(runner: Runner) -> QRect | None:
    """Where the ring is, in the window."""
    spot = runner.spotlight
    return spot._ring.translated(QPointF(spot.pos())).toRect() if spot.isVisible() else None
