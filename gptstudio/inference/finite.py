"""Check that computed values are finite."""

from __future__ import annotations

import numpy as np

from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.sampling.sampler import BrokenLogits
from gptstudio.i18n import message


def check_finite(values: Floats) -> None:
    """Check that all values are finite, so that they can be displayed.

    Raises:
        BrokenLogits: values are not finite.
    """
    if not np.isfinite(values).all():
        raise BrokenLogits(message(
            "Values inside this model are not valid numbers (NaN or infinite), so there is nothing to show. Its "
            "weights are damaged, for example because training diverged. Choose an earlier checkpoint or another "
            "model."
        ))
