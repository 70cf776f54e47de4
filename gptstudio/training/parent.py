"""The parent of a run that is a branch: which run it continues from, and after which step. No torch."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from gptstudio.training.event_base import Count

LONGEST_TITLE = 200


class Parent(BaseModel):
    """The run that a branch began as. The branch shares its steps up to ``step``, which counts from 0.

    Attributes:
        run: the name of its folder, without a path: the branch may be opened on another computer.
        title: the user's name of it when the branch was made; empty: the name of its folder.
        created: when it was created, by which it is known where its folder was renamed.
    """

    model_config = ConfigDict(frozen=True)

    run: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^/\\:\x00-\x1f]+$")]
    title: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    created: AwareDatetime
    step: Count

    @property
    def name(self) -> str:
        """The name of the parent for the user, in one line."""
        return " ".join(self.title.split()) or self.run


def _known(value: Any) -> Parent | None:
    """Return the parent; None where a file says anything else: a branch is a whole run also without it."""
    if value is None or isinstance(value, Parent):
        return value
    try:
        return Parent.model_validate(value)
    except ValidationError:
        return None


ParentOrNone = Annotated[Parent | None, BeforeValidator(_known)]
