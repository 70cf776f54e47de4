"""Threads that work for the window: what is on its way from them, and whether anything waits."""

from typing import Any

from PySide6.QtCore import QObject, QTimer

from gptstudio.gui.worker import Worker


def on_the_way(worker: Worker) -> list[Any]:
    """What it has told and the window has not heard."""
    return list(worker._inbox)


def looking(waiter: QObject) -> bool:
    """Whether a clock of it runs: it looks out for something."""
    return any(each.isActive() for each in waiter.findChildren(QTimer))
