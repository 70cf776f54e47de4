"""Probe prompt at one evaluation: bars of the next tokens, the sample of that time, playback, and export as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QSlider, QWidget

from gptstudio import files
from gptstudio.app import preferences
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.charts.style import CurveStyle
from gptstudio.gui.plots.bar_list import Bar, BarList, BarRow, Bars
from gptstudio.gui.save_as import save_as
from gptstudio.gui.theme import colour
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.gui.widgets.layouts import FREE, TOP, aligned, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import button, choice_box, label, named, set_blocker, set_entries
from gptstudio.history.columns import Axis
from gptstudio.history.run_history import History, ProbeHistory
from gptstudio.i18n import message
from gptstudio.training.events import ProbeReading

HEADINGS = ("step", "tokens", "prompt", "entropy_bits", "id", "token", "probability", "true_token", "true_rank")


def _rows(probe: ProbeHistory, history: History, tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    """Yield a row for each token of each reading."""
    for event, reading in zip(history.probes, probe.readings, strict=True):
        true = "" if reading.true_id is None else tokenizer.visible(reading.true_id)
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            yield (event.step + 1, event.tokens_seen, reading.text, reading.entropy_bits, id, tokenizer.visible(id),
                   probability, true, reading.true_rank or "")


FRAME_MS = 33
CALM_MS = 500
"""Milliseconds between two frames with reduced motion: single pictures instead of an animation."""
LONGEST = 600
"""Number of frames of a long animation, 20 seconds: of twice as many evaluations or more, some are skipped."""
EMPTY = message(
    "Here you can watch a prompt learn: how probable each next token is, from random weights to the trained model. The "
    "run that is shown has no probe prompts. Enter some under More settings, Evaluation, and start a run.")
BEFORE = message("The readings appear here while the run trains: one before the first step, then one per evaluation.")

FEWEST = 3
"""Minimum number of tokens that are shown, if the window is low."""


class ProbePane(QWidget):
    """View of the newest reading, until the user selects an earlier one, which then stays."""

    chosen = Signal(object)
    """Emitted with the history of the selected probe; None if there is none."""
    scrubbed = Signal(int)
    """Emitted with the step of the reading that was selected here."""

    def __init__(
        self, say: Callable[[str], object], find_tokenizer: Callable[[], Tokenizer] = lambda: GPT2
    ) -> None:
        """``say``: is called with messages for the user; ``find_tokenizer``: returns the tokenizer of the run, which is
        known once there are readings."""
        super().__init__()
        self.probe: ProbeHistory | None = None
        self._history = History()
        self._tokenizer: Tokenizer = GPT2
        self._find_tokenizer = find_tokenizer
        self._index = -1
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        self._make_controls(say)
        self._lay_out()
        self.show_history(self._history, 0)

    # The run.

    def show_history(self, history: History, probes: int) -> None:
        """Show another run. ``probes``: number of probe prompts in its settings."""
        self._stop()
        self._history, self._asked = history, probes
        self._choose(0)

    def update_readings(self) -> bool:
        """Show what was added to the history; return whether there were new readings."""
        if self._history.probes and not self.probe:
            self._choose(0)
            return True
        follows = not self.probe or self.slider.value() == self.slider.maximum()
        if not self.probe or not self.probe.update():
            self._show_sample()  # the sample arrives after the reading of its step
            return False
        last = self.probe.count - 1
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(max(0, last))
            self.slider.setValue(last if follows else min(self.slider.value(), last))
        self._show(self.slider.value())
        return True

    def show_at(self, x: float | None, axis: str) -> None:
        """Show the reading at a position on an axis without selecting it; None shows the selected reading again."""
        if not self.probe or axis not in self._history.axes:
            return
        index = self.slider.value() if x is None else _index_at(self.probe, self._history.axes[axis], x)
        self._show(max(0, index))

    def _choose(self, number: int) -> None:
        probes = self._history.probes
        names = [each.text or "–" for each in probes[0].probes] if probes else []
        set_entries(self.box, [name.replace("\n", " ") for name in names], number if names else -1)
        self.probe = ProbeHistory(self._history, number) if names else None
        if self.probe:
            self._tokenizer = self._find_tokenizer()
            self.probe.update()
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, self.probe.count - 1 if self.probe else 0))
            self.slider.setValue(self.slider.maximum())
        self._index = -1
        self._show(self.slider.value())
        self.chosen.emit(self.probe)

    # The reading.

    def _show(self, index: int) -> None:
        there = self.probe is not None and self.probe.count > 0
        self.empty.setVisible(not there)
        self.full.setVisible(there)
        self.empty.setText(tr(BEFORE if self._asked else EMPTY))
        if not there or not self.probe or index == self._index:
            return
        self._index = index
        rows, reading = self.probe.candidates(index), self.probe.readings[index]
        self.bars.show_bars(Bars([
            BarRow(self._tokenizer.visible(row.id),
                   (Bar(row.probability, percent(row.probability), partial(_ribbon_colour, row.ribbon)),))
            for row in rows], longest=1.0))
        self.text.setText(_sentence(reading, rows[0].id if rows else None, self._tokenizer))
        self.place.setText(tr("Step {n}", n=f"{self.probe.step(index) + 1:,}"))
        self.figures.setText(_figures(reading, self._tokenizer))
        self._show_sample()
        set_blocker(self.play, "" if self.probe.count > 1 else tr("There is only one reading so far."),
               tr("Shows all readings one after the other (Space)"))

    def _show_sample(self) -> None:
        step = self.probe.step(self._index) if self.probe and self._index >= 0 else -1
        samples = [each for each in self._history.samples if each.step <= step]
        self.sample.setText(tr("Sample then: {text}", text=samples[-1].text.replace("\n", " ")) if samples else "")

    # Playback.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() == Qt.Key.Key_Space and self.play.isEnabled():
            self._toggle()
        elif event.key() in moves:
            self.slider.setValue(self.slider.value() + moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _toggle(self) -> None:
        if self._timer.isActive():
            self._stop()
            return
        if self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self._timer.start(CALM_MS if preferences.current().reduced_motion else FRAME_MS)
        self._name_play(tr("Pause"))

    def _stop(self) -> None:
        self._timer.stop()
        self._name_play(tr("Play"))

    def _name_play(self, words: str) -> None:
        self.play.setText(words)
        self.play.setAccessibleName(words)

    def _advance(self) -> None:
        readings = self.slider.maximum() + 1
        self.slider.setValue(self.slider.value() + max(1, readings // LONGEST))
        if self.slider.value() == self.slider.maximum():
            self._stop()

    def _scrub(self) -> None:
        self._show(self.slider.value())
        if self.probe:
            self.scrubbed.emit(self.probe.step(self.slider.value()))

    def _save(self, say: Callable[[str], object]) -> None:
        """Save the readings as a CSV file. ``say``: is called with the message of a problem."""
        probe, history, tokenizer = self.probe, self._history, self._tokenizer
        if probe and probe.count:
            save_as(self.export, "probe.csv", lambda path: files.save_csv(
                path, [HEADINGS, *_rows(probe, history, tokenizer)]), say)

    # Construction.

    def _make_controls(self, say: Callable[[str], object]) -> None:
        tip = tr("The prompt whose next token is shown")
        self.box = choice_box("probe_box", tr("Probe prompt"), tip=tip, letters=16)
        self.box.activated.connect(self._choose)
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "probe_slider", tr("Evaluation"))
        self.slider.setToolTip(tr("Drag to see the probabilities at each evaluation (Left, Right)"))
        self.slider.valueChanged.connect(self._scrub)
        self.play = button(tr("Play"), "probe_play", do=lambda: self._toggle())
        self.export = button(tr("Save as CSV…"), "probe_export", tr("Saves the readings of this prompt as a table"),
                             do=lambda: self._save(say))
        self.place = label(role="heading", name="probe_place")
        self.text = label(name="probe_text", wrap=True)
        self.figures = label(role="muted", name="probe_figures", wrap=True)
        self.sample = label(role="muted", name="probe_sample", wrap=True)
        for each in (self.text, self.sample):
            each.setMinimumWidth(1)  # a model may generate a word of any length, which must not widen the page
        self.bars = BarList("probe_bars", tr("Most probable next tokens"), least=FEWEST)
        self.empty = label(role="muted", name="probes_empty", wrap=True)

    def _lay_out(self) -> None:
        head = hbox(self.box, self.place, grows(self.slider), self.play, self.export)
        right = vbox(self.text, self.figures, self.sample, FREE, spacing=4)
        body = hbox(grows(vbox(grows(self.bars)), 1), grows(right, 1), spacing=16)
        self.full = with_layout(QWidget(), vbox(head, grows(body), spacing=8))
        with_layout(self, vbox(aligned(self.empty, TOP), grows(self.full), margins=(4, 8, 4, 4)))


def _index_at(probe: ProbeHistory, axis: Axis, x: float) -> int:
    """Return the index of the last reading at or before ``x``; -1 if there is none."""
    places = probe.table[axis.column] / axis.divisor + axis.offset
    return int(places.searchsorted(x + 1e-9, side="right")) - 1


def _sentence(reading: ProbeReading, best: int | None, tokenizer: Tokenizer) -> str:
    shown = tr("“{prompt}” → {token}", prompt=reading.text.replace("\n", " "),
               token="–" if best is None else tokenizer.visible(best))
    if reading.dropped:
        return joined(" ", shown, tr("The model reads only the end: the context is shorter than the prompt."))
    return shown


def _figures(reading: ProbeReading, tokenizer: Tokenizer) -> str:
    entropy = "–" if math.isnan(reading.entropy_bits) else f"{reading.entropy_bits:.1f}"
    said = [tr("Entropy: {n} bits", n=entropy)]
    if reading.true_id is not None and reading.true_rank and reading.true_probability is not None:
        said.append(tr(
            "The text continues with {token}: rank {rank}, {probability}", token=tokenizer.visible(reading.true_id),
            rank=f"{reading.true_rank:,}", probability=percent(reading.true_probability)))
    return joined("  ·  ", *said)


def _ribbon_colour(number: int | None, opacity: float) -> QColor:
    """Return the colour of a ribbon; grey for a token without one."""
    return colour("muted", 0.5 * opacity) if number is None else CurveStyle(number).paint(opacity)
