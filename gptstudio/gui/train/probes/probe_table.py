"""Export of the readings of a probe prompt as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QPushButton

from gptstudio import files
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.gui.widgets.save_as import save_as
from gptstudio.history.run_history import History, ProbeHistory

HEADINGS = ("step", "tokens", "prompt", "entropy_bits", "id", "token", "probability", "true_token", "true_rank")


class SaveTableButton(QPushButton):
    """Button that asks for a file, and writes the readings of a probe prompt to it. ``shown``: the probe, the
    history that it is of, and the tokenizer of the run; ``fail``: receives the words of a problem."""

    def __init__(
        self, shown: Callable[[], tuple[ProbeHistory | None, History, Tokenizer]], fail: Callable[[str], object]
    ) -> None:
        super().__init__(tr("Save as CSV…"))
        named(self, "probe_export", tr("Save as CSV…"))
        self.setToolTip(tr("Saves the readings of this prompt as a table"))
        self.setAutoDefault(False)
        self._shown, self._fail = shown, fail
        self.clicked.connect(self._request)

    def _request(self) -> None:
        probe, history, tokenizer = self._shown()
        if probe and probe.count:
            save_as(self, "probe.csv", lambda path: files.save_csv(
                path, [HEADINGS, *_rows(probe, history, tokenizer)]), self._fail)


def _rows(probe: ProbeHistory, history: History, tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    """Return a row for each token of each reading."""
    for event, reading in zip(history.probes, probe.readings, strict=True):
        true = "" if reading.true_id is None else tokenizer.visible(reading.true_id)
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            yield (event.step + 1, event.tokens_seen, reading.text, reading.entropy_bits, id, tokenizer.visible(id),
                   probability, true, reading.true_rank or "")
