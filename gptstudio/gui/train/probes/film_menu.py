"""Export of the readings of a probe prompt: as a table, and as a film."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton

from gptstudio import tables
from gptstudio.app.preferences import export_folder
from gptstudio.gpt import tokenizer
from gptstudio.gui.controllers.exports import ExportController
from gptstudio.gui.train.probes import film
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.history.probe_history import ProbeHistory
from gptstudio.history.run_history import History

HEADINGS = ("step", "tokens", "prompt", "entropy_bits", "id", "token", "probability", "true_token", "true_rank")


class FilmMenu(QPushButton):
    """Button that asks for a file. ``shown``: the probe, and the history that it is of."""

    def __init__(self, shown: Callable[[], tuple[ProbeHistory | None, History]], exports: ExportController) -> None:
        super().__init__(tr("Export"))
        named(self, "probe_export", tr("Export"))
        self.setToolTip(tr("Saves the readings of this prompt as a table or as a film"))
        self.setAutoDefault(False)
        self._shown, self._exports = shown, exports
        menu = QMenu(self)
        menu.setObjectName("probe_export_menu")
        menu.addAction(tr("Table (CSV)…")).triggered.connect(lambda: self._request("csv", tr("Table (*.csv)")))
        menu.addAction(tr("Film (GIF)…")).triggered.connect(lambda: self._request("gif", tr("Film (*.gif)")))
        self.setMenu(menu)

    def save(self, path: Path) -> None:
        """Write a table or a film, by the ending of the name."""
        probe, history = self._shown()
        if not probe or not probe.count:
            return
        if path.suffix.lower() == ".gif":
            frames = film.frames(probe, history)
            self._exports.write(path, lambda: film.gif(frames))
        else:
            rows = list(_rows(probe, history))
            self._exports.write(path, lambda: _csv(rows))

    def _request(self, kind: str, kinds: str) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save to"), str(export_folder() / f"probe.{kind}"), kinds)
        if path:
            self.save(Path(path) if Path(path).suffix else Path(f"{path}.{kind}"))


def _rows(probe: ProbeHistory, history: History) -> Iterator[tuple[object, ...]]:
    """Return a row for each token of each reading."""
    for event, reading in zip(history.probes, probe.readings, strict=True):
        true = "" if reading.true_id is None else tokenizer.visible(reading.true_id)
        for id, probability in zip(reading.ids, reading.probabilities, strict=True):
            yield (event.step + 1, event.tokens_seen, reading.text, reading.entropy_bits, id, tokenizer.visible(id),
                   probability, true, reading.true_rank or "")


def _csv(rows: list[tuple[object, ...]]) -> bytes:
    text = io.StringIO(newline="")
    tables.write(text, [HEADINGS, *rows])
    return text.getvalue().encode("utf-8", "replace")
