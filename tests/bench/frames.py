"""Frames of the window: a change, and all painting that follows from it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np


def frame_times(app: Any, change: Callable[[int], object], times: int) -> np.ndarray:
    """Return the milliseconds of processor time of the window's thread for each frame, (times,)."""
    took = []
    for number in range(times):
        began = time.thread_time()
        change(number)
        app.processEvents()
        took.append(1000 * (time.thread_time() - began))
    return np.array(took)
