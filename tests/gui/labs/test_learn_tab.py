"""The Learn tab in the window: the list, the pages, their models, and the requests of a page to a worker."""

import pytest
from PySide6.QtCore import QPoint, Qt

from gptstudio.gpt.config import PRESETS
from gptstudio.labs.catalogue import ENTRIES
from gptstudio.training.model_source import UntrainedModel

FIRST_PAGE = "learn"
ALL_WORDS = True


@pytest.fixture
def learn(user):
    user.go_to("learn")
    return user.learn


def test_that_the_first_page_opens_without_the_model_panel_and_the_list_is_a_box_in_a_narrow_window(
    window, learn, user
):
    # The first page opens without the Model panel, and the tabs stay in place.
    user.wait(lambda: learn.current)
    assert learn.current.lab.name == next(iter(ENTRIES))
    assert window.dock.width() == 0
    tabs = window.tabs.bar.mapTo(window, QPoint(0, 0))
    user.go_to("train")
    user.wait(window.dock.width)
    assert window.tabs.bar.mapTo(window, QPoint(0, 0)) == tabs

    # The list opens pages.
    user.go_to("learn")
    lines = {(line.text(0), line.text(1)) for line in learn.contents.lines}
    assert {("From text to tensors", "45 min"), ("Train and decode a GPT", "60 min")} <= lines
    assert learn.contents.box.findText("From text to tensors (45 min)") > 0

    learn.answered("gelu")
    learn.contents.setFocus()
    user.press(Qt.Key.Key_Down)
    user.wait(lambda: learn.current.lab.name == "feedforward")

    window.resize(1280, 800)
    user.wait(lambda: learn.contents.isVisible())
    window.resize(640, 700)
    user.wait(lambda: learn.contents.box.isVisible())
    assert not learn.contents.isVisible()
    place = learn.contents.box.findData("sizes", Qt.ItemDataRole.UserRole)
    learn.contents.box.setCurrentIndex(place)
    learn.contents.box.activated.emit(place)
    user.wait(lambda: learn.current.lab.name == "sizes")
    assert learn.widget.styleSheet() == "", "it would style the hidden pages again with each change of colours"


def test_that_another_model_changes_the_figures_and_a_reset_restores_the_books_model(
    learn, user, tiny, small_greedy_model
):
    user.panel.select(tiny)
    page = learn.answered("generate")
    assert not page.back.isEnabled()
    before = page.answer.ids
    page.models.choose(UntrainedModel(tiny))
    user.wait(lambda: not page.waiting)
    assert page.examples.currentIndex() == -1  # the book's input, but not its model
    assert any(line.startswith("≠") for line in page.figures.lines)
    assert page.answer.ids != before
    user.click(page.back)  # "Reset to the book" also restores the book's model
    user.wait(lambda: not page.waiting)
    assert page.source == page.lab.model
    assert page.examples.currentIndex() == 0
    assert not page.back.isEnabled()
    assert page.answer.ids == before


def test_that_control_6_opens_the_tab_and_closing_during_a_computation_leaves_nothing(user, small_greedy_model):
    user.press(Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    assert user.current == "learn"
    contents = user.find("lab_list")
    for key, chosen in ((Qt.Key.Key_Home, contents.lines[0]), (Qt.Key.Key_End, contents.lines[-1])):
        user.press(key)
        assert contents.currentItem() is chosen, "headings cannot be chosen"
    user.learn.open("generate")
    assert user.learn.current.waiting  # wait until the model is created; the fixture checks what is left


def test_that_a_page_waits_for_a_text_and_uses_the_chosen_model_with_the_sizes_of_the_model_panel(learn, user, tiny):
    # A page that waits for a text says so.
    user.panel.select(tiny)
    user.generate.begin(2_000)
    user.wait(lambda: user.generate.running)
    user.go_to("learn")
    learn.open("feedforward")
    assert learn.current.state.text() == "Waiting for the Generate tab to finish…"
    user.generate.stop()
    learn.answered()
    assert learn.current.state.text() == ""

    # The model that the user chose, with the sizes of the Model panel.
    user.panel.select(tiny)
    page = learn.answered("feedforward")
    assert isinstance(page.source, UntrainedModel)
    assert page.models.sources[0] == UntrainedModel(PRESETS["gpt2-small"]) or page.models.sources[0] == page.lab.model
    page.models.choose(UntrainedModel(tiny))
    user.wait(lambda: not page.waiting)
    assert page.source == UntrainedModel(tiny)
    assert page.notice.text() == ""
    wider = tiny.but(emb_dim=32)
    user.panel.select(wider)
    user.wait(lambda: not page.waiting)
    assert page.source == UntrainedModel(wider)
    assert page.answer.outputs.width == 4 * 32
