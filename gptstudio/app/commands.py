"""Commands: each is declared here once, and menus, buttons, keys, the palette, locks and lessons refer to its id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gptstudio import paths
from gptstudio.app.derived import continuation_at_hand, generate_blocker, quick_train_blocker, start_blocker
from gptstudio.app.state import AppState
from gptstudio.i18n import message

Text = str | Callable[[AppState], str]
"""A message, or what gives it for the present state."""
Blocker = Callable[[AppState], "str | None"]
"""Gives the reason why a command is off, as a message; None if the command is on."""
Scope = Literal["window", "page", "list"]


def _never(_: AppState) -> None:
    return None


def _unless(on: Callable[[AppState], object], why: str) -> Blocker:
    """Return a blocker that gives a reason while ``on`` is false."""
    return lambda state: None if on(state) else why


@dataclass(frozen=True)
class Command:
    """Something that a user can have done.

    Attributes:
        id: also the name of its button, and of its QAction with ``_action`` behind it.
        keys: its shortcuts; they work in the ``scope``: anywhere in the window, on its page, or on the list there.
        icon: its sign in menus, a name of :mod:`gptstudio.gui.icons`.
        plain_keys: names of keys that do it on its pages where the control with the focus has no use for them.
        blocked: why it is off now.
    """

    id: str
    text: Text
    help: Text = ""
    keys: tuple[str, ...] = ()
    scope: Scope = "window"
    pages: tuple[str, ...] = ()
    plain_keys: tuple[str, ...] = ()
    blocked: Blocker = _never
    icon: Text = ""


# Training.


def _start_text(state: AppState) -> str:
    if state.running:
        return message("Continue") if state.paused else message("Pause")
    if continuation_at_hand(state):
        return message("Continue")
    return message("Start anyway") if state.insisted else message("Start")


def _start_help(state: AppState) -> str:
    if continuation_at_hand(state):
        return message("Continues exactly as if the run had never stopped. To start a new one, press Reset first.")
    return message("Ctrl+Enter or Space")


def _start_blocked(state: AppState) -> str | None:
    return None if state.running or continuation_at_hand(state) else start_blocker(state)


def _step_blocked(state: AppState) -> str | None:
    if state.running:
        return None if state.paused else message("Pause first; then you can train step by step.")
    return _start_blocked(state)


def _reset_help(state: AppState) -> str:
    if state.running:
        return message("Ends and saves the run, and clears the view. The run stays in Runs; you can continue it there.")
    return message("Clears the view. The run stays in Runs.")


def _reset_blocked(state: AppState) -> str | None:
    if state.running:
        return None if state.paused else message("Pause the run first.")
    return None if state.run.started else message("There is no run in the view.")


TRAINING = (
    Command("start", _start_text, _start_help, pages=("train",), plain_keys=("Space",),
            blocked=_start_blocked, icon=lambda state: "pause" if state.running and not state.paused else "play"),
    Command("step", message("Step"), message("Takes one step, shows what it did, and pauses (S or full stop)"),
            pages=("train",), plain_keys=("S", "Period"), blocked=_step_blocked, icon="forward"),
    Command("stop", message("Stop"), message(
        "Ends the run after this step and saves it; you can continue it later (Esc)"), pages=("train",),
            plain_keys=("Escape",), blocked=_unless(lambda state: state.running, message("No run is in progress.")),
            icon="stop"),
    Command("quick_train", message("Train a small model (1–2 minutes)"), message(
        "Trains a model in the background with the default settings; your own settings on Train stay as they are"),
            blocked=quick_train_blocker, icon="play"),
    Command("reset", message("Reset"), _reset_help, pages=("train",), blocked=_reset_blocked, icon="restart"),
    Command("checkpoint_restore", message("Restore checkpoint"), message(
        "Brings back the checkpoint that you moved to the trash last"), pages=("train",),
            blocked=_unless(lambda state: "checkpoint" in state.trashed, message(
                "No checkpoint was moved to the trash since the window opened.")), icon="undo"),
)

# Generation.

_needs_text = _unless(lambda state: state.document.path, message("There is no text yet. Generate one first."))
_at_work = _unless(lambda state: state.generating or state.playing, message("The model is not generating."))


def _history_blocked(possible: Callable[[AppState], bool], why: str) -> Blocker:
    at_work = message("The model is generating. Stop it first.")
    return lambda state: at_work if state.generating else None if possible(state) else why


GENERATION = (
    Command("generate", lambda state: message("Stop") if state.generating or state.playing else message("Generate"),
            message("Ctrl+Enter or Space"), pages=("generate",), plain_keys=("Space",), blocked=generate_blocker,
            icon=lambda state: "stop" if state.generating or state.playing else "play"),
    Command("stop_generating", message("Stop generating"), message("Stops the model, and playing"), pages=("generate",),
            plain_keys=("Escape",), icon="stop", blocked=_at_work),
    Command("transport_play", message("Play"), message(
        "Moves on token by token; at the end, the model generates more (P)."),
            pages=("generate",), plain_keys=("P",), blocked=_needs_text, icon="play"),
    Command("transport_back", message("Back one token"), message("To the previous token (Left)"), pages=("generate",),
            plain_keys=("Comma",), blocked=_needs_text, icon="back"),
    Command("transport_forward", message("Forward one token"), message("To the next token (Right or S)"),
            pages=("generate",), plain_keys=("S", "Period"), blocked=_needs_text, icon="forward"),
    Command("transport_undo", message("Undo"), message("Undoes the last change (Ctrl+Z)"), ("Ctrl+Z",),
            pages=("generate",), blocked=_history_blocked(
                lambda state: state.document.history.can_undo, message("There is nothing to undo.")), icon="undo"),
    Command("transport_redo", message("Redo"), message("Redoes the undone change (Ctrl+Shift+Z)"),
            ("Ctrl+Shift+Z", "Ctrl+Y"), pages=("generate",), blocked=_history_blocked(
                lambda state: state.document.history.can_redo, message("There is nothing to redo.")), icon="redo"),
)

# Runs.

RUN_TEXTS: dict[str, tuple[str, str, tuple[str, ...], Scope]] = {
    "open": (message("Open in Train"), message(
        "Opens the run in the Train tab; a run in progress is followed live"), ("Return", "Enter"), "list"),
    "go_on": (message("Continue"), message(
        "Continues from the last checkpoint, exactly as if the run had never stopped"), ("Ctrl+G",), "page"),
    "again": (message("Run again…"), message(
        "Copies its model and settings to the panels, where you can change them and start"), ("Ctrl+R",), "page"),
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
    "zip": (message("Run as zip…"), message(
        "To open on another machine: with all checkpoints, the last one, its weights, or none"), (), "list"),
    "script": (message("Run as Python script…"), message("The same training in plain PyTorch, without GPT Studio"),
               (), "list"),
}
ON_CHECKED, ANYWHERE = ("csv", "svg", "png"), ("add", "import")
"""Commands on the checked runs, not on the selected one; and on none."""


def _run_blocked(name: str) -> Blocker:
    def blocked(state: AppState) -> str | None:
        run, training = state.selected_run, state.own_run is not None
        if name in ANYWHERE:
            return None
        if name in ON_CHECKED:
            return None if state.checked_runs else message("Select one or more runs with their check boxes first.")
        if not run:
            return message("Click a run in the list first.")
        if name == "take_off" and run.path.parent == paths.runs():
            return message(
                "This is one of your own runs. Only folders added from elsewhere can be removed from the list.")
        if run.state == "live" and name in ("rename", "delete", "go_on", "zip"):
            return message("This run is still in progress.")
        if name == "go_on" and run.state == "finished":
            return message("It has completed all its steps. To train longer, run it again with more steps.")
        if name == "go_on" and training:
            return message("This window is training another run.")
        if name == "again" and training:
            return message("The Train tab shows the settings of the run that this window is training.")
        if name == "open" and training and run.path != state.own_run:
            return message("The Train tab shows the run that this window is training.")
        if name in ("go_on", "talk") and not run.saved:
            return message("It has no checkpoint yet.") if run.state == "live" else message(
                "It ended before its first checkpoint was saved. Use Run again to train with its settings once more.")
        return None

    return blocked


RUN_ICONS = {"go_on": "play", "again": "restart", "rename": "rename", "delete": "delete", "restore": "undo",
             "take_off": "cancel", "show": "folder", "add": "folder", "import": "download"}
RUNS = tuple(
    Command(f"run_{name}", text, help, keys, scope, ("runs",), icon=RUN_ICONS.get(name, ""),
            blocked=_unless(lambda state: "run" in state.trashed, message(
                "No run was moved to the trash since the window opened.")) if name == "restore" else _run_blocked(name))
    for name, (text, help, keys, scope) in RUN_TEXTS.items()
)

# Files and weights.


def _page_blocked(page: str) -> Blocker:
    return _unless(lambda state: page not in state.locked_pages, message("This page is locked by your instructor."))


FILES = (
    Command("open_texts", message("Open texts…"), message("Or drop .txt and .md files onto the window"),
            blocked=_page_blocked("texts"), icon="folder"),
    Command("paste_text", message("Paste a text…"), message("Saves what you paste as a text to train on"),
            blocked=_page_blocked("texts"), icon="rename"),
    Command("open_lesson", message("Open a lesson…"), message("A .toml file that guides through the window"),
            blocked=_page_blocked("learn"), icon="folder"),
    Command("open_weights", message("Open weights…"), message(
        "A .pth file of the book's code, a .safetensors file, or a file in a Hugging Face folder"), icon="folder"),
    Command("open_weights_folder", message("Open a folder of weights…"), message("GPT-2 in Hugging Face format"),
            icon="folder"),
    Command("download_weights", message("Download GPT-2…"), message("Shows the available models and their sizes"),
            icon="download"),
    Command("show_models", message("Imported models…"), message("Rename or remove imported models")),
    Command("export_model", message("Export this model…"), message(
        "Exports the model selected on the Generate tab, for transformers or for the book's code"), icon="export"),
    Command("quit", message("Quit"), message("Closes the window; a run is saved first"), ("Ctrl+Q",)),
)

# Pages and view.

_panel_blocked = _unless(lambda state: state.page != "learn", message("The pages of Learn have their own parameters."))

VIEW = (
    Command("go_model", message("Model panel"), keys=("Ctrl+1",), blocked=_panel_blocked),
    Command("fold_model", lambda state: message("Fold the Model panel") if state.page in state.unfolded_pages
            else message("Open the Model panel"), message("Leaves a strip with its name and parameters"), ("Ctrl+M",),
            blocked=_panel_blocked),
    *(Command(f"go_{page}", text, keys=(f"Ctrl+{number}",), blocked=_page_blocked(page))
      for number, (page, text) in enumerate((
          ("train", message("Train")), ("generate", message("Generate")), ("runs", message("Runs")),
          ("texts", message("Texts")), ("learn", message("Learn"))), start=2)),
    Command("next_pane", message("Next pane"), message("Model panel, page, lesson"), ("F6",)),
    Command("primary", message("Main button of the page"), message("Start, pause, generate or stop"),
            ("Ctrl+Return", "Ctrl+Enter")),
    Command("preferences", message("Preferences…"), message("Language, theme, text size, units, folders, threads"),
            ("Ctrl+,",), icon="settings"),
    Command("command_palette", message("Search commands…"), message(
        "Searches commands, settings, pages, runs and terms"), ("Ctrl+K",), icon="search"),
    Command("mark_copies", lambda state: message("Hide copied stretches") if state.marks_copies
            else message("Underline copied stretches"), message(
                "On Generate: stretches of five or more tokens that stand word for word in the training text")),
    Command("text_larger", message("Larger text"), keys=("Ctrl++", "Ctrl+="), icon="larger"),
    Command("text_smaller", message("Smaller text"), keys=("Ctrl+-",), icon="smaller"),
    Command("text_usual", message("Default size"), keys=("Ctrl+0",)),
    Command("language_en", "English"),
    Command("language_zh_CN", "简体中文"),
    Command("colours_system", message("Follow system")),
    Command("colours_light", message("Light")),
    Command("colours_dark", message("Dark")),
    Command("cancel_task", message("Cancel the running task"), message("The one that the status bar shows"),
            pages=("runs", "texts"), plain_keys=("Escape",), icon="cancel",
            blocked=_unless(lambda state: state.task, message("No task is running."))),
)

# Help.

HELP = (
    Command("show_manual", message("Manual"), message("Opens at the control that has the keyboard focus"), ("F1",),
            icon="manual"),
    Command("whats_this", message("What's this?"), message("Click a control to read about it in the manual"),
            ("Shift+F1",), icon="question"),
    Command("show_shortcuts", message("Keyboard shortcuts…"), message("Lists the keys of all commands"), icon="keys"),
    Command("show_glossary", message("Glossary"), message("The terms used here, in one sentence each"),
            icon="bookmark"),
    Command("welcome", message("Welcome…"), message("What the program is, and three ways to begin"), icon="manual"),
    Command("window_tour", message("Tour of the window"), message("Five callouts, 60 seconds"), icon="forward"),
    Command("report_problem", message("Report a problem…"), message(
        "Collects the log and the versions in a file; nothing is sent"), icon="warning"),
    Command("show_log_folder", message("Open log folder"), message("Shows the program's log in the file manager"),
            icon="folder"),
    Command("about", message("About GPT Studio…"), message("Version, licences, and where files are kept"),
            icon="about"),
)

COMMANDS = {command.id: command for command in (*TRAINING, *GENERATION, *RUNS, *FILES, *VIEW, *HELP)}
"""All commands, by id."""
