"""Model panel: the configuration of the model, its size and its initial weights, before it is built.

The panel is in a dock at the side of the window, with a strip that is always visible and opens or folds the panel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QGridLayout, QMainWindow, QSizePolicy, QWidget

from gptstudio.app.derived import model_panel_is_open, training_memory
from gptstudio.app.state import AppState, form_values
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, USUAL_SIZES, GPTConfig, config_name
from gptstudio.gpt.memory import generate_memory
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.canvas.bars import ComponentBar, MemoryBar
from gptstudio.gui.forms.field import GroupedEditor
from gptstudio.gui.model_names import short_name
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import joined, size, tr
from gptstudio.gui.widgets.icons import SignIcon
from gptstudio.gui.widgets.layouts import FREE, card, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import (
    UNLIMITED,
    ChoiceBox,
    Notice,
    ScrollColumn,
    choice_box,
    label,
    named,
    plain,
    set_entries,
    set_up_scroll_area,
)
from gptstudio.training.model_source import ImportedModel, SavedModel
from gptstudio.training.spec_problems import vocabulary_problems

WIDTH = 40
"""Width of the strip in pixels, unless larger text needs more."""


class FoldedStrip(QAbstractButton):
    """Vertical strip with the name and the size of the model, written from top to bottom."""

    def __init__(self, state: AppState) -> None:
        super().__init__()
        named(self, "model_strip", tr("Model panel"))
        self._state = state
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        state.on(self._show, "config", "page", "unfolded_pages", "all_controls")
        self._show()

    def sizeHint(self) -> QSize:
        side = max(WIDTH, self.fontMetrics().height() + 14)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _show(self) -> None:
        config = self._state.config
        if config:
            name, total = config_name(config), f"{sizing.parameter_count(config):,}"
            shown = tr(OWN) if name == OWN else name
            self.setText(tr("{name}  ·  {total} parameters", name=shown, total=total))
        else:
            self.setText(tr("Model"))
        self.setAccessibleName(tr("Model panel: {model}", model=self.text()))
        opened = model_panel_is_open(self._state)
        self._icon = SignIcon("earlier" if opened else "later")
        self.setToolTip(tr("Folds the Model panel (Ctrl+M)") if opened else tr("Opens the Model panel (Ctrl+M)"))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = self.width()
        if self.hasFocus() or self.underMouse():
            painter.fillRect(self.rect(), colour("line", 0.5))
        self._icon.paint(painter, QRect((side - 16) // 2, 8, 16, 16))
        painter.translate(side, 32)
        painter.rotate(90)
        room = QRect(0, 0, self.height() - 40, side)
        painter.setPen(colour("accent" if self.hasFocus() else "text"))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


ENABLED = Qt.ItemDataRole.UserRole - 1
"""Role in which the model of a combo box stores whether an entry is enabled."""

WAYS = ("open_weights", "download_weights")
"""Commands for getting more weights, the last entries of the box."""


class WeightsBox(ChoiceBox):
    """Combo box of weights, new ones first. The chosen weights stay in the list even if they are no longer offered."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__(letters=12)
        named(self, "weights", tr("Weights"))
        self.setToolTip(tr("Initial weights of a run: new random ones, or those of a trained model."))
        self._state, self._actions = state, actions
        self.sources: list[SavedModel | None] = [None]  # in the order of the box
        self._passing = False  # while a key or the wheel changes the entry of the closed list
        self._fill()
        self.activated.connect(self._activated)
        state.on(self._fill, "weights", "saved_models")
        for name in WAYS:
            actions[name].changed.connect(self._fill)

    def _fill(self) -> None:
        chosen = self._state.weights
        offered = sorted(self._state.saved_models, key=lambda each: not isinstance(each, ImportedModel))
        also = [chosen] if chosen and chosen not in offered else []
        self.sources = [None, *also, *offered]
        with QSignalBlocker(self):
            self.clear()
            for source in self.sources:
                self.addItem(short_name(source) if source else tr("New (random)"))
            self.insertSeparator(len(self.sources))
            for name in WAYS:
                why = self._actions.locked(name)
                self.addItem(self._actions[name].text())
                self.setItemData(self.count() - 1, tr(why) if why else None, Qt.ItemDataRole.ToolTipRole)
                if why:
                    self.setItemData(self.count() - 1, 0, ENABLED)
            self.setCurrentIndex(self.sources.index(chosen))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._pass(super().keyPressEvent, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pass(super().wheelEvent, event)

    def _pass(self, usual: Callable[[Any], None], event: QKeyEvent | QWheelEvent) -> None:
        self._passing = True
        usual(event)
        self._passing = False

    def _activated(self, index: int) -> None:
        if index < len(self.sources):
            self._state.use_weights(self.sources[index])
            self._fill()  # the weights may have been refused
            return
        self.setCurrentIndex(self.sources.index(self._state.weights))  # until there are new weights
        if self._passing:  # open the list instead of a dialog, so that the entry can be chosen or skipped
            self.showPopup()
            self.view().setCurrentIndex(self.model().index(index, 0))
            return
        self._actions[WAYS[index - self.count()]].trigger()


class ModelPanel(QWidget):
    """Preset, weights, all fields, totals that are updated while typing, memory, and the device."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__()
        self._state = state
        self.preset = choice_box("preset", tr("Preset"), letters=12)
        self.weights_box = WeightsBox(state, actions)
        self.next_run = label(tr("Changes apply to the next run."), "muted", "next_run_words", wrap=True)
        self.let_go, self.broken = Notice("weights_let_go", "notice"), Notice("broken_devices", "notice")
        self.device_box = choice_box("device", tr("Device"), letters=12)
        self.fields = GroupedEditor(GPTConfig, "config", tr("More settings"))
        self.total = label(role="figure", name="total_parameters")
        self.tied = label(role="muted", name="total_parameters_tied")
        self.weights = label(name="weights_size")
        self.problem = Notice("config_problem")
        self.components = ComponentBar()
        self.train_bar = MemoryBar(tr("For training"), "train_memory")
        self.generate_bar = MemoryBar(tr("For generation"), "generate_memory")
        self._lay_out()
        set_entries(self.preset, [*PRESETS, tr("own")], list(PRESETS).index(DEFAULT_PRESET))
        self.preset.setToolTip(tr("A ready-made configuration to start from; you can change every field below."))
        self._bind()

    def _bind(self) -> None:
        state = self._state
        self.fields.show_values(state.config_values)
        self.preset.textActivated.connect(self._take_preset)
        self.device_box.activated.connect(lambda index: setattr(state, "device", state.devices[index]))
        self.fields.changed.connect(self._take_values)
        for show, names in (
            (self._show_values, ("config_values",)), (self._show_config, ("config", "config_problems")),
            (lambda: self.let_go.setText(tr(state.weights_notice)), ("weights_notice",)),
            (self._show_devices, ("devices", "broken_devices", "device")),
            (self._show_memory, ("config", "valid_spec", "device", "costs")),
            (lambda: self.next_run.setVisible(state.running), ("run_state",)),
        ):
            state.on(show, *names)
            show()

    def _take_values(self) -> None:
        """Use the typed values; another vocabulary gets its usual number of tokens."""
        values, before = self.fields.values(), self._state.config_values
        if values["vocabulary"] != before["vocabulary"]:
            values["vocab_size"] = USUAL_SIZES.get(values["vocabulary"], before["vocab_size"])
        self._state.config_values = values

    def _take_preset(self, name: str) -> None:
        if name in PRESETS:
            self._state.config_values = form_values(PRESETS[name])

    def _show_values(self) -> None:
        if self.fields.values() != self._state.config_values:
            self.fields.show_values(self._state.config_values)
        kind = self._state.config_values["vocabulary"]
        box = self.fields.editors["vocabulary"].control
        box.setItemData(box.findData("file"), None if kind == "file" else 0, ENABLED)
        self.fields.editors["vocab_size"].control.setEnabled(kind in ("gpt2", "own"))  # for others it is counted

    def _show_config(self) -> None:
        config = self._state.config
        rest = self.fields.show_problems(list(self._state.config_problems))
        problems = rest or (list(vocabulary_problems(config)) if config else [])
        self.problem.setText(joined(" ", *(tr(problem.message) for problem in problems)))
        self.totals.setEnabled(config is not None)  # if disabled, they belong to the last valid model
        name = config_name(config) if config else OWN
        self.preset.setCurrentIndex(self.preset.count() - 1 if name == OWN else self.preset.findText(name))
        if config:
            self._show_parameters(config)

    def _show_devices(self) -> None:
        state = self._state
        self.broken.setText(joined(" ", *(tr(each.message) for each in state.broken_devices)))
        keys = [each.key for each in state.devices]
        chosen = keys.index(state.device.key) if state.device.key in keys else 0  # if it is gone, another one is chosen
        set_entries(self.device_box, list(map(_described, state.devices)), chosen)
        self.device_box.setToolTip(plain(self.device_box.currentText()))

    def _show_parameters(self, config: GPTConfig) -> None:
        counted = sizing.parameters(config)
        shown = counted.components() | ({"output_layer": 0} if config.tie_weights else {})
        separate, tied = f"{counted.total:,}", f"{counted.total_tied:,}"
        self.total.setText(tied if config.tie_weights else separate)
        self.tied.setText(
            tr("{n} with a separate output layer", n=separate)
            if config.tie_weights
            else tr("{n} if tied to the embedding", n=tied)
        )
        self.weights.setText(tr("Weights: {size}", size=size(sizing.weight_bytes(config))))
        self.components.show_components(shown)

    def _show_memory(self) -> None:
        config, free = self._state.config, self._state.device.free_bytes
        if config:
            formula, needed, source = training_memory(config, self._state)
            generate = generate_memory(config, kind=self._state.device.kind)
            self.train_bar.show_need(needed, free, vars(formula), source)
            self.generate_bar.show_need(generate.total, free, vars(generate))

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setVerticalSpacing(8)
        boxes = ((tr("Preset"), self.preset), (tr("Weights"), self.weights_box), (tr("Device"), self.device_box))
        for row, (words, box) in enumerate(boxes):
            choices.addWidget(label(words, "heading", buddy=box), row, 0)
            choices.addWidget(box, row, 1)
        choices.setColumnStretch(1, 1)
        for row, words_below in enumerate((self.next_run, self.let_go, self.broken), start=len(boxes)):
            choices.addWidget(words_below, row, 0, 1, 2)
        self.totals = self._totals()
        with_layout(self, vbox(
            choices, self.totals, self.problem,
            self.fields, FREE,
            spacing=8, margins=(8, 8, 12, 8),
        ))

    def _totals(self) -> QWidget:
        memory = hbox(label(tr("Estimated memory"), "heading"), FREE, self.weights)
        memory.setContentsMargins(0, 4, 0, 0)
        return card(
            hbox(label(tr("Parameters"), "muted", term="parameters"), FREE, self.total), self.tied, self.components,
            memory, self.train_bar, self.generate_bar, name="model_totals",
        )


def _described(device: Device) -> str:
    """Return the entry of a device in the list; a GPU has its own memory, and shows how much is free."""
    parts = [device.key.upper(), device.name, size(device.total_bytes)]
    if device.kind == "cuda":
        parts[2] = tr("{size} free", size=size(device.free_bytes))
    if not device.tested:
        parts.append(tr("not tested"))
    return "  ·  ".join(parts)


WIDEST = 0.45
"""Maximum share of the window's width for the panel, whatever the text size; it scrolls beyond."""


class ModelDock(QDockWidget):
    """Dock at the side of a window. Qt alone would keep it as wide as larger text had made it."""

    def __init__(self, window: QMainWindow, panel: ModelPanel, state: AppState, actions: Actions) -> None:
        super().__init__(tr("Model"))
        self._window, self._state = window, state
        named(self, "model_dock", tr("Model"))
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.column, self.strip = _PanelColumn(panel), FoldedStrip(state)
        self.strip.clicked.connect(actions["fold_model"].trigger)
        self._row = with_layout(QWidget(), hbox(self.strip, grows(self.column), spacing=0))
        self.setWidget(self._row)
        self.setTitleBarWidget(QWidget())  # the panel names itself
        self._width = 1  # set by dragging; 1: as wide as the text needs
        self._zoom = theme.zoom
        window.installEventFilter(self)
        panel.installEventFilter(self)
        self._panel = panel
        self._first = panel.preset
        on_restyle(self, self._keep_width)
        state.on(self._fold, "page", "unfolded_pages", "all_controls")
        self._place_focus()
        self._fold()

    @property
    def folded(self) -> bool:
        return self.column.isHidden()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._limit()
        elif watched is self._window and event.type() == QEvent.Type.MouseButtonRelease and not self.folded:
            self._width = self.width()  # the edge of the dock was dragged
        elif watched is self._panel and event.type() == QEvent.Type.LayoutRequest and self._wider_than_needed:
            QTimer.singleShot(0, self, self._resize)  # the text became smaller
        return super().eventFilter(watched, event)

    def toggle(self) -> None:
        """Fold the panel for the current page, or open it again."""
        if model_panel_is_open(self._state):
            self._state.unfolded_pages = self._state.unfolded_pages - {self._state.page}
        else:
            self._open()

    def open(self) -> None:
        """Open the panel, and move the keyboard focus to its first control."""
        self._open()
        self.setFocus()

    def _open(self) -> None:
        state = self._state
        state.unfolded_pages = state.unfolded_pages | {state.page}
        state.all_controls = state.all_controls or state.page == "train"

    def _fold(self) -> None:
        """Fold or open the panel, as the state requires for the current page.

        On Learn, whose pages have their own parameters, the dock has no width, but is not hidden: Qt keeps a widget
        each time that a dock is hidden.
        """
        nothing, opened = self._state.page == "learn", model_panel_is_open(self._state)
        if opened != self.folded and nothing == self.strip.isHidden():
            return
        had_focus = self.isAncestorOf(self._window.focusWidget())
        self.column.setVisible(opened)
        self.strip.setHidden(nothing)
        self._place_focus()
        if had_focus:
            self.setFocus()
        self._resize()

    @property
    def _wider_than_needed(self) -> bool:
        return not self.folded and self._width == 1 and self.width() > self._row.minimumSizeHint().width()

    def _place_focus(self) -> None:
        """Set the focus proxy of the dock: the strip if it is folded, otherwise the first control."""
        self.setFocusProxy(self.strip if self.folded else self._first)

    def _keep_width(self) -> None:
        if theme.zoom != self._zoom:
            self._zoom = theme.zoom
            self._limit()
            QTimer.singleShot(0, self, self._resize)  # once the text has its new size

    def _limit(self) -> None:
        self.column.limit(round(WIDEST * self._window.width()) - self.strip.sizeHint().width())

    def _resize(self) -> None:
        strip = 0 if self.strip.isHidden() else self.strip.sizeHint().width()
        self.setMaximumWidth(strip if self.folded else UNLIMITED)
        for each in (self._row, self, self._window):  # from the inside out: the panel may need less width now
            if layout := each.layout():
                layout.activate()
        self._window.resizeDocks([self], [max(1, strip) if self.folded else self._width], Qt.Orientation.Horizontal)


class _PanelColumn(ScrollColumn):
    """Scroll area as wide as its panel needs, up to a limit; then it also scrolls sideways."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._most = 10_000
        set_up_scroll_area(self, "model_scroll")
        self.setWidget(panel)

    def limit(self, width: int) -> None:
        self._most = width
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(self._most, 10_000))
