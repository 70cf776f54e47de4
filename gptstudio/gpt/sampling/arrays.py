"""Types of the sampler's arrays, which have one entry for each token of the vocabulary, (V,)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
