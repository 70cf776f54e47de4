"""Names of runs that the user has not named."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from gptstudio import paths
from gptstudio.gpt.config import PRESETS
from gptstudio.history.comparison import given_name, made_names, shown_name
from gptstudio.i18n import Message
from gptstudio.training.run_folder import Parent, Record, RunFolder
from gptstudio.training.spec import TrainSpec

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def run(minutes: int = 0, title: str = "", text: str = "The Verdict", folder: str = "", **changes):
    """Return a run that was never trained, created ``minutes`` after noon."""
    created = NOON + timedelta(minutes=minutes)
    record = Record(created=created, title=title, spec=TrainSpec(config=PRESETS["book"], **changes), text_name=text,
                    text_sha256="")
    return RunFolder(Path("/runs") / (folder or f"{created:%Y-%m-%d_%H%M%S}_book")), record


def branch(minutes: int, title: str):
    folder, record = run(minutes)
    return folder, record.model_copy(update={
        "title": title, "parent": Parent(run="2026-03-01_120000_book", created=NOON, step=9)})


def names(*runs) -> list[str]:
    found = made_names(runs)
    return [found[folder.path] for folder, _ in runs]


def test_that_a_name_has_the_text_the_layers_and_the_learning_rate():
    assert names(run(), run(1, learning_rate=0.002), run(2, text="3 texts: a, b, c")) == [
        "The Verdict · 12 layers · 0.0004", "The Verdict · 12 layers · 0.002", "3 texts · 12 layers · 0.0004"]


def test_that_a_newer_run_of_the_same_name_has_its_difference_or_a_number():
    runs = [run(), run(1, batch_size=8), run(2), run(3, seed=7), run(4)]
    base = "The Verdict · 12 layers · 0.0004"
    expected = [base, f"{base} · Batch size 8", f"{base} (2)", f"{base} · Random seed 7", f"{base} (3)"]
    assert names(*runs) == expected
    assert names(*runs[:3]) == expected[:3], "what comes later renames nothing"
    assert names(*reversed(runs)) == expected[::-1], "the order of the list does not matter"
    name = made_names(runs)[runs[3][0].path]
    [words, _] = next(each for each in name.values.values() if "Random" in each).values.values()
    assert isinstance(words, Message), "so that the window can translate it"


def test_that_a_name_given_by_the_user_is_kept():
    named = [run(title="My run"), run(1, folder="long-training"), branch(2, "My run, from step 10")]
    assert [given_name(*each) for each in named] == ["My run", "long-training", "My run, from step 10"]
    assert made_names(named) == {}
    assert names(*named[:0], run(3)) == ["The Verdict · 12 layers · 0.0004"]


def test_that_a_branch_of_a_run_without_a_name_has_its_step():
    assert names(run(), branch(1, "2026-03-01_120000_book, from step 1,000")) == [
        "The Verdict · 12 layers · 0.0004", "The Verdict · 12 layers · 0.0004, from step 1,000"]


def test_that_a_long_name_of_a_text_is_cut():
    assert names(run(text="a" * 60)) == [f"{'a' * 27}… · 12 layers · 0.0004"]


def test_that_a_saved_run_is_shown_by_that_name_until_it_gets_one_from_the_user(study, home):
    first = study(paths.runs() / "2026-11-28_120000_own").folder
    second = study(paths.runs() / "2026-11-28_130000_own", steps=6).folder
    assert str(shown_name(first)).endswith("1 layer · 0.01")
    assert str(shown_name(second)) == f"{shown_name(first)} · Steps 6"
    record = second.record()
    second.write(record.model_copy(update={"title": "Mine"}))
    assert shown_name(second) == "Mine"
    assert shown_name(RunFolder(home / "gone")) == "gone"
