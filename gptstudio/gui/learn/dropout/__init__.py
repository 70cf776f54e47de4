"""Dropout: one matrix under a magnifying glass, and the three places in a model where it acts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.learn.dropout.matrix_part import MatrixPart, summary
from gptstudio.gui.learn.dropout.model_part import ModelPart
from gptstudio.gui.learn.kit import Formula, LabPage
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.flow import Flow
from gptstudio.gui.widgets.layouts import grows, holding, vbox
from gptstudio.gui.widgets.parts import button, label
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.dropout import DropoutAnswer, DropoutRequest

PARTS = ("matrix", "model")
FIELDS = {"matrix": ("rate", "seed", "draws"), "model": ("rate", "seed", "preset", "tokens")}
"""Editable fields in the column beside each part."""
OUT = ("dropout", "out")


class Page(LabPage):
    """One part is shown at a time."""

    request: DropoutRequest
    answer: DropoutAnswer | None

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="dropout_story")
        self.formula = Formula(
            "dropout_formula", r"\sym{y}{y_{ij}} = \frac{\sym{m}{m_{ij}} \, \sym{x}{x_{ij}}}{1 - p}",
            tr("The output is the input times zero or one, divided by one minus the rate p."))
        return [self.story, self.formula]

    def make_stage(self) -> QWidget:
        self.parts = Segments("dropout_part", [tr("One matrix"), tr("In a model")],
                              tr("Dropout by itself, or at its places in a transformer block"))
        self.parts.chosen.connect(lambda index: self.turn(part=PARTS[index]))
        self.modes = Segments("dropout_mode", [tr("Training: train()"), tr("Evaluation: eval()")],
                              tr("PyTorch drops values in training only; in evaluation all are kept"))
        self.modes.chosen.connect(lambda index: self.turn(training=index == 0))
        self.again = button(tr("Draw again"), "dropout_again", tr("Uses the next random seed."))
        self.again.clicked.connect(lambda: self.turn(seed=self.request.seed + 1))
        self.summary = label(wrap=True, name="dropout_summary")
        self.problem = self.controls.problem_of("numbers")
        self.matrix, self.model = MatrixPart(), ModelPart(self.name)
        self.matrix.edited.connect(partial(self.turn_cell, "numbers"))
        self.matrix.explained.connect(self.arithmetic.setText)
        for key, matrix in self.matrix.matrices.items():
            self.links.add(key, matrix)
        for name, editor in self.model.editors.items():  # in the stage, and controls like those of the column
            self.controls.editors[name] = editor
            editor.set_value(getattr(self.request, name))
            editor.changed.connect(self.controls.changed)
        top = holding(Tall(), Flow(self.parts, self.modes, self.again, spacing=16))
        return holding(Tall(), vbox(
            top, self.summary, self.problem, grows(self.matrix), grows(self.model), spacing=8))

    def show_answer(self, answer: DropoutAnswer) -> None:
        request = self.request
        for segments, index in ((self.parts, PARTS.index(request.part)), (self.modes, 0 if request.training else 1)):
            with QSignalBlocker(segments):
                segments.choose(index)
        self.story.setText(_story(request))
        self.formula.setVisible(request.part == "matrix")
        self.summary.setText(summary(request, answer) if request.part == "matrix" else _rates(answer))
        self.matrix.show_answer(request, answer, self.printed(*OUT))
        self.model.show_answer(request, answer)
        self.matrix.setVisible(request.part == "matrix")
        self.model.setVisible(request.part == "model")
        for name, editor in self.controls.editors.items():
            editor.setVisible(name in FIELDS[request.part] or name in self.model.editors)

def _story(request: DropoutRequest) -> str:
    if request.part == "matrix":
        return tr("During training, a fraction p of the numbers, the dropout rate, is dropped at random at every step: "
                  "set to 0, so that nothing relies on a single number. The others are scaled up to make up for the "
                  "dropped ones: over many draws the mean stays the same. In evaluation mode nothing is dropped.")
    return tr("GPT applies dropout in three places. They can share one rate; exercise 4.3 gives each its own. Leave a "
              "field empty to use the common rate. The squares show the first numbers of the first such tensor: one "
              "row per token, filled where a number is kept.")


def _rates(answer: DropoutAnswer) -> str:
    struck, numbers = sum(place.struck for place in answer.places), sum(place.numbers for place in answer.places)
    return tr("Dropped for this one text: {struck} of {all} numbers.", struck=f"{struck:,}", all=f"{numbers:,}")
