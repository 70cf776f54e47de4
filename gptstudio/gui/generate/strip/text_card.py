"""Card of the text on the Generate page: coloured tokens or plain text, with controls to step through it, and the
user's actions on the text: choose a token, step, play, branch, and undo.

No torch.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSlider, QWidget

from gptstudio.app.blockers import uncertain_blocker
from gptstudio.app.state import AppState
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.tint import SCALES
from gptstudio.gui.controllers.generation import CopiesController, GenerationController
from gptstudio.gui.generate.strip.token_strip import ColourLegend, StripMenu, TokenStrip
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.icons import IconButton
from gptstudio.gui.widgets.layouts import (
    Flow,
    HeightForWidth,
    Item,
    card,
    centred,
    grows,
    hbox,
    stacked,
    vbox,
    with_layout,
)
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, plain, scrolling, set_blocker
from gptstudio.gui.widgets.text_views import FewLines, SelectableText
from gptstudio.history.copied_words import WHAT_COUNTS, copied_words
from gptstudio.i18n import message
from gptstudio.inference.interventions import Interventions

FASTEST = 50
"""Tokens per second; the slowest is 1."""
TICKS = 40
USUAL_TICK = 20


class Transport(QWidget):
    """Buttons to move in the text, with the position, the speed, and the colouring."""

    colour_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._make_buttons()
        self._make_speed()
        self._make_colours()
        self.place = label(role="muted", name="transport_place")
        self._lay_out()
        self._fit()
        self.show_place(None, 0, playing=False, can_undo=False, can_redo=False)
        on_restyle(self, self._fit)

    def show_place(
        self, cursor: int | None, length: int, playing: bool, can_undo: bool, can_redo: bool, ended: str = "",
        no_entropy: str = ""
    ) -> None:
        """Show the position in the text.

        Args:
            cursor: the position of the chosen token, from 0; None if there is none.
            length: the number of tokens of the text.
            playing: True while the text is playing.
            ended: the reason why nothing can be generated after the last token; empty if that is possible.
            no_entropy: the reason why no token has a known entropy; empty if one has.
        """
        some = length > 0
        behind, ahead = cursor is not None and cursor > 0, cursor is not None and cursor < length - 1
        on = some and (ahead or not ended)
        none = "" if some else tr("There is no text yet. Generate one first.")
        at_start = tr("This is the first token.") if cursor == 0 else tr("Select a token first.")
        for each, why_not in (
            (self.start, none or ("" if cursor != 0 else at_start)), (self.back, none or ("" if behind else at_start)),
            (self.end, none or ("" if ahead else tr("This is the last token."))),
            (self.uncertain, none or no_entropy),
            (self.undo, "" if can_undo else tr("There is nothing to undo.")),
            (self.redo, "" if can_redo else tr("There is nothing to redo.")),
        ):
            set_blocker(each, why_not)
        self.play.show_sign("pause" if playing else "play", tr("Pause") if playing else tr("Play"))
        stands = none or ("" if on else ended)
        set_blocker(self.play, stands, tr("Pauses at this token (P).") if playing else tr(
            "Moves on token by token; at the end, the model generates more (P)."))
        set_blocker(self.forward, stands, tr("To the next token (Right or S)") if ahead else tr(
            "Generates one more token (S)"))
        self._show_position(_place(cursor, length), _place(max(length - 1, 0), length))

    def _show_position(self, words: str, longest: str) -> None:
        """Show the position. The size of the label depends only on the number of digits, so that a new token rarely
        triggers a new layout."""
        metrics = self.fontMetrics()
        size = QSize(metrics.horizontalAdvance(re.sub(r"\d", "0", longest)), metrics.height())
        if size != self.place.size() or size != self.place.maximumSize():
            self.place.setFixedSize(size)
        self.place.setText(words)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def interval_ms(self) -> int:
        """Return the display time of a token while the text plays."""
        return round(1000 / self._speed())

    def colouring(self) -> str:
        return str(self.colours.currentData())

    def _make_buttons(self) -> None:
        self.start = IconButton("start", "transport_start", tr("To the start"), tr("To the first token (Home)"))
        self.back = IconButton("back", "transport_back", tr("Back one token"), tr("To the previous token (Left)"))
        self.play = IconButton("play", "transport_play", tr("Play"))
        self.forward = IconButton("forward", "transport_forward", tr("Forward one token"))
        self.end = IconButton("end", "transport_end", tr("To the end"), tr("To the last token (End)"))
        self.uncertain = IconButton("peak", "transport_uncertain", tr("Next uncertain token"), tr(
            "To the token after this one where the entropy is highest; after the last one, to that of the whole text "
            "(N)"))
        self.undo = IconButton("undo", "transport_undo", tr("Undo"), tr("Undoes the last change (Ctrl+Z)"))
        self.redo = IconButton("redo", "transport_redo", tr("Redo"), tr("Redoes the undone change (Ctrl+Shift+Z)"))

    def _make_speed(self) -> None:
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "transport_speed", tr("Playback speed"))
        self.slider.setRange(0, TICKS)
        self.slider.setToolTip(tr(
            "Playback speed, from 1 to {n} tokens per second. The model may be slower.", n=FASTEST))
        self.speed = label(role="muted", name="transport_speed_words")
        self.slider.valueChanged.connect(lambda: self.speed.setText(tr("{n} tokens/s", n=f"{self._speed():.0f}")))
        self.slider.setValue(USUAL_TICK)

    def _make_colours(self) -> None:
        self.legend = ColourLegend()
        self.colours = choice_box("transport_colours", tr("Colour tokens by"))
        for name, scale in SCALES.items():
            self.colours.addItem(tr(scale.words), name)
            self.colours.setItemData(self.colours.count() - 1, tr(scale.help), Qt.ItemDataRole.ToolTipRole)
        self.colours.currentIndexChanged.connect(self._choose_colour)

    def _lay_out(self) -> None:
        words = label(tr("Colour by"), buddy=self.colours)
        with_layout(self, Flow(
            _tight(self.start, self.back, self.play, self.forward, self.end, self.uncertain), self.place,
            _tight(self.slider, self.speed), _tight(self.undo, self.redo), (words, self.colours), self.legend,
            spacing=8))

    def _speed(self) -> float:
        return float(FASTEST ** (self.slider.value() / TICKS))

    def _fit(self) -> None:
        """Set widths that suit the text size and do not depend on the numbers, so that the controls do not move."""
        metrics = self.fontMetrics()
        self.slider.setFixedWidth(5 * metrics.height())
        self._show_position(self.place.text(), self.place.text())
        self.speed.setMinimumWidth(metrics.horizontalAdvance(tr("{n} tokens/s", n="00")))

    def _choose_colour(self) -> None:
        self.legend.show_scale(self.colouring())
        self.colour_chosen.emit(self.colouring())


def _tight(*widgets: QWidget) -> QWidget:
    return with_layout(QWidget(), hbox(*widgets, spacing=4))


def _place(cursor: int | None, length: int) -> str:
    if not length:
        return ""
    if cursor is None:
        return tr("{n} tokens", n=f"{length:,}") if length > 1 else tr("1 token")
    return tr("Position {n}  ·  {all} tokens", n=f"{cursor:,}", all=f"{length:,}")


LEAST_LINES = 7
"""Minimum height of the text, in lines."""


ENDINGS = {"end_of_text": message("The model ended the text with <|endoftext|>."),
           "stop_text": message("The stop text was reached.")}
ON_FROM_AN_END = message("To continue, choose another token or press Generate.")


class TextCard(HeightForWidth):
    """Card that shows the text of the document. The strip and the transport emit the user's actions themselves."""

    text_wanted = Signal(int)
    """Emitted with the number, from 0, of the text to show instead."""

    def __init__(self, state: AppState, copies: CopiesController) -> None:
        """``copies``: finds the stretches of the text that are copied from the training text."""
        super().__init__()
        self._state, self._document, self._copies = state, state.document, copies
        self.strip, self.transport, self.reading = TokenStrip(), Transport(), SelectableText()
        self.menu = StripMenu(self.strip, passages=True)
        self.phase = FewLines("generate_phase")
        self.phase.setMinimumWidth(1)  # beside the share of copied tokens, a narrow card has little room for it
        self.notice = Notice("generate_notice")
        self.welcome = label(role="muted", name="write_welcome", wrap=True)
        self._index = 0
        self._make_head()
        self._lay_out()
        state.on(self._show_transport, "playing")
        state.on(self._look_for_copies, "marks_copies")
        copies.changed.connect(self._show_copies)
        self.menu.failed.connect(self.notice.setText)
        self.menu.passage_wanted.connect(self._open_passage)
        self.passage.clicked.connect(lambda: self._open_passage(
            self.strip.current if self.strip.current in self.strip.copied else None))
        self.show_document()
        on_restyle(self, self._show_transport)

    def show_document(self) -> None:
        """Show the current text, with its marks and the chosen token."""
        document = self._document
        path, cursor = document.path, document.snapshot.cursor
        self.strip.show_path(path, document.given, document.tokenizer)
        walk = document.walk
        self.strip.mark(dict.fromkeys(walk.forks, "branches") | dict.fromkeys(walk.by_hand, "yours"))
        self.strip.choose(cursor)
        place = self.strip.place_of(cursor) if cursor is not None else None
        if place:
            self.strip_scroll.ensureVisible(round(place.center().x()), round(place.center().y()), 0, 60)
        for each in (self.read, self.copy, self.export):
            each.setVisible(bool(path))
            each.setEnabled(bool(path))
        self._show_page()
        self._look_for_copies()
        self._show_texts()
        self._show_transport()

    def say(self, words: str, problem: bool) -> None:
        """Show a message. ``problem``: True if it reports a problem."""
        self.notice.setText(words if problem else "")
        if words and not problem:
            self.phase.setText(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_for_copies()

    def _show_page(self) -> None:
        """Show the welcome text, the tokens, or the plain text."""
        reads = self.read.isChecked()
        path = self.strip.path
        self._pages.setCurrentIndex(0 if not path else 2 if reads else 1)
        ids = [node.id for node in path] if reads else []
        self.reading.show_ids(ids, self._document.given, self.strip.copied, self.strip.tokenizer)

    def _look_for_copies(self) -> None:
        model = self._document.snapshot.model
        if not self.isVisible():  # nobody sees it, and a restored text must not slow the start
            return
        self._copies.look(model.source if model else None, self._document.ids, self._document.given)
        self._show_copies()

    def _show_copies(self) -> None:
        """Underline the copied tokens and show their share, if the search was for the shown text."""
        found, ids = self._copies.found, self._document.ids
        known = found.ids and not found.why_not and ids[: len(found.ids)] == found.ids
        copied: dict[int, int] = {}
        for each in found.stretches if known else ():
            for position in range(each.start, each.stop):
                copied[position] = max(copied.get(position, 0), each.stop - each.start)
        words = copied_words(found.share, found.longest) if known else message("Copied: –") if found.why_not else ""
        self.strip.underline(copied)
        self.transport.legend.show_copied(bool(copied))
        self.copied.setText(tr(words) if words else "")
        self.copied.setToolTip(plain(tr(found.why_not or WHAT_COUNTS)))
        self.copied.setVisible(bool(words))
        self.passage.setVisible(bool(copied))
        self._show_page()

    def _open_passage(self, position: int | None) -> None:
        if stretch := self._copies.found.at(position):
            self.notice.setText(tr(self._copies.open_passage(stretch)))

    def _show_texts(self) -> None:
        """Show the number of the text, and its state."""
        if self._state.generating == "write":
            for each in (self.earlier, self.later):
                set_blocker(each, tr("The model is generating. Stop it first."))
            return
        document = self._document
        tree, drawn = document.snapshot.tree, len(document.path) - document.given
        tips = tree.texts()
        within = tree.leaf(document.snapshot.tip)  # the shown text may be the beginning of a longer one
        self._show_number(tips.index(within) if within in tips else 0, len(tips))
        self.phase.setText(joined(" ", *filter(None, (
            tr(ENDINGS[document.ending]) if document.ending else "",
            tr("New tokens: {n}. Click one.", n=f"{drawn:,}") if drawn else "",
            tr("The Branches pane shows all {n} texts.", n=len(tips)) if len(tips) > 1 else "",
        ))))

    def _show_transport(self) -> None:
        document, idle = self._document, self._state.generating != "write"
        can_undo, can_redo = idle and document.history.can_undo, idle and document.history.can_redo
        ending = ENDINGS.get(document.ending)
        self.transport.show_place(
            document.snapshot.cursor, len(document.path), self._state.playing, can_undo, can_redo,
            joined(" ", tr(ending), tr(ON_FROM_AN_END)) if ending else "", tr(uncertain_blocker(self._state) or ""))
        self.transport.setVisible(bool(document.path) or can_undo or can_redo)

    def _show_number(self, index: int, count: int) -> None:
        """Show the index of the text, from 0, and the number of texts."""
        self._index = index
        self.title.setText(tr("Text {n} of {all}", n=index + 1, all=count) if count > 1 else tr("The text"))
        set_blocker(self.earlier, "" if index > 0 else tr("This is the first text."))
        set_blocker(self.later, "" if index < count - 1 else tr("This is the last text."))
        for each in (self.earlier, self.later):
            each.setVisible(count > 1)

    def _make_head(self) -> None:
        self.title = label("", "heading", "text_title")
        self.copied = label(role="muted", name="text_copied")
        self.passage = button(
            tr("Show passage"), "text_passage",
            tr("Opens the copied passage in Texts: that of the chosen token, or else the longest"), "quiet")
        self.passage.hide()
        self.earlier = IconButton("earlier", "text_earlier", tr("Previous text"))
        self.later = IconButton("later", "text_later", tr("Next text"))
        self.earlier.clicked.connect(lambda: self.text_wanted.emit(self._index - 1))
        self.later.clicked.connect(lambda: self.text_wanted.emit(self._index + 1))
        self.read = button(tr("Read"), "read_text", tr("Shows the text without colours, to be read"), "quiet",
                           self._show_page)
        self.read.setCheckable(True)
        self.copy = button(tr("Copy"), "copy_text", tr("Copies the prompt and all new tokens as text"), "quiet",
                           self.menu.copy_text)
        self.export = button(tr("Export…"), "export_text", tr("Exports the text with its colours and values"), "quiet",
                             lambda: self.menu.open_for(None, self.export.mapToGlobal(self.export.rect().bottomLeft())))

    def _lay_out(self) -> None:
        phase = hbox(Item(self.phase, 1, Qt.AlignmentFlag.AlignVCenter), Item(None), self.copied, self.passage,
                     self.read, self.copy, self.export, margins=(8, 0, 0, 0))
        head = hbox(self.earlier, self.title, self.later, grows(phase))
        heading = label(tr("Watch a model generate text, and change its choices"), "heading", wrap=True)
        self.strip_scroll = scrolling(self.strip, "strip_scroll", lines=LEAST_LINES)
        self._pages = stacked(centred(QWidget(), heading, self.welcome), self.strip_scroll, self.reading)
        with_layout(self, vbox(card(head, self.notice, grows(self._pages), self.transport, name="text_card")))


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
        self.chosen.emit()
        self._document.follow_newest()
        self._show_paused()

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
        texts = self._document.snapshot.tree.texts()
        if number < len(texts):  # a beam search may have removed it since it was painted
            self._document.switch_to(texts[number])
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
            self._document.abandon()
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
        self._change(lambda: self._document.intervene(interventions, keep))

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
