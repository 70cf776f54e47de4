"""Rules for every export: it replaces only the named file or folder, leaves no partial file, and reports its result."""

import errno
import os
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from disks import contents
from exported_models import SAVED, TINY, saved
from imported_model import import_weights
from messages import message

from gptstudio.errors import UserError
from gptstudio.training import checkpoint, model_source
from gptstudio.training.control import Control
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import writing
from gptstudio.weights_io.exporting import FORMATS
from gptstudio.weights_io.refusals import ExchangeError

SMALL = SAVED["OpenAI's, with more rows than tokens"]
"""A shape that is traced for the tests of ONNX Runtime too."""
EXPORTS: dict[str, Callable[..., Path]] = {name: each.export for name, each in FORMATS.items()}
KINDS = [pytest.param(name, marks=pytest.mark.slow) if name == "onnx" else name for name in FORMATS]
"""The kinds of models; tracing one takes seconds."""
FOLDERS = [kind for kind, each in zip(KINDS, FORMATS.values(), strict=True) if each.files]


pytestmark = pytest.mark.usefixtures("traced_once")


def small(kind: str, seed: int) -> UntrainedModel:
    """Return a model that is exported quickly: for ONNX, one of the shape that is traced anyway."""
    return UntrainedModel(SMALL if kind == "onnx" else TINY, seed)


