"""Texts about branches: their names, their tokens and their statistics. No Qt except for translation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gptstudio.gpt.tokenizer import Tokenizer, visible_text
from gptstudio.gui.translation import tr
from gptstudio.i18n import bits, fixed
from gptstudio.inference.text_tree import Branch, Node, TokenTotals, Tree, TreeShape, figures

LONGEST = 300
"""Maximum number of characters of a text in a tooltip."""
LONGEST_TOKEN = 24
"""Maximum number of characters of a token; longer ones are shortened."""
LONGEST_CHARACTER = 4
"""Maximum number of bytes, and so of tokens, of a character in UTF-8."""
HEAD_SHARE, TAIL_SHARE = 0.55, 0.35
"""Fractions of the width for the first and for the last tokens of a branch, if not all fit."""
GAP = 1.0
"""Space between two stretches, in heights of a line."""


class Token(NamedTuple):
    """Token as it is drawn; or several tokens that form one character, or that are left out.

    Attributes:
        keys: keys of the tokens.
        left, width: in pixels from the left of the cell; 0 before they are measured.
    """

    keys: tuple[int, ...]
    text: str
    left: float = 0.0
    width: float = 0.0
    left_out: bool = False


@dataclass(frozen=True)
class Row:
    """Row of a branch in the tree, with the tokens of the branch after the fork from the branch above.

    Attributes:
        first: position of its first own token.
        stretches: its own tokens, in a tuple for each stretch between two forks.
        note: sum of the log-probabilities up to its end, if a beam search found it.
        pruned: True if the beam search did not keep it.
    """

    branch: Branch
    title: str
    first: int
    stretches: tuple[tuple[Token, ...], ...]
    note: str
    pruned: bool

    @classmethod
    def of(cls, tree: Tree, shape: TreeShape, row: int) -> Row:
        branch = shape.branches[row]
        index, stretches = branch.own, [shape.stretches[branch.own]]
        while stretches[-1].after:
            index = stretches[-1].after[0]  # it stays in the row
            stretches.append(shape.stretches[index])
        last = tree.nodes[branch.tip]
        return cls(
            branch, title(branch, row), tree.nodes[stretches[0].keys[0]].position,
            tuple(tuple(tokens_of([tree.nodes[key] for key in each.keys], tree.tokenizer)) for each in stretches),
            nats(last.beam.log_probability) if last.beam else "", last.pruned)

    @property
    def text(self) -> str:
        return "".join(token.text for stretch in self.stretches for token in stretch)

    def fitted(self, room: float, measure: Callable[[str], float], line: float) -> Iterator[Token]:
        """Yield the first and the last tokens that fit into ``room``, and one token in place of all others, with
        positions.

        Args:
            room: width in pixels, including the note.
            measure: returns the width of a text in pixels.
            line: height of a line of text, the unit of the gaps.
        """
        room -= measure(self.note) + 0.5 * line if self.note else 0
        tokens = [(token, measure(token.text), place) for place, each in enumerate(self.stretches) for token in each]
        first = last = len(tokens)
        gaps = GAP * line * (len(self.stretches) - 1)
        if sum(width for _, width, _ in tokens) + gaps > room:
            first = _how_many([width for _, width, _ in tokens], (room - gaps) * HEAD_SHARE)
            last -= _how_many([width for _, width, _ in reversed(tokens[first:])], (room - gaps) * TAIL_SHARE)
        left, before = 0.5 * line, 0
        for index, (token, width, place) in enumerate(tokens):
            if index == first and first < last:
                keys = tuple(key for each, _, _ in tokens[first:last] for key in each.keys)
                token = Token(keys, f" …{len(keys):,}… ", left_out=True)
                width = measure(token.text)
            elif first <= index < last:
                continue
            if place != before:
                left, before = left + GAP * line, place
            yield token._replace(left=left, width=width)
            left += width


def _how_many(widths: Iterable[float], room: float) -> int:
    """Return the number of widths that fit, but at least one if there are any."""
    count = 0
    for width in widths:
        room -= width
        if count and room < 0:
            break
        count += 1
    return count


def nats(log_probability: float) -> str:
    """Return a log-probability in nats as text, with a typographic minus sign."""
    return fixed(log_probability, 2, ",")


def tokens_of(nodes: Sequence[Node], tokenizer: Tokenizer) -> Iterator[Token]:
    """Yield tokens as drawn on one line: spaces unchanged, other white space visible."""
    index = 0
    while index < len(nodes):
        node, count = nodes[index], 1
        if "\ufffd" in node.reading.text:
            text, count = _character(tokenizer, tuple(each.id for each in nodes[index : index + LONGEST_CHARACTER]))
        else:
            text = _shown(node.reading.text or tokenizer.visible(node.id))  # an ID beyond the vocabulary has no text
        yield Token(tuple(each.key for each in nodes[index : index + count]), text)
        index += count


@lru_cache(maxsize=10_000)
def _character(tokenizer: Tokenizer, ids: tuple[int, ...]) -> tuple[str, int]:
    """Return the text and number of the first tokens that form whole characters; if none do, the bytes of the first
    token."""
    for count in range(1, len(ids) + 1):
        try:
            return _shown(b"".join(map(tokenizer.token_bytes, ids[:count])).decode("utf-8")), count
        except UnicodeDecodeError:
            continue
    return tokenizer.visible(ids[0]), 1


@lru_cache(maxsize=60_000)
def _shown(text: str) -> str:
    shown = visible_text(text).replace("␣", " ")
    return shown if len(shown) <= LONGEST_TOKEN else shown[: LONGEST_TOKEN - 1] + "…"


def title(branch: Branch, row: int) -> str:
    """Return the name of a branch; a number from its row if the user gave it none."""
    return branch.name or tr("Branch {n}", n=row + 1)


def sums(found: TokenTotals) -> str:
    """Return the totals as text: '64 tokens · 312.4 bits · 4.96 per token'."""
    tokens = tr("1 token") if found.tokens == 1 else tr("{n} tokens", n=f"{found.tokens:,}")
    if not found.asked:
        return tokens
    whole = fixed(found.bits, 1, ",")
    return tr("{tokens} · {bits} bits · {mean} per token", tokens=tokens, bits=whole, mean=bits(found.mean_bits))


def asked(found: TokenTotals) -> str:
    """Return the number of tokens that the bits cover, as text; empty if they cover all."""
    if found.asked == found.tokens:
        return ""
    return tr(
        "The bits cover {n} of these tokens; the model makes no prediction for the first token of a text.",
        n=f"{found.asked:,}")


def text_of(nodes: Iterable[Node], tokenizer: Tokenizer) -> str:
    """Return the text of the nodes, or its end if it is too long for a tooltip."""
    text = tokenizer.decode([node.id for node in nodes])
    return text if len(text) <= LONGEST else "… " + text[-LONGEST:]


def of_branch(tree: Tree, branch: Branch, row: int) -> str:
    text = text_of(tree.path(branch.tip), tree.tokenizer)
    lines = (title(branch, row), sums(branch.figures), asked(branch.figures), "", text)
    return "\n".join(line for index, line in enumerate(lines) if line or index == 3)


def of_stretch(tree: Tree, shape: TreeShape, index: int) -> str:
    stretch = shape.stretches[index]
    nodes = [tree.nodes[key] for key in stretch.keys]
    name = title(shape.branches[stretch.row], stretch.row)
    first, last = f"{nodes[0].position:,}", f"{nodes[-1].position:,}"
    place = tr("position {n}", n=first) if first == last else tr("positions {first} to {last}", first=first, last=last)
    lines = (f"{name}, {place}", sums(figures(nodes)), *_of_beam(nodes[-1]), "", text_of(nodes, tree.tokenizer))
    return "\n".join(lines)


def _of_beam(node: Node) -> Iterator[str]:
    """Yield the result of a beam search for a token, if one has found it."""
    if node.beam:
        total = nats(node.beam.log_probability)
        if node.pruned:
            yield tr("Pruned by the beam search; sum of log-probabilities {sum} nats", sum=total)
        else:
            yield tr("Kept by the beam search; sum of log-probabilities {sum} nats", sum=total)
