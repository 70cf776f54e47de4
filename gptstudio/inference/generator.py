"""Decoding loop (book §4.7 and §5.3): a generator of events, one for each new token."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Literal

import numpy as np

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.fields import fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.memory import generate_memory
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.logits import rank
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.sampling.sampler import Distribution
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import (
    Candidate,
    Event,
    PhaseChanged,
    Piece,
    PromptRead,
    TextEnded,
    TokenDrawn,
    TokenRead,
    Warned,
)
from gptstudio.training.executor import Stream

ALTERNATIVES = 10
KEPT = 1_024
"""Maximum number of tokens of a prompt that a text begins with, unless the model reads more; a pasted book would
otherwise be shown token by token."""


def generate(
    spec: GenerateSpec, open_decoder: Callable[[], Decoder], control: Control,
    ids: Sequence[int] | None = None, known: int | None = 0, alternatives: int = ALTERNATIVES,
    kept: Callable[[], int] = lambda: KEPT,
) -> Stream:
    """Continue the prompt; the latest sampling parameters of ``control`` apply to the next token.

    Args:
        ids: tokens to continue instead of the prompt.
        known: number of first tokens that are not reported again; None to report the whole prompt, but no readings.
        alternatives: number of most likely tokens reported with each new token.
        kept: returns the minimum number of tokens of a long prompt that the text begins with; called once the model is
            loaded.

    Raises:
        UserError: the prompt is empty, the model cannot read the tokens, or its weights are damaged.
    """
    read_prompt = yield from begin(spec, open_decoder, control, ids, known, kept)
    if read_prompt is None:
        return "stopped"
    return (yield from _write(*read_prompt, spec, control, alternatives))


def begin(
    spec: GenerateSpec, open_decoder: Callable[[], Decoder], control: Control, ids: Sequence[int] | None,
    known: int | None, kept: Callable[[], int] = lambda: KEPT,
) -> Generator[Event, None, tuple[Decoder, list[int]] | None]:
    """Load the model and read the prompt; return both, or None if stopped.

    Raises:
        UserError: as for :func:`generate`.
    """
    if not (spec.prompt if ids is None else ids):
        raise _empty()
    yield PhaseChanged(phase="loading")
    decoder = open_decoder()
    control.check()  # before PromptRead replaces the displayed text
    given = prompt_tokens(spec.prompt, decoder) if ids is None else list(ids)
    prompt = end_of_prompt(given, decoder, kept()) if ids is None else given
    check_vocabulary(decoder.config, prompt, decoder.tokenizer)
    check_free_space(decoder.config, spec.samples, spec.device)
    dropped, shown = max(0, len(given) - decoder.context), given if known is None else prompt
    yield PromptRead(pieces=[_piece(i, decoder.tokenizer) for i in shown], dropped=dropped, model=decoder.name)
    known = len(prompt) if known is None else known
    if warning := about_unknown(prompt[known:], decoder.tokenizer):
        yield Warned(message=warning)
    yield PhaseChanged(phase="generating")
    for reading in read(decoder, prompt, known):
        if control.stopping:
            return None
        yield reading
    return decoder, prompt


def _empty() -> UserError:
    return UserError(message("The prompt is empty. Type a word or two for the model to continue."))


def prompt_tokens(prompt: str, decoder: Decoder) -> list[int]:
    """Return the tokens of a prompt.

    Raises:
        UserError: it has none, like spaces alone for some tokenizers of imported models.
    """
    ids = decoder.tokenizer.encode(prompt)
    if not ids:
        raise _empty()
    return ids


def end_of_prompt(ids: list[int], decoder: Decoder, kept: int = KEPT) -> list[int]:
    """Return the last tokens of a prompt, from the first of which positions and thus random numbers are counted."""
    return ids[-max(decoder.context, kept) :]


def _write(decoder: Decoder, prompt: list[int], spec: GenerateSpec, control: Control, alternatives: int) -> Stream:
    """Generate all texts, with one pass of the model per token, until each has ended or has the requested length."""
    texts = [list(prompt) for _ in range(spec.samples)]
    writing = set(range(spec.samples))
    while writing and len(texts[0]) < len(prompt) + spec.max_new_tokens:
        if control.stopping:
            return "stopped"
        start_s = time.monotonic()
        logits, took = decoder.next_logits(texts).cpu().numpy(), time.monotonic() - start_s
        for sample, text in enumerate(texts):
            if sample not in writing:
                text.append(text[-1])  # ended, but all rows of a batch must have the same length
                continue
            random_number = random_number_at(spec.seed, sample, len(text))
            sampling_params = control.sampling_params or spec.sampling_params
            drawn = draw(
                logits[sample], sampling_params, text, random_number, sample, took, alternatives, decoder.tokenizer)
            text.append(drawn.id)
            yield drawn
            reason = ending(spec, text, decoder.tokenizer)
            if reason:
                writing.discard(sample)
                yield TextEnded(sample=sample, position=drawn.position, reason=reason)
    return "finished"


def read(decoder: Decoder, ids: list[int], known: int = 0) -> Iterator[TokenRead]:
    """Yield the reading of each token of a text, from position ``known`` on."""
    asked = max(1, len(ids) - decoder.context + 1)  # there is no prediction for tokens before this one
    for position in range(known, min(asked, len(ids))):
        yield TokenRead(
            position=position, **_piece(ids[position], decoder.tokenizer).model_dump(),
            plain_probability=None, rank=None, plain_entropy_bits=None,
        )
    for position, logits in decoder.read(ids, max(asked, known)):
        yield token_read(logits.cpu().numpy(), ids[position], position, decoder.tokenizer)


def token_read(logits: np.ndarray, token: int, position: int, tokenizer: Tokenizer = GPT2) -> TokenRead:
    """Return the reading of a token that the model predicted with ``logits`` (V,)."""
    stages = sampler.distribution(logits)
    piece = _piece(token, tokenizer).model_dump()
    return TokenRead(position=position, **piece, **_plain(stages, token), logits=logits)


def draw(
    logits: np.ndarray, sampling_params: SamplingParams, text: Sequence[int], random_number: float, sample: int = 0,
    took_s: float = 0.0, alternatives: int = ALTERNATIVES, tokenizer: Tokenizer = GPT2,
) -> TokenDrawn:
    """Return the token after ``text`` sampled from ``logits`` (V,) with ``random_number`` in [0, 1)."""
    stages = sampler.distribution(logits, sampling_params, text)
    token = sampler.draw(stages.probabilities, random_number)
    return TokenDrawn(
        position=len(text), sample=sample, **_piece(token, tokenizer).model_dump(), **_plain(stages, token),
        probability=stages.probabilities[token], entropy_bits=stages.entropy_bits, random_number=random_number,
        took_s=took_s, sampling_params=sampling_params,
        alternatives=[_candidate(stages, i, tokenizer) for i in stages.likeliest(alternatives).tolist()], logits=logits,
    )


def random_number_at(seed: int, sample: int, position: int) -> float:
    """Return the random number in [0, 1) for sampling the token at a position of a text.

    It depends only on seed, sample and position: a text generated at once, step by step, from a branch, or together
    with other texts uses the same number there.
    """
    return np.random.default_rng([seed, sample, position]).random()


def check_vocabulary(config: GPTConfig, ids: Sequence[int], tokenizer: Tokenizer = GPT2) -> None:
    """Check that the tokenizer matches the model, and that the model has all these tokens.

    Raises:
        UserError: the kind of vocabulary differs, or a token is missing; the message gives the first one.
    """
    if config.vocabulary != tokenizer.kind:
        raise UserError(message(
            "The text was encoded with the vocabulary {one}, but the model was trained with another ({other}), so it "
            "would read other words. Choose a model with that vocabulary.",
            one=tokenizer.name, other=fields_of(type(config))[0].names[config.vocabulary]))
    rows = config.vocab_size
    beyond = next((i for i in ids if i >= rows), None)
    if beyond is not None:
        raise UserError(message(
            "The text contains token {beyond} ({visible}), but the token IDs of this model are below {rows}. "
            "Choose a model with the full vocabulary of {n_vocab} tokens.",
            beyond=f"{beyond:,}", visible=tokenizer.visible(beyond), rows=f"{rows:,}",
            n_vocab=f"{tokenizer.size:,}",
        ))


def about_unknown(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """Return a warning if a text has characters that are not in the vocabulary of the model, else an empty text."""
    count = sum(each == tokenizer.unknown for each in ids)
    return message(
        "Characters that are not in the vocabulary of the model: {n}. It reads each of them as �.",
        n=f"{count:,}") if count else ""


def check_free_space(config: GPTConfig, texts: int, device: str) -> None:
    """Check that there is memory for the keys and values of all texts after the first.

    Raises:
        UserError: there is not enough memory.
    """
    if texts > 1:
        needed = (texts - 1) * generate_memory(config).kv_cache
        devices.check_memory(needed, devices.choose(device), message("to generate this many texts at once"))


def ending(
    spec: GenerateSpec, text: Sequence[int], tokenizer: Tokenizer = GPT2
) -> Literal["end_of_text", "stop_text"] | None:
    """Return the reason if the last token of a text ends it, else None."""
    if spec.stop_at_end and text and text[-1] == tokenizer.end:
        return "end_of_text"
    if not spec.stop_text:
        return None
    # Compared as bytes, because the stop text may end within a token. A match that ends in the last token began at most
    # len(wanted) tokens ago, possibly in the prompt, so step-by-step generation ends at the same token.
    wanted, last = spec.stop_text.encode(), tokenizer.token_bytes(text[-1])
    tail = b"".join(map(tokenizer.token_bytes, text[-len(wanted) :]))
    return "stop_text" if wanted in tail[-(len(wanted) + len(last) - 1) :] else None


def _piece(token: int, tokenizer: Tokenizer) -> Piece:
    return Piece(id=token, text=tokenizer.decode([token]))


def _plain(stages: Distribution, token: int) -> dict[str, Any]:
    return {
        "plain_probability": stages.plain[token],
        "rank": rank(stages.plain, token),
        "plain_entropy_bits": sampler.entropy_bits(stages.plain),
    }


def _candidate(stages: Distribution, token: int, tokenizer: Tokenizer) -> Candidate:
    after = ((step.stage.name, float(step.after[token])) for step in stages.steps)
    return Candidate(
        id=token, text=tokenizer.decode([token]), logit=stages.logits[token], probability=stages.plain[token],
        stages={name: value if value > -np.inf else None for name, value in after},
        cut_by=cut.stage.name if (cut := stages.cut_by(token)) else None, after=stages.probabilities[token],
    )
