"""Arrow key navigation on the map of a branching text. No Qt."""

from __future__ import annotations

from collections.abc import Collection

from gptstudio.inference.branches import Shape


def along(shape: Shape, index: int, step: int, shown: Collection[int]) -> int:
    """The stretch behind one (1), the shown one where the text forks, or that before it (-1); itself at an end."""
    stretch = shape.stretches[index]
    if step < 0:
        return index if stretch.before is None else stretch.before
    return next((each for each in stretch.after if each in shown), stretch.after[0] if stretch.after else index)


def beside(shape: Shape, index: int, step: int) -> int:
    """Return the segment above (-1) or below (1) this one among those after the same fork; if there is none, after an
    earlier fork. Down from the last of these leads to the fork that ends the segment itself."""
    for at in shape.back_from(index):
        before = shape.stretches[at].before
        equals = _beginnings(shape) if before is None else shape.stretches[before].after
        place = equals.index(at) + step
        if 0 <= place < len(equals):
            return equals[place]
    after = shape.stretches[index].after
    return after[1] if step > 0 and after else index


def _beginnings(shape: Shape) -> list[int]:
    return [index for index, stretch in enumerate(shape.stretches) if stretch.before is None]
