"""Writes the table in the README of the labs: what each page follows, and how many printed numbers come out.

    python packaging/labs_table.py          # computes everything, also with the 124M model: about a minute
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "gptstudio" / "labs" / "README.md"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
COLUMNS = ("seed and section", "page", "input", "figures", "reproduced / printed")


def main() -> int:
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    README.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")
    return 0


def table() -> str:
    """The rows as Markdown, computed now."""
    lines = [f"| {' | '.join(row)} |" for row in [COLUMNS, ("---",) * len(COLUMNS), *rows()]]
    return "\n".join(lines)


def rows() -> Iterator[tuple[str, ...]]:
    """One row for each input that a page can be set back to."""
    import numpy as np

    from gptstudio.labs.catalogue import ENTRIES, load
    from gptstudio.labs.lab import compare

    for name in ENTRIES:
        lab = load(name)
        model = _model(lab)
        for book in lab.books:
            answer: Any = lab.answer(book.ask, model) if lab.model else lab.answer(book.ask)
            mine = [each for each in compare(lab, answer) if (each.figure.book or lab.books[0].name) == book.name]
            agreeing = sum(int(np.count_nonzero(each.equal)) for each in mine if each.equal is not None)
            total = sum(each.count for each in mine)
            yield (
                "; ".join(f"{each.seed}, {each.section}" for each in lab.follows), name, str(book.name),
                ", ".join(str(each.figure.name) for each in mine) or "none printed",
                f"{agreeing:,} / {total:,}" if total else "no numbers",
            )


def _model(lab: Any) -> Any:
    """The seeds' own model, where the lab is about one."""
    if not lab.model:
        return None
    from gptstudio import devices
    from gptstudio.runs.source import load

    return load(lab.model, devices.choose("cpu"), "reference")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
