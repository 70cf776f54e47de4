"""``train --resume``: a run goes on from its last checkpoint, or from the one that is named."""

import pytest
from command_line import LESSON, SHORT

from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import Event, RunStarted, StepDone
from gptstudio.training.run_folder import RunFolder, all_runs
from gptstudio.training.spec import TrainSpec


def losses(run: RunFolder) -> list[float]:
    return [event.loss for event in run.events() if isinstance(event, StepDone)]


@pytest.fixture
def stopped(say, tmp_path) -> RunFolder:
    """A run of 8 steps that was stopped after the fourth."""
    say("train", "--text", "story", *LESSON, "--steps", "8", "--keep-others", "5")
    [whole] = all_runs()
    control = Control()

    def stop(event: Event) -> None:
        if isinstance(event, StepDone) and event.step == 3:
            control.stop()

    spec: TrainSpec = whole.record().spec
    assert launch.launch(spec, control, [stop], tmp_path / "stopped").outcome == "stopped"
    return RunFolder(tmp_path / "stopped")


def test_that_a_run_goes_on_by_its_name_or_folder_to_the_same_end(say, stopped):
    [whole] = all_runs()
    said = say("train", "--resume", stopped.path)
    assert (said.code, said.err) == (0, "")
    assert "Continuing stopped." in said.out
    assert losses(stopped) == losses(whole)
    assert len(losses(whole)) == 8


def test_that_a_run_goes_on_from_the_checkpoint_that_is_named(say, stopped):
    assert say("train", "--resume", stopped.newest_checkpoint()).code == 0
    assert len(losses(stopped)) == 8
    assert [path.name for path in stopped.checkpoints()][-1] == "step-000007"


@pytest.mark.parametrize(
    "more", [("--batch-size", "1"), ("--emb-dim", "32"), ("--preset", "book"), ("--run", "elsewhere")])
def test_that_a_run_that_goes_on_takes_no_other_setting(say, stopped, more):
    said = say("train", "--resume", stopped.path, *more)
    assert said.code != 0
    assert "--resume continues a run with its original settings." in said.err
    assert len(losses(stopped)) == 4


def test_that_a_run_that_is_not_there_or_has_ended_is_told_in_one_line(say, home):
    assert say("train", *SHORT).code == 0
    [run] = all_runs()
    for name, words in ((run.name, "has completed all its steps"), ("nothing", "There is no run 'nothing'")):
        said = say("train", "--resume", name)
        assert said.code != 0
        assert words in said.err
        assert said.err.count("\n") == 1


def test_that_a_finished_run_is_trained_longer_by_more_steps_or_epochs(say, lesson):
    assert say("train", "--text", lesson, *LESSON, "--steps", "4").code == 0
    [run] = all_runs()
    said = say("train", "--resume", run.name, "--steps", "6")
    assert (said.code, said.err) == (0, "")
    assert len(losses(run)) == 6
    assert run.record().spec.steps == 6
    assert say("train", "--resume", run.name, "--epochs", "2").code == 0
    assert run.record().spec.steps is None
    assert len(losses(run)) == [event for event in run.events() if isinstance(event, RunStarted)][-1].total_steps > 6
    for less in ("--epochs", "1"), ("--steps", "6"):
        said = say("train", "--resume", run.name, *less)
        assert said.code == 2
        assert "To train it longer, ask for more epochs or steps." in said.err
