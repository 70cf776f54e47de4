"""Two continuations of one text with the same random numbers: by the model as it is, and with the change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, permit


class ChangedTextsView(QWidget):
    """Asks for the texts, and shows them one below the other, up to where they part and from there on."""

    requested, stopped = Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self.generate = button(tr("Generate with the change"), "what_if_generate", tr(
            "Continues the text from the chosen token twice, without and with the change, with the same random numbers "
            "and the sampling settings of this page"), do=self.requested.emit)
        self.stop = button(tr("Stop"), "what_if_stop", tr("Stops generating"), "quiet", self.stopped.emit)
        self.progress = label("", "muted", "what_if_progress")
        self.notice = Notice("what_if_notice")
        self.plain = label("", "", "what_if_plain", wrap=True)
        self.changed = label("", "", "what_if_changed", wrap=True)
        self.heads = label(tr("Without the change"), "muted"), label(tr("With the change"), "muted")
        self.parted = label("", "muted", "what_if_parted", wrap=True)
        holding(self, vbox(
            Flow(self.generate, self.stop, self.progress, spacing=8), self.notice, self.heads[0], self.plain,
            self.heads[1], self.changed, self.parted, spacing=4))
        self.show_nothing()

    def show_nothing(self, why_not: str = "", problem: str = "") -> None:
        """Show no texts. ``why_not``: the reason why none can be generated; ``problem``: why none came."""
        permit(self.generate, why_not)
        self._show_working(False)
        self.notice.setText(problem)
        for part in (*self.heads, self.plain, self.changed, self.parted):
            part.hide()

    def show_progress(self, done: int, total: int) -> None:
        self.notice.setText("")
        self._show_working(True)
        self.progress.setText(tr("Token {n} of {all}", n=done, all=total) if total else tr("Running the model…"))

    def show_texts(self, texts: Any, tokenizer: Tokenizer) -> None:
        """Show :class:`gptstudio.inference.intervening.ChangedTexts`."""
        plain, changed = ([each.id for each in some] for some in (texts.plain, texts.changed))
        same = next((n for n, (one, other) in enumerate(zip(plain, changed, strict=False)) if one != other), None)
        self._show_working(False)
        for part in (*self.heads, self.plain, self.changed, self.parted):
            part.show()
        self.plain.setText(_shown(plain, same, tokenizer))
        self.changed.setText(_shown(changed, same, tokenizer))
        self.parted.setText(
            tr("They are the same.") if same is None
            else tr("They part at new token {n}, marked with │.", n=same + 1))

    def _show_working(self, working: bool) -> None:
        self.generate.setVisible(not working)
        self.stop.setVisible(working)
        self.progress.setVisible(working)


def _shown(ids: Sequence[int], parted: int | None, tokenizer: Tokenizer) -> str:
    parts = [ids] if parted is None else [ids[:parted], ids[parted:]]
    return "│".join(tokenizer.decode(part) for part in parts).replace("\n", " ↵ ")  # a row, with room to wrap
