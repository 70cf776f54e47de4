"""The learning-rate finder in the window: it works on a copy, and changes one field when the user requests it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gptstudio.gui.forms.controls import unfold_around
from gptstudio.training import learning_rate_finder
from gptstudio.training.rate_test import rates

ALL_WORDS = True


@pytest.fixture
def finder(user, monkeypatch):
    """The dialog, after a test of every other rate."""
    monkeypatch.setattr(learning_rate_finder, "rates", lambda: rates()[::2])
    user.train.prepare(steps=20)
    user.wait(lambda: user.find("find_rate").isEnabled())
    user.click(user.find("find_rate"))
    user.wait(lambda: user.find("rate_use").isEnabled() or user.reads("rate_problem"))
    return user.find("rate_dialog")


def test_that_a_rate_is_suggested_and_can_be_removed_unless_it_is_outdated(user, finder):
    user.train.set(learning_rate=0.003)
    assert "have changed" not in user.reads("rate_words")
    user.train.set(batch_size=3)
    user.wait(lambda: "The settings have changed since this test" in user.reads("rate_words"))
    user.wait(lambda: user.find("rate_again").isEnabled())
    user.click(user.find("rate_again"))
    user.wait(lambda: user.find("rate_use").isEnabled())
    assert "have changed" not in user.reads("rate_words")

    before = user.train.spec
    assert user.train.run is None, "no run and no folder comes of it"
    assert not user.train.started
    assert user.train.start_button.isEnabled()
    user.train.state.locked_controls = frozenset({"train_learning_rate"})
    assert not user.find("rate_use").isEnabled()
    assert user.find("rate_use").toolTip() == "Locked by your instructor"
    user.train.state.locked_controls = frozenset()
    suggestion = float(user.find("rate_use").text().removeprefix("Use "))
    assert "falls most steeply at" in user.reads("rate_words")
    assert finder.plot.band.isVisible()
    low, high = (10**edge for edge in finder.plot.band.getRegion())
    assert low * 0.9 <= suggestion <= high * 1.5
    assert len(finder.plot.averages.getData()[0]) <= 60
    raw, smoothed = finder.plot.raw.getData()[1], finder.plot.smoothed.getData()[1]
    biased = [sum(0.02 * 0.98 ** (at - back) * raw[back] for back in range(at + 1)) for at in range(len(raw))]
    assert smoothed == pytest.approx([each / (1 - 0.98 ** (at + 1)) for at, each in enumerate(biased)])
    assert user.train.spec == before
    user.click(user.find("rate_use"))
    assert not finder.isVisible()
    assert user.train.spec == before.but(learning_rate=suggestion)
    field = user.find("train_learning_rate")
    field.setFocus()
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert user.train.spec == before


def test_that_it_can_be_cancelled_and_a_run_ends_it(user, monkeypatch):
    monkeypatch.setattr(learning_rate_finder, "STEPS", 10**9)
    monkeypatch.setattr(learning_rate_finder, "rates", lambda: [1e-6] * 100_000)
    user.train.prepare(steps=5000, eval_freq=1000)
    user.wait(lambda: user.find("find_rate").isEnabled())
    user.click(user.find("find_rate"))
    user.wait(lambda: user.reads("rate_words").startswith("Step "))
    assert QApplication.focusWidget() is None or user.find("rate_cancel").isVisible()
    user.click(user.find("rate_cancel"))
    user.wait(lambda: user.reads("rate_problem") == "Cancelled. Nothing was changed.")
    user.click(user.find("rate_again"))
    user.wait(lambda: user.reads("rate_words").startswith("Step "))
    user.window.training.start()
    user.wait(lambda: user.train.running and user.reads("rate_problem").startswith("Cancelled"))
    assert not user.find("rate_again").isEnabled()
    assert "Stop the run first" in user.find("rate_again").toolTip()
    assert not user.find("find_rate").isEnabled()
    assert "Stop the run first" in user.find("find_rate").toolTip()
    user.train.stop()


def test_that_the_fields_and_the_memory_are_those_of_the_optimizer(user):
    unfold_around(user.find("train_optimizer"))
    shown = {
        "AdamW": {"weight_decay", "beta1", "beta2"}, "SGD": {"momentum", "nesterov", "l2_penalty"},
        "Muon": {"weight_decay", "beta1", "beta2", "muon_momentum", "matrix_rate_ratio"},
    }
    every = set().union(*shown.values())
    for entry, fields in shown.items():
        user.choose(user.find("train_optimizer"), entry)
        assert {name for name in every if user.train.editor(name).isVisibleTo(user.train.widget.settings)} == fields
    assert user.train.spec.optimizer == "muon"

    user.train.prepare(steps=20)
    needed = {}
    for name in ("adamw", "sgd"):
        user.train.set(optimizer=name)
        needed[name] = float(user.reads("train_memory").split(" ")[0])
    assert needed["adamw"] > needed["sgd"]
