"""Fields of two prompts and of the two tokens that tell them apart, with their tokens aligned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QMenu, QWidget

from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, visible_text
from gptstudio.gui.generate.causal.examples import EXAMPLES
from gptstudio.gui.plots.strip import Strip, StripBox
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named
from gptstudio.i18n import message
from gptstudio.inference.prompt_pair import PromptPair


class PromptFields(QWidget):
    """Two prompts of equal length; emits ``changed`` when one of the fields is another.

    Attributes:
        pair: the prompts; None while they cannot be patched.
        tokens: the answer and the wrong token; None for the most probable one.
        problem: the reason why; empty if there is none.
    """

    changed = Signal()

    def __init__(self, find_tokenizer: Callable[[], Tokenizer] = lambda: GPT2) -> None:
        """``find_tokenizer``: returns how the model reads the prompts; raises a UserError while that is not known."""
        super().__init__()
        self._find_tokenizer = find_tokenizer
        self.pair: PromptPair | None = None
        self.tokens: tuple[int | None, int | None] = None, None
        self.problem = ""
        self._own_prompt = ""
        self._make_controls()
        self._lay_out()
        self.read()

    def suggest(self, prompt: str) -> None:
        """Offer the prompt of the text that is shown as the clean one, until the user has written another."""
        if self.clean.text() == self._own_prompt and prompt != self._own_prompt:
            self._own_prompt = prompt
            self.clean.setText(prompt)

    def show_example(self, index: int, _checked: bool = False) -> None:
        """Fill the fields."""
        example = EXAMPLES[index]
        for field, text in ((self.clean, example.clean), (self.corrupted, example.corrupted),
                            (self.answer, example.answer), (self.wrong, example.wrong)):
            field.setText(text)

    def read(self) -> None:
        """Read the fields again: something was typed, or the model is another."""
        self.pair, self.problem = None, ""
        try:
            tokenizer = self._find_tokenizer()
            self.tokens = _token(self.answer.text(), tokenizer), _token(self.wrong.text(), tokenizer)
            self.pair = PromptPair.of(self.clean.text(), self.corrupted.text(), tokenizer)
        except UserError as error:
            self.problem = text_of(error)
        self.strip.show_boxes(_boxes(self.pair) if self.pair else [])
        self.strip.setVisible(self.pair is not None)
        written = self.clean.text() and self.corrupted.text()
        self.notice.setText(tr(self.problem) if self.problem and written else "")
        self.changed.emit()

    def _make_controls(self) -> None:
        self.clean = self._field("two_prompts_clean", tr("Clean prompt"), tr(
            "The prompt with the right answer. Its activations are copied into the run of the other prompt."))
        self.corrupted = self._field("two_prompts_corrupted", tr("Corrupted prompt"), tr(
            "The same prompt with other words of as many tokens, so that another answer is right."))
        self.clean.setPlaceholderText(tr("Write a prompt, or choose an example"))
        self.answer = self._field("two_prompts_answer", tr("Answer"), tr(
            "The next token that is right after the clean prompt, with the space before it. Empty: the most probable "
            "one there."))
        self.wrong = self._field("two_prompts_wrong", tr("Wrong token"), tr(
            "The next token that the answer is compared with. Empty: the most probable one after the corrupted "
            "prompt."))
        for field in (self.answer, self.wrong):
            field.setPlaceholderText(tr("most probable"))
            field.setFixedWidth(9 * field.fontMetrics().height())
        self.examples = button(tr("Examples"), "two_prompts_examples", tr(
            "Fills the fields with two prompts that are known from the literature"))
        menu = QMenu(self.examples)
        menu.setObjectName("two_prompts_examples_menu")
        for index, example in enumerate(EXAMPLES):
            menu.addAction(tr(example.title)).triggered.connect(partial(self.show_example, index))
        self.examples.setMenu(menu)
        self.strip = Strip("two_prompts_tokens", tr("Tokens of both prompts, position by position"), even=True)
        self.notice = Notice("two_prompts_problem", "notice")

    def _field(self, name: str, accessible: str, tip: str) -> QLineEdit:
        field = named(QLineEdit(), name, accessible)
        field.setToolTip(tip)
        field.textChanged.connect(lambda _: self.read())
        return field

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for row, field in enumerate((self.clean, self.corrupted)):
            grid.addWidget(label(field.accessibleName(), buddy=field), row, 0)
            grid.addWidget(field, row, 1)
        tokens = [(label(field.accessibleName(), buddy=field), field) for field in (self.answer, self.wrong)]
        holding(self, vbox(grid, Flow(*tokens, self.examples, spacing=8), self.notice, self.strip, spacing=4))


def _token(text: str, tokenizer: Tokenizer) -> int | None:
    """Return the one token of a text; None if it is empty.

    Raises:
        UserError: it has more than one, or the model cannot read it.
    """
    ids = tokenizer.encode(text)
    if len(ids) > 1:
        raise UserError(message(
            "“{text}” consists of {n} tokens. Give one, with the space before it where it begins a word.",
            text=visible_text(text), n=len(ids)))
    return ids[0] if ids else None


def _boxes(pair: PromptPair) -> list[StripBox]:
    """Return the tokens of both prompts; where they differ, the clean token stands above the corrupted one."""
    found = []
    for n, ids in enumerate(zip(pair.clean, pair.corrupted, strict=True)):
        clean, corrupted = map(pair.tokenizer.visible, ids)
        if clean == corrupted:
            found.append(StripBox(clean, "", ("line", 0.45), words=tr(
                "Position {n}: “{token}” in both prompts", n=n, token=clean)))
        else:
            found.append(StripBox(clean, corrupted, ("amber", 0.22), words=tr(
                "Position {n}: “{clean}” in the clean prompt, “{corrupted}” in the corrupted one", n=n, clean=clean,
                corrupted=corrupted)))
    return found
