"""Counts of the objects that could accumulate in a window when actions are repeated."""

import gc
import os
import sys
import threading
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget


def living(*kinds: type) -> list[Any]:
    """Return all objects of these kinds that Python's garbage collector tracks. The type is used, since some objects of
    torch warn when asked for their class."""
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def behind(window: QWidget, *kinds: type) -> dict[str, int]:
    """Return the counts of objects, threads, timers, windows and handles, and of the objects of these kinds."""
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
