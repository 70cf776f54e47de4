"""A journal as columns: read fast or event by event, continued by a resume, and followed while it is written."""

import math

import made_up
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import started
from made_up import step_done as step

from gptstudio.errors import UserError
from gptstudio.history import run_history
from gptstudio.history.columns import Columns
from gptstudio.history.health_history import HealthHistory
from gptstudio.history.journal_reader import JournalPosition, News, Tail
from gptstudio.history.run_history import Best, History, Note
from gptstudio.training import journal
from gptstudio.training.control import Control
from gptstudio.training.events import (
    CheckpointSaved,
    Ended,
    Evaluated,
    LearningRateChanged,
    MemoryRead,
    PhaseChanged,
    SampleWritten,
    StepDone,
    Warned,
    to_json,
)
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import all_runs
from gptstudio.training.run_metrics import RunMetrics

pytestmark = pytest.mark.usefixtures("few_tokens")

STARTED = started()


def evaluated(number: int, val_loss: float) -> Evaluated:
    return made_up.evaluated(number, val_loss - 1, val_loss)


def memory(used: int) -> MemoryRead:
    return MemoryRead(used_bytes=used, peak_bytes=2 * used, total_bytes=10**9)


def fed(events) -> History:
    made = History()
    for event in events:
        made.add(event)
    return made


def as_values(made: History) -> dict:
    """Return everything in a history, to be compared."""
    values = dict(vars(made))
    for name, value in values.items():
        if isinstance(value, Columns):
            values[name] = {column: np.nan_to_num(value[column], nan=-7.0).tolist() for column in value.names}
        if isinstance(value, HealthHistory):
            values[name] = [(table.layers, table.values.tolist()) for table in value.tables.values()]
    return values


def lines(events) -> bytes:
    return "".join(to_json(event) + "\n" for event in events).encode()


# Kept events


def test_that_each_event_is_kept_with_its_step():
    sample = SampleWritten(step=1, epoch=1, text="cat")
    saved = CheckpointSaved(step=1, path="x", val_loss=None)
    change = LearningRateChanged(step=2, learning_rate=1e-4)
    ended = Ended(outcome="stopped", message="Stopped.")
    made = fed([
        STARTED, Warned(message="early"), step(0, 7.0), memory(100), evaluated(0, 6.0), step(1, 6.5), sample, saved,
        change, Warned(message="late"), evaluated(1, 5.0), memory(300), ended,
    ])
    assert made.steps["loss"].tolist() == [7.0, 6.5]
    assert made.evaluations["val_loss"].tolist() == [6.0, 5.0]
    assert made.memory["step"].tolist() == [0, 1]
    assert made.memory["peak_bytes"].tolist() == [200, 600]
    assert made.notes == [Note(-1, "early"), Note(1, "late")]
    assert (made.samples, made.checkpoints, made.learning_rates) == ([sample], [saved], [change])
    assert (made.started, made.ended, made.best) == (STARTED, ended, Best(1, 5.0))


def test_that_a_run_without_evaluations_has_no_best_loss():
    assert fed([STARTED, step(0)]).best is None
    assert fed([STARTED, step(0), evaluated(0, math.nan)]).best is None
    assert fed([evaluated(0, math.nan), evaluated(5, 3.0)]).best == Best(5, 3.0)


@pytest.mark.parametrize(("seconds", "expected"), [(6.0, 1.5), (0.0, None), (1e12, None)])
def test_that_seconds_per_step_are_unknown_if_the_log_has_no_plausible_time(seconds, expected):
    assert fed([STARTED, *map(step, range(3)), step(3, elapsed_s=seconds)]).step_s == expected
    assert fed([STARTED]).step_s is None


def test_that_a_resumed_run_forgets_what_it_repeats_and_keeps_the_step_of_the_resume():
    first = [STARTED, step(0), evaluated(0, 6.0), memory(1), CheckpointSaved(step=0, path="x", val_loss=6.0)]
    lost = [
        LearningRateChanged(step=1, learning_rate=1.0), step(1), evaluated(1, 4.0), memory(2), Warned(message="lost"),
        SampleWritten(step=1, epoch=1, text="lost"), CheckpointSaved(step=1, path="lost", val_loss=4.0),
        Ended(outcome="stopped", message="Stopped."),
    ]
    again = [STARTED.model_copy(update={"first_step": 1}), Warned(message="another number of threads"), step(1, 3.0)]
    made, expected = fed([*first, *lost, *again]), fed([*first, *again])
    assert [(each.event.first_step, each.before) for each in made.starts] == [(0, 0), (1, 2)], "one step was repeated"
    assert as_values(made) == as_values(expected) | {"starts": made.starts}
    assert made.resumed == [1]
    assert made.steps["loss"].tolist() == [5.0, 3.0]
    assert made.notes == [Note(0, "another number of threads")]
    assert made.ended is None


