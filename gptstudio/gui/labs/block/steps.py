"""What each step of a model is called and does, in words; and the lines in which they are shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from gptstudio.gui.words import tr
from gptstudio.labs.block import FIRST_BLOCK, BlockAnswer
from gptstudio.labs.tracing import TraceStep

BLOCKS = "blocks"
"""The path of the line that stands for all blocks but the first."""
IDS = "ids"
LAST_OF_BLOCK = f"{FIRST_BLOCK}:after_feed_forward"


@dataclass(frozen=True)
class Line:
    """A step as it is shown.

    Attributes:
        level: how deep inside it lies.
        opens: whether there is something inside; ``open``: whether that is shown.
        placeholder: the placeholder's step in the same place, if it has one.
        times: so many of them, one behind the other.
    """

    path: str
    level: int
    shape: tuple[int, ...]
    parameters: int = 0
    step: TraceStep | None = None
    opens: bool = False
    open: bool = False
    placeholder: TraceStep | None = None
    times: int = 1

    @property
    def key(self) -> str:
        """What its words are found by."""
        return re.split(r"[.:]", self.path.removeprefix(FIRST_BLOCK + ".").replace("ff.layers.", "ff_"))[-1]

    @property
    def of_one(self) -> tuple[int, ...]:
        """The shape of one token's part: without the batch, and without the tokens' own place."""
        if len(self.shape) == 4:
            return (self.shape[1], self.shape[3])  # (B, H, T, X)
        return self.shape[-1:] if self.path != IDS else (1,)


def lines(answer: BlockAnswer, open: Collection[str]) -> list[Line]:
    """All that is to be seen while these steps are open."""
    placeholder = answer.paths(placeholder=True)
    found = [Line(IDS, 0, answer.ids.shape)]
    for line in _below(answer.model, 0, open):
        dummy = placeholder.get(line.path)
        found.append(replace(line, placeholder=dummy))
        if line.path == (LAST_OF_BLOCK if FIRST_BLOCK in open else FIRST_BLOCK):
            found += _others(answer)
    return found


def _below(step: TraceStep, level: int, open: Collection[str]) -> Iterator[Line]:
    for inner in step.steps:
        shown = inner.path in open
        yield Line(inner.path, level, inner.shape, inner.parameters, inner, bool(inner.steps), shown)
        if shown:
            yield from _below(inner, level + 1, open)


def _others(answer: BlockAnswer) -> list[Line]:
    """The blocks behind the first, which are like it."""
    first, more = answer.step(FIRST_BLOCK), answer.blocks - 1
    dummy = answer.paths(placeholder=True)[FIRST_BLOCK]
    return [Line(BLOCKS, 0, first.shape, more * first.parameters, placeholder=dummy, times=more)] if more else []


def title(line: Line) -> str:
    """The name of a step."""
    if line.path == BLOCKS:
        return tr("Block 2") if line.times == 1 else tr("Blocks 2 to {last}", last=line.times + 1)
    return {
        IDS: tr("Token ids"), "tok_emb": tr("Token embedding"), "pos_emb": tr("Position embedding"),
        "sum": tr("Sum of both"), "drop_emb": tr("Dropout"), "0": tr("Block 1"),
        "norm1": tr("LayerNorm"), "norm2": tr("LayerNorm"), "att": tr("Attention"), "ff": tr("Feed forward"),
        "W_query": tr("Queries"), "W_key": tr("Keys"), "W_value": tr("Values"),
        "query_heads": tr("Queries, cut into heads"), "key_heads": tr("Keys, cut into heads"),
        "value_heads": tr("Values, cut into heads"), "scores": tr("Scores: queries times keys"),
        "masked": tr("The future masked"), "weights": tr("Softmax: weights"), "dropout": tr("Dropout"),
        "context": tr("Context: weights times values"), "heads_joined": tr("Heads side by side again"),
        "out_proj": tr("Output projection"), "drop_shortcut": tr("Dropout"),
        "after_attention": tr("+ shortcut"), "after_feed_forward": tr("+ shortcut"),
        "ff_0": tr("Linear, four times as wide"), "ff_1": tr("GELU"), "ff_2": tr("Linear, narrow again"),
        "final_norm": tr("LayerNorm"), "out_head": tr("Output layer: logits"),
    }[line.key]


def told(line: Line) -> str:
    """What a step does, in a sentence."""
    return {
        IDS: tr("The texts as numbers of tokens: a row for each text."),
        BLOCKS: tr("Built as the first one, with weights of their own."),
        "tok_emb": tr("Each id takes its row of the matrix."),
        "pos_emb": tr("Each place takes its row; all texts share them."),
        "sum": tr("What the token is, plus where it stands."),
        "0": tr("Attention, then feed forward; what comes out has the shape of what went in."),
        "norm1": tr("Each token's numbers to mean 0 and variance 1."),
        "norm2": tr("Each token's numbers to mean 0 and variance 1."),
        "final_norm": tr("Each token's numbers to mean 0 and variance 1, a last time."),
        "att": tr("The only place where tokens see each other."),
        "ff": tr("Each token by itself."),
        "W_query": tr("What each token looks for."), "W_key": tr("What each token is found by."),
        "W_value": tr("What each token has to say."),
        "scores": tr("How well each query fits each key: a square of tokens for each head."),
        "masked": tr("Scores of later tokens become −∞."),
        "weights": tr("Each row becomes shares that sum to 1."),
        "context": tr("The values, mixed by their weights."),
        "out_proj": tr("Mixes what the heads have found."),
        "after_attention": tr("What went into the first LayerNorm is added."),
        "after_feed_forward": tr("What went into the second LayerNorm is added."),
        "ff_1": tr("Bends each number: what is below zero is nearly lost."),
        "out_head": tr("A number for each token of the vocabulary: how well it would go on."),
    }.get(line.key if line.path not in (IDS, BLOCKS) else line.path, "")


def counted(line: Line) -> str:
    """Where the parameters of a step come from, with the numbers; empty where it has none."""
    step = line.step
    if line.path == BLOCKS and line.times > 1:
        return f"{line.times} × {line.parameters // line.times:,} = {line.parameters:,}"
    if step is None or not step.parameters:
        return ""
    own = [times(shape) for shape in step.weights.values()]
    terms = own or [f"{inner.parameters:,}" for inner in step.steps if inner.parameters]
    return f"{' + '.join(terms)} = {step.parameters:,}"


def times(numbers: Iterable[int]) -> str:
    """'12 × 64'."""
    return " × ".join(f"{n:,}" for n in numbers)


def shown_shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(f'{n:,}' for n in shape)})"
