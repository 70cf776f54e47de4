"""A branch continues from a checkpoint of another run as if that had been stopped there and resumed, to the
last bit."""

import json
import shutil
from pathlib import Path

import pytest
from disks import contents, disk_is_full
from lessons import short_run, write_lesson
from whole_runs import DROPPING, Killed, after_step, assert_same, continue_run, journal_lines, kill, of, steps, train

from gptstudio import paths
from gptstudio.history import archives
from gptstudio.training import branching, checkpoint_files, launch, run_folder
from gptstudio.training.branching import Changes, before, find_parent
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, LearningRateChanged, Warned
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture(scope="module")
def finished(few_tokens, tmp_path_factory) -> RunFolder:
    folder = tmp_path_factory.mktemp("finished")
    spec = short_run(write_lesson(folder), config=DROPPING, steps=12, eval_freq=4, eval_iter=1, accumulation=2,
                     gradient_clip=1.0, save_every_s=None, keep_others=9)
    run = train(spec, folder / "parent", stop_at=3)
    for stop in (7, None):
        continue_run(run, stop_at=stop)
    assert len(run.checkpoints()) == 3
    return run


@pytest.fixture
def parent(finished, tmp_path) -> RunFolder:
    """A finished run of 12 steps with checkpoints at steps 3 and 7 before the last."""
    return RunFolder(shutil.copytree(finished.path, tmp_path / "parent"))


def branch(run: RunFolder, start: Path | None, *sinks, **changes) -> tuple[Ended, RunFolder]:
    made: list[RunFolder] = []
    ended = launch.branch(run, start, Control(), list(sinks), Changes(**changes), made=made.append)
    return ended, made[0] if made else RunFolder(Path())


@pytest.mark.parametrize(("settings", "stop"), [
    ({"schedule": "cosine", "warmup_steps": 2, "min_learning_rate": 1e-5}, 0), ({"steps": None, "epochs": 1}, 10),
    ({"freeze": ("attention",), "freeze_blocks": 1}, 6), ({"stride": 7, "batch_size": 3, "eval_freq": 1}, 6),
    ({"stride": 7, "batch_size": 3, "eval_freq": 1}, 10),
], ids=["schedule", "epochs", "frozen", "evaluated at each step", "evaluated at each step, at the end"])
def test_that_a_branch_of_any_checkpoint_equals_the_later_steps_of_its_parent(tiny_spec, tmp_path, settings, stop):
    spec = tiny_spec(**{"config": DROPPING, "steps": 12, "eval_freq": 4, "eval_iter": 1, "save_every_s": None,
                        "keep_others": 9} | settings)
    run = train(spec, tmp_path / "parent", stop_at=stop)
    checkpoint = run.newest_checkpoint()
    assert continue_run(run).outcome == "finished"
    before_it = contents(run.path)
    ended, made = branch(run, checkpoint)
    assert ended.outcome == "finished", ended.message
    assert_same(made, run)
    assert contents(run.path) == before_it
    origin = made.record().parent
    assert (origin.run, origin.created, origin.step) == ("parent", run.record().created, stop)
    assert made.record().created > run.record().created


def test_that_a_branch_that_was_only_created_is_resumed_exactly(parent):
    made = branching.make(parent, parent.checkpoints()[1])  # and its program was killed
    assert run_folder.all_runs()[0] == made
    assert continue_run(made).outcome == "finished"
    assert journal_lines(made) == journal_lines(parent)


def test_that_a_branch_killed_in_its_first_steps_keeps_its_learning_rate(parent):
    made: list[RunFolder] = []
    with pytest.raises(Killed):
        launch.branch(
            parent, parent.checkpoints()[0], Control(), [after_step(5, kill)], Changes(1e-5), made=made.append)
    assert continue_run(made[0]).outcome == "finished"
    _, whole = branch(parent, parent.checkpoints()[0], learning_rate=1e-5)
    assert journal_lines(made[0]) == journal_lines(whole)
    assert [(each.step, each.learning_rate) for each in whole.events() if isinstance(each, LearningRateChanged)] == [
        (4, 1e-5)]
    assert {step.learning_rate for step in steps(whole)[4:]} == {1e-5}
    assert steps(whole)[:4] == steps(parent)[:4]
    assert parent.checkpoints()[0].joinpath("state.json").read_bytes() != (
        whole.checkpoints()[0].joinpath("state.json").read_bytes())


def test_that_a_branch_of_the_end_needs_more_steps_and_then_equals_the_longer_run(parent, tmp_path):
    ended, _ = branch(parent, None)
    assert ended.outcome == "failed"
    assert "ask for more epochs or steps" in ended.message
    assert not list(paths.runs().glob("*"))
    ended, made = branch(parent, None, longer={"steps": 16})
    assert ended.outcome == "finished"
    assert len(steps(made)) == 16
    launch.resume(parent, Control(), [], longer={"steps": 16})
    assert journal_lines(made) == journal_lines(parent)


