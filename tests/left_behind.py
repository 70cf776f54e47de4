"""What could pile up behind a window in which the same is done again and again."""

import gc
import os
import sys
import threading
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget


def living(*kinds: type) -> list[Any]:
    """The objects of these kinds, wherever Python has them; garbage too, unless it was collected. Asked of the type:
    some objects of torch warn when they are asked for their class."""
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def behind(window: QWidget, *kinds: type) -> dict[str, int]:
    """How many there are, also of these kinds."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    counts = {
        "objects": len(window.findChildren(QObject)), "threads": threading.active_count(),
        "timers": sum(each.isActive() for each in window.findChildren(QTimer)),
        "windows": len(QApplication.topLevelWidgets()),
        "in Python": len(living(*kinds)),
    }
    if sys.platform.startswith("linux"):
        counts["handles"] = len(os.listdir("/proc/self/fd"))
    return counts


def no_more(before: dict[str, int], after: dict[str, int], doing: str = "") -> None:
    more = {name: count - before[name] for name, count in after.items()}
    words = f"one or two that Qt makes when it first needs them, not one each time {doing}: {more}"
    assert max(more.values()) <= 2, words
