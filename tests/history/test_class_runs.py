"""The runs of a class: from packed runs and reports, in a table. A broken file is a row with its reason."""

import csv
import hashlib
import json
import math
import zipfile
from pathlib import Path

import pytest
from made_up import cancel, step_done
from messages import left_in_english
from reported import STARTED, events, folder, record, reported

from gptstudio import formats, paths
from gptstudio.errors import UserError
from gptstudio.gpt.config import PRESETS
from gptstudio.history import archives, class_runs, run_data, run_history
from gptstudio.history.class_runs import ClassRun
from gptstudio.history.guesses import Guess, LessonGuesses
from gptstudio.history.report import reading, writing
from gptstudio.history.run_data import data_of, read_report
from gptstudio.training.control import Stopped
from gptstudio.training.events import Ended
from gptstudio.training.run_folder import all_runs

GUESSES = (LessonGuesses(lesson="1", guesses=(
    Guess(question="=Which?", guess="a", answer="a", right=True),
    Guess(question="How many?", guess="7", right=False))),)


def a_report(path: Path, title: str = "A run", guesses=(), **changes) -> Path:
    made = folder(path.with_suffix(""), title, **changes)
    writing.write(reading.read(made, guesses), path)
    return path


def packed(path: Path, title: str = "A run", **changes) -> Path:
    archives.pack(folder(path.with_suffix(""), title, **changes), path)
    return path


def cells(runs: list[ClassRun]) -> dict[str, list[str]]:
    return {str(column.heading): [str(cell.text) for cell in column.cells] for column in class_runs.columns(runs)}


def zipped(path: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data)
    return path


def resealed(path: Path, change) -> Path:
    """Change the figures of a report and update the digest, as anyone who knows how to compute it could."""
    page = path.read_text(encoding="utf-8")
    before, _, rest = page.partition(run_data.BEGIN)
    text, end, after = rest.partition(run_data.END)
    data = json.loads(text)["data"]
    change(data)
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    path.write_text(before + run_data.BEGIN + json.dumps({"data": data, "sha256": digest}) + end + after)
    return path


def test_that_only_settings_that_differ_have_a_column(tmp_path):
    runs = [class_runs.read(each) for each in (
        a_report(tmp_path / "anna.html", "", GUESSES, learning_rate=1e-3), packed(tmp_path / "ben.zip", "", epochs=3))]
    found = cells(runs)
    assert list(found) == [
        "Name", "Epochs", "Learning rate", "Best validation loss", "Copied", "Guesses", "Steps done", "Time (min)"]
    assert found["Epochs"] == ["10", "3"]
    assert found["Best validation loss"] == ["5.000", "5.000"]
    assert found["Copied"] == ["50.0 %", "50.0 %"]
    assert found["Guesses"] == ["1 of 2", "–"]
    assert found["Steps done"] == ["12", "12"]
    assert found["Learning rate"][1].startswith("0.0004, then 0.02 from step 8")


def test_that_losses_of_different_vocabularies_are_compared_in_bits_per_byte(tmp_path):
    sizes = {"gpt2": 4.25, "characters": 1.0}
    logs = {kind: [STARTED.model_copy(update={"bytes_per_token": (1.0, size)}), *events()[1:9]]
            for kind, size in sizes.items()}
    runs = [class_runs.read(a_report(
        tmp_path / f"{kind}.html", kind, config=PRESETS["workshop"].but(vocabulary=kind), run_events=log))
        for kind, log in logs.items()]
    assert cells(runs)["Best validation loss"] == ["5.000", "5.000"]
    assert cells(runs)["Bits per byte"] == [f"{5 / math.log(2) / size:.3f}" for size in sizes.values()]
    assert "Bits per byte" not in cells(runs[:1])
    for run, size in zip(runs, sizes.values(), strict=True):
        assert run.data.history().nats_per_bit(1) == pytest.approx(math.log(2) * size)


def test_that_runs_without_all_their_steps_are_marked_and_planned_steps_are_distinguished_from_those_done(tmp_path):
    ends = {"finished": "Finished", "stopped": "Stopped", "failed": "Failed", None: "Not ended"}
    runs = []
    for number, outcome in enumerate(ends):
        log = [STARTED, step_done(0), *([Ended(outcome=outcome, message="")] if outcome else [])]
        path = tmp_path / f"{number}.zip"
        archives.pack(folder(tmp_path / str(number), f"Run {number}", log, steps=20 + number), path)
        runs.append(class_runs.read(path))
    damaged = tmp_path / "damaged.zip"
    damaged.write_text("no zip")
    found = cells([*runs, class_runs.read(damaged)])
    assert found["State"] == [*ends.values(), "–"]
    assert found["Steps"] == ["20", "21", "22", "23", ""]
    assert found["Steps done"] == ["1"] * 4 + ["–"]
    assert len(class_runs.columns(runs)) == len(cells(runs)), "each heading is different"
    assert "State" not in cells(runs[:1])


