"""Base of all events, and the counts in them. No torch."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_COUNT = 2**53
"""As far as every integer is exact as a float."""
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
PositiveCount = Annotated[Count, Field(ge=1)]


class EventBase(BaseModel):
    """Frozen values, tagged by ``event``."""

    # Infinite and undefined losses are news, not errors: JSON carries them as the strings "Infinity" and "NaN".
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="strings", arbitrary_types_allowed=True)
