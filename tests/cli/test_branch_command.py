"""``train --branch``: a separate run that continues from a checkpoint of another one; ``runs`` names the parent."""

import json

import pytest
from command_line import LESSON
from lessons import losses

from gptstudio.training.run_folder import RunFolder, all_runs


@pytest.fixture
def finished(cli, home) -> RunFolder:
    """A finished run of 4 steps."""
    assert cli("train", "--text", "story", *LESSON, "--steps", "4").code == 0
    [run] = all_runs()
    return run


def test_that_a_branch_continues_from_a_checkpoint_with_more_steps_and_another_rate_and_no_other_setting(
    cli, finished, refused
):
    original = "--branch continues from a run with its original settings."
    for *more, words in (
        ("--batch-size", "1", original), ("--emb-dim", "32", original), ("--preset", "book", original),
        ("--run", "elsewhere", original), ("--resume", "it", original),
        ("--learning-rate", "100", "learning_rate is 100"),
    ):
        assert words in refused("train", "--branch", finished.name, "--steps", "6", *more), more
    for steps in ((), ("--steps", "3")):
        words = f"after step 4, and the new run would have {steps[-1] if steps else 4} steps in all."
        assert words in refused("train", "--branch", finished.name, *steps)
    assert all_runs() == [finished]
    result = cli("train", "--branch", finished.newest_checkpoint(), "--steps", "6", "--learning-rate", "0.0001")
    assert (result.code, result.err) == (0, "")
    assert f"Branching off {finished.name}." in result.out
    made, parent = all_runs()
    assert parent == finished
    assert losses(made)[:4] == losses(finished)
    assert (len(losses(finished)), len(losses(made))) == (4, 6)


def test_that_the_runs_are_listed_with_the_parent_of_a_branch(cli, finished):
    result = cli("train", "--branch", finished.name, "--steps", "5", "--json")
    assert result.code == 0
    started = json.loads(result.out.splitlines()[0])
    made, _ = all_runs()
    assert (started["event"], started["first_step"], started["run"]) == ("run_started", 4, str(made.path))
    listed = {each["name"]: each["parent"] for each in map(json.loads, cli("runs", "--json").out.splitlines())}
    assert listed == {finished.name: None, made.name: {"run": finished.name, "title": "", "step": 3}}
    assert f"from {finished.name}, step 4" in " ".join(cli("runs").out.split())
