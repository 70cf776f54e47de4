"""A run in a zip: it is complete on another machine, and files that only look like a run are refused. Also its figures
as a table."""

import csv
import math
import os
import shutil
import stat
import zipfile
from pathlib import Path

import pytest
import torch
from disks import contents, disk_is_full
from made_up import cancel
from messages import left_in_english, message
from whole_runs import steps

from gptstudio import files
from gptstudio.errors import UserError
from gptstudio.history import archives, run_history
from gptstudio.history.archives import HEADINGS, ArchiveError, pack, packed_size, unpack, write_csv
from gptstudio.history.run_history import History
from gptstudio.training import checkpoint, checkpoint_files
from gptstudio.training.checkpoint_files import check_sum
from gptstudio.training.control import Control, Stopped
from gptstudio.training.events import Evaluated, MemoryRead, StepDone
from gptstudio.training.launch import launch, resume
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = pytest.mark.usefixtures("few_tokens")


@pytest.fixture
def run(stopped) -> RunFolder:
    """A run that was stopped in its second epoch, with a checkpoint of the first, in a folder whose name has a
    blank."""
    return RunFolder(stopped.path.rename(stopped.path.with_name("my run")))


@pytest.fixture
def elsewhere(tmp_path) -> Path:
    """The folder of another machine's runs; not created yet."""
    return tmp_path / "elsewhere" / "runs"


# Packing and unpacking


def test_that_a_run_is_the_same_on_another_machine(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip")
    before, events = contents(run.path), list(run.events())
    run.path.rename(tmp_path / "gone")  # nothing may depend on its old path
    there = unpack(tmp_path / "run.zip", elsewhere)
    assert there.path == elsewhere / "my run"
    assert contents(there.path) == before
    assert list(there.events()) == events
    assert len(run_history.read(there.journal_path).steps) == 18
    model, old = (checkpoint.load(folder.newest_checkpoint()) for folder in (there, RunFolder(tmp_path / "gone")))
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), old.parameters(), strict=True))
    assert [path.name for path in elsewhere.iterdir()] == ["my run"]


def test_that_an_unpacked_run_continues(run, elsewhere, tmp_path, whole_run):
    pack(run, tmp_path / "run.zip")
    there = unpack(tmp_path / "run.zip", elsewhere)
    assert resume(there, Control(), []).outcome == "finished"
    assert [step.loss for step in steps(there)] == [step.loss for step in steps(whole_run(run.record().spec))]


def test_that_the_checkpoints_may_be_omitted(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip", contents="log")
    there = unpack(tmp_path / "run.zip", elsewhere)
    assert sorted(contents(there.path)) == ["journal.jsonl", "run.json"]
    assert there.checkpoints() == []
    with pytest.raises(UserError, match=message("checkpoint_yet")):
        there.newest_checkpoint()


@pytest.mark.parametrize("best", [False, True], ids=["last", "before the best model"])
def test_that_the_last_checkpoint_alone_continues_elsewhere(run, elsewhere, tmp_path, best):
    last = run.newest_checkpoint()
    if best:  # saved without its optimizer, after the last checkpoint, in a pause or when the run failed
        alone = last.with_name("step-000018")
        shutil.copytree(last, alone, ignore=shutil.ignore_patterns("resume.safetensors"))
        for name, data in checkpoint_files.weights_alone(last).items():
            (alone / name).write_bytes(data)
    pack(run, tmp_path / "run.zip", contents="last checkpoint")
    there = unpack(tmp_path / "run.zip", elsewhere)
    assert [path.name for path in there.checkpoints()] == [last.name]
    assert resume(there, Control(), []).outcome == "finished"


def test_that_the_last_weights_alone_are_a_complete_model_that_no_run_continues_from(run, elsewhere, tmp_path):
    before = contents(run.path)
    pack(run, tmp_path / "run.zip", contents="weights")
    assert contents(run.path) == before
    sizes = {each: packed_size(run, each) for each in ("everything", "last checkpoint", "weights", "log")}
    assert sorted(sizes.values(), reverse=True) == list(sizes.values())
    assert len(set(sizes.values())) == 4
    there = unpack(tmp_path / "run.zip", elsewhere)
    (saved,) = there.checkpoints()
    for line in (saved / "SHA256SUMS").read_text().splitlines():
        check_sum(saved / line[66:])
    assert sorted(path.name for path in saved.iterdir()) == ["SHA256SUMS", "model.safetensors", "state.json"]
    old, model = checkpoint.load(run.newest_checkpoint()), checkpoint.load(saved)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), old.parameters(), strict=True))
    assert there.resumable() == []
    assert resume(there, Control(), []).outcome == "failed"


