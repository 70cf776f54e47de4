"""Operations on logits or probabilities of a vocabulary, (V,)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gptstudio.gpt.sampling.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gptstudio.gpt.sampling.arrays import Floats, Mask


def softmax(logits: Floats) -> Floats:
    """Return exp(x) / sum of exp(x); the maximum is subtracted first to avoid overflow."""
    powers: Floats = np.exp(logits - logits.max())
    powers /= powers.sum()
    return powers


def log_softmax(logits: Floats) -> Floats:
    """Return the logarithm of :func:`softmax` in nats, accurate even where a probability is too small for a float."""
    shifted = logits - logits.max()
    found: Floats = shifted - np.log(np.exp(shifted).sum())
    return found


def largest(values: Floats, count: int) -> Mask:
    """Return a mask of the ``count`` largest values, or of all if there are fewer; ties go to the lower index."""
    count = min(count, values.size)
    above = values[values > values.min()]  # numpy takes ten times as long if most values are equal
    threshold = np.partition(above if above.size >= count else values, -count)[-count]
    mask: Mask = values > threshold
    mask[np.flatnonzero(values == threshold)[: count - np.count_nonzero(mask)]] = True
    return mask


def keep(logits: Floats, mask: Mask) -> Floats:
    """Return the logits with -inf for every token outside ``mask``."""
    return np.where(mask, logits, -np.inf)


def best(values: Floats, count: int) -> NDArray[np.intp]:
    """Return the indices of the ``count`` largest values, largest first; ties go to the lower index."""
    ids = np.flatnonzero(largest(values, count))
    return ids[np.argsort(-values[ids], kind="stable")]


def rank(values: Floats, token: int) -> int:
    """Return the rank of a token, 1 for the highest value; ties go to the lower ID."""
    value = values[token]
    return int((values > value).sum() + (values[:token] == value).sum()) + 1


def counts(context: Sequence[int], size: int) -> NDArray[np.intp]:
    """Return the number of occurrences of each token in the context, (V,) with V = ``size``; other IDs are ignored."""
    ids = np.fromiter((token for token in context if token < size), dtype=np.intp)
    return np.bincount(ids, minlength=size)
