"""Selections on the pages Runs, Texts and Learn, kept from one start of the program to the next."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from gptstudio import files


class PageSelections(BaseModel):
    """Names of what is selected. One that no longer exists is ignored when it is restored.

    Attributes:
        run: folder of the selected run.
        checked_runs: folders of the checked ones, in the order of checking; None while no run was listed.
        run_colours: folders of the runs that were ever checked -> the numbers of their colours.
        text: the selected one of ``texts``, the opened ones; ``checked_texts``: those to train on.
        experiment: name of the open page of Learn.
        stopped_run: folder of the run that Train shows, if it was stopped and can continue.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    run: str = ""
    checked_runs: tuple[str, ...] | None = None
    run_colours: dict[str, Annotated[int, Field(ge=0, lt=1_000)]] = {}
    texts: tuple[str, ...] = ()
    checked_texts: tuple[str, ...] = ()
    text: str = ""
    experiment: str = ""
    stopped_run: str = ""

    def but(self, **changes: object) -> PageSelections:
        """Return a copy with some fields changed."""
        return self.model_copy(update=changes)


def storable_name(name: object) -> str:
    """Return a name as text; empty if there is none, or it cannot be stored."""
    return "".join(storable([name or ""]))


def storable(names: Iterable[object]) -> tuple[str, ...]:
    """Return names as text; names of files with bytes that are no text cannot be stored and are left out."""
    return tuple(str(name) for name in names if files.is_encodable(Path(str(name))))
