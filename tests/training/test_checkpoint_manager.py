"""The checkpoints that a run saves, and those that it keeps."""

import shutil
import threading
from types import SimpleNamespace

import pytest
from lessons import TINY
from messages import message
from whole_runs import (
    DROPPING,
    PAUSED,
    Killed,
    Steered,
    after_step,
    assert_same,
    breaks,
    continue_run,
    equal,
    journal_lines,
    kill,
    train,
    weights,
)

from gptstudio import files
from gptstudio.app.shown_run import continuation_of_interrupted
from gptstudio.gpt.config import PRESETS
from gptstudio.history import run_history
from gptstudio.training import checkpoint, checkpoint_files, checkpoint_manager, kept_checkpoints, launch, trainer
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.events import CheckpointSaved, Ended, Evaluated, PhaseChanged, StepDone, Warned
from gptstudio.training.run_folder import RunFolder, step_of

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the run advances."""
    made = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(checkpoint_manager, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def advance(clock, seconds: int):
    """Return a sink that advances the clock at each step."""

    def sink(event) -> None:
        clock.now += seconds * isinstance(event, StepDone)

    return sink


@pytest.fixture
def ten_seconds_a_step(clock):
    return advance(clock, 10)


@pytest.fixture
def a_second_a_step(clock):
    return advance(clock, 1)


def saved(run) -> list[int]:
    return [event.step for event in run.of(CheckpointSaved)]


def kept(run) -> list[int]:
    return [step_of(path) for path in run.folder.checkpoints()]


NAN, INF = float("nan"), float("inf")


# When checkpoints are saved


@pytest.mark.parametrize(
    ("every", "expected"), [(10, list(range(12))), (30, [2, 5, 8, 11]), (45, [4, 9, 11]), (1000, [11]), (None, [11])]
)
def test_that_a_checkpoint_is_saved_after_the_chosen_seconds_and_at_the_end(study, ten_seconds_a_step, every, expected):
    assert saved(study(sinks=[ten_seconds_a_step], save_every_s=every, eval_freq=100)) == expected


def test_that_checkpoints_are_saved_after_the_chosen_epochs_and_at_the_end_and_change_nothing_else(study):
    journals = []
    for every, epochs in ((1, [1, 2, 3]), (2, [2, 3]), (7, [3])):
        run = study(f"every {every}", steps=None, epochs=3, save_every_s=None, save_every_epochs=every, eval_freq=100,
                    keep_others=5)
        assert saved(run) == [12 * epoch - 1 for epoch in epochs]
        reported = [event for event in run.events if isinstance(event, (PhaseChanged, CheckpointSaved))]
        for before, event, after in zip(reported, reported[1:], reported[2:], strict=False):
            if isinstance(event, CheckpointSaved):
                assert [before, after] == [PhaseChanged(phase=name) for name in ("saving", "training")]
        sizes = {step_of(path): sum(file.stat().st_size for file in path.iterdir())
                 for path in run.folder.checkpoints()}
        assert {event.step: event.bytes for event in run.of(CheckpointSaved)} == sizes, "as on the disk"
        needed = checkpoint_files.needed_bytes(run.folder.record().spec)
        assert needed == pytest.approx(max(sizes.values()), rel=0.01)
        journals.append(journal_lines(run.folder))
    assert journals == [journals[0]] * 3


def test_that_a_slow_disk_is_written_to_less_often(study, clock, ten_seconds_a_step, monkeypatch):
    """Each save takes 6 seconds, and may take a tenth of the time: once a minute."""
    write = checkpoint.write

    def slowly(*what):
        clock.now += 6
        return write(*what)

    monkeypatch.setattr(checkpoint, "write", slowly)
    assert saved(study(steps=20, sinks=[ten_seconds_a_step], save_every_s=10, eval_freq=100)) == [0, 6, 12, 18, 19]


def test_that_seconds_and_epochs_can_be_combined(study, ten_seconds_a_step):
    run = study(steps=30, sinks=[ten_seconds_a_step], save_every_s=80, save_every_epochs=1, eval_freq=100)
    assert saved(run) == [7, 11, 19, 23, 29]


def test_that_a_run_that_continues_saves_at_the_same_epochs(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=40, eval_freq=100, save_every_epochs=2, keep_others=9), tmp_path / "run", stop_at=14)
    assert continue_run(run).outcome == "finished"
    assert [step_of(path) for path in run.checkpoints()] == [14, 23, 39]


@pytest.fixture
def scripted(monkeypatch):
    """Return a function that makes evaluations return the given validation losses."""

    def script(losses: list[float]) -> None:
        following = iter(losses)
        monkeypatch.setattr(trainer, "evaluate", lambda state, limit, control: (1.0, next(following)))

    return script


LOSSES = [5, 4, 3, 2.5, 2.4, 3, 2.3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("every", "expected"), [(1000, [1, 2, 3, 4, 6, 11]), (50, [1, 2, 3, 4, 6, 11]), (None, [11, 6])]
)
def test_that_each_lowest_validation_loss_is_saved_at_once(study, scripted, ten_seconds_a_step, every, expected):
    scripted(LOSSES)
    run = study(eval_freq=1, sinks=[ten_seconds_a_step], save_every_s=every)
    assert saved(run) == expected
    assert kept(run) == [6, 11]


def test_that_lowest_losses_in_quick_succession_are_not_all_saved(study, scripted, clock):
    """A step takes 4 s, and at least 10 s are between two checkpoints."""
    scripted([12 - step for step in range(12)])
    assert saved(study(eval_freq=1, sinks=[advance(clock, 4)], save_every_s=1000)) == [2, 5, 8, 11]


def test_that_a_run_that_continues_knows_its_lowest_loss(tiny_spec, tmp_path, scripted, ten_seconds_a_step):
    scripted([5, 4, 3, 6, 3.5, 2, 7, 7, 7, 7, 7, 7])
    run, control = RunFolder(tmp_path / "run"), Control()
    launch.launch(
        tiny_spec(eval_freq=1, save_every_s=1000), control, [ten_seconds_a_step, after_step(3, control.stop)], run.path
    )
    again: list = []
    launch.resume(run, Control(), [again.append, ten_seconds_a_step])
    assert [event.step for event in again if isinstance(event, CheckpointSaved)] == [5, 11]


# The best model


OVERFITTING = [9, 5, 4, 3, 2, 3, 4, 5, 6, 7, 8, 9]
"""The lowest, of step 4, comes 1 s after the checkpoint of step 3 where one is saved every 4 s."""


def best_of(run: RunFolder) -> int:
    best = kept_checkpoints.best_of(run)
    assert best
    assert checkpoint_files.read_state(best).val_loss == min(OVERFITTING)
    return step_of(best)


def test_that_the_best_checkpoint_is_that_of_the_best_evaluation(
    tiny_spec, tmp_path, study, scripted, a_second_a_step
):
    scripted(OVERFITTING)
    run = study(eval_freq=1, sinks=[a_second_a_step], save_every_s=4)
    assert saved(run) == [3, 7, 4, 11], "at the next checkpoint, which does not have it"
    assert [event.step for event in run.of(CheckpointSaved) if event.best] == [3, 4]
    assert [event.step for event in run.of(CheckpointSaved) if event.model_only] == [4]
    assert best_of(run.folder) == 4
    assert kept(run) == [4, 11]
    scripted([1.0] * 12)
    best = checkpoint.load(run.folder.checkpoints()[0]).state_dict()
    assert equal(best, weights(train(tiny_spec(), tmp_path / "whole", stop_at=4)))


def test_that_a_stopped_run_keeps_its_best_and_continues_from_its_last(
    tiny_spec, tmp_path, scripted, a_second_a_step
):
    scripted(OVERFITTING * 2)
    whole = RunFolder(tmp_path / "whole")
    spec = tiny_spec(eval_freq=1, save_every_s=1000)
    launch.launch(spec, Control(), [a_second_a_step], whole.path)
    scripted(OVERFITTING)
    run, control, events = RunFolder(tmp_path / "run"), Control(), []
    launch.launch(spec, control, [a_second_a_step, after_step(5, control.stop), events.append], run.path)
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [5, 4]
    assert best_of(run) == 4
    assert continue_run(run).outcome == "finished"
    assert [step_of(path) for path in run.checkpoints()] == [4, 11]
    assert best_of(run) == 4
    assert [each.step for each in run_history.read(run.journal_path).checkpoints] == [4, 5, 11]
    assert_same(run, whole)


@pytest.mark.parametrize("resumable", [[3], []], ids=["after a checkpoint", "without one"])
def test_that_a_run_that_diverges_keeps_its_best_and_continues_from_its_last_complete_one(
    tiny_spec, tmp_path, monkeypatch, scripted, a_second_a_step, resumable
):
    spec = tiny_spec(eval_freq=1, save_every_s=4 if resumable else 1000)
    scripted(OVERFITTING)
    whole = train(spec, tmp_path / "whole")
    scripted(OVERFITTING)
    run = RunFolder(tmp_path / "run")
    with monkeypatch.context() as broken:
        breaks(broken, 5, NAN)
        ended = launch.launch(spec, Control(), [a_second_a_step], run.path)
    assert ended.error == "Diverged"
    assert best_of(run) == 4
    assert [step_of(path) for path in run.resumable()] == resumable
    assert message("checkpoint_is_kept" if resumable else "only_model_is_kept") in ended.message
    scripted(OVERFITTING[4:])
    again = continue_run(run)
    if not resumable:
        assert message("holds_model_optimizer") in again.message
        return
    assert again.outcome == "finished"
    assert journal_lines(run) == journal_lines(whole)
    assert best_of(run) == 4
    assert equal(weights(run), weights(whole))


def test_that_a_run_that_fails_keeps_its_best(study, monkeypatch, scripted, a_second_a_step):
    scripted(OVERFITTING[:5])  # the next evaluation fails
    run = study(eval_freq=1, sinks=[a_second_a_step], save_every_s=1000)
    assert run.ended.outcome == "failed"
    assert kept(run) == [best_of(run.folder)] == [4]


def test_that_a_long_pause_saves_the_best(tiny_spec, tmp_path, monkeypatch, scripted):
    monkeypatch.setattr(checkpoint_manager, "BEST_EVERY_S", 0.01)
    scripted([5, 4, 3])
    spec = tiny_spec(steps=3, eval_freq=1, save_every_s=1000)
    monkeypatch.setattr(CheckpointManager, "due", lambda *_, **__: False)
    steered = Steered(spec, tmp_path / "run")
    steered.control.step()
    with steered:
        steered.until_paused()
        steered.control.step()
        steered.until(lambda events: any(isinstance(event, CheckpointSaved) for event in events))
        assert [(event.step, event.model_only) for event in steered.of(CheckpointSaved)] == [(1, True)]
        steered.control.resume()
        steered.until(lambda events: isinstance(events[-1], Ended))
    assert [step_of(path) for path in steered.run.checkpoints()] == [2]


def test_that_a_run_stopped_in_a_long_pause_can_continue_from_there(tiny_spec, tmp_path, monkeypatch, scripted):
    monkeypatch.setattr(checkpoint_manager, "BEST_EVERY_S", 0.01)
    monkeypatch.setattr(CheckpointManager, "due", lambda *_, **__: False)
    scripted([5, 4, 3])
    steered = Steered(tiny_spec(steps=3, eval_freq=1, save_every_s=1000), tmp_path / "run")
    steered.control.step()
    with steered:
        steered.until_paused()
        steered.control.step()
        steered.until(lambda events: any(isinstance(event, CheckpointSaved) for event in events))
    assert [(event.step, event.model_only) for event in steered.of(CheckpointSaved)] == [(1, True), (1, False)]
    assert steered.run.full_checkpoints() == steered.run.checkpoints()
    assert not steered.run.temp_files()
    assert continue_run(steered.run).outcome == "finished"
    assert [event.step for event in steered.run.events() if isinstance(event, StepDone)] == [0, 1, 2]


def refuse_once(monkeypatch, refused) -> list[int]:
    """Let the disk be full for the first checkpoint whose state is ``refused``; return the list of its step."""
    real, failed = checkpoint.write, []

    def write(written, folder, state, *more, **named):
        if refused(state) and not failed:
            failed.append(state.step)
            raise OSError(28, "No space left on device", str(folder))
        return real(written, folder, state, *more, **named)

    monkeypatch.setattr(checkpoint, "write", write)
    return failed


def test_that_a_best_copy_that_cannot_be_saved_is_reported_and_kept_for_the_next_time(
    study, monkeypatch, scripted, a_second_a_step
):
    scripted(OVERFITTING)
    refuse_once(monkeypatch, lambda state: state.best_alone)
    run = study(eval_freq=1, sinks=[a_second_a_step], save_every_s=4)
    [warned] = run.of(Warned)
    assert message("best_was_not_saved") in warned.message
    assert saved(run) == [3, 7, 11, 4]
    assert kept(run) == [4, 11]


# The checkpoints that are kept



@pytest.mark.parametrize(
    ("losses", "others", "expected", "best"),
    [
        ([5, 4, 3, 2, 1, 0.5], 0, [5], [0, 1, 2, 3, 4, 5]),
        ([5, 3, 4, 6, 7, 8], 0, [1, 5], [0, 1]),
        ([5, 3, 4, 3, 7, 8], 0, [1, 5], [0, 1]),
        ([5, 3, 4, 6, 7, 8], 2, [1, 3, 4, 5], [0, 1]),
        ([5, 3, 4, 6, 7, 8], 99, [0, 1, 2, 3, 4, 5], [0, 1]),
        ([NAN, 3, NAN, 2.5, INF, NAN], 0, [3, 5], [1, 3]),
        ([NAN] * 6, 0, [5], []),
        ([INF] * 6, 1, [0, 4, 5], [0]),
    ],
    ids=["falling", "rising", "tie", "others", "all", "some undefined", "undefined", "infinite"],
)
def test_that_the_last_the_best_and_the_chosen_number_of_others_are_kept(
    study, scripted, ten_seconds_a_step, losses, others, expected, best
):
    scripted(losses)
    run = study(steps=6, eval_freq=1, save_every_s=1, keep_others=others, sinks=[ten_seconds_a_step])
    assert saved(run) == [0, 1, 2, 3, 4, 5]
    assert [event.step for event in run.of(CheckpointSaved) if event.best] == best
    assert kept(run) == expected
    assert all(checkpoint.load(path) for path in run.folder.checkpoints())


def test_that_a_damaged_checkpoint_is_not_the_best(study, scripted, ten_seconds_a_step):
    scripted([1, 3, 4])

    def damage(event) -> None:
        if isinstance(event, CheckpointSaved) and event.step == 0:
            (checkpoint.Path(event.path) / checkpoint.STATE).write_bytes(b"{}")

    run = study(steps=3, eval_freq=1, save_every_s=1, sinks=[damage, ten_seconds_a_step])
    assert [event.step for event in run.of(CheckpointSaved) if event.best] == [0, 1]
    assert kept(run) == [1, 2]


def test_that_an_unmeasured_checkpoint_is_never_the_best(study):
    run = study(steps=3, eval_freq=5)
    [event] = run.of(CheckpointSaved)
    assert event.val_loss == run.of(Evaluated)[0].val_loss  # of step 0, the last that was measured
    assert event.best


# Disk space


def almost_full(monkeypatch, free: int) -> None:
    for place in (files, checkpoint):
        monkeypatch.setattr(place, "free_bytes", lambda folder: free)


def test_that_too_little_room_is_reported_before_the_first_step(study, monkeypatch):
    almost_full(monkeypatch, 30 * 2**20)
    assert not study("roomy", steps=1, config=TINY).of(Warned)
    almost_full(monkeypatch, 19 * 2**20)
    run = study("narrow", steps=1, config=TINY)
    first = next(event for event in run.events if isinstance(event, (Warned, StepDone)))
    assert isinstance(first, Warned)
    assert "A checkpoint needs 18.4 MB and 5 % in reserve, but only 19.0 MB are free" in first.message


def test_that_without_room_the_run_continues_and_keeps_the_model_alone(study, monkeypatch):
    almost_full(monkeypatch, 3 * 2**19)
    run = study(steps=None, epochs=3, save_every_epochs=1, eval_freq=100)
    assert run.ended.outcome == "finished"
    warned = [event.message for event in run.of(Warned)]
    assert [words.split(".")[0] for words in warned[1:]] == [
        "The checkpoint of step 12 was not saved", "The checkpoint of step 24 was not saved",
        "The checkpoint of step 36 was not saved", "Only the model could be saved",
    ]
    assert all("needs 2.3 MB and 5 % in reserve, but only 1.5 MB are free" in words for words in warned[1:4])
    assert not [words for words in warned[1:] if "earlier checkpoint" in words], "there is none"
    assert kept(run) == [35]
    assert continuation_of_interrupted(run.folder) is None, "what is offered must work"
    assert checkpoint.load(run.folder.newest_checkpoint())


def test_that_a_model_alone_replaces_no_checkpoint(study, monkeypatch):
    def fill(event) -> None:
        if isinstance(event, CheckpointSaved) and event.step == 11:
            almost_full(monkeypatch, 3 * 2**19)

    control = Control()
    run = study(steps=40, save_every_epochs=1, control=control, sinks=[fill, after_step(30, control.stop)])
    assert kept(run) == [11, 25, 30]  # including the best one
    monkeypatch.undo()
    assert message("holds_model_optimizer") in continue_run(run.folder).message
    offer = continuation_of_interrupted(run.folder)
    assert (offer.first_step, offer.start) == (12, run.folder.checkpoints()[0])
    assert continue_run(run.folder, start=offer.start).outcome == "finished"
    assert kept(run)[-1] == 39


# Checkpoints that are saved while the run continues


@pytest.fixture
def beside(monkeypatch):
    """Save checkpoints while the run continues, as on a GPU with room for a copy. Return an event: until it is set,
    nothing is written."""
    monkeypatch.setattr(CheckpointManager, "_has_room_for_a_copy", lambda *_: True)
    write, free = checkpoint.write, threading.Event()

    def waiting(*what):
        assert free.wait(timeout=60)
        return write(*what)

    monkeypatch.setattr(checkpoint, "write", waiting)
    return free


@pytest.mark.parametrize(("device", "free", "expected"), [
    ("cuda:0", 10 * 2**30, True), ("cuda:0", 2**20, False), ("cpu", 10 * 2**30, False), ("mps", 10 * 2**30, False),
])
def test_that_a_run_continues_while_it_is_saved_on_a_gpu_with_room_for_a_copy(
    tiny_spec, tmp_path, monkeypatch, device, free, expected
):
    run = train(tiny_spec(), tmp_path / "run", stop_at=0)
    monkeypatch.setattr(checkpoint_manager.devices, "free_bytes", lambda key: free)
    manager = CheckpointManager(tiny_spec(config=PRESETS["pocket"]), run)
    assert manager._has_room_for_a_copy(SimpleNamespace(device=device)) == expected  # noqa: SLF001


def test_that_a_checkpoint_saved_while_the_run_continues_has_the_tensors_of_its_step(tiny_spec, tmp_path, beside):
    spec = tiny_spec(steps=20, eval_freq=4, save_every_epochs=1, save_every_s=None, keep_others=5, config=DROPPING)
    run, events = RunFolder(tmp_path / "run"), []
    ended = launch.launch(spec, Control(), [events.append, after_step(15, beside.set)], run.path)
    assert ended.outcome == "finished"
    assert [event.step for event in events if isinstance(event, CheckpointSaved)] == [11, 19]
    first = next(number for number, event in enumerate(events) if isinstance(event, CheckpointSaved))
    assert max(event.step for event in events[:first] if isinstance(event, StepDone)) >= 15
    then = train(spec, tmp_path / "then", stop_at=11).newest_checkpoint()
    for name in (checkpoint.WEIGHTS, checkpoint.RESUME):
        assert files.sha256(run.checkpoints()[0] / name) == files.sha256(then / name)


@pytest.mark.parametrize("at", [11, 12])
def test_that_a_run_that_is_aborted_meanwhile_waits_for_its_checkpoint_and_continues_to_the_bit(
    tiny_spec, tmp_path, beside, at
):
    spec = tiny_spec(steps=20, eval_freq=4, save_every_epochs=1, save_every_s=None, config=DROPPING)
    run = RunFolder(tmp_path / "run")
    threading.Timer(0.5, beside.set).start()
    with pytest.raises(Killed):
        launch.launch(spec, Control(), [after_step(at + 1, kill)], run.path)
    assert [step_of(path) for path in run.checkpoints()] == [11]
    assert not run.temp_files()
    assert continue_run(run).outcome == "finished"
    assert_same(run, train(spec, tmp_path / "whole"))


@pytest.mark.parametrize("end", [False, True], ids=["pauses", "stops"])
def test_that_a_run_that_stops_or_pauses_waits_for_its_checkpoint(tiny_spec, tmp_path, beside, end):
    spec = tiny_spec(steps=20, eval_freq=100, save_every_epochs=1, save_every_s=None, keep_others=5)
    steered = Steered(spec, tmp_path / "run")
    meant = Control.stop if end else Control.pause
    with steered:
        steered.until_step(11)
        meant(steered.control)
        assert not steered.of(CheckpointSaved)
        beside.set()
        steered.until(lambda events: isinstance(events[-1], Ended) or events[-1] == PAUSED)
        assert steered.of(CheckpointSaved)
    reported = [event for event in steered.events if isinstance(event, (PhaseChanged, CheckpointSaved))]
    first = next(event for event in reported if isinstance(event, CheckpointSaved))
    assert first.step == 11
    assert PhaseChanged(phase="saving") in reported[: reported.index(first)], "so that a second signal waits too"
    last = steered.of(StepDone)[-1].step
    assert [step_of(path) for path in steered.run.checkpoints()] == sorted({11, last})


def test_that_a_failure_to_write_while_the_run_continues_is_reported_and_the_best_model_kept(
    study, monkeypatch, scripted, a_second_a_step
):
    monkeypatch.setattr(CheckpointManager, "_has_room_for_a_copy", lambda *_: True)
    scripted(OVERFITTING)
    failed = refuse_once(monkeypatch, lambda state: state.step == 4)
    run = study(eval_freq=1, sinks=[a_second_a_step], save_every_s=5)
    [warned] = run.of(Warned)
    assert warned.message.startswith("The checkpoint of step 5 was not saved.")
    assert failed == [4]
    assert best_of(run.folder) == 4


@pytest.mark.parametrize("on_gpu", [False, True])
@pytest.mark.parametrize("step", [11, 19], ids=["in the middle", "at the end"])
def test_that_a_folder_deleted_before_its_checkpoint_is_reported_is_created_again(
    tiny_spec, tmp_path, monkeypatch, on_gpu, step
):
    monkeypatch.setattr(CheckpointManager, "_has_room_for_a_copy", lambda *_: on_gpu)
    run, real, deleted, events = RunFolder(tmp_path / "run"), checkpoint.write, [], []

    def write(written, folder, state, *more, **named):
        path = real(written, folder, state, *more, **named)
        if state.step == step and not deleted:
            deleted.append(path)
            shutil.rmtree(run.path)
        return path

    monkeypatch.setattr(checkpoint, "write", write)
    spec = tiny_spec(steps=20, save_every_epochs=1, save_every_s=None)
    ended = launch.launch(spec, Control(), [events.append], run.path)
    assert ended.outcome == "finished", ended.message
    warned = [event.message for event in events if isinstance(event, Warned)]
    assert warned[0].startswith(f"The checkpoint of step {step + 1} was not saved.")
    assert checkpoint.load(run.newest_checkpoint())
    assert run.record().spec.steps == 20
