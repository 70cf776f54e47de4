"""The cost of a change of a slider: 50,257 logits through all stages, the table filled, and the pane painted.

    python tests/bench/stages.py [turns]

On a real pane off screen, with the draws shown, so that they are repeated at each change as well. Measured in
wall-clock time and, because other programs may be using the machine, in processor time of this process. The aim is 16
ms, one frame.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskRunner
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gui.asking import Asking
from gptstudio.gui.controllers.generation import TrainingText
from gptstudio.gui.generate.stages.choices import ChoicesPane
from gptstudio.gui.theme import theme
from gptstudio.training.events import TokenRead

VOCABULARY, SEEN = 50_257, range(0, 1_000, 7)
TOP_P_FIRST = ("top_p", "min_p", "top_k", "temperature", "repetition_penalty")
EVERY = SamplingParams(
    top_k=50, top_p=0.9, typical_p=0.95, min_p=0.01, repetition_penalty=1.2, frequency_penalty=0.1, presence_penalty=0.1
)
SETTINGS: dict[str, Callable[[float], SamplingParams]] = {  # of a share of the slider's range
    "temperature, top-k 50": lambda share: SamplingParams(temperature=0.5 + share, top_k=50),
    "all stages, usual order": lambda share: EVERY.but(temperature=0.5 + share),
    "top-p of the whole vocabulary": lambda share: SamplingParams(top_p=0.3 + 0.69 * share),
    "all stages, top-p first": lambda share: EVERY.but(temperature=0.5 + share, order=TOP_P_FIRST),
}


def main() -> None:
    turns = int(sys.argv[1]) if sys.argv[1:] else 300
    theme.follow_system(QApplication(sys.argv[:1]))
    for width, height, count in ((650, 330, 0), (1_100, 900, 2)):
        pane = shown(width, height, count)
        print(f"{width} x {height} pixels, {pane.count.currentText()}, {VOCABULARY:,} logits, {turns} turns")
        for name, sampling_params in SETTINGS.items():
            report(name, timed(pane, sampling_params, turns))
        pane.close()


def shown(width: int, height: int, count: int) -> ChoicesPane:
    pane, random = ChoicesPane(
        AppState(), None, Asking(None, "changed"), TrainingText(TaskRunner(), None)), np.random.default_rng(1)
    logits = random.normal(0, 3, VOCABULARY).astype(np.float32)
    pane.resize(width, height)
    pane.show()
    best = int(logits.argmax())
    reading = TokenRead(position=4, id=best, text="", plain_probability=0.1, rank=1, plain_entropy_bits=1)
    pane.count.setCurrentIndex(count)
    pane.first_seed = 123
    pane.show_choice(reading, logits, SEEN)
    pane.draw.click()
    pane.table.setCurrentIndex(pane.table.stages.index(1, 5))  # its arithmetic is shown again at each change
    QApplication.processEvents()
    return pane


class Paints(QObject):
    """Counts paint events."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def timed(pane: ChoicesPane, sampling_params: Callable[[float], SamplingParams], turns: int) -> np.ndarray:
    """Return milliseconds, (turns, 2): wall-clock time and processor time."""
    took, paints = [], Paints()
    for part in (pane.table.viewport(), pane.table.head.viewport()):
        part.installEventFilter(paints)
    for turn in range(turns):
        turned = sampling_params(turn / turns)
        began = time.perf_counter(), time.process_time()
        pane._state.sampling_params = turned  # noqa: SLF001 - as the sliders set them
        QApplication.processEvents()  # lays out and paints what changed
        took.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    assert paints.count >= 2 * turns, "the head and the rows are painted at each turn"
    return 1000 * np.array(took[turns // 10 :])  # without the first, which fill caches


def report(name: str, took: np.ndarray) -> None:
    shown = (f"{kind} p50 {p50:5.2f}, p99 {p99:5.2f}" for kind, p50, p99 in
             zip(("clock", "computed"), *np.percentile(took, [50, 99], axis=0), strict=True))
    print(f"  {name:30}  {';  '.join(shown)} ms", flush=True)


if __name__ == "__main__":
    main()
