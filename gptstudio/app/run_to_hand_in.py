"""The run that a learner hands in."""

from __future__ import annotations

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.app.state import AppState
from gptstudio.training import run_folder
from gptstudio.training.run_folder import RunFolder


def run_to_hand_in(state: AppState, record: LessonRecord | None = None) -> RunFolder | None:
    """Return the newest run of a lesson, otherwise the one that is selected on Runs or shown on Train; None where there
    is none. ``record``: of a lesson at whose end one hands in."""
    of_lesson = (run_folder.find(name) for name in sorted(record.runs if record else (), reverse=True))
    newest = next(filter(None, of_lesson), None)
    selected = state.selected_run if state.page == "runs" else None
    return newest or (selected.summary.folder if selected else state.run.folder)
