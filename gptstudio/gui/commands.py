"""Commands: one record each, from which menus, buttons, keys, palette, list of keys, locks and lessons are made.

To add a command, add a record to its menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gptstudio.app import blockers
from gptstudio.app.about import releases_blocker
from gptstudio.app.blockers import Blocker, page_locked, unless
from gptstudio.app.copied_code import copy_blocker
from gptstudio.app.derived import (
    continuation_at_hand,
    find_rate_blocker,
    generate_blocker,
    model_panel_is_open,
    quick_train_blocker,
)
from gptstudio.app.run_extent import longer_blocker
from gptstudio.app.shown_run import is_finished
from gptstudio.app.state import AppState
from gptstudio.gui.theme import theme
from gptstudio.i18n import LANGUAGES, message

Text = str | Callable[[AppState], str]
"""Message, or function that returns it for the current state."""
ZOOM = 1.1
"""Factor of one zoom step of the text."""
PAGE_TITLES = {
    "train": message("Train"), "generate": message("Generate"), "runs": message("Runs"), "texts": message("Texts"),
    "learn": message("Learn"),
}


@dataclass(frozen=True)
class Command:
    """Command that the user can trigger.

    Attributes:
        id: also the name of its button, and of its QAction with the suffix ``_action``.
        do: executes it in a :class:`gptstudio.gui.window.MainWindow`.
        keys: shortcuts, which work in the ``scope``: the whole window, its page, or the list there.
        icon: icon in menus, a name of :mod:`gptstudio.gui.widgets.icons`.
        plain_keys: names of keys that trigger it on its pages, unless the control with the focus uses them.
        blocked: returns the reason why it is disabled, as a message; None if it is enabled.
    """

    id: str
    text: Text
    help: Text
    do: Callable[[Any], object]
    keys: tuple[str, ...] = ()
    scope: Literal["window", "page", "list"] = "window"
    pages: tuple[str, ...] = ()
    plain_keys: tuple[str, ...] = ()
    blocked: Blocker = blockers.never
    icon: Text = ""


@dataclass(frozen=True)
class Heading:
    """Heading of the following commands of a menu, which act on one page."""

    page: str


Entry = Command | Heading | str | None
"""Entry of a menu: a command, a heading, the name of a submenu, or None for a separator."""


def _start_text(state: AppState) -> str:
    if state.running:
        return message("Continue") if state.paused else message("Pause")
    if continuation_at_hand(state):
        return message("Continue")
    if state.insisted:
        return message("Start anyway")
    return message("New run") if is_finished(state.run) else message("Start")


def _start_help(state: AppState) -> str:
    if continuation_at_hand(state):
        return message("Continues exactly as if the run had never stopped. To start a new one, press Reset first.")
    if is_finished(state.run):
        return message("Trains a new run with these settings. The run in the view is saved, and stays in Runs.")
    return message("Ctrl+Enter or Space")


def _reset_help(state: AppState) -> str:
    if state.running:
        return message("Ends and saves the run, and clears the view. The run stays in Runs; you can continue it there.")
    return message("Clears the view. The run stays in Runs.")


_on_learn = unless(lambda state: state.page != "learn", message("The pages of Learn have their own parameters."))
_not_while_training = unless(lambda state: not state.running, message("Training is in progress. Stop it first."))


def _language(code: str, name: str) -> Command:
    return Command(f"language_{code}", name, "", lambda w: w.menus.use_language(code))


def _page(name: str, number: int) -> Command:
    return Command(
        f"go_{name}", PAGE_TITLES[name], "", lambda w: w.go_to(name), (f"Ctrl+{number}",), blocked=page_locked(name))


def _generates(state: AppState) -> bool:
    return bool(state.generating or state.playing)


TRAIN, GENERATE, RUNS = ("train",), ("generate",), ("runs",)

FILE: tuple[Entry, ...] = (
    Command("open_texts", message("Open texts…"), message("Or drop .txt and .md files onto the window"),
            lambda w: w.go_to("texts").ask_for_texts(), blocked=page_locked("texts"), icon="folder"),
    Command("paste_text", message("Paste a text…"), message("Saves what you paste as a text to train on"),
            lambda w: w.go_to("texts").paste(), blocked=page_locked("texts"), icon="rename"),
    Command("open_lesson", message("Open a lesson…"), message("A .toml file that guides through the window"),
            lambda w: w.learn.ask_for_lesson(), blocked=page_locked("learn"), icon="folder"),
    Command("write_lesson", message("Write a lesson…"), message(
        "Makes a lesson from what you do in the window, with your texts and questions"),
            lambda w: w.write_lesson(), blocked=page_locked("learn"), icon="rename"),
    Command("worksheet", message("Worksheet of a lesson…"), message(
        "A page to print: the questions with space to write, and the goals as check boxes"),
            lambda w: w.go_to("learn").save_worksheet(), blocked=page_locked("learn"), icon="export"),
    Command("run_add", message("Add a folder…"), message(
        "A run from anywhere, such as a shared disk that another machine writes to"),
            lambda w: w.go_to("runs").operations.add(), ("Ctrl+O",), "page", RUNS, icon="folder"),
    Command("run_import", message("Import a zip…"), message("A run packed on this or another machine"),
            lambda w: w.go_to("runs").operations.unpack(), ("Ctrl+I",), "page", RUNS, icon="download"),
    Command("class_view", message("Class view…"), message(
        "Compares the reports or packed runs of a class, without adding them to your runs"),
            lambda w: w.class_view.open_up(), blocked=page_locked("runs"), icon="folder"),
    "recent",
    None,
    Command("run_csv", message("Data of selected runs (CSV)…"), message(
        "All values of the selected runs: step, run, value"),
            lambda w: w.runs.operations.save_csv(), ("Ctrl+E",), "page", RUNS, blocked=blockers.none_checked),
    Command("run_svg", message("Chart as SVG…"), message("The chart as shown, as vector graphics"),
            lambda w: w.runs.operations.save_chart("svg"), (), "list", RUNS, blocked=blockers.none_checked),
    Command("run_png", message("Chart as PNG…"), message("The chart as shown, as an image"),
            lambda w: w.runs.operations.save_chart("png"), (), "list", RUNS, blocked=blockers.none_checked),
    Command("run_report", message("Report…"), message(
        "One page with the curves, samples, settings and events of the run, for any browser, also on paper"),
            lambda w: w.save_report(), (), "list", RUNS, blocked=blockers.report_blocker),
    Command("run_zip", message("Run as zip…"), message(
        "To open on another machine: with all checkpoints, the last one, its weights, or none"),
            lambda w: w.save_zip(), (), "list", RUNS, blocked=blockers.zip_blocker),
    Command("run_script", message("Run as Python script…"), message(
        "The same training in plain PyTorch, without GPT Studio"),
            lambda w: w.runs.operations.save_script(), (), "list", RUNS, blocked=blockers.none_selected),
    None,
    Command("reset_class", message("Reset for the next class…"), message(
        "Moves runs, session and progress in lessons away, as the settings of this computer say, and starts again"),
            lambda w: w.reset_class(), blocked=_not_while_training),
    Command("quit", message("Quit"), message("Closes the window; a run is saved first"), lambda w: w.close(),
            ("Ctrl+Q",)),
)

EDIT: tuple[Entry, ...] = (
    Command("transport_undo", message("Undo"), message("Undoes the last change (Ctrl+Z)"),
            lambda w: w.take_back("undo"), ("Ctrl+Z",), blocked=blockers.undo_blocker, icon="undo"),
    Command("transport_redo", message("Redo"), message("Redoes the undone change (Ctrl+Shift+Z)"),
            lambda w: w.take_back("redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), blocked=blockers.redo_blocker,
            icon="redo"),
    None,
    Command("copy_command", message("Copy as command"), message(
        "Copies the line that does the same in a terminal, with only what differs from the defaults"),
            lambda w: w.copy_code("command"), ("Ctrl+Shift+C",), pages=(*TRAIN, *GENERATE, *RUNS),
            blocked=copy_blocker, icon="copy"),
    Command("copy_python", message("Copy as Python"), message(
        "Copies the Python that does the same, with only what differs from the defaults"),
            lambda w: w.copy_code("python"), ("Ctrl+Shift+P",), pages=(*TRAIN, *GENERATE, *RUNS),
            blocked=copy_blocker, icon="copy"),
    None,
    Command("command_palette", message("Search commands…"), message(
        "Searches commands, settings, pages, runs and terms"), lambda w: w.show_palette(), ("Ctrl+K",), icon="search"),
    None,
    Command("preferences", message("Preferences…"), message("Language, theme, text size, units, folders, threads"),
            lambda w: w.show_preferences(), ("Ctrl+,",), icon="settings"),
)

MODEL: tuple[Entry, ...] = (
    Command("open_weights", message("Open weights…"), message(
        "A .pth file of the book's code, a .safetensors file, or a file in a Hugging Face folder"),
            lambda w: w.weights.ask_for_file(), icon="folder"),
    Command("open_weights_folder", message("Open a folder of weights…"), message("GPT-2 in Hugging Face format"),
            lambda w: w.weights.ask_for_folder(), icon="folder"),
    Command("download_weights", message("Download GPT-2…"), message("Shows the available models and their sizes"),
            lambda w: w.weights.downloads.show_models(w.state.device), icon="download"),
    None,
    Command("show_models", message("Imported models…"), message("Rename or remove imported models"),
            lambda w: w.weights.models.show_models()),
    Command("export_model", message("Export this model…"), message(
        "Exports the model selected on the Generate tab, for transformers or for the book's code"),
            lambda w: w.weights.export_model(), icon="export"),
)

RUN: tuple[Entry, ...] = (
    Command("start", _start_text, _start_help, lambda w: w.training.start_or_pause(), pages=TRAIN,
            plain_keys=("Space",), blocked=blockers.play_blocker,
            icon=lambda state: "pause" if state.running and not state.paused else "play"),
    Command("step", message("Step"), message("Takes one step, shows what it did, and pauses (S or full stop)"),
            lambda w: w.training.step(), pages=TRAIN, plain_keys=("S", "Period"), blocked=blockers.step_blocker,
            icon="forward"),
    Command("stop", message("Stop"), message(
        "Ends the run after this step and saves it; you can continue it later (Esc)"), lambda w: w.training.stop(),
            pages=TRAIN, plain_keys=("Escape",), icon="stop",
            blocked=unless(lambda state: state.running, message("No run is in progress."))),
    Command("generate_shown", message("Generate with it"), message("Opens the best checkpoint of this run on Generate"),
            lambda w: w.training.generate_with_best(), pages=TRAIN, blocked=blockers.generate_shown_blocker),
    Command("train_longer", message("Train longer…"), message(
        "Adds epochs or steps to the run in the view, as if it had had them from the start"),
            lambda w: w.training.ask_longer_shown(), pages=TRAIN, blocked=longer_blocker, icon="forward"),
    Command("hand_in", message("Hand in…"), message(
        "Writes a report with your name, the run, and your guesses and goals to the folder of the class"),
            lambda w: w.hand_in(), icon="export"),
    Command("reset", message("Reset"), _reset_help, lambda w: w.training.reset(), pages=TRAIN,
            blocked=blockers.reset_blocker, icon="restart"),
    Command("checkpoint_restore", message("Restore checkpoint"), message(
        "Brings back the checkpoint that you moved to the trash last"),
            lambda w: w.training.restore_checkpoint(), pages=TRAIN, icon="undo",
            blocked=unless(lambda state: "checkpoint" in state.trashed, message(
                "No checkpoint was moved to the trash since the window opened."))),
    Command("find_rate", message("Find rate…"), message(
        "Tests learning rates on a copy of the model; nothing is saved or changed"),
            lambda w: w.train.find_rate(), blocked=find_rate_blocker),
    Command("quick_train", message("Train a small model (about a minute)"), message(
        "Trains a model in the background with the default settings; your own settings on Train stay as they are"),
            lambda w: w.quick_training.start(), blocked=quick_train_blocker, icon="play"),
    Heading("generate"),
    Command("generate", lambda state: message("Stop") if _generates(state) else message("Generate"),
            message("Ctrl+Enter or Space"), lambda w: w.generate.press(), pages=GENERATE, plain_keys=("Space",),
            blocked=generate_blocker, icon=lambda state: "stop" if _generates(state) else "play"),
    Command("stop_generating", message("Stop generating"), message("Stops the model, and playing"),
            lambda w: w.generate.stop(), pages=GENERATE, plain_keys=("Escape",), icon="stop",
            blocked=unless(_generates, message("The model is not generating."))),
    Command("transport_play", message("Play"), message(
        "Moves on token by token; at the end, the model generates more (P)."),
            lambda w: w.generate.transport_text("play"), pages=GENERATE,
            plain_keys=("P",), blocked=blockers.without_text, icon="play"),
    Command("transport_back", message("Back one token"), message("To the previous token (Left)"),
            lambda w: w.generate.transport_text("back"), pages=GENERATE,
            plain_keys=("Comma",), blocked=blockers.without_text, icon="back"),
    Command("transport_forward", message("Forward one token"), message("To the next token (Right or S)"),
            lambda w: w.generate.transport_text("forward"), pages=GENERATE,
            plain_keys=("S", "Period"), blocked=blockers.without_text, icon="forward"),
    Command("transport_uncertain", message("Next uncertain token"), message(
        "To the token after this one where the entropy is highest; after the last one, to that of the whole text (N)"),
            lambda w: w.generate.transport_text("next_uncertain"), pages=GENERATE,
            plain_keys=("N",), blocked=blockers.uncertain_blocker, icon="peak"),
    None,
    Command("cancel_task", message("Cancel the running task"), message("The one that the status bar shows"),
            lambda w: w.statusBar().cancel_task(), pages=("runs", "texts"), plain_keys=("Escape",), icon="cancel",
            blocked=unless(lambda state: state.task, message("No task is running."))),
    Heading("runs"),
    Command("run_open", message("Open in Train"), message(
        "Opens the run in the Train tab; a run in progress is followed live"),
            lambda w: w.runs.open(), ("Return", "Enter"), "list", RUNS, blocked=blockers.run_open_blocker),
    Command("run_go_on", message("Continue"), message(
        "Continues from the last checkpoint, exactly as if the run had never stopped"),
            lambda w: w.training.continue_run(w.runs.operations.run.folder), ("Ctrl+G",), "page", RUNS,
            icon="play", blocked=blockers.run_continue_blocker),
    Command("run_longer", message("Train longer…"), message(
        "Adds epochs or steps, as if the run had had them from the start"),
            lambda w: w.training.ask_longer(w.runs.operations.run.folder), (), "list", RUNS, icon="forward",
            blocked=blockers.run_longer_blocker),
    Command("run_again", message("Run again…"), message(
        "Copies its model and settings to the panels, where you can change them and start"),
            lambda w: w.training.run_again(w.runs.operations.run.record.spec), ("Ctrl+R",), "page", RUNS,
            icon="restart", blocked=blockers.run_again_blocker),
    Command("run_sweep", message("Run again with…"), message(
        "Trains it several times, with other values of one or two settings or other seeds"),
            lambda w: w.runs.operations.plan_sweep(), ("Ctrl+Shift+R",), "page", RUNS,
            blocked=blockers.none_selected),
    Command("run_talk", message("Generate with it"), message("Opens its best checkpoint in the Generate tab"),
            lambda w: w.library.generate_with_best(w.runs.operations.run.folder), ("Ctrl+T",), "page", RUNS,
            blocked=blockers.run_generate_blocker),
    Command("run_rename", message("Rename"), message("Renames the run; its folder keeps its name"),
            lambda w: w.go_to("runs").rename_selected(), ("F2",), "list", RUNS, icon="rename",
            blocked=blockers.selected_in_progress),
    Command("run_delete", message("Move to trash…"), message("Moves the run's folder to the trash"),
            lambda w: w.runs.operations.delete(), ("Delete",), "list", RUNS, icon="delete",
            blocked=blockers.selected_in_progress),
    Command("run_restore", message("Restore from trash"), message(
        "Brings back the run that you moved to the trash last"),
            lambda w: w.library.restore(), (), "list", RUNS, icon="undo",
            blocked=unless(lambda state: "run" in state.trashed, message(
                "No run was moved to the trash since the window opened."))),
    Command("run_take_off", message("Remove from list"), message(
        "The folder was added from elsewhere and stays where it is"),
            lambda w: w.runs.operations.take_off(), (), "list", RUNS, icon="cancel",
            blocked=blockers.run_take_off_blocker),
    Command("run_show", message("Show folder"), message("Opens the run's folder in the file manager"),
            lambda w: w.runs.operations.show_folder(), ("Ctrl+Shift+O",), "page", RUNS, icon="folder",
            blocked=blockers.none_selected),
)

VIEW: tuple[Entry, ...] = (
    Command("go_model", message("Model panel"), "", lambda w: w.dock.open(), ("Ctrl+1",), blocked=_on_learn),
    Command("fold_model", lambda state: message("Fold the Model panel") if model_panel_is_open(state)
            else message("Open the Model panel"), message("The strip with its name and parameters stays"),
            lambda w: w.dock.toggle(), ("Ctrl+M",), blocked=_on_learn),
    Command("all_controls", lambda state: message("Show only curves and samples") if state.all_controls
            else message("Show all controls"), message(
                "On Train: the Model panel, the settings, all figures and panes, or only the run"),
            lambda w: setattr(w.state, "all_controls", not w.state.all_controls), ("Ctrl+Shift+A",), pages=TRAIN),
    Command("next_pane", message("Next pane"), message("Model panel, page, lesson"), lambda w: w.focus_next_pane(),
            ("F6",)),
    *(_page(page, number) for number, page in enumerate(PAGE_TITLES, start=2)),
    None,
    Command("mark_copies", lambda state: message("Hide copied stretches") if state.marks_copies
            else message("Underline copied stretches"), message(
                "On Generate: stretches of five or more tokens that occur word for word in the training text"),
            lambda w: setattr(w.state, "marks_copies", not w.state.marks_copies)),
    None,
    Command("projector", lambda _: message("Leave projector mode") if theme.projecting else message("Projector mode"),
            message("Full screen with folded panels, large text and thick curves, light on dark; Escape leaves it"),
            lambda w: w.projector.toggle(), ("F11",)),
    "language",
    None,
    Command("text_larger", message("Larger text"), "", lambda _: theme.enlarge(ZOOM), ("Ctrl++", "Ctrl+="),
            icon="larger"),
    Command("text_smaller", message("Smaller text"), "", lambda _: theme.enlarge(1 / ZOOM), ("Ctrl+-",),
            icon="smaller"),
    Command("text_usual", message("Default size"), "", lambda _: theme.enlarge(None), ("Ctrl+0",)),
    None,
    "colours",
)

LANGUAGE: tuple[Entry, ...] = tuple(_language(code, name) for code, name in LANGUAGES.items())

COLOURS: tuple[Entry, ...] = (
    Command("colours_system", message("Follow system"), "", lambda _: theme.choose("system")),
    Command("colours_light", message("Light"), "", lambda _: theme.choose("light")),
    Command("colours_dark", message("Dark"), "", lambda _: theme.choose("dark")),
)

HELP: tuple[Entry, ...] = (
    Command("show_manual", message("Manual"), message("Opens at the control that has the keyboard focus"),
            lambda w: w.help.show_focused(), ("F1",), icon="manual"),
    Command("whats_this", message("What's this?"), message("Click a control to read about it in the manual"),
            lambda w: w.help.ask_what(), ("Shift+F1",), icon="question"),
    Command("show_shortcuts", message("Keyboard shortcuts…"), message("Lists the keys of all commands"),
            lambda w: w.show_shortcuts(), icon="keys"),
    Command("show_glossary", message("Glossary"), message("The terms used here, in one sentence each"),
            lambda w: w.help.show("glossary"), icon="bookmark"),
    None,
    Command("welcome", message("Welcome…"), message("What the program is, and three ways to begin"),
            lambda w: w.welcome.show(), icon="manual"),
    Command("window_tour", message("Tour of the window"), message("Five callouts, 60 seconds"),
            lambda w: w.welcome.show_tour(), icon="forward"),
    None,
    Command("report_problem", message("Report a problem…"), message(
        "Collects the log and the versions in a file; nothing is sent"), lambda w: w.help.report_problem(),
            icon="warning"),
    Command("show_log_folder", message("Open log folder"), message("Shows the program's log in the file manager"),
            lambda w: w.help.show_log_folder(), icon="folder"),
    None,
    Command("check_updates", message("Releases"), message("Opens the page with the releases in the browser"),
            lambda w: w.help.open_releases(), blocked=releases_blocker, icon="download"),
    Command("about", message("About GPT Studio…"), message("Version, licences, and where files are kept"),
            lambda w: w.help.show_about(), icon="about"),
)

NOT_IN_MENUS: tuple[Entry, ...] = (
    Command("primary", message("Main button of the page"), message("Start, pause, generate or stop"),
            lambda w: w.press_primary(), ("Ctrl+Return", "Ctrl+Enter")),
)

BAR: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "file": (message("&File"), FILE), "edit": (message("&Edit"), EDIT), "model": (message("&Model"), MODEL),
    "run": (message("&Run"), RUN), "view": (message("&View"), VIEW), "help": (message("&Help"), HELP),
}
"""Title and entries of each menu of the menu bar. Alt and the letter after the ampersand open a menu."""
INSIDE: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "recent": (message("Recent files"), ()), "language": (message("Language"), LANGUAGE),
    "colours": (message("Colours"), COLOURS),
}
"""Title and choices of each submenu."""


def _commands() -> Iterator[Command]:
    for entries in (RUN, FILE, MODEL, EDIT, VIEW, LANGUAGE, COLOURS, NOT_IN_MENUS, HELP):
        yield from (entry for entry in entries if isinstance(entry, Command))


COMMANDS = {command.id: command for command in _commands()}
"""All commands, by id, in the order in which the palette and the list of keys show them."""
