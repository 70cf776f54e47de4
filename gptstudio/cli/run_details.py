"""One run in ``gptstudio runs NAME``: what it measured, from its log. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gptstudio.cli import output
from gptstudio.cli.writing import harmless
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.history.run_history import History, ProbeHistory
from gptstudio.history.run_history import read as read_history
from gptstudio.i18n import percent
from gptstudio.training.events import ActivationsRead, CopiesFound, ProbesRead, UpdatesRead
from gptstudio.training.run_folder import RunFolder

SHOWN = 10
"""Evaluations of a probe prompt in the terminal: the first, the last, and some between."""
MEASURED = {"probes": ProbesRead, "copies": CopiesFound, "updates": UpdatesRead, "activations": ActivationsRead}


def measured(run: RunFolder) -> dict[str, list[object]]:
    """Return all that a run measured besides its losses, by kind, as its log has it; steps count from 0, and -1 is
    before the first."""
    kept: dict[str, list[object]] = {name: [] for name in MEASURED}
    for event in run.events():
        for name, kind in MEASURED.items():
            if isinstance(event, kind):
                kept[name].append(event.model_dump(mode="json", exclude={"event"}))
    return kept


def show(run: RunFolder) -> None:
    """Print how the next token of each probe prompt changed, and what the samples copied."""
    history = read_history(run.journal_path)
    for line in (*_probes(history, run.tokenizer()), *_copies(history)):
        output.line(line)


def _probes(history: History, tokenizer: Tokenizer) -> Iterator[str]:
    prompts = history.probes[0].probes if history.probes else ()
    for number, prompt in enumerate(prompts):
        probe = ProbeHistory(history, number)
        probe.update()
        yield f"\n{_one_line(prompt.text)} …"
        for index in np.unique(np.linspace(0, probe.count - 1, SHOWN).round().astype(int)).tolist():
            best = "  ".join(
                f"{tokenizer.visible(each.id)} {percent(each.probability)}" for each in probe.candidates(index, 4))
            bits = probe.readings[index].entropy_bits
            yield f"  step {probe.step(index) + 1:>6,}  {bits:4.1f} bits  {best}"


def _copies(history: History) -> Iterator[str]:
    if history.copies_found:
        yield "\nCopied from the training text"
    for found in history.copies_found:
        yield f"  step {found.step + 1:>6,}  {found.share:4.0%}  longest: {found.longest:,} tokens"


def _one_line(text: str) -> str:
    return " ".join(harmless(text).split())
