"""Activation patching on a small trained GPT: an activation of a clean sentence, copied into the run of a corrupted
one.

Meng et al., "Locating and Editing Factual Associations in GPT", 2022; Wang et al., "Interpretability in the Wild",
2022.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.activations import kept, run
from gptstudio.i18n import message
from gptstudio.inference.patching import patch
from gptstudio.inference.prompt_pair import PromptPair
from gptstudio.labs import small_gpt
from gptstudio.labs.lab import BookSource, Example, Floats, Lab, Table

NAMES = {"resid": "resid_pre", "attention": "attn_out", "mlp": "mlp_out"}
"""Kinds of activations that can be copied, with their names in the code."""


class PatchingRequest(Spec):
    """Two sentences, and the activation to copy from one into the other."""

    clean: str = setting(
        "the cat in the garden eats", "Clean sentence", "One to six of the fourteen words of the model.")
    corrupted: str = setting(
        "the dog in the garden eats", "Corrupted sentence", "As many words, at least one of them another.")
    kind: Literal["resid", "attention", "mlp"] = setting(
        "resid", "Copy", "resid: what a layer reads, the residual stream. attention, mlp: what these parts write.")
    layer: int = setting(
        0, "Block", "Index of the block, from 0: block 0 is layer 1.", low=0,
        high=small_gpt.CONFIG.n_layers - 1, step=1)
    position: int = setting(
        1, "Position", "Position of the word, counted from 0.", low=0, high=small_gpt.CONFIG.context_length - 1, step=1)
    steps: int = setting(
        100, "Training steps", "Steps of gradient descent on twelve sentences. 0: random weights.",
        unit="steps", low=0, high=small_gpt.MOST_STEPS, step=10)
    seed: int = setting(123, "Random seed", "The same random seed gives the same initial weights.",
        low=0, high=2**31 - 1, step=1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        found = [*small_gpt.text_problems(values, "clean"), *small_gpt.text_problems(values, "corrupted")]
        yield from found
        clean, corrupted = (values.get(name, "").split() for name in ("clean", "corrupted"))
        if found or not clean or not corrupted:
            return
        if len(clean) != len(corrupted):
            yield Problem("corrupted", message(
                "The clean sentence has {count} words, the corrupted one {other}. Both must have equally many.",
                count=len(clean), other=len(corrupted)))
        elif clean == corrupted:
            yield Problem("corrupted", message("Both sentences are the same. Change at least one word."))
        elif values.get("position", 0) >= len(clean):
            yield Problem("position", message(
                "There is no position {position}: the last word has position {last}.", position=values["position"],
                last=len(clean) - 1))


@dataclass(frozen=True)
class PatchingAnswer:
    """Predictions after both sentences, and after the corrupted one with the copied activation.

    Attributes:
        clean_words, corrupted_words: (T,) the sentences.
        words: (V,) the vocabulary.
        clean, corrupted, patched: (V,) probabilities of the next word.
        right, wrong: indices of the words to compare: the most probable one after each sentence.
        differences: (3,) logit of the right word minus the logit of the wrong one: clean, corrupted, patched.
        recovered: (L, T) share of the difference that each copy recovers; NaN if there is no difference.
        cell: layer and position of ``patched``.
    """

    clean_words: tuple[str, ...]
    corrupted_words: tuple[str, ...]
    words: tuple[str, ...]
    clean: Floats
    corrupted: Floats
    patched: Floats
    right: int
    wrong: int
    differences: Floats
    recovered: Floats
    cell: tuple[int, int]


def answer(request: PatchingRequest) -> PatchingAnswer:
    clean, corrupted = request.clean.split(), request.corrupted.split()
    model = small_gpt.model(request.seed, request.steps)
    pair = PromptPair(tuple(small_gpt.ids_of(clean)), tuple(small_gpt.ids_of(corrupted)))
    found, cell = patch(model, pair, request.kind), (request.layer, request.position)
    differences = (found.clean.difference, found.corrupted.difference, found.patched.difference[cell])
    return PatchingAnswer(
        tuple(clean), tuple(corrupted), small_gpt.WORDS, found.clean.probabilities, found.corrupted.probabilities,
        _patched(request, pair), found.answer, found.wrong, np.array(differences, dtype=float), found.recovered, cell)


def _patched(request: PatchingRequest, pair: PromptPair) -> Floats:
    """Return the probabilities of all words after the corrupted sentence with the copied activation, (V,)."""
    model, name = small_gpt.model(request.seed, request.steps), f"{request.layer}.{NAMES[request.kind]}"
    found: dict[str, torch.Tensor] = {}
    here = (torch.arange(len(pair.clean)) == request.position)[:, None]
    with torch.no_grad():
        run(model, torch.tensor([pair.clean]), kept(found, (name,)))
        logits = run(model, torch.tensor([pair.corrupted]),
                     lambda each, out: torch.where(here, found[name], out) if each == name else out)
    probabilities: Floats = torch.softmax(logits[0, -1].double(), dim=-1).numpy()
    return probabilities


def code(request: PatchingRequest) -> str:
    return f"""{small_gpt.training_code(request.seed, request.steps)}
clean, corrupted = (torch.tensor([words.index(word) for word in each.split()])
                    for each in ({request.clean!r}, {request.corrupted!r}))
kept = {{}}
before = gpt(clean, lambda name, out: kept.setdefault(name, out))[-1]
after = gpt(corrupted)[-1]
right, wrong = before.argmax(), next(word for word in after.topk(2).indices if word != before.argmax())

def patched(layer, position):
    here = (torch.arange(len(clean)) == position)[:, None]
    change = lambda name, out: torch.where(here, kept[name], out) if name == f"{{layer}}.{NAMES[request.kind]}" else out
    return gpt(corrupted, change)[-1]

high, low = before[right] - before[wrong], after[right] - after[wrong]
logits = [[patched(layer, position) for position in range(len(clean))] for layer in range(2)]
recovered = [[((each[right] - each[wrong] - low) / (high - low)).item() for each in row] for row in logits]
print(words[right], words[wrong], recovered)
print(logits[{request.layer}][{request.position}].softmax(-1))
"""


def table(answer: PatchingAnswer) -> Table:
    rows = [
        (layer, position, f"{answer.clean_words[position]} / {answer.corrupted_words[position]}", float(share))
        for (layer, position), share in np.ndenumerate(answer.recovered)]
    return Table(("block", "position", "words", "recovered"), tuple(rows))


def values(answer: PatchingAnswer) -> dict[str, float]:
    """Return ``recovered``, the share at the chosen place, and probabilities of the right word."""
    return {
        "recovered": float(answer.recovered[answer.cell]), "clean_probability": float(answer.clean[answer.right]),
        "corrupted_probability": float(answer.corrupted[answer.right]),
        "patched_probability": float(answer.patched[answer.right]),
    }


LAB = Lab(
    name="patching", request=PatchingRequest, answer=answer,
    sources=(BookSource("4.5", "Connecting attention and linear layers in a transformer block"),),
    papers=(
        "Meng et al., 2022, Locating and Editing Factual Associations in GPT",
        "Wang et al., 2022, Interpretability in the Wild",
    ),
    examples=(
        Example(message("Another animal, residual stream"), PatchingRequest()),
        Example(message("Another animal, attention"), PatchingRequest(
            kind="attention", layer=1, position=5)),
        Example(message("Another animal and another place"), PatchingRequest(
            corrupted="the bird in the house eats", layer=1, position=2)),
        Example(message("Another animal, untrained"), PatchingRequest(steps=0)),
    ),
    figures=(), code=code, table=table, values=values,
    slow=lambda _: True,  # the model is trained first
)
