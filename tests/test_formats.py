"""Files of every version of every kind are read; those of a newer one are refused, and not overwritten.

A change that raises a version in ``gptstudio/formats.py`` adds a file of it to ``tests/formats``. A newer report and a
newer packed run: ``test_class_runs.py``, ``test_archives.py``.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gptstudio import formats, paths, settings
from gptstudio.app import kept_model, lesson_progress, preferences
from gptstudio.errors import UserError
from gptstudio.files import sha256
from gptstudio.gui import session
from gptstudio.history import added_runs, class_runs
from gptstudio.history.run_data import read_report
from gptstudio.inference import tree_files
from gptstudio.labs import lesson
from gptstudio.training import checkpoint_files, run_folder, sweep_toml
from gptstudio.training.sweep_runner import SweepFolder

HERE = Path(__file__).parent
OF_0_1 = HERE / "version_0_1"


def read_state(file: Path) -> object:
    (file.parent / "SHA256SUMS").write_text(f"{sha256(file)}  {file.name}\n")
    return checkpoint_files.read_state(file.parent).config


def read_queue(file: Path) -> object:
    shutil.copy(HERE / "formats" / "sweep-1.json", file.parent / "sweep.json")
    return SweepFolder(file.parent).queue().order


def read_settings(file: Path) -> object:
    found = settings.load(file)
    if found.faults:
        raise UserError(found.faults[0].message())
    return found.language


@dataclass(frozen=True)
class Kind:
    """A kind of file: its newest version, its name, its reader, and its writer in version 0.1."""

    newest: int
    name: str
    read: Callable[[Path], object]
    of_0_1: Path | None = None
    version_then: int = 1

    def files(self, kind: str) -> dict[int, Path]:
        """Return the kept file of each version."""
        kept = {int(file.stem.rpartition("-")[2]): file for file in (HERE / "formats").glob(f"{kind}-*.*")}
        return kept | ({self.version_then: OF_0_1 / self.of_0_1} if self.of_0_1 else {})


RUN, ELSEWHERE = Path("runs") / "first-run", Path("elsewhere")
KINDS = {
    "run": Kind(
        formats.RUN, "run.json", lambda file: run_folder.RunFolder(file.parent).record().spec, RUN / "run.json", 2),
    "checkpoint": Kind(
        formats.RUN, "state.json", read_state, RUN / "checkpoints" / "step-000007" / "state.json", 2),
    "packed_run": Kind(
        formats.RUN, "run.zip", lambda file: class_runs.read_packed(file)[0], ELSEWHERE / "whole-run.zip", 2),
    "sweep": Kind(formats.SWEEP, "sweep.json", lambda file: SweepFolder(file.parent).record().spec),
    "queue": Kind(formats.SWEEP, "queue.json", read_queue),
    "tree": Kind(
        formats.TREE, "tree.json", lambda file: tree_files.load(file).nodes, RUN / "trees" / "Two endings.json"),
    "report": Kind(formats.REPORT, "report.html", lambda file: read_report(file).curves),
    "session": Kind(formats.SESSION, "session.json", lambda file: session.read().config, Path("session.json")),
    "preferences": Kind(formats.PREFERENCES, "preferences.json", lambda file: preferences.read().units == "iec"),
    "lesson_progress": Kind(
        formats.LESSON_PROGRESS, "lessons.json", lambda file: lesson_progress.read().lessons),
    "added_runs": Kind(formats.ADDED_RUNS, "added_runs.json", added_runs.folders),
    "sweep_file": Kind(formats.TOML, "sweep.toml", sweep_toml.read),
    "lesson": Kind(
        formats.TOML, "lesson.toml", lambda file: lesson.load(file).steps, ELSEWHERE / "train-and-decode.toml"),
    "settings": Kind(formats.TOML, "settings.toml", read_settings, ELSEWHERE / "settings.toml"),
}
REMEMBERED = {"session": "session.json", "preferences": "preferences.json", "lesson_progress": "lessons.json"}
"""Files without which the program still starts."""
PACKED = {"packed_run", "report"}
"""Kinds whose version cannot be changed by itself."""


@pytest.fixture(autouse=True)
def as_before():
    """Restore the state that the files read here have changed."""
    yield
    kept_model.newer_files.clear()
    preferences.read()


def older_kinds() -> list[tuple[str, int]]:
    return [(name, version) for name, kind in KINDS.items() for version in kind.files(name)]


@pytest.mark.parametrize("name", KINDS)
def test_that_there_is_a_file_of_each_version(name):
    assert sorted(KINDS[name].files(name)) == [*range(1, KINDS[name].newest + 1)] or name == "packed_run"
    assert KINDS[name].newest in KINDS[name].files(name)


@pytest.mark.parametrize(("name", "version"), older_kinds())
def test_that_a_file_of_each_version_is_read(home, name, version):
    kind = KINDS[name]
    file = home / kind.name
    shutil.copy(kind.files(name)[version], file)
    assert kind.read(file)


def newer(kind: Kind, name: str, home: Path) -> tuple[Path, bytes]:
    """Return a file of the version after the newest."""
    file, newest = home / kind.name, kind.files(name)[kind.newest]
    text = newest.read_text(encoding="utf-8")
    if newest.suffix == ".toml":
        lines = [line for line in text.splitlines() if not line.startswith("format = ")]
        text = "\n".join([f"format = {kind.newest + 1}", *lines])
    else:
        key = "version" if name in REMEMBERED else "format"
        text = json.dumps(json.loads(text) | {key: kind.newest + 1})
    file.write_text(text, encoding="utf-8")
    return file, file.read_bytes()


@pytest.mark.parametrize("name", sorted(KINDS.keys() - REMEMBERED.keys() - PACKED))
def test_that_a_newer_file_is_refused_with_a_remedy(home, name):
    kind = KINDS[name]
    file, data = newer(kind, name, home)
    words = rf"a newer version of GPT Studio \(format {kind.newest + 1}\)\. Update GPT Studio"
    with pytest.raises(UserError, match=words):
        kind.read(file)
    assert file.read_bytes() == data


@pytest.mark.parametrize("name", REMEMBERED)
def test_that_a_newer_versions_memory_is_kept_beside_and_reported(home, name):
    kind = KINDS[name]
    file, data = newer(kind, name, home)
    assert not kind.read(file)
    assert file.with_name(f"{file.name}.aside").read_bytes() == data
    [words] = kept_model.newer_files
    assert str(file) in words
    assert "update GPT Studio" in words


@pytest.mark.parametrize(("name", "save_again"), [
    ("preferences", lambda: preferences.read() and preferences.change(units="decimal")),
    ("lesson_progress", lambda: lesson_progress.keep(lesson_progress.read(), ())),
])
def test_that_a_file_of_an_older_version_is_saved_again_as_the_newest(home, name, save_again):
    kind = KINDS[name]
    file = home / kind.name
    shutil.copy(kind.files(name)[1], file)
    save_again()
    assert json.loads(file.read_text(encoding="utf-8"))["version"] == kind.newest


def test_that_nothing_is_added_to_a_list_of_a_newer_version(home):
    file, data = newer(KINDS["added_runs"], "added_runs", home)
    for change in (added_runs.add, added_runs.remove):
        with pytest.raises(UserError, match="newer version"):
            change(paths.added_runs(), home)
    assert file.read_bytes() == data


def test_that_files_without_a_version_have_the_first(home):
    file = home / "preferences.json"
    file.write_text('{"units": "iec"}')
    assert preferences.read().units == "iec"
    paths.added_runs().write_text('["/shared/run"]')
    assert added_runs.folders(paths.added_runs()) == [Path("/shared/run")]


@pytest.mark.parametrize("version", ["0", "-1", '"2"', "1.5", "true", "[]"])
def test_that_an_invalid_version_of_a_lesson_is_a_fault_with_its_line(home, version):
    file = home / "lesson.toml"
    file.write_text(f'title = "A"\nminutes = 5\nformat = {version}\n')
    with pytest.raises(UserError, match=r"line 3: format is .*; it must be a whole number"):
        lesson.load(file)
