"""The window after a lesson: the objects that Python refers to still exist, and every bar follows theme and text size.

When a dock is deleted, as a lesson's is, PySide invalidates the Python objects of all that Qt has made in the window.
"""

import gc
from itertools import cycle

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gptstudio.app.state import PAGES
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.labs.lesson import SHIPPED, shipped

FIRST_PAGE = "generate"


@pytest.fixture(autouse=True)
def light():
    yield
    theme.choose("system")
    theme.enlarge(None)


def through_a_lesson(user, lesson: str, close_at: int | None = None) -> None:
    """Go through a lesson, and close it at its end, or at a step."""
    window = user.window
    window.learning.open_lesson(shipped("en")[SHIPPED.index(lesson)])
    runner = window.lessons.runner
    user.wait(runner.guide.next.isVisible)
    steps = 0
    while runner.guide.isVisible() and steps != close_at:
        user.click(runner.guide.next)
        steps += 1
    if runner.guide.isVisible():
        runner.finish()
    del runner
    user.qtbot.wait(20)


def dropped() -> list[str]:
    """Return the attributes of the program's valid objects that refer to objects that PySide considers deleted."""
    found = set()
    for owner in gc.get_objects():
        if not str(type(owner).__module__).startswith("gptstudio.") or not isinstance(owner, QObject):
            continue
        if not shiboken6.isValid(owner):
            continue
        for name, value in vars(owner).items():
            held = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
            if name != "centralLayout" and any(  # pyqtgraph's own, invalid from the start
                    isinstance(each, shiboken6.Object) and not shiboken6.isValid(each) for each in held):
                found.add(f"{type(owner).__name__}.{name}")
    return sorted(found)


def colour_of(widget: QWidget) -> str:
    """Return the most frequent colour of a painted widget: its background."""
    image = widget.grab().toImage()
    seen = [image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(1, image.height(), 3)]
    return max(set(seen), key=seen.count)


def test_that_no_object_held_by_the_window_is_deleted_after_a_lesson(user):
    for page in PAGES:
        user.window.state.show_page(page)
        user.qtbot.wait(20)
    before = dropped()
    for lesson in SHIPPED:
        through_a_lesson(user, lesson)
        assert [each for each in dropped() if each not in before] == [], lesson


def test_that_each_bar_follows_theme_and_text_size_after_a_lesson(user):
    window = user.window
    window.resize(1280, 800)
    bars = {"menu": window.menuBar, "tabs": lambda: window.tabs.bar, "status": window.statusBar}
    for close_at in (1, None):  # closed early, and at its end
        through_a_lesson(user, "attention-from-nothing", close_at)
        for page, (scheme, colours) in zip(PAGES, cycle((("dark", DARK), ("light", LIGHT))), strict=False):
            window.state.show_page(page)
            theme.choose(scheme)
            user.wait(lambda ground=colours.window: {name: colour_of(bar()) for name, bar in bars.items()}
                      == dict.fromkeys(bars, ground))
        high = {name: bar().sizeHint().height() for name, bar in bars.items() if name != "status"}
        theme.enlarge(1.6)
        user.wait(lambda high=high: all(bars[name]().sizeHint().height() > was for name, was in high.items()))
        theme.enlarge(None)
