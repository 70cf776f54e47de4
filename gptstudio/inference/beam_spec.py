"""Settings of a beam search, each with its label, range and help. No torch."""

from __future__ import annotations

from gptstudio.fields import Spec, setting


class BeamSpec(Spec):
    """One beam search from a prompt."""

    width: int = setting(
        4, "Beam width", "Number of texts that are kept at each step; 1 is greedy decoding.", low=1, high=8, step=1)
    length_penalty: float = setting(
        0.0, "Length penalty",
        "Texts are compared by the sum of their log-probabilities, divided by their length to the power of this value: "
        "0 compares the sums, 1 the means per token. It matters only where texts end by themselves.",
        low=0.0, high=2.0, step=0.1)
    max_new_tokens: int = setting(
        20, "New tokens", "Number of tokens to generate.", unit="tokens", low=1, high=1_000, step=10)
