"""Two presets that differ only in the vocabulary, measured alternately: seconds from Start to Finished, and the
validation loss in bits per byte after equal times.

    python tests/bench/vocabularies.py [ROUNDS] [RESULTS.json]
"""

import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PRESETS = ("pocket", "workshop")
AFTER_S = (4, 7, 15, 30, 45, 60)


def train(preset: str) -> dict[str, Any]:
    """Train a preset on The Verdict in a separate process; return its figures."""
    with TemporaryDirectory() as home:
        command = [sys.executable, "-m", "gptstudio", "train", "--text", "verdict", "--preset", preset, "--json"]
        began = time.perf_counter()
        result = subprocess.run(command, env={**os.environ, "GPTSTUDIO_HOME": home}, capture_output=True, check=True)
        seconds = time.perf_counter() - began
    return figures([json.loads(line) for line in result.stdout.splitlines()]) | {"preset": preset, "seconds": seconds}


def figures(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return parameters, the lowest validation loss in bits per byte, and the last one before each of several times."""
    started = next(each for each in events if each["event"] == "run_started")
    elapsed = {each["step"]: each["elapsed_s"] for each in events if each["event"] == "step_done"}
    divisor = math.log(2) * started["bytes_per_token"][1]
    losses = [(elapsed[each["step"]], each["val_loss"] / divisor) for each in events if each["event"] == "evaluated"]
    after = {str(limit): next((bits for at_s, bits in reversed(losses) if at_s <= limit), None) for limit in AFTER_S}
    return {"parameters": started["parameters"], "steps": len(elapsed), "lowest": min(bits for _, bits in losses),
            "after_s": after}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    found = [train(preset) for _ in range(rounds) for preset in PRESETS]
    for each in found:
        print(each)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
