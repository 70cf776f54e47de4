"""What could pile up behind a window in which the same is done again and again."""

import gc
import os
import sys
import threading

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget


def behind(window: QWidget, *kinds: type) -> dict[str, int]:
    """How many there are; also of these kinds, wherever Python has them. Asked of the type: some objects of torch warn
    when they are asked for their class."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    counts = {
        "objects": len(window.findChildren(QObject)), "threads": threading.active_count(),
        "timers": sum(each.isActive() for each in window.findChildren(QTimer)),
        "windows": len(QApplication.topLevelWidgets()),
        "in Python": sum(issubclass(type(each), kinds) for each in gc.get_objects()),
    }
    if sys.platform.startswith("linux"):
        counts["handles"] = len(os.listdir("/proc/self/fd"))
    return counts


def no_more(before: dict[str, int], after: dict[str, int], doing: str = "") -> None:
    more = {name: count - before[name] for name, count in after.items()}
    words = f"one or two that Qt makes when it first needs them, not one each time {doing}: {more}"
    assert max(more.values()) <= 2, words
