"""Dialog that opens weights: the content of a file or folder, and its import. Does not import torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from gptstudio import files
from gptstudio.app.tasks import Task, TaskRunner
from gptstudio.gpt import sizing
from gptstudio.gui.translation import size, tr
from gptstudio.gui.weights.dialog import Facts, ImportDialog
from gptstudio.gui.widgets.layouts import Reflow, card, vbox, with_layout
from gptstudio.gui.widgets.parts import FigureRow, choice_box, label, named, set_blocker, set_entries
from gptstudio.i18n import message
from gptstudio.training import imported_models
from gptstudio.training.model_source import reads_text

if TYPE_CHECKING:
    from gptstudio.training.model_source import ImportedModel
    from gptstudio.weights_io.importing import FoundModel

KINDS = {
    "book": message("Weights saved by the book's code (a state dict)"),
    "huggingface": message("GPT-2 in Hugging Face format"),
    "nanogpt": message("nanoGPT checkpoint"),
    "gptstudio": message("GPT Studio model"),
}
LONGEST_NAME = 80
NAMED_LEFT_OUT = 4


@dataclass(frozen=True)
class InspectedPath:
    """Result of inspecting a path: its content, an unused name, and the free disk space."""

    found: FoundModel
    name: str
    free_bytes: int


def look(path: Path) -> InspectedPath:
    """Read the headers of a file or folder.

    Raises:
        UserError: it contains nothing that can be imported.
    """
    from gptstudio.weights_io import importing

    found = importing.inspect(path)
    return InspectedPath(found, imported_models.free_name(found.name), files.free_bytes(imported_models.home()))


BUSY = message("The weights are being imported. Cancel it first.")


class OpenDialog(ImportDialog):
    """Dialog that inspects a path, and imports the model in it."""

    def __init__(self, over: QWidget, tasks: TaskRunner) -> None:
        super().__init__(
            over, tasks, "open_weights", tr("Open weights"), (tr("Import"), tr("Copies it to your imported models")))
        self._looked: InspectedPath | None = None
        self.kind = label(role="muted", name="open_weights_kind", wrap=True)
        self.figures = FigureRow({
            "layers": tr("Layers"), "width": tr("Width"), "heads": tr("Heads"), "context": tr("Context length"),
            "vocabulary": tr("Vocabulary"),
        }, "open_weights")
        self.heads = choice_box("open_weights_heads_choice", tr("Heads"))
        self.heads.currentIndexChanged.connect(self._choose_heads)
        self.why = label(role="muted", name="open_weights_heads_why", wrap=True)
        self.facts = Facts({
            "parameters": tr("Parameters"), "tokenizer": tr("Tokenizer"), "path": tr("File"), "stored": tr("Stored as"),
            "kept": tr("Copy saved in"), "disk": tr("Size of copy"),
        }, "open_weights", paths=("path", "kept"))
        self.left_out = label(role="muted", name="open_weights_left_out", wrap=True)
        self.copied = label(
            tr("Your file is not changed. The copy is verified and no longer needs the file."),
            "muted", "open_weights_copied", wrap=True)
        self.name = named(QLineEdit(), "open_weights_name", tr("Name"))
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setToolTip(tr("The name shown wherever you choose a model"))
        self.name.textChanged.connect(self._judge_name)
        self.taken = label(role="notice", name="open_weights_taken", wrap=True)
        self.begin.clicked.connect(self._bring_in)
        self._place()

    def look_at(self, path: Path) -> None:
        self._looked, self.imported = None, None
        self.title.setText(path.name or str(path))
        self.show_state()
        self.transfer_bar.begin(tr("Reading the contents…"), cancel=False)
        self.run(lambda _: look(path), self._show_found, self.settle)
        self.open_up()

    def _show_found(self, looked: InspectedPath) -> None:
        self._looked, found = looked, looked.found
        self.kind.setText(tr(KINDS[found.kind]))
        self.name.setText(looked.name)
        self._offer_heads(found)
        self._show_config(looked)
        self.settle()

    def way_on(self) -> QPushButton:
        return super().way_on() if self._looked else self.close_button

    def _offer_heads(self, found: FoundModel) -> None:
        numbers, width = list(found.possible_heads), found.config.emb_dim
        entries = [tr("{n}, width {width} each", n=heads, width=width // heads) for heads in numbers]
        set_entries(self.heads, entries, numbers.index(found.config.n_heads), numbers)
        self.why.setText(tr(
            "The file does not say how many heads each layer has: the weights have the same shapes for any number. {n} "
            "is the most likely, because each head is then closest to 64 wide, as in OpenAI's models. If you know the "
            "n_heads of the code that trained the model, choose that: with any other number the model generates "
            "nonsense.", n=found.config.n_heads))

    def _show_config(self, looked: InspectedPath) -> None:
        found, config = looked.found, looked.found.config
        self.figures.show_values(
            layers=f"{config.n_layers:,}", width=f"{config.emb_dim:,}", heads=f"{config.n_heads:,}",
            context=f"{config.context_length:,}", vocabulary=f"{config.vocab_size:,}")
        same = found.stored == "fp32"
        taken, free = size(sizing.weight_bytes(config)), size(looked.free_bytes)
        self.facts.show_facts(
            path=str(found.path),
            stored=found.stored if same else tr("{stored}; saved as fp32", stored=found.stored),
            parameters=tr(
                "{n}, tied: the token embedding and the output layer share one matrix" if config.tie_weights
                else "{n}, with a separate output layer", n=f"{sizing.parameter_count(config):,}"),
            tokenizer=tr(found.tokenizer.name) if reads_text(config) else tr("unknown: for experiments without text"),
            kept=str(imported_models.home()),
            disk=tr("{size} ({free} free)", size=taken, free=free))
        self.left_out.setText(_left_out_words(found.left_out))

    def _choose_heads(self) -> None:
        if self._looked:
            found = self._looked.found
            config = found.config.but(n_heads=self.heads.currentData())
            self._looked = replace(self._looked, found=replace(found, config=config))
            self._show_config(self._looked)

    def _judge_name(self) -> None:
        name = self.name.text().strip()
        free = imported_models.free_name(name) if name else ""
        self.taken.setText(tr(
            "This name is taken or is not valid on every system. The model will be called {name}.", name=free))
        self.taken.setVisible(free != name)
        busy = tr(BUSY) if self.busy else ""
        set_blocker(self.begin, busy or ("" if name else tr("Enter a name first.")))

    def _bring_in(self) -> None:
        if not self._looked:
            return
        found, name = self._looked.found, self.name.text().strip()

        def work(task: Task) -> ImportedModel:
            from gptstudio.weights_io import importing

            return importing.import_weights(found, name, task.report)

        title = message("Importing {name}", name=name)
        self.transfer(work, self.show_imported, title, tr("Copying (two passes)"))

    def show_state(self) -> None:
        looked = self._looked
        ready = looked is not None and not self.imported
        guessed = ready and looked is not None and not looked.found.heads_read
        self.refusal.clear()
        self.show_way()
        self.begin.setVisible(ready)
        for part, shown in (
            (self.kind, bool(looked)), (self.card, bool(looked)), (self.facts, bool(looked)),
            (self.left_out, bool(self.left_out.text()) and bool(looked)), (self.copied, ready and not self.busy),
            (self.naming, ready), (self.choice, guessed), (self.why, guessed),
        ):
            part.setVisible(shown)
        for part in (self.naming, self.choice):
            set_blocker(part, tr(BUSY) if self.busy else "")
        self._judge_name()

    def _place(self) -> None:
        heads = label(tr("Heads"), "heading", buddy=self.heads)
        name = label(tr("Name"), "heading", buddy=self.name)
        self.choice = Reflow(heads, self.heads, stretch=(self.heads,))
        self.card = card(self.figures, self.choice, self.why, name="open_weights_card")
        self.naming = with_layout(QWidget(), vbox(Reflow(name, self.name, stretch=(self.name,)), self.taken))
        self.lay_out(
            self.kind, self.card, self.facts, self.left_out, self.copied, self.naming, self.outcome,
            buttons=self.buttons)


def _left_out_words(names: Sequence[str]) -> str:
    """Return a sentence about the tensors of a file that are not read; empty if all are read."""
    some, more = list(names[:NAMED_LEFT_OUT]), len(names) - NAMED_LEFT_OUT
    if more > 0:
        some.append(tr("{n} more", n=f"{more:,}"))
    return tr("Left out, since a language model does not need them: {names}.", names=", ".join(some)) if some else ""
