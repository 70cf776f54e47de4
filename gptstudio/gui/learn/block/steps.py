"""Names and descriptions of the steps of a model, and the lines in which they are shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from gptstudio.gui.translation import tr
from gptstudio.labs.block import FIRST_BLOCK, BlockAnswer, TraceStep

BLOCKS = "blocks"  # the path of the line that stands for all blocks but the first
IDS = "ids"
LAST_OF_BLOCK = f"{FIRST_BLOCK}:after_feed_forward"


@dataclass(frozen=True)
class Line:
    """A step as it is shown."""

    path: str
    level: int  # how deep inside it lies
    shape: tuple[int, ...]
    parameters: int = 0
    step: TraceStep | None = None
    opens: bool = False  # whether there is something inside
    open: bool = False  # whether that is shown
    placeholder: TraceStep | None = None  # the placeholder's step in the same place, if it has one
    times: int = 1  # number of them, one behind the other

    @property
    def key(self) -> str:
        """Key of its texts."""
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
    if line.path == BLOCKS:
        return tr("Block 2") if line.times == 1 else tr("Blocks 2 to {last}", last=line.times + 1)
    return {
        IDS: tr("Token IDs"), "tok_emb": tr("Token embedding"), "pos_emb": tr("Position embedding"),
        "sum": tr("Sum of both"), "drop_emb": tr("Dropout"), "0": tr("Block 1"),
        "norm1": tr("LayerNorm"), "norm2": tr("LayerNorm"), "att": tr("Attention"), "ff": tr("Feed-forward network"),
        "W_query": tr("Queries"), "W_key": tr("Keys"), "W_value": tr("Values"),
        "query_heads": tr("Queries, split into heads"), "key_heads": tr("Keys, split into heads"),
        "value_heads": tr("Values, split into heads"), "scores": tr("Scores: queries times keys"),
        "masked": tr("Causal mask"), "weights": tr("Softmax: attention weights"), "dropout": tr("Dropout"),
        "context": tr("Context vectors: weights times values"), "heads_joined": tr("Heads concatenated"),
        "out_proj": tr("Output projection"), "drop_shortcut": tr("Dropout"),
        "after_attention": tr("+ shortcut"), "after_feed_forward": tr("+ shortcut"),
        "ff_0": tr("Linear, 4 × the width"), "ff_1": tr("GELU"), "ff_2": tr("Linear, back to the width"),
        "final_norm": tr("LayerNorm"), "out_head": tr("Output layer: logits")}[line.key]


def description(line: Line) -> str:
    return {
        IDS: tr("The texts as token IDs, one row per text."),
        BLOCKS: tr("Same structure as block 1, with separate weights."),
        "tok_emb": tr("Each ID selects its row of the matrix."),
        "pos_emb": tr("Each position selects its row; all texts share these rows."),
        "sum": tr("Which token it is, plus its position."),
        "0": tr("Attention, then the feed-forward network; the output has the shape of the input."),
        "norm1": tr("Scales each token's numbers to mean 0 and variance 1."),
        "norm2": tr("Scales each token's numbers to mean 0 and variance 1."),
        "final_norm": tr("Scales each token's numbers to mean 0 and variance 1 one last time."),
        "att": tr("The only step where tokens see each other."),
        "ff": tr("Processes each token separately."),
        "W_query": tr("What each token looks for."), "W_key": tr("What each token offers."),
        "W_value": tr("What each token passes on."),
        "scores": tr("How well each query matches each key: a square matrix of tokens for each head."),
        "masked": tr("The scores of later tokens become −∞."),
        "weights": tr("Each row becomes weights that sum to 1."),
        "context": tr("The sum of the values, each times its weight."),
        "out_proj": tr("Combines what the heads have found."),
        "after_attention": tr("Adds the input of the first LayerNorm."),
        "after_feed_forward": tr("Adds the input of the second LayerNorm."),
        "ff_1": tr("Applied to each number: negative numbers become almost 0."),
        "out_head": tr("One logit for each token of the vocabulary: how well it would fit as the next token."),
    }.get(line.key if line.path not in (IDS, BLOCKS) else line.path, "")


def counted(line: Line) -> str:
    """Return the computation of a step's parameter count; empty if it has none."""
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
