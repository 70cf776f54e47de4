"""Undo and redo: back and forth between the states that are kept."""

from hypothesis import given
from hypothesis import strategies as st

from gptstudio.app.text_document import UndoHistory


def test_that_undo_returns_to_the_previous_state_and_redo_to_the_next():
    history = UndoHistory("empty")
    history.push("one")
    history.push("two")
    assert [history.undo(), history.undo(), history.undo()] == ["one", "empty", None]
    assert not history.can_undo
    assert [history.redo(), history.redo(), history.redo()] == ["one", "two", None]
    assert history.can_undo
    assert not history.can_redo


def test_that_the_oldest_are_forgotten_beyond_the_depth():
    history = UndoHistory(0, depth=3)
    for state in range(1, 8):
        history.push(state)
    assert [history.undo() for _ in range(4)] == [6, 5, 4, None]


@given(st.lists(st.sampled_from(["push", "undo", "redo"])))
def test_that_it_is_a_line_of_states_with_a_current_position(operations):
    history, line, place = UndoHistory(0), [0], 0
    for number, act in enumerate(operations, 1):
        if act == "push":
            history.push(number)
            line, place = [*line[: place + 1], number], place + 1
        else:
            to = place + (1 if act == "redo" else -1)
            possible = 0 <= to < len(line)
            assert (history.redo() if act == "redo" else history.undo()) == (line[to] if possible else None)
            place = to if possible else place
        assert (history.can_undo, history.can_redo) == (place > 0, place < len(line) - 1)
