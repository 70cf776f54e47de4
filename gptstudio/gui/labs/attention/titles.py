"""What the parts of the page are called, in the language that is in force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gptstudio.gui.labs.attention.arithmetic import number
from gptstudio.gui.words import tr
from gptstudio.labs.attention import AttentionAnswer, AttentionRequest, Stage

NAMES = {"w_query": "W_query", "w_key": "W_key", "w_value": "W_value"}


def stages() -> dict[Stage, str]:
    return {
        "products": tr("Products"), "weights": tr("Weights"), "mask": tr("Mask"), "dropout": tr("Dropout"),
        "heads": tr("Heads"),
    }


def story(stage: Stage) -> str:
    """The idea of a stage."""
    return {
        "products": tr(
            "How much should one word take over from another? Multiply their numbers in pairs and add up: the dot "
            "product, here called the score ω, is large where two words point the same way. Softmax turns each row of "
            "scores into weights α, shares that sum to 1: e to the power of each score, divided by the sum of all "
            "these powers. A word's context z is all words, mixed in these shares."
        ),
        "weights": tr(
            "Now there is something to learn. Three matrices turn each word into a query (what it looks for), a key "
            "(what it is found by) and a value (what it hands over). The scores are divided by √d_k: long vectors have "
            "large products, and softmax would then give nearly everything to a single word."
        ),
        "mask": tr(
            "Whoever is to guess the next word must not see it. With −∞ in place of later words, softmax gives them "
            "exactly 0. One can also strike them after the softmax σ, and divide each row by its sum: the same "
            "weights, but the later words had a part in the softmax before. Without that division the rows do not "
            "sum to 1."
        ),
        "dropout": tr(
            "While a model learns, some weights are struck by chance, so that it does not come to rely on one word "
            "alone. The rest are divided by 1 − rate. A row then sums to 1 only on average."
        ),
        "heads": tr(
            "Several attentions side by side, each with three matrices of its own, can look for different things. "
            "Each makes a context of its own; they are put beside each other, and the next layer reads them all."
        ),
    }[stage]


def summary(request: AttentionRequest, answer: AttentionAnswer) -> str:
    """What the stage comes to for the query."""
    head, row = answer.heads[0], request.query - 1
    word = answer.words[row]
    match request.stage:
        case "products" | "weights":
            weights = head.weights[row]
            most, least = int(np.argmax(weights)), int(np.argmin(weights))
            return tr("“{word}” looks most at “{most}” ({high}) and least at “{least}” ({low}).", word=word,
                      most=answer.words[most], high=number(weights[most]),
                      least=answer.words[least], low=number(weights[least]))
        case "mask":
            with np.errstate(over="ignore"):
                powers = np.exp(head.scaled[row].astype(np.float64))
            return tr("Row “{word}”: with the mask first, softmax divides by {seen}, made of the {count} words up to "
                      "it. With the mask last it has divided by {all}, made of all {every} words, later ones too.",
                      word=word, seen=number(powers[: row + 1].sum()), count=row + 1, all=number(powers.sum()),
                      every=len(powers))
        case "dropout":
            struck = int(np.count_nonzero((head.weights != 0) & (head.dropped == 0)))
            return tr("{struck} of {all} weights are struck. The row of “{word}” now sums to {sum}.", struck=struck,
                      all=int(np.count_nonzero(head.weights)), word=word, sum=number(head.dropped[row].sum()))
    return tr("{heads} heads with {width} numbers each: a context of {all} numbers for each word.",
              heads=len(answer.heads), width=head.context.shape[1], all=answer.context.shape[1])


def heading(line: int, request: AttentionRequest, answer: AttentionAnswer) -> str:
    """Above a line of matrices; empty where nothing needs to be said."""
    if request.stage == "mask":
        lane = {
            "before": tr("Mask first, then softmax"), "after": tr("Softmax first, then mask"), "none": tr("No mask"),
        }[request.mask]
        return ("", lane, tr("Both ways, the row of “{word}”", word=answer.words[request.query - 1]))[line]
    return tr("Head {number}", number=line) if request.stage == "heads" and line else ""


def ways() -> Sequence[str]:
    """The rows of the mask's comparison."""
    return tr("mask first"), tr("mask last"), tr("not divided"), tr("difference")


def title(name: str, stage: Stage) -> str:
    """Above the numbers."""
    if name in NAMES:
        return NAMES[name]
    return {
        "inputs": tr("inputs x"), "queries": tr("queries q"), "keys": tr("keys k"), "values": tr("values v"),
        "scores": tr("scores ω"), "scaled": tr("scaled scores"), "masked": tr("masked scores ω"),
        "before": tr("weights α, mask first"), "unmasked": tr("softmax σ"), "cut": tr("masked softmax σ"),
        "after": tr("weights α, mask last"), "both": tr("weights α"), "weights": tr("weights α"),
        "dropped": tr("weights a, some struck") if stage == "dropout" else tr("weights α"),
        "context": tr("contexts z"),
    }[name]


def caption(name: str, request: AttentionRequest) -> str:
    """What was done to get there."""
    products = request.stage == "products"
    drawn = tr("as torch.rand draws") if request.drawn == "rand" else tr("as nn.Linear draws")
    done = {
        "inputs": tr("double-click to change"), "w_query": drawn, "w_key": drawn, "w_value": drawn,
        "queries": tr("inputs · W_query"), "keys": tr("inputs · W_key"), "values": tr("inputs · W_value"),
        "scores": tr("→ each word · each word") if products else tr("→ each query · each key"),
        "scaled": tr("→ divided by √d_k") if request.scale else tr("→ not divided"),
        "masked": tr("→ later words −∞"), "before": tr("→ softmax of each row"),
        "unmasked": tr("→ softmax of each row"), "cut": tr("→ later words 0"),
        "after": tr("→ each row divided by its sum"), "both": tr("mask last is divided by its row's sum again"),
        "weights": tr("→ softmax of each row") if not request.reaches("dropout") else tr("→ as the mask leaves them"),
        "dropped": _dropped(request),
        "context": tr("→ weights · inputs") if products else tr("→ weights · values"),
    }[name]
    return tr("→ the heads side by side") if request.stage == "heads" and name == "context" else done


def _dropped(request: AttentionRequest) -> str:
    if not request.rate:
        return tr("→ nothing struck")
    return tr("→ {rate} struck, the rest times {scale}", rate=f"{request.rate:.0%}".replace("%", " %"),
              scale=number(1 / (1 - request.rate)))


def heads(columns: int, width: int) -> Sequence[str]:
    """The head that each column is of."""
    return [tr("head {number}", number=column // width + 1) for column in range(columns)]
