"""Ablation of a component of a small trained GPT: its effect on the next word, and two methods that estimate it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from gptstudio.fields import Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.inference.intervening import changed_logits, means_for
from gptstudio.inference.interventions import NO_INTERVENTIONS, Intervention, read_component
from gptstudio.inference.next_token import effects
from gptstudio.labs import small_gpt
from gptstudio.labs.lab import BookSource, Example, Floats, Lab, Table

COMPONENTS = ("0.0", "0.1", "0.mlp", "1.0", "1.1", "1.mlp")
"""Heads and feed-forward networks, as layer and head; both are counted from 0."""
METHODS = ("ablation", "attribution", "gradient")


class AblationRequest(Spec):
    """A sentence, a component, and the replacement of its output."""

    text: str = setting("the cat in the garden eats", "Sentence", "One to six of the fourteen words of the model.")
    component: Literal["none", "0.0", "0.1", "0.mlp", "1.0", "1.1", "1.mlp"] = setting(
        "0.0", "Component", "As in code, from 0: 0.1 is head 2 of layer 1, 0.mlp the feed-forward network of layer 1.")
    baseline: Literal["zero", "mean"] = setting(
        "zero", "Replace by", "zero: nothing. mean: the mean of the output over the words of the sentence.")
    word: str = setting(
        "", "Word", "The next word that the figures are about. Empty: the most probable one.")
    steps: int = setting(
        100, "Training steps", "Steps of gradient descent on twelve sentences. 0: random weights.",
        unit="steps", low=0, high=small_gpt.MOST_STEPS, step=10)
    seed: int = setting(123, "Random seed", "The same random seed gives the same initial weights.",
        low=0, high=2**31 - 1, step=1)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        yield from small_gpt.text_problems(values, "text")
        word = values.get("word", "").strip()
        if word and word not in small_gpt.WORDS:
            yield Problem("word", message(
                "The model does not know “{word}”. Its words are: {words}.", word=word[:40],
                words=", ".join(small_gpt.WORDS)))


@dataclass(frozen=True)
class AblationAnswer:
    """Probabilities of the next word with and without the change, and the contributions of all components to one word.

    Attributes:
        words: (V,) the vocabulary.
        before, after: (V,) probabilities of the next word.
        word: index of the word that the figures describe.
        figures: (6, 3) one row per component: fall of the log-probability by zero ablation, direct logit attribution,
            gradient times activation.
        rest: the part of the logit that the embeddings of word and position contribute.
        logit: logit of the word without the change: the sum of all attributions and ``rest``.
    """

    words: tuple[str, ...]
    before: Floats
    after: Floats
    word: int
    figures: Floats
    rest: float
    logit: float


def answer(request: AblationRequest) -> AblationAnswer:
    ids = small_gpt.ids_of(request.text.split())
    model = small_gpt.model(request.seed, request.steps)
    change = NO_INTERVENTIONS
    if request.component != "none":
        component = read_component(request.component, model.cfg)
        change = change.having(Intervention.of(component, baseline=request.baseline))
    before, after = (
        torch.softmax(changed_logits(model, ids, each, means_for(model, each, ids))[-1].double(), dim=-1).numpy()
        for each in (NO_INTERVENTIONS, change))
    asked = request.word.strip()
    word = small_gpt.WORDS.index(asked) if asked else int(before.argmax())
    found = effects(model, ids, word)
    figures = np.stack([getattr(found, name).flatten() for name in METHODS], axis=1)
    return AblationAnswer(
        small_gpt.WORDS, before, after, word, figures, sum(found.rest.values()), found.logit)


def _activation(component: str) -> str:
    """Return the name of a component's output in the code."""
    return component.replace("mlp", "mlp_out")


def code(request: AblationRequest) -> str:
    new = "0 * out" if request.baseline == "zero" else "out.mean(dim=0).expand_as(out)"
    word = f"words.index({request.word.strip()!r})" if request.word.strip() else "int(before.argmax())"
    return f"""{small_gpt.training_code(request.seed, request.steps)}
ids, parts = torch.tensor([words.index(word) for word in {request.text!r}.split()]), {{}}
before = gpt(ids, lambda name, out: parts.setdefault(name, out))[-1].log_softmax(-1)
after = gpt(ids, lambda name, out: {new} if name == {_activation(request.component)!r} else out)[-1].log_softmax(-1)
word = {word}
last = parts["1.resid_pre"][-1] + parts["1.attn_out"][-1] + parts["1.mlp_out"][-1]
direction = (w[0][word] - w[0][word].mean()) / (last.var(correction=0) + 1e-5).sqrt()
figures = {{}}
for name in {tuple(map(_activation, COMPONENTS))}:
    without = gpt(ids, lambda each, out: 0 * out if each == name else out)[-1].log_softmax(-1)
    gradient, = torch.autograd.grad(before[word], parts[name], retain_graph=True)
    figures[name] = before[word] - without[word], parts[name][-1] @ direction, (gradient * parts[name]).sum()
    print(name, *[round(figure.item(), 4) for figure in figures[name]])
print(words[word], before[word].exp().item(), after[word].exp().item())
"""


def table(answer: AblationAnswer) -> Table:
    rows = [(name, *map(float, row)) for name, row in zip(COMPONENTS, answer.figures, strict=True)]
    rows += [("rest", "", answer.rest, ""), ("logit", "", answer.logit, "")]
    probabilities = zip(answer.words, answer.before.tolist(), answer.after.tolist(), strict=True)
    return Table(("component or word", *METHODS, "probability before", "probability after"), (
        *((*row, "", "") for row in rows), *((word, "", "", "", *both) for word, *both in probabilities)))


def values(answer: AblationAnswer) -> dict[str, float]:
    """Return the figures of the word; ``largest``: the largest effect of ablating any component."""
    word = answer.word
    return {
        "before": float(answer.before[word]), "after": float(answer.after[word]), "logit": answer.logit,
        "sum": float(answer.figures[:, 1].sum()) + answer.rest, "largest": float(answer.figures[:, 0].max()),
        "change": float(np.log(answer.before[word]) - np.log(answer.after[word])),
    }


LAB = Lab(
    name="ablation", request=AblationRequest, answer=answer,
    sources=(BookSource("4.5", "Connecting attention and linear layers in a transformer block"),),
    papers=(
        "Elhage et al., 2021, A Mathematical Framework for Transformer Circuits",
        "Michel et al., 2019, Are Sixteen Heads Really Better than One?",
    ),
    examples=(
        Example(message("Head 1 of layer 1 off"), AblationRequest()),
        Example(message("Its mean instead"), AblationRequest(baseline="mean")),
        Example(message("Last feed-forward network off"), AblationRequest(component="1.mlp")),
        Example(message("Untrained"), AblationRequest(steps=0)),
    ),
    figures=(), code=code, table=table, values=values,
    slow=lambda _: True,  # the model is trained first
)
