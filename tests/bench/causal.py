"""Cost of causal analysis inside a model: one intervention, all effects, patching, induction scores, a beam step.

    python tests/bench/causal.py [PRESET ...]

Uses random weights and a prompt of 32 tokens, and times the second call of each. Effects and patching run the model
once for each component or cell. Prints a row of the table in tests/bench/README.md for each preset.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.fast import build_model
from gptstudio.inference.beam_search import search
from gptstudio.inference.induction import induction
from gptstudio.inference.intervening import read_changed
from gptstudio.inference.interventions import Intervention, Interventions
from gptstudio.inference.next_token import effects
from gptstudio.inference.patching import patch
from gptstudio.inference.prompt_pair import PromptPair
from gptstudio.inference.spec import BeamSpec

TOKENS, TURNS, STEPS = 32, 5, 8


def main(names: list[str]) -> None:
    print("| model | intervention | all effects | patching, residual | its heads | induction | beam step, width 4 |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in names:
        print(f"| {name} | " + " | ".join(map(formatted, seconds(name))) + " |", flush=True)


def seconds(name: str) -> Iterator[float]:
    """Yield the seconds of each column."""
    model, ids = build_model(PRESETS[name], "fast").eval(), list(range(100, 100 + TOKENS))
    pair = PromptPair(tuple(ids), (99, *ids[1:]))

    def intervene(factor: float) -> None:
        made = Interventions(changes=(Intervention(layer=0, head=1, factor=factor),))
        read_changed(model, ids, TOKENS - 1, made)

    intervene(0)
    yield min(timed(lambda turn=turn: intervene(turn / TURNS)) for turn in range(TURNS))
    yield timed(lambda: effects(model, ids, 5))
    yield timed(lambda: patch(model, pair, "resid", 5, 6))
    yield timed(lambda: patch(model, pair, "heads", 5, 6))
    yield timed(lambda: induction(model))
    decoder = Decoder(model)
    spec = BeamSpec(width=4, max_new_tokens=STEPS)
    list(search(decoder, ids, spec))
    yield timed(lambda: list(search(decoder, ids, spec))) / STEPS


def timed(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    work()
    return time.perf_counter() - began_s


def formatted(each: float) -> str:
    return f"{each * 1000:,.0f} ms" if each < 1 else f"{each:,.1f} s"


if __name__ == "__main__":
    main(sys.argv[1:] or ["workshop", "book", "gpt2-small", "gpt2-medium"])
