"""Runs and checkpoints to the trash and back, off the window's thread. The state keeps what went last of each kind."""

from __future__ import annotations

from collections.abc import Callable

from gptstudio.app.state import AppState
from gptstudio.app.tasks import TaskError, TaskRunner
from gptstudio.app.trash import Kind, Trashed


def move(
    state: AppState, tasks: TaskRunner, kind: Kind, work: Callable[[], Trashed], done: Callable[[], object],
    failed: Callable[[TaskError], object],
) -> None:
    """Do ``work``, which moves something to the trash, from where it can be restored while the window is open."""

    def end(trashed: Trashed) -> None:
        state.trashed = {**state.trashed, kind: trashed}
        done()

    tasks.run(lambda _: work(), done=end, failed=failed)


def restore(
    state: AppState, tasks: TaskRunner, kind: Kind, work: Callable[[Trashed], object],
    done: Callable[[Trashed], object], failed: Callable[[TaskError], object],
) -> None:
    """Do ``work``, which brings back what was moved to the trash last; nothing where nothing was."""
    trashed = state.trashed.get(kind)
    if not trashed:
        return

    def end(_: object) -> None:
        forget(state, trashed)
        done(trashed)

    tasks.run(lambda _: work(trashed), key=f"restore {kind}", done=end, failed=failed)


def forget(state: AppState, trashed: Trashed) -> None:
    """Do not offer any more to restore this."""
    state.trashed = {kind: each for kind, each in state.trashed.items() if each != trashed}
