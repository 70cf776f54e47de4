"""The formulas of each stage, and which matrix each of their symbols speaks of."""

from __future__ import annotations

from gptstudio.gui.learn.kit import Formula
from gptstudio.gui.translation import tr
from gptstudio.labs.attention import Stage

LINKS = {
    "x_i": ("inputs", "query"), "x_j": ("inputs", "all"), "W_q": ("w_query", "all"), "W_k": ("w_key", "all"),
    "W_v": ("w_value", "all"), "q_i": ("queries", "query"), "k_j": ("keys", "all"), "v_j": ("values", "all"),
    "omega": ("scores", "query"), "scaled": ("scaled", "query"), "masked": ("masked", "query"),
    "before": ("before", "query"), "unmasked": ("unmasked", "query"), "cut": ("cut", "query"),
    "after": ("after", "query"), "alpha": ("weights", "query"), "dropped": ("dropped", "query"),
    "z_i": ("context", "query")}
"""A symbol, the matrix, and which of its rows: that of the query, i, or all."""
WAYS = ("before", "after", "cut")  # the symbols that the rows of the mask's comparison are
OF_WAYS: dict[str, tuple[str, ...]] = {
    "before": ("attention_masked", "attention_before"), "after": ("attention_after",), "none": ()}
"""Which formulas speak of each way to mask."""


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
