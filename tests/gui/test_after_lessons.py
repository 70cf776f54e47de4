"""The window after a lesson: every bar follows theme and text size.

When a dock is deleted, as a lesson's is, PySide invalidates the Python objects of all that Qt has made in the window.
``labs/test_lesson_use.py`` tests the objects that Python refers to.
"""

from PySide6.QtWidgets import QWidget

from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.labs.lesson import SHIPPED, shipped

FIRST_PAGE = "generate"


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


def colour_of(widget: QWidget) -> str:
    """Return the most frequent colour of a painted widget: its background."""
    image = widget.grab().toImage()
    seen = [image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(1, image.height(), 3)]
    return max(set(seen), key=seen.count)


def test_that_each_bar_follows_theme_and_text_size_after_a_lesson(user):
    window = user.window
    window.resize(1280, 800)
    bars = {"menu": window.menuBar, "tabs": lambda: window.tabs.bar, "status": window.statusBar}
    for close_at in (1, None):  # closed early, and at its end
        through_a_lesson(user, "attention-from-nothing", close_at)
        for page, scheme, colours in (("train", "dark", DARK), ("runs", "light", LIGHT)):
            window.state.show_page(page)
            theme.choose(scheme)
            user.wait(lambda ground=colours.window: {name: colour_of(bar()) for name, bar in bars.items()}
                      == dict.fromkeys(bars, ground))
        high = {name: bar().sizeHint().height() for name, bar in bars.items() if name != "status"}
        theme.enlarge(1.6)
        user.wait(lambda high=high: all(bars[name]().sizeHint().height() > was for name, was in high.items()))
        theme.enlarge(None)
