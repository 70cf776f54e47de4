"""Text of 200 and 300 %, from the start and changed in use: nothing is cut off, and every window fits the screen."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from gptstudio.gui.appearance import SCROLL, screen_of
from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.text_views import FewLines
from gptstudio.gui.window import MainWindow

FIRST_PAGE = "generate"


@pytest.fixture
def large(user):
    """A window that was created while the text was large."""
    theme.enlarge(2)
    other = MainWindow()
    other.show()
    yield other
    other.leave()
    other.deleteLater()
    theme.enlarge(None)


def test_that_headings_and_rows_of_runs_have_room_where_the_program_starts_with_large_text(large, user, study):
    study(title="a_name_with_underscores")
    large.state.show_page("runs")
    table = large.runs.list
    user.wait(lambda: table.model().rowCount() == 1)
    heads, letters = table.horizontalHeader(), table.horizontalHeader().fontMetrics()
    words = [table.model().headerData(n, Qt.Orientation.Horizontal) for n in range(heads.count())]
    cut = [word for n, word in enumerate(words) if heads.sectionSize(n) < letters.horizontalAdvance(word)]
    assert cut == []
    assert table.rowHeight(0) >= table.fontMetrics().height() + 4


def _windows(user) -> list[QWidget]:
    return [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not user.window]


def test_that_no_dialog_is_larger_than_the_screen_when_the_text_grows(user):
    user.window.resize(700, 600)
    for command in ("preferences", "class_view", "hand_in", "show_shortcuts", "about", "report_problem"):
        seen = []

        def look(command=command, seen=seen) -> None:
            if not _windows(user):
                QTimer.singleShot(20, look)
                return
            (dialog,) = _windows(user)
            user.rest(0.05)
            theme.enlarge(3)
            user.rest(0.1)
            area = dialog.findChild(QScrollArea, SCROLL)
            seen.append((dialog.size(), screen_of(dialog).availableSize()))
            if area:
                assert area.widget().size() == area.widget().size().expandedTo(area.widget().minimumSizeHint()), command
            dialog.close()
            theme.enlarge(None)

        QTimer.singleShot(20, look)  # some of them wait until they are closed
        user.window.actions_of[command].trigger()
        user.wait(lambda seen=seen: seen)
        [(size, room)] = seen
        assert size == size.boundedTo(room), command
        user.wait(lambda: not _windows(user))


def test_that_a_dialog_grows_with_its_wrapped_texts(user):
    user.window.state.all_controls = True
    user.window.train.find_rate()
    (dialog,) = _windows(user)
    usual = dialog.height()
    theme.enlarge(1.3)
    user.wait(lambda: dialog.height() >= dialog.layout().totalMinimumHeightForWidth(dialog.width()) > usual)
    dialog.close()
    theme.enlarge(None)


def test_that_the_settings_of_generate_stay_beside_the_text_whichever_pane_is_open(user):
    user.window.resize(1280, 800)
    user.generate.write(3)
    theme.enlarge(2)
    generate = user.window.generate
    side = user.find("generate_side")
    for pane in generate.panes.places:
        generate.panes.open(pane)
        user.wait(lambda: not user.busy("model"))
        user.rest(0.05)
        assert side.mapTo(generate, side.rect().topLeft()).x() > generate.width() / 2, pane
    theme.enlarge(None)


def test_that_a_label_too_narrow_for_a_word_shows_no_fragment_of_it(qtbot, application):
    label = FewLines("narrow")
    qtbot.addWidget(label)
    label.setText("New tokens: 50. Click one.")
    label.show()
    label.resize(20, 30)
    empty = label.grab().toImage()
    empty.fill(empty.pixelColor(0, 0))
    assert label.grab().toImage() == empty
    assert "New tokens: 50." in label.toolTip()
    label.resize(60, 30)
    assert label.grab().toImage().copy(0, 0, 20, 30) != empty


def test_that_the_end_of_a_run_leaves_curves_and_samples_as_wide_as_they_were(user):
    train = user.window.train
    user.train.prepare(steps=8, eval_freq=1)
    user.window.state.all_controls = False
    user.window.resize(1024, 700)
    theme.enlarge(1.5)
    user.rest(0.2)
    before = train.view_place.width(), train.writes_now.width()
    user.train.run_to_end()
    train.next_step.overfitting.setText("From step 180 on it has been memorising its training text (overfitting).")
    train.next_step.overfitting.parentWidget().show()
    user.rest(0.2)
    assert (train.view_place.width(), train.writes_now.width()) == before
    _assert_inside(train.view.below, train.next_step.generate, train.next_step.hand_in)
    user.window.state.all_controls = True
    user.window.state.unfolded_pages = frozenset({"train"})
    user.rest(0.2)
    _assert_inside(train.messages, train.next_step.generate, train.next_step.send)


def _assert_inside(place: QWidget, *buttons: QWidget) -> None:
    for each in buttons:
        assert place.rect().contains(each.mapTo(place, each.rect().bottomRight())), each.objectName()