def test_that_a_branch_with_more_steps_of_a_cosine_schedule_reports_the_change(tiny_spec, tmp_path):
    run = train(tiny_spec(config=DROPPING, steps=6, schedule="cosine", warmup_steps=1), tmp_path / "run")
    _, made = branch(run, None, longer={"steps": 9})
    [warned] = [event.message for event in of(made, Warned)]
    assert "spans 9 steps instead of 6" in warned


def test_that_no_branch_begins_where_only_the_model_was_saved(parent):
    checkpoint = parent.checkpoints()[0]
    (checkpoint / checkpoint_files.RESUME).unlink()
    ended, _ = branch(parent, checkpoint)
    assert ended.outcome == "failed"
    assert "Only the model was saved after step 4" in ended.message
    assert before(parent, 7) is None


def test_that_nothing_is_left_of_a_branch_of_a_damaged_checkpoint(parent):
    file = parent.checkpoints()[0] / checkpoint_files.WEIGHTS
    file.write_bytes(file.read_bytes()[:-1] + b"\0")
    ended, _ = branch(parent, parent.checkpoints()[0])
    assert ended.outcome == "failed"
    assert "damaged" in ended.message
    assert not list(paths.runs().glob("*"))


def test_that_nothing_is_left_of_a_branch_that_does_not_fit_on_the_disk(parent, monkeypatch):
    for name in ("link", "copyfile"):
        monkeypatch.setattr(branching.os if name == "link" else branching.shutil, name, disk_is_full)
    ended, _ = branch(parent, None, longer={"steps": 20})
    assert ended.user_error
    assert ended.message == f"Could not write to the folder {paths.runs()}: No space left on device."
    assert list(paths.runs().iterdir()) == []


def test_that_a_branch_stopped_in_its_first_step_resumes_exactly_also_without_its_parent(parent):
    control, made, whole = Control(), [], journal_lines(parent)
    sinks = [after_step(4, lambda: shutil.rmtree(parent.path)), after_step(4, control.stop)]
    assert launch.branch(parent, parent.checkpoints()[0], control, sinks, made=made.append).outcome == "stopped"
    [child] = made
    assert find_parent(child.path.parent, child.record().parent) is None
    assert continue_run(child).outcome == "finished"
    assert journal_lines(child) == whole


def test_that_a_branch_names_its_parent_in_a_zip_too_and_finds_it_under_another_name(parent, tmp_path):
    _, child = branch(parent, parent.checkpoints()[0])
    archives.pack(child, tmp_path / "child.zip")
    there = archives.unpack(tmp_path / "child.zip", tmp_path / "there")
    assert there.record() == child.record()
    assert there.record().parent.run == "parent"
    assert journal_lines(there) == journal_lines(child)
    ended, grandchild = branch(child, child.checkpoints()[0])
    assert ended.outcome == "finished"
    assert grandchild.record().parent.run == child.name
    assert grandchild.record().title.count("from step") == 1
    assert journal_lines(grandchild) == journal_lines(parent)
    origin = child.record().parent
    assert find_parent(child.path.parent, origin) is None
    for folder in (paths.runs() / "parent", paths.runs() / "renamed"):
        parent = RunFolder(Path(shutil.move(parent.path, folder)))
        assert find_parent(child.path.parent, origin) == parent
    (parent.path / "run.json").write_text("{")
    assert find_parent(child.path.parent, origin) is None


def test_that_the_last_checkpoint_before_a_step_is_found(parent):
    first, second, last = parent.checkpoints()
    assert [before(parent, step) for step in (3, 4, 7, 8, 99)] == [None, first, first, second, last]


@pytest.mark.parametrize("value", [
    None, 7, "run", [], {}, {"run": "x"}, {"run": "../x", "created": "2026-01-01T00:00:00Z", "step": 1},
    {"run": "x", "created": "2026-01-01T00:00:00Z", "step": -1}, {"run": "x" * 10_000, "created": 0, "step": 1},
    {"run": "x", "created": "2026-01-01T00:00:00Z", "step": 10**30}, {"run": "x", "created": 1e300, "step": 1},
    {"run": "x", "title": "y" * 10**6, "created": "2026-01-01T00:00:00Z", "step": 1},
], ids=range(12))
def test_that_a_run_opens_with_any_record_of_its_parent(finished, tmp_path, value):
    values = json.loads((finished.path / "run.json").read_text())
    assert "parent" not in values
    values.pop("sha256")
    (tmp_path / "run.json").write_text(json.dumps(values | {"parent": value}))
    assert RunFolder(tmp_path).record().parent is None
