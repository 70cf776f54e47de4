"""The printed run is offered to a run of the same settings, and to no other."""

import pytest

from gptstudio.gpt.config import PRESETS
from gptstudio.history.comparison import reference_for
from gptstudio.training.spec import TrainSpec

BOOK = TrainSpec(config=PRESETS["book"])


def test_that_the_printed_run_has_the_figures_of_the_book(numbers):
    printed = numbers["training_the_verdict"]["evaluations_step_train_val"]
    assert [list(row) for row in reference_for(BOOK).evaluations] == printed
    assert "chapter 5" in reference_for(BOOK).source


@pytest.mark.parametrize("changes", [{}, {"seed": 7}, {"epochs": 1}, {"stride": 256}, {"reference": True}])
def test_that_a_run_with_the_books_settings_has_it(changes):
    assert reference_for(BOOK.but(**changes))


@pytest.mark.parametrize(
    "changes",
    [{"text": "story"}, {"text": ["verdict", "story"]}, {"learning_rate": 1e-3}, {"stride": 128}, {"batch_size": 4},
     {"schedule": "cosine"}, {"config": PRESETS["workshop"]}, {"gradient_clip": 1.0}, {"split": "documents"},
     {"init_from": "gpt2"}, {"freeze": ["norms"]}, {"freeze_blocks": 1}],
)
def test_that_another_run_has_none(changes):
    assert reference_for(BOOK.but(**changes)) is None
