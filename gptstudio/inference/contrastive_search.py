"""Contrastive search (Su et al., 2022, section 3.2, equation 5): of the most probable tokens, the one that is probable
and yet unlike the text so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from gptstudio.gpt.fast import FastGPTModel
from gptstudio.gpt.fast.kv_cache import KVCache
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.logits import best, log_softmax

CANDIDATES, ALPHA = 4, 0.6
"""k and alpha as in the authors' example with GPT-2 in the documentation of transformers."""


@torch.no_grad()
def search(
    model: GPTModel, prompt: Sequence[int], new_tokens: int, candidates: int = CANDIDATES, alpha: float = ALPHA,
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, float]]:
    """Yield each new token and its log-probability, in nats.

    A candidate's score is (1 - alpha) times its probability minus alpha times the largest cosine similarity of its
    hidden state, as the output layer reads it, with those of the tokens before it. Of equals the more probable one.
    ``check`` is called before each token, and what it raises ends the work.

    Raises:
        BrokenLogits: logits that are not numbers.
    """
    text, states = list(prompt), _HiddenStates(model)
    logits = model.out_head(states.of([text])[0, -1])
    for _ in range(new_tokens):
        check()
        values = sampler.checked(logits.float().cpu().numpy())
        logs, ids = log_softmax(values), best(values, candidates)
        hidden = states.of([[*text, token] for token in ids.tolist()])  # (k, T + 1, D)
        scores = (1 - alpha) * np.exp(logs[ids]) - alpha * _likeness(hidden)
        place = int(scores.argmax())
        text.append(int(ids[place]))
        yield text[-1], float(logs[text[-1]])
        logits = model.out_head(hidden[place, -1])


def _likeness(hidden: Tensor) -> Floats:
    """Return the largest cosine similarity of the last hidden state and one before it, (k, T, D) -> (k,); 0 where the
    model reads one token alone."""
    if hidden.shape[1] == 1:
        return np.zeros(len(hidden))
    likeness: Floats = F.cosine_similarity(hidden[:, -1:], hidden[:, :-1], dim=-1).amax(dim=-1).double().cpu().numpy()
    return likeness


class _HiddenStates:
    """Hidden states of texts that share all but their last token. On the fast path those of the shared tokens are kept;
    past the context length the window slides, and all are computed again."""

    def __init__(self, model: GPTModel):
        self._model = model
        self._cache: KVCache | None = None
        self._shared: Tensor | None = None  # (1, T, D)

    def of(self, texts: Sequence[list[int]]) -> Tensor:
        """Return what the output layer reads for each text, (k, T, D); they are equally long."""
        model, shared = self._model, texts[0][:-1]
        if not isinstance(model, FastGPTModel) or len(texts[0]) > model.cfg.context_length or not shared:
            return model.hidden_states(self._rows([ids[-model.cfg.context_length :] for ids in texts]))
        if self._cache is None:
            weight = model.tok_emb.weight
            self._cache = KVCache(model.cfg, 1, weight.device, weight.dtype)
        if more := shared[self._cache.length :]:
            found = model.hidden_states(self._rows([more]), self._cache)
            self._shared = found if self._shared is None else torch.cat((self._shared, found), dim=1)
        last = model.hidden_states(self._rows([ids[-1:] for ids in texts]), self._cache.select([0] * len(texts)))
        return torch.cat((cast(Tensor, self._shared).expand(len(texts), -1, -1), last), dim=1)

    def _rows(self, texts: Sequence[list[int]]) -> Tensor:
        return torch.tensor(texts, device=self._model.tok_emb.weight.device)
