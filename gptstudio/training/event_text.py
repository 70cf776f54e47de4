"""Words for people in events: they keep how they were made, also in a journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    WrapValidator,
    model_serializer,
    model_validator,
)

from gptstudio.i18n import Message, from_parts, to_parts

PARTS = {"parts": True}
"""The context with which an event is written with how its words were made."""

Text = Annotated[str, WrapValidator(lambda text, check: text if isinstance(text, Message) else check(text))]
"""Words that a window can say in its language."""


class WithText(BaseModel):
    """An event whose ``message`` is for people. A journal keeps it in English, and beside that how it was made: as
    ``said``, a template and its values."""

    @model_validator(mode="before")
    @classmethod
    def _as_made(cls, values: Any) -> Any:
        made = from_parts(values.get("said")) if isinstance(values, Mapping) else None
        return {**values, "message": made} if made is not None and made == values.get("message") else values

    @model_serializer(mode="wrap")
    def _with_parts(self, write: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        text = self.__dict__["message"]
        return {**written, "said": to_parts(text)} if info.context and isinstance(text, Message) else written
