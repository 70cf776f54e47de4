"""Closing and starting again: texts are restored, and the model that was trained last is chosen."""

from collections.abc import Callable

import pytest
from lessons import TINY
from PySide6.QtCore import Qt

from gptstudio import paths
from gptstudio.app import class_reset
from gptstudio.gui import class_reset as gui_reset
from gptstudio.gui import session
from gptstudio.gui.session import Autosave
from gptstudio.gui.window import MainWindow
from gptstudio.inference import tree_files
from gptstudio.training import run_folder
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel

FIRST_PAGE = "generate"


@pytest.fixture
def start_again(user, qtbot) -> Callable[..., MainWindow]:
    """Return a function that saves the state of the window as it does when it closes, and opens another window.
    ``meanwhile`` is called in between."""
    made: list[MainWindow] = []

    def start(meanwhile: Callable[[], object] = lambda: None) -> MainWindow:
        session.keep(session.of(user.window))
        session.keep_writing(user.window.state)
        meanwhile()
        other = MainWindow()
        made.append(other)
        session.read().put_back(other)
        other.wake()
        qtbot.waitUntil(lambda: (other.state.text_check is not None) and not other.tasks.busy(), timeout=30_000)
        return other

    yield start
    for other in made:
        other.leave()
        other.deleteLater()


def test_that_the_model_trained_last_is_chosen_at_the_start_unless_an_untrained_one_was_chosen_by_hand(
    user, start_again, study_once
):
    study_once(steps=2)
    newest = study_once(steps=3)
    assert start_again().state.model_with_seed == SavedModel(newest.newest_checkpoint())

    generate = user.window.generate
    user.window.library.refresh_models()
    user.go_to("generate")
    user.choose(generate.model_box, generate.model_box.itemText(
        next(i for i, each in enumerate(user.window.state.models) if isinstance(each, UntrainedModel))
    ))
    generate.model_box.activated.emit(generate.model_box.currentIndex())
    assert isinstance(start_again().state.model_with_seed, UntrainedModel)


def test_that_a_text_with_its_branches_is_restored_at_the_next_start(user, start_again):
    source = user.train.to_end(steps=3)
    user.generate.begin(6, "The house")
    user.wait(lambda: not user.window.generate.running)
    view = user.window.generate
    user.generate.choose(view.document.given + 1)
    other_token = next(each for each in range(100, 200) if each != view.document.chosen.id)
    user.generate.branch(other_token)
    user.wait(lambda: not user.window.generate.running and len(list(view.document.snapshot.tree.leaves())) == 2)
    view.branches.rename_requested.emit(view.document.snapshot.tip, "the second")
    user.generate.set_parameter("temperature", "0.7")
    written = view.document
    window = start_again()
    again, state = window.generate, window.state
    shown = state.document
    assert shown.snapshot.tree.nodes.keys() == written.snapshot.tree.nodes.keys()
    assert [node.reading for node in shown.path] == [
        node.reading.model_copy(update={"logits": None}) for node in written.path
    ]
    assert shown.path[-1].name == "the second"
    assert again.prompt.toPlainText() == "The house"
    assert state.sampling_params.temperature == 0.7
    assert state.model_with_seed == source


def test_that_a_text_of_a_model_in_training_is_restored_with_the_last_checkpoint_which_is_chosen(user, start_again):
    user.train.step_times(2)
    user.generate.write(3, "The house")
    assert isinstance(user.state.document.snapshot.model.source, LiveModel)
    state = start_again(meanwhile=lambda: (user.go_to("train"), user.train.stop())).state
    (run,) = run_folder.all_runs()
    assert state.document.text.startswith("The house")
    assert state.model == state.document.snapshot.model.source == SavedModel(run.newest_checkpoint())


