"""Write resources/reference/scaling_run.json: the points that the experiment "Scaling laws" shows initially.

    python packaging/scaling_run.py         # trains the four sizes with three seeds: minutes

The models are trained with the page's initial settings on The Verdict, with as many threads as there are cores.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    import torch

    from gptstudio import devices, paths
    from gptstudio.files import written_whole
    from gptstudio.labs.scaling_request import RECORDED, TRAINING, ScalingRequest
    from gptstudio.labs.scaling_training import train_sizes

    def tell(done: int, total: int) -> None:
        if done % 100 == 0:
            print(f"{done:,} of {total:,} steps", flush=True)

    request = ScalingRequest.make(points="trained")
    measured = train_sizes(request, tell)
    day = datetime.now(UTC).date().isoformat()
    found = {
        "about": "Four sizes trained for equal compute, shown by the experiment 'Scaling laws' before anything is "
                 "trained. Made by packaging/scaling_run.py; seconds are processor time.",
        "made_on": {"date": day, "processor": devices.cpu_name(), "torch": torch.__version__},
        "request": {name: getattr(request, name) for name in TRAINING},
        "measured": dataclasses.asdict(dataclasses.replace(measured, recorded=day, cores=os.cpu_count() or 0)),
    }
    with written_whole(paths.resources() / "reference" / RECORDED) as file:
        file.write((json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
