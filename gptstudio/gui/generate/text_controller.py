"""User actions on the shown text: choose a token, step, play, branch, and undo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.app.state import AppState
from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.inference.interventions import Interventions


class TextController(QObject):
    """Controller of the document. While ``playing`` of the state is true, a timer advances the chosen token; any other
    action that moves it stops the playback."""

    changed = Signal()
    """Emitted when the document has changed."""
    chosen = Signal()
    """Emitted before the user's choice of a token is applied."""
    write_requested = Signal(object, int, int)
    """Emitted to continue from these ids (a tuple), with the number of tokens on the screen and the number to generate;
    0: up to the usual length."""

    def __init__(
        self, state: AppState, generation: GenerationController, interval_ms: Callable[[], int], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._state, self._document = state, state.document
        self._generation, self._interval_ms = generation, interval_ms
        self._branch_next: tuple[int, ...] | None = None  # ids of the branch to show after generation
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        state.on(self._run_timer, "playing")

    @property
    def writing(self) -> bool:
        """True while the model is writing this text."""
        return bool(self._state.generating == "write")

    @property
    def _last(self) -> int:
        return len(self._document.path) - 1

    def choose(self, position: int) -> None:
        """Move the cursor to a token. The model is asked about it again, even if it refused before."""
        self.chosen.emit()
        self._document.choose(position)
        self._show_paused()

    def end(self) -> None:
        """Move the cursor to the last token, and follow new tokens."""
        self.choose(self._last)
        self._document.following = True

    def forward(self) -> None:
        """Move to the next token; after the last one, let the model sample another."""
        cursor = self._document.snapshot.cursor
        if cursor is not None and cursor < self._last:
            self._document.choose(cursor + 1)
            self.changed.emit()
        elif self._can_advance and not self.writing:
            self.write_requested.emit(self._document.ids, self._last + 1, 1)

    def back(self) -> None:
        if cursor := self._document.snapshot.cursor:
            self.choose(cursor - 1)

    def next_uncertain(self) -> None:
        """Move to the token with the highest entropy after the chosen one or, if there is none, in the whole text."""
        document, cursor = self._document, self._document.snapshot.cursor
        known = {
            position: node.reading.plain_entropy_bits for position, node in enumerate(document.path)
            if node.reading.plain_entropy_bits is not None}
        ahead = [position for position in known if cursor is not None and position > cursor] or list(known)
        if ahead:
            self.choose(max(ahead, key=known.__getitem__))

    def play(self) -> None:
        """Start or stop playing: moving forward at the speed of the slider."""
        self._state.playing = not self._state.playing and self._can_advance

    def pause(self) -> None:
        self._state.playing = False

    def halt(self) -> None:
        """Stop playing, and do not continue from a token that was clicked during generation."""
        self._branch_next = None
        self.pause()

    @property
    def _can_advance(self) -> bool:
        """True if a token follows the chosen one, or the model can sample one."""
        document, cursor = self._document, self._document.snapshot.cursor
        return self._last >= 0 and (not document.ending or (cursor is not None and cursor < self._last))

    def _run_timer(self) -> None:
        if self._state.playing:
            self._timer.start(self._interval_ms())
        else:
            self._timer.stop()

    def _advance(self) -> None:
        self._timer.setInterval(self._interval_ms())
        if self._can_advance:
            self.forward()
        else:
            self.pause()

    def go(self, key: int) -> None:
        if key in self._document.snapshot.tree.nodes:  # a beam search may have removed it since it was painted
            self._document.go(key)
            self.changed.emit()

    def switch_to(self, number: int) -> None:
        """Show another of the texts, counted from 0, at the same position."""
        self._document.switch_to(self._document.snapshot.tree.texts()[number])
        self._show_paused()

    def branch(self, token: int) -> None:
        """Replace the token at the cursor by another: the text continues from there once the model has stopped
        writing."""
        cursor = self._document.snapshot.cursor
        if cursor is None:
            return
        self.pause()
        self._branch_next = (*self._document.ids[:cursor], token)
        if self.writing:
            self._generation.stop()
        self.continue_text()

    def continue_text(self) -> None:
        """Show the requested branch once nothing is being written; generate it if it does not exist yet."""
        if self.writing or not self._branch_next:
            return
        ids, self._branch_next = self._branch_next, None
        tree = self._document.snapshot.tree
        there = tree.find(ids)
        if there is not None and tree.children(there):
            self.go(there)
        else:
            self.write_requested.emit(ids, len(ids) - 1, 0)

    def undo(self) -> None:
        self._change(self._document.undo)

    def redo(self) -> None:
        self._change(self._document.redo)

    def remove(self, key: int) -> None:
        self._change(lambda: self._document.remove(key))

    def intervene(self, interventions: Interventions, keep: bool) -> None:
        """Read the text with other changes. ``keep``: as a step that can be undone."""
        if not self.writing:
            self._document.intervene(interventions, keep)
            self.changed.emit()

    def name_changes(self, name: str, interventions: Interventions | None) -> None:
        self._change(lambda: self._document.name_interventions(name, interventions))

    def rename(self, key: int, name: str) -> None:
        if key in self._document.snapshot.tree.nodes:
            self._document.rename(key, name)
            self.changed.emit()

    def _change(self, change: Callable[[], object]) -> None:
        if not self.writing:
            change()
            self.changed.emit()

    def _show_paused(self) -> None:
        self.pause()
        self.changed.emit()
