"""Greedy decoding by hand: compute the logits, append the token with the largest one, and repeat (book §4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from gptstudio import devices
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.logits import best, softmax
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.inference.generator import check_vocabulary
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel

BOOK_MODEL = UntrainedModel(PRESETS["gpt2-small"])
WITH_BIAS = UntrainedModel(PRESETS["gpt2-small"].but(qkv_bias=True))
SHOWN, MOST_CHARACTERS = 10, 200


class GreedyRequest(Spec):
    """A prompt, the number of tokens to generate, and the context length."""

    prompt: str = setting("Hello, I am", "Prompt", "The text to continue.")
    new_tokens: int = setting(6, "New tokens",
        "How many tokens to generate, one per step.", unit="tokens", low=1, high=24, step=1)
    context: int | None = setting(
        None, "Context length", "How many of the last tokens the model reads, or leave empty for as many as it can.",
        unit="tokens", low=1, high=1024, step=1, empty="model's own",
    )
    story: Literal["chosen", "with bias"] = setting(
        "chosen", "Model",
        "chosen: the model chosen for this page. with bias: gpt2-small with biases for query, key and value, "
        "untrained, random seed 123, as in one variant of the study notes.",
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "prompt" in values:
            empty = message("Prompt is empty. Type a word or two to continue.")
            yield from checks.text(cls, "prompt", values["prompt"], MOST_CHARACTERS, empty)


@dataclass(frozen=True)
class GreedyStep:
    """One step of greedy decoding.

    Attributes:
        begin: index of the first token that the model reads; earlier tokens are outside its context.
        end: index of the token that this step appends.
        top: (10,) IDs with the largest logits at the last position, largest first; among equal logits, the lower ID
            first.
        logits: (10,) logits of ``top``.
        probabilities: (10,) probabilities of ``top``, from the softmax over the whole vocabulary.
        chosen: ID of the appended token, the first of ``top``.
    """

    begin: int
    end: int
    top: Floats
    logits: Floats
    probabilities: Floats
    chosen: int


@dataclass(frozen=True)
class GreedyAnswer:
    """A text, and the steps that generated it.

    Attributes:
        ids: token IDs of the prompt and of all appended tokens.
        pieces: each token as visible text.
        prompt_tokens: number of tokens of the prompt.
        vocabulary: number of logits at each step.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    prompt_tokens: int
    steps: tuple[GreedyStep, ...]
    text: str
    vocabulary: int


def answer(request: GreedyRequest, model: GPTModel | None = None) -> GreedyAnswer:
    """Return the greedy continuation by ``model``; if ``story`` is "with bias", by the model of the study notes.

    Raises:
        UserError: the model has no row for a token of the prompt, its weights are broken, or the model with biases does
            not fit into memory.
    """
    if request.story == "with bias":
        model = model_source.load(WITH_BIAS, devices.cpu(), "reference")
    if model is None:
        raise RuntimeError("the text of a chosen model needs one")
    ids = GPT2.encode(request.prompt)
    check_vocabulary(model.cfg, ids)
    context, prompt_tokens = min(request.context or model.cfg.context_length, model.cfg.context_length), len(ids)
    steps = []
    for _ in range(request.new_tokens):
        steps.append(_step(model, ids, context))
        ids.append(steps[-1].chosen)
    return GreedyAnswer(
        ids=tuple(ids), pieces=tuple(map(GPT2.visible, ids)), prompt_tokens=prompt_tokens, steps=tuple(steps),
        text=GPT2.decode(ids), vocabulary=model.cfg.vocab_size,
    )


def _step(model: GPTModel, ids: list[int], context: int) -> GreedyStep:
    idx = torch.tensor([ids], device=model.out_head.weight.device)
    with torch.no_grad():
        logits = model(idx[:, -context:])[0, -1].float().cpu().numpy()  # (V,)
    check_finite(logits)
    top = best(logits, SHOWN)
    return GreedyStep(
        begin=max(0, len(ids) - context), end=len(ids), top=top, logits=logits[top],
        probabilities=softmax(logits.astype(np.float64))[top], chosen=int(top[0]),
    )


def code(request: GreedyRequest) -> str:
    config = 'PRESETS["gpt2-small"]' + (".but(qkv_bias=True)" if request.story == "with bias" else "")
    context = "model.cfg.context_length" if request.context is None else request.context
    return f"""import torch
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.model import GPTModel

torch.manual_seed({BOOK_MODEL.seed})
model = GPTModel({config}).eval()
idx = torch.tensor([GPT2.encode({request.prompt!r})])
for _ in range({request.new_tokens}):
    with torch.no_grad():
        logits = model(idx[:, -{context}:])[:, -1]
    idx = torch.cat([idx, logits.argmax(dim=-1, keepdim=True)], dim=1)
ids = idx[0].tolist()
print(ids, GPT2.decode(ids))
"""


def table(answer: GreedyAnswer) -> Table:
    rows = (
        (number, place, int(token), GPT2.visible(int(token)), float(logit), float(p))
        for number, step in enumerate(answer.steps, start=1)
        for place, (token, logit, p) in enumerate(
            zip(step.top, step.logits, step.probabilities, strict=True), start=1
        )
    )
    return Table(("step", "rank", "id", "token", "logit", "probability"), tuple(rows))


def values(answer: GreedyAnswer) -> dict[str, float]:
    last = answer.steps[-1]
    return {
        "tokens": len(answer.ids), "new_tokens": len(answer.steps), "last_id": last.chosen,
        "top_logit": float(last.logits[0]), "top_probability": float(last.probabilities[0]),
    }


UNTRAINED, BIASED = message("An untrained model"), message("The same with query, key and value bias")
# The study notes run this model on a batch in training mode first, which changes no weight.
AFTER_A_FORWARD = "untrained_greedy_qkv_bias_after_one_training_forward"

LAB = Lab(
    name="generate", request=GreedyRequest, answer=answer,
    sources=(BookSource("4.7", "Generating text"),),
    examples=(Example(UNTRAINED, GreedyRequest()), Example(BIASED, GreedyRequest(story="with bias"))),
    figures=(
        Figure(("models", "untrained_greedy", "ids"), lambda a: a.ids, message("all token IDs")),
        Figure(("models", "untrained_greedy", "text"), lambda a: a.text, message("text")),
        Figure(("models", AFTER_A_FORWARD, "ids"), lambda a: a.ids, message("all token IDs"), BIASED),
        Figure(("models", AFTER_A_FORWARD, "text"), lambda a: a.text, message("text"), BIASED),
    ),
    code=code, table=table, values=values,
    model=BOOK_MODEL, reads=lambda request: request.story == "chosen", slow=lambda _: True,
    trained=message("This model is untrained: its weights are random, so its text is nonsense. A trained model "
                    "continues the prompt with words that often follow each other in its training text."),
)