def test_that_weights_are_stored_as_they_are_and_the_journal_is_compressed(run, tmp_path):
    pack(run, tmp_path / "run.zip")
    with zipfile.ZipFile(tmp_path / "run.zip") as packed:
        for entry in packed.infolist():
            stored = entry.compress_type == zipfile.ZIP_STORED
            assert stored == entry.filename.endswith(".safetensors")
        assert not any("lock" in name for name in packed.namelist())


def test_that_an_existing_name_gets_a_number(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip")
    assert [unpack(tmp_path / "run.zip", elsewhere).name for _ in range(3)] == ["my run", "my run_2", "my run_3"]


def test_that_a_name_that_other_systems_refuse_is_changed(run, elsewhere, tmp_path):
    for name in ("a: b?", "con", "dots..."):
        odd = RunFolder(run.path.rename(run.path.with_name(name)))
        pack(odd, tmp_path / "run.zip")
        there = unpack(tmp_path / "run.zip", elsewhere)
        assert contents(there.path) == contents(odd.path)
        run = odd


def test_that_links_and_half_written_files_are_not_packed(run, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (run.path / "link").symlink_to(tmp_path / "secret")
    (run.path / "link to a folder").symlink_to(tmp_path)
    (run.checkpoint_folder / ".step-000009.tmp").mkdir()
    (run.checkpoint_folder / ".step-000009.tmp" / "model.safetensors").write_bytes(b"half")
    (run.path / "notes.md").write_text("mine")
    pack(run, tmp_path / "run.zip")
    names = zipfile.ZipFile(tmp_path / "run.zip").namelist()
    assert "my run/notes.md" in names
    assert not any("link" in name or "tmp" in name for name in names)


def test_that_progress_is_reported_up_to_the_total(run, elsewhere, tmp_path):
    works = [
        lambda progress: pack(run, tmp_path / "run.zip", progress),
        lambda progress: unpack(tmp_path / "run.zip", elsewhere, progress),
    ]
    for work in works:
        told: list[tuple[int, int]] = []
        work(lambda done, total, told=told: told.append((done, total)))
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        assert told[-1][0] == told[-1][1] == sum(map(len, contents(run.path).values()))


def test_that_a_half_unpacked_run_is_in_no_list(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip")
    listed: list[Path] = []
    unpack(tmp_path / "run.zip", elsewhere, lambda done, total: listed.extend(elsewhere.glob("*/run.json")))
    assert listed == []
    assert len(list(elsewhere.glob("*/run.json"))) == 1


def test_that_the_remains_of_a_killed_unpacking_are_removed(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip")
    left, coming = elsewhere / ".left.tmp", elsewhere / ".coming.tmp"
    for folder in (left, coming):
        (folder / "run").mkdir(parents=True)
        (folder / "run" / "journal.jsonl").write_text("half")
    os.utime(left, (1, 1))
    unpack(tmp_path / "run.zip", elsewhere)
    assert {path.name for path in elsewhere.iterdir()} == {"my run", ".coming.tmp"}


def test_that_cancelled_work_leaves_nothing(run, elsewhere, tmp_path):
    with pytest.raises(Stopped):
        pack(run, tmp_path / "run.zip", cancel)
    assert list(tmp_path.glob("run.zip*")) == []
    pack(run, tmp_path / "run.zip")
    with pytest.raises(Stopped):
        unpack(tmp_path / "run.zip", elsewhere, cancel)
    assert list(elsewhere.iterdir()) == []


def test_that_an_old_zip_is_kept_when_a_new_one_fails(run, tmp_path, monkeypatch):
    pack(run, tmp_path / "run.zip")
    before = (tmp_path / "run.zip").read_bytes()

    monkeypatch.setattr(archives, "_blocks", disk_is_full)
    with pytest.raises(ArchiveError, match=r"Could not pack the run .* into .*: No space left on device"):
        pack(run, tmp_path / "run.zip")
    assert (tmp_path / "run.zip").read_bytes() == before


def test_that_a_folder_that_is_no_run_is_not_packed(tmp_path):
    with pytest.raises(UserError, match=message("folder_run")):
        pack(RunFolder(tmp_path), tmp_path / "run.zip")


# Refusals


RECORD = b"""{
    "format": 1, "created": "2026-11-20T12:00:00Z", "version": "0", "spec": {}, "text_name": "a", "text_sha256": "0"
}"""


def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members:
            packed.writestr(name, data)
    return path


def refused(path: Path, runs: Path, words: str) -> ArchiveError:
    before = contents(path.parent)
    with pytest.raises(ArchiveError, match=words) as caught:
        unpack(path, runs)
    assert left_in_english(caught.value) == []
    assert contents(path.parent) == before
    assert not runs.exists() or list(runs.iterdir()) == []
    return caught.value


def test_that_a_run_of_an_earlier_version_is_accepted(elsewhere, tmp_path):
    there = unpack(zipped(tmp_path / "a.zip", ("r/", b""), ("r/run.json", RECORD)), elsewhere)
    assert there.record().spec == TrainSpec(save_every_s=30)
    assert there.checkpoints() == []


NAMES = [
    "../evil", "r/../../evil", "/etc/evil", "r//evil", "r/./evil", "..", "r/..", "C:/evil", "r\\..\\..\\evil",
    "//host/evil", "r/con", "r/NUL.txt", "r/evil.", "r/evil ", "r/ev\nil", "r/a:b", "~\x7f/evil",
]


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_outside_of_the_runs_folder_is_refused(elsewhere, tmp_path, name):
    file = zipped(tmp_path / "a.zip", ("r/run.json", RECORD), (name, b"evil"))
    refused(file, elsewhere, "which does not belong in a run.")
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFBLK])
def test_that_links_and_devices_are_refused(elsewhere, tmp_path, kind):
    entry = zipfile.ZipInfo("r/checkpoints")
    entry.external_attr = (kind | 0o777) << 16
    refused(zipped(tmp_path / "a.zip", ("r/run.json", RECORD), (entry, b"/etc")), elsewhere, "is a link")


@pytest.mark.slow
def test_that_a_zip_that_unpacks_to_far_more_than_its_size_is_refused(elsewhere, tmp_path):
    bomb = zipped(tmp_path / "a.zip", ("r/run.json", RECORD), ("r/journal.jsonl", bytes(50 * 2**20)))
    refused(bomb, elsewhere, "contain 2 files of 50.0 MB in total, which does not look like a run")
    many = zipped(tmp_path / "b.zip", ("r/run.json", RECORD), *((f"r/{i}", b"") for i in range(archives.MOST_FILES)))
    refused(many, elsewhere, "contain 10,001 files of 0.1 KB in total, which does not look like a run.")


def test_that_a_false_size_unpacks_to_no_more_than_it_declares(elsewhere, tmp_path):
    """The directory of the zip declares 10 bytes for data that inflates to 50 MB."""
    file = zipped(tmp_path / "a.zip", ("r/run.json", RECORD), ("r/journal.jsonl", bytes(50 * 2**20)))
    true, lie = (50 * 2**20).to_bytes(4, "little"), (10).to_bytes(4, "little")
    file.write_bytes(file.read_bytes().replace(true, lie))
    error = refused(file, elsewhere, "it is not a zip file, or it is damaged")
    assert "Bad CRC-32" in str(error.__cause__)


def test_that_a_name_that_occurs_twice_is_refused(elsewhere, tmp_path):
    file = zipped(tmp_path / "a.zip", ("r/run.json", RECORD), ("r/RUN.json", RECORD))
    refused(file, elsewhere, "contains r/RUN.json twice")


@pytest.mark.parametrize(
    "members",
    [
        [], [("run.json", RECORD)], [("r/readme", b"")], [("r/run.json", RECORD), ("other/run.json", RECORD)],
        [("r/deep/run.json", RECORD)],
    ],
    ids=["empty", "no folder", "no record", "two runs", "too deep"],
)
def test_that_a_zip_without_a_run_is_refused(elsewhere, tmp_path, members):
    refused(zipped(tmp_path / "a.zip", *members), elsewhere, "contains no run.")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (b"{}", "a.zip was not opened. a.zip is not a run folder"),
        (b"\xff", "is not a run folder: its run.json cannot be read."),
        (RECORD.replace(b'"format": 1', b'"format": 99'), "saved by a newer version of GPT Studio"),
    ],
    ids=["empty", "damaged", "newer"],
)
def test_that_a_record_that_cannot_be_read_is_refused(elsewhere, tmp_path, record, words):
    refused(zipped(tmp_path / "a.zip", ("r/run.json", record)), elsewhere, words)


