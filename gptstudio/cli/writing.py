"""Text as it is written, token by token: half a character waits for its other half."""

from __future__ import annotations

import codecs

from gptstudio.cli.output import Console


class Writing:
    """The prompt, then each token behind it; on a terminal the prompt is dim.

    Of several texts that are written at once the first is shown as it comes, and the others once all are done.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._prompt = ""
        self._begun = False
        self._others: dict[int, bytes] = {}

    @property
    def texts(self) -> int:
        """Number of texts begun."""
        return self._begun + len(self._others)

    def prompt(self, data: bytes) -> None:
        self._begun = True
        self._prompt = data.decode("utf-8", "replace")
        self._show(self._prompt, "dim")

    def add(self, data: bytes, sample: int = 0) -> None:
        """The bytes of one token: often whole characters, sometimes a half of one."""
        if sample:
            self._others[sample] = self._others.get(sample, b"") + data
        else:
            self._show(self._decoder.decode(data))

    def close(self) -> None:
        """Replace an incomplete character by U+FFFD, and end the line."""
        if self._begun:
            self._show(self._decoder.decode(b"", final=True) + "\n")
        for data in self._others.values():
            self._show("\n" + self._prompt, "dim")
            self._show(data.decode("utf-8", "replace") + "\n")

    def _show(self, text: str, style: str = "") -> None:
        if self._console.is_terminal:
            text = harmless(text)
        self._console.print(text, style=style, end="", markup=False, soft_wrap=True)


def harmless(text: str) -> str:
    """Without the control characters by which an untrained model would move the cursor or ring the bell."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)
