"""Sentences about the run that Train shows: what its loss says now, and what came of it."""

from __future__ import annotations

import math
import re

from gptstudio.app.shown_run import ShownRun
from gptstudio.i18n import joined, message

DIVERGED = 1.5
"""Multiple of the loss of random guessing above which a model has learned nothing that is of use."""
SHOWN = 44
"""Maximum number of characters of a sample in a sentence."""
OVERFITTING = "training#loss"
"""Place in the manual that says what helps against overfitting."""


def caption(run: ShownRun, vocabulary: int) -> str:
    """Return a sentence, as a message, about the losses of a run so far. ``vocabulary``: number of its tokens."""
    guess, losses = math.log(vocabulary), _validation_losses(run)
    began = min(losses[0], guess) if losses else guess  # new weights may guess slightly worse than at random
    if not run.started:
        return message(
            "The loss says how surprised the model is by the next token. With random weights it is that of random "
            "guessing ({guess}); while the model learns, it falls.", guess=f"{guess:.1f}")
    if overfitting(run):
        return message(
            "The training loss still falls, but the validation loss does not any more: the model now memorises its "
            "training text. This is overfitting.")
    if losses and losses[-1] > DIVERGED * guess:
        return message(
            "The loss is far above that of random guessing ({guess}): the model predicts worse than before its "
            "training.", guess=f"{guess:.1f}")
    if len(losses) < 2 or losses[-1] >= began:
        return message(
            "The loss says how surprised the model is by the next token. It starts at random guessing ({guess}) and "
            "falls while the model learns.", guess=f"{guess:.1f}")
    return message(
        "The validation loss has fallen from {first} to {last}: on text that it has not seen, the model is as unsure "
        "as if it chose among {few} tokens, where it began with {many}.",
        first=f"{losses[0]:.1f}", last=f"{losses[-1]:.1f}", few=_choices(losses[-1]), many=_choices(began))


def result(run: ShownRun, first: str | None) -> str:
    """Return what a finished run has changed, as a message: the text before its first step, where that is known, and
    its last sample."""
    samples = run.history.samples
    words = message("Your model is trained.")
    if not samples or not run.spec:
        return words
    prompt = run.spec.sample_prompt
    before, after = first or samples[0].text, samples[-1].text
    if before == after:
        return words
    return joined(" ", words, message(
        "From “{before}” to “{after}”.", before=_beginning(before, prompt), after=_beginning(after, prompt)))


def overfitting(run: ShownRun) -> str:
    """Return a sentence about the overfitting of a run, as a message; empty where none was found."""
    step = next((each.step for each in run.anomalies if each.kind == "overfitting"), None)
    return "" if step is None else message(
        "From step {n} on it has been memorising its training text (overfitting).", n=f"{step + 1:,}")


def is_finished(run: ShownRun) -> bool:
    """Return whether a run has taken all its steps."""
    return run.ended is not None and run.ended.outcome == "finished" and run.last is not None


def _validation_losses(run: ShownRun) -> list[float]:
    return [float(each) for each in run.history.evaluations["val_loss"] if math.isfinite(each)]


def _choices(loss: float) -> str:
    return f"{math.exp(loss):,.0f}"


def _beginning(text: str, prompt: str) -> str:
    """Return the beginning of what follows a prompt, in one line."""
    words = re.sub(r"\s+", " ", text.removeprefix(prompt)).strip()
    return words if len(words) <= SHOWN else f"{words[:SHOWN].rstrip()}…"
