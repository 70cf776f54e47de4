"""The loss: minus the mean log-probability that a model gives to the actual next tokens (book §5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from gptstudio.fields import Numbers, Problem, Spec, setting
from gptstudio.gpt.config import PRESETS, VOCAB_SIZE
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.inference.generator import check_vocabulary
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table
from gptstudio.training.model_source import UntrainedModel

MOST_CHARACTERS, MOST_PROBABILITIES = 120, 64
BOOK_MODEL = UntrainedModel(PRESETS["book"])

PROBABILITIES = (7.454045e-05, 3.106058e-05, 1.156279e-05, 1.033667e-05, 5.677593e-05, 4.755932e-06)
"""Probabilities that the book's model gives to the six targets of the two sentences, computed to seven digits."""

FIRST, SECOND = "every effort moves you", "I really like chocolate"


class LossRequest(Spec):
    """Source of the probabilities: typed by hand, or computed by a model from two sentences."""

    source: Literal["hand", "model"] = setting(
        "hand", "Source of probabilities",
        "hand: type the probabilities and see how the loss is calculated. model: the probabilities the model gives to "
        "each next token.",
    )
    probabilities: Numbers = setting(
        PROBABILITIES, "Probabilities", "By hand: the probability of each target token, from 0 to 1.", panel=False
    )
    first: str = setting(
        FIRST, "First sentence",
        "The model predicts every token except the first from the tokens before it. If the text is longer than the "
        "model's context, only its end counts.",
    )
    second: str = setting(SECOND, "Second sentence", "Another sentence, or leave empty.", empty="none")

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "probabilities" in values:
            typed = values["probabilities"]
            if not 1 <= len(typed) <= MOST_PROBABILITIES:
                yield Problem("probabilities", message(
                    "Probabilities: the number of values is {count}; it must be between 1 and {high}.",
                    count=len(typed), high=MOST_PROBABILITIES,
                ))
            yield from checks.numbers(cls, "probabilities", typed, 0, 1)
        for name in ("first", "second"):
            if name in values and (values[name] or name == "first"):
                too_long = list(checks.text(cls, name, values[name], MOST_CHARACTERS))
                yield from too_long or _too_short(name, checks.label(cls, name), values[name])


def _too_short(field: str, name: str, text: str) -> Iterator[Problem]:
    # Two words are at least two tokens; this avoids loading the tokenizer, which takes a while.
    if len(text.split()) < 2 and len(GPT2.encode(text)) < 2:
        yield Problem(field, message(
            "{name} ({text}) is too short. It needs at least two tokens: one to read and one to predict.",
            name=name, text=repr(text),
        ))


@dataclass(frozen=True)
class LossAnswer:
    """The arithmetic for n targets, in float64.

    Attributes:
        tokens: the targets as visible text; their positions, from 1, if the sentences have another number of targets.
        sentences: (n,) index of each target's sentence, 0 or 1.
        probabilities: (n,) probability given to each target.
        logs: (n,) their natural logarithms.
        mean: mean of the logarithms.
        loss: the negated mean.
        cross_entropy: the loss as torch computes it from logits.
        perplexity: exp(loss), the number of equally likely tokens with the same uncertainty.
        guessing: loss of a model that gives every token of its vocabulary the same probability.
    """

    tokens: tuple[str, ...]
    sentences: Floats
    probabilities: Floats
    logs: Floats
    mean: float
    loss: float
    cross_entropy: float
    perplexity: float
    guessing: float


def answer(request: LossRequest, model: GPTModel | None = None) -> LossAnswer:
    """Answer a request; ``model`` is used only if ``source`` is "model".

    Raises:
        UserError: the model has no row for a token of the sentences, or its weights are broken.
    """
    texts = [GPT2.encode(text) for text in (request.first, request.second) if text]
    if request.source == "hand":
        p = torch.tensor(request.probabilities, dtype=torch.float64)
        # Logits of a vocabulary of two, the target and everything else, that give these probabilities after softmax.
        logits = torch.stack([torch.log(p), torch.log1p(-p)], dim=-1)
        return _add_up(texts, p, logits, torch.zeros(len(p), dtype=torch.long), VOCAB_SIZE)
    if model is None:
        raise RuntimeError("probabilities from a model need one")
    texts = [ids[-(model.cfg.context_length + 1) :] for ids in texts]
    for ids in texts:
        check_vocabulary(model.cfg, ids)
    logits = torch.cat([_read(model, ids) for ids in texts]).double()  # (n, V)
    check_finite(logits.numpy())
    targets = torch.tensor([i for ids in texts for i in ids[1:]])
    p = torch.softmax(logits, dim=-1)[torch.arange(len(targets)), targets]
    return _add_up(texts, p, logits, targets, model.cfg.vocab_size)


