"""The decoding loop (seeds 4.7 and 5.3): a generator of events, one for each new token."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from gptstudio.errors import UserError
from gptstudio.gpt import sampling, tokenizer
from gptstudio.gpt.model import GPTModel, KVCache
from gptstudio.runs.control import Control, Dials
from gptstudio.runs.events import Candidate, PhaseChanged, Piece, PromptRead, TokenDrawn
from gptstudio.runs.executor import Stream
from gptstudio.runs.spec import GenerateSpec

ALTERNATIVES = 10


def generate(spec: GenerateSpec, name: str, open_model: Callable[[], GPTModel], control: Control) -> Stream:
    """Continues the prompt; the newest dials of ``control`` hold for the next token.

    Raises:
        UserError: an empty prompt, or a model that cannot read tokens.
    """
    ids = tokenizer.encode(spec.prompt)
    if not ids:
        raise UserError("The prompt is empty. Write a word or two for the model to go on from.")
    yield PhaseChanged(phase="loading")
    model = open_model()
    check_vocabulary(model, ids)
    dropped = max(0, len(ids) - model.cfg.context_length)
    yield PromptRead(pieces=[Piece(id=i, text=tokenizer.decode([i])) for i in ids], dropped=dropped, model=name)
    yield PhaseChanged(phase="generating")
    control.dials = control.dials or Dials(spec.temperature, spec.top_k)
    rng, began = np.random.default_rng(spec.seed), time.monotonic()
    logits_after = decoder(model)
    for position in range(len(ids), len(ids) + spec.max_new_tokens):
        if control.stopping:
            return "stopped"
        logits = logits_after(ids).cpu().numpy()
        dials = control.dials
        drawn = draw(logits, dials, rng, position, time.monotonic() - began)
        ids.append(drawn.id)
        yield drawn
        began = time.monotonic()
    return "finished"


def draw(logits: np.ndarray, dials: Dials, rng: np.random.Generator, position: int, took_s: float) -> TokenDrawn:
    """Draws one token from ``logits`` (V,) and tells all about it."""
    stages = sampling.distribution(logits, *dials)
    token = sampling.draw(stages.probabilities, rng)
    return TokenDrawn(
        position=position, id=token, text=tokenizer.decode([token]), probability=stages.probabilities[token],
        entropy_bits=stages.entropy_bits, took_s=took_s, temperature=dials.temperature, top_k=dials.top_k,
        alternatives=[
            Candidate(id=i, text=tokenizer.decode([i]), probability=stages.plain[i])
            for i in stages.likeliest(ALTERNATIVES).tolist()
        ],
        logits=logits,
    )


def greedy(model: GPTModel, ids: Sequence[int], new_tokens: int) -> list[int]:
    """``ids`` and the likeliest next token, ``new_tokens`` times; on the reference path without a cache, as in the
    seeds, so that not even the order of additions differs."""
    ids, logits_after = list(ids), decoder(model)
    for _ in range(new_tokens):
        ids.append(int(logits_after(ids).argmax()))
    return ids


def decoder(model: GPTModel) -> Callable[[Sequence[int]], Tensor]:
    """A function from all ids so far to the logits of the next token, (V,) in float32.

    Keeps keys and values between calls, so each call computes the new tokens only. Past the context length the
    window slides, ``ids[-C:]`` as in the seeds; every token then has another position, and all is computed anew.
    """
    context, device = model.cfg.context_length, model.tok_emb.weight.device
    cache = KVCache(model.cfg, 1, device, model.tok_emb.weight.dtype) if model.path == "fast" else None

    @torch.no_grad()
    def logits_after(ids: Sequence[int]) -> Tensor:
        fits = cache is not None and len(ids) <= context
        new = ids[cache.length :] if fits and cache else ids[-context:]
        logits = model(torch.tensor([new], device=device), cache if fits else None, last_only=True)
        return logits[0, -1].float()

    return logits_after


def check_vocabulary(model: GPTModel, ids: Sequence[int]) -> None:
    """Refuses token ids that the model has no row for.

    Raises:
        UserError: with the first such token.
    """
    rows = model.cfg.vocab_size
    beyond = next((i for i in ids if i >= rows), None)
    if beyond is not None:
        raise UserError(
            f"The prompt has token {beyond:,} ({tokenizer.visible(beyond)}), and this model knows tokens below "
            f"{rows:,} only. Choose a model with the whole vocabulary of {tokenizer.encoding().n_vocab:,}."
        )


