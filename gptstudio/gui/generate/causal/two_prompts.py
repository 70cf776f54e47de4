"""Two prompts: copies activations of one into the run of the other, and scores heads on repeated tokens."""

from __future__ import annotations

import time
from itertools import takewhile
from typing import Any

from PySide6.QtWidgets import QProgressBar, QWidget

from gptstudio.app.requests import InductionQuery, Model, ModelQuery, PatchQuery
from gptstudio.app.state import AppState, Selection
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.asking import Asking, Asks
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.generate.causal.induction_view import InductionView
from gptstudio.gui.generate.causal.patch_view import PatchView
from gptstudio.gui.generate.causal.prompt_fields import PromptFields
from gptstudio.gui.translation import duration, tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import FREE, grows, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit, scrolling
from gptstudio.i18n import message
from gptstudio.inference.prompt_pair import KINDS, Kind
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.events import TokenDrawn

TITLES = {
    "resid": message("Residual"), "attention": message("Attention"), "mlp": message("MLP"), "heads": message("Heads"),
    "induction": message("Induction"),
}
"""What is copied; and the scores, which need no prompts."""
PURPOSES = {
    "resid": message("Copies the residual stream before a layer at one position from the clean run into the corrupted "
                     "one: where the answer comes back, the difference is kept there."),
    "attention": message("Copies the output of a layer's attention at one position from the clean run into the "
                         "corrupted one: where the answer comes back, this layer moves the difference there."),
    "mlp": message("Copies the output of a layer's feed-forward network (MLP) at one position from the clean run into "
                   "the corrupted one."),
    "heads": message("Copies the output of one head at all positions from the clean run into the corrupted one."),
    "induction": message("Induction heads look for what came after the same token before. Random tokens, repeated "
                         "once, show which heads do; the prompts are not needed."),
}
WORTH_SAYING_S = 3
"""Seconds left from which on they are said."""
LONGEST = 2_000
"""Characters of the shown prompt that are offered, at most."""