def test_that_a_packed_run_has_the_same_figures_as_its_report(tmp_path):
    one, other = (class_runs.read(each).data for each in (a_report(tmp_path / "a.html"), packed(tmp_path / "b.zip")))
    assert one.model_copy(update={"record": other.record}) == other


def test_that_a_packed_log_is_read_as_a_log_on_the_disk(tmp_path, monkeypatch):
    file = packed(tmp_path / "a.zip")
    whole = run_history.read(tmp_path / "a" / "journal.jsonl")
    for size in (7, 100, 2**20):
        monkeypatch.setattr(class_runs, "PIECE", size)
        _, history = class_runs.read_packed(file)
        assert history.steps["loss"].tolist() == whole.steps["loss"].tolist()
        assert history.ended == whole.ended
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.zip"]


def broken(folder: Path) -> dict[Path, str]:
    """Return files that are not runs, each with a part of its message."""
    good = packed(folder / "whole.zip").read_bytes()
    page = a_report(folder / "whole.html").read_text(encoding="utf-8")
    run = (folder / "whole" / "run.json").read_bytes()
    bomb = zipped(folder / "bomb.zip", ("r/run.json", run), ("r/journal.jsonl", bytes(50 * 2**20)))
    made = {
        folder / "cut.zip": good[: len(good) // 2],
        folder / "half.html": page[: len(page) // 2].encode(),
        folder / "tampered.html": page.replace('"steps":12', '"steps":9999').encode(),
        folder / "other.html": b"<html><script>alert(1)</script></html>",
        folder / "twice.html": page.replace("</body>", run_data.BEGIN + "{}" + run_data.END + "</body>").encode(),
    }
    for path, data in made.items():
        path.write_bytes(data)
    return {
        folder / "cut.zip": "is not a zip file, or it is damaged", bomb: "does not look like a run",
        zipped(folder / "none.zip", ("r/readme", b"")): "contains no run",
        zipped(folder / "way.zip", ("r/run.json", run), ("../evil", b"")): "does not belong in a run",
        zipped(folder / "digest.zip", ("r/run.json", run.replace(b"A run", b"B run"))): "wrong checksum",
        folder / "half.html": "cut off", folder / "tampered.html": "wrong checksum",
        folder / "other.html": "no report of GPT Studio", folder / "twice.html": "no report of GPT Studio",
    }


def test_that_a_class_of_thirty_is_read_although_some_files_are_broken(tmp_path):
    (tmp_path / "class" / "deeper").mkdir(parents=True)
    bad = broken(tmp_path / "class" / "deeper")
    page = (tmp_path / "class" / "deeper" / "whole.html").read_bytes()
    for number in range(24):
        (tmp_path / "class" / f"{number:02}.html").write_bytes(page)
    found = class_runs.files_in([tmp_path / "class"])
    assert found == sorted(found, key=lambda path: (len(path.parts), path.name))
    runs = class_runs.with_names([class_runs.read(path) for path in found])
    problems = {run.path: run for run in runs if run.problem}
    assert problems.keys() == bad.keys()
    for path, words in bad.items():
        assert words in problems[path].problem
        assert left_in_english(UserError(problems[path].problem)) == [], path
        assert problems[path].data is None
    assert len(runs) - len(bad) == 26
    assert len({run.name for run in runs}) == len(runs)
    assert len(cells(runs)["Problem"]) == len(runs)
    assert not list(tmp_path.rglob("*evil*"))


def test_that_runs_of_the_same_name_are_distinguished(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    files = [a_report(tmp_path / "x" / "a.html", "mine"), a_report(tmp_path / "y" / "a.html", "mine"),
             a_report(tmp_path / "b.html", "mine"), a_report(tmp_path / "c.html", "other")]
    runs = class_runs.with_names([class_runs.read(each) for each in files])
    assert [run.name for run in runs] == ["mine (a.html) 1", "mine (a.html) 2", "mine (b.html)", "other"]


def test_that_names_are_text_of_a_bounded_length(tmp_path):
    (name,) = {class_runs.read(a_report(tmp_path / "a.html", "<b>\u202e\x07" + "n" * 10**6)).name}
    assert name.startswith("<b>\ufffd\ufffdnnn")
    assert len(name) <= run_data.LONGEST_NAME + 1


CHANGES = {
    "a field more": lambda data: data.update(more=1), "a huge number": lambda data: data.update(steps=10**30),
    "below zero": lambda data: data.update(steps=-1), "no spec": lambda data: data["record"].pop("spec"),
    "a share above one": lambda data: data.update(copied_share=7.0),
    "other columns": lambda data: data["curves"]["steps"].pop("loss"),
    "short column": lambda data: data["curves"]["steps"]["loss"].pop(),
    "steps out of order": lambda data: data["curves"]["steps"]["step"].reverse(),
    "many points": lambda data: data["curves"].update(memory={
        name: [1.0] * 5_000 for name in run_data.CURVES["memory"]}),
    "an unknown table": lambda data: data["curves"].update(other={"step": []}),
    "a long name": lambda data: data.update(name="n" * 10_000),
    "no numbers": lambda data: data.update(curves="x"),
    "NaN": lambda data: data.update(elapsed_s=math.nan),
    "deep": lambda data: data.update(guesses=json.loads("[" * 400 + "]" * 400)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_that_impossible_figures_are_refused_with_a_message(tmp_path, change):
    path = resealed(a_report(tmp_path / "a.html"), change)
    run = class_runs.read(path)
    assert "cannot be read" in run.problem
    assert cells([run])["Name"] == ["a"]


def test_that_a_figure_changed_with_its_digest_is_within_bounds_and_read(tmp_path):
    assert read_report(resealed(a_report(tmp_path / "a.html"), lambda data: data.update(steps=11))).steps == 11


def test_that_a_newer_report_is_reported_as_such(tmp_path):
    path = resealed(a_report(tmp_path / "a.html"), lambda data: data.update(version=formats.REPORT + 1))
    assert "newer version" in class_runs.read(path).problem


def test_that_a_report_of_too_many_bytes_is_not_read(tmp_path):
    path = a_report(tmp_path / "a.html")
    with path.open("ab") as file:
        file.truncate(run_data.MOST_BYTES + 1)
    assert "too large" in class_runs.read(path).problem


@pytest.mark.parametrize("loss", [math.nan, math.inf, 1e308])
def test_that_losses_that_are_not_finite_are_read_and_shown(tmp_path, loss):
    events = [STARTED, *(step_done(number, loss if number % 2 else 3.0) for number in range(8)),
            Ended(outcome="failed", message="It diverged.")]
    for path in (a_report(tmp_path / "a.html", run_events=events), packed(tmp_path / "b.zip", run_events=events)):
        run = class_runs.read(path)
        assert run.problem == ""
        assert len(run.data.history().steps) == 8
        assert cells([run])["Best validation loss"] == ["–"]


def test_that_nothing_is_added_to_the_users_runs(tmp_path, home):
    class_runs.read(packed(tmp_path / "a.zip"))
    assert all_runs() == []
    assert not paths.runs().exists()


def test_that_reading_can_be_cancelled(tmp_path):
    for path in (packed(tmp_path / "a.zip"), a_report(tmp_path / "b.html")):
        with pytest.raises(Stopped):
            class_runs.read(path, cancel)


def test_that_a_folder_without_runs_and_one_with_too_many_are_refused(tmp_path, monkeypatch):
    (tmp_path / "readme.txt").write_text("")
    (tmp_path / ".hidden.zip").write_text("")
    with pytest.raises(UserError, match="no packed runs"):
        class_runs.files_in([tmp_path])
    monkeypatch.setattr(class_runs, "MOST_FILES", 2)
    for number in range(3):
        (tmp_path / f"{number}.zip").write_text("")
    with pytest.raises(UserError, match="more than 2 files"):
        class_runs.files_in([tmp_path])


def test_that_the_table_is_safe_in_a_spreadsheet(tmp_path):
    runs = [class_runs.read(a_report(tmp_path / "a.html", "=HYPERLINK(1)")), class_runs.read(tmp_path / "gone.zip")]
    class_runs.write_csv(class_runs.with_names(runs), tmp_path / "class.csv")
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Name"] for row in rows] == ["'=HYPERLINK(1)", "gone"]
    assert "No such file" in rows[1]["Problem"]
    with pytest.raises(UserError, match="Could not save"):
        class_runs.write_csv(runs, tmp_path / "none" / "class.csv")


def test_that_a_file_for_a_spreadsheet_has_numbers_with_all_digits(tmp_path):
    runs = [class_runs.read(packed(tmp_path / f"{n}.zip", f"Run {n}", steps=n * 1_000, weight_decay=n / 8))
            for n in (1, 2)]
    class_runs.write_csv(runs, tmp_path / "class.csv")
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["Steps"], row["Weight decay"]) for row in rows] == [("1000", "0.125"), ("2000", "0.25")]


def test_that_cells_without_a_value_are_last(tmp_path):
    runs = [class_runs.read(tmp_path / "gone.zip"), class_runs.read(a_report(tmp_path / "a.html"))]
    column = next(each for each in class_runs.columns(runs) if each.heading == "Best validation loss")
    assert sorted(column.cells, key=lambda cell: cell.order)[0].text == "5.000"


def test_that_a_record_is_copied_without_folders(tmp_path):
    data = data_of(reported(tmp_path / "run", text="/home/anna/story.txt"))
    assert data.record.spec.text == ("story.txt",)
    assert record().spec.text == ("verdict",)
