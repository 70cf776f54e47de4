"""``gptstudio generate``: a model continues from a prompt."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from gptstudio.cli import output
from gptstudio.cli.arguments import OUTPUT, SAME_MODEL, SAME_TEXT, Best, GenerateFlags, Json, ModelFlags, switch
from gptstudio.cli.terminal import Terminal
from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, TextEnded, TokenDrawn
from gptstudio.training.executor import Sink, execute
from gptstudio.training.signals import stopped_by_signals

ALTERNATIVES = 10

Alternatives = Annotated[
    int,
    Parameter(
        help="With --json: the number of likeliest tokens that are printed with each new token, up to the whole "
        "vocabulary.", group=OUTPUT, metavar="N",
    ),
]


Copied = Annotated[bool, switch(
    "Also print which share of the new tokens stands word for word in the text that the model's run was trained on, in "
    "stretches of five or more, and the longest stretch.")]


def generate(
    *,
    generating: GenerateFlags = SAME_TEXT,
    model: ModelFlags = SAME_MODEL,
    alternatives: Alternatives = ALTERNATIVES,
    best: Best = False,
    copied: Copied = False,
    json: Json = False,
) -> Ended:
    """Continue a prompt with a model.

    A preset is an untrained model, initialised from the random seed; the model options change it.
    """
    spec = GenerateSpec.make(generating.given())
    origin = source_from(spec, model.given(), best)
    vocabulary = model_source.config_of(origin).vocab_size
    if not 1 <= alternatives <= vocabulary:
        raise UserError(message(
            "Alternatives is {n}; it must be between 1 and {vocabulary}, the vocabulary of {model}.",
            n=f"{alternatives:,}", vocabulary=f"{vocabulary:,}", model=origin.name,
        ))
    return generate_from(spec, origin, json, alternatives, copied)


def generate_from(
    spec: GenerateSpec, origin: model_source.LoadableModel, json: bool = False, alternatives: int = ALTERNATIVES,
    copied: bool = False,
) -> Ended:
    """Write the text as it comes, until its end, Ctrl-C, or a reader who goes away. ``copied``: say what was copied."""
    from gptstudio.inference import generator

    model_source.check_text(origin)
    control, tokenizer = Control(), model_source.tokenizer_of(origin)
    prompt = tokenizer.encode(spec.prompt)
    sink: Sink = output.json_lines(TokenDrawn, TextEnded) if json else Terminal(control, tokenizer)
    if copied:
        from gptstudio.cli.copied import Copied  # brings numpy, which the help can do without

        sink = Copied(sink, origin, json)
    # Nobody is told here what the model made of the prompt, so it need not be asked.
    stream = generator.generate(spec, lambda: load_decoder(spec, origin), control, prompt, len(prompt), alternatives)
    with stopped_by_signals(control):
        return execute(stream, [output.while_read(sink, control)])
