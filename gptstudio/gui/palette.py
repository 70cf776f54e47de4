"""Command palette that searches commands, settings, pages, runs and terms, and the list of all shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gptstudio.app.state import AppState
from gptstudio.fields import fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import Dialog, ancestors
from gptstudio.gui.commands import COMMANDS, PAGE_TITLES, Command
from gptstudio.gui.forms.controls import unfold_around
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox
from gptstudio.gui.widgets.parts import button, label, named
from gptstudio.gui.widgets.tables import LEFT, style_table
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.optimizers import OPTIMIZER_FIELDS
from gptstudio.training.run_folder import all_runs
from gptstudio.training.spec import TrainSpec
from gptstudio.training.spec_problems import SCHEDULE_FIELDS

MOST_SHOWN = 60
FORMS = ((GPTConfig, "config", ""), (TrainSpec, "train", "train"), (GenerateSpec, "generate", "generate"))
"""Specs with a form: class, prefix of the names of its controls, and page."""
DEPENDS_ON = {
    **{f"train_{name}": ("train", "train_schedule") for name in SCHEDULE_FIELDS},
    **{f"train_{name}": ("train", "train_optimizer") for name in OPTIMIZER_FIELDS},
    **{f"train_{name}": ("", "weights") for name in ("freeze", "freeze_blocks")},
}
"""Page and name of the control that decides whether a setting is used, by the name of the setting's control."""
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class PaletteEntry:
    """Entry of the palette. ``kind``, ``detail``: shown with it; ``keywords``: its name in code, in any language."""

    text: str
    kind: str
    detail: str
    do: Callable[[], object]
    keywords: str = ""

    @property
    def words(self) -> str:
        """All text in which the entry is searched."""
        return f"{self.text} {self.kind} {self.detail} {self.keywords}"

    def rank(self, query: str) -> tuple[bool, bool]:
        """Return the sort key of a found entry: first matches in its own text, of these first those at its
        beginning."""
        begins = self.text.casefold().startswith(query.casefold().strip())
        return not matches(query, self.text), not begins


def matches(query: str, text: str) -> bool:
    """Return whether every word of the query is in a text, ignoring case."""
    folded = text.casefold()
    return all(word in folded for word in query.casefold().split())


