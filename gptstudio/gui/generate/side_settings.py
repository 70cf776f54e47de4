"""Settings of a text at the side of the Generate page: those that are changed often, and a button for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import GENERATE_FIELDS, AppState
from gptstudio.fields import Problem
from gptstudio.gui.appearance import follow
from gptstudio.gui.forms.field import SpecEditor
from gptstudio.gui.forms.text_edit import TextEdit
from gptstudio.gui.generate.model_choice import ModelChoice
from gptstudio.gui.generate.stages.param_list import ParamList
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.gui.widgets.tall import Tall
from gptstudio.inference.spec import GenerateSpec

PROMPT_LINES = 4
FIRST = "max_new_tokens"
"""Field that is shown also while the others are folded."""


class SideSettings(SpecEditor):
    """Model, prompt, length, and sampling parameters; below these, folded, the other fields of a text."""

    def __init__(self, state: AppState) -> None:
        self.model_box = ModelChoice(state)
        self.model_name = label(role="muted", name="model_name", wrap=True)
        self.prompt = named(TextEdit(state.prompt), "prompt", tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.stages = ParamList(headed=False)
        self.fold = self.stages.fold
        super().__init__(GenerateSpec, "generate", only=GENERATE_FIELDS)
        self.changed.connect(lambda: self.fold.fit(hides=False))
        follow(self.prompt, self._fit)
        self._fit()

    def show_view(self, view: Literal["write", "compare", "score"]) -> None:
        """Show the settings of a view of the page: each side of a comparison has its own model and parameters."""
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
        self._of_model = holding(QWidget(), vbox(model, self.model_box, self.model_name))
        self._texts = holding(QWidget(), vbox(prompt, self.prompt, self.editors[FIRST], margins=(0, 8, 0, 0)))
        self._others = holding(QWidget(), vbox(
            hbox(self._sampling, FREE, self.fold.button), self.stages, *rest, spacing=8))
        texts = holding(Tall(), vbox(self._of_model, self._texts, FREE))
        others = holding(QWidget(), vbox(self._others, FREE))
        both = Reflow(texts, others, stretch=(texts, others), spacing=12)
        holding(self, vbox(both, FREE, margins=(0, 0, 4, 0)))
        for editor in rest:
            self.fold.add(editor, lambda editor=editor: editor.is_wrong or not editor.is_usual)  # type: ignore[misc]

    def _fit(self) -> None:
        """The prompt is as high as some lines of its text, whatever the size of that."""
        self.prompt.ensurePolished()
        self.prompt.setFixedHeight(PROMPT_LINES * self.prompt.fontMetrics().lineSpacing() + 20)
