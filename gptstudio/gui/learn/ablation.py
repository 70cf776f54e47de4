"""Page of the ablation lab: one component of a small model removed, the effect on the next word, and three figures of
every component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.gui.learn.kit import Formula, LabPage, fixed
from gptstudio.gui.learn.page_parts import GROWS, MatricesWithBars, bars, most_probable
from gptstudio.gui.plots.bar_list import BarList
from gptstudio.gui.translation import percent, tr
from gptstudio.gui.widgets.layouts import grows, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.labs.ablation import COMPONENTS, AblationAnswer, AblationRequest

ABLATION, ATTRIBUTION, GRADIENT = range(3)  # columns of the matrix of figures
ALL, REST, LOGIT = range(3)  # columns of the matrix of the sum


class Page(LabPage[AblationRequest, AblationAnswer]):
    """Page of the ablation lab. The upper matrix has a row for each word, the lower one for each component."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("A model with two layers, trained on twelve sentences when the page opens: in each, an animal eats its "
               "food. A head or feed-forward network writes its output into the residual stream, and all later parts "
               "read it. Which of them does the prediction depend on?"),
            Formula("lab_ablation_formula",
                    r"\sym{ablation}{\Delta_h} = \log \sym{before}{p(w)} - "
                    r"\log \sym{after}{p(w \mid \mathrm{output}_h \to 0)}",
                    tr("the effect is the log of the probability of the word, minus that with the output of h set to "
                       "zero")),
            tr("Ablation sets the output to 0, or to its mean, and lets the rest compute with what is left."),
            Formula("lab_ablation_attribution",
                    r"\sym{attribution}{a_h} = \mathrm{output}_h \cdot \frac{E_w - \bar{E}_w}{\sigma}",
                    tr("the attribution is the output of h times the embedding of the word without its mean, divided "
                       "by sigma")),
            Formula("lab_ablation_sum_formula",
                    r"\sym{all}{\sum_h a_h} + \sym{rest}{a_{\mathrm{emb}}} = \sym{logit}{\mathrm{logit}_w}",
                    tr("all attributions and that of the embeddings add up to the logit")),
            tr("Direct logit attribution is what the output itself adds to the logit, with σ of the last LayerNorm "
               "kept as it is. It does not see what later parts make of the output."),
            Formula("lab_ablation_gradient",
                    r"\sym{gradient}{g_h} = \mathrm{output}_h \cdot "
                    r"\frac{\partial \log p(w)}{\partial \, \mathrm{output}_h}",
                    tr("gradient times activation is the output of h times the slope of the log-probability")),
            tr("Gradient × activation estimates ablation from the slope. Where the model is sure of its word the slope "
               "is nearly 0, and the estimate with it."))

    def make_stage(self) -> QWidget:
        self.found = self.sentence("lab_ablation_found", self._sentence, "heading")
        self.probabilities = self.linked(
            "lab_ablation_probabilities", tr("next word"), self._probability, "before", "after")
        self.bars = BarList("lab_ablation_bars", "", beside=self.probabilities)
        self.figures_matrix = self.linked(
            "lab_ablation_figures", tr("components"), self._figure, "ablation", "attribution", "gradient", tinted=True,
            choose=lambda cell: self.update_request(component=COMPONENTS[cell.row]))
        self.sum = self.linked("lab_ablation_sum", tr("sum"), self._sum, "all", "rest", "logit")
        return in_column(
            QWidget(), self.found, grows(MatricesWithBars(self.probabilities, bars=self.bars), GROWS),
            self.figures_matrix, self.sum, label(tr("Click a row to switch that component off."), "muted"), spacing=8)

    def show_answer(self, answer: AblationAnswer) -> None:
        self.shown = most_probable(answer.before, answer.after)
        names = [answer.words[word] for word in self.shown]
        both = np.stack([answer.before, answer.after], axis=1)[self.shown]
        self.probabilities.show_values(both, names, (tr("before"), tr("after")))
        self.bars.show_bars(bars(tr("before → after (stroke: before)"), names, answer.after, answer.before,
                                 answer.before, self.shown, answer.word))
        word = answer.words[answer.word]
        self.figures_matrix.show_values(
            answer.figures, COMPONENTS, (tr("ablation"), tr("attribution"), tr("gradient")),
            title=tr("components, for “{word}”", word=word))
        self.sum.show_values(
            np.array([float(answer.figures[:, ATTRIBUTION].sum()), answer.rest, answer.logit]), (),
            (tr("components"), tr("embeddings"), tr("logit")), title=tr("sum of the attributions"))

    def _sentence(self, answer: AblationAnswer) -> str:
        word = answer.words[answer.word]
        before, after = (percent(float(each[answer.word])) for each in (answer.before, answer.after))
        if self.request.component == "none":
            return tr("Nothing is changed: the probability of “{word}” is {before}.", word=word, before=before)
        block, part = self.request.component.split(".")
        counted = {"layer": int(block) + 1, "name": self.request.component}
        name = (tr("the feed-forward network of layer {layer} ({name})", **counted) if part == "mlp" else
                tr("head {head} of layer {layer} ({name})", head=int(part) + 1, **counted))
        if self.request.baseline == "zero":
            return tr("Without {name}, the probability of “{word}” is {after} instead of {before}.",
                      name=name, word=word, before=before, after=after)
        return tr("With the mean of {name}, the probability of “{word}” is {after} instead of {before}.",
                  name=name, word=word, before=before, after=after)

    def _probability(self, cell: Cell) -> str:
        word = self.answer.words[self.shown[cell.row]]
        before, after = (float(each[self.shown[cell.row]]) for each in (self.answer.before, self.answer.after))
        return tr("{word}: {before} before, {after} after; log-probability {first} and {second}", word=word,
                  before=percent(before), after=percent(after), first=fixed(float(np.log(before)), 3),
                  second=fixed(float(np.log(after)), 3))

    def _figure(self, cell: Cell) -> str:
        name, value = COMPONENTS[cell.row], self.figures_matrix.text(cell)
        if cell.column == ABLATION:
            return tr("{name} set to 0: the log-probability falls by {value} nats", name=name, value=value)
        if cell.column == ATTRIBUTION:
            return tr("{name} itself adds {value} to the logit", name=name, value=value)
        return tr("by the slope, the log-probability would fall by {value} nats without {name}", name=name, value=value)

    def _sum(self, _cell: Cell) -> str:
        components, rest, logit = (self.sum.text(Cell(0, column)) for column in (ALL, REST, LOGIT))
        return tr("{components} + ({rest}) = {logit}", components=components, rest=rest, logit=logit)