class Palette(Dialog):
    """Command palette: shows all entries but disabled commands, filters them at each letter, and runs one at Enter."""

    def __init__(self, window: QMainWindow, actions: Actions, state: AppState) -> None:
        super().__init__(window, "palette", flags=Qt.WindowType.Popup)
        self.setAccessibleName(tr("Search commands"))
        self._window, self._actions, self._state = window, actions, state
        self._entries = [*self._commands(), *self._settings(), *self._runs(), *self._terms()]
        self.line = named(QLineEdit(), "palette_line", tr("Search commands"))
        self.line.setPlaceholderText(tr("Search commands, settings, pages, runs and terms"))
        self.list = named(QListWidget(), "palette_list", tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.detail = label(role="muted", name="palette_detail", wrap=True)
        layout = QVBoxLayout(self)
        for part in (self.line, self.list, self.detail):
            layout.addWidget(part)
        self.line.textChanged.connect(self._search)
        self.line.returnPressed.connect(self._do)
        self.line.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._do())
        self.list.currentRowChanged.connect(lambda _: self._show_detail())
        theme.dress(self)
        self._place()
        self.line.setFocus()  # a pop-up window gives the focus to none of its children
        self._search("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the keys that move in the list from the line to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in MOVES:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    # Entries.

    def _commands(self) -> Iterable[PaletteEntry]:
        for name in COMMANDS:
            action = self._actions[name]
            kind = tr("Page") if name.startswith("go_") else tr("Command")
            if name != "command_palette" and action.isEnabled():
                text = action.text().replace("&", "")
                yield PaletteEntry(text, kind, action.toolTip(), action.trigger, name.replace("_", " "))

    def _settings(self) -> Iterable[PaletteEntry]:
        for spec, prefix, page in FORMS:
            for view in fields_of(spec):
                if view.panel and page not in self._state.locked_pages:
                    control = view.name if view.name in STAGES else f"{prefix}_{view.name}"
                    yield PaletteEntry(tr(view.label), tr("Setting"), tr(view.help),
                                partial(self._go_to_control, page, control), view.name.replace("_", " "))

    def _runs(self) -> Iterable[PaletteEntry]:
        for run in all_runs() if "runs" not in self._state.locked_pages else ():
            yield PaletteEntry(
                joined("", shown_name(run)), tr("Run"), str(run.path), partial(self._go_to_run, run.path))

    def _terms(self) -> Iterable[PaletteEntry]:
        from gptstudio.app.manual import terms

        for term in terms(language.code):
            yield PaletteEntry(term.name, tr("Term"), term.text,
                        partial(self._state.help_requested.emit, f"glossary#{term.key}"))

    # User actions.

    def _do(self) -> None:
        entry = self._current()
        if entry:
            self.accept()
            entry.do()

    def _go_to_control(self, page: str, name: str) -> None:
        """Show and focus the control of a setting, or, while the setting has no use, the one on which that depends.
        ``page``: empty for the Model panel."""
        state = self._state
        if not page:
            state.show_page("train" if state.page == "learn" else state.page)
            self._actions["go_model"].trigger()
        elif state.page != page:
            state.show_page(page)
        if page == "train":
            state.all_controls = True
        found = self._window.findChild(QWidget, name)
        if not found:
            return
        unfold_around(found)
        if page == "generate" and not (found.isVisible() or state.generating or state.playing):
            state.generate_view = "write"
        if not found.isVisible() and name in DEPENDS_ON:
            self._go_to_control(*DEPENDS_ON[name])
            return
        for around in ancestors(found):
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(found)
        found.setFocus()

    def _go_to_run(self, path: Path) -> None:
        self._state.show_page("runs")
        self._state.run_requested.emit(path)

    # Display.

    def _search(self, query: str) -> None:
        found = (each for each in self._entries if matches(query, each.words))
        self._found = sorted(found, key=lambda each: each.rank(query))
        self.list.clear()
        for entry in self._found[:MOST_SHOWN]:
            self.list.addItem(QListWidgetItem(joined("   ·   ", entry.text, entry.kind)))
        self.list.setCurrentRow(0 if self._found else -1)
        self._show_detail()

    def _current(self) -> PaletteEntry | None:
        row = self.list.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    def _show_detail(self) -> None:
        entry = self._current()
        self.detail.setText(entry.detail if entry else tr("Nothing found."))

    def _place(self) -> None:
        """Place the palette at the top of the window, as wide as a line that is easy to read."""
        width = min(self._window.width() - 40, self.fontMetrics().averageCharWidth() * 90)
        self.resize(width, min(self._window.height() - 80, self.fontMetrics().height() * 24))
        self.move(self._window.mapToGlobal(QPoint((self._window.width() - width) // 2, 40)))


PLAIN_KEYS = {"Escape": "Esc", "Period": ".", "Comma": ",", "Space": message("Space")}


class ShortcutsDialog(Dialog):
    """Dialog with three columns: keys, command, and where they work."""

    def __init__(self, over: QWidget, actions: Actions) -> None:
        super().__init__(over, "shortcuts_dialog", tr("Keyboard shortcuts"))
        commands = [command for command in COMMANDS.values() if command.keys or command.plain_keys]
        self.table = named(QTableWidget(len(commands), 3), "shortcuts", tr("Keyboard shortcuts"))
        style_table(self.table)
        self.table.setHorizontalHeaderLabels([tr("Keys"), tr("Command"), tr("Page")])
        for row, command in enumerate(commands):
            text = actions[command.id].text().replace("&", "")
            anywhere = command.keys and command.scope == "window"
            pages = tr("Anywhere") if anywhere else joined(", ", *(tr(PAGE_TITLES[page]) for page in command.pages))
            for column, words in enumerate((keys_text(command), text, pages)):
                self.table.setItem(row, column, QTableWidgetItem(words))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(LEFT)
        close = button(tr("Close"), "shortcuts_close", do=self.reject)
        self.assemble(vbox(grows(self.table), hbox(FREE, close), spacing=16, margins=(24, 16, 24, 16)))
        self.resize(self.fontMetrics().averageCharWidth() * 100, self.fontMetrics().height() * 32)


def keys_text(command: Command) -> str:
    keys = [QKeySequence(each).toString(QKeySequence.SequenceFormat.NativeText) for each in command.keys]
    return ", ".join(dict.fromkeys([*keys, *(tr(PLAIN_KEYS.get(each, each)) for each in command.plain_keys)]))
