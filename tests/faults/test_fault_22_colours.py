"""Colours switched five times while a run trains in the real window: all text is readable, and the run gets no event.

The program's own palette is tested: off screen the system's choice of colours cannot be set.
"""

from dataclasses import replace
from itertools import cycle, islice

import pytest
from PySide6.QtGui import QColor
from readable import poorly_read

from gptstudio.gpt.config import PRESETS
from gptstudio.gui.theme import DARK, LIGHT, theme
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.training.events import Ended, RunStarted, StepDone
from gptstudio.training.model_source import UntrainedModel

pytestmark = [pytest.mark.fault(22), pytest.mark.usefixtures("common_words")]
SWITCHES = 5
NAMES = {LIGHT: "light", DARK: "dark"}


def test_that_colours_switched_while_training_leave_all_text_readable_and_the_run_unaffected(user, fault):
    user.train.to_end(steps=30, eval_freq=12)
    undisturbed = [event.loss for event in user.received(StepDone)]
    user.training.clear()
    user.train.reset()
    user.train.prepare(steps=30, eval_freq=12)
    user.train.start()
    user.wait(user.train.losses)
    pages = cycle(("train", "generate", "runs", "texts", "train"))
    for number, (colours, page) in enumerate(zip(islice(cycle((DARK, LIGHT)), SWITCHES), pages, strict=False)):
        user.go_to(page)
        theme.use(colours)
        user.rest(0.05)
        what = f"switch {number} to {NAMES[colours]} on {page}"
        with fault.tried(f"words after {what}"):
            assert poorly_read(user.window) == []
        user.go_to("train")  # whose charts are updated when they are shown
        with fault.tried(f"charts after {what}"):
            for chart in user.train.charts:
                assert chart.plot.backgroundBrush().color() == QColor(colours.surface)
    user.go_to("train")
    user.train.wait_ended()
    with fault.tried("the run"):
        assert [event.loss for event in user.received(StepDone)] == undisturbed
        assert [event.outcome for event in user.received(Ended)] == ["finished"]
        assert len(user.received(RunStarted)) == 1, "nothing was begun again"


@pytest.mark.slow
def test_that_the_text_of_every_experiment_is_readable_in_both_colours(user, fault, monkeypatch):
    """Greedy decoding is shown for a small model, which has the same text."""
    small = UntrainedModel(PRESETS["gpt2-small"].but(emb_dim=96, n_heads=2, n_layers=2))
    monkeypatch.setattr("gptstudio.labs.generate.LAB", replace(load("generate"), model=small))
    pairs = cycle(((DARK, LIGHT), (LIGHT, DARK)))  # one switch for a page
    user.go_to("learn")
    for name, pair in zip(ENTRIES, pairs, strict=False):
        user.learn.open(name)
        user.wait(lambda: not user.learn.current.waiting)
        for colours in pair:
            theme.use(colours)
            user.rest(0.02)
            with fault.tried(f"{name} in {NAMES[colours]}"):
                assert poorly_read(user.window) == []