@pytest.mark.parametrize(("saved", "kept"), [(True, 1), (False, 0)], ids=["saved after it", "saved before it"])
def test_that_a_learning_rate_is_kept_by_a_resume_if_the_checkpoint_contains_it(saved, kept):
    change = LearningRateChanged(step=1, learning_rate=1.0)
    checkpoint = CheckpointSaved(step=0, path="x", val_loss=None)
    begin = [STARTED, step(0), *((change, checkpoint) if saved else (checkpoint, change)), step(1)]
    again = [STARTED.model_copy(update={"first_step": 1}), step(1)]
    assert fed([*begin, *again, *again]).learning_rates == [change] * kept


def test_that_marks_of_later_resumes_are_removed_with_their_steps():
    starts = [STARTED.model_copy(update={"first_step": first}) for first in (0, 5, 9, 3)]
    assert fed(starts).resumed == [3]
    assert fed([*starts, STARTED]).resumed == []


# Read from a file


@pytest.mark.parametrize("changes", [{}, {"eval_freq": 1, "steps": 30, "save_every_epochs": 1}])
def test_that_a_real_journal_is_read_as_the_reported_events(tiny_spec, changes):
    events: list = []
    launch(tiny_spec(**changes), Control(), [events.append])
    from_file, one_by_one = run_history.read(all_runs()[0].journal_path), fed(events)
    assert as_values(from_file) == as_values(one_by_one)
    assert len(from_file.steps) == changes.get("steps", 12)


ODD = [
    b"", b"\n", b"not json\n", b"5\n", b"[]\n", b"\xff\n", b'{"event":["step_done"]}\n', b'{"event":"step_done"}\n',
    b'{"event":"of another version","step":1}\n', to_json(step(1)).encode()[:40] + b"\n",
    b'{"event":"phase_changed","phase":"flying"}\n',
]
FIGURES = [b"true", b"null", b'"5"', b"5.0", b"5.5", b"1e999", b"NaN", b'"NaN"', b'"-Infinity"', b"[1]", b"9" * 400]


def changed(event, name: str, figure: bytes) -> bytes:
    """Return the event's line with another value."""
    value = to_json(event.model_copy(update={name: 4321})).encode()
    assert b":4321" in value
    return value.replace(b":4321.0", b":" + figure).replace(b":4321", b":" + figure) + b"\n"


OLD_MEMORY = b'{"event":"memory_read","used_bytes":1,"peak_bytes":2,"total_bytes":3}\n'
SOUND = [
    STARTED, PhaseChanged(phase="training"), step(2), step(3, math.nan), step(4, math.inf), evaluated(4, 3.5),
    evaluated(5, -math.inf), memory(7), Warned(message="take care"), SampleWritten(step=4, epoch=1, text="a\nb"),
    CheckpointSaved(step=4, path="x", val_loss=None), LearningRateChanged(step=5, learning_rate=0.1),
    STARTED.model_copy(update={"first_step": 3}), Ended(outcome="failed", message="Diverged."),
]
LINES = st.sampled_from(
    ODD + [lines([event]) for event in SOUND] + [OLD_MEMORY]
    + [changed(step(3), name, figure) for name in ("step", "loss") for figure in FIGURES]
    + [changed(memory(1), "total_bytes", figure) for figure in FIGURES]
)


