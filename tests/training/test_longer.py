"""A finished run that is trained longer equals the run that had that length from the start, to the last bit."""

import pytest
from disks import contents
from lessons import short_run, write_lesson
from whole_runs import (
    DROPPING,
    Killed,
    assert_same,
    continue_run,
    equal,
    journal_lines,
    kill,
    of,
    steps,
    train,
    weights,
)

from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import CopiesFound, Ended, RunStarted, SampleWritten, Warned, from_json, to_json
from gptstudio.training.launch import resume
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.schedule import learning_rate

pytestmark = pytest.mark.usefixtures("few_tokens")


def lengthen(run: RunFolder, **longer: int) -> Ended:
    return resume(run, Control(), [], longer=longer)


@pytest.mark.parametrize("asked", [{"epochs": 2}, {"steps": 17}])
def test_that_a_run_trained_longer_equals_the_longer_run(tiny_spec, tmp_path, asked):
    spec = tiny_spec(config=DROPPING, steps=None, epochs=1, eval_freq=4, eval_iter=1, accumulation=2, gradient_clip=1.0)
    whole = train(spec.but(**asked), tmp_path / "whole")
    run = train(spec, tmp_path / "longer")
    assert lengthen(run, **asked).outcome == "finished"
    assert_same(run, whole)
    assert run.record().spec == whole.record().spec


def test_that_a_run_ended_within_an_epoch_keeps_its_sample_and_otherwise_equals_the_longer(tiny_spec, tmp_path):
    spec = tiny_spec(config=DROPPING, steps=7, eval_freq=4, eval_iter=1)
    whole, run = train(spec.but(steps=15), tmp_path / "whole"), train(spec, tmp_path / "longer")
    assert lengthen(run, steps=15).outcome == "finished"
    own = [event for event in map(from_json, journal_lines(run)) if to_json(event) not in journal_lines(whole)]
    assert [(type(each), each.step) for each in own] == [(SampleWritten, 6), (CopiesFound, 6)]
    assert [each for each in journal_lines(run) if from_json(each) not in own] == journal_lines(whole)
    assert equal(weights(run), weights(whole))


def test_that_a_run_trained_longer_can_be_stopped_and_resumed_and_trained_longer_still(tmp_path):
    spec = short_run(
        write_lesson(tmp_path, 12), config=DROPPING, steps=None, epochs=1, eval_freq=4, eval_iter=1, train_ratio=0.8)
    whole, run = train(spec.but(epochs=3), tmp_path / "whole"), train(spec, tmp_path / "longer", stop_at=3)
    assert lengthen(run, epochs=2).outcome == "finished"
    assert continue_run(run).outcome == "failed"
    control = Control()
    assert resume(run, control, [lambda event: control.stop()], longer={"epochs": 3}).outcome == "stopped"
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole)


def test_that_a_cosine_schedule_reports_its_change_and_continues_as_that_of_the_longer_run(tiny_spec, tmp_path):
    spec = tiny_spec(
        config=DROPPING, steps=10, eval_freq=100, schedule="cosine", warmup_steps=2, min_learning_rate=1e-4)
    run = train(spec, tmp_path / "run")
    assert lengthen(run, steps=20).outcome == "finished"
    [warned] = [event.message for event in of(run, Warned)]
    next_rate = learning_rate(spec, 10, 20)
    assert "spans 20 steps instead of 10" in warned
    assert f"was 0.0001, and continues at {next_rate:.3g} from step 11 on" in warned
    assert [event.learning_rate for event in steps(run)][10:] == [learning_rate(spec, n, 20) for n in range(10, 20)]
    constant = tiny_spec(config=DROPPING, steps=10, eval_freq=100)
    assert not [event for event in train(constant, tmp_path / "constant").events() if isinstance(event, Warned)]


def test_that_a_run_is_not_made_shorter_and_nothing_of_it_changes(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=10), tmp_path / "run")
    before = contents(run.path)
    for less in (10, 3):
        ended = lengthen(run, steps=less)
        assert ended.outcome == "failed"
        assert "already has 10 steps in all" in ended.message
        assert contents(run.path) == before


def test_that_a_run_killed_as_it_is_trained_longer_continues_to_the_longer_end(tiny_spec, tmp_path, monkeypatch):
    spec = tiny_spec(config=DROPPING, steps=None, epochs=1)
    whole, run = train(spec.but(epochs=2), tmp_path / "whole"), train(spec, tmp_path / "run")
    with monkeypatch.context() as broken:
        broken.setattr(launch.journal, "truncate", kill)
        with pytest.raises(Killed):
            lengthen(run, epochs=2)
    assert continue_run(run).outcome == "finished"
    assert journal_lines(run) == journal_lines(whole)


def test_that_the_folder_of_a_run_trained_longer_is_made_again_with_its_new_settings(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=4, save_every_s=None), tmp_path / "run")

    def delete(event: object) -> None:
        if isinstance(event, RunStarted):
            (run.path / "run.json").unlink()

    assert resume(run, Control(), [delete], longer={"steps": 8}).outcome == "finished"
    assert run.record().spec.steps == 8
