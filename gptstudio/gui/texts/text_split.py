"""Split of the texts into training and validation, and the number of windows and batches of each part."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from gptstudio.app.text_tasks import ShareCounted
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import FREE, card, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import label, named
from gptstudio.i18n import message
from gptstudio.training import corpus
from gptstudio.training.spec import TrainSpec

SPLITS = {"characters": message("Hold out the end of the text"), "documents": message("Hold out the last texts")}
PARTS = {"train": message("Training"), "val": message("Validation")}
ROWS = {"tokens": message("Tokens"), "windows": message("Windows"), "batches": message("Batches")}


class TextSplit(QWidget):
    """Choice of the split; emits changes, and shows the counts."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = named(QComboBox(), "texts_split", tr("Split"))
        self.box.setToolTip(tr("Which part of the texts is kept for the validation loss and not trained on"))
        for value, split in SPLITS.items():
            self.box.addItem(tr(split), value)
        self.box.currentIndexChanged.connect(self.changed)
        self.words = label(role="muted", name="texts_windows", wrap=True)
        self.problem = label(role="problem", name="texts_problem", wrap=True)
        self.figures: dict[str, QLabel] = {
            f"{part}_{row}": label("–", "figure", f"texts_{part}_{row}") for part in PARTS for row in ROWS
        }
        self._lay_out()

    @property
    def value(self) -> str:
        return str(self.box.currentData())

    def show_counts(self, spec: TrainSpec | None, counted: ShareCounted | None) -> None:
        """The tokens of each part, and what this run would make of them; dashes for what is not known."""
        known = counted is not None and not counted.problem
        for part in PARTS:
            figures = _figures(spec, getattr(counted, f"{part}_tokens")) if known else ("–", "–", "–")
            for row, figure in zip(ROWS, figures, strict=True):
                self.figures[f"{part}_{row}"].setText(figure)
        self.problem.setText(tr(counted.problem) if counted else "")
        self.problem.setVisible(bool(self.problem.text()))
        self.words.setText(self._words(spec))

    def _words(self, spec: TrainSpec | None) -> str:
        if not spec:
            return tr("The model or training settings are invalid: windows cannot be counted.")
        share = f"{spec.train_ratio:.0%}".replace("%", " %")
        part = (
            tr("{share} of the characters for training, as closely as whole texts allow", share=share)
            if self.value == "documents" else tr("{share} of the characters for training", share=share)
        )
        return tr(
            "{part}; context length {context}, stride {stride}, batch size {batch}", part=part,
            context=f"{spec.config.context_length:,}", stride=f"{spec.window_stride:,}", batch=f"{spec.batch_size:,}",
        )

    def _lay_out(self) -> None:
        caption = label(tr("Split"), "heading")
        caption.setBuddy(self.box)
        head = hbox(caption, grows(self.box))
        holding(self, vbox(card(head, self.words, self._grid(), self.problem, FREE, name="texts_split_card")))

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(8)
        for column, title in enumerate(PARTS.values(), start=1):
            grid.addWidget(label(tr(title), "muted"), 0, column, Qt.AlignmentFlag.AlignRight)
        for line, (row, caption) in enumerate(ROWS.items(), start=1):
            grid.addWidget(label(tr(caption), "muted"), line, 0)
            for column, part in enumerate(PARTS, start=1):
                grid.addWidget(self.figures[f"{part}_{row}"], line, column, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return grid


def _figures(spec: TrainSpec | None, tokens: int) -> tuple[str, str, str]:
    """Tokens, windows and whole batches of one part."""
    if spec is None:
        return f"{tokens:,}", "–", "–"
    windows = corpus.windows(tokens, spec.config.context_length, spec.window_stride)
    return f"{tokens:,}", f"{windows:,}", f"{windows // spec.batch_size:,}"