@given(st.lists(LINES, max_size=30))
def test_that_any_journal_is_read_as_its_events_one_by_one(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("journals") / "journal.jsonl"
    file.write_bytes(b"".join(content))
    expected = History()
    for event in journal.read(file):
        try:
            expected.add(event)
        except OverflowError:
            continue
    assert as_values(run_history.read(file)) == as_values(expected)


def test_that_every_odd_figure_is_accepted_or_ignored_as_by_pydantic(tmp_path):
    """Each is tested alone, so that none hides another."""
    cases = [("step", step(3)), ("loss", step(3)), ("total_bytes", memory(1)), ("val_loss", evaluated(3, 1.0))]
    for name, event in cases:
        for figure in FIGURES[:-1]:
            file = tmp_path / "journal.jsonl"
            file.write_bytes(changed(event, name, figure))
            assert as_values(run_history.read(file)) == as_values(fed(journal.read(file))), (name, figure)


def test_that_a_start_with_other_spaces_starts_the_run_too(tmp_path):
    again = lines([STARTED.model_copy(update={"first_step": 1})]).replace(b'":"run_started"', b'": "run_started"')
    file = tmp_path / "journal.jsonl"
    file.write_bytes(lines([STARTED, step(0), step(1), step(2)]) + again + lines([step(1, 4.0)]))
    made = run_history.read(file)
    assert made.steps["loss"].tolist() == [5.0, 4.0]
    assert as_values(made) == as_values(fed(journal.read(file)))


def test_that_a_warning_read_from_a_file_keeps_its_step(tmp_path):
    events = [step(0), Warned(message="one"), step(1), memory(5), step(2), Warned(message="two"), step(3)]
    file = tmp_path / "journal.jsonl"
    file.write_bytes(lines(events))
    made = run_history.read(file)
    assert made.notes == [Note(0, "one"), Note(2, "two")]
    assert (made.memory["step"].tolist(), made.last_step) == ([1], 3)


def test_that_a_journal_of_an_earlier_version_and_a_missing_one_can_be_read(tmp_path):
    file = tmp_path / "journal.jsonl"
    file.write_bytes(OLD_MEMORY + lines([step(0)]))
    assert run_history.read(file).memory["run_peak_bytes"].tolist() == [0]
    assert len(run_history.read(tmp_path / "none").steps) == 0


def test_that_figures_survive_any_growth_of_the_columns():
    made = fed(step(i, loss=i / 3) for i in range(1_000))
    assert made.steps["loss"].tolist() == [i / 3 for i in range(1_000)]
    assert made.steps["step"].tolist() == list(range(1_000))


def test_that_columns_that_are_not_given_are_gaps():
    table = Columns("step", "loss")
    table.extend([(0, 5.0), (1, 4.0)])
    table.truncate(1)
    table.extend([(1,)])
    assert table["step"].tolist() == [0, 1]
    assert np.isnan(table["loss"]).tolist() == [False, True]
    assert table.truncations == 1


# Derived


def positions(made: History, columns: Columns, name: str) -> list[float]:
    axis = made.axes[name]
    return (columns[axis.column] / axis.divisor + axis.offset).tolist()


def test_that_every_row_has_a_place_on_every_axis():
    made = fed([STARTED, *(step(i) for i in range(9)), evaluated(4, 3.0), evaluated(8, 3.0), memory(1), step(9)])
    assert positions(made, made.steps, "step")[7:] == [8, 9, 10]
    assert positions(made, made.steps, "tokens")[:2] == [32, 64]
    assert positions(made, made.steps, "minutes")[:2] == [0.5 / 60, 1.0 / 60]
    assert np.array(positions(made, made.steps, "epoch"))[[0, 3, 8]].tolist() == [0.25, 1.0, 2.25]
    assert made.evaluations["elapsed_s"].tolist() == [4.5, 4.5]  # when it was evaluated: after the last step
    assert positions(made, made.evaluations, "epoch") == [1.25, 2.25]
    assert made.memory["tokens_seen"].tolist() == [32 * 9]


def test_that_an_unknown_place_is_nan():
    made = fed([evaluated(4, 3.0), memory(1)])
    assert np.isnan(made.evaluations["elapsed_s"]).all()
    assert np.isnan(made.memory["tokens_seen"]).all()
    assert not made.axes


def test_that_speed_is_tokens_over_the_last_steps_and_their_time():
    seconds = np.cumsum(np.linspace(0.1, 0.9, 60))
    speed = fed([STARTED, *(step(i, elapsed_s=seconds[i]) for i in range(60))]).steps["tokens_per_second"]
    assert speed[0] == pytest.approx(32 / seconds[0])
    assert speed[10] == pytest.approx(11 * 32 / seconds[10])
    assert speed[50] == pytest.approx(20 * 32 / (seconds[50] - seconds[30]))
    assert np.isnan(fed([step(0, elapsed_s=0.0)]).steps["tokens_per_second"]).tolist() == [True]


def test_that_every_view_of_a_run_shows_the_same_speed():
    """Curves and tables by the history, one by one or all at once; the terminal and the Train page by the metrics."""
    random = np.random.default_rng(3)
    resumed = STARTED.model_copy(update={"first_step": 40})
    seconds = np.cumsum(random.random(100)).tolist()
    events = [STARTED, *(step(i, elapsed_s=seconds[i]) for i in range(60))]
    events += [resumed, *(step(i, elapsed_s=seconds[i] + 5) for i in range(40, 90))]
    metrics, one_by_one, together = RunMetrics(), History(), History()
    for event in events:
        metrics.take(event)
        one_by_one.add(event)
        if isinstance(event, StepDone):
            shown = one_by_one.steps["tokens_per_second"][-1]
            assert metrics.tokens_per_second == pytest.approx(shown, nan_ok=True)
    together.add(*events)
    assert as_values(together) == as_values(one_by_one)
    assert np.isnan(together.steps["tokens_per_second"]).nonzero()[0].tolist() == [40]


# Followed


def events_in(news: News) -> list:
    return [event for event in map(journal.event_of, news.lines) if event]


def append(file, data: bytes) -> None:
    with file.open("ab") as open_file:
        open_file.write(data)


def test_that_a_journal_is_followed_by_whole_lines(tmp_path):
    file = tmp_path / "journal.jsonl"
    tail = Tail(file)
    assert tail.read() == News([])
    file.touch()
    assert tail.read() == ([], False)
    append(file, lines([STARTED]) + lines([step(0)])[:30])
    assert events_in(tail.read()) == [STARTED]
    assert events_in(tail.read()) == []
    append(file, lines([step(0)])[30:] + b'{"event":"of a later version"}\n' + lines([step(1)]))
    assert events_in(tail.read()) == [step(0), step(1)]
    resumed = Tail(file, JournalPosition.model_validate_json(tail.place.model_dump_json()))
    append(file, lines([step(2)]))
    assert events_in(resumed.read()) == events_in(tail.read()) == [step(2)]


def test_that_a_long_journal_arrives_in_pieces_that_make_up_the_whole(tmp_path):
    file = tmp_path / "journal.jsonl"
    events = [STARTED, *(step(i) for i in range(500)), *(evaluated(i, 500 - i) for i in range(500))]
    append(file, lines(events))
    tail, made, looks = Tail(file), History(), 0
    while news := tail.read(at_most=10_000).lines:
        made.extend(news)
        looks += 1
    assert looks > 10
    assert as_values(made) == as_values(fed(events))


@pytest.mark.parametrize("count", [1, 2, 8], ids=["shorter", "of the same length", "longer"])
def test_that_a_shortened_journal_is_read_again(tmp_path, count):
    ended = Ended(outcome="finished", message="Finished.")
    again = [*(step(i, 3.0, elapsed_s=i + 0.1) for i in range(1, 1 + count)), ended]
    file = tmp_path / "journal.jsonl"
    append(file, lines([STARTED, step(0), step(1), step(2), ended]))
    tail = Tail(file)
    tail.read()
    journal.truncate(file, len(lines([STARTED, step(0)])))
    append(file, lines(again))
    news = tail.read()
    assert news.restarted
    assert events_in(news) == [STARTED, step(0), *again]
    assert tail.read() == ([], False)


def test_that_a_removed_journal_is_reported_and_read_again_when_another_appears(tmp_path):
    file = tmp_path / "journal.jsonl"
    append(file, lines([STARTED, step(0)]))
    tail = Tail(file)
    tail.read()
    file.unlink()
    assert tail.read() == News([])
    append(file, lines([STARTED.model_copy(update={"run": "/another"}), step(0, 1.0), step(1)]))
    news = tail.read()
    assert (news.restarted, len(news.lines)) == (True, 3)


def test_that_a_journal_that_cannot_be_opened_is_not_taken_for_an_empty_one(tmp_path):
    with pytest.raises(UserError, match="Could not read"):
        run_history.read(tmp_path)
