"""Write the table in the README of the labs: the book sections of each page, and how many printed numbers are
reproduced.

    python packaging/labs_table.py          # computes everything, including the 124M model: about a minute
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "gptstudio" / "labs" / "README.md"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
COLUMNS = ("book section", "page", "input", "figures", "reproduced / printed")


def main() -> int:
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    README.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")
    return 0


def table() -> str:
    """Compute the rows and return them as a Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in [COLUMNS, ("---",) * len(COLUMNS), *rows()]]
    return "\n".join(lines)


def rows() -> Iterator[tuple[str, ...]]:
    """Yield a row for each input to which a page can be reset; the first row of a page has its book sections."""
    from gptstudio.labs.catalogue import ENTRIES, load

    for name in ENTRIES:
        sources = "; ".join(str(each) for each in load(name).sources)
        for example, found in outcomes(name):
            mine = [each for each in found if is_of(name, example, each)]
            agreeing = sum(int(each.equal.sum()) for each in mine if each.equal is not None)
            total = sum(each.count for each in mine)
            yield (
                sources, name, example, ", ".join(str(each.figure.name) for each in mine) or "none printed",
                f"{agreeing:,} / {total:,}" if total else "no numbers",
            )
            sources = "″"


@cache
def outcomes(name: str) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Return the name of each input of a lab, with the printed and the computed figures."""
    from gptstudio import devices
    from gptstudio.labs.catalogue import load
    from gptstudio.labs.lab import compare
    from gptstudio.training import model_source

    lab, found = load(name), []
    model = model_source.load(lab.model, devices.choose("cpu"), "reference") if lab.model else None
    for example in lab.examples:
        answer = lab.answer(example.request, model) if model else lab.answer(example.request)
        found.append((str(example.name), tuple(compare(lab, answer))))
    return tuple(found)


def is_of(name: str, example: str, compared: Any) -> bool:
    """Return whether a figure was printed for this input of a lab."""
    from gptstudio.labs.catalogue import load

    return str(compared.figure.example or load(name).examples[0].name) == example


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
