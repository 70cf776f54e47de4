#!/usr/bin/env python3
"""Take the pictures of README and manual again, with the tour of the window:

    python packaging/screenshots.py

They are saved in resources/manual/pictures, and ship with the program. The tour trains two runs to the end, which takes
some minutes.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gptstudio.gui import tour
from gptstudio.labs.catalogue import ENTRIES

PICTURES = Path(__file__).resolve().parent.parent / "resources" / "manual" / "pictures"


def _lab(name: str, language: str) -> str:
    return f"{tour.FIRST_LAB + list(ENTRIES).index(name)}-{name}-{language}"


TAKEN = {
    "train": "6-trained", "step": "4-one-step", "generate": "7-generate", "branches": "8-branches",
    "attention": "9-attention", "what_if": "11-what-if", "runs": "14-runs", "open_weights": "17-open-weights",
    "fine_tuning": "19-fine-tuning",
    "learn": _lab("attention", "en"), "learn_zh": _lab("shortcuts", "zh_CN"),
    "lesson": f"{tour.FIRST_LAB + len(ENTRIES)}-lesson-en",
}
"""Name of each picture in the manual, and its name in the tour."""


def main() -> int:
    with TemporaryDirectory() as folder:
        tour.run(Path(folder))
        for name, taken in TAKEN.items():
            shutil.copyfile(Path(folder) / f"{taken}.png", PICTURES / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
