"""Texts about branches: their names and their statistics. No Qt except for translation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from gptstudio.gpt import tokenizer
from gptstudio.gui.generate.branches.tree_places import nats
from gptstudio.gui.translation import tr
from gptstudio.inference.branches import Branch, Figures, Shape, figures
from gptstudio.inference.text_tree import Node, Tree

LONGEST = 300
"""Maximum number of characters of a text in a tooltip."""


def title(branch: Branch, row: int) -> str:
    """Return the name of a branch; a number from its row if the user gave it none."""
    return branch.name or tr("Branch {n}", n=row + 1)


def bits(mean: float | None) -> str:
    """A surprise in bits as people read it."""
    if mean is None:
        return "–"
    return f"{mean:,.2f}" if math.isfinite(mean) else "∞"


def sums(found: Figures) -> str:
    """'64 tokens · 312.4 bits · 4.96 a token'."""
    tokens = tr("1 token") if found.tokens == 1 else tr("{n} tokens", n=f"{found.tokens:,}")
    if not found.asked:
        return tokens
    whole = f"{found.bits:,.1f}" if math.isfinite(found.bits) else "∞"
    return tr("{tokens} · {bits} bits · {mean} per token", tokens=tokens, bits=whole, mean=bits(found.mean_bits))


def asked(found: Figures) -> str:
    """Which tokens the bits are of, where these are not all."""
    if found.asked == found.tokens:
        return ""
    return tr(
        "The bits cover {n} of these tokens; the model makes no prediction for the first token of a text.",
        n=f"{found.asked:,}")


def quoted(node: Node) -> str:
    """A token within a sentence, its blanks visible."""
    return f"“{tokenizer.visible(node.id)}”"


def text_of(nodes: Iterable[Node]) -> str:
    """Return the text of the nodes; of one too long for a tooltip, the end."""
    text = tokenizer.decode([node.id for node in nodes])
    return text if len(text) <= LONGEST else "… " + text[-LONGEST:]


def of_branch(tree: Tree, branch: Branch, row: int) -> str:
    lines = (title(branch, row), sums(branch.figures), asked(branch.figures), "", text_of(tree.path(branch.tip)))
    return "\n".join(line for index, line in enumerate(lines) if line or index == 3)


def of_stretch(tree: Tree, shape: Shape, index: int) -> str:
    stretch = shape.stretches[index]
    nodes = [tree.nodes[key] for key in stretch.keys]
    name = title(shape.branches[stretch.row], stretch.row)
    first, last = f"{nodes[0].position:,}", f"{nodes[-1].position:,}"
    place = tr("position {n}", n=first) if first == last else tr("positions {first} to {last}", first=first, last=last)
    lines = (f"{name}, {place}", sums(figures(nodes)), *_of_beam(nodes[-1]), "", text_of(nodes))
    return "\n".join(lines)


def _of_beam(node: Node) -> Iterator[str]:
    """Yield the result of a beam search for a token, if one has found it."""
    if node.beam:
        total = nats(node.beam.log_probability)
        if node.pruned:
            yield tr("Pruned by the beam search; sum of log-probabilities {sum} nats", sum=total)
        else:
            yield tr("Kept by the beam search; sum of log-probabilities {sum} nats", sum=total)
