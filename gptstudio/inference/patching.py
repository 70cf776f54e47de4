"""Activation patching: finding the activations of a prompt that cause the model's answer.

The model reads a clean and a corrupted prompt of equal length, then the corrupted one repeatedly, each time with one
activation copied from the clean run. If this restores the clean answer, the activation carries the information that
makes the difference (Meng et al., "Locating and Editing Factual Associations in GPT", 2022; Wang et al.,
"Interpretability in the Wild", 2022).

Computed on the reference path, with a copy that shares the weights. Shapes: B variants computed together, T tokens, H
heads, L layers, V vocabulary, K listed tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError
from gptstudio.gpt.activations import Check, continued, hidden_states, kept, no_check, text_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import check_finite
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.i18n import message
from gptstudio.inference.generator import check_vocabulary
from gptstudio.inference.interventions import columns_of
from gptstudio.inference.prompt_pair import Kind, PromptPair

BYTES_AT_ONCE = 8 * 2**20
"""Maximum bytes of the largest tensor of variants that are computed together, unless a single one needs more. A layer
of gpt2-small then takes a fraction of a second on two cores, after which the work can be cancelled."""


def patch_bytes(config: GPTConfig, tokens: int) -> int:
    """Return the estimated memory of patching: up to three kept tensors per layer of both runs, and the variants that
    are computed together, with the intermediate values of a block."""
    read = min(tokens, config.context_length)
    passes = 2 * 3 * 4 * (config.n_layers + 1) * read * config.emb_dim
    alone = 4 * max(config.n_heads * read * read, 4 * config.emb_dim * read, config.vocab_size)
    return passes + 6 * max(BYTES_AT_ONCE, alone)


Pass = dict[str, Tensor]
"""Activations of one pass, (T, D) each, by their names (:mod:`gptstudio.gpt.activations`)."""
NEEDED: dict[Kind, tuple[str, ...]] = {
    "resid": (), "attention": ("attn_out",), "mlp": ("attn_out", "mlp_out"), "heads": ("attn.head_out",)}
"""Activations of each layer, besides the residual stream before it, that copying needs."""


def run(model: GPTModel, ids: Sequence[int], kind: Kind, check: Check = no_check) -> Pass:
    """Run the model, and return the activations needed to copy those of a kind."""
    layers, found = range(model.cfg.n_layers), Pass()
    names = {f"{layer}.{part}" for layer in layers for part in ("resid_pre", *NEEDED[kind])}
    hidden_states(model, text_of(model, ids), kept(found, names | {f"{layers[-1]}.resid_post"}), check)
    return {name: out[0] for name, out in found.items()}


def batches(model: GPTModel, tokens: int, places: range) -> Iterator[range]:
    """Return ranges of places whose variants are computed together."""
    cfg = model.cfg
    largest = 4 * max(cfg.n_heads * tokens * tokens, 4 * cfg.emb_dim * tokens, cfg.vocab_size)  # bytes of one variant
    step = max(1, BYTES_AT_ONCE // largest)
    return (places[at : at + step] for at in range(0, len(places), step))


def patched(model: GPTModel, kind: Kind, layer: int, places: range, clean: Pass, corrupted: Pass) -> tuple[int, Tensor]:
    """Return variants of the corrupted run, each with the activation at one place of a layer from the clean run: the
    layer to continue from, and the residual stream before it, (B, T, D)."""
    def exchanged(part: str) -> Tensor:
        return _exchanged(corrupted[f"{layer}.{part}"], clean[f"{layer}.{part}"], places)

    block, before = cast(TransformerBlock, model.trf_blocks[layer]), corrupted[f"{layer}.resid_pre"]
    if kind == "resid":
        return layer, exchanged("resid_pre")
    if kind == "mlp":
        return layer + 1, before + corrupted[f"{layer}.attn_out"] + exchanged("mlp_out")
    if kind == "attention":
        written = exchanged("attn_out")
    else:
        name = f"{layer}.attn.head_out"
        values = corrupted[name].repeat(len(places), 1, 1)
        for variant, head in enumerate(places):
            columns = columns_of(model.cfg, head)
            values[variant, :, columns] = clean[name][:, columns]
        written = block.att.out_proj(values)
    middle = before + written
    return layer + 1, middle + block.ff(block.norm2(middle))


def _exchanged(values: Tensor, others: Tensor, places: range) -> Tensor:
    """Return variants, (T, D) -> (B, T, D), each with the values at one position from the other run."""
    made = values.repeat(len(places), 1, 1)
    for variant, place in enumerate(places):
        made[variant, place] = others[place]
    return made


@torch.no_grad()
def last_logits(model: GPTModel, x: Tensor) -> Tensor:
    """Return the logits after the last token, (B, T, D) -> (B, V)."""
    logits: Tensor = model.out_head(model.final_norm(x[:, -1]))
    return logits.float()


LEAST_DIFFERENCE = 1e-3
"""Minimum gap, in nats, between the logit differences of both prompts for computing the recovered fraction."""
BEST = 5
"""Number of most probable tokens kept for each variant."""

class Prediction(NamedTuple):
    """Prediction after the last token of a prompt.

    Attributes:
        difference: logit of the answer minus logit of the wrong token.
        probabilities: probabilities of all tokens, (V,).
    """

    difference: float
    probabilities: Floats


class VariantPredictions(NamedTuple):
    """Predictions of B variants; in a map, B is replaced by its rows and columns.

    Attributes:
        difference: logit of the answer minus logit of the wrong token, (B,).
        probability: probability of the answer, (B,).
        listed: probabilities of the listed tokens, (B, K).
        best, best_probabilities: the most probable tokens and their probabilities, (B, 5).
    """

    difference: Floats
    probability: Floats
    listed: Floats
    best: NDArray[np.int64]
    best_probabilities: Floats


@dataclass(frozen=True, eq=False)
class Patching:
    """Effects of copying each activation of the clean run into the corrupted one.

    Attributes:
        pair: the prompts.
        answer, wrong: the two tokens that are compared.
        same_guess: True if the answer is also the most probable token after the corrupted prompt, so that the wrong
            token is only the second most probable.
        listed: the answer, the wrong token, and other tokens that are likely after either prompt, (K,).
        patched: predictions with each patch, (L, T, ...), or (L, H, ...) for heads.
    """

    kind: Kind
    pair: PromptPair
    answer: int
    wrong: int
    same_guess: bool
    clean: Prediction
    corrupted: Prediction
    listed: NDArray[np.int64]
    patched: VariantPredictions

    @property
    def distinguishes(self) -> bool:
        """True if the logit differences of the two prompts differ, so that the recovered fraction is defined."""
        return abs(self.clean.difference - self.corrupted.difference) >= LEAST_DIFFERENCE

    @property
    def recovered(self) -> Floats:
        """Recovered fraction of the logit difference, (L, T) or (L, H): 0 as in the corrupted run, 1 as in the clean
        run, and possibly outside this range; nan if the model does not distinguish the prompts."""
        difference = self.patched.difference
        if not self.distinguishes:
            return np.full_like(difference, np.nan)
        return (difference - self.corrupted.difference) / (self.clean.difference - self.corrupted.difference)

    def candidates(self, row: int, place: int) -> list[PatchedToken]:
        """Return the listed and the most probable tokens of a cell of the map, the answer and the wrong token first."""
        patched = dict(zip(self.listed.tolist(), self.patched.listed[row, place].tolist(), strict=True))
        best, probabilities = self.patched.best[row, place], self.patched.best_probabilities[row, place]
        patched |= zip(best.tolist(), probabilities.tolist(), strict=True)
        clean, corrupted = self.clean.probabilities, self.corrupted.probabilities
        rows = [PatchedToken(each, float(clean[each]), float(corrupted[each]), p) for each, p in patched.items()]
        first = (self.answer, self.wrong)
        return sorted(rows, key=lambda each: (first.index(each.id) if each.id in first else len(first), -max(each[1:])))


class PatchedToken(NamedTuple):
    """Probabilities of a token after the clean prompt, the corrupted prompt, and the corrupted prompt with a patch."""

    id: int
    clean: float
    corrupted: float
    patched: float


@torch.no_grad()
def patch(
    model: GPTModel, pair: PromptPair, kind: Kind = "resid", answer: int | None = None, wrong: int | None = None,
    check: Check = no_check, progress: Progress = unwatched,
) -> Patching:
    """Return the effect of copying each activation of the clean run into the corrupted one. The last C tokens are read.

    Args:
        progress: called with the number of blocks run for variants and their total, which are proportional to time.
        answer, wrong: by default the most probable next tokens after the clean and the corrupted prompt; if they are
            the same, the wrong token is the second most probable after the corrupted prompt.

    Raises:
        UserError: the model lacks a token, or the answer and the wrong token are the same.
        BrokenLogits: the weights are not finite.
    """
    pair = pair.end(model.cfg.context_length)
    given = [each for each in (answer, wrong) if each is not None]
    check_vocabulary(model.cfg, [*pair.clean, *pair.corrupted, *given], pair.tokenizer)
    runs = [run(model, ids, kind, check) for ids in (pair.clean, pair.corrupted)]
    end = f"{model.cfg.n_layers - 1}.resid_post"
    logits = torch.cat([last_logits(model, each[end][None]) for each in runs])  # (2, V)
    check_finite(logits.cpu().numpy())
    asked = _tokens(logits, answer, wrong, pair.tokenizer)
    listed = list(dict.fromkeys([*asked, *torch.topk(logits, min(BEST, logits.shape[-1])).indices.flatten().tolist()]))
    unchanged = _figures(logits[1:], asked, listed)
    places = model.cfg.n_heads if kind == "heads" else len(pair.clean)
    same = 0 if kind == "heads" else pair.first  # number of first places where both runs are the same
    layers, done = model.cfg.n_layers, 0
    total = (places - same) * layers * (layers + 1) // 2
    found: list[VariantPredictions] = []
    for layer in range(layers):
        found += [unchanged] * same
        for some in batches(model, len(pair.clean), range(same, places)):
            begin, x = patched(model, kind, layer, some, *runs)
            last = last_logits(model, continued(model, begin, x, check=check))
            found.append(_figures(last, asked, listed))
            done += len(some) * (layers - layer)
            progress(done, total)
    same_guess = wrong is None and asked[1] != int(logits[1].argmax())
    return Patching(
        kind, pair, *asked, same_guess, _prediction(logits[0], asked), _prediction(logits[1], asked),
        np.array(listed), _grid(found, places))


def _tokens(logits: Tensor, answer: int | None, wrong: int | None, tokenizer: Tokenizer) -> tuple[int, int]:
    """Return the answer and the wrong token, determined from the logits after both prompts, (2, V), if not given.

    Raises:
        UserError: they are the same.
    """
    if answer is None:
        answer = int(logits[0].argmax())
    if wrong is None:
        wrong = next((each for each in torch.topk(logits[1], 2).indices.tolist() if each != answer), answer)
    if answer == wrong:
        raise UserError(message(
            "The answer and the wrong token are both “{token}”, so there is no difference between them to recover. "
            "Choose another answer or another wrong token.", token=tokenizer.visible(answer)))
    return answer, wrong


def _prediction(logits: Tensor, asked: tuple[int, int]) -> Prediction:
    """Return the prediction after a prompt, from logits (V,)."""
    difference = logits[asked[0]].double() - logits[asked[1]].double()
    return Prediction(difference.item(), torch.softmax(logits.double(), dim=-1).cpu().numpy())


def _grid(found: list[VariantPredictions], places: int) -> VariantPredictions:
    """Return the figures of all variants as (L, places, ...) each."""
    columns = (np.concatenate(each) for each in zip(*found, strict=True))
    return VariantPredictions(*(each.reshape(-1, places, *each.shape[1:]) for each in columns))


def _figures(logits: Tensor, asked: tuple[int, int], listed: list[int]) -> VariantPredictions:
    """Return the figures of B variants, from logits (B, V)."""
    answer, wrong = asked
    probabilities = torch.softmax(logits.double(), dim=-1)
    best = torch.topk(probabilities, min(BEST, logits.shape[-1]))
    parts = (
        logits[:, answer].double() - logits[:, wrong].double(), probabilities[:, answer], probabilities[:, listed],
        best.indices, best.values)
    return VariantPredictions(*(each.cpu().numpy() for each in parts))
