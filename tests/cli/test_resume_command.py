"""``train --resume``: a run continues from its last checkpoint, or from the one that is named."""

import pytest
from command_line import LESSON, SHORT
from lessons import losses

from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import Event, RunStarted, StepDone
from gptstudio.training.run_folder import RunFolder, all_runs
from gptstudio.training.spec import TrainSpec


@pytest.fixture
def stopped(cli, tmp_path) -> RunFolder:
    """A run of 8 steps that was stopped after the fourth."""
    cli("train", "--text", "story", *LESSON, "--steps", "8", "--keep-others", "5")
    [whole] = all_runs()
    control = Control()

    def stop(event: Event) -> None:
        if isinstance(event, StepDone) and event.step == 3:
            control.stop()

    spec: TrainSpec = whole.record().spec
    assert launch.launch(spec, control, [stop], tmp_path / "stopped").outcome == "stopped"
    return RunFolder(tmp_path / "stopped")


def test_that_a_run_continues_to_the_same_end_and_accepts_no_other_setting(cli, stopped):
    [whole] = all_runs()
    for more in (("--batch-size", "1"), ("--emb-dim", "32"), ("--preset", "book"), ("--run", "elsewhere")):
        result = cli("train", "--resume", stopped.path, *more)
        assert result.code != 0, more
        assert "--resume continues a run with its original settings." in result.err, more
        assert len(losses(stopped)) == 4, more
    result = cli("train", "--resume", stopped.path)
    assert (result.code, result.err) == (0, "")
    assert "Continuing stopped." in result.out
    assert losses(stopped) == losses(whole)
    assert len(losses(whole)) == 8
    first, last = stopped.checkpoints()
    assert cli("train", "--resume", first).code == 0, "by the name of a checkpoint"
    assert losses(stopped) == losses(whole)
    assert [event.first_step for event in stopped.events() if isinstance(event, RunStarted)] == [0, 4]
    assert stopped.checkpoints() == [first, last]


def test_that_a_run_that_is_missing_or_has_ended_is_reported_in_one_line(cli, home):
    assert cli("train", *SHORT).code == 0
    [run] = all_runs()
    for name, words in ((run.name, "has completed all its steps"), ("nothing", "There is no run 'nothing'")):
        result = cli("train", "--resume", name)
        assert result.code != 0
        assert words in result.err
        assert result.err.count("\n") == 1


def test_that_a_finished_run_is_trained_longer_by_more_steps_or_epochs(cli, lesson, refused):
    assert cli("train", "--text", lesson, *LESSON, "--steps", "4").code == 0
    [run] = all_runs()
    result = cli("train", "--resume", run.name, "--steps", "6")
    assert (result.code, result.err) == (0, "")
    assert len(losses(run)) == 6
    assert run.record().spec.steps == 6
    assert cli("train", "--resume", run.name, "--epochs", "2").code == 0
    assert run.record().spec.steps is None
    assert len(losses(run)) == [event for event in run.events() if isinstance(event, RunStarted)][-1].total_steps > 6
    for less in ("--epochs", "1"), ("--steps", "6"):
        assert "To train it longer, ask for more epochs or steps." in refused("train", "--resume", run.name, *less)


@pytest.fixture
def typed(cli, tmp_path, monkeypatch) -> RunFolder:
    """A stopped run whose text was typed as notes.txt, in its folder; then the current folder becomes another, which
    has another text of that name."""
    for name, words in (("here", "Every effort moves you, said the owl. "), ("elsewhere", "Another text altogether. ")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text(words * 60)
    monkeypatch.chdir(tmp_path / "here")
    assert cli("train", "--text", "notes.txt", *LESSON, "--steps", "8", "--eval-freq", "2").code == 0
    monkeypatch.chdir(tmp_path / "elsewhere")
    return all_runs()[0]


def test_that_a_text_typed_without_its_folder_is_found_from_every_folder_or_reported_with_them(cli, typed, tmp_path):
    assert typed.record().spec.text == (str(tmp_path / "here" / "notes.txt"),)
    first = typed.checkpoints()[0]
    for argv in (("train", "--branch", first, "--steps", "9"), ("train", "--resume", typed.name, "--steps", "9"),
                 ("generate", "--model", typed.name, "--prompt", "Every", "--max-new-tokens", "3", "--copied")):
        result = cli(*argv)
        assert result.code == 0, (argv, result.err)
        assert "not exist" not in result.err, argv
        assert "changed" not in result.err, argv
    text = tmp_path / "here" / "notes.txt"
    text.write_text("Every effort moved you. " * 60)
    changed = cli("train", "--branch", typed.checkpoints()[0], "--steps", "10")
    text.unlink()
    gone = cli("train", "--branch", typed.checkpoints()[0], "--steps", "10")
    assert "has changed since this run started" in changed.err
    assert "does not exist" in gone.err
    looked = f"was also looked for in these folders: {tmp_path / 'here'}, {tmp_path / 'elsewhere'}"
    for result in (changed, gone):
        assert result.code != 0
        assert looked in result.err.replace("\n", " ")


def test_that_a_text_that_moved_is_found_by_its_content(cli, typed, tmp_path, home, monkeypatch):
    moved = tmp_path / "here" / "notes.txt"
    for place in (tmp_path / "elsewhere" / "renamed.txt", home / "texts" / "notes.txt", tmp_path / "shared" / "n.md"):
        place.parent.mkdir(exist_ok=True, parents=True)
        moved = moved.rename(place)
        monkeypatch.setenv("GPTSTUDIO_TEXTS", str(tmp_path / "shared"))
        result = cli("train", "--branch", typed.checkpoints()[0], "--steps", "9")
        assert (result.code, result.err) == (0, ""), place


def test_that_a_run_of_an_earlier_version_is_read_with_the_hidden_texts_of_its_folder(cli, tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("a.txt", ".b.txt"):
        (tmp_path / "folder" / name).write_text(f"Every effort moves you, said {name}. " * 60)
    every = [str(tmp_path / "folder" / name) for name in (".b.txt", "a.txt")]
    assert cli("train", "--text", every[0], "--text", every[1], *LESSON, "--steps", "4").code == 0
    [run] = all_runs()
    record = run.record()
    run.write(record.model_copy(update={"spec": record.spec.but(text=(str(tmp_path / "folder"),))}))
    assert cli("train", "--branch", run.checkpoints()[0], "--steps", "6").code == 0
