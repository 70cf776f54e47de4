"""The state of the window: restored by the next window, and no file can keep it from opening."""

import json

import pytest
from lessons import TINY, tiny_config
from messages import message
from PySide6.QtWidgets import QMessageBox

from gptstudio import log, paths
from gptstudio.gui import session
from gptstudio.gui.app import report_newer_files
from gptstudio.gui.appearance import fit_to_screen, screen_of
from gptstudio.gui.generate import score
from gptstudio.gui.session import Session
from gptstudio.gui.theme import theme
from gptstudio.gui.window import MainWindow
from gptstudio.training import run_folder


@pytest.fixture
def as_left(user):
    """The state of a window after use: another model, other settings, dark, large, on Texts."""
    user.train.prepare(epochs=3, learning_rate=0.002, batch_size=4)
    theme.choose("dark")
    theme.enlarge(0.8)
    user.window.resize(780, 640)  # the screen here is no larger
    user.go_to("texts")
    return session.of(user.window)


def test_that_a_window_is_restored_as_it_was_closed_and_missing_weights_are_reported(user, as_left):
    session.keep(as_left)
    theme.choose("light")
    theme.enlarge(None)
    left = session.read()
    assert left == as_left
    left.dress()
    assert (theme.scheme, theme.zoom) == ("dark", 0.8)
    other = MainWindow()
    left.place(other)
    left.put_back(other)
    assert other.size() == user.window.size()
    assert other.state.config == tiny_config()
    assert other.state.spec == user.train.spec
    assert other.state.page == "texts"
    assert session.of(other).model_dump(exclude={"geometry"}) == as_left.model_dump(exclude={"geometry"})
    other.leave()
    other.deleteLater()

    gone = as_left.model_copy(update={"spec": as_left.spec.but(init_from="a-run-that-was-deleted")})
    gone.put_back(user.window)
    assert user.panel.config == tiny_config()
    assert "a-run-that-was-deleted" in user.reads("weights_let_go")


GOOD = Session(config=TINY).model_dump_json()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"\xff\xfe\x00", b"[]", b"null", b'"text"', GOOD[:-20].encode(), b"[" * 100_000,
        json.dumps(json.loads(GOOD) | {"something": "new"}).encode(),
        json.dumps(json.loads(GOOD) | {"tab": 7}).encode(),
        json.dumps(json.loads(GOOD) | {"config": {"emb_dim": -1}}).encode(),
        b" " * (session.LARGEST_BYTES + 1),
    ],
    ids=["empty", "cut", "binary", "a list", "null", "a text", "cut late", "deep", "a later field",
         "another type", "no model", "too large"],
)  # fmt: skip
def test_that_an_unreadable_file_is_kept_and_logged(home, content):
    paths.session().write_bytes(content)
    assert session.read() == Session()
    assert paths.session().read_bytes() == content
    assert message("was_not_understood") in log.last_lines()[-1]


def test_that_a_newer_state_problems_and_values_without_meaning_are_survived_and_a_window_fits_the_screen(user, window):
    # The state of a newer version is reported and kept.
    content = json.dumps(json.loads(GOOD) | {"version": 99}).encode()
    paths.session().write_bytes(content)
    assert session.read() == Session()
    report_newer_files(user.window)
    notice = user.find("newer_files_notice")
    assert message("newer_version") in notice.text()
    user.click(notice.button(QMessageBox.StandardButton.Ok))
    assert paths.session().with_name("session.json.aside").read_bytes() == content
    report_newer_files(user.window)
    assert user.window.findChild(QMessageBox, "newer_files_notice") in (None, notice), "it is said once"

    # Values without meaning are ignored.
    strange = Session(geometry="zz", tab="elsewhere", zoom=float("inf"))
    zoom, tab = theme.zoom, user.current
    strange.dress()
    strange.place(user.window)
    strange.put_back(user.window)
    assert (theme.zoom, user.current) == (zoom, tab)

    window.resize(3000, 3000)
    fit_to_screen(window)
    room = screen_of(window).availableSize()
    assert window.width() <= room.width()
    assert window.height() < room.height()


def test_that_an_invalid_value_and_a_long_text_cost_no_other_setting_of_the_state(user):
    user.train.prepare(epochs=3, learning_rate=0.002, batch_size=4)
    state, spec = user.window.state, user.train.spec
    user.type("train_epochs", "0")
    state.config_values = {**state.config_values, "n_layers": 2, "drop_rate": 7.0}
    state.sampling_params = state.sampling_params.but(temperature=0.3)
    state.generate_values = {**state.generate_values, "samples": 3, "max_new_tokens": None}
    state.scored_text = "\x01" * score.LONGEST  # in JSON, six bytes each
    session.keep(session.of(user.window))
    left = session.read()
    assert left.config == tiny_config().but(n_layers=2)
    assert left.spec == spec.but(config=left.config)
    writing = left.writing
    assert (writing.spec.sampling_params, writing.spec.samples) == (state.sampling_params, 3)
    assert writing.scored == state.scored_text


def test_that_recent_files_of_two_windows_are_kept_the_newest_of_the_last_saved_first():
    session.keep(Session(recent_files=("before",)))
    for mine in (("a", "before"), ("b", "before")):  # both windows began with the same list
        session.keep(Session(recent_files=mine))
    assert session.read().recent_files == ("b", "before", "a")
    session.keep(Session(recent_files=tuple(map(str, range(10)))))
    assert session.read().recent_files == tuple(map(str, range(10)))


def test_that_an_unwritable_home_only_prevents_saving_the_state(home, monkeypatch):
    (home / "a-file").write_text("")
    monkeypatch.setenv("GPTSTUDIO_HOME", str(home / "a-file" / "below"))
    session.keep(Session())
    session.set_aside()
    assert session.read() == Session()


def test_that_a_file_set_aside_twice_is_kept_twice(home):
    for tab in ("runs", "texts"):
        session.keep(Session(tab=tab))
        session.set_aside()
    assert session.read() == Session()
    assert sorted(path.name for path in home.glob("session.json*")) == ["session.json.aside", "session.json.aside2"]


def test_that_a_run_in_training_at_the_end_is_shown_again_with_its_initial_learning_rate(user):
    user.train.begin(steps=4_000)
    user.wait(lambda: user.window.state.run.last is not None)
    left = session.of(user.window)
    user.train.stop()  # as closing the window does
    (run,) = run_folder.all_runs()
    other = MainWindow()
    left.put_back(other)
    other.wake()
    try:
        user.wait(lambda: other.state.continuation is not None and other.state.run.last is not None)
        assert other.state.run.folder.path == run.path
        assert other.state.continuation.first_step == other.state.run.last.step + 1
        assert other.actions_of["start"].text() == "Continue"
        assert other.state.page == "train"
    finally:
        other.leave()
        other.deleteLater()

    user.train.begin(steps=4_000, learning_rate=1e-3)
    user.train.pause()
    user.type("train_learning_rate", "5e-4")
    user.wait(lambda: user.window.state.run.learning_rate == 5e-4)
    assert session.of(user.window).spec.learning_rate == 1e-3
    user.train.stop()
    assert session.of(user.window).spec.learning_rate == 1e-3, "the next start has the rate with which the run began"
