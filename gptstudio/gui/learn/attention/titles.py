"""Titles of the parts of the page, in the current language."""

from __future__ import annotations

import numpy as np

from gptstudio.gui.learn.attention.arithmetic import number
from gptstudio.gui.translation import tr
from gptstudio.labs.attention import AttentionAnswer, AttentionRequest, Stage


def stages() -> dict[Stage, str]:
    return {
        "products": tr("Dot products"), "weights": tr("Weights"), "mask": tr("Mask"), "dropout": tr("Dropout"),
        "heads": tr("Heads")}


def story(stage: Stage) -> str:
    return {
        "products": tr("How much should one word draw from another? Multiply their numbers pair by pair and add up: "
                       "the dot product, here called the attention score ω, is large where two vectors point the same "
                       "way. Softmax turns each row of scores into attention weights α that sum to 1: e to the power "
                       "of each score, divided by the sum of all these powers. A word's context vector z is the sum of "
                       "all words' vectors, weighted by α."),
        "weights": tr("Now there is something to learn. Three matrices turn each word into a query (what it looks "
                      "for), a key (what it offers) and a value (what it passes on). The scores are divided by √d_k: "
                      "long vectors have large dot products, and softmax would then give nearly all the weight to a "
                      "single word."),
        "mask": tr("A model that predicts the next word must not see it. With −∞ in place of the scores of later "
                   "words, softmax gives them exactly 0. You can also apply the mask after the softmax σ and divide "
                   "each row by its sum: the weights are the same, although the later words took part in the softmax. "
                   "Without that division the rows do not sum to 1."),
        "dropout": tr("During training, some weights are dropped at random, so that the model does not rely on a "
                      "single word. The others are divided by 1 − rate. A row then sums to 1 only on average."),
        "heads": tr("Several attention heads work side by side, each with its own three matrices, so they can look for "
                    "different things. Each computes its own context vector; these are concatenated and passed to the "
                    "next layer.")}[stage]


def summary(request: AttentionRequest, answer: AttentionAnswer) -> str:
    """Return a summary of the stage's result for the query."""
    head, row = answer.heads[0], request.query - 1
    word = answer.words[row]
    match request.stage:
        case "products" | "weights":
            weights = head.weights[row]
            most, least = int(np.argmax(weights)), int(np.argmin(weights))
            return tr("“{word}” attends most to “{most}” ({high}) and least to “{least}” ({low}).", word=word,
                      most=answer.words[most], high=number(weights[most]), least=answer.words[least],
                      low=number(weights[least]))
        case "mask":
            with np.errstate(over="ignore"):
                powers = np.exp(head.scaled[row].astype(np.float64))
            return tr("Row “{word}”: with the mask before the softmax, the softmax divides by {seen}, the sum over the "
                      "words up to it (words: {count}). With the mask after the softmax, it divides by {all}, the sum "
                      "over all words ({every}), later ones included.", word=word, seen=number(powers[: row + 1].sum()),
                      count=row + 1, all=number(powers.sum()), every=len(powers))
        case "dropout":
            struck = int(np.count_nonzero((head.weights != 0) & (head.dropped == 0)))
            return tr("Dropped: {struck} of {all} weights. The row of “{word}” now sums to {sum}.", struck=struck,
                      all=int(np.count_nonzero(head.weights)), word=word, sum=number(head.dropped[row].sum()))
    return tr("Heads: {heads}. Numbers per head: {width}. Numbers in each context vector: {all}.",
              heads=len(answer.heads), width=head.context.shape[1], all=answer.context.shape[1])


def heading(line: int, request: AttentionRequest, answer: AttentionAnswer) -> str:
    """Above a line of matrices; empty where nothing needs to be said."""
    if request.stage == "mask":
        lane = {
            "before": tr("Mask before softmax"), "after": tr("Mask after softmax"), "none": tr("No mask")}[request.mask]
        return ("", lane, tr("Both orders compared, row “{word}”", word=answer.words[request.query - 1]))[line]
    return tr("Head {number}", number=line) if request.stage == "heads" and line else ""


def title(name: str, stage: Stage) -> str:
    return {
        "w_query": "W_query", "w_key": "W_key", "w_value": "W_value",
        "inputs": tr("inputs x"), "queries": tr("queries q"), "keys": tr("keys k"), "values": tr("values v"),
        "scores": tr("scores ω"), "scaled": tr("scaled scores"), "masked": tr("masked scores ω"),
        "before": tr("weights α, mask before"), "unmasked": tr("softmax σ"), "cut": tr("masked softmax σ"),
        "after": tr("weights α, mask after"), "both": tr("weights α"), "weights": tr("weights α"),
        "dropped": tr("weights a, some dropped") if stage == "dropout" else tr("weights α"),
        "context": tr("context vectors z")}[name]


def caption(name: str, request: AttentionRequest) -> str:
    """Return a caption that says how a matrix was computed."""
    products = request.stage == "products"
    drawn = tr("random, as torch.rand") if request.drawn == "rand" else tr("random, as nn.Linear")
    done = {
        "inputs": tr("double-click to change"), "w_query": drawn, "w_key": drawn, "w_value": drawn,
        "queries": tr("inputs · W_query"), "keys": tr("inputs · W_key"), "values": tr("inputs · W_value"),
        "scores": tr("→ each word · each word") if products else tr("→ each query · each key"),
        "scaled": tr("→ divided by √d_k") if request.scale else tr("→ not scaled"), "masked": tr("→ later words −∞"),
        "before": tr("→ softmax of each row"), "unmasked": tr("→ softmax of each row"), "cut": tr("→ later words 0"),
        "after": tr("→ each row divided by its sum"), "both": tr("mask after: each row divided by its sum"),
        "weights": tr("→ softmax of each row") if not request.reaches("dropout") else tr("→ after the mask"),
        "dropped": _dropped(request),
        "context": tr("→ weights · inputs") if products else tr("→ weights · values")}[name]
    return tr("→ heads concatenated") if request.stage == "heads" and name == "context" else done


def _dropped(request: AttentionRequest) -> str:
    if not request.rate:
        return tr("→ nothing dropped")
    return tr("→ {rate} dropped, the rest × {scale}", rate=f"{request.rate:.0%}".replace("%", " %"),
              scale=number(1 / (1 - request.rate)))
