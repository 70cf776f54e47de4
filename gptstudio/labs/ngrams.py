"""Tables of n-grams for n from 1 to 4: the loss of a text that they have not counted, the share of its contexts that
they have seen, and a text that one of them generates (Chen and Goodman, 1999). No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gptstudio.data.ngram import CopiedStretch, NgramTable, VerbatimIndex
from gptstudio.fields import Problem, setting
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import distribution, draw
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Lab, Table
from gptstudio.labs.text_choice import TextChoice

LARGEST = 4
TRAINED = 0.9
"""The share of the characters of the text that are counted; the rest is the validation text, as on Train."""
MOST_PROMPT = 200


class NgramsRequest(TextChoice):
    """A text, and how one of its tables continues a prompt."""

    order: int = setting(
        3, "n", "The table that generates the text looks up each token after the n − 1 tokens before it.", low=1,
        high=LARGEST, step=1)
    prompt: str = setting("It was", "Prompt", "The text to continue.")
    new_tokens: int = setting(60, "New tokens", "How many tokens the table generates.", unit="tokens", low=1, high=200)
    temperature: float = setting(
        1.0, "Temperature",
        "The logarithms of the probabilities are divided by this. Below 1: more predictable; above 1: more varied; 0: "
        "always the most likely token.", low=0, high=10, step=0.1)
    top_k: int | None = setting(
        5, "Top-k", "Draws only from this many of the most likely tokens, or leave empty to draw from all.",
        unit="tokens", low=1, high=GPT2.size, step=1, empty="all")
    seed: int = setting(123, "Random seed", "The same random seed draws the same tokens.", low=0, high=2**63 - 1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        yield from super().relations(values)
        if "prompt" in values:
            empty = message("Prompt is empty. Type a word or two to continue.")
            yield from checks.text(cls, "prompt", values["prompt"], MOST_PROMPT, empty)
            yield from checks.surrogates(cls, "prompt", values["prompt"])


@dataclass(frozen=True)
class TableOfOrder:
    """Table of n-grams of one order.

    Attributes:
        loss: loss of the validation text, in nats per token.
        seen: share of the contexts of the validation text that stand in the counted text, from 0 to 1; NaN if the
            validation text is too short to have one.
    """

    order: int
    loss: float
    seen: float


@dataclass(frozen=True)
class NgramsAnswer:
    """The tables of a text, and a text of one of them.

    Attributes:
        missing: a message on why it is not the requested text; empty if it is.
        tokens: number of tokens of the counted text, and ``val_tokens`` of the validation text.
        tables: n from 1 on.
        ids: token ids of the prompt and the generated text; ``given``: number of those of the prompt.
        stretches: copied from the counted text; they count from the first token of the prompt.
    """

    missing: str
    tokens: int
    val_tokens: int
    tables: tuple[TableOfOrder, ...]
    ids: tuple[int, ...]
    given: int
    stretches: tuple[CopiedStretch, ...]

    @property
    def copied(self) -> frozenset[int]:
        """Positions of the copied tokens."""
        return frozenset(place for each in self.stretches for place in range(each.start, each.stop))

    @property
    def copied_share(self) -> float:
        """Copied share of the new tokens, from 0 to 1."""
        return len(self.copied) / (len(self.ids) - self.given)

    @property
    def longest(self) -> int:
        """Tokens of the longest copied stretch."""
        return max((each.stop - each.start for each in self.stretches), default=0)


def answer(request: NgramsRequest) -> NgramsAnswer:
    content, missing = request.content()
    train_ids, val_ids, tables = _tables(content)
    prompt = GPT2.encode(request.prompt)
    new = _generated(request, tables[request.order - 1], prompt)
    stretches = VerbatimIndex(train_ids).stretches(new)
    return NgramsAnswer(
        missing, len(train_ids), len(val_ids),
        tuple(TableOfOrder(each.order, each.loss(val_ids), each.seen(val_ids)) for each in tables),
        (*prompt, *new), len(prompt),
        tuple(CopiedStretch(each.start + len(prompt), each.stop + len(prompt), each.place) for each in stretches))


@lru_cache(2)
def _tables(content: str) -> tuple[list[int], list[int], tuple[NgramTable, ...]]:
    """Return the two parts of a text, and the tables of the first one."""
    end = int(TRAINED * len(content))
    train_ids, val_ids = GPT2.encode(content[:end]), GPT2.encode(content[end:])
    return train_ids, val_ids, tuple(NgramTable(train_ids, GPT2.size, order) for order in range(1, LARGEST + 1))


def _generated(request: NgramsRequest, table: NgramTable, prompt: list[int]) -> list[int]:
    """Return the tokens that a table generates after a prompt, its log probabilities taken as logits."""
    sampling_params = SamplingParams(temperature=request.temperature, top_k=request.top_k)
    random, new = np.random.default_rng(request.seed), list[int]()
    for _ in range(request.new_tokens):
        context = [*prompt, *new]
        logits = np.log(table.probabilities(context))
        new.append(draw(distribution(logits, sampling_params, context).probabilities, random.random()))
    return new


def code(request: NgramsRequest) -> str:
    imports, content = request.code()
    return f"""from collections import Counter, defaultdict
