"""Commands on the Runs page."""

from __future__ import annotations

from gptstudio import paths
from gptstudio.app.command import Blocker, Command, Scope, unless
from gptstudio.app.run_extent import training_locked
from gptstudio.app.state import AppState
from gptstudio.i18n import message

RUN_TEXTS: dict[str, tuple[str, str, tuple[str, ...], Scope]] = {
    "open": (message("Open in Train"), message(
        "Opens the run in the Train tab; a run in progress is followed live"), ("Return", "Enter"), "list"),
    "go_on": (message("Continue"), message(
        "Continues from the last checkpoint, exactly as if the run had never stopped"), ("Ctrl+G",), "page"),
    "longer": (message("Train longer…"), message(
        "More epochs or steps, as if so many had been asked for from the start"), (), "list"),
    "again": (message("Run again…"), message(
        "Copies its model and settings to the panels, where you can change them and start"), ("Ctrl+R",), "page"),
    "sweep": (message("Run again with…"), message(
        "Trains it several times, with other values of one or two settings or other seeds"), ("Ctrl+Shift+R",), "page"),
    "talk": (message("Generate with it"), message("Opens its best checkpoint in the Generate tab"), ("Ctrl+T",),
             "page"),
    "rename": (message("Rename"), message("Renames the run; its folder keeps its name"), ("F2",), "list"),
    "delete": (message("Move to trash…"), message("Moves the run's folder to the trash"), ("Delete",), "list"),
    "restore": (message("Restore from trash"), message("Brings back the run that you moved to the trash last"), (),
                "list"),
    "take_off": (message("Remove from list"), message("The folder was added from elsewhere and stays where it is"),
                 (), "list"),
    "show": (message("Show folder"), message("Opens the run's folder in the file manager"), ("Ctrl+Shift+O",), "page"),
    "add": (message("Add a folder…"), message(
        "A run from anywhere, such as a shared disk that another machine writes to"), ("Ctrl+O",), "page"),
    "import": (message("Import a zip…"), message("A run packed on this or another machine"), ("Ctrl+I",), "page"),
    "csv": (message("Data of selected runs (CSV)…"), message("All values of the selected runs: step, run, value"),
            ("Ctrl+E",), "page"),
    "svg": (message("Chart as SVG…"), message("The chart as shown, as vector graphics"), (), "list"),
    "png": (message("Chart as PNG…"), message("The chart as shown, as an image"), (), "list"),
    "report": (message("Report…"), message(
        "One page with the curves, samples, settings and events of the run, for any browser, also on paper"), (),
        "list"),
    "zip": (message("Run as zip…"), message(
        "To open on another machine: with all checkpoints, the last one, its weights, or none"), (), "list"),
    "script": (message("Run as Python script…"), message("The same training in plain PyTorch, without GPT Studio"),
               (), "list"),
}
ON_CHECKED, ANYWHERE = ("csv", "svg", "png"), ("add", "import")
"""Commands on the checked runs, not on the selected one; and on none."""


def _report_blocked(state: AppState) -> str | None:
    """The report is of the run that Train shows, elsewhere of the one that is selected on Runs."""
    if state.page == "train":
        return None if state.run.started else message("There is no run in the view.")
    return _run_blocked("show")(state)


def _run_blocked(name: str) -> Blocker:
    def blocked(state: AppState) -> str | None:
        run, training = state.selected_run, state.own_run is not None or state.queue_running
        if name in ANYWHERE:
            return None
        if name in ON_CHECKED:
            return None if state.checked_runs else message("Select one or more runs with their check boxes first.")
        if not run:
            return message("Click a run in the list first.")
        if name == "take_off" and run.path.parent == paths.runs():
            return message(
                "This is one of your own runs. Only folders added from elsewhere can be removed from the list.")
        if run.state == "live" and name in ("rename", "delete", "go_on", "longer", "zip"):
            return message("This run is still in progress.")
        if name == "go_on" and run.state == "finished":
            return message("It has completed all its steps. Use “Train longer…” for more epochs or steps.")
        if name in ("go_on", "longer") and training:
            return message("This window is training another run.")
        if name == "again" and training:
            return message("The Train tab shows the settings of the run that this window is training.")
        if name == "open" and training and run.path != state.own_run:
            return message("The Train tab shows the run that this window is training.")
        if name in ("go_on", "longer", "talk") and not run.saved:
            return message("It has no checkpoint yet.") if run.state == "live" else message(
                "It ended before its first checkpoint was saved. Use Run again to train with its settings once more.")
        return training_locked(state) if name == "longer" else None

    return blocked


RUN_ICONS = {"go_on": "play", "longer": "forward", "again": "restart", "rename": "rename", "delete": "delete",
             "restore": "undo", "take_off": "cancel", "show": "folder", "add": "folder", "import": "download"}
BLOCKED_OTHERWISE = {
    "report": _report_blocked, "restore": unless(lambda state: "run" in state.trashed, message(
        "No run was moved to the trash since the window opened."))}
RUNS = tuple(
    Command(f"run_{name}", text, help, keys, scope, ("runs",), icon=RUN_ICONS.get(name, ""),
            blocked=BLOCKED_OTHERWISE.get(name, _run_blocked(name)))
    for name, (text, help, keys, scope) in RUN_TEXTS.items()
)
