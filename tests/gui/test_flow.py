"""Controls in rows: side by side where there is room, otherwise in the next line."""

from itertools import combinations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gptstudio.gui.theme import theme
from gptstudio.gui.widgets.layouts import Flow


def test_that_controls_continue_in_the_next_line_and_push_down_what_is_below(application, qtbot):
    page, flow = QWidget(), Flow()
    qtbot.addWidget(page)
    controls = [QPushButton(words) for words in ("one", "another", "a third that is longer", "four")]
    together = QPushButton("five"), QPushButton("six")
    for control in controls:
        flow.addWidget(control)
    flow.add_group(*together)
    below, layout = QPushButton("below"), QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addLayout(flow)
    layout.addWidget(below)
    layout.addStretch(1)
    theme.dress(page)
    page.show()
    everything = [*controls, together[0].parentWidget()]
    for width in (2_000, 300, 120):
        page.resize(max(width, page.minimumSizeHint().width()), 600)
        qtbot.wait(20)
        assert all(page.rect().contains(control.geometry()) for control in everything)
        assert not any(one.geometry().intersects(other.geometry()) for one, other in combinations(everything, 2))
        assert below.y() >= max(control.geometry().bottom() for control in everything)
        assert together[0].y() == together[1].y()
    assert len({control.y() for control in everything}) > 2
    page.resize(2_000, 600)
    qtbot.wait(20)
    assert len({control.geometry().center().y() for control in everything}) == 1


def test_that_a_hidden_control_takes_no_room(application, qtbot):
    page, flow = QWidget(), Flow()
    qtbot.addWidget(page)
    page.setLayout(flow)
    hidden, shown = QPushButton("hidden"), QPushButton("shown")
    flow.addWidget(hidden)
    flow.addWidget(shown)
    hidden.hide()
    theme.dress(page)
    page.show()
    qtbot.wait(20)
    assert shown.geometry().topLeft() == page.rect().topLeft()