def test_that_selections_on_the_other_pages_are_restored_at_the_next_start(user, start_again, study_once, home):
    older, middle, newest = (study_once(title=title, steps=2) for title in ("older", "middle", "newest"))
    user.runs.show(older, middle)
    user.runs.tick(newest.path, False)
    own = home / "letter.txt"
    own.write_text("Dear friend, this is a text of one's own. " * 40, encoding="utf-8")
    user.go_to("texts")
    user.window.texts.add([own])
    user.go_to("learn")
    user.learn.open("gelu")
    user.go_to("generate")
    user.window.state.generate_view = "score"
    colours = dict(user.window.runs.model.ticks)
    assert sorted(colours.values()) != [0, 1], "another run had a colour between"
    window = start_again()
    state = window.state
    assert state.page == "generate"
    assert state.generate_view == "score"
    window.show()
    for page in ("runs", "texts", "learn"):
        state.show_page(page)
    user.wait(lambda: state.checked_runs)
    assert state.selected_run.path == middle.path
    assert [run.path for run in state.checked_runs] == [older.path, middle.path]
    assert window.runs.model.ticks == colours
    assert window.texts.table.ticked_names == (str(own),)
    assert window.texts.table.selected_name == str(own)
    assert window.learn.current.lab.name == "gelu"


def test_that_runs_stay_unticked_where_none_was_ticked(user, start_again, study_once):
    study_once(title="older", steps=2)
    newest = study_once(title="newest", steps=2)
    user.go_to("runs")
    user.wait(lambda: user.state.checked_runs)
    user.runs.select(newest.path)
    user.runs.list.setFocus()
    user.press(Qt.Key.Key_Space)
    assert not user.state.checked_runs
    window = start_again()
    window.show()
    window.state.show_page("runs")
    user.wait(lambda: window.state.selected_run)
    assert not window.state.checked_runs
    assert window.runs.compare.runs == []


def test_that_a_text_that_is_being_generated_is_saved_as_far_as_it_was_when_the_window_closes(user):
    user.panel.select(TINY)
    paths.session_text().write_text("of another window")
    autosave = Autosave(user.window)
    autosave.save()
    assert paths.session_text().read_text() == "of another window"
    user.generate.begin(50_000)
    user.wait(lambda: len(user.generate.strip.boxes) > 6)
    assert user.window.close()
    autosave.leave()
    assert len(tree_files.load(paths.session_text()).nodes) == len(user.state.document.snapshot.tree.nodes) > 6


def test_that_a_text_is_saved_from_time_to_time_and_an_unreadable_one_is_reported_and_kept(user):
    user.panel.select(TINY)
    user.go_to("generate")
    autosave = Autosave(user.window, every_s=0.1)
    user.window.state.prompt = "Once more"
    user.click(user.find("generate"))
    user.wait(lambda: user.window.state.document.path and not user.window.state.generating)
    user.wait(lambda: paths.session_text().exists() and session.read().writing.spec.prompt == "Once more")
    written = paths.session_text().stat().st_mtime_ns
    user.rest(0.3)
    assert paths.session_text().stat().st_mtime_ns == written, "what has not changed is not written again"
    autosave.leave()
    other = MainWindow()
    session.read().put_back(other)
    assert [node.id for node in other.state.document.path] == [node.id for node in user.window.state.document.path]
    assert not other.state.document.history.can_undo
    other.leave()
    other.deleteLater()

    # An unreadable text.
    paths.session_text().write_text("{", encoding="utf-8")
    left = session.read()
    left.put_back(user.window)
    assert "Could not open" in user.generate.view.notice.text()
    assert paths.session_text().with_name("session_text.json.aside").read_text(encoding="utf-8") == "{"


def test_that_a_reset_for_the_next_class_begins_with_the_text_and_the_session_saved(user, monkeypatch):
    found = []
    monkeypatch.setattr(gui_reset, "reset", lambda *_: found.append(class_reset.find()))
    user.panel.select(TINY)
    autosave = Autosave(user.window, every_s=3_600)
    user.generate.begin(3)
    user.wait(lambda: not user.window.state.generating)
    user.window.reset_class()
    assert {each.name for each in found[0].parts if each.exists()} >= {"session.json", "session_text.json"}
    autosave.leave()


def test_that_nothing_is_reset_for_the_next_class_while_another_program_trains_a_run(user, study, monkeypatch):
    monkeypatch.setattr(gui_reset, "confirmed", lambda *_: pytest.fail("it asked"))
    with study().writing():
        user.window.reset_class()
    notice = user.find("reset_class_notice")
    assert notice.text().startswith("A run is in progress.")
    notice.close()
