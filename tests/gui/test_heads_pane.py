"""The tab "Heads": when does a head appear?"""

import numpy as np
import pytest
from lessons import tiny_config

from gptstudio.gpt import tokenizer
from gptstudio.inference.effects import effects
from gptstudio.inference.induction import induction
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint
from gptstudio.training.run_folder import step_of

FIRST_PAGE = "texts"
pytestmark = pytest.mark.usefixtures("common_words")


def test_that_every_checkpoint_is_scored_and_the_film_moves_through_them(user):
    user.window.state.config = tiny_config()
    user.train.to_end(epochs=3, eval_freq=2, save_every_epochs=1, keep_others=5, batch_size=8, stride=256)
    user.go_to("train")
    user.train.open_pane("Heads")
    pane = user.train.heads
    assert "When does a head appear?" in user.reads("heads_said")
    user.click(pane.compute)
    user.wait(lambda: pane.compute.text() == "Compute")
    paths = user.train.run.checkpoints()
    assert len(paths) > 1
    table = pane.map.values
    assert table.place("step").tolist() == [step_of(path) for path in paths]
    for column, path in enumerate(paths):
        expected = induction(checkpoint.load(path), GenerateSpec().seed).induction.reshape(-1)
        assert table.values[:, column] == pytest.approx(expected, abs=1e-6)
    assert "Highest at the end" in user.reads("heads_said")
    user.click(pane.play)
    assert pane.map.column == 0
    user.wait(lambda: pane.play.text() == "Play")
    assert pane.map.column == len(paths) - 1

    pane.score.setCurrentIndex(3)
    pane.text.setText("The day")
    user.click(pane.compute)
    user.wait(lambda: pane.compute.text() == "Compute")
    *ids, token = tokenizer.encode("The day")
    expected = abs(effects(checkpoint.load(paths[-1]), ids, token).ablation[:, :-1])
    assert np.allclose(pane.map.values.values[:, -1], expected.reshape(-1), atol=1e-5)
    assert "matters most" in user.reads("heads_said")
    pane.text.setText("")
    user.click(pane.compute)
    user.wait(lambda: "at least two tokens" in user.reads("heads_notice"))
