"""``generate --copied``: how much of the new text stands word for word in the text that the model was trained on."""

from __future__ import annotations

from gptstudio.cli import output
from gptstudio.data import verbatim
from gptstudio.history.copied_words import copied_words
from gptstudio.training import run_text
from gptstudio.training.events import Ended, Event, TokenDrawn
from gptstudio.training.executor import Sink
from gptstudio.training.model_source import ModelSource


class Copied:
    """A sink that passes all events on, and says at the end what of each text was copied."""

    def __init__(self, sink: Sink, source: ModelSource, json: bool):
        """Read the training text of the model.

        Raises:
            UserError: it is not known, has changed, or is too long.
        """
        self._sink, self._json = sink, json
        self._index = run_text.index_of(run_text.run_of(source))
        self._texts: dict[int, list[int]] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, TokenDrawn):
            self._texts.setdefault(event.sample, []).append(event.id)
        if isinstance(event, Ended) and self._json:
            self._report()  # the end is the last line
        self._sink(event)
        if isinstance(event, Ended) and not self._json:
            self._report()

    def _report(self) -> None:
        for sample, ids in sorted(self._texts.items()):
            found = self._index.stretches(ids)
            share, longest = verbatim.share(found, len(ids)), max((each.stop - each.start for each in found), default=0)
            if self._json:
                output.print_json({"event": "copied", "sample": sample, "tokens": len(ids), "copied_share": share,
                                   "longest_copy": longest})
            else:
                text = f"Text {sample + 1}: " if len(self._texts) > 1 else ""
                output.note(f"{text}{copied_words(share, longest)} (five or more in a row, from the training text)")
