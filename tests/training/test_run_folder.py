"""A run's folder: made for one run, read back, listed, and refused with a message where it cannot be used."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Barrier

import pytest
from disks import disk_is_full
from messages import message

from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS, GPTConfig, config_name
from gptstudio.training import branching, run_folder
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

SPEC = TrainSpec(epochs=3, learning_rate=1 / 3)


def create(path=None, spec: TrainSpec = SPEC) -> RunFolder:
    return RunFolder.create(spec, "a text", "0" * 64, path)


def test_that_a_run_returns_its_settings():
    run = create()
    record = RunFolder(run.path).record()
    assert record.spec == SPEC
    assert (record.text_name, record.text_sha256) == ("a text", "0" * 64)
    assert abs((datetime.now().astimezone() - record.created).total_seconds()) < 60


def test_that_a_run_without_a_name_gets_one_among_the_users_runs():
    runs = [create() for _ in range(5)]
    assert len({run.path for run in runs}) == 5
    assert all(run.path.parent == paths.runs() for run in runs)
    assert all("workshop" in run.name for run in runs)
    assert {run.name for run in run_folder.all_runs()} == {run.name for run in runs}


def made_at_once(make: Callable[[], RunFolder], threads: int, times: int) -> set[Path]:
    """Return the different folders of runs that several threads make at the same time."""
    together, made = Barrier(threads, timeout=30), []

    def begin() -> None:
        for _ in range(times):
            together.wait()
            made.append(make().path)

    with ThreadPoolExecutor(threads) as pool:
        for each in [pool.submit(begin) for _ in range(threads)]:
            each.result()
    return set(made)


def test_that_no_two_runs_that_begin_at_once_share_a_folder():
    assert len(made_at_once(create, 6, 10)) == 60


@pytest.mark.usefixtures("few_tokens")
def test_that_no_two_branches_that_are_made_at_once_share_a_folder(study):
    run = study(steps=2).folder
    run.journal_path.touch()
    assert len(made_at_once(lambda: branching.make(run, run.newest_checkpoint()), 4, 5)) == 20


def test_that_runs_are_listed_newest_first_and_found_by_name_or_path(tmp_path):
    for name in ("2026-01-02_000000_book", "2026-01-03_000000_own", "2025-12-31_235959_workshop"):
        create(paths.runs() / name)
    (paths.runs() / "no-run").mkdir()
    listed = [run.name for run in run_folder.all_runs()]
    assert listed == ["2026-01-03_000000_own", "2026-01-02_000000_book", "2025-12-31_235959_workshop"]
    elsewhere = create(tmp_path / "elsewhere")
    assert run_folder.find(listed[0]) == RunFolder(paths.runs() / listed[0])
    assert run_folder.find(str(elsewhere.path)) == elsewhere
    for name in ("nothing", "no-run", "", "x" * 5000, "a\x00b", "~nobody-of-this-name/run"):
        assert run_folder.find(name) is None, name


@pytest.mark.parametrize("times", [
    ["2026-11-20 14:30:15", "2026-11-20 13:30:20", "2025-01-01 00:00:00"],
    ["2026-11-20 14:30:15"] * 12,
    ["2026-10-25 02:59:58", "2026-10-25 02:00:00", "2026-10-25 02:00:01", "2026-10-25 03:30:00"],
], ids=["set back", "in one second", "the end of summer time"])
def test_that_the_newest_run_is_first_at_any_clock(monkeypatch, times):
    following = iter(times)

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromisoformat(next(following))

    monkeypatch.setattr(run_folder, "datetime", Clock)
    configs = [PRESETS["workshop"], PRESETS["book"], GPTConfig(context_length=8, emb_dim=2, n_heads=1, n_layers=1)]
    made = [create(spec=SPEC.but(config=configs[place % 3])).name for place in range(len(times))]
    assert [run.name for run in run_folder.all_runs()] == made[::-1]
    assert run_folder.all_runs()[0].record().created.replace(tzinfo=None) == datetime.fromisoformat(times[-1])


@pytest.mark.parametrize("name", ["my own", "9999-99-99_999999_book", "9999-12-31_235959_book", "2026-01-02"])
def test_that_a_name_without_a_time_does_not_keep_a_run_from_being_made(name):
    create(paths.runs() / name)
    assert create().path.is_dir()


def test_that_no_runs_yet_is_an_empty_list():
    assert run_folder.all_runs() == []


def test_that_an_empty_folder_may_be_used_and_a_full_one_not(tmp_path):
    (tmp_path / "empty").mkdir()
    create(tmp_path / "empty")
    with pytest.raises(UserError, match=message("already_empty")):
        create(tmp_path / "empty")
    (tmp_path / "file").write_text("words")
    with pytest.raises(UserError, match="file already exists"):
        create(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "words"


def test_that_a_place_where_nothing_can_be_written_is_reported_with_a_message(tmp_path):
    (tmp_path / "file").write_text("words")
    with pytest.raises(UserError, match=r"Could not write to the run folder .*: Not a directory\. Choose another"):
        create(tmp_path / "file" / "run")
    with pytest.raises(UserError, match=message("cannot_written")):
        create(tmp_path / ("x" * 300))


def test_that_a_full_disk_leaves_no_empty_run_behind(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(files, "written_whole", disk_is_full)
    for path in (None, tmp_path / "empty", tmp_path / "new"):
        with pytest.raises(UserError, match="No space left on device"):
            create(path)
    assert list(paths.runs().iterdir()) == list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_that_a_folder_without_permission_is_reported_with_a_message(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(UserError, match=r"Could not write to the run folder .*: Permission denied"):
        create(tmp_path / "locked" / "run")


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b'{"spec": {"epochs": 0}}'])
def test_that_a_folder_that_is_no_run_is_reported_with_a_message(tmp_path, content):
    if content is not None:
        (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(UserError, match=message("folder_run")):
        RunFolder(tmp_path).record()


def test_that_a_run_without_a_checkpoint_says_so():
    with pytest.raises(UserError, match=message("checkpoint_yet")):
        create().newest_checkpoint()


def test_that_a_config_is_called_by_its_presets_name_or_own():
    assert [config_name(preset) for preset in PRESETS.values()] == list(PRESETS)
    assert config_name(GPTConfig(n_layers=3)) == "own"
