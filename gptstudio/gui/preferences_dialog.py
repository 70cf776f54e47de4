"""Preferences, which take effect at once unless stated otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QFileDialog, QGridLayout, QSlider, QWidget

from gptstudio.app import preferences
from gptstudio.app.state import AppState
from gptstudio.data.texts import NAMES
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.language import language
from gptstudio.gui.theme import LARGEST_ZOOM, SMALLEST_ZOOM, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox
from gptstudio.gui.widgets.parts import button, choice_box, label, named, plain, set_blocker, spin_box
from gptstudio.i18n import LANGUAGES, message

SCHEMES = {"system": message("Follow system"), "light": message("Light"), "dark": message("Dark")}
UNITS = {
    "book": message("MB, as in the book (1,048,576 bytes)"), "iec": message("MiB (1,048,576 bytes)"),
    "decimal": message("MB (1,000,000 bytes)"),
}
AUTOSAVE = {20: message("every 20 seconds"), 60: message("every minute"), 300: message("every 5 minutes"),
            0: message("only when the window is closed")}
WITH_SIZES = "config", "forecast", "measured", "device", "devices"
"""Fields of the state whose views have labels with sizes in bytes; other views format sizes when they paint."""
STEPS = 20
"""Slider positions per default text size: each is 5 % of it."""


class PreferencesDialog(Dialog):
    """Dialog without OK: each change takes effect and is saved at once."""

    def __init__(self, window: QWidget, actions: Actions, state: AppState) -> None:
        super().__init__(window, "preferences_dialog", tr("Preferences"), once=True)
        self._actions, self._state = actions, state
        self._grid, self._rows = QGridLayout(), 0
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._add_appearance()
        self._add_units()
        self._add_files()
        self._add_computing()
        close = button(tr("Close"), "preferences_close", do=self.close)
        self.assemble(vbox(self._grid, FREE, hbox(FREE, close), spacing=16, margins=(24, 16, 24, 16)))
        on_restyle(self, self._show_text_size)
        self.resize(self.sizeHint())

    # Rows.

    def _add_appearance(self) -> None:
        self.language = self._choice(
            "preferences_language", tr("Language"), LANGUAGES, language.next, "language",
            tr("Language of the window from the next start on; texts and runs stay as they are."))
        self.language.activated.connect(  # a language may be refused
            lambda _: self.language.setCurrentIndex(self.language.findData(language.next)))
        self.theme = self._choice("preferences_theme", tr("Theme"), SCHEMES, theme.scheme, "colours",
                                   tr("Light or dark, or as the system is set"))
        self.text_size = named(QSlider(Qt.Orientation.Horizontal), "preferences_text_size", tr("Text size"))
        self.text_size.setRange(round(SMALLEST_ZOOM * STEPS), round(LARGEST_ZOOM * STEPS))
        self.text_size.setPageStep(STEPS // 4)
        self.text_size.setToolTip(tr("Size of all text in the window, from 50 to 300 % (Ctrl++, Ctrl+-)"))
        self.percent = label(role="muted", name="preferences_percent")
        self._show_text_size()
        self.text_size.valueChanged.connect(lambda place: theme.enlarge(place / STEPS / theme.zoom))
        self._row(tr("Text size"), self.text_size, self.percent)
        self.motion = named(QCheckBox(tr("Reduced motion")), "preferences_motion", tr("Reduced motion"))
        self.motion.setToolTip(tr("Rings and highlights appear at once instead of moving into place."))
        self.motion.setChecked(preferences.current().reduced_motion)
        self.motion.toggled.connect(lambda on: preferences.change(reduced_motion=on))
        self._row("", self.motion)

    def _add_units(self) -> None:
        self.units = self._box("preferences_units", tr("Units of memory"), UNITS, preferences.current().units)
        self.units.setToolTip(tr("How memory and the sizes of files are counted in the whole program"))
        self.units.activated.connect(self._use_units)

    def _add_files(self) -> None:
        self.text = self._box("preferences_text", tr("First text"), NAMES, preferences.current().text)
        self.text.setToolTip(tr("Chosen where nothing was trained on before."))
        self.text.activated.connect(lambda _: preferences.change(text=self.text.currentData()))
        self.folder = button("", "preferences_folder", tr("Exports are saved here unless you choose another place"),
                             do=self._ask_for_folder)
        self._show_folder()
        self._row(tr("Folder for exports"), self.folder)
        self.autosave = self._box(
            "preferences_autosave", tr("Save text and settings"), AUTOSAVE, preferences.current().autosave_s)
        self.autosave.setToolTip(tr("How often the text and the settings are written while you work"))
        self.autosave.activated.connect(lambda _: preferences.change(autosave_s=self.autosave.currentData()))

    def _add_computing(self) -> None:
        self.threads = spin_box("preferences_threads", tr("Threads"), 0, 1024, tr(
            "Threads that training and generation use, from the next start on. With another number, sums are added "
            "in another order, so a run that continues is no longer equal to the last bit."))
        self.threads.setSpecialValueText(tr("one for each processor"))
        self.threads.setValue(preferences.current().threads)
        self.threads.valueChanged.connect(lambda count: preferences.change(threads=count))
        self._row(tr("Threads (from the next start)"), self.threads)

    # Construction.

    def _choice(self, name: str, title: str, entries: Mapping[str, str], chosen: str, command: str, tip: str
                ) -> QComboBox:
        """Add a combo box whose entries are commands, which the settings may lock."""
        box = self._box(name, title, entries, chosen)
        box.activated.connect(lambda _: self._actions[f"{command}_{box.currentData()}"].trigger())
        locked = [self._actions.locked(f"{command}_{each}") for each in entries]
        set_blocker(box, tr(locked[0]) if all(locked) else "", tip)
        return box

    def _box(self, name: str, title: str, entries: Mapping[Any, str], chosen: object) -> QComboBox:
        box = choice_box(name, title, {value: tr(words) for value, words in entries.items()}, letters=30)
        box.setCurrentIndex(box.findData(chosen))
        self._row(title, box)
        return box

    def _row(self, title: str, control: QWidget, *beside: QWidget) -> None:
        self._grid.addWidget(label(title, buddy=control), self._rows, 0)
        self._grid.addLayout(hbox(grows(control), *beside, spacing=8), self._rows, 1)
        self._rows += 1

    # User actions.

    def _show_text_size(self) -> None:
        with QSignalBlocker(self.text_size):
            self.text_size.setValue(round(theme.zoom * STEPS))
        self.percent.setText(f"{theme.zoom:.0%}".replace("%", " %"))

    def _use_units(self) -> None:
        preferences.change(units=self.units.currentData())
        for name in WITH_SIZES:  # to redraw their sizes
            self._state.events[name].emit(getattr(self._state, name), None)
        for each in QApplication.allWidgets():
            each.update()

    def _ask_for_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("Folder for exports"), str(preferences.export_folder()))
        if path:
            preferences.change(folder=path)
            self._show_folder()

    def _show_folder(self) -> None:
        path = str(preferences.export_folder())
        self.folder.setText(self.fontMetrics().elidedText(path, Qt.TextElideMode.ElideMiddle, 260))
        self.folder.setAccessibleDescription(path)
        self.folder.setToolTip(plain(path))