def test_that_a_file_that_is_no_zip_or_is_damaged_is_refused(run, elsewhere, tmp_path):
    pack(run, tmp_path / "run.zip")
    data = (tmp_path / "run.zip").read_bytes()
    file = tmp_path / "a.zip"
    for damaged in (b"", b"no zip", data[: len(data) // 2], data[:2_000] + bytes([data[2_000] ^ 1]) + data[2_001:]):
        file.write_bytes(damaged)
        refused(file, elsewhere, "it is not a zip file, or it is damaged")
    with pytest.raises(ArchiveError, match=r"Could not open .*: No such file"):
        unpack(tmp_path / "none.zip", elsewhere)


def test_that_a_run_that_does_not_fit_on_the_disk_is_refused(run, elsewhere, tmp_path, monkeypatch):
    pack(run, tmp_path / "run.zip")
    monkeypatch.setattr(files, "free_bytes", lambda folder: 1_000)
    refused(tmp_path / "run.zip", elsewhere, "but only 1.0 KB are free at .*Free some space")


# The table


def rows_of(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_that_every_figure_of_every_run_is_in_the_table(tiny_spec, tmp_path):
    told: dict[str, list] = {"first": [], 'second, "the better"': []}
    histories = {}
    for name, rate in zip(told, (1e-2, 1e-3), strict=True):
        folder = RunFolder(tmp_path / str(rate))
        launch(tiny_spec(learning_rate=rate, eval_freq=4), Control(), [told[name].append], folder.path)
        histories[name] = run_history.read(folder.journal_path)
    write_csv(histories, tmp_path / "all.csv")
    rows = rows_of(tmp_path / "all.csv")

    def series(run: str, name: str) -> list[tuple[int, float]]:
        return [(int(row["step"]), float(row["value"])) for row in rows if (row["run"], row["series"]) == (run, name)]

    for run, events in told.items():
        trained = [event for event in events if isinstance(event, StepDone)]
        for name in ("loss", "learning_rate", "gradient_norm"):
            assert series(run, name) == [(event.step + 1, getattr(event, name)) for event in trained]
        tests = [event for event in events if isinstance(event, Evaluated)]
        for name in ("train_loss", "val_loss"):
            assert series(run, name) == [(event.step + 1, getattr(event, name)) for event in tests]
        readings = [event for event in events if isinstance(event, MemoryRead)]
        assert [value for _, value in series(run, "used_bytes")] == [event.used_bytes for event in readings]
        assert len(series(run, "tokens_per_second")) == len(trained)
    first = next(row for row in rows if row["series"] == "val_loss")
    assert (first["run"], first["step"], first["tokens"]) == ("first", "1", "32")
    assert float(first["seconds"]) == next(e.elapsed_s for e in told["first"] if isinstance(e, StepDone))


def test_that_runs_without_figures_give_a_table_of_headings_only(tmp_path):
    write_csv({"empty": History()}, tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_bytes() == ",".join(HEADINGS).encode() + b"\r\n"


def test_that_values_that_are_not_finite_are_written_as_such(tmp_path):
    made = History()
    made.add(Evaluated(step=3, tokens_seen=9, train_loss=math.inf, val_loss=math.nan))
    write_csv({"a": made}, tmp_path / "all.csv")
    rows = rows_of(tmp_path / "all.csv")
    found = {row["series"]: (row["tokens"], row["seconds"], float(row["value"])) for row in rows}
    assert found["train_loss"] == ("9", "nan", math.inf)
    assert math.isnan(found["val_loss"][2])


def test_that_a_table_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(UserError, match=r"No such file or directory\. Choose another location\."):
        write_csv({}, tmp_path / "none" / "all.csv")
    made = History()
    made.samples = made.steps = None  # type: ignore[assignment]
    with pytest.raises(TypeError):
        write_csv({"broken": made}, tmp_path / "all.csv")
    assert list(tmp_path.glob("all.csv*")) == []