from math import log
from gptstudio.gpt.tokenizer import GPT2
{imports}
text = {content}
end = int({TRAINED} * len(text))
train, val = GPT2.encode(text[:end]), GPT2.encode(text[end:])

def grams(n):
    return list(zip(*(train[start:] for start in range(n))))

def table(n):
    orders = []
    for size in range(1, n + 1):  # below n: how many different tokens stand before
        counts = Counter(grams(n) if size == n else [gram[1:] for gram in set(grams(size + 1))])
        once, twice = (sum(count == times for count in counts.values()) for times in (1, 2))
        after = defaultdict(dict)
        for gram, count in counts.items():
            after[gram[:-1]][gram[-1]] = count
        orders.append((after, once / (once + 2 * twice) if once else 0.5))
    return orders

def probability(orders, context, token):
    share = 1 / GPT2.size
    for length, (after, discount) in enumerate(orders[:len(context) + 1]):
        found = after.get(context[len(context) - length:])
        if found:
            taken = discount * len(found) * share
            share = (max(found.get(token, 0) - discount, 0) + taken) / sum(found.values())
    return share

losses = []
for n in range(1, {LARGEST + 1}):
    orders = table(n)
    contexts = [tuple(val[max(0, place - n + 1):place]) for place in range(len(val))]
    losses.append(-sum(log(probability(orders, *each)) for each in zip(contexts, val)) / len(val))
    print(n, losses[-1])
"""


def table(answer: NgramsAnswer) -> Table:
    return Table(("n", "validation loss", "contexts seen"), tuple(
        (each.order, each.loss, each.seen) for each in answer.tables))


def values(answer: NgramsAnswer) -> dict[str, float]:
    return {
        "tokens": answer.tokens, "val_tokens": answer.val_tokens, "copied_share": answer.copied_share,
        "longest_copy": answer.longest,
        **{f"loss_{each.order}": each.loss for each in answer.tables},
        **{f"seen_{each.order}": each.seen for each in answer.tables},
    }


LAB = Lab(
    name="ngrams", request=NgramsRequest, answer=answer,
    sources=(BookSource("5.1", "Evaluating generative text models"),),
    examples=(
        Example(message("The Late Bell"), NgramsRequest()),
        Example(message("Greedy, n = 4"), NgramsRequest(order=4, temperature=0.0)),
        Example(message("The Verdict"), NgramsRequest(text="verdict")),
    ),
    figures=(), code=code, table=table, values=values, slow=lambda _: True,
    papers=("Chen and Goodman, 1999, An empirical study of smoothing techniques for language modeling",),
)
