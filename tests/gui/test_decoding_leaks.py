"""Many texts, comparisons and scores in one window: no objects accumulate, and an idle window does no work."""

import gc
import weakref
from collections import Counter
from itertools import count

from left_behind import behind, living, no_more
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from gptstudio.app import text_document
from gptstudio.gui.generate.generate_tab import COMPARE, SCORE, WRITE
from gptstudio.training.events import TokenDrawn, TokenRead

FIRST_PAGE = "generate"

KEPT = 20
TEXT = "Every effort moves you"


OTHERS = count(11)
"""Token ids, a different one each time."""


def write(user) -> None:
    """Write a text and a branch of it, and undo and redo."""
    view = user.generate.view
    user.generate.write(4)
    user.generate.choose(len(view.document.path) - 2)
    user.generate.branch(next(OTHERS))
    user.generate.wait_idle()
    user.generate.undo()
    user.generate.redo()
    user.generate.undo()


def compare(user) -> None:
    user.generate.switch_to(COMPARE)
    user.click(user.generate.compare_button)
    user.generate.wait_idle()


def score(user) -> None:
    user.generate.switch_to(SCORE)
    user.generate.score(TEXT)
    user.generate.wait_idle()


def look_everywhere(user) -> None:
    """Open every pane in turn, at another token each time."""
    user.generate.switch_to(WRITE)
    for index, name in enumerate(user.generate.panes.places):
        user.generate.panes.open(name)
        user.generate.choose(index)
        user.generate.wait_idle()


def test_that_repeating_the_work_many_times_leaves_no_more_than_a_few_times(writer):
    writer.generate.write(3)
    writer.generate.set(max_new_tokens=3)
    for act in (write, compare, score, look_everywhere):
        writer.generate.switch_to(WRITE)
        for _ in range(2):
            act(writer)
        before = behind(writer.window)
        for _ in range(3):
            act(writer)
            writer.decoding.clear()
        no_more(before, behind(writer.window), act.__name__)


def test_that_logits_and_models_are_released(writer, tiny, monkeypatch):
    """Logits take 200 KB a token with the whole vocabulary: only those of the newest tokens are kept."""
    from gptstudio.gpt.model import GPTModel

    def models() -> list[GPTModel]:
        gc.collect()
        return living(GPTModel)

    others = weakref.WeakSet(models())  # of earlier tests
    monkeypatch.setattr(text_document, "CACHED_LOGITS", KEPT)
    arrays: list[weakref.ref] = []

    def watch(task, items) -> None:
        events = [each[1] if isinstance(each, tuple) else each for each in items]
        arrays.extend(
            weakref.ref(each.logits) for each in events
            if isinstance(each, (TokenDrawn, TokenRead)) and each.logits is not None
        )

    writer.window.tasks.delivered.connect(watch)
    for width in (16, 18):
        writer.panel.select(tiny.but(emb_dim=width))
        for act in (write, compare, score, look_everywhere):
            writer.generate.switch_to(WRITE)
            act(writer)
    writer.generate.switch_to(WRITE)
    writer.generate.write(3 * KEPT)
    writer.decoding.clear()
    gc.collect()
    assert len(arrays) > 5 * KEPT
    assert sum(each() is not None for each in arrays) <= KEPT + 1, "one is shown"
    writer.wait(lambda: sum(each not in others for each in models()) <= 2)


def test_that_an_idle_window_lays_out_and_paints_nothing(writer):
    """A layout that invalidates itself takes processor time from the model without a visible effect, and never ends."""
    page, seen = writer.generate, Counter()

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Paint):
                seen[f"{type(watched).__name__} {watched.objectName()}: {event.type().name}"] += 1
            return False

    def assert_idle() -> None:
        seen.clear()
        writer.rest(0.2)
        assert sum(seen.values()) < 16, f"after {act.__name__}: {seen}"

    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    for act in (write, look_everywhere, compare, score):
        page.switch_to(WRITE)
        act(writer)
        page.go_button.setFocus()
        writer.rest(0.15)
        writer.qtbot.waitUntil(assert_idle)
