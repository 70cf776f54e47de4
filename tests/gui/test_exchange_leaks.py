"""The dialogs about weights opened many times: nothing piles up behind them."""

import gc
import os
import sys
import threading

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from gptstudio.exchange import exporting, opening
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.exchange.errand import Errand
from gptstudio.runs.source import Fresh

TINY = GPTConfig(context_length=16, emb_dim=32, n_heads=4, n_layers=1)


@pytest.fixture
def weights(tmp_path):
    return exporting.export_book(Fresh(TINY), tmp_path / "of the book.pth")


def look(user, weights) -> None:
    dialog = user.dialogs.opening
    dialog.look_at(weights)
    user.wait(lambda: not dialog.busy)
    dialog.reject()


def leave_at_once(user, weights) -> None:
    """Closed before the answer is there."""
    user.dialogs.opening.look_at(weights)
    user.dialogs.opening.reject()


def show_models(user, weights) -> None:
    user.dialogs.choose("models")
    user.wait(lambda: not user.dialogs.models.busy)
    user.dialogs.models.reject()


def download(user, weights) -> None:
    """Without a network."""
    user.dialogs.choose("download")
    user.dialogs.downloads.reject()


def export(user, weights) -> None:
    user.dialogs.choose("export")
    user.dialogs.exports.reject()


def behind(window) -> dict[str, int]:
    """What could pile up."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    counts = {
        "objects": len(window.findChildren(QObject)), "threads": threading.active_count(),
        "timers": sum(each.isActive() for each in window.findChildren(QTimer)),
        "windows": len(QApplication.topLevelWidgets()),
        "errands": sum(isinstance(each, Errand) for each in gc.get_objects()),
    }  # fmt: skip
    if sys.platform.startswith("linux"):
        counts["handles"] = len(os.listdir("/proc/self/fd"))
    return counts


@pytest.mark.parametrize("deed", [look, leave_at_once, show_models, download, export])
def test_that_a_dialog_opened_and_closed_thirty_times_leaves_no_more_behind_than_twice(
    user, weights, monkeypatch, deed
):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    opening.bring_in(opening.inspect(weights, TINY.n_heads), "teacher")

    def do(times: int) -> None:
        for _ in range(times):
            deed(user, weights)
        user.wait(lambda: not user.dialogs.busy)

    do(3)
    before = behind(user.window)
    do(30)
    more = {name: count - before[name] for name, count in behind(user.window).items()}
    assert max(more.values()) <= 2, f"one or two that Qt makes when it first needs them, not one each time: {more}"
