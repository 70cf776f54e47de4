"""Text for an experiment that counts words: a shipped text, The Verdict, or the user's own. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from gptstudio.data import texts
from gptstudio.data.texts import GRIMM, LUXUN, STORY, VERDICT, TextError
from gptstudio.errors import text_of
from gptstudio.fields import Problem, Spec, setting
from gptstudio.i18n import message
from gptstudio.labs import checks

OWN = "own"
CHOICES = (STORY, VERDICT, GRIMM, LUXUN, OWN)
MOST_CHARACTERS = 200_000


class TextChoice(Spec):
    """Choice of a text, as the first fields of a request."""

    text: Literal["verdict", "story", "grimm", "luxun", "own"] = setting(
        STORY, "Text", "The Verdict, a text that ships with GPT Studio, or your own text.", panel=False)
    own: str = setting(
        "the cat sat on the mat, and the cat that sat there ate that rat.", "Your own text",
        "Used if the text is 'own'; up to 200,000 characters.", panel=False)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if values.get("text") == OWN and "own" in values:
            empty = message("Your own text is empty. Type a sentence.")
            yield from checks.text(cls, "own", values["own"], MOST_CHARACTERS, empty)
            yield from checks.surrogates(cls, "own", values["own"])

    def content(self) -> tuple[str, str]:
        """Return the text, cut to the largest length, and a message if it is not the requested one."""
        if self.text == OWN:
            return self.own, ""
        try:
            return texts.read(self.text).content[:MOST_CHARACTERS], ""
        except TextError as error:
            return texts.read(STORY).content[:MOST_CHARACTERS], text_of(error)

    def code(self) -> tuple[str, str]:
        """Return Python code for the text in use: the imports, and an expression."""
        if self.text == OWN:
            return "", repr(self.own)
        _, missing = self.content()
        return "from gptstudio.data import texts\n", f"texts.read({STORY if missing else self.text!r}).content"
