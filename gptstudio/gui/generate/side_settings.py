"""Settings at the side of the Generate page: the model, frequently used settings, and a button for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gptstudio.app.state import GENERATE_FIELDS, AppState
from gptstudio.errors import UserError, text_of
from gptstudio.fields import Problem
from gptstudio.gui.appearance import on_restyle
from gptstudio.gui.forms.controls import TextEdit
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.model_names import short_name
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, HeightForWidth, Reflow, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import ChoiceBox, label, named
from gptstudio.inference.spec import GenerateSpec


class ModelChoice(ChoiceBox):
    """Choice of one of the models that the state offers, or of a checkpoint from anywhere."""

    chosen = Signal()
    """Emitted when the user chooses a model."""
    refused = Signal(str)
    """Emitted with a message if the opened folder contains no model."""

    def __init__(self, state: AppState) -> None:
        super().__init__(letters=18)
        named(self, "model", tr("Model"))
        self.setToolTip(tr("The model in training, an untrained one, or the last checkpoint of a run"))
        self._state = state
        self.activated.connect(self._activated)
        state.on(self._fill, "models", "model")
        self._fill()

    def _fill(self) -> None:
        state = self._state
        with QSignalBlocker(self):
            self.clear()
            self.addItems([short_name(source) for source in state.models])
            self.addItem(tr("Choose a checkpoint…"))
            self.setCurrentIndex(state.models.index(state.model) if state.model in state.models else 0)

    def _activated(self, index: int) -> None:
        if index < len(self._state.models):
            self._state.choose_model(self._state.models[index])
            self.chosen.emit()
            return
        path = QFileDialog.getExistingDirectory(self, tr("Choose a checkpoint folder or a run folder"))
        self._fill()  # the previous choice, until a folder is opened
        self.chosen.emit()
        if path:
            try:
                self._state.open_model(path)
            except UserError as error:
                self.refused.emit(tr(text_of(error)))


PROMPT_LINES = 4
FIRST = "max_new_tokens"
"""Field that stays visible while the others are folded."""


class SideSettings(SpecEditor):
    """Editor of model, prompt, length and sampling parameters, with the other fields folded below them."""

    def __init__(self, state: AppState) -> None:
        self.model_box = ModelChoice(state)
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(TextEdit(state.prompt), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.stages = ParamList(headed=False)
        self.fold = self.stages.fold
        super().__init__(GenerateSpec, "generate", only=GENERATE_FIELDS)
        self.changed.connect(lambda: self.fold.fit(hides=False))
        on_restyle(self.prompt, self._fit)
        self._fit()

    def show_view(self, view: Literal["write", "compare", "score"]) -> None:
        """Show the settings that a view of the page uses; each side of a comparison has its own model and
        parameters."""
        shown: dict[QWidget, bool] = {
            self._of_model: view != "compare", self._texts: view != "score", self._others: view != "score",
            self._sampling: view == "write", self.stages: view == "write",
        }
        for part, show in shown.items():
            part.setVisible(show)
        self.fold.leave_out(self.editors["samples"], view != "write")

    def show_values(self, values: Mapping[str, Any]) -> None:
        super().show_values(values)
        self.fold.fit()

    def show_problems(self, problems: list[Problem]) -> list[Problem]:
        elsewhere = super().show_problems(problems)
        self.fold.fit(hides=False)
        return elsewhere

    def _lay_out(self) -> None:
        model = label(tr("Model"), "heading", buddy=self.model_box)
        self._sampling = label(tr("Sampling"), "heading")
        prompt = label(tr("Prompt"), "heading", buddy=self.prompt)
        rest = [editor for name, editor in self.editors.items() if name != FIRST]
        self._of_model = with_layout(QWidget(), vbox(model, self.model_box, self.model_name))
        self._texts = with_layout(QWidget(), vbox(prompt, self.prompt, self.editors[FIRST], margins=(0, 8, 0, 0)))
        self._others = with_layout(QWidget(), vbox(
            hbox(self._sampling, FREE, self.fold.button), self.stages, *rest, spacing=8))
        texts = with_layout(HeightForWidth(), vbox(self._of_model, self._texts, FREE))
        others = with_layout(QWidget(), vbox(self._others, FREE))
        both = Reflow(texts, others, stretch=(texts, others), spacing=12)
        with_layout(self, vbox(both, FREE, margins=(0, 0, 4, 0)))
        for editor in rest:
            self.fold.add(editor, lambda editor=editor: editor.is_wrong or not editor.is_usual)  # type: ignore[misc]

    def _fit(self) -> None:
        """Set the height of the prompt to a few lines at the current text size."""
        self.prompt.ensurePolished()
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 20)
