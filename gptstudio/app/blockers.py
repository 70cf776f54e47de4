"""Blockers of commands: each returns the reason why a command is disabled, as a message, or None if it is enabled."""

from __future__ import annotations

from collections.abc import Callable

from gptstudio import paths
from gptstudio.app.derived import continuation_at_hand, settings_are_shown, start_blocker
from gptstudio.app.run_extent import training_locked
from gptstudio.app.state import AppState
from gptstudio.i18n import message

Blocker = Callable[[AppState], "str | None"]


def never(_: AppState) -> None:
    return None


def unless(on: Callable[[AppState], object], why: str) -> Blocker:
    """Return a blocker that gives a reason while ``on`` is false."""
    return lambda state: None if on(state) else why


def either(*blockers: Blocker) -> Blocker:
    """Return a blocker that gives the first reason of several blockers."""
    return lambda state: next(filter(None, (blocker(state) for blocker in blockers)), None)


def page_locked(page: str) -> Blocker:
    return unless(lambda state: page not in state.locked_pages, message("This page is locked by your instructor."))


# Training.


def play_blocker(state: AppState) -> str | None:
    """Return the reason why no run can be started, paused or continued."""
    at_hand = state.running or (continuation_at_hand(state) and not state.queue_running)
    return None if at_hand else start_blocker(state)


def step_blocker(state: AppState) -> str | None:
    if state.running:
        return None if state.paused else message("Pause first; then you can train step by step.")
    return play_blocker(state)


def reset_blocker(state: AppState) -> str | None:
    if state.running:
        return None if state.paused else message("Pause the run first.")
    return no_run_shown(state)


no_run_shown = unless(lambda state: state.run.started, message("There is no run in the view."))

# Generation.

without_text = unless(lambda state: state.document.path, message("There is no text yet. Generate one first."))
uncertain_blocker = either(without_text, unless(
    lambda state: any(node.reading.plain_entropy_bits is not None for node in state.document.path),
    message("The model has not predicted any token of this text.")))
"""Blocker for choosing a token of high entropy: no token of the text has a known entropy."""


def _history_blocker(in_text: Callable[[AppState], bool], in_settings: Callable[[AppState], bool], why: str) -> Blocker:
    """Return the blocker of undo or redo: for the text on Generate, and for the settings of a run on pages that show
    them."""

    def blocked(state: AppState) -> str | None:
        if state.page == "generate":
            at_work = message("The model is generating. Stop it first.") if state.generating else None
            return at_work or (None if in_text(state) else why)
        if not settings_are_shown(state):
            return why
        if state.running:
            return message("These settings cannot be changed during a run. Stop it first.")
        return None if in_settings(state) else why

    return blocked


undo_blocker = _history_blocker(
    lambda state: state.document.history.can_undo, lambda state: state.settings_undo[0],
    message("There is nothing to undo."))
redo_blocker = _history_blocker(
    lambda state: state.document.history.can_redo, lambda state: state.settings_undo[1],
    message("There is nothing to redo."))

# The run selected on the Runs page, or the runs checked there.


def _trains(state: AppState) -> bool:
    return state.own_run is not None or state.queue_running


def _selected_live(state: AppState) -> bool:
    return state.selected_run is not None and state.selected_run.state == "live"


none_checked = unless(
    lambda state: state.checked_runs, message("Select one or more runs with their check boxes first."))
none_selected = unless(lambda state: state.selected_run, message("Click a run in the list first."))
selected_in_progress = either(
    none_selected, unless(lambda state: not _selected_live(state), message("This run is still in progress.")))
_another_trains = unless(lambda state: not _trains(state), message("This window is training another run."))
run_again_blocker = either(none_selected, unless(lambda state: not _trains(state), message(
    "The Train tab shows the settings of the run that this window is training.")))


def _nothing_saved(state: AppState) -> str | None:
    if state.selected_run and state.selected_run.saved:
        return None
    return message("It has no checkpoint yet.") if _selected_live(state) else message(
        "It has no checkpoint: none was saved, or they were deleted or left out when it was packed. Use Run again to "
        "train with its settings once more.")


def _model_only(state: AppState) -> str | None:
    if state.selected_run and state.selected_run.resumable:
        return None
    return message(
        "Only a model was saved, without the optimizer state: no run can continue from it. Use Run again to train with "
        "its settings once more.")


def _completed(state: AppState) -> str | None:
    if state.selected_run and state.selected_run.state == "finished":
        return message("It has completed all its steps. Use “Train longer…” for more epochs or steps.")
    return None


run_continue_blocker = either(selected_in_progress, _completed, _another_trains, _nothing_saved, _model_only)
run_longer_blocker = either(selected_in_progress, _another_trains, _nothing_saved, _model_only, training_locked)
run_generate_blocker = either(none_selected, _nothing_saved)


def run_open_blocker(state: AppState) -> str | None:
    run = state.selected_run
    if run and _trains(state) and run.path != state.own_run:
        return message("The Train tab shows the run that this window is training.")
    return none_selected(state)


def run_take_off_blocker(state: AppState) -> str | None:
    if state.selected_run and state.selected_run.path.parent == paths.runs():
        return message("This is one of your own runs. Only folders added from elsewhere can be removed from the list.")
    return none_selected(state)


def zip_blocker(state: AppState) -> str | None:
    """Return the reason why no run can be packed: on Train, the run shown there; elsewhere, the run selected on
    Runs."""
    if state.page != "train":
        return selected_in_progress(state)
    live = state.running or state.run.written_by
    return message("This run is still in progress.") if live else no_run_shown(state)


generate_shown_blocker = either(no_run_shown, unless(
    lambda state: state.run.checkpoints(), message("It has no checkpoint.")))
"""Blocker for generating with a checkpoint of the run on Train."""


def report_blocker(state: AppState) -> str | None:
    """Return the reason why no report can be written: on Train, of the run shown there; elsewhere, of the run selected
    on Runs."""
    return no_run_shown(state) if state.page == "train" else none_selected(state)
