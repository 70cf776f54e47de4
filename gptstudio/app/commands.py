"""Commands: each is declared here once, and menus, buttons, keys, the palette, locks and lessons refer to its id."""

from __future__ import annotations

from collections.abc import Callable

from gptstudio.app.command import Blocker, Command, unless
from gptstudio.app.copied_code import copy_blocker
from gptstudio.app.derived import (
    continuation_at_hand,
    find_rate_blocker,
    generate_blocker,
    quick_train_blocker,
    settings_are_shown,
    start_blocker,
)
from gptstudio.app.releases import releases_blocker
from gptstudio.app.run_commands import RUNS
from gptstudio.app.run_extent import longer_blocker
from gptstudio.app.state import AppState
from gptstudio.i18n import message

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
    at_hand = state.running or (continuation_at_hand(state) and not state.queue_running)
    return None if at_hand else start_blocker(state)


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
            plain_keys=("Escape",), blocked=unless(lambda state: state.running, message("No run is in progress.")),
            icon="stop"),
    Command("quick_train", message("Train a small model (1–2 minutes)"), message(
        "Trains a model in the background with the default settings; your own settings on Train stay as they are"),
            blocked=quick_train_blocker, icon="play"),
    Command("find_rate", message("Find rate…"), message(
        "Tests learning rates on a copy of the model; nothing is saved or changed"), blocked=find_rate_blocker),
    Command("train_longer", message("Train longer…"), message(
        "More epochs or steps for the run in the view, as if so many had been asked for from the start"),
            pages=("train",), blocked=longer_blocker, icon="forward"),
    Command("reset", message("Reset"), _reset_help, pages=("train",), blocked=_reset_blocked, icon="restart"),
    Command("checkpoint_restore", message("Restore checkpoint"), message(
        "Brings back the checkpoint that you moved to the trash last"), pages=("train",),
            blocked=unless(lambda state: "checkpoint" in state.trashed, message(
                "No checkpoint was moved to the trash since the window opened.")), icon="undo"),
)

# Generation.

_needs_text = unless(lambda state: state.document.path, message("There is no text yet. Generate one first."))
_at_work = unless(lambda state: state.generating or state.playing, message("The model is not generating."))


def _history_blocked(in_text: Callable[[AppState], bool], in_settings: Callable[[AppState], bool], why: str) -> Blocker:
    """Return the blocker of undo or redo: of the text on Generate, elsewhere of the settings of a run where they are
    shown."""

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
            blocked=_history_blocked(
                lambda state: state.document.history.can_undo, lambda state: state.settings_undo[0],
                message("There is nothing to undo.")), icon="undo"),
    Command("transport_redo", message("Redo"), message("Redoes the undone change (Ctrl+Shift+Z)"),
            ("Ctrl+Shift+Z", "Ctrl+Y"), blocked=_history_blocked(
                lambda state: state.document.history.can_redo, lambda state: state.settings_undo[1],
                message("There is nothing to redo.")), icon="redo"),
)

# Files and weights.


def _page_blocked(page: str) -> Blocker:
    return unless(lambda state: page not in state.locked_pages, message("This page is locked by your instructor."))


FILES = (
    Command("open_texts", message("Open texts…"), message("Or drop .txt and .md files onto the window"),
            blocked=_page_blocked("texts"), icon="folder"),
    Command("paste_text", message("Paste a text…"), message("Saves what you paste as a text to train on"),
            blocked=_page_blocked("texts"), icon="rename"),
    Command("open_lesson", message("Open a lesson…"), message("A .toml file that guides through the window"),
            blocked=_page_blocked("learn"), icon="folder"),
    Command("class_view", message("Class view…"), message(
        "Compares the reports or packed runs of a class, without adding them to your runs"),
            blocked=_page_blocked("runs"), icon="folder"),
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

# Copies.

COPIES = (
    Command("copy_command", message("Copy as command"), message(
        "Copies the line that does the same in a terminal, with only what differs from the defaults"),
            ("Ctrl+Shift+C",), pages=("train", "generate", "runs"), blocked=copy_blocker, icon="copy"),
    Command("copy_python", message("Copy as Python"), message(
        "Copies the Python that does the same, with only what differs from the defaults"),
            ("Ctrl+Shift+P",), pages=("train", "generate", "runs"), blocked=copy_blocker, icon="copy"),
)

# Pages and view.

_panel_blocked = unless(lambda state: state.page != "learn", message("The pages of Learn have their own parameters."))

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
            blocked=unless(lambda state: state.task, message("No task is running."))),
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
    Command("check_updates", message("Releases"), message("Opens the page with the releases in the browser"),
            blocked=releases_blocker, icon="download"),
    Command("about", message("About GPT Studio…"), message("Version, licences, and where files are kept"),
            icon="about"),
)

COMMANDS = {command.id: command for command in (*TRAINING, *GENERATION, *RUNS, *FILES, *COPIES, *VIEW, *HELP)}
"""All commands, by id."""
