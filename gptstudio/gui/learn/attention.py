"""Page of the attention lab: from dot products to several heads in five stages, each of which adds one concept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.forms.controls import Segments
from gptstudio.gui.learn import attention_board
from gptstudio.gui.learn.attention_board import AttentionMatrices, WordMatrix
from gptstudio.gui.learn.kit import Formula, LabPage, row_of
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import HeightForWidth, vbox, with_layout
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.attention import MOST_WORDS, STAGES, AttentionAnswer, AttentionRequest, Stage

LINKS = {
    "x_i": ("inputs", "query"), "x_j": ("inputs", "all"), "W_q": ("w_query", "all"), "W_k": ("w_key", "all"),
    "W_v": ("w_value", "all"), "q_i": ("queries", "query"), "k_j": ("keys", "all"), "v_j": ("values", "all"),
    "omega": ("scores", "query"), "scaled": ("scaled", "query"), "masked": ("masked", "query"),
    "before": ("before", "query"), "unmasked": ("unmasked", "query"), "cut": ("cut", "query"),
    "after": ("after", "query"), "alpha": ("weights", "query"), "dropped": ("dropped", "query"),
    "z_i": ("context", "query")}
"""Matrix of each symbol, and the rows that it refers to: the row of the query, i, or all."""
WAYS = ("before", "after", "cut")  # symbols of the rows that compare the two positions of the mask
OF_WAYS: dict[str, tuple[str, ...]] = {
    "before": ("attention_masked", "attention_before"), "after": ("attention_after",), "none": ()}
"""Formulas added by each position of the mask."""


def formulas() -> dict[Stage, list[Formula]]:
    return {
        "products": [
            Formula("attention_score", r"\sym{omega}{\omega_{ij}} = \sym{x_i}{x_i} \cdot \sym{x_j}{x_j}",
                    tr("The score of words i and j is the dot product of their vectors.")),
            Formula("attention_softmax",
                    r"\sym{alpha}{\alpha_{ij}} = \frac{e^{\sym{omega}{\omega_{ij}}}}{\sum_k e^{\omega_{ik}}}",
                    tr("The weights are the softmax of the row of scores.")),
            Formula("attention_context", r"\sym{z_i}{z_i} = \sum_j \sym{alpha}{\alpha_{ij}} \, \sym{x_j}{x_j}",
                    tr("The context vector of word i is the sum of all words' vectors times their weights."))],
        "weights": [
            Formula("attention_query", r"\sym{q_i}{q_i} = \sym{x_i}{x_i} \, \sym{W_q}{W_q}",
                    tr("The query of word i is its vector times the matrix W query.")),
            Formula("attention_key_value",
                    r"\sym{k_j}{k_j} = \sym{x_j}{x_j} \, \sym{W_k}{W_k} \quad \sym{v_j}{v_j} = x_j \, \sym{W_v}{W_v}",
                    tr("Keys and values are computed in the same way, each with its own matrix.")),
            Formula("attention_scaled", r"\sym{omega}{\omega_{ij}} = \sym{q_i}{q_i} \cdot \sym{k_j}{k_j}",
                    tr("The score of words i and j is the dot product of query i and key j.")),
            Formula("attention_weights",
                    r"\sym{alpha}{\alpha_{i}} = "
                    r"\mathrm{softmax}\left(\sym{scaled}{\frac{\omega_{i}}{\sqrt{d_k}}}\right)",
                    tr("The weights are the softmax of the scores divided by the square root of d k.")),
            Formula("attention_mixed", r"\sym{z_i}{z_i} = \sum_j \sym{alpha}{\alpha_{ij}} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights."))],
        "mask": [
            Formula("attention_masked", r"\sym{masked}{\omega_{ij}} = -\infty \quad (j > i)",
                    tr("The scores of later words become minus infinity.")),
            Formula("attention_before", r"\sym{before}{\alpha_{i}} = \mathrm{softmax}(\sym{masked}{\omega_{i}})",
                    tr("The weights are the softmax of the masked scores.")),
            Formula("attention_after",
                    r"\sym{after}{\alpha_{ij}} = "
                    r"\frac{\sym{unmasked}{\sigma_{ij}}}{\sum_{k \leq i} \sym{cut}{\sigma_{ik}}}",
                    tr("With the mask after the softmax, each weight is divided by the sum of the remaining weights in "
                       "its row.")),
            Formula("attention_masked_context", r"\sym{z_i}{z_i} = \sum_j \alpha_{ij} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights."))],
        "dropout": [
            Formula("attention_dropped", r"\sym{dropped}{a_{ij}} = \frac{\sym{alpha}{\alpha_{ij}}}{1 - p}",
                    tr("Weights that are not dropped are divided by one minus the rate p.")),
            Formula("attention_dropped_context", r"\sym{z_i}{z_i} = \sum_j \sym{dropped}{a_{ij}} \, \sym{v_j}{v_j}",
                    tr("The context vector of word i is the sum of all values times their weights after dropout."))],
        "heads": [
            Formula("attention_head", r"z_i^{h} = \sum_j \sym{dropped}{\alpha_{ij}^{h}} \, \sym{v_j}{v_j^{h}}",
                    tr("Each head h computes its own context vector.")),
            Formula("attention_heads", r"\sym{z_i}{z_i} = [\, z_i^{1} ,\, z_i^{2} ,\, \ldots \,]",
                    tr("The context vectors of all heads are concatenated."))]}


ADDED: dict[Stage, tuple[str, ...]] = {
    "products": ("words", "query"), "weights": ("d_out", "drawn", "seed", "scale"), "mask": ("mask", "renormalise"),
    "dropout": ("rate", "drop_seed"), "heads": ("heads",)}
"""Fields that have an effect from a stage on."""
NEW = 0.5  # initial value in a new word's row
PRINTED: dict[Stage, dict[str, tuple[str, str]]] = {
    "products": {
        "inputs": ("attention", "inputs_6x3"), "scores": ("book", "attn_scores"),
        "weights": ("book", "attn_weights"), "context": ("book", "all_context_vecs")},
    "weights": {"w_query": ("book", "W_query"), "context": ("attention", "self_attention_linear_seed_789_d_out_2")},
    "mask": {"context": ("attention", "causal_seed_123_d_out_2_no_dropout")},
    "dropout": {},
    "heads": {"context": ("attention", "two_head_wrapper_seed_123")}}
"""Printed reference of each matrix that is compared with one."""


class Page(LabPage):
    """Page of the attention lab. One stage is shown at a time, and only its fields can be edited."""

    request: AttentionRequest
    answer: AttentionAnswer | None

    def text(self) -> Sequence[QWidget | str]:
        self.story = label(wrap=True, name="attention_story")
        self.formulas = formulas()
        return [self.story, *(formula for each in self.formulas.values() for formula in each)]

    def make_stage(self) -> QWidget:
        self.segments = Segments("attention_stage", list(attention_board.stage_names().values()), tr(
            "Steps from the input to the context vectors; each uses the result of the one before"))
        self.segments.chosen.connect(lambda index: self._go_to(STAGES[index]))
        self.summary = label(wrap=True, name="attention_summary")
        self.problem = self.controls.problem_of("inputs")
        self.boards: dict[Stage, AttentionMatrices] = {}
        self._room = vbox(self.segments, self.summary, self.problem, spacing=8)
        return with_layout(HeightForWidth(), self._room)

    def board(self, stage: Stage) -> AttentionMatrices:
        """Return the matrices of a stage, created when they are first needed."""
        if stage not in self.boards:
            made = self.boards[stage] = AttentionMatrices(stage)
            made.edited.connect(partial(self.update_cell, "inputs"))
            made.chosen.connect(lambda row: self.update_request(query=row + 1))
            for place in made.places:
                self.links.watch_matrix(place.matrix)
                self._link(place.name, place.matrix)
            self._room.addWidget(made, 1)
        return self.boards[stage]

    def update_request(self, **changes: Any) -> None:
        """Change the request; a change in the number of words changes the number of input rows accordingly."""
        count = len(str(changes.get("words", "")).split())
        asked = len(self._values["inputs"])
        if "words" in changes and "inputs" not in changes and 1 <= count <= MOST_WORDS and count != asked:
            rows = self.request.inputs[:count]
            changes["inputs"] = (*rows, *((NEW,) * len(rows[0]),) * (count - len(rows)))
        super().update_request(**changes)

    def show_answer(self, answer: AttentionAnswer) -> None:
        stage = self.request.stage
        self.story.setText(attention_board.story(stage))
        self.summary.setText(attention_board.summary(self.request, answer))
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
        """Link the symbols of a matrix to the row of the query or to the whole matrix."""

        def of_the_query(cell: Cell | None) -> list[Cell]:
            return row_of(matrix, cell.row if cell else self.request.query - 1)

        for key, (linked, rows) in LINKS.items():
            if linked == name:
                self.links.add(key, matrix, of_the_query if rows == "query" else None)
        for row, key in enumerate(WAYS if name == "both" else ()):
            self.links.add(key, matrix, partial(_row, matrix, row))

    def _go_to(self, stage: Stage) -> None:
        """Switch to a stage, with the book's numbers of that stage unless the user has changed something."""
        own = [example.name for example in self.lab.examples if cast(AttentionRequest, example.request).stage == stage]
        if own and any(example.request.but(stage=self.request.stage) == self.request for example in self.lab.examples):
            self.open_example(own[-1])
        else:
            self.update_request(stage=stage)

    def _matters(self, name: str) -> bool:
        """Return whether a field has an effect in this stage."""
        added = next(stage for stage, names in ADDED.items() if name in names)
        return self.request.reaches(added) and (name != "renormalise" or self.request.mask == "after")

    def _of_other_ways(self) -> set[str]:
        """Return the names of the formulas of the other positions of the mask."""
        shown = OF_WAYS[self.request.mask] if self.request.mask != "after" or self.request.renormalise else ()
        return {name for names in OF_WAYS.values() for name in names} - set(shown)

    def _equal(self) -> dict[str, np.ndarray]:
        found = {name: self.printed(*place) for name, place in PRINTED[self.request.stage].items()}
        return {name: equal for name, equal in found.items() if equal is not None}


def _row(matrix: WordMatrix, row: int, _cell: Cell | None) -> list[Cell]:
    return row_of(matrix, row)
