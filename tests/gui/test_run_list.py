"""The list of runs: the content of its rows, sorting, and what a new listing preserves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pages.page import column
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView, QLineEdit

from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.gui.charts.style import COLOURS, overlay
from gptstudio.gui.runs.run_list import COLUMNS, Families, RunList, RunListModel
from gptstudio.gui.theme import theme
from gptstudio.history.run_history import Best
from gptstudio.history.summary import RunFigures, RunSummary
from gptstudio.training.run_folder import Record, RunFolder
from gptstudio.training.spec import TrainSpec

ROLE = Qt.ItemDataRole
HEADINGS = {column.heading: number for number, column in enumerate(COLUMNS)}


def listed(
    name: str, loss: float | None = None, days: int = 0, preset: str = "book", state: str = "finished", size: int = 0,
    text: str = "a text", **config: int,
) -> RunSummary:
    """Return a run that was never trained, as the list would receive it."""
    created = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=days)
    made = PRESETS[preset].but(**config)
    record = Record(created=created, spec=TrainSpec(config=made), text_name=text, text_sha256="")
    figures = RunFigures(best=Best(7, loss) if loss is not None else None)
    count = sizing.parameter_count(made)
    return RunSummary(
        RunFolder(Path("/runs") / name), record, figures, state, count, size, saved=True, resumable=True)


@pytest.fixture
def model(application) -> RunListModel:
    return RunListModel()


@pytest.fixture
def view(qtbot, model) -> RunList:
    made = RunList(model)
    qtbot.addWidget(made)
    theme.dress(made)
    made.show()
    return made


def test_that_a_row_describes_the_run(view, model):
    model.set_runs([listed("a", loss=3.21987, preset="gpt2-xl", state="interrupted", size=3 * 2**30)])
    cells = {heading: column(view, heading)[0] for heading in HEADINGS}
    assert cells["Run"] == "a"
    assert cells["Preset"] == "gpt2-xl"
    assert cells["Text"] == "a text"
    assert cells["Parameters"] == f"{sizing.parameter_count(PRESETS['gpt2-xl']) / 1e6:,.1f} M"
    assert cells["Best val."] == "3.220"
    assert cells["State"] == "Interrupted"
    assert cells["Size"] == "3.0 GB"
    assert view.model().index(0, HEADINGS["Run"]).data(ROLE.ToolTipRole).startswith("a\n"), "also where it is cut off"
    tip = view.model().index(0, HEADINGS["Best val."]).data(ROLE.ToolTipRole)
    assert "step 8" in tip
    small = listed("a", emb_dim=8, n_heads=2, n_layers=1)
    model.set_runs([small])
    assert column(view, "Parameters") == [f"{small.parameters:,}"], "less than a million, not 0.8 M"


def test_that_columns_sort_by_their_values_and_a_changed_run_moves_to_its_position(view, model):
    model.set_runs([
        listed("nine", loss=9.5, days=1, preset="book", size=900 * 2**20),
        listed("ten", loss=10.5, days=2, preset="gpt2-xl", size=2 * 2**30),
        listed("never", loss=None, days=3, preset="workshop", size=10),
    ])
    assert column(view, "Run") == ["never", "ten", "nine"], "the newest first"
    view.sortByColumn(HEADINGS["Best val."], Qt.SortOrder.AscendingOrder)
    assert column(view, "Best val.") == ["9.500", "10.500", "–"]
    view.sortByColumn(HEADINGS["Size"], Qt.SortOrder.AscendingOrder)
    assert column(view, "Run") == ["never", "nine", "ten"]
    view.sortByColumn(HEADINGS["Parameters"], Qt.SortOrder.DescendingOrder)
    assert column(view, "Preset") == ["gpt2-xl", "book", "workshop"]
    model.set_runs([listed(name, text=name) for name in ("Zebra.txt", "apple.txt")])
    view.sortByColumn(HEADINGS["Text"], Qt.SortOrder.AscendingOrder)
    assert column(view, "Text") == ["apple.txt", "Zebra.txt"], "as in a dictionary, like the names of runs"
    runs = [listed(name, loss=loss) for name, loss in (("a", 3.0), ("b", 2.0), ("c", 1.0))]
    model.set_runs(runs)
    view.sortByColumn(HEADINGS["Best val."], Qt.SortOrder.AscendingOrder)
    assert column(view, "Run") == ["c", "b", "a"]
    model.change(listed("a", loss=0.5))
    assert column(view, "Run") == ["a", "c", "b"]


def test_that_a_new_listing_keeps_ticks_selection_and_sorting(view, model):
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    runs = [listed(name, days=day) for day, name in enumerate("abcd")]
    model.set_runs(runs)
    view.select(runs[1].path)
    model.tick(runs[1].path, True)
    model.tick(runs[3].path, True)
    changed = listed("b", loss=1.5, days=1)
    model.set_runs([listed("e", days=9), changed, runs[2]])
    assert view.current() == changed
    assert column(view, "Run") == ["e", "c", "b"]
    assert list(model.ticks) == [runs[1].path], "what is gone is no longer ticked"
    del tester


def test_that_a_run_keeps_its_colour_when_it_is_ticked_again_or_restored_from_the_trash(model):
    runs = [listed(name) for name in "abc"]
    model.set_runs(runs)
    model.tick_all([run.path for run in runs])
    model.set_runs(runs[1:])
    model.set_runs([*runs[1:], listed("d")])
    model.tick(listed("d").path, True)
    model.set_runs([*runs, listed("d")])
    model.tick(runs[0].path, True)
    assert model.ticks == {runs[1].path: 1, runs[2].path: 2, listed("d").path: 3, runs[0].path: 0}
    model.set_runs([])
    model.numbers.clear()
    runs = [listed(name) for name in "abcd"]
    model.set_runs(runs)
    for run in runs[:3]:
        model.tick(run.path, True)
    model.tick(runs[1].path, False)
    model.tick(runs[3].path, True)
    assert model.ticks == {runs[0].path: 0, runs[2].path: 2, runs[3].path: 3}
    model.tick(runs[1].path, True)
    assert model.ticks[runs[1].path] == 1


def test_that_runs_of_one_colour_keep_it_and_differ_in_their_dashes(model):
    runs = [listed(str(number)) for number in range(COLOURS + 1)]
    model.set_runs(runs)
    for run in runs:
        model.tick(run.path, True)
        model.tick(run.path, False)
    first, last = runs[0].path, runs[-1].path
    model.tick(last, True)
    model.tick(first, True)
    looks = [overlay(model.ticks[path]) for path in (first, last)]
    assert len({look.key for look in looks}) == 1
    assert len({look.dash for look in looks}) == 2
    model.tick(last, False)
    model.tick(first, False)
    model.tick(first, True)
    assert overlay(model.ticks[first]).key == looks[0].key


def test_that_ticking_repaints_one_line_and_runs_ticked_together_have_the_colours_of_their_order(view, model, qtbot):
    runs = [listed(str(number), days=number) for number in range(50)]
    model.set_runs(runs)
    lines = []
    model.dataChanged.connect(lambda first, last: lines.append((first.row(), last.row())))
    model.tick(runs[7].path, True)
    assert lines == [(7, 7)]
    model.tick(runs[7].path, False)
    model.numbers.clear()
    model.tick(runs[1].path, True)
    received = []
    model.ticked.connect(lambda: received.append(dict(model.ticks)))
    model.tick_all([run.path for run in (runs[3], runs[1], runs[0])])
    assert received == [{runs[1].path: 0, runs[3].path: 1, runs[0].path: 2}]


def test_that_sorting_computes_the_key_of_each_run_once(view, model, monkeypatch):
    asked, order = [], Families.order
    monkeypatch.setattr(Families, "order", lambda *args: asked.append(args[1]) or order(*args))
    runs = [listed(str(number), days=number * 37 % 100) for number in range(100)]
    model.set_runs(runs)
    assert column(view, "Run") == [run.title for run in sorted(runs, key=lambda run: str(
        run.record.created), reverse=True)]
    assert len(asked) == len(runs)


def test_that_a_click_on_the_box_and_the_space_bar_tick_and_a_typed_name_is_requested(qtbot, view, model):
    model.set_runs([listed("a"), listed("b", days=1)])
    view.selectRow(0)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert [path.name for path in model.ticks] == ["b"]
    index = view.model().index(1, 0)
    assert view.model().setData(index, Qt.CheckState.Checked.value, ROLE.CheckStateRole)
    assert [path.name for path in model.ticks] == ["b", "a"]
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert [path.name for path in model.ticks] == ["a"]
    model.set_runs([listed("a")])
    view.selectRow(0)
    with qtbot.waitSignal(model.renamed) as received:
        view.model().setData(view.model().index(0, 0), "  my   run ", ROLE.EditRole)
    assert received.args[1] == "my run"
    assert column(view, "Run") == ["a"]
    for nothing in ("", "  ", "a"):
        with qtbot.assertNotEmitted(model.renamed):
            view.model().setData(view.model().index(0, 0), nothing, ROLE.EditRole)


def test_that_an_arrow_key_takes_the_typed_name_and_leaves_the_run_whichever_cell_was_clicked(qtbot, view, model):
    model.set_runs([listed("a"), listed("b", days=1)])
    for cell in range(len(COLUMNS)):
        view.setCurrentIndex(view.model().index(0, cell))
        view.rename()
        editor = view.findChild(QLineEdit)
        qtbot.keyClicks(editor, "my run")
        with qtbot.waitSignal(model.renamed) as received:
            qtbot.keyClick(editor, Qt.Key.Key_Down)
        assert (received.args[0].path.name, received.args[1]) == ("b", "my run")
        assert view.current().path.name == "a"
        assert view.state() == QAbstractItemView.State.NoState
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_that_the_name_of_the_text_has_the_width_that_the_names_of_the_runs_do_not_need(view, model):
    view.resize(1000, 300)
    long = "The Verdict, Edith Wharton, 1908, first half"

    def shown(heading: str) -> bool:
        number = HEADINGS[heading]
        return view.columnWidth(number) >= view.sizeHintForColumn(number)

    model.set_runs([listed("a short name", text=long)])
    assert shown("Run")
    assert shown("Text")
    model.set_runs([listed("a short name", text=long), listed("a name longer than all the rest " * 4, text=long)])
    assert not shown("Text")
    assert view.horizontalScrollBar().maximum() == 0
