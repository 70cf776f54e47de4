"""A token that the user points at in a text: the guess and the answer of a question in a lesson."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass


@dataclass(frozen=True, config=ConfigDict(extra="forbid", strict=True))
class PointedToken:
    """A token: its ``position`` in the text, from 0, and its ``text``, with visible white space."""

    position: Annotated[int, Field(ge=0)]
    text: Annotated[str, Field(max_length=1000)]
