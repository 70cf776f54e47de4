"""Operations on the logits or probabilities of a whole vocabulary, (V,)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.gpt.sampling.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gptstudio.gpt.sampling.arrays import Floats, Mask


def softmax(logits: Floats) -> Floats:
    """exp(x) / sum of exp(x), shifted by the largest so that nothing overflows."""
    powers: Floats = np.exp(logits - logits.max())
    powers /= powers.sum()
    return powers


def log_softmax(logits: Floats) -> Floats:
    """The logarithms of :func:`softmax`, in nats, also where a probability is too small for a float."""
    shifted = logits - logits.max()
    found: Floats = shifted - np.log(np.exp(shifted).sum())
    return found


def largest(values: Floats, count: int) -> Mask:
    """Return a mask of the ``count`` largest values, all if there are fewer; among equals the lower index first."""
    count = min(count, values.size)
    above = values[values > values.min()]  # where most are equal, numpy takes ten times as long for all
    threshold = np.partition(above if above.size >= count else values, -count)[-count]
    mask: Mask = values > threshold
    mask[np.flatnonzero(values == threshold)[: count - np.count_nonzero(mask)]] = True
    return mask


def keep(logits: Floats, mask: Mask) -> Floats:
    """Return the logits with -inf for every token outside ``mask``."""
    return np.where(mask, logits, -np.inf)


def best(values: Floats, count: int) -> NDArray[np.intp]:
    """Indices of the ``count`` largest, best first; of equals the lower index first."""
    ids = np.flatnonzero(largest(values, count))
    return ids[np.argsort(-values[ids], kind="stable")]


def rank(values: Floats, token: int) -> int:
    """Return the rank of a token, 1 for the highest value; of equals the lower ID first."""
    value = values[token]
    return int((values > value).sum() + (values[:token] == value).sum()) + 1


def counts(context: Sequence[int], size: int) -> NDArray[np.intp]:
    """Return how often each token of a vocabulary of ``size`` is in the context, (V,); other IDs are ignored."""
    ids = np.fromiter((token for token in context if token < size), dtype=np.intp)
    return np.bincount(ids, minlength=size)