def _read(model: GPTModel, ids: list[int]) -> Tensor:
    """Return the logits (n, V) after each token except the last."""
    with torch.no_grad():
        logits: Tensor = model(torch.tensor([ids[:-1]], device=model.out_head.weight.device))[0]
    return logits.cpu()


def _add_up(texts: list[list[int]], p: Tensor, logits: Tensor, targets: Tensor, vocabulary: int) -> LossAnswer:
    """Compute the logarithms, their mean and its negation step by step, and the result of torch's own function."""
    logs = torch.log(p)
    mean = logs.mean()
    tokens = [(GPT2.visible(i), number) for number, ids in enumerate(texts) for i in ids[1:]]
    if len(tokens) != len(targets):
        tokens = [(str(place), 0) for place in range(1, len(targets) + 1)]
    return LossAnswer(
        tokens=tuple(token for token, _ in tokens), sentences=np.array([number for _, number in tokens]),
        probabilities=p.numpy(), logs=logs.numpy(), mean=float(mean), loss=float(-mean) + 0.0,
        cross_entropy=float(torch.nn.functional.cross_entropy(logits, targets)) + 0.0,
        perplexity=float(torch.exp(-mean)), guessing=float(np.log(vocabulary)),
    )


def _code_by_hand(request: LossRequest) -> str:
    typed = [str(p) for p in request.probabilities]
    rows = ",\n    ".join(", ".join(typed[place : place + 3]) for place in range(0, len(typed), 3))
    return (
        f"import torch\n\nprobabilities = torch.tensor([\n    {rows},\n], dtype=torch.float64)\nlog_probabilities = "
        "torch.log(probabilities)\nloss = -log_probabilities.mean()\nperplexity = torch.exp(loss)\n\n# torch's "
        "cross_entropy starts from logits: here for two tokens, the target and everything else\nlogits = "
        "torch.stack([log_probabilities, torch.log1p(-probabilities)], dim=-1)\ntargets = "
        "torch.zeros(len(probabilities), dtype=torch.long)\ncross_entropy = torch.nn.functional.cross_entropy(logits, "
        "targets)\nprint(loss, cross_entropy, perplexity)\n"
    )


def _code_with_model(request: LossRequest) -> str:
    return f"""import torch
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.model import GPTModel

torch.manual_seed({BOOK_MODEL.seed})
model = GPTModel(PRESETS["book"]).eval()
texts = [torch.tensor(GPT2.encode(text)) for text in {[text for text in (request.first, request.second) if text]}]
with torch.no_grad():
    logits = torch.cat([model(ids[None, :-1])[0] for ids in texts]).double()
targets = torch.cat([ids[1:] for ids in texts])
probabilities = torch.softmax(logits, dim=-1)[range(len(targets)), targets]
loss = -torch.log(probabilities).mean()
cross_entropy = torch.nn.functional.cross_entropy(logits, targets)
perplexity = torch.exp(loss)
print(loss, cross_entropy, perplexity)
"""


def table(answer: LossAnswer) -> Table:
    rows = zip(
        (int(i) + 1 for i in answer.sentences), answer.tokens, answer.probabilities.tolist(), answer.logs.tolist(),
        strict=True,
    )
    return Table(("sentence", "target", "probability", "log probability"), tuple(rows))


def values(answer: LossAnswer) -> dict[str, float]:
    return {
        "loss": answer.loss, "cross_entropy": answer.cross_entropy, "perplexity": answer.perplexity,
        "lowest_probability": float(answer.probabilities.min()),
        "highest_probability": float(answer.probabilities.max()), "guessing": answer.guessing,
    }


BY_HAND, WITH_MODEL = message("Six probabilities typed by hand"), message("Two sentences, an untrained model")
PRINTED_PERPLEXITY = 48725.8203
FLOAT32 = 1e-6  # the printed perplexity comes from a float32 loss, whose last digit changes it by this much


def _perplexity(example: str) -> Figure:
    return Figure(("book", "perplexity", example), lambda a: a.perplexity, message("perplexity"), example,
                  relative=FLOAT32, also=PRINTED_PERPLEXITY)


LAB = Lab(
    name="loss", request=LossRequest, answer=answer,
    sources=(BookSource("5.1", "Evaluating generative text models"),),
    examples=(Example(BY_HAND, LossRequest()), Example(WITH_MODEL, LossRequest(source="model"))),
    figures=(_perplexity(BY_HAND), _perplexity(WITH_MODEL)),
    code=lambda request: _code_by_hand(request) if request.source == "hand" else _code_with_model(request),
    table=table, values=values, model=BOOK_MODEL, reads=lambda request: request.source == "model",
    trained=message("This model is untrained, so each probability is near 1 in 50,257. A trained model gives higher "
                    "ones to tokens that it has learned."),
)
