"""States to go back to and forth between. No Qt."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class History(Generic[T]):
    """States one after the other, and the present one among them. None of them may be changed once it is here."""

    def __init__(self, first: T, depth: int = 100) -> None:
        """``depth``: how many steps back are kept at most."""
        self._back: list[T] = []
        self._present = first
        self._forth: list[T] = []
        self._depth = depth

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def push(self, state: T) -> None:
        """Makes another state the present one. Those undone are forgotten, and the oldest beyond the depth."""
        self._back = [*self._back, self._present][-self._depth :]
        self._present = state
        self._forth = []

    @property
    def present(self) -> T:
        return self._present

    def amend(self, state: T) -> None:
        """Make another state the present one, as part of the step that led to it; if that leads nowhere then, it is
        none."""
        self._present, self._forth = state, []
        if self._back and self._back[-1] == state:
            self._back.pop()

    def undo(self) -> T | None:
        """The state before, which is now the present one; None where there is none."""
        return self._move(self._back, self._forth)

    def redo(self) -> T | None:
        """The state that was undone last, which is now the present one; None where there is none."""
        return self._move(self._forth, self._back)

    def _move(self, source: list[T], target: list[T]) -> T | None:
        if not source:
            return None
        target.append(self._present)
        self._present = source.pop()
        return self._present