@pytest.mark.parametrize("kind", KINDS)
class TestWholeOrNotAtAll:
    """The named file or folder after every kind of failure."""

    def test_that_it_reports_its_progress_from_nothing_to_all(self, kind, tmp_path):
        progress_reports: list[tuple[int, int]] = []
        EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "model", lambda *now: progress_reports.append(now))
        done, totals = zip(*progress_reports, strict=True)
        assert done[0] == 0
        assert done[-1] == totals[-1] > 6e6
        assert list(done) == sorted(done)
        assert len(set(totals)) == 1

    def test_that_others_may_read_it_as_any_file_and_nothing_is_replaced_unless_allowed(self, kind, tmp_path):
        usual = tmp_path / "usual"
        usual.touch()
        made = EXPORTS[kind](small(kind, 1), tmp_path / "model")
        for file in made.iterdir() if made.is_dir() else [made]:
            assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
        before = contents(tmp_path)
        with pytest.raises(ExchangeError, match="already"):
            EXPORTS[kind](small(kind, 123), made)
        assert contents(tmp_path) == before
        EXPORTS[kind](small(kind, 123), made, replace=True)
        assert contents(tmp_path).keys() == before.keys()
        assert contents(tmp_path) != before

    @pytest.mark.parametrize("there", [False, True], ids=["at first", "over an earlier one"])
    def test_that_a_cancelled_export_leaves_everything_unchanged(self, kind, there, tmp_path):
        if there:
            EXPORTS[kind](small(kind, 1), tmp_path / "model")
        before, control = contents(tmp_path), Control()

        def progress(done: int, total: int) -> None:
            assert [path for path in tmp_path.iterdir() if path.suffix == ".tmp"], "it is written aside"
            if done:
                control.stop()
            control.check()

        with pytest.raises(Exception, match=r"^$") as caught:
            EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "model", progress, replace=there)
        assert type(caught.value).__name__ == "Stopped"
        assert contents(tmp_path) == before

    @pytest.mark.skipif(os.name == "nt", reason="Windows cannot limit the size of a file")
    def test_that_a_disk_that_fails_in_the_middle_is_reported_and_leaves_everything_unchanged(self, kind, tmp_path):
        import resource

        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, limits[1]))
        try:
            with pytest.raises(ExchangeError, match=os.strerror(errno.EFBIG)):
                EXPORTS[kind](UntrainedModel(SMALL), tmp_path / "model")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert contents(tmp_path) == {}

    def test_that_an_earlier_one_is_restored_where_the_new_cannot_be_renamed(self, kind, tmp_path, monkeypatch):
        EXPORTS[kind](small(kind, 1), tmp_path / "model")
        before = contents(tmp_path)

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(writing.os, "replace", refuse)
        with pytest.raises(ExchangeError, match="Permission denied"):
            EXPORTS[kind](small(kind, 123), tmp_path / "model", replace=True)
        assert contents(tmp_path) == before

    def test_that_a_full_disk_is_reported_before_anything_is_read(self, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(writing.files, "free_bytes", lambda folder: 2 * 2**20)
        monkeypatch.setattr(model_source, "load", lambda *_: pytest.fail("it was read"))
        with pytest.raises(ExchangeError, match=r"needs 1\d\.\d MB, but only 2\.0 MB are free there"):
            EXPORTS[kind](UntrainedModel(SMALL.but(tie_weights=False)), tmp_path / "new" / "model")
        assert contents(tmp_path) == {}

    def test_that_a_model_too_large_for_the_memory_is_refused(self, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(writing.files, "free_bytes", lambda folder: 10**15)
        with pytest.raises(UserError, match="not enough memory to export this model"):
            EXPORTS[kind](UntrainedModel(SMALL.but(emb_dim=16_384, n_layers=900)), tmp_path / "model")

    def test_that_a_damaged_checkpoint_is_refused(self, kind, tmp_path):
        origin = saved(tmp_path / "run", TINY)
        file = origin.path / checkpoint.WEIGHTS
        file.write_bytes(file.read_bytes()[:-1] + b"\0")
        before = contents(tmp_path)
        with pytest.raises(UserError, match=message("cut_off_changed")):
            EXPORTS[kind](origin, tmp_path / "model")
        assert contents(tmp_path) == before

    def test_that_the_remains_of_a_killed_export_are_removed_after_a_day(self, kind, tmp_path):
        old, young, others = (tmp_path / name for name in (".model.1.tmp", ".model.2.tmp", ".mine.3.tmp"))
        for stray in (old, young, others):
            stray.mkdir()
        yesterday = time.time() - 25 * 3600
        for stray in (old, others):
            os.utime(stray, (yesterday, yesterday))
        EXPORTS[kind](small(kind, 1), tmp_path / "model")
        assert [stray.exists() for stray in (old, young, others)] == [False, True, True]

    def test_that_a_place_may_start_with_a_tilde_and_include_new_folders(self, kind, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        assert EXPORTS[kind](small(kind, 1), Path("~/a/b/model")) == tmp_path / "a" / "b" / "model"


@pytest.mark.parametrize("kind", FOLDERS)
def test_that_a_folder_with_other_content_is_never_replaced(kind, tmp_path):
    made = EXPORTS[kind](small(kind, 1), tmp_path / "model")
    (made / "thesis.docx").write_text("years of work")
    before = contents(tmp_path)
    with pytest.raises(ExchangeError, match=r"thesis\.docx, which is not part of an exported model"):
        EXPORTS[kind](small(kind, 1), made, replace=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("kind", KINDS)
def test_that_nothing_is_written_into_a_model_that_is_kept_here(kind):
    model = import_weights(TINY)
    held = contents(model)
    for name in ("model.safetensors", "new"):
        with pytest.raises(ExchangeError, match="teacher is a model saved by GPT Studio"):
            EXPORTS[kind](model_source.ImportedModel(model), model / name, replace=True)
    assert contents(model) == held


@pytest.mark.parametrize("kind", FOLDERS)
def test_that_an_empty_folder_may_be_filled(kind, tmp_path):
    (tmp_path / "model").mkdir()
    assert contents(EXPORTS[kind](small(kind, 1), tmp_path / "model"))


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_file_is_no_folder_and_a_folder_is_no_file(kind, tmp_path):
    (tmp_path / "file").touch()
    if FORMATS[kind].files:
        place, words = tmp_path / "file", r"is a file\. Choose a folder"
    else:
        example = f"model{FORMATS[kind].ending}"
        place, words = tmp_path, rf"is a folder\. Choose a file for the model, for example .*{re.escape(example)}\."
    with pytest.raises(ExchangeError, match=words):
        EXPORTS[kind](small(kind, 1), place, replace=True)
    if not FORMATS[kind].files:
        with pytest.raises(ExchangeError, match="is a folder"):
            EXPORTS[kind](small(kind, 1), Path(tmp_path.anchor), replace=True)