class TwoPromptsPane(QWidget):
    """Pane that asks the model when its button is pressed."""

    def __init__(self, state: AppState, asks: Asks) -> None:
        super().__init__()
        self.setObjectName("two_prompts")
        self._state, self._selection = state, Selection()
        self._asking = Asking(asks, "two_prompts", self)
        self._read_for = self._model()
        self._began = 0.0  # seconds
        self._make_controls()
        self._asking.changed.connect(self._take)
        self._asking.progressed.connect(self._show_progress)
        self._lay_out()
        self._show_state()
        state.on(self.show_model, "models", "model", "config")

    @property
    def running(self) -> bool:
        return self._asking.waiting

    def question(self) -> ModelQuery | None:
        """Return what the button asks; None while there is no model, or the prompts cannot be patched."""
        model, kind = self._model(), self._kind()
        if model is None:
            return None
        if kind is None:
            return InductionQuery(model, GenerateSpec().seed)
        pair = self.fields.pair
        return PatchQuery(model, pair, kind, *self.fields.tokens) if pair else None

    def show_selection(self, selection: Selection) -> None:
        """The text as it is now: its prompt is offered as the clean one."""
        before, self._selection = self._selection, selection
        if selection.path != before.path:
            given = takewhile(lambda node: not isinstance(node.reading, TokenDrawn), selection.path)
            self.fields.suggest(selection.tokenizer.decode([node.id for node in given])[:LONGEST].replace("\n", " "))
        self.show_model()

    def show_model(self) -> None:
        """Read the prompts as the model reads them, which may be another one."""
        if self._model() != self._read_for:
            self._read_for = self._model()
            self.fields.read()
        self._show_state()

    def _begin(self, question: ModelQuery) -> None:
        self._began = time.monotonic()
        self._asking.ask(question, again=True)
        self.notice.setText("")
        self.left.setText("")
        self.progress.setRange(0, 0)
        self._show_state()

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        left = (time.monotonic() - self._began) * (total - done) / done
        self.left.setText(tr("about {time} left", time=duration(left)) if left >= WORTH_SAYING_S else "")

    def _take(self) -> None:
        self.notice.setText(self._asking.problem)
        if self._asking.problem:
            self._show_state()
            return
        request, answer = self._asking.query, self._asking.answer
        view = self.heads if isinstance(request, InductionQuery) else self.result
        view.show_found(answer)
        self._shown[view] = request
        self._show_state()
        self._reveal(view)

    def _model(self) -> Model | None:
        """Return the model of the text; as long as there is none, the one that is chosen."""
        return self._selection.model or self._state.loadable_model

    def _tokenizer(self) -> Tokenizer:
        """Return how the model reads the prompts.

        Raises:
            UserError: this is not known.
        """
        model = self._state.loadable_model
        return self._selection.tokenizer if self._selection.model else model.tokenizer if model else GPT2

    def _kind(self) -> Kind | None:
        """Return what is copied; None for the scores of the heads."""
        place = self.kind.index()
        return KINDS[place] if place < len(KINDS) else None

    def _press(self) -> None:
        question = self.question()
        if question is not None:
            self._begin(question)

    def _reveal(self, view: QWidget) -> None:
        """Scroll to a result, where the pane is too low for the fields as well."""
        inside = self._scroll.widget()
        if inside and (layout := inside.layout()):
            layout.activate()
            inside.adjustSize()
        self._scroll.verticalScrollBar().setValue(view.y())

    def _show_state(self) -> None:
        """Show the controls and the page that belong to the kind."""
        scores, kind = self._kind() is None, list(TITLES)[self.kind.index()]
        self.purpose.setText(tr(PURPOSES[kind]))
        self.fields.setVisible(not scores)
        self.go.setText(tr("Score heads") if scores else tr("Patch"))
        self.go.setAccessibleName(self.go.text())
        permit(self.go, self._why_not())
        self.stop.setVisible(self.running)
        self.progress.setVisible(self.running)
        self.left.setVisible(self.running)
        view, wanted = (self.heads if scores else self.result), self.question()
        shown = self._shown.get(view)
        fits = shown is not None and shown.model == self._model() and (scores or shown.kind == kind)
        for each in (self.result, self.heads):
            each.setVisible(fits and each is view)
        self.purpose.setVisible(not fits)
        self.stale.setText(tr(
            "The figures below are of the prompts and tokens as they were before. Press Patch to compute them again.")
            if fits and shown != wanted and not self.running else "")

    def _why_not(self) -> str:
        if self.running:
            return tr("It is running. Stop it first.")
        if self._selection.writing:
            return tr("The model is generating. Stop it first.")
        if self._model() is None:
            return tr("No model is available here.")
        return tr(self.fields.problem) if self._kind() and self.fields.problem else ""

    def _make_controls(self) -> None:
        self._shown: dict[QWidget, Any] = {}  # the questions of the answers that are shown
        self.kind = Segments("two_prompts_kind", [tr(title) for title in TITLES.values()])
        self.kind.chosen.connect(lambda _: self._show_state())
        self.purpose = label(role="muted", name="two_prompts_purpose", wrap=True)
        self.fields = PromptFields(self._tokenizer)
        self.fields.changed.connect(self._show_state)
        self.go = button(tr("Patch"), "two_prompts_go", tr("Runs the model once for each cell of the map"),
                         "primary", self._press)
        self.stop = button(tr("Stop"), "two_prompts_stop", tr("Stops after the layer that is computed"),
                           do=lambda: self._asking.stop())
        self.progress = named(QProgressBar(), "two_prompts_progress", tr("Copies done"))
        self.progress.setTextVisible(False)
        self.left = label(role="muted", name="two_prompts_left")
        self.notice = Notice("two_prompts_refusal", "notice")
        self.stale = Notice("two_prompts_stale", "notice")
        self.result, self.heads = PatchView(), InductionView()

    def _lay_out(self) -> None:
        body = holding(QWidget(), vbox(
            Flow(self.kind, (self.go, self.stop), self.progress, self.left), self.purpose, self.fields, self.notice,
            self.stale, grows(self.result, 1_000), grows(self.heads, 1_000), FREE, spacing=8, margins=(0, 4, 8, 0)))
        self._scroll = scrolling(body, "two_prompts_scroll", reached=False)
        holding(self, vbox(self._scroll))
