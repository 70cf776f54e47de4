"""Runs that earlier versions saved can be opened; those of newer versions are reported as such."""

import json
import shutil
from pathlib import Path

import pytest
from disks import contents
from safetensors.torch import save_file
from whole_runs import continue_run, equal, seal, train, weights

from gptstudio import devices, files, paths
from gptstudio.data import texts
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.history.summary import Summaries
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, file_format, model_source
from gptstudio.training.run_folder import RunFolder, all_runs, find

pytestmark = pytest.mark.usefixtures("few_tokens")

CONFIG = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)

# As the first version wrote them, word for word.

WRITTEN = Path(__file__).parents[1] / "formats"
RUN_1, STATE_1 = ((WRITTEN / f"{kind}-1.json").read_text(encoding="utf-8") for kind in ("run", "checkpoint"))
JOURNAL_1 = """\
{"event":"run_started","run":"/home/ada/run","device":"AMD EPYC","dtype":"bf16","path":"fast","parameters":1611744,\
"total_steps":30,"steps_per_epoch":12,"tokens_per_step":32,"first_step":0}
{"event":"phase_changed","phase":"training"}
{"event":"step_done","step":0,"epoch":1,"loss":11.060093879699707,"learning_rate":0.0004,"gradient_norm":1.06156,\
"tokens_seen":32,"elapsed_s":0.14131817500128818}
{"event":"evaluated","step":0,"tokens_seen":32,"train_loss":10.990503692626953,"val_loss":11.065553665161133}
{"event":"memory_read","used_bytes":420687872,"peak_bytes":420458496,"total_bytes":25276510208}
{"event":"step_done","step":1,"epoch":1,"loss":10.981549263000488,"learning_rate":0.0004,"gradient_norm":1.06181,\
"tokens_seen":64,"elapsed_s":0.2919616880008107}
{"event":"step_done","step":2,"epoch":1,"loss":10.962596893310547,"learning_rate":0.0004,"gradient_norm":1.10720,\
"tokens_seen":96,"elapsed_s":0.3310372780015314}
{"event":"checkpoint_saved","step":2,"path":"/home/ada/run/checkpoints/step-000002","val_loss":11.065553665161133}
{"event":"ended","outcome":"stopped","words":"Stopped.","details":"","user_error":false}
"""


@pytest.fixture
def model() -> GPTModel:
    with RandomStream(5).active():
        return build_model(CONFIG, "fast").eval()


@pytest.fixture
def run_1(home, model) -> RunFolder:
    """A run of format 1 among the user's runs."""
    run = RunFolder(home / "runs" / "2026-11-20_100145_own")
    folder = run.checkpoint_folder / "step-000002"
    folder.mkdir(parents=True)
    story = texts.locate(texts.STORY)
    assert story
    (run.path / "run.json").write_text(RUN_1.replace("0" * 64, files.sha256(story)))
    run.journal_path.write_text(JOURNAL_1)
    save_file(model.state_dict(), folder / "model.safetensors")
    (folder / "state.json").write_text(STATE_1)
    seal(folder)
    return run


def test_that_a_run_of_the_first_format_opens_with_its_settings_is_listed_and_generates(run_1, model):
    record = run_1.record()
    assert record.format == file_format.FORMAT
    assert record.title == ""
    assert record.spec.config == CONFIG
    assert record.spec.text == ("story",)
    assert (record.spec.steps, record.spec.learning_rate, record.spec.batch_size) == (30, 4e-4, 2)
    assert (record.spec.accumulation, record.spec.schedule, record.spec.beta1, record.spec.beta2) == (
        1, "constant", 0.9, 0.999  # as that version trained, with any later defaults
    )
    assert (record.spec.save_every_s, record.spec.save_every_epochs, record.spec.keep_others) == (30, None, 0)
    assert record.text_name == "The Late Bell"
    assert [run.path for run in all_runs()] == [run_1.path]
    assert find(run_1.name) == run_1
    summary = Summaries(paths.summaries()).of(run_1)
    figures = summary.figures
    assert (figures.steps, summary.state) == (3, "stopped")
    assert (figures.train_loss, figures.val_loss) == (10.990503692626953, 11.065553665161133)
    assert len(list(run_1.events())) == len(JOURNAL_1.splitlines())
    found = model_source.resolve(run_1.name)
    loaded = model_source.load(found, devices.cpu())
    assert equal(loaded.state_dict(), model.state_dict())
    assert greedy(loaded, [1, 2, 3], 5) == greedy(model, [1, 2, 3], 5)


def test_that_a_run_of_the_first_format_does_not_continue_and_says_why(run_1):
    before = contents(run_1.path)
    ended = continue_run(run_1)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert "contains a model but no optimizer state." in ended.message
    assert contents(run_1.path) == before
    assert len(run_1.checkpoints()) == 1


def test_that_a_run_of_the_first_format_can_be_given_a_title(run_1):
    run_1.rename("  my first\nrun ")
    assert run_1.record().title == "my first run"
    assert json.loads((run_1.path / "run.json").read_bytes())["format"] == file_format.FORMAT
    assert run_1.record().spec.steps == 30


# Newer versions


def of_the_future(file: Path) -> None:
    values = json.loads(file.read_bytes())
    file.write_text(json.dumps(values | {"format": file_format.FORMAT + 1, "optimizer": {"name": "muon"}}))


def test_that_a_newer_run_or_checkpoint_is_refused_with_a_message_and_left_alone(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=30, save_every_epochs=1, keep_others=3), tmp_path / "run", stop_at=17)
    earlier, newest = run.checkpoints()
    file, version = run.path / "run.json", file_format.FORMAT + 1
    record = file.read_bytes()
    of_the_future(file)
    words = rf"run.json was saved by a newer version of GPT Studio \(format {version}\). Update GPT Studio"
    with pytest.raises(UserError, match=words):
        run.record()
    with pytest.raises(UserError, match=words):
        run.rename("mine")
    ended = continue_run(run)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert "newer version of GPT Studio" in ended.message
    file.write_bytes(record)
    of_the_future(newest / "state.json")
    seal(newest)
    with pytest.raises(UserError, match=r"state\.json was saved by a newer version of GPT Studio"):
        checkpoint.load(newest)
    ended = continue_run(run)
    assert ended.user_error
    assert "newer version of GPT Studio" in ended.message
    assert run.checkpoints() == [earlier, newest]
    assert continue_run(run, start=earlier).outcome == "finished"


def test_that_new_files_have_the_newest_format_and_a_record_without_one_is_no_run(tiny_spec, tmp_path):
    run = train(tiny_spec(steps=2), tmp_path / "run")
    for file in (run.path / "run.json", run.newest_checkpoint() / "state.json"):
        assert json.loads(file.read_bytes())["format"] == file_format.FORMAT == 2
    values = json.loads((run.path / "run.json").read_bytes())
    del values["sha256"]  # as written by another program
    for version in (None, 0, -1, "2", 1.5, []):
        (run.path / "run.json").write_text(json.dumps(values | {"format": version}))
        with pytest.raises(UserError, match=r"is not a run folder: its run\.json cannot be read\."):
            run.record()


def test_that_a_run_opens_wherever_it_is_moved(tiny_spec, tmp_path):
    run = train(tiny_spec(), tmp_path / "here", stop_at=5)
    there = RunFolder(Path(shutil.move(run.path, tmp_path / "there")))
    assert continue_run(there).outcome == "finished"
    assert equal(weights(there), weights(train(tiny_spec(), tmp_path / "never moved")))
