"""The words of a run whose loss is no number any more: why, the likeliest cause first, and what is left. That it ends
there, and keeps what it had, is tried in ``tests/faults``."""

import pytest
from messages import message
from whole_runs import breaks

NAN = float("nan")


RATE, CLIP = "a learning rate of", "no gradient clipping (try a gradient clip of 1)"
WARM_UP = "the full learning rate from the first step (try the cosine schedule, which has a warm-up)"


@pytest.mark.parametrize(
    ("changes", "likely", "not_possible"),
    [
        ({"learning_rate": 1e-2}, [RATE + " 0.01, where 0.001 is already high (try 0.001)", CLIP, WARM_UP], ["bf16"]),
        ({"learning_rate": 1e-2, "gradient_clip": 1.0}, [RATE, WARM_UP], [CLIP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 5}, [RATE, CLIP], [WARM_UP]),
        ({"learning_rate": 1e-2, "schedule": "cosine", "warmup_steps": 0}, [RATE, CLIP, WARM_UP], []),
        ({"learning_rate": 3e-4}, [CLIP, WARM_UP, RATE + " 0.0003 that is too high for this model (try 3e-05)"], []),
        ({"precision": "bf16"}, [RATE, CLIP, WARM_UP, "sums rounded in bf16 (try fp32)"], []),
    ],
    ids=["rate", "clipped", "warmed up", "cold cosine", "low rate", "bf16"],
)
def test_that_the_causes_are_those_that_the_run_could_have_the_likeliest_first(
    study, monkeypatch, changes, likely, not_possible
):
    breaks(monkeypatch, 2, NAN)
    words = study(**changes).ended.message
    places = [words.index(cause) for cause in likely]
    assert places == sorted(places)
    assert not any(cause in words for cause in not_possible)
    assert words.index("Possible causes, the most likely first: ") < places[0]


def test_that_a_run_without_a_checkpoint_says_so_when_it_diverges(study, monkeypatch):
    breaks(monkeypatch, 4, NAN)
    run = study()
    assert message("no_checkpoint_had_been_saved_yet") in run.ended.message
    assert run.folder.checkpoints() == []
