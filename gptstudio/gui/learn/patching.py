"""Page of the activation patching lab: two sentences, a map of each copied activation's effect, and the next word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import Formula, LabPage, behind_sign, fixed
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars, bars, most_probable
from gptstudio.gui.plots.bar_list import BarList
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import grows, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.patching import PatchingAnswer, PatchingRequest

ROUNDED = 0.005
"""Values with a smaller magnitude are shown as 0, without a sign."""


class Page(LabPage[PatchingRequest, PatchingAnswer]):
    """Page whose upper matrix has a row for each layer and a column for each word; the lower one has the next words."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("The same small model as on the page Ablation reads two sentences that differ in one word. Then it "
               "reads the corrupted one again, with a single activation copied from the clean one. Where that brings "
               "the clean answer back, the model keeps what makes the difference."),
            Formula("lab_patching_formula",
                    r"\sym{share}{r} = \frac{\sym{patched}{d_{\mathrm{patched}}} - "
                    r"\sym{corrupted}{d_{\mathrm{corrupted}}}}{\sym{clean}{d_{\mathrm{clean}}} - "
                    r"d_{\mathrm{corrupted}}}",
                    tr("the recovered share is the logit difference with the copy minus that of the corrupted "
                       "sentence, divided by that of the clean one minus that of the corrupted one")),
            Formula("lab_patching_difference", r"d = \mathrm{logit}_{\mathrm{right}} - \mathrm{logit}_{\mathrm{wrong}}",
                    tr("d is the logit of the right word minus that of the wrong one")),
            tr("1: the copy brings the whole difference back. 0: it changes nothing. It can be below 0 or above 1."),
            tr("Before the first word that differs, both runs are the same, so a copy changes nothing there. Before "
               "layer 1, only the word itself differs. Look where the difference is one layer later, and at the end."))

    def make_stage(self) -> QWidget:
        self.map = self.linked("lab_patching_map", tr("recovered share"), self._share, tinted=True, digits=2,
                               choose=lambda cell: self.update_request(layer=cell.row, position=cell.column))
        self.found = self.sentence("lab_patching_found", self._sentence, "heading")
        self.differences = self.linked("lab_patching_differences", tr("logit differences"), self._difference, "clean",
                                       "corrupted", "patched", digits=3)
        self.probabilities = self.linked("lab_patching_probabilities", tr("next word"), self._probability)
        self.bars = BarList("lab_patching_bars", "", beside=self.probabilities)
        self.links.add("share", self.map, lambda _: [Cell(*self.answer.cell)])
        return in_column(
            QWidget(), self.map, label(tr("Click a cell to copy that activation."), "muted"), self.found,
            self.differences, grows(MatricesWithBars(self.probabilities, bars=self.bars), GROWS), spacing=8)

    def show_answer(self, answer: PatchingAnswer) -> None:
        pairs = zip(answer.clean_words, answer.corrupted_words, strict=True)
        columns = [clean if clean == other else f"{clean}/{other}" for clean, other in pairs]
        rows = [tr("layer {n}", n=layer + 1) for layer in range(len(answer.recovered))]
        shares = np.where(np.abs(answer.recovered) < ROUNDED, 0.0, answer.recovered)
        self.map.show_values(shares, rows, columns)
        right, wrong = answer.words[answer.right], answer.words[answer.wrong]
        names = tr("clean"), tr("corrupted"), tr("patched")
        self.differences.show_values(
            answer.differences, (), names, title=tr("logit of “{right}” minus “{wrong}”", right=right, wrong=wrong))
        self.shown = most_probable(answer.patched, answer.clean, answer.corrupted)
        words = [answer.words[word] for word in self.shown]
        three = np.stack([answer.clean, answer.corrupted, answer.patched], axis=1)[self.shown]
        self.probabilities.show_values(three, words, names)
        self.bars.show_bars(bars(tr("corrupted → patched (stroke: clean)"), words, answer.patched, answer.corrupted,
                                 answer.clean, self.shown, answer.right))

    def _sentence(self, answer: PatchingAnswer) -> str:
        layer, position = answer.cell
        share = float(answer.recovered[answer.cell])
        if not np.isfinite(share):
            return tr("The model does not tell the sentences apart, so there is nothing to recover.")
        return tr("Copied: layer {layer}, position {position} (“{word}”). It recovers {share} % of the difference.",
                  layer=layer + 1, position=position, word=answer.clean_words[position],
                  share=fixed(round(100 * share), 0))

    def _share(self, cell: Cell) -> str:
        if cell != self.answer.cell:
            return tr("layer {layer}, position {position}: {share} of the difference is recovered", layer=cell.row + 1,
                      position=cell.column, share=self.map.text(cell))
        clean, corrupted, patched = map(float, self.answer.differences)
        return tr("({patched} − {corrupted}) / ({clean} − {corrupted}) = {share}", patched=fixed(patched, 3),
                  clean=fixed(clean, 3), corrupted=behind_sign(corrupted), share=self.map.text(cell))

    def _difference(self, cell: Cell) -> str:
        name = (tr("clean"), tr("corrupted"), tr("patched"))[cell.column]
        return tr("{name}: the logit of “{right}” is {value} above that of “{wrong}”", name=name,
                  value=self.differences.text(cell), right=self.answer.words[self.answer.right],
                  wrong=self.answer.words[self.answer.wrong])

    def _probability(self, cell: Cell) -> str:
        word = self.shown[cell.row]
        clean, corrupted, patched = (
            percent(float(each[word])) for each in (self.answer.clean, self.answer.corrupted, self.answer.patched))
        return tr("{word}: {clean} after the clean sentence, {corrupted} after the corrupted one, {patched} with the "
                  "copy", word=self.answer.words[word], clean=clean, corrupted=corrupted, patched=patched)
