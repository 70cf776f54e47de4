"""Attention, from dot products to several heads: five stages, each of which adds one thing to the one before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.grid import Cell
from gptstudio.gui.forms.segments import Segments
from gptstudio.gui.learn.attention import titles
from gptstudio.gui.learn.attention.board import Board
from gptstudio.gui.learn.attention.formulas import LINKS, OF_WAYS, WAYS, formulas
from gptstudio.gui.learn.attention.word_matrix import WordMatrix
from gptstudio.gui.learn.kit import LabPage, row_of
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import holding, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.tall import Tall
from gptstudio.labs.attention import MOST_WORDS, STAGES, AttentionAnswer, AttentionRequest, Stage

ADDED: dict[Stage, tuple[str, ...]] = {
    "products": ("words", "query"), "weights": ("d_out", "drawn", "seed", "scale"), "mask": ("mask", "renormalise"),
    "dropout": ("rate", "drop_seed"), "heads": ("heads",)}
"""The fields that matter from a stage on."""
NEW = 0.5  # initial value in a new word's row
PRINTED: dict[Stage, dict[str, tuple[str, str]]] = {
    "products": {
        "inputs": ("attention", "inputs_6x3"), "scores": ("book", "attn_scores"),
        "weights": ("book", "attn_weights"), "context": ("book", "all_context_vecs")},
    "weights": {"w_query": ("book", "W_query"), "context": ("attention", "self_attention_linear_seed_789_d_out_2")},
    "mask": {"context": ("attention", "causal_seed_123_d_out_2_no_dropout")},
    "dropout": {},
    "heads": {"context": ("attention", "two_head_wrapper_seed_123")}}
"""The figure that a matrix is compared with."""


class Page(LabPage):
    """One stage is shown at a time; only the fields that matter there can be edited."""

    request: AttentionRequest
    answer: AttentionAnswer | None

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="attention_story")
        self.formulas = formulas()
        return [self.story, *(formula for each in self.formulas.values() for formula in each)]

    def make_stage(self) -> QWidget:
        self.segments = Segments("attention_stage", list(titles.stages().values()), tr(
            "Steps from the input to the context vectors; each uses the result of the one before"))
        self.segments.chosen.connect(lambda index: self._go_to(STAGES[index]))
        self.summary = label(wrap=True, name="attention_summary")
        self.problem = self.controls.problem_of("inputs")
        self.boards: dict[Stage, Board] = {}
        self._room = vbox(self.segments, self.summary, self.problem, spacing=8)
        return holding(Tall(), self._room)

    def board(self, stage: Stage) -> Board:
        """The matrices of a stage, made when they are first needed."""
        if stage not in self.boards:
            made = self.boards[stage] = Board(stage)
            made.edited.connect(partial(self.turn_cell, "inputs"))
            made.chosen.connect(lambda row: self.turn(query=row + 1))
            for place in made.places:
                self.links.watch_matrix(place.matrix)
                self._link(place.name, place.matrix)
            self._room.addWidget(made, 1)
        return self.boards[stage]

    def turn(self, **changes: Any) -> None:
        """A word more or less is a row more or less."""
        count = len(str(changes.get("words", "")).split())
        asked = len(self._values["inputs"])
        if "words" in changes and "inputs" not in changes and 1 <= count <= MOST_WORDS and count != asked:
            rows = self.request.inputs[:count]
            changes["inputs"] = (*rows, *((NEW,) * len(rows[0]),) * (count - len(rows)))
        super().turn(**changes)

    def show_answer(self, answer: AttentionAnswer) -> None:
        stage = self.request.stage
        self.story.setText(titles.story(stage))
        self.summary.setText(titles.summary(self.request, answer))
        with QSignalBlocker(self.segments):
            self.segments.choose(STAGES.index(stage))
        self.board(stage).show_answer(self.request, answer, self._equal())
        for each, board in self.boards.items():
            board.setVisible(each == stage)
        for each, shown in self.formulas.items():
            for formula in shown:
                formula.setVisible(each == stage and formula.objectName() not in self._of_other_ways())
        for name, editor in self.controls.editors.items():
            editor.setVisible(self._matters(name))

    def _link(self, name: str, matrix: WordMatrix) -> None:
        """The symbols that speak of this matrix light the query's row of it, or all of it."""

        def of_the_query(cell: Cell | None) -> list[Cell]:
            return row_of(matrix, cell.row if cell else self.request.query - 1)

        for key, (linked, rows) in LINKS.items():
            if linked == name:
                self.links.add(key, matrix, of_the_query if rows == "query" else None)
        for row, key in enumerate(WAYS if name == "both" else ()):
            self.links.add(key, matrix, partial(_row, matrix, row))

    def _go_to(self, stage: Stage) -> None:
        """Show the book's numbers in the new stage too, unless the user has changed something."""
        own = [example.name for example in self.lab.examples if cast(AttentionRequest, example.request).stage == stage]
        if own and any(example.request.but(stage=self.request.stage) == self.request for example in self.lab.examples):
            self.open_example(own[-1])
        else:
            self.turn(stage=stage)

    def _matters(self, name: str) -> bool:
        """Return whether a field has an effect in this stage."""
        added = next(stage for stage, names in ADDED.items() if name in names)
        return self.request.reaches(added) and (name != "renormalise" or self.request.mask == "after")

    def _of_other_ways(self) -> set[str]:
        """The formulas of the ways to mask that are not the one that is shown."""
        shown = OF_WAYS[self.request.mask] if self.request.mask != "after" or self.request.renormalise else ()
        return {name for names in OF_WAYS.values() for name in names} - set(shown)

    def _equal(self) -> dict[str, np.ndarray]:
        found = {name: self.printed(*place) for name, place in PRINTED[self.request.stage].items()}
        return {name: equal for name, equal in found.items() if equal is not None}


def _row(matrix: WordMatrix, row: int, _cell: Cell | None) -> list[Cell]:
    return row_of(matrix, row)
